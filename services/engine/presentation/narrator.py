"""What the entries of a log brought, as clauses for the texts of events: from the views of one observer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine_core.game import NATURE
from engine_core.games import AnyGame
from engine_core.match import Entry
from engine_core.words import Words

Clauses = dict[int, tuple[str, ...]]
"""What entries brought, by revision."""


class Narrator:
    """Follows a match entry by entry, and says in `clauses` what each brought to what one observer sees."""

    def __init__(self, game: AnyGame, state: object, observer: int, words: Words, clauses: Clauses) -> None:
        """`state` is the position before the first entry."""
        self.clauses: Final = clauses
        self._game: Final = game
        self._observer: Final = observer
        self._words: Final = words
        self._view = game.view(state, observer)

    def tell(self, entry: Entry, state: object) -> None:
        """Add the clauses of the next entry, which led to this position."""
        before, self._view = self._view, self._game.view(state, self._observer)
        move = entry.seen_by(self._observer)
        if move is not None:
            clauses = self._game.consequences(before, entry.seat, move, self._view, self._words)
            self.clauses[entry.revision] = tuple(clauses)

    def tell_all(self, entries: Sequence[Entry], state: object) -> None:
        """Add the clauses of entries, each made in `state`, a copy of the position before them."""
        for entry in entries:
            if entry.move is not None:
                self._game.apply(state, entry.seat, entry.move)
            elif entry.seat != NATURE and not entry.is_hint:
                self._game.leave(state, entry.seat)
            self.tell(entry, state)
