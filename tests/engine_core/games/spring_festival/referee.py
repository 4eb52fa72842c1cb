"""Independent model of Spring Festival for differential tests: slow, in coordinates and names.

It shares nothing with the rules package but `components.json` and the notation of moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import groupby
from typing import Final

DATA: Final = json.loads(files("engine_core.games.spring_festival").joinpath("components.json").read_text())
TILES: Final = {tile["id"]: tile for tile in DATA["startTiles"] + DATA["storeTiles"]}
CARDS: Final = {card["id"]: card for card in DATA["colourCompositions"] + DATA["patternCompositions"]}
SIDES: Final = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
COMPASS: Final = {**SIDES, "NE": (1, -1), "SE": (1, 1), "SW": (-1, 1), "NW": (-1, -1)}
ARMS: Final = {2: [0, 2], 3: [0, 1, 2], 4: [0, 1, 2, 3]}

Square = tuple[int, int]
Squares = frozenset[Square]


def reading_order(square: Square) -> Square:
    return square[1], square[0]


def neighbour(square: Square, step: Square) -> Square:
    return square[0] + step[0], square[1] + step[1]


def arrow_count(tile: str) -> int:
    return len(TILES[tile]["arrows"].split())


def colour_of(tile: str) -> str:
    return str(TILES[tile]["colour"])


def is_tile_of_letter(tile: str, letter: str) -> bool:
    return letter == "*" or letter == str(arrow_count(tile)) or letter == colour_of(tile)[0].upper()


def turn_picture(rows: list[str]) -> list[str]:
    """Rows turned a quarter clockwise: the left column, read upwards, becomes the top row."""
    return ["".join(rows[y][x] for y in range(len(rows) - 1, -1, -1)) for x in range(len(rows[0]))]


@dataclass
class Artisan:
    """One seat: its display, tile, cards and applause."""

    start: list[str]
    tiles: dict[Square, str] = field(default_factory=dict)
    exploded: set[Square] = field(default_factory=set)
    cards: list[str] = field(default_factory=list)
    completed: list[str] = field(default_factory=list)
    applause: int = 0
    launched: bool = False
    left: bool = False
    tile: str = ""
    choice: Square | None = None

    def free(self) -> list[Square]:
        """The empty squares next to a tile, in reading order (FW-10, FW-22)."""
        around = {neighbour(square, step) for square in self.tiles for step in SIDES.values()} - set(self.tiles)
        return sorted(around, key=reading_order) if self.tiles else [(0, 0)]

    def nearest(self) -> Square:
        """The free square that the default move chooses: the nearest to square 0, 0 (FW-71)."""
        return min(self.free(), key=lambda square: (square[0] ** 2 + square[1] ** 2, reading_order(square)))

    def unlaid(self) -> list[str]:
        return [tile for tile in self.start if tile not in self.tiles.values()]

    def chain(self, first: Square) -> set[Square]:
        """The exploded squares after an explosion, which spreads along arrows wave by wave (FW-33 to FW-36)."""
        exploded = self.exploded | {first}
        wave = {first}
        while wave:
            arrows = {
                neighbour(square, COMPASS[a]) for square in wave for a in TILES[self.tiles[square]]["arrows"].split()
            }
            wave = {square for square in arrows if square in self.tiles} - exploded
            exploded |= wave
        return exploded

    def sparks(self) -> list[tuple[Square, Square]]:
        """Complete sparks, each as the two squares between which it lies."""
        halves = {
            (square, neighbour(square, SIDES[side]))
            for square, tile in self.tiles.items()
            for side in TILES[tile]["sparks"].split()
        }
        return [(one, other) for one, other in halves if (other, one) in halves and one < other]

    def resolve(self) -> str:
        """Place the tile, count applause, flip it, and let it explode (FW-28); the tile that it replaced, if any."""
        assert self.choice is not None
        replaced = self.tiles.get(self.choice, "")
        self.exploded.discard(self.choice)
        self.tiles[self.choice] = self.tile
        self.applause += sum(self.choice in spark for spark in self.sparks())
        self.exploded = self.chain(self.choice)
        self.tile, self.choice = "", None
        return replaced

    def completions(self) -> list[str]:
        """Legal completions (FW-46): each set of tiles once, with the fewest turns, by card, turns and corner."""
        return [
            f"complete {card} {x} {y} {turns}"
            for card in sorted(self.cards, key=list(CARDS).index)
            for (x, y), turns in self.places(card)
        ]

    def places(self, card: str) -> Iterator[tuple[Square, int]]:
        rows = CARDS[card]["picture"].split(" / ")
        found_places: set[Squares] = set()
        columns, upright = ([square[axis] for square in self.tiles] for axis in (0, 1))
        for turns in range(4):
            for y in range(min(upright), max(upright) + 1):
                for x in range(min(columns), max(columns) + 1):
                    covered = covered_squares(rows, (x, y))
                    if frozenset(covered) not in found_places and all(
                        square in self.exploded and is_tile_of_letter(self.tiles[square], letter)
                        for square, letter in covered.items()
                    ):
                        found_places.add(frozenset(covered))
                        yield (x, y), turns
            rows = turn_picture(rows)

    def complete(self, card: str, corner: Square, turns: int) -> None:
        rows = CARDS[card]["picture"].split(" / ")
        for _ in range(turns):
            rows = turn_picture(rows)
        self.exploded -= set(covered_squares(rows, corner))
        self.cards.remove(card)
        self.completed.append(card)

    def best_launch(self) -> Square:
        """The square that the default move launches: the one with the longest chain (FW-71)."""
        return min(self.tiles, key=lambda square: (-len(self.chain(square)), reading_order(square)))

    def launch(self, square: Square) -> None:
        self.exploded = self.chain(square)
        self.launched = True
        if self.exploded == set(self.tiles):
            self.applause += 3


def covered_squares(rows: list[str], corner: Square) -> dict[Square, str]:
    """The squares that a picture covers, with its corner on this square, and the letter required on each."""
    return {
        neighbour(corner, (x, y)): letter for y, row in enumerate(rows) for x, letter in enumerate(row) if letter != "."
    }


def sign_points(sign: str, tiles: dict[Square, str], sparks: list[tuple[Square, Square]]) -> int:
    """Points of the twelve signs, by the wording of their cards."""

    def squares_with(value: str) -> list[Square]:
        return [square for square, tile in tiles.items() if value in (colour_of(tile), str(arrow_count(tile)))]

    def lines_along(axis: int) -> list[list[str]]:
        ordered = sorted(tiles, key=lambda square: square[axis])
        return [[tiles[square] for square in line] for _, line in groupby(ordered, key=lambda square: square[axis])]

    def adjacent_pairs(one: list[Square], distance: int) -> list[tuple[Square, Square]]:
        """Pairs whose squared distance is 1 (by a side) or 2 (by a corner)."""
        return [(a, b) for a in one for b in one if a < b and (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 == distance]

    def has_four_neighbours(square: Square) -> bool:
        return all(neighbour(square, step) in tiles for step in SIDES.values())

    def squares_in_pairs(found: list[tuple[Square, Square]]) -> int:
        return len({square for pair in found for square in pair})

    def arrow_targets(square: Square) -> list[Square]:
        return [neighbour(square, COMPASS[arrow]) for arrow in TILES[tiles[square]]["arrows"].split()]

    def group_size(first: Square, blues: list[Square]) -> int:
        joined = {first}
        for _ in blues:
            joined |= {b for a in joined for b in blues if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1}
        return len(joined)

    if sign == "goat":
        return 3 * sum([arrow_count(tile) for tile in line].count(1) == 1 for line in lines_along(0))
    if sign == "rooster":
        return 3 * len([square for square in squares_with("3") if any(square in spark for spark in sparks)])
    if sign == "rabbit":
        return 5 * len(adjacent_pairs(squares_with("2"), 1))
    if sign == "dog":
        return 3 * len([square for square in squares_with("4") if not has_four_neighbours(square)])
    if sign == "snake":
        return 5 * len([square for square in squares_with("red") if has_four_neighbours(square)])
    if sign == "tiger":
        blues = squares_with("blue")
        return 3 * max([group_size(square, blues) for square in blues], default=0)
    if sign == "rat":
        return 3 * squares_in_pairs(adjacent_pairs(squares_with("yellow"), 2))
    if sign == "monkey":
        return 2 * squares_in_pairs(adjacent_pairs(squares_with("green"), 1))
    if sign == "dragon":
        return 2 * len(sparks)
    if sign == "pig":
        return 2 * sum(b in arrow_targets(a) and a in arrow_targets(b) for a in tiles for b in tiles if a < b)
    if sign == "ox":
        return 5 * sum({arrow_count(tile) for tile in line} == {1, 2, 3, 4} for line in lines_along(0))
    assert sign == "horse"
    return 5 * sum(len({colour_of(tile) for tile in line}) == 4 for line in lines_along(1))


class Referee:
    """A match that is driven by notations: it lists the legal moves of each seat, and counts points."""

    def __init__(self, seat_count: int, sign: str, extra: bool, first: int | None) -> None:
        size = 36 if extra else 24
        self.sign: str = sign
        self.seats: Final = [Artisan([f"S{seat + 1}-{each}" for each in (1, 2, 3, 4)]) for seat in range(seat_count)]
        self.store: Final = {tile["id"] for tile in DATA["storeTiles"]}
        self.piles: Final = {kind: {f"{kind}{each:02}" for each in range(1, size + 1)} for kind in ("C", "P")}
        self.tops: list[str] = ["", "", "", ""]
        self.discards: Final[list[str]] = []
        self.replaced: Final[list[str]] = []
        self.offset = 0
        self.active = first
        self.round = 0
        self.over = ""
        self.script = self.match()
        self.moves_by_seat: dict[int, list[str]] = {}
        self.last_move: tuple[int, str] = (0, "")
        next(self.script, None)

    def make_move(self, seat: int, move: str) -> None:
        """Make a move, of nature for seat -1; `leave` lets the seat leave."""
        if move == "leave":
            self.seats[seat].left = True
            if sum(not each.left for each in self.seats) == 1:
                self.over, self.moves_by_seat = "left", {}
                for each in self.seats:
                    each.choice = None
                return
            if seat not in self.moves_by_seat:
                return
        else:
            assert move in self.moves_by_seat[seat], f"{move} is none of {self.moves_by_seat[seat]}"
        self.last_move = (seat, move)
        next(self.script, None)

    def wait_for_move(self, moves_by_seat: dict[int, list[str]]) -> Iterator[None]:
        self.moves_by_seat = moves_by_seat
        yield

    def draw(self, moves: list[str]) -> Iterator[None]:
        yield from self.wait_for_move({-1: moves})

    def all_choose(self, todo: str) -> Iterator[None]:
        """Let all seats make the choices that they owe, in any order (FW-30)."""
        while True:
            owed = {seat: getattr(self, f"{todo}_moves")(artisan) for seat, artisan in enumerate(self.seats)}
            owed = {seat: moves for seat, moves in owed.items() if moves}
            if not owed:
                return
            here = {seat: moves for seat, moves in owed.items() if not self.seats[seat].left}
            yield from self.wait_for_move(
                here or {seat: [self.default_of(seat, moves[0])] for seat, moves in owed.items()}
            )
            seat, move = self.last_move
            if move != "leave":
                getattr(self, todo)(self.seats[seat], move.split()[1:])

    def lay_moves(self, artisan: Artisan) -> list[str]:
        return [f"lay {tile} {x} {y}" for tile in artisan.unlaid() for x, y in artisan.free()]

    def lay(self, artisan: Artisan, words: list[str]) -> None:
        artisan.tiles[int(words[1]), int(words[2])] = words[0]

    def place_moves(self, artisan: Artisan) -> list[str]:
        if artisan.choice is not None:
            return []
        return [f"place {x} {y}" for x, y in sorted([*artisan.free(), *artisan.tiles], key=reading_order)]

    def place(self, artisan: Artisan, words: list[str]) -> None:
        artisan.choice = int(words[0]), int(words[1])

    def launch_moves(self, artisan: Artisan) -> list[str]:
        return [] if artisan.launched else [f"launch {x} {y}" for x, y in sorted(artisan.tiles, key=reading_order)]

    def launch(self, artisan: Artisan, words: list[str]) -> None:
        artisan.launch((int(words[0]), int(words[1])))

    def match(self) -> Iterator[None]:
        yield from self.setup()
        for self.round in range(1, 13):
            yield from self.turn_store()
            yield from self.all_choose("place")
            for artisan in self.seats:
                self.replaced.extend(replaced for replaced in [artisan.resolve()] if replaced)
            yield from self.compose()
            assert self.active is not None
            self.active = (self.active + 1) % len(self.seats)
        for artisan in self.seats:
            artisan.exploded = set()
        yield from self.all_choose("launch")
        self.over, self.moves_by_seat = "finale", {}

    def setup(self) -> Iterator[None]:
        """Set-up (FW-14)."""
        yield from self.stock()
        for kind in ("P", "C"):
            for seat in range(len(self.seats)):
                yield from self.deal(seat, kind)
                yield from self.deal(seat, kind)
        if self.sign == "random":
            yield from self.draw([f"sign {sign['id']}" for sign in DATA["signs"]])
            self.sign = self.last_move[1].split()[1]
        if self.active is None:
            yield from self.draw([f"first_seat {seat}" for seat in range(len(self.seats))])
            self.active = int(self.last_move[1].split()[1])
        yield from self.all_choose("lay")

    def stock(self) -> Iterator[None]:
        for pile in range(4):
            yield from self.draw([f"reveal {pile} {tile}" for tile in sorted(self.store)])
            self.tops[pile] = self.last_move[1].split()[2]
            self.store.remove(self.tops[pile])

    def deal(self, seat: int, kind: str) -> Iterator[None]:
        yield from self.draw([f"deal {seat} {card}" for card in sorted(self.piles[kind])])
        card = self.last_move[1].split()[2]
        self.piles[kind].remove(card)
        self.seats[seat].cards.append(card)

    def turn_store(self) -> Iterator[None]:
        """Turn the store and take tiles (FW-15 to FW-19)."""
        assert self.active is not None
        yield from self.wait_for_move(
            {self.active: self.or_default(self.active, [f"orient {offset}" for offset in range(4)])}
        )
        if self.last_move[1] == "leave":
            yield from self.wait_for_move({self.active: [f"orient {self.offset}"]})
        self.offset = int(self.last_move[1].split()[1])
        for seat, arm in enumerate(ARMS[len(self.seats)]):
            pile = (self.offset + arm) % 4
            self.seats[seat].tile, self.tops[pile] = self.tops[pile], ""
        self.discards.extend(tile for tile in self.tops if tile)
        self.tops = ["", "", "", ""]
        if self.round < 12:
            yield from self.stock()

    def compose(self) -> Iterator[None]:
        """Let the seats complete cards, clockwise from the active one, until each passes (FW-30, FW-39)."""
        assert self.active is not None
        for place in range(len(self.seats)):
            seat = (self.active + place) % len(self.seats)
            artisan = self.seats[seat]
            while found := artisan.completions():
                yield from self.wait_for_move({seat: self.or_default(seat, [*found, "pass"])})
                if self.last_move[1] == "pass":
                    break
                if self.last_move[1] == "leave":
                    continue
                card, x, y, turns = self.last_move[1].split()[1:]
                artisan.complete(card, (int(x), int(y)), int(turns))
                if self.piles[card[0]]:
                    yield from self.deal(seat, card[0])

    def or_default(self, seat: int, moves: list[str]) -> list[str]:
        """The moves of a seat: only the default one if it has left (FW-70)."""
        return [self.default_of(seat, moves[0])] if self.seats[seat].left else moves

    def default(self, seat: int) -> str:
        return self.default_of(seat, self.moves_by_seat[seat][0])

    def default_of(self, seat: int, move: str) -> str:
        """The default move of a seat (FW-71); `move` is any legal one, and gives the kind."""
        artisan = self.seats[seat]
        kind = move.split()[0]
        if kind in ("lay", "place"):
            tile = f" {min(artisan.unlaid())}" if kind == "lay" else ""
            return "{}{} {} {}".format(kind, tile, *artisan.nearest())
        if kind == "orient":
            return f"orient {self.offset}"
        return "pass" if kind in ("complete", "pass") else "launch {} {}".format(*artisan.best_launch())

    def breakdown(self, seat: int) -> list[tuple[str, int]]:
        artisan = self.seats[seat]
        lines = [
            ("finale", len(artisan.exploded) if artisan.launched else 0),
            ("applause", artisan.applause),
            ("majorities", 3 * len([each for each in self.seats if each.applause < artisan.applause])),
        ]
        lines += [(f"composition-{card.lower()}", CARDS[card]["points"]) for card in artisan.completed]
        if self.sign not in ("none", "random"):
            shown = self.round > 0
            lines.append(("sign", sign_points(self.sign, artisan.tiles, artisan.sparks()) if shown else 0))
        return lines

    def ranks(self) -> list[int]:
        """Ranks by seat (FW-56, FW-70, FW-72)."""
        worth = [
            (not artisan.left, sum(points for _, points in self.breakdown(seat)), artisan.applause)
            for seat, artisan in enumerate(self.seats)
        ]
        return [1 + len([other for other in worth if other > mine]) for mine in worth]
