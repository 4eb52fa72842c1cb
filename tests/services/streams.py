"""Clients of `Watch` and `Play` of Fire Bulls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import TypeAlias

import grpc
from fireside.fire_bulls.v1 import fire_bulls_log_pb2 as log
from fireside.fire_bulls.v1 import fire_bulls_service_pb2 as verbs

from tests.services.client import SERVICE, FireBullsDriver

WatchCall: TypeAlias = "grpc.aio.UnaryStreamCall[verbs.WatchRequest, verbs.WatchResponse]"


def bearer_metadata(token: str) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {token}")] if token else []


def watch(
    channel: grpc.aio.Channel,
    match_id: str,
    after: int = 0,
    token: str = "",
    *,
    views: bool = False,
    batched: bool = False,
    locale: str = "",
) -> WatchCall:
    """Watch a match after a revision."""
    stub: grpc.aio.UnaryStreamMultiCallable[verbs.WatchRequest, verbs.WatchResponse] = channel.unary_stream(
        f"/{SERVICE}/Watch",
        request_serializer=verbs.WatchRequest.SerializeToString,
        response_deserializer=verbs.WatchResponse.FromString,
    )
    request = verbs.WatchRequest(match_id=match_id, from_revision=after, views=views, batched=batched, locale=locale)
    return stub(request, metadata=bearer_metadata(token))


async def events(call: WatchCall) -> AsyncIterator[log.Event]:
    """The log entries that a stream sends."""
    async for answer in call:
        if answer.WhichOneof("kind") == "event":
            yield answer.event


async def revisions(call: WatchCall) -> list[int]:
    """The revisions of all log entries, to the end of the stream."""
    return [event.revision async for event in events(call)]


async def play(
    channel: grpc.aio.Channel, requests: AsyncIterator[verbs.PlayRequest], token: str
) -> AsyncIterator[verbs.PlayResponse]:
    """Send requests to `Play`; its responses."""
    stub: grpc.aio.StreamStreamMultiCallable[verbs.PlayRequest, verbs.PlayResponse] = channel.stream_stream(
        f"/{SERVICE}/Play",
        request_serializer=verbs.PlayRequest.SerializeToString,
        response_deserializer=verbs.PlayResponse.FromString,
    )
    async for answer in stub(requests, metadata=bearer_metadata(token)):
        yield answer


class PlayClient:
    """Plays a seat at random over a `Play` stream and records what it receives; its first choice is an illegal move."""

    def __init__(self, driver: FireBullsDriver, seat: int) -> None:
        self._table = driver
        self._seat = seat
        self._random = Random(seat)
        self._sent_requests: asyncio.Queue[verbs.PlayRequest] = asyncio.Queue()
        self.events: list[int] = []
        self.refusals: list[str] = []
        self.seats_left: list[verbs.SeatEvent] = []
        self.turns = 0

    async def play_to_the_end(self) -> verbs.ScoreResponse:
        """Play until the match is over; the result."""
        join = verbs.Join(match_id=self._table.match_id, from_revision=0)
        self._sent_requests.put_nowait(verbs.PlayRequest(join=join))
        token = self._table.tokens[self._seat]
        async for answer in play(self._table.client.channel, self._requests(), token):
            if answer.HasField("over"):
                return answer.over.score
            self._handle_response(answer)
        raise AssertionError("the stream ended before the match")

    async def _requests(self) -> AsyncIterator[verbs.PlayRequest]:
        """The requests of the stream, as they are put into its queue."""
        while True:
            yield await self._sent_requests.get()

    def _handle_response(self, answer: verbs.PlayResponse) -> None:
        if answer.HasField("event"):
            self.events.append(answer.event.revision)
        elif answer.HasField("refusal"):
            self.refusals.append(answer.refusal.detail)
        elif answer.HasField("turn"):
            if answer.turn.moves:
                self._choose(answer.turn)
        else:
            self.seats_left.append(answer.seat)

    def _choose(self, turn: verbs.Turn) -> None:
        """Send a legal move of the turn; the first time, an illegal one."""
        assert (turn.match.seat, self._seat in turn.match.to_move) == (self._seat, True)
        assert not self.events or self.events[-1] == turn.match.revision
        if not self.turns:
            self._sent_requests.put_nowait(choice_request(turn, "take purple"))
        self.turns += 1
        self._sent_requests.put_nowait(choice_request(turn, self._random.choice(turn.moves).notation))


def choice_request(turn: verbs.Turn, notation: str) -> verbs.PlayRequest:
    return verbs.PlayRequest(choice=verbs.Choice(revision=turn.match.revision, notation=notation))
