"""Streams of one game: `Watch` a match, or `Play` a seat of it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from enum import Enum, auto
from typing import Any, Final, Generic, cast

import grpc
from fireside.match.v1 import game_field_numbers as fields
from fireside.match.v1.match_pb2 import SeatChange, SeatSpec
from google.protobuf.message_factory import GetMessageClass

from engine_core import chain
from engine_core.errors import GameError
from engine_core.game import SPECTATOR, View
from engine_core.match import LEAVE, Match
from engine_core.words import Words
from runtime.telemetry import call_context
from runtime.until_first import until_first
from services.engine import wire
from services.engine.codec import Codec, M, MessageClass, O, S, V, read_log_line, with_head
from services.engine.matches.log import MatchLog
from services.engine.matches.past import copy_of
from services.engine.matches.repository import MatchRepository
from services.engine.matches.shown import ShownPositions
from services.engine.matches.stored_match import StoredMatch
from services.engine.presentation.localization import Localization
from services.engine.presentation.narrator import Narrator
from services.engine.records.heads import head_index
from services.engine.records.replaying import Replays
from services.engine.requests.checks import check_revision
from services.engine.requests.messages import ApplyRequest, Choice, Join, PlayRequest, WatchRequest
from services.engine.requests.seats import check_is_seat, observer_of
from services.engine.responses import Responses
from services.engine.scores import score_of
from services.engine.tables.seating import change_to
from services.grpc_server.auth import Claim, SeatTokens
from services.grpc_server.calls import NextRequest, ResponseStream
from services.grpc_server.errors import InvalidRequest, ServiceError, StoreUnavailable
from services.grpc_server.status import error_mapping, problem
from services.watch.feed import Feed, FollowContext
from services.watch.watched_match import CurrentTurn, ObservedEvent, WatchedLine, Watcher

Choose = Callable[[ApplyRequest, str], Awaitable[None]]

REFUSAL_CODES: Final = frozenset(
    {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED}
)
"""Status codes of a refused choice after which the stream continues."""
LEAVE_BYTES: Final = LEAVE.encode()


class Views(Enum):
    """Which turns of a stream have the match as the observer sees it, and its legal moves."""

    NONE = auto()
    OWN_TURNS = auto()
    ALL = auto()


class Batches:
    """Collects the responses to one step, and sends them as one message if the client asks for batches.

    Every message is a system call here and several in the gateway: 40 % of a move's processor time in the engine.
    """

    def __init__(self, responses: ResponseStream, is_batched: bool) -> None:
        self._responses: Final = responses
        self._is_batched: Final = is_batched
        self._pending: list[bytes] = []

    def add(self, response: bytes) -> None:
        """Add an encoded response."""
        self._pending.append(response)

    async def send(self) -> None:
        """Send what was added since the last call."""
        messages, self._pending = self._pending, []
        if self._is_batched and len(messages) > 1:
            parts = [wire.data(fields.WatchBatch.RESPONSES, message) for message in messages]
            messages = [wire.data(fields.WatchResponse.BATCH, b"".join(parts))]
        for message in messages:
            await self._responses.send(message)


class _Follower:
    """One stream: who it is for, and what it has been sent."""

    def __init__(
        self,
        stored: StoredMatch[Any, Any, Any, Any],
        claim: Claim | None,
        views: Views,
        *,
        sends_all: bool,
        words: Words | None,
    ) -> None:
        """Raises what `observer_of` raises."""
        self.match_id: Final = stored.match_id
        self.claim: Final = claim
        self.observer: Final = observer_of(stored, claim)
        self.views: Final = views
        self.sends_all: Final = sends_all
        """Whether it is sent log lines, seats and the turns of others."""
        self.words: Final = words
        """The texts of its moves; None for a stream without texts."""
        self.head = b""
        """Head of the observer's hash chain after the last line that was sent; empty before the match begins."""
        self.waiting = stored.seating.waiting
        self.sent_seats: Sequence[SeatSpec] = stored.header.seats
        """The players of whom it knows: at first those with whom the match was started."""
        self.seats: Sequence[SeatSpec] = stored.facts.seats
        """The players now."""
        self.view: View | None = None
        """The view of a turn with legal moves while it is sent."""
        self.clauses: tuple[tuple[int, tuple[str, ...]], ...] = ()
        """What log lines brought, by revision, while they are sent with texts."""


