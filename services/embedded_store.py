"""The store inside this process, for who has no Redis."""

from __future__ import annotations

from collections.abc import Sequence

from fakeredis import FakeAsyncRedis, FakeServer

from services.store import Store
from services.turns import Turn


class EmbeddedStore(Store):
    """A store inside this process, on a server that drops what has expired only when it is asked for or counted."""

    def __init__(self, expiry: int, finished_expiry: int = 0, server: FakeServer | None = None) -> None:
        super().__init__(FakeAsyncRedis(server=server or FakeServer()), expiry, finished_expiry)

    async def create(
        self,
        match_id: str,
        header: bytes,
        state: bytes,
        progress: bytes,
        lines: list[bytes],
        clock_seconds: int = 0,
        turns: Sequence[Turn] = (),
    ) -> bool:
        await self._run(self._redis.dbsize())
        return await super().create(match_id, header, state, progress, lines, clock_seconds, turns)

    async def check_policy(self) -> None:
        """It throws nothing away."""
