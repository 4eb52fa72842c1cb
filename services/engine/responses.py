"""Builds the responses of one game as bytes, from what its codec writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic

from fireside.match.v1 import field_numbers as shared_fields
from fireside.match.v1 import game_field_numbers as fields
from fireside.match.v1.match_pb2 import JoinCode, Rematch, SeatSpec, SeatToken
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from engine_core.game import NATURE, SPECTATOR
from engine_core.match import Match
from services.engine import wire
from services.engine.clocks.seat_times import SeatTime
from services.engine.codec import Codec, M, MessageClass, O, S, V
from services.engine.presentation.views import offer_view
from services.engine.records.heads import head_index
from services.engine.wire import Writer


@dataclass(frozen=True)
class StoredFacts:
    """What the response about a stored match has in addition to the position; empty for an inline state."""

    match_id: str = ""
    seats: Sequence[SeatSpec] = ()
    commitment: str = ""
    deadline_ms: int = 0
    """Deadline of the seats that are to move, in milliseconds since 1970; 0 for none. With banks of time, the first."""
    match_deadline_ms: int = 0
    """Deadline of the whole match, in milliseconds since 1970; 0 for none, or if it has passed."""
    heads: Sequence[bytes] = ()
    """Heads of the hash chains over its log: the match's own list, which its steps change."""
    waiting: bool = False
    """Whether a seat is open, so that the match has not begun."""
    expire_ms: int = 0
    """When a match that waits expires, in milliseconds since 1970; 0 for one that has begun."""
    hints: bool = False
    """Whether seats may ask for hints while the match is in play."""
    times: Sequence[SeatTime] = ()
    """Time of each seat; empty without banks of time."""
    spectator_delay: int = 0
    """Number of log entries by which spectators see the match late while it is in play."""
    open_after: bool = False
    """Whether everybody who may see the match may see it as each seat once it is over."""
    rematch: Rematch | None = None
    """The rematch, where it has been looked up."""

    def deadline_of(self, seat: int) -> int:
        """Deadline of a seat that is to move, in milliseconds since 1970; 0 for none."""
        return self.times[seat].deadline_ms if self.times else self.deadline_ms

    @property
    def next_deadline_ms(self) -> int:
        """The earlier of the two deadlines, in milliseconds since 1970; 0 for none."""
        return min([deadline for deadline in (self.deadline_ms, self.match_deadline_ms) if deadline], default=0)


INLINE: Final = StoredFacts()


