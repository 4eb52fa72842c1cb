"""Entry point of the `fireside` command line: imports the command's module, runs it, and prints errors in one line."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn, Protocol, cast

from cli.version import version_line
from engine_core.errors import GameError
from runtime.addresses import CannotListen
from runtime.texts import MAX_DETAIL_LENGTH, shortened


class Command(Protocol):
    """The interface of a module in `cli.commands`."""

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace) -> int: ...


COMMAND_HELP: Final = {
    "serve": "serve everything in one process: all games over gRPC, and the REST interface",
    "engine": "serve games over gRPC",
    "bots": "play the hosted seats of stored matches",
    "bot": "check a third-party bot before it plays",
    "gateway": "serve the REST interface in front of engines",
    "tournaments": "serve tournaments over gRPC, and run them",
    "key": "make an API key",
    "verify": "prove a match record, without any service",
    "demo": "play a whole match of every game over REST",
    "rules": "explain a game in this terminal",
    "play": "play a game in this terminal, against bots or other people",
    "tournament": "run tournaments of bots, and show their results",
}
"""The commands, which are modules of `cli.commands`, with their help."""


class ShortErrorParser(ArgumentParser):
    """An argument parser that shortens long arguments in its errors; its subparsers are of the same class."""

    def error(self, message: str) -> NoReturn:
        super().error(shortened(message, MAX_DETAIL_LENGTH))


EXTRA_BY_COMMAND: Final = dict.fromkeys(("serve", "demo", "play", "tournament", "tournaments"), "tournaments")
"""Extras that commands need other than `service`; `fireside serve` plays tournaments, too."""


def import_command(name: str) -> Command:
    """Import the module of a command. Lazily, since packages of other commands may not be installed.

    Raises `ValueError` that names the required extra if a package is missing.
    """
    try:
        return cast(Command, import_module(f"cli.commands.{name}"))
    except ModuleNotFoundError as error:
        extra = EXTRA_BY_COMMAND.get(name, "service")
        raise ValueError(f"{name} needs {error.name}: pip install 'fireside[{extra}]'") from None


def build_parser(argv: Sequence[str]) -> ArgumentParser:
    """The parser of the command line; only commands among the given arguments are imported for their options."""
    top = ShortErrorParser("fireside", description="Board games as a service.")
    top.add_argument("--version", action="version", version=version_line(), help="show the version")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMAND_HELP.items():
        command_parser = commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        if name in argv:
            import_command(name).add_arguments(command_parser)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; an error is one line: 1 if it cannot listen, 2 for wrong settings."""
    argv = sys.argv[1:] if argv is None else argv
    try:
        arguments = build_parser(argv).parse_args(argv)
        return import_command(arguments.command).run(arguments)
    except CannotListen as error:
        print(f"fireside: {error}", file=sys.stderr)
        return 1
    except (ValueError, OSError, GameError) as error:
        print(f"fireside: {shortened(str(error), MAX_DETAIL_LENGTH)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
