"""Links of the OpenAPI document, from a response to the operations that use its values.

A new match links to all of its routes, the legal moves of a seat link to making a move, and a move links to the legal
moves. Links have no security schemes, so clients add the seat token themselves. They add the body too: generators treat
a link's `requestBody` as a string, against the specification.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from google.protobuf.descriptor import FieldDescriptor

from gateway.openapi.schema import Schema
from gateway.routing.bindings import Binding

MOVE_METHODS: Final = ("LegalMoves", "Apply")
"""The method that lists the legal moves, and the one that makes a move."""


def links(binding: Binding, created: FieldDescriptor | None, bindings: Iterable[Binding]) -> Schema:
    """The links of a successful response, by name. `created` is the field with the name of the created resource."""
    siblings = [other for other in bindings if other.method.containing_service is binding.method.containing_service]
    if created is not None:
        return {
            other.operation_id: _link_to_created(created, other)
            for other in siblings
            if _has_only_path_field(other, created)
        }
    moves = {
        other.operation_id: _link_to_apply(other) for other in siblings if _is_next_step(other, binding, MOVE_METHODS)
    }
    lists = {
        other.operation_id: _link_to_legal_moves(other)
        for other in siblings
        if _is_next_step(other, binding, MOVE_METHODS[::-1])
    }
    return {**moves, **lists}


def _has_only_path_field(binding: Binding, created: FieldDescriptor) -> bool:
    return [field.name for field in binding.path_fields] == [created.name]


def _link_to_created(created: FieldDescriptor, other: Binding) -> Schema:
    return {
        "operationId": other.operation_id,
        "parameters": {f"path.{created.name}": f"$response.body#/{created.json_name}"},
        "description": f"`{other.method.name}` of what was created.",
    }


def _is_next_step(binding: Binding, earlier: Binding, methods: tuple[str, str]) -> bool:
    """Whether the two bindings are these methods, in this order, on a stored match."""
    stored = bool(binding.path_fields) and bool(earlier.path_fields)
    return stored and (earlier.method.name, binding.method.name) == methods


def _link_to_apply(binding: Binding) -> Schema:
    return {
        **_link_to_same_match(binding),
        "description": "Make one of the moves, with its `move` or its `notation` in the body.",
    }


def _link_to_legal_moves(binding: Binding) -> Schema:
    return {**_link_to_same_match(binding), "description": "The next legal moves."}


def _link_to_same_match(binding: Binding) -> Schema:
    [named] = binding.path_fields
    parameters = {f"path.{named.name}": f"$request.path.{named.name}"}
    return {"operationId": binding.operation_id, "parameters": parameters}
