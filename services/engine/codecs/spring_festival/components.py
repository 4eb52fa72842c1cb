"""Builds the `Components` message of Spring Festival from the data of the rules."""

from __future__ import annotations

from fireside.spring_festival.v1 import spring_festival_pb2 as pb

from engine_core.games.spring_festival import components, compositions
from engine_core.games.spring_festival.display import MAX_TILES
from engine_core.games.spring_festival.score import composition_label
from engine_core.games.spring_festival.signs import COUNTS
from engine_core.games.spring_festival.squares import CENTRE, FARTHEST, SIDES, STEPS, column, row
from engine_core.games.spring_festival.state import MAX_SEATS, MIN_SEATS, SIGN_CHOICES
from services.engine.codecs.spring_festival.shared_fields import COMPOSITION_BYTES, FIRST_SIGN, TILE_BYTES


def encode_components() -> pb.Components:
    """All components, with the figures that the rules use."""
    return pb.Components(
        tiles=[_tile(tile) for tile in range(len(components.TILES))],
        compositions=[_composition(card) for card in range(len(compositions.COMPOSITIONS))],
        picture_characters=_picture_characters(),
        signs=[_sign(number, sign) for number, sign in enumerate(components.SIGN_CARDS)],
        directions=[_direction(direction) for direction in range(len(components.DIRECTIONS))],
        board=pb.BoardComponent(
            min_coordinate=-FARTHEST,
            max_coordinate=FARTHEST,
            first_square=pb.Square(x=column(CENTRE), y=row(CENTRE)),
            start_tiles=components.SET_SIZE,
            max_tiles=MAX_TILES,
        ),
        store=pb.StoreComponent(piles=components.PILES, pile_size=components.STORE_TILES // components.PILES),
        seatings=[_seating(seat_count) for seat_count in range(MIN_SEATS, MAX_SEATS + 1)],
        rounds=components.ROUNDS,
        cards_of_a_kind=components.CARDS_OF_A_KIND,
        base_compositions=compositions.pile_size(False),
        all_compositions=compositions.pile_size(True),
        sign_options=[pb.Sign.ValueType(number + 1) for number in range(len(SIGN_CHOICES))],
        scoring=pb.Scoring(
            spark_applause=components.SPARK,
            perfect_finale_applause=components.PERFECT_FINALE,
            max_applause=components.MAX_APPLAUSE,
            exploded_tile_points=components.EXPLODED_TILE,
            applause_points=components.APPLAUSE,
            majority_points=components.MAJORITY,
        ),
    )


def _tile(tile: int) -> pb.TileComponent:
    is_start_tile = tile < components.FIRST_STORE_TILE
    return pb.TileComponent(
        tile=pb.Tile.FromString(TILE_BYTES[tile]), start_seat=tile // components.SET_SIZE if is_start_tile else None
    )


def _composition(card: int) -> pb.CompositionComponent:
    composition = compositions.COMPOSITIONS[card]
    return pb.CompositionComponent(
        composition=pb.Composition.FromString(COMPOSITION_BYTES[card]),
        extra=card not in compositions.pile(composition.kind, False),
        pictures=[pb.Picture(rows=rows) for rows in composition.orientations],
        score_label=composition_label(card),
    )


def _picture_characters() -> list[pb.PictureCharacter]:
    return [
        pb.PictureCharacter(character=compositions.ANYTHING),
        pb.PictureCharacter(character=compositions.ANY_EXPLOSION, exploded=True),
        *[
            pb.PictureCharacter(character=letter, exploded=True, colour=pb.Colour.ValueType(colour + 1))
            for colour, letter in enumerate(compositions.COLOUR_LETTERS)
        ],
        *[
            pb.PictureCharacter(character=digit, exploded=True, number=place + 1)
            for place, digit in enumerate(compositions.NUMBER_DIGITS)
        ],
    ]


def _sign(number: int, sign: components.Sign) -> pb.SignComponent:
    return pb.SignComponent(
        sign=pb.Sign.ValueType(number + FIRST_SIGN),
        counts=pb.SignCount.ValueType([*COUNTS].index(sign.counts) + 1),
        points=sign.points,
        colour=pb.Colour.ValueType(sign.colour + 1),
        number=sign.number,
    )


def _direction(direction: int) -> pb.DirectionComponent:
    neighbour = CENTRE + STEPS[direction]
    return pb.DirectionComponent(
        direction=pb.Direction.ValueType(direction + 1),
        dx=column(neighbour) - column(CENTRE),
        dy=row(neighbour) - row(CENTRE),
        opposite=pb.Direction.ValueType((direction ^ components.OPPOSITE) + 1),
        side=direction in SIDES,
    )


def _seating(seat_count: int) -> pb.Seating:
    arms = components.ARMS[seat_count]
    return pb.Seating(seats=seat_count, arms=arms, discards=components.PILES - len(arms), max_first_seat=seat_count - 1)
