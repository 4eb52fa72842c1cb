"""Codec of Fireship: round trips, and validation of every field of moves and states that clients send."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from time import process_time
from typing import cast

import pytest
from fireside.fireship.v1 import fireship_log_pb2 as log
from fireside.fireship.v1 import fireship_pb2 as pb
from fireside.fireship.v1 import fireship_service_pb2 as verbs
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from engine_core.errors import InconsistentState, InvalidOption
from engine_core.explore import playout
from engine_core.game import EVERYBODY, NATURE, SPECTATOR, Over, Turn
from engine_core.games.fireship.moves import TIME_UP
from engine_core.games.fireship.stages import BATTLE, DRAWING, LOSING, MOVING, SAILING, SPINNING, WINDOW
from engine_core.games.fireship.state import FireshipState
from engine_core.match import Entry
from services.engine.codecs.fireship import FireshipCodec
from services.grpc_server.errors import InvalidRequest
from tests.conformance.plain import plain
from tests.engine_core.games.fireship.crowded import aggressive_choice, crowded_position, special_square_choice
from tests.engine_core.games.fireship.positions import Position, new_position
from tests.engine_core.games.fireship.test_notation import NOTATIONS as TEXTS_OF_MOVES

CODEC = FireshipCodec()
GAME = CODEC.game
EXTREME_NUMBERS = (-(2**31), -1, 0, 1, 2, 3, 5, 9, 20, 2**31 - 1)
REPLACEMENT_TEXTS = ("", "a1", "e4", "h1", "o15", "c3", "z9", "left", "all_islands", "round_limit", "x")


def lively_positions(random: Random) -> Iterator[FireshipState]:
    """Every position of a match in which windows come up all the time, the same object each time."""
    state = crowded_position(random).state
    phase = GAME.phase(state)
    while not isinstance(phase, Over):
        yield state
        if isinstance(phase, Turn):
            seat = random.choice(phase.seats)
            player = special_square_choice if random.random() < 0.3 else aggressive_choice
            GAME.apply(state, seat, player(state, seat, random))
        else:
            GAME.apply(state, NATURE, random.choice(GAME.legal_moves(state, NATURE)))
        phase = GAME.phase(state)
    yield state


@pytest.mark.parametrize("seed", range(3))
def test_a_state_round_trips_at_every_move(seed: int) -> None:
    for state in lively_positions(Random(seed)):
        copied = CODEC.read_state(CODEC.write_state(state))
        assert plain(copied) == plain(state)
        CODEC.check(copied)


@pytest.mark.parametrize("seed", range(2))
def test_dealt_states_are_valid(seed: int) -> None:
    random = Random(seed)
    for state in lively_positions(random):
        for observer in (SPECTATOR, 0, 1, 2, 3):
            CODEC.check(GAME.determinize(state, observer, random))


def test_every_move_round_trips_also_in_reaction_windows() -> None:
    for state in lively_positions(Random(7)):
        for seat in range(NATURE, 4):
            for move in GAME.legal_moves(state, seat):
                hidden = GAME.conceal(state, seat, move)
                assert CODEC.decode_move(CODEC.encode_move(move)) == move
                assert CODEC.decode_move(CODEC.encode_move(hidden)) == hidden


@pytest.mark.parametrize("text", TEXTS_OF_MOVES)
def test_every_move_type_round_trips(text: str) -> None:
    move = GAME.parse(text)
    assert CODEC.decode_move(CODEC.encode_move(move)) == move


def test_the_end_by_time_is_a_chance_event() -> None:
    event = cast(log.Event, CODEC.encode_event(Entry(9, NATURE, TIME_UP, EVERYBODY, TIME_UP, []), SPECTATOR))
    assert not event.HasField("seat")
    assert (event.move.WhichOneof("kind"), event.notation) == ("time_up", "time_up")


def test_the_longest_lists_of_legal_moves_are_small_and_fast() -> None:
    most = slowest = 0.0
    for state in lively_positions(Random(8)):
        phase = GAME.phase(state)
        if not isinstance(phase, Turn):
            continue
        before = process_time()
        moves = [
            verbs.LegalMove(move=cast(pb.Move, CODEC.encode_move(move)), notation=GAME.notation(move))
            for move in GAME.legal_moves(state, phase.seats[0])
        ]
        size = verbs.LegalMovesResponse(revision=500, seat=3, moves=moves).ByteSize()
        slowest = max(slowest, process_time() - before)
        most = max(most, size)
    print(f"\nlargest list of legal moves: {most} bytes, {1000 * slowest:.2f} ms")
    assert most < 5000
    assert slowest < 0.25


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (pb.Move(), "move"),
        (pb.Move(sail=pb.Sail()), "move.sail.to"),
        (pb.Move(sail=pb.Sail(to="a1")), "move.sail.to"),
        (pb.Move(choose_pawn=pb.ChoosePawn()), "move.choosePawn.pawn.kind"),
        (pb.Move(choose_pawn=pb.ChoosePawn(pawn=pb.Pawn(kind=pb.PAWN_KIND_BOAT))), "move.choosePawn.pawn.square"),
        (pb.Move(play_card=pb.PlayCard()), "move.playCard.card"),
        (pb.Move(play_card=pb.PlayCard(card=pb.PLAYED_CARD_FOG)), "move.playCard.source"),
        (
            pb.Move(play_card=pb.PlayCard(card=pb.PLAYED_CARD_BOUM, source=pb.CARD_SOURCE_HAND)),
            "move.playCard.owner",
        ),
        (
            pb.Move(
                play_card=pb.PlayCard(
                    card=pb.PLAYED_CARD_UPDRAFT,
                    source=pb.CARD_SOURCE_HAND,
                    pawn=pb.Pawn(kind=pb.PAWN_KIND_BOAT, square="e4"),
                )
            ),
            "move.playCard.pawn.kind",
        ),
        (pb.Move(fortify=pb.Fortify(island=10)), "move.fortify.island"),
        (pb.Move(fortify=pb.Fortify(island=1)), "move.fortify.boats"),
        (
            pb.Move(fortify=pb.Fortify(island=1, boats=[pb.Pawn(kind=pb.PAWN_KIND_PLANE, square="e4")] * 2)),
            "move.fortify.boats[0].kind",
        ),
        (pb.Move(attack=pb.Attack(attacker="e5")), "move.attack.island"),
        (pb.Move(attack=pb.Attack(attacker="e5", island=0)), "move.attack.island"),
        (pb.Move(attack=pb.Attack(attacker="e5", island=1, plus_ones=8)), "move.attack.plusOnes"),
        (pb.Move(attack=pb.Attack(attacker="e5", pawn=pb.Target(square="e4"))), "move.attack.pawn.owner"),
        (pb.Move(use_square=pb.UseSquare(square="e4")), "move.useSquare.square"),
        (pb.Move(lose=pb.Lose(kind=pb.PAWN_KIND_BATTLESHIP, square="e4")), "move.lose.kind"),
        (pb.Move(die=pb.Die(face=1)), "move.die.face"),
        (pb.Move(sector=pb.Sector(sector=13)), "move.sector.sector"),
        (pb.Move.FromString(b"\x52\x02\x08\x09"), "move.answer.answer"),
        (pb.Move.FromString(b"\x6a\x02\x08\x0b"), "move.card.card"),
    ],
)
def test_a_malformed_move_names_its_field(move: pb.Move, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        CODEC.decode_move(move)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (pb.Options(colours=[pb.COLOUR_WHITE, pb.COLOUR_RED]), "options.colours"),
        (pb.Options(colours=[pb.COLOUR_RED] * 5), "options.colours"),
        (pb.Options(rounds=-1), "options.rounds"),
        (pb.Options(rounds=101), "options.rounds"),
        (pb.Options(movement_dice=4), "options.movementDice"),
    ],
)
def test_unsupported_option_values_are_refused(options: pb.Options, field: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        GAME.start(2, CODEC.decode_options(options))
    assert caught.value.field == field


def test_options_left_out_are_the_defaults() -> None:
    options = GAME.start(3, CODEC.decode_options(pb.Options())).options
    assert (options.fortification, options.rounds, options.movement_dice) == (True, 24, 2)
    assert options.colours == (0, 1, 2)
    assert not CODEC.decode_options(pb.Options(fortification=False)).fortification


def encode_position(game: Position) -> pb.State:
    return cast(pb.State, CODEC.encode_state(game.state))


def attacked_state() -> pb.State:
    """Green has attacked red's island, and red and blue are asked."""
    fleets = {"green": "battleship e5, boat h1 arrived", "blue": "boat o1", "red": "boat e4", "white": ""}
    game = new_position(fleets, seat_count=3, hands=["fog", "no", "no plus_one"], islands={1: "red"}, dice=(6, 6))
    return encode_position(game.play("attack e5: island 1"))


