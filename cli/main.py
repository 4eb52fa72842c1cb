"""`fireside`: one command a role."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final, Protocol

from cli import demo, engine, gateway, serve
from cli.version import version_line
from engine_core.errors import GameError


class Command(Protocol):
    """A module of this package that is a command: its docstring is its help."""

    def add_arguments(self, parser: ArgumentParser) -> None: ...

    def run(self, arguments: Namespace) -> int: ...


COMMANDS: Final[dict[str, Command]] = {"serve": serve, "engine": engine, "gateway": gateway, "demo": demo}
"""Name and module of each command."""


def parser() -> ArgumentParser:
    """What may be written behind `fireside`."""
    top = ArgumentParser("fireside", description="Board games as a service.")
    top.add_argument("--version", action="version", version=version_line())
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        text = (command.__doc__ or "").splitlines()[0]
        command.add_arguments(commands.add_parser(name, help=text, description=text))
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; what is wrong with the settings, or keeps it from listening, is said in one line."""
    arguments = parser().parse_args(words)
    try:
        return COMMANDS[arguments.command].run(arguments)
    except (ValueError, OSError, GameError) as error:
        print(f"fireside: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
