"""Calls about who has the seats of a stored match: join, invite, reissue, substitute, withdraw, rematch.

Each is made on the match as read, stored only if nothing has changed since, and else made again.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from fireside.match.v1 import game_field_numbers as fields
from fireside.match.v1.match_pb2 import JoinCode, OpenSeat, Rematch, SeatSpec, SeatToken

from engine_core.bots import Limits
from engine_core.errors import MatchOver, SeatHasLeft, StaleRevision
from engine_core.game import SPECTATOR, Over
from runtime.api_keys import ApiKeys
from services.bots.names import check_name
from services.bots.remote.allowed import BotAddress
from services.engine.codec import Codec, M, O, S, V
from services.engine.matches.idempotency import ID_BYTES, DerivedMatchId, check_request_id
from services.engine.matches.new_matches import NewMatches
from services.engine.matches.repository import MatchRepository
from services.engine.matches.shown import ShownPositions
from services.engine.matches.stored_match import StoredMatch
from services.engine.records.records import RecordBuilder
from services.engine.records.replaying import Replays
from services.engine.requests import checks
from services.engine.requests.messages import (
    InviteRequest,
    JoinRequest,
    LeaveRequest,
    NewGameRequest,
    ReissueRequest,
    RematchRequest,
    SubstituteRequest,
    WithdrawRequest,
)
from services.engine.requests.seats import check_is_seat, observer_of, requested_seat
from services.engine.responses import Responses
from services.engine.tables.seating import JoinCodes, Player, Seating, public_seat, request_digest
from services.engine.wire import Writer
from services.grpc_server.admission import callers
from services.grpc_server.auth import HOST, Claim, SeatTokens, check_api_key
from services.grpc_server.calls import API_KEY_SCHEME
from services.grpc_server.errors import (
    InvalidCode,
    InvalidRequest,
    MatchBegun,
    MatchNotOver,
    PermissionDenied,
    Unauthenticated,
    UnknownMatch,
)
from services.store.keys import TOKEN_KEY
from services.store.matches.steps import LostRace
from services.store.matches.store import Store

REMATCH_LABEL: Final = b"fireside/match/rematch/1/"
REMATCH_WAIT_SECONDS: Final = 24 * 60 * 60
MAX_CODE_LENGTH: Final = 64
"""Greatest length of a code as a person may write it."""
MAX_ATTEMPTS: Final = 16
"""Attempts to store a change that each time loses the race against another change of the match."""


T = TypeVar("T")
SeatRequest = InviteRequest | ReissueRequest | SubstituteRequest


class _Caller(NamedTuple):
    """What a credential proves: the claim of a token, or that the caller is the holder of an API key."""

    claim: Claim | None
    platform: str
    """Digest of the holder; empty with a claim."""


class TableCalls(Generic[S, M, O, V]):
    """Serves the calls about the seats of the matches of one version of a game."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        store: Store,
        matches: MatchRepository[S, M, O, V],
        new_matches: NewMatches[S, M, O, V],
        shown: ShownPositions[S, M, O, V],
        tokens: SeatTokens,
        replays: Replays[S, M, O, V],
        keys: ApiKeys,
        bot_allow: Sequence[BotAddress],
        bot_limits: Limits,
        imported_bots: Sequence[str],
    ) -> None:
        self._store: Final = store
        self._matches: Final = matches
        self._new_matches: Final = new_matches
        self._shown: Final = shown
        self._tokens: Final = tokens
        self._replays: Final = replays
        self._keys: Final = keys
        self._bot_allow: Final = bot_allow
        self._bot_limits: Final = bot_limits
        self._imported_bots: Final = imported_bots
        self._codes: Final = JoinCodes(store)
        self._records: Final = RecordBuilder(codec)
        self._responses: Final = Responses(codec)

    def platform(self, api_key: str) -> str:
        """Digest of the holder of an API key; empty if the service has no keys. Raises `Unauthenticated`."""
        if not self._keys:
            return ""
        check_api_key(self._keys, api_key, "a player id requires an API key")
        return callers.caller_digest(self._keys.holder(api_key))

    def check_bot(self, bot: str, field: str) -> None:
        """Raise `InvalidRequest` unless the service can host the bot."""
        check_name(bot, self._bot_allow, field, self._bot_limits, self._imported_bots)

    async def first_tokens(self, stored: StoredMatch[S, M, O, V]) -> list[SeatToken]:
        """A token for each seat of a new match that is neither a bot's nor open, unless it was replaced since."""
        seats = [
            seat
            for seat, spec in enumerate(stored.facts.seats)
            if not spec.bot and seat not in stored.header.open_seats and not stored.seating.token_number(seat)
        ]
        return await self._seat_tokens(stored, seats, stored.header.begun_ms // 1000)

    async def host_token(self, stored: StoredMatch[S, M, O, V]) -> str:
        """The token of the host of a new match."""
        return (await self._tokens.sign([Claim(stored.match_id, HOST)], stored.header.begun_ms // 1000))[0]

    async def join_codes(self, stored: StoredMatch[S, M, O, V]) -> list[JoinCode]:
        """The codes of the open seats."""
        return [
            await self._join_code(stored.match_id, seat, stored.seating)
            for seat in range(len(stored.facts.seats))
            if stored.seating.is_open(seat)
        ]

    async def join(self, request: JoinRequest, api_key: str) -> bytes:
        """Take the seat of a code, or an open one of a public match; a repeated request gets its token again."""
        checks.check_text(request.code, MAX_CODE_LENGTH, "code")
        checks.check_text(request.name, checks.MAX_NAME_LENGTH, "name")
        checks.check_text(request.player_id, checks.MAX_PLAYER_ID_LENGTH, "playerId")
        checks.check_text(request.request_id, checks.MAX_REQUEST_ID_LENGTH, "requestId")
        platform = self.platform(api_key) if request.player_id else ""
        player = Player(SeatSpec(name=request.name), request.player_id, platform)
        digest = request_digest("join", request.SerializeToString(deterministic=True), request.request_id)
        taken = SPECTATOR

        async def change(stored: StoredMatch[S, M, O, V]) -> Seating:
            nonlocal taken
            if stored.header.listed and not request.code:
                found = public_seat(stored.seating, digest)
            else:
                found = await self._codes.seat_of(stored.match_id, stored.seating, request.code, digest)
            if found is None:
                raise UnknownMatch(stored.match_id) if stored.header.private else InvalidCode
            taken, is_repeat = found
            _check_not_over(stored)
            return stored.seating if is_repeat else stored.seating.taken(taken, player, digest)

        stored = await self._change(request.match_id, change)
        out = Writer()
        out.number(fields.JoinResponse.SEAT, taken)
        out.text(fields.JoinResponse.TOKEN, (await self._seat_token(stored, taken)).token)
        out.data(fields.JoinResponse.MATCH, self._responses.match(stored.match, taken, stored.facts))
        return out.to_bytes()

    async def invite(self, request: InviteRequest, credential: str) -> bytes:
        """The join code of an open seat, or one that hands over a seat."""
        caller = await self._caller(credential)
        invited = SPECTATOR

        async def change(stored: StoredMatch[S, M, O, V]) -> Seating:
            nonlocal invited
            invited = self._seat(request, stored, caller)
            _check_not_over(stored)
            if _own_seat(stored, caller) == HOST and not stored.seating.is_open(invited):
                raise PermissionDenied("the seat is taken: only its player may hand it over")
            return stored.seating if stored.seating.holding(invited).offered else stored.seating.offered(invited)

        stored = await self._change(request.match_id, change)
        out = Writer()
        code = await self._join_code(stored.match_id, invited, stored.seating)
        out.data(fields.InviteResponse.JOIN_CODE, code.SerializeToString(deterministic=True))
        return out.to_bytes()

    async def reissue(self, request: ReissueRequest, credential: str) -> bytes:
        """A new token of a seat; the earlier ones, and its join code, are invalid. A repeated request gets it again."""
        caller = await self._caller(credential)
        # The replaced token may have been stolen: it gets the new one only with an id that cannot be guessed.
        checks.check_text(request.request_id, checks.MAX_REQUEST_ID_LENGTH, "requestId")
        check_request_id(request.request_id, "" if caller.claim else credential)
        digest = request_digest("reissue", request.SerializeToString(deterministic=True), request.request_id)
        seat = SPECTATOR

        async def change(stored: StoredMatch[S, M, O, V]) -> Seating:
            nonlocal seat
            if caller.claim and _was_replaced_by(stored, caller.claim, digest):
                seat = caller.claim.seat
                return stored.seating
            seat = self._seat(request, stored, caller)
            if stored.seating.was_changed_by(seat, digest):
                return stored.seating
            if stored.seating.is_open(seat) or stored.facts.seats[seat].bot:
                raise PermissionDenied("the seat has no player who could have a token")
            return stored.seating.reissued(seat, digest)

        stored = await self._change(request.match_id, change)
        out = Writer()
        token = await self._seat_token(stored, seat)
        out.data(fields.ReissueResponse.SEAT, token.SerializeToString(deterministic=True))
        return out.to_bytes()

    async def substitute(self, request: SubstituteRequest, credential: str) -> bytes:
        """Give a seat to a hosted bot, which plays on in a match that has begun."""
        caller = await self._caller(credential)
        if not request.bot:
            raise InvalidRequest("bot", "must be set")
        self.check_bot(request.bot, "bot")

        async def change(stored: StoredMatch[S, M, O, V]) -> Seating:
            seat = self._seat(request, stored, caller)
            _check_not_over(stored)
            if stored.match.game.has_left(stored.match.state, seat):
                raise SeatHasLeft(seat)
            if stored.facts.seats[seat].bot == request.bot:
                return stored.seating
            return stored.seating.taken(seat, Player(SeatSpec(bot=request.bot)))

        stored = await self._change(request.match_id, change)
        match, facts = await self._shown.at(stored, SPECTATOR)
        out = Writer()
        out.data(fields.SubstituteResponse.MATCH, self._responses.match(match, SPECTATOR, facts))
        return out.to_bytes()

    async def withdraw(self, request: WithdrawRequest, credential: str) -> bytes:
        """Delete a match that has not begun."""
        caller = await self._caller(credential)

        async def attempt(stored: StoredMatch[S, M, O, V]) -> None:
            if _own_seat(stored, caller) != HOST:
                raise PermissionDenied("only the host may withdraw a match")
            if not stored.seating.waiting:
                raise MatchBegun(stored.match_id)
            await self._store.withdraw(stored.match_id, stored.seating.encoded)

        await self._retry(request.match_id, attempt)
        return b""

    async def leave(self, request: LeaveRequest, authorization: str) -> bytes:
        """Leave a match that has not begun: the seat is open again. A repeated request changes nothing."""
        claim = check_is_seat(await self._tokens.claim(authorization), "Leave")
        digest = request_digest("leave", request.SerializeToString(deterministic=True), request.request_id)

        async def change(stored: StoredMatch[S, M, O, V]) -> Seating:
            if _was_replaced_by(stored, claim, digest):
                return stored.seating
            seat = observer_of(stored, claim)
            if not stored.seating.waiting:
                raise MatchBegun(stored.match_id)
            return stored.seating.vacated(seat, digest)

        stored = await self._change(request.match_id, change)
        return self._responses.step(0, self._responses.match(stored.match, SPECTATOR, stored.facts), [], None)

    async def rematch(self, request: RematchRequest, authorization: str) -> bytes:
        """Take the caller's seat in the rematch, which the first call starts."""
        claim = check_is_seat(await self._tokens.claim(authorization), "Rematch")
        old = await self._matches.peek(request.match_id)
        seat = observer_of(old, claim)
        if not old.match.is_over():
            raise MatchNotOver(old.match_id)
        players = [_rematched(old, seat) for seat in range(len(old.facts.seats))]
        new_seat = _seat_in_rematch(seat, len(players))
        digest = hashlib.sha256(REMATCH_LABEL + old.match_id.encode()).digest()
        header = old.header
        start = self._replays.start(len(players), self._records.options(old.match.state))
        new = await self._new_matches.create(
            start.state,
            [player if player.spec.bot else Player(SeatSpec(open=OpenSeat())) for player in [*players[1:], players[0]]],
            [],
            header.clock if header.HasField("clock") else None,
            private=header.private,
            # In a public match anybody could take the open seats, which are those of the earlier players.
            listed=False,
            hints=header.hints,
            spectator_delay=header.spectator_delay,
            open_after=header.open_after,
            derived=DerivedMatchId("", await self._rematch_id(old.match_id), digest),
            caller=header.caller,
            platform=header.platform,
            wait_seconds=REMATCH_WAIT_SECONDS,
        )

        async def change(stored: StoredMatch[S, M, O, V]) -> Seating:
            if stored.seating.was_changed_by(new_seat, digest):
                return stored.seating
            if not stored.seating.is_open(new_seat):
                raise PermissionDenied("another has the seat")
            return stored.seating.taken(new_seat, players[seat], digest)

        stored = await self._change(new.match_id, change)
        out = Writer()
        out.text(fields.RematchResponse.MATCH_ID, stored.match_id)
        token = await self._seat_token(stored, new_seat)
        out.data(fields.RematchResponse.SEAT, token.SerializeToString(deterministic=True))
        out.data(fields.RematchResponse.MATCH, self._responses.match(stored.match, new_seat, stored.facts))
        return out.to_bytes()

    async def rematch_of(self, old: StoredMatch[S, M, O, V]) -> Rematch | None:
        """The rematch of a finished match as it stands now; None if no player has called for it, or it has expired."""
        try:
            new = await self._matches.peek(await self._rematch_id(old.match_id))
        except UnknownMatch:
            return None
        seats = new.facts.seats
        taken = [seat for seat in range(len(seats)) if _is_person(seats[_seat_in_rematch(seat, len(seats))])]
        return Rematch(match_id=new.match_id, seats=taken, waiting=new.seating.waiting)

    async def _rematch_id(self, match_id: str) -> str:
        """The id that the rematch of a match has, or will have."""
        key = await self._store.shared_key(TOKEN_KEY)
        return urlsafe_b64encode(hmac.digest(key, REMATCH_LABEL + match_id.encode(), "sha256")[:ID_BYTES]).decode()

    async def _change(
        self, match_id: str, change: Callable[[StoredMatch[S, M, O, V]], Awaitable[Seating]]
    ) -> StoredMatch[S, M, O, V]:
        """Store the seating that `change` returns, and begin the match if it was the last open seat's.

        Returns the match after it, to be read only until the next `await`.
        """

        async def attempt(stored: StoredMatch[S, M, O, V]) -> StoredMatch[S, M, O, V]:
            before = stored.seating
            seating = await change(stored)
            if seating.encoded == before.encoded:
                return stored
            if before.waiting and not seating.waiting:
                await self._new_matches.begin(stored, seating)
            else:
                await self._matches.change_seating(stored, seating)
            return await self._matches.peek(match_id)

        return await self._retry(match_id, attempt)

    async def _retry(self, match_id: str, attempt: Callable[[StoredMatch[S, M, O, V]], Awaitable[T]]) -> T:
        """The result of an attempt on a match, repeated after lost races. Raises `StaleRevision` after too many."""
        for _ in range(MAX_ATTEMPTS):
            stored = await self._matches.peek(match_id)
            try:
                return await attempt(stored)
            except LostRace as lost:
                stale = StaleRevision(lost.base_revision, lost.snapshot.revision)
        raise stale

    async def _caller(self, credential: str) -> _Caller:
        """What a credential proves. Raises `Unauthenticated`."""
        if credential.startswith(API_KEY_SCHEME):
            api_key = credential.removeprefix(API_KEY_SCHEME)
            check_api_key(self._keys, api_key)
            return _Caller(None, callers.caller_digest(self._keys.holder(api_key)))
        claim = await self._tokens.claim(credential)
        if claim is None:
            raise Unauthenticated("this call requires the token of the host or of the seat")
        return _Caller(claim, "")

    def _seat(self, request: SeatRequest, stored: StoredMatch[S, M, O, V], caller: _Caller) -> int:
        """The seat that a call is about: for the host any, and for a player the own one."""
        own = _own_seat(stored, caller)
        if own != HOST and not request.HasField("seat"):
            return own
        seat = requested_seat(request, len(stored.facts.seats))
        if own not in (HOST, seat):
            raise PermissionDenied(f"the token is of seat {own}, not of seat {seat}")
        return seat

    async def _join_code(self, match_id: str, seat: int, seating: Seating) -> JoinCode:
        return JoinCode(seat=seat, code=await self._codes.code(match_id, seat, seating.token_number(seat)))

    async def _seat_token(self, stored: StoredMatch[S, M, O, V], seat: int) -> SeatToken:
        return (await self._seat_tokens(stored, [seat]))[0]

    async def _seat_tokens(
        self, stored: StoredMatch[S, M, O, V], seats: Sequence[int], since: int = 0
    ) -> list[SeatToken]:
        claims = [Claim(stored.match_id, seat, stored.seating.token_number(seat)) for seat in seats]
        tokens = await self._tokens.sign(claims, since)
        return [SeatToken(seat=seat, token=token) for seat, token in zip(seats, tokens, strict=True)]


def requested_players(request: NewGameRequest, platform: Callable[[], str]) -> list[Player]:
    """The players of a new match; `platform` is called if one of them has an id, for whom an API key has to vouch."""
    players = []
    for number, seat in enumerate(request.seats):
        checks.check_text(seat.name, checks.MAX_NAME_LENGTH, f"seats[{number}].name")
        checks.check_text(seat.player_id, checks.MAX_PLAYER_ID_LENGTH, f"seats[{number}].playerId")
        is_open = seat.HasField("open")
        if is_open and (seat.name or seat.bot or seat.player_id):
            raise InvalidRequest(f"seats[{number}].open", "not allowed with name, bot or playerId")
        if seat.bot and seat.player_id:
            raise InvalidRequest(f"seats[{number}].playerId", "not allowed with bot")
        if request.ephemeral and (is_open or seat.player_id):
            raise InvalidRequest(f"seats[{number}]", "open and playerId are not allowed on an inline state")
        spec = SeatSpec(name=seat.name, bot=seat.bot, open=OpenSeat() if is_open else None)
        players.append(Player(spec, seat.player_id, platform() if seat.player_id else ""))
    return players


def _own_seat(stored: StoredMatch[S, M, O, V], caller: _Caller) -> int:
    """The seat of the caller, or `HOST`. Raises what `observer_of` raises."""
    if caller.claim is not None:
        observer = observer_of(stored, caller.claim)
        return HOST if caller.claim.seat == HOST else observer
    if caller.platform != stored.header.platform:
        raise (
            UnknownMatch(stored.match_id) if stored.header.private else PermissionDenied("another key began the match")
        )
    return HOST


def _seat_in_rematch(seat: int, seat_count: int) -> int:
    """The seat that a player of a finished match has in its rematch, where the seats have moved on by one."""
    return (seat - 1) % seat_count


def _is_person(spec: SeatSpec) -> bool:
    return not spec.bot and not spec.HasField("open")


def _was_replaced_by(stored: StoredMatch[S, M, O, V], claim: Claim, digest: bytes) -> bool:
    """Whether the request of this digest replaced the token of the claim, and nothing has changed the seat since."""
    if claim.match_id != stored.match_id or not 0 <= claim.seat < len(stored.facts.seats):
        return False
    is_next = stored.seating.token_number(claim.seat) == claim.number + 1
    return is_next and stored.seating.was_changed_by(claim.seat, digest)


def _rematched(old: StoredMatch[S, M, O, V], seat: int) -> Player:
    """The player of a seat of the finished match."""
    holding = old.seating.holding(seat)
    return Player(old.facts.seats[seat], holding.player_id, holding.platform)


def _check_not_over(stored: StoredMatch[S, M, O, V]) -> None:
    phase = stored.match.phase()
    if isinstance(phase, Over):
        raise MatchOver(phase.reason)
