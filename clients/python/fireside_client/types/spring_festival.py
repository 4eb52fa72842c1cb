"""Types of the API of `spring_festival`; written by `generate.py`, not to be edited."""

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
class BoardComponent(TypedDict):
    """The squares of a display."""

    minCoordinate: int
    maxCoordinate: int
    firstSquare: Square
    startTiles: int
    maxTiles: int


Colour: TypeAlias = Literal["COLOUR_UNSPECIFIED", "COLOUR_BLUE", "COLOUR_GREEN", "COLOUR_RED", "COLOUR_YELLOW"]
"""Colour of a tile."""


@final
class Complete(TypedDict):
    """Complete a composition."""

    card: CompositionId
    corner: Square
    turns: int


@final
class Components(TypedDict):
    """What a client needs to draw every view and to count every line of a score."""

    tiles: list[TileComponent]
    compositions: list[CompositionComponent]
    pictureCharacters: list[PictureCharacter]
    signs: list[SignComponent]
    directions: list[DirectionComponent]
    board: BoardComponent
    store: StoreComponent
    seatings: list[Seating]
    rounds: int
    cardsOfAKind: int
    baseCompositions: int
    allCompositions: int
    signOptions: list[Sign]
    scoring: Scoring


@final
class Composition(TypedDict):
    """A composition card."""

    id: CompositionId
    kind: CompositionKind
    points: int
    rows: list[str]


@final
class CompositionComponent(TypedDict):
    """A composition card; there is one of each."""

    composition: Composition
    extra: bool
    pictures: list[Picture]
    scoreLabel: str


CompositionId: TypeAlias = Literal[
    "COMPOSITION_ID_UNSPECIFIED",
    "COMPOSITION_ID_C01",
    "COMPOSITION_ID_C02",
    "COMPOSITION_ID_C03",
    "COMPOSITION_ID_C04",
    "COMPOSITION_ID_C05",
    "COMPOSITION_ID_C06",
    "COMPOSITION_ID_C07",
    "COMPOSITION_ID_C08",
    "COMPOSITION_ID_C09",
    "COMPOSITION_ID_C10",
    "COMPOSITION_ID_C11",
    "COMPOSITION_ID_C12",
    "COMPOSITION_ID_C13",
    "COMPOSITION_ID_C14",
    "COMPOSITION_ID_C15",
    "COMPOSITION_ID_C16",
    "COMPOSITION_ID_C17",
    "COMPOSITION_ID_C18",
    "COMPOSITION_ID_C19",
    "COMPOSITION_ID_C20",
    "COMPOSITION_ID_C21",
    "COMPOSITION_ID_C22",
    "COMPOSITION_ID_C23",
    "COMPOSITION_ID_C24",
    "COMPOSITION_ID_C25",
    "COMPOSITION_ID_C26",
    "COMPOSITION_ID_C27",
    "COMPOSITION_ID_C28",
    "COMPOSITION_ID_C29",
    "COMPOSITION_ID_C30",
    "COMPOSITION_ID_C31",
    "COMPOSITION_ID_C32",
    "COMPOSITION_ID_C33",
    "COMPOSITION_ID_C34",
    "COMPOSITION_ID_C35",
    "COMPOSITION_ID_C36",
    "COMPOSITION_ID_P01",
    "COMPOSITION_ID_P02",
    "COMPOSITION_ID_P03",
    "COMPOSITION_ID_P04",
    "COMPOSITION_ID_P05",
    "COMPOSITION_ID_P06",
    "COMPOSITION_ID_P07",
    "COMPOSITION_ID_P08",
    "COMPOSITION_ID_P09",
    "COMPOSITION_ID_P10",
    "COMPOSITION_ID_P11",
    "COMPOSITION_ID_P12",
    "COMPOSITION_ID_P13",
    "COMPOSITION_ID_P14",
    "COMPOSITION_ID_P15",
    "COMPOSITION_ID_P16",
    "COMPOSITION_ID_P17",
    "COMPOSITION_ID_P18",
    "COMPOSITION_ID_P19",
    "COMPOSITION_ID_P20",
    "COMPOSITION_ID_P21",
    "COMPOSITION_ID_P22",
    "COMPOSITION_ID_P23",
    "COMPOSITION_ID_P24",
    "COMPOSITION_ID_P25",
    "COMPOSITION_ID_P26",
    "COMPOSITION_ID_P27",
    "COMPOSITION_ID_P28",
    "COMPOSITION_ID_P29",
    "COMPOSITION_ID_P30",
    "COMPOSITION_ID_P31",
    "COMPOSITION_ID_P32",
    "COMPOSITION_ID_P33",
    "COMPOSITION_ID_P34",
    "COMPOSITION_ID_P35",
    "COMPOSITION_ID_P36",
]
"""A composition card."""

