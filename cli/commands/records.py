"""Command `fireside records`: streams the records of finished matches, as NDJSON or as a Parquet file."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import closing
from datetime import date
from itertools import chain, islice
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from cli.records.archive import archive_matches, of_days, of_player
from cli.records.files import file_matches
from cli.records.ledger import tournament_matches
from cli.records.sample import ENTRANTS, sample_matches
from cli.records.source import Source, matches_after
from cli.records.store import store_matches
from cli.records.writers import check_output, open_output
from cli.translation import gettext, grouped
from engine_core.games import canonical_name, game_named
from runtime.redis_url import validated_url
from runtime.texts import MAX_DETAIL_LENGTH, shortened
from services.archive.settings import open_archive
from services.grpc_server.errors import ServiceError, UnknownRules
from services.tournaments.ledger.ledger import LedgerError
from services.tournaments.ledger.open import open_ledger
from services.tournaments.plan.plan import Spec
from services.tournaments.settings import TournamentSettings

SAMPLE_SIZE: Final = 1000
ALL_DAYS: Final = date.min, date.max
EXIT_BROKEN_PIPE: Final = 141
"""Exit code of a program that SIGPIPE ends, as shells report it."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the sources, with their options."""
    sources = parser.add_subparsers(dest="source", required=True, metavar=gettext("SOURCE"))
    store = sources.add_parser("store", help=gettext("finished matches of the store at REDIS_URL that are listed"))
    archive = sources.add_parser("archive", help=gettext("finished matches of the archive at FIRESIDE_ARCHIVE"))
    archive.add_argument(
        "--day",
        type=_days,
        default=ALL_DAYS,
        metavar=gettext("DAY"),
        help=gettext(
            "only matches that ended on this day in UTC, as 2026-12-01, or on these days, as 2026-12-01..2026-12-31"
        ),
    )
    archive.add_argument("--player", help=gettext("only matches of the player of this id; needs --platform"))
    archive.add_argument("--platform", help=gettext("name of the API key that vouches for the player"))
    for source in (store, archive):
        source.add_argument(
            "--all", action="store_true", help=gettext("also those that are not in the public list, private ones too")
        )
    tournament = sources.add_parser("tournament", help=gettext("matches of a tournament"))
    tournament.add_argument("id", help=gettext("the tournament"))
    tournament.add_argument("--ledger", type=Path, help=gettext("SQLite file of the ledger, instead of REDIS_URL"))
    files = sources.add_parser("files", help=gettext("files of records, as JSON or NDJSON, and folders of them"))
    files.add_argument("paths", nargs="+", type=Path, metavar=gettext("FILE"), help=gettext("a file or a folder"))
    sample = sources.add_parser("sample", help=gettext("matches between bots, played now; the same for the same seed"))
    sample.add_argument("--matches", type=int, default=SAMPLE_SIZE, help=gettext("number of matches (default 1000)"))
    sample.add_argument("--seats", type=int, help=gettext("seats of a table; the minimum by default"))
    sample.add_argument("--options", help=gettext("name of a preset of the game's options; the first by default"))
    sample.add_argument("--seed", type=int, default=0, help=gettext("seed of all randomness (default 0)"))
    for source in (store, archive, tournament, files):
        source.add_argument("--game", type=canonical_name, help=gettext("only matches of this game"))
    sample.add_argument("--game", type=canonical_name, required=True, help=gettext("the game"))
    for source in (archive, tournament, files):
        source.add_argument("--after", metavar=gettext("MATCH"), help=gettext("begin after the match of this id"))
    for source in (store, archive, tournament, files, sample):
        source.add_argument(
            "--out",
            type=Path,
            metavar=gettext("FILE"),
            help=gettext("a name that ends in .ndjson, .ndjson.zst or .parquet; NDJSON to standard output by default"),
        )


