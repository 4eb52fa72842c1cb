"""Static documents over HTTP: entity tags, and compression where the client accepts it."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

_ZERO_WEIGHT: Final = re.compile(r"q=0(\.0*)?")


class StaticDocument:
    """A static document, the same for all callers, with a strong entity tag for each content encoding.

    It is compressed once, for the first client that accepts gzip. No other response is compressed: its length would
    leak the secrets in it (BREACH). `headers` are sent with it.
    """

    def __init__(
        self,
        content: bytes,
        media_type: str,
        headers: Mapping[str, str] | None = None,
        cache_control: str = "public, no-cache",
    ) -> None:
        self._content: Final = content
        self._media_type: Final = media_type
        self._headers: Final = {**(headers or {}), "Cache-Control": cache_control, "Vary": "Accept-Encoding"}
        self._digest: Final = hashlib.sha256(content).hexdigest()[:32]

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self._content, mtime=0)

    def response(self, request: Request) -> Response:
        """The document in an encoding that the request accepts; 304 if the client has it."""
        zipped = _accepts_gzip(request.headers.getlist("Accept-Encoding"))
        tag = f'"{self._digest}{"-gzip" if zipped else ""}"'
        headers = {**self._headers, "ETag": tag}
        known = ",".join(request.headers.getlist("If-None-Match")).split(",")
        if {each.strip().removeprefix("W/") for each in known} & {tag, "*"}:
            return Response(status_code=304, headers=headers)
        if zipped:
            headers["Content-Encoding"] = "gzip"
        return Response(self._compressed if zipped else self._content, headers=headers, media_type=self._media_type)


def _accepts_gzip(values: list[str]) -> bool:
    weights = {}
    for coding in ",".join(values).lower().split(","):
        name, _, parameters = coding.partition(";")
        weights[name.strip()] = parameters.replace(" ", "")
    return not _ZERO_WEIGHT.fullmatch(weights.get("gzip", weights.get("*", "q=0")))
