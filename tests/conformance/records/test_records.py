"""Laws of match records: those that were ever made are proved for ever, and nothing in them can be changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeAlias, cast

import pytest
from fireside.match.v1.match_pb2 import Clock

from engine_core.chance import Luck
from engine_core.errors import MatchOver
from engine_core.game import NATURE, Chance
from engine_core.games import GAMES
from engine_core.match import EPOCH, AnyMatch, Match
from services.engine.codecs import CODECS
from services.engine.records.reading import VerificationFailed, read
from services.engine.records.verification import check_signature, verify
from tests.conformance.game_setups import GameSetup, random_choice
from tests.conformance.records import draws
from tests.conformance.records.corpus import (
    LARGEST_LAW_RECORDS,
    LARGEST_LAW_SETUPS,
    LEAVE_AFTER,
    RECORDED_SETUPS,
    RECORDS,
    build_record,
    json_text,
    random_match_record,
    record_path,
)

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"
Fields: TypeAlias = "dict[str, Json]"
FieldPath: TypeAlias = tuple[str | int, ...]

RECORD_FILES = sorted(file for file in RECORDS.glob("*.json") if file.stem.partition("@")[0] in GAMES)


@pytest.mark.parametrize("setup", RECORDED_SETUPS, ids=str)
def test_every_game_setup_has_a_record_of_the_current_rules(setup: GameSetup) -> None:
    assert record_path(setup) in RECORD_FILES, "python -m tests.conformance.records.corpus adds it"


@pytest.mark.parametrize("file", RECORD_FILES, ids=lambda file: file.stem)
def test_a_stored_record_stays_valid(file: Path) -> None:
    codec, record = read(file.read_text())
    proved = verify(codec, record)
    check_signature(record, proved)
    assert proved.draws + proved.moves + proved.left == len(record.events)
    assert proved.draws
    assert proved.moves
    assert proved.left == (len(record.seats) == codec.game.max_seats and len(record.events) > LEAVE_AFTER)


@pytest.mark.parametrize("setup", RECORDED_SETUPS[::3], ids=str)
def test_replaying_gives_the_stored_record(setup: GameSetup) -> None:
    assert read(json_text(random_match_record(setup)))[1] == read(record_path(setup).read_text())[1]


@pytest.mark.parametrize("file", RECORD_FILES, ids=lambda file: file.stem)
def test_the_independent_implementation_draws_the_same(file: Path) -> None:
    check_draws(file.read_text())


@pytest.mark.parametrize("setup", RECORDED_SETUPS[::2], ids=str)
def test_fault16_epochs_are_seeds_of_all_later_draws_and_of_none_before(setup: GameSetup) -> None:
    match = Match(setup.game, setup.start(), Luck(bytes(32), ["Ada"]))
    entries, random = match.begin(), Random(str(setup))
    began, phase = len(entries), match.phase_start
    while not match.is_over():
        if len(entries) in (began, *range(0, len(entries) + 1, 7)):
            moved = list(match.last_moved)
            entries += match.begin_epoch(random.randbytes(16).hex())
            assert (match.phase_start, match.last_moved) == (phase, moved)
        entries += match.play(*random_choice(match, random))
        phase = match.phase_start
    with pytest.raises(MatchOver):
        match.begin_epoch("0" * 32)
    record = json_text(build_record(setup, match, entries, seeds=["Ada"]))
    codec, found = read(record)
    assert len(verify(codec, found).epochs) == sum(bool(entry.epoch) for entry in entries) > 0
    check_draws(record)
    fields = cast(Fields, json.loads(record))
    events = cast(list[Fields], fields["events"])
    at = next(number for number, event in enumerate(events) if str(event["notation"]).startswith(EPOCH))
    assert at >= began
    events[at]["notation"] = f"{EPOCH}{'0' * 32}"
    assert verification_error(fields)


@pytest.mark.parametrize("setup", RECORDED_SETUPS[::2], ids=str)
def test_hints_change_neither_draws_nor_turns_and_are_counted(setup: GameSetup) -> None:
    match, plain = [Match(setup.game, setup.start(), Luck(bytes(32), ["Ada"])) for _ in range(2)]
    entries, random = match.begin(), Random(str(setup))
    plain.begin()
    while not match.is_over():
        turn = [match.phase_start, match.turn_began_at(match.to_move()[0])]
        entries += match.ask_hint(match.to_move()[0])
        assert [match.phase_start, match.turn_began_at(match.to_move()[0])] == turn
        seat, move = random_choice(match, random)
        entries += match.play(seat, move)
        plain.play(seat, move)
    assert CODECS[setup.game.name].write_state(plain.state) == CODECS[setup.game.name].write_state(match.state)
    with pytest.raises(MatchOver):
        match.ask_hint(0)
    codec, found = read(json_text(build_record(setup, match, entries, hints=True)))
    assert verify(codec, found).hints == sum(entry.is_hint for entry in entries) > 0
    found.hints = False
    with pytest.raises(VerificationFailed, match="without hints"):
        verify(codec, found)


def check_draws(record_text: str) -> None:
    """Draw once more what was drawn in a record, by what the page says."""
    codec, record = read(record_text)
    game = codec.game
    assert draws.commitment(bytes.fromhex(record.secret_seed)) == record.commitment
    nature = draws.Draws(bytes.fromhex(record.secret_seed), record.client_seeds)
    match: AnyMatch = Match(game, game.start(len(record.seats), codec.decode_options(record.options)), None)
    for event in record.events:
        phase = match.phase()
        if event.notation.startswith(EPOCH):
            match.begin_epoch(event.notation.removeprefix(EPOCH))
            nature.seeds.append(event.notation.removeprefix(EPOCH).encode())
            continue
        if event.HasField("seat"):
            match.play(event.seat, game.parse(event.notation)) if event.HasField("move") else match.leave(event.seat)
            continue
        assert isinstance(phase, Chance)
        outcomes = match.legal_moves(NATURE)
        items = [game.pool_item(outcome) for outcome in outcomes]
        choice = nature.choose(phase.purpose, phase.pool, items, game.weights(match.state))
        assert game.notation(outcomes[choice]) == event.notation
        match.play(NATURE, outcomes[choice])
    assert match.is_over()


def leaf_places(value: Json, place: FieldPath = ()) -> Iterator[FieldPath]:
    """Places of all values that hold no others."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaf_places(inner, (*place, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaf_places(inner, (*place, number))
    else:
        yield place


