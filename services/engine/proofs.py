"""Proves a match record: the match is played again from its seeds, and every line must come out the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, cast

from google.protobuf.json_format import Parse, ParseError
from google.protobuf.message import Message

from engine_core.chance import SECRET_BYTES, Luck, commitment
from engine_core.errors import GameError
from engine_core.game import EVERYBODY, NATURE
from engine_core.match import AnyMatch, Entry, Match
from services.engine.answers import Answers
from services.engine.codec import LEAVE
from services.engine.codecs import VERSIONS, AnyCodec
from services.engine.records import Records, record_class
from services.engine.scores import score_of
from services.errors import ServiceError

PARTS: Final = ("revision", "seat", "notation", "move", "reveals")
"""The fields of an event, in the order in which they are compared."""


class Misfit(Exception):
    """The first line of a record that does not fit."""


class Event(Protocol):
    """What the `Event` messages of all games have in common."""

    revision: int
    seat: int
    move: Message
    notation: str
    reveals: Sequence[Message]

    def HasField(self, field_name: str, /) -> bool: ...


class Record(Protocol):
    """What the `MatchRecord` messages of all games have in common."""

    match_id: str
    game: str
    rules_version: str
    seats: Sequence[Message]
    options: Message
    secret_seed: str
    client_seeds: Sequence[str]
    commitment: str
    events: Sequence[Event]
    result: Message


@dataclass
class Proved:
    """What has been proved of a record, in numbers."""

    draws: int = 0
    moves: int = 0
    sealed: int = 0
    reveals: int = 0
    left: int = 0


def read(text: str) -> tuple[AnyCodec, Record]:
    """A record in ProtoJSON, with the rules of its version. Raises `Misfit`."""
    try:
        version = json.loads(text)["rulesVersion"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise Misfit("this is no match record in JSON") from None
    codec = VERSIONS.get(version) if isinstance(version, str) else None
    if codec is None:
        raise Misfit(f"there are no rules of version {version!r} here")
    try:
        return codec, cast(Record, Parse(text, record_class(codec)()))
    except (ParseError, RecursionError) as error:
        raise Misfit(f"this is no record of {version}: {error}") from None


def prove(codec: AnyCodec, record: Record) -> Proved:
    """Prove commitment, draws, moves, reveals and result. Raises `Misfit` for the first that does not fit.

    The id of the match and the names of the seats decide nothing, and are not proved.
    """
    return _Proof(codec, record).made()


class _Proof:
    """The proof of one record while it is made."""

    def __init__(self, codec: AnyCodec, record: Record) -> None:
        self._codec: Final = codec
        self._record: Final = record
        self._events: Final = record.events
        self._at = 0
        self._proved: Final = Proved()

    def made(self) -> Proved:
        self._check_heading()
        secret = self._checked_secret()
        match = self._begun(Luck(secret, list(self._record.client_seeds)))
        while self._at < len(self._events):
            self._accept(self._next(match))
        self._check_end(match)
        return self._proved

    def _check_heading(self) -> None:
        if self._record.game != self._codec.game.name:
            raise Misfit(f"game: {self._record.game!r} is not the game of {self._record.rules_version}")

    def _checked_secret(self) -> bytes:
        record = self._record
        try:
            secret = bytes.fromhex(record.secret_seed)
        except ValueError:
            secret = b""
        if len(secret) != SECRET_BYTES or secret.hex() != record.secret_seed:
            raise Misfit(f"secretSeed: not {SECRET_BYTES} bytes in hexadecimal")
        if commitment(secret).hex() != record.commitment:
            raise Misfit("commitment: it is not that of the secret seed")
        return secret

    def _begun(self, luck: Luck) -> AnyMatch:
        try:
            game = self._codec.game
            state = game.start(len(self._record.seats), self._codec.decode_options(self._record.options))
        except (GameError, ServiceError) as error:
            raise Misfit(f"options: {error}") from None
        if Records(self._codec).options(state) != self._record.options:
            raise Misfit("options: a match keeps them in another form")
        match: AnyMatch = Match(game, state, luck)
        self._accept(match.begin())
        return match

    def _next(self, match: AnyMatch) -> list[Entry]:
        """What follows from the next line that is not a draw of nature."""
        event = self._events[self._at]
        try:
            if not event.HasField("seat"):
                return self._time_up(match)
            if not event.HasField("move") and event.notation == LEAVE:
                return match.leave(event.seat)
            return match.play(event.seat, self._codec.decode_move(event.move))
        except (GameError, ServiceError) as error:
            raise Misfit(f"{self._place()}: {error}") from None

    def _time_up(self, match: AnyMatch) -> list[Entry]:
        """The one thing that nature does beside drawing."""
        entries = match.time_up()
        if not entries:
            raise Misfit(f"{self._place()}: nothing is to be drawn here")
        return entries

    def _place(self) -> str:
        return f"revision {self._at + 1}"

    def _accept(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._check(entry)
            self._at += 1
            self._count(entry)

    def _check(self, entry: Entry) -> None:
        if self._at == len(self._events):
            raise Misfit(f"{self._place()}: the log ends before the match does")
        given, expected = self._events[self._at], cast(Event, self._codec.event_in_full(entry))
        if given == expected:
            return
        if entry.seat == NATURE and not given.HasField("seat") and given.revision == expected.revision:
            raise Misfit(f"{self._place()}: {given.notation!r} was drawn, but the seeds give {expected.notation!r}")
        part = next((part for part in PARTS if getattr(given, part) != getattr(expected, part)), "seat")
        raise Misfit(f"{self._place()}: its {part} is not what follows from the lines before")

    def _count(self, entry: Entry) -> None:
        proved = self._proved
        proved.draws += entry.seat == NATURE
        proved.left += entry.move is None
        proved.moves += entry.seat != NATURE and entry.move is not None
        proved.sealed += entry.audience != EVERYBODY
        proved.reveals += len(entry.reveals)

    def _check_end(self, match: AnyMatch) -> None:
        if not match.is_over():
            raise Misfit(f"{self._place()}: the log ends before the match does")
        if score_of(match, Answers(self._codec).score) != self._record.result:
            raise Misfit("result: it is not what the log leads to")
