"""Components of Spring Festival: with them and a view, a client finds the moves and the score that the rules find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import cast

import pytest
from fireside.spring_festival.v1 import spring_festival_pb2 as pb
from google.protobuf.message import Message

from engine_core.game import NATURE, SPECTATOR, Over, Phase, Turn
from engine_core.games.spring_festival import moves, stages
from engine_core.games.spring_festival.compositions import Complete, completions
from engine_core.games.spring_festival.squares import column, row
from engine_core.games.spring_festival.state import SIGN_CHOICES, SpringFestivalOptions, SpringFestivalState
from services.engine.codecs.spring_festival import SpringFestivalCodec
from tests.conformance.plain import plain

CODEC = SpringFestivalCodec()
GAME = CODEC.game
COMPONENTS = cast(pb.Components, CODEC.encode_components())

TILES = {each.tile.id: each.tile for each in COMPONENTS.tiles}
COMPOSITIONS = {each.composition.id: each for each in COMPONENTS.compositions}
PICTURE_CHARACTERS = {each.character: each for each in COMPONENTS.picture_characters}
SIGNS = {each.sign: each for each in COMPONENTS.signs}
DIRECTIONS = {each.direction: each for each in COMPONENTS.directions}
SIDES = [each.direction for each in COMPONENTS.directions if each.side]
DIAGONALS = [each.direction for each in COMPONENTS.directions if not each.side]
ENUM_VALUES_OF_COMPONENTS: dict[str, list[object]] = {
    "TileId": [*TILES],
    "CompositionId": [*COMPOSITIONS],
    "Sign": [pb.SIGN_NONE, *SIGNS],
    "Direction": [*DIRECTIONS],
}
SEEDS = range(6)

Square = tuple[int, int]


def coordinates_of(square: pb.Square) -> Square:
    return square.x, square.y


def neighbour_in_direction(square: Square, direction: pb.Direction.ValueType) -> Square:
    return square[0] + DIRECTIONS[direction].dx, square[1] + DIRECTIONS[direction].dy


class Board:
    """A display as a client draws it."""

    def __init__(self, display: list[pb.DisplayTile]) -> None:
        self.tiles = {coordinates_of(each.square): each.tile for each in display}
        self.exploded = {coordinates_of(each.square) for each in display if each.face == pb.FACE_EXPLODED}

    def placements(self) -> set[Square]:
        """The squares on which a tile may be put."""
        return {*self.tiles} | {neighbour_in_direction(square, side) for square in self.tiles for side in SIDES}

    def completions(self) -> set[tuple[int, Square, int]]:
        """Cards with corner and turns, each set of tiles once for each card."""
        found = {}
        for card in COMPOSITIONS.values():
            for turns, picture in reversed([*enumerate(card.pictures)]):
                for corner in self.corners():
                    covered = self.covered(corner, list(picture.rows))
                    if covered:
                        found[card.composition.id, covered] = corner, turns
        return {(card, corner, turns) for (card, _), (corner, turns) in found.items()}

    def corners(self) -> Iterator[Square]:
        """Every square that can be the corner of a picture on the tiles, with repetitions."""
        for x, y in self.tiles:
            yield from [(x - dx, y - dy) for dx in range(4) for dy in range(4)]

    def covered(self, corner: Square, rows: list[str]) -> frozenset[Square]:
        """The tiles that a picture uses; empty if they do not fit."""
        used = set()
        for y, line in enumerate(rows):
            for x, letter in enumerate(line):
                need, square = PICTURE_CHARACTERS[letter], (corner[0] + x, corner[1] + y)
                if need.exploded:
                    if square not in self.exploded or not is_tile_matching(
                        self.tiles[square], need.colour, need.number
                    ):
                        return frozenset()
                    used.add(square)
        return frozenset(used)

    def chain(self, first: Square) -> set[Square]:
        """The tiles that explode when the tile on the first square does."""
        exploded, waiting = {*self.exploded, first}, [first]
        while waiting:
            square = waiting.pop()
            for arrow in self.tiles[square].arrows:
                if (other := neighbour_in_direction(square, arrow)) in self.tiles.keys() - exploded:
                    exploded.add(other)
                    waiting.append(other)
        return exploded

    def sparks(self, square: Square) -> int:
        """Complete sparks on the edges of a tile."""
        return sum(
            DIRECTIONS[spark].opposite in other.sparks
            for spark in self.tiles[square].sparks
            if (other := self.tiles.get(neighbour_in_direction(square, spark)))
        )

    def neighbours(self, square: Square, directions: list[pb.Direction.ValueType]) -> set[Square]:
        """The squares with tiles that are next to a square in the given directions."""
        return {other for each in directions if (other := neighbour_in_direction(square, each)) in self.tiles}

    def sign(self, sign: pb.SignComponent) -> int:
        """How often the display has what a sign counts."""
        chosen = {square for square, tile in self.tiles.items() if is_tile_matching(tile, sign.colour, sign.number)}
        match sign.counts:
            case pb.SIGN_COUNT_COLUMN_WITH_ONE:
                return [*Counter(x for x, _ in chosen).values()].count(1)
            case pb.SIGN_COUNT_TILE_WITH_SPARK:
                return sum(self.sparks(square) > 0 for square in chosen)
            case pb.SIGN_COUNT_PAIR:
                return sum(len(self.neighbours(square, SIDES) & chosen) for square in chosen) // 2
            case pb.SIGN_COUNT_TILE_WITH_FREE_SIDE:
                return sum(len(self.neighbours(square, SIDES)) < len(SIDES) for square in chosen)
            case pb.SIGN_COUNT_ENCLOSED_TILE:
                return sum(len(self.neighbours(square, SIDES)) == len(SIDES) for square in chosen)
            case pb.SIGN_COUNT_TILE_OF_LARGEST_GROUP:
                return max((len(self.group(square, chosen)) for square in chosen), default=0)
            case pb.SIGN_COUNT_TILE_WITH_DIAGONAL_MATCH:
                return sum(bool(self.neighbours(square, DIAGONALS) & chosen) for square in chosen)
            case pb.SIGN_COUNT_TILE_WITH_SIDE_MATCH:
                return sum(bool(self.neighbours(square, SIDES) & chosen) for square in chosen)
            case pb.SIGN_COUNT_SPARK:
                return sum(self.sparks(square) for square in chosen) // 2
            case pb.SIGN_COUNT_FACING_ARROWS:
                return sum(self.answered_arrows(square) for square in chosen) // 2
            case pb.SIGN_COUNT_COLUMN_WITH_ALL_NUMBERS:
                return self.full_lines({(square[0], tile.number) for square, tile in self.tiles.items()})
        assert sign.counts == pb.SIGN_COUNT_ROW_WITH_ALL_COLOURS
        return self.full_lines({(square[1], tile.colour) for square, tile in self.tiles.items()})

    def group(self, first: Square, chosen: set[Square]) -> set[Square]:
        """The chosen squares that are connected by sides to the first one, and that one."""
        joined = {first}
        for _ in chosen:
            joined |= {other for square in joined for other in self.neighbours(square, SIDES) & chosen}
        return joined

    def answered_arrows(self, square: Square) -> int:
        return sum(
            DIRECTIONS[arrow].opposite in self.tiles[other].arrows
            for arrow in self.tiles[square].arrows
            if (other := neighbour_in_direction(square, arrow)) in self.tiles
        )

    def full_lines(self, marks: set[tuple[int, int]]) -> int:
        return [*Counter(line for line, _ in marks).values()].count(4)


def is_tile_matching(tile: pb.Tile, colour: int, number: int) -> bool:
    return colour in (0, tile.colour) and number in (0, tile.number)


def view_of(state: SpringFestivalState, observer: int) -> pb.View:
    return cast(pb.View, CODEC.encode_view(GAME.view(state, observer)))


def positions(seed: int, *, seat_count: int = 0) -> Iterator[tuple[SpringFestivalState, Phase]]:
    """Every position of a random match in which most placements are close to the middle and few cards are completed."""
    random = Random(seed)
    state = GAME.start(seat_count or 2 + seed % 3, SpringFestivalOptions("random", seed % 2 == 0))
    while True:
        phase = GAME.phase(state)
        yield state, phase
        if isinstance(phase, Over):
            return
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        legal = GAME.legal_moves(state, seat)
        is_default = state.stage in (stages.LAYING, stages.PLACING) and random.random() < 0.7
        move = GAME.default_move(state, seat) if is_default else random.choice(legal)
        if isinstance(move, Complete) and random.random() < 0.7:
            move = moves.PASS
        GAME.apply(state, seat, move)


def values_by_type_name(message: Message) -> Iterator[tuple[str, object]]:
    """Every value in a message with the name of its type."""
    for field, value in message.ListFields():
        for each in value if field.is_repeated else [value]:
            if field.enum_type is not None:
                yield field.enum_type.name, each
            elif field.message_type is not None:
                yield field.message_type.name, each
                yield from values_by_type_name(each)


@pytest.mark.parametrize("preset", GAME.presets())
def test_the_options_of_a_preset_round_trip(preset: str) -> None:
    options = GAME.presets()[preset]
    assert plain(CODEC.decode_options(CODEC.encode_options(options))) == plain(options)


@pytest.mark.parametrize("sign", SIGN_CHOICES)
@pytest.mark.parametrize("first_seat", [-1, 0, 3])
@pytest.mark.parametrize("extra", [False, True])
def test_options_round_trip(sign: str, first_seat: int, extra: bool) -> None:
    options = SpringFestivalOptions(sign, extra, first_seat)
    assert plain(CODEC.decode_options(CODEC.encode_options(options))) == plain(options)


def test_every_tile_card_and_sign_is_in_the_components_once() -> None:
    assert [*TILES] == pb.TileId.values()[1:]
    assert [*COMPOSITIONS] == pb.CompositionId.values()[1:]
    assert [*SIGNS] == pb.Sign.values()[3:]
    assert [*DIRECTIONS] == pb.Direction.values()[1:]
    assert [sign.counts for sign in COMPONENTS.signs] == pb.SignCount.values()[1:]
    assert [*COMPONENTS.sign_options] == pb.Sign.values()[1:]


@pytest.mark.parametrize("seed", SEEDS)
def test_everything_in_a_view_is_in_the_components(seed: int) -> None:
    board = COMPONENTS.board
    for state, _ in positions(seed):
        for kind, value in [
            each for observer in (SPECTATOR, 0) for each in values_by_type_name(view_of(state, observer))
        ]:
            if isinstance(value, pb.Tile):
                assert value == TILES[value.id]
            elif isinstance(value, pb.Composition):
                assert value == COMPOSITIONS[value.id].composition
                assert state.options.extra_compositions or not COMPOSITIONS[value.id].extra
            elif isinstance(value, pb.Square):
                assert all(board.min_coordinate <= each <= board.max_coordinate for each in coordinates_of(value))
            elif kind in ENUM_VALUES_OF_COMPONENTS:
                assert value in ENUM_VALUES_OF_COMPONENTS[kind]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_client_finds_the_legal_moves_from_directions_and_pictures(seed: int) -> None:
    cards = 0
    for state, phase in positions(seed):
        if not isinstance(phase, Turn) or state.stage in (stages.LAYING, stages.ORIENTING):
            continue
        for seat in phase.seats:
            board = Board([*view_of(state, seat).seats[seat].display])
            if state.stage == stages.PLACING:
                legal = [move for move in GAME.legal_moves(state, seat) if isinstance(move, moves.PlaceTile)]
                assert board.placements() == {(column(move.square), row(move.square)) for move in legal}
            if state.stage == stages.COMPOSING:
                all_cards = completions(state.seats[seat].display, [*range(len(COMPOSITIONS))])
                expected = [move for move in all_cards if isinstance(move, Complete)]
                cards += len(expected)
                assert board.completions() == {
                    (move.card + 1, (column(move.corner), row(move.corner)), move.turns) for move in expected
                }
    assert cards > 20


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_a_client_finds_the_effects_of_arms_arrows_and_half_sparks(seat_count: int) -> None:
    seating = COMPONENTS.seatings[seat_count - 2]
    before = pb.View()
    for state, _ in positions(seat_count, seat_count=seat_count):
        view = view_of(state, SPECTATOR)
        if before.stage == pb.STAGE_ORIENT:
            piles = [(view.offset + arm) % COMPONENTS.store.piles for arm in seating.arms]
            assert [seat.tile for seat in view.seats] == [before.piles[pile].top for pile in piles]
            assert len(view.discards) - len(before.discards) == seating.discards
        if before.stage == pb.STAGE_PLACE and view.stage != pb.STAGE_PLACE:
            for was, seat in zip(before.seats, view.seats, strict=True):
                assert is_resolved(was, seat)
        before = view
    assert seating.seats == seat_count


def is_resolved(was: pb.SeatView, seat: pb.SeatView) -> bool:
    """Whether the tile that was taken explodes where it lies now, as arrows say, and earns what sparks say."""
    [square] = [coordinates_of(each.square) for each in seat.display if each.tile == was.tile]
    board = Board([*was.display])
    board.tiles[square] = was.tile
    board.exploded.discard(square)
    earned = COMPONENTS.scoring.spark_applause * board.sparks(square)
    return Board([*seat.display]).exploded == board.chain(square) and seat.applause == was.applause + earned


@pytest.mark.parametrize("seed", SEEDS)
def test_a_client_computes_the_score_at_every_position(seed: int) -> None:
    for state, _ in positions(seed):
        view = view_of(state, SPECTATOR)
        for number, standing in enumerate(GAME.score(state).standings):
            assert score_lines_of(view, number) == [(line.label, line.points) for line in standing.breakdown]


def score_lines_of(view: pb.View, number: int) -> list[tuple[str, int]]:
    """The lines of the score of a seat."""
    seat, scoring = view.seats[number], COMPONENTS.scoring
    board = Board([*seat.display])
    less = sum(other.applause < seat.applause for other in view.seats)
    lines = [
        ("finale", scoring.exploded_tile_points * len(board.exploded) * seat.launched),
        ("applause", scoring.applause_points * seat.applause),
        ("majorities", scoring.majority_points * less),
        *[(COMPOSITIONS[card.id].score_label, card.points) for card in seat.completed],
    ]
    if view.sign != pb.SIGN_NONE:
        sign = SIGNS[view.sign]
        lines.append(("sign", sign.points * board.sign(sign)))
    return lines


@pytest.mark.parametrize("sign", SIGNS)
def test_a_client_computes_every_sign(sign: pb.Sign.ValueType) -> None:
    points = 0
    for seed in range(20):
        *_, (state, _) = positions(seed)
        state.sign = [*SIGNS].index(sign)
        view = view_of(state, SPECTATOR)
        for number, standing in enumerate(GAME.score(state).standings):
            assert score_lines_of(view, number)[-1] == (standing.breakdown[-1].label, standing.breakdown[-1].points)
            points += standing.breakdown[-1].points
    assert points > 0


def test_seat_and_round_counts_are_within_the_components() -> None:
    for seed in SEEDS:
        *_, (state, _) = positions(seed)
        for seat in view_of(state, SPECTATOR).seats:
            assert len(seat.display) <= COMPONENTS.board.max_tiles
            assert seat.applause <= COMPONENTS.scoring.max_applause
        assert state.round == COMPONENTS.rounds
