"""Client of Fireside, board games as a service: typed, sync and async, without a rule of any game."""

from fireside_client.async_client import AsyncFiresideClient
from fireside_client.async_game import AsyncGameClient
from fireside_client.async_match import AsyncMatchClient
from fireside_client.errors import FiresideError
from fireside_client.sync_client import FiresideClient
from fireside_client.sync_game import GameClient
from fireside_client.sync_match import MatchClient

__all__ = [
    "AsyncFiresideClient",
    "AsyncGameClient",
    "AsyncMatchClient",
    "FiresideClient",
    "FiresideError",
    "GameClient",
    "MatchClient",
]
