"""Output of `fireside --version`: the package version, and whether the rules are compiled."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import PackageNotFoundError, version

from cli.translation import gettext
from engine_core import match


def version_line() -> str:
    """The version of the package, and whether its rules are compiled."""
    return f"fireside {package_version()} ({gettext('compiled') if is_compiled() else gettext('interpreted')})"


def is_compiled() -> bool:
    """Whether the rules are imported from compiled extension modules."""
    return str(match.__file__).endswith(tuple(EXTENSION_SUFFIXES))


def package_version() -> str:
    """The version of the installed package."""
    try:
        return version("fireside")
    except PackageNotFoundError:
        return gettext("from source")
