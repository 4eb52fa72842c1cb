"""Components of Fireship: with them and a view, a client finds the moves and the score that the rules find."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, cast

import pytest
from fireside.fireship.v1 import fireship_pb2 as pb
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from engine_core.game import NATURE, SPECTATOR, Over, Turn
from engine_core.games.fireship.stages import MOVING, SAILING
from engine_core.games.fireship.state import FireshipOptions, FireshipState
from services.engine.codecs.fireship import FireshipCodec
from tests.conformance.plain import plain
from tests.engine_core.games.fireship.crowded import aggressive_choice
from tests.engine_core.games.fireship.positions import new_position
from tests.services.engine.codecs.test_fireship import lively_positions

CODEC = FireshipCodec()
GAME = CODEC.game
COMPONENTS: Final = cast(pb.Components, CODEC.encode_components())
SQUARES_BY_NAME: Final = {square.square: square for square in COMPONENTS.squares if square.name == square.square}
ISLANDS_BY_NUMBER: Final = {island.island: island for island in COMPONENTS.islands}
PAWNS_BY_KIND: Final = {pawn.kind: pawn for pawn in COMPONENTS.pawns}

Attack = tuple[str, str, int]
"""Square of the attacker, target as in notation, number of +1 cards."""


def view_of(state: FireshipState, observer: int) -> pb.View:
    return cast(pb.View, CODEC.encode_view(GAME.view(state, observer)))


def is_sea(square: str) -> bool:
    return bool(SQUARES_BY_NAME[square].near)


def reachable_squares(pawn: pb.Pawn, points: int) -> set[str]:
    """The squares of the sea that a pawn can reach, from the components alone."""
    flies, best, waiting = PAWNS_BY_KIND[pawn.kind].flies, {pawn.square: 0}, [pawn.square]
    budget = points * COMPONENTS.fast_squares if pawn.fast else points
    while waiting:
        square = waiting.pop()
        ways = [(one, 1) for one in SQUARES_BY_NAME[square].steps]
        ways += [(one, COMPONENTS.flight_points) for one in SQUARES_BY_NAME[square].flights] if flies else []
        for next_square, cost in ways:
            length = best[square] + cost
            if length <= min(budget, best.get(next_square, budget + 1) - 1):
                best[next_square] = length
                waiting.append(next_square)
    return best.keys() - {pawn.square}


class Client:
    """What a client works out from the components and the view of the active seat."""

    def __init__(self, view: pb.View) -> None:
        self.view: Final = view
        self.own: Final = view.seats[view.active_seat]
        self.seats: Final[dict[int, pb.SeatView]] = {seat.colour: seat for seat in view.seats}

    def number(self, square: str) -> int:
        """Pawns on a square."""
        return sum(group.count for group in self.view.pawns if group.pawn.square == square)

    def power(self, owner: int, squares: list[str]) -> int:
        """Power of a colour's pawns on some squares."""
        return sum(
            group.count * PAWNS_BY_KIND[group.pawn.kind].power
            for group in self.view.pawns
            if group.owner == owner and group.pawn.square in squares
        )

    def sails(self) -> set[str]:
        """Where the chosen pawn can sail."""
        to = reachable_squares(self.view.chosen, self.view.points)
        return {square for square in to if self.number(square) < COMPONENTS.room}

    def attacks(self) -> set[Attack]:
        """The legal attacks."""
        own = {group.pawn.square for group in self.view.pawns if group.owner == self.own.colour}
        return {attack for start in own if is_sea(start) for attack in self.attacks_from(start)}

    def attacks_from(self, start: str) -> Iterator[Attack]:
        square = SQUARES_BY_NAME[start]
        attack = self.power(self.own.colour, list(square.near))
        if self.view.options.island_supports_attack:
            attack += sum(self.island_power(n) for n in square.islands_near if self.owner(n) == self.own.colour)
        for target, defence in [*self.islands_near(square), *self.pawns_near(square)]:
            for plus_ones in range(self.own.hand.plus_one + 1):
                if attack + plus_ones >= defence:
                    yield start, target, plus_ones

    def owner(self, island: int) -> int:
        """The colour that owns an island."""
        return self.view.islands[island - 1].owner

    def island_power(self, island: int) -> int:
        return COMPONENTS.island_powers[self.view.islands[island - 1].rings]

    def is_swallowed(self, owner: int) -> bool:
        return owner in self.seats and self.seats[owner].skips > 0

    def is_fogged(self, owner: int) -> bool:
        return owner in self.seats and self.seats[owner].fog

    def islands_near(self, square: pb.BoardSquare) -> Iterator[tuple[str, int]]:
        """The islands that a pawn on a square can attack, with their defence."""
        for island in square.islands_near:
            owner = self.owner(island)
            if owner != self.own.colour and not self.is_fogged(owner):
                helpers = 0 if self.is_swallowed(owner) else self.power(owner, list(ISLANDS_BY_NUMBER[island].near))
                yield f"island {island}", self.island_power(island) + helpers

    def pawns_near(self, square: pb.BoardSquare) -> Iterator[tuple[str, int]]:
        """The pawns that a pawn on a square can attack, with their defence."""
        for owner, place in {(group.owner, group.pawn.square) for group in self.view.pawns}:
            out_of_reach = owner == self.own.colour or self.is_fogged(owner) or self.is_swallowed(owner)
            if place in square.near and not out_of_reach:
                colour = pb.Colour.Name(owner).removeprefix("COLOUR_").lower()
                yield f"{colour} {place}", self.power(owner, list(SQUARES_BY_NAME[place].near))

    def payers(self) -> set[tuple[int, str]]:
        """Islands that can have a ring, with the squares of the boats that can pay."""
        if not self.view.options.fortification or self.view.fortified:
            return set()
        found = set()
        for island, drawn in ISLANDS_BY_NUMBER.items():
            rings = self.view.islands[island - 1].rings
            boats = [
                group.pawn.square
                for group in self.view.pawns
                if group.owner == self.own.colour
                and group.pawn.kind == pb.PAWN_KIND_BOAT
                and group.pawn.square in drawn.near
                for _ in range(group.count)
            ]
            is_own = self.owner(island) == self.own.colour and rings + 1 < len(COMPONENTS.island_powers)
            if is_own and len(boats) >= COMPONENTS.ring_boats:
                found |= {(island, boat) for boat in boats}
        return found


