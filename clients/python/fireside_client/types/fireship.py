"""Types of the API of `fireship`; written by `generate.py`, not to be edited."""

from __future__ import annotations

from typing import Final, Literal, NotRequired, TypeAlias, TypedDict, final

from fireside_client.types import shared
from fireside_client.types.game_name import GameName
from fireside_client.types.shared import BotKind as BotKind
from fireside_client.types.shared import BotOption as BotOption
from fireside_client.types.shared import Chance as Chance
from fireside_client.types.shared import Clock as Clock
from fireside_client.types.shared import CreateWebhookResponse as CreateWebhookResponse
from fireside_client.types.shared import ErrorReason as ErrorReason
from fireside_client.types.shared import Game as Game
from fireside_client.types.shared import JoinCode as JoinCode
from fireside_client.types.shared import ListGamesResponse as ListGamesResponse
from fireside_client.types.shared import ListKeysResponse as ListKeysResponse
from fireside_client.types.shared import ListPlatformMatchesResponse as ListPlatformMatchesResponse
from fireside_client.types.shared import ListWebhookDeliveriesResponse as ListWebhookDeliveriesResponse
from fireside_client.types.shared import ListWebhooksResponse as ListWebhooksResponse
from fireside_client.types.shared import MatchProblem as MatchProblem
from fireside_client.types.shared import MatchSummary as MatchSummary
from fireside_client.types.shared import OpenSeat as OpenSeat
from fireside_client.types.shared import Option as Option
from fireside_client.types.shared import PlatformEvent as PlatformEvent
from fireside_client.types.shared import PlatformEventOver as PlatformEventOver
from fireside_client.types.shared import PlatformEventSeat as PlatformEventSeat
from fireside_client.types.shared import PlatformEventTurn as PlatformEventTurn
from fireside_client.types.shared import PlatformMatch as PlatformMatch
from fireside_client.types.shared import PlatformOver as PlatformOver
from fireside_client.types.shared import PlatformPlayer as PlatformPlayer
from fireside_client.types.shared import PlatformSeat as PlatformSeat
from fireside_client.types.shared import PlatformStanding as PlatformStanding
from fireside_client.types.shared import PlatformTurn as PlatformTurn
from fireside_client.types.shared import Points as Points
from fireside_client.types.shared import Problem as Problem
from fireside_client.types.shared import Reason as Reason
from fireside_client.types.shared import Rematch as Rematch
from fireside_client.types.shared import SeatChange as SeatChange
from fireside_client.types.shared import SeatClock as SeatClock
from fireside_client.types.shared import SeatSpec as SeatSpec
from fireside_client.types.shared import SeatToken as SeatToken
from fireside_client.types.shared import SigningKey as SigningKey
from fireside_client.types.shared import Standing as Standing
from fireside_client.types.shared import Violation as Violation
from fireside_client.types.shared import WebhookDelivery as WebhookDelivery
from fireside_client.types.shared import WebhookEndpoint as WebhookEndpoint


@final
class Answer(TypedDict):
    """Answer a window, or the skull of a battleship square."""

    answer: AnswerKind


AnswerKind: TypeAlias = Literal[
    "ANSWER_KIND_UNSPECIFIED",
    "ANSWER_KIND_PASS",
    "ANSWER_KIND_PASS_TURN",
    "ANSWER_KIND_NO",
    "ANSWER_KIND_PLUS_ONE",
    "ANSWER_KIND_ANTI_SKULL",
]
"""Answer of a seat to a window:"""


@final
class AttackIsland(TypedDict):
    """An island, 1 to 9."""

    island: int
    attacker: str
    plusOnes: NotRequired[int]


@final
class AttackPawn(TypedDict):
    """A pawn."""

    pawn: Target
    attacker: str
    plusOnes: NotRequired[int]


@final
class BadgeComponent(TypedDict):
    """A kind of badge."""

    badge: PlayedCard
    copies: int


