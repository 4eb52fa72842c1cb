"""Command `fireside tournament` in a pseudo-terminal, and the files that it writes."""

from __future__ import annotations

import csv
import json
import re
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import cast
from xml.etree import ElementTree

import pytest

from cli.arguments import check_writable
from cli.commands.tournament import _list as listed
from cli.main import main
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import LIST_START, ListPosition, Status, WrongWorker
from services.tournaments.plan.formats import next_tables
from services.tournaments.plan.plan import Plan
from services.tournaments.settings import TournamentSettings
from tests.cli.terminal import CTRL_C, Terminal
from tests.services.bots.imported.bot_files import write_bots
from tests.services.processes import Process
from tests.services.tournaments.plans import SPEC, UNKNOWN_RULES_PLAN, rotated_block, stored_elsewhere

PLAN_ARGUMENTS = ["--game", "fire_bulls", "--entrants", "random,random,greedy:samples=1", "--seed", "7"]
RESUME_COMMAND = re.compile(r"fireside (tournament run --resume \w+ --ledger \S+)")


def table_of_results(folder: Path, *words: str) -> dict[str, object]:
    """What a tournament came to, without its id."""
    file = folder / "cup.json"
    code, errors = Process("tournament", "run", *words, "--json", str(file), REDIS_URL="").wait()
    assert (code, errors) == (0, "")
    found = cast("dict[str, object]", json.loads(file.read_text()))
    del found["id"]
    return found


