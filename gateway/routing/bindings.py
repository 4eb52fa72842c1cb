"""The routes that the `google.api.http` annotations of a service declare, and what follows from their form.

Beyond the annotations themselves:

- a *custom verb* on a game's collection (`/v1/fire-bulls:newGame`) works on inline states, so it sets the field
  `ephemeral` of requests that have it; every other route clears it;
- a method whose first route is a GET reads, on all its routes; any other may write;
- a POST on a collection whose members a GET of the same service shows, and whose answer names the new member, creates;
- a GET that answers with one field of the response (`response_body`) shows a resource; if that has a `revision`, its
  tag begins with it;
- a method whose answers stream is a GET of server-sent events, which show the one field of its responses, and whose
  `Last-Event-ID` is the field `from_revision`; a method whose requests stream has no route;
- `If-Match` and `Idempotency-Key` are the fields `expected_revision` and `request_id` of requests with a body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor

HEADER_FIELDS: Final[Mapping[str, str]] = {"If-Match": "expected_revision", "Idempotency-Key": "request_id"}
"""Request headers that stand for fields."""

TOURNAMENTS: Final = "tournaments"
"""Stands where a game does for the service that is of no game."""

ROUTE_FLAG: Final = "ephemeral"
"""The field that custom verbs set."""

_VARIABLE: Final = re.compile(r"{(\w+)}")


@dataclass(frozen=True)
class Binding:
    """One route: an HTTP method and path of a gRPC method. `path` is a template as in `/v1/x/matches/{match_id}`.

    `game` is the name of the game whose method it is, or what stands in its place.
    """

    game: str
    method: MethodDescriptor
    verb: str
    path: str
    has_body: bool
    answer_field: FieldDescriptor | None
    index: int
    reads: bool

    @property
    def streams(self) -> bool:
        """Whether the answer is a stream of events."""
        return self.method.server_streaming

    @property
    def request(self) -> Descriptor:
        """The message that is asked with."""
        return self.method.input_type

    @property
    def answer(self) -> Descriptor:
        """The message that is answered with: the response, or its field that the annotation names."""
        field = self.answer_field
        return field.message_type if field and field.message_type else self.method.output_type

    @cached_property
    def path_fields(self) -> tuple[FieldDescriptor, ...]:
        """The fields that the path names."""
        return tuple(self.request.fields_by_name[name] for name in _VARIABLE.findall(self.path))

    @cached_property
    def header_fields(self) -> dict[str, FieldDescriptor]:
        """The fields that headers stand for, by header."""
        known = self.request.fields_by_name if self.has_body else {}
        return {header: known[name] for header, name in HEADER_FIELDS.items() if name in known}

    @cached_property
    def custom_verb(self) -> str:
        """The verb behind the colon; empty for a plain path."""
        return self.path.rpartition("/")[2].partition(":")[2]

    @cached_property
    def flag(self) -> FieldDescriptor | None:
        """The field that is set by the form of the route, where the request has it."""
        return self.request.fields_by_name.get(ROUTE_FLAG)

    @cached_property
    def bound(self) -> frozenset[str]:
        """Names of the fields that the route sets."""
        flag = [self.flag] if self.flag else []
        return frozenset(field.name for field in [*self.path_fields, *flag])

    @cached_property
    def excluded(self) -> frozenset[str]:
        """Names of the fields that body and query cannot have: the bound ones and their rivals in a oneof."""
        rivals = [rival.name for field in self.path_fields if field.containing_oneof for rival in _members(field)]
        return self.bound.union(rivals)

    @cached_property
    def query_fields(self) -> tuple[FieldDescriptor, ...]:
        """The fields that the query can have: on routes without a body, all that are not messages."""
        fields = () if self.has_body else self.request.fields
        return tuple(field for field in fields if field.name not in self.excluded and field.message_type is None)

    @cached_property
    def needs_body(self) -> bool:
        """Whether a body can say what path and headers cannot: if not, none is as good as an empty object."""
        said = self.excluded.union(field.name for field in self.header_fields.values())
        return self.has_body and any(field.name not in said for field in self.request.fields)

    @property
    def tagged(self) -> bool:
        """Whether the answer has a tag, by which a client that has it already need not get it again."""
        return self.verb == "GET" and not self.streams

    @property
    def commands(self) -> bool:
        """Whether it changes something that has no seats, whose tokens would be asked for."""
        return not self.reads and not self.streams and self.game == TOURNAMENTS

    @property
    def operation(self) -> str:
        """A name of its own: `NewGame_FireBulls`, and `NewGame_FireBulls_inline` for the custom verb.

        The verb goes first, since generators make types of it (`...Request`, `...Response`), which must not have the
        names of components, `FireBulls.NewGameRequest`. What is of no game needs no more than the verb.
        """
        service = self.method.containing_service.name.removesuffix("Service")
        words = [self.method.name, *([service] if self.game not in ("", TOURNAMENTS) else [])]
        if self.index:
            words.append("inline" if self.custom_verb else str(self.index))
        return "_".join(words)


def _members(field: FieldDescriptor) -> Iterable[FieldDescriptor]:
    return field.containing_oneof.fields if field.containing_oneof else ()


def bindings(game: str, service: ServiceDescriptor) -> Iterator[Binding]:
    """The routes, in the order of the proto. Raises `ValueError` for what the gateway does not know."""
    for method in service.methods:
        if method.client_streaming:
            continue
        first = http_rule(method)
        for index, rule in enumerate([first, *first.additional_bindings]):
            yield _binding(game, method, rule, index, reads=bool(first.get))


def http_rule(method: MethodDescriptor) -> HttpRule:
    """The annotation of a method; empty where it has none."""
    rule: HttpRule = method.GetOptions().Extensions[annotations_pb2.http]  # type: ignore[index] # untyped handle
    return rule


def _binding(game: str, method: MethodDescriptor, rule: HttpRule, index: int, *, reads: bool) -> Binding:
    kind = rule.WhichOneof("pattern")
    if kind is None or kind == "custom" or rule.body not in ("", "*"):
        raise ValueError(f"{method.full_name}: a route must have a method, and `*` or nothing as its body")
    path = str(getattr(rule, kind))
    if "{" in _VARIABLE.sub("", path):
        raise ValueError(f"{method.full_name}: {path} has a variable of more than one segment")
    return Binding(game, method, kind.upper(), path, rule.body == "*", _answer_field(method, rule), index, reads)


def _answer_field(method: MethodDescriptor, rule: HttpRule) -> FieldDescriptor | None:
    if method.server_streaming:
        [event] = method.output_type.fields
        return event
    return method.output_type.fields_by_name[rule.response_body] if rule.response_body else None


def created(binding: Binding, all_bindings: Iterable[Binding]) -> FieldDescriptor | None:
    """The field of the answer that names the new member of the collection, if the route creates one."""
    if binding.verb != "POST":
        return None
    members = {other.path: other for other in all_bindings if other.verb == "GET"}
    for field in binding.answer.fields:
        if f"{binding.path}/{{{field.name}}}" in members:
            return field
    return None
