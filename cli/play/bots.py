"""Seats that this client plays beside the person's, each with a strategy and its own token."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from threading import Event, Thread
from typing import Final

from cli.play.watching import Watch
from cli.rest_client import Match, Refused, Rest
from cli.strategies import STRATEGIES

PASSED: Final = frozenset({"STALE_REVISION", "ILLEGAL_MOVE", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Reasons that only say that the match has gone on between the list of moves and the choice."""
STOP_SECONDS: Final = 2.0
"""How long a choice that is being made may take when the bots are to stop."""


class Bots:
    """Plays its seats in a thread, so that other persons need not wait for this one."""

    def __init__(
        self, rest: Rest, game: str, match_id: str, strategies: Mapping[int, str], tokens: Mapping[int, str]
    ) -> None:
        self._rest: Final = rest
        self._game: Final = game
        self._id: Final = match_id
        self._strategies: Final = strategies
        self._tokens: Final = tokens
        self._random: Final = Random()
        self._stopping: Final = Event()
        self._thread: Final = Thread(target=self._run, daemon=True)
        self._moved: Callable[[], None] = lambda: None
        self.watch: Final = Watch(rest, game, match_id, next(iter(tokens.values()), None))
        self.fault: Exception | None = None
        """What has ended the bots before the match ended."""

    def start(self, moved: Callable[[], None]) -> None:
        """Begin to play, if there is anything to play; `moved` is called after each move."""
        self._moved = moved
        if self._tokens:
            self._thread.start()

    def stop(self) -> None:
        """Play no more."""
        self._stopping.set()
        self.watch.hint()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._play()
        except (OSError, ValueError) as error:
            self.fault = error
            self._moved()

    def _play(self) -> None:
        match = self.watch.now()
        while not match["over"] and not self._stopping.is_set():
            owing = [seat for seat in match["toMove"] if seat in self._tokens]
            for seat in owing:
                self._choose(seat, match)
            match = self.watch.now() if owing else self.watch.beyond(match["revision"]) or match

    def _choose(self, seat: int, match: Match) -> None:
        token = self._tokens[seat]
        moves = self._rest.legal_moves(self._game, self._id, token)
        if not moves:  # its time has run out meanwhile
            return
        try:
            move = STRATEGIES[self._strategies[seat]](moves, self._random)
            self._rest.apply(self._game, self._id, token, move, match["revision"], f"{seat}-{match['revision']}")
        except Refused as error:
            if error.reason not in PASSED:
                raise
        self._moved()
