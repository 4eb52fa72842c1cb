"""Pictures of Fire Bulls: columns and lines, Qi deck and Reserve, the observer's hand, and the seats."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.game import Move
from engine_core.games.fire_bulls import artwork, moves, stages
from engine_core.games.fire_bulls.components import (
    ALL_COLOURS,
    ANY_COLOUR,
    ATTACK_CARDS,
    BO,
    COLONEL,
    COLOURS,
    DIRECTIONS,
    EMPTY,
    EMPTY_PILES_TO_END,
    EXHAUSTIONS_TO_END,
    GENERAL,
    HAND_LIMIT,
    LINES,
    PILES,
    POINT_CARD_NAMES,
    POINT_CARDS,
    POINT_KINDS,
    QUIET_TURNS_PER_SEAT,
    RULES_BY_PROFILE,
    SQUARE_NAMES,
    SQUARES,
    WARRIOR,
    WHITE,
)
from engine_core.games.fire_bulls.payments import cards_of_payment
from engine_core.games.fire_bulls.score import card_points, colour_points, highest_value
from engine_core.games.fire_bulls.state import GENERAL_ASIDE, GENERAL_WON, NO_SEAT
from engine_core.games.fire_bulls.view import NO_HAND, FireBullsSeatView, FireBullsView
from engine_core.pictures import Setting
from engine_core.pictures.svg import BOLD, Drawing, Value, fitted_size, shortened, text_width
from engine_core.words import Words

WIDTH: Final = 1000
LEFT: Final = 34
INNER: Final = WIDTH - 2 * LEFT
PITCH: Final = 190
"""From one column to the next; the three of cards have one with the place of a diagonal's pawn on each side."""
CARD_WIDTH: Final = 172
CARD_HEIGHT: Final = 92
HEADER: Final = 22
HEADER_HEIGHT: Final = 56
BOARD: Final = 90
FAR_ROW: Final = 138
ROW_PITCH: Final = 104
PLACES: Final = 458
PLACE_HEIGHT: Final = 76
RESERVE: Final = 548
RESERVE_HEIGHT: Final = 94
HAND_HEIGHT: Final = 122
GAP: Final = 8
SEAT_HEIGHT: Final = 84
CHIP_HEIGHT: Final = 34
CHIP_PITCH: Final = 40
CHIPS: Final = 96
"""From the left edge of a seat's box to its captured cards."""
TEXT: Final = 22
"""The least size of text."""
TIMES: Final = "\N{MULTIPLICATION SIGN}"

STAGE_NAMES: Final = {
    stages.SETUP_YEN: "setup_yen",
    stages.SETUP_PLACES: "setup_places",
    stages.SETUP_HANDS: "setup_hands",
    stages.SETUP_RESERVE: "setup_reserve",
    stages.SETUP_FIRST: "setup_first",
    stages.ACTION: "action",
    stages.REFILL: "refill",
    stages.DRAWING: "draw",
    stages.STEPPING: "step",
    stages.POWER: "power",
    stages.BO_DRAW: "bo",
    stages.COLONEL_PICK: "colonel",
    stages.GENERAL_PICK: "general",
    stages.CAPTURE: "capture",
    stages.BONUS: "bonus",
    stages.PRICE: "price",
    stages.RELEASE: "release",
    stages.FILL: "fill",
    stages.OVER: "over",
}

POWERS: Final = {BO: "draw", COLONEL: "discard", GENERAL: "take"}
"""The point cards with a power, and its name."""


def parts(move: Move) -> tuple[str, ...]:
    """Ids of the elements to click for a move of a seat: the cards of a payment one by one, then what is attacked."""
    if isinstance(move, moves.Take):
        return (f"reserve-{ATTACK_CARDS[move.card]}",)
    if isinstance(move, moves.Draw):
        return ("deck",)
    if isinstance(move, moves.Step):
        return (f"line-{move.to}",)
    if isinstance(move, moves.Attack):
        return (*_payment_parts(move.payment), f"line-{move.direction}")
    if isinstance(move, moves.AttackGeneral):
        return (*_payment_parts(move.payment), "general")
    if isinstance(move, moves.Capture):
        return (*_payment_parts(move.payment), "next-card")
    if isinstance(move, moves.Stop):
        return ("stop",)
    if isinstance(move, moves.Power):
        return ("use-power",) if move.use else ("decline-power",)
    if isinstance(move, moves.Price):
        return (f"won-{POINT_CARD_NAMES[move.card]}",)
    if isinstance(move, moves.Release):
        return (f"hand-{ATTACK_CARDS[move.card]}",)
    return ("pass",) if isinstance(move, moves.Pass) else ()


