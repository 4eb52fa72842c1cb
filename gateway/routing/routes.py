"""Endpoints of unary routes: read the HTTP request, call the engine, write the response."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, TypeVar, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope

from gateway import problems, protojson
from gateway.middleware.callers import CallerResolver
from gateway.routing import entity_tags, transcoder
from gateway.routing.bindings import TOURNAMENTS, Binding
from gateway.routing.files import file_response
from gateway.routing.retries import EngineRequest, engine_request
from gateway.routing.transcoder import RequestParts
from gateway.upstream.engines import Engines, Metadata
from gateway.upstream.offload import Offload
from runtime import api_keys

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

JSON_MEDIA_TYPE: Final = "application/json"
UTF_8_CHARSETS: Final = ("utf-8", "utf8", "us-ascii")
LIST_HEADERS: Final = frozenset({"if-match", "if-none-match", "accept-language"})
"""Headers that may come in several lines (RFC 9110, section 5.3)."""
CLIENT_CLOSED_REQUEST: Final = 499
MAX_MATCH_ID_LENGTH: Final = 64
"""Longest match id, in characters."""
MAX_AUTHORIZATION_LENGTH: Final = 4096
"""Longest `Authorization` header, in characters. Tokens are far shorter; gRPC allows 8 KiB of metadata."""

_running_writes: Final[set[asyncio.Future[bytes]]] = set()
"""Calls that write, referenced so that they are not garbage-collected after their client has disconnected."""


class DisconnectedBeforeResponse(Exception):
    """The client closed the connection before the response."""


def endpoint(binding: Binding, created: FieldDescriptor | None) -> Endpoint:
    """The endpoint of a route. `created` is the response field with the name of the resource that a POST creates."""

    async def serve(request: Request) -> Response:
        parts = await read_request(binding, request)
        offload: Offload = request.app.state.offload
        outgoing = await offload.run(len(parts.body), _engine_request, binding, parts)
        parts = parts._replace(body=b"")  # frees it for the time of the call
        engines: Engines = request.app.state.engines
        check_served(binding, engines)
        metadata = call_metadata(request.scope, parts.headers)
        takes_key, _ = binding.credentials
        if takes_key or binding.is_limited_by_caller:
            callers: CallerResolver = request.app.state.callers
            # The engine limits calls by origin: without this, all calls would have the gateway as theirs.
            metadata = [
                *metadata,
                *api_key_metadata(parts.headers),
                (api_keys.CALLER_METADATA, callers.caller(request.scope)),
            ]
        call = engines.call(outgoing, metadata, _match_id(request.scope))
        if binding.is_read_only or binding.is_limited_by_caller:
            data = await cancel_on_disconnect(call, request.receive)
        elif outgoing.changes_nothing:
            data = await call  # may be cancelled with the request, so it needs no task of its own
        else:
            data = await run_shielded(call)
        if binding.file_media_types:
            response = file_response(binding, data, parts)
        else:
            response = await offload.run(len(data), _http_response, binding, created, data, parts.headers)
        if outgoing.language:
            response.headers["Content-Language"] = outgoing.language
        return response

    return serve


def _engine_request(binding: Binding, parts: RequestParts) -> EngineRequest:
    return engine_request(binding, transcoder.request_message(binding, parts))


def check_served(binding: Binding, engines: Engines) -> None:
    """Raises `Problem` for a game, or tournaments, without an address."""
    if not engines.serves(binding.game):
        raise problems.no_tournaments() if binding.game == TOURNAMENTS else problems.unknown_game(game=binding.game)


async def read_request(binding: Binding, request: Request) -> RequestParts:
    """The parts of a request, its body included. Raises `Problem` for a body of another media type."""
    headers = headers_by_name(request.scope)
    body = b""
    if binding.has_body:
        _check_content_type(request.scope, headers)
        body = await _read_body(request.receive, headers.get("content-length", ""))
    query = request.query_params.multi_items() if request.scope["query_string"] else ()
    return RequestParts(request.path_params, query, headers, body)


def _check_content_type(scope: Scope, headers: Mapping[str, str]) -> None:
    """Raises `Problem` for a body that is declared as compressed, or as anything but JSON in UTF-8."""
    content_type = headers.get("content-type", JSON_MEDIA_TYPE)
    if content_type != JSON_MEDIA_TYPE:
        media_type, *parameters = content_type.split(";")
        if media_type.strip().lower() != JSON_MEDIA_TYPE:
            raise problems.unsupported_media_type(given=content_type)
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in UTF_8_CHARSETS:
                raise problems.unsupported_charset(given=value.strip())
    if "content-encoding" in headers:
        given = ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"content-encoding")
        if any(coding.strip().lower() not in ("", "identity") for coding in given.split(",")):
            raise problems.unsupported_encoding(given=given)


def headers_by_name(scope: Scope) -> dict[str, str]:
    """Headers by lower-case name: the first of repeated ones, but all values of `LIST_HEADERS`, joined."""
    # Reversed, so that the first of repeated headers is the one that stays.
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
    for name in LIST_HEADERS & headers.keys():
        headers[name] = ", ".join(Headers(scope=scope).getlist(name))
    return headers


async def _read_body(receive: Receive, length: str) -> bytes:
    """The whole body, up to the declared length. Raises `ClientDisconnect`."""
    parts: list[bytes] = []
    more = True
    # Granian reports the end of a body in a further message, for which a thread must wake the event loop: 40 us.
    while more and length != str(sum(map(len, parts))):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def call_metadata(scope: Scope, headers: Mapping[str, str]) -> Metadata:
    """gRPC metadata of a call: the request id, and the seat token if there is one."""
    metadata = [("x-request-id", str(scope["request_id"]))]
    authorization = headers.get("authorization")
    if authorization is not None:
        metadata.append(("authorization", _bearer_token(authorization)))
    return metadata


def _match_id(scope: Scope) -> str:
    """The match id in the path; empty if there is none, or if it cannot be a valid one."""
    name: str = scope.get("path_params", {}).get("match_id", "")
    return name if len(name) <= MAX_MATCH_ID_LENGTH and name.isascii() and name.isprintable() else ""


def api_key_metadata(headers: Mapping[str, str]) -> Metadata:
    """gRPC metadata with the API key of a request, if it has one. Raises `Problem`."""
    key = headers.get(api_keys.API_KEY_HEADER.lower())
    if key is None:
        return ()
    if not (0 < len(key) <= api_keys.MAX_API_KEY_LENGTH and key.isascii() and key.isprintable()):
        raise problems.api_key_unreadable()
    return [("x-api-key", key)]


def _bearer_token(authorization: str) -> str:
    if len(authorization) > MAX_AUTHORIZATION_LENGTH:
        raise problems.unauthenticated(detail="The header Authorization is too long for a seat token.")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.isascii() or not token.isprintable() or not token.strip():
        raise problems.unauthenticated(detail="The header Authorization must be of the form `Bearer TOKEN`.")
    return f"Bearer {token.strip()}"


async def run_shielded(call: Awaitable[bytes]) -> bytes:
    """The response to a call that is completed even if the client disconnects."""
    response = asyncio.ensure_future(call)
    _running_writes.add(response)
    response.add_done_callback(_running_writes.discard)
    return await asyncio.shield(response)


async def cancel_on_disconnect(call: Awaitable[T], receive: Receive) -> T:
    """The response to a call, cancelled when the client disconnects. Raises `DisconnectedBeforeResponse`."""
    disconnect = asyncio.ensure_future(until_disconnect(receive))
    try:
        return await unless_disconnected(disconnect, call)
    finally:
        disconnect.cancel()


async def unless_disconnected(disconnect: asyncio.Future[None], call: Awaitable[T]) -> T:
    """The response to a call, cancelled when `disconnect` is done. Raises `DisconnectedBeforeResponse`."""
    response = asyncio.ensure_future(call)
    either: tuple[asyncio.Future[T] | asyncio.Future[None], ...] = (response, disconnect)
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not response.done():
            disconnect.result()  # raises `Problem` if the client sent a body that is too large
            raise DisconnectedBeforeResponse
        return response.result()
    finally:
        response.cancel()


async def until_disconnect(receive: Receive) -> None:
    """Wait until the client closes the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _http_response(
    binding: Binding, created: FieldDescriptor | None, data: bytes, headers: Mapping[str, str]
) -> Response:
    """The HTTP response for an encoded gRPC response, which is decoded only where a field of it is needed."""
    if not (created or binding.response_field):
        body = protojson.print_bytes(data, binding.response)
        return _get_response(binding, body, None, headers) if binding.is_tagged else _post_response(body)
    returned_message = transcoder.returned_message(
        binding, GetMessageClass(binding.method.output_type).FromString(data)
    )
    body = protojson.format(returned_message)
    if binding.is_tagged:
        return _get_response(binding, body, getattr(returned_message, "revision", None), headers)
    name = getattr(returned_message, created.name) if created else ""
    return _post_response(body, f"{binding.path}/{name}" if name else "")


