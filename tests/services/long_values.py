"""Requests of every method that are valid except for one text that is too long, found by walking the descriptors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

LONG_ASCII_TEXT = "a" * 9_000
LONG_NON_ASCII_TEXT = "é€🐂" * 1_000
"""Texts too long for any field: by characters, and by bytes."""
MAX_NESTING = 7

Call = Callable[[MethodDescriptor, Message], Message]


class LongValue(NamedTuple):
    """A request whose field at `path` is too long."""

    method: MethodDescriptor
    path: str
    request: Message


def long_values(service: ServiceDescriptor, call: Call) -> Iterator[LongValue]:
    """Such requests for every text field of every method; `call` is used to prepare valid requests."""
    valid_requests = right_requests(service, call)
    for method in service.methods:
        for path in texts(method.input_type):
            for text in (LONG_ASCII_TEXT, LONG_NON_ASCII_TEXT):
                request = GetMessageClass(method.input_type)()
                request.CopyFrom(valid_requests[method.name])
                set_at_path(request, path, text)
                yield LongValue(method, ".".join(field.name for field in path), request)


def texts(message: Descriptor, depth: int = MAX_NESTING) -> Iterator[list[FieldDescriptor]]:
    """The paths from a message to every text field that it can contain."""
    for field in message.fields:
        if field.type == FieldDescriptor.TYPE_STRING:
            yield [field]
        elif field.message_type is not None and depth and not field.message_type.GetOptions().map_entry:
            yield from ([field, *rest] for rest in texts(field.message_type, depth - 1))


def set_at_path(message: Message, path: list[FieldDescriptor], text: str) -> None:
    """Set the field at the end of a path, in the first element of repeated fields."""
    field, *rest = path
    value = getattr(message, field.name)
    if rest:
        if field.is_repeated and not value:
            value.add()
        set_at_path(value[0] if field.is_repeated else value, rest, text)
    elif field.is_repeated:
        value[:] = [text]
    else:
        setattr(message, field.name, text)


def right_requests(service: ServiceDescriptor, call: Call) -> dict[str, Message]:
    """A valid request of each method, without a credential."""
    requests = {method.name: GetMessageClass(method.input_type)() for method in service.methods}
    if "CreateTournament" in requests:
        spec = {"game": "fireship", "entrants": ["random", "random"], "blocks": 1}
        _merge_fields(requests["CreateTournament"], {"spec": spec})
        return requests
    new_game = service.methods_by_name["NewGame"]
    _merge_fields(requests["NewGame"], {"seats": [{}, {}]})
    ephemeral = GetMessageClass(new_game.input_type)(seats=[{}, {}], ephemeral=True, client_seed="s")
    ephemeral_response = call(new_game, ephemeral)
    match_id = getattr(call(new_game, requests["NewGame"]), "match_id")  # noqa: B009 # of any game's response
    state, seat = ephemeral_response.state, ephemeral_response.match.to_move[0]  # type: ignore[attr-defined]
    for name, request in requests.items():
        fields = request.DESCRIPTOR.fields_by_name
        if "state" in fields and fields["state"].message_type:  # in `ListMatches` it is an enum
            request.state.CopyFrom(state)  # type: ignore[attr-defined]
        elif "match_id" in fields:
            _merge_fields(request, {"match_id": match_id})
        if "seat" in fields:
            _merge_fields(request, {"seat": seat})
        if name == "Sample":
            _merge_fields(request, {"count": 1})
    listed = call(service.methods_by_name["LegalMoves"], requests["LegalMoves"])
    requests["Apply"].move.CopyFrom(listed.moves[0].move)  # type: ignore[attr-defined]
    requests["BatchApply"].requests.add().CopyFrom(requests["Apply"])  # type: ignore[attr-defined]
    return requests


def _merge_fields(request: Message, fields: dict[str, object]) -> None:
    request.MergeFrom(type(request)(**fields))
