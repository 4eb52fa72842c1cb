"""Messages to JSON; fields without presence are printed even when they have their default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, TypeAlias

import orjson
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from gateway.protojson.scalars import scalar
from gateway.schema import Json, choices, is_map

Print: TypeAlias = "Callable[..., Json]"
"""Prints a value, whose type is that of its field."""


def format(message: Message) -> bytes:
    """The message as JSON text."""
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return orjson.dumps(_printer(descriptor).print(message))


@dataclass(frozen=True)
class _Member:
    """A field as the printer of its message needs it; `print` is None where JSON has the value as it is."""

    field: str
    name: str
    print: Print | None

    def value(self, message: Message) -> Json:
        value: Json = getattr(message, self.field)
        return self.print(value) if self.print else value


class _Printer:
    """Prints one kind of message: first what is always there, read in one go, then what is set."""

    def learn(self, message: Descriptor) -> None:
        """Look at the message; apart from the start, since messages may hold themselves."""
        rivals = {field.name for oneof in choices(message) for field in oneof.fields}
        members = {field.name: _Member(field.name, field.json_name, _print_of(field)) for field in message.fields}
        always = [members[field.name] for field in message.fields if not field.has_presence]
        present = [field.name for field in message.fields if field.has_presence and field.name not in rivals]
        # The field doubled at the end makes the getter give a tuple, however many there are.
        self._values = attrgetter(*[member.field for member in [*always, *always[-1:]]]) if always else _nothing
        self._names = [member.name for member in always]
        self._converted = [(member.name, member.print) for member in always if member.print]
        self._present = [members[name] for name in present]
        self._choices = [oneof.name for oneof in choices(message)]
        self._rivals = {name: members[name] for name in rivals}

    def print(self, message: Message) -> dict[str, Json]:
        printed: dict[str, Json] = dict(zip(self._names, self._values(message), strict=False))
        for name, print_value in self._converted:
            printed[name] = print_value(printed[name])
        for member in self._present:
            if message.HasField(member.field):
                printed[member.name] = member.value(message)
        for choice in self._choices:
            chosen = message.WhichOneof(choice)
            if chosen:
                member = self._rivals[chosen]
                printed[member.name] = member.value(message)
        return printed


def _nothing(message: Message) -> tuple[Json, ...]:
    return ()


_PRINTERS: Final[dict[Descriptor, _Printer]] = {}


def _printer(message: Descriptor) -> _Printer:
    printer = _PRINTERS.get(message)
    if printer is None:
        printer = _PRINTERS[message] = _Printer()
        printer.learn(message)
    return printer


def _print_of(field: FieldDescriptor) -> Print | None:
    if is_map(field):
        assert field.message_type is not None
        return _map_of(_single(field.message_type.fields_by_name["value"]))
    return _list_of(_single(field)) if field.is_repeated else _single(field)


def _single(field: FieldDescriptor) -> Print | None:
    kind = scalar(field)
    if kind is not None:
        return kind.print
    assert field.message_type is not None
    return _printer(field.message_type).print


def _list_of(print_item: Print | None) -> Print:
    return list if print_item is None else lambda values: [*map(print_item, values)]


def _map_of(print_value: Print | None) -> Print:
    def print_map(values: Mapping[bool | int | str, Json]) -> Json:
        return {_key(key): print_value(values[key]) if print_value else values[key] for key in values}

    return print_map


def _key(key: bool | int | str) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)
