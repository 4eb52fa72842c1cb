"""Client of Fireside, board games as a service: typed, sync and async, without a rule of any game."""

from fireside_client.async_client import AsyncFiresideClient, AsyncGameClient, AsyncMatchClient
from fireside_client.errors import FiresideError
from fireside_client.sync_client import FiresideClient, GameClient, MatchClient

__all__ = [
    "AsyncFiresideClient",
    "AsyncGameClient",
    "AsyncMatchClient",
    "FiresideClient",
    "FiresideError",
    "GameClient",
    "MatchClient",
]