def _get_response(binding: Binding, body: bytes, revision: int | None, headers: Mapping[str, str]) -> Response:
    """The response to a GET, with its entity tag; 304 if the client has the current body."""
    tag = entity_tags.tag(body, revision)
    caching = entity_tags.CONSTANT_HEADERS if binding.is_constant else entity_tags.HEADERS
    response_headers = {"ETag": tag, **caching}
    if entity_tags.matches_if_none_match(tag, headers.get("if-none-match", "")):
        return Response(status_code=304, headers=response_headers)
    return Response(body, headers=response_headers, media_type=JSON_MEDIA_TYPE)


def _post_response(body: bytes, location: str = "") -> Response:
    """The response to a POST; 201 with the location of what it created."""
    if not location:
        return Response(body, headers=problems.NO_STORE, media_type=JSON_MEDIA_TYPE)
    return Response(body, 201, {**problems.NO_STORE, "Location": location}, JSON_MEDIA_TYPE)


def merged_endpoint(binding: Binding) -> Endpoint:
    """The endpoint of a list that is merged from the responses of all engines. Fails only if every engine does."""
    kind = GetMessageClass(binding.method.output_type)

    async def serve(request: Request) -> Response:
        parts = await read_request(binding, request)
        outgoing = _engine_request(binding, parts)
        engines: Engines = request.app.state.engines
        calls = engines.call_all(outgoing, call_metadata(request.scope, parts.headers))
        results = await asyncio.gather(*calls, return_exceptions=True)
        failures = [result for result in results if isinstance(result, BaseException)]
        if failures and len(failures) == len(results):  # if one engine responds, its games are still listed
            raise failures[0]
        responses = [kind.FromString(result) for result in results if not isinstance(result, BaseException)]
        return _get_response(binding, protojson.format(_merge_lists(kind, responses)), None, parts.headers)

    return serve


def _merge_lists(kind: type[Message], responses: Iterable[Message]) -> Message:
    """One message with the entries of all responses, unique by their first field (name of a game, id of a key)."""
    [entries] = kind.DESCRIPTOR.fields
    key = cast(Descriptor, entries.message_type).fields[0].name
    found = {getattr(entry, key): entry for response in responses for entry in getattr(response, entries.name)}
    return kind(**{entries.name: [found[value] for value in sorted(found)]})
