"""Connection to the store: maps Redis errors to service errors, and logs outages."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from redis.asyncio import Redis, RedisCluster

from runtime.telemetry.log_throttle import LogThrottle
from services.grpc_server.errors import ServiceError, StoreFull, StoreNotReplicated, StoreTimeout, StoreUnavailable
from services.store.cluster import ClusterConnection
from services.store.redis import (
    Argument,
    ConnectionLost,
    NotReplicated,
    RedisConnection,
    RedisFailure,
    Reply,
    ResponseError,
    Timeout,
)
from services.store.scripts import Script

logger = logging.getLogger(__name__)

UNAVAILABLE_CODES: Final = frozenset({"READONLY", "MASTERDOWN", "CLUSTERDOWN", "LOADING", "NOAUTH", "WRONGPASS"})
"""Error codes of a Redis that is a replica, is not ready yet, or refuses our login."""

BUSY_CODES: Final = frozenset({"MISCONF", "NOREPLICAS", "BUSY", "TRYAGAIN"})
"""Error codes of a Redis that cannot execute a command now."""

READ_ONLY_CODES: Final = frozenset({"READONLY", "MISCONF", "NOREPLICAS", NotReplicated.__name__})
"""Error codes of a Redis that refuses writes, or does not replicate them, and still answers reads."""

OUT_OF_MEMORY: Final = "OOM"
"""Error code of a Redis without memory for more; it still answers reads."""


class StoreConnection:
    """Redis connection that raises `StoreUnavailable` and `StoreFull`; `ResponseError` if a command is wrong."""

    def __init__(self, redis: Redis | RedisCluster, run_id: str = "", replicas: int = 0) -> None:
        """A connection of a client; `run_id` is assumed where the server does not report one.

        `replicas`: how many must have a write of `execute_write` before its reply is given.
        """
        self._connection: Final[RedisConnection | ClusterConnection] = (
            ClusterConnection(redis, replicas)
            if isinstance(redis, RedisCluster)
            else RedisConnection.of(redis, run_id, replicas)
        )
        self._outage: Final = LogThrottle()

    def run_id_of(self, key: str) -> str:
        """The run id of the Redis process with a key, connected last; empty if it is not known."""
        return self._connection.run_id_of(key)

    @property
    def pending_replies(self) -> int:
        """Number of pending replies."""
        return self._connection.pending_replies

    async def execute(self, *arguments: Argument) -> Reply:
        """The reply to a command."""
        return await self._map_errors(self._connection.execute(*arguments))

    async def execute_write(self, *arguments: Argument) -> Reply:
        """The reply to a command that writes, once the replicas have it; else raises `StoreNotReplicated`."""
        return await self._map_errors(self._connection.execute_write(*arguments))

    async def execute_write_with_run_id(self, *arguments: Argument) -> Reply:
        """The same, for a command to which the run id of the receiving Redis process is appended."""
        return await self._map_errors(self._connection.execute_write(*arguments, with_run_id=True))

    async def evaluate(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
        """The reply of a script."""
        return await _evaluate(self.execute, script, keys, arguments)

    async def evaluate_write(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
        """The reply of a script that writes, once the replicas have it; else raises `StoreNotReplicated`."""
        return await _evaluate(self.execute_write, script, keys, arguments)

    async def evaluate_step(self, script: Script, keys: list[str], arguments: Sequence[Argument]) -> Reply:
        """The same, for a script whose last argument is the run id of the Redis process."""
        return await _evaluate(self.execute_write_with_run_id, script, keys, arguments)

    async def primaries(self) -> list[Callable[..., Awaitable[Reply]]]:
        """What executes commands at each Redis process that has keys: there is one, or the primaries of a cluster."""
        try:
            connections = await self._connection.primaries()
        except ConnectionLost as failure:
            self._log_outage(failure.kind)
            raise StoreUnavailable from failure
        return [partial(self._execute_at, connection) for connection in connections]

    async def _execute_at(self, connection: RedisConnection, *arguments: Argument) -> Reply:
        return await self._map_errors(connection.execute(*arguments))

    async def _map_errors(self, command: Awaitable[Reply]) -> Reply:
        try:
            reply = await command
        except RedisFailure as failure:
            if error := _service_error(failure):
                self._log_outage(failure.kind)
                raise error from failure
            raise
        if self._outage.fault not in READ_ONLY_CODES and self._outage.clear():
            logger.warning("the store answers again")
        return reply

    def _log_outage(self, fault: str) -> None:
        if fault != OUT_OF_MEMORY and self._outage.should_log(fault):
            logger.warning(
                "the store %s: %s", "takes no writes" if fault in READ_ONLY_CODES else "does not answer", fault
            )

    async def close(self) -> None:
        """Wait for pending replies, then close the connection."""
        await self._connection.close()


async def _evaluate(
    execute: Callable[..., Awaitable[Reply]], script: Script, keys: list[str], arguments: Sequence[Argument]
) -> Reply:
    """The reply of a script; its text is sent only if Redis does not have it cached."""
    try:
        return await execute("EVALSHA", script.digest, len(keys), *keys, *arguments)
    except ResponseError as error:
        if error.kind != "NOSCRIPT":
            raise
    return await execute("EVAL", script.text, len(keys), *keys, *arguments)


def _service_error(failure: RedisFailure) -> ServiceError | None:
    """The service error for a Redis failure; None if the command itself is wrong."""
    if isinstance(failure, Timeout):
        return StoreTimeout()
    if isinstance(failure, NotReplicated):
        return StoreNotReplicated()
    if isinstance(failure, ConnectionLost) or failure.kind in UNAVAILABLE_CODES or failure.kind in BUSY_CODES:
        return StoreUnavailable()
    return StoreFull() if failure.kind == OUT_OF_MEMORY else None
