"""Retry safety of engine requests: which of them store nothing, and which may be sent twice."""

from __future__ import annotations

from typing import Final, NamedTuple

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from gateway.routing import languages
from gateway.routing.bindings import EPHEMERAL_FIELD, Binding

NON_STORING_METHODS: Final = frozenset({"BatchApply", "Fork", "Hint", "Replay", "Sample"})
"""Methods that only compute, though they are POSTs. A hint is logged, but once a turn: a repeat stores nothing."""
NON_STORING_FIELDS: Final = frozenset({EPHEMERAL_FIELD, "validate_only", "state"})
"""A request with one of these fields stores nothing, even if the method writes. `state` is an inline position."""
REQUEST_ID: Final = "request_id"
"""The field by which an engine recognises a repeated request."""


class EngineRequest(NamedTuple):
    """An encoded request to an engine.

    `is_idempotent`: a repeated request has no further effect and gets the same response.
    """

    game: str
    method: MethodDescriptor
    data: bytes
    changes_nothing: bool
    is_idempotent: bool
    language: str = ""
    """The language of the texts in the response; empty without texts."""


def engine_request(binding: Binding, message: Message) -> EngineRequest:
    """The request of a route. Its bytes are canonical, so that engines can serve it on their fast path."""
    given = {field.name for field, _ in message.ListFields()}
    changes_nothing = (
        binding.is_read_only or binding.method.name in NON_STORING_METHODS or not NON_STORING_FIELDS.isdisjoint(given)
    )
    is_idempotent = changes_nothing or REQUEST_ID in given
    data = message.SerializeToString(deterministic=True)
    language = languages.requested_language(message)
    return EngineRequest(binding.game, binding.method, data, changes_nothing, is_idempotent, language)
