"""Comments of the protos, read from the generated descriptor set; the generated Python code has no comments."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator, Sequence
from functools import cache

from fireside.match.v1 import match_pb2
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet

Path = tuple[int, ...]

# Not by importlib.resources: in an editable install the path of the namespace package `fireside` is not a folder.
DESCRIPTOR_SET_FILE = pathlib.Path(match_pb2.__file__).parents[2] / "descriptors.binpb"

LINTER_PREFIX = "buf:lint:"
"""Beginning of lines that are meant for the linter."""

_MESSAGE, _ENUM, _SERVICE = 4, 5, 6
_FIELD, _NESTED_MESSAGE, _NESTED_ENUM = 2, 3, 4
_VALUE, _METHOD = 2, 2


def comment(full_name: str) -> str:
    """The comment before a message, field, enum, value (`package.Enum.VALUE`), service or method; empty without one."""
    return _comments().get(full_name, "")


@cache
def _comments() -> dict[str, str]:
    image = FileDescriptorSet.FromString(DESCRIPTOR_SET_FILE.read_bytes())
    return {name: text for file in image.file for name, text in _comments_of_file(file)}


def _comments_of_file(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    names = dict(_declaration_names(file))
    for location in file.source_code_info.location:
        name = names.get(tuple(location.path))
        if name and location.leading_comments:
            yield name, _text(location.leading_comments)


def _text(comment: str) -> str:
    lines = [line.removeprefix(" ").rstrip() for line in comment.strip("\n").split("\n")]
    return "\n".join(line for line in lines if not line.startswith(LINTER_PREFIX)).strip()


def _declaration_names(file: FileDescriptorProto) -> Iterator[tuple[Path, str]]:
    """The full names of all declarations in a file, with their paths in its source info."""
    yield from _message_names(file.message_type, (_MESSAGE,), file.package)
    yield from _enum_names(file.enum_type, (_ENUM,), file.package)
    for index, service in enumerate(file.service):
        path, name = (_SERVICE, index), f"{file.package}.{service.name}"
        yield path, name
        for number, method in enumerate(service.method):
            yield (*path, _METHOD, number), f"{name}.{method.name}"


def _message_names(messages: Sequence[DescriptorProto], parent_path: Path, scope: str) -> Iterator[tuple[Path, str]]:
    for index, message in enumerate(messages):
        path, name = (*parent_path, index), f"{scope}.{message.name}"
        yield path, name
        for number, field in enumerate(message.field):
            yield (*path, _FIELD, number), f"{name}.{field.name}"
        yield from _message_names(message.nested_type, (*path, _NESTED_MESSAGE), name)
        yield from _enum_names(message.enum_type, (*path, _NESTED_ENUM), name)


def _enum_names(enums: Sequence[EnumDescriptorProto], parent_path: Path, scope: str) -> Iterator[tuple[Path, str]]:
    for index, enum in enumerate(enums):
        path, name = (*parent_path, index), f"{scope}.{enum.name}"
        yield path, name
        for number, value in enumerate(enum.value):
            yield (*path, _VALUE, number), f"{name}.{value.name}"
