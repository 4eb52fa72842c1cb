"""gRPC servicer of one version of a game's rules: its unary calls, on stored matches and on inline states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar, cast

from google.protobuf.message import Message

from engine_core.bots import SERVED_LIMITS, Limits
from engine_core.game import SPECTATOR
from runtime.api_keys import ApiKeys
from runtime.telemetry import call_context
from services.bots.remote.allowed import BotAddress
from services.engine.codec import Codec, M, O, S, V
from services.engine.hints.hints import Hints
from services.engine.inline.batch import BatchCalls
from services.engine.inline.calls import InlineCalls
from services.engine.matches.finished import FinishedRecords
from services.engine.matches.idempotency import check_request_id, derived_match_id
from services.engine.matches.log import MatchLog
from services.engine.matches.moves import StoredMoves, no_response
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.matches.shown import ShownPositions
from services.engine.matches.stored_match import AddedLine, StoredMatch
from services.engine.positions import PositionCalls
from services.engine.presentation.components import ComponentsCalls
from services.engine.presentation.localization import LocaleRequest, Localization
from services.engine.presentation.pictures import PictureCalls
from services.engine.presentation.views import texts_are_wanted, wanted_narrator
from services.engine.records.heads import head_index
from services.engine.records.replaying import Replays
from services.engine.records.signing import SigningKeys
from services.engine.requests import checks
from services.engine.requests.checks import check_text, is_inline, requested_move
from services.engine.requests.messages import (
    ApplyRequest,
    BatchApplyRequest,
    GetRecordRequest,
    HistoryRequest,
    LeaveRequest,
    NewGameRequest,
    ReplayRequest,
)
from services.engine.requests.seats import (
    authorized_observer,
    observer_of,
    requested_observer,
)
from services.engine.responses import Responses, repeated_field
from services.engine.streams import Streams
from services.engine.tables.calls import TableCalls, requested_players
from services.grpc_server.admission import callers
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.auth import SeatTokens, check_api_key
from services.grpc_server.calls import Behaviour
from services.grpc_server.errors import InvalidRequest, MatchWaiting, Unauthenticated
from services.grpc_server.fast_path import FastPathBehaviour
from services.store.matches.store import Store
from services.watch.feed import Feed

L = TypeVar("L")
T = TypeVar("T")


class Servicer(Generic[S, M, O, V]):
    """Serves the calls of one version of a game."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        store: Store,
        tokens: SeatTokens,
        signing: SigningKeys,
        feed: Feed,
        keys: ApiKeys | None = None,
        bot_allow: Sequence[BotAddress] = (),
        bot_limits: Limits = SERVED_LIMITS,
        long_work: LongWork | None = None,
        imported_bots: Sequence[str] = (),
    ) -> None:
        """`long_work` is shared by all servicers of a process."""
        self._codec: Final = codec
        self._game: Final = codec.game
        self._responses: Final = Responses(codec)
        self._inline: Final = InlineCalls(codec, self._responses)
        self._matches: Final = MatchRepository(codec, store, signing, feed)
        self._new_matches: Final = NewMatches(codec, store)
        self._log: Final = MatchLog(codec, self._matches)
        self._stored_moves: Final = StoredMoves(codec, self._responses, self._matches, tokens)
        self._finished_records: Final = FinishedRecords(codec)
        self._long_work: Final = long_work or LongWork()
        self._store: Final = store
        self._tokens: Final = tokens
        self._keys: Final = keys or ApiKeys()
        self.rules_version: Final = codec.rules_version
        """The rules version that it serves."""
        self.first_rules_version: Final = codec.first_rules_version
        self.service: Final = codec.service
        self._replays: Final = Replays(codec, self._long_work)
        self._shown: Final = ShownPositions(codec, store, self._matches, self._long_work)
        self._tables: Final = TableCalls(
            codec,
            store,
            self._matches,
            self._new_matches,
            self._shown,
            tokens,
            self._replays,
            self._keys,
            bot_allow,
            bot_limits,
            imported_bots,
        )
        self._localization: Final = Localization(codec.game, self._matches.seats_of)
        self._components: Final = ComponentsCalls(codec, self._localization, bot_limits)
        self.streams: Final = Streams(
            codec,
            self._matches,
            self._log,
            self._shown,
            self._replays,
            tokens,
            feed,
            self._localization,
            self.choose,
        )
        self._batch_calls: Final = BatchCalls(codec, self._responses, self._inline, self._long_work)
        self.positions: Final = PositionCalls(
            codec,
            self._responses,
            self._inline,
            self._matches,
            self._shown,
            self._stored_moves,
            self._tables,
            tokens,
            Hints(codec, bot_limits, self._long_work),
            PictureCalls(codec, self._localization),
            self._batch_calls,
        )

    def behaviours(self) -> dict[str, Behaviour]:
        """The unary calls about one position or the game, by method name."""
        behaviours = {
            "LegalMoves": self.positions.legal_moves,
            "Apply": self.apply,
            "Score": self.positions.score,
            "GetMatch": self.positions.match,
            "History": self.history,
            "Sample": self.positions.sample,
            "Replay": self.replay,
            "Hint": self.positions.hint,
            "Fork": self.positions.fork,
            "GetRecord": self.record,
            "Leave": self.leave,
            "Join": self._tables.join,
            "Invite": self._tables.invite,
            "Reissue": self._tables.reissue,
            "Substitute": self._tables.substitute,
            "Withdraw": self._tables.withdraw,
            "Rematch": self._tables.rematch,
        }
        methods = self.service.methods_by_name
        localized = {
            name: self._localization.unary(methods[name], cast(Behaviour, behaviour))
            for name, behaviour in behaviours.items()
        }
        return {**localized, "GetPicture": cast(Behaviour, self.positions.picture)}

    async def get_components(self, request: LocaleRequest, api_key: str) -> bytes:
        """The components of the game."""
        return self._components.get_components(request)

    def fast_paths(self) -> dict[str, FastPathBehaviour]:
        """The calls that have a fast path, by method name."""
        return {"Apply": self._inline.fast_apply}

    async def rules_version_of(self, match_id: str) -> str:
        """The version of the rules that a match is played by; empty if there is no such match."""
        return await self._matches.rules_version_of(match_id)

    async def new_game(self, request: NewGameRequest, api_key: str) -> bytes:
        """Begin a match, stored or inline; a stored one requires an API key if keys are configured."""
        if self._keys and not request.ephemeral:
            check_api_key(self._keys, api_key)
        state = self._game.start(len(request.seats), self._codec.decode_options(request.options))
        check_text(request.client_seed, checks.MAX_SEED, "clientSeed")
        check_text(request.request_id, checks.MAX_REQUEST_ID_LENGTH, "requestId")
        players = requested_players(request, lambda: self._tables.platform(api_key))
        wait_seconds = checks.requested_wait_seconds(request)
        for number, seat in enumerate(request.seats):
            self._check_bot(seat.bot, request.ephemeral, f"seats[{number}].bot")
        clock = checks.requested_clock(request, ends_by_time=self._game.time_up_move(state) is not None)
        checks.check_listed(request)
        checks.check_hints(request)
        checks.check_spectators(request)
        if request.ephemeral:
            return self._inline.new_game(state, request)
        checks.check_chance_automatic(request)
        holder = self._keys.holder(api_key)
        check_request_id(request.request_id, holder)
        stored = await self._new_matches.create(
            state,
            players,
            [request.client_seed] if request.client_seed else [],
            clock,
            private=request.private,
            listed=request.listed,
            hints=request.hints,
            spectator_delay=request.spectator_delay,
            open_after=request.open_after,
            derived=await derived_match_id(self._store, self.service.full_name, request, holder),
            caller=callers.caller_digest(holder),
            platform=self._tables.platform(api_key),
            wait_seconds=wait_seconds,
        )
        call_context.add(match_id=stored.match_id)
        shown = await self._shown.at(stored, SPECTATOR)
        response = self._responses.new_game(
            shown.match,
            shown.facts,
            await self._tables.first_tokens(stored),
            await self._tables.join_codes(stored),
            await self._tables.host_token(stored),
        )
        self._matches.put(stored)
        return response

    def _check_bot(self, bot: str, ephemeral: bool, field: str) -> None:
        if bot and ephemeral:
            raise InvalidRequest(field, "not allowed on an inline state")
        if bot:
            self._tables.check_bot(bot, field)

    async def apply(self, request: ApplyRequest, authorization: str) -> bytes:
        """Make a move, and nature's that follow it."""
        if is_inline(request):
            return self._inline.apply_to_state(request)[1]
        with_turn = request.next and not request.validate_only  # as on an inline state
        response = self._stored_moves.turn_response if with_turn else self._stored_moves.step_response
        return await self._stored_moves.apply_to_match(request, self._requested_move(request), authorization, response)

    async def choose(self, request: ApplyRequest, authorization: str) -> None:
        """Make a move in a stored match without building a response."""
        await self._stored_moves.apply_to_match(request, self._requested_move(request), authorization, no_response)

    def _requested_move(self, request: ApplyRequest) -> M:
        checks.check_texts(request)
        return requested_move(self._codec, request)

    async def leave(self, request: LeaveRequest, authorization: str) -> bytes:
        """Let the token's seat leave the match, or give it back before the match begins."""
        try:
            return await self._stored_moves.leave(request, authorization)
        except (MatchWaiting, Unauthenticated):  # a repeat has the token that the first request has made invalid
            return await self._tables.leave(request, authorization)

    async def replay(self, request: ReplayRequest, authorization: str) -> bytes:
        """The position of a record after some of its events."""
        record = request.record
        revision = request.revision if request.HasField("revision") else len(record.events)
        if not 0 <= revision <= len(record.events):
            raise InvalidRequest("revision", f"from 0 to {len(record.events)}")
        checks.check_revision(request.from_revision, "fromRevision")
        observer = requested_observer(request, len(record.seats))
        after = request.from_revision if request.HasField("from_revision") else None
        match, entries = await self._replays.match_of_record(record, revision, observer, after)
        wanted = entries[after:] if after is not None else []
        events = await self._convert_in_slices(wanted, lambda entry: self._codec.write_event(entry, observer))
        return self._responses.replay(match, observer, events)

    async def history(self, request: HistoryRequest, authorization: str) -> bytes:
        """The log as the caller may see it, or the first page of it."""
        size = checks.page_size(request)
        claim = await self._tokens.claim(authorization)
        stored, lines = await self._log.lines_after(request.match_id, request.from_revision)
        observer = authorized_observer(request, stored, claim)
        revision = stored.shown_revision(observer)  # read now: others move the match on while the lines are converted
        lines = lines[: max(0, revision - request.from_revision)]
        page = lines[:size]
        heads = page[-1].heads if page else stored.heads and await self._log.heads_at(stored, revision)
        head = heads[head_index(observer)] if heads else b""  # none before the match begins
        end = request.from_revision + size if len(lines) > size else None
        await self._narrate(stored, request.from_revision, page, observer)
        events = await self._convert_in_slices(page, lambda added: added.event(observer))
        return self._responses.history(revision, events, head, end)

    async def _narrate(
        self, stored: StoredMatch[S, M, O, V], after: int, page: Sequence[AddedLine], observer: int
    ) -> None:
        """Offer what the lines after a revision brought to the texts of the response, if it is localized."""
        if page and texts_are_wanted():
            match = await self._shown.copy_at(stored, after)
            if narrator := wanted_narrator(self._game, match.state, observer):
                await self._replays.narrate(narrator, match, [added.line.event for added in page])

    async def _convert_in_slices(self, lines: Sequence[L], convert: Callable[[L], T]) -> list[T]:
        """The events of log lines or entries as the observer sees them; in time slices, since a log may be long."""
        events = []
        async with self._long_work.share() as share:
            for line in lines:
                events.append(convert(line))
                await share.pause()
        return events

    async def batch_apply(self, request: BatchApplyRequest, authorization: str) -> bytes:
        """Make several moves on inline states."""
        checks.check_batch(request.requests)
        return repeated_field(await self.results(request.requests, request.legal_moves, request.encodings))

    async def results(self, requests: Sequence[ApplyRequest], legal_moves: bool, encodings: bool) -> list[bytes]:
        """The results of several moves, whose number was checked."""
        return await self._batch_calls.results(requests, legal_moves, encodings)

    async def record(self, request: GetRecordRequest, authorization: str) -> Message:
        """The record of a finished match, secrets included."""
        claim = await self._tokens.claim(authorization)
        stored, lines = await self._log.lines_after(request.match_id, 0)
        observer_of(stored, claim)
        parse = self._codec.messages.event.FromString
        over = stored.match.is_over()
        events = await self._convert_in_slices(lines, lambda added: parse(added.line.event)) if over else []
        return self._responses.get_record(record=await self._finished_records.build(stored, events))
