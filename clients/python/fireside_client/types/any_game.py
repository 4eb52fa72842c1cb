"""Types of the API of any game; written by `generate.py`, not to be edited."""

from __future__ import annotations

from typing import TypeAlias

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

Components: TypeAlias = dict[str, object]
Move: TypeAlias = dict[str, object]
Options: TypeAlias = dict[str, object]
State: TypeAlias = dict[str, object]
View: TypeAlias = dict[str, object]

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
AnyGame: TypeAlias = GameName[Components, Move, Options, State, View]
