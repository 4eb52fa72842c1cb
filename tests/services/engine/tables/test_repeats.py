"""Calls about seats that are sent again since their response was lost: what the second one returns and changes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from typing import Any, NamedTuple, cast

import jwt
import pytest
from fireside.match.v1.match_pb2 import SeatSpec

from services.engine.codecs import CODECS
from tests.redis_clients import redis_at
from tests.services.client import Refusal
from tests.services.engine.tables.test_calls import ADA, KNOWN_KEYS, OPEN, OUR_KEY, engines
from tests.services.registry import GameClient
from tests.services.store.contents import contents

CODEC = next(iter(CODECS.values()))
TWO_PLAYERS = [ADA, SeatSpec(name="Bo")]
REQUEST_ID = "a-request-id-of-22-letters"
SAME = "the same response"
"""And the store does not change."""


class Table(NamedTuple):
    """A match, its credentials by name, and the join code of its second seat."""

    match_id: str
    credentials: dict[str, str]
    code: str


class Repeat(NamedTuple):
    """A call that is made twice, and what the second one returns: `SAME`, or the reason why it is refused."""

    method: str
    table: str
    credential: str
    fields: dict[str, Any]
    expected: str


REPEATS = [
    Repeat("NewGame", "", "", {"seats": [ADA, OPEN], "request_id": REQUEST_ID}, SAME),
    Repeat("Join", "waiting", "", {"code": "code", "name": "Bo", "request_id": REQUEST_ID}, SAME),
    Repeat("Join", "waiting", "", {"code": "code", "name": "Bo"}, "INVALID_CODE"),
    Repeat("Join", "listed", "", {"name": "Bo", "request_id": REQUEST_ID}, SAME),
    Repeat("Invite", "waiting", "host", {"seat": 1}, SAME),
    Repeat("Invite", "playing", "seat 0", {}, SAME),
    Repeat("Reissue", "playing", "seat 0", {"request_id": REQUEST_ID}, SAME),
    Repeat("Reissue", "playing", "host", {"seat": 0, "request_id": REQUEST_ID}, SAME),
    Repeat("Reissue", "playing", "key", {"seat": 0, "request_id": "1"}, SAME),
    Repeat("Reissue", "playing", "seat 0", {}, "UNAUTHENTICATED"),
    Repeat("Substitute", "waiting", "host", {"seat": 1, "bot": "greedy"}, SAME),
    Repeat("Substitute", "playing", "host", {"seat": 0, "bot": "greedy"}, SAME),
    Repeat("Substitute", "playing", "seat 0", {"bot": "greedy"}, "UNAUTHENTICATED"),
    Repeat("Withdraw", "waiting", "host", {}, "UNKNOWN_MATCH"),
    Repeat("Leave", "waiting", "seat 0", {"request_id": REQUEST_ID}, SAME),
    Repeat("Leave", "waiting", "seat 0", {}, "UNAUTHENTICATED"),
    Repeat("Leave", "playing", "seat 0", {"request_id": REQUEST_ID}, SAME),
    Repeat("Rematch", "over", "seat 0", {}, SAME),
    Repeat("Hint", "playing", "seat to move", {"bot": "greedy:samples=1", "seed": "s"}, SAME),
    Repeat("Fork", "over", "seat 0", {}, SAME),
]


@pytest.fixture
async def clients(redis_url: str) -> AsyncIterator[list[GameClient]]:
    async with AsyncExitStack() as stack:
        clients = await engines(stack, CODEC, redis_url, KNOWN_KEYS)
        for client in clients:
            client.metadata = [("x-api-key", OUR_KEY)]
        yield clients


async def begin(client: GameClient, **fields: Any) -> Table:
    new = cast(Any, await client.call("NewGame", **{"seats": [ADA, OPEN], **fields}))
    tokens = {f"seat {seat.seat}": seat.token for seat in new.seats}
    return Table(new.match_id, {**tokens, "host": new.host_token}, new.join_codes[0].code if new.join_codes else "")


async def table_named(client: GameClient, name: str) -> Table | None:
    """A new match that waits, is listed and waits, is played, or is over; None for no name."""
    match name:
        case "waiting":
            return await begin(client)
        case "listed":
            return await begin(client, listed=True)
        case "playing":
            table = await begin(client, hints=True, seats=TWO_PLAYERS)
            [mover] = cast(Any, await client.call("GetMatch", match_id=table.match_id)).match.to_move
            table.credentials["seat to move"] = table.credentials[f"seat {mover}"]
            return table
        case "over":
            table = await begin(client, seats=TWO_PLAYERS)
            for seat in range(2):
                with suppress(Refusal):  # the match may be over once the first one has left
                    await client.call("Leave", table.credentials[f"seat {seat}"], match_id=table.match_id)
            return table
        case _:
            return None


def without_expiry(response: object) -> str:
    """The text of a response, with the claims of its tokens but without the second at which they expire."""

    def claims(token: re.Match[str]) -> str:
        payload = jwt.decode(token[0], options={"verify_signature": False, "verify_exp": False})
        return str({name: value for name, value in payload.items() if name != "exp"})

    return re.sub(r"eyJ[\w-]+\.[\w-]+\.[\w-]+", claims, str(response))


async def made(client: GameClient, repeat: Repeat, table: Table | None) -> tuple[bool, str]:
    """Whether a call is answered, and its response or the reason why it is refused."""
    fields = dict(repeat.fields)
    if table:
        fields["match_id"] = table.match_id
    if table and "code" in fields:
        fields["code"] = table.code
    token = table.credentials.get(repeat.credential, "") if table else ""
    try:
        return True, without_expiry(await client.call(repeat.method, token, **fields))
    except Refusal as refused:
        return False, refused.reason


async def test_a_call_that_is_sent_again_to_another_engine_changes_nothing(
    clients: list[GameClient], redis_url: str
) -> None:
    found = []
    async with redis_at(redis_url) as redis:
        await redis.flushdb()
        for repeat in REPEATS:
            table = await table_named(clients[0], repeat.table)
            first = await made(clients[0], repeat, table)
            assert first[0], (repeat, first)
            before = await contents(redis)
            second = await made(clients[1], repeat, table)
            found.append(repeat._replace(expected=SAME if second == first else second[1]))
            if await contents(redis) != before:
                found.append(repeat._replace(expected="the store has changed"))
    assert [repeat for repeat in found if repeat not in REPEATS] == []


async def test_a_host_that_reissues_a_token_without_a_request_id_gets_another_each_time(
    clients: list[GameClient],
) -> None:
    table = await begin(clients[0], seats=TWO_PLAYERS)
    tokens = [
        cast(Any, await client.call("Reissue", table.credentials["host"], match_id=table.match_id, seat=0)).seat.token
        for client in clients
    ]
    assert tokens[0] != tokens[1]
    with pytest.raises(Refusal, match="replaced"):
        await clients[0].call("GetMatch", tokens[0], match_id=table.match_id)


async def test_a_replaced_token_gets_the_new_one_only_with_the_request_that_replaced_it(
    clients: list[GameClient],
) -> None:
    table = await begin(clients[0], seats=TWO_PLAYERS)
    old, request = table.credentials["seat 0"], {"match_id": table.match_id, "request_id": REQUEST_ID}
    new = cast(Any, await clients[0].call("Reissue", old, **request)).seat.token

    async def refused(token: str, **fields: object) -> str:
        with pytest.raises(Refusal) as caught:
            await clients[1].call("Reissue", token, **{**request, **fields})
        return caught.value.reason

    assert await refused(old, request_id="another-request-of-22-letters") == "UNAUTHENTICATED"
    assert await refused(old, request_id="1") == "INVALID_REQUEST"  # it could be guessed
    assert await refused(old, seat=0) == "UNAUTHENTICATED"  # another request
    assert await refused(table.credentials["seat 1"], seat=0) == "PERMISSION_DENIED"
    later = {"match_id": table.match_id, "request_id": "a-later-request-of-22-letters"}
    newest = cast(Any, await clients[1].call("Reissue", new, **later)).seat.token
    assert await refused(old) == "UNAUTHENTICATED"  # the token of that request has been replaced too
    assert await refused(old, **later) == "UNAUTHENTICATED"  # that request replaced another token
    assert newest != new


async def test_a_seat_that_was_left_is_taken_by_another_after_which_a_repeated_leave_is_refused(
    clients: list[GameClient],
) -> None:
    table = await begin(clients[0])
    leave = {"match_id": table.match_id, "request_id": REQUEST_ID}
    await clients[0].call("Leave", table.credentials["seat 0"], **leave)
    invited = cast(Any, await clients[0].call("Invite", table.credentials["host"], match_id=table.match_id, seat=0))
    await clients[1].call("Join", match_id=table.match_id, code=invited.join_code.code, name="Cy")
    with pytest.raises(Refusal) as caught:
        await clients[1].call("Leave", table.credentials["seat 0"], **leave)
    assert caught.value.reason == "UNAUTHENTICATED"
