"""Which calls change nothing that is stored, and which may reach an engine twice: those, and whose repeat it knows."""

from __future__ import annotations

from functools import cache
from typing import Final

from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message

from gateway.bindings import ROUTE_FLAG, http_rule

COMPUTES: Final = frozenset({"BatchApply", "Sample"})
"""Methods that change nothing, though they are POSTs for their large requests."""
MARKS: Final = (ROUTE_FLAG, "validate_only")
"""Fields by which a request of a method that changes something changes nothing."""
REPEATED: Final = "request_id"
"""The field by which an engine knows a request again."""
INLINE: Final = "state"
"""The field of a request that brings its position along: nothing is stored."""


def may_repeat(method: MethodDescriptor, request: Message) -> bool:
    """Whether the second of two equal calls does no more than the first, and is answered alike."""
    return changes_nothing(method, request) or bool(getattr(request, REPEATED, ""))


def changes_nothing(method: MethodDescriptor, request: Message) -> bool:
    """Whether a call leaves all that is stored as it is."""
    return _only_asks(method) or _is_marked(method.input_type, request)


@cache
def _only_asks(method: MethodDescriptor) -> bool:
    return bool(http_rule(method).get) or method.name in COMPUTES


def _is_marked(kind: Descriptor, request: Message) -> bool:
    marks, is_inline = _marks(kind)
    return (is_inline and request.HasField(INLINE)) or any(getattr(request, name) for name in marks)


@cache
def _marks(kind: Descriptor) -> tuple[list[str], bool]:
    """Which of the marks a request can have, and whether it can bring a position along."""
    known = kind.fields_by_name
    return [name for name in MARKS if name in known], INLINE in known
