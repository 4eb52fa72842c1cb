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


class RevisionRequest(Request, Protocol):
    """A request about a stored match now or at an earlier revision."""

    match_id: str
    revision: int


class ScoreRequest(PositionRequest, Protocol):
    """Request of `Score`."""

    revision: int


class ReplayedRecord(Protocol):
    """What counts of a record that is replayed."""

    game: str
    rules_version: str
    seats: Sequence[SeatSpec]
    options: Message
    events: Sequence[Message]


class ReplayRequest(Request, Protocol):
    """Request of `Replay`: a position of a record."""

    record: ReplayedRecord
    revision: int
    seat: int
    from_revision: int
    locale: str


class NewGameRequest(Request, Protocol):
    """Request of `NewGame`, which begins a match."""

    seats: Sequence[SeatSpec]
    options: Message
    client_seed: str
    ephemeral: bool
    chance: int
    clock: Clock
    private: bool
    request_id: str
    listed: bool
    wait_seconds: int
    hints: bool
    spectator_delay: int
    open_after: bool


class LegalMovesRequest(PositionRequest, Protocol):
    """Request of `LegalMoves`, of a seat or nature."""

    revision: int
    seat: int
    nature: bool
    locale: str


class ApplyRequest(PositionRequest, Protocol):
    """Request of `Apply`, which makes a move: the oneof `choice` holds `move`, `notation` or `action`."""

    seat: int
    move: Message
    notation: str
    action: int
    expected_revision: int
    next: bool
    request_id: str
    seed: str
    validate_only: bool
    chance: int
    nature: bool
    locale: str


class BatchApplyRequest(Protocol):
    """Request of `BatchApply`, which makes several moves on inline states."""

    requests: Sequence[ApplyRequest]
    legal_moves: bool
    encodings: bool


class SampleRequest(PositionRequest, Protocol):
    """Request of `Sample`: full states consistent with the view of a seat or a spectator."""

    seat: int
    count: int
    seed: str


class HintRequest(PositionRequest, Protocol):
    """Request of `Hint`: the values of the legal moves of a seat."""

    revision: int
    seat: int
    bot: str
    seed: str
    locale: str


class ForkRequest(RevisionRequest, Protocol):
    """Request of `Fork`: a position of a finished match as an inline state."""


class GetMatchRequest(RevisionRequest, Protocol):
    """Request of `GetMatch`."""

    seat: int


class GetPictureRequest(PositionRequest, Protocol):
    """Request of `GetPicture`: a file with the view of a seat or a spectator."""

    revision: int
    seat: int
    locale: str
    theme: str
    file: str
    width: int


class ListMatchesRequest(Protocol):
    """Request of `ListMatches`: a page of the public list of matches."""

    page_size: int
    page_token: str
    state: int


class HistoryRequest(Request, Protocol):
    """Request of `History`: a page of the log after a revision."""

    match_id: str
    from_revision: int
    page_size: int
    seat: int
    locale: str


class WatchRequest(Protocol):
    """Request of `Watch`: the events after a revision."""

    views: bool
    batched: bool
    match_id: str
    from_revision: int
    locale: str


class Join(Request, Protocol):
    """First message of a `Play` stream, which names the match."""

    match_id: str
    from_revision: int
    locale: str
    batched: bool


class Choice(Request, Protocol):
    """Message of a `Play` stream that answers a turn: the oneof `choice` holds `move` or `notation`."""

    revision: int
    move: Message
    notation: str


class PlayRequest(Request, Protocol):
    """Request message of a `Play` stream: the oneof `message`."""

    join: Join
    choice: Choice


class GetRecordRequest(Protocol):
    """Request of `GetRecord`."""

    match_id: str


class NamedRequest(Request, Protocol):
    """A request with an optional `request_id`, which makes it idempotent."""

    match_id: str
    request_id: str


class LeaveRequest(NamedRequest, Protocol):
    """Request of `Leave`: the token's seat leaves its match."""

    match_id: str


class JoinRequest(NamedRequest, Protocol):
    """Request of `Join`, which takes the seat of a join code."""

    code: str
    name: str
    player_id: str


class InviteRequest(Request, Protocol):
    """Request of `Invite`, which gets the join code of a seat."""

    match_id: str
    seat: int


class ReissueRequest(Request, Protocol):
    """Request of `Reissue`, which replaces the token of a seat."""

    match_id: str
    seat: int
    request_id: str


class SubstituteRequest(Request, Protocol):
    """Request of `Substitute`, which gives a seat to a bot."""

    match_id: str
    seat: int
    bot: str


class WithdrawRequest(Protocol):
    """Request of `Withdraw`, which deletes a match that has not begun."""

    match_id: str


class RematchRequest(Protocol):
    """Request of `Rematch` of a finished match."""

    match_id: str
