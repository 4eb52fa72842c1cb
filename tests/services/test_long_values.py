"""Over-long values: every gRPC method refuses them with an error that fits into the metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core import errors as rules
from gateway.routing import registry
from runtime.texts import MAX_DETAIL_LENGTH, MAX_VALUE, shortened
from services.grpc_server.errors import InvalidRequest, RequestIdReused
from services.grpc_server.status import DETAILS_KEY, problem, rich_status, trailing_metadata
from tests.services.client import refusal
from tests.services.long_values import LONG_ASCII_TEXT, LONG_NON_ASCII_TEXT, long_values
from tests.services.processes import Process

MAX_METADATA = 8192
"""Bytes of an answer's metadata that gRPC libraries take, unless they are told otherwise."""
EXPECTED_CODES = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.UNAUTHENTICATED,
}
"""How calls end whose callers have done something wrong."""


@pytest.fixture(scope="module")
def addresses() -> Iterator[dict[str, str]]:
    """Address of an engine of all games, and of the tournaments."""
    with (
        Process("engine", "--port", "0", REDIS_URL="") as engine,
        Process("tournaments", "--port", "0", "--workers", "1", REDIS_URL="") as tournaments,
    ):
        yield {"engine": engine.line().split()[-1], "tournaments": tournaments.line().split()[-1]}


@pytest.mark.parametrize("service", [*registry.GAMES.values(), registry.TOURNAMENTS], ids=lambda each: each.name)
def test_fault10_the_length_of_a_value_does_not_change_the_error(
    service: ServiceDescriptor, addresses: dict[str, str]
) -> None:
    address = addresses["tournaments" if service is registry.TOURNAMENTS else "engine"]
    tried = 0
    with grpc.insecure_channel(address) as channel:
        for method, path, request in long_values(service, lambda method, request: _call(channel, method)(request)):
            try:
                _call(channel, method)(request)
            except grpc.RpcError as error:
                rich_error = refusal(error)  # type: ignore[arg-type] # of the other kind of channel, with the same methods
                assert rich_error.code in EXPECTED_CODES, (method.name, path, rich_error)
                assert rich_error.reason, (method.name, path, rich_error)
            else:
                assert method.name == "BatchApply" or "rules_version" in path, (method.name, path, "is taken")
            tried += 1
    assert tried > 10


def _call(channel: grpc.Channel, method: MethodDescriptor) -> Callable[[Message], Message]:
    """A method as a function; of a stream the first answer."""
    name = f"/{method.containing_service.full_name}/{method.name}"
    answer = GetMessageClass(method.output_type).FromString
    if method.client_streaming:
        streams: grpc.StreamStreamMultiCallable[bytes, Message] = channel.stream_stream(
            name, response_deserializer=answer
        )
        return lambda request: next(streams(iter([request.SerializeToString()]), timeout=60))
    if method.server_streaming:
        stream: grpc.UnaryStreamMultiCallable[bytes, Message] = channel.unary_stream(name, response_deserializer=answer)
        return lambda request: next(stream(request.SerializeToString(), timeout=60))
    unary: grpc.UnaryUnaryMultiCallable[bytes, Message] = channel.unary_unary(name, response_deserializer=answer)
    return lambda request: unary(request.SerializeToString(), timeout=60)


@pytest.mark.parametrize("text", [LONG_ASCII_TEXT, LONG_NON_ASCII_TEXT, "\x00" * 9_000, "%" * 9_000])
def test_fault10_values_quoted_in_errors_fit_into_the_metadata(text: str) -> None:
    errors: list[Exception] = [
        InvalidRequest(text, text),
        rules.UnknownGame(text),
        rules.InvalidOption(text, text),
        rules.MalformedMove(text, text),
        rules.InconsistentState(text, text),
        rules.IllegalMove(1, text),
        RequestIdReused(text),
    ]
    for error in errors:
        _, status = rich_status(error)
        sent = [("grpc-message", _percent_encoded(status.message)), *trailing_metadata(error, status)]
        size = sum(len(key) + len(value) * (4 / 3 if key == DETAILS_KEY else 1) + 32 for key, value in sent)
        assert size < MAX_METADATA * 3 / 4, error
        rich_error = problem(error)
        assert len(rich_error.detail.encode()) <= MAX_DETAIL_LENGTH
        assert all(len(value.encode()) <= MAX_VALUE for value in rich_error.metadata.values())


def _percent_encoded(message: str) -> str:
    """As gRPC sends it."""
    return "".join(chr(byte) if 32 <= byte <= 126 and byte != 37 else f"%{byte:02X}" for byte in message.encode())


@pytest.mark.parametrize("most", range(8, 40))
def test_fault10_a_text_is_cut_between_characters(most: int) -> None:
    for text in ("", "short", "abc" * 50, "€" * 50, "🐂é" * 20, "\ud800" * 50):
        cut = shortened(text, most)
        assert len(cut.encode()) <= most
        if len(text.encode(errors="replace")) > most:
            beginning, end = cut.split("…")
            whole = text.encode(errors="replace").decode()
            assert whole.startswith(beginning)
            assert whole.endswith(end)
            assert len(cut.encode()) > most - 8
        else:
            assert cut == text
