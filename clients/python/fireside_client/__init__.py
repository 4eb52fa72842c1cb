"""Client of Fireside, board games as a service: typed, sync and async, without a rule of any game."""

from fireside_client.aio.client import AsyncFiresideClient
from fireside_client.aio.game import AsyncGameClient
from fireside_client.aio.match import AsyncMatchClient
from fireside_client.errors import FiresideError
from fireside_client.sync.client import FiresideClient
from fireside_client.sync.game import GameClient
from fireside_client.sync.match import MatchClient

__all__ = [
    "AsyncFiresideClient",
    "AsyncGameClient",
    "AsyncMatchClient",
    "FiresideClient",
    "FiresideError",
    "GameClient",
    "MatchClient",
]
