"""The tournaments service: a gRPC server and a foreman, wired together, run and stopped."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

import grpc
from fakeredis import FakeServer
from grpc_reflection.v1alpha import reflection

from services.addresses import address
from services.health import Health
from services.signals import stop_signal
from services.tournaments.farm import Farm
from services.tournaments.foreman import Foreman
from services.tournaments.ledger import Ledger
from services.tournaments.redis_ledger import embedded_ledger, open_redis_ledger
from services.tournaments.servicer import SERVICE, Servicer
from services.tournaments.settings import TournamentSettings

log = logging.getLogger(__name__)


class Tournaments:
    """A server with its ledger and its foreman. It holds nothing of a tournament that another could not take up."""

    def __init__(self, settings: TournamentSettings) -> None:
        """Raises `LedgerUnavailable`."""
        self._settings: Final = settings
        self._ledger: Final[Ledger] = (
            open_redis_ledger(settings.redis_url) if settings.redis_url else embedded_ledger(FakeServer())
        )
        self._foreman: Final = Foreman(self._ledger, lambda: Farm(settings.workers, settings.scheduler))
        self._servicer: Final = Servicer(self._ledger)
        self._health: Final = Health([SERVICE.full_name])
        self._server: Final = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", settings.message_limit),
                ("grpc.max_send_message_length", -1),
                ("grpc.so_reuseport", 0),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.keepalive_timeout_ms", 10_000),
                ("grpc.http2.min_ping_interval_without_data_ms", 5000),
                ("grpc.http2.max_ping_strikes", 0),
            ]
        )
        self.port = 0

    async def start(self) -> None:
        """Take calls on `port`, and play. Raises `OSError` when it cannot listen there."""
        settings = self._settings
        self._server.add_generic_rpc_handlers([self._servicer.handler()])
        self._health.add_to(self._server)
        names = [SERVICE.full_name, "grpc.health.v1.Health", reflection.SERVICE_NAME]
        reflection.enable_server_reflection(names, self._server)
        where = address(settings.host, settings.port)
        try:
            self.port = self._server.add_insecure_port(where)
        except RuntimeError as error:
            raise OSError(f"gRPC cannot listen at {where}") from error
        await self._server.start()
        self._foreman.start()
        await self._health.ready()
        log.info("tournaments take calls", extra={"port": self.port})

    async def stop(self) -> None:
        """Put down what is played, end the streams, let the calls in flight finish, and close the ledger."""
        await self._health.leaving()
        await self._servicer.close()
        await self._server.stop(self._settings.grace_seconds)
        await asyncio.to_thread(self._foreman.stop)
        self._ledger.close()
        log.info("tournaments have stopped")


async def run(settings: TournamentSettings) -> None:
    """Serve until the process is asked to stop."""
    stopping = stop_signal()
    tournaments = await asyncio.to_thread(Tournaments, settings)
    await tournaments.start()
    print(f"Fireside tournaments are at {address(settings.host, tournaments.port)}", flush=True)
    await stopping.wait()
    await tournaments.stop()
