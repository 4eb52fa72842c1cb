"""Source: an iterator over finished matches, from a store, a ledger or files. An archive only has to be one more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from google.protobuf.message import Message

from cli.translation import gettext


class SourceMatch(NamedTuple):
    """A finished match of a source."""

    match_id: str
    game: str
    """Name of the game, for example `fire_bulls`."""
    read: Callable[[], Message]
    """Reads its `MatchRecord`. Raises a `ServiceError` if there is none, for example for a match of unknown rules."""
    created_ms: int = 0
    """When it was started, in milliseconds since 1970; 0 if the source does not know."""


Source: TypeAlias = Iterator[SourceMatch]


def matches_after(source: Source, match_id: str) -> Source:
    """The matches of a source after one of them. Raises `ValueError` if the source does not have that one."""
    for match in source:
        if match.match_id == match_id:
            yield from source
            return
    raise ValueError("--after: " + gettext("there is no match {match} here", match=repr(match_id)))
