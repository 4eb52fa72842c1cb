"""Command `fireside play`: a person plays in the terminal, over the public REST interface."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from getpass import getpass
from typing import Final

from rich.console import Console
from rich.text import Text

from cli.arguments import refuse_options
from cli.bots import check_imported_bots, check_names, split_names
from cli.client import AnyGameClient, AnyMatchClient, connect, game_client, page_link
from cli.play import options
from cli.play.seats import DEFAULT_BOT, seat_specs
from cli.play.terminal_player import PlayerQuit, PlayerSeat, TerminalPlayer
from cli.servers.local_service import service_url
from cli.translation import gettext
from engine_core.games import canonical_name
from fireside_client import FiresideClient
from fireside_client.types.any_game import Clock, Game
from services.bots.environment import bot_memory
from services.bots.imported.bots import ImportedBotLimits
from services.bots.imported.names import is_imported
from services.bots.settings import BotSettings

OUTAGE_SECONDS: Final = 120.0
"""Longest outage of the service that is retried during a match."""

NEW_MATCH_OPTIONS: Final = ("seats", "against", "option", "private", "clock", "bank", "increment", "invite")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("game", type=canonical_name, help=gettext("name of the game, for example fire_bulls"))
    parser.add_argument("--seats", type=int, help=gettext("number of seats; the minimum by default"))
    parser.add_argument(
        "--against",
        metavar=gettext("BOTS"),
        help=gettext("bots, for example greedy,mcts:iterations=400; {default} by default", default=DEFAULT_BOT),
    )
    parser.add_argument("--name", help=gettext("your name in the match"))
    parser.add_argument(
        "--option", action="append", default=[], metavar=gettext("NAME=VALUE"), help=gettext("an option of the game")
    )
    parser.add_argument("--private", action="store_true", help=gettext("hide the match from spectators"))
    parser.add_argument("--clock", type=int, metavar=gettext("SECONDS"), help=gettext("time for each choice"))
    parser.add_argument(
        "--bank",
        type=int,
        metavar=gettext("SECONDS"),
        help=gettext("time of each seat, used after that for the choice"),
    )
    parser.add_argument(
        "--increment", type=int, metavar=gettext("SECONDS"), help=gettext("time that a seat gains with each choice")
    )
    parser.add_argument("--invite", action="store_true", help=gettext("leave the seats without bots to other people"))
    parser.add_argument("--url", help=gettext("play on this service instead of starting one"))
    parser.add_argument(
        "--join", metavar=gettext("MATCH_ID"), help=gettext("join a match that somebody else has started")
    )
    parser.add_argument("--code", help=gettext("the join code of a seat there; prompted for when it is not given"))
    parser.add_argument("--token", help=gettext("the token of your own seat, to go on in a match that you have joined"))
    parser.add_argument(
        "--ask-always", action="store_true", help=gettext("prompt even when there is only one legal move")
    )


def run(arguments: Namespace) -> int:
    """Play until the match is over or the person quits."""
    if arguments.join and not arguments.url:
        raise ValueError(gettext("--join needs the --url of the service that has the match"))
    if arguments.join:
        reason = gettext("it has no effect with --join, which takes the match as it is")
        refuse_options(arguments, NEW_MATCH_OPTIONS, reason)
        if arguments.token:
            refuse_options(arguments, ["code", "name"], gettext("it has no effect with --token, whose seat is taken"))
    else:
        refuse_options(arguments, ["code", "token"], gettext("it is used with --join only"))
    against = split_names(arguments.against) if arguments.against else ()
    check_names(against, "against")
    imported = [] if arguments.url else [*filter(is_imported, against)]  # a service elsewhere does not have our files
    check_imported_bots(imported, ImportedBotLimits(BotSettings.move_seconds, bot_memory(os.environ)))
    console = Console(highlight=False)
    with (
        service_url(arguments.url, imported) as url,
        connect(url) as client_without_retries,
        connect(url, OUTAGE_SECONDS, lambda text: console.print(text, style="yellow")) as client,
    ):
        # The first call is without retries, so that a wrong URL fails at once.
        game = _find_game(client_without_retries, arguments.game.replace("-", "_"))
        if arguments.join:
            seat = PlayerSeat(game["name"], _joined(game_client(client, game["name"]), arguments))
        else:
            seat = _start_match(console, client, url, game, against, arguments)
        how_to_resume = _how_to_resume(seat, arguments.url)
        return _play(
            console,
            seat,
            page_link(url, seat.game, seat.client.match_id, seat.client.token),
            arguments.ask_always,
            how_to_resume,
        )


def _find_game(client: FiresideClient, name: str) -> Game:
    games = {game["name"]: game for game in client.games()}
    if name not in games:
        raise ValueError(
            gettext("there is no game {name} here; there are {games}", name=repr(name), games=", ".join(games))
        )
    return games[name]


def _joined(rules: AnyGameClient, arguments: Namespace) -> AnyMatchClient:
    """The match of `--join`: with the token, or with the one that the join code gives."""
    token = arguments.token
    if not token:
        code = arguments.code or getpass(gettext("join code of the seat: "))
        token = rules.match(arguments.join).join(code, arguments.name or gettext("Guest"))["token"]
    return rules.match(arguments.join, token)


def _start_match(
    console: Console, client: FiresideClient, url: str, game: Game, against: Sequence[str], arguments: Namespace
) -> PlayerSeat:
    """Start a match, and print how guests take its open seats. Returns the person's seat."""
    name = arguments.name or (gettext("Host") if arguments.invite else gettext("You"))
    specs = seat_specs(arguments.seats, against, arguments.invite, game["minSeats"], name)
    chosen = options.parse(arguments.option, game)
    rules = game_client(client, game["name"])
    # A service of this command has no other matches, so that its players decide for themselves.
    match = rules.new_match(specs, chosen, private=arguments.private, clock=_clock(arguments), hints=not arguments.url)
    numbers = {"seats": len(specs), "match": match["matchId"]}
    console.print(
        Text(gettext("{game}, {seats} seats, match {match} on {url}", game=game["title"], url=url, **numbers))
    )
    own = PlayerSeat(game["name"], rules.match(match["matchId"], match["seats"][0]["token"]))
    for free in match["joinCodes"]:
        console.print(
            Text(gettext("Seat {seat} is open. To take it, run a command, or open a link:", seat=free["seat"] + 1))
        )
        link = page_link(url, own.game, own.client.match_id, free["code"], "code")
        console.print(Text(f"{join_command(own, url, 'code', free['code'])}\n{link}"), soft_wrap=True)
    return own


