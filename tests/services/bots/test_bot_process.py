"""Bot processes: exceptions, timeouts and death of the process in which a bot chooses."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from engine_core.chance import Luck
from engine_core.match import AnyMatch, Match
from services.bots import bot_process as module
from services.bots.bot_process import BotProcess, BotProcesses
from services.bots.bot_task import BotTask
from services.bots.remote.failure import CRASHED, TIMED_OUT, BotFailed
from services.engine.codecs import CODECS

CODEC = CODECS["fire_bulls"]
SLOW_BOT = "mcts:iterations=1000000"


def task(bot: str = "random") -> BotTask:
    """The first choice of a match."""
    match: AnyMatch = Match(CODEC.game, CODEC.game.start(2, CODEC.game.presets()["merged"]), Luck(bytes(32), []))
    match.begin()
    return BotTask(CODEC.rules_version, CODEC.write_state(match.state), match.to_move()[0], bot, 7)


@pytest.fixture
def processes() -> Iterator[BotProcesses]:
    """One process at most."""
    processes = BotProcesses(1)
    yield processes
    processes.close()
    assert active_children() == []


async def test_a_process_that_does_not_start_is_replaced(
    processes: BotProcesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(module, "START_SECONDS", 0.0)
        with pytest.raises(OSError, match="does not start"):
            await processes.choose(task(), 30)
    assert active_children() == []
    assert await processes.choose(task(), 30)
    assert len(active_children()) == 1


async def test_a_process_that_times_out_is_replaced(processes: BotProcesses) -> None:
    assert await processes.choose(task(), 30)
    with pytest.raises(BotFailed) as caught:
        await processes.choose(task(SLOW_BOT), 0.3)
    assert (caught.value.kind, active_children()) == (TIMED_OUT, [])
    assert await processes.choose(task(), 30)
    assert len(active_children()) == 1


async def test_a_process_that_is_killed_is_replaced(processes: BotProcesses) -> None:
    assert await processes.choose(task(), 30)
    [first] = active_children()
    first.kill()
    first.join()
    with pytest.raises(BotFailed) as caught:
        await processes.choose(task(), 30)
    assert caught.value.kind == CRASHED
    assert await processes.choose(task(), 30)


def test_a_process_that_has_ended_can_be_killed() -> None:
    process = BotProcess()
    process.wait_until_started()
    process.end()
    process.kill()
    assert active_children() == []
