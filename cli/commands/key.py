"""Make an API key."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from runtime import api_keys


def add_arguments(parser: ArgumentParser) -> None:
    """Whose key it is."""
    parser.add_argument("name", help="name of its holder, which the settings show")


def run(arguments: Namespace) -> int:
    """Print a key, which is kept nowhere, and what the settings say of it."""
    key = api_keys.fresh()
    known = api_keys.entry(arguments.name, key)
    print(f"key, shown this once:          {key}")
    print(f"entry of {api_keys.VARIABLE}:    {known}")
    return 0
