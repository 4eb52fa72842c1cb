"""Repository of stored matches: loads them from the store or the cache, and commits steps."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Generic

from fireside.match.v1.match_pb2 import SeatSpec
from fireside.match.v1.match_record_pb2 import Attestation, MatchHeader, MatchProgress

from engine_core.chance import Luck, commitment
from engine_core.errors import InconsistentState
from engine_core.match import Entry, Match
from runtime.telemetry import metrics
from services.engine.clocks.deadlines import Deadlines
from services.engine.codec import Codec, M, O, S, V
from services.engine.matches.cache import MatchCache
from services.engine.matches.progress import decode_taken
from services.engine.matches.stored_match import StoredMatch, check_rules
from services.engine.platforms.events import PlatformEvents
from services.engine.platforms.lists import PlatformLists
from services.engine.records.heads import FULL_LOG
from services.engine.records.records import RecordBuilder, signed_bytes
from services.engine.records.signing import SigningKeys
from services.engine.tables.seating import Seating
from services.grpc_server import call_metrics
from services.grpc_server.errors import ServiceError, UnknownMatch, UnknownRules
from services.store.matches.list import ListEntry
from services.store.matches.steps import IdempotentRequest, LostRace, SeatingChange, Snapshot, Step
from services.store.matches.store import Store
from services.watch.feed import Feed, LocalStep

logger = logging.getLogger(__name__)

EPOCH_BYTES: Final = 16
MAX_MATCH_ID_LENGTH: Final = 64
MATCH_ID_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


class MatchRepository(Generic[S, M, O, V]):
    """The stored matches of one version of a game.

    A caller that changes a match checks it out, so that no other caller has it, and puts it back once the step is
    stored. A caller that only reads peeks, and must not use the match after its next `await`.
    """

    def __init__(
        self, codec: Codec[S, M, O, V], store: Store, signing: SigningKeys | None = None, feed: Feed | None = None
    ) -> None:
        """`signing` has the keys that sign finished matches; `feed` gets the steps stored by this process."""
        self._signing: Final = signing or SigningKeys({}, store)
        self._codec: Final = codec
        self._store: Final = store
        self._feed: Final = feed
        self._records: Final = RecordBuilder(codec)
        self.rules_version: Final = codec.rules_version
        """The rules version of its matches."""
        self.deadlines: Final = Deadlines(store, codec.rules_version)
        self._list: Final = store.match_list(codec.game.name)
        self._platform_lists: Final = PlatformLists(store)
        self._platform_events: Final = PlatformEvents[S, M, O, V]()
        self._cache: Final[MatchCache[StoredMatch[S, M, O, V]]] = MatchCache()

    async def rules_version_of(self, match_id: str) -> str:
        """The rules version of a match; empty if there is no such match."""
        if not _is_id(match_id):
            return ""
        return MatchHeader.FromString(await self._store.header(match_id) or b"").rules_version

    async def seats_of(self, match_id: str) -> Sequence[SeatSpec]:
        """The players of a match by seat, as this process knows them; none if it has no such match."""
        try:
            return (self._cache.peek(match_id) or await self.peek(match_id)).facts.seats
        except (UnknownMatch, UnknownRules):
            return ()

    async def checkout(self, match_id: str, request_key: str = "") -> tuple[StoredMatch[S, M, O, V], bytes | None]:
        """The current match, for this caller alone, and the record stored under a request's key.

        Raises `UnknownMatch` or `UnknownRules`.
        """
        _check_id(match_id)
        snapshot = await self._store.load(match_id, request_key)
        # All bytes are compared, not only the revision: a Redis that took over may have another state of that revision.
        cached = self._cache.checkout(match_id)
        if cached is None or not cached.stored_snapshot.is_of(snapshot):
            return self._decoded(match_id, snapshot, cached), snapshot.stored_response
        cached.guess_was_right = True
        return cached, snapshot.stored_response

    def checkout_cached(self, match_id: str) -> StoredMatch[S, M, O, V] | None:
        """The match as cached in this process, for this caller alone: a step on it takes one round trip to the store.

        That it is current is a guess, which the store checks when it commits the step; if another process has changed
        the match, the store returns the current one (`reload_after_conflict`). With a clock of moves a step first reads
        the store's time, in vain if the guess is wrong: such a match is returned only if the last guess would have been
        right.
        """
        cached = self._cache.peek(match_id)
        if cached is None or (cached.is_timed and not cached.guess_was_right):
            return None
        return self._cache.checkout(match_id)

    def reload_after_conflict(self, lost: LostRace, stored: StoredMatch[S, M, O, V]) -> StoredMatch[S, M, O, V]:
        """The match after the step that won the race, for this caller alone, whose step on `stored` lost."""
        return self._decoded(stored.match_id, lost.snapshot, stored)

    def put(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Put a match back into the cache, unless it is over or has changes that are not stored."""
        if stored.is_stored and not stored.match.is_over():
            self._cache.put(stored)

    async def peek(self, match_id: str) -> StoredMatch[S, M, O, V]:
        """The current match, to be read only. Raises `UnknownMatch` or `UnknownRules`."""
        _check_id(match_id)
        return self._read_only_match(match_id, await self._store.load(match_id))

    def cached_at(self, match_id: str, revision: int) -> StoredMatch[S, M, O, V] | None:
        """The match at a revision, to be read only; None if it is not cached at that revision."""
        cached = self._cache.peek(match_id)
        is_at = cached is not None and cached.is_stored and cached.stored_snapshot.revision == revision
        return cached if is_at else None

    async def peek_at(self, match_id: str, revision: int) -> StoredMatch[S, M, O, V]:
        """The match at or after a revision, to be read only; from the cache if it is there at that revision."""
        return self.cached_at(match_id, revision) or await self.peek(match_id)

    async def peek_log(self, match_id: str, after: int) -> tuple[StoredMatch[S, M, O, V], list[bytes]]:
        """The current match, to be read only, and the lines of its log after a revision."""
        _check_id(match_id)
        snapshot, lines = await self._store.read_log(match_id, after)
        return self._read_only_match(match_id, snapshot), lines

    def is_over(self, match_id: str) -> Callable[[Snapshot], bool]:
        """A function that returns whether a snapshot of the match is one of a finished match."""
        return lambda snapshot: self._read_only_match(match_id, snapshot).match.is_over()

    def _read_only_match(self, match_id: str, snapshot: Snapshot) -> StoredMatch[S, M, O, V]:
        cached = self._cache.peek(match_id)
        if cached is not None and cached.stored_snapshot.is_of(snapshot):
            return cached
        stored = self._decoded(match_id, snapshot, cached)
        self.put(stored)
        return stored

    def begin_epoch_if_store_restarted(self, stored: StoredMatch[S, M, O, V]) -> list[Entry]:
        """Begin an epoch if the store is another Redis process than at the last step; the entries, mostly none.

        That process may lack the latest steps, and must not repeat draws that were seen then. The epoch's id is random,
        since a run id could come back with a process that was away. Raises `MatchOver`.
        """
        here = self._store.run_id_of(stored.match_id)
        if not here or here == stored.run_id:
            return []
        epoch = secrets.token_hex(EPOCH_BYTES)
        entries = stored.match.begin_epoch(epoch)
        stored.epochs.append(epoch)
        stored.run_id = here
        logger.info("the store is another process: match %s begins epoch %d", stored.match_id, len(stored.epochs))
        return entries

    async def commit(
        self,
        stored: StoredMatch[S, M, O, V],
        entries: list[Entry],
        request: IdempotentRequest | None,
        kind: str = metrics.MOVED_BY_PLAYER,
        *,
        guessed: bool = False,
    ) -> bytes | None:
        """Store the step of these entries; None, or the stored record if its request was executed before.

        `kind` labels its moves in the metrics. If the match is `guessed`, the store compares every byte of it.

        Raises `UnknownMatch`, or `LostRace` if another step was stored since it was checked out.
        """
        await self.deadlines.update(stored)
        added = stored.add_to_log(self._codec, entries)
        over = stored.match.is_over()
        if over:
            stored.attestation = await self._attested(stored)
        revision = stored.match.revision
        step = Step(
            base_revision=revision - len(entries),
            revision=revision,
            state=self._codec.write_state(stored.match.state),
            match_progress=stored.encode_progress(),
            lines=[each.line.entry() for each in added],
            seating=stored.seating.encoded,
            request=request,
            over=over,
            clock_seconds=stored.clock_seconds,
            hosted_turns=stored.hosted_turns(),
            events=self._platform_events.of_step(stored, revision - len(entries), entries),
            guess=stored.stored_snapshot if guessed else None,
            previous_run_id=stored.stored_snapshot.run_id,
            expected_run_id=stored.run_id,
        )
        # Watchers in this process get the lines from here; else they would read them from the store.
        with LocalStep(self._feed, stored.match_id, revision) as local_step:
            found = await self._store.commit(stored.match_id, step)
            if found is None:
                local_step.stored(step.base_revision, step.lines, over=over)
        if found is None:
            stored.mark_stored(
                Snapshot(
                    stored.stored_snapshot.header,
                    step.state,
                    step.match_progress,
                    revision,
                    None,
                    step.expected_run_id,
                    step.seating,
                )
            )
            stored.guess_was_right |= guessed
            call_metrics.count_step(self._codec.game.name, entries, kind, over=over)
        if stored.clock_seconds and over:
            await self.deadlines.remove(stored)
        if stored.header.listed and over:
            await self._list_as_finished(stored)
        if stored.seating.platforms and over:
            await self._platform_lists.finish(stored)
        return found

    async def change_seating(self, stored: StoredMatch[S, M, O, V], seating: Seating) -> None:
        """Store who has the seats from now on. Raises `UnknownMatch`, or `LostRace` if anything has changed since."""
        changed = StoredMatch(stored.match_id, stored.header, stored.match, MatchProgress(), seating=seating)
        change = SeatingChange(
            stored.match.revision,
            stored.seating.encoded,
            seating.encoded,
            changed.hosted_turns(),
            self._platform_events.of_seating(stored, seating),
            over=stored.match.is_over(),
        )
        await self._platform_lists.add(stored.match_id, stored.header.begun_ms, seating, stored.seating)
        await self._store.change_seating(stored.match_id, change)

    async def _list_as_finished(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Move a match in the public list; if that fails, the next call that lists it does so."""
        with suppress(ServiceError):
            await self._list.move(ListEntry(stored.header.begun_ms, stored.match_id), is_finished=True)

    async def _attested(self, stored: StoredMatch[S, M, O, V]) -> Attestation:
        """The signature of a finished match; of its log only the head is needed."""
        key = await self._signing.current()
        attestation = Attestation(key_id=key.key_id, public_key=key.public)
        record = self._records.build(stored.match_id, stored.header, stored.match, [], attestation)
        attestation.signature = key.sign(signed_bytes(record, stored.heads[FULL_LOG]))
        return attestation

    def decode(self, match_id: str, snapshot: Snapshot) -> StoredMatch[S, M, O, V]:
        """The match of a snapshot, to be read only. It is not cached, where it could displace one that is played."""
        return self._decoded(match_id, snapshot, None)

    def _decoded(
        self, match_id: str, snapshot: Snapshot, cached: StoredMatch[S, M, O, V] | None
    ) -> StoredMatch[S, M, O, V]:
        """The match of a snapshot; constant parts are taken from a cached older state, if there is one."""
        match_progress = MatchProgress.FromString(snapshot.match_progress)
        drawn, taken = dict(match_progress.drawn), decode_taken(match_progress)
        # The luck has the ranks of the cards cached: 43 us to decode Fire Bulls instead of 58.
        if cached and cached.stored_snapshot.header == snapshot.header and cached.epochs == match_progress.epochs:
            header, luck = cached.header, cached.luck.at_position(drawn, taken)
        else:
            header = MatchHeader.FromString(snapshot.header)
            check_rules(self._codec, match_id, header)
            if commitment(header.secret_seed) != header.commitment:
                raise RuntimeError("a stored seed is not the one that was committed to")
            seeds = [*header.client_seeds, *match_progress.epochs]
            luck = Luck(header.secret_seed, seeds, drawn, taken)
        if match_progress.revision != snapshot.revision:
            raise RuntimeError("a stored match is at two revisions at once")
        state = self._decoded_state(snapshot.state)
        match = Match(
            self._codec.game,
            state,
            luck,
            match_progress.revision,
            match_progress.phase_start,
            list(match_progress.last_moved),
        )
        return StoredMatch(match_id, header, match, match_progress, snapshot)

    def _decoded_state(self, state: bytes) -> S:
        try:
            return self._codec.read_state(state)
        except InconsistentState as error:
            # An internal error, since callers must not see the reason: the state is secret.
            raise RuntimeError("a stored state cannot be read") from error


def _check_id(match_id: str) -> None:
    """Raise `UnknownMatch` for what cannot be a match id, which saves a read of the store."""
    if not _is_id(match_id):
        raise UnknownMatch(match_id)


def _is_id(match_id: str) -> bool:
    return 0 < len(match_id) <= MAX_MATCH_ID_LENGTH and MATCH_ID_CHARACTERS.issuperset(match_id)
