"""Connection to a Redis Cluster: an auto-pipelining connection to each primary, and each command goes where its key is.

redis-py knows the nodes and which slots they have. A command that a node redirects (`MOVED`, `ASK`) was not executed,
so it is sent again; one whose connection is lost is not.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Final

from redis import exceptions
from redis.asyncio import ConnectionPool, Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import AbstractConnection

from services.store.redis import CONNECT_SECONDS, Argument, ConnectionLost, RedisConnection, Reply, ResponseError

SCRIPTS: Final = frozenset({"EVAL", "EVALSHA"})
STREAM_READS: Final = frozenset({"XREAD", "XREADGROUP"})
SUBCOMMANDS: Final = frozenset({"XGROUP", "XINFO"})
KEYLESS: Final = frozenset({"TIME"})
"""Commands that any node may execute."""
MAX_ATTEMPTS: Final = 60
RETRY_SECONDS: Final = 0.05
"""Pause before a command of several keys is sent again, of which only some have been moved to another node."""
LOST_CODES: Final = frozenset({"CLUSTERDOWN", "READONLY", "MASTERDOWN"})
"""Error codes after which the nodes are asked for their slots again."""


class ClusterConnection:
    """Connections to the primaries of a cluster, with the operations of a `RedisConnection`."""

    def __init__(self, cluster: RedisCluster, replicas: int = 0) -> None:
        """`replicas`: how many of a primary must have a write of `execute_write` before its reply is given."""
        self._cluster: Final = cluster
        self._nodes: Final = cluster.nodes_manager
        self._replicas: Final = replicas
        self._connections: Final[dict[str, RedisConnection]] = {}
        self._discovering: asyncio.Task[None] | None = None

    async def execute(self, *arguments: Argument) -> Reply:
        """The reply to a command."""
        return await self._on_primary(arguments, lambda node, asking: node.execute(*arguments, asking=asking))

    async def execute_write(self, *arguments: Argument, with_run_id: bool = False) -> Reply:
        """The reply to a command that writes, as that of `RedisConnection.execute_write`."""
        return await self._on_primary(
            arguments, lambda node, asking: node.execute_write(*arguments, with_run_id=with_run_id, asking=asking)
        )

    async def _on_primary(
        self,
        arguments: tuple[Argument, ...],
        execute: Callable[[RedisConnection, bool], Coroutine[object, object, Reply]],
    ) -> Reply:
        """The reply of the primary that has the key of a command, wherever it is being moved."""
        node, asking = await self._primary(_key(arguments)), False
        for _ in range(MAX_ATTEMPTS):
            try:
                return await execute(node, asking)
            except ConnectionLost:
                self._discover_soon()
                raise
            except ResponseError as error:
                if error.redirection is not None:
                    if error.kind == "MOVED":
                        await self._nodes.move_slot(error.redirection)
                        self._discover_soon()
                    node, asking = self._connection_to(*error.redirection.node_addr), error.kind == "ASK"
                elif error.kind == "TRYAGAIN":
                    await asyncio.sleep(RETRY_SECONDS)
                    node, asking = await self._primary(_key(arguments)), False
                else:
                    if error.kind in LOST_CODES:
                        self._discover_soon()
                    raise
        raise ConnectionLost("a key is being moved for too long", "TRYAGAIN")

    async def _primary(self, key: str) -> RedisConnection:
        """The connection to the primary of a key; to any for no key. Raises `ConnectionLost`."""
        if not self._nodes.slots_cache:
            await self._discover()
        if not key:
            return (await self.primaries())[0]
        try:
            return self._connection(self._nodes.get_node_from_slot(self._cluster.keyslot(key)))
        except (exceptions.SlotNotCoveredError, KeyError) as error:
            self._discover_soon()
            raise ConnectionLost("no node has the slot", "CLUSTERDOWN") from error

    async def primaries(self) -> list[RedisConnection]:
        """The connections to all primaries, ordered by address. Raises `ConnectionLost`."""
        if not self._nodes.slots_cache:
            await self._discover()
        return [self._connection(node) for node in sorted(self._cluster.get_primaries(), key=lambda node: node.name)]

    def run_id_of(self, key: str) -> str:
        """The run id of the Redis process with a key; empty if it is not known."""
        try:
            node = self._nodes.get_node_from_slot(self._cluster.keyslot(key))
        except (exceptions.SlotNotCoveredError, KeyError):
            return ""
        return self._connection(node).run_id_of(key)

    def _connection_to(self, host: str, port: int) -> RedisConnection:
        """The connection to a node that the cluster has named."""
        node = self._nodes.get_node(host=host, port=port)
        return self._connection(node or ClusterNode(host, port, **self._nodes.connection_kwargs))

    def _connection(self, node: ClusterNode) -> RedisConnection:
        found = self._connections.get(node.name)
        if found is None:
            found = self._connections[node.name] = RedisConnection(_maker(node), replicas=self._replicas)
        return found

    async def _discover(self) -> None:
        """Ask the nodes which slots they have. Raises `ConnectionLost`."""
        try:
            await asyncio.shield(self._discover_soon())
        except (exceptions.RedisError, TimeoutError) as error:
            raise _not_reached(error) from error

    def _discover_soon(self) -> asyncio.Task[None]:
        """The task that asks, one for all who need it; it is not cancelled with them, as it shares connections."""
        if self._discovering is None:
            self._discovering = asyncio.create_task(self._ask_nodes(), context=Context())
            self._discovering.add_done_callback(self._discovered)
        return self._discovering

    async def _ask_nodes(self) -> None:
        async with asyncio.timeout(CONNECT_SECONDS):
            await self._nodes.initialize()

    def _discovered(self, task: asyncio.Task[None]) -> None:
        self._discovering = None
        if not task.cancelled():
            task.exception()  # retrieved: nobody may wait for it

    @property
    def pending_replies(self) -> int:
        """Number of pending replies."""
        return sum([connection.pending_replies for connection in self._connections.values()])

    async def close(self) -> None:
        """Wait for pending replies, then close the connections."""
        if self._discovering is not None:
            await asyncio.wait([self._discovering])
        await asyncio.gather(*[connection.close() for connection in self._connections.values()])


def _maker(node: ClusterNode) -> Callable[[], AbstractConnection]:
    return lambda: node.connection_class(**node.connection_kwargs)


def _key(arguments: tuple[Argument, ...]) -> str:
    """The key by which a command finds its node: its first one; empty if it has none."""
    name = arguments[0]
    if name in KEYLESS:
        return ""
    if name in STREAM_READS:
        return str(arguments[arguments.index("STREAMS") + 1])
    return str(arguments[3 if name in SCRIPTS else 2 if name in SUBCOMMANDS else 1])


async def any_primary(cluster: RedisCluster) -> Redis:
    """A client of one primary, for pub/sub: a cluster delivers a message to all nodes. Raises `ConnectionLost`."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await cluster.nodes_manager.initialize()
    except (exceptions.RedisError, TimeoutError) as error:
        raise _not_reached(error) from error
    node = random.choice(cluster.get_primaries())
    return Redis.from_pool(ConnectionPool(connection_class=node.connection_class, **node.connection_kwargs))


async def close_client(cluster: RedisCluster) -> None:
    """Close the connections by which a client has asked for the slots, which its `aclose` leaves open."""
    await cluster.nodes_manager.aclose()
    await cluster.nodes_manager.aclose("startup_nodes")


def _not_reached(error: Exception) -> ConnectionLost:
    return ConnectionLost("no node of the cluster answers", type(error).__name__)
