"""LRU cache of decoded inline states: clients usually send back the state we just returned."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from typing import Final, Generic

from google.protobuf.message import Message

from engine_core.chance import SECRET_BYTES, Luck
from services.engine.codec import Codec, M, O, S, V

MAX_STATES: Final = 1024
"""States in the cache; one takes 10 KiB at most."""
MAX_STATE_BYTES: Final = 8192
"""Longer messages are not cached: they hold unknown fields, which no state needs."""
SEED_LABEL: Final = b"fireside/inline-seed/1/"
"""Label hashed with a state to get the secret of its seeded draws."""


class CachedState(Generic[S]):
    """A decoded inline state with its canonical bytes."""

    def __init__(self, canonical: bytes, state: S, checked: bool) -> None:
        self._canonical: Final = canonical
        self.state: Final = state
        self.checked = checked
        """Whether the state has passed `Codec.check`."""
        self._seed = ""
        self._luck: Luck | None = None

    def luck(self, seed: str) -> Luck:
        """Nature's draws on the state; moves with the same seed share the cached digests."""
        if not seed:
            return luck(seed, self._canonical)
        if self._luck is None or seed != self._seed:
            self._seed = seed
            self._luck = luck(seed, self._canonical)
        return self._luck.at_position({}, {})


class StateCache(Generic[S, M, O, V]):
    """LRU cache of the inline states of one version of a game, as received or returned.

    It only saves time: a state that is not cached is decoded again, with the same result. The key is the whole message
    in canonical form, secrets included. So only a client that knows a whole state can hit it, and learns no more than
    that somebody has used the same state recently.
    """

    def __init__(self, codec: Codec[S, M, O, V]) -> None:
        self._codec: Final = codec
        self._cached: Final[OrderedDict[bytes, CachedState[S]]] = OrderedDict()

    def get_or_decode(self, message: Message, canonical: bytes) -> CachedState[S]:
        """The state of a message with these canonical bytes; it must be copied before it is changed.

        Raises `UnknownRules`, `InvalidRequest` or `InconsistentState`.
        """
        cached = self.get(canonical)
        if cached is None:
            self._codec.check_rules(message, "state.rulesVersion")
            cached = CachedState(canonical, self._codec.decode_state(message), False)
            self._codec.check(cached.state)
            cached.checked = True
            self._put(canonical, cached)
        return cached

    def get(self, canonical: bytes) -> CachedState[S] | None:
        """The cached state with these canonical bytes, or None. Raises `InconsistentState`."""
        cached = self._cached.get(canonical)
        if cached is None:
            return None
        self._cached.move_to_end(canonical)
        # A state that we returned is checked only now: most are never sent back.
        if not cached.checked:
            self._codec.check(cached.state)
            cached.checked = True
        return cached

    def put(self, canonical: bytes, state: S) -> None:
        """Cache a state that is returned to a client; it must not be changed any more."""
        if canonical not in self._cached:
            self._put(canonical, CachedState(canonical, state, False))

    def _put(self, canonical: bytes, cached: CachedState[S]) -> None:
        if len(canonical) > MAX_STATE_BYTES:
            return
        self._cached[canonical] = cached
        if len(self._cached) > MAX_STATES:
            self._cached.popitem(last=False)


def luck(seed: str, canonical: bytes) -> Luck:
    """Nature's draws on an inline state: random without a seed, else a function of the seed and the state's bytes.

    The state is hashed too, so that one seed for a whole match does not repeat the same die roll.
    """
    if not seed:
        return Luck(secrets.token_bytes(SECRET_BYTES), [])
    return Luck(hashlib.sha256(SEED_LABEL + canonical).digest(), [seed])
