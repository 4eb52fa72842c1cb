"""Endpoints of the OpenAPI document, Swagger UI and the explanations of errors. Nothing is loaded from a CDN."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from importlib.resources import files
from typing import Final

from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gateway import problems
from gateway.openapi.schema import Json

ASSETS_PACKAGE: Final = "fastapi_standalone_docs"
ASSET_MEDIA_TYPES: Final[Mapping[str, str]] = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
"""The script and the style of the page."""

_ZERO_WEIGHT: Final = re.compile(r"q=0(\.0*)?")


class StaticDocument:
    """A static document, the same for all callers, with a strong entity tag for each content encoding.

    It is compressed once, for the first client that accepts gzip. No other response is compressed: its length would
    leak the secrets in it (BREACH).
    """

    def __init__(self, content: bytes, media_type: str) -> None:
        self._content: Final = content
        self._media_type: Final = media_type
        self._digest: Final = hashlib.sha256(content).hexdigest()[:32]

    @cached_property
    def _compressed(self) -> bytes:
        return gzip.compress(self._content, mtime=0)

    def response(self, request: Request) -> Response:
        """The document in an encoding that the request accepts; 304 if the client has it."""
        zipped = _accepts_gzip(request.headers.getlist("Accept-Encoding"))
        tag = f'"{self._digest}{"-gzip" if zipped else ""}"'
        headers = {"ETag": tag, "Cache-Control": "public, no-cache", "Vary": "Accept-Encoding"}
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


def openapi_endpoint(document: dict[str, Json]) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of the OpenAPI document."""
    served = StaticDocument(
        json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(), "application/json"
    )

    async def serve(request: Request) -> Response:
        return served.response(request)

    return serve


def swagger_assets() -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of the script and the style of the page, by `name`."""
    folder = files(ASSETS_PACKAGE).joinpath("static/swagger")
    served = {
        name: StaticDocument(folder.joinpath(name).read_bytes(), kind) for name, kind in ASSET_MEDIA_TYPES.items()
    }

    async def serve(request: Request) -> Response:
        asset = served.get(request.path_params["name"])
        if asset is None:
            raise HTTPException(404)
        return asset.response(request)

    return serve


async def swagger_ui(request: Request) -> Response:
    """Swagger UI. Its links are relative, so that it works under any path prefix."""
    return get_swagger_ui_html(
        openapi_url="openapi.json",
        title=f"{request.app.title}: interface",
        swagger_js_url="docs/assets/swagger-ui-bundle.js",
        swagger_css_url="docs/assets/swagger-ui.css",
        swagger_favicon_url="data:,",
        swagger_ui_parameters={"validatorUrl": None, "tryItOutEnabled": True, "defaultModelsExpandDepth": 0},
    )


async def error_page(request: Request) -> Response:
    """The explanation of an error reason, from the protos; the `type` of a problem links here."""
    explanation = problems.explanation(request.path_params["reason"])
    if explanation is None:
        raise HTTPException(404)
    return PlainTextResponse(explanation)
