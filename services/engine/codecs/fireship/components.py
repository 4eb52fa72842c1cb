"""The `Components` message of Fireship, computed from the tables of its rules."""

from __future__ import annotations

from fireside.fireship.v1 import fireship_pb2 as pb

from engine_core.games.fireship import board, components, moves, score
from engine_core.games.fireship.board import NAMES
from engine_core.games.fireship.state import MAX_PAWNS_ON_SEA, MAX_SEATS, MIN_SEATS, FireshipSeat


def encode_components() -> pb.Components:
    """The components of the game."""
    return pb.Components(
        squares=[_square(square) for square in range(board.SQUARES)],
        islands=[_island(island) for island in range(board.ISLANDS)],
        bases=[pb.BoardBase(colour=_colour(owner), square=NAMES[square]) for owner, square in enumerate(board.BASES)],
        room=MAX_PAWNS_ON_SEA,
        flight_points=components.FLIGHT,
        fast_squares=components.FAST_SQUARES,
        pawns=[_pawn(kind) for kind in range(len(components.KINDS))],
        island_powers=components.ISLAND_POWERS,
        ring_boats=components.RING_BOATS,
        island_points=score.ISLAND_POINTS,
        faces=components.FACES,
        equal_faces=components.WINS_EQUAL,
        greater_faces=components.WINS_GREATER,
        battleship_faces=components.BATTLESHIP_FACES,
        cards=[_card(card) for card in range(components.CARD_KINDS)],
        anti_skull_cards=int(FireshipSeat(components.GREEN, []).anti_skull),
        sectors=[
            pb.WheelSector(sector=sector, effect=pb.WheelEffect.Value(f"WHEEL_EFFECT_{_effect(effect)}"))
            for sector, effect in enumerate(components.SECTORS, 1)
        ],
        badges=[
            pb.BadgeComponent(badge=_played(badge), copies=copies)
            for badge, copies in zip(components.BADGES, components.BADGE_STOCK, strict=True)
        ],
        option_bounds=_option_bounds(),
    )


def _names(squares: list[int]) -> list[str]:
    return [NAMES[square] for square in squares]


def _effect(effect: int) -> str:
    return components.EFFECTS[effect].upper()


def _played(card: int) -> pb.PlayedCard.ValueType:
    return pb.PlayedCard.Value(f"PLAYED_CARD_{_effect(card)}")


def _colour(owner: int) -> pb.Colour.ValueType:
    return pb.Colour.Value(f"COLOUR_{components.OWNERS[owner].upper()}")


def _square(square: int) -> pb.BoardSquare:
    row, column = divmod(square, board.SIZE)
    drawn = pb.BoardSquare(name=NAMES[square], row=row + 1, column=column + 1)
    letter = components.ROWS[row][column]
    if letter in board.LAND:
        drawn.kind = pb.SQUARE_KIND_LAND
        drawn.land_of = board.LAND.index(letter) + 1
        return drawn
    if letter in components.BASE_LETTERS:
        owner = components.BASE_LETTERS.index(letter)
        drawn.kind, drawn.base_of, drawn.square = pb.SQUARE_KIND_BASE, _colour(owner), NAMES[board.BASES[owner]]
    else:
        drawn.kind = pb.SquareKind.Value(f"SQUARE_KIND_{board.SPECIAL_NAMES[board.SPECIAL[square]].upper()}")
        drawn.square = drawn.name
        drawn.port_of = board.PORT_OF[square] + 1
        drawn.flights.extend(_names(board.FLIGHTS[square]))
    if drawn.square == drawn.name:
        drawn.steps.extend(_names(board.STEPS[square]))
    drawn.near.extend(_names(board.NEARBY_SQUARES[square]))
    drawn.kraken.extend(_names(board.KRAKEN_REACH[square]))
    drawn.islands_near.extend([island + 1 for island in board.NEARBY_ISLANDS[square]])
    return drawn


def _island(island: int) -> pb.BoardIsland:
    return pb.BoardIsland(
        island=island + 1,
        land=_names(board.ISLAND_CELLS[island]),
        port=NAMES[board.PORTS[island]],
        coast=_names(board.COASTS[island]),
        near=_names(board.SQUARES_NEAR_ISLAND[island]),
    )


def _pawn(kind: int) -> pb.PawnComponent:
    hasten = moves.Hasten(moves.BADGE, moves.pawn_code(board.PORTS[0], kind))
    return pb.PawnComponent(
        kind=pb.PawnKind.Value(f"PAWN_KIND_{components.KINDS[kind].upper()}"),
        power=components.POWERS[kind],
        each=components.PAWNS_PER_KIND[kind],
        start=components.START_PAWNS[kind],
        flies=kind == components.PLANE,
        fast_by=_played(hasten.card),
    )


def _card(card: int) -> pb.MysteryCardComponent:
    return pb.MysteryCardComponent(
        card=pb.MysteryCard.Value(f"MYSTERY_CARD_{components.CARDS[card].upper()}"),
        copies=components.CARD_COUNTS[card],
        kept=components.IS_HAND_CARD[card],
    )


def _option_bounds() -> pb.OptionBounds:
    return pb.OptionBounds(
        min_rounds=components.MIN_ROUNDS,
        max_rounds=components.MAX_ROUNDS,
        movement_dice=components.MOVEMENT_DICE,
        defaults=[
            pb.SeatDefaults(
                seats=seat_count,
                rounds=components.DEFAULT_ROUNDS[seat_count],
                colours=[_colour(owner) for owner in components.DEFAULT_COLOURS[seat_count]],
            )
            for seat_count in range(MIN_SEATS, MAX_SEATS + 1)
        ],
    )