def run(arguments: Namespace) -> int:
    """Write the records. Returns the exit code: 2 if the source cannot be read."""
    if arguments.out:
        check_output(arguments.out)
    sources: dict[str, Callable[[Namespace], Source]] = {
        "store": _store, "archive": _archive, "tournament": _tournament, "files": _files, "sample": _sample
    }  # fmt: skip
    try:
        _write(_selected(arguments, sources[arguments.source](arguments)), arguments.out)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python reports it again at its end
        return EXIT_BROKEN_PIPE
    except (ServiceError, LedgerError) as error:
        print(f"fireside: {shortened(str(error), MAX_DETAIL_LENGTH)}", file=sys.stderr)
        return 2
    return 0


def _store(arguments: Namespace) -> Source:
    url = validated_url(os.environ.get("REDIS_URL", ""))
    if not url:
        raise ValueError("REDIS_URL: " + gettext("it must name the store of the service"))
    return store_matches(url, arguments.all)


def _archive(arguments: Namespace) -> Source:
    if bool(arguments.player) != bool(arguments.platform):
        raise ValueError("--player: " + gettext("it needs --platform, and the other way round"))
    archive = open_archive(os.environ.get("FIRESIDE_ARCHIVE", ""))
    if archive is None:
        raise ValueError("FIRESIDE_ARCHIVE: " + gettext("it must name the archive of the service"))
    first, last = arguments.day
    if arguments.player:
        selection = of_player(arguments.platform, arguments.player, first, last)
    else:
        selection = of_days(first, last, arguments.game)
    return archive_matches(archive, selection, arguments.all)


def _days(text: str) -> tuple[date, date]:
    """The first and the last of the days that a text names. Raises `ValueError`."""
    first, _, last = text.partition("..")
    return date.fromisoformat(first), date.fromisoformat(last or first)


def _tournament(arguments: Namespace) -> Source:
    settings = TournamentSettings.from_environment(os.environ)
    if arguments.ledger and not arguments.ledger.exists():
        raise ValueError("--ledger: " + gettext("there is no file {path}", path=arguments.ledger))
    url = "" if arguments.ledger else settings.redis_url
    with closing(open_ledger(url, arguments.ledger or settings.ledger_file)) as ledger:
        yield from tournament_matches(ledger, ledger.tournament(arguments.id))


def _files(arguments: Namespace) -> Source:
    return file_matches(arguments.paths)


def _sample(arguments: Namespace) -> Source:
    if arguments.matches < 1:
        raise ValueError("--matches: " + gettext("at least 1, not {number}", number=arguments.matches))
    seats = game_named(arguments.game).min_seats if arguments.seats is None else arguments.seats
    spec = Spec(arguments.game, ENTRANTS, seats, arguments.options or "", seed=arguments.seed)
    return sample_matches(spec, arguments.matches)


def _selected(arguments: Namespace, source: Source) -> Source:
    """The matches of a source that the options ask for."""
    if getattr(arguments, "after", None):
        source = matches_after(source, arguments.after)
    return (match for match in source if arguments.game in (None, match.game))


def _reason(error: ServiceError) -> str:
    if isinstance(error, UnknownRules):
        return gettext("this version does not know the rules {version}", version=error.rules_version)
    return str(error)


def _write(source: Source, path: Path | None) -> None:
    """Write the records of all matches; those that have none are named on standard error."""
    first = list(islice(source, 1))  # a source that cannot be read is reported before a file is made
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    columns = SpinnerColumn(), TextColumn("{task.completed:,}"), TimeElapsedColumn()
    written = left_out = 0
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        open_output(path) as output,
    ):
        task = progress.add_task("", total=None)
        for match in chain(first, source):
            try:
                record = match.read()
            except ServiceError as error:
                left_out += 1
                text = gettext("match {id} is left out: {error}", id=match.match_id, error=_reason(error))
                console.print(text, markup=False)
                continue
            output.write(record, match.created_ms)
            written += 1
            progress.advance(task)
    text = gettext(
        "Records written: {written}; matches left out: {left_out}", written=grouped(written), left_out=grouped(left_out)
    )
    console.print(text, markup=False)
