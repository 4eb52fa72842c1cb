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

from bench.tally import Tally

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


class Answer(TypedDict):
    """The fields of responses that are read; each response has some of them."""

    matchId: str
    match: Match
    seats: list[dict[str, str]]
    moves: list[dict[str, str]]
    games: list[dict[str, str]]


class Failed(Exception):
    """A call failed, and has been counted."""


class Visitor:
    """REST client that counts its calls and their latencies."""

    def __init__(self, rest: httpx.AsyncClient, tally: Tally, key: str = "") -> None:
        """`key` is an API key, if one is required to begin matches."""
        self._rest: Final = rest
        self._key: Final = {"X-Api-Key": key} if key else {}
        self.tally: Final = tally

    async def ask(self, kind: str, verb: str, path: str, token: str = "", json: object = None) -> Answer:
        """Make a call; its response. Raises `Failed`."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if verb == "POST":
            headers |= {"Idempotency-Key": secrets.token_hex(16), **self._key}
        began = monotonic()
        try:
            answer = await self._rest.request(verb, path, headers=headers, json=json)
        except httpx.TransportError as error:
            raise self._failed(kind, type(error).__name__) from None
        if not answer.is_success:
            raise self._failed(kind, str(answer.status_code))
        self.tally.done(kind, monotonic() - began)
        return cast(Answer, answer.json())

    def _failed(self, kind: str, reason: str) -> Failed:
        self.tally.failed(kind, reason)
        return Failed(kind)

    @asynccontextmanager
    async def events(self, path: str, after: int) -> AsyncIterator[httpx.Response]:
        """The server-sent events after a revision."""
        headers = {"Last-Event-ID": str(after)}
        async with self._rest.stream("GET", path, headers=headers, timeout=None) as response:
            yield response


class Table:
    """Two seats that play one random match of a game after another, and the watchers of each match."""

    def __init__(self, visitor: Visitor, game: str, seed: int, watchers: int) -> None:
        self._visitor: Final = visitor
        self._path: Final = f"/v1/{game.replace('_', '-')}/matches"
        self._random: Final = Random(seed)
        self._watchers: Final = watchers

    async def play(self) -> None:
        """Play until the task is cancelled."""
        while True:
            try:
                await self._match()
            except Failed:
                await asyncio.sleep(PAUSE_SECONDS)

    async def _match(self) -> None:
        ask, count = self._visitor.ask, self._visitor.tally.counts
        begun = await ask("new game", "POST", self._path, json={"seats": SEATS})
        count["matches begun"] += 1
        where = f"{self._path}/{begun['matchId']}"
        match, tokens = begun["match"], [seat["token"] for seat in begun["seats"]]
        moved: dict[int, float] = {}
        watching = [asyncio.create_task(self._watch(where, match["revision"], moved)) for _ in range(self._watchers)]
        try:
            while not match["over"]:
                token = tokens[match["toMove"][0]]
                moves = (await ask("legal moves", "GET", f"{where}/legal-moves", token))["moves"]
                choice = {"notation": self._random.choice(moves)["notation"]}
                moved[match["revision"] + 1] = monotonic()
                match = (await ask("move", "POST", f"{where}/moves", token, choice))["match"]
                count["moves"] += 1
            await ask("score", "GET", f"{where}/score")
            count["matches over"] += 1
            await asyncio.wait(watching, timeout=PAUSE_SECONDS) if watching else None
        finally:
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def _watch(self, where: str, last: int, moved: dict[int, float]) -> None:
        """Watch a match until it is over, reconnecting whenever a stream ends."""
        status = 0
        while status != httpx.codes.NO_CONTENT:
            try:
                async with self._visitor.events(f"{where}/events", last) as response:
                    status = response.status_code
                    last = await self._heard(response, last, moved)
            except httpx.TransportError as error:
                self._visitor.tally.failed("event", type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)

    async def _heard(self, response: httpx.Response, last: int, moved: dict[int, float]) -> int:
        """Read a stream of events to its end; its last revision. Latency is counted from the sending of the move."""
        tally = self._visitor.tally
        if not response.is_success:
            tally.failed("event", str(response.status_code))
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                revision = json.loads(line[6:])["revision"]
                if revision != last + 1:
                    tally.failed("event", "lost or repeated")
                if revision in moved:
                    tally.done("event", monotonic() - moved[revision])
                tally.counts["events heard"] += 1
                last = revision
        return last


async def games(visitor: Visitor) -> list[str]:
    """The names of the games that are served. Raises `Failed`."""
    return [game["name"] for game in (await visitor.ask("games", "GET", "/v1/games"))["games"]]
