"""Bindings of HTTP routes to the methods of all services."""

from __future__ import annotations

import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2
from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool

from gateway.routing import registry
from gateway.routing.bindings import TOURNAMENTS, Binding, bindings, created_field

SERVICE = fire_bulls_service_pb2.DESCRIPTOR.services_by_name["FireBullsService"]
BINDINGS = list(bindings("fire_bulls", SERVICE))
MATCHES_PATH = "/v1/fire-bulls/matches"


def _binding_of(verb: str, path: str) -> Binding:
    [binding] = [each for each in BINDINGS if (each.verb, each.path) == (verb, path)]
    return binding


def test_a_method_has_its_own_route_and_the_additional_ones() -> None:
    routes = [(each.verb, each.path) for each in BINDINGS if each.method.name == "Apply"]
    assert routes == [("POST", f"{MATCHES_PATH}/{{match_id}}/moves"), ("POST", "/v1/fire-bulls:apply")]


def test_operation_ids_are_unique() -> None:
    names = [each.operation_id for each in BINDINGS]
    assert len(set(names)) == len(names)
    assert _binding_of("POST", "/v1/fire-bulls:apply").operation_id == "Apply_FireBulls_inline"


def test_a_path_variable_removes_its_field_and_the_others_of_its_oneof_from_the_body() -> None:
    route = _binding_of("POST", f"{MATCHES_PATH}/{{match_id}}/moves")
    assert [field.name for field in route.path_fields] == ["match_id"]
    assert route.excluded_fields == {"match_id", "state"}


def test_a_custom_verb_keeps_the_other_fields_of_the_oneof_in_the_body() -> None:
    route = _binding_of("POST", "/v1/fire-bulls:apply")
    assert route.custom_verb == "apply"
    assert route.excluded_fields == frozenset()


def test_query_parameters_are_the_scalar_fields_that_are_not_in_the_path() -> None:
    assert [field.name for field in _binding_of("GET", f"{MATCHES_PATH}/{{match_id}}/history").query_fields] == [
        "from_revision",
        "page_size",
        "locale",
        "seat",
    ]
    assert [field.name for field in _binding_of("GET", f"{MATCHES_PATH}/{{match_id}}/legal-moves").query_fields] == [
        "seat",
        "nature",
        "locale",
        "revision",
    ]
    assert _binding_of("POST", "/v1/fire-bulls:apply").query_fields == ()


def test_a_method_whose_first_route_is_get_is_a_read_on_all_its_routes() -> None:
    reading = {each.method.name for each in BINDINGS if each.is_read_only}
    writing = {each.method.name for each in BINDINGS if not each.is_read_only}
    assert reading == {
        "GetComponents",
        "LegalMoves",
        "Score",
        "ListMatches",
        "GetMatch",
        "GetPicture",
        "History",
        "GetRecord",
        "Watch",
    }
    seats = {"Join", "Invite", "Reissue", "Substitute", "Withdraw", "Rematch", "Leave"}
    assert writing == {"NewGame", "Apply", "BatchApply", "Sample", "Replay", "Hint", "Fork", *seats}


def test_a_variable_that_matches_one_word_is_a_value_that_the_route_sets() -> None:
    svg, png, inline = [each for each in BINDINGS if each.method.name == "GetPicture"]
    assert [svg.path, png.path] == [f"{MATCHES_PATH}/{{match_id}}/picture.{ending}" for ending in ("svg", "png")]
    assert [each.constants for each in (svg, png, inline)] == [{"file": "picture.svg"}, {"file": "picture.png"}, {}]
    assert all("file" in each.bound_fields for each in (svg, png))
    assert [field.name for field in svg.query_fields] == ["seat", "revision", "locale", "theme", "width"]


def test_a_file_has_the_media_types_of_its_endings() -> None:
    kinds = {each.operation_id: each.file_media_types for each in BINDINGS if each.method.name == "GetPicture"}
    assert kinds == {
        "GetPicture_FireBulls": ["image/svg+xml"],
        "GetPicture_FireBulls_png": ["image/png"],
        "GetPicture_FireBulls_inline": ["image/svg+xml", "image/png"],
    }
    assert not any(each.file_media_types for each in BINDINGS if each.method.name != "GetPicture")
    of_tournaments = {each.operation_id: each.file_media_types for each in bindings(TOURNAMENTS, registry.TOURNAMENTS)}
    assert of_tournaments["GetTournamentRecord"] == ["application/json"]


def test_only_a_post_on_a_collection_with_members_creates() -> None:
    creating = {(each.verb, each.path): created_field(each, BINDINGS) for each in BINDINGS}
    assert {route: field.name for route, field in creating.items() if field} == {("POST", MATCHES_PATH): "match_id"}


def test_facts_about_a_game_are_constant_and_pages_of_a_list_are_not() -> None:
    assert [each.method.name for each in BINDINGS if each.is_constant] == ["GetComponents"]


def test_the_response_body_is_the_annotated_field() -> None:
    route = _binding_of("GET", f"{MATCHES_PATH}/{{match_id}}")
    assert route.response.name == "Match"
    assert [each.path for each in BINDINGS if each.is_tagged] == [
        each.path for each in BINDINGS if each.verb == "GET" and not each.path.endswith("/events")
    ]


@pytest.mark.parametrize(
    "rule",
    [
        HttpRule(),
        HttpRule(get="/v1/{name=matches/*}"),
        HttpRule(post="/v1/matches", body="seats"),
        HttpRule(custom={"kind": "PURGE", "path": "/v1/matches"}),
    ],
    ids=["none", "several segments", "part of the body", "a method of its own"],
)
def test_an_unsupported_annotation_is_an_error_at_startup(rule: HttpRule) -> None:
    file = FileDescriptorProto(name=f"odd_{abs(hash(str(rule)))}.proto", package="odd", syntax="proto3")
    file.message_type.add(name="Empty")
    method = file.service.add(name="Odd").method.add(name="Do", input_type=".odd.Empty", output_type=".odd.Empty")
    method.options.Extensions[annotations_pb2.http].CopyFrom(rule)  # type: ignore[index] # untyped handle
    pool = DescriptorPool()
    pool.Add(file)
    with pytest.raises(ValueError, match=r"odd\.Odd\.Do"):
        list(bindings("odd", pool.FindServiceByName("odd.Odd")))
