"""gRPC client of Fire Bulls, which raises rich errors as `Refusal`."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import grpc
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from services.grpc_server.status import DETAILS_KEY

SERVICE = "fireside.fire_bulls.v1.FireBullsService"


@dataclass
class Refusal(Exception):
    """An error status as a client sees it, with its details."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    fields: list[str] = field(default_factory=list)
    retry_seconds: int = 0


def refusal(error: grpc.aio.AioRpcError) -> Refusal:
    """The error of a failed call, with the details of its rich status."""
    parsed = Refusal(error.code(), error.details() or "")
    data = dict(error.trailing_metadata() or ()).get(DETAILS_KEY)
    for detail in Status.FromString(data).details if isinstance(data, bytes) else ():
        info, request, retry = ErrorInfo(), BadRequest(), RetryInfo()
        if detail.Unpack(info):
            parsed.reason, parsed.metadata = info.reason, dict(info.metadata)
        if detail.Unpack(request):
            parsed.fields = [violation.field for violation in request.field_violations]
        if detail.Unpack(retry):
            parsed.retry_seconds = retry.retry_delay.seconds
    return parsed


class Client:
    """Client of Fire Bulls on one channel; calls raise `Refusal` for an error status."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel

    async def raw(self, method: str, data: bytes, token: str = "") -> bytes:
        """Send encoded bytes to a method; the bytes of the response."""
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(
            method if method.startswith("/") else f"/{SERVICE}/{method}"
        )
        metadata = [("authorization", f"Bearer {token}")] if token else []
        try:
            return await call(data, metadata=metadata, timeout=30)
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None

    async def _call(self, method: str, request: Message, token: str) -> bytes:
        """Call a method with a request message; the bytes of the response."""
        return await self.raw(method, request.SerializeToString(), token)

    async def new_game(self, request: verbs.NewGameRequest) -> verbs.NewGameResponse:
        return verbs.NewGameResponse.FromString(await self._call("NewGame", request, ""))

    async def legal_moves(self, request: verbs.LegalMovesRequest, token: str = "") -> verbs.LegalMovesResponse:
        return verbs.LegalMovesResponse.FromString(await self._call("LegalMoves", request, token))

    async def apply(self, request: verbs.ApplyRequest, token: str = "") -> verbs.ApplyResponse:
        """Make a move."""
        return verbs.ApplyResponse.FromString(await self._call("Apply", request, token))

    async def score(self, request: verbs.ScoreRequest, token: str = "") -> verbs.ScoreResponse:
        """The score of a match or of an inline state."""
        return verbs.ScoreResponse.FromString(await self._call("Score", request, token))

    async def match(self, match_id: str, token: str = "") -> verbs.Match:
        """The match as the owner of the token sees it."""
        request = verbs.GetMatchRequest(match_id=match_id)
        return verbs.GetMatchResponse.FromString(await self._call("GetMatch", request, token)).match

    async def history(self, match_id: str, token: str = "", after: int = 0) -> verbs.HistoryResponse:
        """The events of a match after a revision."""
        request = verbs.HistoryRequest(match_id=match_id, from_revision=after)
        return verbs.HistoryResponse.FromString(await self._call("History", request, token))


@dataclass
class FireBullsDriver:
    """Plays all seats of a stored match with their tokens."""

    client: Client
    match_id: str
    tokens: list[str]
    match: verbs.Match

    @property
    def seat(self) -> int:
        """The first seat that is to move."""
        return self.match.to_move[0]

    @property
    def token(self) -> str:
        """The token of that seat."""
        return self.tokens[self.seat]

    async def moves(self) -> list[verbs.LegalMove]:
        """The legal moves of that seat."""
        answer = await self.client.legal_moves(verbs.LegalMovesRequest(match_id=self.match_id), self.token)
        return list(answer.moves)

    async def play(self, move: pb.Move) -> verbs.ApplyResponse:
        """Make a move for that seat."""
        request = verbs.ApplyRequest(match_id=self.match_id, move=move, expected_revision=self.match.revision)
        answer = await self.client.apply(request, self.token)
        self.match = answer.match
        return answer

    async def play_at_random(self, random: Random, moves: int = 1_000_000) -> None:
        """Make at most `moves` random moves, or play to the end."""
        while moves and not self.match.over:
            await self.play(random.choice(await self.moves()).move)
            moves -= 1


async def new_driver(client: Client, seat_count: int = 2, options: pb.Options | None = None) -> FireBullsDriver:
    """Start a match; the driver that plays its seats."""
    request = verbs.NewGameRequest(seats=[SeatSpec(name=f"seat {seat}") for seat in range(seat_count)], options=options)
    answer = await client.new_game(request)
    return FireBullsDriver(client, answer.match_id, [seat.token for seat in answer.seats], answer.match)
