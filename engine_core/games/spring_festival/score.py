"""Score of a Spring Festival match: finale, applause, majorities, compositions and sign."""

from __future__ import annotations

from engine_core.game import Points, Score
from engine_core.games.spring_festival import signs
from engine_core.games.spring_festival.components import APPLAUSE, EXPLODED_TILE, MAJORITY
from engine_core.games.spring_festival.compositions import COMPOSITIONS
from engine_core.games.spring_festival.display import slot_count
from engine_core.games.spring_festival.state import NO_SIGN, SpringFestivalSeat, SpringFestivalState
from engine_core.ranking import ranked_score


def majorities(state: SpringFestivalState, seat: SpringFestivalSeat) -> int:
    """Points for opponents with less applause, including those that have left (FW-55)."""
    return MAJORITY * sum([other.applause < seat.applause for other in state.seats])


def composition_label(card: int) -> str:
    """The label of the points of a completed card."""
    return f"composition-{COMPOSITIONS[card].name.lower()}"


def breakdown(state: SpringFestivalState, seat: SpringFestivalSeat) -> list[Points]:
    """The points of a seat: the finale counts once it is launched (FW-72), the sign once displays are public."""
    lines = [
        Points("finale", EXPLODED_TILE * slot_count(seat.display.exploded) if seat.has_launched else 0),
        Points("applause", APPLAUSE * seat.applause),
        Points("majorities", majorities(state, seat)),
    ]
    for card in seat.completed:
        lines.append(Points(composition_label(card), COMPOSITIONS[card].points))
    if state.sign != NO_SIGN:
        lines.append(Points("sign", signs.points(seat.display, state.sign) if state.round else 0))
    return lines


def score(state: SpringFestivalState) -> Score:
    """Ranks by points, then by applause; seats that have left come last (FW-56, FW-70)."""
    breakdowns = [breakdown(state, seat) for seat in state.seats]
    keys: list[tuple[int, ...]] = [
        (not seat.has_left, sum([line.points for line in lines]), seat.applause)
        for seat, lines in zip(state.seats, breakdowns, strict=True)
    ]
    return ranked_score(breakdowns, keys, state.reason)
