"""Auto-pipelining Redis connection: the commands of one turn of the event loop are sent in one write.

redis-py connects (address, TLS, login, database) and parses. All callers share one connection, on which replies arrive
in request order. A command is sent whole or not at all, and never twice. When its caller is cancelled, its reply is
still read, and dropped, so that no other caller gets it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context
from typing import Final, TypeAlias, cast

from hiredis import pack_command
from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.connection import AbstractConnection

Argument: TypeAlias = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | None"

CONNECT_SECONDS: Final = 2.0
ANSWER_SECONDS: Final = 3.0
"""Timeout of the oldest pending command, which ends the connection; shorter than a gateway's timeout of an engine."""
REPLICATION_MS: Final = 1000
"""How long a write may take until enough replicas have it; later commands on its connection wait, too."""
SILENCE_SECONDS: Final = 10.0
"""Silence after which a pub/sub connection is pinged, and timeout of the ping."""
RUN_ID: Final = "run_id:"
MAX_RUN_ID_LENGTH: Final = 16
"""Digits of a run id that tell processes apart: each match stores them in its snapshot."""


class RedisFailure(Exception):
    """A Redis command failed, or its outcome is unknown."""

    def __init__(self, message: str, kind: str = "") -> None:
        super().__init__(message)
        self.kind: Final = kind or type(self).__name__
        """Kind of failure for the log; not Redis's whole message, which may repeat arguments of the command."""


class ConnectionLost(RedisFailure):
    """There is no connection, or it was lost before the reply: whether the command was executed is unknown."""


class Timeout(ConnectionLost):
    """Redis did not reply, or did not accept a connection, in time."""


class NotReplicated(RedisFailure):
    """A command was executed, but too few replicas had it in time: a failover may still lose what it changed."""


class ResponseError(RedisFailure):
    """Redis replied with an error, and changed nothing. `kind` is its code: `OOM`, `NOSCRIPT`, `READONLY`."""

    def __init__(self, kind: str, redirection: exceptions.AskError | None = None) -> None:
        super().__init__(f"Redis replied with an error: {kind}", kind)
        self.redirection: Final = redirection
        """Where the key of the command is, of codes `MOVED` and `ASK` of a cluster."""


OnMessage = Callable[[str, bytes, bytes], None]
"""Called with the kind of a pub/sub message (`message`, `subscribe`), its channel and its data."""


class _Session:
    """One open connection, and the queue of pending replies in request order."""

    def __init__(self, connection: AbstractConnection, run_id: str, replicas: int) -> None:
        self.run_id: Final = run_id
        self.is_open = True
        self._connection: Final = connection
        self._wait: Final = pack_command(("WAIT", replicas, REPLICATION_MS))  # type: ignore[arg-type]
        self._replication: asyncio.Future[Reply] | None = None
        """The number of replicas that have all commands of the next write, if one of them asks for it."""
        self._loop: Final = asyncio.get_running_loop()
        self._unsent: list[bytes] = []
        self._has_unsent: Final = asyncio.Event()
        self._pending_replies: Final[deque[tuple[asyncio.Future[Reply], float]]] = deque()
        self._timeout_timer: asyncio.TimerHandle | None = None
        # An empty context: else their logs and spans would belong to the call that opens the connection.
        self._tasks: Final = [self._loop.create_task(run(), context=Context()) for run in (self._read, self._write)]

    def execute(self, arguments: tuple[Argument, ...]) -> asyncio.Future[Reply]:
        """Send a command; a future of its reply, which may be cancelled."""
        reply: asyncio.Future[Reply] = self._loop.create_future()
        if not self.is_open:
            reply.set_exception(ConnectionLost("the connection was lost"))
            return reply
        self._unsent.append(pack_command(arguments))  # type: ignore[arg-type]  # its stub has a tuple of one
        self._has_unsent.set()
        self._await_reply(reply)
        return reply

    def replication(self) -> asyncio.Future[Reply]:
        """The number of replicas that have all commands of the next write: one `WAIT` after them serves all callers."""
        if self._replication is None:
            self._replication = self._loop.create_future()
            self._replication.add_done_callback(_retrieve)
            if not self.is_open:
                self._replication.set_exception(ConnectionLost("the connection was lost"))
        return self._replication

    def _await_reply(self, reply: asyncio.Future[Reply]) -> None:
        self._pending_replies.append((reply, self._loop.time()))
        if self._timeout_timer is None:
            self._timeout_timer = self._loop.call_later(ANSWER_SECONDS, self._check_age)

    async def _write(self) -> None:
        with suppress(exceptions.RedisError):  # the reader gets the same error and ends the session
            while True:
                await self._has_unsent.wait()
                self._has_unsent.clear()
                if self._replication is not None:
                    self._unsent.append(self._wait)
                    self._await_reply(self._replication)
                    self._replication = None
                batch, self._unsent = b"".join(self._unsent), []
                await self._connection.send_packed_command(batch, check_health=False)

    async def _read(self) -> None:
        try:
            while True:
                self._resolve(await _read_reply(self._connection))
        except (exceptions.RedisError, IndexError):  # connection lost, or a reply without a request
            self.end(ConnectionLost("the connection was lost"))
        finally:
            await self._connection.disconnect(nowait=True)

    def _resolve(self, reply: Reply | ResponseError) -> None:
        future, _ = self._pending_replies.popleft()
        if future.done():
            return
        if isinstance(reply, ResponseError):
            future.set_exception(reply)
        else:
            future.set_result(reply)

    def _check_age(self) -> None:
        """End the connection if its oldest pending command has timed out."""
        self._timeout_timer = None
        if not self._pending_replies:
            return
        left = self._pending_replies[0][1] + ANSWER_SECONDS - self._loop.time()
        if left <= 0:
            self.end(Timeout("no reply in time"))
        else:
            self._timeout_timer = self._loop.call_later(left, self._check_age)

    def end(self, failure: ConnectionLost) -> None:
        """Close the connection; every pending reply fails with `failure`."""
        self.is_open = False
        if self._timeout_timer is not None:
            self._timeout_timer.cancel()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        if self._replication is not None:
            self._await_reply(self._replication)
        while self._pending_replies:
            future, _ = self._pending_replies.popleft()
            if not future.done():
                future.set_exception(failure)

    async def drain_and_close(self) -> None:
        """Wait for pending replies, then close the connection."""
        if self._pending_replies:
            await asyncio.wait([future for future, _ in self._pending_replies])
        self.end(ConnectionLost("the connection is closed"))
        await asyncio.wait(self._tasks)

    @property
    def pending_replies(self) -> int:
        """Number of pending replies."""
        return len(self._pending_replies)


