"""Noninterference: hidden information changes neither bytes, sizes nor errors of what an observer is sent.

A match is played at random; now and then its state in the store is exchanged for another one that looks the same to
one observer, and everything that observer can ask is asked before and after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from random import Random
from typing import cast

import grpc
import pytest
from fireside.match.v1.match_pb2 import MatchSummary
from google.protobuf.message import Message
from redis.asyncio import Redis

from engine_core.game import SPECTATOR, State
from services.engine.codecs import CODECS, AnyCodec
from services.engine.main import Engine
from services.engine.settings import EngineSettings
from services.store.keys import match_keys
from tests.conformance.game_setups import match_length
from tests.redis_clients import redis_at
from tests.services.client import Refusal
from tests.services.registry import GameClient, MatchDriver, field

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=list(CODECS))
MATCH_COUNT = 60
"""How many are played at most, until enough states differed: a match at random may have hardly any secret (Spring
Festival: two a match, once 19 states in 12 matches)."""
STATES_COMPARED = 20
MOVES_BETWEEN = 14
"""How many moves lie between two exchanges."""
HINT_BOT = "mcts:iterations=4,depth=2"
TRIED_NOTATIONS = ("draw", "pass", "roll", "nonsense", "0", "end")


@pytest.fixture
async def channel(redis_url: str) -> AsyncIterator[grpc.aio.Channel]:
    engine = Engine(EngineSettings(port=0, redis_url=redis_url, grace_seconds=1))
    await engine.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield channel
    await engine.stop()


async def _response_bytes(driver: MatchDriver, name: str, token: str, **fields: object) -> bytes:
    """The bytes of a response, or the text of an error."""
    try:
        answer = await driver.call(name, token, **fields)
    except Refusal as refusal:
        return repr(refusal).encode()
    return answer.SerializeToString(deterministic=True)


async def all_responses(driver: MatchDriver, observer: int) -> dict[str, bytes]:
    """The responses to all calls with which an observer can read a position, by call."""
    token = "" if observer == SPECTATOR else driver.tokens[observer]
    responses = {name: await _response_bytes(driver, name, token) for name in ("GetMatch", "LegalMoves", "Score")}
    revision = field(driver.match, "revision")
    for notation in TRIED_NOTATIONS:
        dry_run = {"notation": notation, "validate_only": True, "expected_revision": revision}
        responses[f"Apply {notation}"] = await _response_bytes(driver, "Apply", token, **dry_run)
    for name in ("GetRecord", "Fork", "GetPicture", "History"):
        responses[name] = await _response_bytes(driver, name, token)
    responses["Sample"] = await _response_bytes(driver, "Sample", token, count=2, seed="s")
    responses["Hint"] = await _response_bytes(driver, "Hint", token, bot=HINT_BOT, seed="s")
    newest = await driver.game_client.call("ListMatches", token, page_size=1)
    assert cast(list[MatchSummary], field(newest, "matches"))[0].match_id == driver.match_id
    responses["ListMatches"] = newest.SerializeToString(deterministic=True)
    responses["another seat"] = await _response_bytes(driver, "LegalMoves", token, seat=0 if observer else 1)
    return responses


async def states(redis: Redis, codec: AnyCodec, match_id: str) -> tuple[bytes, State]:
    """The state of a match in the store."""
    data = await redis.hget(match_keys(match_id)[0], "state")
    assert isinstance(data, bytes)
    return data, codec.read_state(data)


async def log_hints(driver: MatchDriver) -> frozenset[str]:
    """Ask for the hints of all seats that are to move, so that later ones in their turns change no log.

    Returns the first words of their moves: what they are asked.
    """
    words: set[str] = set()
    for seat in cast(list[int], field(driver.match, "to_move")):
        hint = await driver.call("Hint", driver.tokens[seat], bot=HINT_BOT)
        moves = cast(list[Message], field(hint, "moves"))
        words |= {cast(str, field(move, "move", "notation")).split()[0] for move in moves}
    return frozenset(words)


@EVERY_GAME
@pytest.mark.timeout(400)
async def test_hidden_information_changes_nothing_that_an_observer_is_sent(
    codec: AnyCodec, channel: grpc.aio.Channel, redis_url: str
) -> None:
    game, random = codec.game, Random(codec.game.name)
    moves_between = min(MOVES_BETWEEN, max(1, match_length(game) // 4))
    stages: Counter[frozenset[str]] = Counter()
    exchanged: Counter[int] = Counter()
    async with redis_at(redis_url) as redis:
        for number in range(MATCH_COUNT):
            if number > 1 and sum(exchanged.values()) >= STATES_COMPARED:
                break
            driver = await GameClient(channel, codec).begin(
                min(game.min_seats + number % 2, game.max_seats), listed=True, hints=True
            )
            while not field(driver.match, "over"):
                stages[await log_hints(driver)] += 1
                data, state = await states(redis, codec, driver.match_id)
                for observer in [SPECTATOR, *range(game.seat_count(state))]:
                    other = codec.encode_state(game.determinize(state, observer, random)).SerializeToString()
                    before = await all_responses(driver, observer)
                    await redis.hset(match_keys(driver.match_id)[0], "state", other)
                    after = await all_responses(driver, observer)
                    await redis.hset(match_keys(driver.match_id)[0], "state", data)
                    assert after == before
                    exchanged[observer] += other != data
                await driver.play(random, moves_between)
    assert sum(exchanged.values()) >= STATES_COMPARED, "hardly any two states differed"
    assert len(stages) > 1 or moves_between == 1, "only one kind of question was asked"
