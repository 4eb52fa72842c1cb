"""Misbehaving clients, to find leaks: each function abandons a call, a stream, a connection or a match in one way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from random import Random

import grpc

from services.engine.codecs import CODECS
from tests.services.client import Refusal
from tests.services.registry import GameClient, GameTable
from tests.soak.parts import Command
from tests.soak.streams import connected, place, play, play_request, watch

CLOCK_SECONDS = 1
WHOLE = 25
"""One match in 25 is played to its end."""


class House:
    """An engine and a gateway of it, with a connection to the engine."""

    def __init__(self, engine: Command, gateway: Command) -> None:
        self.engine = engine
        self.gateway = gateway
        self.channel = grpc.aio.insecure_channel(engine.address)
        self.game_clients = [GameClient(self.channel, codec) for codec in CODECS.values()]
        self.counts: Counter[str] = Counter()

    async def close(self) -> None:
        await self.channel.close()

    async def receive(self, numbers: range, at_once: int = 24) -> None:
        """Let clients with these numbers come, `at_once` concurrently."""
        waiting = iter(numbers)
        await asyncio.gather(*[self._receive_each(waiting) for _ in range(at_once)])

    async def _receive_each(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            await self.visit(number)

    async def visit(self, number: int) -> None:
        """Begin a match, misbehave twice, and end or abandon the match."""
        game_client = self.game_clients[number % len(self.game_clients)]
        random = Random(number)
        end = played if number % WHOLE == 0 else ENDS[number // len(self.game_clients) % len(ENDS)]
        table = await (game_client.begin(clock={"move_seconds": CLOCK_SECONDS}) if end is left else game_client.begin())
        for turn in range(2):
            rudeness = RUDE[(2 * number + turn + number // len(RUDE)) % len(RUDE)]
            await rudeness(self, table)
            self.counts[rudeness.__name__] += 1
        await end(table, random)
        self.counts[end.__name__] += 1


async def let_be(table: GameTable, random: Random) -> None:
    await table.play(random, 2)


async def left(table: GameTable, random: Random) -> None:
    for token in table.tokens[1:]:
        await table.call("Leave", token)


async def played(table: GameTable, random: Random) -> None:
    await table.play(random)


async def dropped_watch(house: House, table: GameTable) -> None:
    """Cancel a watch after its first event."""
    call = watch(house.channel, table.game_client.codec, table.match_id, 0, table.tokens[0])
    await call.read()
    call.cancel()


async def unheard_watch(house: House, table: GameTable) -> None:
    """Cancel a watch before it is accepted."""
    call = watch(house.channel, table.game_client.codec, table.match_id)
    await asyncio.sleep(0)
    call.cancel()


async def reset_channel(house: House, table: GameTable) -> None:
    """Close the channel of a watch."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(house.engine.address, options=options) as channel:
        await watch(channel, table.game_client.codec, table.match_id).read()


async def dropped_seat(house: House, table: GameTable) -> None:
    """Join a `Play` stream and cancel it."""
    call = play(house.channel, table.game_client.codec, table.tokens[0])
    await call.write(play_request(table.game_client.codec, join={"match_id": table.match_id, "from_revision": 0}))
    await call.read()
    call.cancel()


async def silent_seat(house: House, table: GameTable) -> None:
    """Open a `Play` stream and never join."""
    call = play(house.channel, table.game_client.codec, table.tokens[0])
    await asyncio.sleep(0.01)
    call.cancel()


async def failed_join(house: House, table: GameTable) -> None:
    """Join with an invalid token."""
    call = play(house.channel, table.game_client.codec, "nobody")
    await call.write(play_request(table.game_client.codec, join={"match_id": table.match_id}))
    await _refused(call.read())


async def failed_watches(house: House, table: GameTable) -> None:
    """Watch from a revision that is not reached or negative, and an unknown match."""
    for match_id, after in ((table.match_id, 9999), ("nothing", 0), (table.match_id, -1)):
        await _refused(watch(house.channel, table.game_client.codec, match_id, after).read())


async def failed_calls(house: House, table: GameTable) -> None:
    """Apply without a token, with an invalid token, and with a move that does not exist."""
    for token, notation in (("", "x"), ("nobody", "x"), (table.tokens[0], "x")):
        try:
            await table.call("Apply", token, notation=notation)
        except Refusal:
            continue
        raise AssertionError("a move that there is not was made")


async def _refused(answer: Awaitable[object]) -> None:
    try:
        await answer
    except grpc.aio.AioRpcError:
        return
    raise AssertionError("what cannot be was answered")


async def dropped_events(house: House, table: GameTable) -> None:
    """Reset the connection of server-sent events after the first event."""
    path = f"{place(table.game_client.codec, table.match_id)}/events"
    await _cut(house, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n", until=b"id: 1\n")


async def unheard_events(house: House, table: GameTable) -> None:
    """Reset the connection of server-sent events before the response."""
    path = f"{place(table.game_client.codec, table.match_id)}/events"
    await _cut(house, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")


async def half_a_request(house: House, table: GameTable) -> None:
    """Reset the connection within the body of a request."""
    head = f"POST {place(table.game_client.codec)} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
    await _cut(house, head + '{"seats": [')


async def unheard_answer(house: House, table: GameTable) -> None:
    """Reset the connection before the response."""
    head = f"GET {place(table.game_client.codec, table.match_id)}/history HTTP/1.1\r\nHost: x\r\n\r\n"
    await _cut(house, head)


async def strange_token(house: House, table: GameTable) -> None:
    """Read the refusal of an invalid token, then reset the connection."""
    path = f"{place(table.game_client.codec, table.match_id)}/events"
    await _cut(house, f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\n\r\n", until=b"}")


async def _cut(house: House, text: str, until: bytes = b"") -> None:
    """Send a request, read up to `until`, and reset the connection."""
    with connected(house.gateway.port) as connection:
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(connection, text.encode())
        heard = b""
        async with asyncio.timeout(30):
            while until not in heard:
                heard += (data := await loop.sock_recv(connection, 1 << 14))
                assert data, heard


RUDE: tuple[Callable[[House, GameTable], Coroutine[None, None, None]], ...] = (
    dropped_watch,
    unheard_watch,
    reset_channel,
    dropped_seat,
    silent_seat,
    failed_join,
    failed_watches,
    failed_calls,
    dropped_events,
    unheard_events,
    half_a_request,
    unheard_answer,
    strange_token,
)
ENDS: tuple[Callable[[GameTable, Random], Coroutine[None, None, None]], ...] = (let_be, left)
