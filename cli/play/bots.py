"""Client-side bots of `fireside play`: a thread that plays seats over REST, each by a strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from threading import Event, Thread
from typing import Final

from cli.client import AnyGameClient
from cli.play.polling import MatchPoller
from cli.strategies import STRATEGIES
from fireside_client import FiresideError
from fireside_client.types.any_game import Match

RACE_REASONS: Final = frozenset({"STALE_REVISION", "ILLEGAL_MOVE", "NOT_YOUR_TURN", "MATCH_OVER"})
"""Error reasons that mean only that the match changed between listing the moves and choosing one."""
STOP_SECONDS: Final = 2.0
"""Longest wait for a choice in progress when the bots stop."""


class ClientBots:
    """Plays its seats in a thread, so that other players do not wait for the person at this terminal."""

    def __init__(
        self, game: AnyGameClient, match_id: str, strategies: Mapping[int, str], tokens: Mapping[int, str]
    ) -> None:
        self._strategies: Final = strategies
        self._seats: Final = {seat: game.match(match_id, token) for seat, token in tokens.items()}
        self._random: Final = Random()
        self._stopping: Final = Event()
        self._thread: Final = Thread(target=self._run, daemon=True)
        self._on_move: Callable[[], None] = lambda: None
        self.poller: Final = MatchPoller(game.match(match_id, next(iter(tokens.values()), "")))
        self.error: Exception | None = None
        """The error that stopped the bots before the match was over."""

    def start(self, on_move: Callable[[], None]) -> None:
        """Start playing, if there are seats to play; `on_move` is called after each move."""
        self._on_move = on_move
        if self._seats:
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
            bot_seats = [seat for seat in match["toMove"] if seat in self._seats]
            for seat in bot_seats:
                self._choose(seat, match)
            match = self.poller.current() if bot_seats else self.poller.changed_since(match["revision"]) or match

    def _choose(self, seat: int, match: Match) -> None:
        client = self._seats[seat]
        moves = [move["notation"] for move in client.legal_moves()]
        if not moves:  # the seat's time has run out: the service makes the default move
            return
        try:
            move = STRATEGIES[self._strategies[seat]](moves, self._random)
            client.apply(move, expected_revision=match["revision"], request_id=f"{seat}-{match['revision']}")
        except FiresideError as error:
            if error.reason not in RACE_REASONS:
                raise
        self._on_move()
