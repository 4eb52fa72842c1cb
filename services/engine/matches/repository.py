"""The stored matches of one game: begun, taken up where they stand, and brought one step further."""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, Generic, TypeVar

from fireside.match.v1.match_pb2 import Clock, SeatSpec
from fireside.match.v1.match_record_pb2 import Attestation, MatchHeader, MatchProgress

from engine_core.chance import SECRET_BYTES, Luck, commitment
from engine_core.errors import InconsistentState, StaleRevision
from engine_core.game import Move, Options, State, View
from engine_core.match import Entry, Match
from runtime.telemetry import metrics
from services.engine.codec import Codec, read_log_line
from services.engine.matches.beginnings import Beginning
from services.engine.matches.cache import MatchCache
from services.engine.matches.progress import decode_taken
from services.engine.matches.stored_match import Added, StoredMatch
from services.engine.records.heads import FULL, advanced, begun
from services.engine.records.records import Records, signed_bytes
from services.engine.records.signing import SigningKeys
from services.grpc_server import call_metrics
from services.grpc_server.errors import (
    LogContradictsSnapshot,
    RequestIdReused,
    ServiceError,
    UnknownMatch,
    UnknownRules,
)
from services.store.match_store import LostRace, Request, Snapshot, Step, Store
from services.watch.feed import Feed, Stepping

log = logging.getLogger(__name__)

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

MATCH_ID_BYTES: Final = 12
EPOCH_BYTES: Final = 16
MATCH_ID_MOST: Final = 64
MATCH_ID_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

HEADS_MOST: Final = 1024
"""How many revisions of matches have their heads cached."""
Moment = tuple[str, int, tuple[str, ...]]


