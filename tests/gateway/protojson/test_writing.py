"""JSON that is written as bytes at once: the same bytes as by way of a message, or none."""

from __future__ import annotations

from contextlib import suppress
from tracemalloc import get_traced_memory, start, stop

import pytest
from fireside.fire_bulls.v1.fire_bulls_pb2 import ATTACK_CARD_RED, Move, State, Step, Stop, Take
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import ApplyRequest, NewGameRequest
from fireside.match.v1.match_record_pb2 import MatchProgress
from fireside.spring_festival.v1.spring_festival_pb2 import Square
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway import protojson
from gateway.openapi.schema import Json
from gateway.protojson import Unfit
from tests.gateway.protojson.kinds import KINDS, messages

LEFT = {"aDouble", "anInt64", "aUint64", "aFixed64", "aFixed32", "someBytes", "anSfixed32", "anSfixed64", "anSint64"}
LEFT |= {"perhapsDouble", "perhapsInt64", "perhapsBytes", "aTime", "aSpan", "doubles", "int64s", "byteStrings", "spans"}
LEFT |= {"byName", "byNumber", "byTruth", "byId", "times", "number", "span"}
"""Fields of types that are left to the careful way."""

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 64), 1 << 64)
    | st.floats()
    | st.text(max_size=3)
    | st.just("COLOUR_RED"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["anInt32", "itself", "x"]), inner),
    max_leaves=4,
)


def plain(value: Json) -> Json:
    """The JSON of `KINDS` without those fields."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if name not in LEFT}
    return [plain(item) for item in value] if isinstance(value, list) else value


def written(value: Json, kind: Descriptor) -> bytes:
    assert isinstance(value, dict)
    return protojson.write(value, kind)


def carefully(value: Json, kind: Descriptor) -> bytes:
    return protojson.parse(value, kind).SerializeToString(deterministic=True)


def shape(message: Message) -> Descriptor:
    descriptor = message.DESCRIPTOR
    assert isinstance(descriptor, Descriptor)
    return descriptor


@settings(max_examples=40, deadline=None)
@given(messages())
def test_bytes_are_those_of_the_message(message: Message) -> None:
    value = plain(protojson.parse_json(protojson.format(message)))
    assert written(value, KINDS) == carefully(value, KINDS)


@settings(max_examples=40, deadline=None)
@given(messages(depth=1), st.sampled_from(list(KINDS.fields)), st.data())
def test_whatever_a_field_is_given_is_written_as_it_is_read_or_not_at_all(
    message: Message, field: FieldDescriptor, draw: st.DataObject
) -> None:
    value = plain(protojson.parse_json(protojson.format(message)))
    assert isinstance(value, dict)
    given = {**value, field.json_name: draw.draw(JSON)}
    try:
        data = written(given, KINDS)
    except Unfit:
        return
    assert data == carefully(given, KINDS)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"notation": "stop", "seat": 0}, ApplyRequest(notation="stop", seat=0)),
        ({"seat": 1, "matchId": "m1"}, ApplyRequest(match_id="m1", seat=1)),
        ({"seat": 1, "match_id": "m1"}, ApplyRequest(match_id="m1", seat=1)),
        ({"move": {"stop": {}}}, ApplyRequest(move=Move(stop=Stop()))),
        ({"take": {"card": "ATTACK_CARD_RED"}}, Move(take=Take(card=ATTACK_CARD_RED))),
        ({"step": {"to": -1}}, Move(step=Step(to=-1))),
        ({"x": -(1 << 31), "y": (1 << 31) - 1}, Square(x=-(1 << 31), y=(1 << 31) - 1)),
        ({"squares": [], "piles": [1, 300, 0]}, State(piles=[1, 300, 0])),
        ({"notation": "é" * 100}, ApplyRequest(notation="é" * 100)),
        ({"notation": "x" * 20_000}, ApplyRequest(notation="x" * 20_000)),
        ({}, ApplyRequest()),
    ],
)
def test_what_is_as_it_is_printed_is_written(value: Json, message: Message) -> None:
    assert written(value, shape(message)) == message.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Move, {"step": {"to": "3"}}),
        (Move, {"step": {"to": 3.0}}),
        (Move, {"step": {"to": True}}),
        (Move, {"step": {"to": 1 << 31}}),
        (Move, {"step": {"to": 1 << 70}}),
        (Move, {"step": {"to": None}}),
        (Move, {"step": {}}),
        (Move, {"step": []}),
        (Move, {"stop": {}, "draw": {}}),
        (Move, {"take": {"card": 4}}),
        (Move, {"take": {"card": "RED"}}),
        (Move, {"power": {"use": 1}}),
        (Move, {"leap": {}}),
        (Square, {"x": 1 << 31, "y": 0}),
        (ApplyRequest, {"notation": 5}),
        (ApplyRequest, {"notation": "\ud800"}),
        (ApplyRequest, {"matchId": "a", "match_id": "a"}),
        (NewGameRequest, {}),
        (NewGameRequest, {"seats": {}}),
        (NewGameRequest, {"seats": [None]}),
        (State, {"piles": 1}),
        (State, {"piles": [1, "1"]}),
        (State, {"piles": [1, False]}),
        (MatchProgress, {"drawn": []}),
        (MatchProgress, {"drawn": {}}),
    ],
)
def test_what_is_unusual_or_wrong_is_left_to_the_careful_way(kind: type[Message], value: Json) -> None:
    with pytest.raises(Unfit):
        written(value, shape(kind()))


@pytest.mark.parametrize(("depth", "is_written"), [(100, True), (101, False), (100_000, False)])
def test_objects_lie_in_each_other_as_deep_as_protobuf_lets_them(depth: int, is_written: bool) -> None:
    value: dict[str, object] = {}
    for _ in range(depth):
        value = {"itself": value}
    if is_written:
        assert len(protojson.write(value, KINDS)) > depth
    else:
        with pytest.raises(Unfit):
            protojson.write(value, KINDS)


def test_writing_keeps_nothing_and_frees_nothing_else() -> None:
    value: dict[str, object] = {"strings": ["a", "b" * 200], "children": [{"anInt32": -1}], "aColour": "COLOUR_RED"}
    wrong: dict[str, object] = {**value, "text": 1}
    data = protojson.write(value, KINDS)
    start()
    before, _ = get_traced_memory()
    for _ in range(3000):
        assert protojson.write(value, KINDS) == data
        with suppress(Unfit):
            protojson.write(wrong, KINDS)
    after, _ = get_traced_memory()
    stop()
    assert after - before < 3000
