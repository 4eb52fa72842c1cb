"""Name of a game, which carries the types of the game; written by `generate.py`, not to be edited."""

from __future__ import annotations

from typing import Generic

from fireside_client.types.shared import ComponentsT, MoveT, OptionsT, StateT, ViewT


class GameName(str, Generic[ComponentsT, MoveT, OptionsT, StateT, ViewT]):
    """A name such as `fire_bulls`; type checkers know the types of its game."""
