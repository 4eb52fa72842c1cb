"""ProtoJSON to messages and back, with every fault of what was given told by its place in the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from gateway.schema import WELL_KNOWN, Json, choices, is_map, is_required


@dataclass(frozen=True)
class Violation:
    """What is wrong with one field, whose path has JSON names, as in `move.step.to`; empty for the whole."""

    field: str
    description: str


class MalformedJson(Exception):
    """Text that is not JSON, or has a key twice in one object."""


class InvalidFields(Exception):
    """JSON that does not fit its message."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("; ".join(f"{each.field}: {each.description}" for each in violations))
        self.violations: Final = violations


def parse_json(text: bytes) -> Json:
    """Raises `MalformedJson`."""
    try:
        value: Json = json.loads(text.decode(), object_pairs_hook=_unique, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise MalformedJson(str(error)) from error
    return value


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key is there twice in one object")
    return members


def _refused(constant: str) -> Json:
    raise ValueError(f"{constant} is not JSON")


def parse(value: Json, kind: Descriptor, bound: frozenset[str] = frozenset()) -> Message:
    """The message that JSON stands for. Raises `InvalidFields`.

    `bound` names the fields of the message that the route sets, so that they are not missed.
    """
    violations: list[Violation] = []
    _shape(kind).check(value, "", violations, bound)
    if violations or not isinstance(value, dict):
        raise InvalidFields(violations)
    try:
        return json_format.ParseDict(value, GetMessageClass(kind)())
    except (json_format.ParseError, ValueError) as error:
        raise InvalidFields([Violation("", str(error))]) from error


def format(message: Message) -> bytes:
    """The message in ProtoJSON, fields without presence printed even when they have their default."""
    shown = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


Fits: TypeAlias = Callable[[Json], bool]
Check: TypeAlias = Callable[[Json, str, list[Violation]], None]
"""Appends what is wrong with a value that is found at a path."""

_WHOLE: Final = re.compile(r"-?[0-9]{1,20}")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class _Scalar:
    """A type of values that are no objects: which JSON fits, and how to say what would."""

    fits: Fits
    expected: str

    def check(self, value: Json, path: str, violations: list[Violation]) -> None:
        if not self.fits(value):
            violations.append(Violation(path, self.expected))


def _integer(least: int, greatest: int) -> _Scalar:
    def fits(value: Json) -> bool:
        if type(value) is int:
            return least <= value <= greatest
        if isinstance(value, str):
            return _WHOLE.fullmatch(value) is not None and least <= int(value) <= greatest
        return isinstance(value, float) and least <= value <= greatest and value.is_integer()

    return _Scalar(fits, f"expected a whole number from {least} to {greatest}")


def _is_number(value: Json) -> bool:
    if isinstance(value, str):
        return value in ("NaN", "Infinity", "-Infinity") or _NUMBER.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: Json) -> bool:
    return isinstance(value, str) and (value.isascii() or _SURROGATE.search(value) is None)


def _is_base64(value: Json) -> bool:
    return isinstance(value, str) and _BASE64.fullmatch(value) is not None


def _is_bool(value: Json) -> bool:
    return value is True or value is False


def _enum(enum: EnumDescriptor) -> _Scalar:
    names = frozenset(enum.values_by_name)
    numbers = frozenset(enum.values_by_number)

    def fits(value: Json) -> bool:
        return value in names if isinstance(value, str) else type(value) is int and value in numbers

    return _Scalar(fits, f"expected one of {', '.join(enum.values_by_name)}")


_TEXT: Final = _Scalar(_is_text, "expected a string")
_BYTES: Final = _Scalar(_is_base64, "expected base64 in a string")
_FLOAT: Final = _Scalar(_is_number, "expected a number")

