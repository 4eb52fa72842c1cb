"""Types of the API that all games share, generic in the types of a game; written by `generate.py`, not to be edited."""

from __future__ import annotations

from typing import Generic, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, final

ComponentsT = TypeVar("ComponentsT")
MoveT = TypeVar("MoveT")
OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
ViewT = TypeVar("ViewT")


@final
class Game(TypedDict):
    """A game that the service plays."""

    name: str
    title: str
    rulesVersion: str
    minSeats: int
    maxSeats: int
    service: str
    options: list[Option]
    rulesVersions: list[str]
    route: str


@final
class ListGamesResponse(TypedDict):
    """The games, ordered by name."""

    games: list[Game]


@final
class ListKeysResponse(TypedDict):
    """The keys."""

    keys: list[SigningKey]


@final
class Option(TypedDict):
    """An option of a game."""

    name: str
    type: str
    values: list[str]
    description: str


@final
class SigningKey(TypedDict):
    """A public key to verify the signatures of match records."""

    keyId: str
    algorithm: str
    publicKey: str


@final
class BotKind(TypedDict):
    """A bot that the service can play seats with, as `SeatSpec.bot` names it."""

    name: str
    options: list[BotOption]


@final
class BotOption(TypedDict):
    """An option of a bot:"""

    name: str
    minimum: float
    maximum: float
    defaultValue: float
    whole: bool


Chance: TypeAlias = Literal["CHANCE_UNSPECIFIED", "CHANCE_AUTOMATIC", "CHANCE_MANUAL"]
"""Who makes nature's moves (dice, deals, draws) on an inline state."""


@final
class Clock(TypedDict):
    """Time limits of a match:"""

    moveSeconds: NotRequired[int]
    matchSeconds: NotRequired[int]
    bankSeconds: NotRequired[int]
    incrementSeconds: NotRequired[int]


ErrorReason: TypeAlias = Literal[
    "ERROR_REASON_UNSPECIFIED",
    "ERROR_REASON_INVALID_REQUEST",
    "ERROR_REASON_UNKNOWN_GAME",
    "ERROR_REASON_INVALID_OPTION",
    "ERROR_REASON_SEAT_OUT_OF_RANGE",
    "ERROR_REASON_MALFORMED_MOVE",
    "ERROR_REASON_ILLEGAL_MOVE",
    "ERROR_REASON_NOT_YOUR_TURN",
    "ERROR_REASON_SEAT_HAS_LEFT",
    "ERROR_REASON_MATCH_OVER",
    "ERROR_REASON_STALE_REVISION",
    "ERROR_REASON_UNKNOWN_MATCH",
    "ERROR_REASON_UNAUTHENTICATED",
    "ERROR_REASON_PERMISSION_DENIED",
    "ERROR_REASON_STORE_UNAVAILABLE",
    "ERROR_REASON_STORE_FULL",
    "ERROR_REASON_REQUEST_ID_REUSED",
    "ERROR_REASON_INCONSISTENT_STATE",
    "ERROR_REASON_TOO_LARGE",
    "ERROR_REASON_UNKNOWN_ROUTE",
    "ERROR_REASON_INTERNAL",
    "ERROR_REASON_ENGINE_UNAVAILABLE",
    "ERROR_REASON_DEADLINE_EXCEEDED",
    "ERROR_REASON_MATCH_NOT_OVER",
    "ERROR_REASON_RATE_LIMITED",
    "ERROR_REASON_UNKNOWN_TOURNAMENT",
    "ERROR_REASON_TOO_MANY_STREAMS",
    "ERROR_REASON_UNKNOWN_RULES",
    "ERROR_REASON_BUSY",
    "ERROR_REASON_LOG_CONTRADICTS_SNAPSHOT",
    "ERROR_REASON_MATCH_WAITING",
    "ERROR_REASON_INVALID_CODE",
    "ERROR_REASON_MATCH_BEGUN",
    "ERROR_REASON_EVENTS_DELETED",
    "ERROR_REASON_UNKNOWN_WEBHOOK",
]
"""The `reason` in the `google.rpc.ErrorInfo` of every error, whose domain is `fireside`."""