def refused_field(state: pb.State) -> str:
    with pytest.raises(InconsistentState) as caught:
        CODEC.check(CODEC.read_state(state.SerializeToString()))
    return caught.value.field


def spoil_rounds(state: pb.State) -> None:
    state.options.rounds = 0


def spoil_seats(state: pb.State) -> None:
    del state.seats[-1]


def spoil_colours(state: pb.State) -> None:
    state.options.colours[0] = state.options.colours[1]


def spoil_deck(state: pb.State) -> None:
    state.deck.fog += 1


def spoil_hand(state: pb.State) -> None:
    state.seats[1].hand.no = -1


def spoil_kept(state: pb.State) -> None:
    state.seats[1].hand.bermuda += 1
    state.deck.bermuda -= 1


def spoil_knowledge(state: pb.State) -> None:
    state.deck_at_most.Clear()


def spoil_badges(state: pb.State) -> None:
    state.seats[0].badges.boum = 1


def spoil_square(state: pb.State) -> None:
    state.pawns[0].pawn.square = "c3"


def spoil_number(state: pb.State) -> None:
    state.pawns[0].count = 3


def spoil_white(state: pb.State) -> None:
    state.pawns.add(owner=pb.COLOUR_WHITE, pawn=pb.Pawn(kind=pb.PAWN_KIND_PLANE, square="h5"), count=1)


