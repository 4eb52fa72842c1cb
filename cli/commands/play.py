"""`fireside play GAME`: a person plays in the terminal, through the public REST interface alone."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from getpass import getpass
from typing import Final

from rich.console import Console
from rich.text import Text

from cli.given import refuse
from cli.play import options
from cli.play.bots import Bots
from cli.play.seats import Seating, seating, strategies
from cli.play.table import Farewell, Place, Table
from cli.rest_client import Game, Rest
from cli.retries import Patience
from cli.servers.local_service import service
from engine_core.games import spelled

PATIENCE_SECONDS: Final = 120.0
"""How long a service may be away in the middle of a match."""

OF_A_NEW_MATCH: Final = ("seats", "against", "name", "option", "private", "clock", "invite")


def add_arguments(parser: ArgumentParser) -> None:
    """What to play, against whom and where."""
    parser.add_argument("game", type=spelled, help="name of the game, for example fire_bulls")
    parser.add_argument("--seats", type=int, help="number of seats; as few as there can be by default")
    parser.add_argument("--against", default="", help="bots, for example random,first,eager; random by default")
    parser.add_argument("--name", help="what the others see you called")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--private", action="store_true", help="let only the seats see the match")
    parser.add_argument("--clock", type=int, metavar="SECONDS", help="time for each choice")
    parser.add_argument("--invite", action="store_true", help="leave the seats without bots to other persons")
    parser.add_argument("--url", help="play on this service instead of starting one")
    parser.add_argument("--join", metavar="MATCH_ID", help="take a seat of a match that somebody else has begun")
    parser.add_argument("--token", help="the token of that seat; asked for when it is not given")


def run(arguments: Namespace) -> int:
    """Play until the match is over or the person goes."""
    if arguments.join and not arguments.url:
        raise ValueError("--join needs the --url of the service that has the match")
    if arguments.join:
        refuse(arguments, OF_A_NEW_MATCH, "with --join, the match is as somebody else has begun it")
    else:
        refuse(arguments, ["token"], "there is a token for a seat only where you --join a match")
    against = strategies(arguments.against) if arguments.against else []
    console = Console(highlight=False)
    patience = Patience(PATIENCE_SECONDS, lambda text: console.print(text, style="yellow"))
    with service(arguments.url) as url, Rest(url) as hasty, Rest(url, patience) as rest:
        game = _game(hasty, arguments.game.replace("-", "_"))
        if arguments.join:
            place = Place(rest, game["name"], arguments.join, arguments.token or getpass("token of your seat: "))
            bots = Bots(rest, game["name"], arguments.join, {}, {})
        else:
            seated = seating(arguments.seats, against, arguments.invite, game["minSeats"])
            place, bots = _begun(console, rest, url, game, seated, arguments)
        return _play(console, place, bots, _way_back(place, arguments.url))


def _game(rest: Rest, name: str) -> Game:
    games = {game["name"]: game for game in rest.games()}
    if name not in games:
        raise ValueError(f"there is no game {name!r} here; there are {', '.join(games)}")
    return games[name]


def _begun(
    console: Console, rest: Rest, url: str, game: Game, seated: Seating, arguments: Namespace
) -> tuple[Place, Bots]:
    """A new match: the person's place at it, and the bots beside; the invitations are printed."""
    name = arguments.name or ("Host" if arguments.invite else "You")
    chosen = options.parse(arguments.option, game)
    match = rest.new_match(game["name"], seated.names(name), chosen, extra=_extra(arguments))
    tokens = {seat["seat"]: seat["token"] for seat in match["seats"]}
    console.print(Text(f"{game['title']}, {len(seated.seats)} seats, match {match['matchId']} on {url}"))
    for seat in seated.guests:
        console.print(Text(f"Seat {seat} is for whoever types:"))
        console.print(Text(command(Place(rest, game["name"], match["matchId"], tokens[seat]), url)), soft_wrap=True)
    place = Place(rest, game["name"], match["matchId"], tokens[0])
    keys = {seat: tokens[seat] for seat in seated.bots}
    return place, Bots(rest, game["name"], match["matchId"], seated.bots, keys)


def _extra(arguments: Namespace) -> dict[str, object]:
    """What is sent only when it is given."""
    private: dict[str, object] = {"private": True} if arguments.private else {}
    return private if arguments.clock is None else {**private, "clock": {"moveSeconds": arguments.clock}}


def command(place: Place, url: str) -> str:
    """What takes that place; the id of a match may begin like an option."""
    return f"fireside play {place.game} --url {url} --join={place.match_id} --token={place.token}"


def _way_back(place: Place, url: str | None) -> str:
    """How the person can go on later; a service of our own ends, and the match with it."""
    return f"To go on with the match: {command(place, url)}" if url else "The match has ended with its service."


def _play(console: Console, place: Place, bots: Bots, way_back: str) -> int:
    try:
        table = Table(console, place, bots)
        console.print("Type `help` for what can be typed.", style="dim")
        table.play()
    except Farewell as farewell:
        console.print(Text(str(farewell)))
        if farewell.is_for_now:
            console.print(Text(way_back), soft_wrap=True)
    return 0
