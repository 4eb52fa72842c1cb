"""Games of OpenSpiel: `register()`, then `pyspiel.load_game("fireside_fire_bulls(seats=3,preset=fr)")`.

Seats that choose at the same time do so in ascending order, without seeing more: the game is sequential.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyspiel

from engine_core.encodings import MAX_UTILITY, MIN_UTILITY, Encoding
from engine_core.game import NATURE, Move, Over, Turn
from engine_core.games import GAMES
from engine_core.match import Entry
from environments.play import encoding_named

PREFIX: Final = "fireside_"


def register() -> list[str]:
    """Register all games, once; their names."""
    known = set(pyspiel.registered_names())
    for name in GAMES:
        if PREFIX + name not in known:
            pyspiel.register_game(_game_type(name), _game_class(name))
    return [PREFIX + name for name in GAMES]


def _game_type(name: str) -> Any:
    game = GAMES[name]
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=f"Fireside {game.words('en').title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_seats,
        min_num_players=game.min_seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"seats": game.min_seats, "preset": next(iter(game.presets()))},
    )


def _game_class(name: str) -> type[Any]:
    """The class of a game; OpenSpiel makes one with the given parameters."""

    class RegisteredGame(FiresideGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(name, params or {})

    return RegisteredGame


class FiresideGame(pyspiel.Game):  # type: ignore[misc] # pyspiel has no types
    """A game with a number of seats and a preset."""

    def __init__(self, name: str, params: dict[str, Any]) -> None:
        self.encoding: Final = encoding_named(name, params.get("seats"), params.get("preset"))
        encoding = self.encoding
        information = pyspiel.GameInfo(
            num_distinct_actions=encoding.action_count,
            max_chance_outcomes=encoding.max_chance_outcomes,
            num_players=encoding.seat_count,
            min_utility=MIN_UTILITY,
            max_utility=MAX_UTILITY,
            utility_sum=0.0,
            max_game_length=encoding.max_moves,
        )
        super().__init__(_game_type(name), information, params)

    def new_initial_state(self) -> FiresideState:
        """The position before anything is drawn."""
        return FiresideState(self, self.encoding)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """An observer of what a seat knows now; without perfect recall. Raises `ValueError` for parameters."""
        if params:
            raise ValueError(f"there are no parameters of observations, as {', '.join(params)}")
        return Observer(self.encoding)


class FiresideState(pyspiel.State):  # type: ignore[misc] # pyspiel has no types
    """A position with what each seat has seen so far. Actions of chance are places in the list of outcomes."""

    def __init__(self, game: FiresideGame, encoding: Encoding) -> None:
        super().__init__(game)
        self.encoding = encoding
        self.state = encoding.start()
        self.seen = [encoding.information_state([], seat) for seat in range(encoding.seat_count)]

    def current_player(self) -> int:
        """The seat that is to move next, chance, or that the match is over."""
        phase = self.encoding.game.phase(self.state)
        if isinstance(phase, Over):
            return int(pyspiel.PlayerId.TERMINAL)
        return phase.seats[0] if isinstance(phase, Turn) else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.encoding.legal_actions(self.state, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Nature's outcomes with their probabilities."""
        weights = self.encoding.game.weights(self.state)
        total = sum(weights)
        return [(place, weight / total) for place, weight in enumerate(weights)]

    def _apply_action(self, action: int) -> None:
        player = self.current_player()
        seat = NATURE if player < 0 else player
        game, move = self.encoding.game, self._move(seat, action)
        audience, concealed = game.audience(self.state, seat, move), game.conceal(self.state, seat, move)
        entry = Entry(self.move_number() + 1, seat, move, audience, concealed, game.reveals(self.state, seat, move))
        for observer, text in enumerate(self.seen):
            self.seen[observer] = "\n".join([text, *self.encoding.recalled(entry, observer)])
        game.apply(self.state, seat, move)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.encoding.game.notation(self._move(NATURE if player < 0 else player, action)))

    def _move(self, seat: int, action: int) -> Move:
        if seat != NATURE:
            return self.encoding.move(action)
        outcome: Move = self.encoding.game.legal_moves(self.state, NATURE)[action]
        return outcome

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return isinstance(self.encoding.game.phase(self.state), Over)

    def returns(self) -> list[float]:
        """The outcome by seat, from -1 to 1; zeros until the match is over."""
        return self.encoding.returns(self.state)

    def information_state_string(self, player: int | None = None) -> str:
        """All that a seat has seen, by default the one to move. Raises `RuntimeError` if there is no such seat."""
        return self.seen[checked_seat(self.encoding, self.current_player() if player is None else player)]

    def __str__(self) -> str:
        return "\n".join(self.history_str().split(", "))


def checked_seat(encoding: Encoding, player: int) -> int:
    """A player that is a seat. Raises `RuntimeError`, as OpenSpiel does, for chance, the end and other numbers."""
    if not 0 <= player < encoding.seat_count:  # a negative index would give what another seat has seen
        raise RuntimeError(f"player >= 0 and player < {encoding.seat_count}, not {player}")
    return player


class Observer:
    """What a seat knows now, as a tensor and as a text."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding: Final = encoding
        self.tensor: Final[npt.NDArray[np.float32]] = np.zeros(encoding.observation_size, np.float32)
        self.dict: Final = {part.name: self.tensor[part.start : part.start + part.size] for part in encoding.slices}

    def set_from(self, state: FiresideState, player: int) -> None:
        """Observe a position as a seat. Raises `RuntimeError` if there is no such seat."""
        checked_seat(self.encoding, player)
        self.tensor[:] = np.frombuffer(self.encoding.encode(state.state, player), np.int8)

    def string_from(self, state: FiresideState, player: int) -> str:
        """The observation of a seat as a text: the numbers of each slice that are not 0, with their places in it.

        Raises `RuntimeError` if there is no such seat.
        """
        checked_seat(self.encoding, player)
        numbers = self.encoding.observe(state.state, player)
        found = []
        for part in self.encoding.slices:
            values = numbers[part.start : part.start + part.size]
            shown = " ".join([f"{place}:{value}" for place, value in enumerate(values) if value])
            found.append(f"{part.name} {shown}")
        return "\n".join(found)