def spoil_stranger(state: pb.State) -> None:
    state.pawns.add(owner=pb.COLOUR_YELLOW, pawn=pb.Pawn(kind=pb.PAWN_KIND_BOAT, square="h10"), count=1)


def spoil_mark(state: pb.State) -> None:
    state.pawns.add(owner=pb.COLOUR_RED, pawn=pb.Pawn(kind=pb.PAWN_KIND_BOAT, square="h10", fast=True), count=1)


def spoil_rings(state: pb.State) -> None:
    state.islands[1].rings = 1


def spoil_islands(state: pb.State) -> None:
    del state.islands[0]


def spoil_stage(state: pb.State) -> None:
    state.stage = pb.STAGE_UNSPECIFIED


def spoil_moving(state: pb.State) -> None:
    state.stage = pb.STAGE_MOVING


def spoil_over(state: pb.State) -> None:
    state.stage = pb.STAGE_OVER
    state.active_seat = -1
    for group in state.pawns:
        group.pawn.arrived = group.pawn.fast = False


def spoil_active(state: pb.State) -> None:
    state.active_seat = -1


def spoil_turn(state: pb.State) -> None:
    state.turn = 9


def spoil_dice(state: pb.State) -> None:
    del state.dice[0]


def spoil_face(state: pb.State) -> None:
    state.dice[0] = 1


def spoil_points(state: pb.State) -> None:
    state.points = 13


def spoil_asked(state: pb.State) -> None:
    state.asked = 0b010


def spoil_answer(state: pb.State) -> None:
    state.seats[0].answer = pb.ANSWER_KIND_NO


def spoil_declared(state: pb.State) -> None:
    del state.declared[:]


def spoil_declarer(state: pb.State) -> None:
    state.declared[0].seat = 1


def spoil_target(state: pb.State) -> None:
    state.declared[0].move.attack.island = 9


def spoil_weakness(state: pb.State) -> None:
    state.declared[0].move.attack.attacker = "h1"


def spoil_die(state: pb.State) -> None:
    state.declared[0].move.die.face = 2


def spoil_nothing(state: pb.State) -> None:
    state.declared[0].move.Clear()


def spoil_out(state: pb.State) -> None:
    state.seats[1].out = 1


def spoil_left(state: pb.State) -> None:
    state.seats[0].left = state.seats[1].left = True


def spoil_chosen(state: pb.State) -> None:
    state.chosen.CopyFrom(state.pawns[0].pawn)


