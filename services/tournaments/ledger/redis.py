"""The ledger in Redis: every step is one script.

What belongs to one tournament lies under one hash tag, but the lists of all do not: it wants a Redis that is not split
into a cluster.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Final, TypeVar, cast

from fakeredis import FakeRedis, FakeServer
from redis import Redis, exceptions
from redis.commands.core import Script

from runtime import redis_url
from services.store.connection import REFUSING
from services.tournaments.ledger.ledger import (
    FRONT,
    LeaseLost,
    Ledger,
    LedgerUnavailable,
    Line,
    Place,
    ResultDiffers,
    Status,
    StillPlayed,
    Tournament,
    TournamentEnded,
    UnknownTournament,
)
from services.tournaments.plan.plan import Spec, written_plan

log = logging.getLogger(__name__)

UNAVAILABLE: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.MasterDownError,
    exceptions.ClusterDownError,
)

T = TypeVar("T")

INDEX_KEY: Final = "fireside:tournaments"
UNFINISHED_KEY: Final = "fireside:tournaments:unfinished"
DELETED_FENCE_KEY: Final = "fireside:tournaments:fence"
"""Highest token of the tournaments that are deleted: those that are created behind them begin at it."""
PARTS: Final = ("fence", "results", "order", "alarms", "news")
"""What lies beside a tournament's own key, but for the lease; earlier versions kept news, too."""
ANSWER_SECONDS: Final = 5.0
ATTEMPTS: Final = 8
"""A step that may have been made is made again: none of them does harm twice."""


class RedisLedger(Ledger):
    """Tournaments in a Redis. Raises `LedgerUnavailable` where it does not answer."""

    def __init__(self, redis: Redis) -> None:
        self._redis: Final = redis
        self._create: Final = _script(redis, "create.lua")
        self._record: Final = _script(redis, "record.lua")
        self._acquire: Final = _script(redis, "acquire.lua")
        self._renew: Final = _script(redis, "renew.lua")
        self._end: Final = _script(redis, "end.lua")
        self._delete: Final = _script(redis, "delete.lua")
        self._publish: Final = _script(redis, "publish.lua")

    def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        key = _key(tournament_id)
        keys = [key, INDEX_KEY, UNFINISHED_KEY, f"{key}:fence", DELETED_FENCE_KEY]
        arguments: list[str | int] = [tournament_id, spec.to_json(), now_ms]
        return bool(_asked(lambda: self._create(keys=keys, args=arguments)))

    def tournament(self, tournament_id: str) -> Tournament:
        key = _key(tournament_id)
        names = ["spec", "status", "created_ms", "summary", "detail"]
        spec, status, created, summary, detail = cast(
            "list[bytes | None]", _asked(lambda: self._redis.hmget(key, names))
        )
        if spec is None or status is None or created is None:
            raise UnknownTournament(tournament_id)
        done = _asked(lambda: self._redis.hlen(f"{key}:results"))
        alarms = cast("dict[bytes, bytes]", _asked(lambda: self._redis.hgetall(f"{key}:alarms")))
        return Tournament(
            tournament_id,
            written_plan(spec.decode()),
            Status(status.decode()),
            int(created),
            done,
            tuple(sorted((int(index), result) for index, result in alarms.items())),
            summary or b"",
            (detail or b"").decode(),
            bool(_asked(lambda: self._redis.exists(f"{key}:lease"))),
        )

    def places(self, most: int, behind: Place = FRONT) -> list[Place]:
        time = behind.created_ms
        together = _asked(lambda: self._redis.zrevrangebyscore(INDEX_KEY, time, time, withscores=True))
        older = _asked(lambda: self._redis.zrevrangebyscore(INDEX_KEY, f"({time}", "-inf", 0, most, withscores=True))
        found = [Place(int(score), tournament_id.decode()) for tournament_id, score in [*together, *older]]
        return [place for place in found if place < behind][:most]

    def unfinished(self, most: int) -> list[str]:
        found = cast("list[bytes]", _asked(lambda: self._redis.zrange(UNFINISHED_KEY, 0, most - 1)))
        return [tournament_id.decode() for tournament_id in found]

    def results(self, tournament_id: str, first: int, count: int) -> list[bytes | None]:
        fields = [str(index) for index in range(first, first + count)]
        if not fields:
            return []
        found = _asked(lambda: self._redis.hmget(f"{_key(tournament_id)}:results", fields))
        return cast("list[bytes | None]", found)

    def record(self, tournament_id: str, token: int, lines: Sequence[Line]) -> list[int]:
        key = _key(tournament_id)
        keys = [key, f"{key}:lease", f"{key}:results", f"{key}:alarms", f"{key}:order"]
        arguments: list[bytes | int] = [token]
        for index, result in lines:
            arguments += [index, result]
        answer = cast("list[list[bytes]] | list[bytes]", _asked(lambda: self._record(keys=keys, args=arguments)))
        if answer == [b"fenced"]:
            raise LeaseLost(tournament_id)
        if answer == [b"ended"]:
            raise TournamentEnded(tournament_id)
        new, differing = [[int(index) for index in indices] for indices in answer]
        if differing:
            log.error("tournament %s: blocks came out differently: %s", tournament_id, differing)
            raise ResultDiffers(tournament_id, differing)
        return new

    def finish(self, tournament_id: str, token: int) -> None:
        if self._ended(tournament_id, Status.OVER, str(token)) == b"fenced":
            raise LeaseLost(tournament_id)

    def cancel(self, tournament_id: str) -> None:
        if self._ended(tournament_id, Status.CANCELLED, "") == b"missing":
            raise UnknownTournament(tournament_id)

    def delete(self, tournament_id: str) -> None:
        key = _key(tournament_id)
        parts = [f"{key}:{part}" for part in PARTS]
        keys = [key, f"{key}:lease", INDEX_KEY, UNFINISHED_KEY, DELETED_FENCE_KEY, *parts]
        if not _asked(lambda: self._redis.exists(key)):
            raise UnknownTournament(tournament_id)
        # One that is missing by now may have been deleted by this very step, made before and not answered.
        outcome = _asked(lambda: self._delete(keys=keys, args=[tournament_id]))
        if outcome == b"leased":
            raise StillPlayed(tournament_id)

    def _ended(self, tournament_id: str, status: Status, token: str, detail: str = "") -> bytes:
        key = _key(tournament_id)
        keys = [key, f"{key}:lease", UNFINISHED_KEY]
        arguments = [tournament_id, status.value, token, detail]
        return cast(bytes, _asked(lambda: self._end(keys=keys, args=arguments)))

    def fail(self, tournament_id: str, token: int, detail: str) -> None:
        if self._ended(tournament_id, Status.FAILED, str(token), detail) == b"fenced":
            raise LeaseLost(tournament_id)

    def lines(self, tournament_id: str, first: int, count: int) -> list[Line]:
        key = _key(tournament_id)
        order = cast("list[bytes]", _asked(lambda: self._redis.lrange(f"{key}:order", first, first + count - 1)))
        if not order:
            return []
        found = cast("list[bytes]", _asked(lambda: self._redis.hmget(f"{key}:results", order)))
        return [(int(index), result) for index, result in zip(order, found, strict=True)]

    def publish(self, tournament_id: str, token: int, summary: bytes) -> None:
        key = _key(tournament_id)
        if not _asked(lambda: self._publish(keys=[key, f"{key}:lease"], args=[token, summary])):
            raise LeaseLost(tournament_id)

    def acquire(self, tournament_id: str, milliseconds: int) -> int | None:
        key = _key(tournament_id)
        keys = [key, f"{key}:lease", f"{key}:fence"]
        return cast("int | None", _asked(lambda: self._acquire(keys=keys, args=[milliseconds])))

    def renew(self, tournament_id: str, token: int, milliseconds: int) -> bool:
        key = _key(tournament_id)
        return bool(_asked(lambda: self._renew(keys=[key, f"{key}:lease"], args=[token, milliseconds])))

    def release(self, tournament_id: str, token: int) -> None:
        self.renew(tournament_id, token, 0)

    def close(self) -> None:
        self._redis.close()

    def tell_what_lasts(self) -> None:
        """Warn of a Redis that keeps nothing on disk, or may throw away what it has."""
        try:
            facts = cast("dict[str, object]", self._redis.info())
            saves = cast("dict[str, str]", self._redis.config_get("save")).get("save", "")
        except exceptions.ResponseError as error:
            log.warning("whether the ledger's Redis keeps anything on disk could not be asked: %s", error)
            return
        if not saves and not facts.get("aof_enabled"):
            log.warning("the ledger's Redis keeps nothing on disk: results are gone when it stops")
        if facts.get("maxmemory_policy", "noeviction") != "noeviction":
            log.warning("the ledger's Redis throws results away when it is full: set maxmemory-policy to noeviction")