CompositionKind: TypeAlias = Literal[
    "COMPOSITION_KIND_UNSPECIFIED", "COMPOSITION_KIND_COLOUR", "COMPOSITION_KIND_PATTERN"
]
"""Kind of a composition card."""


@final
class Deal(TypedDict):
    """Nature deals a composition card."""

    seat: int
    card: CompositionId


Direction: TypeAlias = Literal[
    "DIRECTION_UNSPECIFIED",
    "DIRECTION_NORTH",
    "DIRECTION_NORTH_EAST",
    "DIRECTION_EAST",
    "DIRECTION_SOUTH_EAST",
    "DIRECTION_SOUTH",
    "DIRECTION_SOUTH_WEST",
    "DIRECTION_WEST",
    "DIRECTION_NORTH_WEST",
]
"""A direction on a display:"""


@final
class DirectionComponent(TypedDict):
    """A direction:"""

    direction: Direction
    dx: int
    dy: int
    opposite: Direction
    side: bool


@final
class DisplayTile(TypedDict):
    """A tile of a display, in a View."""

    tile: Tile
    square: Square
    face: Face


@final
class DrawFirstSeat(TypedDict):
    """Nature draws the first active seat."""

    seat: int


@final
class DrawSign(TypedDict):
    """Nature draws the sign."""

    sign: Sign


Face: TypeAlias = Literal["FACE_UNSPECIFIED", "FACE_ROCKET", "FACE_EXPLODED"]
"""Face of a tile."""


@final
class Launch(TypedDict):
    """Begin the finale."""

    square: Square


@final
class LayStartTile(TypedDict):
    """Lay a start tile, next to those laid before."""

    tile: TileId
    square: NotRequired[Square]


@final
class MoveComplete(TypedDict):
    """Complete a composition."""

    complete: Complete


@final
class MoveDeal(TypedDict):
    """Nature deals a composition card."""

    deal: Deal


@final
class MoveFirstSeat(TypedDict):
    """Nature draws the first active seat."""

    firstSeat: DrawFirstSeat


@final
class MoveLaunch(TypedDict):
    """Begin the finale."""

    launch: Launch


@final
class MoveLay(TypedDict):
    """Lay a start tile."""

    lay: LayStartTile


@final
class MoveOrient(TypedDict):
    """Rotate the store."""

    orient: RotateStore


@final
class MovePassOn(TypedDict):
    """Complete no more compositions in this round."""

    passOn: Pass


@final
class MovePlace(TypedDict):
    """Place the tile that was taken."""

    place: PlaceTile


@final
class MoveReveal(TypedDict):
    """Nature turns up the top of a pile."""

    reveal: RevealTile


@final
class MoveSign(TypedDict):
    """Nature draws the sign."""

    sign: DrawSign


@final
class Options(TypedDict):
    """Options of a match, chosen when it starts."""

    sign: NotRequired[Sign]
    extraCompositions: NotRequired[bool]
    firstSeat: NotRequired[int]


@final
class Pass(TypedDict):
    """Complete no more compositions in this round."""


@final
class Picture(TypedDict):
    """The picture of a composition card in one rotation."""

    rows: list[str]


@final
class PictureCharacter(TypedDict):
    """A character in the pictures of composition cards."""

    character: str
    exploded: bool
    colour: Colour
    number: int