def spoil_reason(state: pb.State) -> None:
    state.reason = "left"


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (spoil_rounds, "state.options.rounds"),
        (spoil_seats, "state.seats"),
        (spoil_colours, "state.options.colours"),
        (spoil_deck, "state.deck"),
        (spoil_hand, "state.seats[1].hand"),
        (spoil_kept, "state.seats[1].hand"),
        (spoil_knowledge, "state.deckAtMost"),
        (spoil_badges, "state.badgeStock"),
        (spoil_square, "state.pawns[0].pawn.square"),
        (spoil_number, "state.pawns"),
        (spoil_white, "state.pawns"),
        (spoil_stranger, "state.pawns"),
        (spoil_mark, "state.pawns"),
        (spoil_rings, "state.islands[1].rings"),
        (spoil_islands, "state.islands"),
        (spoil_stage, "state.stage"),
        (spoil_moving, "state.asked"),
        (spoil_over, "state.reason"),
        (spoil_active, "state.activeSeat"),
        (spoil_turn, "state.turn"),
        (spoil_dice, "state.dice"),
        (spoil_face, "state.dice"),
        (spoil_points, "state.points"),
        (spoil_asked, "state.asked"),
        (spoil_answer, "state.seats[0].answer"),
        (spoil_declared, "state.declared"),
        (spoil_declarer, "state.declared"),
        (spoil_target, "state.declared"),
        (spoil_weakness, "state.declared"),
        (spoil_die, "state.declared"),
        (spoil_nothing, "state.declared[0].move"),
        (spoil_out, "state.seats[1]"),
        (spoil_left, "state.seats"),
        (spoil_chosen, "state.chosen"),
        (spoil_reason, "state.reason"),
    ],
)
def test_an_unreachable_state_is_refused_with_its_field(spoil: Callable[[pb.State], None], field: str) -> None:
    state = attacked_state()
    spoil(state)
    assert refused_field(state) == field


def test_an_empty_state_is_refused() -> None:
    assert refused_field(pb.State()) == "state.options.colours"


def test_a_state_has_at_most_as_many_answers_as_cards() -> None:
    state = attacked_state()
    answer = pb.Declared(seat=1, move=pb.Move(answer=pb.Answer(answer=pb.ANSWER_KIND_NO)))
    state.declared.extend([answer] * 1000)
    assert refused_field(state) == "state.declared"


@pytest.mark.parametrize("stage", [MOVING, SAILING, WINDOW, BATTLE, SPINNING, DRAWING, LOSING])
def test_a_stage_without_its_choices_is_refused(stage: int) -> None:
    state = encode_position(new_position({"green": "boat e5", "red": "boat o15"}))
    state.stage = cast(pb.Stage.ValueType, stage)
    assert refused_field(state).startswith("state.")


def scalar_fields(message: Message) -> Iterator[tuple[Message, FieldDescriptor]]:
    """Every field that holds no message, in a message and in those below it."""
    for field in cast(Descriptor, message.DESCRIPTOR).fields:
        if not field.message_type:
            yield message, field
        elif field.is_repeated:
            for part in getattr(message, field.name):
                yield from scalar_fields(part)
        elif message.HasField(field.name):
            yield from scalar_fields(getattr(message, field.name))


def spoil_random_field(state: pb.State, random: Random) -> None:
    """Change a random field of the message or of one nested in it."""
    message, field = random.choice(list(scalar_fields(state)))
    if field.is_repeated:
        values = getattr(message, field.name)
        values.append(random.choice(EXTREME_NUMBERS))
    elif field.type == FieldDescriptor.TYPE_BOOL:
        setattr(message, field.name, not getattr(message, field.name))
    elif field.type == FieldDescriptor.TYPE_STRING:
        setattr(message, field.name, random.choice(REPLACEMENT_TEXTS))
    else:
        near = max(-1, min(99, getattr(message, field.name))) + random.choice([-1, 1])
        setattr(message, field.name, random.choice([near, near, *EXTREME_NUMBERS]))


def move_card(state: pb.State, random: Random) -> None:
    """Move a mystery card to another place, so that their number stays right."""
    places = [state.deck, state.discards, *[seat.hand for seat in state.seats]]
    kind = random.choice(["no", "boum", "plus_one", "updraft", "fog"])
    giver, taker = random.sample(places, 2)
    setattr(giver, kind, max(-1, getattr(giver, kind) - 1))
    setattr(taker, kind, min(99, getattr(taker, kind) + 1))


