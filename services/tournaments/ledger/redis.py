"""Redis ledger: tournaments in Redis; each write is one atomic Lua script.

All keys share a hash tag, since a script changes a tournament and the lists of all: a cluster has them on one primary.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Final, TypeVar, cast

from fakeredis import FakeRedis, FakeServer
from redis import Redis, RedisCluster, exceptions
from redis.commands.core import Script

from runtime import redis_url
from services.store.connection import BUSY_CODES
from services.tournaments.ledger.ledger import (
    LIST_START,
    NO_MOVES,
    LeaseLost,
    Ledger,
    LedgerUnavailable,
    ListPosition,
    ResultDiffers,
    Status,
    StoredResult,
    Tournament,
    TournamentEnded,
    TournamentLeased,
    UnknownTournament,
    WrongWorker,
)
from services.tournaments.plan.plan import Spec, read_stored_plan

logger = logging.getLogger(__name__)

UNAVAILABLE_ERRORS: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.MasterDownError,
    exceptions.ClusterDownError,
    exceptions.RedisClusterException,
)

T = TypeVar("T")

INDEX_KEY: Final = "fireside:{tournaments}"
UNFINISHED_KEY: Final = "fireside:{tournaments}:unfinished"
DELETED_FENCE_KEY: Final = "fireside:{tournaments}:fence"
"""Highest fencing token of deleted tournaments: new tournaments start from it, so that ids can be reused safely."""
KEY_SUFFIXES: Final = ("fence", "results", "moves", "order", "alarms", "suspects", "wrong_workers", "news")
"""Suffixes of a tournament's keys except the lease. `news` is no longer written, but older ledgers may have it."""
SCAN_COUNT: Final = 1000
"""Results that are read in one step when a whole tournament is searched."""
ANSWER_SECONDS: Final = 5.0
COMMAND_RETRIES: Final = 8
"""Retries of a command that may have been carried out: all steps may safely be repeated."""


