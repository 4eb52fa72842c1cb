"""Asynchronous Play over WebSocket: turns come and choices go over one connection, which is resumed when it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final, Generic, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.typing import Subprotocol

from fireside_client import core
from fireside_client.core import Backoff, PlayProtocol
from fireside_client.errors import FiresideError
from fireside_client.types.shared import MoveT, PlayResponse, ViewT


class AsyncPlaySession(Generic[MoveT, ViewT]):
    """Plays one seat: iterate over its messages, and `choose` at each turn that has moves.

    The last message is `over`. After a break of the connection a turn that is still open comes again, so that a choice
    which was lost is made then. Raises `FiresideError` when the service ends it, `ConnectionError` when it is away.
    """

    def __init__(self, url: str, protocol: PlayProtocol, backoff: Backoff) -> None:
        self._url: Final = url
        self._protocol: Final = protocol
        self._backoff: Final = backoff
        self._connection: ClientConnection | None = None

    async def __aiter__(self) -> AsyncIterator[PlayResponse[MoveT, ViewT]]:
        while True:
            try:
                async with connect(
                    self._url, subprotocols=[Subprotocol(core.SUBPROTOCOL)], max_size=None
                ) as connection:
                    await connection.send(self._protocol.join())
                    self._connection = connection
                    async for text in connection:
                        messages = self._protocol.read(text)
                        self._backoff.reset()
                        for message in messages:
                            yield cast("PlayResponse[MoveT, ViewT]", message)
                            if "over" in message:
                                return
                raise ConnectionError("the service closed the connection")
            except InvalidStatus as error:
                pause = self._backoff.pause(FiresideError(error.response.status_code, "", str(error)))
            except (ConnectionClosed, InvalidHandshake, *core.FAULTS) as error:
                pause = self._backoff.pause(error)
            await asyncio.sleep(pause)

    async def choose(self, move: MoveT | str, revision: int) -> None:
        """Send a move, as a message or in notation, for the turn with this revision."""
        if self._connection is not None:
            with suppress(ConnectionClosed):  # the turn comes again
                await self._connection.send(self._protocol.choice(move, revision))
