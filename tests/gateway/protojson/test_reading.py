from __future__ import annotations

import json

import pytest
from fireside.fire_bulls.v1.fire_bulls_log_pb2 import Event
from fireside.fire_bulls.v1.fire_bulls_pb2 import ATTACK_CARD_RED, Move, Power, Step, Stop, Take
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest, NewGameRequest
from fireside.match.v1.match_record_pb2 import MatchHeader, MatchProgress, PoolTaken
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from hypothesis import given, settings

from gateway import protojson
from gateway.openapi.schema import Json
from gateway.protojson import InvalidFields, MalformedJson, Violation
from tests.gateway.protojson.kinds import KINDS, messages


def shape(message: Message) -> Descriptor:
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return descriptor


LONG = "expected a whole number from -9223372036854775808 to 9223372036854775807"
WHOLE = "expected a whole number from -2147483648 to 2147483647"


@pytest.mark.parametrize(
    ("kind", "value", "violations"),
    [
        (Move, [], [("", "expected an object")]),
        (Move, "stop", [("", "expected an object")]),
        (Move, {"step": {"to": "x"}}, [("step.to", WHOLE)]),
        (Move, {"step": {"to": 1.5}}, [("step.to", WHOLE)]),
        (Move, {"step": {"to": True}}, [("step.to", WHOLE)]),
        (Move, {"step": {"to": 1 << 31}}, [("step.to", WHOLE)]),
        (Move, {"step": {"to": "9" * 5000}}, [("step.to", WHOLE)]),
        (Move, {"step": {"to": 1e400}}, [("step.to", WHOLE)]),
        (Move, {"step": {}}, [("step.to", "is required")]),
        (Move, {"step": {"to": None}}, [("step.to", "is required")]),
        (Move, {"step": []}, [("step", "expected an object")]),
        (Move, {"power": {"use": "true"}}, [("power.use", "expected true or false")]),
        (Move, {"stop": {}, "draw": {}}, [("draw", "cannot be given beside stop")]),
        (Move, {"stop": {}, "leap": {}}, [("leap", "there is no such field")]),
        (ApplyRequest, {"notation": 5}, [("notation", "expected a string")]),
        (ApplyRequest, {"notation": "\ud800"}, [("notation", "expected a string")]),
        (ApplyRequest, {"request_id": "a", "requestId": "b"}, [("requestId", "is given twice")]),
        (NewGameRequest, {"seats": {}}, [("seats", "expected a list")]),
        (NewGameRequest, {"seats": [{}, None]}, [("seats[1]", "expected an object")]),
        (NewGameRequest, {"seats": [{}, {"name": 1}]}, [("seats[1].name", "expected a string")]),
        (NewGameRequest, {}, [("seats", "is required")]),
        (MatchHeader, {"secretSeed": "?"}, [("secretSeed", "expected base64 in a string")]),
        (MatchProgress, {"drawn": []}, [("drawn", "expected an object")]),
        (MatchProgress, {"drawn": {"qi": "x"}}, [("drawn.qi", WHOLE)]),
        (MatchProgress, {"taken": {"deck": 3}}, [("taken.deck", "expected an object")]),
        (MatchProgress, {"lastMoved": [0, "x"]}, [("lastMoved[1]", WHOLE)]),
    ],
)
def test_what_does_not_fit_is_named_by_its_place(
    kind: type[Message], value: Json, violations: list[tuple[str, str]]
) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, shape(kind()))
    assert refusal.value.violations == [Violation(*violation) for violation in violations]


@pytest.mark.parametrize(
    "value", [{"seats": [0] * 1000}, {"seats": [{"bot": 1}] * 1000}, {str(n): 1 for n in range(1000)}]
)
def test_only_the_first_hundred_violations_are_told(value: Json) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, shape(NewGameRequest()))
    assert len(refusal.value.violations) == 100


def test_a_long_unknown_name_is_not_repeated_in_full() -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse({"k" * 1000: 1}, shape(Move()))
    assert refusal.value.violations == [Violation("k" * 64, "there is no such field")]


def test_a_wrong_enum_value_is_told_the_right_ones() -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse({"take": {"card": "red"}}, shape(Move()))
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
def test_what_protojson_allows_is_read(value: Json, message: Message) -> None:
    assert protojson.parse(value, shape(message)) == message


