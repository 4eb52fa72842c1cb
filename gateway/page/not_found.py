"""What browsers are shown for an unknown path: a document in the language of the person, with a link home."""

from __future__ import annotations

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from gateway.problems import MEDIA_TYPE, NO_STORE
from gateway.routing.languages import HEADER, accepted_language

HEADERS: Final = {
    **NO_STORE,
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept, Accept-Language",
}
_DOCUMENT: Final = """<!doctype html>
<html lang="{locale}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>{title} · Fireside</title>
    <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/page/style.css">
  </head>
  <body>
    <main>
      <h1>{title}</h1>
      <p><a href="/">{home}</a></p>
    </main>
  </body>
</html>
"""


def prefers_html(request: Request) -> bool:
    """Whether a request is one of a browser that is to show a page: it prefers HTML to the JSON of problems."""
    accepted = parse_accept_header(request.headers.get("accept", ""), MIMEAccept)
    return request.method in ("GET", "HEAD") and accepted.best_match([MEDIA_TYPE, "text/html"]) == "text/html"


def not_found(request: Request) -> Response:
    """The response with the page."""
    return HTMLResponse(_document(accepted_language(request.headers.get(HEADER, ""))), 404, HEADERS)


@cache
def _document(locale: str) -> str:
    words = json.loads(files("gateway.page").joinpath(f"static/words/words.{locale}.json").read_text("utf-8"))
    return _DOCUMENT.format(locale=locale, title=escape(words["page.nowhere"]), home=escape(words["page.home"]))
