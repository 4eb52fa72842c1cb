"""The rules of Fireship as a `Game`: phases, legal moves, chance outcomes with their weights, and who sees a move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from engine_core import packed
from engine_core.game import EVERYBODY, NATURE, Chance, Game, Move, Over, Phase, Reveal, Score, Turn
from engine_core.games.fireship import (
    consequences,
    determinization,
    effects,
    legal,
    moves,
    sentences,
    stages,
    turns,
    windows,
)
from engine_core.games.fireship.board import BASES
from engine_core.games.fireship.components import CARD_KINDS, CARDS, IS_HAND_CARD
from engine_core.games.fireship.evaluation import evaluate
from engine_core.games.fireship.notation import NOTATION
from engine_core.games.fireship.score import score
from engine_core.games.fireship.state import MAX_SEATS, MIN_SEATS, FireshipOptions, FireshipState, starting_state
from engine_core.games.fireship.view import FireshipView, view
from engine_core.words import Words

TURNS: Final = [Turn((seat,)) for seat in range(MAX_SEATS)]
TURNS_BY_MASK: Final = [
    Turn(tuple([seat for seat in range(MAX_SEATS) if mask >> seat & 1])) for mask in range(1 << MAX_SEATS)
]
"""`Turn` phases by the bit mask of the seats that owe an answer."""
THROWS: Final = [Chance(f"throw/{seat}") for seat in range(MAX_SEATS)]
FIRST: Final = Chance("first")
BATTLE_DIE: Final = Chance("battle")
BATTLESHIP_DIE: Final = Chance("battleship")
WHEEL: Final = Chance("wheel")
CARD_CHANCES: Final = [Chance(f"cards/{rebuilds}", f"cards/{rebuilds}") for rebuilds in range(64)]

DIE_WEIGHTS: Final = [1] * len(moves.DICE)
SECTOR_WEIGHTS: Final = [1] * len(moves.SECTOR_DRAWS)

EFFECTS: Final[dict[type[Move], Callable[[FireshipState, Any], None]]] = {
    moves.Boum: effects.play_boum,
    moves.Fog: effects.play_fog,
    moves.Hasten: effects.play_hasten,
    moves.Throw: turns.begin_throw,
    moves.ChoosePawn: turns.choose_pawn,
    moves.Sail: turns.sail_pawn,
    moves.Fortify: effects.declare_fortification,
    moves.Attack: effects.declare_attack,
    moves.UseSquare: effects.use_square,
    moves.Lose: effects.lose_pawn,
    moves.EndTurn: turns.end_turn,
    moves.Die: effects.roll_die,
    moves.Sector: effects.stop_wheel,
    moves.Card: effects.receive_card,
    moves.TimeUp: effects.note_time_up,
}
"""The function that applies a move to a state, by the class of the move."""


def is_own_choice(stage: int) -> bool:
    """Whether the active seat, and no other, is to move in this stage."""
    return stage in (stages.CARDS_FIRST, stages.MOVING, stages.SAILING, stages.SKULL_ANSWER, stages.LOSING)


def rolls_a_die(stage: int) -> bool:
    """Whether nature rolls a die in this stage."""
    return stage in (stages.THROWING, stages.BATTLE, stages.BATTLESHIP_THROW, stages.FIRST_THROW)


class Fireship(Game[FireshipState, Move, FireshipOptions, FireshipView]):
    """Fireship, for two to four seats."""

    name = "fireship"
    version = 1
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    evaluation_scale = 1.0

    def presets(self) -> dict[str, FireshipOptions]:
        return {
            "rings": FireshipOptions(),
            "plain": FireshipOptions(fortification=False, movement_dice=3),
            "short": FireshipOptions(rounds=8, movement_dice=3, island_supports_attack=True),
        }

    def start(self, seat_count: int, options: FireshipOptions) -> FireshipState:
        return starting_state(seat_count, options)

    def seat_count(self, state: FireshipState) -> int:
        return len(state.seats)

    def copy(self, state: FireshipState) -> FireshipState:
        return state.copy()

    def phase(self, state: FireshipState) -> Phase:
        stage = state.stage
        if is_own_choice(stage):
            return TURNS[state.active_seat]
        if stage == stages.WINDOW:
            return TURNS_BY_MASK[state.seats_to_answer]
        if stage == stages.THROWING:
            return THROWS[state.active_seat]
        if stage == stages.DRAWING:
            return _card_chance(state.rebuilds)
        if stage == stages.BATTLE:
            return BATTLE_DIE
        if stage == stages.SPINNING:
            return WHEEL
        if stage == stages.BATTLESHIP_THROW:
            return BATTLESHIP_DIE
        return FIRST if stage == stages.FIRST_THROW else Over(state.reason)

    def legal_moves(self, state: FireshipState, seat: int) -> list[Move]:
        stage = state.stage
        if seat == NATURE:
            return _outcomes(state)
        if stage == stages.WINDOW:
            return (
                [moves.ANSWERS[said] for said in windows.legal_answers(state, seat)]
                if state.seats_to_answer >> seat & 1
                else []
            )
        if seat != state.active_seat or not is_own_choice(stage):
            return []
        if state.seats[seat].has_left:
            return [self.default_move(state, seat)]
        if stage == stages.MOVING:
            return legal.moves_after_throw(state)
        if stage == stages.SAILING:
            return legal.destinations(state)
        if stage == stages.CARDS_FIRST:
            return legal.moves_before_throw(state)
        if stage == stages.LOSING:
            return legal.pawns_to_lose(state)
        return [moves.ANSWERS[moves.PASS], moves.ANSWERS[moves.ANTI_SKULL]]

    def weights(self, state: FireshipState) -> list[int]:
        stage = state.stage
        if rolls_a_die(stage):
            return DIE_WEIGHTS[:]
        if stage == stages.SPINNING:
            return SECTOR_WEIGHTS[:]
        if stage != stages.DRAWING:
            return []
        return [packed.count_of(state.deck, card) for card in range(CARD_KINDS) if packed.count_of(state.deck, card)]

    def pool_item(self, move: Move) -> str:
        return CARDS[move.card] if isinstance(move, moves.Card) else NOTATION.write(move)

    def apply(self, state: FireshipState, seat: int, move: Move) -> None:
        if isinstance(move, moves.Answer):  # the only choice of seats other than the active one
            effects.record_answer(state, seat, move)
        else:
            EFFECTS[type(move)](state, move)

    def leave(self, state: FireshipState, seat: int) -> None:
        """The player leaves; an answer that its seat owed is dropped, which may close the response window (FS-109)."""
        state.seats[seat].has_left = True
        if (
            not turns.end_match_if_decided(state, "left")
            and state.stage == stages.WINDOW
            and state.seats_to_answer >> seat & 1
        ):
            effects.mark_answered(state, seat)

    def has_left(self, state: FireshipState, seat: int) -> bool:
        return state.seats[seat].has_left

    def time_up_move(self, state: FireshipState) -> Move | None:
        return None if state.time_is_up or state.stage == stages.OVER else moves.TIME_UP

    def default_move(self, state: FireshipState, seat: int) -> Move:
        """The default move by stage: throw, end the turn, nearest square, pawn in the base, pass (FS-114)."""
        stage = state.stage
        if stage == stages.CARDS_FIRST:
            return moves.THROW
        if stage == stages.MOVING:
            return moves.END_TURN
        if stage == stages.SAILING:
            return legal.destinations(state)[0]
        if stage == stages.LOSING:
            return _default_loss(state, seat)
        return moves.ANSWERS[moves.PASS]

    def score(self, state: FireshipState) -> Score:
        return score(state)

    def evaluate(self, state: FireshipState, seat: int) -> float:
        return evaluate(state, seat)

    def view(self, state: FireshipState, observer: int) -> FireshipView:
        return view(state, observer)

    def determinize(self, state: FireshipState, observer: int, random: Random) -> FireshipState:
        return determinization.determinize(state, observer, random)

    def audience(self, state: FireshipState, seat: int, move: Move) -> int:
        """Who sees a move: an answer is sealed (FS-89), a card to the hand only its seat sees (FS-79)."""
        if isinstance(move, moves.Answer) and state.stage == stages.WINDOW:
            return 1 << seat
        if isinstance(move, moves.Card) and IS_HAND_CARD[move.card]:
            return 1 << state.active_seat
        return EVERYBODY

    def conceal(self, state: FireshipState, seat: int, move: Move) -> Move:
        if isinstance(move, moves.Answer):
            return moves.SEALED_ANSWER
        return moves.HIDDEN_CARD if isinstance(move, moves.Card) else move

    def reveals(self, state: FireshipState, seat: int, move: Move) -> list[Reveal]:
        if not isinstance(move, moves.Answer) or state.stage != stages.WINDOW or state.seats_to_answer != 1 << seat:
            return []
        return _revealed(state, seat, move.answer)

    def reveals_by_leaving(self, state: FireshipState, seat: int) -> list[Reveal]:
        if state.stage != stages.WINDOW or state.seats_to_answer != 1 << seat:
            return []
        copied = state.copy()
        copied.seats[seat].has_left = True
        return [] if turns.end_match_if_decided(copied, "left") else _revealed(state, seat, 0)

    def notation(self, move: Move) -> str:
        return NOTATION.write(move)

    def parse(self, text: str) -> Move:
        return NOTATION.parse(text)

    def sentence(self, move: Move, words: Words) -> str:
        return NOTATION.sentence(move, words)

    def sentence_in_view(self, view: FireshipView, move: Move, words: Words) -> str:
        return sentences.sentence(view, move, words)

    def consequences(self, before: FireshipView, seat: int, move: Move, after: FireshipView, words: Words) -> list[str]:
        return consequences.consequences(before, seat, move, after, words)


def _card_chance(rebuilds: int) -> Chance:
    if rebuilds < len(CARD_CHANCES):
        return CARD_CHANCES[rebuilds]
    return Chance(f"cards/{rebuilds}", f"cards/{rebuilds}")


def _revealed(state: FireshipState, last: int, said: int) -> list[Reveal]:
    """The answers that become public when the last one completes a round (FS-89)."""
    copied = state.copy()
    copied.seats[last].answer = said
    counts = windows.seat_whose_card_counts(copied)
    return [
        Reveal(number, moves.ANSWERS[seat.answer])
        for number, seat in enumerate(copied.seats)
        if seat.answer == moves.PASS_TURN or number == counts
    ]


def _outcomes(state: FireshipState) -> list[Move]:
    stage = state.stage
    outcomes: list[Move] = []
    if rolls_a_die(stage):
        outcomes.extend(moves.DICE)
    elif stage == stages.SPINNING:
        outcomes.extend(moves.SECTOR_DRAWS)
    elif stage == stages.DRAWING:
        deck = state.deck
        for card in range(CARD_KINDS):
            if packed.count_of(deck, card):
                outcomes.append(moves.CARD_DRAWS[card])
    return outcomes


def _default_loss(state: FireshipState, seat: int) -> Move:
    """The default loss: a pawn in the base, else on the northmost, then westmost square."""
    choices = legal.pawns_to_lose(state)
    at_home = moves.LOSSES[effects.kind_to_lose(state)][BASES[state.seats[seat].colour]]
    return at_home if at_home in choices else choices[0]
