"""The view of the seat whose legal moves a unary call returns: sentences of a localized response are made from it."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

from engine_core.game import View
from engine_core.games import AnyGame

_VIEW: Final[ContextVar[list[View] | None]] = ContextVar("view", default=None)


class WantedView:
    """Within this context `offer_view` keeps the view; elsewhere none is built."""

    def __init__(self) -> None:
        self._offered: Final[list[View]] = []

    def __enter__(self) -> WantedView:
        self._token = _VIEW.set(self._offered)
        return self

    def __exit__(self, *error: object) -> None:
        _VIEW.reset(self._token)

    @property
    def view(self) -> View | None:
        """The view that was offered; None for a call without legal moves."""
        return self._offered[-1] if self._offered else None


def offer_view(game: AnyGame, state: object, seat: int) -> None:
    """Build the view of a seat whose legal moves are returned, if the response will be localized."""
    offered = _VIEW.get()
    if offered is not None and seat >= 0:
        offered.append(game.view(state, seat))
