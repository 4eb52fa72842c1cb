"""The responses of one game, made of what its codec encodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from fireside.match.v1 import match_pb2
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from engine_core.game import NATURE, SPECTATOR, Move, Options, Standing, State, View
from engine_core.match import Match
from services.engine.codec import Codec, Maker

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


@dataclass(frozen=True)
class StoredFacts:
    """What a match has beside its position when it is stored; nothing for an inline position."""

    match_id: str = ""
    seats: Sequence[SeatSpec] = ()
    commitment: str = ""
    deadline_ms: int = 0
    """When the seats that are to move lose their time, in milliseconds since 1970; 0 for never."""
    match_deadline_ms: int = 0
    """When the time of the whole match is up; 0 for never, or if it is."""

    @property
    def next_deadline_ms(self) -> int:
        """The earlier of the two; 0 for never."""
        return min([deadline for deadline in (self.deadline_ms, self.match_deadline_ms) if deadline], default=0)


INLINE: Final = StoredFacts()


class Answers(Generic[S, M, O, V]):
    """The classes of a game's responses, found through its service, and the parts that several of them share."""

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._codec: Final = codec
        self._methods: Final = codec.service.methods_by_name
        self.new_game: Final = self._response("NewGame")
        self.legal_moves: Final = self._response("LegalMoves")
        self._apply: Final = GetMessageClass(self._methods["Apply"].output_type)
        self.apply: Final[Maker] = self._apply
        self.score: Final = self._response("Score")
        self.get_match: Final = self._response("GetMatch")
        self.history: Final = self._response("History")
        self.leave: Final = self._response("Leave")
        self.get_record: Final = self._response("GetRecord")
        self.batch_apply: Final = self._response("BatchApply")
        self.batch_apply_result: Final = self.part("BatchApply", "results")
        self.sample: Final = self._response("Sample")
        self._match: Final = self.part("GetMatch", "match")
        self._legal_move: Final = self.part("LegalMoves", "moves")

    def _response(self, method: str) -> Maker:
        return GetMessageClass(self._methods[method].output_type)

    def part(self, method: str, field: str) -> Maker:
        """The class of a field of a method's response."""
        part = self._methods[method].output_type.fields_by_name[field].message_type
        if part is None:
            raise TypeError(f"{field} of {method} is not a message")
        return GetMessageClass(part)

    def parse_apply(self, data: bytes) -> Message:
        """The response to a move that was serialized."""
        return self._apply.FromString(data)

    def of_match(self, match: Match[S, M, O, V], observer: int, stored: StoredFacts) -> Message:
        """A match as the observer sees it."""
        return self._match(
            match_id=stored.match_id,
            game=self._codec.game.name,
            rules_version=self._codec.rules_version,
            revision=match.revision if stored.match_id else 0,
            to_move=match.to_move(),
            over=match.is_over(),
            seat=None if observer == SPECTATOR else observer,
            view=self._codec.encode_view(self._codec.game.view(match.state, observer)),
            seats=stored.seats,
            commitment=stored.commitment,
            deadline=_timestamp(stored.deadline_ms),
            match_deadline=_timestamp(stored.match_deadline_ms),
        )

    def of_legal_moves(self, match: Match[S, M, O, V], seat: int, revision: int) -> Message:
        """What a seat may choose, or what nature may draw; nothing for a spectator."""
        game = self._codec.game
        moves = [] if seat == SPECTATOR else match.legal_moves(seat)
        weights = game.weights(match.state) if seat == NATURE else [0] * len(moves)
        return self.legal_moves(
            revision=revision,
            seat=seat if seat >= 0 else None,
            moves=[
                self._legal_move(move=self._codec.encode_move(move), notation=game.notation(move), weight=weight)
                for move, weight in zip(moves, weights, strict=True)
            ],
        )

    def of_score(self, match: Match[S, M, O, V]) -> Message:
        """Points and ranks."""
        score = self._codec.game.score(match.state)
        return self.score(
            over=match.is_over(),
            reason=score.reason,
            winners=score.winners,
            standings=[_standing(standing) for standing in score.standings],
        )


def _timestamp(milliseconds: int) -> Timestamp | None:
    if not milliseconds:
        return None
    timestamp = Timestamp()
    timestamp.FromMilliseconds(milliseconds)
    return timestamp


def _standing(standing: Standing) -> match_pb2.Standing:
    return match_pb2.Standing(
        seat=standing.seat,
        points=standing.points,
        rank=standing.rank,
        breakdown=[match_pb2.Points(label=line.label, points=line.points) for line in standing.breakdown],
    )
