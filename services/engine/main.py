"""Engine: the gRPC server of one or more games; builds, starts and stops its parts."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

import grpc

from engine_core.errors import UnknownGame
from runtime.addresses import address
from runtime.signals import Signals
from services.archive.settings import open_archive
from services.engine.catalog import SERVICE, Catalog
from services.engine.clocks.poller import ClockPoller
from services.engine.codecs import CODECS_BY_VERSION, AnyCodec
from services.engine.matches.listing import MatchListing
from services.engine.matches.repository import MatchRepository
from services.engine.platforms.servicer import SERVICE as PLATFORMS
from services.engine.platforms.servicer import PlatformServicer
from services.engine.records.signing import SigningKeys
from services.engine.servicer import Servicer
from services.engine.settings import EngineSettings
from services.engine.versions import AnyServicer, VersionRouter
from services.grpc_server.admission.intake import Intake
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.auth import SeatTokens
from services.grpc_server.calls import QUIET_SECONDS
from services.grpc_server.health import HEALTH, Health
from services.grpc_server.reflection import reflection_handlers
from services.grpc_server.server import SHARED_PORT_OPTIONS, connection_age_options, listen, listen_shared, new_server
from services.store.matches.store import Store
from services.store.open import open_store
from services.store.outbox.outbox import OutboxSweeper
from services.store.readiness import ReadinessTask
from services.watch.feed import Feed
from services.webhooks.servicer import SERVICE as WEBHOOKS
from services.webhooks.servicer import WebhookServicer

logger = logging.getLogger(__name__)

ALL_CODECS: Final = tuple(CODECS_BY_VERSION.values())

MAX_GC_YOUNG_OBJECTS: Final = 10_000
"""New objects before a garbage collection of the youngest generation."""


class OtherService(NamedTuple):
    """A gRPC service on the same server that does not belong to a game: its name and handler."""

    name: str
    handler: grpc.GenericRpcHandler


class Engine:
    """The engine's gRPC server with its store. Engines on one store are equivalent: any can continue any match."""

    def __init__(
        self,
        settings: EngineSettings,
        codecs: Sequence[AnyCodec] = ALL_CODECS,
        others: Sequence[OtherService] = (),
        own_address: str = "",
    ) -> None:
        """`codecs` of one game are ordered from the oldest version of its rules to the newest; `others` share the port.

        With an address of its own (`unix:/path`), the engine shares its port with engines of other processes.
        Raises `UnknownGame`.
        """
        self._settings: Final = settings
        self._own_address: Final = own_address
        self._codecs: Final = _selected_codecs(settings.games, codecs)
        services = dict.fromkeys(codec.service.full_name for codec in self._codecs)
        names = [SERVICE, PLATFORMS, WEBHOOKS]
        self._names: Final = [*(each.full_name for each in names), *services, *(other.name for other in others)]
        self.archive: Final = open_archive(settings.archive)
        self.store: Final = open_store(
            settings.redis_url, settings.match_seconds, settings.finished_seconds, settings.replicas, self.archive
        )
        self._feed: Final = Feed(self.store, settings.stream_limit)
        self._health: Final = Health(self._names)
        self._starting: Final = ReadinessTask(self.store.reach, self._health.ready)
        signing = SigningKeys(settings.signing_keys, self.store)
        self._clocks: Final = ClockPoller(
            [MatchRepository(codec, self.store, signing) for codec in self._codecs], self.store
        )
        self._sweeper: Final = OutboxSweeper(self.store.outbox)
        long_work = LongWork()
        self._intake: Final = _intake(settings, self._codecs, self.store, signing, self._feed, long_work)
        # Of all games, also of those that another engine serves: it only reads their matches.
        self._platforms: Final = PlatformServicer(codecs, self.store, settings.api_keys, self._feed, long_work)
        self._intake.add(self._platforms.handler(), *[other.handler for other in others])
        self._server: Final = new_server(
            settings.message_limit,
            self._intake,
            settings.stream_limit,
            [
                *connection_age_options(settings.connection_seconds, settings.grace_seconds),
                *(SHARED_PORT_OPTIONS if own_address else ()),
            ],
        )
        self.port = 0

    @property
    def reached(self) -> asyncio.Event:
        """Set once the store has been reached."""
        return self._starting.reached

    @property
    def watched(self) -> int:
        """Number of watched matches."""
        return self._feed.watched

    async def start(self, setting: str = "--port") -> None:
        """Accept calls on `port`; ready once the store has been reached.

        Raises `CannotListen`, which names the setting, if the port cannot be bound.
        """
        settings = self._settings
        self._intake.add(self._health.handler(), *reflection_handlers([*self._names, HEALTH]))
        bind = listen_shared if self._own_address else listen
        self.port = bind(self._server, settings.host, settings.port, setting)
        if self._own_address:
            self._server.add_insecure_port(self._own_address)
        await self.store.check_policy()
        await self._server.start()
        self._clocks.start()
        self._sweeper.start()
        await self._health.serving()
        await self._starting.start()
        rules = [codec.rules_version for codec in self._codecs]
        logger.info("the engine takes calls", extra={"games": rules, "port": self.port})

    async def drain(self) -> None:
        """Become unready, so that load balancers choose other engines; calls that still arrive are served."""
        await self._starting.cancel()
        await self._health.draining()
        logger.info("the engine drains")

    async def stop(self) -> None:
        """Become unhealthy, end the streams, let the calls in flight finish, and close the store.

        Stopping the server cancels calls that have arrived but not begun, so this waits until no more arrive.
        """
        grace = self._settings.grace_seconds
        await self._starting.cancel()
        await self._health.stopping()
        await self._intake.wait_until_quiet(QUIET_SECONDS, grace)
        await self._clocks.stop()
        await self._sweeper.stop()
        await self._feed.close()
        await self._platforms.close()
        await self._server.stop(grace)
        await self.store.close()
        if self.archive is not None:
            self.archive.close()
        logger.info("the engine has stopped")


