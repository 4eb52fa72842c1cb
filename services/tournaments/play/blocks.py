"""Plays the matches of one block in this process; deterministic for our own bots.

It needs no network, store or clock, so the result is the same in every worker.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from engine_core.game import Move
from engine_core.games import AnyGame, game_of_version
from engine_core.match import AnyMatch
from services.tournaments.plan.openings import begin_match
from services.tournaments.plan.plan import Block, Spec, block_secret, bot_random, entrants_by_seat, opening_of
from services.tournaments.results.results import FORFEIT_NOTATION, BlockResult, MatchResult

MOVE_LIMIT: Final = 20_000
"""Moves, nature's included, after which a match ends with its current score: many times what any game takes."""
MOVE_LIMIT_REASON: Final = "move_limit"


Chooser = Callable[[AnyMatch, int], Move]
"""Chooses the move of a seat in a match. If it raises an exception, the seat forfeits the match."""
ChooserOf = Callable[[Spec, Block, int, int, int], Chooser]
"""Makes a chooser from a plan, a block, the number of the match in the block, the seat, and its entrant's number."""


def never_cancel() -> None:
    """The default `check`: never raises, so play is never interrupted."""


def local_chooser(
    spec: Spec, block: Block, number: int, seat: int, entrant: int, check: Callable[[], None] = never_cancel
) -> Chooser:
    """The chooser of one of our bots, which runs in this process.

    `check` is called before the match, and many times a second by bots that search; `Cancelled` from it ends the match.
    """
    check()  # not before each move: that took 2 % of the time of random bots
    bot = bot_named(spec.bots[entrant])
    random = bot_random(spec, block.index, number, seat)

    def choose(match: AnyMatch, seat: int) -> Move:
        move: Move = bot.choose(Observation(match.game, match.state, seat, check), random)
        return move

    return choose


def play_block(
    spec: Spec, block: Block, move_limit: int = MOVE_LIMIT, chooser: ChooserOf = local_chooser
) -> BlockResult:
    """Play a block: one match for each rotation of the seats, all on the block's seed.

    So each entrant plays once from every seat under the same chance events.
    """
    matches = [_play_match(spec, block, number, move_limit, chooser) for number in range(spec.table_size)]
    return BlockResult(block.index, tuple(matches))


def _play_match(spec: Spec, block: Block, number: int, move_limit: int, chooser: ChooserOf) -> MatchResult:
    entrants = entrants_by_seat(spec, block, number)
    game = game_of_version(spec.rules_version)
    secret, opening = block_secret(spec, block.index), opening_of(spec, block.index)
    match, _ = begin_match(opening, game, spec.table_size, spec.game_options, secret)
    choosers = [chooser(spec, block, number, seat, entrant) for seat, entrant in enumerate(entrants)]
    forfeits, notations = _play_to_end(match, choosers, move_limit)
    return _result(match, entrants, forfeits, notations)


def _play_to_end(match: AnyMatch, choosers: list[Chooser], move_limit: int) -> tuple[list[int], list[str]]:
    """Play to the end or to the move limit; returns the seats that forfeited and the notations of all choices."""
    forfeits: list[int] = []
    notations: list[str] = []
    while match.revision < move_limit and (to_move := match.to_move()):
        seat = to_move[0]
        notation = _choose(match, seat, choosers[seat])
        if notation == FORFEIT_NOTATION:
            match.leave(seat)
            forfeits.append(seat)
        notations.append(notation)
    return forfeits, notations


def _choose(match: AnyMatch, seat: int, chooser: Chooser) -> str:
    """Let a bot make a move. Returns its notation, or that of a forfeit if the bot fails or the move is illegal."""
    try:
        move = chooser(match, seat)
    except MemoryError:
        raise  # the machine lacks memory, which is not the bot's fault: another worker may succeed
    except Exception:
        return FORFEIT_NOTATION
    try:
        match.play(seat, move)
    except Exception:
        if move in match.legal_moves(seat):
            raise  # the move is legal, so this is an error of the rules, not of the bot
        return FORFEIT_NOTATION
    return _notation(match.game, move)


@lru_cache(maxsize=4096)
def _notation(game: AnyGame, move: Move) -> str:
    # Cached: written for each move, they took 41 us of the 950 us of a match of random bots (Fire Bulls, compiled).
    return game.notation(move)


def _result(match: AnyMatch, entrants: tuple[int, ...], forfeits: list[int], notations: list[str]) -> MatchResult:
    score = match.game.score(match.state)
    return MatchResult(
        entrants,
        tuple([standing.points for standing in score.standings]),
        tuple([standing.rank for standing in score.standings]),
        score.reason or MOVE_LIMIT_REASON,
        match.revision,
        tuple(forfeits),
        tuple(notations),
    )
