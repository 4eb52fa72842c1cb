"""Fireship: the picture of a view is valid, complete, legible and has all that legal moves name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from xml.etree import ElementTree

import pytest

from engine_core.explore import weighted_index
from engine_core.game import NATURE, Over, Turn
from engine_core.games.fireship import stages
from engine_core.games.fireship.board import IS_SEA, NAMES, NO_PORT, PORT_OF, SQUARES
from engine_core.games.fireship.components import COLOURS, KINDS, PAWNS_PER_KIND
from engine_core.games.fireship.drawing.palette import palette_of
from engine_core.games.fireship.moves import Fortify
from engine_core.games.fireship.picture import draw, parts
from engine_core.games.fireship.state import FireshipState
from engine_core.pictures import Setting
from engine_core.pictures.themes import LIGHT, THEMES, Theme
from engine_core.words import LOCALES, words_of
from tests.engine_core.games.fireship.crowded import aggressive_choice, crowded_position
from tests.engine_core.games.fireship.positions import GAME, Position, move_of, new_position
from tests.engine_core.pictures.contrast import contrast

PACKAGE = "engine_core.games.fireship"
MAX_BYTES = 60_000
MOST_CROWDED_BYTES = 72_000
"""Size with all 89 pawns at sea, which no known match has come near."""
MAX_ALIKE = 4
"""Most moves with equal parts."""
POSITIONS = 700
CONTRAST = 4.5
RARE = (stages.LOSING, stages.OVER)


def setting(locale: str = "en", theme: Theme = LIGHT, names: tuple[str, ...] = ()) -> Setting:
    return Setting(words_of(PACKAGE, locale), theme, names)


def positions_of_match(state: FireshipState, random: Random) -> Iterator[FireshipState]:
    """The positions of a random match, one state that goes on."""
    phase = GAME.phase(state)
    while not isinstance(phase, Over):
        yield state
        if isinstance(phase, Turn):
            GAME.apply(state, phase.seats[0], aggressive_choice(state, phase.seats[0], random))
        else:
            choice = weighted_index(GAME.weights(state), random.getrandbits)
            GAME.apply(state, NATURE, GAME.legal_moves(state, NATURE)[choice])
        phase = GAME.phase(state)
    yield state


def skull_answer() -> Position:
    """A plane meets the skull of a battleship square, and its seat may cancel it."""
    position = new_position({"green": "plane f6 arrived"}, anti_skull=True, dice=[2, 3])
    return position.play("use_square f6", "die skull")


@cache
def sample() -> list[FireshipState]:
    """Positions of random matches of each preset and number of seats, crowded ones among them."""
    found: list[FireshipState] = []
    for number, options in enumerate(GAME.presets().values()):
        for seats in range(GAME.min_seats, GAME.max_seats + 1):
            random = Random(10 * number + seats)
            for place, state in enumerate(positions_of_match(GAME.start(seats, options), random)):
                if place % 19 == 0 or state.stage in RARE:
                    found.append(state.copy())
    found.append(skull_answer().state)
    random = Random(1)
    for state in positions_of_match(crowded_position(random).state, random):
        found.append(state.copy())
        if len(found) == POSITIONS:
            break
    return found


def movers(state: FireshipState) -> tuple[int, ...]:
    phase = GAME.phase(state)
    return phase.seats if isinstance(phase, Turn) else ()


def ids_of(document: str) -> list[str]:
    return re.findall(r' id="([^"]*)"', document)


def test_the_sample_has_every_stage_of_a_seat() -> None:
    found = {state.stage for state in sample()}
    assert found >= {stages.CARDS_FIRST, stages.MOVING, stages.SAILING, stages.WINDOW, stages.SKULL_ANSWER, *RARE}


def test_every_part_of_a_legal_move_is_in_the_picture_and_moves_but_rings_differ_in_theirs() -> None:
    for state in sample():
        for seat in movers(state):
            drawn = set(ids_of(draw(GAME.view(state, seat), setting())))
            legal = GAME.legal_moves(state, seat)
            for move in legal:
                assert parts(move)
                assert drawn.issuperset(parts(move)), GAME.notation(move)
            numbers = Counter([parts(move) for move in legal])
            assert max(numbers.values()) <= MAX_ALIKE
            assert all(numbers[parts(move)] == 1 for move in legal if not isinstance(move, Fortify))


def test_rings_for_boats_that_differ_in_their_marks_have_equal_parts() -> None:
    fleet = {"green": "boat f6, boat f6 arrived, boat j6, boat j6 arrived"}
    state = new_position(fleet, islands={5: "green"}, dice=[2, 3]).state
    numbers = Counter([parts(move) for move in GAME.legal_moves(state, 0)])
    assert max(numbers.values()) == numbers["island-5", "square-f6", "square-j6"] == MAX_ALIKE


def test_parts_that_can_be_clicked_next_never_lie_inside_each_other() -> None:
    for state in sample()[::6]:
        for seat in movers(state):
            root = ElementTree.fromstring(draw(GAME.view(state, seat), setting()))
            inside = {
                element.attrib["id"]: {child.attrib["id"] for child in element.iter() if "id" in child.attrib}
                for element in root.iter()
                if "id" in element.attrib
            }
            clicks: dict[tuple[str, ...], set[str]] = {}
            for move in GAME.legal_moves(state, seat):
                clicked = parts(move)
                for number, part in enumerate(clicked):
                    clicks.setdefault(clicked[:number], set()).add(part)
            for candidates in clicks.values():
                assert not [part for part in candidates if inside[part] & candidates - {part}]


def test_no_move_of_the_board_is_the_beginning_of_another() -> None:
    for state in sample()[::3]:
        for seat in movers(state):
            all_parts = {parts(move) for move in GAME.legal_moves(state, seat)}
            assert not [one for one in all_parts for number in range(len(one)) if one[:number] in all_parts]


def test_a_move_names_two_equal_pawns_and_each_plus_one_card() -> None:
    assert parts(move_of("fortify 1: b3 b3")) == ("island-1", "square-b3", "square-b3")
    assert parts(move_of("attack e4: blue e5 +2")) == ("card-plus-one", "card-plus-one", "blue-e5", "square-e4")


def test_a_spectator_sees_no_hand_and_no_button() -> None:
    for state in sample()[::4]:
        ids = ids_of(draw(GAME.view(state, NATURE), setting()))
        assert not [part for part in ids if part.startswith(("card", "badge", "anti", "throw", "end", "pass", "use"))]


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_text_stands_out_from_what_is_under_it(theme: Theme) -> None:
    palette = palette_of(theme)
    pairs = [(theme.ink, land) for land in palette.land]
    pairs += [(text, under) for text in (theme.ink, theme.faint, theme.accent) for under in (theme.paper, theme.panel)]
    pairs += [(theme.ink, palette.sea[0]), (theme.paper, palette.hull), (theme.paper, theme.accent)]
    assert [pair for pair in pairs if contrast(*pair) < CONTRAST] == []


def texts_of(element: ElementTree.Element, fill: str, size: float) -> Iterator[tuple[str, float]]:
    """Colour and size of each text, with what it has from the groups around it."""
    fill = element.attrib.get("fill", fill)
    size = float(element.attrib.get("font-size", size))
    scale = re.search(r"scale\(([^)]*)\)", element.attrib.get("transform", ""))
    if element.tag.endswith("text"):
        yield fill, size
    for child in element:
        yield from texts_of(child, fill, size * float(scale[1]) if scale else size)


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
def test_every_text_is_large_enough_and_of_a_colour_whose_contrast_is_known(theme: Theme) -> None:
    fills: set[str] = set()
    for state in sample()[::8]:
        root = ElementTree.fromstring(draw(GAME.view(state, 0), setting(theme=theme)))
        for fill, size in texts_of(root, "", 0):
            assert size >= 22
            fills.add(fill)
    assert fills == {theme.ink, theme.faint, theme.accent, theme.paper}


@pytest.mark.parametrize("locale", LOCALES)
def test_a_picture_speaks_the_language_and_names_the_players(locale: str) -> None:
    view = new_position({"green": "boat e5, plane h1 arrived"}, dice=[2, 3]).view(0)
    document = draw(view, setting(locale, names=("Ada & <b>", "")))
    assert words_of(PACKAGE, locale).sentence("use_square_wheel", "h1") in document
    assert words_of(PACKAGE, locale).sentence("picture.seat", "2") in document
    assert "Ada &amp; &lt;b&gt;" in document


def test_the_end_names_the_winners() -> None:
    for state in sample():
        if state.stage == stages.OVER:
            names = tuple("ABCD"[: GAME.seat_count(state)])
            winners = [names[seat] for seat in GAME.score(state).winners]
            shown = words_of(PACKAGE, "en").joined(winners)
            key = "picture.winner" if len(winners) == 1 else "picture.winners"
            assert words_of(PACKAGE, "en").sentence(key, shown) in draw(GAME.view(state, 0), setting(names=names))


def test_an_own_sealed_answer_is_shown() -> None:
    position = new_position(
        {"green": "2 boat e4", "blue": "boat e5"}, seat_count=3, hands=["", "no", "no"], dice=[2, 3]
    )
    position.play("attack e4: blue e5", "1: no")
    shown = words_of(PACKAGE, "en").sentence("picture.own_answer", "Non")
    assert [shown in draw(position.view(seat), setting()) for seat in range(3)] == [False, True, False]


def crowded_sea() -> Position:
    """All pawns at sea: white ones at their ports, others in pairs of two colours."""
    squares = [NAMES[square] for square in range(SQUARES) if IS_SEA[square] and PORT_OF[square] == NO_PORT]
    kinds = [kind for kind, count in zip(KINDS, PAWNS_PER_KIND, strict=True) for _ in range(count)]
    fleets = [(COLOURS[seat + offset], kind) for offset in (0, 2) for kind in kinds for seat in (0, 1)]
    first, second = fleets[: len(fleets) // 2], fleets[len(fleets) // 2 :]
    placed = [*zip(squares, first, strict=False), *zip(squares, second, strict=False)]
    pawns = {colour: ", ".join(f"{kind} {at}" for at, (own, kind) in placed if own == colour) for colour in COLOURS}
    badges = ["boum gulf_stream fog updraft"] * 4
    islands = dict.fromkeys(range(1, 10), "green 3")
    hands = ["no boum plus_one updraft fog", "", "", ""]
    return new_position(pawns, seat_count=4, hands=hands, badges=badges, islands=islands, dice=[2, 3], anti_skull=True)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", ["\N{CJK UNIFIED IDEOGRAPH-9234}" * 64, "&" * 64], ids=["CJK", "escaped"])
def test_the_picture_of_the_most_crowded_sea_with_the_longest_names_is_not_large(locale: str, name: str) -> None:
    position = crowded_sea()
    assert sum(pawn.count for pawn in position.view(0).pawns) == 89
    document = draw(position.view(0), setting(locale, names=(name,) * 4))
    print(f"\n{len(document.encode())} bytes")
    assert len(document.encode()) < MOST_CROWDED_BYTES


def drawn_words(position: Position, observer: int = 0) -> str:
    return draw(GAME.view(position.state, observer), setting())


def test_the_header_names_the_chosen_pawn_and_what_is_left_to_do() -> None:
    position = new_position({"green": "plane a1, boat a1, boat c2", "red": "boat o15"}, dice=[6, 3])
    assert "Move the plane in the base" in drawn_words(position.copy().play("choose_pawn plane a1"))
    assert "Ring still possible" in drawn_words(position)
    position.state.has_acted = True
    assert "Ring still possible" not in drawn_words(position)


def test_titles_have_the_square_of_a_pawn_and_the_effect_of_a_card() -> None:
    position = new_position({"green": "boat e1", "red": "boat o15"}, hands=["no"], anti_skull=True)
    titles = re.findall("<title>([^<]*)</title>", drawn_words(position))
    assert {"boat (green) on e1", "Your card Non: Cancels an action"} <= set(titles)
    assert "Anti-skull: Cancels an attack on you, or saves your plane from the skull" in titles


def test_a_seat_in_turn_that_waits_for_answers_reads_so() -> None:
    position = new_position({"green": "plane d5", "red": "boat o15"}, hands=["", "no"], dice=[6, 3])
    position.play("attack d5: white e4")
    assert "You wait for the answers of the others" in drawn_words(position, 0)
