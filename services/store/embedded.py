"""Embedded store: the match store on a fake Redis inside this process, for trials and tests."""

from __future__ import annotations

import secrets
from typing import Final

from fakeredis import FakeAsyncRedis, FakeServer

from services.store.matches.store import Store

RUN_ID: Final = secrets.token_hex(8)
"""Run id of all embedded stores of this process; their matches end with the process."""


class EmbeddedStore(Store):
    """A match store inside this process, whose fake Redis drops expired keys only when they are read or counted."""

    def __init__(self, expiry: int, finished_expiry: int = 0, server: FakeServer | None = None) -> None:
        redis = FakeAsyncRedis(server=server or FakeServer(), protocol=2)
        super().__init__(redis, expiry, finished_expiry, RUN_ID)

    async def _make_room(self) -> None:
        await self._connection.execute("DBSIZE")

    async def check_policy(self) -> None:
        """Nothing to check: it evicts nothing."""
