"""LRU cache of clients of remote bots: one for each address, so that its limits hold for all calls of a process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

from services.bots.remote.allowed import BotAddress, checked_address
from services.bots.remote.bot import MAX_CALLS, RemoteBot
from services.bots.remote.grpc import GrpcBot
from services.bots.remote.guard import Resolve, resolve_public
from services.bots.remote.webhook import Webhook

MAX_BOTS: Final = 256
"""Greatest number of cached clients; beyond it, the least recently used one is retired."""


def remote_bot(
    where: BotAddress, secret: bytes = b"", calls: int = MAX_CALLS, resolve: Resolve = resolve_public
) -> RemoteBot:
    """A new client of the bot at an address, which must have been checked."""
    return GrpcBot(where, calls, resolve) if where.scheme == "grpc" else Webhook(where, secret, calls, resolve)


class RemoteBots:
    """Clients of the allowed remote bots, by address."""

    def __init__(self, allowed: Sequence[BotAddress], secret: bytes = b"", calls: int = MAX_CALLS) -> None:
        self._allowed: Final = allowed
        self._secret: Final = secret
        self._calls: Final = calls
        self._bots: Final[dict[BotAddress, RemoteBot]] = {}
        self._closing: Final[set[asyncio.Task[None]]] = set()

    def client_of(self, bot: str) -> RemoteBot:
        """The client of the bot with that name. Raises `ValueError` if it may not be called."""
        where = checked_address(bot, self._allowed)
        found = self._bots.pop(where, None) or remote_bot(where, self._secret, self._calls)
        self._bots[where] = found
        if len(self._bots) > MAX_BOTS:
            self._retire(next(iter(self._bots)))
        return found

    def _retire(self, where: BotAddress) -> None:
        task = asyncio.ensure_future(self._bots.pop(where).retire())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """Close all connections."""
        closing = [bot.close() for bot in self._bots.values()]
        self._bots.clear()
        await asyncio.gather(*closing, *self._closing)
