"""Benchmark of pictures: SVGs that an engine draws over gRPC in a second of its processor time."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any, Final

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bench.harness.grpc_clients import Call, open_channels, seconds_of_calls
from bench.harness.installed_servers import ServerProcess, running_engine
from bench.harness.results import Goal, Result, compare_rounds
from engine_core.explore import random_below
from engine_core.game import NATURE, Over, Turn
from services.engine.codecs import CODECS, AnyCodec

POSITIONS: Final = 20
"""Positions of one random match with the most seats, evenly spread."""
CALLS_A_POSITION: Final = 10
ROUNDS: Final = 5
UNIT: Final = "calls/CPU s"
WANTED: Final = 200.0
"""Pictures a second that one core is to draw."""
GOAL: Final = Goal(1.0)


def requests(codec: AnyCodec, seed: int) -> list[bytes]:
    """Requests for the picture of seat 0, inline, at positions of a random match."""
    game, random = codec.game, Random(seed)
    state = game.start(game.max_seats, next(iter(game.presets().values())))
    states = []
    while not isinstance(phase := game.phase(state), Over):
        seat = phase.seats[0] if isinstance(phase, Turn) else NATURE
        moves = game.legal_moves(state, seat)
        game.apply(state, seat, moves[random_below(len(moves), random.getrandbits)])
        states.append(codec.write_inline_state(state))
    kind: Any = GetMessageClass(codec.service.methods_by_name["GetPicture"].input_type)
    chosen = states[:: -(-len(states) // POSITIONS)]
    made: list[Message] = [kind(state=codec.messages.state.FromString(data), seat=0) for data in chosen]
    return [request.SerializeToString() for request in made]


async def rates(engine: ServerProcess, codec: AnyCodec) -> list[float]:
    """Calls a second of the engine's processor time, of each round; the first one, which warms up, is left out."""
    method = f"/{codec.service.full_name}/GetPicture"
    found = []
    async with open_channels(engine.port) as clients:
        for seed in range(ROUNDS + 1):
            calls = [Call(request) for request in requests(codec, seed)] * CALLS_A_POSITION
            before = engine.cpu_seconds()
            await seconds_of_calls(clients, method, calls)
            found.append(len(calls) / (engine.cpu_seconds() - before))
    return found[1:]


def measure() -> list[Result]:
    """One row a game."""
    results = []
    with running_engine("") as engine:
        for name, codec in CODECS.items():
            found = asyncio.run(rates(engine, codec))
            results.append(
                compare_rounds(f"{name} pictures as SVG", UNIT, found, "wanted", [WANTED] * len(found), GOAL)
            )
    return results
