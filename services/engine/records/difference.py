"""Finds the first difference between two messages, with its JSON path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

Value: TypeAlias = "dict[str, Value] | list[Value] | str | int | bool"


@dataclass(frozen=True)
class Difference:
    """The JSON path of a difference, and the value in each message; None where the field is missing."""

    path: str
    given: Value | None
    expected: Value | None

    def text(self, source: str) -> str:
        """The difference as a sentence; `source` says where the expected value comes from."""
        return f"{self.path} is {_printable_value(self.given)}, but {source} {_printable_value(self.expected)}"


def difference(given: Message, expected: Message) -> Difference | None:
    """The first difference between a message and the expected one; None if they are equal."""
    if given == expected:
        return None
    found = _difference(_fields(given), _fields(expected), "")
    # Equal in JSON, so they differ in unknown fields or in the presence of a default.
    return found or Difference("its form", "another one", "the usual one")


def _fields(message: Message) -> Value:
    return cast(Value, MessageToDict(message, always_print_fields_with_no_presence=True))


def _difference(given: Value | None, expected: Value | None, path: str) -> Difference | None:
    if isinstance(given, dict) and isinstance(expected, dict):
        names = [*expected, *(name for name in given if name not in expected)]
        parts = [(f"{path}.{name}".lstrip("."), given.get(name), expected.get(name)) for name in names]
    elif isinstance(given, list) and isinstance(expected, list):
        numbers = range(max(len(given), len(expected)))
        parts = [(f"{path}[{number}]", _value_at(given, number), _value_at(expected, number)) for number in numbers]
    else:
        return None if given == expected else Difference(path, given, expected)
    found = (_difference(theirs, ours, where) for where, theirs, ours in parts)
    return next((each for each in found if each is not None), None)


def _value_at(values: Sequence[Value], number: int) -> Value | None:
    return values[number] if number < len(values) else None


def _printable_value(value: Value | None) -> str:
    return "nothing" if value is None else repr(value)
