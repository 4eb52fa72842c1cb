"""Command `fireside key`: creates an API key."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from runtime import api_keys


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", help="name of the key's holder, as it stands in the settings")


def run(arguments: Namespace) -> int:
    """Print a new key, which is stored nowhere, and its entry for `FIRESIDE_API_KEYS`."""
    key = api_keys.new_key()
    known = api_keys.key_entry(arguments.name, key)
    print(f"key, shown this once:          {key}")
    print(f"entry of {api_keys.KEYS_VARIABLE}:    {known}")
    return 0