@final
class Badges(TypedDict):
    """Number of badges of each kind, 0 to 6."""

    boum: int
    gulfStream: int
    fog: int
    updraft: int


@final
class BoardBase(TypedDict):
    """A base:"""

    colour: Colour
    square: str


@final
class BoardIsland(TypedDict):
    """An island as it is drawn."""

    island: int
    land: list[str]
    port: str
    coast: list[str]
    near: list[str]


@final
class BoardSquare(TypedDict):
    """A square of the board as it is drawn."""

    name: str
    row: int
    column: int
    kind: SquareKind
    square: str
    landOf: int
    portOf: int
    baseOf: Colour
    steps: list[str]
    flights: list[str]
    near: list[str]
    kraken: list[str]
    islandsNear: list[int]


@final
class Card(TypedDict):
    """Nature draws a mystery card for the active seat."""

    card: MysteryCard


CardSource: TypeAlias = Literal["CARD_SOURCE_UNSPECIFIED", "CARD_SOURCE_HAND", "CARD_SOURCE_BADGE"]
"""Where a played card comes from."""


@final
class ChoosePawn(TypedDict):
    """Choose a pawn to sail."""

    pawn: Pawn


Colour: TypeAlias = Literal[
    "COLOUR_UNSPECIFIED", "COLOUR_GREEN", "COLOUR_BLUE", "COLOUR_RED", "COLOUR_YELLOW", "COLOUR_WHITE"
]
"""Colour of pawns, flags and corners."""


@final
class Components(TypedDict):
    """What the game is played with:"""

    squares: list[BoardSquare]
    islands: list[BoardIsland]
    bases: list[BoardBase]
    room: int
    flightPoints: int
    fastSquares: int
    pawns: list[PawnComponent]
    islandPowers: list[int]
    ringBoats: int
    islandPoints: int
    faces: list[int]
    equalFaces: list[int]
    greaterFaces: list[int]
    battleshipFaces: list[int]
    cards: list[MysteryCardComponent]
    antiSkullCards: int
    sectors: list[WheelSector]
    badges: list[BadgeComponent]
    optionBounds: OptionBounds


@final
class Declared(TypedDict):
    """An action that was declared and may still be cancelled."""

    seat: int
    move: Move


@final
class Die(TypedDict):
    """Nature throws a die."""

    face: int


@final
class EndTurn(TypedDict):
    """End the turn."""


@final
class Fortify(TypedDict):
    """Pay two boats for a ring on an island."""

    island: int
    boats: list[Pawn]


@final
class Island(TypedDict):
    """An island."""

    owner: Colour
    rings: int


@final
class Lose(TypedDict):
    """Give up a pawn."""

    kind: PawnKind
    square: str


@final
class MoveAnswer(TypedDict):
    """Answer a window, or the skull of a battleship square."""

    answer: Answer


@final
class MoveAttack(TypedDict):
    """Attack an island or a pawn."""

    attack: Attack


@final
class MoveCard(TypedDict):
    """Nature draws a mystery card for the active seat."""

    card: Card


@final
class MoveChoosePawn(TypedDict):
    """Choose a pawn to sail."""

    choosePawn: ChoosePawn


@final
class MoveDie(TypedDict):
    """Nature throws a die."""

    die: Die


@final
class MoveEndTurn(TypedDict):
    """End the turn."""

    endTurn: EndTurn


@final
class MoveFortify(TypedDict):
    """Pay two boats for a ring on an island."""

    fortify: Fortify


@final
class MoveLose(TypedDict):
    """Give up a pawn."""

    lose: Lose


@final
class MovePlayCard(TypedDict):
    """Play a card or badge."""

    playCard: PlayCard


@final
class MoveSail(TypedDict):
    """Sail the chosen pawn to a square."""

    sail: Sail


@final
class MoveSector(TypedDict):
    """Nature spins the wheel."""

    sector: Sector


@final
class MoveThrow(TypedDict):
    """Throw the dice."""

    throw: Throw


