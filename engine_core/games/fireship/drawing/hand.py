"""What only the observer has: buttons for moves without a place at sea, and the secret cards, with the badges."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fireship import components, moves, stages
from engine_core.games.fireship.board import NAMES, SPECIAL, SPECIAL_NAMES
from engine_core.games.fireship.drawing.facts import is_to_move, rank_of, squares_to_use
from engine_core.games.fireship.drawing.sheet import EDGE, GAP, INNER, LARGE, FireshipSheet
from engine_core.pictures.sheet import TEXT, TIMES
from engine_core.pictures.svg import text_width, wrapped

BUTTON_HEIGHT: Final = 54
CARD_HEIGHT: Final = 100
_MAX_CARD_WIDTH: Final = 190

THROW: Final = "throw"
END_TURN: Final = "end-turn"
PASS: Final = "pass"
PASS_TURN: Final = "pass-turn"
ANTI_SKULL: Final = "anti-skull"


def use_part(square: int) -> str:
    """The id of the button that uses a special square."""
    return f"use-{NAMES[square]}"


def card_part(card: str) -> str:
    """The id of a kind of secret card in the hand."""
    return f"card-{card.replace('_', '-')}"


def badge_part(card: str) -> str:
    """The id of a kind of badge."""
    return f"badge-{card.replace('_', '-')}"


def draw_buttons(sheet: FireshipSheet, observer: int, top: int) -> None:
    """Draw the buttons, or what the observer waits for."""
    buttons = _buttons(sheet, observer)
    if not buttons:
        sheet.fitted(EDGE + 6, top + 35, _waiting(sheet, observer), INNER - 12, LARGE, sheet.theme.faint)
        return
    width = (INNER - (len(buttons) - 1) * GAP) // len(buttons)
    x = EDGE
    for part, label in buttons:
        _draw_button(sheet, part, label, x, top, width)
        x += width + GAP


def _buttons(sheet: FireshipSheet, observer: int) -> list[tuple[str, str]]:
    """Ids and labels of the buttons for moves that can be legal."""
    view, words = sheet.view, sheet.words
    if not is_to_move(view, observer):
        return []
    if view.stage == stages.CARDS_FIRST:
        return [(THROW, words.sentence("throw"))]
    if view.stage == stages.MOVING:
        squares = squares_to_use(view, observer)
        uses = [f"use_square_{SPECIAL_NAMES[SPECIAL[square]]}" for square in squares]
        buttons = [
            (use_part(square), words.sentence(key, NAMES[square])) for square, key in zip(squares, uses, strict=True)
        ]
        return [*buttons, (END_TURN, words.sentence("end_turn"))]
    if view.stage == stages.WINDOW:
        return [(PASS, words.sentence("answer_pass")), (PASS_TURN, words.sentence("answer_pass_turn"))]
    return [(PASS, words.sentence("answer_pass"))] if view.stage == stages.SKULL_ANSWER else []


def _draw_button(sheet: FireshipSheet, part: str, label: str, x: int, y: int, width: int) -> None:
    """A label in a line or two; many buttons have the name of the square only."""
    colour = sheet.theme.paper
    middle = x + width // 2
    sheet.begin(label, part)
    sheet.box(x, y, width, BUTTON_HEIGHT, sheet.theme.accent)
    extent = text_width(label, TEXT, bold=True)
    lines = wrapped(label, TEXT, min(width - 16, 0.6 * extent), bold=True)
    if extent <= width - 16:
        lines = [label]
    elif len(lines) > 2:
        lines = [part.rpartition("-")[2]]
    size = LARGE if len(lines) == 1 else TEXT
    for number, line in enumerate(lines):
        baseline = y + (35 if len(lines) == 1 else 22 + 26 * number)
        sheet.fitted(middle, baseline, line, width - 16, size, colour, "middle", bold=True)
    sheet.end()


def _waiting(sheet: FireshipSheet, observer: int) -> str:
    view = sheet.view
    if view.stage == stages.OVER:
        return sheet.say("place", str(rank_of(view, observer)))
    answer = view.seats[observer].answer
    if answer:
        return sheet.say("own_answer", sheet.words.name("answer_kind", moves.ANSWER_NAMES[answer - 1]))
    if is_to_move(view, observer):
        return sheet.say("your_turn")
    return sheet.say("answers_open" if observer == view.active_seat else "not_your_turn")


class HeldCard:
    """A kind of card or badge that the observer has."""

    def __init__(self, part: str, icon: str, label: str, title: str, count: int, is_badge: bool) -> None:
        self.part: Final = part
        self.icon: Final = icon
        self.label: Final = label
        self.title: Final = title
        self.count: Final = count
        self.is_badge: Final = is_badge


def _held(sheet: FireshipSheet, observer: int) -> list[HeldCard]:
    seat, words = sheet.view.seats[observer], sheet.words
    held: list[HeldCard] = []
    for kind, name in enumerate(components.CARDS):
        count = packed.count_of(seat.hand, kind)
        if count:
            label = words.name("mystery_card", name)
            held.append(HeldCard(card_part(name), name, label, sheet.say("own_card", label), count, False))
    for badge, name in enumerate(components.BADGE_NAMES):
        count = seat.badges[badge]
        if count:
            label, title = words.name("played_card", name), words.name("wheel_effect", name)
            held.append(HeldCard(badge_part(name), name, label, title, count, True))
    if seat.anti_skull:
        label = words.name("answer_kind", "anti_skull")
        held.append(HeldCard(ANTI_SKULL, "anti_skull", label, label, 1, False))
    return held


def draw_hand(sheet: FireshipSheet, observer: int, top: int) -> None:
    """Draw the observer's cards and badges, each kind once."""
    held = _held(sheet, observer)
    if not held:
        sheet.text(EDGE + 6, top + 58, sheet.say("empty_hand"), colour=sheet.theme.faint)
        return
    width = min(_MAX_CARD_WIDTH, (INNER - (len(held) - 1) * 8) // len(held))
    x = EDGE
    for card in held:
        title = card.title if card.count == 1 else sheet.say("several", str(card.count), card.title)
        sheet.begin(sheet.labelled(title, sheet.say(f"effect_{card.icon}")), card.part)
        _draw_card(sheet, card, x, top, width)
        sheet.end()
        x += width + 8


def _draw_card(sheet: FireshipSheet, card: HeldCard, x: int, y: int, width: int) -> None:
    """A card, or a badge, which is round and dashed; its name where there is room, in a line or two."""

    radius, dashes = (40, "9 6") if card.is_badge else (14, "")
    theme, line = sheet.theme, sheet.palette.hull
    sheet.box(x + 1, y + 1, width - 2, CARD_HEIGHT - 2, theme.panel, line, 3, radius, dashes)
    room = width - (36 if card.is_badge else 12)
    lines = wrapped(card.label, TEXT, room)
    if len(lines) > 2 or max([text_width(line, TEXT) for line in lines]) > room:
        lines = []
    middle, row = x + width // 2, y + 50 - 14 * len(lines)
    scale = 0.85 if len(lines) == 2 else 1
    sheet.icon(card.icon, middle - (18 if card.count > 1 else 0), row, scale)
    if card.count > 1:
        sheet.text(middle + 6, row + 9, f"{TIMES}{card.count}", LARGE, bold=True)
    for number, line in enumerate(lines):
        sheet.text(middle, y + (82 if len(lines) == 1 else 62 + 26 * number), line, anchor="middle")