class MatchRepository(Generic[S, M, O, V]):
    """The matches of one game in the store."""

    def __init__(
        self, codec: Codec[S, M, O, V], store: Store, signing: SigningKeys | None = None, feed: Feed | None = None
    ) -> None:
        """`signing` has the keys for matches that end; `feed` is told of steps, being in the same process."""
        self._signing: Final = signing or SigningKeys({}, store)
        self._codec: Final = codec
        self._store: Final = store
        self._feed: Final = feed
        self._records: Final = Records(codec)
        self._heads: Final[OrderedDict[Moment, list[bytes]]] = OrderedDict()
        """LRU cache of heads at earlier revisions, for those who poll or watch from there on."""
        self.rules_version: Final = codec.rules_version
        """The version of the rules that its matches are played by."""
        self._cache: Final[MatchCache[StoredMatch[S, M, O, V]]] = MatchCache()

    async def begin(
        self,
        state: S,
        seats: Sequence[SeatSpec],
        client_seeds: list[str],
        clock: Clock | None = None,
        *,
        private: bool = False,
        named: Beginning | None = None,
        caller: str = "",
    ) -> StoredMatch[S, M, O, V]:
        """Store a match that goes on from its start, nature's first draws made; `caller` tells who began it.

        Of one that is `named` and was begun before, the same comes back as then. Raises `RequestIdReused` where another
        request had the name.
        """
        start = self._codec.game.copy(state)
        begun_ms = await self._store.now_ms() if named else 0
        secret = secrets.token_bytes(SECRET_BYTES)
        header = MatchHeader(
            game=self._codec.game.name,
            rules_version=self._codec.rules_version,
            seats=seats,
            secret_seed=secret,
            client_seeds=client_seeds,
            commitment=commitment(secret),
            clock=clock,
            private=private,
            caller=caller,
            request_digest=named.digest if named else b"",
            begun_ms=begun_ms,
        )
        match = Match(self._codec.game, state, Luck(secret, client_seeds))
        entries = match.begin()
        while True:
            match_id = named.match_id if named else secrets.token_urlsafe(MATCH_ID_BYTES)
            stored = StoredMatch(match_id, header, match, MatchProgress())
            stored.heads.extend(begun(self._records.start(match_id, header, state), len(seats)))
            lines = [added.line.entry() for added in stored.written(self._codec, entries)]
            if stored.clock_seconds:
                stored.start_clocks(begun_ms or await self._store.now_ms())
            snapshot = Snapshot(header.SerializeToString(), self._state(match), stored.progress(), match.revision, None)
            incarnation = await self._store.create(
                stored.match_id,
                snapshot.header,
                snapshot.state,
                snapshot.progress,
                lines,
                stored.clock_seconds,
                stored.turns(),
            )
            if incarnation is not None:
                stored.stored_snapshot, stored.guess_was_right = snapshot._replace(incarnation=incarnation), True
                stored.incarnation = incarnation
                metrics.BEGUN.labels(header.game).inc()
                await self._hint(stored)  # whose engine dies before this was told to nobody
                return stored
            if named and (before := await self._begun_earlier(named, start)):
                await self._hint(before)  # which its engine may have died before
                return before

    async def _begun_earlier(self, named: Beginning, start: S) -> StoredMatch[S, M, O, V] | None:
        """A match as the same request began it; None if it has expired meanwhile."""
        found = await self._store.header(named.match_id)
        if found is None:
            return None
        header = MatchHeader.FromString(found)
        if header.request_digest != named.digest:
            raise RequestIdReused(named.request_id)
        self._check_rules(named.match_id, header)
        match = Match(self._codec.game, start, Luck(header.secret_seed, list(header.client_seeds)))
        stored = StoredMatch(named.match_id, header, match, MatchProgress())
        stored.heads.extend(begun(self._records.start(named.match_id, header, start), len(header.seats)))
        stored.written(self._codec, match.begin())
        stored.start_clocks(header.begun_ms)
        metrics.REPEATS.labels(header.game).inc()
        return stored

    async def rules_version_of(self, match_id: str) -> str:
        """The version of the rules that a match was begun by; empty for a match that there is not."""
        if not _is_id(match_id):
            return ""
        return MatchHeader.FromString(await self._store.header(match_id) or b"").rules_version

    async def checkout(self, match_id: str, request_key: str = "") -> tuple[StoredMatch[S, M, O, V], bytes | None]:
        """The match, for the caller alone, and what was kept for a request. Raises `UnknownMatch`, `UnknownRules`."""
        _check_id(match_id)
        snapshot = await self._store.load(match_id, request_key)
        before = self._cache.checkout(match_id)
        if (stored := self._if_current(before, snapshot)) is None:
            return self._rebuilt(match_id, snapshot, before), snapshot.kept
        stored.guess_was_right = True
        return stored, snapshot.kept

    async def peek(self, match_id: str) -> StoredMatch[S, M, O, V]:
        """The match, to be looked at, and not beyond the next `await`. Raises `UnknownMatch`, `UnknownRules`."""
        _check_id(match_id)
        return self._peeked(match_id, await self._store.load(match_id))

    async def peek_at(self, match_id: str, revision: int) -> StoredMatch[S, M, O, V]:
        """Likewise, of a match that is known to have come so far: it is read only if it was not left here like that."""
        stored = self._cache.peek(match_id)
        return (
            stored if stored is not None and stored.stored_snapshot.revision == revision else await self.peek(match_id)
        )

    def checkout_cached(self, match_id: str) -> StoredMatch[S, M, O, V] | None:
        """The match, for the caller alone, as it was left here: if nobody has moved it on since, nothing need be read.

        It is only a guess until the store has taken a step from there; when the store refuses, its answer has the match
        as it is now (`reload_after_conflict`). With a clock of moves a step first asks the store for the time, in vain
        where the guess is wrong: such a match is only guessed where the last guess would have been right.
        """
        stored = self._cache.peek(match_id)
        if stored is None or (stored.clock.move_seconds and not stored.guess_was_right):
            return None
        return self._cache.checkout(match_id)

    def reload_after_conflict(self, lost: LostRace, stored: StoredMatch[S, M, O, V]) -> StoredMatch[S, M, O, V]:
        """The match as the winner of a race has left it, for the loser alone, who has played on with `stored`."""
        return self._rebuilt(stored.match_id, lost.snapshot, stored)

    def put(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Take a match back from a caller that will not use it any more; unless it is not stored so, or over."""
        if stored.is_stored and not stored.match.is_over():
            self._cache.put(stored)

    def _peeked(self, match_id: str, snapshot: Snapshot) -> StoredMatch[S, M, O, V]:
        before = self._cache.peek(match_id)
        stored = self._if_current(before, snapshot)
        if stored is None:
            self.put(stored := self._rebuilt(match_id, snapshot, before))
        return stored

    def _if_current(self, stored: StoredMatch[S, M, O, V] | None, snapshot: Snapshot) -> StoredMatch[S, M, O, V] | None:
        """A match that was kept, if it is what the store has, to the last byte."""
        return stored if stored is not None and stored.stored_snapshot.is_of(snapshot) else None

    async def log(self, match_id: str, after: int) -> tuple[StoredMatch[S, M, O, V], list[bytes]]:
        """The match, as `peek` gives it, and the lines of its log after a revision."""
        _check_id(match_id)
        snapshot, lines = await self._store.log(match_id, after)
        return self._peeked(match_id, snapshot), lines

    async def log_after(self, match_id: str, after: int) -> tuple[StoredMatch[S, M, O, V], list[Added]]:
        """The match, as `peek` gives it, and the lines of its log after a revision, with the heads after each.

        Raises `LogContradictsSnapshot` where the chains over them do not end in the heads of the match.
        """
        stored, lines = await self.log(match_id, after)
        if after >= stored.match.revision:
            return stored, []
        if after and (heads := self._heads.get(_moment(stored, after))):
            return stored, self._chained(stored, heads, lines)
        if after:
            stored, lines = await self.log(match_id, 0)
        added = self._chained(stored, self._first_heads(stored), lines)
        if 0 < after <= len(added):
            self._remember(stored, after, added[after - 1].heads)
        return stored, added[after:]

    async def heads_at(self, stored: StoredMatch[S, M, O, V], revision: int) -> list[bytes]:
        """The heads after an earlier line of a match that was looked at. Before the first the whole log is checked.

        Raises what `log_after` raises.
        """
        if revision == stored.match.revision:
            return list(stored.heads)
        if revision and (heads := self._heads.get(_moment(stored, revision))):
            return heads
        stored, added = await self.log_after(stored.match_id, 0)
        if revision > len(added):
            raise StaleRevision(revision, stored.match.revision)
        if not revision:
            return self._first_heads(stored)
        self._remember(stored, revision, added[revision - 1].heads)
        return added[revision - 1].heads

    def _first_heads(self, stored: StoredMatch[S, M, O, V]) -> list[bytes]:
        start = self._records.start(stored.match_id, stored.header, stored.match.state)
        return begun(start, len(stored.header.seats))

    def _chained(self, stored: StoredMatch[S, M, O, V], heads: list[bytes], lines: list[bytes]) -> list[Added]:
        """The last lines of a log, with the heads after each. Raises `LogContradictsSnapshot`."""
        added = []
        for line in map(read_log_line, lines):
            heads = advanced(heads, line)
            added.append(Added(line, heads))
        if heads != stored.heads:
            log.error("the log of match %s is not the one that its hash chains were made over", stored.match_id)
            raise LogContradictsSnapshot(stored.match_id)
        self._remember(stored, stored.match.revision, heads)
        return added

    def _remember(self, stored: StoredMatch[S, M, O, V], revision: int, heads: list[bytes]) -> None:
        self._heads[_moment(stored, revision)] = heads
        if len(self._heads) > HEADS_MOST:
            self._heads.popitem(last=False)

    def is_over(self, match_id: str) -> Callable[[Snapshot], bool]:
        """Tells of snapshots of the match whether it is over."""
        return lambda snapshot: self._peeked(match_id, snapshot).match.is_over()

    def renewed(self, stored: StoredMatch[S, M, O, V]) -> list[Entry]:
        """The line that a step begins with where the store is not the Redis process of the step before; else none.

        That process may have fallen back, and what it draws then must not be what was seen. So an epoch's id is drawn
        at random: a run id could come again, with a process that was away. Raises `MatchOver`.
        """
        here = self._store.incarnation
        if not here or here == stored.incarnation:
            return []
        epoch = secrets.token_hex(EPOCH_BYTES)
        entries = stored.match.begin_epoch(epoch)
        stored.epochs.append(epoch)
        stored.incarnation = here
        log.info("the store is another process: match %s begins epoch %d", stored.match_id, len(stored.epochs))
        return entries

    async def set_deadline(self, stored: StoredMatch[S, M, O, V]) -> None:
        """Give seats that have been asked anew their time; to be called before the match is told to anybody."""
        if stored.match.is_over():
            stored.stop_clocks()
        elif stored.clock.move_seconds and stored.asks_anew():
            stored.start_clock(await self._store.now_ms())
            await self._hint(stored)

    async def _hint(self, stored: StoredMatch[S, M, O, V]) -> None:
        facts = stored.facts
        if facts.next_deadline_ms:
            await self._store.hint_deadline(self.rules_version, facts.match_id, facts.next_deadline_ms)

    async def commit(
        self,
        stored: StoredMatch[S, M, O, V],
        entries: list[Entry],
        request: Request | None,
        kind: str = metrics.PLAYER,
        *,
        guessed: bool = False,
    ) -> bytes | None:
        """Store what `entries` have added; what was kept for the request if it was made before.

        The moves are counted as ones of their `kind`. Of a match that was `guessed` the store compares all.

        Raises `UnknownMatch`, or `LostRace` when the match has gone on since it was found.
        """
        await self.set_deadline(stored)
        added = stored.written(self._codec, entries)
        if stored.match.is_over():
            stored.attestation = await self._attested(stored)
        revision = stored.match.revision
        step = Step(
            answers=revision - len(entries),
            revision=revision,
            state=self._state(stored.match),
            progress=stored.progress(),
            lines=[each.line.entry() for each in added],
            request=request,
            over=stored.match.is_over(),
            clock_seconds=stored.clock_seconds,
            turns=stored.turns(),
            guess=stored.stored_snapshot if guessed else None,
            was=stored.stored_snapshot.incarnation,
            here=stored.incarnation,
        )
        with Stepping(self._feed, stored.match_id, revision) as stepping:
            found = await self._store.commit(stored.match_id, step)
            if found is None:
                stepping.tell(step.answers, step.lines, over=step.over)
        if found is None:
            stored.stored_snapshot = Snapshot(
                stored.stored_snapshot.header, step.state, step.progress, revision, None, step.here
            )
            stored.guess_was_right |= guessed
            self._count(entries, step, kind)
        if stored.clock_seconds and step.over:
            await self._forget_deadline(stored)
        return found

    async def _attested(self, stored: StoredMatch[S, M, O, V]) -> Attestation:
        """The signature over a match that is over, which needs no more of its log than the head."""
        key = await self._signing.first()
        attestation = Attestation(key_id=key.key_id, public_key=key.public)
        record = self._records.of(stored.match_id, stored.header, stored.match, [], attestation)
        attestation.signature = key.sign(signed_bytes(record, stored.heads[FULL]))
        return attestation

    def _count(self, entries: list[Entry], step: Step, kind: str) -> None:
        game = self._codec.game.name
        call_metrics.moves(game, entries, kind)
        if step.over:
            metrics.ENDED.labels(game).inc()

    async def _forget_deadline(self, stored: StoredMatch[S, M, O, V]) -> None:
        """What stays behind when it fails is found, and dropped, when it is due."""
        with suppress(ServiceError):
            await self._store.correct_deadline(self.rules_version, stored.facts.match_id, 0)

    def _rebuilt(
        self, match_id: str, snapshot: Snapshot, before: StoredMatch[S, M, O, V] | None
    ) -> StoredMatch[S, M, O, V]:
        """The match as it stands; from how it was `before`, what does not change is taken over."""
        progress = MatchProgress.FromString(snapshot.progress)
        drawn, taken = dict(progress.drawn), decode_taken(progress)
        if before is not None and before.stored_snapshot.header == snapshot.header and before.epochs == progress.epochs:
            header, luck = before.header, before.luck.at(drawn, taken)
        else:
            header = MatchHeader.FromString(snapshot.header)
            self._check_rules(match_id, header)
            if commitment(header.secret_seed) != header.commitment:
                raise RuntimeError("a stored seed is not the one that was committed to")
            seeds = [*header.client_seeds, *progress.epochs]
            luck = Luck(header.secret_seed, seeds, drawn, taken)
        if progress.revision != snapshot.revision:
            raise RuntimeError("a stored match is at two revisions at once")
        match = Match(
            self._codec.game,
            self._decoded(snapshot.state),
            luck,
            progress.revision,
            progress.phase_start,
            list(progress.last_moved),
        )
        return StoredMatch(match_id, header, match, progress, snapshot)

    def _check_rules(self, match_id: str, header: MatchHeader) -> None:
        """A match of another game is none of ours; one of other rules of our game is, but not to be played here."""
        if header.game != self._codec.game.name:
            raise UnknownMatch(match_id)
        if header.rules_version != self._codec.rules_version:
            raise UnknownRules(match_id, header.rules_version)

    def _decoded(self, state: bytes) -> S:
        """A state that we have stored: one that cannot be read is a fault of ours, and secret."""
        try:
            return self._codec.read_state(state)
        except InconsistentState as error:
            raise RuntimeError("a stored state cannot be read") from error

    def _state(self, match: Match[S, M, O, V]) -> bytes:
        return self._codec.write_state(match.state)


def _moment(stored: StoredMatch[S, M, O, V], revision: int) -> Moment:
    """An earlier revision of a match: after the store fell back, it is another one as soon as a step was made."""
    return stored.match_id, revision, tuple(stored.epochs)


def _check_id(match_id: str) -> None:
    """Anything that no match could be called is not looked for."""
    if not _is_id(match_id):
        raise UnknownMatch(match_id)


def _is_id(match_id: str) -> bool:
    return 0 < len(match_id) <= MATCH_ID_MOST and MATCH_ID_CHARACTERS.issuperset(match_id)
