"""Verifies a match record: replays the match from its seeds, and compares every line of the log.

This shows only that the record is consistent. That it is the match that was played is shown by a head or a signature.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final, cast

from google.protobuf.message import Message

from engine_core.chance import SECRET_BYTES, Luck, commitment
from engine_core.errors import GameError
from engine_core.game import EVERYBODY, NATURE, Move, Reveal, is_in_audience
from engine_core.match import EPOCH, HINT, LEAVE, AnyMatch, Entry, Match
from services.engine.codecs import AnyCodec
from services.engine.records.difference import difference
from services.engine.records.heads import FULL_LOG, first_heads, head_index, next_heads
from services.engine.records.reading import Event, Record, VerificationFailed
from services.engine.records.records import RecordBuilder, signed_bytes, start_bytes
from services.engine.records.signing import is_valid_signature
from services.engine.responses import Responses
from services.engine.scores import score_of
from services.grpc_server.errors import ServiceError

EPOCH_ID: Final = re.compile(f"{EPOCH}[0-9a-f]{{32}}")
COMPUTED_FROM_SEEDS: Final = "the seeds give"
COMPUTED_FROM_LOG: Final = "the lines before it give"


@dataclass
class Verified:
    """Counts and heads found while verifying a record."""

    draws: int = 0
    moves: int = 0
    sealed: int = 0
    reveals: int = 0
    left: int = 0
    hints: int = 0
    """Turns in which a seat asked for a hint."""
    epochs: list[int] = field(default_factory=list)
    """The revisions at which epochs begin: the store was another Redis process than before."""
    heads: list[list[bytes]] = field(default_factory=list)
    """The heads of all chains before the first line and after each."""
    unrevealed: list[int] = field(default_factory=list)
    """The audience of each seat's sealed move that was never revealed."""

    def never_revealed_to(self, observer: int) -> int:
        """Number of moves of seats that were never revealed to the observer."""
        return sum(not is_in_audience(observer, audience) for audience in self.unrevealed)


def verify(codec: AnyCodec, record: Record) -> Verified:
    """Verify commitment, draws, moves, reveals and result. Raises `VerificationFailed` at the first difference.

    This does not prove what the play does not depend on (the match id, the names of the seats), nor that a seat made
    this legal move and not another: the heads of the hash chains cover all of that.
    """
    return _Verifier(codec, record).verify()


def revision_of_head(verified: Verified, observer: int, head: bytes) -> int:
    """The revision after which an observer had a head. Raises `VerificationFailed` if there is none."""
    for revision, heads in enumerate(verified.heads):
        if heads[head_index(observer)] == head:
            return revision
    raise VerificationFailed(
        "head: no line of this record leads to it; what was shown then was another beginning or other lines"
    )


def check_signature(record: Record, verified: Verified) -> None:
    """Raise `VerificationFailed` unless the key in the record has signed it; whose key it is, is not checked."""
    try:
        public, signature = bytes.fromhex(record.public_key), bytes.fromhex(record.signature)
    except ValueError:
        raise VerificationFailed("signature: it and publicKey must be hexadecimal") from None
    if not is_valid_signature(public, signature, signed_bytes(cast(Message, record), verified.heads[-1][FULL_LOG])):
        raise VerificationFailed("signature: it is not the one of this record by the key in it")


