"""`fireside verify` says PROVED of nothing but what the service attested."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import cast

import pytest
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from google.protobuf.message import Message

from cli.main import main
from engine_core.game import SPECTATOR
from services.engine.records.heads import head_index
from services.engine.records.reading import Record, read
from services.engine.records.verification import verify
from tests.cli.commands import forging
from tests.cli.commands.forging import Forger
from tests.conformance.records.corpus import LARGEST_LAW_RECORDS, PUBLIC_KEY, RECORDED_SETUPS, record_path

LARGEST_RECORDS = [record_path(setup) for setup in RECORDED_SETUPS if setup.seat_count == setup.game.max_seats]
OTHER_RECORDS = dict(zip(LARGEST_RECORDS, LARGEST_RECORDS[1:] + LARGEST_RECORDS[:1], strict=True))
OTHER_NAMES = [SeatSpec(name="someone else")]

Forgery = Callable[[Forger], Message]

FORGERIES: dict[str, Forgery] = {
    "other moves": lambda forger: forger.forge(30),
    "other moves from the first on": lambda forger: forger.forge(0),
    "other moves in the last tenth": lambda forger: forger.forge(len(forger.genuine.events) * 9 // 10),
    "a seat that left": lambda forger: forger.forge(60, forging.leave_step(0)),
    "an early end": lambda forger: forger.forge(len(forger.genuine.events) // 2, forging.all_leave),
    "other client seeds": lambda forger: forger.forge(0, seeds=["a seed that suits me"]),
    "an epoch": lambda forger: forger.forge(30, forging.epoch_step),
    "a clock that there was not": lambda forger: forger.with_changed_fields(clock=Clock(move_seconds=5)),
    "other names": lambda forger: forger.with_changed_fields(seats=OTHER_NAMES * len(forger.genuine.seats)),
    "another match id": lambda forger: forger.with_changed_fields(match_id="another"),
    "another key id": lambda forger: forger.with_changed_fields(key_id="another"),
}


def open_forger(file: Path) -> Forger:
    return Forger(*read(file.read_bytes()))


def run_verify(record: Message, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and what was printed."""
    file = folder / "record.json"
    file.write_text(forging.record_json(record))
    code = main(["verify", str(file), *words])
    return code, capsys.readouterr().out


def last_head(forger: Forger, observer: int) -> str:
    """The last head that an observer of the true match was sent."""
    return verify(forger.codec, forger.genuine).heads[-1][head_index(observer)].hex()


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_fault15_a_forged_record_is_never_proved(
    file: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = open_forger(file)
    commitment = ["--commitment", forger.genuine.commitment]
    unsigned, genuine_head = FORGERIES[name](forger), last_head(forger, 0)
    for signing in (forging.keep_signature, forging.sign_with_other_key, forging.remove_signature):
        forged = signing(deepcopy(unsigned))
        if name == "another key id" and signing is forging.remove_signature:
            continue  # nothing of the forgery is left
        code, output = run_verify(forged, tmp_path, capsys, *commitment)
        assert code == 1 or (code == 3 and "moves NOT PROVED" in output)
        assert not output.startswith("PROVED")
        code, output = run_verify(forged, tmp_path, capsys, *commitment, "--public-key", PUBLIC_KEY)
        assert (code, output[:10]) == (1, "NOT PROVED")
        if name != "another key id":  # which no seat was sent
            head = ["--seat", "0", "--head", genuine_head]
            code, output = run_verify(forged, tmp_path, capsys, *commitment, *head)
            assert (code, output[:10]) == (1, "NOT PROVED")


@pytest.mark.parametrize("file", LARGEST_RECORDS, ids=lambda file: file.stem)
def test_fault15_the_signature_of_another_match_proves_nothing(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger, other = open_forger(file), open_forger(OTHER_RECORDS[file])
    forged = forger.with_changed_fields(signature=other.genuine.signature)
    code, output = run_verify(forged, tmp_path, capsys)
    assert (code, output[:10]) == (1, "NOT PROVED")


def test_fault15_time_is_up_only_where_the_match_had_a_clock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in LARGEST_RECORDS:
        forger = open_forger(file)
        timed = forger.forge(60, lambda match: match.play_time_up(), clock=Clock(match_seconds=60))
        untimed = forger.forge(60, lambda match: match.play_time_up())
        if any(not event.HasField("seat") and "time" in event.notation for event in cast(Record, timed).events):
            code, output = run_verify(forging.remove_signature(untimed), tmp_path, capsys)
            assert (code, "no clock" in output) == (1, True)
            code, output = run_verify(forging.remove_signature(timed), tmp_path, capsys)
            assert code == 3


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_fault15_an_early_head_proves_what_came_before_it_and_no_more(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = open_forger(file)
    heads = verify(forger.codec, forger.genuine).heads
    half = len(heads) // 2
    early = ["--seat", "spectator", "--head", heads[half][head_index(SPECTATOR)].hex()]
    for record in (cast(Message, forger.genuine), forging.remove_signature(forger.forge(half + 20))):
        code, output = run_verify(record, tmp_path, capsys, *early)
        assert (code, f"PROVED up to revision {half}, NOT PROVED after it" in output) == (3, True)
    code, output = run_verify(forging.remove_signature(forger.forge(0)), tmp_path, capsys, *early)
    assert code == 1


@pytest.mark.parametrize("file", LARGEST_LAW_RECORDS, ids=lambda file: file.stem)
def test_fault15_an_honest_record_is_proved_by_a_head_or_by_the_key(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forger = open_forger(file)
    genuine = cast(Message, forger.genuine)
    for known in (
        ["--public-key", PUBLIC_KEY],
        ["--seat", "1", "--head", last_head(forger, 1)],
        ["--seat", "spectator", "--head", last_head(forger, SPECTATOR)],
    ):
        for commitment in ([], ["--commitment", forger.genuine.commitment]):
            code, output = run_verify(genuine, tmp_path, capsys, *commitment, *known)
            assert (code, output[:7]) == (0, "PROVED.")
    assert run_verify(genuine, tmp_path, capsys)[1].startswith("Nothing PROVED")
    code, output = run_verify(genuine, tmp_path, capsys, "--commitment", forger.genuine.commitment)
    assert (code, output.startswith("Chance PROVED, moves NOT PROVED")) == (3, True)
