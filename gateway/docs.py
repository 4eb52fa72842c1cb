"""The interactive documentation: Swagger UI, whose files come with a package, so nothing is loaded from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from fastapi.openapi.docs import get_swagger_ui_html
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from gateway import problems

ASSETS_PACKAGE: Final = "fastapi_standalone_docs"


def assets() -> StaticFiles:
    """The script and the style of the page."""
    return StaticFiles(directory=str(files(ASSETS_PACKAGE).joinpath("static/swagger")))


async def page(request: Request) -> Response:
    """The page, with addresses relative to its own, so that it works behind any prefix."""
    return get_swagger_ui_html(
        openapi_url="openapi.json",
        title=f"{request.app.title}: interface",
        swagger_js_url="docs/assets/swagger-ui-bundle.js",
        swagger_css_url="docs/assets/swagger-ui.css",
        swagger_favicon_url="data:,",
        swagger_ui_parameters={"validatorUrl": None, "tryItOutEnabled": True, "defaultModelsExpandDepth": 0},
    )


async def error_page(request: Request) -> Response:
    """What the `type` of a problem leads to: what the protos say of its reason."""
    explanation = problems.explanation(request.path_params["reason"])
    if explanation is None:
        raise HTTPException(404)
    return PlainTextResponse(explanation)
