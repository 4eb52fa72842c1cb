"""Types of the API of `fire_bulls`; written by `generate.py`, not to be edited."""

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
class Attack(TypedDict):
    """Attack along a direction and pay for its nearest card."""

    direction: int
    payment: AttackCards


AttackCard: TypeAlias = Literal[
    "ATTACK_CARD_UNSPECIFIED",
    "ATTACK_CARD_BLUE",
    "ATTACK_CARD_YELLOW",
    "ATTACK_CARD_BROWN",
    "ATTACK_CARD_RED",
    "ATTACK_CARD_GREEN",
    "ATTACK_CARD_WARRIOR",
]
"""Kind of a card of the Qi army."""


@final
class AttackCardKind(TypedDict):
    """A kind of card of the Qi deck."""

    card: AttackCard
    colour: Colour
    copies: int


@final
class AttackCards(TypedDict):
    """A number of attack cards of each kind, 0 to 10 (warriors 0 to 4)."""

    blue: int
    yellow: int
    brown: int
    red: int
    green: int
    warrior: int


@final
class Capture(TypedDict):
    """Pay for the next card of the line."""

    payment: AttackCards


CardPower: TypeAlias = Literal["CARD_POWER_UNSPECIFIED", "CARD_POWER_DRAW", "CARD_POWER_DISCARD", "CARD_POWER_TAKE"]
"""What a seat may do, once, when it has captured a card."""

Colour: TypeAlias = Literal[
    "COLOUR_UNSPECIFIED", "COLOUR_BLUE", "COLOUR_YELLOW", "COLOUR_BROWN", "COLOUR_RED", "COLOUR_GREEN"
]
"""Colour of a player."""


@final
class Column(TypedDict):
    """A column of point cards in front of its pile."""

    pileSize: int
    squares: list[PointCard]


@final
class Components(TypedDict):
    """The components of the game, and the figures that its rules count with."""

    attackCards: list[AttackCardKind]
    pointCards: list[PointCardKind]
    squares: list[Square]
    lines: list[Line]
    profiles: list[ProfileRules]
    seats: list[SeatsRules]
    startHand: int
    reserve: int
    handLimit: int
    pileSize: int
    exhaustionsToEnd: int
    emptyPilesToEnd: int
    colourPoints: int


@final
class Cost(TypedDict):
    """A cost:"""

    groups: list[CostGroup]


@final
class CostGroup(TypedDict):
    """Symbols of one colour."""

    colour: Colour
    cards: int


@final
class Draw(TypedDict):
    """Draw the top card of the Qi deck."""


@final
class First(TypedDict):
    """Nature draws the seat that begins."""

    seat: int


@final
class General(TypedDict):
    """Attack the general."""

    payment: AttackCards


GeneralPlace: TypeAlias = Literal[
    "GENERAL_PLACE_UNSPECIFIED", "GENERAL_PLACE_HIDDEN", "GENERAL_PLACE_ASIDE", "GENERAL_PLACE_WON"
]
"""Where the general is."""


@final
class Line(TypedDict):
    """A line of attack, and the place of the pawn in front of it."""

    direction: int
    squares: list[int]
    neighbours: list[int]
    column: int
    row: int


@final
class MoveAttack(TypedDict):
    """Attack along a direction and pay for its nearest card."""

    attack: Attack


@final
class MoveCapture(TypedDict):
    """Pay for the next card of the line."""

    capture: Capture


@final
class MoveDraw(TypedDict):
    """Draw the top card of the Qi deck."""

    draw: Draw


@final
class MoveFirst(TypedDict):
    """Nature draws the seat that begins."""

    first: First


@final
class MoveGeneral(TypedDict):
    """Attack the general."""

    general: General


@final
class MovePassOn(TypedDict):
    """Pass the turn; only for a seat that has left."""

    passOn: Pass


@final
class MovePick(TypedDict):
    """Nature picks a card from a hand."""

    pick: Pick


