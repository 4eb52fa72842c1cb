"""The servicer of every game: given the codec of a version of its rules it answers the calls about it."""

from __future__ import annotations

import logging
from asyncio import to_thread
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar, cast

from fireside.match.v1.match_pb2 import SeatToken
from google.protobuf.message import Message

from engine_core.bots import SERVED_LIMITS, Limits
from engine_core.game import NATURE, SPECTATOR, Move, Options, State, View
from engine_core.match import Entry, Match
from runtime.api_keys import ApiKeys
from runtime.telemetry import call_context
from services.bots.names import check_name
from services.bots.remote.allowed import BotAddress
from services.engine.codec import Codec
from services.engine.inline import batch
from services.engine.inline.batch import BatchCalls
from services.engine.inline.fast_path import SEED_MOST, InlineMoves
from services.engine.inline.state_cache import StateCache, luck
from services.engine.matches.beginnings import beginning, check_request_id
from services.engine.matches.clocks import checked_clock
from services.engine.matches.moves import ResponseBuilder, StoredMoves, check_revision
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import Added, StoredMatch
from services.engine.records.heads import FULL, place
from services.engine.records.records import Records, signed_bytes
from services.engine.records.signing import SigningKeys, is_signed
from services.engine.requests import (
    ApplyRequest,
    BatchApplyRequest,
    GetMatchRequest,
    GetRecordRequest,
    HistoryRequest,
    LeaveRequest,
    LegalMovesRequest,
    NewGameRequest,
    PositionRequest,
    SampleRequest,
)
from services.engine.responses import INLINE, Responses, repeated
from services.engine.scores import score_of
from services.engine.seats import mover, named_seat, observer_of, own_seat
from services.engine.streams import Streams
from services.grpc_server.admission import callers
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.auth import Claim, Tokens, check_api_key
from services.grpc_server.calls import Behaviour
from services.grpc_server.errors import InvalidRequest, LogContradictsSnapshot, Unauthenticated
from services.grpc_server.fast_path import FastPathBehaviour
from services.store.match_store import Store
from services.watch.feed import Feed

log = logging.getLogger(__name__)

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)
T = TypeVar("T")

NAME_MOST: Final = 64
REQUEST_ID_MOST: Final = 64
LINES_MOST: Final = 1000
"""Lines of a page of a history."""


