"""HTTP routes of gRPC methods, from their `google.api.http` annotations.

The rules that go beyond the annotations:

- a custom verb on a game's collection (`/v1/fire-bulls:newGame`) works on inline states, so it sets the field
  `ephemeral` of requests that have it; every other route clears it;
- a method whose first route is a GET only reads, on all its routes; any other method may write;
- a POST on a collection creates a member if the response names it and a GET of the same service returns such members;
- a GET whose response is one field of the message (`response_body`) returns a resource; if that has a `revision`, its
  entity tag begins with it;
- a server-streaming method is a GET of server-sent events, which contain the one field that its responses have set; the
  type of an event is the name of the field, but for the first one, whose events have no type; the header
  `Last-Event-ID` is the field `from_revision` or `from_event_id`; a client-streaming method has no route;
- a response that is a `google.api.HttpBody` is a file: its `data`, with its `content_type`;
- the headers `If-Match` and `Idempotency-Key` are the fields `expected_revision` and `request_id` of requests with a
  body.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor, ServiceDescriptor

from gateway.routing import languages
from runtime.api_keys import HOST_METHODS, KEY_METHODS

HEADER_FIELDS: Final[Mapping[str, str]] = {"If-Match": "expected_revision", "Idempotency-Key": "request_id"}
"""Fields that can be given as request headers, by header."""

TOURNAMENTS: Final = "tournaments"
"""Used instead of the name of a game for the tournament service."""
PLATFORMS: Final = "platforms"
"""Used instead of the name of a game for the service of platforms, which every engine has."""
NOT_GAMES: Final = ("", TOURNAMENTS, PLATFORMS)
"""Used instead of the name of a game; empty for the catalog."""

EPHEMERAL_FIELD: Final = "ephemeral"
"""The field that custom verbs set and other routes clear."""

BATCHED_FIELD: Final = "batched"
"""The field that event streams set, so that an engine sends batches."""
BATCH_FIELD: Final = "batch"
"""The field of a response that has several responses; it is no type of event."""

PAGE_TOKEN_FIELD: Final = "page_token"
"""The field of requests for a page of a list."""

EVENT_ID_FIELD: Final = "from_event_id"
REVISION_FIELD: Final = "from_revision"
"""Fields of requests for events: the position after which they begin. Events have it without `from_`."""

HINT_METHOD: Final = "Hint"

HTTP_BODY: Final = "google.api.HttpBody"
PICTURE_MEDIA_TYPES: Final[Mapping[str, str]] = {".svg": "image/svg+xml", ".png": "image/png"}
FILE_MEDIA_TYPES: Final[Mapping[str, str]] = {**PICTURE_MEDIA_TYPES, ".json": "application/json"}
"""Media types of files in responses, by the ending of their paths; a path without one returns pictures."""

_PATH_VARIABLE: Final = re.compile(r"{(\w+)}")
_PATH_CONSTANT: Final = re.compile(r"{(\w+)=([\w.-]+)}")
"""A variable that matches one word only, as `{file=picture.svg}`."""


@dataclass(frozen=True)
class Binding:
    """A route: an HTTP method and path template (`/v1/x/matches/{match_id}`) bound to a gRPC method.

    `game` is the name of the game whose method it is, or one of `NOT_GAMES`. `constants` are the values of fields that
    the route sets, by name.
    """

    game: str
    method: MethodDescriptor
    verb: str
    path: str
    has_body: bool
    response_field: FieldDescriptor | None
    index: int
    is_read_only: bool
    constants: Mapping[str, str]

    @property
    def is_limited_by_caller(self) -> bool:
        """Whether the engine computes long, so that it limits the calls of each caller and stops without one."""
        return bool(self.file_media_types) or self.method.name == HINT_METHOD

    @property
    def is_streaming(self) -> bool:
        """Whether the response is a stream of events."""
        return self.method.server_streaming

    @property
    def request(self) -> Descriptor:
        """The request message."""
        return self.method.input_type

    @property
    def response(self) -> Descriptor:
        """The message in the HTTP response: the gRPC response, or the field of it that `response_body` names."""
        field = self.response_field
        return field.message_type if field and field.message_type else self.method.output_type

    @property
    def event_types(self) -> list[Descriptor]:
        """The messages in the events of a stream, the one of events without type first."""
        kinds = [field.message_type for field in self.method.output_type.fields if field.name != BATCH_FIELD]
        return [kind for kind in kinds if kind is not None]

    @property
    def position_field(self) -> FieldDescriptor:
        """The field of a request for events that has the position after which they begin."""
        known = self.request.fields_by_name
        return known[EVENT_ID_FIELD if EVENT_ID_FIELD in known else REVISION_FIELD]

    @cached_property
    def path_fields(self) -> tuple[FieldDescriptor, ...]:
        """The fields in the path."""
        return tuple(self.request.fields_by_name[name] for name in _PATH_VARIABLE.findall(self.path))

    @cached_property
    def constant_fields(self) -> dict[FieldDescriptor, str]:
        """The fields that the route sets, with their values."""
        return {self.request.fields_by_name[name]: value for name, value in self.constants.items()}

    @cached_property
    def header_fields(self) -> dict[str, FieldDescriptor]:
        """The fields that can be given as headers, by header."""
        known = self.request.fields_by_name if self.has_body else {}
        return {header: known[name] for header, name in HEADER_FIELDS.items() if name in known}

    @cached_property
    def custom_verb(self) -> str:
        """The verb after the colon; empty for a path without one."""
        return self.path.rpartition("/")[2].partition(":")[2]

    @cached_property
    def ephemeral_field(self) -> FieldDescriptor | None:
        """The field `EPHEMERAL_FIELD`, if the request has it."""
        return self.request.fields_by_name.get(EPHEMERAL_FIELD)

    @cached_property
    def batched_field(self) -> FieldDescriptor | None:
        """The field `BATCHED_FIELD`, if the request has it."""
        return self.request.fields_by_name.get(BATCHED_FIELD)

    @cached_property
    def bound_fields(self) -> frozenset[str]:
        """Names of the fields that the route sets."""
        flags = [field for field in (self.ephemeral_field, self.batched_field) if field]
        return frozenset(field.name for field in [*self.path_fields, *self.constant_fields, *flags])

    @cached_property
    def excluded_fields(self) -> frozenset[str]:
        """Names of the fields that body and query cannot have: the bound ones, and others of the same oneof."""
        oneofs = [field.containing_oneof for field in self.path_fields if field.containing_oneof]
        return self.bound_fields.union(field.name for oneof in oneofs for field in oneof.fields)

    @cached_property
    def query_fields(self) -> tuple[FieldDescriptor, ...]:
        """The fields that can be given in the query: on routes without a body, all that are not messages."""
        fields = () if self.has_body else self.request.fields
        return tuple(field for field in fields if field.name not in self.excluded_fields and field.message_type is None)

    @cached_property
    def needs_body(self) -> bool:
        """Whether some fields can only come from the body. If not, a request may have no body."""
        elsewhere = self.excluded_fields.union([field.name for field in self.header_fields.values()], [languages.FIELD])
        return self.has_body and any(field.name not in elsewhere for field in self.request.fields)

    @cached_property
    def file_media_types(self) -> list[str]:
        """Media types of the files that the route returns; empty if it returns JSON or events."""
        if self.method.output_type.full_name != HTTP_BODY:
            return []
        ending = PurePosixPath(self.path).suffix
        return [FILE_MEDIA_TYPES[ending]] if ending else list(PICTURE_MEDIA_TYPES.values())

    @property
    def is_constant(self) -> bool:
        """Whether the response depends on nothing but the request: facts about a game."""
        is_page = PAGE_TOKEN_FIELD in self.request.fields_by_name
        return self.verb == "GET" and self.game not in NOT_GAMES and not self.path_fields and not is_page

    @property
    def is_tagged(self) -> bool:
        """Whether the response has an entity tag, for conditional requests."""
        return self.verb == "GET" and not self.is_streaming

    @property
    def is_command(self) -> bool:
        """Whether the route needs an API key: it writes, and no seat token could authorise it."""
        return not self.is_read_only and not self.is_streaming and self.game == TOURNAMENTS

    @property
    def credentials(self) -> tuple[bool, bool]:
        """Whether an API key may authorise the route, and whether a token may."""
        name = self.method.name
        is_inline = name == "NewGame" and bool(self.custom_verb)
        takes_key = self.is_command or self.game == PLATFORMS or (name in KEY_METHODS | HOST_METHODS and not is_inline)
        return takes_key, not takes_key or name in HOST_METHODS

    @property
    def operation_id(self) -> str:
        """The unique `operationId`: `NewGame_FireBulls`, and `NewGame_FireBulls_inline` for the custom verb.

        The method goes first because generators derive type names from it (`...Request`, `...Response`), which must
        differ from those of components, `FireBulls.NewGameRequest`. Services of no game have the method's name alone.
        """
        service = self.method.containing_service.name.removesuffix("Service")
        words = [self.method.name, *([service] if self.game not in NOT_GAMES else [])]
        if self.index:
            words.append("inline" if self.custom_verb else PurePosixPath(self.path).suffix[1:] or str(self.index))
        return "_".join(words)


def bindings(game: str, service: ServiceDescriptor) -> Iterator[Binding]:
    """The routes of a service, in the order of the proto. Raises `ValueError` for an unsupported annotation."""
    for method in service.methods:
        if method.client_streaming:
            continue
        first = http_rule(method)
        for index, rule in enumerate([first, *first.additional_bindings]):
            yield _binding(game, method, rule, index, is_read_only=bool(first.get))


def http_rule(method: MethodDescriptor) -> HttpRule:
    """The annotation of a method; an empty rule where it has none."""
    rule: HttpRule = method.GetOptions().Extensions[annotations_pb2.http]  # type: ignore[index] # untyped handle
    return rule


def _binding(game: str, method: MethodDescriptor, rule: HttpRule, index: int, *, is_read_only: bool) -> Binding:
    kind = rule.WhichOneof("pattern")
    if kind is None or kind == "custom" or rule.body not in ("", "*"):
        raise ValueError(f"{method.full_name}: a route must have a method, and `*` or nothing as its body")
    template = str(getattr(rule, kind))
    constants = dict(_PATH_CONSTANT.findall(template))
    path = _PATH_CONSTANT.sub(r"\2", template)
    if "{" in _PATH_VARIABLE.sub("", path):
        raise ValueError(f"{method.full_name}: {path} has a variable of more than one segment")
    return Binding(
        game,
        method,
        kind.upper(),
        path,
        rule.body == "*",
        _response_field(method, rule),
        index,
        is_read_only,
        constants,
    )


def _response_field(method: MethodDescriptor, rule: HttpRule) -> FieldDescriptor | None:
    if method.server_streaming:
        return method.output_type.fields[0]
    return method.output_type.fields_by_name[rule.response_body] if rule.response_body else None


def created_field(binding: Binding, all_bindings: Iterable[Binding]) -> FieldDescriptor | None:
    """The field of the response that names the new member of a collection, if the route creates one."""
    if binding.verb != "POST":
        return None
    members = {other.path: other for other in all_bindings if other.verb == "GET"}
    for field in binding.response.fields:
        if f"{binding.path}/{{{field.name}}}" in members:
            return field
    return None
