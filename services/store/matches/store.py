"""Match store: stored matches in Redis; each change of a match is one Lua script.

A match is two keys under one hash tag: a hash with the snapshot (header, state, progress, revision, and the responses
of recent requests) and a stream with the log, whose entry n-0 is the line of revision n. Each version of each game's
rules has a sorted set of deadlines. They are hints: later than the deadline in the snapshot at most by the time for
which an engine has claimed the match. The turns that hosted seats owe, and events of platforms, go into the outbox of
the match's bucket, and from there into queues and streams. The turns are a field of the match, too, from which a lost
queue is filled again.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, cast

from redis.asyncio import Redis, RedisCluster

from runtime.telemetry import metrics
from services.grpc_server.call_metrics import timed
from services.grpc_server.errors import LogContradictsSnapshot, StoreFull, StoreUnavailable, UnknownMatch
from services.store.cluster import any_primary, close_client
from services.store.connection import StoreConnection
from services.store.events.streams import EventStreams
from services.store.keys import (
    DEADLINE_SETS,
    MATCH_PATTERN,
    REACHED_KEY,
    bucket,
    deadlines_key,
    deadlines_key_of,
    finished_key,
    list_keys,
    match_id_of,
    match_keys,
    outbox_key,
    platform_list_keys,
)
from services.store.matches.list import MatchList
from services.store.matches.replies import check_seating_outcome, effect_arguments, snapshot_of
from services.store.matches.steps import (
    STORED_REQUESTS,
    IdempotentRequest,
    LostRace,
    SeatingChange,
    Snapshot,
    Step,
    StreamEvent,
)
from services.store.outbox.outbox import Outbox
from services.store.redis import Argument, OnMessage, Reply, ResponseError, Subscription
from services.store.scripts import Script, script, step_script, turn_script
from services.store.turns.queue import HostedTurn, TurnQueue
from services.store.webhooks.store import WebhookStore

logger = logging.getLogger(__name__)

# The hash fields of `match_progress` and `run_id` have the names under which existing matches are stored.
FIELDS: Final = ("header", "state", "progress", "revision", "incarnation", "seating")
SECRET_BYTES: Final = 32
REACHED_KEY_SECONDS: Final = 1
NO_EVICTION: Final = "noeviction"
PLAYER_LIST_SECONDS: Final = 400 * 24 * 60 * 60
"""Time after which the list of a player who has no new match is deleted: nothing else would do so."""
STORED_AFTER_DEADLINE_SECONDS: Final = 24 * 60 * 60
"""Least time in seconds for which a match is stored after its deadline, in case no engine runs then."""


class Store:
    """The stored matches in one Redis.

    Every operation raises `StoreUnavailable` or `StoreFull`. All calls share one connection; pub/sub and commands that
    block have connections of their own.
    """

    has_archive = False
    """Whether finished matches are read from an archive, too."""

    def __init__(
        self,
        redis: Redis | RedisCluster,
        expiry: int,
        finished_expiry: int = 0,
        run_id: str = "",
        replicas: int = 0,
    ) -> None:
        """Matches expire `expiry` seconds after their last move; once over after `finished_expiry`, 0 for the same.

        `run_id` is assumed where the server does not report one. A change of a match returns once `replicas` of Redis
        have it, so many, or raises `StoreNotReplicated`.
        """
        self._redis: Final = redis
        self._fallback_run_id: Final = run_id
        self._expiry: Final = expiry
        self._finished_expiry: Final = finished_expiry or expiry
        self._connection: Final = StoreConnection(redis, run_id, replicas)
        self._create: Final = Script(step_script("matches/create.lua"))
        self._commit: Final = Script(step_script("matches/commit.lua"))
        self._change_seating: Final = Script(step_script("matches/change_seating.lua"))
        self._withdraw: Final = Script(script("matches/withdraw.lua"))
        self._queue: Final = Script(turn_script("turns/queue.lua"))
        self._claim: Final = Script(script("matches/claim_deadlines.lua"))
        self.outbox: Final = Outbox(self._connection.execute, self._connection.evaluate_write)
        """What steps have caused elsewhere, and what is not carried out yet."""
        self._waiting: Final[list[StoreConnection]] = []
        """Connections of blocking commands, which would delay all later commands on a shared connection."""

    @timed
    async def create(
        self,
        match_id: str,
        header: bytes,
        state: bytes,
        match_progress: bytes,
        lines: list[bytes],
        clock_seconds: int = 0,
        hosted_turns: Sequence[HostedTurn] = (),
        seating: bytes = b"",
        wait_seconds: int = 0,
        events: Sequence[StreamEvent] = (),
    ) -> str | None:
        """Store a new match at the revision of its last line; the store's run id.

        A match with open seats has no lines, and expires after `wait_seconds`. Returns None and changes nothing if the
        id is taken.
        """
        await self._make_room()
        arguments: list[Argument] = [
            header,
            state,
            match_progress,
            len(lines),
            wait_seconds or self._seconds(False, clock_seconds),
            seating,
            *effect_arguments(hosted_turns, events),
            *lines,
        ]
        created = await self._run_step(self._create, match_id, arguments)
        if not created:
            return None
        await self._deliver(match_id, created)
        return cast(bytes, created[0]).decode()

    def run_id_of(self, match_id: str) -> str:
        """The run id of the Redis process with a match, connected last; empty if it is not known."""
        return self._connection.run_id_of(match_keys(match_id)[0])

    @timed
    async def load(self, match_id: str, request_key: str = "") -> Snapshot:
        """The snapshot, and the stored response of a request, if its key is given. Raises `UnknownMatch`.

        Replicas must have what the response acknowledges, as when it was given first: else raises `StoreNotReplicated`.
        """
        key = match_keys(match_id)[0]
        found = await self._connection.execute("HMGET", key, *FIELDS, f"request:{request_key}")
        snapshot = snapshot_of(match_id, cast(list[bytes | None], found))
        if snapshot.stored_response is not None:
            await self._connection.execute_write("EXISTS", key)  # `WAIT` is for all that Redis did before
        return snapshot

    @timed
    async def snapshots(self, match_ids: Sequence[str]) -> list[Snapshot | None]:
        """The snapshots of matches; None for an unknown one."""
        found = await asyncio.gather(
            *[self._connection.execute("HMGET", match_keys(match_id)[0], *FIELDS) for match_id in match_ids]
        )
        snapshots: list[Snapshot | None] = []
        for match_id, fields in zip(match_ids, found, strict=True):
            try:
                snapshots.append(snapshot_of(match_id, [*cast(list[bytes | None], fields), None]))
            except UnknownMatch:
                snapshots.append(None)
        return snapshots

    async def _make_room(self) -> None:
        """Delete expired keys; nothing here, since Redis does so by itself."""

    @timed
    async def header(self, match_id: str) -> bytes | None:
        """The encoded header of a match; None when there is none."""
        return cast(bytes | None, await self._connection.execute("HGET", match_keys(match_id)[0], "header"))

    @timed
    async def commit(self, match_id: str, step: Step) -> bytes | None:
        """Store a step; None. If its request was executed before, change nothing and return the stored response.

        Raises `UnknownMatch`, `LostRace` if another step was stored since `base_revision`, or `LogContradictsSnapshot`
        if the log already has lines at the revisions of the step.
        """
        request = step.request or IdempotentRequest("", b"")
        arguments: list[Argument] = [
            step.base_revision,
            step.revision,
            step.state,
            step.match_progress,
            self._seconds(step.over, step.clock_seconds),
            request.key,
            request.response,
            STORED_REQUESTS,
            step.guess.state if step.guess else b"",
            step.guess.match_progress if step.guess else b"",
            step.previous_run_id,
            step.expected_run_id,
            step.seating,
            finished_key(bucket(match_id)) if step.over else "",
            *effect_arguments(step.hosted_turns, step.events),
            *step.lines,
        ]
        reply = await self._run_step(self._commit, match_id, arguments)
        if reply[0] == b"done":
            await self._deliver(match_id, reply)
            return None
        outcome = cast(list[bytes], reply)
        if outcome[0] == b"missing":
            raise UnknownMatch(match_id)
        if outcome[0] == b"contradicted":
            logger.error("the log of match %s has lines beyond its snapshot", match_id)
            raise LogContradictsSnapshot(match_id)
        if outcome[0] == b"stale":
            if step.guess is None:  # a step on an outdated cached match is no conflict between two steps
                metrics.STORE_CONFLICTS.inc()
            raise LostRace(step.base_revision, snapshot_of(match_id, [*outcome[1:], None]))
        return outcome[1]

    @timed
    async def change_seating(self, match_id: str, change: SeatingChange) -> None:
        """Store who has the seats of a match, and begin it if the change has its beginning.

        Raises `UnknownMatch`, `LostRace` if the match or its seats have changed since, or `LogContradictsSnapshot` if a
        match that has not begun has a log.
        """
        beginning = change.beginning
        stored: list[Argument] = ["", "", "", 0, 0]
        if beginning is not None:
            header, state, match_progress, lines, clock_seconds = beginning
            stored = [header, state, match_progress, len(lines), self._seconds(False, clock_seconds)]
        arguments: list[Argument] = [
            change.revision,
            change.old,
            change.new,
            *stored,
            finished_key(bucket(match_id)) if change.over else "",
            *effect_arguments(change.hosted_turns, change.events),
            *(beginning.lines if beginning else ()),
        ]
        outcome = await self._run_step(self._change_seating, match_id, arguments)
        check_seating_outcome(match_id, change.revision, outcome)
        await self._deliver(match_id, outcome)

    @timed
    async def withdraw(self, match_id: str, seating: bytes) -> None:
        """Delete a match that has not begun. Raises `UnknownMatch`, or `LostRace` if its seats have changed since."""
        outcome = await self._connection.evaluate_write(self._withdraw, match_keys(match_id), [seating])
        check_seating_outcome(match_id, 0, cast("list[Reply]", outcome))

    @timed
    async def read_log(self, match_id: str, after: int) -> tuple[Snapshot, list[bytes]]:
        """The snapshot, and the lines of the log after a revision up to that of the snapshot. Raises `UnknownMatch`.

        Not read in a transaction, which a full Redis refuses: lines added after the snapshot are left out instead.
        """
        match, lines = match_keys(match_id)
        found = cast(list[bytes | None], await self._connection.execute("HMGET", match, *FIELDS))
        snapshot = snapshot_of(match_id, [*found, None])
        entries = await self._entries(lines, after)
        return snapshot, entries[: max(0, snapshot.revision - after)]

    @timed
    async def lines(self, match_id: str, after: int, most: int) -> list[bytes]:
        """At most `most` lines of a log after a revision, the first ones; none for an unknown match."""
        return await self._entries(match_keys(match_id)[1], after, "COUNT", most)

    async def _entries(self, log_key: str, after: int, *bound: Argument) -> list[bytes]:
        entries = await self._connection.execute("XRANGE", log_key, f"{after + 1}-0", "+", *bound)
        return [fields[1] for _, fields in cast(list[tuple[bytes, list[bytes]]], entries)]

    async def subscription(self, on_message: OnMessage) -> Subscription:
        """A connection that receives new revisions on the channels of matches. Raises `RedisFailure`."""
        redis = await any_primary(self._redis) if isinstance(self._redis, RedisCluster) else self._redis
        return await Subscription.open(redis, on_message)

    def match_list(self, game: str) -> MatchList:
        """The public list of the matches of a game."""
        return MatchList(list_keys(game), self._connection.execute)

    def platform_matches(self, platform: str, player_id: str = "") -> MatchList:
        """The list of the matches of a platform; or of a player for whom it vouches."""
        seconds = max(PLAYER_LIST_SECONDS, self._expiry, self._finished_expiry)
        return MatchList(platform_list_keys(platform, player_id), self._connection.execute, seconds)

    def turn_queue(self, queue: str) -> TurnQueue:
        """The queue of that name of turns of hosted seats."""
        return TurnQueue(
            queue, self._connection.execute, self._connection.evaluate, self._blocking_connection().execute
        )

    def event_streams(self) -> EventStreams:
        """The streams of events of platforms."""
        is_cluster = isinstance(self._redis, RedisCluster)
        return EventStreams(
            self._connection.execute,
            lambda: self._blocking_connection().execute,
            lambda key: key.partition("{")[2].partition("}")[0] if is_cluster else "",
        )

    def _blocking_connection(self) -> StoreConnection:
        """A connection for commands that block."""
        waiting = StoreConnection(self._redis, self._fallback_run_id)
        self._waiting.append(waiting)
        return waiting

    def webhooks(self) -> WebhookStore:
        """The webhooks of platforms, and their deliveries."""
        return WebhookStore(self._connection.execute, self._connection.evaluate)

    @timed
    async def restore_turns(self, cursor: str, most: int) -> str:
        """Queue lost turns of about `most` matches again. Returns the next cursor.

        The first cursor is `"0"`, which is returned again once all matches have been scanned.
        """
        following, keys = await self._scan(cursor, most)
        found = await asyncio.gather(*[self._owed_turns(key) for key in keys])
        queues: dict[str, list[Argument]] = {}
        for text in [text for owed in found for text in owed]:
            queues.setdefault(text.partition(" ")[0], []).append(text)
        for queue, texts in queues.items():
            await self._connection.evaluate(self._queue, [queue], texts)
        return following

    async def _owed_turns(self, match_key: str) -> list[str]:
        """The turns that a match owes, as they are queued; none for a key of another type."""
        owed: Reply = None
        with suppress(ResponseError):
            owed = await self._connection.execute("HGET", match_key, "turns")
        return cast(bytes, owed).decode().split("\n") if owed else []

    @timed
    async def match_ids(self, cursor: str, most: int) -> tuple[str, list[str]]:
        """The next cursor, as in `restore_turns`, and the ids of about `most` matches, private ones too.

        Of a Redis that resizes its table of keys meanwhile, an id may come twice.
        """
        following, keys = await self._scan(cursor, most)
        return following, [match_id_of(key) for key in keys]

    async def _scan(self, cursor: str, most: int) -> tuple[str, list[str]]:
        """The next cursor, and the keys of about `most` matches; within a cluster a cursor names the primary, too."""
        number, _, position = cursor.rpartition(":")
        nodes, index = await self._connection.primaries(), int(number or 0)
        if index >= len(nodes):  # there were more when the scan began
            return "0", []
        reply = await nodes[index]("SCAN", position, "MATCH", MATCH_PATTERN, "COUNT", most)
        following, found = cast(tuple[bytes, list[bytes]], reply)
        keys = [key.decode() for key in found]
        if following != b"0":
            return f"{index}:{following.decode()}", keys
        return f"{index + 1}:0" if index + 1 < len(nodes) else "0", keys

    @timed
    async def now_ms(self) -> int:
        """The clock of the store, which all engines share, in milliseconds since 1970."""
        seconds, microseconds = cast(list[bytes], await self._connection.execute("TIME"))
        return int(seconds) * 1000 + int(microseconds) // 1000

    @timed
    async def hint_deadline(self, rules_version: str, match_id: str, deadline_ms: int) -> None:
        """Enter a deadline into the index, unless an earlier one is there.

        Called before the step that sets the deadline, so that a crash of the engine in between loses nothing.
        """
        index = deadlines_key_of(rules_version, match_id)
        await self._connection.execute("ZADD", index, "LT", deadline_ms, match_id)

    @timed
    async def claim_due(self, rules_version: str, now_ms: int, until_ms: int, most: int) -> list[str]:
        """Claim at most `most` matches whose deadline has passed; from `until_ms` on they can be claimed again."""
        indices = [deadlines_key(rules_version, number) for number in range(DEADLINE_SETS)]
        counts = await asyncio.gather(*[self._connection.execute("ZCOUNT", index, "-inf", now_ms) for index in indices])
        claimed: list[str] = []
        for index, count in zip(indices, counts, strict=True):
            if count and len(claimed) < most:
                due = await self._connection.evaluate(self._claim, [index], [now_ms, until_ms, most - len(claimed)])
                claimed += [match_id.decode() for match_id in cast(list[bytes], due)]
        return claimed

    @timed
    async def correct_deadline(self, rules_version: str, match_id: str, deadline_ms: int) -> None:
        """Replace the entry of a claimed match by its true deadline, or remove it for 0."""
        index = deadlines_key_of(rules_version, match_id)
        if deadline_ms:
            await self._connection.execute("ZADD", index, deadline_ms, match_id)
        else:
            await self._connection.execute("ZREM", index, match_id)

    @timed
    async def reach(self) -> None:
        """Check that the store accepts our login and writes; a full store counts. Raises `StoreUnavailable`."""
        with suppress(StoreFull):
            await self._connection.execute("SET", REACHED_KEY, b"", "EX", REACHED_KEY_SECONDS)

    @timed
    async def check_policy(self) -> None:
        """Log a warning if Redis may evict matches to make room."""
        try:
            infos = [cast(bytes, await node("INFO", "memory")).decode() for node in await self._connection.primaries()]
        except (StoreUnavailable, ResponseError) as error:
            logger.warning(
                "could not ask the store whether it evicts matches (%s): set maxmemory-policy to noeviction",
                error.kind if isinstance(error, ResponseError) else type(error).__name__,
            )
            return
        for info in infos:
            facts = dict(line.split(":", 1) for line in info.splitlines() if ":" in line)
            policy = facts.get("maxmemory_policy", "unknown")
            if policy == NO_EVICTION:
                continue
            logger.warning("the store evicts matches when it is full: maxmemory-policy is %s, not noeviction", policy)

    @timed
    async def shared_key(self, name: str) -> bytes:
        """The secret of that name, 32 random bytes shared by all processes on this store; made if missing."""
        found = await self._connection.execute("GET", name)
        if found is None:  # writes only if needed: a full or read-only Redis would refuse
            await self._connection.execute("SET", name, secrets.token_bytes(SECRET_BYTES), "NX")
            found = await self._connection.execute("GET", name)
        return cast(bytes, found)

    def _seconds(self, over: bool, clock_seconds: int) -> int:
        """Seconds until a match expires; in play never before its next deadline, or its clock could not play on."""
        if over:
            return self._finished_expiry
        return max(self._expiry, clock_seconds + STORED_AFTER_DEADLINE_SECONDS if clock_seconds else 0)

    async def close(self) -> None:
        """Wait for pending replies, then close the connections."""
        for connection in (self._connection, *self._waiting):
            await connection.close()
        await (close_client(self._redis) if isinstance(self._redis, RedisCluster) else self._redis.aclose())

    async def _run_step(self, script: Script, match_id: str, arguments: Sequence[Argument]) -> list[Reply]:
        """The reply of a script that changes a match; its last argument is the run id of the Redis process."""
        keys = [*match_keys(match_id), outbox_key(bucket(match_id))]
        return cast("list[Reply]", await self._connection.evaluate_step(script, keys, arguments))

    async def _deliver(self, match_id: str, reply: list[Reply]) -> None:
        """Carry out what a step has caused, of which the reply has the first entries of the outbox."""
        if reply[1]:
            await self.outbox.deliver_soon(bucket(match_id), reply[1])
