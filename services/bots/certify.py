"""Certification of a remote or imported bot: plays matches against random moves, and reports its failures."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random

from engine_core.chance import Luck
from engine_core.game import Move
from engine_core.match import AnyMatch, Match
from services.bots.imported.bots import ImportedBots
from services.bots.remote.bot import RemoteBot
from services.bots.remote.bot_call import BotCall
from services.bots.remote.failure import BotFailed
from services.engine.codecs import AnyCodec
from services.engine.responses import StoredFacts

ChooseMove = Callable[[AnyCodec, AnyMatch, int, str, float], Awaitable[Move]]
"""The move of a bot, from codec, match, seat, name of the match and time limit in seconds. Raises `BotFailed`."""


def remote_choice(bot: RemoteBot) -> ChooseMove:
    """The moves of a remote bot."""

    async def choose(codec: AnyCodec, match: AnyMatch, seat: int, name: str, seconds: float) -> Move:
        move: Move = await bot.choose(BotCall(codec, match, seat, StoredFacts(name)), seconds)
        return move

    return choose


def imported_choice(bots: ImportedBots, bot: str, random: Random) -> ChooseMove:
    """The moves of an imported bot."""

    async def choose(codec: AnyCodec, match: AnyMatch, seat: int, name: str, seconds: float) -> Move:
        return await asyncio.to_thread(bots.choose, bot, codec.game, match.state, seat, random, seconds)

    return choose


@dataclass
class CheckReport:
    """The counts, failures and response times (in seconds) of a bot in its matches."""

    matches: int = 0
    moves: int = 0
    forfeits: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    """Detail of the first failure of each kind."""
    seconds: list[float] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether the bot was called at least once and never failed."""
        return self.moves > 0 and not self.failures

    def quantile(self, share: float) -> float:
        """Quantile of the response times in milliseconds; 0 without any."""
        ordered = sorted(self.seconds)
        return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1) if ordered else 0.0

    def add_failure(self, failure: BotFailed) -> None:
        """Record a failure."""
        self.failures[failure.kind] += 1
        self.details.setdefault(failure.kind, failure.detail)


@dataclass(frozen=True)
class CheckOptions:
    """Options of a check: matches, time limit, failures after which a match is forfeited, and random seed."""

    matches: int = 2
    move_seconds: float = 5.0
    failures: int = 3
    seed: int = 1


async def check(bot: ChooseMove, codec: AnyCodec, check_options: CheckOptions) -> CheckReport:
    """Let a bot play matches of a game against random moves, from each seat in turn."""
    report = CheckReport()
    for number in range(check_options.matches):
        await _play(bot, codec, number, check_options, report)
        report.matches += 1
    return report


async def _play(
    bot: ChooseMove, codec: AnyCodec, number: int, check_options: CheckOptions, report: CheckReport
) -> None:
    random = Random(check_options.seed + number)
    seat_count = codec.game.min_seats
    options = [*codec.game.presets().values()]
    luck = Luck(random.randbytes(32), [])
    match: AnyMatch = Match(codec.game, codec.game.start(seat_count, options[number % len(options)]), luck)
    match.begin()
    own, before = number % seat_count, report.failures.total()
    while to_move := match.to_move():
        seat = own if own in to_move else to_move[0]
        if seat != own:
            match.play(seat, random.choice(match.legal_moves(seat)))
            continue
        await _call_bot(bot, codec, match, own, f"check-{number}", check_options, report)
        if report.failures.total() - before >= check_options.failures:
            report.forfeits += 1
            return


async def _call_bot(
    bot: ChooseMove,
    codec: AnyCodec,
    match: AnyMatch,
    seat: int,
    name: str,
    check_options: CheckOptions,
    report: CheckReport,
) -> None:
    """Call the bot and make its move, or the default move if it fails."""
    began = time.monotonic()
    try:
        move = await bot(codec, match, seat, name, check_options.move_seconds)
        report.seconds.append(time.monotonic() - began)
    except BotFailed as failure:
        report.add_failure(failure)
        move = codec.game.default_move(match.state, seat)
    report.moves += 1
    match.play(seat, move)
