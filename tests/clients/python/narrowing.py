"""Program that only type-checks if the types of a game narrow: a move by its member, a message by its kind."""

from __future__ import annotations

from typing import assert_never, assert_type

from fireside_client import AsyncFiresideClient, FiresideClient, FiresideError
from fireside_client.types import fire_bulls, spring_festival


def describe(move: fire_bulls.Move) -> str:
    """The kind of a move with its details; mypy knows the members of each kind."""
    if "attack" in move:
        move["attack"]["colour"]  # type: ignore[typeddict-item] # --strict reports an ignore that is not needed
        return f"attack along direction {move['attack']['direction']}"
    if "take" in move:
        assert_type(move["take"], fire_bulls.Take)
    return next(iter(move))


def follow(message: fire_bulls.WatchResponse) -> int:
    """The revision of a message; every kind is handled, which mypy proves."""
    if "event" in message:
        return message["event"]["revision"]
    if "turn" in message:
        match = message["turn"].get("match")
        return len(match["view"]["seats"]) if match else message["turn"]["revision"]
    if "seat" in message:
        return message["seat"]["seat"]
    if "over" in message:
        return message["over"]["score"]["winners"][0]
    assert_never(message)


def play(url: str) -> None:
    """Play the first legal move, and report what is wrong with it."""
    with FiresideClient(url, locale="fr") as client:
        rules = client.game(fire_bulls.GAME)
        new_match = rules.new_match([{"name": "Ada"}, {"bot": "random"}], {"firstSeat": 0})
        match = rules.match(new_match["matchId"], new_match["seats"][0]["token"])
        assert_type(match.get()["view"], fire_bulls.View)
        try:
            applied = match.apply(match.legal_moves()[0]["move"], next=True)
        except FiresideError as error:
            print(error.status, error.reason, error.violations, error.retry_after)
        else:
            print([describe(event["move"]) for event in applied["events"] if "move" in event])


async def components(url: str) -> spring_festival.Components:
    """The components of another game, by the async client."""
    async with AsyncFiresideClient(url) as client:
        return (await client.game(spring_festival.GAME).components())["components"]
