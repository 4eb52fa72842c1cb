"""Matches with all that tables have, played over the API: open seats, banks, hints, a new player, a bot, a rematch."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any, NamedTuple, cast

from fireside.match.v1.match_pb2 import Clock, OpenSeat, SeatSpec
from google.protobuf.json_format import MessageToDict, MessageToJson

from engine_core.game import SPECTATOR
from services.engine.codecs import AnyCodec
from tests.services.bots.test_hosted import hosted_bot_service
from tests.services.registry import GameClient, MatchDriver

CLOCK = Clock(move_seconds=600, bank_seconds=300, increment_seconds=5)
BOT = "random"
HINT_BOT = "greedy:samples=1"
SPECTATOR_DELAY = 3


class TableMatch(NamedTuple):
    """A finished match: its record in JSON, and by observer the head and the log (in JSON) that it was sent last."""

    record: str
    heads: dict[int, str]
    logs: dict[int, list[dict[str, Any]]]

    @property
    def fields(self) -> dict[str, Any]:
        """The record as JSON values."""
        return cast(dict[str, Any], json.loads(self.record))


async def play_match_and_rematch(codec: AnyCodec) -> list[TableMatch]:
    """Play a match whose first seat gets another player and whose last one a bot, and its rematch."""
    async with hosted_bot_service(codec, store_url="") as service:
        random = Random(codec.game.name)
        driver, host = await _begin(service.game_client)
        await _play_with_hints(driver, random)
        invited = cast(Any, await driver.call("Invite", driver.tokens[0]))
        joined = cast(Any, await driver.call("Join", code=invited.join_code.code, name="Di"))
        driver.tokens[0] = joined.token
        await _play_with_hints(driver, random)
        last = len(driver.tokens) - 1
        last_head = cast(Any, await driver.call("GetMatch", driver.tokens[last])).match.head
        await driver.call("Substitute", host, seat=last, bot=BOT)
        driver.tokens[last] = ""
        first = await _finished(driver)
        first.heads[last] = last_head
        rematch = await _rematch(driver)
        await _play_with_hints(rematch, random)
        return [first, await _finished(rematch)]


async def _begin(client: GameClient) -> tuple[MatchDriver, str]:
    """A match that waited for all players but the first, and the host's token."""
    new = cast(
        Any,
        await client.call(
            "NewGame",
            seats=[SeatSpec(name="Ada"), *[SeatSpec(open=OpenSeat())] * (client.codec.game.min_seats - 1)],
            clock=CLOCK,
            hints=True,
            spectator_delay=SPECTATOR_DELAY,
            open_after=True,
            client_seed="a seed of the table",
        ),
    )
    driver = MatchDriver(client, new.match_id, [new.seats[0].token], new.match)
    for code in new.join_codes:
        joined = cast(Any, await driver.call("Join", code=code.code, name=f"Seat {code.seat}"))
        driver.tokens.append(joined.token)
        driver.match = joined.match
    return driver, new.host_token


async def _play_with_hints(driver: MatchDriver, random: Random) -> None:
    """Make at most two moves of seats that have players, each after a hint."""
    for _ in range(2):
        seats = [seat for seat in cast(Any, driver.match).to_move if driver.tokens[seat]]
        for seat in seats[:1]:
            hint = cast(Any, await driver.call("Hint", driver.tokens[seat], bot=HINT_BOT))
            move = random.choice(hint.moves).move
            driver.match = cast(Any, await driver.call("Apply", driver.tokens[seat], notation=move.notation)).match


async def _finished(driver: MatchDriver) -> TableMatch:
    """Let the players leave, and the bot play to the end."""
    players = [seat for seat, token in enumerate(driver.tokens) if token]
    for seat in players:
        if not cast(Any, await driver.call("GetMatch", driver.tokens[seat])).match.over:
            await driver.call("Leave", driver.tokens[seat])
    async with asyncio.timeout(60):
        while not cast(Any, await driver.call("GetMatch")).match.over:
            await asyncio.sleep(0.01)
    heads, logs = {}, {}
    for observer in [SPECTATOR, *players]:
        token = "" if observer == SPECTATOR else driver.tokens[observer]
        history = cast(Any, await driver.call("History", token))
        heads[observer] = history.head
        logs[observer] = [MessageToDict(event, always_print_fields_with_no_presence=True) for event in history.events]
    record = cast(Any, await driver.call("GetRecord", driver.tokens[players[0]])).record
    return TableMatch(MessageToJson(record), heads, logs)


async def _rematch(driver: MatchDriver) -> MatchDriver:
    """The rematch of a match whose last seat has a bot."""
    seat_count = len(driver.tokens)
    tokens = [""] * seat_count
    for token in driver.tokens[:-1]:
        answer = cast(Any, await driver.call("Rematch", token))
        tokens[answer.seat.seat] = answer.seat.token
    assert [bool(seat.bot) for seat in answer.match.seats] == [not token for token in tokens]
    return MatchDriver(driver.game_client, answer.match_id, tokens, answer.match)
