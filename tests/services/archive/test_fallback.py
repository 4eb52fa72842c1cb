"""Finished matches that Redis has forgotten are read from the archive: the same answers, and the same refusals."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import httpx
import pytest

from tests.gateway.real_engine import client_of
from tests.services.archive.archiving import Archiving
from tests.services.engine.tables.test_calls import OUR_KEY

MATCHES = "/v1/fire-bulls/matches"
KEY = {"X-API-Key": OUR_KEY}
SUFFIXES = (
    "",
    "?revision=5",
    "/history",
    "/history?fromRevision=7",
    "/score",
    "/record",
    "/legal-moves",
    "/picture.svg",
    "/picture.svg?revision=3",
)


class Finished(NamedTuple):
    """A finished match: its path, its id, the tokens of its seats, and the token of its host."""

    path: str
    match_id: str
    tokens: list[str]


async def finished(rest: httpx.AsyncClient, moves_most: int = 5, **fields: Any) -> Finished:
    """Play a match of two, until its seats leave it."""
    body = {"seats": [{"name": "Ada", "playerId": "ada"}, {"name": "Ben"}], **fields}
    new = (await rest.post(MATCHES, json=body, headers=KEY)).raise_for_status()
    match_id, tokens = new.json()["matchId"], [seat["token"] for seat in new.json()["seats"]]
    path, random = f"{MATCHES}/{match_id}", Random(1)
    match = new.json()["match"]
    while not match["over"]:
        authorization = bearer(tokens[match["toMove"][0]])
        if match["revision"] > moves_most:
            left = await rest.post(f"{path}:leave", json={}, headers=authorization)
            match = left.raise_for_status().json()["match"]
            continue
        moves = (await rest.get(f"{path}/legal-moves", headers=authorization)).json()["moves"]
        move = {"notation": random.choice(moves)["notation"]}
        match = (await rest.post(f"{path}/moves", json=move, headers=authorization)).raise_for_status().json()["match"]
    return Finished(path, match_id, tokens)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def answers(rest: httpx.AsyncClient, match: Finished, strangers: list[str]) -> dict[str, tuple[int, str, bytes]]:
    """Status, ETag and body of all that can be read of a match, by suffix and reader."""
    readers = {"nobody": {}, **{token: bearer(token) for token in [*match.tokens, *strangers]}}
    found = {}
    for suffix in SUFFIXES:
        for name, headers in readers.items():
            got = await rest.get(match.path + suffix, headers=headers)
            found[f"{suffix} of {name}"] = got.status_code, got.headers.get("etag", ""), got.content
    return found


@pytest.fixture
async def matches(rest: httpx.AsyncClient, archive: Archiving) -> list[Finished]:
    """A public match, a private one, and one that everybody may see as each seat, while a worker archives."""
    async with archive.worker():
        kinds: list[dict[str, Any]] = [{"listed": True}, {"private": True}, {"openAfter": True}]
        found = [await finished(rest, 12, **kind) for kind in kinds]
        await archive.is_done()
        return found


async def test_the_answers_stay_what_they_were(
    rest: httpx.AsyncClient, archive: Archiving, matches: list[Finished]
) -> None:
    public, private, _ = matches
    strangers = {match.match_id: [(public if match is private else private).tokens[0]] for match in matches}
    before = [await answers(rest, match, strangers[match.match_id]) for match in matches]
    png = (await rest.get(f"{public.path}/picture.png")).content
    for match in matches:
        archive.forget(match.match_id)
    assert [await answers(rest, match, strangers[match.match_id]) for match in matches] == before
    assert (await rest.get(f"{public.path}/picture.png")).content == png
    by_reader = [{status for of, (status, _, _) in found.items() if "nobody" in of} for found in before]
    assert by_reader == [{200}, {404}, {200}]
    stranger = [status for of, (status, _, _) in before[1].items() if public.tokens[0] in of]
    assert set(stranger) == {404}


async def test_a_token_is_replaced_after_the_match_was_forgotten(
    rest: httpx.AsyncClient, archive: Archiving, matches: list[Finished]
) -> None:
    path, match_id, [old, _] = matches[1]
    archive.forget(match_id)
    body = {"seat": 0, "requestId": "x" * 32}
    answer = await rest.post(f"{path}:reissue", json=body, headers=bearer(old))
    new = answer.raise_for_status().json()["seat"]["token"]
    assert await statuses(rest, path, old, new) == [401, 200]
    assert archive.seconds_to_live(match_id) == [-1, -1]  # until it is archived with the new number of the token
    await archive.run()
    archive.forget(match_id)
    async with client_of(archive.engine_settings()) as other:  # this one may have cached it as it was before
        assert await statuses(other, path, old, new) == [401, 200]


async def statuses(rest: httpx.AsyncClient, path: str, *tokens: str) -> list[int]:
    return [(await rest.get(path, headers=bearer(token))).status_code for token in tokens]


async def test_a_repeated_request_gets_the_match_that_it_has_begun(rest: httpx.AsyncClient, archive: Archiving) -> None:
    request: dict[str, Any] = {"requestId": "y" * 32}
    async with archive.worker():
        match = await finished(rest, **request)
        await archive.is_done()
    archive.forget(match.match_id)
    body = {"seats": [{"name": "Ada", "playerId": "ada"}, {"name": "Ben"}], **request}
    async with client_of(archive.engine_settings()) as other:  # this one knows for some seconds that there is none
        again = (await other.post(MATCHES, json=body, headers=KEY)).raise_for_status().json()
        assert (again["matchId"], [seat["token"] for seat in again["seats"]]) == (match.match_id, match.tokens)
        assert (await other.get(match.path)).json()["over"] is True


async def test_a_move_after_the_end_is_refused_as_before(
    rest: httpx.AsyncClient, archive: Archiving, matches: list[Finished]
) -> None:
    path, match_id, tokens = matches[0]

    async def refusal() -> tuple[int, Any]:
        answer = await rest.post(f"{path}/moves", json={"notation": "take 1"}, headers=bearer(tokens[0]))
        return answer.status_code, {name: value for name, value in answer.json().items() if name != "instance"}

    before = await refusal()
    archive.forget(match_id)
    assert await refusal() == before


async def test_an_archive_that_cannot_be_read_is_no_missing_match(rest: httpx.AsyncClient, archive: Archiving) -> None:
    assert (await rest.get(f"{MATCHES}/unknown")).status_code == 404
    archive.folder.parent.mkdir(exist_ok=True)
    archive.folder.write_text("no folder")
    assert (await rest.get(f"{MATCHES}/another")).status_code == 503
    assert (await rest.get(f"{MATCHES}/unknown")).status_code == 404  # for some seconds it is known that there is none


async def test_a_damaged_object_is_not_shown(
    rest: httpx.AsyncClient, archive: Archiving, matches: list[Finished]
) -> None:
    path, match_id, _ = matches[0]
    archive.forget(match_id)
    [stored] = archive.folder.glob(f"matches/*/{match_id}.zst")
    content = bytearray(stored.read_bytes())
    content[20] ^= 1
    stored.write_bytes(content)
    assert (await rest.get(path)).status_code == 500