@final
class JoinCode(TypedDict):
    """A seat that may be taken with a join code."""

    seat: int
    code: str


@final
class MatchSummary(TypedDict):
    """A match in the public list:"""

    matchId: str
    game: str
    rulesVersion: str
    seats: list[SeatSpec]
    revision: int
    toMove: list[int]
    over: bool
    createTime: str
    preset: str
    waiting: bool
    spectatorDelay: int


@final
class OpenSeat(TypedDict):
    """A seat that nobody has yet."""


@final
class Points(TypedDict):
    """One item of a seat's points."""

    label: str
    points: int
    text: str


@final
class MatchProblem(TypedDict):
    """Why a part of a call failed, or a move in a Play stream was rejected."""

    reason: ErrorReason
    detail: str
    metadata: dict[str, str]


@final
class Rematch(TypedDict):
    """The rematch of a finished match."""

    matchId: str
    seats: list[int]
    waiting: bool


SeatChange: TypeAlias = Literal[
    "SEAT_CHANGE_UNSPECIFIED", "SEAT_CHANGE_JOINED", "SEAT_CHANGE_LEFT", "SEAT_CHANGE_SUBSTITUTED"
]
"""What happened to a seat."""


@final
class SeatClock(TypedDict):
    """The time that one seat has left, in a match with banks of time."""

    bankMs: int
    deadline: NotRequired[str]


@final
class SeatSpec(TypedDict):
    """The player of a seat of a new match."""

    name: NotRequired[str]
    bot: NotRequired[str]
    open: NotRequired[OpenSeat]
    playerId: NotRequired[str]


@final
class SeatToken(TypedDict):
    """A seat of a new match with its token."""

    seat: int
    token: str


@final
class Standing(TypedDict):
    """Points and rank of one seat."""

    seat: int
    points: int
    rank: int
    breakdown: list[Points]


@final
class CreateWebhookResponse(TypedDict):
    """The webhook that was created."""

    webhookId: str
    secret: str


@final
class ListPlatformMatchesResponse(TypedDict):
    """A page of matches."""

    matches: list[PlatformMatch]
    nextPageToken: str


@final
class ListWebhookDeliveriesResponse(TypedDict):
    """The last attempts of a webhook."""

    deliveries: list[WebhookDelivery]


@final
class ListWebhooksResponse(TypedDict):
    """The webhooks of the platform."""

    webhooks: list[WebhookEndpoint]


@final
class PlatformEventOver(TypedDict):
    """The match is over."""

    over: PlatformOver
    eventId: str
    eventTime: str
    matchId: str
    game: str
    revision: int


@final
class PlatformEventSeat(TypedDict):
    """A seat has another player, or none."""

    seat: PlatformSeat
    eventId: str
    eventTime: str
    matchId: str
    game: str
    revision: int


@final
class PlatformEventTurn(TypedDict):
    """Players have to move."""

    turn: PlatformTurn
    eventId: str
    eventTime: str
    matchId: str
    game: str
    revision: int


@final
class PlatformMatch(TypedDict):
    """A match in a list of matches of all games."""

    match: MatchSummary
    players: list[PlatformPlayer]


@final
class PlatformOver(TypedDict):
    """The match is over."""

    reason: str
    standings: list[PlatformStanding]


@final
class PlatformPlayer(TypedDict):
    """A player at a seat."""

    seat: int
    name: str
    playerId: str
    bot: str


@final
class PlatformSeat(TypedDict):
    """A seat has another player, or none."""

    change: SeatChange
    player: PlatformPlayer


@final
class PlatformStanding(TypedDict):
    """Points and rank of a player."""

    player: PlatformPlayer
    points: int
    rank: int


@final
class PlatformTurn(TypedDict):
    """Players have to move who had not before; seats of hosted bots are left out."""

    players: list[PlatformPlayer]
    deadline: NotRequired[str]


