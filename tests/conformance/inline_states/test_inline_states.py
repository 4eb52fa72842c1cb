"""Law: an inline state is refused, or it can be played to its end, and whatever it leads to is accepted again.

`make fuzz` makes up more of them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from random import Random
from time import process_time
from types import FrameType
from typing import Final

import pytest
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from engine_core.chance import Luck
from engine_core.errors import InconsistentState, MatchOver
from engine_core.game import NATURE, SPECTATOR, Chance, Over, State, Turn
from engine_core.match import Match
from services.engine.codecs import CODECS, AnyCodec
from services.grpc_server.errors import InvalidRequest, UnknownRules
from tests.conformance.game_setups import RULES_ARE_COMPILED
from tests.conformance.inline_states.mutants import Mutants

MUTANT_COUNT = int(os.environ.get("FIRESIDE_MUTANTS", "300" if RULES_ARE_COMPILED else "100"))
"""States a game; `make fuzz` asks for 20,000."""
FIRST_SEED = int(os.environ.get("FIRESIDE_MUTANTS_SEED", "1"))
BATCH_SIZE: Final = 300
"""After so many changed states others are changed."""
CPU_SECONDS: Final = 2.0
"""What all that is done with one state may take."""
REPAIR_ATTEMPTS: Final = 12
"""How often every other state that is refused is changed where it is refused."""
MAX_STEPS: Final = 20_000
CHECKED_STEPS: Final = 25
"""So many states that follow are all encoded and checked; of those after them, one in `CHECKED_ONE_IN`."""
CHECKED_ONE_IN: Final = 16


class TimeLimitExceeded(Exception):
    """A state has kept the processor busy for too long."""


@contextmanager
def processor_time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimitExceeded` in what takes more processor time."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise TimeLimitExceeded(f"over {seconds} s of processor time")

    previous_handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous_handler)


def decode_accepted(codec: AnyCodec, message: Message) -> State:
    """The state that an engine would play on."""
    codec.check_rules(message, "state.rulesVersion")
    state: State = codec.read_state(message.SerializeToString(deterministic=True))
    codec.check(state)
    return state


def refused_field(codec: AnyCodec, message: Message) -> str:
    """The field for which an engine refuses a state; nothing where it takes it, or fails."""
    try:
        with processor_time_limit(CPU_SECONDS):
            decode_accepted(codec, message)
    except (InconsistentState, InvalidRequest) as error:
        return error.field
    except UnknownRules:
        return "state.rulesVersion"
    except Exception:
        return ""
    return ""


def check_round_trip(codec: AnyCodec, state: State) -> None:
    """Check that the engine accepts the state as it encodes it."""
    encoded = codec.write_inline_state(state)
    copied = codec.read_state(encoded)
    codec.check(copied)
    assert codec.write_inline_state(copied) == encoded


def check_queries(codec: AnyCodec, state: State, random: Random) -> None:
    """Call every function that reads a state without changing it."""
    game = codec.game
    seat_count = game.seat_count(state)
    for seat in range(NATURE, seat_count):
        for move in game.legal_moves(state, seat):
            assert game.parse(game.notation(move)) == move
            codec.write_move(move)
    assert len(game.weights(state)) == len(game.legal_moves(state, NATURE))
    game.score(state)
    assert all(isfinite(game.evaluate(state, seat)) for seat in range(seat_count))
    for observer in (SPECTATOR, *range(seat_count)):
        copied = game.determinize(state, observer, random)
        check_round_trip(codec, copied)
        assert codec.write_view(game.view(copied, observer)) == codec.write_view(game.view(state, observer))
        if observer != SPECTATOR:
            assert game.legal_moves(copied, observer) == game.legal_moves(state, observer)


def play_at_random(codec: AnyCodec, state: State, random: Random) -> None:
    """To the end; nature is moved by hand, so that every state on the way may be seen."""
    match = Match(codec.game, state, None)
    for number in range(MAX_STEPS):
        if number < CHECKED_STEPS or random.randrange(CHECKED_ONE_IN) == 0:
            check_round_trip(codec, match.state)
        phase = match.phase()
        if isinstance(phase, Over):
            return
        seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
        match.play(seat, random.choice(match.legal_moves(seat)))
    raise TimeLimitExceeded(f"over {MAX_STEPS} moves")


def play_by_default(codec: AnyCodec, state: State, random: Random) -> None:
    """To the end by the moves of seats whose time is up; now and then a player leaves."""
    match = Match(codec.game, state, Luck(random.randbytes(32), []))
    if isinstance(match.phase(), Chance):
        match.begin()
    for number in range(MAX_STEPS):
        if number < CHECKED_STEPS or random.randrange(CHECKED_ONE_IN) == 0:
            check_round_trip(codec, match.state)
        if match.is_over():
            return
        staying = [seat for seat in range(len(match.last_moved)) if not match.game.has_left(match.state, seat)]
        if random.random() < 0.02:
            match.leave(random.choice(staying))
            continue
        if random.random() < 0.005:
            match.play_time_up()
            continue
        seat = match.to_move()[0]
        match.play(seat, match.game.default_move(match.state, seat))
    raise TimeLimitExceeded(f"over {MAX_STEPS} moves")


def leave_at_once(codec: AnyCodec, state: State, random: Random) -> None:
    """Players may leave any state, one after the other, before nature draws or after it."""
    luck = Luck(random.randbytes(32), []) if random.random() < 0.5 else None
    match = Match(codec.game, state, luck)
    seats = [seat for seat in range(len(match.last_moved)) if not match.game.has_left(match.state, seat)]
    random.shuffle(seats)
    for seat in seats:
        try:
            match.leave(seat)
        except MatchOver:
            return
        check_round_trip(codec, match.state)


def find_fault(codec: AnyCodec, message: Message, seed: int) -> tuple[bool, str]:
    """Whether the state is accepted, and what goes wrong with it; nothing, if it is as it must be."""
    random = Random(seed)
    started = process_time()
    is_accepted = False
    try:
        with processor_time_limit(CPU_SECONDS):
            state = decode_accepted(codec, message)
            is_accepted = True
            game = codec.game
            check_queries(codec, state, random)
            play_at_random(codec, game.copy(state), random)
            play_by_default(codec, game.copy(state), random)
            leave_at_once(codec, game.copy(state), random)
    except Exception as error:
        if not is_accepted and isinstance(error, (InconsistentState, InvalidRequest, UnknownRules)):
            return False, ""
        return is_accepted, f"{_project_functions(error)}: {error!r}"
    if process_time() - started > CPU_SECONDS:
        return True, f"{process_time() - started:.1f} s of processor time"
    return True, ""


def _project_functions(error: Exception) -> str:
    """The functions of the project in which an exception was raised, innermost last."""
    names = []
    trace = error.__traceback__
    while trace is not None:
        names.append(f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join(names)


def find_faults(codec: AnyCodec, seed: int, count: int) -> tuple[int, list[str]]:
    """How many of so many states are accepted, and what goes wrong with them."""
    mutants = Mutants(codec, seed)
    found = []
    accepted_count = 0
    for number in range(count):
        message = mutants.next()
        for _ in range(REPAIR_ATTEMPTS if number % 2 else 0):
            if not (field := refused_field(codec, message)):
                break
            mutants.repair(message, field)
        is_accepted, wrong = find_fault(codec, message, number)
        accepted_count += is_accepted
        if wrong:
            found.append(f"{wrong}\n{MessageToJson(message, indent=None)}")
        elif is_accepted:
            mutants.add_source(message)
    return accepted_count, found


@pytest.mark.parametrize("name", CODECS)
def test_fault09_every_state_reached_by_play_is_accepted(name: str) -> None:
    codec = CODECS[name]
    for seed in range(max(1, MUTANT_COUNT // (20 * BATCH_SIZE))):
        for message in Mutants(codec, FIRST_SEED + seed).sources:
            decode_accepted(codec, message)


@pytest.mark.parametrize("name", CODECS)
def test_fault01_and_fault09_every_accepted_state_is_played_to_its_end_and_accepted_again(name: str) -> None:
    codec = CODECS[name]
    accepted_count = 0
    for batch in range(-(-MUTANT_COUNT // BATCH_SIZE)):
        count = min(BATCH_SIZE, MUTANT_COUNT - BATCH_SIZE * batch)
        accepted_now, wrong = find_faults(codec, FIRST_SEED + batch, count)
        accepted_count += accepted_now
        assert not wrong, "\n\n".join([f"{len(wrong)} of {count} (batch {FIRST_SEED + batch})", *wrong[:3]])
    print(f"\n{name}: {accepted_count} of {MUTANT_COUNT} changed states are accepted")
    assert accepted_count > MUTANT_COUNT // 50
