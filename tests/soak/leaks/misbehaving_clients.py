"""Misbehaving clients, to find leaks: each function abandons a call, a stream, a connection or a match in one way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from random import Random

import grpc

from services.engine.codecs import CODECS
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver
from tests.soak.killable_stack import CommandProcess
from tests.soak.streams import matches_path, open_play, play_request, resetting_connection, watch_events

CLOCK_SECONDS = 1
PLAYED_TO_END_EVERY = 25
"""One match in 25 is played to its end."""


class EngineAndGateway:
    """An engine and a gateway of it, with a connection to the engine."""

    def __init__(self, engine: CommandProcess, gateway: CommandProcess) -> None:
        self.engine = engine
        self.gateway = gateway
        self.channel = grpc.aio.insecure_channel(engine.address)
        self.game_clients = [GameClient(self.channel, codec) for codec in CODECS.values()]
        self.counts: Counter[str] = Counter()

    async def close(self) -> None:
        await self.channel.close()

    async def run_clients(self, numbers: range, concurrency: int = 24) -> None:
        """Run the clients with these numbers, `concurrency` at a time."""
        waiting = iter(numbers)
        await asyncio.gather(*[self._run_next_clients(waiting) for _ in range(concurrency)])

    async def _run_next_clients(self, numbers: Iterator[int]) -> None:
        for number in numbers:
            await self.misbehave(number)

    async def misbehave(self, number: int) -> None:
        """Begin a match, misbehave twice, and end or abandon the match."""
        game_client = self.game_clients[number % len(self.game_clients)]
        random = Random(number)
        end = (
            play_to_end
            if number % PLAYED_TO_END_EVERY == 0
            else MATCH_ENDS[number // len(self.game_clients) % len(MATCH_ENDS)]
        )
        driver = await (
            game_client.begin(clock={"move_seconds": CLOCK_SECONDS})
            if end is leave_all_but_one
            else game_client.begin()
        )
        for turn in range(2):
            misbehaviour = MISBEHAVIOURS[(2 * number + turn + number // len(MISBEHAVIOURS)) % len(MISBEHAVIOURS)]
            await misbehaviour(self, driver)
            self.counts[misbehaviour.__name__] += 1
        await end(driver, random)
        self.counts[end.__name__] += 1


async def abandon_match(driver: MatchDriver, random: Random) -> None:
    await driver.play(random, 2)


async def leave_all_but_one(driver: MatchDriver, random: Random) -> None:
    for token in driver.tokens[1:]:
        await driver.call("Leave", token)


async def play_to_end(driver: MatchDriver, random: Random) -> None:
    await driver.play(random)


async def cancel_watch_after_event(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Cancel a watch after its first event."""
    call = watch_events(target.channel, driver.game_client.codec, driver.match_id, 0, driver.tokens[0])
    await call.read()
    call.cancel()


async def cancel_watch_before_acceptance(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Cancel a watch before it is accepted."""
    call = watch_events(target.channel, driver.game_client.codec, driver.match_id)
    await asyncio.sleep(0)
    call.cancel()


async def close_channel_of_watch(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Close the channel of a watch."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(target.engine.address, options=options) as channel:
        await watch_events(channel, driver.game_client.codec, driver.match_id).read()


async def cancel_play_after_join(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Join a `Play` stream and cancel it."""
    call = open_play(target.channel, driver.game_client.codec, driver.tokens[0])
    await call.write(play_request(driver.game_client.codec, join={"match_id": driver.match_id, "from_revision": 0}))
    await call.read()
    call.cancel()


async def open_play_without_join(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Open a `Play` stream and never join."""
    call = open_play(target.channel, driver.game_client.codec, driver.tokens[0])
    await asyncio.sleep(0.01)
    call.cancel()


async def join_with_invalid_token(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Join with an invalid token."""
    call = open_play(target.channel, driver.game_client.codec, "nobody")
    await call.write(play_request(driver.game_client.codec, join={"match_id": driver.match_id}))
    await _expect_refusal(call.read())


async def watch_invalid_revisions(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Watch from a revision that is not reached or negative, and an unknown match."""
    for match_id, after in ((driver.match_id, 9999), ("nothing", 0), (driver.match_id, -1)):
        await _expect_refusal(watch_events(target.channel, driver.game_client.codec, match_id, after).read())


async def make_invalid_moves(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Apply without a token, with an invalid token, and with a move that does not exist."""
    for token, notation in (("", "x"), ("nobody", "x"), (driver.tokens[0], "x")):
        try:
            await driver.call("Apply", token, notation=notation)
        except Refusal:
            continue
        raise AssertionError("an illegal move was made")


async def _expect_refusal(response: Awaitable[object]) -> None:
    try:
        await response
    except grpc.aio.AioRpcError:
        return
    raise AssertionError("an invalid call got a response")


async def reset_events_after_first(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Reset the connection of server-sent events after the first event."""
    path = f"{matches_path(driver.game_client.codec, driver.match_id)}/events"
    await _send_and_reset(target, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n", until=b"id: 1\n")


async def reset_events_before_response(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Reset the connection of server-sent events before the response."""
    path = f"{matches_path(driver.game_client.codec, driver.match_id)}/events"
    await _send_and_reset(target, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n")


async def reset_within_body(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Reset the connection within the body of a request."""
    head = f"POST {matches_path(driver.game_client.codec)} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n"
    await _send_and_reset(target, head + '{"seats": [')


async def reset_before_response(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Reset the connection before the response."""
    head = f"GET {matches_path(driver.game_client.codec, driver.match_id)}/history HTTP/1.1\r\nHost: x\r\n\r\n"
    await _send_and_reset(target, head)


async def reset_after_refusal(target: EngineAndGateway, driver: MatchDriver) -> None:
    """Read the refusal of an invalid token, then reset the connection."""
    path = f"{matches_path(driver.game_client.codec, driver.match_id)}/events"
    await _send_and_reset(target, f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\n\r\n", until=b"}")


async def _send_and_reset(target: EngineAndGateway, text: str, until: bytes = b"") -> None:
    """Send a request, read up to `until`, and reset the connection."""
    with resetting_connection(target.gateway.port) as connection:
        connection.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(connection, text.encode())
        received = b""
        async with asyncio.timeout(30):
            while until not in received:
                received += (data := await loop.sock_recv(connection, 1 << 14))
                assert data, received


MISBEHAVIOURS: tuple[Callable[[EngineAndGateway, MatchDriver], Coroutine[None, None, None]], ...] = (
    cancel_watch_after_event,
    cancel_watch_before_acceptance,
    close_channel_of_watch,
    cancel_play_after_join,
    open_play_without_join,
    join_with_invalid_token,
    watch_invalid_revisions,
    make_invalid_moves,
    reset_events_after_first,
    reset_events_before_response,
    reset_within_body,
    reset_before_response,
    reset_after_refusal,
)
MATCH_ENDS: tuple[Callable[[MatchDriver, Random], Coroutine[None, None, None]], ...] = (
    abandon_match,
    leave_all_but_one,
)
