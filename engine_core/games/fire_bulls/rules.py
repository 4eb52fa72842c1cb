"""The rules of Fire Bulls as a `Game`: phases, legal moves, chance outcomes with their weights, and who sees a move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from engine_core import packed
from engine_core.game import EVERYBODY, NATURE, Chance, Game, Move, Over, Phase, Score, Turn
from engine_core.games.fire_bulls import components, consequences, determinization, effects, moves, sentences, stages
from engine_core.games.fire_bulls.columns import nearest_square, pile_to_fill
from engine_core.games.fire_bulls.deck import can_draw
from engine_core.games.fire_bulls.evaluation import evaluate
from engine_core.games.fire_bulls.notation import NOTATION
from engine_core.games.fire_bulls.score import has_colour, score
from engine_core.games.fire_bulls.state import (
    GENERAL_ASIDE,
    MAX_SEATS,
    MIN_SEATS,
    FireBullsOptions,
    FireBullsState,
    starting_state,
)
from engine_core.games.fire_bulls.view import FireBullsView, view
from engine_core.words import Words

TURNS: Final = [Turn((seat,)) for seat in range(MAX_SEATS)]
YEN_CHANCES: Final = [Chance(f"yen/{pile}", "yen") for pile in range(4)]
QI_CHANCES: Final = [
    Chance(f"qi/{rebuilds}", f"qi/{rebuilds}") for rebuilds in range(components.EXHAUSTIONS_TO_END + 1)
]
PICK_CHANCES: Final = [Chance(f"pick/{seat}") for seat in range(MAX_SEATS)]
PLACE_CHANCE: Final = Chance("place")
FIRST_CHANCE: Final = Chance("first")


EFFECTS: Final[dict[type[Move], Callable[[FireBullsState, Any], None]]] = {
    moves.Take: effects.take_from_reserve,
    moves.Draw: effects.begin_draw,
    moves.Step: effects.move_pawn,
    moves.Attack: effects.begin_attack,
    moves.AttackGeneral: effects.capture_general,
    moves.Capture: effects.capture_next,
    moves.Stop: effects.stop_capturing,
    moves.Power: effects.use_or_decline_power,
    moves.Price: effects.pay_price,
    moves.Release: effects.release_card,
    moves.Pass: effects.pass_turn,
    moves.Yen: effects.turn_up_yen,
    moves.Place: effects.place_pawn,
    moves.First: effects.set_first_seat,
    moves.Qi: effects.draw_qi,
    moves.Pick: effects.pick_card,
}
"""The function that applies a move to a state, by the class of the move."""


def is_choice_stage(stage: int) -> bool:
    """Whether the active seat is to move in this stage."""
    return stage in (stages.ACTION, stages.CAPTURE, stages.STEPPING, stages.POWER, stages.PRICE, stages.RELEASE)


class FireBulls(Game[FireBullsState, Move, FireBullsOptions, FireBullsView]):
    """Fire Bulls, for two to five seats."""

    name = "fire_bulls"
    version = 1
    min_seats = MIN_SEATS
    max_seats = MAX_SEATS
    evaluation_scale = 4.0

    def presets(self) -> dict[str, FireBullsOptions]:
        return {profile: FireBullsOptions(profile) for profile in components.RULES_BY_PROFILE}

    def start(self, seat_count: int, options: FireBullsOptions) -> FireBullsState:
        return starting_state(seat_count, options)

    def seat_count(self, state: FireBullsState) -> int:
        return len(state.seats)

    def copy(self, state: FireBullsState) -> FireBullsState:
        return state.copy()

    def phase(self, state: FireBullsState) -> Phase:
        stage = state.stage
        if is_choice_stage(stage):
            return TURNS[state.active_seat]
        if stage in (stages.FILL, stages.SETUP_YEN):
            return YEN_CHANCES[pile_to_fill(state)]
        if stage in (stages.COLONEL_PICK, stages.GENERAL_PICK):
            return PICK_CHANCES[effects.seat_to_pick_from(state)]
        if stage == stages.SETUP_PLACES:
            return PLACE_CHANCE
        if stage == stages.SETUP_FIRST:
            return FIRST_CHANCE
        if stage == stages.OVER:
            return Over(state.reason)
        return QI_CHANCES[state.rebuilds]

    def legal_moves(self, state: FireBullsState, seat: int) -> list[Move]:
        stage = state.stage
        if seat == NATURE:
            return _chance_outcomes(state)
        if seat != state.active_seat or not is_choice_stage(stage):
            return []
        if state.seats[seat].has_left:
            return [self.default_move(state, seat)]
        if stage == stages.ACTION:
            return _legal_actions(state)
        if stage == stages.CAPTURE:
            return _legal_captures(state)
        if stage == stages.STEPPING:
            return _legal_steps(state)
        if stage == stages.POWER:
            return [moves.POWER_YES, moves.POWER_NO]
        if stage == stages.PRICE:
            return [
                moves.PRICES[card] for card in range(components.POINT_KINDS) if effects.has_earlier_card(state, card)
            ]
        return [moves.RELEASES[card] for card in range(6) if packed.count_of(state.seats[seat].hand, card)]

    def weights(self, state: FireBullsState) -> list[int]:
        stage = state.stage
        if stage in (stages.FILL, stages.SETUP_YEN):
            undrawn = state.undrawn
            return [undrawn[card] for card in range(components.POINT_KINDS) if undrawn[card]]
        if stage in (stages.SETUP_PLACES, stages.SETUP_FIRST):
            return [1] * len(_chance_outcomes(state))
        if stage == stages.OVER or is_choice_stage(stage):
            return []
        cards = (
            state.seats[effects.seat_to_pick_from(state)].hand
            if stage in (stages.COLONEL_PICK, stages.GENERAL_PICK)
            else state.deck
        )
        return [number for card in range(6) if (number := packed.count_of(cards, card))]

    def pool_item(self, move: Move) -> str:
        if isinstance(move, moves.Qi):
            return components.ATTACK_CARDS[move.card]
        if isinstance(move, moves.Yen):
            return components.POINT_CARD_NAMES[move.card]
        if isinstance(move, moves.Pick):
            return components.ATTACK_CARDS[move.card]
        return NOTATION.write(move)

    def apply(self, state: FireBullsState, seat: int, move: Move) -> None:
        EFFECTS[type(move)](state, move)

    def leave(self, state: FireBullsState, seat: int) -> None:
        state.seats[seat].has_left = True

    def has_left(self, state: FireBullsState, seat: int) -> bool:
        return state.seats[seat].has_left

    def default_move(self, state: FireBullsState, seat: int) -> Move:
        """The default move (FB-88). A seat that has left takes no action, and ends a turn that it had begun (FB-87)."""
        stage = state.stage
        if stage == stages.ACTION:
            if state.seats[seat].has_left:
                return moves.PASS
            return moves.DRAW if can_draw(state) else _legal_actions(state)[0]
        if stage == stages.STEPPING:
            return moves.STEPS[state.seats[seat].place]
        if stage == stages.POWER:
            return moves.POWER_NO
        if stage == stages.CAPTURE:
            return moves.STOP
        return _default_price(state) if stage == stages.PRICE else _default_release(state)

    def score(self, state: FireBullsState) -> Score:
        return score(state)

    def evaluate(self, state: FireBullsState, seat: int) -> float:
        return evaluate(state, seat)

    def view(self, state: FireBullsState, observer: int) -> FireBullsView:
        return view(state, observer)

    def determinize(self, state: FireBullsState, observer: int, random: Random) -> FireBullsState:
        return determinization.determinize(state, observer, random)

    def audience(self, state: FireBullsState, seat: int, move: Move) -> int:
        """Who sees a move (FB-09): a draw to a hand only its seat, a card picked by the general both seats."""
        if isinstance(move, moves.Qi) and move.to != moves.TO_RESERVE:
            return 1 << move.to
        if isinstance(move, moves.Pick) and state.stage == stages.GENERAL_PICK:
            return 1 << move.seat | 1 << state.active_seat
        return EVERYBODY

    def conceal(self, state: FireBullsState, seat: int, move: Move) -> Move:
        if isinstance(move, moves.Qi):
            return moves.Qi(move.to, moves.HIDDEN)
        if isinstance(move, moves.Pick):
            return moves.Pick(move.seat, moves.HIDDEN)
        return move

    def notation(self, move: Move) -> str:
        return NOTATION.write(move)

    def parse(self, text: str) -> Move:
        return NOTATION.parse(text)

    def sentence(self, move: Move, words: Words) -> str:
        return NOTATION.sentence(move, words)

    def sentence_in_view(self, view: FireBullsView, move: Move, words: Words) -> str:
        return sentences.sentence(view, move, words)

    def consequences(
        self, before: FireBullsView, seat: int, move: Move, after: FireBullsView, words: Words
    ) -> list[str]:
        return consequences.consequences(before, move, after, words)


def _legal_actions(state: FireBullsState) -> list[Move]:
    """The legal actions in stable order: take, draw, attack by direction and payment, general."""
    actions: list[Move] = [moves.TAKES[card] for card in range(6) if packed.count_of(state.reserve, card)]
    if can_draw(state):
        actions.append(moves.DRAW)
    seat = state.seats[state.active_seat]
    hand = seat.hand
    tables = state.payment_tables
    for direction in state.profile_rules.attackable[seat.place]:
        card = _nearest_card(state, direction)
        if card != components.EMPTY:
            _add_affordable(actions, tables, card, tables.attacks[direction][card], hand)
    if state.general_place == GENERAL_ASIDE:
        _add_affordable(actions, tables, components.GENERAL, tables.general, hand)
    return actions


def _add_affordable(
    found: list[Move], tables: moves.PaymentTables, card: int, payment_moves: list[Move], hand: int
) -> None:
    """Add the moves of `paying`, parallel to the payments of the card, whose payments the hand holds."""
    if packed.size(hand) < tables.payment_sizes[card]:
        return
    payments = tables.payments[card]
    for number in range(tables.affordable_counts[card][packed.count_of(hand, components.WARRIOR)]):
        if packed.is_superset(hand, payments[number]):
            found.append(payment_moves[number])


def _nearest_card(state: FireBullsState, direction: int) -> int:
    """The card that an attack meets first: gaps are skipped (FB-32)."""
    square = nearest_square(state.squares, direction)
    return components.EMPTY if square == components.EMPTY else state.squares[square]


def _legal_captures(state: FireBullsState) -> list[Move]:
    card = _nearest_card(state, state.direction)
    captures: list[Move] = []
    _add_affordable(
        captures, state.payment_tables, card, state.payment_tables.captures[card], state.seats[state.active_seat].hand
    )
    captures.append(moves.STOP)
    return captures


def _legal_steps(state: FireBullsState) -> list[Move]:
    """The legal steps: at most one direction away (FB-17)."""
    return [moves.STEPS[to] for to in components.WITHIN_A_STEP[state.seats[state.active_seat].place]]


def _chance_outcomes(state: FireBullsState) -> list[Move]:
    stage = state.stage
    if stage in (stages.FILL, stages.SETUP_YEN):
        yens = moves.YENS[pile_to_fill(state)]
        undrawn = state.undrawn
        return [yens[card] for card in range(components.POINT_KINDS) if undrawn[card]]
    if stage in (stages.COLONEL_PICK, stages.GENERAL_PICK):
        victim = effects.seat_to_pick_from(state)
        hand = state.seats[victim].hand
        return [moves.PICKS[victim][card] for card in range(6) if packed.count_of(hand, card)]
    if stage == stages.SETUP_PLACES:
        held = [seat.place for seat in state.seats]
        seat = held.index(0)
        return [
            moves.PAWN_PLACEMENTS[seat][place] for place in range(1, components.DIRECTIONS + 1) if place not in held
        ]
    if stage == stages.SETUP_FIRST:
        return [moves.FIRSTS[seat] for seat in range(len(state.seats))]
    if stage == stages.OVER or is_choice_stage(stage):
        return []
    to = effects.destination(state)
    qis = moves.RESERVE_QIS if to == moves.TO_RESERVE else moves.QIS[to]
    return [qis[card] for card in range(6) if packed.count_of(state.deck, card)]


def _default_price(state: FireBullsState) -> Move:
    """The default price: lowest value, then without the owner's colour, then table order."""
    colour = state.seats[state.active_seat].colour
    best = min(
        [card for card in range(components.POINT_KINDS) if effects.has_earlier_card(state, card)],
        key=lambda card: (components.VALUES[card], has_colour(card, colour), card),
    )
    return moves.PRICES[best]


def _default_release(state: FireBullsState) -> Move:
    """The default release: the colour held least, then colour order; a warrior last."""
    hand = state.seats[state.active_seat].hand
    held = [card for card in range(components.GREEN + 1) if packed.count_of(hand, card)]
    if not held:
        return moves.RELEASES[components.WARRIOR]
    return moves.RELEASES[min(held, key=lambda card: packed.count_of(hand, card))]
