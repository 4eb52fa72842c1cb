"""Polling of a match for changes over REST, with exponential backoff."""

from __future__ import annotations

import time
from typing import Final

from cli.client import AnyMatchClient
from fireside_client.types.any_game import Match

FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2.0
PAUSE_GROWTH: Final = 1.5
"""The pause between two polls without a change grows by this factor."""


class MatchPoller:
    """Polls one match, as the holder of a token or a spectator sees it."""

    def __init__(self, client: AnyMatchClient) -> None:
        self._client: Final = client
        self._pause = FIRST_PAUSE_SECONDS

    def current(self) -> Match:
        """The current match."""
        return with_printable_names(self._client.get())

    def changed_since(self, revision: int) -> Match | None:
        """The match if its revision differs; otherwise None, after a pause."""
        match = self._client.get_if_changed(revision)
        if match:
            self._pause = FIRST_PAUSE_SECONDS
            return with_printable_names(match)
        time.sleep(self._pause)
        self._pause = min(PAUSE_GROWTH * self._pause, LONGEST_PAUSE_SECONDS)
        return None


def with_printable_names(match: Match) -> Match:
    """Replace control characters in the names of players: another user could manipulate the terminal."""
    for seat in match["seats"]:
        seat["name"] = "".join(character if character.isprintable() else "?" for character in seat["name"])
    return match
