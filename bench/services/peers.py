"""Benchmark of processor time a move with every seat following, compared with boardgame.io.

Matches of two seats are played at once and to their ends, over WebSockets, over REST (each seat with a stream of
events), and over gRPC. The time of all servers counts (gateway, engine and Redis; of boardgame.io its one process,
which stores matches in memory), that of the clients does not. Without boardgame.io, which `make bench` installs by
npm, the row is skipped.
"""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio import Barrier
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any, Final, NamedTuple, TypeVar

import grpc
import httpx
import orjson
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import Choice, Join, NewGameRequest, PlayRequest, PlayResponse
from fireside.match.v1.match_pb2 import SeatSpec
from websockets.asyncio.client import connect

from bench.harness.grpc_clients import Call
from bench.harness.installed_servers import ServerProcess, running_engine, running_role
from bench.harness.processes import redis_process, running_process
from bench.harness.results import Goal, Result, compare_rounds
from bench.services.apply import EngineClient
from bench.services.play_streams import PLAY

T = TypeVar("T")

MATCHES: Final = 8
"""Concurrent matches in a round, each played to its end."""
WARM_UP: Final = 2
ROUNDS: Final = 5
UNIT: Final = "us/move"
BASELINE: Final = "boardgame.io"
FOLDER: Final = Path(__file__).parents[1] / "baselines" / "boardgame_io"
MODULES: Final = Path("build/boardgame_io/node_modules")
"""boardgame.io, as npm has installed it."""


class Seat(NamedTuple):
    """A seat of a stored match: its token, and its choices."""

    match_id: str
    token: str
    random: Random

    @property
    def path(self) -> str:
        """Path of the match over REST."""
        return f"/v1/fire-bulls/matches/{self.match_id}"

    @property
    def headers(self) -> dict[str, str]:
        """The header with the token."""
        return {"Authorization": f"Bearer {self.token}"}

    def choose(self, moves: Sequence[dict[str, Any]]) -> str:
        """One of the legal moves, in notation."""
        notation: str = self.random.choice(moves)["notation"]
        return notation


SeatClient = Callable[[Seat, Barrier], Awaitable[int]]
"""Plays a seat to the end of its match, from when all clients have got a first message; the number of its moves."""


def websocket_client(port: int) -> SeatClient:
    """A client that plays and follows over one WebSocket."""

    async def play(seat: Seat, start: Barrier) -> int:
        moves = 0
        url = f"ws://127.0.0.1:{port}{seat.path}/play"
        async with connect(url, additional_headers=seat.headers, compression=None, max_size=None) as socket:
            await socket.send(orjson.dumps({"join": {"fromRevision": 0, "batched": True}}).decode())
            async for text in once_all_are_ready(socket, start):
                message = orjson.loads(text)
                for response in message["batch"]["responses"] if "batch" in message else [message]:
                    if legal := response.get("turn", {}).get("moves"):
                        choice = {"revision": response["turn"]["revision"], "notation": seat.choose(legal)}
                        await socket.send(orjson.dumps({"choice": choice}).decode())
                        moves += 1
        return moves

    return play


def rest_client(port: int) -> SeatClient:
    """A client that posts its moves, each answered with its next turn, and follows by a stream of events."""

    async def play(seat: Seat, start: Barrier) -> int:
        moves = answered = 0
        async with (
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=seat.headers, timeout=None) as client,
            client.stream("GET", f"{seat.path}/events?views=true") as stream,
        ):
            async for kind, event in once_all_are_ready(server_sent_events(stream), start):
                # A turn that the response to a move already had is not answered again.
                legal = event["moves"] if kind == "turn" and event["revision"] > answered else []
                while legal:
                    body = {"notation": seat.choose(legal), "next": True}
                    response = (await client.post(f"{seat.path}/moves", json=body)).raise_for_status().json()
                    answered, legal = response["revision"], response["moves"]
                    moves += 1
        return moves

    return play


async def server_sent_events(stream: httpx.Response) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """The events of a stream: kind, empty for a log entry, and data."""
    kind = ""
    async for line in stream.aiter_lines():
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield kind, orjson.loads(line.removeprefix("data: "))
            kind = ""


def grpc_client(port: int) -> SeatClient:
    """A client that plays and follows over one `Play` stream."""

    async def play(seat: Seat, start: Barrier) -> int:
        moves = 0
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}", [("grpc.use_local_subchannel_pool", 1)]) as channel:
            open_stream: grpc.aio.StreamStreamMultiCallable[PlayRequest, PlayResponse] = channel.stream_stream(
                PLAY, PlayRequest.SerializeToString, PlayResponse.FromString
            )
            stream = open_stream(metadata=Call(b"", seat.token).metadata)
            await stream.write(PlayRequest(join=Join(match_id=seat.match_id, from_revision=0, batched=True)))
            async for message in once_all_are_ready(stream, start):
                for response in message.batch.responses or [message]:
                    if response.turn.moves:
                        move = seat.random.choice(response.turn.moves).move
                        choice = Choice(revision=response.turn.revision, move=move)
                        await stream.write(PlayRequest(choice=choice))
                        moves += 1
        return moves

    return play