@final
class MovePlace(TypedDict):
    """Nature puts a pawn before a direction."""

    place: Place


@final
class MovePower(TypedDict):
    """Use the power of the card just captured, or decline."""

    power: Power


@final
class MovePrice(TypedDict):
    """Pay a point card, won in an earlier turn, for a warrior."""

    price: Price


@final
class MoveQi(TypedDict):
    """Nature draws an attack card from the deck."""

    qi: Qi


@final
class MoveRelease(TypedDict):
    """Discard a card into the Reserve, with more than eight in hand."""

    release: Release


@final
class MoveStep(TypedDict):
    """Move the pawn after a draw."""

    step: Step


@final
class MoveStop(TypedDict):
    """End the attack."""

    stop: Stop


@final
class MoveTake(TypedDict):
    """Take a card of the Reserve into the hand."""

    take: Take


@final
class MoveYen(TypedDict):
    """Nature turns up a point card."""

    yen: Yen


@final
class Options(TypedDict):
    """Options of a match, chosen when it starts."""

    profile: NotRequired[Profile]
    colours: NotRequired[list[Colour]]
    firstSeat: NotRequired[int]


@final
class Pass(TypedDict):
    """Pass the turn; only for a seat that has left."""


@final
class Pick(TypedDict):
    """Nature picks a card from a hand, for the colonel or the general."""

    seat: int
    card: AttackCard


@final
class Place(TypedDict):
    """Nature puts a pawn before a direction."""

    seat: int
    direction: int


PointCard: TypeAlias = Literal[
    "POINT_CARD_UNSPECIFIED",
    "POINT_CARD_SOLDIER_BLUE",
    "POINT_CARD_SOLDIER_YELLOW",
    "POINT_CARD_SOLDIER_BROWN",
    "POINT_CARD_SOLDIER_RED",
    "POINT_CARD_SOLDIER_GREEN",
    "POINT_CARD_WU_BLUE",
    "POINT_CARD_WU_YELLOW",
    "POINT_CARD_WU_BROWN",
    "POINT_CARD_WU_RED",
    "POINT_CARD_WU_GREEN",
    "POINT_CARD_WU_WHITE",
    "POINT_CARD_XI_BLUE",
    "POINT_CARD_XI_YELLOW",
    "POINT_CARD_XI_BROWN",
    "POINT_CARD_XI_RED",
    "POINT_CARD_XI_GREEN",
    "POINT_CARD_XI_WHITE",
    "POINT_CARD_BO",
    "POINT_CARD_COLONEL",
    "POINT_CARD_GENERAL",
    "POINT_CARD_FORTIFICATION",
]
"""Kind of a card of the Yen army."""


@final
class PointCardCosts(TypedDict):
    """What a kind of point card costs."""

    card: PointCard
    costs: list[Cost]


@final
class PointCardCount(TypedDict):
    """A number of point cards of one kind."""

    card: PointCard
    count: int


@final
class PointCardKind(TypedDict):
    """A kind of point card."""

    card: PointCard
    value: int
    copies: int
    colours: list[Colour]
    power: CardPower


@final
class Power(TypedDict):
    """Use the power of the card just captured, or decline."""

    use: bool


@final
class Price(TypedDict):
    """Pay a point card, won in an earlier turn, for a warrior."""

    card: PointCard


Profile: TypeAlias = Literal["PROFILE_UNSPECIFIED", "PROFILE_MERGED", "PROFILE_FR", "PROFILE_IT"]
"""Edition of the rules."""


@final
class ProfileRules(TypedDict):
    """Rules of an edition."""

    profile: Profile
    costs: list[PointCardCosts]
    attacksAnywhere: bool
    directLimit: int
    deviatedLimit: int
    bonusCards: list[int]
    refillsReserve: bool


@final
class Qi(TypedDict):
    """Nature draws an attack card from the deck."""

    seat: NotRequired[int]
    card: AttackCard


