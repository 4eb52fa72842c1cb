"""Links of the OpenAPI document: what can be asked next with what an answer says.

A new match leads to every route of it, what a seat may choose to making a move, and a move to what may be chosen next.
Seat tokens are left to the client, since links know no security schemes; and bodies too, since generators take a
`requestBody` for a string, whatever the specification says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from gateway.openapi.schema import Schema
from gateway.routing.bindings import Binding

CHOICE: Final = ("LegalMoves", "Apply")
"""The method that lists what may be chosen, and the one that makes a choice."""


def links(binding: Binding, member: FieldDescriptor | None, bindings: Iterable[Binding]) -> Schema:
    """The links of a successful answer, by name; `member` is the field that names what was created."""
    siblings = [other for other in bindings if other.method.containing_service is binding.method.containing_service]
    if member is not None:
        return {other.operation: _to_member(member, other) for other in siblings if _is_of(other, member)}
    chosen = {other.operation: _to_choice(other) for other in siblings if _follows(other, binding, CHOICE)}
    asked = {other.operation: _to_question(other) for other in siblings if _follows(other, binding, CHOICE[::-1])}
    return {**chosen, **asked}


def _is_of(binding: Binding, member: FieldDescriptor) -> bool:
    return [field.name for field in binding.path_fields] == [member.name]


def _to_member(member: FieldDescriptor, other: Binding) -> Schema:
    return {
        "operationId": other.operation,
        "parameters": {f"path.{member.name}": f"$response.body#/{member.json_name}"},
        "description": f"`{other.method.name}` of what was created.",
    }


def _follows(binding: Binding, earlier: Binding, methods: tuple[str, str]) -> bool:
    """Whether the two are the methods, one after the other, of a stored match."""
    stored = bool(binding.path_fields) and bool(earlier.path_fields)
    return stored and (earlier.method.name, binding.method.name) == methods


def _to_choice(binding: Binding) -> Schema:
    return {
        **_to_same(binding),
        "description": "Make one of the moves, with its `move` or its `notation` in the body.",
    }


def _to_question(binding: Binding) -> Schema:
    return {**_to_same(binding), "description": "What may be chosen next."}


def _to_same(binding: Binding) -> Schema:
    [named] = binding.path_fields
    parameters = {f"path.{named.name}": f"$request.path.{named.name}"}
    return {"operationId": binding.operation, "parameters": parameters}
