"""Polling of a match for changes over REST, with exponential backoff."""

from __future__ import annotations

from threading import Event
from typing import Final

from cli.rest_client import MatchJson, RestClient

FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 2.0
PAUSE_GROWTH: Final = 1.5
"""The pause between two polls without a change grows by this factor."""


class MatchPoller:
    """Polls one match, as the holder of a token or a spectator sees it."""

    def __init__(self, rest: RestClient, game: str, match_id: str, token: str | None) -> None:
        self._rest: Final = rest
        self._game: Final = game
        self._id: Final = match_id
        self._token: Final = token
        self._wake_event: Final = Event()
        self._pause = FIRST_PAUSE_SECONDS

    def current(self) -> MatchJson:
        """The current match."""
        return self._rest.match(self._game, self._id, self._token)

    def changed_since(self, revision: int) -> MatchJson | None:
        """The match if its revision differs; otherwise None, after a pause."""
        match = self._rest.match_if_changed(self._game, self._id, self._token, revision)
        if match:
            self._pause = FIRST_PAUSE_SECONDS
            return match
        if self._wake_event.wait(self._pause):
            self._wake_event.clear()
            self._pause = FIRST_PAUSE_SECONDS
        else:
            self._pause = min(PAUSE_GROWTH * self._pause, LONGEST_PAUSE_SECONDS)
        return None

    def wake(self) -> None:
        """Poll at once: the match has probably changed. Thread-safe."""
        self._wake_event.set()
