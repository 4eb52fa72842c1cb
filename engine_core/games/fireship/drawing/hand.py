"""What only the observer has: buttons for moves without a place at sea, and the secret cards, with the badges."""

from __future__ import annotations

from typing import Final

from engine_core import packed
from engine_core.games.fireship import components, moves, stages
from engine_core.games.fireship.board import NAMES, SPECIAL, SPECIAL_NAMES
from engine_core.games.fireship.drawing.facts import is_to_move, rank_of, squares_to_use
from engine_core.games.fireship.drawing.glyphs import icon
from engine_core.games.fireship.drawing.sheet import EDGE, GAP, INNER, LARGE, SMALL, Sheet
from engine_core.pictures.svg import BOLD, shortened, text_width, wrapped

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


def draw_buttons(sheet: Sheet, observer: int, top: int) -> None:
    """Draw the buttons, or what the observer waits for."""
    buttons = _buttons(sheet, observer)
    if not buttons:
        text = shortened(_waiting(sheet, observer), LARGE, INNER - 12)
        sheet.text(EDGE + 6, top + 35, text, sheet.theme.faint, LARGE)
        return
    width = (INNER - (len(buttons) - 1) * GAP) // len(buttons)
    x = EDGE
    for part, label in buttons:
        _draw_button(sheet, part, label, x, top, width)
        x += width + GAP


def _buttons(sheet: Sheet, observer: int) -> list[tuple[str, str]]:
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


def _draw_button(sheet: Sheet, part: str, label: str, x: int, y: int, width: int) -> None:
    """A label in a line or two; many buttons have the name of the square only."""
    colour = sheet.theme.paper
    middle = x + width // 2
    sheet.begin(label, part)
    sheet.box(x, y, width, BUTTON_HEIGHT, f'fill="{sheet.theme.accent}"')
    lines = wrapped(label, BOLD * SMALL, min(width - 16, 0.6 * BOLD * text_width(label, SMALL)))
    if BOLD * text_width(label, SMALL) <= width - 16:
        lines = [label]
    elif len(lines) > 2:
        lines = [part.rpartition("-")[2]]
    size = LARGE if len(lines) == 1 and BOLD * text_width(lines[0], LARGE) <= width - 16 else SMALL
    for number, line in enumerate(lines):
        sheet.bold_label(middle, y + (35 if len(lines) == 1 else 22 + 26 * number), line, colour, size)
    sheet.end()


def _waiting(sheet: Sheet, observer: int) -> str:
    view = sheet.view
    if view.stage == stages.OVER:
        return sheet.sentence("place", str(rank_of(view, observer)))
    answer = view.seats[observer].answer
    if answer:
        return sheet.sentence("own_answer", sheet.words.name("answer_kind", moves.ANSWER_NAMES[answer - 1]))
    return sheet.sentence("your_turn" if is_to_move(view, observer) else "not_your_turn")


class HeldCard:
    """A kind of card or badge that the observer has."""

    def __init__(self, part: str, icon: str, label: str, title: str, count: int, is_badge: bool) -> None:
        self.part: Final = part
        self.icon: Final = icon
        self.label: Final = label
        self.title: Final = title
        self.count: Final = count
        self.is_badge: Final = is_badge


def _held(sheet: Sheet, observer: int) -> list[HeldCard]:
    seat, words = sheet.view.seats[observer], sheet.words
    held: list[HeldCard] = []
    for kind, name in enumerate(components.CARDS):
        count = packed.count_of(seat.hand, kind)
        if count:
            label = words.name("mystery_card", name)
            held.append(HeldCard(card_part(name), name, label, sheet.sentence("own_card", label), count, False))
    for badge, name in enumerate(components.BADGE_NAMES):
        count = seat.badges[badge]
        if count:
            label, title = words.name("played_card", name), words.name("wheel_effect", name)
            held.append(HeldCard(badge_part(name), name, label, title, count, True))
    if seat.anti_skull:
        label = words.name("answer_kind", "anti_skull")
        held.append(HeldCard(ANTI_SKULL, "anti_skull", label, label, 1, False))
    return held


def draw_hand(sheet: Sheet, observer: int, top: int) -> None:
    """Draw the observer's cards and badges, each kind once."""
    held = _held(sheet, observer)
    if not held:
        sheet.text(EDGE + 6, top + 58, sheet.sentence("empty_hand"), sheet.theme.faint)
        return
    width = min(_MAX_CARD_WIDTH, (INNER - (len(held) - 1) * 8) // len(held))
    x = EDGE
    for card in held:
        sheet.begin(f"{card.title}: {card.count}", card.part)
        _draw_card(sheet, card, x, top, width)
        sheet.end()
        x += width + 8


def _draw_card(sheet: Sheet, card: HeldCard, x: int, y: int, width: int) -> None:
    """A card, or a badge, which is round and dashed; its name where there is room, in a line or two."""
    corners = 'rx="40" stroke-dasharray="9 6"' if card.is_badge else 'rx="12"'
    sheet.drawing.insert(
        f'<rect x="{x + 1}" y="{y + 1}" width="{width - 2}" height="{CARD_HEIGHT - 2}" '
        f'fill="{sheet.theme.panel}" stroke="{sheet.palette.hull}" {corners}/>'
    )
    room = width - (36 if card.is_badge else 12)
    lines = wrapped(card.label, SMALL, room)
    if len(lines) > 2 or max([text_width(line, SMALL) for line in lines]) > room:
        lines = []
    middle, row = x + width // 2, y + 50 - 14 * len(lines)
    scale = 0.85 if len(lines) == 2 else 1
    sheet.drawing.insert(icon(card.icon, middle - (18 if card.count > 1 else 0), row, scale, sheet.theme.ink))
    if card.count > 1:
        sheet.bold(middle + 6, row + 9, f"x{card.count}", "", LARGE)
    for number, line in enumerate(lines):
        sheet.label(middle, y + (82 if len(lines) == 1 else 62 + 26 * number), line)
