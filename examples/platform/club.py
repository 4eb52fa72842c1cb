"""A club that seats strangers at a game, and shows their match in its channel, as it hears of it by webhooks alone.

    export FIRESIDE_URL=http://127.0.0.1:8080 FIRESIDE_KEY=… CLUB_URL=http://127.0.0.1:8000
    granian --interface asgi --port 8000 club:app

`POST /play {"player": "ada"}` gives a player a seat, and the link to it. `GET /channel` returns the posts.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx
from fastapi import Body, FastAPI, HTTPException, Request
from standardwebhooks import Webhook, WebhookVerificationError

SERVICE, KEY, CLUB = (os.environ[name] for name in ("FIRESIDE_URL", "FIRESIDE_KEY", "CLUB_URL"))
GAME = os.environ.get("CLUB_GAME", "fire_bulls")
ROUTE = f"/v1/{GAME.replace('_', '-')}/matches"


class Seat(NamedTuple):
    """An open seat of a match, and the code that gives it."""

    match_id: str
    code: str


fireside = httpx.AsyncClient(base_url=SERVICE, headers={"X-Api-Key": KEY}, timeout=20)
channel: list[dict[str, Any]] = []
waiting: list[Seat] = []
secret = ""
seen: set[str] = set()  # ids of events: one may come twice


async def call(method: str, path: str, **body: Any) -> Any:
    """The JSON response of the service. Raises `httpx.HTTPStatusError`."""
    response = await fireside.request(method, path, json=body if method == "POST" else None)
    return response.raise_for_status().json()


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Create the webhook; one of an earlier run is deleted, since only its creation shows the secret."""
    global secret
    url = f"{CLUB}/events"
    for webhook in (await call("GET", "/v1/webhooks"))["webhooks"]:
        if webhook["url"] == url:
            await call("POST", f"/v1/webhooks/{webhook['webhookId']}:delete")
    secret = (await call("POST", "/v1/webhooks", url=url))["secret"]
    yield
    await fireside.aclose()


app = FastAPI(lifespan=lifespan)


@app.post("/play")
async def play(player: str = Body(embed=True)) -> dict[str, Any]:
    """Seat a player at a match that waits for one, or at a new one."""
    if not waiting:
        new = await call("POST", ROUTE, seats=[{"open": {}}, {"open": {}}])
        waiting.extend(Seat(new["matchId"], code["code"]) for code in new["joinCodes"])
    match_id, code = waiting.pop(0)
    taken = await call("POST", f"{ROUTE}/{match_id}:join", code=code, name=player.title(), playerId=player)
    link = f"{SERVICE}/match/{GAME}/{match_id}"
    return {"matchId": match_id, "seat": taken["seat"], "token": taken["token"], "link": link}


@app.get("/channel")
async def posts() -> list[dict[str, Any]]:
    """What was posted, oldest first."""
    return channel


@app.post("/events", status_code=204)
async def hear(request: Request) -> None:
    """Post what an event says. A response with 2xx ends it: otherwise it is sent again."""
    try:
        payload = Webhook(secret).verify(await request.body(), dict(request.headers))
    except (WebhookVerificationError, ValueError):
        raise HTTPException(401, "not signed by the service") from None
    event_id = request.headers["webhook-id"]
    if event_id not in seen:
        text = text_of(payload["type"], payload["data"])
        if text:
            channel.append({"text": text, "matchId": payload["data"]["matchId"], **picture(payload)})
        seen.add(event_id)


def text_of(kind: str, data: dict[str, Any]) -> str:
    """What the club says to an event; empty for a test."""
    if kind == "match.turn":
        return f"{names(data['turn']['players'])} to move"
    if kind == "match.seat":
        return f"{names([data['seat']['player']])}: {data['seat']['change'].removeprefix('SEAT_CHANGE_').lower()}"
    if kind == "match.over":
        ranks = [f"{each['rank']}. {names([each['player']])} {each['points']}" for each in data["over"]["standings"]]
        return f"The match is over ({data['over']['reason']}): {', '.join(ranks)}"
    return ""


def names(players: list[dict[str, Any]]) -> str:
    """The players in words."""
    return " and ".join(player["name"] or f"Seat {player['seat']}" for player in players)


def picture(payload: dict[str, Any]) -> dict[str, str]:
    """The picture of a turn, as everybody may see the match."""
    if payload["type"] != "match.turn":
        return {}
    data = payload["data"]
    return {"picture": f"{SERVICE}{ROUTE}/{data['matchId']}/picture.png?revision={data['revision']}"}