def _retrieve(future: asyncio.Future[Reply]) -> None:
    """Mark an exception as retrieved: a caller whose command has failed does not wait for replicas any more."""
    if not future.cancelled():
        future.exception()


class RedisConnection:
    """A shared connection that opens on first use, and again after a loss. Operations raise `RedisFailure`."""

    def __init__(self, make: Callable[[], AbstractConnection], run_id: str = "", replicas: int = 0) -> None:
        """`make` makes connections; `run_id` is assumed where the server does not report one.

        `replicas`: how many must have a write of `execute_write` before its reply is given.
        """
        self._make: Final = make
        self._fallback_run_id: Final = run_id
        self._replicas: Final = replicas
        self._session: _Session | None = None
        self._connecting: asyncio.Task[_Session] | None = None

    @staticmethod
    def of(redis: Redis, run_id: str = "", replicas: int = 0) -> RedisConnection:
        """A connection to the server of a client."""
        return RedisConnection(redis.connection_pool.make_connection, run_id, replicas)

    async def execute(self, *arguments: Argument, asking: bool = False) -> Reply:
        """The reply to a command; `asking`: of a key that is being moved here from another node of a cluster."""
        session = await self._open_session()
        if asking:
            session.execute(("ASKING",)).add_done_callback(_retrieve)
        return await session.execute(arguments)

    async def execute_write(self, *arguments: Argument, with_run_id: bool = False, asking: bool = False) -> Reply:
        """The reply to a command that writes, once the replicas have it. Raises `NotReplicated` if they do not in time.

        With `with_run_id`, the run id of the receiving Redis process is appended to the command.
        """
        session = await self._open_session()
        if asking:
            session.execute(("ASKING",)).add_done_callback(_retrieve)
        reply = session.execute((*arguments, session.run_id) if with_run_id else arguments)
        if not self._replicas:
            return await reply
        replication = session.replication()
        found = await reply
        replicas = cast(int, await asyncio.shield(replication))  # others wait for it, too
        if replicas < self._replicas:
            raise NotReplicated(f"{replicas} of {self._replicas} replicas have the write")
        return found

    def run_id_of(self, key: str) -> str:
        """The run id of the Redis process with a key, of any here; empty if it is not known."""
        return "" if self._session is None else self._session.run_id

    async def primaries(self) -> list[RedisConnection]:
        """The connections to all processes that have keys: this one."""
        return [self]

    @property
    def pending_replies(self) -> int:
        """Number of pending replies."""
        return 0 if self._session is None else self._session.pending_replies

    async def _open_session(self) -> _Session:
        session = self._session
        return session if session is not None and session.is_open else await self._connect_once()

    async def _connect_once(self) -> _Session:
        """Open a connection, one for all concurrent callers."""
        if self._connecting is None:
            self._connecting = asyncio.create_task(self._connect(), context=Context())
            self._connecting.add_done_callback(self._set_session)
        return await asyncio.shield(self._connecting)

    def _set_session(self, task: asyncio.Task[_Session]) -> None:
        self._connecting = None
        if not task.cancelled() and task.exception() is None:
            self._session = task.result()

    async def _connect(self) -> _Session:
        connection = self._make()
        # Reads wait between commands, so the age of the oldest command is checked instead.
        connection.socket_timeout = None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.connect()  # type: ignore[no-untyped-call]
                run_id = await _run_id_of(connection) or self._fallback_run_id
                return _Session(connection, run_id, self._replicas)
        except BaseException as error:
            await connection.disconnect(nowait=True)
            if isinstance(error, exceptions.RedisError | TimeoutError):
                raise _not_connected(error) from error
            raise

    async def close(self) -> None:
        """Wait for pending replies, then close the connection."""
        if self._connecting is not None:
            await asyncio.wait([self._connecting])
        if self._session is not None:
            await self._session.drain_and_close()


