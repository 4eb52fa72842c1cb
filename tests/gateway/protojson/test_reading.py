"""Parsing of ProtoJSON, and the violations that it reports."""

from __future__ import annotations

import json

import pytest
from fireside.fire_bulls.v1.fire_bulls_log_pb2 import Event
from fireside.fire_bulls.v1.fire_bulls_pb2 import ATTACK_CARD_RED, Move, Power, State, Step, Stop, Take
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest, NewGameRequest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings

from gateway import protojson
from gateway.openapi.schema import Json, reachable_types
from gateway.protojson import InvalidFields, MalformedJson, Violation
from gateway.protojson.reading import needs_json_format
from gateway.routing import registry
from tests.gateway.protojson.kinds import KINDS, messages


def descriptor_of(message: Message) -> Descriptor:
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return descriptor


SERVICES = [registry.CATALOG, registry.TOURNAMENTS, *registry.GAMES.values()]
EXPECTED_INT32 = "expected a whole number from -2147483648 to 2147483647"


@pytest.mark.parametrize(
    ("kind", "value", "violations"),
    [
        (Move, [], [("", "expected an object")]),
        (Move, "stop", [("", "expected an object")]),
        (Move, {"step": {"to": "x"}}, [("step.to", EXPECTED_INT32)]),
        (Move, {"step": {"to": 1.5}}, [("step.to", EXPECTED_INT32)]),
        (Move, {"step": {"to": True}}, [("step.to", EXPECTED_INT32)]),
        (Move, {"step": {"to": 1 << 31}}, [("step.to", EXPECTED_INT32)]),
        (Move, {"step": {"to": "9" * 5000}}, [("step.to", EXPECTED_INT32)]),
        (Move, {"step": {"to": 1e400}}, [("step.to", EXPECTED_INT32)]),
        (Move, {"step": {}}, [("step.to", "is required")]),
        (Move, {"step": {"to": None}}, [("step.to", "is required")]),
        (Move, {"step": []}, [("step", "expected an object")]),
        (Move, {"power": {"use": "true"}}, [("power.use", "expected true or false")]),
        (Move, {"stop": {}, "draw": {}}, [("draw", "cannot be given together with stop")]),
        (Move, {"stop": {}, "leap": {}}, [("leap", "there is no such field")]),
        (ApplyRequest, {"notation": 5}, [("notation", "expected a string")]),
        (ApplyRequest, {"notation": "\ud800"}, [("notation", "expected a string")]),
        (ApplyRequest, {"request_id": "a", "requestId": "b"}, [("requestId", "is given twice")]),
        (NewGameRequest, {"seats": {}}, [("seats", "expected a list")]),
        (NewGameRequest, {"seats": [{}, None]}, [("seats[1]", "expected an object")]),
        (NewGameRequest, {"seats": [{}, {"name": 1}]}, [("seats[1].name", "expected a string")]),
        (NewGameRequest, {}, [("seats", "is required")]),
        (State, {"piles": [0, "x"]}, [("piles[1]", EXPECTED_INT32)]),
    ],
)
def test_violations_name_the_path_of_their_field(
    kind: type[Message], value: Json, violations: list[tuple[str, str]]
) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, descriptor_of(kind()))
    assert refusal.value.violations == [Violation(*violation) for violation in violations]


@pytest.mark.parametrize(
    "value", [{"seats": [0] * 1000}, {"seats": [{"bot": 1}] * 1000}, {str(n): 1 for n in range(1000)}]
)
def test_only_the_first_hundred_violations_are_reported(value: Json) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, descriptor_of(NewGameRequest()))
    assert len(refusal.value.violations) == 100


def test_a_long_unknown_name_is_shortened() -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse({"k" * 1000: 1}, descriptor_of(Move()))
    assert refusal.value.violations == [Violation("k" * 64, "there is no such field")]


def test_an_unknown_enum_value_is_reported_with_the_known_ones() -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse({"take": {"card": "red"}}, descriptor_of(Move()))
    [violation] = refusal.value.violations
    assert violation.field == "take.card"
    assert "ATTACK_CARD_RED" in violation.description


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"step": {"to": "3"}}, Move(step=Step(to=3))),
        ({"step": {"to": 3.0}}, Move(step=Step(to=3))),
        ({"take": {"card": 4}}, Move(take=Take(card=ATTACK_CARD_RED))),
        ({"stop": {}, "draw": None}, Move(stop=Stop())),
        ({"power": {"use": False}}, Move(power=Power(use=False))),
    ],
)
def test_every_form_that_protojson_allows_is_read(value: Json, message: Message) -> None:
    assert protojson.parse(value, descriptor_of(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "b": "x:y", "c": [{"d": 1.5}, null, true]}',
        '{"a\\u003a": 1, "b": "\\u00e9"}',
        '{"least": -9223372036854775809, "more": 18446744073709551616}',
        '{"a":' * 300 + "1" + "}" * 300,
    ],
    ids=["plain", "escapes", "long numbers", "deep"],
)
def test_json_is_parsed_as_by_the_standard_library(text: str) -> None:
    assert protojson.parse_json(text.encode()) == json.loads(text)


