"""The message type `Kinds`, which has fields of all types, and a hypothesis strategy for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import Default
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import strategies as st

from gateway.openapi.schema import is_map

KINDS_PROTO = Path(__file__).parents[2] / "data" / "kinds.proto"


def _kinds_descriptor() -> Descriptor:
    with TemporaryDirectory() as folder:
        image = Path(folder, "image")
        options = [f"-I{KINDS_PROTO.parent}", f"--descriptor_set_out={image}", KINDS_PROTO.name]
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *options], check=True)
        [file] = FileDescriptorSet.FromString(image.read_bytes()).file
    Default().Add(file)
    return Default().FindMessageTypeByName(f"{file.package}.Kinds")


KINDS = _kinds_descriptor()


def _timestamp_strategy() -> st.SearchStrategy[object]:
    nanos = st.integers(0, 999_999_999)
    return st.builds(Timestamp, seconds=st.integers(-62_135_596_800, 253_402_300_799), nanos=nanos)


def _duration_strategy() -> st.SearchStrategy[object]:
    return st.integers(-(10**17), 10**17).map(_duration_of)


def _duration_of(nanos: int) -> object:
    duration = Duration()
    duration.FromNanoseconds(nanos)
    return duration


WELL_KNOWN_STRATEGIES = {
    "google.protobuf.Timestamp": _timestamp_strategy(),
    "google.protobuf.Duration": _duration_strategy(),
}

SCALAR_STRATEGIES: dict[int, st.SearchStrategy[object]] = {
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: st.integers(0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(allow_nan=False) | st.just(float("nan")),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_ENUM: st.integers(0, 1),
    FieldDescriptor.CPPTYPE_STRING: st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
}


def _value_strategy(field: FieldDescriptor, depth: int) -> st.SearchStrategy[object]:
    if field.message_type is not None:
        known = WELL_KNOWN_STRATEGIES.get(field.message_type.full_name)
        return known if known is not None else messages(depth - 1, field.message_type)
    return st.binary(max_size=8) if field.type == FieldDescriptor.TYPE_BYTES else SCALAR_STRATEGIES[field.cpp_type]


def _field_strategy(field: FieldDescriptor, depth: int) -> st.SearchStrategy[object]:
    if is_map(field):
        assert field.message_type is not None
        entry = field.message_type.fields_by_name
        return st.dictionaries(_value_strategy(entry["key"], depth), _value_strategy(entry["value"], depth), max_size=2)
    return st.lists(_value_strategy(field, depth), max_size=2) if field.is_repeated else _value_strategy(field, depth)


def messages(depth: int = 2, kind: Descriptor = KINDS) -> st.SearchStrategy[Message]:
    """Messages in which `Kinds` is nested no deeper than `depth`."""
    fields = [field for field in kind.fields if depth > 0 or field.message_type is not KINDS]
    values = {field.name: _field_strategy(field, depth) for field in fields}
    given = st.fixed_dictionaries({}, optional=values)
    return given.map(lambda each: GetMessageClass(kind)(**each))
