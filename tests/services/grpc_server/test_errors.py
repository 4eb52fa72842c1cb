"""Every exception has a status code, a reason and metadata."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import grpc
import pytest
from fireside.match.v1.error_reason_pb2 import ErrorReason
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from engine_core import errors as rules
from services.grpc_server import errors
from services.grpc_server.errors import ServiceError
from services.grpc_server.status import ERROR_MAPPINGS, INTERNAL, error_mapping, rich_status


def subclasses_of(kind: type[Exception]) -> Iterator[type[Exception]]:
    for child in kind.__subclasses__():
        yield child
        yield from subclasses_of(child)


def error_info_of(status: Status) -> ErrorInfo:
    found = ErrorInfo()
    assert status.details[0].Unpack(found)
    return found


@pytest.mark.parametrize("kind", [*subclasses_of(rules.GameError), *subclasses_of(ServiceError)])
def test_every_error_is_in_the_table(kind: type[Exception]) -> None:
    assert any(above in ERROR_MAPPINGS for above in kind.__mro__)


@pytest.mark.parametrize("kind", ERROR_MAPPINGS)
def test_metadata_are_fields_of_the_exception(kind: type[Exception]) -> None:
    fields = set(inspect.signature(kind.__init__).parameters)
    assert set(ERROR_MAPPINGS[kind].metadata.values()) <= fields


def test_every_reason_is_in_the_protos() -> None:
    names = {f"ERROR_REASON_{mapping.reason}" for mapping in ERROR_MAPPINGS.values()}
    assert names <= set(ErrorReason.keys())


def test_reasons_are_unique() -> None:
    reasons = [mapping.reason for mapping in ERROR_MAPPINGS.values()]
    assert len(set(reasons)) == len(reasons)


def test_metadata_keys_are_json_names() -> None:
    code, status = rich_status(rules.NotYourTurn(2, (0, 1)))
    assert code == grpc.StatusCode.FAILED_PRECONDITION
    assert status.code == 9
    assert (error_info_of(status).reason, error_info_of(status).domain) == ("NOT_YOUR_TURN", "fireside")
    assert dict(error_info_of(status).metadata) == {"seat": "2", "toMove": "0,1"}


@pytest.mark.parametrize(
    "error",
    [
        errors.InvalidRequest("seat", "must be named"),
        rules.InvalidOption("seat", "must be named"),
        rules.InconsistentState("seat", "must be named"),
    ],
)
def test_field_errors_are_violations(error: Exception) -> None:
    found = BadRequest()
    assert rich_status(error)[1].details[1].Unpack(found)
    assert [(v.field, v.description) for v in found.field_violations] == [("seat", "must be named")]


def test_an_unavailable_store_has_a_retry_delay() -> None:
    code, status = rich_status(errors.StoreUnavailable())
    found = RetryInfo()
    assert code == grpc.StatusCode.UNAVAILABLE
    assert status.details[1].Unpack(found)
    assert found.retry_delay.seconds > 0


def test_an_error_is_mapped_by_its_nearest_base_class() -> None:
    class Special(rules.IllegalMove):
        pass

    assert error_mapping(Special(0, "draw")) is ERROR_MAPPINGS[rules.IllegalMove]


def test_an_unexpected_error_reveals_nothing() -> None:
    code, status = rich_status(KeyError("secret"))
    assert code == grpc.StatusCode.INTERNAL
    assert error_info_of(status).reason == INTERNAL.reason
    assert b"secret" not in status.SerializeToString()