@pytest.mark.parametrize("text", ['{"a":1,"a":{"b":"::"}}', '{"a":1,"a":2,"b":"\\u003a"}', '{"a":{"b":1,"b":1}}'])
def test_a_repeated_key_is_refused_in_every_object(text: str) -> None:
    with pytest.raises(MalformedJson, match="duplicate key"):
        protojson.parse_json(text.encode())


@settings(max_examples=40, deadline=None)
@given(messages())
def test_an_unusual_form_of_one_field_does_not_change_the_message(message: Message) -> None:
    plain = protojson.parse_json(protojson.format(message))
    assert isinstance(plain, dict)
    assert protojson.parse({**plain, "aDouble": "1"}, KINDS) == protojson.parse({**plain, "aDouble": 1.0}, KINDS)


def test_a_required_field_set_by_the_route_is_not_reported_missing() -> None:
    assert protojson.parse({}, descriptor_of(NewGameRequest()), frozenset({"seats"})) == NewGameRequest()


def test_zero_false_and_empty_are_printed_and_absent_fields_are_not() -> None:
    printed = json.loads(protojson.format(Event()))
    assert printed == {"revision": 0, "notation": "", "reveals": [], "head": "", "text": ""}


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff", b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}"],
    ids=["empty", "open", "not UTF-8", "key twice", "NaN", "deep", "long number"],
)
def test_malformed_json_is_refused(text: bytes) -> None:
    with pytest.raises((MalformedJson, InvalidFields)):
        protojson.parse_json(text)


@pytest.mark.parametrize(
    ("value", "violations"),
    [
        ({"children": [{"aBool": 1}]}, [("children[0].aBool", "expected true or false")]),
        ({"aString": 1}, [("aString", "expected a string")]),
        ({"aUint32": -1}, [("aUint32", "expected a whole number from 0 to 4294967295")]),
        ({"sint32s": [1 << 31]}, [("sint32s[0]", EXPECTED_INT32)]),
        ({"colours": ["COLOUR_RED", 9]}, [("colours[1]", "expected one of COLOUR_UNSPECIFIED, COLOUR_RED")]),
        ({"number": 1, "text": "a"}, [("text", "cannot be given together with number")]),
        ({"itself": {"itself": 1}}, [("itself.itself", "expected an object")]),
    ],
)
def test_violations_name_the_expected_type(value: Json, violations: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, KINDS)
    assert refusal.value.violations == [Violation(*violation) for violation in violations]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ({"aDouble": "1,5"}, "aDouble"),
        ({"aTime": "noon"}, "aTime"),
        ({"times": ["noon"]}, "times"),
        ({"itself": {"others": {"anInt64": "9223372036854775808"}}}, "itself.others.anInt64"),
        ({"others": {"someBytes": "a"}}, "others.someBytes"),
        ({"others": {"aSpan": "1"}}, "others.aSpan"),
        ({"others": {"byName": []}}, "others.byName"),
        ({"others": {"byNumber": {"x": 1}}}, "others.byNumber"),
    ],
)
def test_fields_that_are_read_by_json_format_are_listed(value: Json, field: str) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, KINDS)
    assert refusal.value.violations == [Violation(field, "expected a value of its type, as ProtoJSON writes it")]


def test_only_doubles_of_requests_are_read_by_json_format() -> None:
    requests = [method.input_type for service in SERVICES for method in service.methods]
    messages = [kind for kind in reachable_types(requests).values() if isinstance(kind, Descriptor)]
    fields = [field for kind in messages for field in kind.fields if needs_json_format(field)]
    assert {field.type for field in fields} == {FieldDescriptor.TYPE_DOUBLE}


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ({"others": {"someBytes": "_-8"}}, {"others": {"someBytes": "/+8="}}),
        ({"aDouble": "1.5e3"}, {"aDouble": 1500}),
        ({"others": {"anInt64": 5}}, {"others": {"anInt64": "5"}}),
        ({"aColour": "COLOUR_RED"}, {"a_colour": 1}),
        ({"others": {"byNumber": {"1": 1}}}, {"others": {"by_number": {"1": "COLOUR_RED"}}}),
    ],
)
def test_all_json_forms_of_a_value_give_the_same_message(value: Json, same: Json) -> None:
    assert protojson.parse(value, KINDS) == protojson.parse(same, KINDS) != protojson.parse({}, KINDS)


@pytest.mark.parametrize("depth", [2, 90])
def test_a_recursive_message_is_read(depth: int) -> None:
    value: dict[str, Json] = {"anInt32": -1}
    for _ in range(depth):
        value = {"itself": value}
    assert protojson.parse(value, KINDS) == json_format.ParseDict(value, GetMessageClass(KINDS)())


def test_json_nested_too_deep_is_refused() -> None:
    value: Json = {}
    for _ in range(900):
        value = {"itself": value}
    with pytest.raises(InvalidFields, match=r"^body: is nested too deep$"):
        protojson.parse(value, KINDS)
