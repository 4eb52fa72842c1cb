"""Routes of the page in the browser: its files, the one HTML document for all its paths, and the rules of the games."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
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

VIEWS: Final[Mapping[str, str]] = {
    "/": "home/home.js",
    "/match/{game}/{match_id}": "match/match.js",
    "/matches": "mine/mine.js",
    "/tournaments": "tournaments/tournaments.js",
    "/tournaments/{tournament_id}": "tournaments/tournament.js",
    "/tournaments/{tournament_id}/matches/{match}": "tournaments/tournament-match.js",
    "/replay": "replay/replay.js",
    "/replay/{game}/{match_id}": "replay/replay.js",
}
"""The module that shows each path of the page, as `main.js` chooses it."""
EMBED_PATHS: Final = ("/embed/{game}/{match_id}", "/embed/{match_id}")
"""Paths of a board that any page may show in a frame."""
IMMUTABLE: Final = "public, max-age=31536000, immutable"
"""Cache-Control of files whose path has a digest of them all."""
_IMPORT: Final = re.compile(r'^(?:import|export) .* from "(\.[^"]+)";$', re.MULTILINE)


def page_routes() -> Iterator[tuple[str, Endpoint]]:
    """Path and endpoint of each route of the page."""
    contents = dict(_contents(files("gateway.page").joinpath("static"), ""))
    prefix = f"/page/{_digest(contents)}/"
    for path, view in VIEWS.items():
        yield path, _endpoint(StaticDocument(_html(contents, view, prefix), "text/html", PAGE_HEADERS))
    board = _endpoint(StaticDocument(_html(contents, "match/embed.js", prefix), "text/html", EMBED_HEADERS))
    for path in EMBED_PATHS:
        yield path, board
    current: dict[str, Endpoint] = {}
    for name, content in contents.items():
        kind = MEDIA_TYPES.get(name.rpartition(".")[2])
        if kind:
            current[name] = _endpoint(StaticDocument(content, kind, HEADERS))
            yield f"/page/{name}", current[name]
            yield prefix + name, _endpoint(StaticDocument(content, kind, HEADERS, IMMUTABLE))
    yield "/page/rules/{game}/{locale}", _rules
    yield "/page/{digest}/{name:path}", _other_version(current)


def _contents(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file."""
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            yield from _contents(file, f"{prefix}{file.name}/")
        else:
            yield prefix + file.name, file.read_bytes()


def _digest(contents: Mapping[str, bytes]) -> str:
    """A digest of all files: of each alone would not do, since modules import each other by relative paths."""
    return hashlib.sha256(repr(contents).encode()).hexdigest()[:16]


def _html(contents: Mapping[str, bytes], view: str, prefix: str) -> bytes:
    """The document for a view. It names all modules, which browsers then load at once, not import after import."""
    modules = [*dict.fromkeys([*_modules(contents, "main.js"), *_modules(contents, view)])]
    links = "".join([f'<link rel="modulepreload" href="/page/{name}">\n    ' for name in modules])
    script = '<script type="module"'
    html = contents["index.html"].decode().replace(script, links + script)
    return html.replace('="/page/', f'="{prefix}').encode()


def _modules(contents: Mapping[str, bytes], name: str, known: Sequence[str] = ()) -> list[str]:
    """A module and all that it imports."""
    found = [*known, name]
    for imported in _IMPORT.findall(contents[name].decode()):
        target = normpath(join(dirname(name), imported))
        if target not in found:
            found = _modules(contents, target, found)
    return found


def _other_version(current: Mapping[str, Endpoint]) -> Endpoint:
    """Files of this version for a page of another one, as during an upgrade and in tabs that stay open."""

    async def serve(request: Request) -> Response:
        endpoint = current.get(request.path_params["name"])
        if endpoint is None:
            raise HTTPException(404)
        return await endpoint(request)

    return serve


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
