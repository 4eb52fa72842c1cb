"""`fireside verify` says PROVED of nothing but what the service attested."""

from __future__ import annotations

from collections.abc import Callable
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
from tests.conformance.records import PUBLIC_KEY, RECORDED_TABLES, record_path

LARGEST = [record_path(table) for table in RECORDED_TABLES if table.seats == table.game.max_seats]
OTHERS = dict(zip(LARGEST, LARGEST[1:] + LARGEST[:1], strict=True))
NAMES = [SeatSpec(name="someone else")]

Forgery = Callable[[Forger], Message]

FORGERIES: dict[str, Forgery] = {
    "other moves": lambda forger: forger.forged(30),
    "other moves from the first on": lambda forger: forger.forged(0),
    "other moves in the last tenth": lambda forger: forger.forged(len(forger.true.events) * 9 // 10),
    "a seat that left": lambda forger: forger.forged(60, forging.leaving(0)),
    "an early end": lambda forger: forger.forged(len(forger.true.events) // 2, forging.all_leave),
    "other client seeds": lambda forger: forger.forged(0, seeds=["a seed that suits me"]),
    "an epoch": lambda forger: forger.forged(30, forging.epoch),
    "a clock that there was not": lambda forger: forger.changed(clock=Clock(move_seconds=5)),
    "other names": lambda forger: forger.changed(seats=NAMES * len(forger.true.seats)),
    "another match id": lambda forger: forger.changed(match_id="another"),
    "another key id": lambda forger: forger.changed(key_id="another"),
}


def forger(file: Path) -> Forger:
    return Forger(*read(file.read_bytes()))


def verified(record: Message, folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and what was printed."""
    file = folder / "record.json"
    file.write_text(forging.text(record))
    code = main(["verify", str(file), *words])
    return code, capsys.readouterr().out


def last_head(forger: Forger, observer: int) -> str:
    """The last head that an observer of the true match was sent."""
    return verify(forger.codec, forger.true).heads[-1][head_index(observer)].hex()


@pytest.mark.parametrize("name", FORGERIES)
@pytest.mark.parametrize("file", LARGEST[::2], ids=lambda file: file.stem)
def test_fault15_a_forged_record_is_never_proved(
    file: Path, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = forger(file)
    commitment = ["--commitment", mine.true.commitment]
    for signing in (forging.as_it_is, forging.signed_by_the_forger, forging.without_signature):
        forged = signing(FORGERIES[name](mine))
        if name == "another key id" and signing is forging.without_signature:
            continue  # nothing of the forgery is left
        code, said = verified(forged, tmp_path, capsys, *commitment)
        assert code == 1 or (code == 3 and "moves NOT PROVED" in said)
        assert not said.startswith("PROVED")
        code, said = verified(forged, tmp_path, capsys, *commitment, "--public-key", PUBLIC_KEY)
        assert (code, said[:10]) == (1, "NOT PROVED")
        if name != "another key id":  # which no seat was sent
            head = ["--seat", "0", "--head", last_head(mine, 0)]
            code, said = verified(forged, tmp_path, capsys, *commitment, *head)
            assert (code, said[:10]) == (1, "NOT PROVED")


@pytest.mark.parametrize("file", LARGEST, ids=lambda file: file.stem)
def test_fault15_the_signature_of_another_match_proves_nothing(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine, other = forger(file), forger(OTHERS[file])
    forged = mine.changed(signature=other.true.signature)
    code, said = verified(forged, tmp_path, capsys)
    assert (code, said[:10]) == (1, "NOT PROVED")


def test_fault15_time_is_up_only_where_the_match_had_a_clock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in LARGEST:
        mine = forger(file)
        timed = mine.forged(60, lambda match: match.play_time_up(), clock=Clock(match_seconds=60))
        untimed = mine.forged(60, lambda match: match.play_time_up())
        if any(not event.HasField("seat") and "time" in event.notation for event in cast(Record, timed).events):
            code, said = verified(forging.without_signature(untimed), tmp_path, capsys)
            assert (code, "no clock" in said) == (1, True)
            code, said = verified(forging.without_signature(timed), tmp_path, capsys)
            assert code == 3


@pytest.mark.parametrize("file", LARGEST, ids=lambda file: file.stem)
def test_fault15_an_early_head_proves_what_came_before_it_and_no_more(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = forger(file)
    heads = verify(mine.codec, mine.true).heads
    half = len(heads) // 2
    early = ["--seat", "spectator", "--head", heads[half][head_index(SPECTATOR)].hex()]
    for record in (cast(Message, mine.true), forging.without_signature(mine.forged(half + 20))):
        code, said = verified(record, tmp_path, capsys, *early)
        assert (code, f"PROVED up to revision {half}, NOT PROVED after it" in said) == (3, True)
    code, said = verified(forging.without_signature(mine.forged(0)), tmp_path, capsys, *early)
    assert code == 1


@pytest.mark.parametrize("file", LARGEST, ids=lambda file: file.stem)
def test_fault15_an_honest_record_is_proved_by_a_head_or_by_the_key(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = forger(file)
    true = cast(Message, mine.true)
    for known in (
        ["--public-key", PUBLIC_KEY],
        ["--seat", "1", "--head", last_head(mine, 1)],
        ["--seat", "spectator", "--head", last_head(mine, SPECTATOR)],
    ):
        for commitment in ([], ["--commitment", mine.true.commitment]):
            code, said = verified(true, tmp_path, capsys, *commitment, *known)
            assert (code, said[:7]) == (0, "PROVED.")
    assert verified(true, tmp_path, capsys)[1].startswith("Nothing PROVED")
    code, said = verified(true, tmp_path, capsys, "--commitment", mine.true.commitment)
    assert (code, said.startswith("Chance PROVED, moves NOT PROVED")) == (3, True)