@final
class Pile(TypedDict):
    """A pile of the store."""

    size: int
    top: NotRequired[Tile]


@final
class PlaceTile(TypedDict):
    """Place the tile that was taken."""

    square: NotRequired[Square]


@final
class PlacedTile(TypedDict):
    """A tile of a display, in a State."""

    tile: TileId
    square: Square
    face: Face


@final
class RevealTile(TypedDict):
    """Nature turns up the top of a pile."""

    pile: int
    tile: TileId


@final
class RotateStore(TypedDict):
    """Rotate the store:"""

    offset: int


@final
class Scoring(TypedDict):
    """How applause is earned, and the points of the lines of a score."""

    sparkApplause: int
    perfectFinaleApplause: int
    maxApplause: int
    explodedTilePoints: int
    applausePoints: int
    majorityPoints: int


@final
class SeatState(TypedDict):
    """The full state of a seat, secrets included."""

    display: list[PlacedTile]
    tile: TileId
    placement: NotRequired[Square]
    cards: list[CompositionId]
    completed: list[CompositionId]
    applause: int
    launched: bool
    left: bool


@final
class SeatView(TypedDict):
    """A seat as one observer may see it."""

    display: list[DisplayTile]
    laid: int
    unlaid: list[Tile]
    tile: NotRequired[Tile]
    committed: bool
    placement: NotRequired[Square]
    cards: list[Composition]
    completed: list[Composition]
    applause: int
    launched: bool
    left: bool


@final
class Seating(TypedDict):
    """What depends on the number of seats."""

    seats: int
    arms: list[int]
    discards: int
    maxFirstSeat: int


Sign: TypeAlias = Literal[
    "SIGN_UNSPECIFIED",
    "SIGN_NONE",
    "SIGN_RANDOM",
    "SIGN_GOAT",
    "SIGN_ROOSTER",
    "SIGN_RABBIT",
    "SIGN_DOG",
    "SIGN_SNAKE",
    "SIGN_TIGER",
    "SIGN_RAT",
    "SIGN_MONKEY",
    "SIGN_DRAGON",
    "SIGN_PIG",
    "SIGN_OX",
    "SIGN_HORSE",
]
"""Sign of the zodiac that gives extra points at the end."""


@final
class SignComponent(TypedDict):
    """A sign."""

    sign: Sign
    counts: SignCount
    points: int
    colour: Colour
    number: int


SignCount: TypeAlias = Literal[
    "SIGN_COUNT_UNSPECIFIED",
    "SIGN_COUNT_COLUMN_WITH_ONE",
    "SIGN_COUNT_TILE_WITH_SPARK",
    "SIGN_COUNT_PAIR",
    "SIGN_COUNT_TILE_WITH_FREE_SIDE",
    "SIGN_COUNT_ENCLOSED_TILE",
    "SIGN_COUNT_TILE_OF_LARGEST_GROUP",
    "SIGN_COUNT_TILE_WITH_DIAGONAL_MATCH",
    "SIGN_COUNT_TILE_WITH_SIDE_MATCH",
    "SIGN_COUNT_SPARK",
    "SIGN_COUNT_FACING_ARROWS",
    "SIGN_COUNT_COLUMN_WITH_ALL_NUMBERS",
    "SIGN_COUNT_ROW_WITH_ALL_COLOURS",
]
"""What a sign counts in a display."""


@final
class Square(TypedDict):
    """A square of a display."""

    x: int
    y: int


Stage: TypeAlias = Literal[
    "STAGE_UNSPECIFIED",
    "STAGE_SETUP_STORE",
    "STAGE_SETUP_PATTERN",
    "STAGE_SETUP_COLOUR",
    "STAGE_SETUP_SIGN",
    "STAGE_SETUP_FIRST_SEAT",
    "STAGE_LAY",
    "STAGE_ORIENT",
    "STAGE_STOCK",
    "STAGE_PLACE",
    "STAGE_COMPOSE",
    "STAGE_PATTERN",
    "STAGE_COLOUR",
    "STAGE_FINALE",
    "STAGE_OVER",
]
"""Which kind of move comes next."""


