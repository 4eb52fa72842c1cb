"""Matches with a clock over REST."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NotRequired, TypedDict, cast

import httpx
import pytest

from gateway.routing.registry import GAMES

EVERY_GAME = pytest.mark.parametrize("game", [name.replace("_", "-") for name in GAMES])
CLOCK_TOLERANCE = timedelta(seconds=10)


class SeatClockJson(TypedDict):
    """The time that a seat has left."""

    bankMs: int
    deadline: NotRequired[str | None]


class ClockedMatchJson(TypedDict):
    """What is shown of a match."""

    revision: int
    toMove: list[int]
    deadline: str
    matchDeadline: NotRequired[str | None]
    clocks: list[SeatClockJson]


@dataclass
class ClockedMatch:
    """A match with a clock, and the tokens of its seats."""

    rest: httpx.AsyncClient
    path: str
    tokens: list[str]

    async def get(self) -> ClockedMatchJson:
        """GET the match as a spectator."""
        return cast(ClockedMatchJson, (await self.rest.get(self.path)).json())

    async def next_move(self) -> tuple[int, str]:
        """A seat that is to move, and a move of it."""
        match = await self.get()
        seat = match["toMove"][0]
        listed = (await self.rest.get(f"{self.path}/legal-moves", headers=self.authorization(seat))).json()["moves"]
        return seat, listed[0]["notation"]

    async def move(self, seat: int, notation: str, **headers: str) -> httpx.Response:
        """Make a move of the seat by its notation."""
        return await self.rest.post(
            f"{self.path}/moves", json={"notation": notation}, headers={**self.authorization(seat), **headers}
        )

    def authorization(self, seat: int) -> dict[str, str]:
        """The header with the token of the seat."""
        return {"Authorization": f"Bearer {self.tokens[seat]}"}

    async def wait_for_change(self, revision: int) -> ClockedMatchJson:
        """The match, once it has gone on by itself."""
        async with asyncio.timeout(20):
            while (match := await self.get())["revision"] == revision:
                await asyncio.sleep(0.05)
        return match


async def new_match(rest: httpx.AsyncClient, game: str, **clock: int) -> ClockedMatch:
    response = await rest.post(f"/v1/{game}/matches", json={"seats": [{}, {}], "clock": clock})
    assert response.status_code == 201
    return ClockedMatch(rest, response.headers["location"], [seat["token"] for seat in response.json()["seats"]])


def time_left(deadline: str | None) -> timedelta:
    """How long it is until then."""
    return datetime.fromisoformat(str(deadline)) - datetime.now(UTC)


@EVERY_GAME
async def test_the_deadline_is_shown_and_moves_on(rest: httpx.AsyncClient, game: str) -> None:
    rest_match = await new_match(rest, game, moveSeconds=3600)
    match = await rest_match.get()
    assert timedelta(hours=1) - CLOCK_TOLERANCE < time_left(match["deadline"]) <= timedelta(hours=1)
    match_after_move = match
    while (
        match_after_move["deadline"] == match["deadline"]
    ):  # shared by the seats that are to move together, until all have moved
        match_after_move = (await rest_match.move(*await rest_match.next_move())).json()["match"]
    assert match_after_move["deadline"] > match["deadline"]
    assert match_after_move["deadline"] == (await rest_match.get())["deadline"]


@EVERY_GAME
async def test_the_time_of_each_seat_is_shown(rest: httpx.AsyncClient, game: str) -> None:
    rest_match = await new_match(rest, game, bankSeconds=2592000)
    match = await rest_match.get()
    assert [clock["bankMs"] for clock in match["clocks"]] == [2_592_000_000] * 2
    assert [seat for seat, clock in enumerate(match["clocks"]) if clock.get("deadline")] == match["toMove"]
    assert timedelta(days=29) < time_left(match["deadline"]) <= timedelta(days=30)


@EVERY_GAME
async def test_a_match_without_a_clock_shows_no_deadline(rest: httpx.AsyncClient, game: str) -> None:
    response = await rest.post(f"/v1/{game}/matches", json={"seats": [{}, {}]})
    assert {response.json()["match"].get(name) for name in ("deadline", "matchDeadline")} == {None}


@EVERY_GAME
async def test_a_seat_whose_time_is_up_has_a_default_move(rest: httpx.AsyncClient, game: str) -> None:
    rest_match = await new_match(rest, game, moveSeconds=1)
    before, (seat, notation) = await rest_match.get(), await rest_match.next_move()
    match = await rest_match.wait_for_change(before["revision"])
    history = await rest_match.rest.get(f"{rest_match.path}/history", params={"fromRevision": before["revision"]})
    assert set(before["toMove"]) <= {event.get("seat") for event in history.json()["events"]}
    assert match["deadline"] > before["deadline"]
    late = await rest_match.move(seat, notation, **{"If-Match": f'"{before["revision"]}"'})
    assert (late.status_code, late.json()["reason"]) == (409, "STALE_REVISION")


async def test_the_match_clock_ends_the_match_by_the_rules(rest: httpx.AsyncClient) -> None:
    """Fireship by its match clock: the round that runs is the last one."""
    rest_match = await new_match(rest, "fireship", moveSeconds=3600, matchSeconds=1)
    match = await rest_match.get()
    assert timedelta() < time_left(match.get("matchDeadline")) <= timedelta(seconds=1)
    match = await rest_match.wait_for_change(match["revision"])
    assert match.get("matchDeadline") is None
    events = (await rest_match.rest.get(f"{rest_match.path}/history")).json()["events"]
    assert [event["notation"] for event in events if "seat" not in event][-1] == "time_up"
    assert time_left(match["deadline"]) > timedelta(minutes=50)  # the seat to move loses no time by it


@pytest.mark.parametrize(
    ("game", "clock", "field"),
    [
        ("fire-bulls", {}, "clock"),
        ("fire-bulls", {"moveSeconds": -1}, "clock.moveSeconds"),
        ("fire-bulls", {"moveSeconds": 2592001}, "clock.moveSeconds"),
        ("fire-bulls", {"matchSeconds": 60}, "clock.matchSeconds"),
        ("fireship", {"matchSeconds": 2592001}, "clock.matchSeconds"),
    ],
)
async def test_an_invalid_clock_is_refused(
    rest: httpx.AsyncClient, game: str, clock: dict[str, int], field: str
) -> None:
    refused = await rest.post(f"/v1/{game}/matches", json={"seats": [{}, {}], "clock": clock})
    assert refused.status_code == 400
    assert [each["field"] for each in refused.json()["violations"]] == [field]
