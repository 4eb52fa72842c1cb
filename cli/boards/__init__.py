"""What a table looks like in a terminal: one board a game, drawn from what a view shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType

from cli.boards import fire_bulls, fireship, spring_festival


@dataclass(frozen=True)
class Board:
    """How a game is shown: `draw` takes a match as the REST interface gives it; `demo_options` are worth seeing."""

    draw: Callable[[dict[str, object]], RenderableType]
    demo_options: tuple[dict[str, object], ...]


BOARDS: Final[dict[str, Board]] = {
    "fire_bulls": Board(fire_bulls.draw, ({},)),
    "spring_festival": Board(spring_festival.draw, ({"sign": "SIGN_RANDOM"},)),
    "fireship": Board(fireship.draw, ({"rounds": 6}, {"rounds": 5, "fortification": False, "movementDice": 3})),
}