@final
class MoveTimeUp(TypedDict):
    """Nature ends the time of the match:"""

    timeUp: TimeUp


@final
class MoveUseSquare(TypedDict):
    """Use the special square on which a pawn has arrived in this turn."""

    useSquare: UseSquare


MysteryCard: TypeAlias = Literal[
    "MYSTERY_CARD_UNSPECIFIED",
    "MYSTERY_CARD_GAIN_BOAT",
    "MYSTERY_CARD_GAIN_PLANE",
    "MYSTERY_CARD_LOSE_BOAT",
    "MYSTERY_CARD_LOSE_PLANE",
    "MYSTERY_CARD_NO",
    "MYSTERY_CARD_BOUM",
    "MYSTERY_CARD_PLUS_ONE",
    "MYSTERY_CARD_UPDRAFT",
    "MYSTERY_CARD_FOG",
    "MYSTERY_CARD_BERMUDA",
]
"""Kind of a mystery card."""


@final
class MysteryCardComponent(TypedDict):
    """A kind of mystery card."""

    card: MysteryCard
    copies: int
    kept: bool


@final
class MysteryCards(TypedDict):
    """Number of mystery cards of each kind."""

    gainBoat: int
    gainPlane: int
    loseBoat: int
    losePlane: int
    no: int
    boum: int
    plusOne: int
    updraft: int
    fog: int
    bermuda: int


@final
class OptionBounds(TypedDict):
    """Bounds and defaults of the options."""

    minRounds: int
    maxRounds: int
    movementDice: list[int]
    defaults: list[SeatDefaults]


@final
class Options(TypedDict):
    """Options of a match, chosen when it starts."""

    fortification: NotRequired[bool]
    rounds: NotRequired[int]
    movementDice: NotRequired[int]
    islandSupportsAttack: NotRequired[bool]
    colours: NotRequired[list[Colour]]


@final
class Pawn(TypedDict):
    """A pawn, identified by its properties."""

    kind: PawnKind
    square: str
    arrived: NotRequired[bool]
    fast: NotRequired[bool]


@final
class PawnComponent(TypedDict):
    """A kind of pawn."""

    kind: PawnKind
    power: int
    each: int
    start: int
    flies: bool
    fastBy: PlayedCard


PawnKind: TypeAlias = Literal["PAWN_KIND_UNSPECIFIED", "PAWN_KIND_BOAT", "PAWN_KIND_PLANE", "PAWN_KIND_BATTLESHIP"]
"""Kind of a pawn."""


@final
class Pawns(TypedDict):
    """Pawns with equal properties."""

    owner: Colour
    pawn: Pawn
    count: int


@final
class PlayCard(TypedDict):
    """Play a card or badge."""

    card: PlayedCard
    source: CardSource
    owner: NotRequired[Colour]
    pawn: NotRequired[Pawn]


PlayedCard: TypeAlias = Literal[
    "PLAYED_CARD_UNSPECIFIED", "PLAYED_CARD_BOUM", "PLAYED_CARD_GULF_STREAM", "PLAYED_CARD_FOG", "PLAYED_CARD_UPDRAFT"
]
"""Kind of a badge, or of a card that a seat plays in its turn."""


@final
class Sail(TypedDict):
    """Sail the chosen pawn to a square."""

    to: str


@final
class SeatDefaults(TypedDict):
    """Defaults of the options for a number of seats."""

    seats: int
    rounds: int
    colours: list[Colour]


@final
class SeatState(TypedDict):
    """The full state of a seat, secrets included."""

    hand: MysteryCards
    deckAtMost: MysteryCards
    badges: Badges
    antiSkull: bool
    fog: bool
    skips: int
    passesTurn: bool
    answer: AnswerKind
    out: int
    left: bool
    firstThrow: int


@final
class SeatView(TypedDict):
    """A seat as one observer may see it."""

    colour: Colour
    handSize: int
    hand: NotRequired[MysteryCards]
    badges: Badges
    antiSkull: bool
    fog: bool
    skips: int
    passesTurn: bool
    hasAnswered: bool
    answer: AnswerKind
    out: bool
    left: bool
    firstThrow: int
    islandPower: int
    pawnPower: int


