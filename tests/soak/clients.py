"""Clients of any game of the registry: gRPC to a random one of several engines, and REST."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol

import grpc
import httpx
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import AnyCodec
from tests.services.client import refusal

TIMEOUT_SECONDS = 10.0
UNKNOWN_OUTCOME_CODES = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED}
ROUTES = {
    "NewGame": ("POST", ""),
    "GetMatch": ("GET", "/{match_id}"),
    "LegalMoves": ("GET", "/{match_id}/legal-moves"),
    "Apply": ("POST", "/{match_id}/moves"),
}


class NoResponse(Exception):
    """No response, or one that asks for a retry: whether the call was executed is unknown."""


class CallRefused(Exception):
    """The service refused the call."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ApiClient(Protocol):
    """A client of either kind."""

    async def call(self, codec: AnyCodec, method: str, request: Message, token: str) -> Message:
        """Make one attempt of a call; its response. Raises `NoResponse` or `CallRefused`."""


class GrpcClient:
    """gRPC client that sends each attempt to a random engine."""

    def __init__(self, addresses: Sequence[str], random: Random) -> None:
        options = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 1000)]
        self._channels = [grpc.aio.insecure_channel(address, options=options) for address in addresses]
        self._random = random

    async def call(self, codec: AnyCodec, method: str, request: Message, token: str) -> Message:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = self._random.choice(self._channels).unary_unary(
            f"/{codec.service.full_name}/{method}"
        )
        metadata = [("authorization", f"Bearer {token}")] if token else []
        try:
            data = await call(request.SerializeToString(), metadata=metadata, timeout=TIMEOUT_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() in UNKNOWN_OUTCOME_CODES:
                raise NoResponse from error
            raise CallRefused(refusal(error).reason or str(error.details())) from error
        return GetMessageClass(codec.service.methods_by_name[method].output_type).FromString(data)

    async def close(self) -> None:
        for channel in self._channels:
            await channel.close()


class RestClient:
    """REST client of the gateway."""

    def __init__(self, url: str) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS, limits=limits)

    async def call(self, codec: AnyCodec, method: str, request: Message, token: str) -> Message:
        verb, path = ROUTES[method]
        fields = MessageToDict(request)
        path = path.format(match_id=fields.pop("matchId", ""))
        matches_path = f"/v1/{codec.game.name.replace('_', '-')}/matches{path}"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            response = await self._client.request(
                verb, matches_path, json=fields if verb == "POST" else None, headers=headers
            )
        except httpx.TransportError as error:
            raise NoResponse from error
        if response.status_code in (502, 503, 504):
            raise NoResponse
        if response.is_error:
            raise CallRefused(str(response.json()["reason"]))
        message = GetMessageClass(codec.service.methods_by_name[method].output_type)()
        ParseDict({"match": response.json()} if method == "GetMatch" else response.json(), message)
        return message

    async def close(self) -> None:
        await self._client.aclose()
