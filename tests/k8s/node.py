"""A value in a built manifest with its path, for messages of failed assertions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final


class Node:
    """A YAML value; a missing key gives a node without a value."""

    def __init__(self, value: object, path: str = "") -> None:
        self.value: Final = value
        self.path: Final = path

    def __getitem__(self, key: str) -> Node:
        inside = self.value if isinstance(self.value, dict) else {}
        return Node(inside.get(key), f"{self.path}.{key}")

    def __iter__(self) -> Iterator[Node]:
        """The elements of a list; none for a node without a value."""
        assert self.value is None or isinstance(self.value, list), f"{self.path} is no list"
        for number, value in enumerate(self.value or []):
            yield Node(value, f"{self.path}[{number}]")

    def __bool__(self) -> bool:
        return self.value is not None

    def __repr__(self) -> str:
        return f"{self.path}: {self.value!r}"

    @property
    def text(self) -> str:
        assert isinstance(self.value, str), f"{self!r} is no text"
        return self.value

    @property
    def number(self) -> int:
        assert type(self.value) is int, f"{self!r} is no number"
        return self.value

    @property
    def texts(self) -> list[str]:
        return [node.text for node in self]

    @property
    def keys(self) -> list[str]:
        return list(self.value) if isinstance(self.value, dict) else []

    @property
    def table(self) -> dict[str, str]:
        """Texts by name."""
        return {key: self[key].text for key in self.keys}
