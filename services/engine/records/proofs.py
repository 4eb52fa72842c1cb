"""Proves a match record: the match is played again from its seeds, and every line must come out the same.

That is what a record says of itself. Whether it is the match that was played, a head or a signature tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias, cast

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from engine_core.chance import SECRET_BYTES, Luck, commitment
from engine_core.errors import GameError
from engine_core.game import EVERYBODY, NATURE, Move, Reveal, learns
from engine_core.match import AnyMatch, Entry, Match
from services.engine.codec import EPOCH, LEAVE
from services.engine.codecs import AnyCodec
from services.engine.records.heads import FULL, advanced, begun, place
from services.engine.records.reading import Event, Record, VerificationFailed
from services.engine.records.records import Records, signed_bytes, start_bytes
from services.engine.records.signing import is_signed
from services.engine.responses import Responses
from services.engine.scores import score_of
from services.grpc_server.errors import ServiceError

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | bool"
EPOCH_ID: Final = re.compile(f"{EPOCH}[0-9a-f]{{32}}")
SEEDS: Final = "the seeds give"
LINES: Final = "the lines before it give"


@dataclass
class Proved:
    """What follows from a record alone, in numbers."""

    draws: int = 0
    moves: int = 0
    sealed: int = 0
    reveals: int = 0
    left: int = 0
    epochs: list[int] = field(default_factory=list)
    """The revisions at which the store was found to be another incarnation."""
    heads: list[list[bytes]] = field(default_factory=list)
    """The heads of all chains before the first line and after each."""
    unrevealed: list[int] = field(default_factory=list)
    """The audience of each seat's move that was sealed and not revealed later."""

    def never_shown_to(self, observer: int) -> int:
        """How many moves of seats the observer was never shown."""
        return sum(not learns(observer, audience) for audience in self.unrevealed)


def prove(codec: AnyCodec, record: Record) -> Proved:
    """Prove commitment, draws, moves, reveals and result. Raises `VerificationFailed` for the first that does not fit.

    What decides nothing, as the id of the match and the names of the seats, is not proved so, nor that a move that was
    legal was made: the heads of the chains depend on all of it.
    """
    return _Proof(codec, record).made()


def revision_of_head(proved: Proved, observer: int, head: bytes) -> int:
    """The revision after which an observer had a head. Raises `VerificationFailed` where it never had."""
    for revision, heads in enumerate(proved.heads):
        if heads[place(observer)] == head:
            return revision
    raise VerificationFailed(
        "head: no line of this record leads to it; what was shown then was another beginning or other lines"
    )


def check_signature(record: Record, proved: Proved) -> None:
    """Raise `VerificationFailed` unless the record is signed by the key in it, which anybody could have made."""
    try:
        public, signature = bytes.fromhex(record.public_key), bytes.fromhex(record.signature)
    except ValueError:
        raise VerificationFailed("signature: it and publicKey must be hexadecimal") from None
    if not is_signed(public, signature, signed_bytes(cast(Message, record), proved.heads[-1][FULL])):
        raise VerificationFailed("signature: it is not the one of this record by the key in it")


