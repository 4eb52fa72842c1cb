"""`Play`: one match in this process, with actions and observations as numbers, and draws from a seed."""

from __future__ import annotations

import io
from random import Random
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine_core.encodings import Encoding, encoding_of
from engine_core.explore import draw
from engine_core.game import Chance, Move, Over, State, Turn
from engine_core.games import game_named
from engine_core.pictures import Setting, pictures_of
from engine_core.words import package_of

Numbers = npt.NDArray[np.int8]
"""An observation, `observation_size` numbers of which most are 0; or a mask of `action_count`, 1 for a legal action."""

PICTURE_WIDTH: Final = 800
"""Width of a rendered picture in pixels."""


def encoding_named(game: str, seats: int | None = None, preset: str | None = None) -> Encoding:
    """The encoding of a game such as `fire_bulls`, by default with the fewest seats and the first preset.

    Raises `UnknownGame`, `InvalidOption` for a number of seats that the game does not offer, or `ValueError` for such a
    preset.
    """
    chosen = game_named(game)
    presets: dict[str, Any] = chosen.presets()
    if preset is not None and preset not in presets:
        raise ValueError(f"{game} has the presets {', '.join(presets)}, not {preset!r}")
    return encoding_of(chosen, chosen.min_seats if seats is None else seats, presets.get(preset or next(iter(presets))))


class Play:
    """A match that is played by actions. Nature's draws are made at once; they follow from the seed."""

    def __init__(self, encoding: Encoding, seed: int | None = None) -> None:
        """Begin a match; without a seed its draws are random, also those of later matches."""
        self.encoding: Final = encoding
        self.game: Final = encoding.game
        self._random = Random(seed)
        self.restart()

    def restart(self, seed: int | None = None) -> None:
        """Begin a new match; without a seed its draws continue those of the last one."""
        if seed is not None:
            self._random = Random(seed)
        self.state: State = self.encoding.start()
        self._draw()

    def to_move(self) -> tuple[int, ...]:
        """The seats that owe a choice; empty once the match is over."""
        phase = self.game.phase(self.state)
        return phase.seats if isinstance(phase, Turn) else ()

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return isinstance(self.game.phase(self.state), Over)

    def legal_actions(self, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; none if it is not to move."""
        return self.encoding.legal_actions(self.state, seat)

    def mask(self, seat: int) -> Numbers:
        """The legal actions of a seat as a mask of `action_count` numbers."""
        mask = np.zeros(self.encoding.action_count, np.int8)
        mask[self.legal_actions(seat)] = 1
        return mask

    def observation(self, seat: int) -> Numbers:
        """What a seat knows, as `observation_size` numbers, each within the bounds of its slice."""
        return np.frombuffer(self.encoding.encode(self.state, seat), np.int8)

    def play(self, seat: int, action: int) -> None:
        """Make a legal action of a seat, and nature's draws after it. Raises `ValueError` for an illegal one."""
        if action not in self.legal_actions(seat):
            raise ValueError(f"action {action} is not legal for seat {seat} now")
        self.make(seat, self.encoding.move(action))

    def make(self, seat: int, move: Move) -> None:
        """Make a legal move of a seat, and nature's draws after it."""
        self.game.apply(self.state, seat, move)
        self._draw()

    def returns(self) -> list[float]:
        """The outcome by seat, from -1 to 1; zeros until the match is over."""
        return self.encoding.returns(self.state)

    def svg(self, observer: int) -> str:
        """The position as an observer sees it, as an SVG document. Raises `ValueError` if the game has no pictures."""
        pictures = pictures_of(package_of(self.game))
        if pictures is None:
            raise ValueError(f"{self.game.name} has no pictures")
        return pictures.draw(self.game.view(self.state, observer), Setting(self.game.words("en")))

    def pixels(self, observer: int) -> npt.NDArray[np.uint8]:
        """The picture of the position, rows by `PICTURE_WIDTH` columns by red, green and blue, each from 0 to 255.

        Raises `ImportError` without the extra `pictures`, and what `svg` raises.
        """
        from PIL import Image
        from resvg_py import svg_to_bytes

        png = bytes(svg_to_bytes(svg_string=self.svg(observer), width=PICTURE_WIDTH))
        return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))

    def _draw(self) -> None:
        """Let nature draw until a seat is to move or the match is over."""
        game, state = self.game, self.state
        while isinstance(game.phase(state), Chance):
            draw(game, state, self._random.getrandbits)
