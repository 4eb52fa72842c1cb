"""Corpus of stored matches: Redis contents that later versions must be able to read and continue.

`python -m tests.services.stored` writes the files that are missing, by a real engine. Existing files are never
written again: when the stored format changes, new files get another name, and the old ones stay.
"""

from __future__ import annotations

import asyncio
import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias, cast

import grpc
from fireside.match.v1.match_pb2 import Clock, SeatSpec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from redis.asyncio import Redis

from engine_core.game import NATURE
from engine_core.match import AnyMatch, Match
from services.engine.codecs import CODECS_BY_VERSION, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from tests.conformance.game_setups import random_choice
from tests.redis_clients import keys_of, redis_at
from tests.redis_server import redis_server
from tests.services.registry import GameClient, MatchDriver, field

STORED_FOLDER = Path(__file__).parents[1] / "data" / "stored"
CENTURY_SECONDS = 100 * 365 * 24 * 60 * 60
WEEK_SECONDS = 7 * 24 * 60 * 60
STORED_REQUEST_ID = "kept"

DumpedValue: TypeAlias = str | dict[str, str] | list[list[str]]
DumpedKeys: TypeAlias = dict[str, DumpedValue]


@dataclass(frozen=True)
class PlannedMatch:
    """A match of the corpus: its seats, the number of moves played, and its options."""

    seat_count: int
    moves: int
    clock: Clock | None = None
    private: bool = False
    leaves: bool = False
    hosted: bool = False


def planned_matches(codec: AnyCodec) -> list[PlannedMatch]:
    """Matches at their start, in play and over, small and large, with every stored extra; one waits for its bot."""
    least, most = codec.game.min_seats, codec.game.max_seats
    return [
        PlannedMatch(least, 0),
        PlannedMatch(most, 9),
        PlannedMatch(least, 25, private=True),
        PlannedMatch(most, 40, leaves=True),
        PlannedMatch(least, 3, clock=Clock(move_seconds=WEEK_SECONDS)),
        PlannedMatch(most, 1_000_000, hosted=True),  # in effect until its bot is to move
        PlannedMatch(least, 1_000_000),
    ]


def base64_text(data: bytes) -> str:
    return b64encode(data).decode()


async def dump_keys(redis: Redis) -> DumpedKeys:
    """The contents of every key, without the lists on which workers block."""
    keys = sorted(key for key in await keys_of(redis) if not key.endswith(b":bell"))
    return {key.decode(): await _dump_value(redis, key) for key in keys}


async def _dump_value(redis: Redis, key: bytes) -> DumpedValue:
    kind = await redis.type(key)
    if kind == b"hash":
        found = cast(dict[bytes, bytes], await redis.hgetall(key))
        return {name.decode(): base64_text(value) for name, value in found.items()}
    if kind == b"stream":
        entries = cast(list[tuple[bytes, dict[bytes, bytes]]], await redis.xrange(key))
        return [
            [entry.decode(), *[base64_text(each) for pair in encoded.items() for each in pair]]
            for entry, encoded in entries
        ]
    if kind == b"zset":
        scores = cast(list[tuple[bytes, float]], await redis.zrange(key, 0, -1, withscores=True))
        return [[name.decode(), str(int(score))] for name, score in scores]
    return base64_text(cast(bytes, await redis.get(key)))


async def restore(redis: Redis, dump: DumpedKeys) -> None:
    """Write the keys again, without their expiry, which every move renews."""
    for key, value in dump.items():
        if isinstance(value, dict):
            await redis.hset(key, mapping={name: b64decode(encoded) for name, encoded in value.items()})
        elif isinstance(value, str):
            await redis.set(key, b64decode(value))
        elif key.startswith(("fireside:deadlines:", "fireside:turns:")):
            await redis.zadd(key, {name: int(score) for name, score in value})
        else:
            await _restore_stream(redis, key, value)


async def _restore_stream(redis: Redis, key: str, value: list[list[str]]) -> None:
    for entry, *encoded in value:
        parts = [b64decode(each) for each in encoded]
        await redis.xadd(key, {parts[n]: parts[n + 1] for n in range(0, len(parts), 2)}, id=entry)


async def play(game_client: GameClient, planned: PlannedMatch, number: int) -> dict[str, object]:
    """Play a match; what a test needs to continue it, and the responses of `GetMatch`."""
    random = Random(number)
    driver = await begin_planned_match(game_client, planned)
    await advance(driver, random, planned.moves)
    if planned.leaves:
        driver.match = cast(Message, field(await driver.call("Leave", driver.tokens[1]), "match"))
    repeat = await apply_with_request_id(driver)
    match_responses = [await driver.call("GetMatch", token) for token in driver.tokens if token]
    return {
        "matchId": driver.match_id,
        "timed": planned.clock is not None,
        "hosted": planned.hosted,
        "tokens": driver.tokens,
        "told": [base64_text(each.SerializeToString()) for each in match_responses],
        "repeat": repeat,
    }


