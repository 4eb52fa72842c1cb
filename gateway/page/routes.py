"""Routes of the page in the browser: its files, the one HTML document for all its paths, and the rules of the games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, TypeAlias

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gateway.page.rules import rules_html
from gateway.static_document import StaticDocument

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

MEDIA_TYPES: Final[Mapping[str, str]] = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
}
"""Media types by the ending of a file's name."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
"""Content-Security-Policy without the origins that may frame the document."""
HEADERS: Final[Mapping[str, str]] = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
PAGE_HEADERS: Final = {**HEADERS, "Content-Security-Policy": POLICY + "'none'"}
EMBED_HEADERS: Final = {**HEADERS, "Content-Security-Policy": POLICY + "*"}

PATHS: Final = (
    "/",
    "/match/{game}/{match_id}",
    "/tournaments",
    "/tournaments/{tournament_id}",
    "/replay",
    "/replay/{game}/{match_id}",
)
"""Paths of the page; its script chooses what to show."""
EMBED_PATHS: Final = ("/embed/{game}/{match_id}", "/embed/{match_id}")
"""Paths of a board that any page may show in a frame."""


def page_routes() -> Iterator[tuple[str, Endpoint]]:
    """Path and endpoint of each route of the page."""
    folder = files("gateway.page").joinpath("static")
    content = folder.joinpath("index.html").read_bytes()
    page = _endpoint(StaticDocument(content, "text/html", PAGE_HEADERS))
    for path in PATHS:
        yield path, page
    board = _endpoint(StaticDocument(content, "text/html", EMBED_HEADERS))
    for path in EMBED_PATHS:
        yield path, board
    for path, file in _files(folder, "/page/"):
        kind = MEDIA_TYPES.get(path.rpartition(".")[2])
        if kind:
            yield path, _endpoint(StaticDocument(file.read_bytes(), kind, HEADERS))
    yield "/page/rules/{game}/{locale}", _rules


def _files(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _files(file, f"{prefix}{file.name}/")
        else:
            yield prefix + file.name, file


def _endpoint(document: StaticDocument) -> Endpoint:
    async def serve(request: Request) -> Response:
        return document.response(request)

    return serve


async def _rules(request: Request) -> Response:
    """The rules of a game in a language, as HTML that is part of a document."""
    html = rules_html(request.path_params["game"], request.path_params["locale"])
    if html is None:
        raise HTTPException(404)
    return _document(html).response(request)


@cache
def _document(html: str) -> StaticDocument:
    return StaticDocument(html.encode(), "text/html", {**HEADERS, "Content-Security-Policy": "default-src 'none'"})
