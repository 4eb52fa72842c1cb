"""The streams of one game: who watches a match, and who plays a seat of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, cast

import grpc
from fireside.fire_bulls.v1 import field_numbers as fields  # those of every game alike: test_shape.py
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core import chain
from engine_core.errors import GameError
from runtime.telemetry import call_context
from services.engine import wire
from services.engine.codec import Codec, M, MessageClass, O, S, V, read_log_line, with_head
from services.engine.matches.log import MatchLog
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch
from services.engine.records.heads import place
from services.engine.request_checks import check_revision
from services.engine.requests import ApplyRequest, Choice, Join, PlayRequest, WatchRequest
from services.engine.responses import Responses
from services.engine.scores import score_of
from services.engine.seats import observer_of
from services.grpc_server.auth import Tokens
from services.grpc_server.calls import NextRequest, ResponseStream
from services.grpc_server.errors import InvalidRequest, ServiceError, Unauthenticated
from services.grpc_server.status import error_mapping, problem
from services.watch.feed import Feed, Following
from services.watch.watched_match import Shown, Watcher

Choose = Callable[[ApplyRequest, str], Awaitable[None]]

REFUSALS: Final = frozenset(
    {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED}
)
"""Errors of a choice after which its stream goes on."""


class Streams(Generic[S, M, O, V]):
    """Answers `Watch` and `Play`, in a place that the feed has; a choice is made by `choose`, as any other move."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        matches: MatchRepository[S, M, O, V],
        log: MatchLog[S, M, O, V],
        tokens: Tokens,
        feed: Feed,
        choose: Choose,
    ) -> None:
        methods = codec.service.methods_by_name
        self._codec: Final = codec
        self._responses: Final = Responses(codec)
        self._matches: Final = matches
        self._tokens: Final = tokens
        self._feed: Final = feed
        self._log: Final = log
        self._choose: Final = choose
        self._play_response: Final[MessageClass] = GetMessageClass(methods["Play"].output_type)
        self._apply_request: Final[MessageClass] = GetMessageClass(methods["Apply"].input_type)

    async def watch(self, request: WatchRequest, authorization: str, responses: ResponseStream) -> None:
        """The log behind a revision, then each line as it is added, until the match is over."""
        check_revision(request.from_revision, "fromRevision")
        claim = await self._tokens.claim(authorization)
        stored = await self._matches.peek(request.match_id)
        observer = observer_of(stored, claim)
        if stored.match.is_over() and request.from_revision == stored.match.revision:
            return  # not begun, so that a client can tell that there is nothing more to come
        async with self._follow(stored, request.from_revision) as watcher:
            head = await self._head(stored, request.from_revision, observer)
            await responses.begin()
            while lines := await watcher.lines():
                for line in lines:
                    event, head = line.shown(observer, head, shown)
                    await responses.send(wire.data(fields.WatchResponse.EVENT, event))

    async def _head(self, stored: StoredMatch[S, M, O, V], revision: int, observer: int) -> bytes:
        """The head of an observer after a line, from which its stream goes on."""
        return (await self._log.heads_at(stored, revision))[place(observer)]

    def _follow(self, stored: StoredMatch[S, M, O, V], after: int) -> Following:
        match_id = stored.facts.match_id
        return self._feed.follow(match_id, after, stored.match.revision, self._matches.is_over(match_id))

    async def play(self, join: Join, next_request: NextRequest, authorization: str, responses: ResponseStream) -> None:
        """Ask a seat whenever it is to move, and make the moves that it answers with, until the match is over."""
        call_context.tell(match_id=join.match_id)
        claim = await self._tokens.claim(authorization)
        if claim is None:
            raise Unauthenticated("to play needs the token of a seat")
        stored = await self._matches.peek(join.match_id)
        seat = observer_of(stored, claim)
        events = join.HasField("from_revision")
        async with self._follow(stored, join.from_revision if events else stored.match.revision) as watcher:
            head = await self._head(stored, join.from_revision, seat) if events else None
            await responses.begin()
            asking = self._ask(join.match_id, seat, watcher, head, responses)
            await _first_of(asking, self._listen(join.match_id, next_request, authorization, responses))

    async def _ask(
        self, match_id: str, seat: int, watcher: Watcher, head: bytes | None, responses: ResponseStream
    ) -> None:
        """Send the events after a head, if there is one, the turns, and the result when the match is over."""
        last = -1
        while True:
            stored = await self._matches.peek_at(match_id, watcher.end)
            match = stored.match
            if match.revision == watcher.revision:  # and not when there are lines before it to be told
                if match.is_over():
                    return await responses.send(self._said(over=score_of(match, self._responses.score)))
                if seat in match.to_move() and last != (last := match.asked_at(seat)):
                    await responses.send(self._turn(stored, seat))
            for line in await watcher.lines():
                if head is not None:
                    event, head = line.shown(seat, head, shown)
                    await responses.send(wire.data(fields.PlayResponse.EVENT, event))

    def _turn(self, stored: StoredMatch[S, M, O, V], seat: int) -> bytes:
        return wire.data(fields.PlayResponse.TURN, self._responses.turn(stored.match, seat, stored.facts))

    def _said(self, **message: Message) -> bytes:
        return self._play_response(**message).SerializeToString()

    async def _listen(
        self, match_id: str, next_request: NextRequest, authorization: str, responses: ResponseStream
    ) -> None:
        """Make what the client chooses; a choice that is refused changes nothing, and the turn stands."""
        while (request := cast(PlayRequest | None, await next_request())) is not None:
            try:
                if request.WhichOneof("message") != "choice":
                    raise InvalidRequest("choice", "after the first message there are choices only")
                await self._choose(self._request(match_id, request.choice), authorization)
            except (GameError, ServiceError) as error:
                if error_mapping(error).code not in REFUSALS:
                    raise
                await responses.send(self._said(refusal=problem(error)))

    def _request(self, match_id: str, choice: Choice) -> ApplyRequest:
        kind = choice.WhichOneof("choice")
        chosen = {kind: getattr(choice, kind)} if kind else {}
        return cast(ApplyRequest, self._apply_request(match_id=match_id, expected_revision=choice.revision, **chosen))


def shown(line: bytes, observer: int, head: bytes) -> Shown:
    """A line of the log as an observer is sent it, whose head was `head` before it, and the head after it."""
    event = read_log_line(line).seen_by(observer)
    head = chain.after(head, event)
    return with_head(event, head), head


async def joined(next_request: NextRequest) -> Join:
    """What a stream of play is about: its first message. Raises `InvalidRequest`."""
    request = cast(PlayRequest | None, await next_request())
    if request is None or request.WhichOneof("message") != "join":
        raise InvalidRequest("join", "the first message must join a match")
    if request.join.HasField("from_revision"):
        check_revision(request.join.from_revision, "join.fromRevision")
    return request.join


async def _first_of(*works: Awaitable[None]) -> None:
    """Do several things at once until one of them ends, and end the others."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
