"""Client-side bots of `fireside play`: a thread that plays seats over REST, each by a strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from threading import Event, Thread
from typing import Final

from cli.play.polling import MatchPoller
from cli.rest_client import MatchJson, RestClient, RestError
from cli.strategies import STRATEGIES

RACE_REASONS: Final = frozenset({"STALE_REVISION", "ILLEGAL_MOVE", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Error reasons that mean only that the match changed between listing the moves and choosing one."""
STOP_SECONDS: Final = 2.0
"""Longest wait for a choice in progress when the bots stop."""


class ClientBots:
    """Plays its seats in a thread, so that other players do not wait for the person at this terminal."""

    def __init__(
        self, rest: RestClient, game: str, match_id: str, strategies: Mapping[int, str], tokens: Mapping[int, str]
    ) -> None:
        self._rest: Final = rest
        self._game: Final = game
        self._id: Final = match_id
        self._strategies: Final = strategies
        self._tokens: Final = tokens
        self._random: Final = Random()
        self._stopping: Final = Event()
        self._thread: Final = Thread(target=self._run, daemon=True)
        self._on_move: Callable[[], None] = lambda: None
        self.poller: Final = MatchPoller(rest, game, match_id, next(iter(tokens.values()), None))
        self.error: Exception | None = None
        """The error that stopped the bots before the match was over."""

    def start(self, on_move: Callable[[], None]) -> None:
        """Start playing, if there are seats to play; `on_move` is called after each move."""
        self._on_move = on_move
        if self._tokens:
            self._thread.start()

    def stop(self) -> None:
        """Stop playing; waits at most `STOP_SECONDS` for a choice in progress."""
        self._stopping.set()
        self.poller.wake()
        if self._thread.is_alive():
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        try:
            self._play()
        except (OSError, ValueError) as error:
            self.error = error
            self._on_move()

    def _play(self) -> None:
        match = self.poller.current()
        while not match["over"] and not self._stopping.is_set():
            bot_seats = [seat for seat in match["toMove"] if seat in self._tokens]
            for seat in bot_seats:
                self._choose(seat, match)
            match = self.poller.current() if bot_seats else self.poller.changed_since(match["revision"]) or match

    def _choose(self, seat: int, match: MatchJson) -> None:
        token = self._tokens[seat]
        moves = [*self._rest.legal_moves(self._game, self._id, token)]
        if not moves:  # the seat's time has run out: the service makes the default move
            return
        try:
            move = STRATEGIES[self._strategies[seat]](moves, self._random)
            self._rest.apply(self._game, self._id, token, move, match["revision"], f"{seat}-{match['revision']}")
        except RestError as error:
            if error.reason not in RACE_REASONS:
                raise
        self._on_move()