_SCALARS: Final[Mapping[int, _Scalar]] = {
    FieldDescriptor.CPPTYPE_INT32: _integer(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: _integer(0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: _integer(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: _integer(0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_FLOAT: _FLOAT,
    FieldDescriptor.CPPTYPE_DOUBLE: _FLOAT,
    FieldDescriptor.CPPTYPE_BOOL: _Scalar(_is_bool, "expected true or false"),
    FieldDescriptor.CPPTYPE_STRING: _TEXT,
}


def _scalar(field: FieldDescriptor) -> _Scalar | None:
    """The type of a field's single values; None for messages that are objects."""
    if field.message_type is not None:
        return _TEXT if field.message_type.full_name in WELL_KNOWN else None
    if field.enum_type is not None:
        return _enum(field.enum_type)
    return _BYTES if field.type == FieldDescriptor.TYPE_BYTES else _SCALARS[field.cpp_type]


def _check_of(field: FieldDescriptor) -> Check:
    if is_map(field):
        assert field.message_type is not None
        return _map_check(_single_check(field.message_type.fields_by_name["value"]))
    if not field.is_repeated:
        return _single_check(field)
    scalar = _scalar(field)
    return _list_check(_single_check(field), scalar.fits if scalar else None)


def _single_check(field: FieldDescriptor) -> Check:
    scalar = _scalar(field)
    if scalar is not None:
        return scalar.check
    message = field.message_type
    assert message is not None
    # Found when it is needed: messages may hold themselves.
    return lambda value, path, violations: _shape(message).check(value, path, violations)


def _list_check(check: Check, fits: Fits | None) -> Check:
    def check_list(value: Json, path: str, violations: list[Violation]) -> None:
        if not isinstance(value, list):
            violations.append(Violation(path, "expected a list"))
        elif fits is None or not all(map(fits, value)):
            for index, item in enumerate(value):
                check(item, f"{path}[{index}]", violations)

    return check_list


def _map_check(check: Check) -> Check:
    def check_map(value: Json, path: str, violations: list[Violation]) -> None:
        if not isinstance(value, dict):
            violations.append(Violation(path, "expected an object"))
            return
        for key, member in value.items():
            check(member, f"{path}.{key}", violations)

    return check_map


@dataclass(frozen=True)
class _Member:
    """A field as the check of its message needs it; `choice` numbers its oneof, and is -1 outside of one."""

    field: str
    name: str
    check: Check
    choice: int


class _Shape:
    """What JSON must be to be a message."""

    def __init__(self, message: Descriptor) -> None:
        choice = {field.name: number for number, oneof in enumerate(choices(message)) for field in oneof.fields}
        members = [
            _Member(field.name, field.json_name, _check_of(field), choice.get(field.name, -1))
            for field in message.fields
        ]
        required = {field.name for field in message.fields if is_required(field)}
        self._members = {name: member for member in members for name in (member.field, member.name)}
        self._required = [member for member in members if member.field in required]

    def check(self, value: Json, path: str, violations: list[Violation], bound: frozenset[str] = frozenset()) -> None:
        """`bound` names fields that are not missed."""
        if not isinstance(value, dict):
            violations.append(Violation(path, "expected an object"))
            return
        prefix = f"{path}." if path else ""
        given: dict[str, _Member] = {}
        for name, item in value.items():
            member = self._members.get(name)
            if member is None:
                violations.append(Violation(prefix + name, "there is no such field"))
            elif member.field in given:
                violations.append(Violation(prefix + name, "is given twice"))
            elif item is not None:
                given[member.field] = member
                member.check(item, prefix + member.name, violations)
        for member in self._required:
            if member.field not in given and member.field not in bound:
                violations.append(Violation(prefix + member.name, "is required"))
        violations.extend(_rivals(given, prefix))


def _rivals(given: Mapping[str, _Member], prefix: str) -> Iterator[Violation]:
    """The members of a oneof that are not the first one given."""
    first: dict[int, _Member] = {}
    for member in given.values():
        if member.choice >= 0 and first.setdefault(member.choice, member) is not member:
            yield Violation(prefix + member.name, f"cannot be given beside {first[member.choice].name}")


@cache
def _shape(message: Descriptor) -> _Shape:
    return _Shape(message)
