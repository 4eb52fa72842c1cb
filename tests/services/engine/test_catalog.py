"""The catalogue service: games, their options, and public keys."""

from __future__ import annotations

from fireside.catalog.v1.catalog_pb2 import Game
from fireside.catalog.v1.catalog_service_pb2 import ListGamesRequest, ListGamesResponse

from services.engine.codecs import CODECS
from tests.services.client import Client

LIST_GAMES = "/fireside.catalog.v1.CatalogService/ListGames"


async def list_games(client: Client) -> dict[str, Game]:
    answer = await client.raw(LIST_GAMES, ListGamesRequest().SerializeToString())
    return {game.name: game for game in ListGamesResponse.FromString(answer).games}


async def test_every_registered_game_is_listed(client: Client) -> None:
    listed = await list_games(client)
    assert list(listed) == sorted(CODECS)
    for name, codec in CODECS.items():
        assert listed[name].rules_version == f"{name}@{codec.game.version}"
        assert (listed[name].min_seats, listed[name].max_seats) == (codec.game.min_seats, codec.game.max_seats)
        assert listed[name].service == codec.service.full_name


async def test_every_option_is_described(client: Client) -> None:
    for game in (await list_games(client)).values():
        assert all(option.description.endswith(".") for option in game.options)


async def test_the_options_of_fire_bulls_are_listed(client: Client) -> None:
    options = {option.name: option for option in (await list_games(client))["fire_bulls"].options}
    assert {name: option.type for name, option in options.items()} == {
        "profile": "enum",
        "colours": "enum[]",
        "firstSeat": "int32",
    }
    assert list(options["profile"].values) == ["PROFILE_MERGED", "PROFILE_FR", "PROFILE_IT"]
