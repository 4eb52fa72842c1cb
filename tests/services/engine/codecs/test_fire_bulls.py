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
CHOICES = (ACTION, STEPPING, POWER, CAPTURE, PRICE, RELEASE)
EXTREMES = (-(2**31), -1, 0, 1, 2, 3, 5, 9, 20, 2**31 - 1)


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
def test_options_that_have_no_such_value_are_refused(options: pb.Options, field: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        CODEC.decode_options(options)
    assert caught.value.field == field


def position(seed: int = 1, stage: int = ACTION) -> pb.State:
    """The first position of a random match in which a stage asks for something."""
    for state in positions(CODEC, 3, Random(seed)):
        if cast(FireBullsState, state).stage == stage:
            return cast(pb.State, CODEC.encode_state(state))
    raise AssertionError("the match never comes to that stage")


def refused(state: pb.State) -> str:
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


def _square(state: pb.State) -> None:
    state.squares[0] = cast(pb.PointCard.ValueType, 22)


def _pile(state: pb.State) -> None:
    state.piles[0] -= 1


def _stage(state: pb.State) -> None:
    state.stage = pb.STAGE_UNSPECIFIED


def _active(state: pb.State) -> None:
    state.active_seat = -1


def _general(state: pb.State) -> None:
    state.general = pb.GENERAL_PLACE_WON


def _over(state: pb.State) -> None:
    state.stage = pb.STAGE_OVER


def _reason(state: pb.State) -> None:
    state.reason = "left"


def _exhaustions(state: pb.State) -> None:
    state.exhaustions = 3


def _quiet(state: pb.State) -> None:
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
        (_square, "state.squares"),
        (_pile, "state.piles"),
        (_stage, "state.stage"),
        (_active, "state.activeSeat"),
        (_general, "state.general"),
        (_over, "state.stage"),
        (_reason, "state.reason"),
        (_exhaustions, "state.exhaustions"),
        (_quiet, "state.quietTurns"),
    ],
)
def test_a_state_that_no_match_could_reach_names_its_field(spoil: Callable[[pb.State], None], field: str) -> None:
    state = position()
    spoil(state)
    assert refused(state) == field


def test_an_empty_state_is_refused() -> None:
    assert refused(pb.State()) == "state.options.colours"


@pytest.mark.parametrize("stage", CHOICES[1:])
def test_a_turn_that_has_only_begun_asks_for_an_action(stage: int) -> None:
    state = position()
    state.stage = cast(pb.Stage.ValueType, stage)
    assert refused(state).startswith("state.")


@pytest.mark.parametrize("stage", CHOICES[1:])
def test_a_turn_that_goes_on_does_not_ask_for_an_action(stage: int) -> None:
    state = position(2, stage)
    state.stage = pb.STAGE_ACTION
    assert refused(state).startswith("state.")


SETUP = [SETUP_YEN, SETUP_PLACES, SETUP_HANDS, SETUP_RESERVE, SETUP_FIRST]


@pytest.mark.parametrize("stage", SETUP)
@pytest.mark.parametrize("other", SETUP)
def test_the_parts_of_the_setup_come_one_after_the_other(stage: int, other: int) -> None:
    state = position(1, stage)
    state.stage = cast(pb.Stage.ValueType, other)
    if stage == other:
        CODEC.check(CODEC.read_state(state.SerializeToString()))
    else:
        assert refused(state) == "state.stage"


def _unplaced(state: pb.State) -> None:
    state.seats[1].place = 0


def _placed(state: pb.State) -> None:
    state.seats[1].place = 3


def _early_hand(state: pb.State) -> None:
    state.seats[0].hand.blue, state.deck.blue = 1, state.deck.blue - 1


def _early_reserve(state: pb.State) -> None:
    state.reserve.blue, state.deck.blue = 1, state.deck.blue - 1


def _gap(state: pb.State) -> None:
    state.squares[0] = pb.POINT_CARD_UNSPECIFIED
    state.undrawn[_first_missing(state)] += 1
    state.piles[1] += 1


def _first_missing(state: pb.State) -> int:
    """The kind of point card that the state has too few of."""
    return next(card for card, there_are in enumerate(POINT_COUNTS) if _found(state, card) < there_are)


def _found(state: pb.State, card: int) -> int:
    return state.undrawn[card] + list(state.squares).count(cast(pb.PointCard.ValueType, card + 1))


@pytest.mark.parametrize(
    ("stage", "spoil", "field"),
    [
        (SETUP_HANDS, _unplaced, "state.stage"),
        (SETUP_FIRST, _unplaced, "state.stage"),
        (SETUP_YEN, _placed, "state.seats"),
        (SETUP_PLACES, _early_hand, "state.seats[0].hand"),
        (SETUP_HANDS, _early_reserve, "state.reserve"),
        (SETUP_FIRST, _gap, "state.squares"),
    ],
)
def test_in_the_setup_nothing_is_left_out_and_nothing_comes_early(
    stage: int, spoil: Callable[[pb.State], None], field: str
) -> None:
    state = position(1, stage)
    spoil(state)
    assert refused(state) == field


@pytest.mark.parametrize("stage", [DRAWING, STEPPING, RELEASE])
def test_nothing_leaves_the_columns_before_a_card_is_captured(stage: int) -> None:
    state = position(2, stage)
    assert state.captures == 0
    state.undrawn[state.squares[0] - 1] += 1
    state.piles[0] += 1
    state.squares[0] = pb.POINT_CARD_UNSPECIFIED
    assert refused(state) == "state.squares"


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


def spoil(state: pb.State, random: Random) -> None:
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
        setattr(message, field.name, random.choice([near, near, *EXTREMES]))


def spoil_list(values: list[int], random: Random) -> None:
    if not values or random.random() < 0.1:
        values.append(random.choice(EXTREMES))
        return
    one, other = random.randrange(len(values)), random.randrange(len(values))
    values[one], values[other] = values[other], values[one]
    if random.random() < 0.5:
        values[one] = random.choice(EXTREMES)


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
def test_a_hostile_state_is_refused_or_played_to_an_end(seed: int) -> None:
    random = Random(seed)
    accepted = refused = 0
    for state in positions(CODEC, 2 + seed, random):
        message = cast(pb.State, CODEC.encode_state(state))
        for _ in range(random.choice([1, 1, 2, 3])):
            random.choice([spoil, spoil, move_card])(message, random)
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


def test_numbers_of_point_cards_and_of_piles_take_a_byte_each() -> None:
    assert max(*POINT_COUNTS, PILE_SIZE) < ONE_BYTE


def test_cached_point_cards_are_the_bytes_of_their_message() -> None:
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


def test_fault09_hands_are_within_their_limit_while_the_columns_are_filled() -> None:
    state = position(seed=3, stage=FILL)
    hand = state.seats[state.active_seat].hand
    for field, number in state.deck.ListFields():
        setattr(hand, field.name, getattr(hand, field.name) + number - 1)
        setattr(state.deck, field.name, 1)
    assert refused(state) == f"state.seats[{state.active_seat}].hand"


@pytest.mark.parametrize("stage", [REFILL, BONUS])
def test_fault09_nature_owes_no_more_cards_than_the_turn_gives(stage: int) -> None:
    state = position(stage=stage)
    state.due = 3
    assert refused(state) == "state.due"
