"""Messages to JSON; fields without presence are printed even when they have their default.

The printer of a message is Python that is written for it once. Nearly all of a printer is reads of fields: a loop over
them, with what to do for each in a table, takes twice the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from keyword import iskeyword
from typing import Final, TypeAlias, cast

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway.protojson.scalars import scalar
from gateway.schema import Json, choices, is_map

Print: TypeAlias = Callable[[Message], dict[str, Json]]

INDENT: Final = "    "


def format(message: Message) -> bytes:
    """The message as JSON text."""
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return orjson.dumps(_PRINTERS.of(descriptor)(message))


class _Printers:
    """The printers, which find each other by name when they run, since messages may hold themselves."""

    def __init__(self) -> None:
        self._names: Final[dict[Descriptor, str]] = {}
        self._known: Final[dict[str, object]] = {"key": _key}
        """What the printers know: each other, and how scalars are printed."""

    def of(self, message: Descriptor) -> Print:
        """The printer of a message."""
        return cast("Print", self._known[self._name(message)])

    def _name(self, message: Descriptor) -> str:
        name = self._names.get(message)
        if name is None:
            name = self._names[message] = f"print_{len(self._names)}"
            exec("\n".join(self._source(name, message)), self._known)
        return name

    def _source(self, name: str, message: Descriptor) -> Iterator[str]:
        """First what is always there, then what is set."""
        rivals = {field.name for oneof in choices(message) for field in oneof.fields}
        always = [field for field in message.fields if not field.has_presence]
        yield f"def {name}(message):"
        yield f"{INDENT}printed = {_braced(f'{field.json_name!r}: {self._value(field)}' for field in always)}"
        for field in message.fields:
            if field.has_presence and field.name not in rivals:
                yield f"{INDENT}if message.HasField({field.name!r}):"
                yield f"{INDENT}{INDENT}printed[{field.json_name!r}] = {self._value(field)}"
        for number, oneof in enumerate(choices(message)):
            yield f"{INDENT}chosen = message.WhichOneof({oneof.name!r})"
            yield f"{INDENT}if chosen:"
            yield f"{INDENT}{INDENT}rival, value = {name}_{number}[chosen]"
            yield f"{INDENT}{INDENT}printed[rival] = value(message)"
        yield f"{INDENT}return printed"
        for number, oneof in enumerate(choices(message)):
            yield f"{name}_{number} = {_braced(self._rival(field) for field in oneof.fields)}"

    def _rival(self, field: FieldDescriptor) -> str:
        return f"{field.name!r}: ({field.json_name!r}, lambda message: {self._value(field)})"

    def _value(self, field: FieldDescriptor) -> str:
        """What gives the JSON of a field."""
        held = f"getattr(message, {field.name!r})" if iskeyword(field.name) else f"message.{field.name}"
        if is_map(field):
            assert field.message_type is not None
            single = self._single(field.message_type.fields_by_name["value"])
            value = f"{single}({held}[each])" if single else f"{held}[each]"
            return f"{{key(each): {value} for each in {held}}}"
        single = self._single(field)
        if field.is_repeated:
            return f"[*map({single}, {held}[:])]" if single else f"{held}[:]"
        return f"{single}({held})" if single else held

    def _single(self, field: FieldDescriptor) -> str:
        """The name of what prints one value; empty where JSON has it as it is."""
        kind = scalar(field)
        if kind is None:
            assert field.message_type is not None
            return self._name(field.message_type)
        if kind.print is None:
            return ""
        name = f"scalar_{len(self._known)}"
        self._known[name] = kind.print
        return name


def _braced(items: Iterable[str]) -> str:
    return f"{{{', '.join(items)}}}"


def _key(key: bool | int | str) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


_PRINTERS: Final = _Printers()
