"""The rules of Spring Festival as a `Game`: phases, legal moves, chance outcomes, and who sees a move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from engine_core.game import EVERYBODY, NATURE, Chance, Game, Move, Over, Phase, Reveal, Score, Turn
from engine_core.games.spring_festival import consequences, determinization, effects, moves, sentences, stages
from engine_core.games.spring_festival.components import TILE_NAMES
from engine_core.games.spring_festival.compositions import COMPOSITION_NAMES, Complete, completions
from engine_core.games.spring_festival.display import NO_SLOT
from engine_core.games.spring_festival.evaluation import evaluate
from engine_core.games.spring_festival.notation import NOTATION
from engine_core.games.spring_festival.score import score
from engine_core.games.spring_festival.state import (
    MAX_SEATS,
    MIN_SEATS,
    SIGN_RANDOM,
    SpringFestivalOptions,
    SpringFestivalState,
    starting_state,
)
from engine_core.games.spring_festival.view import SpringFestivalView, view
from engine_core.words import Words

STORE: Final = Chance("store", "store")
PATTERNS: Final = Chance("pattern", "pattern")
COLOURS: Final = Chance("colour", "colour")
SIGN: Final = Chance("sign")
FIRST_SEAT: Final = Chance("first_seat")

TURNS: Final = [Turn(tuple([seat for seat in range(MAX_SEATS) if mask >> seat & 1])) for mask in range(1 << MAX_SEATS)]
"""`Turn` phases by the bit mask of the seats that owe a choice."""

CHOICES: Final[dict[type[Move], Callable[[SpringFestivalState, int, Any], None]]] = {
    moves.LayStartTile: effects.lay_start_tile,
    moves.RotateStore: effects.turn_store,
    moves.PlaceTile: effects.commit_placement,
    Complete: effects.complete_composition,
    moves.Pass: effects.pass_turn,
    moves.Launch: effects.launch_finale,
}
OUTCOMES: Final[dict[type[Move], Callable[[SpringFestivalState, Any], None]]] = {
    moves.RevealTile: effects.reveal_tile,
    moves.Deal: effects.deal_card,
    moves.DrawSign: effects.set_sign,
    moves.DrawFirstSeat: effects.set_first_seat,
}
"""What a seat's or nature's move of each class does to a state."""


class SpringFestival(Game[SpringFestivalState, Move, SpringFestivalOptions, SpringFestivalView]):
    """Spring Festival, for two to four seats."""

    name = "spring_festival"
    version = 1
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    evaluation_scale = 5.0

    def presets(self) -> dict[str, SpringFestivalOptions]:
        return {
            "base": SpringFestivalOptions(),
            "advanced": SpringFestivalOptions(SIGN_RANDOM),
            "extra": SpringFestivalOptions(SIGN_RANDOM, True),
        }

    def start(self, seat_count: int, options: SpringFestivalOptions) -> SpringFestivalState:
        return starting_state(seat_count, options)

    def seat_count(self, state: SpringFestivalState) -> int:
        return len(state.seats)

    def copy(self, state: SpringFestivalState) -> SpringFestivalState:
        return state.copy()

    def phase(self, state: SpringFestivalState) -> Phase:
        if state.seats_to_move:
            return TURNS[state.seats_to_move]
        stage = state.stage
        if stage in (stages.STOCKING, stages.SETUP_STORE):
            return STORE
        if stage in (stages.PATTERN_DEAL, stages.SETUP_PATTERN):
            return PATTERNS
        if stage in (stages.COLOUR_DEAL, stages.SETUP_COLOUR):
            return COLOURS
        if stage == stages.SETUP_SIGN:
            return SIGN
        return FIRST_SEAT if stage == stages.SETUP_FIRST else Over(state.reason)

    def legal_moves(self, state: SpringFestivalState, seat: int) -> list[Move]:
        if seat == NATURE:
            return _outcomes(state)
        if seat < 0 or not state.seats_to_move >> seat & 1:
            return []
        if state.seats[seat].has_left:
            return [self.default_move(state, seat)]
        stage = state.stage
        if stage == stages.PLACING:
            return [moves.PLACEMENTS[square] for square in state.seats[seat].display.reachable]
        if stage == stages.LAYING:
            return _layings(state, seat)
        if stage == stages.ORIENTING:
            return [moves.ROTATIONS[0], moves.ROTATIONS[1], moves.ROTATIONS[2], moves.ROTATIONS[3]]
        return _compositions(state, seat) if stage == stages.COMPOSING else _launches(state, seat)

    def weights(self, state: SpringFestivalState) -> list[int]:
        return [1] * _outcome_count(state)

    def pool_item(self, move: Move) -> str:
        if isinstance(move, moves.RevealTile):
            return TILE_NAMES[move.tile]
        if isinstance(move, moves.Deal):
            return COMPOSITION_NAMES[move.card]
        return NOTATION.write(move)

    def apply(self, state: SpringFestivalState, seat: int, move: Move) -> None:
        if seat == NATURE:
            OUTCOMES[type(move)](state, move)
        else:
            CHOICES[type(move)](state, seat, move)
        state.seats_to_move = effects.find_seats_to_move(state)

    def leave(self, state: SpringFestivalState, seat: int) -> None:
        effects.leave(state, seat)
        state.seats_to_move = effects.find_seats_to_move(state)

    def has_left(self, state: SpringFestivalState, seat: int) -> bool:
        return state.seats[seat].has_left

    def default_move(self, state: SpringFestivalState, seat: int) -> Move:
        """The default move (FW-71): lay the first tile, do not turn the store, place nearest, pass, launch best."""
        stage = state.stage
        display = state.seats[seat].display
        if stage == stages.LAYING:
            return moves.LayStartTile(effects.unlaid_start_tiles(state, seat)[0], display.nearest_free())
        if stage == stages.ORIENTING:
            return moves.ROTATIONS[state.offset]
        if stage == stages.PLACING:
            return moves.PLACEMENTS[display.nearest_free()]
        return moves.PASS if stage == stages.COMPOSING else moves.LAUNCHES[effects.best_launch(state.seats[seat])]

    def score(self, state: SpringFestivalState) -> Score:
        return score(state)

    def evaluate(self, state: SpringFestivalState, seat: int) -> float:
        return evaluate(state, seat)

    def view(self, state: SpringFestivalState, observer: int) -> SpringFestivalView:
        return view(state, observer)

    def determinize(self, state: SpringFestivalState, observer: int, random: Random) -> SpringFestivalState:
        return determinization.determinize(state, observer, random)

    def audience(self, state: SpringFestivalState, seat: int, move: Move) -> int:
        """Who sees a move: start tiles and placements are sealed, even those of the last seat (FW-11, FW-30)."""
        return 1 << seat if isinstance(move, (moves.LayStartTile, moves.PlaceTile)) else EVERYBODY

    def conceal(self, state: SpringFestivalState, seat: int, move: Move) -> Move:
        if isinstance(move, moves.LayStartTile):
            return moves.SEALED_LAY
        return moves.SEALED_PLACE if isinstance(move, moves.PlaceTile) else move

    def reveals(self, state: SpringFestivalState, seat: int, move: Move) -> list[Reveal]:
        if not isinstance(move, (moves.LayStartTile, moves.PlaceTile)) or state.seats_to_move != 1 << seat:
            return []
        copied = state.copy()
        if isinstance(move, moves.PlaceTile):
            copied.seats[seat].placement = move.square
        elif isinstance(move, moves.LayStartTile):
            copied.seats[seat].display.put_tile(move.tile, move.square)
        return _unsealed(copied)

    def notation(self, move: Move) -> str:
        return NOTATION.write(move)

    def parse(self, text: str) -> Move:
        return NOTATION.parse(text)

    def sentence(self, move: Move, words: Words) -> str:
        return NOTATION.sentence(move, words)

    def sentence_in_view(self, view: SpringFestivalView, move: Move, words: Words) -> str:
        return sentences.sentence(view, move, words)

    def consequences(
        self, before: SpringFestivalView, seat: int, move: Move, after: SpringFestivalView, words: Words
    ) -> list[str]:
        return consequences.consequences(before, seat, move, after, words)


def _layings(state: SpringFestivalState, seat: int) -> list[Move]:
    """The legal layings of start tiles: by tile, then in reading order."""
    free = state.seats[seat].display.free_squares()
    layings: list[Move] = []
    for tile in effects.unlaid_start_tiles(state, seat):
        lays = moves.LAYS[tile]
        for square in free:
            layings.append(lays[moves.START_SQUARES[square]])
    return layings


def _compositions(state: SpringFestivalState, number: int) -> list[Move]:
    """The legal completions, then the pass."""
    seat = state.seats[number]
    found = completions(seat.display, seat.cards)
    found.append(moves.PASS)
    return found


def _launches(state: SpringFestivalState, seat: int) -> list[Move]:
    display = state.seats[seat].display
    return [moves.LAUNCHES[square] for square in display.reachable if display.slot_at(square) != NO_SLOT]


def _outcomes(state: SpringFestivalState) -> list[Move]:
    stage = state.stage
    if stage in (stages.STOCKING, stages.SETUP_STORE):
        reveals = moves.REVEALS[effects.pile_to_stock(state)]
        return [reveals[tile] for tile in state.undrawn]
    if stage in (stages.PATTERN_DEAL, stages.SETUP_PATTERN):
        deals = moves.DEALS[effects.seat_to_deal(state)]
        return [deals[card] for card in state.undrawn_patterns]
    if stage in (stages.COLOUR_DEAL, stages.SETUP_COLOUR):
        deals = moves.DEALS[effects.seat_to_deal(state)]
        return [deals[card] for card in state.undrawn_colours]
    if stage == stages.SETUP_SIGN:
        return list(moves.SIGN_DRAWS)
    if stage == stages.SETUP_FIRST:
        return [moves.FIRST_SEAT_DRAWS[seat] for seat in range(len(state.seats))]
    return []


def _outcome_count(state: SpringFestivalState) -> int:
    stage = state.stage
    if stage in (stages.STOCKING, stages.SETUP_STORE):
        return len(state.undrawn)
    if stage in (stages.PATTERN_DEAL, stages.SETUP_PATTERN):
        return len(state.undrawn_patterns)
    if stage in (stages.COLOUR_DEAL, stages.SETUP_COLOUR):
        return len(state.undrawn_colours)
    return len(_outcomes(state))


def _unsealed(state: SpringFestivalState) -> list[Reveal]:
    """The sealed moves by seat once no seat owes a choice any more; before that none."""
    if effects.find_seats_to_move(state) != 0:
        return []
    if state.stage == stages.PLACING:
        return [Reveal(number, moves.PLACEMENTS[seat.placement]) for number, seat in enumerate(state.seats)]
    if state.stage != stages.LAYING:
        return []
    return [
        Reveal(number, moves.LayStartTile(tile, square))
        for number, seat in enumerate(state.seats)
        for tile, square in zip(seat.display.tiles, seat.display.squares, strict=True)
    ]
