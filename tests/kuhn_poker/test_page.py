"""`docs/new-game.md` builds Kuhn poker with the files that the tests use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^`(tests/kuhn_poker/[^`]+)`\n\n```[a-z]+\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall((ROOT / "docs/new-game.md").read_text())
FILES = ["rules.py", "picture.py", "words.en.json", "codec.py", "proto/fireside/kuhn_poker/v1/kuhn_poker.proto"]


def code_lines(text: str) -> list[str]:
    """The lines of a text that are not empty."""
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("file", FILES)
def test_the_page_shows_the_whole_file(file: str) -> None:
    path = f"tests/kuhn_poker/{file}"
    shown = [line for where, block in BLOCKS if where == path for line in code_lines(block)]
    assert shown == code_lines((ROOT / path).read_text())
