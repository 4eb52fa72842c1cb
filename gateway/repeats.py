"""Which calls may reach an engine twice: those that change nothing, and those whose repeat the engine knows."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from gateway.bindings import ROUTE_FLAG, http_rule

COMPUTES: Final = frozenset({"BatchApply", "Sample"})
"""Methods that change nothing, though they are POSTs for their large requests."""
MARKS: Final = ("request_id", ROUTE_FLAG, "validate_only")
"""Fields by which a request of a method that changes something may be repeated."""
INLINE: Final = "state"
"""The field of a request that brings its position along: nothing is stored."""


def may_repeat(method: MethodDescriptor, request: Message) -> bool:
    """Whether the second of two equal calls does no more than the first, and is answered alike."""
    return bool(http_rule(method).get) or method.name in COMPUTES or _is_marked(request)


def _is_marked(request: Message) -> bool:
    known = request.DESCRIPTOR.fields_by_name
    return any(name in known and getattr(request, name) for name in MARKS) or (
        INLINE in known and request.HasField(INLINE)
    )
