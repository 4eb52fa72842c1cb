"""One connection to Redis for all who ask: commands leave in the order in which they are asked, answers come so too.

What is asked in the same turn of the event loop is sent in one write. A command is sent whole or not at all, whatever
becomes of its caller, whose answer is then read and dropped: so nobody gets the answer of another. Another connection
hears of what is published.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, TypeAlias, TypeVar, cast

import hiredis

from runtime.redis_url import Address

Word: TypeAlias = bytes | str | int
Reply: TypeAlias = "bytes | int | list[Reply] | None"

CONNECT_SECONDS: Final = 2.0
RUN_ID: Final = "run_id:"
RUN_ID_MOST: Final = 16
"""Digits of a run id that tell processes apart: each match has them in its snapshot."""
ANSWER_SECONDS: Final = 3.0
"""After so long a Redis without an answer is given up: before a gateway that has its usual time gives up the engine."""
SILENCE_SECONDS: Final = 10.0
"""After so long without a word, and again without an answer to a ping, a connection that hears is taken for dead."""

C = TypeVar("C", bound="_Conversation")


class RedisFailure(Exception):
    """Redis did not do what it was asked."""

    @property
    def kind(self) -> str:
        """A word for the log that says what is wrong: never the whole message, which could repeat what was sent."""
        return type(self).__name__


class Unreachable(RedisFailure):
    """There is no answer, or no connection: whether it was done is not known."""


class Silent(Unreachable):
    """It takes what it is asked, and does not answer."""


class NotConnected(Unreachable):
    """No connection could be made, or Redis refused to admit us on it: `kind` is its word, or that of the network."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"no connection could be made: {kind}")
        self._kind: Final = kind

    @property
    def kind(self) -> str:
        return self._kind


class Refused(RedisFailure):
    """Redis answers with an error, and has changed nothing."""

    @property
    def kind(self) -> str:
        """The first word of the error: `OOM`, `NOSCRIPT`, `READONLY`."""
        return str(self).partition(" ")[0]


class Commands(Protocol):
    """Somebody who asks Redis, and gives its answers as they are."""

    @property
    def incarnation(self) -> str:
        """The run id of the Redis process that is connected; empty for none, or one that does not tell."""

    async def ask_here(self, *words: Word) -> Reply:
        """As `ask`, with one more word: the run id of the very process that the command is sent to."""

    async def ask(self, *words: Word) -> Reply:
        """The answer to a command. Raises `RedisFailure`."""

    async def close(self) -> None:
        """Let what was asked be answered, and give up the connection."""


Heard = Callable[[str, bytes, bytes], None]
"""Is told of a kind of message (`message`, `subscribe`), its channel and what it says."""


class News(Protocol):
    """A connection that hears of channels, as long as it stands."""

    async def hear(self, channels: list[str]) -> None:
        """Hear of further channels. Raises `RedisFailure`."""

    async def ignore(self, channels: list[str]) -> None:
        """Hear of channels no more. Raises `RedisFailure`."""

    async def lost(self) -> None:
        """Wait until it stands no more. Raises `RedisFailure`."""

    async def close(self) -> None:
        """Give it up."""


