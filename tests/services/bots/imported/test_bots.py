"""Imported bots: choices, faults and limits, what a process is sent, and its end with the one that started it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine_core.chance import Luck
from engine_core.game import Move
from engine_core.games import game_named
from engine_core.match import AnyMatch, Match
from services.bots.imported import bots as module
from services.bots.imported.bots import ImportedBotLimits, ImportedBots
from services.bots.remote.failure import CRASHED, ILLEGAL_MOVE, TIMED_OUT, BotFailed
from tests.conformance.plain import plain
from tests.services.bots.imported.bot_files import write_bots

GAME = game_named("fire_bulls")
LIMITS = ImportedBotLimits(20.0, 2 << 30)
STOP_SECONDS = 20.0
DOCS = Path(__file__).parents[4] / "docs" / "bots.md"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bots(tmp_path_factory.mktemp("bots"))


@pytest.fixture(scope="module")
def bots() -> Iterator[ImportedBots]:
    """Processes that the tests of this file share: the start of one takes a third of a second."""
    bots = ImportedBots(LIMITS)
    yield bots
    bots.close()


def position() -> AnyMatch:
    random = Random(1)
    match: AnyMatch = Match(GAME, GAME.start(2, GAME.presets()["merged"]), Luck(bytes(32), []))
    match.begin()
    for _ in range(12):
        match.play(match.to_move()[0], random.choice(match.legal_moves(match.to_move()[0])))
    assert len(match.legal_moves(match.to_move()[0])) > 1
    return match


def choose(bots: ImportedBots, name: str, match: AnyMatch, seconds: float | None = None) -> Move:
    return bots.choose(name, GAME, match.state, match.to_move()[0], Random(1), seconds)


def test_the_class_of_a_file_chooses_a_move(bots: ImportedBots, file: Path) -> None:
    match = position()
    assert choose(bots, f"{file}:Last", match) == match.legal_moves(match.to_move()[0])[-1]


def test_the_class_of_the_docs_chooses_a_move(bots: ImportedBots, tmp_path: Path) -> None:
    [example] = re.findall(r"Save as `my_bot.py`:\n\n```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    file, match = tmp_path / "my_bot.py", position()
    file.write_text(example)
    assert choose(bots, f"{file}:Patient", match) == match.legal_moves(match.to_move()[0])[-1]


def test_the_process_gets_no_settings_of_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIRESIDE_TOKEN_KEYS", "k1:00")
    monkeypatch.setenv("REDIS_URL", "redis://:secret@host")
    file, match, seen = tmp_path / "curious.py", position(), tmp_path / "seen"
    file.write_text(
        f"import os, pathlib\npathlib.Path({str(seen)!r}).write_text(' '.join(os.environ))\n"
        "class Curious:\n    def choose(self, observation, random):\n        return observation.legal_moves()[0]\n"
    )
    bots = ImportedBots(LIMITS)
    choose(bots, f"{file}:Curious", match)
    bots.close()
    names = seen.read_text().split()
    assert "PATH" in names
    assert not {"FIRESIDE_TOKEN_KEYS", "REDIS_URL"} & set(names)


def test_the_process_gets_no_secret_of_the_match(bots: ImportedBots, file: Path) -> None:
    """A bot that chooses by all that it was sent chooses the same in two states that look the same to its seat."""
    match = position()
    seat = match.to_move()[0]
    other = GAME.determinize(match.state, seat, Random(2))
    assert plain(other) != plain(match.state)
    chosen = [
        [bots.choose(f"{file}:Peeking", GAME, state, seat, Random(seed)) for seed in range(8)]
        for state in (match.state, other)
    ]
    assert chosen[0] == chosen[1]
    assert len(set(chosen[0])) > 1


@pytest.mark.parametrize(
    ("fault", "kind", "detail"),
    [
        ("raises", CRASHED, "ZeroDivisionError: by nought"),
        ("takes_memory", CRASHED, "MemoryError"),
        ("exits", CRASHED, "exit code 3"),
        ("moves_illegally", ILLEGAL_MOVE, "general: red red red red red red red"),
        ("thinks_forever", TIMED_OUT, "no answer within 0.2 seconds"),
    ],
)
def test_a_fault_of_a_bot_is_its_failure_and_the_next_choice_works(
    fault: str, kind: str, detail: str, bots: ImportedBots, file: Path
) -> None:
    seconds = 0.2 if kind == TIMED_OUT else None
    match, name = position(), f"{file}:Faulty(fault={fault!r})"
    with pytest.raises(BotFailed) as caught:
        choose(bots, name, match, seconds)
    assert (caught.value.kind, detail in caught.value.detail) == (kind, True)
    assert choose(bots, f"{file}:Last", match)


def test_a_bot_that_closes_its_pipe_and_goes_on_is_not_waited_for(
    bots: ImportedBots, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "END_SECONDS", 0.05)
    with pytest.raises(BotFailed) as caught:
        choose(bots, f"{file}:Faulty(fault='closes_its_pipe')", position())
    assert (caught.value.kind, caught.value.detail) == (CRASHED, "it closed its pipe")


def test_a_class_that_cannot_be_made_is_an_error(bots: ImportedBots, file: Path) -> None:
    with pytest.raises(BotFailed) as caught:
        bots.start(f"{file}:Nobody")
    assert caught.value.detail == "AttributeError: module 'user_bots' has no attribute 'Nobody'"


class Gone(Exception):
    """For whom the choice was meant."""


def test_a_choice_ends_when_its_caller_has_gone(bots: ImportedBots, file: Path) -> None:
    def gone() -> None:
        raise Gone

    match = position()
    with pytest.raises(Gone):
        bots.choose(f"{file}:Faulty(fault='')", GAME, match.state, match.to_move()[0], Random(1), 60.0, gone)


def test_a_module_of_the_working_directory_is_found_and_replaces_none_of_ours(
    bots: ImportedBots, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_bots(tmp_path)
    (tmp_path / "random.py").write_text("raise ImportError")
    monkeypatch.chdir(tmp_path)
    assert choose(bots, "user_bots:Last", position())


LIMITED = """
import resource, sys
from services.bots.imported.bots import ImportedBotLimits, ImportedBots
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
from tests.services.bots.imported.test_bots import choose, position
bots = ImportedBots(ImportedBotLimits(600.0, 2 << 30))
choose(bots, sys.argv[1], position())
bots.close()
"""


def test_limits_of_the_parent_may_be_lower(file: Path) -> None:
    subprocess.run([sys.executable, "-c", LIMITED, f"{file}:Last"], check=True)


STARTER = """
import sys
from services.bots.imported.bots import ImportedBotProcess
process = ImportedBotProcess(sys.argv[1], 2 << 30)
print(process._process.pid, flush=True)
sys.stdin.read()
"""


def test_the_process_ends_with_the_one_that_started_it_even_by_sigkill(file: Path) -> None:
    starter = subprocess.Popen(
        [sys.executable, "-c", STARTER, f"{file}:Last"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with starter:
        assert starter.stdout
        child = int(starter.stdout.readline())
        starter.send_signal(signal.SIGKILL)
    assert ends(child)


def ends(process: int) -> bool:
    """Whether a process that is not our child ends within a time."""
    deadline = time.monotonic() + STOP_SECONDS
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True  # ended, but nobody has waited for it
        time.sleep(0.02)
    return False