class RedisLedger(Ledger):
    """Tournaments in Redis. All methods raise `LedgerUnavailable` if it does not respond or takes no writes."""

    def __init__(self, redis: Redis | RedisCluster) -> None:
        self._redis: Final = redis
        self._create: Final = _script(redis, "create.lua")
        self._record: Final = _script(redis, "record.lua")
        self._set_aside: Final = _script(redis, "set_aside.lua")
        self._acquire: Final = _script(redis, "acquire.lua")
        self._renew: Final = _script(redis, "renew.lua")
        self._end: Final = _script(redis, "end.lua")
        self._delete: Final = _script(redis, "delete.lua")
        self._publish: Final = _script(redis, "publish.lua")

    def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        key = _key(tournament_id)
        keys = [key, INDEX_KEY, UNFINISHED_KEY, f"{key}:fence", DELETED_FENCE_KEY]
        arguments: list[str | int] = [tournament_id, spec.to_json(), now_ms]
        return bool(_map_errors(lambda: self._create(keys=keys, args=arguments)))

    def tournament(self, tournament_id: str) -> Tournament:
        key = _key(tournament_id)
        names = ["spec", "status", "created_ms", "summary", "detail"]
        spec, status, created, summary, detail = cast(
            "list[bytes | None]", _map_errors(lambda: self._redis.hmget(key, names))
        )
        if spec is None or status is None or created is None:
            raise UnknownTournament(tournament_id)
        done = _map_errors(lambda: self._redis.hlen(f"{key}:results"))
        alarms = cast("dict[bytes, bytes]", _map_errors(lambda: self._redis.hgetall(f"{key}:alarms")))
        wrong = cast("dict[bytes, bytes]", _map_errors(lambda: self._redis.hgetall(f"{key}:wrong_workers")))
        return Tournament(
            tournament_id,
            read_stored_plan(spec.decode()),
            Status(status.decode()),
            int(created),
            done,
            tuple(sorted((int(index), result) for index, result in alarms.items())),
            summary or b"",
            (detail or b"").decode(),
            bool(_map_errors(lambda: self._redis.exists(f"{key}:lease"))),
            tuple([_wrong_worker(name, evidence) for name, evidence in sorted(wrong.items())]),
            _map_errors(lambda: self._redis.hlen(f"{key}:suspects")) if wrong else 0,
        )

    def positions(self, most: int, after: ListPosition = LIST_START) -> list[ListPosition]:
        time = after.created_ms
        together = _map_errors(lambda: self._redis.zrevrangebyscore(INDEX_KEY, time, time, withscores=True))
        older = _map_errors(
            lambda: self._redis.zrevrangebyscore(INDEX_KEY, f"({time}", "-inf", 0, most, withscores=True)
        )
        found = [ListPosition(int(score), tournament_id.decode()) for tournament_id, score in [*together, *older]]
        return [position for position in found if position < after][:most]

    def unfinished(self, most: int) -> list[str]:
        found = cast("list[bytes]", _map_errors(lambda: self._redis.zrange(UNFINISHED_KEY, 0, most - 1)))
        return [tournament_id.decode() for tournament_id in found]

    def results(self, tournament_id: str, first: int, count: int) -> list[bytes | None]:
        fields = [str(index) for index in range(first, first + count)]
        if not fields:
            return []
        found = _map_errors(lambda: self._redis.hmget(f"{_key(tournament_id)}:results", fields))
        return [line and _result_of(line) for line in cast("list[bytes | None]", found)]

    def moves(self, tournament_id: str, block: int) -> bytes | None:
        found = _map_errors(lambda: self._redis.hget(f"{_key(tournament_id)}:moves", str(block)))
        return cast("bytes | None", found)

    def record(
        self,
        tournament_id: str,
        token: int,
        lines: Sequence[StoredResult],
        moves: Mapping[int, bytes] = NO_MOVES,
        worker: str = "",
    ) -> list[int]:
        key = _key(tournament_id)
        keys = [key, f"{key}:lease", f"{key}:results", f"{key}:alarms", f"{key}:order", f"{key}:moves"]
        arguments: list[bytes | str | int] = [token, worker]
        for index, result in lines:
            arguments += [index, result, moves.get(index, b"")]
        answer = cast("list[list[bytes]] | list[bytes]", _map_errors(lambda: self._record(keys=keys, args=arguments)))
        _check_written(tournament_id, answer)
        new, differing = [[int(index) for index in indices] for indices in answer]
        if differing:
            logger.error("tournament %s: blocks were played again with other results: %s", tournament_id, differing)
            raise ResultDiffers(tournament_id, differing)
        return new

    def blocks_played_by(self, tournament_id: str, worker: str) -> list[int]:
        lines = _map_errors(lambda: list(self._redis.hscan_iter(f"{_key(tournament_id)}:results", count=SCAN_COUNT)))
        return sorted([int(index) for index, line in lines if line.endswith(b"\n" + worker.encode())])

    def set_aside(
        self, tournament_id: str, token: int, worker: WrongWorker, blocks: Sequence[int], later_from: int | None = None
    ) -> None:
        key = _key(tournament_id)
        parts = ("lease", "results", "order", "moves", "suspects", "wrong_workers")
        evidence, later = f"{worker.block} {worker.tournament_id}", "" if later_from is None else later_from
        arguments: list[str | int] = [token, worker.name, evidence, later, *blocks]
        keys = [key, *[f"{key}:{part}" for part in parts]]
        _check_written(tournament_id, _map_errors(lambda: self._set_aside(keys=keys, args=arguments)))

    def suspect_results(self, tournament_id: str) -> list[tuple[int, str, bytes]]:
        found = cast("dict[bytes, bytes]", _map_errors(lambda: self._redis.hgetall(f"{_key(tournament_id)}:suspects")))
        suspects = [(*field.decode().partition(" "), result) for field, result in found.items()]
        return sorted([(int(index), worker, result) for index, _, worker, result in suspects])

    def finish(self, tournament_id: str, token: int) -> None:
        if self._ended(tournament_id, Status.OVER, str(token)) == b"fenced":
            raise LeaseLost(tournament_id)

    def cancel(self, tournament_id: str) -> None:
        if self._ended(tournament_id, Status.CANCELLED, "") == b"missing":
            raise UnknownTournament(tournament_id)

    def delete(self, tournament_id: str) -> None:
        key = _key(tournament_id)
        parts = [f"{key}:{part}" for part in KEY_SUFFIXES]
        keys = [key, f"{key}:lease", INDEX_KEY, UNFINISHED_KEY, DELETED_FENCE_KEY, *parts]
        if not _map_errors(lambda: self._redis.exists(key)):
            raise UnknownTournament(tournament_id)
        # A missing tournament is no error from here on: a first try may have deleted it and lost its reply.
        outcome = _map_errors(lambda: self._delete(keys=keys, args=[tournament_id]))
        if outcome == b"leased":
            raise TournamentLeased(tournament_id)

    def _ended(self, tournament_id: str, status: Status, token: str, detail: str = "") -> bytes:
        key = _key(tournament_id)
        keys = [key, f"{key}:lease", UNFINISHED_KEY]
        arguments = [tournament_id, status.value, token, detail]
        return cast(bytes, _map_errors(lambda: self._end(keys=keys, args=arguments)))

    def fail(self, tournament_id: str, token: int, detail: str) -> None:
        if self._ended(tournament_id, Status.FAILED, str(token), detail) == b"fenced":
            raise LeaseLost(tournament_id)

    def lines(self, tournament_id: str, first: int, count: int) -> list[StoredResult]:
        key = _key(tournament_id)
        order = cast("list[bytes]", _map_errors(lambda: self._redis.lrange(f"{key}:order", first, first + count - 1)))
        if not order:
            return []
        found = cast("list[bytes]", _map_errors(lambda: self._redis.hmget(f"{key}:results", order)))
        return [(int(index), _result_of(line)) for index, line in zip(order, found, strict=True)]

    def publish(self, tournament_id: str, token: int, summary: bytes) -> None:
        key = _key(tournament_id)
        if not _map_errors(lambda: self._publish(keys=[key, f"{key}:lease"], args=[token, summary])):
            raise LeaseLost(tournament_id)

    def acquire(self, tournament_id: str, milliseconds: int) -> int | None:
        key = _key(tournament_id)
        keys = [key, f"{key}:lease", f"{key}:fence"]
        return cast("int | None", _map_errors(lambda: self._acquire(keys=keys, args=[milliseconds])))

    def renew(self, tournament_id: str, token: int, milliseconds: int) -> bool:
        key = _key(tournament_id)
        return bool(_map_errors(lambda: self._renew(keys=[key, f"{key}:lease"], args=[token, milliseconds])))

    def release(self, tournament_id: str, token: int) -> None:
        self.renew(tournament_id, token, 0)

    def close(self) -> None:
        self._redis.close()

    def warn_of_data_loss(self) -> None:
        """Log a warning if this Redis has no persistence, or may evict keys."""
        try:
            facts = cast("dict[str, object]", self._redis.info())
            saves = cast("dict[str, str]", self._redis.config_get("save")).get("save", "")
        except exceptions.ResponseError as error:
            logger.warning("could not read whether the ledger's Redis stores anything on disk: %s", error)
            return
        if not saves and not facts.get("aof_enabled"):
            logger.warning("the ledger's Redis stores nothing on disk: results are lost when it stops")
        if facts.get("maxmemory_policy", "noeviction") != "noeviction":
            logger.warning("the ledger's Redis evicts results when it is full: set maxmemory-policy to noeviction")


