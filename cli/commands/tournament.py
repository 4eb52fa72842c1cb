"""Command `fireside tournament`: runs, lists, shows and deletes tournaments of bots in a ledger."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from cli.arguments import check_folder, check_writable
from cli.bots import check_imported_bots
from cli.commands.services.tournaments import workers
from cli.commands.tournament_plan import add_plan_arguments, check_same_plan, plan_of
from cli.reports.files import write_csv, write_json
from cli.reports.outcome import Outcome, outcome
from cli.reports.progress_display import ProgressDisplay
from cli.reports.ratings_plot import write_ratings_plot
from cli.reports.records import record_of_match, write_picture, write_records
from cli.reports.tables import MAX_PAIRS, pairs, sprt_line, standings
from cli.translation import gettext, grouped
from runtime.texts import MAX_DETAIL_LENGTH, shortened
from services.bots.imported.names import is_imported
from services.bots.remote.allowed import is_remote
from services.tournaments.ledger.ledger import Ledger, LedgerError, Status, Tournament, UnknownTournament
from services.tournaments.ledger.open import open_ledger
from services.tournaments.plan.formats import check_size, planned_blocks
from services.tournaments.plan.plan import (
    InvalidSpec,
    Plan,
    UnknownPlan,
    check_remote_bots,
)
from services.tournaments.play.remote_bots import RemotePlayers
from services.tournaments.play.worker import play_in_worker
from services.tournaments.play.worker_pool import ChunkFailed, Stopped, WorkerPool
from services.tournaments.progress import read_progress
from services.tournaments.replays import ReplaySampler
from services.tournaments.runner import Coordinator
from services.tournaments.settings import TournamentSettings

MAX_LISTED = 50
EXIT_INTERRUPTED = 130
"""Exit code of a tournament that was stopped and can be resumed."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the actions `run`, `list`, `show`, `record` and `delete`, with their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar=gettext("ACTION"))
    _add_run(actions.add_parser("run", help=gettext("run a tournament, or resume one")))
    _add_ledger(actions.add_parser("list", help=gettext("list the tournaments of the ledger, newest first")))
    delete = actions.add_parser("delete", help=gettext("delete a tournament that is not running, with all its results"))
    delete.add_argument("id", help=gettext("the tournament"))
    _add_ledger(delete)
    record = actions.add_parser("record", help=gettext("print the record of a match, for `fireside replay`"))
    record.add_argument("id", help=gettext("the tournament"))
    record.add_argument("match", type=int, help=gettext("number of the match in the tournament, from 0"))
    _add_ledger(record)
    show = actions.add_parser("show", help=gettext("show the results of a tournament"))
    show.add_argument("id", help=gettext("the tournament"))
    _add_ledger(show)
    _add_files(show)


def _add_run(parser: ArgumentParser) -> None:
    add_plan_arguments(parser)
    parser.add_argument("--resume", metavar=gettext("ID"), help=gettext("resume a tournament of the ledger"))
    parser.add_argument("--workers", type=int, help=gettext("worker processes; one a processor by default"))
    _add_ledger(parser)
    _add_files(parser)


def _add_ledger(parser: ArgumentParser) -> None:
    parser.add_argument("--ledger", type=Path, help=gettext("SQLite file of the ledger, instead of REDIS_URL"))


def _add_files(parser: ArgumentParser) -> None:
    parser.add_argument("--json", type=Path, metavar=gettext("FILE"), help=gettext("write the report as JSON"))
    parser.add_argument("--csv", type=Path, metavar=gettext("FILE"), help=gettext("write the standings as CSV"))
    parser.add_argument(
        "--plot", type=Path, metavar=gettext("FILE"), help=gettext("write a plot of the ratings as SVG")
    )
    parser.add_argument(
        "--picture", type=Path, metavar=gettext("FILE"), help=gettext("write the last position of a match as SVG")
    )
    parser.add_argument(
        "--records", type=Path, metavar=gettext("FOLDER"), help=gettext("write a record of each match, to replay it")
    )


def run(arguments: Namespace) -> int:
    """Carry out the action. Returns the exit code: 2 for an error of the ledger or the workers."""
    settings = TournamentSettings.from_environment(os.environ)
    logging.basicConfig(level=settings.log_level, format="%(levelname)s: %(message)s", stream=sys.stderr)
    actions = {"run": _run, "list": _list, "show": _show, "record": _record, "delete": _delete}
    if arguments.ledger and not arguments.ledger.exists() and (arguments.action != "run" or arguments.resume):
        raise ValueError("--ledger: " + gettext("there is no file {path}", path=arguments.ledger))
    try:
        with _open_ledger(settings, arguments.ledger) as ledger:
            return actions[arguments.action](arguments, settings, ledger)
    except (LedgerError, ChunkFailed) as error:
        print(f"fireside: {shortened(str(error), MAX_DETAIL_LENGTH)}", file=sys.stderr)
        return 2