class Streams(Generic[S, M, O, V]):
    """Serves `Watch` and `Play`; `choose` makes a move as `Apply` does."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        matches: MatchRepository[S, M, O, V],
        log: MatchLog[S, M, O, V],
        shown: ShownPositions[S, M, O, V],
        replays: Replays[S, M, O, V],
        tokens: SeatTokens,
        feed: Feed,
        localization: Localization,
        choose: Choose,
    ) -> None:
        methods = codec.service.methods_by_name
        self._codec: Final = codec
        self._responses: Final = Responses(codec)
        self._matches: Final = matches
        self._tokens: Final = tokens
        self._feed: Final = feed
        self._log: Final = log
        self._shown: Final = shown
        self._replays: Final = replays
        self._localization: Final = localization
        self._choose: Final = choose
        self._methods: Final = methods
        self._reads: Final[dict[tuple[str, int], asyncio.Future[StoredMatch[S, M, O, V]]]] = {}
        over = methods["Watch"].output_type.fields_by_name["over"].message_type
        assert over is not None
        self._over: Final[MessageClass] = GetMessageClass(over)
        self._play_response: Final[MessageClass] = GetMessageClass(methods["Play"].output_type)
        self._apply_request: Final[MessageClass] = GetMessageClass(methods["Apply"].input_type)

    async def watch(self, request: WatchRequest, authorization: str, responses: ResponseStream) -> None:
        """Send the log after a revision, then each new line, with the turns, until the match is over."""
        check_revision(request.from_revision, "fromRevision")
        words = self._localization.requested_words(request.locale)
        claim = await self._tokens.claim(authorization)
        stored = await self._matches.peek(request.match_id)
        follower = _Follower(stored, claim, Views.ALL if request.views else Views.NONE, sends_all=True, words=words)
        responses = self._localization.stream(self._methods["Watch"], follower, responses)
        async with self._follow(stored, request.from_revision, follower.observer) as watcher:
            await self._begin_log(follower, stored, request.from_revision)
            await responses.begin()
            await self._send_all(follower, watcher, Batches(responses, request.batched))

    async def _begin_log(self, follower: _Follower, stored: StoredMatch[S, M, O, V], revision: int) -> None:
        """Set the head of the observer's hash chain after a revision, with which its stream begins."""
        if not stored.seating.waiting:  # the chain begins with the players
            follower.head = (await self._log.heads_at(stored, revision))[head_index(follower.observer)]

    async def _send_all(self, follower: _Follower, watcher: Watcher, batches: Batches) -> None:
        """Send lines, seats and turns until the match is over; or only the turns of the observer's seat."""
        last_key: tuple[int, ...] | None = None
        await watcher.reach_start()
        self._add_seat_events(follower, watcher.revision, batches)
        while True:
            turn = await (self._late_turn if watcher.is_late else self._current_turn)(follower, watcher)
            if turn is not None and turn.key != last_key:
                last_key = turn.key
                if follower.sends_all or turn.is_own or turn.is_last:
                    batches.add(turn.response)
                    follower.view = turn.view
            await batches.send()
            follower.view, follower.clauses = None, ()
            if turn is not None and turn.is_last:
                return
            lines = await watcher.lines()
            if watcher.seats_changed:
                await self._read_seats(follower, watcher)
                self._add_seat_events(follower, watcher.revision, batches)
            elif not lines:
                return
            if follower.words is not None and follower.sends_all:
                follower.clauses = await self._clauses(follower, follower.words, watcher, lines)
            for line in lines:
                if follower.sends_all:
                    event, follower.head = line.observed(follower.observer, follower.head, event_and_head)
                    batches.add(wire.data(fields.WatchResponse.EVENT, event))
                    if seat_left := self._seat_left(line.revision, event):
                        batches.add(wire.data(fields.WatchResponse.SEAT, seat_left))

    async def _clauses(
        self, follower: _Follower, words: Words, watcher: Watcher, lines: Sequence[WatchedLine]
    ) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """What lines brought, by revision: computed once for all who see them alike and in the same words."""
        if not lines:
            return ()
        words = self._localization.with_names(words, follower.seats)
        key = follower.observer, words.locale, words.players
        if not all(key in line.clauses for line in lines):
            start = watcher.positions.get(lines[0].revision - 1)
            match = copy_of(start) if start else await self._position(follower.match_id, watcher, lines[0].revision - 1)
            narrator = Narrator(self._codec.game, match.state, follower.observer, words, {})
            await self._replays.narrate(narrator, match, [read_log_line(line.data).event for line in lines])
            watcher.add_position(match)
            for line in lines:
                line.clauses[key] = narrator.clauses.get(line.revision, ())
        return tuple([(line.revision, line.clauses[key]) for line in lines])

    async def _position(self, match_id: str, watcher: Watcher, revision: int) -> Match[S, M, O, V]:
        """A copy of the position at a revision. Raises what `ShownPositions.copy_at` and `Watcher.pause` raise."""
        while True:
            try:
                return await self._shown.copy_at(await self._matches.peek(match_id), revision)
            except StoreUnavailable:
                await watcher.pause()

    async def _read_seats(self, follower: _Follower, watcher: Watcher) -> None:
        """Read who has the seats now. Raises `Unauthenticated` if the token of the stream has been replaced."""
        while True:
            try:
                stored = await self._matches.peek(follower.match_id)
                break
            except StoreUnavailable:
                await watcher.pause()
        observer_of(stored, follower.claim)
        watcher.set_seating(stored.seating.encoded)
        has_begun = follower.waiting and not stored.seating.waiting
        follower.waiting = stored.seating.waiting
        follower.seats = stored.facts.seats
        if has_begun and follower.sends_all:
            await self._begin_log(follower, stored, 0)

    def _add_seat_events(self, follower: _Follower, revision: int, batches: Batches) -> None:
        """Add what has happened to the seats since the stream was last sent them."""
        before, follower.sent_seats = follower.sent_seats, follower.seats
        if not follower.sends_all:
            return
        for seat, (old, player) in enumerate(zip(before, follower.seats, strict=True)):
            if player != old:
                change = change_to(player)
                known = None if player.HasField("open") else player
                event = self._responses.seat_event(revision, seat, change, known)
                batches.add(wire.data(fields.WatchResponse.SEAT, event))

    async def _current_turn(self, follower: _Follower, watcher: Watcher) -> CurrentTurn | None:
        """The turn, or the end, of a match for a watcher that has all lines; None for one that lacks some.

        For all who watch here the match is read once, and the turn is encoded once for each observer.
        """
        match_id, observer = follower.match_id, follower.observer
        form = follower.views, follower.words is not None
        while watcher.revision == watcher.end:
            turn = watcher.current_turns.get((observer, form))
            if turn is not None:
                return turn
            try:
                # After a step of this process the match is cached: no task is needed to read it.
                cached = self._matches.cached_at(match_id, watcher.revision)
                stored = cached or await self._current(match_id, watcher.revision)
            except StoreUnavailable:
                await watcher.pause()
                continue
            if stored.match.revision == watcher.revision == watcher.end:
                turn = watcher.current_turns[observer, form] = self._encoded_turn(stored, observer, *form)
                return turn
            if stored.is_stored:
                return None  # the lines that the watcher lacks are on their way
            # else this process is making a step, which may yet fail: the match is read from the store
        return None

    async def _late_turn(self, follower: _Follower, watcher: Watcher) -> CurrentTurn | None:
        """The turn of the position that spectators see late; None if a later one is on its way, or the match is over.

        There is one for each position, since `phase_start` of an earlier position is unknown.
        """
        key = SPECTATOR, (follower.views, watcher.revision)
        while watcher.is_late and watcher.revision == watcher.end:
            if turn := watcher.current_turns.get(key):
                return turn
            try:
                stored = await self._current(follower.match_id, watcher.read_revision)
                match, facts = await self._shown.at(stored, SPECTATOR, watcher.revision)
            except StoreUnavailable:
                await watcher.pause()
                continue
            encoded = self._responses.turn(match, SPECTATOR, facts, view=follower.views is Views.ALL)
            turn = CurrentTurn((match.revision, facts.waiting), wire.data(fields.WatchResponse.TURN, encoded))
            watcher.current_turns[key] = turn
            return turn
        return None

    def _encoded_turn(
        self, stored: StoredMatch[S, M, O, V], observer: int, views: Views, has_texts: bool
    ) -> CurrentTurn:
        match = stored.match
        if match.is_over():
            over = self._over(revision=match.revision, score=score_of(match, self._responses.score))
            return CurrentTurn((), wire.data(fields.WatchResponse.OVER, over.SerializeToString()), is_last=True)
        is_own = observer in match.to_move()
        view = views is Views.ALL or (views is Views.OWN_TURNS and is_own)
        turn = self._responses.turn(match, observer, stored.facts, view=view)
        deadlines = [time.deadline_ms for time in stored.facts.times]
        key = _turn_key(match, observer, views, deadlines)
        response = wire.data(fields.WatchResponse.TURN, turn)
        # Built now, since the match goes on, and for texts only: 17 % of the time of a turn of Fireship.
        known = self._codec.game.view(match.state, observer) if has_texts and view and is_own else None
        return CurrentTurn(key, response, is_own=is_own, view=known)

    def _seat_left(self, revision: int, event: bytes) -> bytes:
        """That the player of a seat has left by an event; empty for most events."""
        if LEAVE_BYTES not in event:  # saves decoding it
            return b""
        message = self._codec.messages.event.FromString(event)
        is_leave = message.notation == LEAVE  # type: ignore[attr-defined]
        if not is_leave:
            return b""
        return self._responses.seat_event(revision, message.seat, SeatChange.SEAT_CHANGE_LEFT)  # type: ignore[attr-defined]

    async def _current(self, match_id: str, revision: int) -> StoredMatch[S, M, O, V]:
        """The match at or after a revision, read once for all who wait for it; they may be cancelled one by one."""
        key = match_id, revision
        if key not in self._reads:
            self._reads[key] = asyncio.create_task(self._read(key), context=Context())
            self._reads[key].add_done_callback(_mark_error_retrieved)
        return await asyncio.shield(self._reads[key])  # no variable: the error of the task would be in a cycle

    async def _read(self, key: tuple[str, int]) -> StoredMatch[S, M, O, V]:
        """Read a match. A later call begins another read, so a loop of reads yields to the event loop each time."""
        try:
            return await self._matches.peek_at(*key)
        finally:
            del self._reads[key]

    def _follow(self, stored: StoredMatch[S, M, O, V], after: int, observer: int) -> FollowContext:
        match_id, revision = stored.facts.match_id, stored.match.revision
        is_delayed = observer == SPECTATOR and not stored.match.is_over()
        delay = stored.header.spectator_delay if is_delayed else 0
        return self._feed.follow(
            match_id, after, revision, self._matches.is_over(match_id), stored.seating.encoded, delay
        )

    async def play(self, join: Join, next_request: NextRequest, authorization: str, responses: ResponseStream) -> None:
        """Send a seat its turns and make the moves that it chooses, until the match is over."""
        call_context.add(match_id=join.match_id)
        words = self._localization.requested_words(join.locale)
        claim = check_is_seat(await self._tokens.claim(authorization), "Play")
        stored = await self._matches.peek(join.match_id)
        follower = _Follower(stored, claim, Views.OWN_TURNS, sends_all=join.HasField("from_revision"), words=words)
        responses = self._localization.stream(self._methods["Play"], follower, responses)
        after = join.from_revision if follower.sends_all else stored.match.revision
        async with self._follow(stored, after, follower.observer) as watcher:
            if follower.sends_all:
                await self._begin_log(follower, stored, join.from_revision)
            await responses.begin()
            # PlayResponse has the fields of WatchResponse, with the same numbers.
            events = self._send_all(follower, watcher, Batches(responses, join.batched))
            await until_first(events, self._make_choices(join.match_id, next_request, authorization, responses))

    async def _make_choices(
        self, match_id: str, next_request: NextRequest, authorization: str, responses: ResponseStream
    ) -> None:
        """Make the client's moves; a refused one changes nothing, and the turn remains open."""
        while (request := cast(PlayRequest | None, await next_request())) is not None:
            try:
                if request.WhichOneof("message") != "choice":
                    raise InvalidRequest("choice", "only choices are allowed after the first message")
                await self._choose(self._request(match_id, request.choice), authorization)
            except (GameError, ServiceError) as error:
                if error_mapping(error).code not in REFUSAL_CODES:
                    raise
                await responses.send(self._play_response(refusal=problem(error)).SerializeToString())

    def _request(self, match_id: str, choice: Choice) -> ApplyRequest:
        kind = choice.WhichOneof("choice")
        chosen = {kind: getattr(choice, kind)} if kind else {}
        return cast(ApplyRequest, self._apply_request(match_id=match_id, expected_revision=choice.revision, **chosen))


