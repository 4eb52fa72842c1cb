"""Players who come and go at tables over REST: they race for join codes, move, take new tokens, hand over and leave."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx

TIMEOUT_SECONDS = 10.0
RETRY_SECONDS = 0.2
MOVES_AT_A_TABLE = 6
"""A player gets up after so many moves of its own."""
PATIENCE_SECONDS = 20.0
"""How long a host waits for players, and a player for its turn."""


class Refused(Exception):
    """The service refused a call, with a reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class Offer:
    """A join code of a seat."""

    matches: str
    """Path of the game's matches."""
    match_id: str
    code: str


@dataclass
class Findings:
    """What happened, and what must not happen."""

    counts: Counter[str] = field(default_factory=Counter)
    joins_by_code: Counter[Offer] = field(default_factory=Counter)
    """How many players a code gave a seat."""
    tokens: dict[tuple[str, str, int], list[str]] = field(default_factory=dict)
    """All tokens of a seat (path, match, seat), in the order in which they were acknowledged."""
    dead_tokens_taken: int = 0

    @property
    def codes_used_twice(self) -> int:
        """Number of codes that gave a seat to more than one player."""
        return sum(number > 1 for number in self.joins_by_code.values())


class TableClient:
    """REST client that repeats a call until it is answered."""

    def __init__(self, url: str, api_key: str) -> None:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
        self._client = httpx.AsyncClient(base_url=url, timeout=TIMEOUT_SECONDS, limits=limits)
        self._key = {"X-Api-Key": api_key}

    async def call(self, verb: str, path: str, token: str = "", **fields: Any) -> Any:
        """The response. Raises `Refused`."""
        headers = {**self._key, **({"Authorization": f"Bearer {token}"} if token else {})}
        while True:
            try:
                body = fields if verb == "POST" else None
                response = await self._client.request(verb, path, headers=headers, json=body)
            except httpx.TransportError:
                response = httpx.Response(503)
            if response.status_code not in (502, 503, 504):
                break
            await asyncio.sleep(RETRY_SECONDS)
        if response.is_error:
            raise Refused(str(response.json().get("reason")))
        return response.json()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()