class _Conversation(asyncio.Protocol):
    """What is said over one connection, for as long as it stands."""

    def __init__(self) -> None:
        self._loop: Final = asyncio.get_running_loop()
        self._reader: Final = hiredis.Reader(replyError=Refused)
        self._transport: asyncio.Transport | None = None
        self._unsent: Final[list[bytes]] = []
        self._waiting: Final[deque[tuple[asyncio.Future[Reply], float]]] = deque()
        self._alarm: asyncio.TimerHandle | None = None
        self.stands = True
        self.incarnation = ""
        """The run id of the Redis process at the other end: a connection is one to one process."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    async def learn(self) -> None:
        """Learn which process it is, which is another one after each start of Redis; not where that is forbidden."""
        with suppress(Refused):
            told = cast(bytes, await self.ask(("INFO", "server"))).decode(errors="replace")
            ids = [line.removeprefix(RUN_ID) for line in told.splitlines() if line.startswith(RUN_ID)]
            self.incarnation = "".join(ids)[:RUN_ID_MOST]

    def ask(self, words: tuple[Word, ...]) -> asyncio.Future[Reply]:
        """The answer to come; whoever no longer wants it may cancel it."""
        answer: asyncio.Future[Reply] = self._loop.create_future()
        if not self.stands:
            answer.set_exception(Unreachable("the connection was lost"))
            return answer
        self.say(words)
        self._waiting.append((answer, self._loop.time()))
        if self._alarm is None:
            self._alarm = self._loop.call_later(ANSWER_SECONDS, self._look_at_the_time)
        return answer

    def say(self, words: tuple[Word, ...]) -> None:
        """Send a command, whose answer nobody waits for."""
        if not self._unsent:
            self._loop.call_soon(self._send)
        self._unsent.append(hiredis.pack_command(words))  # type: ignore[arg-type]  # its stub has a tuple of one

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

    def _answer(self, reply: Reply | Refused) -> None:
        answer, _ = self._waiting.popleft()
        if answer.done():
            return
        if isinstance(reply, Refused):
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
            self.end("no answer in time", Silent)
        else:
            self._alarm = self._loop.call_later(left, self._look_at_the_time)

    def connection_lost(self, error: Exception | None) -> None:
        self.end("the connection was lost")

    def end(self, reason: str, kind: type[Unreachable] = Unreachable) -> None:
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
                answer.set_exception(kind(reason))

    @property
    def waiting(self) -> list[asyncio.Future[Reply]]:
        """What is still to be answered."""
        return [answer for answer, _ in self._waiting]


class _Hearing(_Conversation):
    """A connection that hears; of anything, an answer to a ping for example, it is known that it stands."""

    def __init__(self, heard: Heard) -> None:
        super().__init__()
        self._heard: Final = heard
        self.heard_at = self._loop.time()
        self.over: Final[asyncio.Future[str]] = self._loop.create_future()

    async def learn(self) -> None:
        """It only hears."""

    def data_received(self, data: bytes) -> None:
        self.heard_at = self._loop.time()
        super().data_received(data)

    def _answer(self, reply: Reply | Refused) -> None:
        if not isinstance(reply, list):
            super()._answer(reply)
        elif len(reply) == 3 and isinstance(reply[0], bytes) and isinstance(reply[1], bytes):
            self._heard(reply[0].decode(), reply[1], reply[2] if isinstance(reply[2], bytes) else b"")

    def end(self, reason: str, kind: type[Unreachable] = Unreachable) -> None:
        super().end(reason, kind)
        if not self.over.done():
            self.over.set_result(reason)


class Pipe:
    """A connection that is made when it is needed, and again when it was lost; nothing is ever sent twice."""

    def __init__(self, address: Address) -> None:
        self._address: Final = address
        self._conversation: _Conversation | None = None
        self._connecting: asyncio.Task[_Conversation] | None = None

    async def ask(self, *words: Word) -> Reply:
        """The answer to a command. Raises `RedisFailure`."""
        return await (await self._standing()).ask(words)

    async def ask_here(self, *words: Word) -> Reply:
        """As `ask`, with one more word: the run id of the very process that the command is sent to."""
        conversation = await self._standing()
        return await conversation.ask((*words, conversation.incarnation))

    async def _standing(self) -> _Conversation:
        conversation = self._conversation
        return conversation if conversation is not None and conversation.stands else await self._connected()

    @property
    def incarnation(self) -> str:
        """The run id of the Redis process that was connected last; empty for none, or one that does not tell."""
        return "" if self._conversation is None else self._conversation.incarnation

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
        return await _introduced(self._address, _Conversation)

    async def close(self) -> None:
        """Let what was asked be answered, and give up the connection."""
        if self._connecting is not None:
            await asyncio.wait([self._connecting])
        if self._conversation is not None:
            if waiting := self._conversation.waiting:
                await asyncio.wait(waiting)
            self._conversation.end("the store is closed")


class Subscription:
    """What is published on channels, heard on a connection of its own from `opened` on."""

    def __init__(self, hearing: _Hearing) -> None:
        self._hearing: Final = hearing

    @staticmethod
    async def opened(address: Address, heard: Heard) -> Subscription:
        """One that stands, and tells `heard`. Raises `Unreachable`."""
        return Subscription(await _introduced(address, lambda: _Hearing(heard)))

    async def hear(self, channels: list[str]) -> None:
        """Hear of further channels; that it does is told, too."""
        self._hearing.say(("SUBSCRIBE", *channels))

    async def ignore(self, channels: list[str]) -> None:
        """Hear of channels no more."""
        self._hearing.say(("UNSUBSCRIBE", *channels))

    async def lost(self) -> None:
        """Wait until it stands no more; one that has been silent is asked whether it does. Raises `Unreachable`."""
        hearing, asked_at = self._hearing, 0.0
        while not hearing.over.done():
            await asyncio.wait([hearing.over], timeout=SILENCE_SECONDS)
            if asked_at > hearing.heard_at:
                hearing.end("no answer to a ping")
            elif asyncio.get_running_loop().time() - hearing.heard_at >= SILENCE_SECONDS:
                asked_at = asyncio.get_running_loop().time()
                hearing.say(("PING",))
        raise Unreachable(hearing.over.result())

    async def close(self) -> None:
        """Give the connection up."""
        self._hearing.end("it is closed")


async def _introduced(address: Address, make: Callable[[], C]) -> C:
    """A connection that was made, and is to be answered on. Raises `NotConnected` or `Silent`."""
    conversation: C | None = None
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            conversation = await _reached(address, make)
            for words in _introduction(address):
                await conversation.ask(words)
            await conversation.learn()
            return conversation
    except (OSError, RedisFailure) as error:
        if conversation is not None:
            conversation.end("it was refused")
        if isinstance(error, TimeoutError | Silent):
            raise Silent("no connection in time") from error
        raise NotConnected(error.kind if isinstance(error, RedisFailure) else type(error).__name__) from error
    except asyncio.CancelledError:
        if conversation is not None:
            conversation.end("nobody waits for it")
        raise


async def _reached(address: Address, make: Callable[[], C]) -> C:
    loop = asyncio.get_running_loop()
    if address.path:
        return (await loop.create_unix_connection(make, address.path))[1]
    tls = address.tls() if address.tls is not None else None
    return (await loop.create_connection(make, address.host, address.port, ssl=tls))[1]


def _introduction(address: Address) -> list[tuple[Word, ...]]:
    """What is to be said first: who we are, and the database."""
    said: list[tuple[Word, ...]] = []
    if address.password:
        said.append(("AUTH", *([address.username] if address.username else []), address.password))
    if address.database:
        said.append(("SELECT", address.database))
    return said
