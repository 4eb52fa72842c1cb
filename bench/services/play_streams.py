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

from bench.harness.grpc_clients import Call, open_channels
from bench.harness.installed_servers import running_engine
from bench.harness.processes import redis_server
from bench.harness.results import Goal, Result, compare_rounds
from bench.services.apply import SERVICE, EngineClient

PLAY = f"{SERVICE}/Play"
MATCHES = 3
"""Concurrent matches in a round, each played to its end."""
ROUNDS = 7
POLL_PAUSES_SECONDS = (0.0, 0.005)
GOAL = Goal(3.0)
UNIT = "moves/s"


class CountedMatch:
    """A match, and the number of moves that seats have made in it."""

    def __init__(self, match_id: str, tokens: list[str]) -> None:
        self.match_id = match_id
        self.tokens = tokens
        self.moves_made = 0
        self.is_over = asyncio.Event()


SeatClient = Callable[[grpc.aio.Channel, CountedMatch, str, Random], Coroutine[None, None, None]]


async def streaming_seat(channel: grpc.aio.Channel, match: CountedMatch, token: str, random: Random) -> None:
    """Play a seat over a `Play` stream: answer each turn that is received."""
    open_stream: grpc.aio.StreamStreamMultiCallable[PlayRequest, PlayResponse] = channel.stream_stream(
        PLAY, PlayRequest.SerializeToString, PlayResponse.FromString
    )
    stream = open_stream(metadata=Call(b"", token).metadata)
    await stream.write(PlayRequest(join=Join(match_id=match.match_id)))
    async for response in stream:
        if response.WhichOneof("message") == "over":
            break
        if response.WhichOneof("message") == "turn":
            choice = Choice(revision=response.turn.match.revision, move=random.choice(response.turn.moves).move)
            await stream.write(PlayRequest(choice=choice))
            match.moves_made += 1
    match.is_over.set()
    stream.cancel()


def polling_seat(pause: float) -> SeatClient:
    """A seat that polls `LegalMoves` until there are moves, and makes one of them."""

    async def seat_client(channel: grpc.aio.Channel, match: CountedMatch, token: str, random: Random) -> None:
        calls = EngineClient(channel)
        while not match.is_over.is_set():
            legal = await calls.legal_moves(LegalMovesRequest(match_id=match.match_id), token)
            if not legal.moves:
                await asyncio.sleep(pause)
                continue
            move = random.choice(legal.moves).move
            response = await calls.apply(
                Call(ApplyRequest(match_id=match.match_id, move=move).SerializeToString(), token)
            )
            match.moves_made += 1
            if response.match.over:
                match.is_over.set()

    return seat_client


async def new_match(channel: grpc.aio.Channel, number: int) -> CountedMatch:
    """A new match of two seats; its client seed is the same for every kind of client."""
    seed = f"bench {number}"
    game = await EngineClient(channel).new_game(NewGameRequest(seats=[SeatSpec(), SeatSpec()], client_seed=seed))
    return CountedMatch(game.match_id, [seat.token for seat in game.seats])


async def move_rate(port: int, seat_client: SeatClient) -> float:
    """Moves a second in all matches together."""
    async with open_channels(port, 2 * MATCHES) as clients:
        matches = [await new_match(clients[0], number) for number in range(MATCHES)]
        start = perf_counter()
        playing: list[asyncio.Task[None]] = [
            asyncio.create_task(seat_client(clients[2 * number + side], match, token, Random(2 * number + side)))
            for number, match in enumerate(matches)
            for side, token in enumerate(match.tokens)
        ]
        await asyncio.gather(*[match.is_over.wait() for match in matches])
        elapsed = perf_counter() - start
        moves_made = sum(match.moves_made for match in matches)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return moves_made / elapsed


async def measure_rounds(port: int) -> list[list[float]]:
    """Measure each kind of client in turn."""
    kinds = [streaming_seat, *[polling_seat(pause) for pause in POLL_PAUSES_SECONDS]]
    await move_rate(port, streaming_seat)
    return [[await move_rate(port, kind) for kind in kinds] for _ in range(ROUNDS)]


def measure() -> list[Result]:
    """One row, compared with the faster of the polling clients."""
    with redis_server() as url, running_engine(url) as serving:
        streamed, *polled = zip(*asyncio.run(measure_rounds(serving.port)), strict=True)
    best = [max(rates) for rates in zip(*polled, strict=True)]
    return [compare_rounds("fire_bulls Play stream", UNIT, streamed, "Apply, and LegalMoves by polling", best, GOAL)]
