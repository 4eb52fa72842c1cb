"""JSON Schemas of all REST messages, by messages that together have fields of every shape."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator
from functools import cache

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from jsonschema import Draft202012Validator

from gateway import protojson
from gateway.openapi.proto_comments import comment
from gateway.openapi.schema import (
    WELL_KNOWN_SCHEMAS,
    Json,
    Schema,
    Usage,
    component_name,
    enum_schema,
    field_schema,
    is_map,
    is_required,
    message_schemas,
    oneofs,
    reachable_types,
)
from gateway.routing import registry
from gateway.routing.bindings import HTTP_BODY

SERVICES = [registry.CATALOG, registry.TOURNAMENTS, *registry.GAMES.values()]
REQUEST_AND_RESPONSE_TYPES = [
    kind
    for service in SERVICES
    for method in service.methods
    for kind in (method.input_type, method.output_type)
    if kind.full_name != HTTP_BODY  # the body of its response is no JSON
]
TYPES_BY_NAME = reachable_types(REQUEST_AND_RESPONSE_TYPES)
MESSAGES = [kind for kind in TYPES_BY_NAME.values() if isinstance(kind, Descriptor)]
ENUMS = [kind for kind in TYPES_BY_NAME.values() if isinstance(kind, EnumDescriptor)]


def _component_name(kind: Descriptor | EnumDescriptor) -> str:
    return component_name(kind.full_name)


def _field_shape(field: FieldDescriptor) -> Hashable:
    """All that the schema of a field, its reader and its printer depend on, but for its name and comment."""
    message = field.message_type
    own = message.full_name if message is not None and message.full_name in WELL_KNOWN_SCHEMAS else ""
    in_oneof = field.containing_oneof is not None
    return field.type, own, is_map(field), field.is_repeated, field.has_presence, in_oneof, is_required(field)


def _message_shape(message: Descriptor) -> set[Hashable]:
    """The shapes of its fields, and of its oneofs: whether it is nothing else."""
    groups = [("oneof", len(oneof.fields) == len(message.fields)) for oneof in oneofs(message)]
    return {*map(_field_shape, message.fields), *groups, ("oneofs", min(len(groups), 2))}


def _by_shape() -> list[Descriptor]:
    """Messages that have every shape of a field and of oneofs: those that add one to the shapes of those before."""
    seen: set[Hashable] = set()
    chosen = []
    for message in sorted(MESSAGES, key=lambda message: -len(_message_shape(message))):
        if not seen.issuperset(shapes := _message_shape(message)):
            chosen.append(message)
            seen |= shapes
    return chosen


EACH_MESSAGE_SHAPE = pytest.mark.parametrize("message", _by_shape(), ids=_component_name)


@cache
def _component_schemas(usage: Usage) -> Schema:
    schemas: Schema = {_component_name(enum): enum_schema(enum) for enum in ENUMS}
    for kind in MESSAGES:
        schemas |= message_schemas(kind, _component_name(kind), usage)
    Draft202012Validator.check_schema({"components": {"schemas": schemas}, "$defs": schemas})
    return schemas


def _validator(message: Descriptor, usage: Usage) -> Draft202012Validator:
    """A validator of a message with all components in reach."""
    root = {
        "$ref": f"#/components/schemas/{_component_name(message)}",
        "components": {"schemas": _component_schemas(usage)},
    }
    return Draft202012Validator(root)


def _objects(message: Descriptor, usage: Usage) -> list[Schema]:
    """The object schemas of a message: one, or one for each choice of the fields of its oneofs."""
    schemas = message_schemas(message, _component_name(message), usage).values()
    return [schema for schema in schemas if isinstance(schema, dict) and "properties" in schema]


def _filled(message: Descriptor, containers: frozenset[str] = frozenset()) -> Message:
    """A message with a value in every field, the last member of each oneof, but none of the type of its containers."""
    filled = GetMessageClass(message)()
    for field in message.fields:
        if field.message_type is None or field.message_type.full_name not in containers:
            _fill_field(filled, field, containers | {message.full_name})
    return filled


def _fill_field(message: Message, field: FieldDescriptor, containers: frozenset[str]) -> None:
    if is_map(field):
        json_format.ParseDict({field.name: {}}, message)
    elif field.message_type is not None:
        value = _filled(field.message_type, containers)
        target = getattr(message, field.name)
        target.append(value) if field.is_repeated else target.CopyFrom(value)
    elif field.is_repeated:
        getattr(message, field.name).append(_scalar_example(field))
    else:
        setattr(message, field.name, _scalar_example(field))


def _scalar_example(field: FieldDescriptor) -> str | int | bytes | bool:
    if field.enum_type is not None:
        return field.enum_type.values[-1].number
    by_type: dict[int, str | int | bytes | bool] = {
        FieldDescriptor.TYPE_STRING: "word",
        FieldDescriptor.TYPE_BYTES: b"\x00\xff\x01",
        FieldDescriptor.TYPE_BOOL: True,
    }
    return by_type.get(field.type, 7)


@EACH_MESSAGE_SHAPE
@pytest.mark.parametrize("usage", Usage)
def test_the_schema_of_every_message_accepts_its_json_and_the_json_round_trips(
    message: Descriptor, usage: Usage
) -> None:
    filled = _filled(message)
    printed = json.loads(protojson.format(filled))
    assert list(_validator(message, usage).iter_errors(printed)) == []
    assert protojson.parse(printed, message) == filled


@EACH_MESSAGE_SHAPE
def test_a_response_requires_every_field_that_is_always_printed(message: Descriptor) -> None:
    printed = json.loads(protojson.format(GetMessageClass(message)()))
    parts = {field.json_name for field in message.fields if field.message_type and not field.is_repeated}
    chosen = {field.json_name for field in message.fields if field.containing_oneof}
    for schema in _objects(message, Usage.RESPONSE):
        assert set(printed) | (parts - chosen) == set(_strings_in(schema.get("required"))) - chosen


@pytest.mark.parametrize("usage", [Usage.REQUEST, Usage.BOTH])
@EACH_MESSAGE_SHAPE
def test_a_request_refuses_an_unknown_field(message: Descriptor, usage: Usage) -> None:
    printed = json.loads(protojson.format(_filled(message)))
    assert not _validator(message, usage).is_valid({**printed, "noSuchField": 1})
    with pytest.raises(protojson.InvalidFields) as refusal:
        protojson.parse({"noSuchField": 1}, message)
    assert protojson.Violation("noSuchField", "there is no such field") in refusal.value.violations


@pytest.mark.parametrize("usage", Usage)
def test_a_message_with_oneofs_has_exactly_one_member_of_each(usage: Usage) -> None:
    with_oneofs = [message for message in MESSAGES if oneofs(message)]
    assert {"FireBulls.Move", "Fireship.Attack", "SpringFestival.ApplyRequest"} <= set(
        map(_component_name, with_oneofs)
    )
    for message in with_oneofs:
        whole, validator = json.loads(protojson.format(_filled(message))), _validator(message, usage)
        for oneof in oneofs(message):
            names = [field.json_name for field in oneof.fields]
            without = {name: value for name, value in whole.items() if name not in names}
            with_two_members = {**whole, names[0]: json.loads(protojson.format(_with_only(oneof.fields[0])))[names[0]]}
            assert not validator.is_valid(without)
            assert not validator.is_valid(with_two_members)


def _with_only(field: FieldDescriptor) -> Message:
    assert field.containing_type is not None
    message = GetMessageClass(field.containing_type)()
    _fill_field(message, field, frozenset())
    return message


def test_a_discriminated_message_is_a_choice_of_named_closed_objects_with_one_required_member() -> None:
    move = TYPES_BY_NAME["fireside.fire_bulls.v1.Move"]
    assert isinstance(move, Descriptor)
    schemas = message_schemas(move, "FireBulls.Move", Usage.BOTH)
    references = [f"#/components/schemas/{name}" for name in schemas if name != "FireBulls.Move"]
    assert schemas["FireBulls.Move"]["oneOf"] == [{"$ref": each} for each in references]  # type: ignore[index, call-overload]
    passing = schemas["FireBulls.Move.PassOn"]
    assert isinstance(passing, dict)
    assert (_strings_in(passing["properties"]), passing["required"], passing["additionalProperties"]) == (
        *(["passOn"], ["passOn"]),
        False,
    )


def test_unknown_enum_values_are_valid_in_responses_and_not_in_requests() -> None:
    for message in MESSAGES:
        for field in message.fields:
            if field.enum_type is not None:
                assert "$ref" in str(field_schema(field, Usage.RESPONSE))
                assert "'anyOf'" in str(field_schema(field, Usage.RESPONSE))
                assert "'anyOf'" in str(field_schema(field, Usage.BOTH))
                assert "'anyOf'" not in str(field_schema(field, Usage.REQUEST))


def test_shared_schemas_require_always_sent_fields_unless_optional_in_requests() -> None:
    required = {}
    for message in MESSAGES:
        if not oneofs(message):
            [schema] = _objects(message, Usage.BOTH)
            required[_component_name(message)] = set(_strings_in(schema.get("required")))
    assert {"revision", "notation", "reveals", "head", "text"} == required["FireBulls.Event"]
    assert {"options", "stage", "seats", "rulesVersion"} < required["FireBulls.State"]
    assert required["FireBulls.Options"] == set()
    assert required["FireBulls.Attack"] == {"direction", "payment"}


def test_every_field_has_its_type_and_its_comment() -> None:
    for message in MESSAGES:
        properties: dict[str, Json] = {}
        for schema in _objects(message, Usage.REQUEST):
            properties |= schema["properties"]  # type: ignore[arg-type]
        for field in message.fields:
            field_schema = properties[field.json_name]
            assert isinstance(field_schema, dict)
            assert field_schema["description"] == comment(f"{message.full_name}.{field.name}") != ""
            assert {"type", "$ref"} & set(field_schema)


def test_an_enum_is_its_value_names_each_explained() -> None:
    for enum in ENUMS:
        schema = enum_schema(enum)
        assert _strings_in(schema["enum"]) == [value.name for value in enum.values]
        assert all(f"`{value.name}`: " in str(schema["description"]) for value in enum.values)


def _strings_in(value: object) -> list[str]:
    return [str(each) for each in _items_of(value)]


def _items_of(value: object) -> Iterator[object]:
    yield from value if isinstance(value, list | dict) else ()
