"""Printing of ProtoJSON, compared with protobuf's own `json_format`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from tracemalloc import get_traced_memory, start, stop

import orjson
import pytest
from google.api.httpbody_pb2 import HttpBody
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import protojson
from gateway.openapi.schema import Json, reachable_types
from gateway.protojson.printing import message_printer
from gateway.protojson.value_printers import JsonFormatPrinter
from gateway.protojson.wire_reader import MIN_TAG, WireReader
from gateway.routing import registry
from tests.gateway.protojson.kinds import KINDS, messages

SERVICES = [registry.CATALOG, registry.TOURNAMENTS, *registry.GAMES.values()]
RESPONSE_TYPES = [
    method.output_type
    for service in SERVICES
    for method in service.methods
    if method.output_type != HttpBody.DESCRIPTOR  # sent as it is, never printed
]

UNKNOWN_FIELDS = {
    2: b"\x10\x05",
    17: b"\x8a\x01\x03abc",
    18: b"\x95\x01abcd",
    19: b"\x99\x01abcdefgh",
    1000: b"\xc2\x3e\x00",
}
"""Fields that there are not, by number."""


def as_protobuf_prints(message: Message) -> object:
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def read_by_protobuf(data: bytes) -> object:
    """What protobuf itself makes of bytes; nothing where it refuses them."""
    try:
        return json.loads(json.dumps(as_protobuf_prints(GetMessageClass(KINDS).FromString(data))))
    except (DecodeError, ValueError, json_format.SerializeToJsonError):
        return None


def print_or_none(data: bytes) -> object:
    try:
        return json.loads(protojson.print_bytes(data, KINDS))
    except (DecodeError, ValueError, json_format.Error):
        return None


def fields(data: bytes) -> Iterator[bytes]:
    """The bytes of each field of a message, in their order."""
    reader = WireReader(data)
    while (start := reader.offset) < len(data):
        reader.skip(reader.tag(MIN_TAG))
        yield data[start : reader.offset]


def encode_message(message: Message) -> bytes:
    return message.SerializeToString(deterministic=True)


@settings(max_examples=40, deadline=None)
@given(messages())
def test_every_message_is_printed_as_by_json_format(message: Message) -> None:
    assert json.loads(protojson.format(message)) == json.loads(json.dumps(as_protobuf_prints(message)))


@settings(max_examples=40, deadline=None)
@given(messages())
def test_the_text_is_that_of_orjson(message: Message) -> None:
    text = protojson.format(message)
    assert text == orjson.dumps(orjson.loads(text))


@settings(max_examples=40, deadline=None)
@given(messages())
def test_every_message_round_trips(message: Message) -> None:
    read = protojson.parse(protojson.parse_json(protojson.format(message)), KINDS)
    assert encode_message(read) == encode_message(message)


@settings(max_examples=40, deadline=None)
@given(messages())
def test_always_printed_fields_come_before_the_set_ones(message: Message) -> None:
    names = list(json.loads(protojson.format(message)))
    always = [field.json_name for field in KINDS.fields if not field.has_presence]
    chosen = [field.json_name for field, _ in message.ListFields() if field.containing_oneof and field.number >= 50]
    perhaps = [field.json_name for field, _ in message.ListFields() if field.has_presence and field.number < 50]
    assert names == always + perhaps + chosen


@pytest.mark.parametrize("number", [7, -1, 1 << 20])
def test_an_unknown_enum_number_stays_a_number(number: int) -> None:
    message = json_format.ParseDict({"aColour": number, "colours": [number]}, protojson.parse({}, KINDS))
    printed_json = json.loads(protojson.format(message))
    assert (printed_json["aColour"], printed_json["colours"]) == (number, [number])


@settings(max_examples=40, deadline=None)
@given(st.data(), messages())
def test_fields_in_any_order_are_read_as_by_protobuf(draw: st.DataObject, message: Message) -> None:
    shuffled = b"".join(draw.draw(st.permutations(list(fields(encode_message(message))))))
    assert print_or_none(shuffled) == read_by_protobuf(shuffled)


@settings(max_examples=40, deadline=None)
@given(messages(), messages())
def test_repeated_occurrences_of_a_message_field_are_merged(first: Message, second: Message) -> None:
    concatenated = encode_message(first) + encode_message(second)
    assert print_or_none(concatenated) == read_by_protobuf(concatenated)


@settings(max_examples=40, deadline=None)
@given(messages(), st.sampled_from(sorted(UNKNOWN_FIELDS)))
def test_fields_of_a_newer_engine_are_omitted(message: Message, number: int) -> None:
    data = encode_message(message)
    newer = [*fields(data), UNKNOWN_FIELDS[number]]
    newer.sort(key=lambda field: WireReader(field).tag(MIN_TAG))
    assert print_or_none(b"".join(newer)) == json.loads(protojson.format(message))
    assert print_or_none(data + UNKNOWN_FIELDS[number]) == json.loads(protojson.format(message))


@pytest.mark.parametrize(
    "data",
    [
        b"\x28\x01\x28\x02",
        b"\xa8\x01\x01\xa8\x01\x02",
        b"\xfa\x01\x02\x01\x02\xfa\x01\x01\x03",
        b"\xf8\x01\x01\xf8\x01\x02",
        b"\xfa\x01\x02\x01\x02\xf8\x01\x03",
        b"\xca\x01\x02\x28\x01\xca\x01\x02\x58\x02",
        b"\x90\x03\x01\x9a\x03\x01a",
        b"\x9a\x03\x01a\x90\x03\x01",
        b"\xda\x01\x0e\x22\x05\x0a\x01a\x10\x01\x22\x05\x0a\x01a\x10\x02",
        b"\x2a\x01a",
        b"\x28\xff\xff\xff\xff\x1f",
        b"\x58\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x80\x01\x80\x80\x80\x80\x10",
        b"\x40\x80\x80\x01",
        b"\x28\x81\x00",
        b"\x28\x00\x4a\x00",
        b"\xa8\x80\x80\x80\x00\x01",
        b"\x13\x28\x05\x14\x28\x07",
    ],
    ids=[
        "number twice",
        "number with presence twice",
        "packed in two parts",
        "not packed",
        "packed and not",
        "message in two parts",
        "two of a choice",
        "two of a choice, the other way",
        "key of a map twice",
        "another type",
        "too many bits, with a sign",
        "too many bits, without one",
        "too many bits of an enum",
        "bits beyond a flag",
        "longer than needed",
        "what need not be said",
        "a long tag",
        "a group that is not known",
    ],
)
def test_unusual_encodings_are_read_as_by_protobuf(data: bytes) -> None:
    assert print_or_none(data) == read_by_protobuf(data) is not None


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=12), messages(depth=1), st.data())
def test_random_bytes_are_accepted_or_refused_as_by_protobuf(
    junk: bytes, message: Message, draw: st.DataObject
) -> None:
    data = encode_message(message)
    place = draw.draw(st.integers(0, len(data)))
    assert print_or_none(junk) == read_by_protobuf(junk)
    assert print_or_none(data[:place]) == read_by_protobuf(data[:place])
    assert print_or_none(data[:place] + junk + data[place + 1 :]) == read_by_protobuf(
        data[:place] + junk + data[place + 1 :]
    )


@pytest.mark.parametrize(
    "data",
    [
        b"\x28",
        b"\x28\x80",
        b"\x4a\x02a",
        b"\x4a\x01\xff",
        b"\x09abc",
        b"\x00\x01",
        b"\xff" * 11,
        b"\x4a\xff\xff\xff\xff\x7f",
    ],
    ids=[
        "no value",
        "half a number",
        "half a text",
        "no UTF-8",
        "half a double",
        "no tag",
        "no number",
        "far too long",
    ],
)
def test_malformed_messages_are_refused(data: bytes) -> None:
    with pytest.raises(DecodeError):
        protojson.print_bytes(data, KINDS)


@pytest.mark.parametrize(("depth", "is_printed"), [(100, True), (101, False)])
def test_messages_are_nested_as_deep_as_protobuf_allows(depth: int, is_printed: bool) -> None:
    message = GetMessageClass(KINDS)()
    for _ in range(depth):
        message = GetMessageClass(KINDS)(itself=message)
    data = message.SerializeToString()
    assert (print_or_none(data) is not None) == is_printed == (read_by_protobuf(data) is not None)


def test_no_message_of_a_match_is_printed_by_json_format() -> None:
    """It is much slower. Maps are in problems of a batch, and in the components, which every client may cache."""
    messages = [kind for kind in reachable_types(RESPONSE_TYPES).values() if isinstance(kind, Descriptor)]
    left = {kind.full_name for kind in messages if isinstance(message_printer(kind), JsonFormatPrinter)}
    components = {f"fireside.{game}.v1.GetComponentsResponse" for game in registry.GAMES}
    assert left == {"fireside.match.v1.Problem", *components}
    assert isinstance(message_printer(Timestamp.DESCRIPTOR), JsonFormatPrinter)


@pytest.mark.parametrize("times", [1, 2], ids=["as engines write it", "twice"])
def test_printing_leaks_no_references(times: int) -> None:
    value: Json = {
        "strings": ["a"],
        "children": [{"others": {"byName": {"x": 300}}}],
        "anInt32": -1,
        "aColour": 1,
        "doubles": [1.5],
    }
    data = encode_message(protojson.parse(value, KINDS)) * times
    text = protojson.print_bytes(data, KINDS)
    start()
    before, _ = get_traced_memory()
    assert all(protojson.print_bytes(data, KINDS) == text for _ in range(3000))
    after, _ = get_traced_memory()
    stop()
    assert after - before < 3000