def test_result_files_are_equal_with_one_worker_and_with_two(tmp_path: Path) -> None:
    words = [*PLAN_ARGUMENTS, "--blocks", "4", "--ledger", str(tmp_path / "ledger.db")]
    files = ["--csv", str(tmp_path / "cup.csv"), "--plot", str(tmp_path / "cup.svg")]
    one = table_of_results(tmp_path, *words, "--workers", "1", *files)
    assert one == table_of_results(tmp_path, *words, "--workers", "2")
    assert one["status"] == "over"
    rows = list(csv.DictReader((tmp_path / "cup.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["label"] for row in rows} == {"random", "random #2", "greedy:samples=1"}
    assert [float(row["win_share"]) for row in rows] == sorted([float(row["win_share"]) for row in rows], reverse=True)
    picture = ElementTree.parse(tmp_path / "cup.svg").getroot()
    texts = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert {"random", "random #2", "greedy:samples=1"} <= texts


def test_the_class_of_a_file_plays_a_tournament_and_forfeits_where_it_fails(tmp_path: Path) -> None:
    file = write_bots(tmp_path)
    entrants = f"{file}:Last,{file}:Faulty(fault='raises'),random"
    words = ["--game", "fire_bulls", "--entrants", entrants, "--workers", "1", "--ledger", str(tmp_path / "ledger.db")]
    with Terminal("tournament", "run", *words, "--json", str(tmp_path / "cup.json")) as terminal:
        code, shown = terminal.end()
    report = json.loads((tmp_path / "cup.json").read_text())["report"]
    forfeits = {line["entrant"]: line["forfeits"] for line in report["standings"]}
    assert (code, forfeits) == (0, {0: 0, 1: 4, 2: 0})
    assert shown.count("ZeroDivisionError: by nought") == 1


@pytest.mark.parametrize(
    ("entrants", "scheduler", "expected"),
    [
        ("random,none.py:MyBot", "", "none.py:MyBot: FileNotFoundError: "),
        ("random,bots.py:MyBot(x)", "", "entrants[1]: 'bots.py:MyBot(x)': its options must be name=value"),
        ("random,bots.py:MyBot", "tcp://127.0.0.1:1", "bots of Python files play in processes of this machine only"),
        ("https://bots.example/a,bots.py:MyBot", "", "bots of Python files and bots at addresses cannot play in one"),
    ],
)
def test_an_imported_bot_that_cannot_play_is_reported_in_one_line(
    entrants: str,
    scheduler: str,
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    variables = {"DASK_SCHEDULER_ADDRESS": scheduler, "FIRESIDE_BOT_ALLOW": "https://bots.example/", "REDIS_URL": ""}
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    words = ["--game", "fire_bulls", "--entrants", entrants, "--ledger", str(tmp_path / "ledger.db")]
    assert main(["tournament", "run", *words]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"fireside: {expected}")
    assert errors.count("\n") == 1


def test_a_test_of_two_entrants_ends_the_tournament(tmp_path: Path) -> None:
    sprt = ["--sprt", "elo0=0,elo1=400,alpha=0.2,beta=0.2"]
    words = ["--game", "fire_bulls", "--entrants", "new=greedy:samples=1,old=random", "--workers", "1", "--json"]
    ledger = ["--ledger", str(tmp_path / "ledger.db")]
    with Terminal("tournament", "run", *words, str(tmp_path / "cup.json"), *sprt, *ledger) as terminal:
        code, shown = terminal.end()
    found = json.loads((tmp_path / "cup.json").read_text())
    state = found["report"]["sprt"]
    assert (code, found["status"], found["planned"]) == (0, "over", 1_000_000)
    assert (state["accepted"], state["blocks"]) == ("H1", found["report"]["blocks"])
    assert (
        f"SPRT: H1 is accepted after {state['blocks']} blocks, LLR {state['llr']:.2f} (H0 at -1.39, H1 at 1.39)"
        in shown
    )
    assert "new" in shown


def test_ctrl_c_stops_cleanly_and_the_printed_command_resumes(tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.db")]
    with Terminal("tournament", "run", *PLAN_ARGUMENTS, "--blocks", "8", "--workers", "1", *ledger) as terminal:
        terminal.until(r"As it stands")
        terminal.type(CTRL_C)
        code, _ = terminal.end()
    assert code == 130
    assert "Traceback" not in terminal.text
    found = RESUME_COMMAND.search(terminal.text.replace("\n", " ").replace("  ", " "))
    assert found
    with Terminal(*found[1].split(), "--json", str(tmp_path / "resumed.json")) as terminal:
        code, shown = terminal.end()
    assert (code, "Standings" in shown) == (0, True)
    resumed = json.loads((tmp_path / "resumed.json").read_text())
    other_ledger = ["--ledger", str(tmp_path / "other.db")]
    whole = table_of_results(tmp_path, *PLAN_ARGUMENTS, "--blocks", "8", "--workers", "1", *other_ledger)
    assert resumed["report"] == whole["report"]


def test_a_ledger_lists_and_shows_its_tournaments(tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.db")]
    table_of_results(tmp_path, *PLAN_ARGUMENTS, *ledger, "--workers", "1")
    with Terminal("tournament", "list", *ledger) as terminal:
        code, shown = terminal.end()
    row = re.search(r"^\s*(\w{16})\s.*3 of 3 .*over", shown, re.MULTILINE)
    assert row
    with Terminal("tournament", "show", row[1], *ledger) as terminal:
        code, shown = terminal.end()
    assert code == 0
    assert "over: 3 of 3 blocks" in shown
    assert "Pairs" in shown


def write_tournament(file: Path, plan: Plan, over: bool = False) -> None:
    """Keep a tournament `cup` in a ledger, which waits to be played, or is over."""
    ledger = FileLedger(file)
    ledger.create("cup", stored_elsewhere(plan), 1000)
    if over:
        token = ledger.acquire("cup", 60_000)
        assert token is not None
        tables = [*next_tables(plan, ())] * plan.blocks
        ledger.record(
            "cup",
            token,
            [(index, rotated_block(index, table, (0, 1, 2)).encode()) for index, table in enumerate(tables)],
        )
        ledger.finish("cup", token)
        ledger.release("cup", token)
    ledger.close()


def test_a_tournament_of_old_rules_is_still_shown(tmp_path: Path) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.db")]
    write_tournament(tmp_path / "ledger.db", UNKNOWN_RULES_PLAN, over=True)
    for words in (["show", "cup"], ["run", "--resume", "cup"]):
        with Terminal("tournament", *words, *ledger) as terminal:
            code, shown = terminal.end()
        assert (code, "Standings" in shown, "random #2" in shown) == (0, True, True)


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        (UNKNOWN_RULES_PLAN, "rules_version: fire_bulls@1 is here, not fire_bulls@99"),
        (
            replace(UNKNOWN_RULES_PLAN, rules_version="fire_bulls@1", entrants=("random", "deep_blue")),
            "entrants[1]: 'deep_blue' is no bot",
        ),
        (
            replace(SPEC, entrants=("random", "https://bots.example/a")),
            "entrants[1]: bots at this address are not allowed here",
        ),
    ],
)
def test_a_tournament_is_resumed_only_with_its_rules_bots_and_settings(
    plan: Plan, expected: str, tmp_path: Path
) -> None:
    file = tmp_path / "ledger.db"
    write_tournament(file, plan)
    words = ["run", "--resume", "cup", "--ledger", str(file)]
    allowed = {"REDIS_URL": "", "FIRESIDE_BOT_ALLOW": "https://bots.example/b"}
    code, errors = Process("tournament", *words, **allowed).wait()
    assert (code, errors.count("\n")) == (2, 1)
    assert errors.startswith(f"fireside: tournament cup cannot be resumed here: {expected}")
    ledger = FileLedger(file)
    assert (ledger.tournament("cup").status, ledger.acquire("cup", 1000)) == (Status.RUNNING, 1)  # nobody had it before
    ledger.close()


def test_a_failed_tournament_shows_its_reason_and_wrong_workers_and_is_not_resumed(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    write_tournament(file, SPEC)
    ledger = FileLedger(file)
    token = ledger.acquire("cup", 60_000)
    assert token is not None
    ledger.record("cup", token, [(1, b"wrong")], worker="tcp://10.0.0.5:40123")
    ledger.set_aside("cup", token, WrongWorker("tcp://10.0.0.5:40123", "cup", 1), [1])
    ledger.fail("cup", token, "blocks 1 to 2 could not be played: [no] memory")
    ledger.release("cup", token)
    ledger.close()
    with Terminal("tournament", "show", "cup", "--ledger", str(file)) as terminal:
        code, shown = terminal.end()
    assert (code, "It failed: blocks 1 to 2 could not be played: [no] memory" in shown) == (0, True)
    assert "Worker tcp://10.0.0.5:40123 played block 1 of tournament cup wrongly." in shown
    assert "Results set aside, and their blocks played by others: 1." in shown
    expected = "fireside: tournament cup is not played on: it is over, was cancelled or has failed\n"
    assert Process("tournament", "run", "--resume", "cup", "--ledger", str(file), REDIS_URL="").wait() == (2, expected)


class DeletingLedger(FileLedger):
    """Loses its oldest tournament right after each list of them."""

    def positions(self, most: int, after: ListPosition = LIST_START) -> list[ListPosition]:
        found = super().positions(most, after)
        self.delete(found[-1].id)
        return found


def test_a_tournament_deleted_during_a_listing_does_not_stop_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = DeletingLedger(tmp_path / "ledger.db")
    for number, name in enumerate(("old", "new")):
        ledger.create(name, SPEC, number)
    assert listed(Namespace(), TournamentSettings(), ledger) == 0
    shown = capsys.readouterr().out
    assert ("old" in shown, "new" in shown) == (False, True)
    ledger.close()


def test_a_tournament_is_deleted_unless_it_is_running(tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    write_tournament(file, UNKNOWN_RULES_PLAN, over=True)
    ledger = FileLedger(file)
    token = ledger.acquire("cup", 60_000)
    assert token is not None
    words = ["tournament", "delete", "cup", "--ledger", str(file)]
    code, errors = Process(*words, REDIS_URL="").wait()
    expected = "fireside: tournament cup is being played: stop that, or cancel it, before it is deleted\n"
    assert (code, errors, ledger.ids(1)) == (2, expected, ["cup"])
    ledger.release("cup", token)
    with Process(*words, REDIS_URL="") as deleting:
        assert deleting.line() == "Tournament cup is deleted."
        assert deleting.wait() == (0, "")
    assert ledger.ids(1) == []
    ledger.close()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run"], "--game and --entrants, or --resume, must be given"),
        (["run", "--game", "chess", "--entrants", "random,random"], "there is no game 'chess'"),
        (["run", "--game", "fire_bulls", "--entrants", "random"], "entrants: 2 to 256, not 1"),
        (["run", *PLAN_ARGUMENTS, "--table", "9"], "table_size: 2 to 5, not 9"),
        (
            ["run", *PLAN_ARGUMENTS, "--format", "league"],
            "format: one of round_robin, gauntlet, swiss, knockout, not 'league'",
        ),
        (
            ["run", "--game", "fire_bulls", "--entrants", "random,https://bots.example/"],
            "entrants[1]: bots at this address are not allowed here",
        ),
        (["run", *PLAN_ARGUMENTS, "--workers", "0"], "--workers: at least 1, not 0"),
        (["run", "--resume", "nowhere"], "there is no tournament 'nowhere' in this ledger"),
        (["delete", "nowhere"], "there is no tournament 'nowhere' in this ledger"),
        (["show", "nowhere"], "there is no tournament 'nowhere' in this ledger"),
        (["run", *PLAN_ARGUMENTS, "--json", "/nowhere/a"], "/nowhere/a cannot be written: there is no folder /nowhere"),
        (["show", "nowhere", "--csv", "/"], "/ cannot be written"),
    ],
)
def test_invalid_options_are_reported_in_one_line(words: list[str], expected: str, tmp_path: Path) -> None:
    code, errors = Process("tournament", *words, REDIS_URL="", FIRESIDE_LEDGER=str(tmp_path / "ledger.db")).wait()
    assert (code, errors) == (2, f"fireside: {expected}\n")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], ""),
        ([*PLAN_ARGUMENTS[:2], "--entrants", "random,greedy,random", *PLAN_ARGUMENTS[4:]], ""),
        (["--options", "merged", "--blocks", "3", "--table", "2", "--seed", "7", "--format", "round_robin"], ""),
        (["--blocks", "50", "--seed", "9", "--game", "fireship"],
         "--game is fire_bulls, not fireship; --blocks is 3, not 50; --seed is 7, not 9"),
        (["--blocks", "1", "--seed", "0"], "--blocks is 3, not 1; --seed is 7, not 0"),
        (["--entrants", "random,greedy"], "--entrants is random,greedy,random, not random,greedy"),
        (["--table", "3", "--options", "it"], "--table is 2, not 3; --options is merged, not it"),
        (["--format", "swiss", "--rounds", "2"], "--format is round_robin, not swiss; --rounds is 0, not 2"),
    ],
)  # fmt: skip
def test_fault18_a_tournament_is_not_resumed_with_another_plan(words: list[str], expected: str, tmp_path: Path) -> None:
    file = tmp_path / "ledger.db"
    ledger = FileLedger(file)
    ledger.create("cup", SPEC, 1000)
    ledger.close()
    options = ["--workers", "1", "--ledger", str(file)]
    outcome = Process("tournament", "run", "--resume", "cup", *words, *options, REDIS_URL="").wait()
    line = f"fireside: the plan of tournament cup never changes: {expected}\n"
    assert outcome == ((2, line) if expected else (0, ""))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", *PLAN_ARGUMENTS, "--workers", "1"], "--workers: it has no effect with DASK_SCHEDULER_ADDRESS"),
        (["list", "--ledger", "nowhere.db"], "--ledger: there is no file nowhere.db"),
        (["run", "--resume", "cup", "--ledger", "nowhere.db"], "--ledger: there is no file nowhere.db"),
    ],
)
def test_fault18_options_without_effect_are_refused(words: list[str], expected: str, tmp_path: Path) -> None:
    variables = {"DASK_SCHEDULER_ADDRESS": "tcp://127.0.0.1:1", "FIRESIDE_LEDGER": str(tmp_path / "ledger.db")}
    code, errors = Process("tournament", *words, REDIS_URL="", **variables).wait()
    assert code == 2
    assert errors.startswith(f"fireside: {expected}")