def _mark_error_retrieved(read: asyncio.Future[StoredMatch[S, M, O, V]]) -> None:
    """Mark the error of a read as retrieved: all who waited for it may have been cancelled."""
    if not read.cancelled():
        read.exception()


def _turn_key(match: Match[S, M, O, V], observer: int, views: Views, deadlines: Sequence[int]) -> tuple[int, ...]:
    """What differs from turn to turn for an observer: a stream sends a turn once."""
    if views is Views.ALL:  # any step may change a view
        return (match.revision,)
    to_move = match.to_move()
    if observer not in to_move:
        # A seat that owes several choices of a phase gets a new deadline with each, in a match with banks of time.
        return (match.phase_start, *to_move, *deadlines)
    # The simultaneous choices of other seats do not change the turn of a seat that has not chosen.
    began = match.turn_began_at(observer)
    return (began,) if views is Views.OWN_TURNS else (began, *to_move, *deadlines)


def event_and_head(line: bytes, observer: int, head: bytes) -> ObservedEvent:
    """The event of a line as sent to an observer, and the observer's head after it; `head` is that before it."""
    event = read_log_line(line).seen_by(observer)
    head = chain.next_head(head, event)
    return with_head(event, head), head


async def read_join(next_request: NextRequest) -> Join:
    """The first message of a `Play` stream. Raises `InvalidRequest`."""
    request = cast(PlayRequest | None, await next_request())
    if request is None or request.WhichOneof("message") != "join":
        raise InvalidRequest("join", "the first message must join a match")
    if request.join.HasField("from_revision"):
        check_revision(request.join.from_revision, "join.fromRevision")
    return request.join
