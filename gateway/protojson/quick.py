"""The quick way to read, for JSON that is as it is printed here.

It finds out that something is unusual or wrong, but not what: the careful way, in `reading`, reads the same again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.protojson.scalars import Plain, Unfit, scalar
from gateway.schema import Json, choices, is_map, is_required

Value: TypeAlias = "Plain | Json | Sequence[Value] | Mapping[str, Value]"
"""What the constructor of a message takes for a field."""

Read: TypeAlias = "Callable[..., Value]"
"""Reads a value, whose type has been looked at; None for one that the constructor takes as it is, and looks at."""

UNUSUAL: Final = (Unfit, KeyError, TypeError, ValueError)
"""What is raised, here and by the constructor of the message, for JSON that the careful way is to read."""

# Numbers beyond 32 bits are texts. Texts may also be names of enum values, which constructors know.
_TYPES: Final = {
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_UINT32: int,
    FieldDescriptor.CPPTYPE_FLOAT: float,
    FieldDescriptor.CPPTYPE_DOUBLE: float,
    FieldDescriptor.CPPTYPE_BOOL: bool,
}
_CONVERTED: Final = frozenset({FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64})


class Quick:
    """Reads the objects that stand for one kind of message."""

    is_ready = False

    def learn(self, message: Descriptor, bound: frozenset[str]) -> None:
        """Look at the message. Apart from the start: a message that holds itself is found not ready meanwhile."""
        members = {field: (field.name, *_member(field)) for field in message.fields}
        self._members = {name: members[field] for field in members for name in (field.name, field.json_name)}
        self._required = frozenset(field.name for field in message.fields if is_required(field)) - bound
        self._choices = [frozenset(field.name for field in oneof.fields) for oneof in choices(message)]
        self.is_ready = True

    def read(self, value: dict[str, Json]) -> dict[str, Value]:
        """The fields, as the constructor takes them. Raises one of `UNUSUAL`."""
        members = self._members
        fields: dict[str, Value] = {}
        for name, item in value.items():
            field, kind, read = members[name]
            if type(item) is not kind:
                raise Unfit
            fields[field] = read(item) if read else item
        if len(fields) < len(value) or not self._required <= fields.keys():
            raise Unfit
        for choice in self._choices:
            if len(choice & fields.keys()) > 1:
                raise Unfit
        return fields


_QUICK: Final[dict[tuple[Descriptor, frozenset[str]], Quick]] = {}


def quick(message: Descriptor, bound: frozenset[str] = frozenset()) -> Quick:
    """The quick reader of a message; `bound` names the fields that the route sets."""
    reader = _QUICK.get((message, bound))
    if reader is None:
        reader = _QUICK[message, bound] = Quick()
        reader.learn(message, bound)
    return reader


def _member(field: FieldDescriptor) -> tuple[type, Read | None]:
    """The type that the JSON of a field has, and how it is read."""
    if is_map(field):
        assert field.message_type is not None
        entry = field.message_type.fields_by_name
        return dict, _map_of(*_single(entry["value"])) if _single(entry["key"]) == (str, None) else _left
    kind, read = _single(field)
    return (list, _list_of(kind, read)) if field.is_repeated else (kind, read)


def _single(field: FieldDescriptor) -> tuple[type, Read | None]:
    known = scalar(field)
    if known is None:
        assert field.message_type is not None
        held = quick(field.message_type)
        return dict, held.read if held.is_ready else _left
    is_converted = field.message_type or field.cpp_type in _CONVERTED or field.type == FieldDescriptor.TYPE_BYTES
    return _TYPES.get(field.cpp_type, str), known.read if is_converted else None


def _list_of(kind: type, read: Read | None) -> Read:
    def read_list(items: list[Json]) -> Value:
        _check(kind, items)
        return [read(item) for item in items] if read else items

    return read_list


def _map_of(kind: type, read: Read | None) -> Read:
    def read_map(items: dict[str, Json]) -> Value:
        _check(kind, items.values())
        return {key: read(item) for key, item in items.items()} if read else items

    return read_map


def _check(kind: type, items: Iterable[Json]) -> None:
    if not {kind}.issuperset(map(type, items)):
        raise Unfit


def _left(value: Json) -> Value:
    """Left to the careful way: keys that are no texts, and messages in themselves, of which it knows how many."""
    raise Unfit
