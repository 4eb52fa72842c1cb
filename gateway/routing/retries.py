"""Which calls change nothing that is stored, and which may reach an engine twice: those, and whose repeat it knows."""

from __future__ import annotations

from functools import cache
from typing import Final

from google.protobuf.descriptor import Descriptor, MethodDescriptor

from gateway.protojson.wire import numbers
from gateway.routing.bindings import ROUTE_FLAG, http_rule

COMPUTES: Final = frozenset({"BatchApply", "Sample"})
"""Methods that change nothing, though they are POSTs for their large requests."""
MARKS: Final = (ROUTE_FLAG, "validate_only", "state")
"""Fields by which a request of a method that changes something changes nothing; one brings its position along."""
REPEATED: Final = "request_id"
"""The field by which an engine knows a request again."""


def may_repeat(method: MethodDescriptor, request: bytes) -> bool:
    """Whether the second of two equal calls does no more than the first, and is answered alike."""
    return _only_asks(method) or not numbers(request).isdisjoint(_numbers(method.input_type, (*MARKS, REPEATED)))


def changes_nothing(method: MethodDescriptor, request: bytes) -> bool:
    """Whether a call leaves all that is stored as it is."""
    return _only_asks(method) or not numbers(request).isdisjoint(_numbers(method.input_type, MARKS))


@cache
def _only_asks(method: MethodDescriptor) -> bool:
    return bool(http_rule(method).get) or method.name in COMPUTES


@cache
def _numbers(kind: Descriptor, names: tuple[str, ...]) -> frozenset[int]:
    """The numbers of those of the fields that the request can have."""
    return frozenset(field.number for field in kind.fields if field.name in names)
