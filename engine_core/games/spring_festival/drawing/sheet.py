"""What all parts of a picture of Spring Festival share: the view with what follows from it, and marks and labels."""

from __future__ import annotations

from typing import Final

from engine_core.game import Score
from engine_core.games.spring_festival import components, stages
from engine_core.games.spring_festival.components import ROUNDS
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES
from engine_core.games.spring_festival.display import Display, empty_display
from engine_core.games.spring_festival.drawing.pieces import EXPLOSIONS, ROCKETS, TILE, Titles, star, titles_in
from engine_core.games.spring_festival.score import score
from engine_core.games.spring_festival.state import SpringFestivalOptions, SpringFestivalSeat, SpringFestivalState
from engine_core.games.spring_festival.view import SpringFestivalSeatView, SpringFestivalView
from engine_core.pictures import Setting
from engine_core.pictures.svg import Drawing, Value
from engine_core.words import Words

WIDTH: Final = 1000
MARGIN: Final = 16
GAP: Final = 22
"""Space between boxes: half a label on the border of a box fits into it."""
TEXT: Final = 22
"""The smallest font size."""

STAGE_KEYS: Final = [
    "", "setup_store", "setup_pattern", "setup_colour", "setup_sign", "setup_first_seat", "lay", "orient", "stock",
    "place", "compose", "pattern", "colour", "finale", "over",
]  # fmt: skip
"""Words of the stages, by number."""

STAR: Final = star(0, 0, 14, 6, 5)
TRIANGLE: Final = "M-7-9L9 0-7 9z"
CHECK: Final = "M-10 0l7 8L10-8"
CROSS: Final = "M-8-8L8 8M8-8L-8 8"
RING: Final = "M-8 0a8 8 0 1016 0a8 8 0 10-16 0z"
"""Marks about a point."""


class Scene:
    """A picture that is being drawn: the view, its setting, and what follows from the view."""

    def __init__(self, view: SpringFestivalView, setting: Setting, height: int) -> None:
        self.view: Final = view
        self.setting: Final = setting
        self.words: Final[Words] = setting.words
        self.theme: Final = setting.theme
        self.titles: Final[Titles] = titles_in(setting.words)
        self.displays: Final = [_display(seat) for seat in view.seats]
        self.score: Final[Score] = score(_public_state(view, self.displays))
        self.drawing: Final = Drawing(WIDTH, height, setting.words.title, self._description())

    def say(self, key: str, *places: str) -> str:
        """A text of the pictures."""
        return self.words.names["picture"][key].format(*places)

    def labelled(self, label: str, text: str) -> str:
        """A label and what it says."""
        return self.say("labelled", label, text)

    def points(self, points: int) -> str:
        """So many points, in digits."""
        if points == 1:
            return f"1 {self.words.name('thing', 'point')}"
        return self.words.names["thing.several"]["point"].format(points)

    def stage(self) -> str:
        """What happens now, or why the match is over."""
        text = self.words.name("stage", STAGE_KEYS[self.view.stage])
        if self.score.reason:
            text = self.labelled(text, self.words.name("reason", self.score.reason))
        return capitalised(text)

    def seat_title(self, number: int) -> str:
        """A seat in a few words."""
        seat = self.view.seats[number]
        facts = [self.points(self.score.standings[number].points)]
        facts.append(self.labelled(self.words.name("score", "applause"), str(seat.applause)))
        status = self.status(number)
        if status:
            facts.append(self.say(status))
        if seat.completed:
            facts.append(self.labelled(self.say("completed"), " ".join([COMPOSITION_NAMES[c] for c in seat.completed])))
        return self.labelled(self.setting.name(number), ", ".join(facts))

    def status(self, number: int) -> str:
        """The key of what a seat is doing; empty for nothing."""
        if is_to_move(self.view, number):
            return "to_move"
        if number in self.score.winners:
            return "won"
        if self.view.seats[number].has_left:
            return "left"
        return "chosen" if _has_chosen(self.view, number) else ""

    def text(
        self,
        x: float,
        y: float,
        content: str,
        size: float = TEXT,
        colour: str = "",
        anchor: str = "",
        bold: bool = False,
    ) -> None:
        """A line of text, in `ink` unless another colour is given."""
        attributes: dict[str, Value] = {"font_size": size, "fill": colour or self.theme.ink}
        if anchor:
            attributes["text_anchor"] = anchor
        if bold:
            attributes["font_weight"] = "bold"
        self.drawing.text(x, y, content, attributes)

    def box(self, x: float, y: float, width: float, height: float, fill: str, line: str, line_width: float) -> None:
        """A rounded box."""
        size: dict[str, Value] = {"x": x, "y": y, "width": width, "height": height, "rx": 14}
        self.drawing.element("rect", {**size, "fill": fill, "stroke": line, "stroke_width": line_width})

    def tile(self, tile: int, exploded: bool, x: float, y: float, size: float, title: str, part: str = "") -> None:
        """A tile in a box of `size`, in a group with the attributes `TILES_GROUP`."""
        attributes: dict[str, Value] = {"id": part} if part else {}
        attributes["transform"] = f"translate({x:.4g} {y:.4g}) scale({size / TILE:.4g})"
        self.drawing.begin(attributes, title)
        self.drawing.insert(EXPLOSIONS[tile] if exploded else ROCKETS[tile])
        self.drawing.end()

    def mark(self, x: float, y: float, path: str, fill: str, line: str = "none") -> None:
        """A small shape about a point."""
        place = f"translate({x:.4g} {y:.4g})"
        self.drawing.element("path", {"transform": place, "d": path, "fill": fill, "stroke": line, "stroke_width": 3})

    def badge(self, x: float, y: float, number: int) -> None:
        """The number of a seat in a circle."""
        self.drawing.element("circle", {"cx": x, "cy": y, "r": 16, "fill": self.theme.ink})
        self.text(x, y + 8, str(number + 1), TEXT, self.theme.paper, "middle", True)

    def _description(self) -> str:
        """The position in a few words, for screen readers."""
        lines = [self.stage()]
        if self.view.round:
            lines.append(self.say("round", str(self.view.round), str(ROUNDS)))
        lines.extend([self.seat_title(number) for number in range(len(self.view.seats))])
        return ". ".join(lines)


def capitalised(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


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


def _display(seat: SpringFestivalSeatView) -> Display:
    display = empty_display()
    shown = seat.display
    for tile, square in zip(shown.tiles, shown.squares, strict=True):
        display.put_tile(tile, square)
    display.exploded = shown.exploded
    return display


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
