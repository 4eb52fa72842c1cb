"""Processes that think: what becomes of one that fails."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from engine_core.chance import Luck
from engine_core.match import AnyMatch, Match
from services.bots import bot_process as module
from services.bots.bot_process import Mind, Minds
from services.bots.remote.failure import CRASHED, LATE, BotFailed
from services.bots.thinking import Thought
from services.engine.codecs import CODECS

CODEC = CODECS["fire_bulls"]
SLOW = "mcts:iterations=1000000"


def thought(bot: str = "random") -> Thought:
    """The first choice of a match."""
    match: AnyMatch = Match(CODEC.game, CODEC.game.start(2, CODEC.game.presets()["merged"]), Luck(bytes(32), []))
    match.begin()
    return Thought(CODEC.rules_version, CODEC.write_state(match.state), match.to_move()[0], bot, 7)


@pytest.fixture
def minds() -> Iterator[Minds]:
    """One process at most."""
    minds = Minds(1)
    yield minds
    minds.close()
    assert active_children() == []


async def test_a_process_that_does_not_start_is_replaced(minds: Minds, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as impatient:
        impatient.setattr(module, "START_SECONDS", 0.0)
        with pytest.raises(OSError, match="does not start"):
            await minds.choose(thought(), 30)
    assert active_children() == []
    assert await minds.choose(thought(), 30)
    assert len(active_children()) == 1


async def test_a_process_that_thinks_too_long_is_replaced(minds: Minds) -> None:
    assert await minds.choose(thought(), 30)
    with pytest.raises(BotFailed) as caught:
        await minds.choose(thought(SLOW), 0.3)
    assert (caught.value.kind, active_children()) == (LATE, [])
    assert await minds.choose(thought(), 30)
    assert len(active_children()) == 1


async def test_a_process_that_is_killed_is_replaced(minds: Minds) -> None:
    assert await minds.choose(thought(), 30)
    [first] = active_children()
    first.kill()
    first.join()
    with pytest.raises(BotFailed) as caught:
        await minds.choose(thought(), 30)
    assert caught.value.kind == CRASHED
    assert await minds.choose(thought(), 30)


def test_a_process_that_was_let_go_meanwhile_can_be_killed() -> None:
    mind = Mind()
    mind.wake()
    mind.end()
    mind.kill()
    assert active_children() == []