@final
class WebhookDelivery(TypedDict):
    """An attempt to deliver an event."""

    eventId: str
    type: str
    attemptTime: str
    attempt: int
    status: int
    error: str
    latencyMs: int


@final
class WebhookEndpoint(TypedDict):
    """An endpoint of a platform, to which its events are sent as the Standard Webhooks specification says."""

    webhookId: str
    url: str
    types: list[str]
    createTime: str
    failingSince: NotRequired[str]
    disabledReason: str


@final
class Problem(TypedDict):
    """An error, as RFC 9457 describes it."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    reason: Reason
    metadata: dict[str, str]
    violations: list[Violation]


Reason: TypeAlias = Literal[
    "INVALID_REQUEST",
    "UNKNOWN_GAME",
    "INVALID_OPTION",
    "SEAT_OUT_OF_RANGE",
    "MALFORMED_MOVE",
    "ILLEGAL_MOVE",
    "NOT_YOUR_TURN",
    "SEAT_HAS_LEFT",
    "MATCH_OVER",
    "STALE_REVISION",
    "UNKNOWN_MATCH",
    "UNAUTHENTICATED",
    "PERMISSION_DENIED",
    "STORE_UNAVAILABLE",
    "STORE_FULL",
    "REQUEST_ID_REUSED",
    "INCONSISTENT_STATE",
    "TOO_LARGE",
    "UNKNOWN_ROUTE",
    "INTERNAL",
    "ENGINE_UNAVAILABLE",
    "DEADLINE_EXCEEDED",
    "MATCH_NOT_OVER",
    "RATE_LIMITED",
    "UNKNOWN_TOURNAMENT",
    "TOO_MANY_STREAMS",
    "UNKNOWN_RULES",
    "BUSY",
    "LOG_CONTRADICTS_SNAPSHOT",
    "MATCH_WAITING",
    "INVALID_CODE",
    "MATCH_BEGUN",
    "EVENTS_DELETED",
    "UNKNOWN_WEBHOOK",
]
"""The reasons of errors."""


@final
class Violation(TypedDict):
    field: str
    description: str


PlatformEvent: TypeAlias = PlatformEventTurn | PlatformEventSeat | PlatformEventOver
"""What happened in a match of a platform:"""


@final
class ApplyResponse(TypedDict, Generic[MoveT, StateT, ViewT]):
    """The result of a move."""

    revision: int
    match: Match[ViewT]
    events: list[Event[MoveT]]
    state: NotRequired[StateT]
    moves: list[LegalMove[MoveT]]


@final
class BatchApplyResponse(TypedDict, Generic[MoveT, StateT, ViewT]):
    """The results of many moves."""

    results: list[BatchApplyResult[MoveT, StateT, ViewT]]


@final
class BatchApplyResultEncoded(TypedDict, Generic[MoveT, StateT]):
    """With `encodings`, instead of the response."""

    encoded: EncodedPosition[StateT]
    legalMoves: list[LegalMovesResponse[MoveT]]


@final
class BatchApplyResultProblem(TypedDict, Generic[MoveT]):
    """Why the move was rejected."""

    problem: MatchProblem
    legalMoves: list[LegalMovesResponse[MoveT]]


@final
class BatchApplyResultResponse(TypedDict, Generic[MoveT, StateT, ViewT]):
    """The response."""

    response: ApplyResponse[MoveT, StateT, ViewT]
    legalMoves: list[LegalMovesResponse[MoveT]]


@final
class EncodedPosition(TypedDict, Generic[StateT]):
    """A position as numbers for programs that learn, those of `engine_core.encodings` in the Python package."""

    state: StateT
    seat: NotRequired[int]
    observation: str
    legalActions: list[int]
    actionCount: int
    over: bool
    returns: list[float]


@final
class Event(TypedDict, Generic[MoveT]):
    """A log entry, as one observer sees it."""

    revision: int
    seat: NotRequired[int]
    move: NotRequired[MoveT]
    notation: str
    reveals: list[Reveal[MoveT]]
    head: str
    text: str


@final
class ForkResponse(TypedDict, Generic[StateT, ViewT]):
    """A position of a finished match."""

    revision: int
    match: Match[ViewT]
    state: StateT


@final
class GetComponentsResponse(TypedDict, Generic[ComponentsT, OptionsT]):
    """What a client needs to draw positions of the game and to name what is in them."""

    game: str
    rulesVersion: str
    locale: str
    title: str
    summary: str
    minSeats: int
    maxSeats: int
    components: ComponentsT
    presets: list[Preset[OptionsT]]
    bots: list[BotKind]
    names: dict[str, str]


@final
class HintResponse(TypedDict, Generic[MoveT]):
    """The values of the legal moves of a seat."""

    revision: int
    seat: int
    bot: str
    moves: list[MoveHint[MoveT]]


@final
class HistoryResponse(TypedDict, Generic[MoveT]):
    """A page of the log of a match."""

    revision: int
    events: list[Event[MoveT]]
    head: str
    nextRevision: NotRequired[int]


@final
class InviteResponse(TypedDict):
    """A join code."""

    joinCode: JoinCode


@final
class JoinResponse(TypedDict, Generic[ViewT]):
    """The seat that was taken."""

    seat: int
    token: str
    match: Match[ViewT]


@final
class LeaveResponse(TypedDict, Generic[MoveT, ViewT]):
    """The result of leaving."""

    revision: int
    match: Match[ViewT]
    events: list[Event[MoveT]]


@final
class LegalMove(TypedDict, Generic[MoveT]):
    """A legal move."""

    move: MoveT
    notation: str
    weight: int
    text: str
    parts: list[str]


@final
class LegalMovesResponse(TypedDict, Generic[MoveT]):
    """The legal moves of a seat."""

    revision: int
    seat: NotRequired[int]
    moves: list[LegalMove[MoveT]]


@final
class ListMatchesResponse(TypedDict):
    """A page of the public list of matches."""

    matches: list[MatchSummary]
    nextPageToken: str


@final
class Match(TypedDict, Generic[ViewT]):
    """A match, or an inline position, as one observer sees it."""

    matchId: str
    game: str
    rulesVersion: str
    revision: int
    toMove: list[int]
    over: bool
    seat: NotRequired[int]
    view: ViewT
    seats: list[SeatSpec]
    commitment: str
    deadline: NotRequired[str]
    matchDeadline: NotRequired[str]
    head: str
    clocks: list[SeatClock]
    waiting: bool
    expireTime: NotRequired[str]
    hints: bool
    spectatorDelay: int
    openAfter: bool
    rematch: NotRequired[Rematch]


@final
class MatchOver(TypedDict):
    """The match is over."""

    revision: int
    score: ScoreResponse


@final
class MatchRecord(TypedDict, Generic[MoveT, OptionsT]):
    """The complete record of a finished match."""

    matchId: str
    game: str
    rulesVersion: str
    seats: list[SeatSpec]
    options: OptionsT
    secretSeed: str
    clientSeeds: list[str]
    commitment: str
    events: list[Event[MoveT]]
    result: ScoreResponse
    clock: NotRequired[Clock]
    signature: str
    keyId: str
    publicKey: str
    hints: bool
    spectatorDelay: int
    openAfter: bool


@final
class MoveHint(TypedDict, Generic[MoveT]):
    """A legal move with its value for the seat."""

    move: LegalMove[MoveT]
    value: float
    visits: int
    best: bool


@final
class NewGameBody(TypedDict, Generic[OptionsT]):
    """Request to start a match."""

    seats: list[SeatSpec]
    options: NotRequired[OptionsT]
    clientSeed: NotRequired[str]
    clock: NotRequired[Clock]
    private: NotRequired[bool]
    chance: NotRequired[Chance]
    requestId: NotRequired[str]
    listed: NotRequired[bool]
    waitSeconds: NotRequired[int]
    hints: NotRequired[bool]
    spectatorDelay: NotRequired[int]
    openAfter: NotRequired[bool]


@final
class NewGameResponse(TypedDict, Generic[StateT, ViewT]):
    """The match that was started."""

    matchId: str
    revision: int
    commitment: str
    seats: list[SeatToken]
    match: Match[ViewT]
    state: NotRequired[StateT]
    joinCodes: list[JoinCode]
    hostToken: str


@final
class PlayResponseEvent(TypedDict, Generic[MoveT]):
    """A log entry, if `Join.from_revision` was set."""

    event: Event[MoveT]


@final
class PlayResponseOver(TypedDict):
    """The match is over; the stream ends."""

    over: MatchOver


@final
class PlayResponseRefusal(TypedDict):
    """The last move was rejected and changed nothing; it is still the seat's turn."""

    refusal: MatchProblem


