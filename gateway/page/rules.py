"""The pages of `docs/games`, the rules of each game, as HTML."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from runtime.rules_pages import rules_pages

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
"""Without raw HTML: the page inserts the result into its document."""
_MARKDOWN.add_render_rule("image", lambda *_: "")  # the match already shows the board


def rules_html(game: str, locale: str) -> str | None:
    """The page of a game as HTML; None without one in the language."""
    page = rules_pages().get((game, locale))
    return None if page is None else _rendered(page)


@cache
def _rendered(page: Path) -> str:
    html: str = _MARKDOWN.render(page.read_text("utf-8"))
    return html
