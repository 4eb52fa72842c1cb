"""The `fireside` command line: finds the command, runs it, and prints errors in one line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn, Protocol, cast

from cli.commands.version import version_line
from engine_core.errors import GameError
from runtime.addresses import CannotListen
from runtime.texts import DETAIL_MOST, shortened


class Command(Protocol):
    """What the module of a command offers."""

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace) -> int: ...


COMMANDS: Final = {
    "serve": "serve everything in this process: all games over gRPC, and the REST interface",
    "engine": "serve games over gRPC",
    "bots": "play the hosted seats of live matches",
    "bot": "check a third-party bot before it plays",
    "gateway": "serve the REST interface in front of engines that run elsewhere",
    "tournaments": "serve tournaments over gRPC, and have them played",
    "key": "make an API key",
    "verify": "prove a match record, without any service",
    "demo": "play a whole match of every game over REST",
    "play": "play a game in this terminal, against bots or other persons",
    "tournament": "let bots play tournaments, and look at their results",
}
"""The commands, which are modules of the same names, with what they do."""


class Parser(ArgumentParser):
    """A parser, and through it those of the commands, that repeats only so much of a wrong word."""

    def error(self, message: str) -> NoReturn:
        super().error(shortened(message, DETAIL_MOST))


EXTRAS: Final = dict.fromkeys(("serve", "demo", "play", "tournament", "tournaments"), "tournaments")
"""Commands whose packages come with another extra than `service`; `fireside serve` plays tournaments, too."""


def command(name: str) -> Command:
    """The module of a command, imported only now: what one command needs may not be installed for another.

    Raises `ValueError` that names the extra when a package is missing.
    """
    try:
        return cast(Command, import_module(f"cli.commands.{name}"))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get(name, "service")
        raise ValueError(f"{name} needs {error.name}: pip install 'fireside[{extra}]'") from None


def parser(words: Sequence[str]) -> ArgumentParser:
    """What may be written behind `fireside`, in full for the commands among the words."""
    top = Parser("fireside", description="Board games as a service.")
    top.add_argument("--version", action="version", version=version_line(), help="show the version")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, deed in COMMANDS.items():
        below = commands.add_parser(name, help=deed, description=f"{deed[0].upper()}{deed[1:]}.")
        if name in words:
            command(name).add_arguments(below)
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; what is wrong with the settings (2), or keeps it from listening (1), is said in one line."""
    words = sys.argv[1:] if words is None else words
    try:
        arguments = parser(words).parse_args(words)
        return command(arguments.command).run(arguments)
    except CannotListen as error:
        print(f"fireside: {error}", file=sys.stderr)
        return 1
    except (ValueError, OSError, GameError) as error:
        print(f"fireside: {shortened(str(error), DETAIL_MOST)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
