"""Requests to remote bots and the parsing of their answers, the same for every game and transport."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, Protocol, TypeVar, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp

from engine_core.errors import GameError
from engine_core.game import Move, Options, State, View
from engine_core.match import Match
from services.bots.remote.failure import ILLEGAL_MOVE, INVALID_ANSWER, BotFailed
from services.engine.codec import Codec
from services.engine.responses import Responses, StoredFacts
from services.grpc_server.errors import ServiceError

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


class BotAnswer(Protocol):
    """The common fields of the responses of all games' bot services."""

    move: Message
    notation: str

    def WhichOneof(self, oneof_group: str, /) -> str | None: ...


class BotRequest(Protocol):
    """The common field of the requests of all games' bot services."""

    deadline: Timestamp


class BotCall(Generic[M]):
    """A request for a bot's move. `name` identifies it across retries; `method` is the full gRPC method name."""

    def __init__(self, codec: Codec[S, M, O, V], match: Match[S, M, O, V], seat: int, facts: StoredFacts) -> None:
        """The seat must be to move; `facts` must name the match."""
        method = codec.bot_service.methods_by_name["Choose"]
        responses = Responses(codec)
        self.name: Final = f"{facts.match_id}:{seat}:{match.turn_began_at(seat)}"
        self.method: Final = f"/{codec.bot_service.full_name}/{method.name}"
        self.response_class: Final = GetMessageClass(method.output_type)
        self._request: Final = GetMessageClass(method.input_type)
        self._choose_request: Final = responses.choose_request(match, seat, facts)
        self._legal: Final[Sequence[M]] = match.legal_moves(seat)
        self._codec: Final[Codec[S, M, O, V]] = codec

    def request(self, deadline_ms: int) -> Message:
        """The request message, with a deadline in milliseconds since 1970."""
        request = self._request.FromString(self._choose_request)
        cast(BotRequest, request).deadline.FromMilliseconds(deadline_ms)
        return request

    def move(self, answer: Message) -> M:
        """The move in an answer. Raises `BotFailed` unless it is legal."""
        chosen = cast(BotAnswer, answer)
        try:
            move = self._decode(chosen)
        except (GameError, ServiceError) as error:
            raise BotFailed(INVALID_ANSWER, str(error)) from None
        if move not in self._legal:
            raise BotFailed(ILLEGAL_MOVE, self._codec.game.notation(move))
        return move

    def _decode(self, chosen: BotAnswer) -> M:
        kind = chosen.WhichOneof("choice")
        if kind == "move":
            return self._codec.decode_move(chosen.move)
        if kind == "notation":
            return self._codec.game.parse(chosen.notation)
        raise BotFailed(INVALID_ANSWER, "neither a move nor its notation")
