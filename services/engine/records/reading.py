"""Reads a match record from JSON in any standard encoding."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from typing import Final, Protocol, TypeAlias, cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import CODECS_BY_VERSION, AnyCodec
from services.engine.records.records import record_class

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

MAX_BYTES: Final = 64 << 20
"""Size limit of a record in bytes, much larger than any real one."""
GZIP: Final = b"\x1f\x8b"
HEXADECIMAL: Final = ("secret_seed", "commitment", "signature", "public_key")
"""Hexadecimal fields, in upper or lower case."""


class VerificationFailed(Exception):
    """The first thing found in a record that is invalid or does not follow from the rest."""


class Clock(Protocol):
    """What a record's clock field has."""

    match_seconds: int


class Event(Protocol):
    """What the `Event` messages of all games have in common."""

    revision: int
    seat: int
    move: Message
    notation: str

    def HasField(self, field_name: str, /) -> bool: ...


class Record(Protocol):
    """What the `MatchRecord` messages of all games have in common."""

    match_id: str
    game: str
    rules_version: str
    seats: list[Message]
    options: Message
    secret_seed: str
    client_seeds: list[str]
    commitment: str
    events: list[Event]
    result: Message
    clock: Clock
    hints: bool
    signature: str
    key_id: str
    public_key: str


def read(data: bytes | str) -> tuple[AnyCodec, Record]:
    """A record in ProtoJSON, with the rules of its version.

    UTF-8, UTF-16 or UTF-32 with or without a byte order mark, compressed by gzip or not; alone, or as the `record` of
    a response; with JSON or original names of fields. Raises `VerificationFailed`.
    """
    fields = _parse(data)
    if isinstance(fields, dict) and isinstance(inner := fields.get("record"), dict):
        fields = inner
    if not isinstance(fields, dict):
        raise VerificationFailed("this is no match record in JSON")
    version = fields.get("rulesVersion", fields.get("rules_version"))
    if not isinstance(version, str):
        raise VerificationFailed("rulesVersion: a match record names the version of its rules")
    codec = CODECS_BY_VERSION.get(version)
    if codec is None:
        raise VerificationFailed(f"rulesVersion: there are no rules of version {version!r} here")
    return codec, _record(fields, codec)


def _parse(data: bytes | str) -> Json:
    if isinstance(data, bytes) and data.startswith(GZIP):
        data = _decompress(data)
    if len(data) > MAX_BYTES:
        raise VerificationFailed(f"no match record has more than {MAX_BYTES} bytes")
    try:
        return cast(Json, json.loads(data, object_pairs_hook=_unique_fields, parse_constant=_refuse_constant))
    except (ValueError, RecursionError):
        raise VerificationFailed("this is no match record in JSON") from None


def _decompress(data: bytes) -> bytes:
    try:
        return gzip.GzipFile(fileobj=io.BytesIO(data)).read(
            MAX_BYTES + 1
        )  # the limit also holds for decompressed bytes
    except (OSError, EOFError, zlib.error):
        raise VerificationFailed("this is no match record in JSON: what was compressed is damaged") from None


def _unique_fields(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise VerificationFailed("a field is there twice, so programs could read it differently")
    return fields


def _refuse_constant(constant: str) -> None:
    raise ValueError(constant)


def _record(fields: dict[str, Json], codec: AnyCodec) -> Record:
    kind = record_class(codec)
    try:
        record = ParseDict(fields, kind())
    except (ParseError, ValueError, RecursionError):
        place = _invalid_field(fields, cast(Descriptor, kind.DESCRIPTOR), "") or "something in it"
        raise VerificationFailed(f"{place}: a record of {codec.rules_version} has no such field or value") from None
    for name in HEXADECIMAL:
        setattr(record, name, getattr(record, name).lower())
    return cast(Record, record)


def _invalid_field(value: Json, kind: Descriptor, path: str) -> str:
    """The path of the first JSON field that the message does not have or that has a wrong value; empty for none."""
    if not isinstance(value, dict):
        return path
    for name, inner in value.items():
        place = f"{path}.{name}".lstrip(".")
        field = kind.fields_by_name.get(name) or kind.fields_by_camelcase_name.get(name)
        if field is None or (field.message_type is None and not _is_valid({name: inner}, kind)):
            return place
        if field.message_type is None or inner is None:
            continue
        for number, each in enumerate(inner if isinstance(inner, list) else [inner]):
            where = f"{place}[{number}]" if field.is_repeated else place
            if found := _invalid_field(each, field.message_type, where):
                return found
    return ""


def _is_valid(fields: dict[str, Json], kind: Descriptor) -> bool:
    try:
        ParseDict(fields, GetMessageClass(kind)())
    except (ParseError, ValueError):
        return False
    return True
