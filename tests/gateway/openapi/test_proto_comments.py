"""Comments of proto descriptors, which become descriptions in the OpenAPI document."""

from __future__ import annotations

from pathlib import Path

import pytest
from fireside.match.v1 import match_pb2
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from gateway.openapi.proto_comments import comment
from gateway.routing import registry

DESCRIPTOR_SET_FILE = Path(match_pb2.__file__).parents[2] / "descriptors.binpb"
SERVICES = [registry.CATALOG, registry.TOURNAMENTS, *registry.GAMES.values()]


def _file_and_dependencies(file: FileDescriptor) -> dict[str, FileDescriptor]:
    found = {file.name: file}
    for other in file.dependencies:
        if other.package.startswith("fireside."):
            found |= _file_and_dependencies(other)
    return found


DESCRIPTOR_SET_FILE = Path(match_pb2.__file__).parents[2] / "descriptors.binpb"
FILES = {name: file for service in SERVICES for name, file in _file_and_dependencies(service.file).items()}


@pytest.mark.parametrize("name", FILES)
def test_the_comments_are_those_of_the_served_protos(name: str) -> None:
    image = FileDescriptorSet.FromString(DESCRIPTOR_SET_FILE.read_bytes())
    [commented] = [file for file in image.file if file.name == name]
    commented.ClearField("source_code_info")
    served = FileDescriptorProto.FromString(FILES[name].serialized_pb)
    assert _without_json_names(commented) == _without_json_names(served)


def _without_json_names(file: FileDescriptorProto) -> FileDescriptorProto:
    """An image spells out the JSON names that follow from the field names; generated code does not."""
    for message in file.message_type:
        for field in [*message.field, *(each for nested in message.nested_type for each in nested.field)]:
            field.ClearField("json_name")
    return file


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("fireside.fire_bulls.v1.FireBullsService.LegalMoves", "List the legal moves of a seat."),
        ("fireside.fire_bulls.v1.FireBullsService", "Plays Fire Bulls."),
        ("fireside.fire_bulls.v1.Step.to", "Direction to move to"),
        ("fireside.fire_bulls.v1.Profile.PROFILE_FR", "The French rules as printed."),
        ("fireside.fire_bulls.v1.ApplyRequest", "Request to make a move."),
    ],
)
def test_every_kind_of_descriptor_has_its_comment(name: str, text: str) -> None:
    assert comment(name).startswith(text)


def test_a_descriptor_without_a_comment_has_an_empty_one() -> None:
    assert comment("fireside.fire_bulls.v1.Nothing") == ""
