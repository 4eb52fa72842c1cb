"""One connection to Redis for all who ask: commands leave in the order in which they are asked, answers come so too.

What is asked in the same turn of the event loop is sent in one write. A command is sent whole or not at all, whatever
becomes of its caller, whose answer is then read and dropped: so nobody gets the answer of another.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol, TypeAlias, cast

import hiredis
from redis import exceptions
from redis.asyncio.connection import (
    AbstractConnection,
    Connection,
    ConnectionPool,
    SSLConnection,
    UnixDomainSocketConnection,
)

Word: TypeAlias = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | None"

CONNECT_SECONDS: Final = 2.0
ANSWER_SECONDS: Final = 5.0

FAILURES: Final[dict[str, type[exceptions.RedisError]]] = {
    "OOM": exceptions.OutOfMemoryError,
    "LOADING": exceptions.BusyLoadingError,
    "READONLY": exceptions.ReadOnlyError,
    "MASTERDOWN": exceptions.MasterDownError,
    "CLUSTERDOWN": exceptions.ClusterDownError,
    "NOSCRIPT": exceptions.NoScriptError,
    "NOAUTH": exceptions.AuthenticationError,
    "WRONGPASS": exceptions.AuthenticationError,
}
"""What the first word of an error means; any other is a `ResponseError`."""


class Commands(Protocol):
    """Somebody who asks Redis, and gives its answers as they are."""

    async def ask(self, *words: Word) -> Reply:
        """The answer to a command. Raises `RedisError`."""

    async def close(self) -> None:
        """Let what was asked be answered, and give up the connection."""


def failure(text: str) -> exceptions.RedisError:
    """The exception for an error that Redis answers."""
    return FAILURES.get(text.partition(" ")[0], exceptions.ResponseError)(text)


class _Conversation(asyncio.Protocol):
    """What is said over one connection, for as long as it stands."""

    def __init__(self) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._reader: Final = hiredis.Reader(replyError=failure)
        self._transport: asyncio.Transport | None = None
        self._unsent: Final[list[bytes]] = []
        self._waiting: Final[deque[tuple[asyncio.Future[Reply], float]]] = deque()
        self._alarm: asyncio.TimerHandle | None = None
        self.stands = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def ask(self, words: tuple[Word, ...]) -> asyncio.Future[Reply]:
        """The answer to come; whoever no longer wants it may cancel it."""
        answer: asyncio.Future[Reply] = self._loop.create_future()
        if not self.stands:
            answer.set_exception(exceptions.ConnectionError("the connection was lost"))
            return answer
        command = hiredis.pack_command(words)  # type: ignore[arg-type]  # its stub has a tuple of one
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(command)
        self._waiting.append((answer, self._loop.time()))
        if self._alarm is None:
            self._alarm = self._loop.call_later(ANSWER_SECONDS, self._look_at_the_time)
        return answer

    def _send(self) -> None:
        if self._transport is not None and self.stands:
            self._transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def data_received(self, data: bytes) -> None:
        try:
            self._reader.feed(data)
            while (reply := self._reader.gets()) is not False:
                self._answer(reply)
        except (hiredis.ProtocolError, IndexError):
            self.end("an answer that cannot be read")

    def _answer(self, reply: Reply | exceptions.RedisError) -> None:
        answer, _ = self._waiting.popleft()
        if answer.done():
            return
        if isinstance(reply, exceptions.RedisError):
            answer.set_exception(reply)
        else:
            answer.set_result(reply)

    def _look_at_the_time(self) -> None:
        """End a connection whose oldest question has waited too long."""
        self._alarm = None
        if not self._waiting:
            return
        left = self._waiting[0][1] + ANSWER_SECONDS - self._loop.time()
        if left <= 0:
            self.end("no answer in time")
        else:
            self._alarm = self._loop.call_later(left, self._look_at_the_time)

    def connection_lost(self, error: Exception | None) -> None:
        self.end("the connection was lost")

    def end(self, reason: str) -> None:
        """Give the connection up; whoever still waits is told why."""
        self.stands = False
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._transport is not None:
            self._transport.abort()
        while self._waiting:
            answer, _ = self._waiting.popleft()
            if not answer.done():
                answer.set_exception(exceptions.ConnectionError(reason))

    @property
    def waiting(self) -> list[asyncio.Future[Reply]]:
        """What is still to be answered."""
        return [answer for answer, _ in self._waiting]


class Pipe:
    """A connection that is made when it is needed, and again when it was lost; nothing is ever sent twice."""

    def __init__(self, pool: ConnectionPool) -> None:
        """To the Redis of a pool, whose connections are left alone."""
        self._pool: Final = pool
        self._conversation: _Conversation | None = None
        self._connecting: asyncio.Task[_Conversation] | None = None

    async def ask(self, *words: Word) -> Reply:
        """The answer to a command. Raises `RedisError`."""
        conversation = self._conversation
        if conversation is None or not conversation.stands:
            conversation = await self._connected()
        return await conversation.ask(words)

    @property
    def waiting(self) -> int:
        """How many answers are to come."""
        return 0 if self._conversation is None else len(self._conversation.waiting)

    async def _connected(self) -> _Conversation:
        """A connection that is being made for all who want it now."""
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect())
            self._connecting.add_done_callback(self._done)
        return await asyncio.shield(self._connecting)

    def _done(self, task: asyncio.Task[_Conversation]) -> None:
        self._connecting = None
        if not task.cancelled() and task.exception() is None:
            self._conversation = task.result()

    async def _connect(self) -> _Conversation:
        conversation: _Conversation | None = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                address: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
                conversation = await _reached(address)
                for words in _introduction(address):
                    await conversation.ask(words)
                return conversation
        except (OSError, exceptions.RedisError) as error:
            if conversation is not None:
                conversation.end("it was refused")
            raise exceptions.ConnectionError(f"cannot be reached: {type(error).__name__}") from error

    async def close(self) -> None:
        """Let what was asked be answered, and give up the connection."""
        if self._connecting is not None:
            await asyncio.wait([self._connecting])
        if self._conversation is not None:
            if waiting := self._conversation.waiting:
                await asyncio.wait(waiting)
            self._conversation.end("the store is closed")


async def _reached(address: AbstractConnection) -> _Conversation:
    loop = asyncio.get_running_loop()
    if isinstance(address, UnixDomainSocketConnection):
        return (await loop.create_unix_connection(_Conversation, address.path))[1]
    if not isinstance(address, Connection):
        raise TypeError(f"no way to a {type(address).__name__}")
    tls = address.ssl_context.get() if isinstance(address, SSLConnection) else None
    return (await loop.create_connection(_Conversation, address.host, int(address.port), ssl=tls))[1]


def _introduction(address: AbstractConnection) -> list[tuple[Word, ...]]:
    """What is to be said first: who we are, and the database."""
    said: list[tuple[Word, ...]] = []
    if address.password:
        said.append(("AUTH", *([address.username] if address.username else []), address.password))
    if address.db:
        said.append(("SELECT", int(address.db)))
    return said
