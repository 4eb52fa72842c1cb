"""Catalogue service: the games of this engine, from their codecs and protos, and its public keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import grpc
from fireside.catalog.v1 import catalog_pb2, catalog_service_pb2
from google.api import annotations_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet
from google.protobuf.message import Message

from services.engine.codecs import AnyCodec
from services.engine.records.signing import ALGORITHM, SigningKeys
from services.grpc_server.calls import service_handler

SERVICE: Final = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]

TYPES: Final = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_ENUM: "enum",
}
MESSAGES, FIELDS = 4, 2
"""Field numbers in the paths of a file's source info: of its messages, and of their fields."""


class Catalog:
    """Serves `ListGames` and `ListKeys`."""

    def __init__(self, codecs: Iterable[AnyCodec], signing: SigningKeys) -> None:
        """`codecs` of one game are ordered from the oldest version of its rules to the newest."""
        self._signing: Final = signing
        games: dict[str, list[AnyCodec]] = {}
        for codec in codecs:
            games.setdefault(codec.game.name, []).append(codec)
        self._games: Final = catalog_service_pb2.ListGamesResponse(games=[_game(games[name]) for name in sorted(games)])

    def handler(self) -> grpc.GenericRpcHandler:
        """The gRPC handler of the catalogue service."""
        return service_handler(SERVICE, {"ListGames": self.games, "ListKeys": self.keys})

    async def games(self, request: Message, authorization: str) -> Message:
        """Response of `ListGames`: every game served, by name."""
        return self._games

    async def keys(self, request: Message, authorization: str) -> Message:
        """Response of `ListKeys`: the public keys that sign records."""
        keys = [
            catalog_pb2.SigningKey(key_id=key.key_id, algorithm=ALGORITHM, public_key=key.public.hex())
            for key in await self._signing.all()
        ]
        return catalog_service_pb2.ListKeysResponse(keys=keys)


def _game(versions: Sequence[AnyCodec]) -> catalog_pb2.Game:
    codec = versions[-1]
    game = codec.game
    return catalog_pb2.Game(
        name=game.name,
        title=codec.title,
        rules_version=codec.rules_version,
        min_seats=game.min_seats,
        max_seats=game.max_seats,
        service=codec.service.full_name,
        options=_options(codec),
        route=_route(codec),
        rules_versions=[version.rules_version for version in reversed(versions)],
    )


def _route(codec: AnyCodec) -> str:
    """The REST path of a game, without that of its matches."""
    options = codec.service.methods_by_name["NewGame"].GetOptions()
    path: str = options.Extensions[annotations_pb2.http].post  # type: ignore[index] # untyped handle
    return path.removesuffix("/matches")


def _options(codec: AnyCodec) -> list[catalog_pb2.Option]:
    message = codec.service.methods_by_name["NewGame"].input_type.fields_by_name["options"].message_type
    if message is None:
        raise TypeError("options are a message")
    comments = _comments(message) if message.fields else []
    return [_option(field, comments[number]) for number, field in enumerate(message.fields)]


def _option(field: FieldDescriptor, description: str) -> catalog_pb2.Option:
    values = field.enum_type.values if field.enum_type else []
    return catalog_pb2.Option(
        name=field.json_name,
        type=TYPES[field.type] + ("[]" if field.is_repeated else ""),
        values=[value.name for value in values if value.number],
        description=description,
    )


def _comments(message: Descriptor) -> list[str]:
    """The proto comments on the fields of a message; generated code does not have them."""
    file = next(file for file in _descriptors().file if file.name == message.file.name)
    place = [_name(declared) for declared in file.message_type].index(message.name)
    return [_comment(file, (MESSAGES, place, FIELDS, number)) for number in range(len(message.fields))]


def _name(message: DescriptorProto) -> str:
    return message.name


def _comment(file: FileDescriptorProto, path: tuple[int, ...]) -> str:
    for location in file.source_code_info.location:
        if tuple(location.path) == path:
            return " ".join(location.leading_comments.split())
    return ""


@cache
def _descriptors() -> FileDescriptorSet:
    # not by importlib.resources: an editable install gives the namespace package `fireside` a path that is no folder
    return FileDescriptorSet.FromString(
        Path(catalog_pb2.__file__).parents[2].joinpath("descriptors.binpb").read_bytes()
    )