def _payment_parts(payment: int) -> list[str]:
    return [f"hand-{ATTACK_CARDS[card]}" for card in cards_of_payment(payment)]


def draw(view: FireBullsView, setting: Setting) -> str:
    """A view as an SVG document, 1000 units wide."""
    observer = _observer(view)
    seats_top = RESERVE + RESERVE_HEIGHT + GAP + (0 if observer == NO_SEAT else HAND_HEIGHT + GAP)
    tops = [seats_top]
    for seat in view.seats:
        tops.append(tops[-1] + _seat_height(seat) + GAP)
    page = _Page(view, setting, tops[-1] + LEFT // 2)
    _draw_header(page)
    _draw_lines(page)
    _draw_piles(page)
    _draw_squares(page)
    _draw_places(page)
    _draw_general(page)
    _draw_counters(page)
    _draw_deck(page)
    _draw_discards(page)
    _draw_attack_cards(page, RESERVE, RESERVE_HEIGHT, "reserve", view.reserve, "")
    if observer != NO_SEAT:
        top = RESERVE + RESERVE_HEIGHT + GAP
        _draw_attack_cards(page, top, HAND_HEIGHT, "hand", view.seats[observer].hand, setting.name(observer))
    for number in range(len(view.seats)):
        _draw_seat(page, number, tops[number])
    return page.drawing.svg()


def _observer(view: FireBullsView) -> int:
    for number, seat in enumerate(view.seats):
        if seat.hand != NO_HAND:
            return number
    return NO_SEAT


class _Page:
    """A picture that is being drawn, with what all its parts need."""

    def __init__(self, view: FireBullsView, setting: Setting, height: int) -> None:
        self.view: Final = view
        self.setting: Final = setting
        self.words: Final = setting.words
        self.theme: Final = setting.theme
        self.palette: Final = artwork.palette_of(setting.theme)
        self.drawing: Final = Drawing(WIDTH, height, setting.words.title, _situation(view, setting))
        self.box(0, 0, WIDTH, height, 0, self.theme.paper, "none")

    def say(self, key: str) -> str:
        return self.words.sentence(f"picture.{key}")

    def label(self, name: str, value: str) -> str:
        """A name and its value, as in `Discards: 7`."""
        return self.words.sentence("picture.label", name, value)

    def attack_card(self, card: int) -> str:
        return self.words.name("attack_card", ATTACK_CARDS[card])

    def point_card(self, card: int) -> str:
        return self.words.name("point_card", POINT_CARD_NAMES[card].replace("-", "_"))

    def box(
        self, x: float, y: float, width: float, height: float, radius: float, fill: str, stroke: str, wide: int = 2
    ) -> None:
        """A rounded rectangle."""
        attributes: dict[str, Value] = {"x": x, "y": y, "width": width, "height": height, "rx": radius, "fill": fill}
        if stroke != "none":
            attributes["stroke"] = stroke
            attributes["stroke-width"] = wide
        self.drawing.element("rect", attributes)

    def panel(self, x: float, y: float, width: float, height: float) -> None:
        """The box of a group of things."""
        self.box(x, y, width, height, 12, self.theme.panel, "none")

    def path(self, d: str, x: float, y: float, scale: float, fill: str) -> None:
        """A shape or an icon, its origin moved to a point."""
        place = f"translate({x:.5g} {y:.5g})"
        self.drawing.element(
            "path", {"d": d, "transform": place if scale == 1 else f"{place} scale({scale:.3g})", "fill": fill}
        )

    def text(
        self, x: float, y: float, content: str, width: float, fill: str, size: float = TEXT, anchor: str = "start"
    ) -> None:
        """A line of text that fits into a width, made smaller down to `TEXT`, then shortened."""
        size = max(TEXT, fitted_size(content, size, width))
        attributes: dict[str, Value] = {"font-size": size, "fill": fill}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        self.drawing.text(x, y, shortened(content, size, width), attributes)

    def bold(
        self, x: float, y: float, content: str, width: float, fill: str, size: float = TEXT, anchor: str = "start"
    ) -> None:
        """A line of bold text, fitted like `text`."""
        width = width / BOLD
        size = max(TEXT, fitted_size(content, size, width))
        attributes: dict[str, Value] = {"font-size": size, "fill": fill, "font-weight": "bold"}
        if anchor != "start":
            attributes["text-anchor"] = anchor
        self.drawing.text(x, y, shortened(content, size, width), attributes)


# Header


def _situation(view: FireBullsView, setting: Setting) -> str:
    """Who is to move in which stage, or who won."""
    if view.active_seat == NO_SEAT and view.stage != stages.OVER:
        return _stage(view, setting.words)
    first = _victory(view, setting) if view.stage == stages.OVER else _turn(view, setting)
    return f"{first}. {_stage(view, setting.words)}"


def _turn(view: FireBullsView, setting: Setting) -> str:
    return setting.words.sentence("picture.turn", setting.name(view.active_seat))


def _stage(view: FireBullsView, words: Words) -> str:
    """What is happening, with the captures, the cards in hand or those owed; at the end, why it is over."""
    stage = words.name("stage", STAGE_NAMES[view.stage])
    if view.stage == stages.OVER:
        stage = words.name("reason", _reason(view))
    elif view.stage == stages.CAPTURE:
        stage = words.sentence("picture.label", stage, f"{view.captures} / {view.capture_limit}")
    elif view.stage == stages.RELEASE:
        held = view.seats[view.active_seat].hand_size
        stage = words.sentence("picture.label", stage, f"{held} / {HAND_LIMIT}")
    elif view.stage == stages.PRICE:
        stage = words.sentence("picture.label", stage, str(view.warriors_owed))
    return stage[:1].upper() + stage[1:]


def _victory(view: FireBullsView, setting: Setting) -> str:
    names = [setting.name(number) for number in _winners(view)]
    return setting.words.sentence("picture.victory", setting.words.joined(names))


def _winners(view: FireBullsView) -> list[int]:
    """The seats of the first rank (FB-81, FB-87)."""
    keys = [_rank_key(seat) for seat in view.seats]
    best = max(keys)
    return [number for number, key in enumerate(keys) if key == best]


def _reason(view: FireBullsView) -> str:
    """Why a match is over, as `end_reason` had it."""
    if view.exhaustions >= EXHAUSTIONS_TO_END:
        return "exhaustion"
    won = view.general_place == GENERAL_WON and view.piles.count(0) >= EMPTY_PILES_TO_END
    return "general" if won else "left"


def _rank_key(seat: FireBullsSeatView) -> tuple[bool, int, int]:
    return not seat.has_left, _points(seat), highest_value(seat.victory)


def _points(seat: FireBullsSeatView) -> int:
    return card_points(seat.victory) + colour_points(seat.victory, seat.colour)


def _draw_header(page: _Page) -> None:
    view, theme = page.view, page.theme
    x, room = LEFT, _draw_buttons(page) - LEFT - 12
    stage = _stage(view, page.words)
    if view.stage == stages.OVER:
        page.bold(x, HEADER + 24, _victory(view, page.setting), room, theme.accent, 28)
    elif view.active_seat == NO_SEAT:
        page.bold(x, HEADER + 38, stage, room, theme.ink, 28)
        return
    else:
        page.path("M0-13L20 0L0 13Z", x, HEADER + 14, 1, theme.accent)
        page.bold(x + 32, HEADER + 24, _turn(view, page.setting), room - 32, theme.accent, 28)
    page.text(x, HEADER + 54, stage, room, theme.ink)


def _draw_buttons(page: _Page) -> int:
    """Draw buttons for the moves without a place on the table, from the right. Returns their left edge."""
    view, words = page.view, page.words
    right = LEFT + INNER
    if view.stage == stages.POWER:
        right = _draw_button(page, right, "decline-power", page.say("decline_power"), words.sentence("power_no"))
        title = page.label(words.sentence("power_yes"), _power(words, view.power_card))
        return _draw_button(page, right, "use-power", page.say("use_power"), title)
    if view.stage == stages.CAPTURE:
        return _draw_button(page, right, "stop", words.sentence("stop"), words.sentence("stop"))
    if view.stage == stages.ACTION and view.seats[view.active_seat].has_left:
        return _draw_button(page, right, "pass", words.sentence("pass"), words.sentence("pass"))
    return right


def _draw_button(page: _Page, right: int, part: str, content: str, title: str) -> int:
    width = int(text_width(content, TEXT) * BOLD) + 44
    left = right - width
    page.drawing.begin({"id": part}, title)
    page.box(left, HEADER, width, HEADER_HEIGHT, 14, page.theme.panel, page.theme.ink, 3)
    page.bold(left + width / 2, HEADER + 36, content, width - 20, page.theme.ink, TEXT, "middle")
    page.drawing.end()
    return left - GAP


# Board


def _column(column: int) -> int:
    """The left edge of a column, 0 to 4: of cards 1 to 3, of places all."""
    return LEFT + PITCH * column


def _square_place(square: int) -> tuple[int, int]:
    """The left upper corner of a square."""
    return _column(1 + square % PILES), FAR_ROW + ROW_PITCH * (2 - square // PILES)


def _attackable(view: FireBullsView) -> list[int]:
    """The lines along which the active seat may attack or is attacking."""
    if view.direction:
        return [view.direction]
    if view.stage != stages.ACTION:
        return []
    return RULES_BY_PROFILE[view.profile].attackable[view.seats[view.active_seat].place]


def _draw_lines(page: _Page) -> None:
    """The five lines, under the cards; those that may be attacked stand out."""
    attackable = _attackable(page.view)
    for direction in range(1, DIRECTIONS + 1):
        is_open = direction in attackable
        x, y = _square_place(LINES[direction][2])
        page.drawing.element(
            "line",
            {
                "x1": _column(direction - 1) + CARD_WIDTH // 2,
                "y1": PLACES + PLACE_HEIGHT // 2,
                "x2": x + CARD_WIDTH // 2,
                "y2": y + CARD_HEIGHT // 2,
                "stroke": page.theme.accent if is_open else page.theme.line,
                "stroke-width": 10 if is_open else 4,
            },
        )


def _draw_piles(page: _Page) -> None:
    for pile in range(PILES):
        x = _column(1 + pile)
        name = page.words.sentence("picture.pile", str(pile + 1))
        number = page.view.piles[pile]
        page.drawing.begin({"id": f"pile-{pile + 1}"}, page.label(name, str(number)))
        if number > 1:
            page.box(x + 4, BOARD, CARD_WIDTH - 8, 36, 8, page.palette.back, page.theme.line)
        page.box(x, BOARD + 4, CARD_WIDTH, 36, 8, page.theme.panel, page.theme.line)
        page.text(x + 8, BOARD + 30, name, CARD_WIDTH - 46, page.theme.faint)
        page.bold(x + CARD_WIDTH - 8, BOARD + 30, str(number), 40, page.theme.ink, TEXT, "end")
        page.drawing.end()


def _draw_squares(page: _Page) -> None:
    view = page.view
    target = _next_square(view)
    for square in range(SQUARES):
        x, y = _square_place(square)
        card = view.squares[square]
        letter = SQUARE_NAMES[square]
        if card == EMPTY:
            page.drawing.begin({"id": f"square-{letter.lower()}"}, letter)
            _draw_gap(page, x, y)
        elif square == target:
            title = page.label(page.say("next_card"), _point_card_title(page, card))
            page.drawing.begin({"id": "next-card"}, title)
            _draw_point_card(page, card, x, y)
            page.box(x - 3, y - 3, CARD_WIDTH + 6, CARD_HEIGHT + 6, 14, "none", page.theme.accent, 6)
        else:
            title = page.label(letter, _point_card_title(page, card))
            page.drawing.begin({"id": f"square-{letter.lower()}"}, title)
            _draw_point_card(page, card, x, y)
        page.drawing.end()


def _next_square(view: FireBullsView) -> int:
    """The square of the card that the running attack can capture next; `EMPTY` without one."""
    if view.stage == stages.CAPTURE:
        for square in LINES[view.direction]:
            if view.squares[square] != EMPTY:
                return square
    return EMPTY


def _draw_gap(page: _Page, x: float, y: float) -> None:
    """The outline of a card that is not there."""
    page.drawing.element(
        "rect",
        {
            "x": x + 1,
            "y": y + 1,
            "width": CARD_WIDTH - 2,
            "height": CARD_HEIGHT - 2,
            "rx": 12,
            "fill": page.theme.paper,
            "stroke": page.theme.line,
            "stroke-width": 2,
            "stroke-dasharray": "8 6",
        },
    )


def _point_card_title(page: _Page, card: int) -> str:
    """The name of a point card, its value, and its power if it has one."""
    title = f"{page.point_card(card)} ({POINT_CARDS[card].value})"
    return page.label(title, _power(page.words, card)) if card in POWERS else title


def _power(words: Words, card: int) -> str:
    return words.name("card_power", POWERS[card])


def _draw_point_card(page: _Page, card: int, x: float, y: float) -> None:
    kind = POINT_CARDS[card]
    fill, on = page.palette.fills[kind.colour], page.palette.on[kind.colour]
    page.box(x, y, CARD_WIDTH, CARD_HEIGHT, 12, page.palette.card, page.theme.line)
    page.box(x, y, 52, CARD_HEIGHT, 12, fill, "none")
    page.bold(x + 26, y + 36, str(kind.value), 60, on, 28, "middle")
    page.path(artwork.ICONS[kind.role], x + 10, y + 48, 0.8, on)
    page.text(x + 62, y + 32, page.say(kind.role), CARD_WIDTH - 66, page.theme.ink)
    _draw_cost(page, card, x + 62, y + 64)


def _draw_cost(page: _Page, card: int, x: float, y: float) -> None:
    """The bulls that a card costs, as shapes, or the two ways to pay as numbers."""
    costs = RULES_BY_PROFILE[page.view.profile].costs[card]
    if len(costs) > 1:
        ways = ["+".join([str(number) for _, number in cost]) for cost in costs]
        page.text(x, y + 8, " / ".join(ways), CARD_WIDTH - 66, page.theme.ink)
        return
    for colour, number in costs[0]:
        for _ in range(number):
            if colour == ANY_COLOUR:
                page.path(artwork.ANY_SHAPE, x + 10, y, 0.95, page.theme.ink)
            else:
                page.path(artwork.SHAPES[colour], x + 10, y, 0.9, page.palette.fills[colour])
            x += 21


def _draw_places(page: _Page) -> None:
    for direction in range(1, DIRECTIONS + 1):
        _draw_place(page, direction)


def _draw_place(page: _Page, direction: int) -> None:
    """A place in front of a line: its number, its arrow, and a pawn if one stands there."""
    view, theme = page.view, page.theme
    x = _column(direction - 1)
    owner = [number for number, seat in enumerate(view.seats) if seat.place == direction]
    title = page.words.sentence("picture.line", str(direction))
    page.drawing.begin({"id": f"line-{direction}"}, page.label(title, page.setting.name(owner[0])) if owner else title)
    is_open = direction in _attackable(view)
    page.box(x, PLACES, CARD_WIDTH, PLACE_HEIGHT, 12, theme.panel, theme.accent if is_open else theme.line, 3)
    turn = 45 if direction == 1 else -45 if direction == DIRECTIONS else 0
    page.drawing.element(
        "path",
        {
            "d": "M0-16L14 2H5V16H-5V2H-14Z",
            "transform": f"translate({x + 70} {PLACES + 38}) rotate({turn})",
            "fill": theme.accent if is_open else theme.faint,
        },
    )
    page.bold(x + 30, PLACES + 49, str(direction), 40, theme.ink, 32, "middle")
    if owner:
        _draw_token(page, owner[0], x + 104, PLACES + 10, 56)
    page.drawing.end()


def _draw_token(page: _Page, seat: int, x: float, y: float, size: float) -> None:
    """A pawn: a bull's head on the colour of its seat, with the shape of the colour."""
    colour = page.view.seats[seat].colour
    on = page.palette.on[colour]
    page.box(
        x, y, size, size, 14, page.palette.fills[colour], page.theme.ink if seat == page.view.active_seat else "none"
    )
    page.path(artwork.BULL, x + size * 0.1, y + size * 0.02, size / 50, on)
    page.path(artwork.SHAPES[colour], x + size * 0.79, y + size * 0.78, size / 75, on)


def _draw_general(page: _Page) -> None:
    """The general, at the left of the far row, and where it is."""
    view, theme = page.view, page.theme
    aside = view.general_place == GENERAL_ASIDE
    won = view.general_place == GENERAL_WON
    status = page.setting.name(view.general_winner) if won else page.say("aside" if aside else "hidden")
    page.drawing.begin({"id": "general"}, page.label(_point_card_title(page, GENERAL), status))
    if won:
        _draw_gap(page, LEFT, BOARD)
        page.path(artwork.ICONS["general"], LEFT + 62, BOARD + 20, 1.2, theme.faint)
    else:
        _draw_point_card(page, GENERAL, LEFT, BOARD)
    if aside and view.stage == stages.ACTION:
        page.box(LEFT - 3, BOARD - 3, CARD_WIDTH + 6, CARD_HEIGHT + 6, 14, "none", theme.accent, 5)
    page.text(LEFT + CARD_WIDTH / 2, BOARD + 122, status, CARD_WIDTH, theme.ink if aside else theme.faint, 24, "middle")
    page.drawing.end()


def _draw_counters(page: _Page) -> None:
    """How near the end is, and how many cards have left the game."""
    view, top = page.view, BOARD + 138
    page.panel(LEFT, top, CARD_WIDTH, PLACES - GAP - top)
    quiet_turns = f"{view.quiet_turns} / {QUIET_TURNS_PER_SEAT * len(view.seats)}"
    _draw_counter(page, top + 32, "exhaustions", f"{view.exhaustions} / {EXHAUSTIONS_TO_END}")
    _draw_counter(page, top + 104, "quiet_turns", quiet_turns)
    _draw_counter(page, top + 176, "removed", str(sum(view.removed)))


def _draw_counter(page: _Page, y: float, key: str, value: str) -> None:
    centre = LEFT + CARD_WIDTH / 2
    page.text(centre, y, page.say(key), CARD_WIDTH - 8, page.theme.faint, TEXT, "middle")
    page.bold(centre, y + 28, value, CARD_WIDTH - 8, page.theme.ink, 24, "middle")


def _draw_deck(page: _Page) -> None:
    """The Qi deck, at the right of the piles."""
    x, theme = _column(4), page.theme
    size = page.view.deck_size
    name = page.say("deck")
    page.drawing.begin({"id": "deck"}, page.label(name, str(size)))
    page.box(x, BOARD, CARD_WIDTH, 132, 12, theme.panel, theme.line)
    page.text(x + CARD_WIDTH / 2, BOARD + 32, name, CARD_WIDTH - 12, theme.ink, 24, "middle")
    layers = min(3, size)
    for layer in range(layers):
        page.box(x + 16 + 7 * layer, BOARD + 46 + 2 * layer, 54, 72, 8, page.palette.back, theme.paper)
    if size:
        page.path(artwork.BULL, x + 16 + 7 * layers, BOARD + 60 + 2 * layers, 1, theme.paper)
    page.bold(x + 132, BOARD + 98, str(size), 70, theme.ink, 36, "middle")
    page.drawing.end()


def _draw_discards(page: _Page) -> None:
    """The discards, counted by kind."""
    x, top, theme = _column(4), BOARD + 142, page.theme
    discards = page.view.discards
    name = page.say("discards")
    page.drawing.begin({"id": "discards"}, page.label(name, str(packed.size(discards))))
    page.panel(x, top, CARD_WIDTH, PLACES - GAP - top)
    page.text(x + CARD_WIDTH / 2, top + 34, name, CARD_WIDTH - 12, theme.ink, 24, "middle")
    for card in range(len(ATTACK_CARDS)):
        left, middle = x + 32 + 84 * (card % 2), top + 76 + 50 * (card // 2)
        page.path(artwork.SHAPES[card], left, middle, 1.3, _attack_fill(page, card))
        page.text(left + 20, middle + 8, str(packed.count_of(discards, card)), 40, theme.ink, 24)
    page.drawing.end()


# Attack cards


def _attack_fill(page: _Page, card: int) -> str:
    return page.palette.warrior if card == WARRIOR else page.palette.fills[card]


def _attack_on(page: _Page, card: int) -> str:
    return page.palette.on[-1] if card == WARRIOR else page.palette.on[card]


def _draw_attack_cards(page: _Page, top: int, height: int, part: str, cards: int, owner: str) -> None:
    """A row of attack cards, those of a kind as a fan, under a name and with an owner's name below it."""
    theme = page.theme
    page.panel(LEFT, top, INNER, height)
    name = page.say(part)
    page.bold(LEFT + 16, top + height / 2 + (-4 if owner else 8), name, 136, theme.ink, 24)
    if owner:
        page.text(LEFT + 16, top + height / 2 + 26, owner, 136, theme.faint)
    kinds = [card for card in range(len(ATTACK_CARDS)) if packed.count_of(cards, card)]
    width = (height - 20) * 0.76
    extra = packed.size(cards) - len(kinds)
    room = INNER - 180 - len(kinds) * (width + 16)
    step = min(width * 0.36, room / extra) if extra else 0.0
    x = LEFT + 168.0
    for card in kinds:
        number = packed.count_of(cards, card)
        page.drawing.begin({"id": f"{part}-{ATTACK_CARDS[card]}"}, f"{number} {TIMES} {page.attack_card(card)}")
        for _ in range(number - 1):
            _draw_attack_card(page, card, x, top + 10, width, 0)
            x += step
        _draw_attack_card(page, card, x, top + 10, width, number)
        page.drawing.end()
        x += width + 16


def _draw_attack_card(page: _Page, card: int, x: float, y: float, width: float, number: int) -> None:
    """An attack card; the front one of a fan also has a picture and the number of cards."""
    fill, on = _attack_fill(page, card), _attack_on(page, card)
    page.box(x, y, width, width / 0.76, 10, fill, page.theme.panel, 3)
    page.path(artwork.SHAPES[card], x + width * 0.2, y + width * 0.2, width / 90, on)
    if number:
        scale = width / 62
        page.path(
            artwork.ICONS["soldier"] if card == WARRIOR else artwork.BULL, x + width * 0.3, y + width * 0.26, scale, on
        )
        if number > 1:
            page.bold(x + width - 8, y + width / 0.76 - 8, f"{TIMES}{number}", width, on, 24, "end")


# Seats


def _seat_height(seat: FireBullsSeatView) -> int:
    return SEAT_HEIGHT + CHIP_PITCH * (len(_chip_rows(seat)) - 1)


def _chip_rows(seat: FireBullsSeatView) -> list[list[tuple[int, int]]]:
    """The captured cards of a seat as kinds with their numbers, in rows, at least one; last the lost card, number 0."""
    chips = [(card, seat.victory[card]) for card in range(POINT_KINDS) if seat.victory[card]]
    if seat.penalty != EMPTY:
        chips.append((seat.penalty, 0))
    rows: list[list[tuple[int, int]]] = [[]]
    x = 0
    for card, number in chips:
        width = _chip_width(number)
        if x + width > INNER - CHIPS - 12:
            rows.append([])
            x = 0
        rows[-1].append((card, number))
        x += width + 12
    return rows


def _chip_width(number: int) -> int:
    return 56 if number < 2 else 92


def _draw_seat(page: _Page, number: int, top: int) -> None:
    """The public facts of a seat: name, colour, number of cards in hand, points and captured cards."""
    theme, seat = page.theme, page.view.seats[number]
    is_active = number == page.view.active_seat
    has_won = page.view.stage == stages.OVER and number in _winners(page.view)
    height = _seat_height(seat)
    page.drawing.begin({"id": f"seat-{number + 1}"}, page.setting.name(number))
    page.box(LEFT, top, INNER, height, 12, theme.panel, theme.accent if is_active or has_won else "none", 4)
    _draw_token(page, number, LEFT + 14, top + 11, 60)
    x = LEFT + 96
    if is_active:
        page.path("M0-11L16 0L0 11Z", x, top + 24, 1, theme.accent)
        x += 26
    if has_won:
        page.path(artwork.CUP, x - 6, top + 6, 0.8, theme.accent)
        x += 30
    page.bold(x, top + 32, page.setting.name(number), LEFT + 420 - x, theme.ink, 24)
    note = page.say("left") if seat.has_left else page.words.name("colour", COLOURS[seat.colour])
    page.text(LEFT + 434, top + 32, note, 130, theme.faint)
    _draw_hand_size(page, seat, LEFT + 560, top)
    page.text(LEFT + INNER - 84, top + 32, page.say("points"), 100, theme.faint, TEXT, "end")
    page.bold(LEFT + INNER - 14, top + 33, str(_points(seat)), 66, theme.ink, 30, "end")
    _draw_chips(page, seat, is_active, top + 42)
    page.drawing.end()


def _draw_hand_size(page: _Page, seat: FireBullsSeatView, x: float, top: int) -> None:
    """The cards of a hand, those that everybody knows face up (FB-90)."""
    title = page.label(page.say("hand_size"), str(seat.hand_size))
    known = cards_of_payment(seat.known_cards)
    if known:
        kinds = [card for card in range(len(ATTACK_CARDS)) if card in known]
        names = [page.words.several("attack_card", ATTACK_CARDS[card], known.count(card)) for card in kinds]
        title = f"{title}. {page.label(page.say('known'), page.words.joined(names))}"
    page.drawing.begin({}, title)
    page.bold(x + 30, top + 32, str(seat.hand_size), 36, page.theme.ink, 24, "end")
    step = min(18.0, 150 / max(1, seat.hand_size))
    for place in range(seat.hand_size):
        left = x + 40 + step * place
        if place < len(known):
            card = known[place]
            page.box(left, top + 9, 24, 30, 5, _attack_fill(page, card), page.theme.panel)
            page.path(artwork.SHAPES[card], left + 9, top + 20, 0.6, _attack_on(page, card))
        else:
            page.box(left, top + 9, 24, 30, 5, page.palette.back, page.theme.panel)
    page.drawing.end()


def _draw_chips(page: _Page, seat: FireBullsSeatView, is_active: bool, top: int) -> None:
    can_pay = is_active and page.view.stage == stages.PRICE
    for row, cards in enumerate(_chip_rows(seat)):
        x, y = LEFT + CHIPS, top + CHIP_PITCH * row
        for card, number in cards:
            new = seat.won_this_turn[card] if number else 0
            attributes: dict[str, Value] = {"id": f"won-{POINT_CARD_NAMES[card]}"} if can_pay and number > new else {}
            title = f"{number} {TIMES} {page.point_card(card)}"
            if number == 0:
                title = page.words.sentence("picture.lost", page.point_card(card))
            elif new:
                title = page.words.sentence("picture.won_now", title)
            page.drawing.begin(attributes, title)
            _draw_chip(page, card, x, y, number)
            if new:
                page.box(x - 2, y - 2, 60, CHIP_HEIGHT + 4, 10, "none", page.theme.accent, 3)
            page.drawing.end()
            x += _chip_width(number) + 12


def _draw_chip(page: _Page, card: int, x: int, y: int, number: int) -> None:
    """A captured card: its value with the shape of its colour, or the icon of its role, and how many there are."""
    kind = POINT_CARDS[card]
    fill, on = page.palette.fills[kind.colour], page.palette.on[kind.colour]
    page.box(x, y, _chip_width(number), CHIP_HEIGHT, 8, page.theme.panel, "none")
    page.box(x, y, 56, CHIP_HEIGHT, 8, fill, page.theme.line if kind.colour == WHITE else "none")
    page.bold(x + 7, y + 25, str(kind.value), 40, on)
    if kind.colour < WHITE:
        page.path(artwork.SHAPES[kind.colour], x + 40, y + 17, 0.8, on)
    elif kind.colour == ALL_COLOURS or kind.role not in ("wu", "xi"):
        page.path(artwork.ICONS[kind.role], x + 30 + (5 if kind.value > 9 else 0), y + 7, 0.5, on)
    else:
        page.path(artwork.ANY_SHAPE, x + 40, y + 17, 0.8, on)
    if number == 0:
        page.drawing.element(
            "path", {"d": f"M{x - 4} {y + 38}L{x + 60} {y - 4}", "stroke": page.theme.ink, "stroke-width": 4}
        )
    if number > 1:
        page.text(x + 61, y + 25, f"{TIMES}{number}", 36, page.theme.ink)
