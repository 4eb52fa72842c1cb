"""Command `fireside bot check BOT`: lets a third-party or imported bot play test matches, and reports its failures."""

from __future__ import annotations

import asyncio
import json
import os
from argparse import ArgumentParser, Namespace
from random import Random
from typing import Final

from cli.bots import imported_bots
from cli.translation import gettext
from engine_core.games import canonical_name
from services.bots.certify import CheckOptions, CheckReport, check, imported_choice, remote_choice
from services.bots.environment import bot_memory
from services.bots.imported.bots import ImportedBotLimits
from services.bots.imported.names import is_imported
from services.bots.remote.allowed import bot_address
from services.bots.remote.guard import resolve
from services.bots.remote.remote_bots import remote_bot
from services.engine.codecs import CODECS, codec_named

MAX_SECONDS: Final = 24 * 60 * 60


def add_arguments(parser: ArgumentParser) -> None:
    """Add the action `check`, with its options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar=gettext("ACTION"))
    checking = actions.add_parser("check", help=gettext("let a bot play some matches, and report its faults"))
    checking.add_argument(
        "bot", help=gettext("grpc:host:port, http://…, https://…, or a Python class as file.py:Class")
    )
    checking.add_argument(
        "--game",
        type=canonical_name,
        action="append",
        default=[],
        help=gettext("a game to play (repeatable); all by default"),
    )
    checking.add_argument("--matches", type=int, default=CheckOptions.matches, help=gettext("matches of each game"))
    checking.add_argument(
        "--seconds", type=float, default=CheckOptions.move_seconds, help=gettext("time limit of a move, in seconds")
    )
    checking.add_argument("--json", action="store_true", help=gettext("report as JSON"))


def run(arguments: Namespace) -> int:
    """Check the bot, and print a report. Returns the exit code: 0 if the bot passed, else 1."""
    if arguments.matches < 1:
        raise ValueError("--matches: " + gettext("at least 1, not {number}", number=arguments.matches))
    if not 0 < arguments.seconds <= MAX_SECONDS:
        limits = {"most": MAX_SECONDS, "number": f"{arguments.seconds:g}"}
        raise ValueError("--seconds: " + gettext("above 0, and at most {most}, not {number}", **limits))
    reports = asyncio.run(_check_games(arguments))
    passed = all(report.passed for report in reports.values())
    if arguments.json:
        games = {game: _report_json(report) for game, report in reports.items()}
        print(json.dumps({"passed": passed, "games": games}, indent=2))
    else:
        for game, report in reports.items():
            _print_report(game, report)
        print(gettext("passed") if passed else gettext("FAILED"))
    return 0 if passed else 1


async def _check_games(arguments: Namespace) -> dict[str, CheckReport]:
    games = [codec_named(name) for name in arguments.game] or [*CODECS.values()]
    options = CheckOptions(arguments.matches, arguments.seconds)
    if is_imported(arguments.bot):
        with imported_bots([arguments.bot], ImportedBotLimits(arguments.seconds, bot_memory(os.environ))) as bots:
            choice = imported_choice(bots, arguments.bot, Random(options.seed))
            return {codec.game.name: await check(choice, codec, options) for codec in games}
    bot = remote_bot(bot_address(arguments.bot), resolve=resolve)  # the user's own choice, so it may be private
    try:
        return {codec.game.name: await check(remote_choice(bot), codec, options) for codec in games}
    finally:
        await bot.close()


def _report_json(report: CheckReport) -> dict[str, object]:
    return {
        "passed": report.passed,
        "matches": report.matches,
        "moves": report.moves,
        "forfeits": report.forfeits,
        "failures": dict(report.failures),
        "details": report.details,
        "milliseconds": {"p50": report.quantile(0.5), "p95": report.quantile(0.95), "max": report.quantile(1)},
    }


def _print_report(game: str, report: CheckReport) -> None:
    quantiles = {"p50": report.quantile(0.5), "p95": report.quantile(0.95), "max": report.quantile(1)}
    times = gettext("p50 {p50} ms, p95 {p95} ms, max {max} ms", **quantiles)
    numbers = {"matches": report.matches, "moves": report.moves, "forfeits": report.forfeits}
    print(f"{game}: {gettext('{matches} matches, {moves} moves, {forfeits} forfeits', **numbers)}; {times}")
    for kind, count in report.failures.items():
        print("  " + gettext("{count} {kind}, first: {detail}", count=count, kind=kind, detail=report.details[kind]))