def _key(tournament_id: str) -> str:
    return f"fireside:tournament:{{{tournament_id}}}"


def _script(redis: Redis, name: str) -> Script:
    return redis.register_script(files(__package__).joinpath(name).read_text())


def _asked(step: Callable[[], T]) -> T:
    try:
        return step()
    except UNAVAILABLE as error:
        raise LedgerUnavailable(f"the ledger's Redis does not answer: {type(error).__name__}") from error
    except exceptions.OutOfMemoryError as error:
        raise LedgerUnavailable("the ledger's Redis has no room for more") from error
    except exceptions.ResponseError as error:
        kind = str(error).partition(" ")[0]
        if kind not in REFUSING:
            raise
        raise LedgerUnavailable(f"the ledger's Redis takes no writes: {kind}") from error


def open_redis_ledger(url: str) -> RedisLedger:
    """The ledger at a Redis URL; says in the log what would be lost with it. Raises `LedgerUnavailable`."""
    ledger = _redis_ledger(url)
    _asked(ledger.tell_what_lasts)
    return ledger


def patient_redis_ledger(url: str) -> RedisLedger:
    """The same for a service, whose Redis may come later."""
    ledger = _redis_ledger(url)
    try:
        _asked(ledger.tell_what_lasts)
    except LedgerUnavailable as error:
        log.warning("whether the ledger lasts could not be asked: %s", error)
    return ledger


def _redis_ledger(url: str) -> RedisLedger:
    return RedisLedger(redis_url.blocking_client(url, ANSWER_SECONDS, ATTEMPTS))


def embedded_ledger(server: FakeServer) -> RedisLedger:
    """A ledger inside this process."""
    log.warning("no REDIS_URL: tournaments are stored in this process and are gone when it stops")
    return RedisLedger(FakeRedis(server=server))
