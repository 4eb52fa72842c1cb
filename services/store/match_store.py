"""Where matches are kept: Redis, or the same in this process.

A match is two keys under one hash tag: a hash with the snapshot (header, state, progress, revision, and the answers to
recent requests) and a stream with the log, whose entry n-0 is the line that made revision n. Every step is one script.
Beside the matches there is for each version of each game's rules a sorted set of deadlines: hints, never later than
the truth in the snapshot by more than the time for which somebody has taken them. What hosted seats owe after a step it
puts into the queues of turns, which are no keys of the match: so a match with hosted seats wants a Redis that is not
split into a cluster. It is a field of the match, too, from which a queue that was lost is filled again.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple, cast

from redis.asyncio import Redis

from runtime.telemetry import metrics
from services.grpc_server.call_metrics import timed
from services.grpc_server.errors import (
    LogContradictsSnapshot,
    StoreFull,
    StoreUnavailable,
    UnknownMatch,
)
from services.store.connection import StoreConnection
from services.store.redis import Argument, OnMessage, Reply, ResponseError, Subscription
from services.store.scripts import Script, script, turn_script
from services.store.turn_queue import Execute, Turn, TurnQueue

log = logging.getLogger(__name__)

KEPT_REQUESTS: Final = 32
"""How many recent requests of a match have their answers kept."""
REQUEST_KEY_LENGTH: Final = 32
FIELDS: Final = ("header", "state", "progress", "revision", "incarnation")
KEY_BYTES: Final = 32
TOKEN_KEY: Final = "fireside:token-key"
REACHED_KEY: Final = "fireside:reached"
REACHED_SECONDS: Final = 1
SIGNING_KEY: Final = "fireside:signing-key"
KEEPING_POLICY: Final = "noeviction"
OUTLIVING_SECONDS: Final = 24 * 60 * 60
"""How long a match is kept at least behind its deadline, should no engine run."""


class Snapshot(NamedTuple):
    """A match as it stands; `kept` is what a step kept under the key of the request that was asked for."""

    header: bytes
    state: bytes
    progress: bytes
    revision: int
    kept: bytes | None
    incarnation: str = ""
    """The run id of the Redis process in which its last step was made."""

    def is_of(self, other: Snapshot) -> bool:
        """Whether both are of the same match, at the same moment."""
        mine = self.revision, self.state, self.progress, self.header
        return mine == (other.revision, other.state, other.progress, other.header)


class Request(NamedTuple):
    """A request that may come again: its key, of `REQUEST_KEY_LENGTH` characters, and what to keep for a repeat."""

    key: str
    kept: bytes


class Step(NamedTuple):
    """What a move makes of a match that stands at revision `answers`; one line for each revision that it adds."""

    answers: int
    revision: int
    state: bytes
    progress: bytes
    lines: list[bytes]
    request: Request | None = None
    over: bool = False
    clock_seconds: int = 0
    """Time of the choice that is asked for now; 0 for any."""
    turns: Sequence[Turn] = ()
    """What hosted seats owe then."""
    guess: Snapshot | None = None
    """What it starts from, where that has not just been read: the store compares all of it, and not the revision alone,
    for a Redis that took over without the latest steps may have come to another state of that number."""
    was: str = ""
    """The incarnation of the store in which the match was left."""
    here: str = ""
    """The one that the step is made for, and lost in any other; empty for any."""


class LostRace(Exception):
    """A step that answers `answers` has changed nothing: the match stands otherwise by now."""

    def __init__(self, answers: int, snapshot: Snapshot) -> None:
        super().__init__(f"a step from revision {answers} of a match that is at {snapshot.revision}")
        self.answers = answers
        self.snapshot = snapshot


class Store:
    """The matches of one Redis.

    Every operation raises `StoreUnavailable` or `StoreFull`. All calls share one connection, which a caller that is
    cancelled never leaves with half an answer; who waits for news or turns has another.
    """

    def __init__(self, redis: Redis, expiry: int, finished_expiry: int = 0, run_id: str = "") -> None:
        """Matches live for `expiry` seconds after their last move; once over for `finished_expiry`, 0 for the same.

        `run_id` is assumed where the server does not report one.
        """
        self._redis: Final = redis
        self._run_id: Final = run_id
        self._expiry: Final = expiry
        self._finished_expiry: Final = finished_expiry or expiry
        self._connection: Final = StoreConnection(redis, run_id)
        self._create: Final = Script(turn_script("match_create.lua"))
        self._commit: Final = Script(turn_script("match_commit.lua"))
        self._restore: Final = Script(turn_script("turns_restore.lua"))
        self._claim: Final = Script(script("deadlines_claim.lua"))
        self._waiting: Final[list[StoreConnection]] = []
        """Connections of commands that wait, and would let others wait behind them."""

    @timed
    async def create(
        self,
        match_id: str,
        header: bytes,
        state: bytes,
        progress: bytes,
        lines: list[bytes],
        clock_seconds: int = 0,
        turns: Sequence[Turn] = (),
    ) -> str | None:
        """Begin a match at the revision of its last line; the incarnation of the store in which it is begun.

        None, and nothing changed, when the id is taken.
        """
        await self._make_room()
        arguments: list[Argument] = [
            header,
            state,
            progress,
            len(lines),
            self._seconds(False, clock_seconds),
            len(turns),
            *[turn.text() for turn in turns],
            *lines,
        ]
        begun = cast(list[bytes], await self._make_step(self._create, _keys(match_id), arguments))
        return begun[0].decode() if begun else None

    @property
    def incarnation(self) -> str:
        """The run id of the Redis process that was connected last; empty for none, or one that does not report it."""
        return self._connection.run_id

    @timed
    async def load(self, match_id: str, request_key: str = "") -> Snapshot:
        """The match as it stands. Raises `UnknownMatch`."""
        found = await self._connection.execute("HMGET", _keys(match_id)[0], *FIELDS, f"request:{request_key}")
        return _snapshot(match_id, cast(list[bytes | None], found))

    async def _make_room(self) -> None:
        """Give up what has expired: Redis does so by itself."""

    @timed
    async def header(self, match_id: str) -> bytes | None:
        """What is fixed about a match; None when there is none."""
        return cast(bytes | None, await self._connection.execute("HGET", _keys(match_id)[0], "header"))

    @timed
    async def commit(self, match_id: str, step: Step) -> bytes | None:
        """Make a step; what is kept for its request when that was made before, and then nothing changes.

        Raises `UnknownMatch`, `LostRace` when the match has gone on since, or `LogContradictsSnapshot` when the log has
        lines already that the step would write.
        """
        request = step.request or Request("", b"")
        arguments: list[Argument] = [
            step.answers,
            step.revision,
            step.state,
            step.progress,
            self._seconds(step.over, step.clock_seconds),
            request.key,
            request.kept,
            KEPT_REQUESTS,
            step.guess.state if step.guess else b"",
            step.guess.progress if step.guess else b"",
            step.was,
            step.here,
            len(step.turns),
            *[turn.text() for turn in step.turns],
            *step.lines,
        ]
        outcome = cast(list[bytes], await self._make_step(self._commit, _keys(match_id), arguments))
        if outcome[0] == b"missing":
            raise UnknownMatch(match_id)
        if outcome[0] == b"contradicted":
            log.error("the log of match %s has lines that its snapshot knows nothing of", match_id)
            raise LogContradictsSnapshot(match_id)
        if outcome[0] == b"stale":
            if step.guess is None:  # else nobody has been slower than another: it was only guessed
                metrics.STORE_CONFLICTS.inc()
            raise LostRace(step.answers, _snapshot(match_id, [*outcome[1:], None]))
        return outcome[1] if outcome[0] == b"seen" else None

    @timed
    async def log(self, match_id: str, after: int) -> tuple[Snapshot, list[bytes]]:
        """The match and the lines of its log after a revision, both of the same moment. Raises `UnknownMatch`.

        No transaction, which a full Redis refuses: lines that came after the snapshot are left out instead.
        """
        match, lines = _keys(match_id)
        found = cast(list[bytes | None], await self._connection.execute("HMGET", match, *FIELDS))
        snapshot = _snapshot(match_id, [*found, None])
        entries = await self._entries(lines, after)
        return snapshot, entries[: max(0, snapshot.revision - after)]

    @timed
    async def lines(self, match_id: str, after: int, most: int) -> list[bytes]:
        """The first lines of a log behind a revision, `most` at the most; none of a match that there is not."""
        return await self._entries(_keys(match_id)[1], after, "COUNT", most)

    async def _entries(self, log_key: str, after: int, *bound: Argument) -> list[bytes]:
        entries = await self._connection.execute("XRANGE", log_key, f"{after + 1}-0", "+", *bound)
        return [fields[1] for _, fields in cast(list[tuple[bytes, list[bytes]]], entries)]

    async def subscription(self, on_message: OnMessage) -> Subscription:
        """A connection that receives new revisions on the channels of matches. Raises `RedisFailure`."""
        return await Subscription.opened(self._redis, on_message)

    def turns(self, queue: str) -> TurnQueue:
        """A queue of turns of hosted seats."""
        waiting = StoreConnection(self._redis, self._run_id)
        self._waiting.append(waiting)
        return TurnQueue(queue, self._connection.execute, self._evaluate, waiting.execute)

    @timed
    async def restore_turns(self, cursor: str, most: int) -> str:
        """Queue the turns again that about so many matches owe, where they were lost; the cursor of the next ones.

        It begins with `"0"`, and is that again once all matches have been gone through.
        """
        words: tuple[Argument, ...] = ("SCAN", cursor, "MATCH", _keys("*")[0], "COUNT", most)
        following, keys = cast(tuple[bytes, list[bytes]], await self._connection.execute(*words))
        if keys:
            await self._evaluate(self._restore, [key.decode() for key in keys], [])
        return following.decode()

    @timed
    async def now_ms(self) -> int:
        """The time of the store, one for all engines, in milliseconds since 1970."""
        seconds, microseconds = cast(list[bytes], await self._connection.execute("TIME"))
        return int(seconds) * 1000 + int(microseconds) // 1000

    @timed
    async def hint_deadline(self, rules_version: str, match_id: str, deadline_ms: int) -> None:
        """Let a match be looked at once its time is up, at the latest; an earlier hint stays.

        Given before the step that sets the deadline, it can never be lost with the engine.
        """
        await self._connection.execute("ZADD", _deadlines(rules_version), "LT", deadline_ms, match_id)

    @timed
    async def claim_due(self, rules_version: str, now_ms: int, until_ms: int, most: int) -> list[str]:
        """Take at most so many matches that are to be looked at; whoever asks gets them again from `until_ms` on."""
        index = _deadlines(rules_version)
        if not await self._connection.execute("ZCOUNT", index, "-inf", now_ms):
            return []
        due = await self._evaluate(self._claim, [index], [now_ms, until_ms, most])
        return [match_id.decode() for match_id in cast(list[bytes], due)]

    @timed
    async def correct_deadline(self, rules_version: str, match_id: str, deadline_ms: int) -> None:
        """Give a match that was looked at its true deadline, 0 for none."""
        index = _deadlines(rules_version)
        if deadline_ms:
            await self._connection.execute("ZADD", index, deadline_ms, match_id)
        else:
            await self._connection.execute("ZREM", index, match_id)

    @timed
    async def reach(self) -> None:
        """Return if the store is there, knows us and takes writes, or is only full. Raises `StoreUnavailable`."""
        with suppress(StoreFull):
            await self._connection.execute("SET", REACHED_KEY, b"", "EX", REACHED_SECONDS)

    @timed
    async def check_policy(self) -> None:
        """Warn when the store may throw matches away to make room."""
        try:
            told = cast(bytes, await self._connection.execute("INFO", "memory")).decode()
        except (StoreUnavailable, ResponseError) as error:
            log.warning(
                "whether the store keeps what it has could not be asked (%s): set maxmemory-policy to noeviction",
                error.kind if isinstance(error, ResponseError) else type(error).__name__,
            )
            return
        facts = dict(line.split(":", 1) for line in told.splitlines() if ":" in line)
        policy = facts.get("maxmemory_policy", "unknown")
        if policy != KEEPING_POLICY:
            log.warning("the store throws matches away when it is full: maxmemory-policy is %s, not noeviction", policy)

    @timed
    async def shared_key(self, name: str) -> bytes:
        """The secret of that name, 32 bytes, that all who share this store have: drawn now if there is none yet."""
        found = await self._connection.execute("GET", name)
        if found is None:  # else nothing is written, which a full Redis, or one that is read only, would refuse
            await self._connection.execute("SET", name, secrets.token_bytes(KEY_BYTES), "NX")
            found = await self._connection.execute("GET", name)
        return cast(bytes, found)

    def _seconds(self, over: bool, clock_seconds: int) -> int:
        """How long a match lives: in play it outlives its next deadline, or nobody would play on."""
        if over:
            return self._finished_expiry
        return max(self._expiry, clock_seconds + OUTLIVING_SECONDS if clock_seconds else 0)

    async def close(self) -> None:
        """Let what is running finish, and give up the connections."""
        for connection in (self._connection, *self._waiting):
            await connection.close()
        await self._redis.aclose()

    async def _evaluate(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
        """What a script answers."""
        return await _evaluated(self._connection.execute, script, keys, arguments)

    async def _make_step(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
        """The same for one that makes a step of a match: its last argument is the run id."""
        return await _evaluated(self._connection.execute_with_run_id, script, keys, arguments)


async def _evaluated(execute: Execute, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
    """What a script answers; its text is sent to a Redis that does not know it."""
    try:
        return await execute("EVALSHA", script.digest, len(keys), *keys, *arguments)
    except ResponseError as error:
        if error.kind != "NOSCRIPT":
            raise
    return await execute("EVAL", script.text, len(keys), *keys, *arguments)


def _snapshot(match_id: str, found: list[bytes | None]) -> Snapshot:
    header, state, progress, revision, incarnation, kept = found
    if header is None or state is None or progress is None or revision is None:
        raise UnknownMatch(match_id)
    return Snapshot(header, state, progress, int(revision), kept, (incarnation or b"").decode())


def _keys(match_id: str) -> list[str]:
    return [f"fireside:match:{{{match_id}}}", f"fireside:log:{{{match_id}}}"]


def channel(match_id: str) -> str:
    """Where the new revisions of a match are published: a channel named as its log."""
    return _keys(match_id)[1]


def _deadlines(rules_version: str) -> str:
    return f"fireside:deadlines:{rules_version}"
