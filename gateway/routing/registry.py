"""The table of the services that the gateway offers: a game is one line of it."""

from __future__ import annotations

from typing import Final

from fireside.catalog.v1 import catalog_service_pb2
from fireside.fire_bulls.v1 import fire_bulls_service_pb2
from fireside.fireship.v1 import fireship_service_pb2
from fireside.spring_festival.v1 import spring_festival_service_pb2
from fireside.tournament.v1 import tournament_service_pb2
from google.protobuf.descriptor import ServiceDescriptor

CATALOG: Final[ServiceDescriptor] = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
"""What every engine says of itself; its answers are merged."""

TOURNAMENTS: Final[ServiceDescriptor] = tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"]
"""What the tournaments service does, whatever the game."""

GAMES: Final[dict[str, ServiceDescriptor]] = {
    "fire_bulls": fire_bulls_service_pb2.DESCRIPTOR.services_by_name["FireBullsService"],
    "spring_festival": spring_festival_service_pb2.DESCRIPTOR.services_by_name["SpringFestivalService"],
    "fireship": fireship_service_pb2.DESCRIPTOR.services_by_name["FireshipService"],
}
"""Service of each game, by the game's name."""
