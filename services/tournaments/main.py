"""Process of the tournaments service: wires a gRPC server and a scheduler together, runs and stops them."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

import grpc
from fakeredis import FakeServer

from runtime.addresses import address
from runtime.signals import Signals
from services.grpc_server.admission.intake import Intake
from services.grpc_server.calls import QUIET_SECONDS
from services.grpc_server.health import HEALTH, Health
from services.grpc_server.reflection import reflection_handlers
from services.grpc_server.server import connection_age_options, listen, new_server
from services.store.readiness import ReadinessTask
from services.tournaments.ledger.ledger import Ledger
from services.tournaments.ledger.redis import embedded_ledger, redis_ledger_unchecked
from services.tournaments.play.remote_bots import RemotePlayers
from services.tournaments.play.worker_pool import SharedWorkers
from services.tournaments.scheduler import CONCURRENT_TOURNAMENTS, Scheduler
from services.tournaments.servicer import SERVICE, Servicer
from services.tournaments.settings import TournamentSettings

logger = logging.getLogger(__name__)

STREAMS: Final = 10_000
"""Limit of concurrent streams on a connection."""


@dataclass(frozen=True)
class ListenOptions:
    """Address to listen at, port 0 for any free one, and the number of worker processes without a Dask scheduler."""

    host: str
    port: int
    workers: int


class Tournaments:
    """Servicer, scheduler and workers on one ledger. All state is in the ledger, so another process can take over."""

    def __init__(self, settings: TournamentSettings, workers: int, ledger: Ledger) -> None:
        self._remote_bots: Final = RemotePlayers(settings)
        self._workers: Final = SharedWorkers(
            workers, settings.scheduler_address, self._remote_bots.play, CONCURRENT_TOURNAMENTS
        )
        self._scheduler: Final = Scheduler(
            ledger,
            self._workers.pool,
            settings.lease_seconds,
            settings.bot_allow,
            recorded_matches=settings.recorded_matches,
            replay_share=settings.replay_share,
        )
        self._servicer: Final = Servicer(ledger, settings.api_keys, settings.bot_allow)

    def handler(self) -> grpc.GenericRpcHandler:
        """The gRPC handler of the service `SERVICE`."""
        return self._servicer.handler()

    def start(self) -> None:
        """Start the scheduler."""
        self._scheduler.start()

    async def end_streams(self) -> None:
        """End the watch streams, so that their clients connect to another server."""
        await self._servicer.close()

    async def stop(self) -> None:
        """Stop playing: release the leases, end the workers and the calls of remote bots."""
        await asyncio.to_thread(self._scheduler.stop)
        await asyncio.to_thread(self._workers.close)
        await asyncio.to_thread(self._remote_bots.close)


class TournamentServer:
    """The tournaments service on a gRPC server of its own, with health checks, reflection and limits."""

    def __init__(self, settings: TournamentSettings, listening: ListenOptions, ledger: Ledger) -> None:
        self._settings: Final = settings
        self._listening: Final = listening
        self._tournaments: Final = Tournaments(settings, listening.workers, ledger)
        self._health: Final = Health([SERVICE.full_name])
        self._starting: Final = ReadinessTask(lambda: asyncio.to_thread(ledger.ids, 1), self._health.ready)
        self._intake: Final = Intake(settings.inflight_bytes, settings.message_limit)
        self._server: Final = new_server(
            settings.message_limit,
            self._intake,
            STREAMS,
            connection_age_options(settings.connection_seconds, settings.grace_seconds),
        )
        self.port = 0

    async def start(self) -> None:
        """Serve on `port`, and start the scheduler; ready once the ledger is reached. Raises `CannotListen`."""
        self._intake.add(
            self._tournaments.handler(), self._health.handler(), *reflection_handlers([SERVICE.full_name, HEALTH])
        )
        self.port = listen(self._server, self._listening.host, self._listening.port)
        await self._server.start()
        self._tournaments.start()
        await self._health.serving()
        await self._starting.start()
        logger.info("the tournaments service listens", extra={"port": self.port})

    async def drain(self) -> None:
        """Report not ready, so that clients choose other servers, but still serve calls and play."""
        await self._starting.cancel()
        await self._health.draining()
        logger.info("tournaments drain")

    async def stop(self) -> None:
        """Let the calls in flight finish, end the streams, and stop playing."""
        await self._starting.cancel()
        await self._health.stopping()
        await self._intake.wait_until_quiet(QUIET_SECONDS, self._settings.grace_seconds)
        await self._tournaments.end_streams()
        await self._server.stop(self._settings.grace_seconds)
        await self._tournaments.stop()
        logger.info("tournaments have stopped")


async def run(settings: TournamentSettings, listening: ListenOptions) -> None:
    """Serve until SIGTERM or SIGINT."""
    signals = Signals()
    ledger = await asyncio.to_thread(service_ledger, settings)
    tournaments = TournamentServer(settings, listening, ledger)
    await tournaments.start()
    print(f"Fireside tournaments are at {address(listening.host, tournaments.port)}", flush=True)
    await signals.wait()
    await tournaments.drain()
    await signals.sleep_or_second_signal(settings.drain_seconds)
    await tournaments.stop()
    ledger.close()


def service_ledger(settings: TournamentSettings) -> Ledger:
    """The ledger in Redis; without a Redis URL, an in-memory ledger in this process."""
    return redis_ledger_unchecked(settings.redis_url) if settings.redis_url else embedded_ledger(FakeServer())
