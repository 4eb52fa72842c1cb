"""JSON to messages, with every fault of it told by its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gateway.openapi.schema import Json, choices, is_map, is_required
from gateway.protojson.faults import InvalidFields, Unfit, Violation
from gateway.protojson.scalars import Plain, Scalar, scalar

Value: TypeAlias = "Plain | list[Value] | dict[str, Value] | dict[Value, Value] | None"
"""What the constructor of a message takes for a field; None for what does not fit."""

Read: TypeAlias = "Callable[[Json, str, list[Violation]], Value]"
"""Reads a value that is found at a path, and adds what is wrong with it."""


VIOLATIONS_MOST: Final = 100
"""After so many the rest of the JSON is not read: a small body must not make a large answer, nor much work."""
NAME_MOST: Final = 64
"""How much of an unknown name is repeated."""


class _Violations(list[Violation]):
    """What has been found; reading ends when there is no room for more."""

    def append(self, violation: Violation) -> None:
        super().append(violation)
        if len(self) == VIOLATIONS_MOST:
            raise InvalidFields(self)


def parse(value: Json, kind: Descriptor, bound: frozenset[str] = frozenset()) -> Message:
    """The message that JSON stands for. Raises `InvalidFields`, with the first `VIOLATIONS_MOST` violations.

    `bound` names the fields of the message that the route sets, so that they are not missed.
    """
    return GetMessageClass(kind)(**_fields(value, kind, bound))


def _fields(value: Json, kind: Descriptor, bound: frozenset[str]) -> dict[str, Value]:
    violations = _Violations()
    try:
        fields = _reader(kind).read(value, "", violations, bound)
    except RecursionError:
        raise InvalidFields([Violation("", "is nested too deep")]) from None
    if violations:
        raise InvalidFields(violations)
    return fields


@dataclass(frozen=True)
class _Member:
    """A field as the reader of its message needs it; `choice` numbers its oneof, and is -1 outside of one."""

    field: str
    name: str
    read: Read
    choice: int


class _Reader:
    """Reads the objects that stand for one kind of message."""

    def __init__(self, message: Descriptor) -> None:
        choice = {field.name: number for number, oneof in enumerate(choices(message)) for field in oneof.fields}
        members = [
            _Member(field.name, field.json_name, _read_of(field), choice.get(field.name, -1))
            for field in message.fields
        ]
        required = {field.name for field in message.fields if is_required(field)}
        self._members = {name: member for member in members for name in (member.field, member.name)}
        self._required = [member for member in members if member.field in required]

    def read(
        self, value: Json, path: str, violations: list[Violation], bound: frozenset[str] = frozenset()
    ) -> dict[str, Value]:
        """The fields; `bound` names those that are not missed."""
        if not isinstance(value, dict):
            violations.append(Violation(path, "expected an object"))
            return {}
        prefix = f"{path}." if path else ""
        fields: dict[str, Value] = {}
        chosen: dict[int, _Member] = {}
        for name, item in value.items():
            member = self._members.get(name)
            if member is None:
                violations.append(Violation(prefix + name[:NAME_MOST], "there is no such field"))
            elif member.field in fields:
                violations.append(Violation(prefix + name, "is given twice"))
            elif item is not None:
                fields[member.field] = member.read(item, prefix + member.name, violations)
                if member.choice >= 0 and chosen.setdefault(member.choice, member) is not member:
                    rival = chosen[member.choice].name
                    violations.append(Violation(prefix + member.name, f"cannot be given beside {rival}"))
        for member in self._required:
            if member.field not in fields and member.field not in bound:
                violations.append(Violation(prefix + member.name, "is required"))
        return fields


@cache
def _reader(message: Descriptor) -> _Reader:
    return _Reader(message)


def _read_of(field: FieldDescriptor) -> Read:
    if is_map(field):
        assert field.message_type is not None
        entry = field.message_type.fields_by_name
        return _map_of(_key_of(entry["key"]), _single(entry["value"]))
    if not field.is_repeated:
        return _single(field)
    kind = scalar(field)
    return _list_of_scalars(kind) if kind else _list_of(_single(field))


def _single(field: FieldDescriptor) -> Read:
    kind = scalar(field)
    if kind is not None:
        return _scalar(kind)
    message = field.message_type
    assert message is not None
    # Found when it is needed: messages may hold themselves.
    return lambda value, path, violations: _reader(message).read(value, path, violations)


def _scalar(kind: Scalar) -> Read:
    def read(value: Json, path: str, violations: list[Violation]) -> Value:
        try:
            return kind.read(value)
        except Unfit:
            violations.append(Violation(path, kind.expected))
            return None

    return read


def _list_of_scalars(kind: Scalar) -> Read:
    """Reads them all at once, and one by one only to say which does not fit."""
    one_by_one = _list_of(_scalar(kind))

    def read(value: Json, path: str, violations: list[Violation]) -> Value:
        if isinstance(value, list):
            try:
                return [kind.read(item) for item in value]
            except Unfit:
                pass
        return one_by_one(value, path, violations)

    return read


def _list_of(read_item: Read) -> Read:
    def read(value: Json, path: str, violations: list[Violation]) -> Value:
        if not isinstance(value, list):
            violations.append(Violation(path, "expected a list"))
            return []
        return [read_item(item, f"{path}[{index}]", violations) for index, item in enumerate(value)]

    return read


def _map_of(read_key: Read, read_value: Read) -> Read:
    def read(value: Json, path: str, violations: list[Violation]) -> Value:
        if not isinstance(value, dict):
            violations.append(Violation(path, "expected an object"))
            return {}
        places = [(f"{path}.{key}", key, member) for key, member in value.items()]
        return {
            read_key(key, place, violations): read_value(member, place, violations) for place, key, member in places
        }

    return read


def _key_of(field: FieldDescriptor) -> Read:
    """Keys are texts in JSON, whatever their type."""
    kind = scalar(field)
    assert kind is not None
    words = {"true": True, "false": False} if field.type == FieldDescriptor.TYPE_BOOL else {}
    read = _scalar(kind)
    return lambda key, path, violations: read(words.get(str(key), key), path, violations)
