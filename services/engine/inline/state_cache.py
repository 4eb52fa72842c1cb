"""Inline states that were told lately, decoded: whoever plays on sends back what was answered."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from typing import Final, Generic, TypeVar

from google.protobuf.message import Message

from engine_core.chance import SECRET_BYTES, Luck
from engine_core.game import Move, Options, State, View
from services.engine.codec import Codec

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

STATES_MOST: Final = 1024
"""How many are kept; a state with the ranks of its cards takes ten KiB at most."""
BYTES_MOST: Final = 8192
"""A message that is longer is kept by nobody: it holds what no state needs."""
SEED_LABEL: Final = b"fireside/inline-seed/1/"
"""Stands before a state in what its luck is made of."""


class Position(Generic[S]):
    """A state that is kept."""

    def __init__(self, told: bytes, state: S, checked: bool) -> None:
        self._told: Final = told
        self.state: Final = state
        self.checked = checked
        """Whether it is known to be one that a match could reach."""
        self._seed = ""
        self._luck: Luck | None = None

    def luck(self, seed: str) -> Luck:
        """Nature's draws on it. Siblings of one seed share what is found of it."""
        if not seed:
            return luck(seed, self._told)
        if self._luck is None or seed != self._seed:
            self._seed = seed
            self._luck = luck(seed, self._told)
        return self._luck.at({}, {})


class Positions(Generic[S, M, O, V]):
    """The states of one version of a game that were sent or answered last.

    Nothing depends on it but time: what is not kept is decoded anew, with the same result. The key of a state is the
    whole of its message in canonical form, secrets included: only who knows all of it finds it, and learns no more than
    that somebody has used the same state not long ago.
    """

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._codec: Final = codec
        self._kept: Final[OrderedDict[bytes, Position[S]]] = OrderedDict()

    def of(self, message: Message, told: bytes) -> Position[S]:
        """The position of a message whose canonical form is `told`: its state must be copied before it is changed.

        Raises `UnknownRules`, `InvalidRequest` or `InconsistentState`.
        """
        position = self.known(told)
        if position is None:
            self._codec.check_rules(message)
            position = Position(told, self._codec.decode_state(message), False)
            self._codec.check(position.state)
            position.checked = True
            self._keep(told, position)
        return position

    def known(self, told: bytes) -> Position[S] | None:
        """Likewise, if it is kept. Raises `InconsistentState`."""
        position = self._kept.get(told)
        if position is None:
            return None
        self._kept.move_to_end(told)
        if not position.checked:
            self._codec.check(position.state)
            position.checked = True
        return position

    def keep(self, told: bytes, state: S) -> None:
        """Keep a state that is answered as `told`; nobody may change it any more."""
        if told not in self._kept:
            self._keep(told, Position(told, state, False))

    def _keep(self, told: bytes, position: Position[S]) -> None:
        if len(told) > BYTES_MOST:
            return
        self._kept[told] = position
        if len(self._kept) > STATES_MOST:
            self._kept.popitem(last=False)


def luck(seed: str, told: bytes) -> Luck:
    """Nature's draws on an inline state: at random without a seed, else the same for the same seed and state.

    The state has a part in it, so that one seed for a whole match does not throw the same die again and again.
    """
    if not seed:
        return Luck(secrets.token_bytes(SECRET_BYTES), [])
    return Luck(hashlib.sha256(SEED_LABEL + told).digest(), [seed])