@final
class Sector(TypedDict):
    """Nature spins the wheel."""

    sector: int


SquareKind: TypeAlias = Literal[
    "SQUARE_KIND_UNSPECIFIED",
    "SQUARE_KIND_SEA",
    "SQUARE_KIND_WHEEL",
    "SQUARE_KIND_BATTLESHIP",
    "SQUARE_KIND_MYSTERY",
    "SQUARE_KIND_LAND",
    "SQUARE_KIND_BASE",
]
"""Kind of a square:"""

Stage: TypeAlias = Literal[
    "STAGE_UNSPECIFIED",
    "STAGE_FIRST_THROW",
    "STAGE_CARDS_FIRST",
    "STAGE_THROWING",
    "STAGE_MOVING",
    "STAGE_SAILING",
    "STAGE_WINDOW",
    "STAGE_BATTLE",
    "STAGE_BATTLESHIP_THROW",
    "STAGE_SKULL_ANSWER",
    "STAGE_SPINNING",
    "STAGE_DRAWING",
    "STAGE_LOSING",
    "STAGE_OVER",
]
"""Which kind of move comes next."""


@final
class State(TypedDict):
    """The full state of a position, secrets included."""

    options: Options
    stage: Stage
    activeSeat: int
    firstSeat: int
    seats: list[SeatState]
    pawns: list[Pawns]
    islands: list[Island]
    badgeStock: Badges
    round: int
    turn: int
    thrower: int
    contest: int
    due: int
    dice: list[int]
    points: int
    chosen: NotRequired[Pawn]
    acted: bool
    fortified: bool
    declared: list[Declared]
    defenceBonus: int
    asked: int
    deck: MysteryCards
    discards: MysteryCards
    deckAtMost: MysteryCards
    rebuilds: int
    timeIsUp: bool
    reason: str
    rulesVersion: str


@final
class Target(TypedDict):
    """A pawn that is attacked."""

    owner: Colour
    square: str


@final
class Throw(TypedDict):
    """Throw the dice."""


@final
class TimeUp(TypedDict):
    """Nature ends the time of the match:"""


@final
class UseSquare(TypedDict):
    """Use the special square on which a pawn has arrived in this turn."""

    square: str


@final
class View(TypedDict):
    """A position as one observer may see it."""

    options: Options
    stage: Stage
    activeSeat: int
    firstSeat: int
    round: int
    seats: list[SeatView]
    pawns: list[Pawns]
    islands: list[Island]
    deckSize: int
    deckAtMost: MysteryCards
    discards: MysteryCards
    badgeStock: Badges
    dice: list[int]
    points: int
    chosen: NotRequired[Pawn]
    acted: bool
    fortified: bool
    declared: list[Declared]
    attackPower: int
    defencePower: int
    asked: list[int]
    timeIsUp: bool


WheelEffect: TypeAlias = Literal[
    "WHEEL_EFFECT_UNSPECIFIED",
    "WHEEL_EFFECT_GAIN_BOAT",
    "WHEEL_EFFECT_GAIN_PLANE",
    "WHEEL_EFFECT_LOSE_BOAT",
    "WHEEL_EFFECT_LOSE_PLANE",
    "WHEEL_EFFECT_BOUM",
    "WHEEL_EFFECT_UPDRAFT",
    "WHEEL_EFFECT_FOG",
    "WHEEL_EFFECT_GULF_STREAM",
    "WHEEL_EFFECT_DRAW_CARD",
    "WHEEL_EFFECT_KRAKEN",
    "WHEEL_EFFECT_SPIN_AGAIN",
]
"""Effect of a sector of the wheel."""


@final
class WheelSector(TypedDict):
    """A sector of the wheel."""

    sector: int
    effect: WheelEffect