@final
class Release(TypedDict):
    """Discard a card into the Reserve, with more than eight in hand."""

    card: AttackCard


@final
class SeatState(TypedDict):
    """The full state of a seat, secrets included."""

    place: int
    hand: AttackCards
    known: AttackCards
    deckAtMost: AttackCards
    victory: list[int]
    penalty: PointCard
    left: bool


@final
class SeatView(TypedDict):
    """A seat as one observer may see it."""

    colour: Colour
    place: int
    handSize: int
    hand: NotRequired[AttackCards]
    known: AttackCards
    victory: list[PointCardCount]
    wonThisTurn: list[PointCardCount]
    penalty: PointCard
    left: bool


@final
class SeatsRules(TypedDict):
    """What depends on the number of seats."""

    seats: int
    colours: list[Colour]
    maxFirstSeat: int
    deckSize: int
    quietTurns: int


@final
class Square(TypedDict):
    """A square for a point card."""

    index: int
    name: str
    column: int
    row: int
    lines: list[int]
    slidesTo: NotRequired[int]


Stage: TypeAlias = Literal[
    "STAGE_UNSPECIFIED",
    "STAGE_SETUP_YEN",
    "STAGE_SETUP_PLACES",
    "STAGE_SETUP_HANDS",
    "STAGE_SETUP_RESERVE",
    "STAGE_SETUP_FIRST",
    "STAGE_ACTION",
    "STAGE_REFILL",
    "STAGE_DRAW",
    "STAGE_STEP",
    "STAGE_POWER",
    "STAGE_BO",
    "STAGE_COLONEL",
    "STAGE_GENERAL",
    "STAGE_CAPTURE",
    "STAGE_BONUS",
    "STAGE_PRICE",
    "STAGE_RELEASE",
    "STAGE_FILL",
    "STAGE_OVER",
]
"""Which kind of move comes next."""


@final
class State(TypedDict):
    """The full state of a position, secrets included."""

    options: Options
    stage: Stage
    activeSeat: int
    seats: list[SeatState]
    squares: list[PointCard]
    piles: list[int]
    undrawn: list[int]
    removed: list[int]
    general: GeneralPlace
    deck: AttackCards
    discards: AttackCards
    reserve: AttackCards
    deckAtMost: AttackCards
    rebuilds: int
    exhaustions: int
    quietTurns: int
    turnIsLively: bool
    direction: int
    captures: int
    captureLimit: int
    warriorsOwed: int
    power: PointCard
    due: int
    reason: str
    wonThisTurn: list[int]
    generalWinner: int
    rulesVersion: str


@final
class Step(TypedDict):
    """Move the pawn after a draw."""

    to: int


@final
class Stop(TypedDict):
    """End the attack."""


@final
class Take(TypedDict):
    """Take a card of the Reserve into the hand."""

    card: AttackCard


@final
class View(TypedDict):
    """A position as one observer may see it."""

    profile: Profile
    stage: Stage
    activeSeat: int
    seats: list[SeatView]
    columns: list[Column]
    undrawn: list[PointCardCount]
    removed: list[PointCardCount]
    general: GeneralPlace
    deckSize: int
    deckAtMost: AttackCards
    discards: AttackCards
    reserve: AttackCards
    exhaustions: int
    quietTurns: int
    direction: int
    captures: int
    captureLimit: int
    warriorsOwed: int
    power: PointCard
    generalWinner: int


@final
class Yen(TypedDict):
    """Nature turns up a point card."""

    pile: int
    card: PointCard


Move: TypeAlias = (
    MoveTake
    | MoveDraw
    | MoveStep
    | MoveAttack
    | MoveGeneral
    | MoveCapture
    | MoveStop
    | MovePower
    | MovePrice
    | MoveRelease
    | MoveYen
    | MovePlace
    | MoveFirst
    | MoveQi
    | MovePick
    | MovePassOn
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
GAME: Final[GameName[Components, Move, Options, State, View]] = GameName("fire_bulls")
