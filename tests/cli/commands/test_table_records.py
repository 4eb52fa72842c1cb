"""`fireside verify` proves the records of matches of tables, and says NOT PROVED of each that was changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from google.protobuf.message import Message

from cli.main import main
from engine_core.game import SPECTATOR
from services.engine.codecs import CODECS, AnyCodec
from services.engine.records.reading import read
from tests.cli.commands import forging
from tests.services.engine.tables.table_matches import BOT, TableMatch, play_match_and_rematch

Fields = dict[str, Any]
EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))


def hint_index(fields: Fields) -> int:
    """Index of the first `hint` entry."""
    return next(index for index, event in enumerate(fields["events"]) if event["notation"] == "hint")


def renumber(fields: Fields) -> None:
    for index, event in enumerate(fields["events"]):
        event["revision"] = index + 1


def remove_hint(fields: Fields) -> None:
    del fields["events"][hint_index(fields)]
    renumber(fields)


def add_hint(fields: Fields) -> None:
    index = hint_index(fields)
    fields["events"].insert(index, copy.deepcopy(fields["events"][index]))
    renumber(fields)


def set_field(*path: str | int, to: object) -> Callable[[Fields], None]:
    """Sets a field of a record to another value."""

    def change(fields: Fields) -> None:
        holder: Any = fields
        for name in path[:-1]:
            holder = holder[name]
        holder[path[-1]] = to

    return change


CHANGES: dict[str, Callable[[Fields], None]] = {
    "the name of a player who joined": set_field("seats", 1, "name", to="someone else"),
    "a bot in a seat": set_field("seats", 1, to={"bot": "random"}),
    "an open seat": set_field("seats", 1, "open", to={}),
    "a larger bank": set_field("clock", "bankSeconds", to=301),
    "another increment": set_field("clock", "incrementSeconds", to=6),
    "no increment": set_field("clock", "incrementSeconds", to=0),
    "no clock": set_field("clock", to=None),
    "no hints": set_field("hints", to=False),
    "a hint that nobody asked for": add_hint,
    "a hint left out": remove_hint,
    "another delay of spectators": set_field("spectatorDelay", to=2),
    "a match that is not open": set_field("openAfter", to=False),
    "other client seeds": set_field("clientSeeds", to=["another"]),
    "the match id of another": set_field("matchId", to="AAAAAAAAAAAAAAAA"),
}


class Verifier:
    """Runs `fireside verify` on records."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._file, self._capsys = folder / "record.json", capsys

    def run(self, text: str, *words: str) -> tuple[int, str]:
        """The exit code, and the first words that were printed."""
        self._file.write_text(text)
        code = main(["verify", str(self._file), *words])
        return code, self._capsys.readouterr().out.partition(".")[0]


@pytest.fixture
def verifier(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verifier:
    return Verifier(tmp_path, capsys)


def head_words(match: TableMatch, observer: int) -> list[str]:
    name = "spectator" if observer == SPECTATOR else str(observer)
    return ["--seat", name, "--head", match.heads[observer]]


def signed_by_forger(fields: Fields) -> str:
    return forging.record_json(forging.sign_with_other_key(cast(Message, read(json.dumps(fields))[1])))


@EVERY_GAME
async def test_the_record_of_a_table_is_proved_and_no_changed_one(codec: AnyCodec, verifier: Verifier) -> None:
    match, rematch = await play_match_and_rematch(codec)
    last = codec.game.min_seats - 1
    assert "hint" in {event["notation"] for event in match.fields["events"]}
    for each in (match, rematch):
        assert each.fields["clock"]["bankSeconds"] == 300
        assert verifier.run(each.record, "--public-key", each.fields["publicKey"]) == (0, "PROVED")
        for observer in each.heads.keys() - ({last} if each is match else set()):
            assert verifier.run(each.record, *head_words(each, observer)) == (0, "PROVED")
    # The head of the player for whom a bot plays on attests the log up to then.
    code, output = verifier.run(match.record, *head_words(match, last))
    assert (code, output.startswith("Chance and moves PROVED up to revision")) == (3, True)
    # Players are those of the beginning: neither the later player of seat 0 nor the bot is in the record.
    assert match.fields["seats"] == [{"name": "Ada"}, *[{"name": f"Seat {seat}"} for seat in range(1, last + 1)]]
    assert rematch.fields["seats"][-1] == {"name": "Di"}
    assert rematch.fields["seats"][last - 1]["bot"] == BOT
    for number, (name, change) in enumerate(CHANGES.items()):
        changed = match.fields
        change(changed)
        assert changed != match.fields
        assert verifier.run(json.dumps(changed), "--public-key", changed["publicKey"]) == (1, "NOT PROVED"), name
        observer = [*match.heads][number % len(match.heads)]
        forged = signed_by_forger(changed)
        assert verifier.run(forged, *head_words(match, observer)) == (1, "NOT PROVED"), name