class _Proof:
    """The proof of one record while it is made."""

    def __init__(self, codec: AnyCodec, record: Record) -> None:
        self._codec: Final = codec
        self._record: Final = record
        self._events: Final = record.events
        self._at = 0
        self._proved: Final = Proved()
        self._hidden: Final[list[tuple[int, Move, int]]] = []
        """Seats with a move that is sealed, and its audience."""

    def made(self) -> Proved:
        self._check_heading()
        secret = self._checked_secret()
        match = self._begun(Luck(secret, list(self._record.client_seeds)))
        while self._at < len(self._events):
            self._accept(self._next(match))
        self._check_end(match)
        self._proved.unrevealed.extend(audience for _, _, audience in self._hidden)
        return self._proved

    def _check_heading(self) -> None:
        if self._record.game != self._codec.game.name:
            raise VerificationFailed(f"game: {self._record.game!r} is not the game of {self._record.rules_version}")

    def _checked_secret(self) -> bytes:
        record = self._record
        try:
            secret = bytes.fromhex(record.secret_seed)
        except ValueError:
            secret = b""
        if len(secret) != SECRET_BYTES or secret.hex() != record.secret_seed:
            raise VerificationFailed(f"secretSeed: not {SECRET_BYTES} bytes in hexadecimal")
        if (given := commitment(secret).hex()) != record.commitment:
            raise VerificationFailed(
                f"commitment: it is {record.commitment!r}, but that of the secret seed is {given!r}"
            )
        return secret

    def _begun(self, luck: Luck) -> AnyMatch:
        try:
            game = self._codec.game
            state = game.start(len(self._record.seats), self._codec.decode_options(self._record.options))
        except (GameError, ServiceError) as error:
            raise VerificationFailed(f"options: {error}") from None
        if found := difference(self._record.options, Records(self._codec).options(state)):
            raise VerificationFailed(f"options: {found.text('a match has')}")
        match: AnyMatch = Match(game, state, luck)
        start = start_bytes(cast(Message, self._record))
        self._proved.heads.append(begun(start, len(self._record.seats)))
        self._accept(match.begin())
        return match

    def _next(self, match: AnyMatch) -> list[Entry]:
        """What follows from the next line that is not a draw of nature."""
        event = self._events[self._at]
        try:
            if not event.HasField("seat"):
                return self._undrawn(match, event)
            if not event.HasField("move") and event.notation == LEAVE:
                return match.leave(event.seat)
            return match.play(event.seat, self._codec.decode_move(event.move))
        except (GameError, ServiceError) as error:
            raise VerificationFailed(f"{self._place()}: {error}") from None

    def _undrawn(self, match: AnyMatch, event: Event) -> list[Entry]:
        """What nature does without a draw: an epoch begins, or the time of the match is up."""
        if not event.HasField("move") and EPOCH_ID.fullmatch(event.notation):
            return match.begin_epoch(event.notation.removeprefix(EPOCH))
        entries = match.time_up()
        if not entries:
            raise VerificationFailed(f"{self._place()}: nothing is to be drawn here")
        if not self._record.clock.match_seconds:
            raise VerificationFailed(
                f"{self._place()}: the time of the match is up, but the record has no clock for it"
            )
        return entries

    def _place(self) -> str:
        return f"revision {self._at + 1}"

    def _accept(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._check(entry)
            self._at += 1
            self._proved.heads.append(advanced(self._proved.heads[-1], self._codec.log_line(entry)))
            self._count(entry)

    def _check(self, entry: Entry) -> None:
        if self._at == len(self._events):
            raise VerificationFailed(f"{self._place()}: the log ends before the match does")
        given, expected = self._events[self._at], cast(Event, self._codec.encode_full_event(entry))
        drawn = entry.seat == NATURE and entry.move is not None
        if drawn and given.HasField("seat"):
            raise VerificationFailed(
                f"{self._place()}: seat {given.seat} moved, but {SEEDS} {expected.notation!r} first"
            )
        if found := difference(cast(Message, given), cast(Message, expected)):
            raise VerificationFailed(f"{self._place()}: {found.text(SEEDS if drawn else LINES)}")

    def _count(self, entry: Entry) -> None:
        proved = self._proved
        if entry.epoch:
            proved.epochs.append(entry.revision)
            return
        proved.draws += entry.seat == NATURE
        proved.left += entry.move is None
        proved.moves += entry.seat != NATURE and entry.move is not None
        proved.sealed += entry.audience != EVERYBODY
        proved.reveals += len(entry.reveals)
        if entry.seat != NATURE and entry.move is not None and entry.audience != EVERYBODY:
            self._hidden.insert(0, (entry.seat, entry.move, entry.audience))
        for reveal in entry.reveals:
            self._shown(reveal)

    def _shown(self, reveal: Reveal) -> None:
        """A seat may have sealed the same move before, which stays secret: the latest is the one that is shown."""
        latest = next((each for each in self._hidden if each[:2] == (reveal.seat, reveal.move)), None)
        if latest is not None:
            self._hidden.remove(latest)

    def _check_end(self, match: AnyMatch) -> None:
        if not match.is_over():
            raise VerificationFailed(f"{self._place()}: the log ends before the match does")
        if found := difference(self._record.result, score_of(match, Responses(self._codec).score)):
            raise VerificationFailed(f"result: {found.text('the log leads to')}")


@dataclass(frozen=True)
class Difference:
    """The first place at which two messages differ, and what each has there; None where it has nothing."""

    path: str
    given: Value | None
    expected: Value | None

    def text(self, gives: str) -> str:
        """In words; `gives` is where the expected value comes from."""
        return f"{self.path} is {_shown(self.given)}, but {gives} {_shown(self.expected)}"


def difference(given: Message, expected: Message) -> Difference | None:
    """The first place at which a message is not as expected."""
    if given == expected:
        return None
    found = _difference(_fields(given), _fields(expected), "")
    return found or Difference("its form", "another one", "the usual one")


def _fields(message: Message) -> Value:
    return cast(Value, MessageToDict(message, always_print_fields_with_no_presence=True))


def _difference(given: Value | None, expected: Value | None, path: str) -> Difference | None:
    if isinstance(given, dict) and isinstance(expected, dict):
        names = [*expected, *(name for name in given if name not in expected)]
        parts = [(f"{path}.{name}".lstrip("."), given.get(name), expected.get(name)) for name in names]
    elif isinstance(given, list) and isinstance(expected, list):
        numbers = range(max(len(given), len(expected)))
        parts = [(f"{path}[{number}]", _at(given, number), _at(expected, number)) for number in numbers]
    else:
        return None if given == expected else Difference(path, given, expected)
    found = (_difference(theirs, ours, where) for where, theirs, ours in parts)
    return next((each for each in found if each is not None), None)


def _at(values: Sequence[Value], number: int) -> Value | None:
    return values[number] if number < len(values) else None


def _shown(value: Value | None) -> str:
    return "nothing" if value is None else repr(value)
