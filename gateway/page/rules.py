"""The pages of `docs/games`, the rules of each game, as HTML: what players need, without the sections for programs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

from runtime.rules_pages import rules_pages

_MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
"""Without raw HTML: the page inserts the result into its document."""
_MARKDOWN.add_render_rule("image", lambda *_: "")  # the match already shows the board
_SECTION: Final = re.compile("^(?=## )", re.MULTILINE)
_FOR_PROGRAMS: Final = "<!-- for programs -->"
"""A line of the sections about notation, messages, randomness and parts of pictures."""


def rules_html(game: str, locale: str) -> str | None:
    """The rules of a game as HTML, from the first section on; None without a page in the language."""
    page = rules_pages().get((game, locale))
    return None if page is None else _rendered(page)


@cache
def _rendered(page: Path) -> str:
    _, *sections = _SECTION.split(page.read_text("utf-8"))
    html: str = _MARKDOWN.render("".join(section for section in sections if _FOR_PROGRAMS not in section))
    return html
