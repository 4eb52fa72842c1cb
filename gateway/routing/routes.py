"""The endpoint of a binding: read the request, call the engine, write the answer."""

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
from gateway.middleware.callers import Callers
from gateway.routing import entity_tags, transcoder
from gateway.routing.bindings import TOURNAMENTS, Binding
from gateway.routing.retries import EngineRequest, engine_request
from gateway.routing.transcoder import Asked
from gateway.upstream.engines import Engines, Metadata
from gateway.upstream.offload import Offload
from runtime import api_keys

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]

JSON: Final = "application/json"
UTF_8: Final = ("utf-8", "utf8", "us-ascii")
LISTS: Final = frozenset({"if-match", "if-none-match"})
"""Headers that may come in several lines (RFC 9110, section 5.3)."""
CLIENT_CLOSED_REQUEST: Final = 499
MATCH_ID_MOST: Final = 64
"""Characters. No match has a longer id."""
AUTHORIZATION_MOST: Final = 4096
"""Characters. No token comes near it, and gRPC does not take more than 8 KiB of metadata."""

_sent: Final[set[asyncio.Future[bytes]]] = set()
"""Writes whose answer is awaited, kept from the garbage collector when nobody else awaits them any more."""


class ClientGone(Exception):
    """The client closed the connection before the answer."""


def endpoint(binding: Binding, member: FieldDescriptor | None) -> Endpoint:
    """Serves a binding; `member` is the field of the answer that names what a POST created."""

    async def serve(request: Request) -> Response:
        given = await read_request(binding, request)
        offload: Offload = request.app.state.offload
        question = await offload.run(len(given.body), _engine_request, binding, given)
        given = given._replace(body=b"")  # which is not held for as long as the call takes
        engines: Engines = request.app.state.engines
        check_served(binding, engines)
        words = metadata(request.scope, given.headers)
        if member or binding.commands:
            callers: Callers = request.app.state.callers
            words = [*words, *api_key(given.headers), (api_keys.CALLER, callers.caller(request.scope))]
        call = engines.call(question, words, match_id(request.scope))
        if binding.reads:
            answered = await cancel_on_disconnect(call, request.receive)
        elif question.changes_nothing:
            answered = await call
        else:
            answered = await shielded(call)
        return await offload.run(len(answered), _response, binding, member, answered, given.headers)

    return serve


def _engine_request(binding: Binding, given: Asked) -> EngineRequest:
    return engine_request(binding, transcoder.request(binding, given))


def check_served(binding: Binding, engines: Engines) -> None:
    """Raises `Problem` where there is nobody to call."""
    if not engines.serves(binding.game):
        raise problems.no_tournaments() if binding.game == TOURNAMENTS else problems.unknown_game(binding.game)


async def read_request(binding: Binding, request: Request) -> Asked:
    """What the request says, its body read. Raises `Problem` for a body of another kind."""
    headers = first_headers(request.scope)
    body = b""
    if binding.has_body:
        _check_form(request.scope, headers)
        body = await _body(request.receive, headers.get("content-length", ""))
    query = request.query_params.multi_items() if request.scope["query_string"] else ()
    return Asked(request.path_params, query, headers, body)


def _check_form(scope: Scope, headers: Mapping[str, str]) -> None:
    """Raises `Problem` for a body that says of itself that it is no JSON in UTF-8, or is compressed."""
    kind = headers.get("content-type", JSON)
    if kind != JSON:
        media_type, *parameters = kind.split(";")
        if media_type.strip().lower() != JSON:
            raise problems.unsupported_media_type(kind)
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip().lower() == "charset" and value.strip().strip('"').lower() not in UTF_8:
                raise problems.unsupported_charset(value.strip())
    if "content-encoding" in headers:
        given = ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"content-encoding")
        if any(coding.strip().lower() not in ("", "identity") for coding in given.split(",")):
            raise problems.unsupported_encoding(given)


def first_headers(scope: Scope) -> dict[str, str]:
    """The headers by their names in lower case; of several of one name the first, of those that are lists all."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}
    for name in LISTS & headers.keys():
        headers[name] = ", ".join(Headers(scope=scope).getlist(name))
    return headers


async def _body(receive: Receive, length: str) -> bytes:
    """All of the body, as long as the client says. Raises `ClientDisconnect`."""
    parts: list[bytes] = []
    more = True
    # The server says only in a further message that a body is over, for which a thread must wake this one: 40 us.
    while more and length != str(sum(map(len, parts))):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def metadata(scope: Scope, headers: Mapping[str, str]) -> Metadata:
    """What goes with a call: the request's id, and the seat token if there is one."""
    words = [("x-request-id", str(scope["request_id"]))]
    authorization = headers.get("authorization")
    if authorization is not None:
        words.append(("authorization", _bearer(authorization)))
    return words


