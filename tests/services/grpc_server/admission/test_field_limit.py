"""Messages with too many fields are refused before they are parsed."""

from __future__ import annotations

from time import process_time

import pytest
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs
from fireside.match.v1.match_pb2 import SeatSpec

from services.grpc_server.admission.field_limit import check_field_count
from services.grpc_server.errors import InvalidRequest

BATCH_DESCRIPTOR = verbs.BatchApplyRequest.DESCRIPTOR


def _batch_request(number: int, notation: str) -> bytes:
    return verbs.BatchApplyRequest(requests=[verbs.ApplyRequest(notation=notation)] * number).SerializeToString()


@pytest.mark.parametrize("data", [b"", b"\xff" * 100_000, b"\x0b" * 100_000, _batch_request(1024, "take red" * 100)])
def test_messages_within_the_limit_are_accepted(data: bytes) -> None:
    check_field_count(data, BATCH_DESCRIPTOR)


@pytest.mark.parametrize("start", [b"", b"\x0a", b"\x08"], ids=["tag", "length", "number"])
def test_fault01_an_endless_varint_is_handled_quickly(start: bytes) -> None:
    before = process_time()
    check_field_count(start + b"\xff" * (1 << 20), BATCH_DESCRIPTOR)
    assert process_time() - before < 1


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (b"\x0a\x00" * 349_323, "requests"),
        (b"\xa0\x06\x01" * 349_323, ""),
        (b"\xa5\x06\x01\x02\x03\x04" * 100_000, ""),
        (b"\xa1\x06" + bytes(8) + b"\xa1\x06\x01\x02\x03\x04\x05\x06\x07\x08" * 100_000, ""),
    ],
    ids=["messages", "numbers", "four bytes", "eight bytes"],
)
def test_fault02_a_message_with_too_many_fields_is_refused(data: bytes, field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        check_field_count(data, BATCH_DESCRIPTOR)
    assert caught.value.field == field


def test_fault02_a_nested_message_with_too_many_fields_is_refused() -> None:
    seats = verbs.NewGameRequest(seats=[SeatSpec()] * 349_000).SerializeToString()
    inner = b"\x0a" + bytes([len(seats) & 127 | 128, len(seats) >> 7 & 127 | 128, len(seats) >> 14]) + seats
    with pytest.raises(InvalidRequest):
        check_field_count(inner, BATCH_DESCRIPTOR)
