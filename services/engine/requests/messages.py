"""Protocols of the requests that all games share; a test checks every game's messages against them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.match.v1.match_pb2 import Clock, SeatSpec
from google.protobuf.message import Message


class Request(Protocol):
    """A message with optional fields and oneofs."""

    def HasField(self, field_name: str, /) -> bool: ...

    def WhichOneof(self, oneof_group: str, /) -> str | None: ...

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes: ...


class PositionRequest(Request, Protocol):
    """A request about a stored match or an inline state: the oneof `position`."""

    match_id: str
    state: Message


class NewGameRequest(Request, Protocol):
    """Begins a match."""

    seats: Sequence[SeatSpec]
    options: Message
    client_seed: str
    ephemeral: bool
    chance: int
    clock: Clock
    private: bool
    request_id: str


class LegalMovesRequest(PositionRequest, Protocol):
    """Asks for the legal moves of a seat, or of nature."""

    seat: int
    nature: bool


class ApplyRequest(PositionRequest, Protocol):
    """Makes a move: the oneof `choice` holds `move` or `notation`."""

    seat: int
    move: Message
    notation: str
    expected_revision: int
    request_id: str
    seed: str
    validate_only: bool
    chance: int
    nature: bool


class BatchApplyRequest(Protocol):
    """Makes many moves on inline states."""

    requests: Sequence[ApplyRequest]
    legal_moves: bool


class SampleRequest(PositionRequest, Protocol):
    """Asks for states that look the same to a seat or a spectator."""

    seat: int
    count: int
    seed: str


class GetMatchRequest(Protocol):
    """Asks for a match."""

    match_id: str


class HistoryRequest(Request, Protocol):
    """Asks for a part of the log of a match after a revision."""

    match_id: str
    from_revision: int
    page_size: int


class WatchRequest(Protocol):
    """Asks for the events of a match after a revision."""

    match_id: str
    from_revision: int


class Join(Request, Protocol):
    """Takes a seat in a stream of play."""

    match_id: str
    from_revision: int


class Choice(Request, Protocol):
    """Answers a turn: the oneof `choice` holds `move` or `notation`."""

    revision: int
    move: Message
    notation: str


class PlayRequest(Request, Protocol):
    """A message of the client in a stream of play: the oneof `message`."""

    join: Join
    choice: Choice


class GetRecordRequest(Protocol):
    """Asks for the record of a match."""

    match_id: str


class NamedRequest(Request, Protocol):
    """A request with an optional `request_id`, by which a repeat is recognised."""

    match_id: str
    request_id: str


class LeaveRequest(NamedRequest, Protocol):
    """Takes the token's player out of a match."""

    match_id: str
