"""Limit on the number of fields in a message: an empty submessage is 2 bytes on the wire, and 100 once parsed."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import Descriptor

from services.grpc_server.errors import InvalidRequest

MAX_FIELDS: Final = 2048
"""Fields of one message, not counting those of its submessages; the longest list of the API has 1024."""
COUNTED_BYTES: Final = 16 << 10
"""Size in bytes up to which messages and submessages are not checked."""

VARINT, EIGHT, DATA, FOUR = 0, 1, 2, 5
VARINT_BITS: Final = 70
"""Bits of the longest valid varint; decoding an unlimited one would take quadratic time."""


def check_field_count(data: bytes, kind: Descriptor) -> None:
    """Raise `InvalidRequest` for a message with too many fields; malformed bytes are left to the parser."""
    at = count = 0
    try:
        while COUNTED_BYTES < len(data) > at:
            tag, at = _varint(data, at)
            count += 1
            field = kind.fields_by_number.get(tag >> 3)
            if count > MAX_FIELDS:
                name = "" if field is None else field.json_name
                raise InvalidRequest(name, f"the request has more than {MAX_FIELDS} fields")
            start, at = at, _next_field(data, at, tag & 7)
            if at - start > COUNTED_BYTES and field is not None and field.message_type is not None:
                check_field_count(data[_varint(data, start)[1] : at], field.message_type)
    except IndexError:  # cut off in the middle
        return


def _next_field(data: bytes, at: int, kind: int) -> int:
    """The offset of the next field."""
    if kind == VARINT:
        return _varint(data, at)[1]
    if kind == DATA:
        size, at = _varint(data, at)
        return at + size
    if kind in (EIGHT, FOUR):
        return at + (8 if kind == EIGHT else 4)
    raise IndexError


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while (byte := data[at]) >= 128:
        number |= (byte & 127) << shift
        shift += 7
        at += 1
        if shift >= VARINT_BITS:
            raise IndexError
    return number | byte << shift, at + 1
