"""Entry point of the `fireside` command line: imports the command's module, runs it, and prints errors in one line."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn, Protocol, cast

from cli.translation import environment_locale, gettext, gettext_noop, set_locale
from cli.version import version_line
from engine_core.errors import GameError, UnknownGame
from engine_core.words import LOCALES
from runtime.addresses import CannotListen
from runtime.texts import MAX_DETAIL_LENGTH, shortened


class Command(Protocol):
    """The interface of a module in `cli.commands`."""

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace) -> int: ...


COMMAND_HELP: Final = {
    "serve": gettext_noop("serve everything: all games over gRPC, and the REST interface"),
    "engine": gettext_noop("serve games over gRPC"),
    "bots": gettext_noop("play the hosted seats of stored matches"),
    "webhooks": gettext_noop("deliver the events of stored matches to platforms"),
    "archive": gettext_noop("move finished matches from Redis to an archive"),
    "bot": gettext_noop("check a third-party bot before it plays"),
    "gateway": gettext_noop("serve the REST interface in front of engines"),
    "tournaments": gettext_noop("serve tournaments over gRPC, and run them"),
    "key": gettext_noop("make an API key"),
    "verify": gettext_noop("prove a match record, without any service"),
    "replay": gettext_noop("replay a match record in this terminal"),
    "demo": gettext_noop("let bots play a match of every game, and show it"),
    "rules": gettext_noop("explain a game in this terminal"),
    "play": gettext_noop("play a game in this terminal, against bots or other people"),
    "mcp": gettext_noop("let agents play, as an MCP server"),
    "tournament": gettext_noop("run tournaments of bots, and show their results"),
    "records": gettext_noop("write data sets of finished matches"),
}
"""The commands with their help; each has a module of its name in `cli.commands`, services in a folder there."""
SERVICES: Final = ("serve", "engine", "bots", "webhooks", "archive", "gateway", "tournaments")
"""Commands that run services, whose modules are in `cli.commands.services`."""


class ShortErrorParser(ArgumentParser):
    """An argument parser that shortens long arguments in its errors; its subparsers are of the same class."""

    def error(self, message: str) -> NoReturn:
        super().error(shortened(message, MAX_DETAIL_LENGTH))


EXTRA_BY_COMMAND: Final = dict.fromkeys(
    ("serve", "demo", "play", "replay", "tournament", "tournaments"), "tournaments"
) | {"mcp": "mcp", "records": "data"}
"""Extras that commands need other than `service`; `fireside serve` plays tournaments, too."""


def import_command(name: str) -> Command:
    """Import the module of a command. Lazily, since packages of other commands may not be installed.

    Raises `ValueError` that names the required extra if a package is missing.
    """
    package = "cli.commands.services" if name in SERVICES else "cli.commands"
    try:
        return cast(Command, import_module(f"{package}.{name}"))
    except ModuleNotFoundError as error:
        extra = EXTRA_BY_COMMAND.get(name, "service")
        raise ValueError(
            gettext(
                "{command} needs {package}: {install}",
                command=name,
                package=error.name,
                install=f"pip install 'fireside[{extra}]'",
            )
        ) from None


def _locale_parser() -> ShortErrorParser:
    """A parser of `--locale` only, since help and errors of all others are in its language."""
    parser = ShortErrorParser("fireside", add_help=False, allow_abbrev=False)
    parser.add_argument(
        "--locale",
        choices=LOCALES,
        help=gettext("language of all texts; by default that of LC_ALL, LC_MESSAGES or LANG"),
    )
    return parser


def build_parser(argv: Sequence[str]) -> ArgumentParser:
    """The parser of the command line; only commands among the given arguments are imported for their options."""
    locales = _locale_parser()
    top = ShortErrorParser("fireside", description=gettext("Board games as a service."), parents=[locales])
    top.add_argument("--version", action="version", version=version_line(), help=gettext("show the version"))
    commands = top.add_subparsers(dest="command", required=True, metavar=gettext("COMMAND"))
    for name, english in COMMAND_HELP.items():
        text = gettext(english)
        description = f"{text[0].upper()}{text[1:]}."
        command_parser = commands.add_parser(name, help=text, description=description, parents=[locales])
        if name in argv:
            import_command(name).add_arguments(command_parser)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; an error is one line: 1 if it cannot listen, 2 for wrong settings."""
    argv = sys.argv[1:] if argv is None else argv
    set_locale(environment_locale(os.environ))
    try:
        chosen, argv = _locale_parser().parse_known_args(argv)  # it may stand before or after the command
        if chosen.locale:
            set_locale(chosen.locale)
        arguments = build_parser(argv).parse_args(argv)
        return import_command(arguments.command).run(arguments)
    except CannotListen as error:
        print(f"fireside: {error}", file=sys.stderr)
        return 1
    except UnknownGame as error:
        print("fireside: " + gettext("there is no game {name}", name=repr(shortened(error.name))), file=sys.stderr)
        return 2
    except (ValueError, OSError, GameError) as error:
        print(f"fireside: {shortened(str(error), MAX_DETAIL_LENGTH)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
