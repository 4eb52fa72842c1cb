"""Command `fireside play`: a person plays in the terminal, over the public REST interface."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from getpass import getpass
from typing import Final

from rich.console import Console
from rich.text import Text

from cli.arguments import refuse_options
from cli.play import options
from cli.play.bots import ClientBots
from cli.play.seats import SeatPlan, parse_strategies, seat_plan
from cli.play.terminal_player import PlayerQuit, PlayerSeat, TerminalPlayer
from cli.rest_client import GameJson, RestClient
from cli.retries import RetryPolicy
from cli.servers.local_service import service_url
from engine_core.games import canonical_name

OUTAGE_SECONDS: Final = 120.0
"""Longest outage of the service that is retried during a match."""

NEW_MATCH_OPTIONS: Final = ("seats", "against", "name", "option", "private", "clock", "invite")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("game", type=canonical_name, help="name of the game, for example fire_bulls")
    parser.add_argument("--seats", type=int, help="number of seats; the minimum by default")
    parser.add_argument("--against", default="", help="bots, for example random,first,eager; random by default")
    parser.add_argument("--name", help="your name in the match")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument("--private", action="store_true", help="hide the match from spectators")
    parser.add_argument("--clock", type=int, metavar="SECONDS", help="time for each choice")
    parser.add_argument("--invite", action="store_true", help="leave the seats without bots to other people")
    parser.add_argument("--url", help="play on this service instead of starting one")
    parser.add_argument("--join", metavar="MATCH_ID", help="join a match that somebody else has started")
    parser.add_argument("--token", help="the token of that seat; prompted for when it is not given")


def run(arguments: Namespace) -> int:
    """Play until the match is over or the person quits."""
    if arguments.join and not arguments.url:
        raise ValueError("--join needs the --url of the service that has the match")
    if arguments.join:
        refuse_options(arguments, NEW_MATCH_OPTIONS, "it has no effect with --join, which takes the match as it is")
    else:
        refuse_options(arguments, ["token"], "it is used with --join only")
    against = parse_strategies(arguments.against) if arguments.against else []
    console = Console(highlight=False)
    retries = RetryPolicy(OUTAGE_SECONDS, lambda text: console.print(text, style="yellow"))
    with service_url(arguments.url) as url, RestClient(url) as rest_without_retries, RestClient(url, retries) as rest:
        # The first call is without retries, so that a wrong URL fails at once.
        game = _find_game(rest_without_retries, arguments.game.replace("-", "_"))
        if arguments.join:
            seat = PlayerSeat(rest, game["name"], arguments.join, arguments.token or getpass("token of your seat: "))
            bots = ClientBots(rest, game["name"], arguments.join, {}, {})
        else:
            plan = seat_plan(arguments.seats, against, arguments.invite, game["minSeats"])
            seat, bots = _start_match(console, rest, url, game, plan, arguments)
        return _play(console, seat, bots, _how_to_resume(seat, arguments.url))


def _find_game(rest: RestClient, name: str) -> GameJson:
    games = {game["name"]: game for game in rest.games()}
    if name not in games:
        raise ValueError(f"there is no game {name!r} here; there are {', '.join(games)}")
    return games[name]


def _start_match(
    console: Console, rest: RestClient, url: str, game: GameJson, plan: SeatPlan, arguments: Namespace
) -> tuple[PlayerSeat, ClientBots]:
    """Start a match, and print the commands for guests. Returns the person's seat, and the bots of other seats."""
    name = arguments.name or ("Host" if arguments.invite else "You")
    chosen = options.parse(arguments.option, game)
    match = rest.new_match(game["name"], plan.names(name), chosen, extra=_optional_fields(arguments))
    tokens = {seat["seat"]: seat["token"] for seat in match["seats"]}
    console.print(Text(f"{game['title']}, {len(plan.seats)} seats, match {match['matchId']} on {url}"))
    for seat in plan.guests:
        console.print(Text(f"Seat {seat} is free. To take it, run:"))
        console.print(
            Text(join_command(PlayerSeat(rest, game["name"], match["matchId"], tokens[seat]), url)), soft_wrap=True
        )
    own = PlayerSeat(rest, game["name"], match["matchId"], tokens[0])
    keys = {seat: tokens[seat] for seat in plan.bots}
    return own, ClientBots(rest, game["name"], match["matchId"], plan.bots, keys)


def _optional_fields(arguments: Namespace) -> dict[str, object]:
    """Request fields that are sent only if given."""
    private: dict[str, object] = {"private": True} if arguments.private else {}
    return private if arguments.clock is None else {**private, "clock": {"moveSeconds": arguments.clock}}


def join_command(seat: PlayerSeat, url: str) -> str:
    """The shell command that joins as a seat; with `=`, because a match id may begin with a dash."""
    return f"fireside play {seat.game} --url {url} --join={seat.match_id} --token={seat.token}"


def _how_to_resume(seat: PlayerSeat, url: str | None) -> str:
    """A hint how to resume the match, which is impossible if a local service held it."""
    return (
        f"To resume the match: {join_command(seat, url)}"
        if url
        else "The local service has stopped; the match is gone."
    )


def _play(console: Console, seat: PlayerSeat, bots: ClientBots, how_to_resume: str) -> int:
    try:
        player = TerminalPlayer(console, seat, bots)
        console.print("Type `help` for the commands.", style="dim")
        player.play()
    except PlayerQuit as quit:
        console.print(Text(str(quit)))
        if quit.may_resume:
            console.print(Text(how_to_resume), soft_wrap=True)
    return 0
