"""Service shape: the services of all games have the same methods and fields."""

from __future__ import annotations

from typing import cast

import pytest
from fireside.fire_bulls.v1.field_numbers import State
from fireside.match.v1.encoded_pb2 import EncodedLogEntry
from google.protobuf.descriptor import Descriptor, FieldDescriptor, ServiceDescriptor

from services.engine.codecs import CODECS, AnyCodec
from services.engine.requests import messages

FIRST_CODEC = next(iter(CODECS.values()))
OWN_MESSAGES = {"Components", "Options", "Move", "State", "View"}
"""Messages that every game defines for itself."""


def service_shape(service: ServiceDescriptor) -> dict[str, object]:
    return {
        method.name: (message_shape(method.input_type), message_shape(method.output_type)) for method in service.methods
    }


BATCH_MESSAGES = {"WatchBatch", "PlayBatch"}
"""Messages that contain the responses that contain them."""


def message_shape(message: Descriptor) -> dict[str, object]:
    return {field.name: field_shape(field) for field in message.fields}


def log_shape(codec: AnyCodec) -> dict[str, object]:
    return message_shape(cast(Descriptor, codec.messages.log_entry.DESCRIPTOR))


def field_shape(field: FieldDescriptor) -> tuple[object, ...]:
    inner: object = None
    if field.message_type and field.message_type.name in OWN_MESSAGES | BATCH_MESSAGES:
        inner = field.message_type.name
    elif field.message_type:
        inner = message_shape(field.message_type)
    oneof = field.containing_oneof.name if field.containing_oneof else ""
    return field.number, field.type, field.is_repeated, field.has_presence, oneof, inner


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_services_have_the_same_methods_and_fields(codec: AnyCodec) -> None:
    assert service_shape(codec.service) == service_shape(FIRST_CODEC.service)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_bot_services_have_the_same_methods_and_fields(codec: AnyCodec) -> None:
    assert service_shape(codec.bot_service) == service_shape(FIRST_CODEC.bot_service)
    assert codec.bot_service.full_name == codec.service.full_name.replace("Service", "BotService")


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_states_name_their_rules_version_in_the_same_field(codec: AnyCodec) -> None:
    state = cast(Descriptor, codec.messages.state.DESCRIPTOR)
    assert state.fields_by_name["rules_version"].number == State.RULES_VERSION


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_log_entries_have_the_same_fields(codec: AnyCodec) -> None:
    assert log_shape(codec) == log_shape(FIRST_CODEC)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_an_encoded_log_entry_has_the_fields_of_its_game(codec: AnyCodec) -> None:
    log_entry = cast(Descriptor, codec.messages.log_entry.DESCRIPTOR)
    for field in EncodedLogEntry.DESCRIPTOR.fields:
        copied = log_entry.fields_by_name[field.name]
        assert field.number == copied.number
        assert field.type == (FieldDescriptor.TYPE_BYTES if copied.message_type else copied.type)


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_a_service_is_in_the_package_of_its_game(codec: AnyCodec) -> None:
    assert codec.service.file.package == f"fireside.{codec.game.name}.v1"


@pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)
def test_requests_have_the_fields_that_the_servicer_reads(codec: AnyCodec) -> None:
    names = "NewGame LegalMoves Apply GetMatch History BatchApply Sample Hint Fork Leave GetRecord Watch"
    for name in names.split():
        fields = set(codec.service.methods_by_name[name].input_type.fields_by_name)
        protocol = getattr(messages, f"{name}Request")
        wanted = {field for kind in protocol.__mro__ for field in getattr(kind, "__annotations__", {})}
        assert wanted <= fields