async def once_all_are_ready(messages: AsyncIterable[T], start: Barrier) -> AsyncIterator[T]:
    """The messages, the first one when all clients have got theirs."""
    is_first = True
    async for message in messages:
        if is_first:
            await start.wait()
            is_first = False
        yield message


async def new_seats(port: int) -> list[Seat]:
    """The seats of new matches on an engine."""
    seats = []
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        for number in range(MATCHES):
            request = NewGameRequest(seats=[SeatSpec(), SeatSpec()], client_seed=f"bench {number}")
            game = await EngineClient(channel).new_game(request)
            seats += [Seat(game.match_id, seat.token, Random(number)) for seat in game.seats]
    return seats


def cpu_seconds(servers: Sequence[ServerProcess]) -> float:
    """Processor time that servers have used."""
    return sum(server.cpu_seconds() for server in servers)


async def our_cost(servers: Sequence[ServerProcess], port: int, client: SeatClient) -> float:
    """Processor time of all our servers a move, in microseconds, without that of joining. `port` is the engine's."""
    seats = await new_seats(port)
    start = Barrier(len(seats) + 1)
    async with asyncio.TaskGroup() as group:
        playing = [group.create_task(_play_seat(client, seat, start)) for seat in seats]
        await start.wait()
        before = cpu_seconds(servers)
    return (cpu_seconds(servers) - before) * 1e6 / sum(task.result() for task in playing)


async def _play_seat(client: SeatClient, seat: Seat, start: Barrier) -> int:
    return await client(seat, start)


@contextmanager
def boardgame_io() -> Iterator[ServerProcess]:
    """Run the server with boardgame.io."""
    with running_process(["node", FOLDER / "server.cjs"], node_environment()) as running:
        assert running.stdout is not None
        yield ServerProcess(int(running.stdout.readline()), running.pid)


def node_environment() -> dict[str, str]:
    """The environment of a program that uses boardgame.io."""
    return {**os.environ, "NODE_PATH": str(MODULES.absolute()), "NODE_ENV": "production"}


class Players(NamedTuple):
    """The process with all clients of boardgame.io."""

    writer: asyncio.StreamWriter
    reader: asyncio.StreamReader

    async def step(self) -> int:
        """Let them connect to new matches, or play these to their ends; the number of moves."""
        self.writer.write(b"\n")
        return int(await self.reader.readline())

    async def cost(self, server: ServerProcess) -> float:
        """Processor time of the server a move, in microseconds, without that of connecting."""
        await self.step()
        before = server.cpu_seconds()
        moves = await self.step()
        return (server.cpu_seconds() - before) * 1e6 / moves


@asynccontextmanager
async def running_players(server: ServerProcess) -> AsyncIterator[Players]:
    """Run the clients of boardgame.io."""
    command = ["node", str(FOLDER / "players.cjs"), str(server.port), str(MATCHES)]
    running = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=node_environment())
    try:
        assert running.stdin is not None
        assert running.stdout is not None
        yield Players(running.stdin, running.stdout)
    finally:
        running.terminate()
        await running.wait()


async def measure_rounds(gateway: ServerProcess, serving: ServerProcess, redis: ServerProcess) -> list[list[float]]:
    """The costs of WebSockets, REST, gRPC and boardgame.io in each round; they take turns."""
    servers = [gateway, serving, redis]
    clients = [websocket_client(gateway.port), rest_client(gateway.port), grpc_client(serving.port)]
    with boardgame_io() as theirs:
        async with running_players(theirs) as their_players:
            return [
                [
                    *[await our_cost(servers, serving.port, client) for client in clients],
                    await their_players.cost(theirs),
                ]
                for _ in range(WARM_UP + ROUNDS)
            ][WARM_UP:]


def measure() -> list[Result]:
    """Three rows: WebSockets, REST and gRPC; none without boardgame.io."""
    if not MODULES.is_dir():
        print("bench: peers is skipped: there is no boardgame.io, which npm installs from a registry", file=sys.stderr)
        return []
    with (
        redis_process() as (url, redis_pid),
        running_engine(url) as serving,
        running_role("gateway", FIRESIDE_ENGINE_ADDRESS=f"127.0.0.1:{serving.port}") as gateway,
    ):
        measured = asyncio.run(measure_rounds(gateway, serving, ServerProcess(0, redis_pid)))
    *ours, theirs = zip(*measured, strict=True)
    ways = [("a WebSocket", Goal(2.0, True)), ("POST and events", Goal(3.0, True)), ("gRPC Play", Goal(1.1, True))]
    return [
        compare_rounds(f"processor time of a followed move, {way}", UNIT, costs, BASELINE, theirs, goal)
        for (way, goal), costs in zip(ways, ours, strict=True)
    ]
