"""The gRPC services that the gateway offers: the catalog, tournaments, and one for each game that has protos."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

from fireside.catalog.v1 import catalog_service_pb2
from fireside.platform.v1 import platform_service_pb2, webhook_service_pb2
from fireside.tournament.v1 import tournament_service_pb2
from google.protobuf.descriptor import ServiceDescriptor

CATALOG: Final[ServiceDescriptor] = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
"""Lists the games of an engine; the gateway merges the responses of all engines."""

TOURNAMENTS: Final[ServiceDescriptor] = tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"]
"""Tournaments of any game."""

PLATFORMS: Final[ServiceDescriptor] = platform_service_pb2.DESCRIPTOR.services_by_name["PlatformService"]
"""Matches and events of the holders of API keys."""

WEBHOOKS: Final[ServiceDescriptor] = webhook_service_pb2.DESCRIPTOR.services_by_name["WebhookService"]
"""Webhooks of the holders of API keys."""


def game_services(folder: Path) -> dict[str, ServiceDescriptor]:
    """The service of each game with generated code below a folder `fireside`, by the game's name.

    A game is a package that also has a bot service: `<game>/v1/<game>_bot_service_pb2.py`.
    """
    names = sorted(path.parents[1].name for path in folder.glob("*/v1/*_bot_service_pb2.py"))
    return {name: _service_of(name) for name in names}


def _service_of(game: str) -> ServiceDescriptor:
    module = import_module(f"fireside.{game}.v1.{game}_service_pb2")
    title = "".join(word.capitalize() for word in game.split("_"))
    service: ServiceDescriptor = module.DESCRIPTOR.services_by_name[f"{title}Service"]
    return service


# Not the path of the package `fireside`: an editable install gives that namespace package one that is no folder.
GAMES: Final[dict[str, ServiceDescriptor]] = game_services(Path(catalog_service_pb2.__file__).parents[2])
"""The service of each game by the game's name."""
