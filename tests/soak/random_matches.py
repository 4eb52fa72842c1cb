"""Random matches played by clients that retry until they get a response, and the moves that were acknowledged."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Protocol, cast

from fireside.match.v1.match_pb2 import SeatSpec, SeatToken
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codecs import AnyCodec
from tests.soak.clients import ApiClient, CallRefused, NoResponse

FIRST_WAIT_SECONDS = 0.02
LONGEST_WAIT_SECONDS = 1.0
SENT_TWICE_SHARE = 0.1
"""Share of the moves that are sent twice, concurrently, with one request id."""


class MatchMessage(Protocol):
    """What the `Match` messages of all games have in common."""

    revision: int
    to_move: Sequence[int]
    over: bool


class EventMessage(Protocol):
    """What the `Event` messages of all games have in common."""

    revision: int
    seat: int
    notation: str


class ResponseMessage(Protocol):
    """What the responses of all games have in common; a response has some of these fields."""

    match_id: str
    match: MatchMessage
    seats: Sequence[SeatToken]
    moves: Sequence[EventMessage]
    events: Sequence[EventMessage]


@dataclass(frozen=True)
class AcknowledgedMove:
    """A move that the service has acknowledged: the log must have it once, at that revision."""

    revision: int
    seat: int
    notation: str


@dataclass
class AcknowledgedMoves:
    """The acknowledged moves of each match, and counts of attempts."""

    by_match: dict[str, list[AcknowledgedMove]] = field(default_factory=dict)
    games: dict[str, tuple[AnyCodec, int]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)


class RetryingPlayer:
    """Retries calls until they get a response, each attempt by a random client."""

    def __init__(
        self, apis: Sequence[ApiClient], random: Random, acknowledged: AcknowledgedMoves, longest_wait: float
    ) -> None:
        self._apis = apis
        self._random = random
        self._acknowledged = acknowledged
        self._longest_wait = longest_wait

    async def call(self, codec: AnyCodec, method: str, token: str = "", **fields: object) -> ResponseMessage:
        """The response to a call. Raises `CallRefused`."""
        request = _build_request(codec, method, fields)
        wait = min(FIRST_WAIT_SECONDS, self._longest_wait)
        while True:
            try:
                response = await self._random.choice(self._apis).call(codec, method, request, token)
                return cast(ResponseMessage, response)
            except NoResponse:
                self._acknowledged.counts["retries"] += 1
                await asyncio.sleep(wait * (0.5 + self._random.random()))
                wait = min(2 * wait, self._longest_wait)


def _build_request(codec: AnyCodec, method: str, fields: dict[str, object]) -> Message:
    return GetMessageClass(codec.service.methods_by_name[method].input_type)(**fields)


class RandomMatches:
    """Plays matches of one game, one after the other, for all their seats."""

    def __init__(
        self,
        codec: AnyCodec,
        apis: Sequence[ApiClient],
        random: Random,
        acknowledged: AcknowledgedMoves,
        longest_wait: float = LONGEST_WAIT_SECONDS,
    ) -> None:
        self._codec = codec
        self._player = RetryingPlayer(apis, random, acknowledged, longest_wait)
        self._random = random
        self._acknowledged = acknowledged
        self._numbers = count()
        self._match_id = ""
        self._tokens: list[str] = []

    async def play(self, stopping: asyncio.Event) -> None:
        """Play until `stopping` is set; every move that was sent has a response by then."""
        while not stopping.is_set():
            match = await self.start_match()
            while not match.over and not stopping.is_set():
                match = await self.play_round(match)
            self._acknowledged.counts["matches finished"] += match.over

    async def start_match(self) -> MatchMessage:
        """Begin a match."""
        seats = self._random.randint(self._codec.game.min_seats, self._codec.game.max_seats)
        response = await self._player.call(self._codec, "NewGame", seats=[SeatSpec() for _ in range(seats)])
        self._match_id, self._tokens = response.match_id, [seat.token for seat in response.seats]
        self._acknowledged.by_match[self._match_id] = []
        self._acknowledged.games[self._match_id] = self._codec, seats
        return response.match

    async def play_round(self, match: MatchMessage) -> MatchMessage:
        """Let all seats that are to move do so, concurrently; the match afterwards."""
        to_move = list(match.to_move)
        responses = await asyncio.gather(*[self._move(seat) for seat in to_move])
        if len(to_move) == 1 and responses[0] is not None:
            return responses[0].match
        return (await self._player.call(self._codec, "GetMatch", match_id=self._match_id)).match

    async def _move(self, seat: int) -> ResponseMessage | None:
        token = self._tokens[seat]
        moves = (await self._player.call(self._codec, "LegalMoves", token, match_id=self._match_id)).moves
        if not moves:
            return None
        choice = self._random.choice(moves).notation
        try:
            response = await self._send_move(token, choice, f"{seat}/{next(self._numbers)}")
        except CallRefused as refused:
            if refused.reason != "STALE_REVISION":
                raise
            self._acknowledged.counts["aborted"] += 1
            return None
        first = next(event for event in response.events if not event.notation.startswith("epoch "))
        assert (first.seat, first.notation) == (seat, choice)
        self._acknowledged.by_match[self._match_id].append(AcknowledgedMove(first.revision, seat, choice))
        return response

    async def _send_move(self, token: str, notation: str, request_id: str) -> ResponseMessage:
        fields: dict[str, object] = {"match_id": self._match_id, "notation": notation, "request_id": request_id}
        twice = self._random.random() < SENT_TWICE_SHARE
        self._acknowledged.counts["moves sent twice"] += twice
        calls = [self._player.call(self._codec, "Apply", token, **fields) for _ in range(1 + twice)]
        responses = await asyncio.gather(*calls)
        assert all(response == responses[0] for response in responses)
        return responses[0]