@contextmanager
def _open_ledger(settings: TournamentSettings, file: Path | None) -> Iterator[Ledger]:
    ledger = open_ledger("" if file else settings.redis_url, file or settings.ledger_file)
    try:
        yield ledger
    finally:
        ledger.close()


def _run(arguments: Namespace, settings: TournamentSettings, ledger: Ledger) -> int:
    processes = workers(arguments, settings)
    _check_files(arguments)
    console = Console()
    tournament_id = arguments.resume or _create(arguments, settings, ledger)
    tournament = ledger.tournament(tournament_id)
    if arguments.resume:
        check_same_plan(arguments, tournament)
    if tournament.status is Status.RUNNING:
        _check_playable(tournament, settings)
        if arguments.resume:
            _check_imported_bots(tournament.plan, settings)
    planned = planned_blocks(tournament.plan)
    summary = _plan_summary(tournament.plan, planned)
    console.print(gettext("Tournament {id}: {summary}", id=tournament_id, summary=summary), highlight=False)
    remote_bots = RemotePlayers(settings)
    play = partial(play_in_worker, limits=settings.imported_bots)
    pool = WorkerPool(processes, settings.scheduler_address, play, remote_bots.play)
    display = ProgressDisplay(console, tournament.plan, tournament.done, planned)
    imported = any(map(is_imported, tournament.plan.bots))  # they need not choose the same in another process
    sampler = ReplaySampler(0.0 if imported else settings.replay_share)
    coordinator = Coordinator(ledger, pool, display.update, settings.lease_seconds, settings.recorded_matches, sampler)
    try:
        with _stopped_by_signals(coordinator), display:
            pool.open()
            progress = coordinator.run(tournament_id)
    except Stopped:
        command = f"fireside tournament run --resume {tournament_id}{_ledger_option(arguments)}"
        console.print(gettext("Stopped. To resume: {command}", command=command))
        return EXIT_INTERRUPTED
    finally:
        pool.close()
        remote_bots.close()
    tournament = ledger.tournament(tournament_id)
    _print_wrong_workers(console, tournament)
    _print_report(console, arguments, outcome(tournament, progress))
    return _write_matches(console, arguments, ledger, tournament_id)