def field_path(place: FieldPath) -> FieldPath:
    """The place without its numbers."""
    return tuple(step for step in place if isinstance(step, str))


def one_place_per_field(fields: Fields, random: Random) -> list[FieldPath]:
    """A place of each kind, drawn at random."""
    places = list(leaf_places(fields))
    random.shuffle(places)
    return list({field_path(place): place for place in places}.values())


def parent_of(fields: Fields, place: FieldPath) -> dict[str | int, Json]:
    """What holds the value at a place."""
    found: Json = fields
    for step in place[:-1]:
        found = cast(dict[str | int, Json], found)[step]
    return cast(dict[str | int, Json], found)


def another_value(value: Json) -> Json:
    """Another value that could be there."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    assert isinstance(value, str)
    return ("1" if value[:1] == "0" else "0") + value[1:]


def verification_error(fields: Fields) -> str:
    """Why a record is not proved."""
    with pytest.raises(VerificationFailed) as caught:
        verify_fields(fields)
    return str(caught.value)


def verify_fields(fields: Fields) -> None:
    codec, record = read(json.dumps(fields))
    check_signature(record, verify(codec, record))


def load_fields(file: Path) -> Fields:
    return cast(Fields, json.loads(file.read_text()))


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_no_change_of_any_kind_of_field_is_proved(file: Path) -> None:
    fields = load_fields(file)
    places = one_place_per_field(fields, Random(file.stem))
    assert len(places) > 20
    for place in places:
        tampered = copy.deepcopy(fields)
        holder = parent_of(tampered, place)
        holder[place[-1]] = another_value(holder[place[-1]])
        assert verification_error(tampered), place


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_a_changed_option_is_proved_only_where_it_had_no_effect(file: Path) -> None:
    fields = load_fields(file)
    for place in [place for place in leaf_places(fields) if place[0] == "options"]:
        tampered = copy.deepcopy(fields)
        holder = parent_of(tampered, place)
        holder[place[-1]] = another_value(holder[place[-1]])
        try:
            proved = verify(*read(json.dumps(tampered)))
        except VerificationFailed:
            continue
        assert replace(proved, heads=[]) == replace(verify(*read(json.dumps(fields))), heads=[])


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_dropped_repeated_and_exchanged_log_lines_are_found(file: Path) -> None:
    fields = load_fields(file)
    random = Random(file.stem)
    for _ in range(5):
        events = cast(list[Json], fields["events"])
        at = random.randrange(len(events) - 1)
        two = events[at : at + 2]
        for others in ([two[0]], [two[0], *two], two[::-1]):
            assert verification_error({**fields, "events": [*events[:at], *others, *events[at + 2 :]]})
        assert "ends before" in verification_error({**fields, "events": events[:at]})
        assert verification_error({**fields, "events": [*events, events[at]]})


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_the_error_of_a_changed_draw_names_its_revision(file: Path) -> None:
    fields = load_fields(file)
    fields["clientSeeds"] = ["another"]
    assert "but the seeds give" in verification_error(fields)
    assert verification_error(fields).startswith("revision ")


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_added_and_removed_seats_are_found(file: Path) -> None:
    fields = load_fields(file)
    seats = cast(list[Json], fields["seats"])
    assert verification_error({**fields, "seats": seats[:-1]})
    assert verification_error({**fields, "seats": [*seats, {"name": "one more"}]})
    assert verification_error({**fields, "seats": []})


@pytest.mark.parametrize(
    "data", ["", "[]", "{}", "null", '{"rulesVersion": 1}', '{"rulesVersion": "chess@1"}', "[" * 99999]
)
def test_a_message_that_is_no_record_is_refused(data: str) -> None:
    with pytest.raises(VerificationFailed):
        read(data)


def test_an_unknown_field_is_refused() -> None:
    fields = load_fields(RECORD_FILES[0])
    assert "noSuchField" in verification_error({**fields, "noSuchField": 1})


@pytest.mark.parametrize("version", ["0", "2", "01"])
def test_a_record_of_another_rules_version_is_refused(version: str) -> None:
    fields = load_fields(RECORD_FILES[0])
    assert "no rules of version" in verification_error({**fields, "rulesVersion": f"{fields['game']}@{version}"})


@pytest.mark.parametrize("setup", LARGEST_LAW_SETUPS, ids=str)
def test_a_record_may_contain_the_end_of_the_time(setup: GameSetup) -> None:
    match = Match(setup.game, setup.start(), Luck(bytes(32), []))
    entries = match.begin()
    random = Random(3)
    for _ in range(20):
        if not match.is_over():
            entries += match.play(*random_choice(match, random))
    before = len(entries)
    entries += match.play_time_up()
    is_time_up_logged = len(entries) > before
    while not match.is_over():
        entries += match.play(*random_choice(match, random))
    clock = Clock(match_seconds=60) if is_time_up_logged else None
    fields = cast(Fields, json.loads(json_text(build_record(setup, match, entries, clock))))
    verify(*read(json.dumps(fields)))
    events = cast(list[Fields], fields["events"])
    if is_time_up_logged:
        assert "no clock for it" in verification_error({**fields, "clock": None})
        events[before]["seat"] = 0
        assert verification_error(fields)
