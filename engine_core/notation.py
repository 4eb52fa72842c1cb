"""Reading the notations of moves: one way to write each move, and many to read it.

Capitals, blanks and tabs mean nothing, nor does the order of equal things; what else differs is another move or none.
"""

from __future__ import annotations

from typing import Final

from engine_core.errors import MalformedMove

TEXT_MOST: Final = 200
"""Characters. The longest notation has 60, so that there is room for blanks."""


class Words:
    """The words of a notation, in small letters, read from left to right."""

    def __init__(self, text: str) -> None:
        """Raises `MalformedMove` for a text that is too long, or not ASCII, which no notation needs."""
        if len(text) > TEXT_MOST:
            raise MalformedMove(text[:TEXT_MOST], "it is too long")
        if not text.isascii():
            raise MalformedMove(text, "it has letters that no notation has")
        self.text: Final = text
        self.words: Final = text.lower().replace(":", " ").split()
        self.next = 0

    def word(self) -> str:
        if self.next == len(self.words):
            raise MalformedMove(self.text, "it ends too early")
        self.next += 1
        return self.words[self.next - 1]

    def has(self, word: str) -> bool:
        """Read on if the next word is this one."""
        if self.next < len(self.words) and self.words[self.next] == word:
            self.next += 1
            return True
        return False

    def is_done(self) -> bool:
        """Whether all are read."""
        return self.next == len(self.words)

    def one_of(self, names: list[str], what: str) -> int:
        """The place of the next word among names in small letters."""
        word = self.word()
        if word not in names:
            raise MalformedMove(self.text, f"{word!r} is not {what}")
        return names.index(word)

    def check_end(self, written: str) -> None:
        """Raise `MalformedMove` where more follows, or the colon stands elsewhere than in the notation as `written`."""
        if not self.is_done():
            raise MalformedMove(self.text, "it goes on after the move")
        if _parts(self.text) != _parts(written):
            raise MalformedMove(self.text, f"it is written {written!r}")


def _parts(text: str) -> list[int]:
    """The number of words before, between and after colons."""
    return [len(part.split()) for part in text.split(":")]