def _create(arguments: Namespace, settings: TournamentSettings, ledger: Ledger) -> str:
    spec = plan_of(arguments)
    check_size(spec)
    check_remote_bots(spec, settings.bot_allow)
    _check_imported_bots(spec, settings)
    tournament_id = secrets.token_hex(8)
    ledger.create(tournament_id, spec, time.time_ns() // 1_000_000)
    return tournament_id


def _check_playable(tournament: Tournament, settings: TournamentSettings) -> None:
    """Raise `ValueError` for a tournament whose rules, bots or addresses are unknown or not allowed here."""
    try:
        check_remote_bots(tournament.plan.playable(), settings.bot_allow)
    except InvalidSpec as error:
        raise ValueError(
            gettext("tournament {id} cannot be resumed here: {error}", id=tournament.id, error=error)
        ) from None


def _check_imported_bots(plan: Plan, settings: TournamentSettings) -> None:
    """Raise `ValueError` for an imported bot that cannot play here."""
    if not any(map(is_imported, plan.bots)):
        return
    if settings.scheduler_address:
        raise ValueError(
            gettext("bots of Python files play in processes of this machine only, without DASK_SCHEDULER_ADDRESS")
        )
    if any(map(is_remote, plan.bots)):
        raise ValueError(gettext("bots of Python files and bots at addresses cannot play in one tournament"))
    check_imported_bots([*dict.fromkeys(plan.bots)], settings.imported_bots)


def _plan_summary(plan: Plan, planned: int) -> str:
    return gettext(
        "{game}, {entrants} entrants, tables of {seats}, {format}, seed {seed}; {blocks} blocks, {matches} matches",
        game=plan.game,
        entrants=len(plan.entrants),
        seats=plan.table_size,
        format=plan.format,
        seed=plan.seed,
        blocks=grouped(planned),
        matches=grouped(planned * plan.table_size),
    )


def _check_files(arguments: Namespace) -> None:
    """Raise `ValueError` for output files that cannot be written."""
    for path in (arguments.json, arguments.csv, arguments.plot, arguments.picture):
        if path:
            check_writable(path)
    if arguments.records:
        check_folder(arguments.records)


def _ledger_option(arguments: Namespace) -> str:
    return f" --ledger {arguments.ledger}" if arguments.ledger else ""


@contextmanager
def _stopped_by_signals(coordinator: Coordinator) -> Iterator[None]:
    """Stop the coordinator at the first SIGINT or SIGTERM; the second raises `KeyboardInterrupt`."""

    def stop(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.default_int_handler)
        coordinator.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _print_wrong_workers(console: Console, tournament: Tournament) -> None:
    for wrong in tournament.wrong_workers:
        text = gettext(
            "Worker {worker} played block {block} of tournament {id} wrongly.",
            worker=wrong.name,
            block=wrong.block,
            id=wrong.tournament_id,
        )
        console.print(text, highlight=False, markup=False)
    if tournament.set_aside:
        count = grouped(tournament.set_aside)
        console.print(gettext("Results set aside, and their blocks played by others: {count}.", count=count))


def _print_report(console: Console, arguments: Namespace, found: Outcome) -> None:
    """Print standings and pairs, and write the requested files."""
    console.print(standings(found.report.standings, found.report.ratings, gettext("Standings")))
    if found.report.sprt:
        console.print(sprt_line(found.report.sprt), highlight=False)
    if len(found.plan.entrants) <= MAX_PAIRS:
        console.print(pairs(found))
    for path, write in ((arguments.json, write_json), (arguments.csv, write_csv), (arguments.plot, write_ratings_plot)):
        if path:
            write(found, path)


def _write_matches(console: Console, arguments: Namespace, ledger: Ledger, tournament_id: str) -> int:
    """Write the requested records and picture, which need the rules of the tournament."""
    tournament = ledger.tournament(tournament_id)
    if arguments.picture:
        write_picture(ledger, tournament, arguments.picture)
    if arguments.records:
        written = write_records(ledger, tournament, arguments.records)
        matches = tournament.done * tournament.plan.table_size
        text = gettext(
            "Records of {number} of {matches} matches are in {folder}, unsigned.",
            number=grouped(written),
            matches=grouped(matches),
            folder=arguments.records,
        )
        console.print(text, highlight=False, markup=False)
    return 0


def _list(arguments: Namespace, settings: TournamentSettings, ledger: Ledger) -> int:
    columns = [gettext("game"), gettext("entrants"), gettext("format"), gettext("blocks"), gettext("status")]
    table = Table(Column("id", no_wrap=True), *columns, box=SIMPLE)
    for tournament_id in ledger.ids(MAX_LISTED):
        try:
            found = ledger.tournament(tournament_id)
        except UnknownTournament:
            continue  # deleted since it was listed
        except UnknownPlan as error:
            table.add_row(tournament_id, "", "", "", "", gettext("unknown here: {error}", error=error))
            continue
        done = gettext("{done} of {planned}", done=grouped(found.done), planned=grouped(planned_blocks(found.plan)))
        names = Text(", ".join(found.plan.labels))
        table.add_row(tournament_id, found.plan.game, names, found.plan.format, done, gettext(found.status.value))
    Console().print(table)
    return 0


def _show(arguments: Namespace, settings: TournamentSettings, ledger: Ledger) -> int:
    _check_files(arguments)
    tournament = ledger.tournament(arguments.id)
    progress = read_progress(ledger, tournament)
    console = Console()
    console.print(
        gettext(
            "{status}: {done} of {planned} blocks; {summary}",
            status=gettext(tournament.status.value),
            done=grouped(tournament.done),
            planned=grouped(progress.planned),
            summary=_plan_summary(tournament.plan, progress.planned),
        ),
        highlight=False,
    )
    if tournament.detail:
        console.print(gettext("It failed: {detail}", detail=tournament.detail), highlight=False, markup=False)
    for block, _ in tournament.alarms:
        console.print(gettext("ALARM: block {block} had another result when it was replayed.", block=block))
    _print_wrong_workers(console, tournament)
    _print_report(console, arguments, outcome(tournament, progress))
    return _write_matches(console, arguments, ledger, tournament.id)


def _record(arguments: Namespace, settings: TournamentSettings, ledger: Ledger) -> int:
    if arguments.match < 0:
        raise ValueError(gettext("match: it must not be below 0"))
    print(record_of_match(ledger, ledger.tournament(arguments.id), arguments.match))
    return 0


def _delete(arguments: Namespace, settings: TournamentSettings, ledger: Ledger) -> int:
    ledger.delete(arguments.id)
    print(gettext("Tournament {id} is deleted.", id=arguments.id))
    return 0
