"""Transcoding of HTTP requests to messages."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from fireside.fire_bulls.v1.fire_bulls_pb2 import Move, Options, Profile, State, Stop
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import (
    ApplyRequest,
    GetMatchResponse,
    HistoryRequest,
    LegalMovesRequest,
    Match,
    NewGameRequest,
)
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from starlette.datastructures import Headers

from gateway.openapi.schema import Json
from gateway.protojson import InvalidFields
from gateway.routing import transcoder
from gateway.routing.bindings import Binding, bindings
from gateway.routing.registry import GAMES
from gateway.routing.transcoder import RequestParts

MATCHES_PATH = "/v1/fire-bulls/matches"
MOVES_PATH = f"{MATCHES_PATH}/{{match_id}}/moves"
LEGAL_MOVES_PATH = f"{MATCHES_PATH}/{{match_id}}/legal-moves"
HISTORY_PATH = f"{MATCHES_PATH}/{{match_id}}/history"
BINDINGS_BY_PATH = {
    binding.path: binding
    for binding in bindings("fire_bulls", GAMES["fire_bulls"])
    if binding.method.name != "ListMatches"  # its path is that of `NewGame`
}


def request_parts(body: Json, query: str, headers: Mapping[str, str]) -> RequestParts:
    pairs = [(name, value) for name, _, value in (item.partition("=") for item in query.split("&")) if name]
    return RequestParts({"match_id": "m1"}, pairs, Headers(headers), json.dumps(body).encode())


def transcode(path: str, body: Json = None, query: str = "", **headers: str) -> Message:
    return transcoder.request_message(BINDINGS_BY_PATH[path], request_parts(body, query, headers))


def transcoding_violations(path: str, body: Json = None, query: str = "", **headers: str) -> list[str]:
    with pytest.raises(InvalidFields) as refusal:
        transcoder.request_message(BINDINGS_BY_PATH[path], request_parts(body, query, headers))
    return [violation.field for violation in refusal.value.violations]


def test_the_body_and_the_path_fill_the_request() -> None:
    assert transcode(MOVES_PATH, {"move": {"stop": {}}}) == ApplyRequest(match_id="m1", move=Move(stop=Stop()))


def test_the_query_and_the_path_fill_the_request() -> None:
    assert transcode(HISTORY_PATH, query="fromRevision=12") == HistoryRequest(match_id="m1", from_revision=12)
    assert transcode(HISTORY_PATH, query="from_revision=12") == HistoryRequest(match_id="m1", from_revision=12)
    assert transcode(LEGAL_MOVES_PATH, query="seat=0") == LegalMovesRequest(match_id="m1", seat=0)
    assert not transcode(LEGAL_MOVES_PATH).HasField("seat")


@pytest.mark.parametrize(
    ("path", "query", "fields"),
    [
        (HISTORY_PATH, "fromRevision=x", ["fromRevision"]),
        (HISTORY_PATH, "fromRevision=", ["fromRevision"]),
        (HISTORY_PATH, "fromRevision=99999999999", ["fromRevision"]),
        (HISTORY_PATH, "fromRevision=1&fromRevision=2", ["fromRevision"]),
        (HISTORY_PATH, "since=1&until=2", ["since", "until"]),
        (HISTORY_PATH, "matchId=m2", ["matchId"]),
        (LEGAL_MOVES_PATH, "state=x", ["state"]),
        (MOVES_PATH, "notation=stop", ["notation"]),
    ],
)
def test_an_invalid_query_parameter_is_named(path: str, query: str, fields: list[str]) -> None:
    assert transcoding_violations(path, {}, query) == fields


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("TYPE_BOOL", "true", True), ("TYPE_BOOL", "1", "1"), ("TYPE_INT32", "7", "7"), ("TYPE_STRING", "true", "true")],
)
def test_a_query_value_has_the_type_of_its_field(kind: str, text: str, value: Json) -> None:
    files = descriptor_pb2.FileDescriptorProto(name=f"query_{kind}_{text}.proto", package=f"query.{kind}.of{text}")
    number = descriptor_pb2.FieldDescriptorProto.Type.Value(kind)
    files.message_type.add(name="Query").field.add(name="some_field", number=1, type=number, label=1)
    field = _query_descriptor(files).fields_by_name["some_field"]
    assert transcoder.query_values([field], [("someField", text)]) == {"someField": value}


def test_a_repeated_field_is_given_by_repeating_its_parameter() -> None:
    field = Options.DESCRIPTOR.fields_by_name["colours"]
    query = [("colours", "COLOUR_RED"), ("colours", "COLOUR_BLUE")]
    assert transcoder.query_values([field], query) == {"colours": ["COLOUR_RED", "COLOUR_BLUE"]}


def test_a_custom_verb_sets_ephemeral_and_the_collection_clears_it() -> None:
    body: Json = {"seats": [{"name": "Ada"}, {}], "options": {"profile": "PROFILE_IT"}, "clientSeed": "s"}
    seats = [SeatSpec(name="Ada"), SeatSpec()]
    options = Options(profile=Profile.PROFILE_IT)
    stored = NewGameRequest(seats=seats, options=options, client_seed="s")
    ephemeral = NewGameRequest(seats=seats, options=options, client_seed="s", ephemeral=True)
    assert transcode(MATCHES_PATH, body) == stored
    assert transcode("/v1/fire-bulls:newGame", body) == ephemeral


def test_an_inline_route_takes_the_position_from_the_body() -> None:
    assert transcode("/v1/fire-bulls:legalMoves", {"matchId": "m2", "seat": 1}) == LegalMovesRequest(
        match_id="m2", seat=1
    )
    assert transcode("/v1/fire-bulls:legalMoves", {"state": {}}) == LegalMovesRequest(state=State())


@pytest.mark.parametrize(
    ("path", "body", "fields"),
    [
        (MOVES_PATH, {"matchId": "m2", "notation": "stop"}, ["matchId"]),
        (MOVES_PATH, {"state": {}, "notation": "stop"}, ["state"]),
        (MATCHES_PATH, {"seats": [{}, {}], "ephemeral": True}, ["ephemeral"]),
    ],
)
def test_the_body_cannot_contradict_the_route(path: str, body: Json, fields: list[str]) -> None:
    assert transcoding_violations(path, body) == fields


def test_headers_set_request_fields() -> None:
    headers = {"If-Match": '"12"', "Idempotency-Key": "k1"}
    expected = ApplyRequest(match_id="m1", notation="stop", expected_revision=12, request_id="k1")
    assert transcode(MOVES_PATH, {"notation": "stop"}, **headers) == expected


@pytest.mark.parametrize(
    ("tag", "revision"), [('"0"', 0), ("7", 7), ('"1", "2"', 2), (f'"7-{"a" * 24}"', 7), ('"8", W/"9", "abc"', 8)]
)
def test_if_match_is_an_expected_revision(tag: str, revision: int) -> None:
    request = transcode(MOVES_PATH, {"notation": "stop"}, **{"If-Match": tag})
    assert request == ApplyRequest(match_id="m1", notation="stop", expected_revision=revision)


def test_if_match_any_expects_no_revision() -> None:
    assert transcode(MOVES_PATH, {"notation": "stop"}, **{"If-Match": "*"}) == transcode(
        MOVES_PATH, {"notation": "stop"}
    )


@pytest.mark.parametrize("tag", ["", "abc", 'W/"7"', '"1" "2"', '"-1"', '"9999999999"', '"7-x"', "7, 8"])
def test_an_if_match_that_is_not_a_revision_tag_is_refused(tag: str) -> None:
    assert transcoding_violations(MOVES_PATH, {"notation": "stop"}, **{"If-Match": tag}) == ["If-Match"]


def test_a_header_and_the_body_must_agree() -> None:
    body: Json = {"notation": "stop", "expectedRevision": 0, "requestId": "k1"}
    assert transcoding_violations(MOVES_PATH, body, **{"If-Match": '"12"', "Idempotency-Key": "k2"}) == [
        "expectedRevision",
        "requestId",
    ]
    agreed = transcode(MOVES_PATH, body, **{"If-Match": '"0"', "Idempotency-Key": "k1"})
    assert agreed == ApplyRequest(match_id="m1", notation="stop", expected_revision=0, request_id="k1")


def test_the_response_body_is_the_message_or_its_annotated_field() -> None:
    match = Match(match_id="m1", revision=4)
    returned_message = transcoder.returned_message(_get_match(), GetMatchResponse(match=match))
    assert returned_message == match
    assert transcoder.returned_message(BINDINGS_BY_PATH[MOVES_PATH], match) == match


def _get_match() -> Binding:
    return BINDINGS_BY_PATH[f"{MATCHES_PATH}/{{match_id}}"]


def _query_descriptor(file: descriptor_pb2.FileDescriptorProto) -> Descriptor:
    pool = DescriptorPool()
    pool.Add(file)
    return pool.FindMessageTypeByName(f"{file.package}.Query")
