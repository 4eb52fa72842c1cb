"""Laws for every bot in every game: whole matches, secrecy, evaluation, and the same choice from equal generators."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import pytest

from engine_core.bots import BOTS, BotKind, UnknownBot, bot_named, evaluator_named
from engine_core.bots.bot import AnyObservation, EvaluatedMove, run
from engine_core.bots.observation import Observation
from engine_core.bots.position_values import are_absent_seats_to_move, play_to_next_choice, position_values
from engine_core.chance import Luck
from engine_core.explore import playout, random_step
from engine_core.game import Move, Over, State
from engine_core.games import GAMES, AnyGame
from engine_core.match import AnyMatch, Match
from tests.conformance.plain import plain

BOT_NAMES = ("random", "greedy:samples=2", "mcts:iterations=6,depth=4")
SECRET_SEED = bytes(range(32))
NAMES_AND_SEAT_COUNTS = [
    (name, seats) for name, game in GAMES.items() for seats in range(game.min_seats, game.max_seats + 1)
]


def start_match(game: AnyGame, seat_count: int, seed: int) -> AnyMatch:
    options = next(iter(game.presets().values()))
    match: AnyMatch = Match(game, game.start(seat_count, options), Luck(SECRET_SEED, [str(seed)]))
    match.begin()
    return match


@pytest.mark.parametrize(("name", "seat_count"), NAMES_AND_SEAT_COUNTS)
def test_bots_play_whole_matches(name: str, seat_count: int) -> None:
    game = GAMES[name]
    match = start_match(game, seat_count, 1)
    bots = [bot_named(BOT_NAMES[seat % len(BOT_NAMES)]) for seat in range(seat_count)]
    random = Random(seat_count)
    while match.to_move():
        seat = match.to_move()[0]
        match.play(seat, bots[seat].choose(Observation(game, match.state, seat), random))
    assert match.is_over()


@pytest.mark.parametrize("bot", BOT_NAMES)
@pytest.mark.parametrize("name", GAMES)
def test_hidden_information_does_not_change_the_choice_of_a_seat(name: str, bot: str) -> None:
    """A bot gets one of two states that look the same to it; equal generators let it choose the same."""
    game = GAMES[name]
    match = start_match(game, game.max_seats, 2)
    random = Random(5)
    differing = 0
    for number in range(300):
        if match.is_over():
            break
        seat = match.to_move()[-1]
        other = game.determinize(match.state, seat, random)
        differing += plain(other) != plain(match.state)
        if number % 30 == 0:
            chosen = [
                bot_named(bot).choose(Observation(game, state, seat), Random(number)) for state in (match.state, other)
            ]
            assert chosen[0] == chosen[1]
        match.play(seat, random.choice(match.legal_moves(seat)))
    assert differing


def evaluated(game: AnyGame, state: State, seat: int, bot: str, seed: int) -> list[EvaluatedMove]:
    return run(evaluator_named(bot).evaluate(Observation(game, state, seat), Random(seed)))


@pytest.mark.parametrize("bot", BOT_NAMES[1:])
@pytest.mark.parametrize("name", GAMES)
def test_hidden_information_does_not_change_the_values_of_moves(name: str, bot: str) -> None:
    """Two states that look the same to a seat give it the same values, and the best move is the one of the bot."""
    game = GAMES[name]
    match = start_match(game, game.max_seats, 8)
    random = Random(7)
    differing = 0
    for number in range(300):
        if match.is_over():
            break
        seat = match.to_move()[-1]
        legal = match.legal_moves(seat)
        if number % 30 == 0:
            others = [game.determinize(match.state, seat, random) for _ in range(10)]
            other = max(others, key=lambda each: plain(each) != plain(match.state))  # one that differs, if one does
            differing += plain(other) != plain(match.state)
            values = evaluated(game, match.state, seat, bot, number)
            assert evaluated(game, other, seat, bot, number) == values
            assert [each.move for each in values] == legal
            assert all(0 <= each.value <= 1 and each.visits > 0 for each in values)
            [best] = [each.move for each in values if each.is_best]
            assert len(legal) == 1 or best == bot_named(bot).choose(
                Observation(game, match.state, seat), Random(number)
            )
        match.play(seat, random.choice(legal))
    assert differing


def test_a_bot_that_values_no_moves_is_no_evaluator() -> None:
    with pytest.raises(UnknownBot):
        evaluator_named("random")


@pytest.mark.parametrize("bot", BOT_NAMES)
@pytest.mark.parametrize("name", GAMES)
def test_choosing_a_move_does_not_change_the_match(name: str, bot: str) -> None:
    game = GAMES[name]
    match = start_match(game, game.min_seats, 3)
    random = Random(1)
    for _ in range(12):
        if match.is_over():
            break
        seat = match.to_move()[0]
        before = plain(match.state)
        bot_named(bot).choose(Observation(game, match.state, seat), random)
        assert plain(match.state) == before
        match.play(seat, random.choice(match.legal_moves(seat)))


@pytest.mark.parametrize("name", GAMES)
def test_positions_can_be_evaluated_for_every_seat(name: str) -> None:
    game = GAMES[name]
    match = start_match(game, game.max_seats, 4)
    random = Random(2)
    for _ in range(2000):
        values = position_values(game, match.state)
        assert sum(values) == pytest.approx(game.max_seats / 2)
        assert all(0 <= value <= 1 for value in values)
        if not random_step(game, match.state, random):
            break
    phase = game.phase(match.state)
    assert isinstance(phase, Over)
    ranks = [standing.rank for standing in game.score(match.state).standings]
    assert values[ranks.index(1)] == max(values)
    assert values[ranks.index(max(ranks))] == min(values)


@pytest.mark.parametrize(("name", "seat_count"), NAMES_AND_SEAT_COUNTS)
def test_the_evaluation_of_a_finished_match_agrees_with_its_points(name: str, seat_count: int) -> None:
    game = GAMES[name]
    match = start_match(game, seat_count, 5)
    playout(game, match.state, Random(seat_count))
    values = [game.evaluate(match.state, seat) for seat in range(seat_count)]
    points = [standing.points for standing in game.score(match.state).standings]
    assert sorted(range(seat_count), key=values.__getitem__) == sorted(range(seat_count), key=points.__getitem__)


@pytest.mark.parametrize(("name", "seat_count"), [case for case in NAMES_AND_SEAT_COUNTS if case[1] > 2])
def test_fault20_absent_seats_choose_nothing_in_a_search(name: str, seat_count: int) -> None:
    """What they do is looked beyond, like a draw; bots play on where somebody has left."""
    game = GAMES[name]
    match = start_match(game, seat_count, 7)
    random = Random(seat_count)
    for _ in range(10):
        match.play(match.to_move()[0], random.choice(match.legal_moves(match.to_move()[0])))
    match.leave(seat_count - 1)
    left_at = match.revision
    bots = [bot_named(BOT_NAMES[seat % len(BOT_NAMES)]) for seat in range(seat_count)]
    for _ in range(60):
        if match.is_over():
            break
        seat = match.to_move()[0]
        move = bots[seat].choose(Observation(game, match.state, seat), random)
        following = game.next_state(match.state, seat, move)
        play_to_next_choice(game, following, match.to_move(), random)
        assert not are_absent_seats_to_move(game, following, game.phase(following))
        match.play(seat, move)
    assert match.is_over() or match.last_moved[seat_count - 1] > left_at


class LastMoveBot:
    """A bot as others write them: takes the last of its moves."""

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        moves: list[Move] = observation.legal_moves()
        return moves[-1]


def test_a_custom_bot_is_registered_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "patient", BotKind(LastMoveBot))
    for game in GAMES.values():
        match = start_match(game, game.min_seats, 6)
        seat = match.to_move()[0]
        move = bot_named("patient").choose(Observation(game, match.state, seat), Random(1))
        assert move == match.legal_moves(seat)[-1]


REGISTRATION_MODULES = [module for module in sys.modules if module.endswith(".registration")]
"""What adds games to the table in this process."""
CHOICE_PROGRAM = """
import json
import sys
from importlib import import_module
from random import Random
from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from engine_core.chance import Luck
from engine_core.games import GAMES
from engine_core.match import Match

for module in sys.argv[1:]:
    import_module(module)
made = {}
for name, game in GAMES.items():
    match = Match(game, game.start(game.min_seats, next(iter(game.presets().values()))), Luck(bytes(range(32)), []))
    match.begin()
    random = Random(9)
    for number in range(20):
        if match.is_over():
            break
        seat = match.to_move()[0]
        bot = bot_named(("greedy", "mcts:iterations=8")[number % 2])
        move = bot.choose(Observation(game, match.state, seat), random)
        made.setdefault(name, []).append(game.notation(move))
        match.play(seat, move)
print(json.dumps(made))
"""


def test_a_bot_chooses_the_same_from_equal_generators_in_every_process() -> None:
    outputs = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", CHOICE_PROGRAM, *REGISTRATION_MODULES],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(path for path in sys.path if path)},
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        outputs.add(run.stdout)
    [only] = outputs
    assert set(json.loads(only)) == set(GAMES)
