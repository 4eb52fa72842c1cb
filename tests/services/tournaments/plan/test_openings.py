"""Openings: the matches of a block go on from a recorded one with luck of their own, and their records verify."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine_core.games import GAMES
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.tournaments.plan.openings import MAX_OPENINGS, Opening
from services.tournaments.plan.plan import Block, InvalidSpec, Plan, Spec, block_secret, opening_of
from services.tournaments.play.blocks import play_block
from services.tournaments.records import replay_match
from tests.services.tournaments.plans import SPEC

CHOICES = 6


def first_choices(spec: Spec, block: int) -> Opening:
    """The first choices of the first match of a block."""
    result = play_block(spec, Block(block, (0, 1, 0, 1, 0)[: spec.table_size]))
    fields = json.loads(replay_match("source", spec, result, result.encode_moves(), 0).record())
    choices = [f"{event['seat']} {event['notation']}" for event in fields["events"] if "seat" in event]
    return Opening(block_secret(spec, block).hex(), (), tuple(choices[:CHOICES]))


@pytest.mark.parametrize("name", GAMES)
def test_matches_go_on_from_the_opening_with_draws_of_their_own_and_their_records_verify(name: str) -> None:
    plain = Spec(name, ("random", "random"), GAMES[name].min_seats, seed=3)
    spec = replace(plain, openings=(first_choices(plain, 0),))
    later = []
    for index in (1, 2):
        result = play_block(spec, Block(index, (0, 1)[: spec.table_size]))
        assert result == play_block(spec, Block(index, (0, 1)[: spec.table_size]))
        for match in range(spec.table_size):
            record = replay_match("cup", spec, result, result.encode_moves(), match).record()
            verified = verify(*read(record))
            events = json.loads(record)["events"]
            (epoch,) = verified.epochs
            choices = [f"{event['seat']} {event['notation']}" for event in events[:epoch] if "seat" in event]
            assert tuple(choices) == spec.openings[0].moves
            later.append([event["notation"] for event in events[epoch:] if "seat" not in event])
    assert len({tuple(draws) for draws in later}) > 1


def test_blocks_draw_their_openings_from_the_seed() -> None:
    openings = tuple([first_choices(SPEC, block) for block in range(3)])
    spec = replace(SPEC, openings=openings)
    drawn = [opening_of(spec, index) for index in range(60)]
    assert set(drawn) == set(openings)
    assert drawn == [opening_of(spec, index) for index in range(60)]
    assert drawn != [opening_of(replace(spec, seed=8), index) for index in range(60)]
    assert opening_of(SPEC, 0) is None


def test_a_plan_is_stored_with_its_openings() -> None:
    spec = replace(SPEC, openings=(first_choices(SPEC, 0),))
    assert Spec.from_json(spec.to_json()) == spec
    assert Plan.from_json(spec.to_json()).openings == spec.openings


def faulty(opening: Opening, fault: str) -> Opening:
    changes: dict[str, Opening] = {
        "seed": replace(opening, secret_seed="ab"),
        "no hexadecimal": replace(opening, secret_seed="x" * 64),
        "seat": replace(opening, moves=("7 x",)),
        "notation": replace(opening, moves=("0 no such move",)),
        "order": replace(opening, moves=opening.moves[::-1]),
    }
    return changes[fault]


@pytest.mark.parametrize("fault", ["seed", "no hexadecimal", "seat", "notation", "order"])
def test_an_opening_that_cannot_be_played_is_refused_by_its_number(fault: str) -> None:
    opening = first_choices(SPEC, 0)
    with pytest.raises(InvalidSpec, match=r"^openings\[1\]: ") as refusal:
        replace(SPEC, openings=(opening, faulty(opening, fault)))
    assert refusal.value.field == "openings[1]"


def test_an_opening_that_ends_the_match_is_refused() -> None:
    result = play_block(SPEC, Block(0, (0, 2)))
    events = json.loads(replay_match("cup", SPEC, result, result.encode_moves(), 0).record())["events"]
    choices = [f"{event['seat']} {event['notation']}" for event in events if "seat" in event]
    with pytest.raises(InvalidSpec, match="is over after it"):
        replace(SPEC, openings=(Opening(block_secret(SPEC, 0).hex(), (), tuple(choices)),))


def test_a_plan_has_so_many_openings_at_most() -> None:
    opening = first_choices(SPEC, 0)
    with pytest.raises(InvalidSpec, match="at most 1000"):
        replace(SPEC, openings=(opening,) * (MAX_OPENINGS + 1))