def _intake(
    settings: EngineSettings,
    codecs: list[AnyCodec],
    store: Store,
    signing: SigningKeys,
    feed: Feed,
    long_work: LongWork,
) -> Intake:
    """The handlers of the catalogue and the games, with admission limits."""
    tokens = SeatTokens(settings.token_keys, store, settings.token_seconds)
    versions: dict[str, list[AnyCodec]] = {}
    for codec in codecs:
        versions.setdefault(codec.game.name, []).append(codec)
    keys, bot_allow, bot_limits = settings.api_keys, settings.bot_allow, settings.bot_limits
    intake = Intake(settings.inflight_bytes, settings.message_limit)
    intake.add(Catalog(codecs, signing).handler())
    intake.add(WebhookServicer(store.webhooks(), keys, settings.webhook_allow).handler())
    for those in versions.values():
        servicers: list[AnyServicer] = [
            Servicer(
                codec, store, tokens, signing, feed, keys, bot_allow, bot_limits, long_work, settings.imported_bots
            )
            for codec in those
        ]
        intake.add(VersionRouter(servicers, feed, MatchListing(those, store, long_work)).handler())
    return intake


def _selected_codecs(names: Sequence[str], codecs: Sequence[AnyCodec]) -> list[AnyCodec]:
    """The codecs of the named games; all codecs without names. Raises `UnknownGame`."""
    for name in names:
        if all(codec.game.name != name for codec in codecs):
            raise UnknownGame(name)
    return [codec for codec in codecs if not names or codec.game.name in names]


async def run(settings: EngineSettings) -> None:
    """Run an engine until a signal stops the process."""
    signals = Signals()
    engine = Engine(settings)
    await engine.start()
    # Reference counts free nearly all objects of a call: from 0.78 to 0.80 of a bare echo server by these two lines.
    gc.freeze()  # modules and codecs stay for ever, so the collector need not traverse them
    gc.set_threshold(MAX_GC_YOUNG_OBJECTS)
    print(f"Fireside engine is at {address(settings.host, engine.port)}", flush=True)
    await signals.wait()
    await engine.drain()
    await signals.sleep_or_second_signal(settings.drain_seconds)
    await engine.stop()