@final
class PlayResponseSeat(TypedDict):
    """The player of a seat has left or joined, as in `Watch`, if `Join.from_revision` was set."""

    seat: SeatEvent


@final
class PlayResponseTurn(TypedDict, Generic[MoveT, ViewT]):
    """Who is to move now; of other seats only if `Join.from_revision` was set."""

    turn: Turn[MoveT, ViewT]


@final
class Preset(TypedDict, Generic[OptionsT]):
    """A named set of options."""

    name: str
    options: OptionsT


@final
class ReissueResponse(TypedDict):
    """A new token."""

    seat: SeatToken


@final
class RematchResponse(TypedDict, Generic[ViewT]):
    """The rematch."""

    matchId: str
    seat: SeatToken
    match: Match[ViewT]


@final
class ReplayResponse(TypedDict, Generic[MoveT, StateT, ViewT]):
    """A position of a record."""

    revision: int
    match: Match[ViewT]
    state: StateT
    events: list[Event[MoveT]]


@final
class Reveal(TypedDict, Generic[MoveT]):
    """A move that was sealed when it was made, or that was made for a seat that has left."""

    seat: int
    move: MoveT
    notation: str
    text: str


@final
class ScoreResponse(TypedDict):
    """Points and ranks of all seats."""

    over: bool
    reason: str
    winners: list[int]
    standings: list[Standing]
    reasonText: str