class Responses(Generic[S, M, O, V]):
    """Builds the responses of a game, and the parts that they share, as encoded messages."""

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._codec: Final = codec
        game, rules_version = codec.game.name, codec.rules_version
        self._heading: Final = wire.text(fields.Match.GAME, game) + wire.text(fields.Match.RULES_VERSION, rules_version)
        self._methods: Final = codec.service.methods_by_name
        self.score: Final = self._response("Score")
        self.get_record: Final = self._response("GetRecord")

    def _response(self, method: str) -> MessageClass:
        return GetMessageClass(self._methods[method].output_type)

    def match(self, match: Match[S, M, O, V], observer: int, stored: StoredFacts) -> bytes:
        """A match as the observer sees it."""
        out = Writer()
        out.text(fields.Match.MATCH_ID, stored.match_id)
        out.raw(self._heading)
        out.number(fields.Match.REVISION, match.revision if stored.match_id else 0)
        out.numbers(fields.Match.TO_MOVE, list(match.to_move()))
        out.flag(fields.Match.OVER, match.is_over())
        if observer != SPECTATOR:
            out.explicit(fields.Match.SEAT, observer)
        out.data(fields.Match.VIEW, self._codec.write_view(self._codec.game.view(match.state, observer)))
        for seat in stored.seats:
            out.data(fields.Match.SEATS, seat.SerializeToString(deterministic=True))
        out.text(fields.Match.COMMITMENT, stored.commitment)
        if stored.deadline_ms:
            out.data(fields.Match.DEADLINE, _timestamp(stored.deadline_ms))
        if stored.match_deadline_ms:
            out.data(fields.Match.MATCH_DEADLINE, _timestamp(stored.match_deadline_ms))
        if stored.heads:
            out.text(fields.Match.HEAD, stored.heads[head_index(observer)].hex())
        for time in stored.times:
            out.data(fields.Match.CLOCKS, _seat_clock(time))
        if stored.waiting:
            out.flag(fields.Match.WAITING, True)
            out.data(fields.Match.EXPIRE_TIME, _timestamp(stored.expire_ms))
        out.flag(fields.Match.HINTS, stored.hints)
        out.number(fields.Match.SPECTATOR_DELAY, stored.spectator_delay)
        out.flag(fields.Match.OPEN_AFTER, stored.open_after)
        if stored.rematch is not None:
            out.data(fields.Match.REMATCH, stored.rematch.SerializeToString(deterministic=True))
        return out.to_bytes()

    def _legal_moves(self, match: Match[S, M, O, V], seat: int) -> list[bytes]:
        """The legal moves of a seat, or the draws of nature with their weights; none for a spectator."""
        if seat == SPECTATOR:
            return []
        moves = match.legal_moves(seat)
        if seat != NATURE:
            return [self._legal_move(move, 0) for move in moves]
        weights = self._codec.game.weights(match.state)
        return [self._legal_move(move, weight) for move, weight in zip(moves, weights, strict=True)]

    def _legal_move(self, move: M, weight: int) -> bytes:
        encoded = self._codec.encoded_move(move)
        out = Writer()
        out.data(fields.LegalMove.MOVE, encoded.message)
        out.data(fields.LegalMove.NOTATION, encoded.notation)
        out.number(fields.LegalMove.WEIGHT, weight)
        return out.to_bytes()

    def legal_moves(self, match: Match[S, M, O, V], seat: int, revision: int) -> bytes:
        """The response of `LegalMoves`."""
        offer_view(self._codec.game, match.state, seat)
        out = Writer()
        out.number(fields.LegalMovesResponse.REVISION, revision)
        if seat >= 0:
            out.explicit(fields.LegalMovesResponse.SEAT, seat)
        for move in self._legal_moves(match, seat):
            out.data(fields.LegalMovesResponse.MOVES, move)
        return out.to_bytes()

    def choose_request(self, match: Match[S, M, O, V], seat: int, stored: StoredFacts) -> bytes:
        """A request for a bot's move, without its deadline."""
        out = Writer()
        out.data(fields.ChooseRequest.MATCH, self.match(match, seat, stored))
        for move in self._legal_moves(match, seat):
            out.data(fields.ChooseRequest.MOVES, move)
        return out.to_bytes()

    def turn(self, match: Match[S, M, O, V], observer: int, stored: StoredFacts, *, view: bool) -> bytes:
        """A turn in a stream; with the view, also the legal moves of the observer's seat."""
        out = Writer()
        out.number(fields.Turn.REVISION, match.revision)
        out.numbers(fields.Turn.TO_MOVE, list(match.to_move()))
        if stored.deadline_ms:
            out.data(fields.Turn.DEADLINE, _timestamp(stored.deadline_ms))
        if stored.match_deadline_ms:
            out.data(fields.Turn.MATCH_DEADLINE, _timestamp(stored.match_deadline_ms))
        if view:
            out.data(fields.Turn.MATCH, self.match(match, observer, stored))
            for move in self._legal_moves(match, observer):
                out.data(fields.Turn.MOVES, move)
        for time in stored.times:
            out.data(fields.Turn.CLOCKS, _seat_clock(time))
        return out.to_bytes()

    def seat_event(self, revision: int, seat: int, change: int, player: SeatSpec | None = None) -> bytes:
        """What happened to a seat, in a stream; `change` is a `SeatChange`."""
        out = Writer()
        out.number(fields.SeatEvent.REVISION, revision)
        out.number(fields.SeatEvent.SEAT, seat)
        out.number(fields.SeatEvent.CHANGE, change)
        if player is not None:
            out.data(fields.SeatEvent.PLAYER, player.SerializeToString(deterministic=True))
        return out.to_bytes()

    def next_turn(self, match: Match[S, M, O, V], seat: int) -> bytes:
        """The rest of the response of `Apply` that a request for the next turn asks for: the seat's legal moves."""
        offer_view(self._codec.game, match.state, seat)
        out = Writer()
        for move in self._legal_moves(match, seat):
            out.data(fields.ApplyResponse.MOVES, move)
        return out.to_bytes()

    def step(self, revision: int, match: bytes, events: list[bytes], state: bytes | None) -> bytes:
        """The response of `Apply` or `Leave`: the match after the step, its events, and an inline state."""
        out = Writer()
        out.number(fields.ApplyResponse.REVISION, revision)
        out.data(fields.ApplyResponse.MATCH, match)
        for event in events:
            out.data(fields.ApplyResponse.EVENTS, event)
        if state is not None:
            out.data(fields.ApplyResponse.STATE, state)
        return out.to_bytes()

    def replay(self, match: Match[S, M, O, V], observer: int, events: Sequence[bytes] = ()) -> bytes:
        """The response of `Replay`: a position of a record, as an observer could see it and in full, and its events."""
        out = Writer()
        out.number(fields.ReplayResponse.REVISION, match.revision)
        out.data(fields.ReplayResponse.MATCH, self.match(match, observer, INLINE))
        out.data(fields.ReplayResponse.STATE, self._codec.write_inline_state(match.state))
        for event in events:
            out.data(fields.ReplayResponse.EVENTS, event)
        return out.to_bytes()

    def history(self, revision: int, events: list[bytes], head: bytes, following: int | None) -> bytes:
        """A page of the log; `head` is that after its last line, `following` the `from_revision` of the next page."""
        out = Writer()
        out.number(fields.HistoryResponse.REVISION, revision)
        for event in events:
            out.data(fields.HistoryResponse.EVENTS, event)
        out.text(fields.HistoryResponse.HEAD, head.hex())
        if following is not None:
            out.explicit(fields.HistoryResponse.NEXT_REVISION, following)
        return out.to_bytes()

    def new_game(
        self,
        match: Match[S, M, O, V],
        stored: StoredFacts,
        tokens: Sequence[SeatToken],
        codes: Sequence[JoinCode] = (),
        host_token: str = "",
    ) -> bytes:
        """The response of `NewGame`: the match as a spectator sees it, and the state if it is inline."""
        out = Writer()
        out.text(fields.NewGameResponse.MATCH_ID, stored.match_id)
        out.number(fields.NewGameResponse.REVISION, match.revision)
        out.text(fields.NewGameResponse.COMMITMENT, stored.commitment)
        for token in tokens:
            out.data(fields.NewGameResponse.SEATS, token.SerializeToString(deterministic=True))
        out.data(fields.NewGameResponse.MATCH, self.match(match, SPECTATOR, stored))
        if not stored.match_id:
            out.data(fields.NewGameResponse.STATE, self._codec.write_inline_state(match.state))
        for code in codes:
            out.data(fields.NewGameResponse.JOIN_CODES, code.SerializeToString(deterministic=True))
        out.text(fields.NewGameResponse.HOST_TOKEN, host_token)
        return out.to_bytes()


def repeated_field(parts: Sequence[bytes]) -> bytes:
    """A response whose first field is repeated."""
    out = Writer()
    for part in parts:
        out.data(1, part)
    return out.to_bytes()


def _seat_clock(time: SeatTime) -> bytes:
    out = Writer()
    out.number(shared_fields.SeatClock.BANK_MS, time.bank_ms)
    if time.deadline_ms:
        out.data(shared_fields.SeatClock.DEADLINE, _timestamp(time.deadline_ms))
    return out.to_bytes()


def _timestamp(milliseconds: int) -> bytes:
    return Timestamp(seconds=milliseconds // 1000, nanos=milliseconds % 1000 * 1_000_000).SerializeToString()
