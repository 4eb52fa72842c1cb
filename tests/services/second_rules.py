"""A second version of Fire Bulls' rules, for tests of engines that serve one or both versions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from engine_core.game import Move
from engine_core.games.fire_bulls.moves import DRAW
from engine_core.games.fire_bulls.rules import FireBulls
from engine_core.games.fire_bulls.state import FireBullsState
from services.engine.codecs import CODECS_BY_VERSION, AnyCodec
from services.engine.codecs.fire_bulls import FireBullsCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings

FIRST_VERSION = "fire_bulls@1"
SECOND_VERSION = "fire_bulls@2"


class SecondFireBulls(FireBulls):
    """Fire Bulls with another rule: a seat may draw from the deck only if it has no other move."""

    version = 2

    def legal_moves(self, state: FireBullsState, seat: int) -> list[Move]:
        moves = super().legal_moves(state, seat)
        return [move for move in moves if move != DRAW] or moves

    def default_move(self, state: FireBullsState, seat: int) -> Move:
        move = super().default_move(state, seat)
        return self.legal_moves(state, seat)[0] if move == DRAW else move


class SecondCodec(FireBullsCodec):
    """The codec of the second version; its messages are those of the first."""

    game = SecondFireBulls()


OLD_CODECS: list[AnyCodec] = [*CODECS_BY_VERSION.values()]
NEW_CODECS: list[AnyCodec] = [*OLD_CODECS, SecondCodec()]


@asynccontextmanager
async def engine(redis_url: str, codecs: Sequence[AnyCodec]) -> AsyncIterator[Engine]:
    """Run an engine that serves these versions."""
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1), codecs)
    await engine.start()
    yield engine
    await engine.stop()
