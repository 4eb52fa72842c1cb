"""Random positions of every game that has pictures, and the pictures that the players have in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from engine_core.game import NATURE, SPECTATOR, Over, State, Turn, View
from engine_core.games import GAMES, AnyGame
from engine_core.pictures import Pictures, Setting, pictures_of
from engine_core.pictures.themes import THEMES
from engine_core.words import LOCALES, package_of
from tests.conformance.game_setups import GAME_SETUPS, GameSetup

DRAWN_GAMES = [game for game in GAMES.values() if pictures_of(package_of(game))]
NAMES = ["", "Ada", "Wilhelmina Montgomery-Wolfenstein", "W" * 64, "鈴木" * 8, "<&> \x00\u202e\n", "🐂" * 5, "i" * 40]
"""Names that players may choose."""


@dataclass(frozen=True)
class Position:
    """A position of a match."""

    setup: GameSetup
    state: State

    @property
    def game(self) -> AnyGame:
        return self.setup.game

    def view(self, observer: int) -> View:
        view: View = self.game.view(self.state, observer)
        return view

    def draw(self, observer: int, setting: Setting) -> str:
        return pictures(self.game).draw(self.view(observer), setting)

    def movers(self) -> list[int]:
        """The seats that are to move, or a spectator."""
        phase = self.game.phase(self.state)
        return list(phase.seats) if isinstance(phase, Turn) else [SPECTATOR]

    def parts(self, seat: int) -> set[str]:
        """The parts that the legal moves of a seat refer to."""
        moves = self.game.legal_moves(self.state, seat) if seat != SPECTATOR else []
        return {part for move in moves for part in pictures(self.game).parts(move)}


@cache
def pictures(game: AnyGame) -> Pictures:
    """The pictures of a game that has some."""
    found = pictures_of(package_of(game))
    assert found is not None
    return found


def positions(game: AnyGame, count: int, spacing: int) -> Iterator[Position]:
    """Positions of random matches of all setups in turn: one in about `spacing` of each match, and all ends."""
    setups = [setup for setup in GAME_SETUPS if setup.game is game]
    random = Random(f"pictures {game.name}")
    number = 0
    while True:
        setup = setups[number % len(setups)]
        number += 1
        state = setup.start()
        while True:
            phase = game.phase(state)
            if isinstance(phase, Over) or not random.randrange(spacing):
                yield Position(setup, game.copy(state))
                count -= 1
                if not count:
                    return
            if isinstance(phase, Over):
                break
            seat = random.choice(phase.seats) if isinstance(phase, Turn) else NATURE
            game.apply(state, seat, random.choice(game.legal_moves(state, seat)))


def random_setting(game: AnyGame, random: Random, seat_count: int) -> Setting:
    """A language, a theme and names."""
    names = [random.choice(NAMES) for _ in range(seat_count)]
    return Setting(game.words(random.choice(LOCALES)), random.choice([*THEMES.values()]), names)
