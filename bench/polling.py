"""Benchmark of moves a second in stored matches: `Play` streams, compared with unary calls that poll `LegalMoves`.

Each seat is a separate client, which learns of the others' moves only from the service. A polling client repeats its
call at once or after a pause, whichever of `PAUSES` is faster in a round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from time import perf_counter

import grpc
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import (
    ApplyRequest,
    Choice,
    Join,
    LegalMovesRequest,
    NewGameRequest,
    PlayRequest,
    PlayResponse,
)
from fireside.match.v1.match_pb2 import SeatSpec

from bench.apply import SERVICE, Engine
from bench.load import Call, channels
from bench.processes import redis_server
from bench.results import Goal, Result, compared
from bench.serving import engine

PLAY = f"{SERVICE}/Play"
MATCHES = 3
"""Concurrent matches in a round, each played to its end."""
ROUNDS = 7
PAUSES = (0.0, 0.005)
GOAL = Goal(3.0)
UNIT = "moves/s"


class Table:
    """A match, and the number of moves that seats have made in it."""

    def __init__(self, match_id: str, tokens: list[str]) -> None:
        self.match_id = match_id
        self.tokens = tokens
        self.made = 0
        self.done = asyncio.Event()


Seat = Callable[[grpc.aio.Channel, Table, str, Random], Coroutine[None, None, None]]


async def streaming(channel: grpc.aio.Channel, table: Table, token: str, random: Random) -> None:
    """Play a seat over a `Play` stream: answer each turn that is received."""
    open_stream: grpc.aio.StreamStreamMultiCallable[PlayRequest, PlayResponse] = channel.stream_stream(
        PLAY, PlayRequest.SerializeToString, PlayResponse.FromString
    )
    stream = open_stream(metadata=Call(b"", token).metadata)
    await stream.write(PlayRequest(join=Join(match_id=table.match_id)))
    async for said in stream:
        if said.WhichOneof("message") == "over":
            break
        if said.WhichOneof("message") == "turn":
            choice = Choice(revision=said.turn.match.revision, move=random.choice(said.turn.moves).move)
            await stream.write(PlayRequest(choice=choice))
            table.made += 1
    table.done.set()
    stream.cancel()


def asking(pause: float) -> Seat:
    """A seat that polls `LegalMoves` until there are moves, and makes one of them."""

    async def seat(channel: grpc.aio.Channel, table: Table, token: str, random: Random) -> None:
        calls = Engine(channel)
        while not table.done.is_set():
            legal = await calls.legal_moves(LegalMovesRequest(match_id=table.match_id), token)
            if not legal.moves:
                await asyncio.sleep(pause)
                continue
            move = random.choice(legal.moves).move
            answer = await calls.answer(
                Call(ApplyRequest(match_id=table.match_id, move=move).SerializeToString(), token)
            )
            table.made += 1
            if answer.match.over:
                table.done.set()

    return seat


async def opened(channel: grpc.aio.Channel, number: int) -> Table:
    """A new match of two seats; its client seed is the same for every kind of client."""
    seed = f"bench {number}"
    game = await Engine(channel).new_game(NewGameRequest(seats=[SeatSpec(), SeatSpec()], client_seed=seed))
    return Table(game.match_id, [seat.token for seat in game.seats])


async def rate(port: int, seat: Seat) -> float:
    """Moves a second in all matches together."""
    async with channels(port, 2 * MATCHES) as clients:
        tables = [await opened(clients[0], number) for number in range(MATCHES)]
        start = perf_counter()
        playing: list[asyncio.Task[None]] = [
            asyncio.create_task(seat(clients[2 * number + side], table, token, Random(2 * number + side)))
            for number, table in enumerate(tables)
            for side, token in enumerate(table.tokens)
        ]
        await asyncio.gather(*[table.done.wait() for table in tables])
        elapsed = perf_counter() - start
        made = sum(table.made for table in tables)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return made / elapsed


async def rounds(port: int) -> list[list[float]]:
    """Measure each kind of client in turn."""
    kinds = [streaming, *[asking(pause) for pause in PAUSES]]
    await rate(port, streaming)
    return [[await rate(port, kind) for kind in kinds] for _ in range(ROUNDS)]


def measure() -> list[Result]:
    """One row, compared with the faster of the polling clients."""
    with redis_server() as url, engine(url) as serving:
        streamed, *polled = zip(*asyncio.run(rounds(serving.port)), strict=True)
    best = [max(rates) for rates in zip(*polled, strict=True)]
    return [compared("fire_bulls Play stream", UNIT, streamed, "Apply, and LegalMoves by polling", best, GOAL)]