@final
class State(TypedDict):
    """The full state of a position, secrets included."""

    options: Options
    stage: Stage
    round: int
    activeSeat: int
    composingSeat: int
    offset: int
    sign: Sign
    seats: list[SeatState]
    tops: list[TileId]
    undrawn: list[TileId]
    undrawnPatterns: list[CompositionId]
    undrawnColours: list[CompositionId]
    discards: list[TileId]
    replaced: list[TileId]
    reason: str
    rulesVersion: str


@final
class StoreComponent(TypedDict):
    """The store."""

    piles: int
    pileSize: int


@final
class Tile(TypedDict):
    """Properties of a tile, equal on both faces."""

    id: TileId
    colour: Colour
    number: int
    arrows: list[Direction]
    sparks: list[Direction]


@final
class TileComponent(TypedDict):
    """A tile; there is one of each."""

    tile: Tile
    startSeat: NotRequired[int]


TileId: TypeAlias = Literal[
    "TILE_ID_UNSPECIFIED",
    "TILE_ID_S1_1",
    "TILE_ID_S1_2",
    "TILE_ID_S1_3",
    "TILE_ID_S1_4",
    "TILE_ID_S2_1",
    "TILE_ID_S2_2",
    "TILE_ID_S2_3",
    "TILE_ID_S2_4",
    "TILE_ID_S3_1",
    "TILE_ID_S3_2",
    "TILE_ID_S3_3",
    "TILE_ID_S3_4",
    "TILE_ID_S4_1",
    "TILE_ID_S4_2",
    "TILE_ID_S4_3",
    "TILE_ID_S4_4",
    "TILE_ID_T01",
    "TILE_ID_T02",
    "TILE_ID_T03",
    "TILE_ID_T04",
    "TILE_ID_T05",
    "TILE_ID_T06",
    "TILE_ID_T07",
    "TILE_ID_T08",
    "TILE_ID_T09",
    "TILE_ID_T10",
    "TILE_ID_T11",
    "TILE_ID_T12",
    "TILE_ID_T13",
    "TILE_ID_T14",
    "TILE_ID_T15",
    "TILE_ID_T16",
    "TILE_ID_T17",
    "TILE_ID_T18",
    "TILE_ID_T19",
    "TILE_ID_T20",
    "TILE_ID_T21",
    "TILE_ID_T22",
    "TILE_ID_T23",
    "TILE_ID_T24",
    "TILE_ID_T25",
    "TILE_ID_T26",
    "TILE_ID_T27",
    "TILE_ID_T28",
    "TILE_ID_T29",
    "TILE_ID_T30",
    "TILE_ID_T31",
    "TILE_ID_T32",
    "TILE_ID_T33",
    "TILE_ID_T34",
    "TILE_ID_T35",
    "TILE_ID_T36",
    "TILE_ID_T37",
    "TILE_ID_T38",
    "TILE_ID_T39",
    "TILE_ID_T40",
    "TILE_ID_T41",
    "TILE_ID_T42",
    "TILE_ID_T43",
    "TILE_ID_T44",
    "TILE_ID_T45",
    "TILE_ID_T46",
    "TILE_ID_T47",
    "TILE_ID_T48",
]
"""A tile."""


@final
class View(TypedDict):
    """A position as one observer may see it."""

    stage: Stage
    round: int
    activeSeat: int
    composingSeat: int
    offset: int
    sign: Sign
    seats: list[SeatView]
    piles: list[Pile]
    undrawn: list[TileId]
    undrawnPatterns: list[CompositionId]
    undrawnColours: list[CompositionId]
    discards: list[TileId]
    replaced: list[TileId]
    unusedStartTiles: list[TileId]


Move: TypeAlias = (
    MoveLay
    | MoveOrient
    | MovePlace
    | MoveComplete
    | MovePassOn
    | MoveLaunch
    | MoveReveal
    | MoveDeal
    | MoveSign
    | MoveFirstSeat
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
GAME: Final[GameName[Components, Move, Options, State, View]] = GameName("spring_festival")