async def begin_planned_match(game_client: GameClient, planned: PlannedMatch) -> MatchDriver:
    seats = [SeatSpec(name=f"seat {seat}") for seat in range(planned.seat_count)]
    if planned.hosted:
        seats[-1].bot = "random"
    answer = await game_client.call(
        "NewGame", seats=seats, client_seed="kept", clock=planned.clock, private=planned.private
    )
    tokens = {each.seat: each.token for each in answer.seats}  # type: ignore[attr-defined]
    return MatchDriver(
        game_client,
        str(field(answer, "match_id")),
        [tokens.get(seat, "") for seat in range(planned.seat_count)],
        field(answer, "match"),
    )


def seats_to_move(driver: MatchDriver) -> list[int]:
    """The seats that are to move and are not played by a bot."""
    return [seat for seat in cast(Sequence[int], field(driver.match, "to_move")) if driver.tokens[seat]]


async def advance(driver: MatchDriver, random: Random, moves: int) -> None:
    """Make at most `moves` random moves, until the match is over or only bots are to move."""
    while moves and (seats := seats_to_move(driver)):
        seat = random.choice(seats)
        listed = cast(Sequence[Message], field(await driver.call("LegalMoves", driver.tokens[seat]), "moves"))
        notation = field(random.choice(listed), "notation")
        answer = await driver.call("Apply", driver.tokens[seat], notation=notation)
        driver.match = cast(Message, field(answer, "match"))
        moves -= 1


async def apply_with_request_id(driver: MatchDriver) -> dict[str, str] | None:
    """Make a move with a request id; the request and its response, for a test of the repeat."""
    if not (seats := seats_to_move(driver)):
        return None
    seat = seats[0]
    listed = cast(Sequence[Message], field(await driver.call("LegalMoves", driver.tokens[seat]), "moves"))
    fields = {"notation": field(listed[0], "notation"), "request_id": STORED_REQUEST_ID}
    answer = await driver.call("Apply", driver.tokens[seat], **fields)
    request = GetMessageClass(driver.game_client.codec.service.methods_by_name["Apply"].input_type)
    sent = request(match_id=driver.match_id, **fields)
    return {
        "token": driver.tokens[seat],
        "request": base64_text(sent.SerializeToString()),
        "answer": base64_text(answer.SerializeToString()),
    }


def inline_states(codec: AnyCodec) -> dict[str, object]:
    """A state of every stage that random play reaches, nature's included, as ProtoJSON."""
    states: dict[str, object] = {}
    random = Random(7)
    for seats in [*range(codec.game.min_seats, codec.game.max_seats + 1)] * 4:
        for options in codec.game.presets().values():
            match: AnyMatch = Match(codec.game, codec.game.start(seats, options), None)
            while True:
                state = MessageToDict(codec.messages.state.FromString(codec.write_inline_state(match.state)))
                states.setdefault(str(state.get("stage", "")), state)
                if match.is_over():
                    break
                play_random_step(match, random)
    return states


def play_random_step(match: AnyMatch, random: Random) -> None:
    """Make a random move, or a random draw of nature."""
    if match.to_move():
        match.play(*random_choice(match, random))
    else:
        match.play(NATURE, random.choice(match.legal_moves(NATURE)))


async def corpus_file(codec: AnyCodec) -> str:
    """The contents of the file of one version of a game's rules."""
    with TemporaryDirectory() as folder, redis_server(Path(folder)) as url:
        engine = Engine(EngineSettings(port=0, redis_url=url, grace_seconds=1, token_seconds=CENTURY_SECONDS))
        await engine.start()
        async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
            game_client = GameClient(channel, codec)
            matches = [
                await play(game_client, planned, number) for number, planned in enumerate(planned_matches(codec))
            ]
        await engine.stop()
        redis = redis_at(url)
        keys = await dump_keys(redis)
        await redis.aclose()
    states = inline_states(codec)
    return json.dumps({"keys": keys, "matches": matches, "states": states}, indent=1) + "\n"


async def main() -> None:
    """Write the missing files."""
    STORED_FOLDER.mkdir(parents=True, exist_ok=True)
    for version, codec in CODECS_BY_VERSION.items():
        path = STORED_FOLDER / f"{version}.json"
        if not path.exists():
            path.write_text(await corpus_file(codec))


if __name__ == "__main__":
    asyncio.run(main())
