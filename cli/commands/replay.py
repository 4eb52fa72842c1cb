"""Command `fireside replay`: prints the log of a match record, and a position of it as spectators or a seat saw it."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import cast

from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from rich.console import Console

from cli.boards import board_of, words_of
from cli.client import connect, game_client
from cli.commands.verify import ascii_escaped, read_input
from cli.play.history import event_lines
from cli.servers.local_service import service_url
from cli.standings import score_title, standings
from cli.translation import gettext
from engine_core.games import canonical_name
from fireside_client.types.any_game import Move, Options
from fireside_client.types.shared import MatchRecord
from services.engine.presentation.players import names_in_sentences
from services.engine.records.reading import VerificationFailed, read


def add_arguments(parser: ArgumentParser) -> None:
    """Add the record, the position and the observer, and the service that replays it."""
    parser.add_argument(
        "record", nargs="?", default="-", help=gettext("file with the record in JSON; - for the standard input")
    )
    parser.add_argument(
        "--revision", type=int, metavar=gettext("N"), help=gettext("replay so many entries of the log; all by default")
    )
    parser.add_argument(
        "--seat", type=int, metavar=gettext("N"), help=gettext("what this seat saw, from 0; a spectator by default")
    )
    parser.add_argument("--url", help=gettext("replay on this service instead of starting one"))


def run(arguments: Namespace) -> int:
    """Print the log up to the position, the position, and the points there. Raises `ValueError` for a bad record."""
    try:
        _, record = read(read_input(arguments.record))
    except VerificationFailed as error:
        raise ValueError(ascii_escaped(str(error))) from None
    fields = MessageToDict(cast(Message, record), always_print_fields_with_no_presence=True)
    console = Console(highlight=False)
    with service_url(arguments.url) as url, connect(url) as client:
        rules = game_client(client, record.game)
        replayed = rules.replay(cast("MatchRecord[Move, Options]", fields), arguments.revision, arguments.seat, after=0)
        score = rules.score(replayed["state"])
    seats, words = cast("list[SeatSpec]", record.seats), words_of(canonical_name(record.game))
    names = names_in_sentences(seats, words)
    for line in event_lines(replayed["events"], names, arguments.seat):
        console.print(line)
    console.print(board_of(record.game).draw(dict(replayed["match"])))
    console.print(standings(score, names, score_title(score, names)))
    return 0
