"""Names of imported bots: `module:Class` or `file.py:Class`, with options as in `bots.py:MyBot(depth=3)`."""

from __future__ import annotations

import ast
import re
from typing import Final, NamedTuple

from engine_core.bots import BOTS
from services.bots.remote.allowed import is_remote

MAX_NAME_LENGTH: Final = 1000
"""Characters. Python's parser takes much time and memory for a longer text."""
NAME_PATTERN: Final = re.compile(r"(?P<module>[^:()]+):(?P<call>[A-Za-z_]\w*(\(.*\))?)")


class ImportedBotName(NamedTuple):
    """The parts of the name of an imported bot."""

    module: str
    """Name of a module, or path of a file that ends with `.py`."""
    class_name: str
    options: dict[str, object]
    """Keyword arguments of the class."""


def is_imported(bot: str) -> bool:
    """Whether a bot's name is that of a Python class, and no built-in bot's and no address."""
    return not is_remote(bot) and bot.partition(":")[0] not in BOTS and NAME_PATTERN.fullmatch(bot) is not None


def imported_bot_name(bot: str) -> ImportedBotName:
    """Parse the name of an imported bot. Raises `ValueError` for options that are not `name=literal`."""
    if len(bot) > MAX_NAME_LENGTH or ";" in bot:
        raise ValueError(
            f"{bot[:40]!r}: the name of an imported bot has at most {MAX_NAME_LENGTH} characters, and no semicolon"
        )
    found = NAME_PATTERN.fullmatch(bot)
    if found is None:
        raise ValueError(f"{bot!r} is not of the form module:Class or file.py:Class(option=value)")
    class_name = found["call"].partition("(")[0]
    try:
        return ImportedBotName(found["module"], class_name, _options(found["call"]))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise ValueError(f"{bot!r}: its options must be name=value, with literals of Python") from None


def _options(call: str) -> dict[str, object]:
    """The options of a call; literals only, so that a name can run nothing by itself."""
    node = ast.parse(call, mode="eval").body
    if not isinstance(node, ast.Call):
        return {}
    names = [keyword.arg for keyword in node.keywords]
    if node.args or None in names or len(set(names)) < len(names) or not isinstance(node.func, ast.Name):
        raise ValueError(call)
    return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords}