def match_id(scope: Scope) -> str:
    """The match of the path; empty for none, and for what can be the id of no match."""
    name: str = scope.get("path_params", {}).get("match_id", "")
    return name if len(name) <= MATCH_ID_MOST and name.isascii() and name.isprintable() else ""


def api_key(headers: Mapping[str, str]) -> Metadata:
    """The API key of who creates something, if there is one."""
    key = headers.get(api_keys.HEADER.lower())
    if key is None:
        return ()
    if not (0 < len(key) <= api_keys.KEY_MOST and key.isascii() and key.isprintable()):
        raise problems.api_key_unreadable()
    return [("x-api-key", key)]


def _bearer(authorization: str) -> str:
    if len(authorization) > AUTHORIZATION_MOST:
        raise problems.unauthenticated("The header Authorization is too long for a seat token.")
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not token.isascii() or not token.isprintable() or not token.strip():
        raise problems.unauthenticated("The header Authorization must be of the form `Bearer TOKEN`.")
    return f"Bearer {token.strip()}"


async def shielded(call: Awaitable[bytes]) -> bytes:
    """The answer of a call that is not cancelled once it is sent, even if nobody waits for it any more."""
    answer = asyncio.ensure_future(call)
    _sent.add(answer)
    answer.add_done_callback(_sent.discard)
    return await asyncio.shield(answer)


async def cancel_on_disconnect(call: Awaitable[T], receive: Receive) -> T:
    """The answer of a call that is cancelled when the client goes. Raises `ClientGone`."""
    leaving = asyncio.ensure_future(gone(receive))
    try:
        return await before(leaving, call)
    finally:
        leaving.cancel()


async def before(leaving: asyncio.Future[None], call: Awaitable[T]) -> T:
    """The answer of a call that is cancelled when the client goes, which `leaving` waits for. Raises `ClientGone`."""
    answer = asyncio.ensure_future(call)
    either: tuple[asyncio.Future[T] | asyncio.Future[None], ...] = (answer, leaving)
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            leaving.result()  # which may be that a body, which nobody asked for, is too large
            raise ClientGone
        return answer.result()
    finally:
        answer.cancel()


async def gone(receive: Receive) -> None:
    """Wait until the client closes the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _response(
    binding: Binding, member: FieldDescriptor | None, answered: bytes, headers: Mapping[str, str]
) -> Response:
    if not (member or binding.answer_field):
        body = protojson.print_bytes(answered, binding.answer)
        return _shown(body, None, headers) if binding.tagged else _written(body)
    shown = transcoder.answer(binding, GetMessageClass(binding.method.output_type).FromString(answered))
    body = protojson.format(shown)
    if binding.tagged:
        return _shown(body, getattr(shown, "revision", None), headers)
    name = getattr(shown, member.name) if member else ""
    return _written(body, f"{binding.path}/{name}" if name else "")


def _shown(body: bytes, revision: int | None, headers: Mapping[str, str]) -> Response:
    """The answer to a GET, unless the client has it."""
    tag = entity_tags.tag(body, revision)
    told = {"ETag": tag, **entity_tags.HEADERS}
    if entity_tags.is_known(tag, headers.get("if-none-match", "")):
        return Response(status_code=304, headers=told)
    return Response(body, headers=told, media_type=JSON)


def _written(body: bytes, created: str = "") -> Response:
    """The answer to a POST, and where what it created is."""
    if not created:
        return Response(body, headers=problems.NOT_STORED, media_type=JSON)
    return Response(body, 201, {**problems.NOT_STORED, "Location": created}, JSON)


def catalogue(binding: Binding) -> Endpoint:
    """Serves the lists of all engines as one; it fails only if every engine does."""
    kind = GetMessageClass(binding.method.output_type)

    async def serve(request: Request) -> Response:
        given = await read_request(binding, request)
        question = _engine_request(binding, given)
        engines: Engines = request.app.state.engines
        calls = engines.call_all(question, metadata(request.scope, given.headers))
        answers = await asyncio.gather(*calls, return_exceptions=True)
        failures = [answer for answer in answers if isinstance(answer, BaseException)]
        if failures and len(failures) == len(answers):
            raise failures[0]
        listed = [kind.FromString(answer) for answer in answers if not isinstance(answer, BaseException)]
        return _shown(protojson.format(_merged(kind, listed)), None, given.headers)

    return serve


def _merged(kind: type[Message], answers: Iterable[Message]) -> Message:
    """One list of what several have: its entries by their first field, the name of a game or the id of a key."""
    [entries] = kind.DESCRIPTOR.fields
    name = cast(Descriptor, entries.message_type).fields[0].name
    found = {getattr(entry, name): entry for answer in answers for entry in getattr(answer, entries.name)}
    return kind(**{entries.name: [found[key] for key in sorted(found)]})
