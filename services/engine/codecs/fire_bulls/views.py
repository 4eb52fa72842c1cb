"""Views of Fire Bulls in messages."""

from __future__ import annotations

from typing import Final

from engine_core.games.fire_bulls.cards import PILES, SQUARES
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsView, SeatView
from services.engine.codecs.fire_bulls.cards import WIDTH, PointCards
from services.engine.codecs.fire_bulls.options import PROFILES
from services.engine.wire import Writer


class Views:
    """Writes views."""

    def __init__(self) -> None:
        self._undrawn: Final = PointCards(6)
        self._removed: Final = PointCards(7)
        self._victory: Final = PointCards(6)
        self._won_now: Final = PointCards(7)

    def write(self, view: FireBullsView) -> bytes:
        """A `View`."""
        out = Writer()
        out.number(1, PROFILES.index(view.profile) + 1)
        out.number(2, view.stage)
        out.number(3, view.active)
        for seat in view.seats:
            self._write_seat(out, 4, seat)
        for pile in range(PILES):
            _write_column(out, 5, view, pile)
        self._undrawn.write(out, view.undrawn)
        self._removed.write(out, view.removed)
        out.number(8, view.general)
        out.number(9, view.deck_size)
        out.counts(10, view.at_most, WIDTH)
        out.counts(11, view.discards, WIDTH)
        out.counts(12, view.reserve, WIDTH)
        out.number(13, view.exhaustions)
        out.number(14, view.quiet_turns)
        out.number(15, view.direction)
        out.number(16, view.captures)
        out.number(17, view.capture_limit)
        out.number(18, view.warriors_owed)
        out.number(19, view.power + 1)
        out.number(20, view.general_winner)
        return out.done()

    def _write_seat(self, out: Writer, field: int, seat: SeatView) -> None:
        place = out.begin(field)
        out.number(1, seat.colour + 1)
        out.number(2, seat.place)
        out.number(3, seat.hand_size)
        if seat.hand != NO_HAND:
            out.counts(4, seat.hand, WIDTH)
        out.counts(5, seat.known, WIDTH)
        self._victory.write(out, seat.victory)
        self._won_now.write(out, seat.won_now)
        out.number(8, seat.penalty + 1)
        out.flag(9, seat.left)
        out.end(place)


def _write_column(out: Writer, field: int, view: FireBullsView, pile: int) -> None:
    place = out.begin(field)
    out.number(1, view.piles[pile])
    cards = out.begin(2)
    for square in range(pile, SQUARES, PILES):
        out.element(view.squares[square] + 1)
    out.end(cards)
    out.end(place)
