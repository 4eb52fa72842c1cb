"""Codec of Fire Bulls: validation of every field of moves and states that clients send."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import cast

import pytest
from fireside.fire_bulls.v1 import fire_bulls_pb2 as pb
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.explore import playout
from engine_core.game import NATURE, SPECTATOR
from engine_core.games.fire_bulls.components import PILE_SIZE, POINT_COUNTS, POINT_KINDS
from engine_core.games.fire_bulls.stages import (
    ACTION,
    BONUS,
    CAPTURE,
    DRAWING,
    FILL,
    POWER,
    PRICE,
    REFILL,
    RELEASE,
    SETUP_FIRST,
    SETUP_HANDS,
    SETUP_PLACES,
    SETUP_RESERVE,
    SETUP_YEN,
    STEPPING,
)
from engine_core.games.fire_bulls.state import FireBullsState
from services.engine.codecs.fire_bulls import FireBullsCodec
from services.engine.codecs.fire_bulls.cards import MAX_CACHED_COUNTS, PointCards
from services.engine.wire import ONE_BYTE, Writer
from services.grpc_server.errors import InvalidRequest
from tests.services.engine.positions import positions

CODEC = FireBullsCodec()
CHOICE_STAGES = (ACTION, STEPPING, POWER, CAPTURE, PRICE, RELEASE)
EXTREME_NUMBERS = (-(2**31), -1, 0, 1, 2, 3, 5, 9, 20, 2**31 - 1)


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (pb.Move(), "move"),
        (pb.Move(take=pb.Take()), "move.take.card"),
        (pb.Move.FromString(b"\x0a\x02\x08\x07"), "move.take.card"),
        (pb.Move(step=pb.Step()), "move.step.to"),
        (pb.Move(step=pb.Step(to=6)), "move.step.to"),
        (pb.Move(step=pb.Step(to=-1)), "move.step.to"),
        (pb.Move(attack=pb.Attack(direction=6, payment=pb.AttackCards(blue=1))), "move.attack.direction"),
        (pb.Move(attack=pb.Attack(direction=1)), "move.attack.payment"),
        (pb.Move(attack=pb.Attack(direction=1, payment=pb.AttackCards(red=11))), "move.attack.payment"),
        (pb.Move(general=pb.General(payment=pb.AttackCards(red=-1))), "move.general.payment"),
        (pb.Move(capture=pb.Capture(payment=pb.AttackCards(warrior=5))), "move.capture.payment"),
        (pb.Move(price=pb.Price()), "move.price.card"),
        (pb.Move(release=pb.Release()), "move.release.card"),
        (pb.Move(yen=pb.Yen(pile=4, card=pb.POINT_CARD_BO)), "move.yen.pile"),
        (pb.Move(yen=pb.Yen(pile=1)), "move.yen.card"),
        (pb.Move(place=pb.Place(seat=5, direction=1)), "move.place.seat"),
        (pb.Move(place=pb.Place(seat=0)), "move.place.direction"),
        (pb.Move(first=pb.First(seat=-1)), "move.first.seat"),
        (pb.Move(qi=pb.Qi(seat=9)), "move.qi.seat"),
        (pb.Move(pick=pb.Pick(seat=-5)), "move.pick.seat"),
    ],
)
def test_a_malformed_move_names_its_field(move: pb.Move, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CODEC.decode_move(move)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (pb.Options.FromString(b"\x08\x09"), "options.profile"),
        (pb.Options(colours=[pb.COLOUR_UNSPECIFIED]), "options.colours"),
        (pb.Options(colours=[pb.COLOUR_RED] * 6), "options.colours"),
        (pb.Options(first_seat=-1), "options.firstSeat"),
    ],
)
def test_unsupported_option_values_are_refused(options: pb.Options, field: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        CODEC.decode_options(options)
    assert caught.value.field == field


def position_in_stage(seed: int = 1, stage: int = ACTION) -> pb.State:
    """The first position of a random match in which a stage asks for something."""
    for state in positions(CODEC, 3, Random(seed)):
        if cast(FireBullsState, state).stage == stage:
            return cast(pb.State, CODEC.encode_state(state))
    raise AssertionError("the match never comes to that stage")


def refused_field(state: pb.State) -> str:
    with pytest.raises(InconsistentState) as caught:
        CODEC.check(CODEC.read_state(state.SerializeToString()))
    return caught.value.field


def _set_profile(state: pb.State) -> None:
    state.options.profile = pb.PROFILE_UNSPECIFIED


def _drop_seat(state: pb.State) -> None:
    del state.seats[-1]


def _same_colour(state: pb.State) -> None:
    state.options.colours[0] = state.options.colours[1]


def _same_place(state: pb.State) -> None:
    state.seats[0].place = state.seats[1].place


def _extra_card(state: pb.State) -> None:
    state.deck.blue += 1


def _negative_card(state: pb.State) -> None:
    state.seats[2].hand.red = -1


def _known_card(state: pb.State) -> None:
    state.seats[1].known.warrior = state.seats[1].hand.warrior + 1


def _deck_knowledge(state: pb.State) -> None:
    state.deck_at_most.Clear()


def _extra_point_card(state: pb.State) -> None:
    state.seats[0].victory[0] += 1


def _short_list(state: pb.State) -> None:
    del state.undrawn[-1]


def _set_unknown_square(state: pb.State) -> None:
    state.squares[0] = cast(pb.PointCard.ValueType, 22)


def _remove_pile_card(state: pb.State) -> None:
    state.piles[0] -= 1


def _unset_stage(state: pb.State) -> None:
    state.stage = pb.STAGE_UNSPECIFIED


def _set_active_seat_to_nature(state: pb.State) -> None:
    state.active_seat = -1


def _set_general_won(state: pb.State) -> None:
    state.general = pb.GENERAL_PLACE_WON


def _set_stage_over(state: pb.State) -> None:
    state.stage = pb.STAGE_OVER


def _set_reason_left(state: pb.State) -> None:
    state.reason = "left"


def _set_exhaustions(state: pb.State) -> None:
    state.exhaustions = 3


def _set_quiet_turns(state: pb.State) -> None:
    state.quiet_turns = 9


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (_set_profile, "state.options.profile"),
        (_drop_seat, "state.seats"),
        (_same_colour, "state.options.colours"),
        (_same_place, "state.seats"),
        (_extra_card, "state.deck"),
        (_negative_card, "state.seats[2].hand"),
        (_known_card, "state.seats[1].known"),
        (_deck_knowledge, "state.deckAtMost"),
        (_extra_point_card, "state.undrawn"),
        (_short_list, "state.undrawn"),
        (_set_unknown_square, "state.squares"),
        (_remove_pile_card, "state.piles"),
        (_unset_stage, "state.stage"),
        (_set_active_seat_to_nature, "state.activeSeat"),
        (_set_general_won, "state.general"),
        (_set_stage_over, "state.stage"),
        (_set_reason_left, "state.reason"),
        (_set_exhaustions, "state.exhaustions"),
        (_set_quiet_turns, "state.quietTurns"),
    ],
)
def test_an_unreachable_state_is_refused_with_its_field(spoil: Callable[[pb.State], None], field: str) -> None:
    state = position_in_stage()
    spoil(state)
    assert refused_field(state) == field


def test_an_empty_state_is_refused() -> None:
    assert refused_field(pb.State()) == "state.options.colours"


@pytest.mark.parametrize("stage", CHOICE_STAGES[1:])
def test_a_turn_that_has_just_begun_requires_an_action(stage: int) -> None:
    state = position_in_stage()
    state.stage = cast(pb.Stage.ValueType, stage)
    assert refused_field(state).startswith("state.")


@pytest.mark.parametrize("stage", CHOICE_STAGES[1:])
def test_a_turn_in_progress_does_not_require_an_action(stage: int) -> None:
    state = position_in_stage(2, stage)
    state.stage = pb.STAGE_ACTION
    assert refused_field(state).startswith("state.")


SETUP_STAGES = [SETUP_YEN, SETUP_PLACES, SETUP_HANDS, SETUP_RESERVE, SETUP_FIRST]


@pytest.mark.parametrize("stage", SETUP_STAGES)
@pytest.mark.parametrize("other", SETUP_STAGES)
def test_the_stages_of_the_setup_are_in_order(stage: int, other: int) -> None:
    state = position_in_stage(1, stage)
    state.stage = cast(pb.Stage.ValueType, other)
    if stage == other:
        CODEC.check(CODEC.read_state(state.SerializeToString()))
    else:
        assert refused_field(state) == "state.stage"


def _remove_pawn_place(state: pb.State) -> None:
    state.seats[1].place = 0


def _place_pawn_early(state: pb.State) -> None:
    state.seats[1].place = 3


def _early_hand(state: pb.State) -> None:
    state.seats[0].hand.blue, state.deck.blue = 1, state.deck.blue - 1


def _early_reserve(state: pb.State) -> None:
    state.reserve.blue, state.deck.blue = 1, state.deck.blue - 1


def _empty_a_square(state: pb.State) -> None:
    state.squares[0] = pb.POINT_CARD_UNSPECIFIED
    state.undrawn[_first_missing(state)] += 1
    state.piles[1] += 1


def _first_missing(state: pb.State) -> int:
    """The kind of point card that the state has too few of."""
    return next(card for card, there_are in enumerate(POINT_COUNTS) if _count_of_card(state, card) < there_are)


def _count_of_card(state: pb.State, card: int) -> int:
    return state.undrawn[card] + list(state.squares).count(cast(pb.PointCard.ValueType, card + 1))


@pytest.mark.parametrize(
    ("stage", "spoil", "field"),
    [
        (SETUP_HANDS, _remove_pawn_place, "state.stage"),
        (SETUP_FIRST, _remove_pawn_place, "state.stage"),
        (SETUP_YEN, _place_pawn_early, "state.seats"),
        (SETUP_PLACES, _early_hand, "state.seats[0].hand"),
        (SETUP_HANDS, _early_reserve, "state.reserve"),
        (SETUP_FIRST, _empty_a_square, "state.squares"),
    ],
)
def test_a_setup_with_missing_or_early_cards_is_refused(
    stage: int, spoil: Callable[[pb.State], None], field: str
) -> None:
    state = position_in_stage(1, stage)
    spoil(state)
    assert refused_field(state) == field


@pytest.mark.parametrize("stage", [DRAWING, STEPPING, RELEASE])
def test_no_card_leaves_the_columns_before_a_capture(stage: int) -> None:
    state = position_in_stage(2, stage)
    assert state.captures == 0
    state.undrawn[state.squares[0] - 1] += 1
    state.piles[0] += 1
    state.squares[0] = pb.POINT_CARD_UNSPECIFIED
    assert refused_field(state) == "state.squares"


def numbers(message: Message) -> Iterator[tuple[Message, FieldDescriptor]]:
    """Every field that holds no message, in a message and in those below it."""
    for field in cast(Descriptor, message.DESCRIPTOR).fields:
        if not field.message_type:
            yield message, field
        elif field.is_repeated:
            for part in getattr(message, field.name):
                yield from numbers(part)
        else:
            yield from numbers(getattr(message, field.name))


def spoil_random_field(state: pb.State, random: Random) -> None:
    """Change a random field of the message or of one nested in it."""
    message, field = random.choice(list(numbers(state)))
    if field.is_repeated:
        spoil_list(getattr(message, field.name), random)
    elif field.type == FieldDescriptor.TYPE_BOOL:
        setattr(message, field.name, not getattr(message, field.name))
    elif field.type == FieldDescriptor.TYPE_STRING:
        setattr(message, field.name, random.choice(["", "left", "general", "exhaustion", "x"]))
    else:
        near = max(-1, min(99, getattr(message, field.name))) + random.choice([-1, 1])
        setattr(message, field.name, random.choice([near, near, *EXTREME_NUMBERS]))


def spoil_list(values: list[int], random: Random) -> None:
    if not values or random.random() < 0.1:
        values.append(random.choice(EXTREME_NUMBERS))
        return
    one, other = random.randrange(len(values)), random.randrange(len(values))
    values[one], values[other] = values[other], values[one]
    if random.random() < 0.5:
        values[one] = random.choice(EXTREME_NUMBERS)


def move_card(state: pb.State, random: Random) -> None:
    """Move an attack card to another place, so that their number stays right."""
    places = [state.deck, state.discards, state.reserve, *[seat.hand for seat in state.seats]]
    kind = random.choice(["blue", "yellow", "brown", "red", "green", "warrior"])
    giver, taker = random.sample(places, 2)
    setattr(giver, kind, getattr(giver, kind) - 1)
    setattr(taker, kind, getattr(taker, kind) + 1)


def play_on(state: FireBullsState, random: Random) -> None:
    """Everything that the service may do with a state."""
    game = CODEC.game
    for observer in range(SPECTATOR, len(state.seats)):
        CODEC.encode_view(game.view(state, observer))
        game.legal_moves(state, observer)
    assert len(game.weights(state)) == len(game.legal_moves(state, NATURE))
    game.score(state)
    playout(game, state, random, limit=20_000)
    CODEC.check(state)


@pytest.mark.parametrize("seed", range(4))
def test_a_corrupted_state_is_refused_or_played_to_its_end(seed: int) -> None:
    random = Random(seed)
    accepted = refused = 0
    for state in positions(CODEC, 2 + seed, random):
        message = cast(pb.State, CODEC.encode_state(state))
        for _ in range(random.choice([1, 1, 2, 3])):
            random.choice([spoil_random_field, spoil_random_field, move_card])(message, random)
        try:
            hostile = CODEC.read_state(message.SerializeToString())
            CODEC.check(hostile)
        except InconsistentState:
            refused += 1
        else:
            play_on(hostile, random)
            accepted += 1
    assert accepted > 5
    assert refused > 50


def test_numbers_of_point_cards_and_piles_take_a_byte_each() -> None:
    assert max(*POINT_COUNTS, PILE_SIZE) < ONE_BYTE


def test_cached_point_cards_equal_their_encoded_message() -> None:
    """More of them than the cache holds, twice."""
    cards = PointCards(6)
    some = [bytes(numbers).ljust(POINT_KINDS, bytes(1)) for numbers in product(range(4), range(4), range(3), range(3))]
    more = [bytes(numbers).ljust(POINT_KINDS, bytes(1)) for numbers in product(*[range(4)] * 5, range(3), range(2))]
    assert len(more) > MAX_CACHED_COUNTS
    for counts in [*some, *more, bytes(POINT_COUNTS), *some]:
        out = Writer()
        cards.write(out, counts)
        messages = [
            pb.PointCardCount(card=cast(pb.PointCard.ValueType, kind + 1), count=number)
            for kind, number in enumerate(counts)
            if number
        ]
        assert out.to_bytes() == pb.View(undrawn=messages).SerializeToString(deterministic=True)


def test_fault09_hands_are_within_their_limit_during_the_setup() -> None:
    state = position_in_stage(seed=3, stage=FILL)
    hand = state.seats[state.active_seat].hand
    for field, number in state.deck.ListFields():
        setattr(hand, field.name, getattr(hand, field.name) + number - 1)
        setattr(state.deck, field.name, 1)
    assert refused_field(state) == f"state.seats[{state.active_seat}].hand"


@pytest.mark.parametrize("stage", [REFILL, BONUS])
def test_fault09_pending_draws_do_not_exceed_those_of_the_turn(stage: int) -> None:
    state = position_in_stage(stage=stage)
    state.due = 3
    assert refused_field(state) == "state.due"
