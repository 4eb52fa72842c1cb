"""gRPC clients for any game of the registry, used by tests that cover all games."""

from __future__ import annotations

from random import Random
from typing import cast

import grpc
from fireside.match.v1.match_pb2 import SeatSpec, SeatToken
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import AnyCodec
from tests.services.client import refusal


def field(message: Message, *names: str) -> object:
    """The value of a field, or of a nested one."""
    found: object = message
    for name in names:
        found = getattr(found, name)
    return found


class GameClient:
    """Client of one game on a channel; calls raise `Refusal` for an error status."""

    def __init__(self, channel: grpc.aio.Channel, codec: AnyCodec) -> None:
        self.channel, self.codec = channel, codec
        self.metadata: list[tuple[str, str]] = []

    async def call(self, name: str, /, token: str = "", **fields: object) -> Message:
        """Call a method of the game's service by its name."""
        method = self.codec.service.methods_by_name[name]
        stub = self.channel.unary_unary(
            f"/{self.codec.service.full_name}/{name}",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        bearer = [("authorization", f"Bearer {token}")] if token else []
        request = GetMessageClass(method.input_type)(**fields)
        try:
            return await stub(request, metadata=[*self.metadata, *bearer], timeout=30)
        except grpc.aio.AioRpcError as error:
            raise refusal(error) from None

    async def begin(self, number: int = 0, **fields: object) -> MatchDriver:
        """Begin a match of `number` seats, by default of the fewest."""
        seats = [SeatSpec(name=f"seat {seat}") for seat in range(number or self.codec.game.min_seats)]
        answer = await self.call("NewGame", "", seats=seats, **fields)
        tokens = [seat.token for seat in cast(list[SeatToken], field(answer, "seats"))]
        return MatchDriver(self, str(field(answer, "match_id")), tokens, field(answer, "match"))


class MatchDriver:
    """Plays all seats of a stored match with their tokens."""

    def __init__(self, game_client: GameClient, match_id: str, tokens: list[str], match: object) -> None:
        self.game_client, self.match_id, self.tokens = game_client, match_id, tokens
        self.match = cast(Message, match)

    async def call(self, name: str, /, token: str = "", **fields: object) -> Message:
        """Call a method on the match."""
        return await self.game_client.call(name, token, match_id=self.match_id, **fields)

    async def play(self, random: Random, moves: int = 1_000_000) -> None:
        """Make at most `moves` random moves, or play to the end."""
        while moves and not field(self.match, "over"):
            seat = random.choice(cast(list[int], field(self.match, "to_move")))
            listed = cast(list[Message], field(await self.call("LegalMoves", self.tokens[seat]), "moves"))
            notation = field(random.choice(listed), "notation")
            answer = await self.call("Apply", self.tokens[seat], notation=notation)
            self.match = cast(Message, field(answer, "match"))
            moves -= 1

    async def watched(self) -> list[Message]:
        """The log entries that a spectator receives, from the first one until the match is over."""
        method = self.game_client.codec.service.methods_by_name["Watch"]
        watch = self.game_client.channel.unary_stream(
            f"/{self.game_client.codec.service.full_name}/Watch",
            request_serializer=GetMessageClass(method.input_type).SerializeToString,
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )
        request = GetMessageClass(method.input_type)(match_id=self.match_id)
        return [
            cast(Message, field(answer, "event"))
            async for answer in watch(request)
            if answer.WhichOneof("kind") == "event"
        ]

    async def record(self, token: str = "") -> str:
        """The match record as JSON."""
        return MessageToJson(cast(Message, field(await self.call("GetRecord", token), "record")))
