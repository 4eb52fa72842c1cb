"""Spaces of Gymnasium, which PettingZoo uses too, for the actions and observations of an encoding."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces

from engine_core.encodings import Encoding
from environments.play import Numbers, Play

Observation = dict[str, Numbers]
"""`observation`: what the seat knows; `action_mask`: 1 for each legal action."""

ILLEGAL_REWARD: Final = -1.0
"""Reward for an illegal action, which ends the match; the others get 0."""
RENDER_MODES: Final = ["rgb_array", "svg"]
"""`rgb_array`: the picture as an array of rows, columns and colours; `svg`: as an SVG document."""


def metadata(encoding: Encoding) -> dict[str, Any]:
    """Name and render modes of an environment."""
    return {"name": f"fireside_{encoding.game.name}_v{encoding.game.version}", "render_modes": RENDER_MODES}


def action_space(encoding: Encoding, more: int = 0) -> spaces.Space[Any]:
    """All actions of the encoding, and `more` after them."""
    return spaces.Discrete(encoding.action_count + more)


def observation_space(encoding: Encoding, more: int = 0) -> spaces.Space[Any]:
    """Observation and mask, each within its bounds; the mask has `more` actions after those of the encoding."""
    low = np.zeros(encoding.observation_size, np.int8)
    high = np.zeros(encoding.observation_size, np.int8)
    for part in encoding.slices:
        low[part.start : part.start + part.size] = part.low
        high[part.start : part.start + part.size] = part.high
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (encoding.action_count + more,), np.int8),
        }
    )


def observed(play: Play, seat: int) -> Observation:
    """The observation of a seat with the mask of its actions."""
    return {"observation": play.observation(seat), "action_mask": play.mask(seat)}
