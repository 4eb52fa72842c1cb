"""REST clients that play and watch matches of any game without knowing its rules."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from time import monotonic
from typing import Final, TypedDict, cast

import httpx

from bench.load.statistics import LoadStatistics

PAUSE_SECONDS: Final = 0.5
"""Pause after a failed call, before a new match is begun."""
RETRY_SECONDS: Final = 0.2
"""Pause of a watcher before it reconnects."""
SEATS: Final = [{"name": "Ada"}, {"name": "Ben"}]


class Match(TypedDict):
    """The fields of a match that are read."""

    toMove: list[int]
    over: bool
    revision: int


class ResponseFields(TypedDict):
    """The fields of responses that are read; each response has some of them."""

    matchId: str
    match: Match
    seats: list[dict[str, str]]
    moves: list[dict[str, str]]
    games: list[dict[str, str]]


class CallFailed(Exception):
    """A call failed, and has been counted."""


class CountingRestClient:
    """REST client that counts its calls and their latencies."""

    def __init__(self, rest: httpx.AsyncClient, statistics: LoadStatistics, key: str = "") -> None:
        """`key` is an API key, if one is required to begin matches."""
        self._rest: Final = rest
        self._key: Final = {"X-Api-Key": key} if key else {}
        self.statistics: Final = statistics

    async def call(self, kind: str, verb: str, path: str, token: str = "", json: object = None) -> ResponseFields:
        """Make a call; its response. Raises `CallFailed`."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if verb == "POST":
            headers |= {"Idempotency-Key": secrets.token_hex(16), **self._key}
        began = monotonic()
        try:
            response = await self._rest.request(verb, path, headers=headers, json=json)
        except httpx.TransportError as error:
            raise self._record_failure(kind, type(error).__name__) from None
        if not response.is_success:
            raise self._record_failure(kind, str(response.status_code))
        self.statistics.record_success(kind, monotonic() - began)
        return cast(ResponseFields, response.json())

    def _record_failure(self, kind: str, reason: str) -> CallFailed:
        self.statistics.record_failure(kind, reason)
        return CallFailed(kind)

    @asynccontextmanager
    async def events(self, path: str, after: int) -> AsyncIterator[httpx.Response]:
        """The server-sent events after a revision."""
        headers = {"Last-Event-ID": str(after)}
        async with self._rest.stream("GET", path, headers=headers, timeout=None) as response:
            yield response


class RandomMatchPlayers:
    """Two seats that play one random match of a game after another, and the watchers of each match."""

    def __init__(self, client: CountingRestClient, game: str, seed: int, watchers: int) -> None:
        self._client: Final = client
        self._path: Final = f"/v1/{game.replace('_', '-')}/matches"
        self._random: Final = Random(seed)
        self._watchers: Final = watchers

    async def play(self) -> None:
        """Play until the task is cancelled."""
        while True:
            try:
                await self._match()
            except CallFailed:
                await asyncio.sleep(PAUSE_SECONDS)

    async def _match(self) -> None:
        call, count = self._client.call, self._client.statistics.counts
        new_match = await call("new game", "POST", self._path, json={"seats": SEATS})
        count["matches begun"] += 1
        path = f"{self._path}/{new_match['matchId']}"
        match, tokens = new_match["match"], [seat["token"] for seat in new_match["seats"]]
        sent_at: dict[int, float] = {}
        watching = [asyncio.create_task(self._watch(path, match["revision"], sent_at)) for _ in range(self._watchers)]
        try:
            while not match["over"]:
                token = tokens[match["toMove"][0]]
                moves = (await call("legal moves", "GET", f"{path}/legal-moves", token))["moves"]
                choice = {"notation": self._random.choice(moves)["notation"]}
                sent_at[match["revision"] + 1] = monotonic()
                match = (await call("move", "POST", f"{path}/moves", token, choice))["match"]
                count["moves"] += 1
            await call("score", "GET", f"{path}/score")
            count["matches over"] += 1
            await asyncio.wait(watching, timeout=PAUSE_SECONDS) if watching else None
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def _watch(self, path: str, last: int, sent_at: dict[int, float]) -> None:
        """Watch a match until it is over, reconnecting whenever a stream ends."""
        status = 0
        while status != httpx.codes.NO_CONTENT:
            try:
                async with self._client.events(f"{path}/events", last) as response:
                    status = response.status_code
                    last = await self._read_events(response, last, sent_at)
            except httpx.TransportError as error:
                self._client.statistics.record_failure("event", type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)

    async def _read_events(self, response: httpx.Response, last: int, sent_at: dict[int, float]) -> int:
        """Read a stream of events to its end; its last revision. Latency is counted from the sending of the move."""
        statistics = self._client.statistics
        if not response.is_success:
            statistics.record_failure("event", str(response.status_code))
        kind = ""
        async for line in response.aiter_lines():
            if not line:
                kind = ""
            elif line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and not kind:  # a log entry: events of the other kinds have a type
                revision = json.loads(line[6:])["revision"]
                if revision != last + 1:
                    statistics.record_failure("event", "lost or repeated")
                if revision in sent_at:
                    statistics.record_success("event", monotonic() - sent_at[revision])
                statistics.counts["events received"] += 1
                last = revision
        return last


async def served_games(client: CountingRestClient) -> list[str]:
    """The names of the games that are served. Raises `CallFailed`."""
    return [game["name"] for game in (await client.call("games", "GET", "/v1/games"))["games"]]
