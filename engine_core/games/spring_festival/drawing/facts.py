"""What a view says beyond its fields: seats to move, displays, the score as it stands, and the position in words."""

from __future__ import annotations

from typing import Final

from engine_core.game import Score
from engine_core.games.spring_festival import components, stages
from engine_core.games.spring_festival.components import ROUNDS
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES
from engine_core.games.spring_festival.display import Display, empty_display
from engine_core.games.spring_festival.score import score
from engine_core.games.spring_festival.state import SpringFestivalOptions, SpringFestivalSeat, SpringFestivalState
from engine_core.games.spring_festival.view import SpringFestivalSeatView, SpringFestivalView
from engine_core.pictures import Setting
from engine_core.words import Words, capitalised

STAGE_NAMES: Final = [
    "", "setup_store", "setup_pattern", "setup_colour", "setup_sign", "setup_first_seat", "lay", "orient", "stock",
    "place", "compose", "pattern", "colour", "finale", "over",
]  # fmt: skip
"""The key of each stage among the words, by its number."""


def is_to_move(view: SpringFestivalView, number: int) -> bool:
    """Whether a seat owes a choice. Default moves are made for one that has left."""
    seat = view.seats[number]
    if seat.has_left:
        return False
    if view.stage == stages.ORIENTING:
        return number == view.active_seat
    if view.stage == stages.COMPOSING:
        return number == view.composing_seat
    if view.stage == stages.LAYING:
        return seat.laid < components.SET_SIZE
    if view.stage == stages.PLACING:
        return not seat.committed
    return view.stage == stages.FINALE and not seat.has_launched


def is_choosing_square(view: SpringFestivalView) -> bool:
    """Whether the observer is to lay or place a tile."""
    return view.stage in (stages.LAYING, stages.PLACING) and view.observer >= 0 and is_to_move(view, view.observer)


def _has_chosen(view: SpringFestivalView, number: int) -> bool:
    """Whether a seat has made a choice that others still owe."""
    seat = view.seats[number]
    if view.stage == stages.LAYING:
        return seat.laid == components.SET_SIZE
    return seat.committed or (view.stage == stages.FINALE and seat.has_launched)


def display_of(seat: SpringFestivalSeatView) -> Display:
    """The tiles of a seat that the view shows."""
    display = empty_display()
    shown = seat.display
    for tile, square in zip(shown.tiles, shown.squares, strict=True):
        display.put_tile(tile, square)
    display.exploded = shown.exploded
    return display


def score_of(view: SpringFestivalView, displays: list[Display]) -> Score:
    """The score as it stands."""
    return score(_public_state(view, displays))


def _public_state(view: SpringFestivalView, displays: list[Display]) -> SpringFestivalState:
    """A state that has what the view shows and the score counts."""
    seats = []
    for seat, display in zip(view.seats, displays, strict=True):
        shown = SpringFestivalSeat(display, seat.cards, seat.completed)
        shown.applause = seat.applause
        shown.has_launched = seat.has_launched
        shown.has_left = seat.has_left
        seats.append(shown)
    state = SpringFestivalState(SpringFestivalOptions(), seats, [], [], [], [], [], [])
    state.round = view.round
    state.sign = view.sign
    if view.stage == stages.OVER:
        state.reason = "left" if sum([not seat.has_left for seat in view.seats]) <= 1 else "finale"
    return state


def status_of(view: SpringFestivalView, score: Score, number: int) -> str:
    """The key of what a seat is doing; empty for nothing."""
    if is_to_move(view, number):
        return "to_move"
    if number in score.winners:
        return "won"
    if view.seats[number].has_left:
        return "left"
    return "chosen" if _has_chosen(view, number) else ""


def points_text(points: int, words: Words) -> str:
    """So many points, in digits."""
    if points == 1:
        return f"1 {words.name('thing', 'point')}"
    return words.names["thing.several"]["point"].format(points)


def stage_text(view: SpringFestivalView, score: Score, words: Words) -> str:
    """What happens now, or why the match is over."""
    text = words.name("stage", STAGE_NAMES[view.stage])
    if score.reason:
        text = words.sentence("picture.labelled", text, words.name("reason", score.reason))
    return capitalised(text)


def seat_text(view: SpringFestivalView, score: Score, setting: Setting, number: int) -> str:
    """A seat in a few words."""
    seat, words = view.seats[number], setting.words
    facts = [points_text(score.standings[number].points, words)]
    facts.append(words.sentence("picture.labelled", words.name("score", "applause"), str(seat.applause)))
    status = status_of(view, score, number)
    if status:
        facts.append(words.sentence(f"picture.{status}"))
    if seat.completed:
        names = " ".join([COMPOSITION_NAMES[card] for card in seat.completed])
        facts.append(words.sentence("picture.labelled", words.sentence("picture.completed"), names))
    return words.sentence("picture.labelled", setting.name(number), ". ".join(facts))


def situation(view: SpringFestivalView, score: Score, setting: Setting) -> str:
    """What screen readers say of a position: stage, round and seats."""
    sentences = [stage_text(view, score, setting.words)]
    if view.round:
        sentences.append(setting.words.sentence("picture.round", str(view.round), str(ROUNDS)))
    sentences.extend([seat_text(view, score, setting, number) for number in range(len(view.seats))])
    return ". ".join(sentences)