def test_maps_and_bytes_are_read_as_they_are_printed() -> None:
    header = MatchHeader(game="fire_bulls", secret_seed=bytes(range(32)))
    progress = MatchProgress(drawn={"first": 1}, taken={"deck": PoolTaken(copies={"red": 5})})
    for message in (header, progress):
        assert protojson.parse(json.loads(protojson.format(message)), shape(message)) == message


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
def test_json_is_read_as_the_standard_library_reads_it(text: str) -> None:
    assert protojson.parse_json(text.encode()) == json.loads(text)


@pytest.mark.parametrize("text", ['{"a":1,"a":{"b":"::"}}', '{"a":1,"a":2,"b":"\\u003a"}', '{"a":{"b":1,"b":1}}'])
def test_a_key_that_is_there_twice_is_refused_whatever_stands_beside_it(text: str) -> None:
    with pytest.raises(MalformedJson, match="a key is there twice"):
        protojson.parse_json(text.encode())


@settings(max_examples=40, deadline=None)
@given(messages())
def test_a_message_is_read_the_same_with_a_field_written_in_an_unusual_way(message: Message) -> None:
    plain = protojson.parse_json(protojson.format(message))
    assert isinstance(plain, dict)
    assert protojson.parse({**plain, "aDouble": "1"}, KINDS) == protojson.parse({**plain, "aDouble": 1.0}, KINDS)


def test_a_required_field_that_the_route_sets_is_not_missed() -> None:
    assert protojson.parse({}, shape(NewGameRequest()), frozenset({"seats"})) == NewGameRequest()


def test_zero_false_and_empty_are_printed_and_absent_is_not() -> None:
    printed = json.loads(protojson.format(Event()))
    assert printed == {"revision": 0, "notation": "", "reveals": [], "head": ""}


@pytest.mark.parametrize(
    "text",
    [b"", b"{", b"\xff", b'{"a":1,"a":2}', b'{"a":NaN}', b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}"],
    ids=["empty", "open", "not UTF-8", "key twice", "NaN", "deep", "long number"],
)
def test_what_is_not_json_is_refused(text: bytes) -> None:
    with pytest.raises((MalformedJson, InvalidFields)):
        protojson.parse_json(text)


@pytest.mark.parametrize(
    ("value", "violations"),
    [
        ({"byNumber": {"x": "a"}}, [("byNumber.x", WHOLE)]),
        ({"byTruth": {"yes": 1}}, [("byTruth.yes", "expected true or false")]),
        ({"byId": {"1": {"aBool": 1}}}, [("byId.1.aBool", "expected true or false")]),
        ({"aDouble": "1,5"}, [("aDouble", "expected a number")]),
        ({"aDouble": True}, [("aDouble", "expected a number")]),
        ({"aTime": "noon"}, [("aTime", "expected a timestamp as ProtoJSON writes it")]),
        ({"spans": ["1s", "1"]}, [("spans[1]", "expected a duration as ProtoJSON writes it")]),
        ({"anInt64": "9223372036854775808"}, [("anInt64", LONG)]),
        ({"someBytes": "a"}, [("someBytes", "expected base64 in a string")]),
        ({"colours": ["COLOUR_RED", 9]}, [("colours[1]", "expected one of COLOUR_UNSPECIFIED, COLOUR_RED")]),
        ({"number": 1, "text": "a"}, [("text", "cannot be given beside number")]),
        ({"itself": {"itself": 1}}, [("itself.itself", "expected an object")]),
    ],
)
def test_every_type_says_what_it_expected(value: Json, violations: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidFields) as refusal:
        protojson.parse(value, KINDS)
    assert refusal.value.violations == [Violation(*violation) for violation in violations]


@pytest.mark.parametrize(
    ("value", "same"),
    [
        ({"someBytes": "_-8"}, {"someBytes": "/+8="}),
        ({"aDouble": "1.5e3"}, {"aDouble": 1500}),
        ({"aDouble": "-Infinity"}, {"aDouble": float("-inf")}),
        ({"anInt64": 5}, {"anInt64": "5"}),
        ({"aColour": "COLOUR_RED"}, {"a_colour": 1}),
        ({"byTruth": {"true": 1}}, {"by_truth": {"true": "COLOUR_RED"}}),
    ],
)
def test_the_ways_to_write_a_value_are_the_same(value: Json, same: Json) -> None:
    assert protojson.parse(value, KINDS) == protojson.parse(same, KINDS) != protojson.parse({}, KINDS)


def test_what_is_nested_too_deep_is_refused() -> None:
    value: Json = {}
    for _ in range(900):
        value = {"itself": value}
    with pytest.raises(InvalidFields, match="nested too deep"):
        protojson.parse(value, KINDS)
