"""A client with only the address plays a whole match by reflection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest, ServerReflectionResponse

from services.engine.main import Engine

REFLECTION_SERVICES = ("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")


class GenericClient:
    """Calls any service by the descriptors that its server reflects; requests and responses are ProtoJSON."""

    def __init__(self, channel: grpc.aio.Channel, reflection: str) -> None:
        self._channel = channel
        self._reflection = f"/{reflection}/ServerReflectionInfo"
        self._pool = DescriptorPool()
        self._known: set[str] = set()

    async def _ask(self, question: ServerReflectionRequest) -> ServerReflectionResponse:
        """Send one request to the reflection service."""
        call: grpc.aio.StreamStreamMultiCallable[ServerReflectionRequest, ServerReflectionResponse]
        call = self._channel.stream_stream(
            self._reflection,
            request_serializer=ServerReflectionRequest.SerializeToString,
            response_deserializer=ServerReflectionResponse.FromString,
        )

        async def questions() -> AsyncIterator[ServerReflectionRequest]:
            yield question

        answers = [answer async for answer in call(questions())]
        assert len(answers) == 1
        return answers[0]

    async def services(self) -> list[str]:
        """The names of all services of the server."""
        answer = await self._ask(ServerReflectionRequest(list_services=""))
        return [service.name for service in answer.list_services_response.service]

    async def learn(self, service: str) -> None:
        """Load the descriptors of the file that contains a service."""
        answer = await self._ask(ServerReflectionRequest(file_containing_symbol=service))
        for data in answer.file_descriptor_response.file_descriptor_proto:
            await self._add(FileDescriptorProto.FromString(data))

    async def _add(self, file: FileDescriptorProto) -> None:
        """Add a file and its dependencies to the descriptor pool."""
        if file.name in self._known:
            return
        self._known.add(file.name)
        for name in file.dependency:
            answer = await self._ask(ServerReflectionRequest(file_by_filename=name))
            for data in answer.file_descriptor_response.file_descriptor_proto:
                await self._add(FileDescriptorProto.FromString(data))
        self._pool.Add(file)

    async def call(self, service: str, method: str, request: dict[str, Any], token: str = "") -> dict[str, Any]:
        """Call a method; request and response are ProtoJSON."""
        described = self._pool.FindServiceByName(service).methods_by_name[method]
        message = ParseDict(request, GetMessageClass(described.input_type)())
        metadata = [("authorization", f"Bearer {token}")] if token else []
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._channel.unary_unary(f"/{service}/{method}")
        data = await call(message.SerializeToString(), metadata=metadata)
        return MessageToDict(GetMessageClass(described.output_type).FromString(data))


@pytest.fixture(params=REFLECTION_SERVICES)
async def generic(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[GenericClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GenericClient(channel, request.param)


async def test_fault19_both_reflection_versions_list_every_service(generic: GenericClient) -> None:
    assert set(await generic.services()) >= {
        "fireside.catalog.v1.CatalogService",
        "fireside.fire_bulls.v1.FireBullsService",
        "grpc.health.v1.Health",
        *REFLECTION_SERVICES,
    }


async def test_every_game_of_the_catalogue_is_played_by_reflection_alone(generic: GenericClient) -> None:
    catalog = "fireside.catalog.v1.CatalogService"
    await generic.learn(catalog)
    games = (await generic.call(catalog, "ListGames", {}))["games"]
    assert games
    for game in games:
        await generic.learn(game["service"])
        await play_match(generic, game["service"], game["minSeats"])


async def play_match(client: GenericClient, service: str, seat_count: int) -> None:
    new_game = await client.call(service, "NewGame", {"seats": [{}] * seat_count})
    match, tokens = new_game["match"], [seat["token"] for seat in new_game["seats"]]
    match_fields = {"matchId": new_game["matchId"]}
    while not match.get("over"):
        token = tokens[match["toMove"][0]]
        moves = (await client.call(service, "LegalMoves", match_fields, token))["moves"]
        choice = {"move": moves[len(moves) // 2]["move"], "expectedRevision": match["revision"]}
        match = (await client.call(service, "Apply", match_fields | choice, token))["match"]
    assert (await client.call(service, "Score", match_fields))["winners"]