def _key(tournament_id: str) -> str:
    return f"fireside:tournament:{{tournaments}}:{tournament_id}"


def _result_of(line: bytes) -> bytes:
    """The result in a stored line, without the name of the worker after it."""
    return line.partition(b"\n")[0]


def _wrong_worker(name: bytes, evidence: bytes) -> WrongWorker:
    block, tournament_id = evidence.decode().split(" ", 1)
    return WrongWorker(name.decode(), tournament_id, int(block))


def _check_written(tournament_id: str, answer: object) -> None:
    """Raise the error that a script answered with instead of writing."""
    if answer == [b"fenced"]:
        raise LeaseLost(tournament_id)
    if answer == [b"ended"]:
        raise TournamentEnded(tournament_id)


def _script(redis: Redis | RedisCluster, name: str) -> Script:
    return redis.register_script(files(__package__).joinpath("lua", name).read_text())


def _map_errors(step: Callable[[], T]) -> T:
    try:
        return step()
    except UNAVAILABLE_ERRORS as error:
        raise LedgerUnavailable(f"the ledger's Redis does not answer: {type(error).__name__}") from error
    except exceptions.OutOfMemoryError as error:
        raise LedgerUnavailable("the ledger's Redis has no room for more") from error
    except exceptions.ResponseError as error:
        kind = str(error).partition(" ")[0]
        if kind not in BUSY_CODES:
            raise
        raise LedgerUnavailable(f"the ledger's Redis takes no writes: {kind}") from error


def open_redis_ledger(url: str) -> RedisLedger:
    """The ledger at a Redis URL; logs a warning if that may lose results. Raises `LedgerUnavailable`."""
    ledger = _redis_ledger(url)
    _map_errors(ledger.warn_of_data_loss)
    return ledger


def redis_ledger_unchecked(url: str) -> RedisLedger:
    """The ledger at a Redis URL, for a service whose Redis may start later.

    Only a cluster must answer already: else raises `LedgerUnavailable`.
    """
    ledger = _redis_ledger(url)
    try:
        _map_errors(ledger.warn_of_data_loss)
    except LedgerUnavailable as error:
        logger.warning("could not read whether the ledger's Redis may lose results: %s", error)
    return ledger


def _redis_ledger(url: str) -> RedisLedger:
    # A client of a cluster asks the nodes for their slots at once.
    return RedisLedger(_map_errors(lambda: redis_url.blocking_client(url, ANSWER_SECONDS, COMMAND_RETRIES)))


def embedded_ledger(server: FakeServer) -> RedisLedger:
    """An in-memory ledger inside this process, for development; it is lost when the process stops."""
    logger.warning("no REDIS_URL: tournaments are stored in this process and are gone when it stops")
    return RedisLedger(FakeRedis(server=server))