Attack: TypeAlias = AttackIsland | AttackPawn
"""Attack an island or a pawn."""

Move: TypeAlias = (
    MovePlayCard
    | MoveThrow
    | MoveChoosePawn
    | MoveSail
    | MoveFortify
    | MoveAttack
    | MoveUseSquare
    | MoveLose
    | MoveEndTurn
    | MoveAnswer
    | MoveDie
    | MoveSector
    | MoveCard
    | MoveTimeUp
)
"""A move of a seat, or of nature."""

ApplyResponse: TypeAlias = shared.ApplyResponse[Move, State, View]
BatchApplyResponse: TypeAlias = shared.BatchApplyResponse[Move, State, View]
BatchApplyResultEncoded: TypeAlias = shared.BatchApplyResultEncoded[Move, State]
BatchApplyResultProblem: TypeAlias = shared.BatchApplyResultProblem[Move]
BatchApplyResultResponse: TypeAlias = shared.BatchApplyResultResponse[Move, State, View]
EncodedPosition: TypeAlias = shared.EncodedPosition[State]
Event: TypeAlias = shared.Event[Move]
ForkResponse: TypeAlias = shared.ForkResponse[State, View]
GetComponentsResponse: TypeAlias = shared.GetComponentsResponse[Components, Options]
HintResponse: TypeAlias = shared.HintResponse[Move]
HistoryResponse: TypeAlias = shared.HistoryResponse[Move]
InviteResponse: TypeAlias = shared.InviteResponse
JoinResponse: TypeAlias = shared.JoinResponse[View]
LeaveResponse: TypeAlias = shared.LeaveResponse[Move, View]
LegalMove: TypeAlias = shared.LegalMove[Move]
LegalMovesResponse: TypeAlias = shared.LegalMovesResponse[Move]
ListMatchesResponse: TypeAlias = shared.ListMatchesResponse
Match: TypeAlias = shared.Match[View]
MatchOver: TypeAlias = shared.MatchOver
MatchRecord: TypeAlias = shared.MatchRecord[Move, Options]
MoveHint: TypeAlias = shared.MoveHint[Move]
NewGameBody: TypeAlias = shared.NewGameBody[Options]
NewGameResponse: TypeAlias = shared.NewGameResponse[State, View]
PlayResponseEvent: TypeAlias = shared.PlayResponseEvent[Move]
PlayResponseOver: TypeAlias = shared.PlayResponseOver
PlayResponseRefusal: TypeAlias = shared.PlayResponseRefusal
PlayResponseSeat: TypeAlias = shared.PlayResponseSeat
PlayResponseTurn: TypeAlias = shared.PlayResponseTurn[Move, View]
Preset: TypeAlias = shared.Preset[Options]
ReissueResponse: TypeAlias = shared.ReissueResponse
RematchResponse: TypeAlias = shared.RematchResponse[View]
ReplayResponse: TypeAlias = shared.ReplayResponse[Move, State, View]
Reveal: TypeAlias = shared.Reveal[Move]
ScoreResponse: TypeAlias = shared.ScoreResponse
SeatEvent: TypeAlias = shared.SeatEvent
SubstituteResponse: TypeAlias = shared.SubstituteResponse[View]
Turn: TypeAlias = shared.Turn[Move, View]
WatchResponseEvent: TypeAlias = shared.WatchResponseEvent[Move]
WatchResponseOver: TypeAlias = shared.WatchResponseOver
WatchResponseSeat: TypeAlias = shared.WatchResponseSeat
WatchResponseTurn: TypeAlias = shared.WatchResponseTurn[Move, View]
WithdrawResponse: TypeAlias = shared.WithdrawResponse
BatchApplyResult: TypeAlias = shared.BatchApplyResult[Move, State, View]
PlayResponse: TypeAlias = shared.PlayResponse[Move, View]
WatchResponse: TypeAlias = shared.WatchResponse[Move, View]
GAME: Final[GameName[Components, Move, Options, State, View]] = GameName("fireship")