@final
class SeatEvent(TypedDict):
    """The player of a seat has changed."""

    revision: int
    seat: int
    change: SeatChange
    player: NotRequired[SeatSpec]


@final
class SubstituteResponse(TypedDict, Generic[ViewT]):
    """The match with the bot."""

    match: Match[ViewT]


@final
class Turn(TypedDict, Generic[MoveT, ViewT]):
    """Who is to move."""

    revision: int
    toMove: list[int]
    deadline: NotRequired[str]
    matchDeadline: NotRequired[str]
    match: NotRequired[Match[ViewT]]
    moves: list[LegalMove[MoveT]]
    clocks: list[SeatClock]


@final
class WatchResponseEvent(TypedDict, Generic[MoveT]):
    """A log entry, as the caller may see it."""

    event: Event[MoveT]


@final
class WatchResponseOver(TypedDict):
    """The match is over; the stream ends."""

    over: MatchOver


@final
class WatchResponseSeat(TypedDict):
    """The player of a seat has left (sent after the log entry), or another has taken it."""

    seat: SeatEvent


@final
class WatchResponseTurn(TypedDict, Generic[MoveT, ViewT]):
    """Who is to move now:"""

    turn: Turn[MoveT, ViewT]


@final
class WithdrawResponse(TypedDict):
    """The match was deleted."""


BatchApplyResult: TypeAlias = (
    BatchApplyResultResponse[MoveT, StateT, ViewT]
    | BatchApplyResultEncoded[MoveT, StateT]
    | BatchApplyResultProblem[MoveT]
)
"""The result of one of many moves."""

PlayResponse: TypeAlias = (
    PlayResponseTurn[MoveT, ViewT]
    | PlayResponseEvent[MoveT]
    | PlayResponseSeat
    | PlayResponseOver
    | PlayResponseRefusal
)
"""A message of the service in a Play stream:"""

WatchResponse: TypeAlias = (
    WatchResponseTurn[MoveT, ViewT] | WatchResponseEvent[MoveT] | WatchResponseSeat | WatchResponseOver
)
"""What happened in a match."""
