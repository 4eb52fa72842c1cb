"""Waiting for a match to go on."""

from __future__ import annotations

from threading import Event
from typing import Final

from cli.rest_client import Match, Rest

FIRST_SECONDS: Final = 0.1
MOST_SECONDS: Final = 2.0
GROWTH: Final = 1.5
"""The pause between two looks at a match in which nothing happens grows from the first to the second."""


class Watch:
    """One observer of a match, who learns when it has gone on.

    Whoever knows a faster way than to ask again and again, a stream of events for example, puts it into `beyond`.
    """

    def __init__(self, rest: Rest, game: str, match_id: str, token: str | None) -> None:
        self._rest: Final = rest
        self._game: Final = game
        self._id: Final = match_id
        self._token: Final = token
        self._hint: Final = Event()
        self._pause = FIRST_SECONDS

    def now(self) -> Match:
        """The match as it is."""
        return self._rest.match(self._game, self._id, self._token)

    def beyond(self, revision: int) -> Match | None:
        """The match once it has another revision, or None after a pause in which nothing has happened."""
        match = self._rest.match_beyond(self._game, self._id, self._token, revision)
        if match:
            self._pause = FIRST_SECONDS
            return match
        if self._hint.wait(self._pause):
            self._hint.clear()
            self._pause = FIRST_SECONDS
        else:
            self._pause = min(GROWTH * self._pause, MOST_SECONDS)
        return None

    def hint(self) -> None:
        """Look at once: the match has probably gone on. May be called from another thread."""
        self._hint.set()
