"""Simultaneous moves over REST, with a real engine."""

from __future__ import annotations

import asyncio
from itertools import permutations
from typing import Any

import httpx
import pytest

INLINE_PATH = "/v1/spring-festival"
MATCHES_PATH = f"{INLINE_PATH}/matches"


class FestivalMatch:
    """A match and the tokens of its seats."""

    def __init__(self, rest: httpx.AsyncClient, new_game: dict[str, Any]) -> None:
        self.rest = rest
        self.path = f"{MATCHES_PATH}/{new_game['matchId']}"
        self.headers = [{"authorization": f"Bearer {seat['token']}"} for seat in new_game["seats"]]

    async def match(self, seat: int | None = None) -> dict[str, Any]:
        """The match as the seat sees it, or as spectators do."""
        answer = await self.rest.get(self.path, headers=self.headers[seat] if seat is not None else {})
        found: dict[str, Any] = answer.raise_for_status().json()
        return found

    async def moves(self, seat: int) -> list[str]:
        """The notations of the legal moves of the seat."""
        answer = await self.rest.get(f"{self.path}/legal-moves", headers=self.headers[seat])
        return [move["notation"] for move in answer.raise_for_status().json()["moves"]]

    async def play(self, seat: int, notation: str, revision: int | None = None) -> httpx.Response:
        """Make a move of the seat, if the match is at the given revision."""
        headers = self.headers[seat] | ({"If-Match": f'"{revision}"'} if revision is not None else {})
        return await self.rest.post(f"{self.path}/moves", headers=headers, json={"notation": notation})

    async def lay_all(self) -> None:
        """Every seat lays its start tiles in a row, and the active one leaves the store as it is."""
        for seat in range(len(self.headers)):
            for number in range(4):
                (await self.play(seat, f"lay S{seat + 1}-{number + 1} {number} 0")).raise_for_status()
        (await self.play(0, "orient 0")).raise_for_status()


async def new_match(rest: httpx.AsyncClient, seat_count: int) -> FestivalMatch:
    body = {"seats": [{}] * seat_count, "options": {"firstSeat": 0}, "clientSeed": "together"}
    return FestivalMatch(rest, (await rest.post(MATCHES_PATH, json=body)).raise_for_status().json())


async def test_to_move_lists_every_seat_that_has_not_chosen(rest: httpx.AsyncClient) -> None:
    rest_match = await new_match(rest, 4)
    assert (await rest_match.match())["toMove"] == [0, 1, 2, 3]
    await rest_match.lay_all()
    assert (await rest_match.match())["toMove"] == [0, 1, 2, 3]
    await rest_match.play(2, "place 0 1")
    assert (await rest_match.match())["toMove"] == [0, 1, 3]


async def test_a_commitment_is_shown_to_its_owner_only(rest: httpx.AsyncClient) -> None:
    rest_match = await new_match(rest, 3)
    await rest_match.lay_all()
    before = [await rest_match.match(seat) for seat in (0, 1)], [await rest_match.moves(seat) for seat in (0, 1)]
    await rest_match.play(2, "place 0 1")
    views = [(await rest_match.match(seat))["view"]["seats"][2] for seat in (0, 1, 2, None)]
    assert [view["committed"] for view in views] == [True] * 4
    assert ["placement" in view for view in views] == [False, False, True, False]
    after = [await rest_match.match(seat) for seat in (0, 1)], [await rest_match.moves(seat) for seat in (0, 1)]
    assert after[1] == before[1]
    for one, other in zip(before[0], after[0], strict=True):
        one["view"]["seats"][2]["committed"] = True
        assert one["view"] == other["view"]
    history = (await rest_match.rest.get(f"{rest_match.path}/history")).json()["events"]
    assert history[-1]["notation"] == "place ?"
    assert history[-1]["move"] == {"place": {}}


async def test_concurrent_commitments_on_one_revision_all_succeed(rest: httpx.AsyncClient) -> None:
    rest_match = await new_match(rest, 4)
    await rest_match.lay_all()
    revision = (await rest_match.match())["revision"]
    answers = await asyncio.gather(*[rest_match.play(seat, f"place {seat} 1", revision) for seat in range(4)])
    assert [answer.status_code for answer in answers] == [200] * 4
    [resolving] = [answer.json() for answer in answers if answer.json()["events"][0]["reveals"]]
    assert [(reveal["seat"], reveal["notation"]) for reveal in resolving["events"][0]["reveals"]] == [
        (seat, f"place {seat} 1") for seat in range(4)
    ]


@pytest.mark.parametrize("seat_count", [2, 3, 4])
async def test_every_order_of_arrival_gives_the_same_state(rest: httpx.AsyncClient, seat_count: int) -> None:
    body = {"seats": [{}] * seat_count, "options": {"firstSeat": 0}, "clientSeed": "together"}
    state = (await rest.post(f"{INLINE_PATH}:newGame", json=body)).raise_for_status().json()["state"]
    for seat in range(seat_count):
        for number in range(4):
            state = await apply_inline(rest, state, seat, f"lay S{seat + 1}-{number + 1} {number} 0")
    state = await apply_inline(rest, state, 0, "orient 0")
    ends = []
    for order in permutations(range(seat_count)):
        end = state
        for seat in order:
            end = await apply_inline(rest, end, seat, f"place {seat} -1")
        ends.append(end)
    assert all(end == ends[0] for end in ends)


async def apply_inline(rest: httpx.AsyncClient, state: dict[str, Any], seat: int, notation: str) -> dict[str, Any]:
    body = {"state": state, "seat": seat, "notation": notation, "seed": "luck"}
    after: dict[str, Any] = (await rest.post(f"{INLINE_PATH}:apply", json=body)).raise_for_status().json()["state"]
    return after