def move_pawns(state: pb.State, random: Random) -> None:
    """Put some pawns elsewhere."""
    if state.pawns:
        random.choice(state.pawns).pawn.square = random.choice([group.pawn.square for group in state.pawns])


def play_on(state: FireshipState, random: Random) -> None:
    """Everything that the service may do with a state."""
    for observer in (SPECTATOR, *range(len(state.seats))):
        CODEC.encode_view(GAME.view(state, observer))
        GAME.determinize(state, observer, random)
    for seat in range(NATURE, len(state.seats)):
        GAME.legal_moves(state, seat)
    assert len(GAME.weights(state)) == len(GAME.legal_moves(state, NATURE))
    GAME.score(state)
    playout(GAME, state, random, limit=50_000)
    CODEC.check(state)


@pytest.mark.parametrize("seed", range(4))
def test_a_corrupted_state_is_refused_or_played_to_its_end(seed: int) -> None:
    random = Random(seed)
    accepted = refusals = 0
    for number, state in enumerate(lively_positions(random)):
        message = cast(pb.State, CODEC.encode_state(state))
        for _ in range(random.choice([1, 1, 2, 3])):
            random.choice([spoil_random_field, spoil_random_field, move_card, move_pawns])(message, random)
        try:
            hostile = CODEC.read_state(message.SerializeToString())
            CODEC.check(hostile)
        except InconsistentState:
            refusals += 1
        else:
            if number % 3 == 0:
                play_on(hostile, random)
            accepted += 1
    assert accepted > 20
    assert refusals > 50


def first_throw(seat_count: int = 2) -> pb.State:
    return cast(pb.State, CODEC.encode_state(GAME.start(seat_count, GAME.presets()["rings"])))


def test_fault01_no_turn_is_skipped_before_the_first_one() -> None:
    """Nature would throw for ever: the turn of the seat that throws highest would not begin."""
    state = first_throw()
    for seat in state.seats:
        seat.skips = 1
    assert refused_field(state) == "state.seats[0].skips"


def round_three(state: pb.State) -> None:
    state.round = 3


def thrown_much(state: pb.State) -> None:
    state.seats[1].first_throw = 999


def thrown_too_early(state: pb.State) -> None:
    state.seats[1].first_throw = 2


def contest_before_the_first_turn(state: pb.State) -> None:
    state.contest = 1


def take_an_island(state: pb.State) -> None:
    state.islands[0].owner = pb.COLOUR_GREEN


def move_a_boat(state: pb.State) -> None:
    state.pawns[0].pawn.square = "h10"


def deal_a_card(state: pb.State) -> None:
    state.deck.no -= 1
    state.seats[0].hand.no += 1


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (round_three, "state.round"),
        (thrown_much, "state.seats[1].firstThrow"),
        (thrown_too_early, "state.seats[1].firstThrow"),
        (contest_before_the_first_turn, "state.contest"),
        (take_an_island, "state.islands"),
        (move_a_boat, "state.pawns"),
        (deal_a_card, "state.seats[0].hand"),
    ],
)
def test_fault09_before_the_first_turn_the_setup_is_unchanged(spoil: Callable[[pb.State], None], field: str) -> None:
    state = first_throw()
    spoil(state)
    assert refused_field(state) == field


@pytest.mark.parametrize(("turn", "is_right"), [(3, True), (2, False), (4, False), (1, False)])
def test_fault09_the_turn_number_is_that_of_its_round_and_seat(turn: int, is_right: bool) -> None:
    state = attacked_state()
    assert (state.round, state.active_seat, state.first_seat) == (1, 0, 0)
    state.round, state.active_seat, state.turn = 1, 0, turn
    state.first_seat = 1  # of three seats: 1, 2, 0
    if is_right:
        CODEC.check(CODEC.read_state(state.SerializeToString()))
    else:
        assert refused_field(state) == "state.turn"


def test_fault09_the_deck_is_rebuilt_at_most_once_a_turn() -> None:
    state = attacked_state()
    state.rebuilds = 1000
    assert refused_field(state) == "state.rebuilds"
