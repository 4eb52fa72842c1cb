"""What moves of Spring Festival brought, for the log: tiles, explosions, applause, rounds, points of the finale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine_core.game import Move
from engine_core.games.spring_festival import components, moves, signs, stages
from engine_core.games.spring_festival.display import Display, empty_display, slot_count
from engine_core.games.spring_festival.notation import SQUARE, TILE
from engine_core.games.spring_festival.state import NO_SIGN
from engine_core.games.spring_festival.view import DisplayView, SpringFestivalView
from engine_core.words import Words


def consequences(
    before: SpringFestivalView, seat: int, move: Move, after: SpringFestivalView, words: Words
) -> list[str]:
    """Clauses for what a move brought, from the views of one observer before and after it."""
    of_move = CLAUSES.get(type(move))
    clauses = _setup(before, words)
    if of_move is not None:
        clauses += of_move(before, seat, after, words)
    return clauses + _next_stage(before, after, words)


def _setup(before: SpringFestivalView, words: Words) -> list[str]:
    """What nature draws for in the setup, said at the first draw of each stage."""
    stage = before.stage
    if stage == stages.SETUP_STORE and before.top_tiles.count(components.NO_TILE) == components.PILES:
        return [words.clause("setup_store")]
    if stage == stages.SETUP_PATTERN and not any(seat.cards for seat in before.seats):
        return [words.clause("setup_compositions", str(2 * components.CARDS_OF_A_KIND))]
    return [words.clause("setup_first")] if stage == stages.SETUP_FIRST else []


def _store(before: SpringFestivalView, mover: int, after: SpringFestivalView, words: Words) -> list[str]:
    """The tiles that the seats get from the store."""
    return [
        words.clause("gets_tile", words.player(number), TILE.name(seat.tile, words))
        for number, seat in enumerate(after.seats)
    ]


def _placements(before: SpringFestivalView, mover: int, after: SpringFestivalView, words: Words) -> list[str]:
    """Covered tiles, explosions and applause of all seats, once the last one has placed its tile (FW-28)."""
    clauses: list[str] = []
    if after.stage == before.stage:
        return clauses
    for number, seat in enumerate(after.seats):
        earlier = before.seats[number]
        player = words.player(number)
        display = seat.display
        exploded_before = earlier.display.exploded
        for slot, tile in enumerate(earlier.display.tiles):
            if tile != display.tiles[slot]:
                exploded_before &= ~(1 << slot)  # the new tile is a rocket before it explodes (FW-24)
                square = SQUARE.name(display.squares[slot], words)
                clauses.append(words.clause("covers", player, TILE.name(tile, words), square))
        # By the chain, since the tiles show rockets again if the finale begins at once.
        chain = _display(display, exploded_before).explosion_chain(display.tiles.index(earlier.tile))
        exploded = words.several("thing", "explosion", slot_count(chain & ~exploded_before))
        applause = seat.applause - earlier.applause
        if applause:
            clauses.append(words.clause("explodes_applause", player, exploded, _applause(applause, words)))
        else:
            clauses.append(words.clause("explodes", player, exploded))
    return clauses


def _applause(number: int, words: Words) -> str:
    return words.several("thing", "applause", number)


def _launch(before: SpringFestivalView, mover: int, after: SpringFestivalView, words: Words) -> list[str]:
    """The points of a finale (FW-52), its applause (FW-53), and at the end the points of the sign."""
    seat = after.seats[mover]
    number = slot_count(seat.display.exploded)
    player = words.player(mover)
    points = words.several("thing", "point", components.EXPLODED_TILE * number)
    clauses = [words.clause("finale", player, str(number), str(len(seat.display.tiles)), points)]
    applause = seat.applause - before.seats[mover].applause
    if applause:
        clauses.append(words.clause("perfect_finale", player, _applause(applause, words)))
    return clauses + (_sign_points(after, words) if after.stage == stages.OVER and after.sign != NO_SIGN else [])


def _sign_points(view: SpringFestivalView, words: Words) -> list[str]:
    sign = words.one("sign", components.SIGNS[view.sign])
    return [
        words.clause(
            "sign_points",
            words.player(number),
            words.several("thing", "point", signs.points(_display(seat.display, 0), view.sign)),
            sign,
        )
        for number, seat in enumerate(view.seats)
    ]


def _display(view: DisplayView, exploded: int) -> Display:
    """The display of a view with these slots exploded."""
    display = empty_display()
    for slot, tile in enumerate(view.tiles):
        display.put_tile(tile, view.squares[slot])
    display.exploded = exploded
    return display


def _next_stage(before: SpringFestivalView, after: SpringFestivalView, words: Words) -> list[str]:
    """That a round or the finale begins."""
    if after.stage == stages.FINALE and before.stage != stages.FINALE:
        return [words.clause("finale_begins")]
    if after.round > before.round:
        active = words.player(after.active_seat)
        return [words.clause("round", str(after.round), str(components.ROUNDS), active)]
    return []


CLAUSES: Final[dict[type[Move], Callable[[SpringFestivalView, int, SpringFestivalView, Words], list[str]]]] = {
    moves.RotateStore: _store,
    moves.PlaceTile: _placements,
    moves.Launch: _launch,
}
"""The clauses of a move, by its class."""
