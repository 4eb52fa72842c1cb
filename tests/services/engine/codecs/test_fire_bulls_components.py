"""Components of Fire Bulls: with them and a view, a client finds the moves and the score that the rules find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise, permutations
from random import Random
from typing import cast

import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from google.protobuf.message import Message

from engine_core.explore import random_step
from engine_core.game import SPECTATOR
from engine_core.games.fire_bulls import stages
from engine_core.games.fire_bulls.columns import slide_columns
from engine_core.games.fire_bulls.components import ATTACK_CARDS, EMPTY, POINT_CARD_NAMES, POINT_KINDS
from engine_core.games.fire_bulls.payments import cards_of_payment, payments_by_card
from engine_core.games.fire_bulls.state import FireBullsOptions, FireBullsState
from services.engine.codecs.fire_bulls import FireBullsCodec
from tests.engine_core.games.fire_bulls.positions import GAME, PROFILES, new_position

CODEC = FireBullsCodec()
COMPONENTS = cast(pb.Components, CODEC.encode_components())
PROFILE_COMPONENTS = dict(zip(PROFILES, COMPONENTS.profiles, strict=True))
LINES_BY_DIRECTION = {line.direction: line for line in COMPONENTS.lines}
BULL_NUMBERS = range(1, 6)
"""The values of `AttackCard` that have a colour, which has the same value in `Colour`."""
EACH_PROFILE = pytest.mark.parametrize("profile", PROFILES)


def is_payment_of(cost: pb.Cost, paid: Counter[int]) -> bool:
    """Whether a client that knows the components alone lets these attack cards pay a cost."""
    if paid.total() != sum([group.cards for group in cost.groups]):
        return False
    white = [group for group in cost.groups if not group.colour]
    for colours in permutations(BULL_NUMBERS, len(white)):
        symbols: Counter[int] = Counter()
        for group in cost.groups:
            symbols[group.colour] += group.cards if group.colour else 0
        for group, colour in zip(white, colours, strict=True):
            symbols[colour] += group.cards
        if all(paid[bull] <= symbols[bull] for bull in BULL_NUMBERS):
            return True
    return False


@EACH_PROFILE
@pytest.mark.parametrize("card", range(POINT_KINDS), ids=POINT_CARD_NAMES)
def test_the_costs_of_a_card_give_the_legal_payments(card: int, profile: str) -> None:
    copies = {kind.card: kind.copies for kind in COMPONENTS.attack_cards}
    costs = PROFILE_COMPONENTS[profile].costs[card].costs
    sizes = {sum([group.cards for group in cost.groups]) for cost in costs}
    payments = {
        cards
        for size in sizes
        for cards in combinations_with_replacement(sorted(copies), size)
        if all(number <= copies[kind] for kind, number in Counter(cards).items())
        and any(is_payment_of(cost, Counter(cards)) for cost in costs)
    }
    theirs = [tuple([kind + 1 for kind in cards_of_payment(paid)]) for paid in payments_by_card(profile)[card]]
    assert sorted(payments) == sorted(theirs)
    assert PROFILE_COMPONENTS[profile].costs[card].card == card + 1


def matches(profile: str) -> Iterator[FireBullsState]:
    """Every position of a random match for each number of seats; all of a match are the same object."""
    for seat_count in range(GAME.min_seats, GAME.max_seats + 1):
        random = Random(f"{profile} {seat_count}")
        state = GAME.start(seat_count, FireBullsOptions(profile))
        yield state
        while random_step(GAME, state, random):
            yield state


def view_of(state: FireBullsState, observer: int = SPECTATOR) -> pb.View:
    return cast(pb.View, CODEC.encode_view(GAME.view(state, observer)))


def enum_values(message: Message) -> Iterator[tuple[str, int]]:
    """The names of enums with their values in a message and its parts."""
    for field, value in message.ListFields():
        for part in value if field.is_repeated else [value]:
            if field.enum_type:
                yield field.enum_type.name, part
            elif field.message_type:
                yield from enum_values(part)


@EACH_PROFILE
def test_the_components_contain_everything_that_views_mention(profile: str) -> None:
    known = {
        *[("PointCard", kind.card) for kind in COMPONENTS.point_cards],
        *[("Colour", colour) for seats in COMPONENTS.seats for colour in seats.colours],
        *[("Profile", rules.profile) for rules in COMPONENTS.profiles],
    }
    drawn = [(square.column - 1, square.row - 1) for square in COMPONENTS.squares]
    for state in matches(profile):
        for observer in range(SPECTATOR, len(state.seats)):
            view = view_of(state, observer)
            named = {item for item in enum_values(view) if item[1] and item[0] not in ("Stage", "GeneralPlace")}
            assert named <= known
            assert {view.direction, *[seat.place for seat in view.seats]} <= {0, *LINES_BY_DIRECTION}
            cells = [(column, row) for column in range(len(view.columns)) for row in range(3)]
            assert sorted(drawn) == cells


def cards_in(view: pb.View) -> Counter[int]:
    """All point cards of a view, by kind."""
    counts: Counter[int] = Counter([card for column in view.columns for card in column.squares if card])
    for pile in [view.undrawn, view.removed, *[seat.victory for seat in view.seats]]:
        for kind in pile:
            counts[kind.card] += kind.count
    counts[pb.POINT_CARD_GENERAL] += view.general == pb.GENERAL_PLACE_ASIDE
    return counts


@EACH_PROFILE
def test_the_number_of_copies_of_point_cards_is_that_of_every_view(profile: str) -> None:
    copies = {kind.card: kind.copies for kind in COMPONENTS.point_cards}
    for state in matches(profile):
        assert cards_in(view_of(state)) == copies


def lines_of(seat: pb.SeatView) -> dict[str, int]:
    """The score lines of a seat, counted from the components and the view alone."""
    kinds = {kind.card: kind for kind in COMPONENTS.point_cards}
    lost = kinds[seat.penalty].value if seat.penalty else 0
    won = [(kinds[held.card], held.count) for held in seat.victory]
    return {
        "cards": sum([kind.value * count for kind, count in won]) + lost,
        "penalty": -lost,
        "colour": sum([count for kind, count in won if seat.colour in kind.colours]),
    }


@EACH_PROFILE
def test_the_score_can_be_computed_from_the_components_and_a_view(profile: str) -> None:
    for state in matches(profile):
        for seat, standing in zip(view_of(state).seats, GAME.score(state).standings, strict=True):
            assert lines_of(seat) == {line.label: line.points for line in standing.breakdown}


@pytest.mark.parametrize("place", LINES_BY_DIRECTION)
def test_a_pawn_steps_to_adjacent_places(place: int) -> None:
    position = new_position(["", ""], places=(place, place % 5 + 1)).play("draw").play_draws()
    steps = {int(move.removeprefix("step ")) for move in position.moves()}
    assert steps == {place, *LINES_BY_DIRECTION[place].neighbours}


def attackable_places(place: int, profile: str) -> set[int]:
    return (
        {*LINES_BY_DIRECTION}
        if PROFILE_COMPONENTS[profile].attacks_anywhere
        else {place, *LINES_BY_DIRECTION[place].neighbours}
    )


@EACH_PROFILE
@pytest.mark.parametrize("place", LINES_BY_DIRECTION)
def test_a_pawn_attacks_in_the_directions_of_its_profile(place: int, profile: str) -> None:
    attacks = new_position(["red red green", ""], profile=profile, places=(place, place % 5 + 1)).moves_starting(
        "attack"
    )
    assert {int(move[7]) for move in attacks} == attackable_places(place, profile)


EIGHT_FORTS = " / ".join(["fortification fortification fortification"] * 2 + ["fortification fortification -"])


@EACH_PROFILE
@pytest.mark.parametrize("place", LINES_BY_DIRECTION)
def test_an_attack_takes_the_nearest_squares_up_to_the_limit_and_gives_the_bonus(place: int, profile: str) -> None:
    rules = PROFILE_COMPONENTS[profile]
    for direction in attackable_places(place, profile):
        hands = ["red red red red red", ""]
        position = new_position(hands, EIGHT_FORTS, profile=profile, places=(place, place % 5 + 1)).play(
            f"attack {direction}: red"
        )
        there = [square for square in LINES_BY_DIRECTION[direction].squares if COMPONENTS.squares[square].name != "I"]
        captures = 1
        while "stop" in position.moves():
            assert [square for square in there if position.state.squares[square] == EMPTY] == there[:captures]
            position.play("capture: red")
            captures += 1
        limit = rules.direct_limit if direction == place else rules.deviated_limit
        assert captures == min(len(there), limit)
        assert position.state.pending_draws == rules.bonus_cards[captures - 1]


@EACH_PROFILE
@pytest.mark.parametrize("reserve", ["red red", "red red red", "red red red red"])
def test_the_reserve_is_refilled_by_its_profile(reserve: str, profile: str) -> None:
    position = new_position(["", ""], profile=profile, reserve=reserve).play("take red")
    left = len(reserve.split()) - 1
    expected = max(0, COMPONENTS.reserve - left) if PROFILE_COMPONENTS[profile].refills_reserve else 1
    assert len(position.play_draws().reserve().split()) == left + expected


POWER_STAGES = {
    pb.CARD_POWER_DRAW: stages.BO_DRAW,
    pb.CARD_POWER_DISCARD: stages.COLONEL_PICK,
    pb.CARD_POWER_TAKE: stages.GENERAL_PICK,
}


@pytest.mark.parametrize("kind", COMPONENTS.point_cards, ids=POINT_CARD_NAMES)
def test_a_captured_card_has_the_power_of_its_kind(kind: pb.PointCardKind) -> None:
    hand = "blue blue blue yellow yellow yellow brown brown brown red red red red red red red green green green"
    if kind.card == pb.POINT_CARD_GENERAL:
        position = new_position([hand, "blue"], general="aside").play("general: red red red red red red red")
    else:
        position = new_position([hand, "blue"], f"- - - / - - - / {POINT_CARD_NAMES[kind.card - 1]} - -", places=(2, 5))
        position.play(position.moves_starting("attack 2")[0])
    offered = "power yes" in position.moves()
    assert offered == bool(kind.power)
    if offered:
        position.play("power yes")
        assert position.state.stage == POWER_STAGES[kind.power]


@pytest.mark.parametrize("square", COMPONENTS.squares, ids=[square.name for square in COMPONENTS.squares])
def test_a_lone_card_slides_to_the_near_row(square: pb.Square) -> None:
    state = new_position().state
    state.squares[:] = [EMPTY] * len(state.squares)
    state.squares[square.index] = 0
    slide_columns(state)
    end = square
    while end.HasField("slides_to"):
        assert (COMPONENTS.squares[end.slides_to].column, COMPONENTS.squares[end.slides_to].row) == (
            end.column,
            end.row - 1,
        )
        end = COMPONENTS.squares[end.slides_to]
    assert [place for place, card in enumerate(state.squares) if card != EMPTY] == [end.index]


def test_squares_of_states_are_those_of_the_columns_of_views() -> None:
    for state in matches("merged"):
        columns = view_of(state).columns
        for square in COMPONENTS.squares:
            assert columns[square.column - 1].squares[square.row - 1] == state.squares[square.index] + 1


def test_a_line_is_straight_from_the_place_of_its_pawn() -> None:
    for line in COMPONENTS.lines:
        squares = [COMPONENTS.squares[index] for index in line.squares]
        columns = [line.column, *[square.column for square in squares]]
        assert [line.row, *[square.row for square in squares]] == [0, 1, 2, 3]
        assert len({after - before for before, after in pairwise(columns)}) == 1
        assert all(line.direction in square.lines for square in squares)
    assert [line.column for line in COMPONENTS.lines] == [0, 1, 2, 3, 4]
    assert sum([len(square.lines) for square in COMPONENTS.squares]) == 15


@pytest.mark.parametrize("rules", COMPONENTS.seats, ids=lambda rules: f"{rules.seats}")
def test_the_setup_depends_on_the_number_of_seats(rules: pb.SeatsRules) -> None:
    random, state = Random(1), GAME.start(rules.seats, FireBullsOptions())
    start = view_of(state)
    assert [seat.colour for seat in start.seats] == rules.colours
    assert [column.pile_size for column in start.columns] == [COMPONENTS.pile_size] * 3
    while state.stage != stages.ACTION:
        random_step(GAME, state, random)
    view = view_of(state)
    assert view.deck_size == rules.deck_size
    assert {seat.hand_size for seat in view.seats} == {COMPONENTS.start_hand}
    reserve = view.reserve
    cards = [reserve.blue, reserve.yellow, reserve.brown, reserve.red, reserve.green, reserve.warrior]
    assert sum(cards) == COMPONENTS.reserve


@pytest.mark.parametrize("rules", COMPONENTS.seats, ids=lambda rules: f"{rules.seats}")
def test_quiet_turns_cause_an_exhaustion_and_the_last_one_ends_the_match(rules: pb.SeatsRules) -> None:
    position = new_position(
        [""] * rules.seats,
        deck="",
        discards="",
        exhaustions=COMPONENTS.exhaustions_to_end - 1,
        quiet_turns=rules.quiet_turns - 2,
    )
    assert position.play(position.moves()[0]).play_draws().state.quiet_turns == rules.quiet_turns - 1
    assert position.play(position.moves()[0]).play_draws().reason() == "exhaustion"


def test_a_hand_one_card_over_the_limit_gives_one_away() -> None:
    position = new_position([" ".join(["red"] * COMPONENTS.hand_limit), ""]).play("draw").play_draws()
    position.play(position.moves()[0])
    assert position.moves_starting("release")
    assert not position.play(position.moves()[0]).moves_starting("release")


@pytest.mark.parametrize("empty", range(4))
def test_the_number_of_empty_piles_that_end_a_match_is_in_the_components(empty: int) -> None:
    piles = [0] * empty + [1] * (3 - empty)
    position = new_position(["", ""], piles=piles, general="won").play("draw").play_draws()
    assert position.play(position.moves()[0]).reason() == ("general" if empty >= COMPONENTS.empty_piles_to_end else "")


@pytest.mark.parametrize("seats", COMPONENTS.seats, ids=lambda rules: f"{rules.seats}")
def test_the_first_seat_is_one_of_the_seats(seats: pb.SeatsRules) -> None:
    last = CODEC.decode_options(pb.Options(first_seat=seats.max_first_seat))
    assert GAME.start(seats.seats, last).options.first_seat == seats.max_first_seat


@pytest.mark.parametrize(
    "options", [*GAME.presets().values(), FireBullsOptions("it", (4, 0, 2), 2), FireBullsOptions("fr", (), 0)]
)
def test_options_are_read_back_from_their_message(options: FireBullsOptions) -> None:
    assert CODEC.decode_options(CODEC.encode_options(options)).__reduce__() == options.__reduce__()


def test_a_client_can_name_every_attack_card_of_the_deck() -> None:
    names = [pb.AttackCard.Name(kind.card).removeprefix("ATTACK_CARD_").lower() for kind in COMPONENTS.attack_cards]
    assert names == ATTACK_CARDS
    assert [kind.colour for kind in COMPONENTS.attack_cards] == [*BULL_NUMBERS, pb.COLOUR_UNSPECIFIED]
    assert sum([kind.copies for kind in COMPONENTS.attack_cards]) == 54
