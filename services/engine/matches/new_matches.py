"""Creates stored matches, once for a repeated request."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Final, Generic

from fireside.match.v1.match_pb2 import Clock
from fireside.match.v1.match_record_pb2 import MatchHeader, MatchProgress

from engine_core.chance import SECRET_BYTES, Luck, commitment
from engine_core.match import Match
from runtime.telemetry import metrics
from services.engine.clocks.deadlines import Deadlines
from services.engine.codec import Codec, M, O, S, V
from services.engine.matches.idempotency import DerivedMatchId
from services.engine.matches.repository import MatchRepository
from services.engine.matches.stored_match import StoredMatch, check_rules
from services.engine.platforms.events import PlatformEvents
from services.engine.platforms.lists import PlatformLists
from services.engine.records.records import RecordBuilder
from services.engine.tables.seating import Player, Seating
from services.grpc_server.errors import RequestIdReused
from services.store.matches.list import ListEntry
from services.store.matches.steps import Beginning, SeatingChange, Snapshot
from services.store.matches.store import Store

MATCH_ID_BYTES: Final = 12


class NewMatches(Generic[S, M, O, V]):
    """Creates the matches of one version of a game in the store."""

    def __init__(self, codec: Codec[S, M, O, V], store: Store) -> None:
        self._codec: Final = codec
        self._store: Final = store
        self._records: Final = RecordBuilder(codec)
        self._deadlines: Final = Deadlines(store, codec.rules_version)
        self._list: Final = store.match_list(codec.game.name)
        self._matches: Final = MatchRepository(codec, store)
        self._platform_lists: Final = PlatformLists(store)
        self._platform_events: Final = PlatformEvents[S, M, O, V]()

    async def create(
        self,
        state: S,
        players: Sequence[Player],
        client_seeds: list[str],
        clock: Clock | None = None,
        *,
        private: bool = False,
        listed: bool = False,
        hints: bool = False,
        spectator_delay: int = 0,
        open_after: bool = False,
        derived: DerivedMatchId | None = None,
        caller: str = "",
        platform: str = "",
        wait_seconds: int = 0,
    ) -> StoredMatch[S, M, O, V]:
        """Store a match in its initial state, with nature's first draws unless it has to wait for players.

        `caller` is the digest of who began it, `platform` that of the holder of the API key. If a match with the
        `derived` id exists, return it as it was begun. Raises `RequestIdReused` if another request had the id.
        """
        open_seats = [seat for seat, player in enumerate(players) if player.spec.HasField("open")]
        # A repeat sets the same deadlines and signs equal tokens, so the time of the beginning is stored.
        is_in_lists = listed or bool(platform) or any(player.platform for player in players)
        begun_ms = await self._store.now_ms() if derived or is_in_lists or open_seats else 0
        secret = secrets.token_bytes(SECRET_BYTES)
        header = MatchHeader(
            game=self._codec.game.name,
            rules_version=self._codec.rules_version,
            seats=[player.spec for player in players],
            secret_seed=secret,
            client_seeds=client_seeds,
            commitment=commitment(secret),
            clock=clock,
            private=private,
            caller=caller,
            request_digest=derived.digest if derived else b"",
            begun_ms=begun_ms,
            listed=listed,
            preset=self._preset(state) if listed else "",
            platform=platform,
            open_seats=open_seats,
            hints=hints,
            spectator_delay=spectator_delay,
            open_after=open_after,
        )
        seating = Seating.first(header, players, begun_ms + 1000 * wait_seconds)
        while True:
            is_searched = is_in_lists or self._store.has_archive  # else it would be found when it is stored
            if derived and is_searched and (before := await self._earlier_match(derived, state)):
                return before  # looked for first, so that repeated requests leave no entries in the list
            match_id = derived.match_id if derived else secrets.token_urlsafe(MATCH_ID_BYTES)
            stored, lines = self._first_lines(match_id, header, state, seating)
            if stored.clock_seconds and not seating.waiting:
                stored.start_clocks(begun_ms or await self._store.now_ms())
            if listed:  # before the match, so that a crash in between loses none from the list
                await self._list.add(ListEntry(begun_ms, match_id))
            await self._platform_lists.add(match_id, begun_ms, seating)
            if await self._store_new(stored, lines, wait_seconds if seating.waiting else 0):
                if seating.waiting:
                    return stored
                await self._deadlines.index_next(
                    stored
                )  # if the engine crashes before that, no client knows the match yet
                metrics.MATCHES_BEGUN.labels(header.game).inc()
                return stored
            if derived and (before := await self._earlier_match(derived, state)):
                return before

    def _preset(self, state: S) -> str:
        """Name of the preset whose options a state has; empty for other options."""
        game, options = self._codec.game, self._records.options(state)
        for name, preset in game.presets().items():
            if self._records.options(game.start(game.seat_count(state), preset)) == options:
                return name
        return ""

    async def begin(self, stored: StoredMatch[S, M, O, V], seating: Seating) -> None:
        """Begin a match that has waited for players, with the last of them in the seating, and nature's first draws.

        Raises `LostRace` if its seats have changed since, or `UnknownMatch`.
        """
        header = MatchHeader()
        header.CopyFrom(stored.header)
        del header.seats[:]
        header.seats.extend(seating.seats)
        begun, lines = self._first_lines(stored.match_id, header, stored.match.state, seating.with_header(header))
        if begun.clock_seconds:
            begun.start_clocks(await self._store.now_ms())
        await self._deadlines.index_next(begun)
        beginning = Beginning(
            header.SerializeToString(),
            self._codec.write_state(begun.match.state),
            begun.encode_progress(),
            lines,
            begun.clock_seconds,
        )
        events = [*self._platform_events.of_seating(stored, seating), *self._platform_events.of_step(begun, -1)]
        change = SeatingChange(
            0, stored.seating.encoded, begun.seating.encoded, begun.hosted_turns(), events, beginning
        )
        await self._platform_lists.add(stored.match_id, header.begun_ms, seating, stored.seating)
        await self._store.change_seating(stored.match_id, change)
        metrics.MATCHES_BEGUN.labels(header.game).inc()

    def _first_lines(
        self, match_id: str, header: MatchHeader, state: S, seating: Seating | None = None
    ) -> tuple[StoredMatch[S, M, O, V], list[bytes]]:
        """A match in its initial state; and, unless it waits for players, begun with the first lines of its log."""
        match = Match(
            self._codec.game, self._codec.game.copy(state), Luck(header.secret_seed, list(header.client_seeds))
        )
        stored = StoredMatch(match_id, header, match, MatchProgress(), seating=seating)
        if stored.seating.waiting:
            return stored, []
        entries = match.begin()
        stored.heads.extend(self._records.first_heads(match_id, header, state))
        return stored, [added.line.entry() for added in stored.add_to_log(self._codec, entries)]

    async def _store_new(self, stored: StoredMatch[S, M, O, V], lines: list[bytes], wait_seconds: int) -> bool:
        """Store a match; False if its id is taken."""
        header, match_progress = stored.header.SerializeToString(), stored.encode_progress()
        state = self._codec.write_state(stored.match.state)
        seating = stored.seating.encoded
        run_id = await self._store.create(
            stored.match_id,
            header,
            state,
            match_progress,
            lines,
            stored.clock_seconds,
            stored.hosted_turns(),
            seating,
            wait_seconds,
            [] if stored.seating.waiting else self._platform_events.of_step(stored, -1),
        )
        if run_id is None:
            return False
        stored.mark_stored(Snapshot(header, state, match_progress, stored.match.revision, None, run_id, seating))
        stored.guess_was_right = True
        return True

    async def _earlier_match(self, derived: DerivedMatchId, state: S) -> StoredMatch[S, M, O, V] | None:
        """The match as the same request began it, or as it is now if a seat was open; None if it has expired."""
        found = await self._store.header(derived.match_id)
        if found is None:
            return None
        header = MatchHeader.FromString(found)
        if header.request_digest != derived.digest:
            raise RequestIdReused(derived.request_id)
        check_rules(self._codec, derived.match_id, header)
        if header.open_seats:
            return self._matches.decode(derived.match_id, await self._store.load(derived.match_id))
        stored, _ = self._first_lines(derived.match_id, header, state)
        stored.start_clocks(header.begun_ms)
        metrics.REPEATED_MOVES.labels(header.game).inc()
        await self._deadlines.index_next(stored)  # the engine may have crashed before it indexed the deadline
        return stored
