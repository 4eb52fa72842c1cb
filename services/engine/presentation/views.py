"""Source of the texts of a localized response, in addition to the response: a view, and what log entries brought."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Final

from engine_core.game import View
from engine_core.games import AnyGame
from engine_core.match import Entry
from engine_core.words import Words
from services.engine.presentation.narrator import Clauses, Narrator

_WANTED: Final[ContextVar[WantedTexts | None]] = ContextVar("wanted_texts", default=None)


class WantedTexts:
    """Within this context calls offer what texts are made from; elsewhere no view is built for them."""

    def __init__(self, words: Words) -> None:
        self.words: Final = words
        self.view: View | None = None
        """That of the seat whose legal moves are returned; None for a call without legal moves."""
        self.clauses: Final[Clauses] = {}
        """What the returned log entries brought."""

    def __enter__(self) -> WantedTexts:
        self._token = _WANTED.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        _WANTED.reset(self._token)


def offer_view(game: AnyGame, state: object, seat: int) -> None:
    """Build the view of a seat whose legal moves are returned, if the response will be localized."""
    wanted = _WANTED.get()
    if wanted is not None and seat >= 0:
        wanted.view = game.view(state, seat)


def texts_are_wanted() -> bool:
    """Whether the response will be localized."""
    return _WANTED.get() is not None


def wanted_narrator(game: AnyGame, state: object, observer: int) -> Narrator | None:
    """The narrator of the log entries that are returned, from this position on; None if no texts are wanted."""
    wanted = _WANTED.get()
    return None if wanted is None else Narrator(game, state, observer, wanted.words, wanted.clauses)


def copy_if_wanted(game: AnyGame, state: object) -> object | None:
    """A copy of the position before a step, for `offer_entries`; None if no texts are wanted."""
    return None if _WANTED.get() is None else game.copy(state)


def offer_entries(game: AnyGame, before: object | None, entries: Sequence[Entry], observer: int) -> None:
    """Say what the entries of a step brought; `before` is what `copy_if_wanted` returned."""
    if before is not None and (narrator := wanted_narrator(game, before, observer)):
        narrator.tell_all(entries, before)
