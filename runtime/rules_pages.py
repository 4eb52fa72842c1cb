"""The pages of `docs/games`, which explain the rules of each game in each language."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

RUNTIME: Final = Path(__file__).parent
FOLDERS: Final = [RUNTIME / "game_pages", RUNTIME.with_name("docs") / "games"]
"""Folders of the pages: in a wheel, and in the sources."""


@cache
def rules_pages() -> dict[tuple[str, str], Path]:
    """The file of each page, in Markdown, by game and language."""
    folder = next(folder for folder in FOLDERS if folder.is_dir())
    pages = {}
    for page in folder.glob("*.md"):
        game, _, locale = page.stem.partition(".")
        pages[game, locale or "en"] = page
    return pages