async def _run_id_of(connection: AbstractConnection) -> str:
    """The run id of the Redis process, which differs after each start; empty if `INFO` is forbidden."""
    await connection.send_command("INFO", "server", check_health=False)
    reply = await _read_reply(connection)
    lines = reply.decode(errors="replace").splitlines() if isinstance(reply, bytes) else []
    return "".join([line.removeprefix(RUN_ID) for line in lines if line.startswith(RUN_ID)])[:MAX_RUN_ID_LENGTH]


async def _read_reply(connection: AbstractConnection) -> Reply | ResponseError:
    """The next reply. Raises redis-py's connection errors."""
    try:
        return cast(Reply, await connection.read_response(disconnect_on_error=False))
    except exceptions.RedisError as error:
        if error.status_code is None and not isinstance(error, exceptions.ResponseError):
            raise
        return ResponseError(_kind(error), error if isinstance(error, exceptions.AskError) else None)


def _kind(error: BaseException) -> str:
    """The code of an error that Redis replied with; else what failed, as `ConnectionRefusedError`."""
    if isinstance(error, exceptions.RedisError) and error.status_code:
        return error.status_code
    if isinstance(error, exceptions.ResponseError):
        return str(error).partition(" ")[0]
    cause = error.__cause__ or error.__context__
    return type(cause if isinstance(cause, OSError) else error).__name__


def _not_connected(error: BaseException) -> ConnectionLost:
    if isinstance(error, TimeoutError | exceptions.TimeoutError):
        return Timeout("no connection in time")
    kind = _kind(error)
    return ConnectionLost(f"no connection could be made: {kind}", kind)


class Subscription:
    """A pub/sub connection; all of its operations raise `ConnectionLost` once it is lost."""

    def __init__(self, pubsub: PubSub, on_message: OnMessage) -> None:
        self._pubsub: Final = pubsub
        self._on_message: Final = on_message
        self._received_any = False

    @staticmethod
    async def open(redis: Redis, on_message: OnMessage) -> Subscription:
        """A new connection, which calls `on_message` while `run` runs."""
        pubsub = redis.pubsub()
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await pubsub.connect()  # type: ignore[no-untyped-call]
                # Else redis-py sends under `asyncio.wait_for`, which in Python 3.11 can swallow a cancellation.
                cast(AbstractConnection, pubsub.connection).socket_timeout = None
        except (exceptions.RedisError, TimeoutError) as error:
            await redis.connection_pool.disconnect(inuse_connections=False)  # a half-open connection is in the pool
            raise _not_connected(error) from error
        return Subscription(pubsub, on_message)

    async def subscribe(self, channels: list[str]) -> None:
        """Subscribe to more channels; Redis confirms each with a message of kind `subscribe`."""
        await self._send(self._pubsub.subscribe(*channels))

    async def unsubscribe(self, channels: list[str]) -> None:
        """Unsubscribe from channels."""
        await self._send(self._pubsub.unsubscribe(*channels))
        for name in channels:  # redis-py forgets them only in messages that `_read` does not let it parse
            self._pubsub.channels.pop(name.encode(), None)
            self._pubsub.pending_unsubscribe_channels.discard(name.encode())

    async def run(self) -> None:
        """Deliver messages until the connection is lost; ping it when it is silent. Raises `ConnectionLost`."""
        reading = asyncio.create_task(self._read())
        is_pinged = False
        try:
            while not reading.done():
                self._received_any = False
                await asyncio.wait([reading], timeout=SILENCE_SECONDS)
                if self._received_any or reading.done():
                    is_pinged = False
                elif is_pinged:
                    raise Timeout("no answer to a ping")
                else:
                    is_pinged = True
                    async with asyncio.timeout(SILENCE_SECONDS):
                        await self._send(self._pubsub.ping())
            await self._send(reading)
        except TimeoutError as error:
            raise Timeout("a ping could not be sent") from error
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _read(self) -> None:
        while True:
            # Not `get_message`, which costs 17 µs a message more: each step of a watched match brings one.
            message = await self._pubsub.parse_response(block=True)
            self._received_any = True
            if isinstance(message, list) and len(message) == 3:
                kind, channel, data = message
                self._on_message(kind.decode(), channel, data if isinstance(data, bytes) else b"")

    async def _send(self, command: Awaitable[object]) -> None:
        try:
            await command
        except exceptions.RedisError as error:
            raise ConnectionLost("the pub/sub connection was lost") from error

    async def close(self) -> None:
        """Close the connection."""
        await self._pubsub.aclose()  # type: ignore[no-untyped-call]