class Tables:
    """Hosts and players who share what is on offer."""

    def __init__(self, client: TableClient, seat_counts: dict[str, int], findings: Findings) -> None:
        """`seat_counts`: greatest numbers of seats by the path of a game's matches."""
        self._client = client
        self._seat_counts = seat_counts
        self._findings = findings
        self._offers: list[Offer] = []
        self.stopping = asyncio.Event()

    async def host(self, random: Random) -> None:
        """Open tables one after the other; those that nobody fills are withdrawn."""
        while not self.stopping.is_set():
            path = random.choice([*self._seat_counts])
            seat_count = random.randint(2, self._seat_counts[path])
            seats: list[dict[str, object]] = [{"open": {}}] * seat_count
            new = await self._client.call("POST", path, seats=seats, requestId=secrets.token_urlsafe(24))
            self._findings.counts["tables opened"] += 1
            for code in new["joinCodes"]:
                self._offers += [Offer(path, new["matchId"], code["code"])] * 2  # two players may race for it
            await self._wait_for_players(f"{path}/{new['matchId']}", new["hostToken"])

    async def _wait_for_players(self, match: str, host_token: str) -> None:
        until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while not self.stopping.is_set() and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(1)
            if not (await self._client.call("GET", match)).get("waiting"):
                self._findings.counts["matches begun"] += 1
                return
        try:
            await self._client.call("POST", f"{match}:withdraw", host_token)
            self._findings.counts["tables withdrawn"] += 1
        except Refused as refused:  # the last player came at the same moment; or an unanswered attempt withdrew it
            self._findings.counts[f"withdrawing refused: {refused.reason}"] += 1

    async def player(self, name: str, random: Random) -> None:
        """Sit down at one table after the other."""
        while not self.stopping.is_set():
            if not self._offers:
                await asyncio.sleep(0.5)
                continue
            offer = self._offers.pop(random.randrange(len(self._offers)))
            try:
                joined = await self._client.call(
                    "POST",
                    f"{offer.matches}/{offer.match_id}:join",
                    code=offer.code,
                    name=name,
                    playerId=name,
                    requestId=secrets.token_urlsafe(24),
                )
            except Refused as refused:
                self._findings.counts[f"join refused: {refused.reason}"] += 1
                continue
            self._findings.counts["seats taken"] += 1
            self._findings.joins_by_code[offer] += 1
            seat = joined.get("seat", 0)
            self._tokens(offer, seat).append(joined["token"])
            try:
                await self._sit(offer, seat, random)
            except Refused as refused:
                self._findings.counts[f"seat lost: {refused.reason}"] += 1

    def _tokens(self, offer: Offer, seat: int) -> list[str]:
        return self._findings.tokens.setdefault((offer.matches, offer.match_id, seat), [])

    async def _sit(self, offer: Offer, seat: int, random: Random) -> None:
        match, tokens = f"{offer.matches}/{offer.match_id}", self._tokens(offer, seat)
        moves, until = 0, asyncio.get_running_loop().time() + PATIENCE_SECONDS
        while not self.stopping.is_set() and asyncio.get_running_loop().time() < until and moves < MOVES_AT_A_TABLE:
            view = await self._client.call("GET", match, tokens[-1])
            if view.get("over"):
                return
            if random.random() < 0.05:
                await self._renew(match, tokens)
            if seat in view.get("toMove", []):
                await self._move(match, tokens[-1], random)
                moves += 1
                until = asyncio.get_running_loop().time() + PATIENCE_SECONDS
            else:
                await asyncio.sleep(0.3 + random.random())
        await self._get_up(offer, match, tokens[-1], random)

    async def _move(self, match: str, token: str, random: Random) -> None:
        moves = (await self._client.call("GET", f"{match}/legal-moves", token))["moves"]
        if not moves:
            return
        notation = random.choice(moves)["notation"]
        try:
            await self._client.call(
                "POST", f"{match}/moves", token, notation=notation, requestId=secrets.token_urlsafe(24)
            )
            self._findings.counts["moves"] += 1
        except Refused as refused:  # another has moved meanwhile
            self._findings.counts[f"move refused: {refused.reason}"] += 1

    async def _renew(self, match: str, tokens: list[str]) -> None:
        """Take a new token; the old one must be refused at once. An unanswered attempt may have replaced it already."""
        old = tokens[-1]
        try:
            answer = await self._client.call("POST", f"{match}:reissue", old)
        except Refused as refused:
            if refused.reason == "UNAUTHENTICATED":
                self._findings.counts["tokens lost with a response"] += 1
            raise
        tokens.append(answer["seat"]["token"])
        self._findings.counts["tokens reissued"] += 1
        for path in (match, f"{match}/legal-moves"):
            try:
                await self._client.call("GET", path, old)
                self._findings.dead_tokens_taken += 1
            except Refused as refused:
                if refused.reason != "UNAUTHENTICATED":
                    raise

    async def _get_up(self, offer: Offer, match: str, token: str, random: Random) -> None:
        if random.random() < 0.5:
            answer = await self._client.call("POST", f"{match}:invite", token)
            self._offers.append(Offer(offer.matches, offer.match_id, answer["joinCode"]["code"]))
            self._findings.counts["seats offered"] += 1
        elif random.random() < 0.5:
            await self._client.call("POST", f"{match}:leave", token, requestId=secrets.token_urlsafe(24))
            self._findings.counts["seats left"] += 1

    async def seats_with_two_tokens(self) -> int:
        """The number of seats of which more than one token is valid now."""
        limit = asyncio.Semaphore(32)

        async def is_valid(path: str, token: str) -> bool:
            async with limit:
                try:
                    await self._client.call("GET", path, token)
                    return True
                except Refused:
                    return False

        wrong = 0
        for (matches, match_id, _), tokens in self._findings.tokens.items():
            valid = await asyncio.gather(*[is_valid(f"{matches}/{match_id}", token) for token in tokens])
            wrong += sum(valid) > 1
        return wrong