class Servicer(Generic[S, M, O, V]):
    """Answers the calls about one version of a game, on stored matches and on inline states."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        store: Store,
        tokens: Tokens,
        signing: SigningKeys,
        feed: Feed,
        keys: ApiKeys | None = None,
        bot_allow: Sequence[BotAddress] = (),
        bot_limits: Limits = SERVED_LIMITS,
        long_work: LongWork | None = None,
    ) -> None:
        """`long_work`: what all servicers of a process share."""
        self._codec: Final = codec
        self._game: Final = codec.game
        self._responses: Final = Responses(codec)
        self._states: Final = StateCache(codec)
        self._inline_moves: Final = InlineMoves(codec, self._responses, self._states)
        self._matches: Final = MatchRepository(codec, store, signing, feed)
        self._stored_moves: Final = StoredMoves(codec, self._responses, self._matches)
        self._records: Final = Records(codec)
        self._store: Final = store
        self._tokens: Final = tokens
        self._keys: Final = keys or ApiKeys()
        self._bot_allow: Final = bot_allow
        self._bot_limits: Final = bot_limits
        self.rules_version: Final = codec.rules_version
        """The version of the rules that it plays by."""
        self.first_rules_version: Final = codec.first_rules_version
        self.service: Final = codec.service
        self.streams: Final = Streams(codec, self._matches, tokens, feed, observer_of, self.choose)
        self._long_work: Final = long_work or LongWork()
        self._batch_calls: Final = BatchCalls(
            codec, self._responses, self._one_of_many, self._inline_moves.fast_apply, self._long_work
        )

    def behaviours(self) -> dict[str, Behaviour]:
        """The calls about one position that have one answer, by the names of their methods."""
        behaviours = {
            "LegalMoves": self.legal_moves,
            "Apply": self.apply,
            "Score": self.score,
            "GetMatch": self.match,
            "History": self.history,
            "Sample": self.sample,
            "GetRecord": self.record,
            "Leave": self.leave,
        }
        return cast(dict[str, Behaviour], behaviours)

    def fast_paths(self) -> dict[str, FastPathBehaviour]:
        """The calls that can be answered without reading a message, by the names of their methods."""
        return {"Apply": self._inline_moves.fast_apply}

    async def rules_version_of(self, match_id: str) -> str:
        """The version of the rules that a match was begun by; empty for a match that there is not."""
        return await self._matches.rules_version_of(match_id)

    async def new_game(self, request: NewGameRequest, api_key: str) -> bytes:
        """Begin a match, stored or not; one that is stored may ask for an API key."""
        if self._keys and not request.ephemeral:
            check_api_key(self._keys, api_key)
        state = self._game.start(len(request.seats), self._codec.decode_options(request.options))
        _check_text(request.client_seed, SEED_MOST, "clientSeed")
        _check_text(request.request_id, REQUEST_ID_MOST, "requestId")
        for number, seat in enumerate(request.seats):
            _check_text(seat.name, NAME_MOST, f"seats[{number}].name")
            self._check_bot(seat.bot, request.ephemeral, f"seats[{number}].bot")
        clock = checked_clock(request, ends_by_time=self._game.time_up(state) is not None)
        if request.ephemeral:
            return self._begin_inline(state, request)
        batch.refuse_by_hand(request)
        check_request_id(request.request_id, api_key if self._keys else "")
        seeds = [request.client_seed] if request.client_seed else []
        named = await beginning(self._store, self.service.full_name, request, api_key if self._keys else "")
        caller = callers.caller(self._keys.holder(api_key) if self._keys else "")
        stored = await self._matches.begin(
            state, request.seats, seeds, clock, private=request.private, named=named, caller=caller
        )
        call_context.tell(match_id=stored.facts.match_id)
        answer = self._responses.new_game(stored.match, stored.facts, await self._seat_tokens(stored))
        self._matches.put(stored)
        return answer

    def _check_bot(self, bot: str, ephemeral: bool, field: str) -> None:
        if bot and ephemeral:
            raise InvalidRequest(field, "an inline state has no hosted seats")
        if bot:
            check_name(bot, self._bot_allow, field, self._bot_limits)

    def _begin_inline(self, state: S, request: NewGameRequest) -> bytes:
        by_hand = _is_by_hand(request, request.client_seed, "clientSeed")
        drawn = None if by_hand else luck(request.client_seed, self._codec.write_state(state))
        match = Match(self._game, state, drawn)
        match.begin()
        return self._responses.new_game(match, INLINE, [])

    async def _seat_tokens(self, stored: StoredMatch[S, M, O, V]) -> list[SeatToken]:
        """A token for each seat that no bot plays."""
        claims = [Claim(stored.facts.match_id, seat) for seat, spec in enumerate(stored.facts.seats) if not spec.bot]
        tokens = await self._tokens.sign(claims, stored.header.begun_ms // 1000)
        return [SeatToken(seat=claim.seat, token=token) for claim, token in zip(claims, tokens, strict=True)]

    async def legal_moves(self, request: LegalMovesRequest, authorization: str) -> bytes:
        """What a seat may choose now; nothing, and no error, when it is not to move."""
        if _is_inline(request):
            match = self._inline(request)
            return self._responses.legal_moves(match, mover(request, self._game.seats(match.state)), 0)
        batch.refuse_nature(request)
        claim = await self._tokens.claim(authorization)
        stored = await self._matches.peek(request.match_id)
        seat = own_seat(request, stored, claim)
        return self._responses.legal_moves(stored.match, seat, stored.match.revision)

    async def apply(self, request: ApplyRequest, authorization: str) -> bytes:
        """Make a move, and nature's that follow it."""
        move = self._checked_choice(request)
        if _is_inline(request):
            return self._play_inline(request, move)[1]
        return await self._apply_by(request, move, authorization, self._stored_moves.stepped)

    async def choose(self, request: ApplyRequest, authorization: str) -> None:
        """Make a move in a stored match of which nobody wants to hear."""
        await self._apply_by(request, self._checked_choice(request), authorization, no_response)

    async def _apply_by(
        self, request: ApplyRequest, move: M, authorization: str, build_response: ResponseBuilder[S, M, O, V]
    ) -> bytes:
        claim = await self._tokens.claim(authorization)
        if claim is None:
            raise Unauthenticated("a move needs the token of its seat")
        if request.seed:
            raise InvalidRequest("seed", "a stored match has seeds of its own")
        batch.refuse_by_hand(request)
        batch.refuse_nature(request)
        return await self._stored_moves.make(request, move, claim, build_response)

    def _checked_choice(self, request: ApplyRequest) -> M:
        _check_text(request.request_id, REQUEST_ID_MOST, "requestId")
        _check_text(request.seed, SEED_MOST, "seed")
        return self._choice(request)

    def _choice(self, request: ApplyRequest) -> M:
        choice = request.WhichOneof("choice")
        if choice == "move":
            return self._codec.decode_move(request.move)
        if choice == "notation":
            return self._game.parse(request.notation)
        raise InvalidRequest("move", "a move or its notation must be given")

    def _one_of_many(self, request: ApplyRequest) -> tuple[Match[S, M, O, V], bytes]:
        move = self._checked_choice(request)
        if not _is_inline(request):
            raise InvalidRequest("matchId", "only inline states can be moved on in a batch")
        return self._play_inline(request, move)

    def _play_inline(self, request: ApplyRequest, move: M) -> tuple[Match[S, M, O, V], bytes]:
        """Make a move on an inline state, or only check it; the match after it, and the answer."""
        told = _told(request.state)
        by_hand = _is_by_hand(request, request.seed, "seed")
        position = self._states.get_or_decode(request.state, told)
        drawn = None if by_hand else position.luck(request.seed)
        match = Match(self._game, self._game.copy(position.state), drawn)
        seat = mover(request, self._game.seats(match.state))
        observer = SPECTATOR if seat == NATURE else seat
        check_revision(request, match, seat)
        if request.validate_only:
            match.check_move(seat, move)
            return match, self._responses.step(0, self._responses.match(match, observer, INLINE), [], None)
        return match, self._inline_moves.moved_on(match, seat, move, observer)

    async def leave(self, request: LeaveRequest, authorization: str) -> bytes:
        """Take the token's player out of the match."""
        claim = await self._tokens.claim(authorization)
        if claim is None:
            raise Unauthenticated("to leave needs the token of the seat")
        _check_text(request.request_id, REQUEST_ID_MOST, "requestId")
        return await self._stored_moves.leave(request, claim)

    async def score(self, request: PositionRequest, authorization: str) -> Message:
        """Points and ranks as they stand."""
        if _is_inline(request):
            return score_of(self._inline(request), self._responses.score)
        claim = await self._tokens.claim(authorization)
        stored = await self._matches.peek(request.match_id)
        observer_of(stored, claim)  # the same to all, but not to a token of something else
        return score_of(stored.match, self._responses.score)

    async def match(self, request: GetMatchRequest, authorization: str) -> bytes:
        """The match as the caller may see it."""
        claim = await self._tokens.claim(authorization)
        stored = await self._matches.peek(request.match_id)
        return repeated([self._responses.match(stored.match, observer_of(stored, claim), stored.facts)])

    async def history(self, request: HistoryRequest, authorization: str) -> bytes:
        """The log as the caller may see it, or the first page of it."""
        if request.from_revision < 0:
            raise InvalidRequest("fromRevision", "it must not be below 0")
        size = request.page_size or LINES_MOST
        if not 1 <= size <= LINES_MOST:
            raise InvalidRequest("pageSize", f"0 to {LINES_MOST}, not {size}")
        claim = await self._tokens.claim(authorization)
        stored, lines = await self._matches.log_after(request.match_id, request.from_revision)
        observer = observer_of(stored, claim)
        page = lines[:size]
        head = (page[-1].heads if page else stored.heads)[place(observer)]
        end = request.from_revision + size if len(lines) > size else None
        revision = stored.match.revision  # which others move on while the lines are converted
        events = await self._converted(page, lambda added: added.event(observer))
        return self._responses.history(revision, events, head, end)

    async def _converted(self, lines: Sequence[Added], convert: Callable[[Added], T]) -> list[T]:
        """What each line of a log, which may be long, is sent as."""
        events = []
        async with self._long_work.share() as share:
            for line in lines:
                events.append(convert(line))
                await share.pause()
        return events

    async def batch_apply(self, request: BatchApplyRequest, authorization: str) -> bytes:
        """Make many moves on inline states."""
        batch.check_number(request.requests)
        return repeated(await self.results(request.requests, request.legal_moves))

    async def results(self, requests: Sequence[ApplyRequest], legal_moves: bool) -> list[bytes]:
        """The results of many moves, of a number that is offered."""
        return await self._batch_calls.results(requests, legal_moves)

    async def sample(self, request: SampleRequest, authorization: str) -> bytes:
        """Full states that look the same to a seat or a spectator: of a stored match to the token's own seat alone."""
        batch.check_count(request)
        _check_text(request.seed, SEED_MOST, "seed")
        if _is_inline(request):
            match = self._inline(request)
            named = request.HasField("seat")
            seat = named_seat(request, self._game.seats(match.state)) if named else SPECTATOR
            return await self._batch_calls.sample(request, match.state, seat)
        claim = await self._tokens.claim(authorization)
        stored, _ = await self._matches.checkout(request.match_id)
        return await self._batch_calls.sample(request, stored.match.state, own_seat(request, stored, claim))

    async def record(self, request: GetRecordRequest, authorization: str) -> Message:
        """The whole of a match that is over, secrets included."""
        claim = await self._tokens.claim(authorization)
        stored, lines = await self._matches.log_after(request.match_id, 0)
        observer_of(stored, claim)
        parse = self._codec.messages.event.FromString
        over = stored.match.is_over()
        events = await self._converted(lines, lambda added: parse(added.line.event)) if over else []
        record = self._records.of(stored.match_id, stored.header, stored.match, events, stored.attestation)
        signed = signed_bytes(record, stored.heads[FULL])
        if not await to_thread(is_signed, stored.attestation.public_key, stored.attestation.signature, signed):
            log.error("the record of match %s is not the one that was signed at its end", stored.match_id)
            raise LogContradictsSnapshot(stored.match_id)
        return self._responses.get_record(record=record)

    def _inline(self, request: PositionRequest) -> Match[S, M, O, V]:
        """The match of an inline state, to be looked at only."""
        told = _told(request.state)
        return Match(self._game, self._states.get_or_decode(request.state, told).state, None)


def no_response(stored: StoredMatch[S, M, O, V], seat: int, entries: list[Entry]) -> bytes:
    return b""


def _told(state: Message) -> bytes:
    """The canonical form of a state, without what nobody knows: the luck of a seed depends on it."""
    state.DiscardUnknownFields()
    return state.SerializeToString(deterministic=True)


def _is_inline(request: PositionRequest) -> bool:
    position = request.WhichOneof("position")
    if position is None:
        raise InvalidRequest("matchId", "a match or a state must be given")
    return position == "state"


def _check_text(text: str, most: int, field: str) -> None:
    if len(text) > most:
        raise InvalidRequest(field, f"at most {most} characters, not {len(text)}")


def _is_by_hand(request: NewGameRequest | ApplyRequest, seed: str, field: str) -> bool:
    """Whether the caller moves nature, who then needs no seed."""
    by_hand = batch.is_by_hand(request)
    if by_hand:
        batch.check_seed_by_hand(seed, field)
    return by_hand
