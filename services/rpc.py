"""How a call is answered: parsed, tried, and every error told in the same way."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from services.errors import DETAILS_KEY, INTERNAL, InvalidRequest, answer_to, rich_status

log = logging.getLogger(__name__)

Q = TypeVar("Q")
A = TypeVar("A")

Context = grpc.aio.ServicerContext[bytes, bytes]
Behaviour = Callable[[Message, str], Awaitable[Message]]
"""What a call does: given its request and the value of its `authorization`, the response."""

AUTHORIZATION: Final = "authorization"
REQUEST_ID: Final = "x-request-id"


class Arrivals(grpc.aio.ServerInterceptor):
    """Counts the calls that have arrived at a server."""

    def __init__(self) -> None:
        self.count = 0

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Q, A] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Q, A] | None:
        """Let the call pass."""
        self.count += 1
        return await continuation(handler_call_details)

    async def cease(self, seconds: float, within: float) -> None:
        """Wait until none has come for so many seconds, but not longer than `within`."""
        deadline = time.monotonic() + within
        seen = -1
        while self.count != seen and time.monotonic() < deadline:
            seen = self.count
            await asyncio.sleep(seconds)


def service_handler(service: ServiceDescriptor, behaviours: dict[str, Behaviour]) -> grpc.GenericRpcHandler:
    """Serves a service whose methods behave as the table of their names says."""
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_unary_rpc_method_handler(_answerer(service.methods_by_name[name], behaviour))
        for name, behaviour in behaviours.items()
    }
    return grpc.method_handlers_generic_handler(service.full_name, handlers)


def _answerer(method: MethodDescriptor, behaviour: Behaviour) -> Callable[[bytes, Context], Awaitable[bytes]]:
    parse = GetMessageClass(method.input_type).FromString

    async def answer(data: bytes, context: Context) -> bytes:
        metadata = _metadata(context)
        facts = {"method": method.full_name, "request_id": metadata.get(REQUEST_ID, "")}
        began = time.monotonic()
        try:
            response = await behaviour(_parsed(parse, data), metadata.get(AUTHORIZATION, ""))
            return response.SerializeToString()
        except Exception as error:
            failure = error
        finally:
            _note(facts, began)
        return await _abort(context, failure, facts)

    return answer


def _metadata(context: Context) -> dict[str, str]:
    return {key: value for key, value in context.invocation_metadata() or () if isinstance(value, str)}


def _parsed(parse: Callable[[bytes], Message], data: bytes) -> Message:
    try:
        return parse(data)
    except DecodeError:
        raise InvalidRequest("", "the message cannot be read") from None


async def _abort(context: Context, error: Exception, facts: dict[str, str]) -> bytes:
    if answer_to(error) is INTERNAL:
        log.error("a call failed", exc_info=error, extra=facts)
    code, status = rich_status(error)
    await context.abort(code, status.message, ((DETAILS_KEY, status.SerializeToString()),))
    raise AssertionError("abort always raises")


def _note(facts: dict[str, str], began: float) -> None:
    """A line a call, without anything that was said in it."""
    if log.isEnabledFor(logging.DEBUG):
        milliseconds = round(1000 * (time.monotonic() - began), 1)
        log.debug("call", extra={**facts, "milliseconds": milliseconds})
