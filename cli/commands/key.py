"""Command `fireside key`: creates an API key."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from cli.translation import gettext
from runtime import api_keys


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("name", help=gettext("name of the key's holder, as it stands in the settings"))


def run(arguments: Namespace) -> int:
    """Print a new key, which is stored nowhere, and its entry for `FIRESIDE_API_KEYS`."""
    key = api_keys.new_key()
    known = api_keys.key_entry(arguments.name, key)
    print(gettext("key, shown this once: {key}", key=key))
    print(gettext("entry of {variable}: {entry}", variable=api_keys.KEYS_VARIABLE, entry=known))
    return 0
