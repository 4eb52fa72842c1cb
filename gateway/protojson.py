"""ProtoJSON to messages and back, with every fault of what was given told by its place in the JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

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
    _check_message(kind, value, "", violations, bound)
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


@dataclass(frozen=True)
class _Scalar:
    """A type of single values: which JSON fits, and how to say what would."""

    fits: Callable[[Json], bool]
    expected: str


def _integer(least: int, greatest: int) -> _Scalar:
    def fits(value: Json) -> bool:
        if isinstance(value, bool):
            return False
        if isinstance(value, str):
            return _WHOLE.fullmatch(value) is not None and least <= int(value) <= greatest
        return isinstance(value, int | float) and least <= value <= greatest and value == int(value)

    return _Scalar(fits, f"expected a whole number from {least} to {greatest}")


def _is_number(value: Json) -> bool:
    if isinstance(value, str):
        return value in ("NaN", "Infinity", "-Infinity") or _NUMBER.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


_WHOLE: Final = re.compile(r"-?[0-9]{1,20}")
_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

_SCALARS: Final[Mapping[int, _Scalar]] = {
    FieldDescriptor.CPPTYPE_INT32: _integer(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: _integer(0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: _integer(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: _integer(0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_FLOAT: _Scalar(_is_number, "expected a number"),
    FieldDescriptor.CPPTYPE_DOUBLE: _Scalar(_is_number, "expected a number"),
    FieldDescriptor.CPPTYPE_BOOL: _Scalar(lambda value: isinstance(value, bool), "expected true or false"),
    FieldDescriptor.CPPTYPE_STRING: _Scalar(
        lambda value: isinstance(value, str) and _SURROGATE.search(value) is None, "expected a string"
    ),
}
_BYTES: Final = _Scalar(
    lambda value: isinstance(value, str) and _BASE64.fullmatch(value) is not None, "expected base64 in a string"
)
_WELL_KNOWN: Final = _Scalar(lambda value: isinstance(value, str), "expected a string")


def _enum(enum: EnumDescriptor) -> _Scalar:
    names = frozenset(enum.values_by_name)
    numbers = frozenset(enum.values_by_number)

    def fits(value: Json) -> bool:
        return value in names if isinstance(value, str) else type(value) is int and value in numbers

    return _Scalar(fits, f"expected one of {', '.join(enum.values_by_name)}")


@cache
def _scalar(field: FieldDescriptor) -> _Scalar | None:
    """The type of a field's single values; None for messages that are objects."""
    if field.message_type is not None:
        return _WELL_KNOWN if field.message_type.full_name in WELL_KNOWN else None
    if field.enum_type is not None:
        return _enum(field.enum_type)
    return _BYTES if field.type == FieldDescriptor.TYPE_BYTES else _SCALARS[field.cpp_type]


@dataclass(frozen=True)
class _Shape:
    """What the check of an object needs of its message."""

    fields: Mapping[str, FieldDescriptor]
    required: Sequence[FieldDescriptor]
    choices: Sequence[Sequence[FieldDescriptor]]


@cache
def _shape(message: Descriptor) -> _Shape:
    fields = {name: field for field in message.fields for name in (field.name, field.json_name)}
    required = [field for field in message.fields if is_required(field)]
    return _Shape(fields, required, [oneof.fields for oneof in choices(message)])


def _check_message(
    message: Descriptor, value: Json, path: str, violations: list[Violation], bound: frozenset[str] = frozenset()
) -> None:
    if not isinstance(value, dict):
        violations.append(Violation(path, "expected an object"))
        return
    shape = _shape(message)
    prefix = f"{path}." if path else ""
    given: dict[FieldDescriptor, None] = {}
    for name, member in value.items():
        field = shape.fields.get(name)
        if field is None:
            violations.append(Violation(prefix + name, "there is no such field"))
        elif field in given:
            violations.append(Violation(prefix + name, "is given twice"))
        elif member is not None:
            given[field] = None
            _check_field(field, member, prefix + field.json_name, violations)
    for field in shape.required:
        if field not in given and field.name not in bound:
            violations.append(Violation(prefix + field.json_name, "is required"))
    for group in shape.choices:
        names = [field.json_name for field in given if field in group]
        if len(names) > 1:
            violations.append(Violation(prefix + names[-1], f"only one of {', '.join(names)} can be given"))


def _check_field(field: FieldDescriptor, value: Json, path: str, violations: list[Violation]) -> None:
    if is_map(field):
        _check_map(field, value, path, violations)
    elif not field.is_repeated:
        _check_single(field, value, path, violations)
    elif not isinstance(value, list):
        violations.append(Violation(path, "expected a list"))
    else:
        _check_list(field, value, path, violations)


def _check_list(field: FieldDescriptor, items: Sequence[Json], path: str, violations: list[Violation]) -> None:
    scalar = _scalar(field)
    for index, item in enumerate(items):
        if scalar is None or not scalar.fits(item):
            _check_single(field, item, f"{path}[{index}]", violations)


def _check_map(field: FieldDescriptor, value: Json, path: str, violations: list[Violation]) -> None:
    if not isinstance(value, dict):
        violations.append(Violation(path, "expected an object"))
        return
    assert field.message_type is not None
    values = field.message_type.fields_by_name["value"]
    for key, member in value.items():
        _check_single(values, member, f"{path}.{key}", violations)


def _check_single(field: FieldDescriptor, value: Json, path: str, violations: list[Violation]) -> None:
    scalar = _scalar(field)
    if scalar is None:
        assert field.message_type is not None
        _check_message(field.message_type, value, path, violations)
    elif not scalar.fits(value):
        violations.append(Violation(path, scalar.expected))
