"""Tournament plans: validation of specs, blocks, and entrants by seat."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, asdict, replace

import pytest

from services.tournaments.plan.plan import (
    Block,
    InvalidSpec,
    Spec,
    Table,
    UnknownPlan,
    block_secret,
    bot_random,
    entrants_by_seat,
    read_stored_plan,
    table_of_seats,
    tie_breaks,
)
from services.tournaments.plan.sprt import Sprt, parse_sprt
from tests.services.tournaments.plans import SPEC, UNKNOWN_RULES_PLAN

TWO = {"entrants": ("random", "greedy")}


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("game", {"game": "chess"}),
        ("entrants", {"entrants": ("random",)}),
        ("entrants", {"entrants": ("random",) * 257}),
        ("entrants[1]", {"entrants": ("random", "deep_blue")}),
        ("table_size", {"table_size": 1}),
        ("table_size", {"table_size": 6}),
        ("options", {"options": "house_rules"}),
        ("format", {"format": "league"}),
        ("blocks", {"blocks": 0}),
        ("blocks", {"blocks": 1_000_001}),
        ("rounds", {"rounds": 3}),
        ("rounds", {"rounds": -1, "format": "swiss"}),
        ("seed", {"seed": -1}),
        ("seed", {"seed": 1 << 32}),
        ("rules_version", {"rules_version": "fire_bulls@0"}),
        ("sprt", {"sprt": Sprt(0, 5)}),
        ("sprt", {**TWO, "sprt": Sprt(0, 5), "format": "knockout"}),
        ("sprt", {**TWO, "sprt": Sprt(5, 5)}),
        ("sprt", {**TWO, "sprt": Sprt(0, 1001)}),
        ("sprt", {**TWO, "sprt": Sprt(float("nan"), 5)}),
        ("sprt", {**TWO, "sprt": Sprt(0, 5, alpha=0)}),
        ("sprt", {**TWO, "sprt": Sprt(0, 5, beta=0.5)}),
    ],
)
def test_an_invalid_spec_is_refused_with_its_field(field: str, changes: dict[str, str]) -> None:
    with pytest.raises(InvalidSpec) as caught:
        replace(SPEC, **changes)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")


def test_bots_with_a_time_limit_are_refused() -> None:
    with pytest.raises(InvalidSpec, match=r"^entrants\[0\]: 'mcts:milliseconds=5' plays by the clock"):
        replace(SPEC, entrants=("mcts:milliseconds=5", "random"))


def test_a_plan_is_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        SPEC.seed = 8  # type: ignore[misc]


@pytest.mark.parametrize("text", ["elo0=-1.5,elo1=5", "elo0=0,elo1=20,alpha=0.01,beta=0.1"])
def test_a_plan_with_a_test_round_trips_as_text(text: str) -> None:
    sprt = parse_sprt(text)
    assert str(sprt).startswith(text)
    assert parse_sprt(str(sprt)) == sprt
    spec = Spec("fire_bulls", ("random", "greedy"), 2, sprt=sprt)
    assert read_stored_plan(spec.to_json()) == spec


@pytest.mark.parametrize("text", ["", "elo0=0", "elo0=0,elo1=5,elo1=6", "elo0=0,elo1=5,gamma=1", "elo0=0,elo1=5,7"])
def test_an_incomplete_test_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^not of the form elo0=0,elo1=20,alpha=0.05,beta=0.05: "):
        parse_sprt(text)


def test_a_plan_round_trips_as_text() -> None:
    assert Spec.from_json(SPEC.to_json()) == SPEC
    assert Spec.from_json(SPEC.to_json()).to_json() == SPEC.to_json()


@pytest.mark.parametrize("line", [("fire_bulls@1", "fire_bulls@2"), ('"seed"', '"grain"'), ("greedy", "deep_blue")])
def test_a_plan_of_another_version_is_an_unknown_plan(line: tuple[str, str]) -> None:
    with pytest.raises(UnknownPlan):
        Spec.from_json(SPEC.to_json().replace(*line))


def test_a_field_of_a_newer_version_is_named() -> None:
    text = json.dumps({**asdict(SPEC), "handicap": 3})
    for read in (Spec.from_json, read_stored_plan):
        with pytest.raises(UnknownPlan) as caught:
            read(text)
        assert str(caught.value) == "handicap: no field of plans here: a newer version of Fireside wrote this ledger"


@pytest.mark.parametrize(
    ("field", "value"), [("blocks", "many"), ("entrants", 7), ("seed", None), ("sprt", {"elo0": 0})]
)
def test_a_field_of_the_wrong_type_is_unreadable(field: str, value: object) -> None:
    with pytest.raises(UnknownPlan, match=r"^spec: another version of Fireside wrote it otherwise: "):
        read_stored_plan(json.dumps({**asdict(SPEC), field: value}))


def test_a_plan_of_removed_rules_is_read_and_cannot_be_played() -> None:
    assert read_stored_plan(SPEC.to_json()) == SPEC
    found = read_stored_plan(UNKNOWN_RULES_PLAN.to_json())
    assert (found, found.labels) == (UNKNOWN_RULES_PLAN, SPEC.labels)
    with pytest.raises(UnknownPlan, match=r"^rules_version: fire_bulls@1 is here, not fire_bulls@99"):
        found.playable()


@pytest.mark.parametrize("field", ["blocks", "seed", "format", "table_size", "rounds"])
def test_an_unplayable_plan_is_not_read(field: str) -> None:
    with pytest.raises(UnknownPlan) as caught:
        read_stored_plan(json.dumps({**asdict(UNKNOWN_RULES_PLAN), field: "league" if field == "format" else 1 << 40}))
    assert caught.value.field == field


def test_entrants_of_one_name_have_different_labels() -> None:
    assert SPEC.labels == ("random", "greedy", "random #2")


def test_an_entrant_may_have_a_name() -> None:
    entrants = ("new one=mcts:iterations=4,depth=2", "old=grpc:bots.example:1", "greedy:samples=2", "old=random")
    named = replace(SPEC, entrants=entrants)
    assert named.labels == ("new one", "old", "greedy:samples=2", "old #2")
    assert named.bots == ("mcts:iterations=4,depth=2", "grpc:bots.example:1", "greedy:samples=2", "random")
    assert Spec.from_json(named.to_json()) == named


@pytest.mark.parametrize("name", ["a#2", "x" * 33, " a", "a,b", "a\n"])
def test_a_name_of_an_entrant_that_could_be_mistaken_is_refused(name: str) -> None:
    with pytest.raises(InvalidSpec, match=r"^entrants\[1\]: a name has 1 to 32 letters"):
        replace(SPEC, entrants=("random", f"{name}=random"))


def test_every_block_has_its_own_seed() -> None:
    secrets = {block_secret(replace(SPEC, seed=seed), index) for seed in range(20) for index in range(500)}
    assert len(secrets) == 20 * 500


def test_every_bot_has_its_own_random_source() -> None:
    draws = {
        bot_random(SPEC, index, match, seat).getrandbits(64)
        for index in range(50)
        for match in range(5)
        for seat in range(5)
    }
    assert len(draws) == 50 * 5 * 5


def test_seeds_never_change() -> None:
    assert block_secret(SPEC, 3).hex()[:16] == "f31bce846fc9a845"
    assert bot_random(SPEC, 3, 1, 0).getrandbits(32) == 4169705608


def test_every_entrant_has_every_seat_once() -> None:
    block = Block(11, (0, 1, 2, 4))
    seatings = [entrants_by_seat(SPEC, block, match) for match in range(4)]
    for chair in zip(*seatings, strict=True):
        assert sorted(chair) == [0, 1, 2, 4]


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_a_plan_with_tables_of_one_entrant_is_not_read_if_it_would_never_end(format: str) -> None:
    alone = {**asdict(UNKNOWN_RULES_PLAN), "table_size": 1}
    assert read_stored_plan(json.dumps(alone)).table_size == 1
    with pytest.raises(UnknownPlan, match=r"^table_size: 2 to 5 in this format, not 1"):
        read_stored_plan(json.dumps({**alone, "format": format}))


@pytest.mark.parametrize("table", [(3, 1), (0, 4, 2, 1), (1, 0, 1, 0, 1)])
def test_the_table_of_a_block_is_known_from_its_seating(table: Table) -> None:
    for index in range(20):
        assert table_of_seats(SPEC, index, entrants_by_seat(SPEC, Block(index, table), 0)) == table


def test_neighbours_at_a_table_change_from_block_to_block() -> None:
    left_of_0 = {
        table[table.index(0) - 1]
        for index in range(40)
        for table in [entrants_by_seat(SPEC, Block(index, (0, 1, 2)), 0)]
    }
    assert left_of_0 == {1, 2}


def test_lots_are_drawn_from_the_seed() -> None:
    spec = replace(SPEC, entrants=("random",) * 20)
    assert sorted(tie_breaks(spec)) == list(range(20))
    assert tie_breaks(spec) == tie_breaks(replace(spec, blocks=9))
    assert tie_breaks(spec) != tie_breaks(replace(spec, seed=8))
