"""Benchmark of Apply calls a second over gRPC, on inline states and on stored matches, compared with an echo server.

The echo server is of the same kind, has the same clients, and returns as many bytes. For stored matches it makes one
read and one write on the same Redis in every call. So the ratio shows what rules, codec and store cost on top of a
call that does nothing.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random

import grpc
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import (
    ApplyRequest,
    ApplyResponse,
    LegalMovesRequest,
    LegalMovesResponse,
    NewGameRequest,
    NewGameResponse,
)
from fireside.match.v1.match_pb2 import SeatSpec

from bench.baselines.echo import ECHO_METHOD
from bench.harness.grpc_clients import Call, open_channels, seconds_of_calls
from bench.harness.installed_servers import running_engine
from bench.harness.processes import redis_server, run_server
from bench.harness.results import Goal, Result, compare_rounds

SERVICE = "/fireside.fire_bulls.v1.FireBullsService"
APPLY = f"{SERVICE}/Apply"

SERVER_PAIRS = 5
"""Pairs of an engine and an echo server, started anew: the speed of one program varies by 3 % between its starts."""
ROUNDS_A_PAIR = 25
ROUNDS = 35
CALLS = 200
"""Calls in a round, and number of stored matches: one move is made in each match in each round."""
WARM_UP_ROUNDS = 1
UNIT = "calls/s"

GOAL = Goal(0.8)

SERVER_KIND = "aio"
"""The kind of echo server to compare with: an engine is an asyncio server too."""


@dataclass(frozen=True)
class EngineClient:
    """Client of an engine, for the calls that prepare a measurement."""

    channel: grpc.aio.Channel

    async def new_game(self, request: NewGameRequest) -> NewGameResponse:
        """Call `NewGame`, for a stored match or an inline state."""
        call: grpc.aio.UnaryUnaryMultiCallable[NewGameRequest, NewGameResponse] = self.channel.unary_unary(
            f"{SERVICE}/NewGame", NewGameRequest.SerializeToString, NewGameResponse.FromString
        )
        return await call(request)

    async def legal_moves(self, request: LegalMovesRequest, token: str = "") -> LegalMovesResponse:
        """Call `LegalMoves`."""
        call: grpc.aio.UnaryUnaryMultiCallable[LegalMovesRequest, LegalMovesResponse] = self.channel.unary_unary(
            f"{SERVICE}/LegalMoves", LegalMovesRequest.SerializeToString, LegalMovesResponse.FromString
        )
        return await call(request, metadata=Call(b"", token).metadata)

    async def apply(self, call: Call) -> ApplyResponse:
        """Call `Apply`."""
        apply: grpc.aio.UnaryUnaryMultiCallable[bytes, ApplyResponse] = self.channel.unary_unary(
            APPLY, None, ApplyResponse.FromString
        )
        return await apply(call.request, metadata=call.metadata)


@dataclass
class StoredMatch:
    """A stored match with two seats, played at random; when it is over, a new one is begun."""

    engine: EngineClient
    random: Random
    match_id: str = ""
    tokens: tuple[str, ...] = ()

    async def call(self) -> Call:
        """The next Apply call, by the seat that is to move."""
        for token in self.tokens:
            legal = await self.engine.legal_moves(LegalMovesRequest(match_id=self.match_id), token)
            if legal.moves:
                move = self.random.choice(legal.moves).move
                return Call(ApplyRequest(match_id=self.match_id, move=move).SerializeToString(), token)
        await self._new_match()
        return await self.call()

    async def _new_match(self) -> None:
        game = await self.engine.new_game(NewGameRequest(seats=[SeatSpec(), SeatSpec()]))
        self.match_id, self.tokens = game.match_id, tuple([seat.token for seat in game.seats])


@dataclass(frozen=True)
class Rates:
    """Calls a second in one round."""

    ours: float
    echo: float


@contextmanager
def running_echo(size: int, url: str = "") -> Iterator[int]:
    """Run an echo server that returns `size` bytes; its port."""
    with run_server([sys.executable, "-m", "bench.baselines.echo", SERVER_KIND, str(size), url]) as port:
        yield port


async def inline_call(port: int) -> Call:
    """A first move on an inline state. It can be repeated as it is, since the engine stores nothing."""
    async with open_channels(port, 1) as (channel,):
        preparing = EngineClient(channel)
        game = await preparing.new_game(NewGameRequest(seats=[SeatSpec(), SeatSpec()], ephemeral=True))
        seat = game.match.to_move[0]
        legal = await preparing.legal_moves(LegalMovesRequest(state=game.state, seat=seat))
    request = ApplyRequest(state=game.state, seat=seat, move=legal.moves[0].move, seed="bench")
    return Call(request.SerializeToString())


async def response_size(port: int, call: Call) -> int:
    """Bytes of the response to a call."""
    async with open_channels(port, 1) as (channel,):
        return (await EngineClient(channel).apply(call)).ByteSize()


async def inline_rounds(port: int, echo_port: int, call: Call) -> list[Rates]:
    """Rates of the engine and the echo server, which take turns."""
    calls = [call] * CALLS
    async with open_channels(port) as ours, open_channels(echo_port) as theirs:
        return [
            Rates(
                CALLS / await seconds_of_calls(ours, APPLY, calls),
                CALLS / await seconds_of_calls(theirs, ECHO_METHOD, calls),
            )
            for _ in range(WARM_UP_ROUNDS + ROUNDS_A_PAIR)
        ][WARM_UP_ROUNDS:]


async def stored_rounds(port: int, echo_port: int) -> list[Rates]:
    """Rates of the engine and the echo server, which take turns; preparing the moves is not timed."""
    async with open_channels(port) as ours, open_channels(echo_port) as theirs:
        matches = [StoredMatch(EngineClient(ours[number % len(ours)]), Random(number)) for number in range(CALLS)]
        rounds = []
        for _ in range(WARM_UP_ROUNDS + ROUNDS):
            calls = list(await asyncio.gather(*[match.call() for match in matches]))
            rate = CALLS / await seconds_of_calls(ours, APPLY, calls)
            rounds.append(Rates(rate, CALLS / await seconds_of_calls(theirs, ECHO_METHOD, calls)))
        return rounds[WARM_UP_ROUNDS:]


async def stored_response_size(port: int) -> int:
    """Bytes of the response to a first move in a stored match, which serves as the typical size."""
    async with open_channels(port, 1) as (channel,):
        call = await StoredMatch(EngineClient(channel), Random(0)).call()
    return await response_size(port, call)


def rates_result(name: str, baseline: str, rounds: list[Rates]) -> Result:
    """The result of all rounds."""
    return compare_rounds(name, UNIT, [rate.ours for rate in rounds], baseline, [rate.echo for rate in rounds], GOAL)


def inline_pair() -> list[Rates]:
    """Start an engine and an echo server, and measure their rounds."""
    with redis_server() as url, running_engine(url) as serving:
        call = asyncio.run(inline_call(serving.port))
        with running_echo(asyncio.run(response_size(serving.port, call))) as echo_port:
            return asyncio.run(inline_rounds(serving.port, echo_port, call))


def measure() -> list[Result]:
    """Two rows: inline state and stored match."""
    inline = [rates for _ in range(SERVER_PAIRS) for rates in inline_pair()]
    with redis_server() as url, running_engine(url) as serving:
        port = serving.port
        with running_echo(asyncio.run(stored_response_size(port)), url) as echo_port:
            stored = asyncio.run(stored_rounds(port, echo_port))
    return [
        rates_result("fire_bulls Apply, inline state", f"echo ({SERVER_KIND})", inline),
        rates_result("fire_bulls Apply, stored match", f"echo ({SERVER_KIND}), Redis get and set", stored),
    ]