def legal_moves_of(state: FireshipState) -> list[pb.Move]:
    return [cast(pb.Move, CODEC.encode_move(move)) for move in GAME.legal_moves(state, state.active_seat)]


def matches(seed: int) -> Iterator[FireshipState]:
    """Positions of a match with many windows, and of one in which islands support attacks."""
    yield from lively_positions(Random(seed))
    state, random = GAME.start(3, GAME.presets()["short"]), Random(seed)
    while not isinstance(phase := GAME.phase(state), Over):
        yield state
        if isinstance(phase, Turn):
            GAME.apply(state, phase.seats[0], aggressive_choice(state, phase.seats[0], random))
        else:
            GAME.apply(state, NATURE, random.choice(GAME.legal_moves(state, NATURE)))


@pytest.mark.parametrize("seed", range(4))
def test_a_client_finds_the_squares_a_pawn_can_sail_to(seed: int) -> None:
    for state in lively_positions(Random(seed)):
        if state.stage == SAILING:
            assert Client(view_of(state, state.active_seat)).sails() == {move.sail.to for move in legal_moves_of(state)}


def attack_target(attack: pb.Attack) -> str:
    if attack.HasField("island"):
        return f"island {attack.island}"
    return f"{pb.Colour.Name(attack.pawn.owner).removeprefix('COLOUR_').lower()} {attack.pawn.square}"


@pytest.mark.parametrize("seed", range(4))
def test_a_client_finds_the_attacks_and_the_boats_that_pay_for_rings(seed: int) -> None:
    for state in matches(seed):
        if state.stage != MOVING or state.has_acted:
            continue
        client, moves = Client(view_of(state, state.active_seat)), legal_moves_of(state)
        attacks = [move.attack for move in moves if move.HasField("attack")]
        assert client.attacks() == {(attack.attacker, attack_target(attack), attack.plus_ones) for attack in attacks}
        rings = [move.fortify for move in moves if move.HasField("fortify")]
        assert client.payers() == {(ring.island, boat.square) for ring in rings for boat in ring.boats}


def test_a_plane_flies_to_the_squares_in_the_components() -> None:
    for square, flights in {
        square: drawn.flights for square, drawn in SQUARES_BY_NAME.items() if drawn.flights
    }.items():
        position = new_position({"green": f"plane {square}", "red": "boat o15"}, dice=[COMPONENTS.flight_points])
        position.play(f"choose_pawn plane {square}")
        assert {f"sail {to}" for to in flights} <= set(position.moves())


def test_the_kraken_takes_the_number_in_the_components() -> None:
    wheels = [square for square in COMPONENTS.squares if square.kind == pb.SQUARE_KIND_WHEEL]
    kraken = next(one.sector for one in COMPONENTS.sectors if one.effect == pb.WHEEL_EFFECT_KRAKEN)
    assert len(wheels) == 4
    for wheel in wheels:
        sea = [square for square in SQUARES_BY_NAME if is_sea(square)]
        crowd = ", ".join(f"boat {square}" for square in sea if square != wheel.square)
        position = new_position(
            {"green": f"plane {wheel.square} arrived, plane a1", "red": "boat o15", "white": crowd}, dice=[2]
        )
        position.play(f"use_square {wheel.square}", f"sector {kraken}")
        left = {group.pawn.square for group in view_of(position.state, SPECTATOR).pawns}
        assert set(sea) - left == set(wheel.kraken)


