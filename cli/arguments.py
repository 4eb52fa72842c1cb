"""Checks of command-line arguments: ports, files to write, and options that would have no effect."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cli.translation import gettext

MAX_PORT: Final = 65535


def port(text: str) -> int:
    """Parse a port number, 0 for any free one. Raises `ValueError`."""
    number = int(text)
    if not 0 <= number <= MAX_PORT:
        raise ValueError(gettext("a port is 0 to {most}", most=MAX_PORT))
    return number


def check_writable(path: Path) -> None:
    """Raise `ValueError` if a file cannot be written; called before what takes hours."""
    if not path.parent.is_dir():
        raise ValueError(
            gettext("{path} cannot be written: there is no folder {folder}", path=path, folder=path.parent)
        )
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(gettext("{path} cannot be written", path=path))


def check_folder(path: Path) -> None:
    """Raise `ValueError` if no files can be written into a folder, which is made later if it is missing."""
    if not path.exists():
        check_writable(path)
    elif not path.is_dir() or not os.access(path, os.W_OK):
        raise ValueError(gettext("{path} cannot be written", path=path))


def refuse_options(arguments: Namespace, names: Sequence[str], reason: str) -> None:
    """Raise `ValueError` that names those of the options that were given, since they would have no effect.

    The default of each option must be false: None, False or empty.
    """
    values = {name: getattr(arguments, name) for name in names}
    given = [name for name, value in values.items() if value or (value == 0 and value is not False)]
    if given:
        raise ValueError(f"{', '.join(f'--{name}' for name in given)}: {reason}")
