"""The components of Fire Bulls as a `Components` message, made from the data of the rules."""

from __future__ import annotations

from typing import Final, cast

from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb

from engine_core import packed
from engine_core.games.fire_bulls import components as rules
from engine_core.games.fire_bulls.score import COLOUR_POINTS
from engine_core.games.fire_bulls.state import MAX_SEATS, MIN_SEATS
from services.engine.codecs.fire_bulls.options import PROFILES, colour_number, profile_number

POWERS: Final = {
    rules.BO: pb.CARD_POWER_DRAW,
    rules.COLONEL: pb.CARD_POWER_DISCARD,
    rules.GENERAL: pb.CARD_POWER_TAKE,
}
"""The powers by kind of point card."""


def encode_components() -> pb.Components:
    """The components of the game."""
    return pb.Components(
        attack_cards=[_attack_card(card) for card in range(len(rules.ATTACK_CARDS))],
        point_cards=[_point_card(card) for card in range(rules.POINT_KINDS)],
        squares=[_square(square) for square in range(rules.SQUARES)],
        lines=[_line(direction) for direction in rules.ALL_DIRECTIONS],
        profiles=[_profile(rules.RULES_BY_PROFILE[name]) for name in PROFILES],
        seats=[_seats(seat_count) for seat_count in range(MIN_SEATS, MAX_SEATS + 1)],
        start_hand=rules.START_HAND,
        reserve=rules.RESERVE,
        hand_limit=rules.HAND_LIMIT,
        pile_size=rules.PILE_SIZE,
        exhaustions_to_end=rules.EXHAUSTIONS_TO_END,
        empty_piles_to_end=rules.EMPTY_PILES_TO_END,
        colour_points=COLOUR_POINTS,
    )


def _attack_card(card: int) -> pb.AttackCardKind:
    return pb.AttackCardKind(
        card=cast(pb.AttackCard.ValueType, card + 1),
        colour=pb.COLOUR_UNSPECIFIED if card == rules.WARRIOR else colour_number(card),
        copies=packed.count_of(rules.FULL_DECK, card),
    )


def _point_card_number(card: int) -> pb.PointCard.ValueType:
    return cast(pb.PointCard.ValueType, card + 1)


def _point_card(card: int) -> pb.PointCardKind:
    kind = rules.POINT_CARDS[card]
    colours = [colour for colour in range(len(rules.COLOURS)) if kind.colour in (colour, rules.ALL_COLOURS)]
    return pb.PointCardKind(
        card=_point_card_number(card),
        value=kind.value,
        copies=kind.count,
        colours=[colour_number(colour) for colour in colours],
        power=POWERS.get(card, pb.CARD_POWER_UNSPECIFIED),
    )


def _column(square: int) -> int:
    return square % rules.PILES + 1


def _row(square: int) -> int:
    return square // rules.PILES + 1


def _square(square: int) -> pb.Square:
    nearer = square - rules.PILES
    return pb.Square(
        index=square,
        name=rules.SQUARE_NAMES[square],
        column=_column(square),
        row=_row(square),
        lines=[direction for direction in rules.ALL_DIRECTIONS if square in rules.LINES[direction]],
        slides_to=nearer if nearer >= 0 else None,
    )


def _line(direction: int) -> pb.Line:
    squares = rules.LINES[direction]
    return pb.Line(
        direction=direction,
        squares=squares,
        neighbours=[other for other in rules.WITHIN_A_STEP[direction] if other != direction],
        column=2 * _column(squares[0]) - _column(squares[1]),  # the line goes on as far again, to the pawn
        row=2 * _row(squares[0]) - _row(squares[1]),
    )


def _profile(profile_rules: rules.ProfileRules) -> pb.ProfileRules:
    return pb.ProfileRules(
        profile=profile_number(profile_rules.name),
        costs=[
            pb.PointCardCosts(card=_point_card_number(card), costs=[_cost(cost) for cost in costs])
            for card, costs in enumerate(profile_rules.costs)
        ],
        attacks_anywhere=profile_rules.attacks_anywhere,
        direct_limit=rules.MAX_DIRECT_CAPTURES,
        deviated_limit=profile_rules.max_deviated_captures,
        bonus_cards=[profile_rules.bonus_cards(captures) for captures in range(1, rules.MAX_DIRECT_CAPTURES + 1)],
        refills_reserve=profile_rules.refills_to_three,
    )


def _cost(cost: rules.Cost) -> pb.Cost:
    return pb.Cost(
        groups=[
            pb.CostGroup(
                colour=pb.COLOUR_UNSPECIFIED if colour == rules.ANY_COLOUR else colour_number(colour), cards=number
            )
            for colour, number in cost
        ]
    )


def _seats(seat_count: int) -> pb.SeatsRules:
    return pb.SeatsRules(
        seats=seat_count,
        colours=[colour_number(colour) for colour in range(seat_count)],
        max_first_seat=seat_count - 1,
        deck_size=packed.size(rules.FULL_DECK) - seat_count * rules.START_HAND - rules.RESERVE,
        quiet_turns=seat_count * rules.QUIET_TURNS_PER_SEAT,
    )
