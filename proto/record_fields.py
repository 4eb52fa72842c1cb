"""Prints the fields of match records of all games as JSON, which the page reads to verify records.

Usage: record_fields.py DESCRIPTORS
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorSet

ROOT = "MatchRecord"
PACKAGES = ".fireside."

Fields = dict[str, tuple[int, str]]


class RecordFields:
    """Fields by message, and names of values by enum, of the roots and all that they contain."""

    def __init__(self, files: FileDescriptorSet) -> None:
        self._messages = {f"{file.package}.{each.name}": each for file in files.file for each in file.message_type}
        self._enums = {f"{file.package}.{each.name}": each for file in files.file for each in file.enum_type}
        self.messages: dict[str, Fields] = {}
        self.enums: dict[str, list[str]] = {}
        for name, message in self._messages.items():
            if message.name == ROOT:
                self._add(name)

    def _add(self, name: str) -> None:
        short = name.removeprefix(PACKAGES[1:])
        if short in self.messages or short in self.enums:
            return
        if name in self._enums:
            self.enums[short] = value_names(self._enums[name])
            return
        message = self._messages[name]
        self.messages[short] = fields(message)
        for field in message.field:
            if field.type_name:
                self._add(field.type_name[1:])


def fields(message: DescriptorProto) -> Fields:
    """Number and type of each field, by JSON name."""
    return {field.json_name: (field.number, type_name(field)) for field in message.field}


def type_name(field: FieldDescriptorProto) -> str:
    """The type, with `repeated` or, if a scalar has presence, `optional`."""
    kind = field.type_name.removeprefix(PACKAGES) or FieldDescriptorProto.Type.Name(field.type)[5:].lower()
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {kind}"
    is_message = field.type == FieldDescriptorProto.TYPE_MESSAGE  # which always has presence
    return f"optional {kind}" if field.HasField("oneof_index") and not is_message else kind


def value_names(enum: EnumDescriptorProto) -> list[str]:
    """The names of the values, whose numbers are their places."""
    if [value.number for value in enum.value] != list(range(len(enum.value))):
        raise ValueError(f"{enum.name}: its values are not numbered 0, 1, 2 …")
    return [value.name for value in enum.value]


if __name__ == "__main__":
    found = RecordFields(FileDescriptorSet.FromString(Path(sys.argv[1]).read_bytes()))
    print(json.dumps({"messages": found.messages, "enums": found.enums}, separators=(",", ":")))