def _clock(arguments: Namespace) -> Clock | None:
    clock: Clock = {}
    if arguments.clock is not None:
        clock["moveSeconds"] = arguments.clock
    if arguments.bank is not None:
        clock["bankSeconds"] = arguments.bank
    if arguments.increment is not None:
        clock["incrementSeconds"] = arguments.increment
    return clock or None


def join_command(seat: PlayerSeat, url: str, kind: str, secret: str) -> str:
    """The shell command that joins by a `code` or `token`; with `=`, because a match id may begin with a dash."""
    return f"fireside play {seat.game} --url {url} --join={seat.client.match_id} --{kind}={secret}"


def _how_to_resume(seat: PlayerSeat, url: str | None) -> str:
    """A hint how to resume the match, which is impossible if a local service held it."""
    if not url:
        return gettext("The local service has stopped; the match is gone.")
    return gettext("To resume the match: {command}", command=join_command(seat, url, "token", seat.client.token))


def _play(console: Console, seat: PlayerSeat, link: str, ask_always: bool, how_to_resume: str) -> int:
    try:
        player = TerminalPlayer(console, seat, ask_always)
        console.print(Text(gettext("Your seat in a browser: {link}", link=link)), soft_wrap=True)
        player.introduce()
        player.play()
    except PlayerQuit as quit:
        console.print(Text(str(quit)))
        if quit.may_resume:
            console.print(Text(how_to_resume), soft_wrap=True)
    return 0