def test_checking_whether_a_file_is_writable_changes_nothing(tmp_path: Path) -> None:
    old, new, link = [tmp_path / name for name in ("old.json", "new.json", "link.json")]
    old.write_text("{}")
    link.symlink_to(tmp_path / "target.json")
    for file in (old, new, link):
        check_writable(file)
    assert (old.read_text(), set(tmp_path.iterdir())) == ("{}", {old, link})


def test_records_of_a_tournament_verify_and_its_first_match_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = ["--ledger", str(tmp_path / "ledger.db")]
    files = ["--records", str(tmp_path / "records"), "--picture", str(tmp_path / "end.svg")]
    table_of_results(tmp_path, *PLAN_ARGUMENTS, *ledger, "--workers", "1", *files)
    records = sorted((tmp_path / "records").iterdir())
    assert len(records) == 6
    for record in records:
        assert main(["verify", str(record)]) == 3  # the draws are proved, and nobody attests the moves
    assert "NOT PROVED" in capsys.readouterr().out
    drawn = (tmp_path / "end.svg").read_text("utf-8")
    assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
    tournament_id = records[0].stem.partition("-")[0]
    again = ["--records", str(tmp_path / "again"), "--picture", str(tmp_path / "again.svg")]
    assert Process("tournament", "show", tournament_id, *ledger, *again, REDIS_URL="").wait() == (0, "")
    assert [file.read_text() for file in sorted((tmp_path / "again").iterdir())] == [
        file.read_text() for file in records
    ]
    assert (tmp_path / "again.svg").read_text("utf-8") == drawn
    for index, record in enumerate(records):
        assert main(["tournament", "record", tournament_id, str(index), *ledger]) == 0
        assert capsys.readouterr().out == record.read_text()
    for number, error in (
        ("6", "match 6 has no record"),
        ("9" * 20, "has no record"),
        ("-1", "match: it must not be below 0"),
    ):
        assert main(["tournament", "record", *ledger, "--", tournament_id, number]) == 2
        assert error in capsys.readouterr().err


def test_a_tournament_without_stored_moves_has_no_picture(tmp_path: Path) -> None:
    words = [*PLAN_ARGUMENTS, "--workers", "1", "--ledger", str(tmp_path / "ledger.db")]
    settings = {"REDIS_URL": "", "FIRESIDE_TOURNAMENT_RECORDS": "0"}
    code, errors = Process("tournament", "run", *words, "--picture", str(tmp_path / "end.svg"), **settings).wait()
    assert (code, errors.splitlines()[0]) == (
        2,
        "fireside: --picture: the first match has not been played, or its moves are not stored",
    )