class _Verifier:
    """The state of one verification."""

    def __init__(self, codec: AnyCodec, record: Record) -> None:
        self._codec: Final = codec
        self._record: Final = record
        self._events: Final = record.events
        self._next_index = 0
        self._verified: Final = Verified()
        self._unrevealed: Final[list[tuple[int, Move, int]]] = []
        """Sealed moves that are not revealed yet: seat, move and audience, the latest first."""

    def verify(self) -> Verified:
        self._check_heading()
        secret = self._checked_secret()
        match = self._start_match(Luck(secret, list(self._record.client_seeds)))
        while self._next_index < len(self._events):
            self._compare(self._play_next(match))
        self._check_end(match)
        self._verified.unrevealed.extend(audience for _, _, audience in self._unrevealed)
        return self._verified

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

    def _start_match(self, luck: Luck) -> AnyMatch:
        try:
            game = self._codec.game
            state = game.start(len(self._record.seats), self._codec.decode_options(self._record.options))
        except (GameError, ServiceError) as error:
            raise VerificationFailed(f"options: {error}") from None
        # Options that the rules complete or ignore would leave something in the record unverified.
        if found := difference(self._record.options, RecordBuilder(self._codec).options(state)):
            raise VerificationFailed(f"options: {found.text('a match has')}")
        match: AnyMatch = Match(game, state, luck)
        start = start_bytes(cast(Message, self._record))
        self._verified.heads.append(first_heads(start, len(self._record.seats)))
        self._compare(match.begin())
        return match

    def _play_next(self, match: AnyMatch) -> list[Entry]:
        """Replay the next line, which is not a draw of nature; the entries that follow from it."""
        event = self._events[self._next_index]
        try:
            if not event.HasField("seat"):
                return self._play_nature(match, event)
            if not event.HasField("move") and event.notation == LEAVE:
                return match.leave(event.seat)
            if not event.HasField("move") and event.notation == HINT:
                return self._ask_hint(match, event.seat)
            return match.play(event.seat, self._codec.decode_move(event.move))
        except (GameError, ServiceError) as error:
            raise VerificationFailed(f"{self._revision()}: {error}") from None

    def _play_nature(self, match: AnyMatch, event: Event) -> list[Entry]:
        """Replay a line of nature that is not a draw: an epoch begins, or the time of the match is up."""
        if not event.HasField("move") and EPOCH_ID.fullmatch(event.notation):
            return match.begin_epoch(event.notation.removeprefix(EPOCH))
        entries = match.play_time_up()
        if not entries:
            raise VerificationFailed(f"{self._revision()}: nothing is to be drawn here")
        if not self._record.clock.match_seconds:
            raise VerificationFailed(
                f"{self._revision()}: the time of the match is up, but the record has no clock for it"
            )
        return entries

    def _ask_hint(self, match: AnyMatch, seat: int) -> list[Entry]:
        if not self._record.hints:
            raise VerificationFailed(f"{self._revision()}: seat {seat} asked for a hint in a match without hints")
        return match.ask_hint(seat)

    def _revision(self) -> str:
        return f"revision {self._next_index + 1}"

    def _compare(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._compare_line(entry)
            self._next_index += 1
            self._verified.heads.append(next_heads(self._verified.heads[-1], self._codec.log_line(entry)))
            self._count_entry(entry)

    def _compare_line(self, entry: Entry) -> None:
        if self._next_index == len(self._events):
            raise VerificationFailed(f"{self._revision()}: the log ends before the match does")
        given, expected = self._events[self._next_index], cast(Event, self._codec.encode_full_event(entry))
        drawn = entry.seat == NATURE and entry.move is not None
        if drawn and given.HasField("seat"):  # a plainer text than that of the differing fields
            raise VerificationFailed(
                f"{self._revision()}: seat {given.seat} moved, but {COMPUTED_FROM_SEEDS} {expected.notation!r} first"
            )
        if found := difference(cast(Message, given), cast(Message, expected)):
            raise VerificationFailed(
                f"{self._revision()}: {found.text(COMPUTED_FROM_SEEDS if drawn else COMPUTED_FROM_LOG)}"
            )

    def _count_entry(self, entry: Entry) -> None:
        verified = self._verified
        if entry.epoch:
            verified.epochs.append(entry.revision)
            return
        verified.draws += entry.seat == NATURE
        verified.hints += entry.is_hint
        verified.left += entry.move is None and not entry.is_hint
        verified.moves += entry.seat != NATURE and entry.move is not None
        verified.sealed += entry.audience != EVERYBODY
        verified.reveals += len(entry.reveals)
        if entry.seat != NATURE and entry.move is not None and entry.audience != EVERYBODY:
            self._unrevealed.insert(0, (entry.seat, entry.move, entry.audience))
        for reveal in entry.reveals:
            self._unseal(reveal)

    def _unseal(self, reveal: Reveal) -> None:
        """Remove a revealed move from the sealed ones: the latest, since the same move may have been sealed before."""
        latest = next((each for each in self._unrevealed if each[:2] == (reveal.seat, reveal.move)), None)
        if latest is not None:
            self._unrevealed.remove(latest)

    def _check_end(self, match: AnyMatch) -> None:
        if not match.is_over():
            raise VerificationFailed(f"{self._revision()}: the log ends before the match does")
        if found := difference(self._record.result, score_of(match, Responses(self._codec).score)):
            raise VerificationFailed(f"result: {found.text('the log leads to')}")
