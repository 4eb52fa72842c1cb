"""Responses that are files, such as pictures: a `google.api.HttpBody` of gRPC as the body of an HTTP response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from google.api.httpbody_pb2 import HttpBody
from starlette.responses import Response

from gateway import problems
from gateway.routing import entity_tags
from gateway.routing.bindings import Binding
from gateway.routing.transcoder import RequestParts

SAFE_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "default-src 'none'",
    "X-Content-Type-Options": "nosniff",
}
"""An SVG that is opened as a page of its own may load and run nothing."""
PAST_SECONDS: Final = 86400
"""How long caches may keep the file of a past revision: it never changes, but the next release may draw it anew."""


def file_response(binding: Binding, data: bytes, parts: RequestParts) -> Response:
    """The response for an encoded `HttpBody`; 304 to a GET if the client has the file."""
    file = HttpBody.FromString(data)
    if not binding.is_tagged:
        return Response(file.data, headers={**problems.NO_STORE, **SAFE_HEADERS}, media_type=file.content_type)
    tag = entity_tags.tag(file.data)
    headers = {"ETag": tag, **_caching(parts), **SAFE_HEADERS}
    if entity_tags.matches_if_none_match(tag, parts.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=headers)
    return Response(file.data, headers=headers, media_type=file.content_type)


def _caching(parts: RequestParts) -> dict[str, str]:
    """What caches may do: share the file of a past revision, unless a seat token was given."""
    if all(name != "revision" for name, _ in parts.query):
        return dict(entity_tags.HEADERS)
    scope = "private" if "authorization" in parts.headers else "public"
    return {**entity_tags.HEADERS, "Cache-Control": f"{scope}, max-age={PAST_SECONDS}"}
