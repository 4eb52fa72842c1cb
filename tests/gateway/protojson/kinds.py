"""A message with a field of every type, and all that can be in it."""

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

PROTO = Path(__file__).parents[2] / "data" / "kinds.proto"


def _descriptor() -> Descriptor:
    with TemporaryDirectory() as folder:
        image = Path(folder, "image")
        options = [f"-I{PROTO.parent}", f"--descriptor_set_out={image}", PROTO.name]
        subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *options], check=True)
        [file] = FileDescriptorSet.FromString(image.read_bytes()).file
    Default().Add(file)
    return Default().FindMessageTypeByName(f"{file.package}.Kinds")


KINDS = _descriptor()


def _times() -> st.SearchStrategy[object]:
    nanos = st.integers(0, 999_999_999)
    return st.builds(Timestamp, seconds=st.integers(-62_135_596_800, 253_402_300_799), nanos=nanos)


def _spans() -> st.SearchStrategy[object]:
    return st.integers(-(10**17), 10**17).map(_span)


def _span(nanos: int) -> object:
    span = Duration()
    span.FromNanoseconds(nanos)
    return span


WELL_KNOWN = {"google.protobuf.Timestamp": _times(), "google.protobuf.Duration": _spans()}

SCALARS: dict[int, st.SearchStrategy[object]] = {
    FieldDescriptor.CPPTYPE_INT32: st.integers(-(1 << 31), (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_UINT32: st.integers(0, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_INT64: st.integers(-(1 << 63), (1 << 63) - 1),
    FieldDescriptor.CPPTYPE_UINT64: st.integers(0, (1 << 64) - 1),
    FieldDescriptor.CPPTYPE_DOUBLE: st.floats(allow_nan=False) | st.just(float("nan")),
    FieldDescriptor.CPPTYPE_BOOL: st.booleans(),
    FieldDescriptor.CPPTYPE_ENUM: st.integers(0, 1),
    FieldDescriptor.CPPTYPE_STRING: st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
}


def _single(field: FieldDescriptor, depth: int) -> st.SearchStrategy[object]:
    if field.message_type is not None:
        name = field.message_type.full_name
        return WELL_KNOWN[name] if name in WELL_KNOWN else messages(depth - 1)
    return st.binary(max_size=8) if field.type == FieldDescriptor.TYPE_BYTES else SCALARS[field.cpp_type]


def _several(field: FieldDescriptor, depth: int) -> st.SearchStrategy[object]:
    if is_map(field):
        assert field.message_type is not None
        entry = field.message_type.fields_by_name
        return st.dictionaries(_single(entry["key"], depth), _single(entry["value"], depth), max_size=2)
    return st.lists(_single(field, depth), max_size=2) if field.is_repeated else _single(field, depth)


def _holds_itself(field: FieldDescriptor) -> bool:
    kind = field.message_type
    return kind is not None and (kind is KINDS or (is_map(field) and _holds_itself(kind.fields_by_name["value"])))


def messages(depth: int = 2) -> st.SearchStrategy[Message]:
    """Messages that hold each other no deeper than `depth`."""
    fields = [field for field in KINDS.fields if depth or not _holds_itself(field)]
    values = {field.name: _several(field, depth) for field in fields}
    given = st.fixed_dictionaries({}, optional=values)
    return given.map(lambda each: GetMessageClass(KINDS)(**each))