@pytest.mark.parametrize("seed", range(3))
def test_a_client_computes_the_score_and_the_tie_breaks(seed: int) -> None:
    for state in lively_positions(Random(seed)):
        view = view_of(state, SPECTATOR)
        for seat, standing in zip(view.seats, GAME.score(state).standings, strict=True):
            own = [island for island in view.islands if island.owner == seat.colour]
            [line] = standing.breakdown
            assert line.points == COMPONENTS.island_points * len(own)
            assert seat.island_power == sum(COMPONENTS.island_powers[island.rings] for island in own)
            groups = [group for group in view.pawns if group.owner == seat.colour]
            assert seat.pawn_power == sum(group.count * PAWNS_BY_KIND[group.pawn.kind].power for group in groups)


def scalar_values(message: Message) -> Iterator[tuple[FieldDescriptor, int | str]]:
    """The fields that are no messages, with their values."""
    for field in cast(Descriptor, message.DESCRIPTOR).fields:
        if field.has_presence and not message.HasField(field.name):
            continue
        value = getattr(message, field.name)
        for part in value if field.is_repeated else [value]:
            if isinstance(part, Message):
                yield from scalar_values(part)
            else:
                yield field, part


def enum_values_of_components() -> dict[str, set[int]]:
    """The values of enums in the components, by enum."""
    found: dict[str, set[int]] = {}
    for field, value in scalar_values(COMPONENTS):
        if field.enum_type:
            found.setdefault(field.enum_type.name, {0}).add(cast(int, value))
    found["Colour"].add(pb.COLOUR_WHITE)
    return found


def test_every_id_of_views_and_moves_is_in_the_components() -> None:
    ids = enum_values_of_components()
    for state in lively_positions(Random(5)):
        messages: list[Message] = [view_of(state, 0)]
        for seat in range(NATURE, 4):
            messages += [CODEC.encode_move(move) for move in GAME.legal_moves(state, seat)]
        for message in messages:
            for field, value in scalar_values(message):
                if field.name in ("square", "attacker", "to"):
                    assert value in SQUARES_BY_NAME
                elif field.enum_type and field.enum_type.name in ids:
                    assert value in ids[field.enum_type.name]
                elif field.name in ("face", "dice"):
                    assert value in COMPONENTS.faces
        if isinstance(GAME.phase(state), Over):
            return


def test_the_initial_position_is_that_of_the_components() -> None:
    state = GAME.start(4, GAME.presets()["rings"])
    view = view_of(state, SPECTATOR)
    bases = {base.colour: base.square for base in COMPONENTS.bases}
    start = {(pb.COLOUR_WHITE, island.port, pb.PAWN_KIND_BOAT, 1) for island in COMPONENTS.islands}
    start |= {(colour, base, p.kind, p.start) for colour, base in bases.items() for p in COMPONENTS.pawns if p.start}
    assert {(group.owner, group.pawn.square, group.pawn.kind, group.count) for group in view.pawns} == start
    assert [seat.colour for seat in view.seats] == list(bases)
    assert view.deck_size == sum(card.copies for card in COMPONENTS.cards) == 55
    assert all(seat.anti_skull for seat in view.seats)
    stock = {field.name: value for field, value in view.badge_stock.ListFields()}
    names = {pb.PlayedCard.Name(badge.badge).removeprefix("PLAYED_CARD_").lower() for badge in COMPONENTS.badges}
    assert stock == dict.fromkeys(names, 6)


def test_kept_cards_are_those_that_stay_in_hand() -> None:
    kept_cards = {
        pb.MysteryCard.Name(card.card).removeprefix("MYSTERY_CARD_").lower() for card in COMPONENTS.cards if card.kept
    }
    held = set()
    for state in lively_positions(Random(3)):
        for seat in range(len(state.seats)):
            held |= {field.name for field, _ in view_of(state, seat).seats[seat].hand.ListFields()}
    assert held == kept_cards


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_the_default_options_are_those_of_a_match(seat_count: int) -> None:
    view = view_of(GAME.start(seat_count, GAME.presets()["rings"]), SPECTATOR)
    defaults = COMPONENTS.option_bounds.defaults[seat_count - 2]
    assert (defaults.seats, defaults.rounds) == (seat_count, view.options.rounds)
    assert list(defaults.colours) == list(view.options.colours)
    assert COMPONENTS.option_bounds.movement_dice[0] == view.options.movement_dice


@pytest.mark.parametrize(
    "options",
    [*GAME.presets().values(), FireshipOptions(colours=(2, 3, 0)), FireshipOptions(False, 100, 3, True, (1, 2))],
)
def test_options_round_trip(options: FireshipOptions) -> None:
    assert plain(CODEC.decode_options(CODEC.encode_options(options))) == plain(options)
