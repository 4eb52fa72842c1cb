"""Play any game of a service against bots, by sentences, without a rule: play_by_text.py URL GAME [LANGUAGE]

It lists what the seat may do as numbered sentences, reads a number for each turn, and prints what happens meanwhile.
"""

from __future__ import annotations

import json
import sys
from typing import Any
from urllib.request import Request, urlopen

URL, GAME, LANGUAGE = [*sys.argv[1:], "en"][:3]


def call(method: str, path: str, token: str = "", **body: Any) -> Any:
    """The response of the service as JSON."""
    headers = {"Accept-Language": LANGUAGE, **({"Authorization": f"Bearer {token}"} if token else {})}
    if body:
        headers["Content-Type"] = "application/json"
    data = json.dumps(body).encode() if body else None
    with urlopen(Request(URL + path, data, headers, method=method)) as response:
        return json.load(response)


def follow(match: str, token: str) -> Any:
    """The events of a match as this seat sees them, each with its type, to the end of the match."""
    headers = {"Accept-Language": LANGUAGE, "Authorization": f"Bearer {token}"}
    kind = "line"
    with urlopen(Request(f"{URL}{match}/events?views=true", headers=headers)) as events:
        for line in events:
            name, _, text = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                kind = text
            elif name == "data":
                yield kind, json.loads(text)
                kind = "line"


games = {game["name"]: game for game in call("GET", "/v1/games")["games"]}
route = games[GAME]["route"]
bots = [{"bot": "greedy"}] * (games[GAME]["minSeats"] - 1)
match = call("POST", f"{route}/matches", seats=[{"name": "You"}, *bots])
path, token = f"{route}/matches/{match['matchId']}", match["seats"][0]["token"]

moved = 0  # revision of the last move: turns before it are over
for kind, event in follow(path, token):
    if kind == "line":
        print("Chance" if event.get("seat") is None else f"Seat {event['seat']}", event["text"], sep=": ")
    elif kind == "turn" and event["moves"] and event["revision"] >= moved:
        for number, move in enumerate(event["moves"], 1):
            print(f"  {number}. {move['text']}")
        chosen = event["moves"][int(input("> ")) - 1]
        moved = call("POST", f"{path}/moves", token, move=chosen["move"])["revision"]
    elif kind == "over":
        print(event["score"]["reasonText"])
        for standing in event["score"]["standings"]:
            print(f"{standing['rank']}. seat {standing['seat']}: {standing['points']}")
