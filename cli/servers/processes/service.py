"""`fireside serve --processes N`: N processes with an engine and a gateway each, and one for what is done once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cli.servers.metrics_server import run_with_metrics
from cli.servers.parts import Parts, ServeSettings
from cli.servers.processes.child import Supervision
from cli.servers.processes.supervised import Task
from cli.servers.processes.supervisor import Supervisor
from engine_core.errors import GameError
from gateway.upstream.offload import set_switch_interval
from runtime.addresses import SHARED_PORT, bind_socket
from runtime.signals import Signals
from runtime.telemetry.settings import TelemetrySettings
from services.archive.settings import open_archive
from services.store.open import open_store

MARGIN_SECONDS: Final = 5.0
"""How much longer than the grace periods of its parts a process may take to stop."""
ENDING_PARTS: Final = 4
"""Parts that stop one after the other once all gateways have drained, each within a grace period."""

Work = Callable[[AsyncExitStack, Supervision], Awaitable[None]]
"""Starts the parts of a process, which the stack stops."""


@dataclass(frozen=True)
class ServiceProcesses:
    """What the processes have in common, and what each of them does."""

    settings: ServeSettings
    count: int
    """Number of processes with an engine and a gateway."""

    http_port: int
    """Port of all gateways. The port of all engines is in their settings."""

    folder: Path
    """Has a UNIX socket of each engine, by which gateways send all calls of a match to the same one."""

    @property
    def grace_seconds(self) -> float:
        """How long a part may take to stop, in seconds."""
        return self.settings.engine.grace_seconds

    @property
    def stop_seconds(self) -> float:
        """How long a process may take to end once all gateways have drained, in seconds."""
        return ENDING_PARTS * self.grace_seconds + MARGIN_SECONDS

    def supervisor(self) -> Supervisor:
        """The supervisor of all processes."""
        works: dict[str, Work] = {f"server {number + 1}": partial(self._serve, number) for number in range(self.count)}
        works["background"] = self._work_in_background
        tasks: dict[str, Task] = {
            name: partial(self._run, number, work) for number, (name, work) in enumerate(works.items())
        }
        return Supervisor(tasks, self.grace_seconds + MARGIN_SECONDS, self.stop_seconds)

    def _run(self, number: int, work: Work, connection: Connection) -> None:
        """Do the work of a process, in that process."""
        supervision = Supervision(connection, self.stop_seconds)
        ready = asyncio.Event()
        try:
            run_with_metrics("serve", lambda: self._run_until_stopped(work, supervision, ready), ready, number)
        except (ValueError, OSError, GameError) as error:
            supervision.report_failure(error)

    async def _run_until_stopped(self, work: Work, supervision: Supervision, ready: asyncio.Event) -> None:
        set_switch_interval()
        signals = Signals()
        supervision.follow(signals)
        async with AsyncExitStack() as stack:
            stack.callback(self._remove_folder)
            await work(stack, supervision)
            ready.set()
            supervision.report_ready()
            await signals.wait()
            ready.clear()

    def _remove_folder(self) -> None:
        """Remove the folder in the last process to end, since a supervisor that was killed cannot."""
        with suppress(OSError):
            self.folder.rmdir()

    async def _serve(self, number: int, stack: AsyncExitStack, supervision: Supervision) -> None:
        """Start an engine, and a gateway in front of all engines."""
        parts = Parts(self.settings, stack)
        bound = bind_socket("HTTP", self.settings.engine.host, self.http_port, "--port", SHARED_PORT)
        stack.callback(bound.close)
        others = [await parts.tournaments_service()] if self.settings.has_tournaments else []
        engine = await parts.engine(others, f"unix:{self._socket(number)}")
        stack.push_async_callback(supervision.wait_until_all_drained)
        upstream = ",".join(str(self._socket(each)) for each in range(self.count))
        await parts.gateway(engine, f"unix:{upstream}", bound)

    def _socket(self, number: int) -> Path:
        return self.folder / f"{number}.sock"

    async def _work_in_background(self, stack: AsyncExitStack, supervision: Supervision) -> None:
        """Start what is done once: tournaments, bots, webhooks and the archive."""
        parts = Parts(self.settings, stack)
        if self.settings.has_tournaments:
            await parts.tournaments()
        engine = self.settings.engine
        archive = open_archive(engine.archive)
        if archive is not None:
            stack.callback(archive.close)
        store = open_store(engine.redis_url, engine.match_seconds, engine.finished_seconds, engine.replicas, archive)
        stack.push_async_callback(store.close)
        parts.workers(store, archive)
        stack.push_async_callback(supervision.wait_until_all_drained)


def serve_processes(
    settings: ServeSettings, http_port: int, count: int, on_ready: Callable[[int, int], None], ends: Sequence[int]
) -> None:
    """Serve in `count` processes, and one in the background, until SIGTERM or SIGINT, or the end of a pipe in `ends`.

    `on_ready` gets the ports of HTTP and gRPC once all processes serve. Raises `CannotListen`, and `ValueError` for
    wrong settings.
    """
    TelemetrySettings.from_environment(os.environ).of_process(count)  # refuses a port that the last one could not have
    engine = settings.engine
    with ExitStack() as stack:
        # These do not listen: they refuse a port that is in use, and keep it while no process listens.
        http = stack.enter_context(bind_socket("HTTP", engine.host, http_port, "--port"))
        grpc = stack.enter_context(bind_socket("gRPC", engine.host, engine.port, "--grpc-port"))
        folder = stack.enter_context(TemporaryDirectory(prefix="fireside-"))  # only its owner may enter it
        ports = http.getsockname()[1], grpc.getsockname()[1]
        with_port = settings.with_grpc_port(ports[1])
        supervisor = ServiceProcesses(with_port, count, ports[0], Path(folder)).supervisor()
        supervisor.run(lambda: on_ready(*ports), ends)
