"""Endpoints of the OpenAPI document, Swagger UI and the explanations of errors. Nothing is loaded from a CDN."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from importlib.resources import files
from typing import Final

from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from gateway import problems
from gateway.openapi.schema import Json
from gateway.static_document import StaticDocument

ASSETS_PACKAGE: Final = "fastapi_standalone_docs"
ASSET_MEDIA_TYPES: Final[Mapping[str, str]] = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
"""The script and the style of the page."""
POLICY: Final = (
    "default-src 'none'; script-src 'self' 'sha256-{}'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of the page, with the hash of the script in its document."""


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
    """Swagger UI. Its links are relative, so that it works under any path prefix.

    Its policy allows the script in its document by a hash, and styles in attributes, which it cannot do without.
    """
    page = get_swagger_ui_html(
        openapi_url="openapi.json",
        title=f"{request.app.title}: interface",
        swagger_js_url="docs/assets/swagger-ui-bundle.js",
        swagger_css_url="docs/assets/swagger-ui.css",
        swagger_favicon_url="data:,",
        swagger_ui_parameters={"validatorUrl": None, "tryItOutEnabled": True, "defaultModelsExpandDepth": 0},
    )
    [script] = re.findall(rb"<script>(.*?)</script>", bytes(page.body), re.DOTALL)
    page.headers["Content-Security-Policy"] = POLICY.format(base64.b64encode(hashlib.sha256(script).digest()).decode())
    page.headers["X-Content-Type-Options"] = "nosniff"
    page.headers["Referrer-Policy"] = "no-referrer"
    return page


async def error_page(request: Request) -> Response:
    """The explanation of an error reason, from the protos; the `type` of a problem links here."""
    explanation = problems.explanation(request.path_params["reason"])
    if explanation is None:
        raise HTTPException(404)
    return PlainTextResponse(explanation)
