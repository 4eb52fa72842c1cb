"""Cache of inline states: responses are the same with and without it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine_core.errors import InconsistentState
from engine_core.game import Chance
from services.engine import wire
from services.engine.codecs import CODECS, AnyCodec
from services.engine.inline.state_cache import MAX_STATE_BYTES, MAX_STATES, StateCache
from tests.services.engine.positions import positions

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)

UNKNOWN_FIELD = 2000

AnyStateCache = StateCache[Any, Any, Any, Any]


def midgame_state(codec: AnyCodec) -> object:
    """A state from the middle of a match."""
    for number, state in enumerate(positions(codec, 2, Random(5))):
        if number == 40:
            return state
    raise AssertionError("a match has more moves")


def cached_state(cache: AnyStateCache, codec: AnyCodec, canonical: bytes) -> object:
    return cache.get_or_decode(codec.messages.state.FromString(canonical), canonical).state


@EVERY_GAME
def test_a_repeated_state_is_not_decoded_again(codec: AnyCodec) -> None:
    cache: AnyStateCache = StateCache(codec)
    canonical = codec.write_inline_state(midgame_state(codec))
    state = cached_state(cache, codec, canonical)
    assert cached_state(cache, codec, canonical) is state
    assert codec.write_inline_state(state) == canonical


@EVERY_GAME
def test_a_returned_state_is_cached(codec: AnyCodec) -> None:
    cache: AnyStateCache = StateCache(codec)
    state = midgame_state(codec)
    canonical = codec.write_inline_state(state)
    cache.put(canonical, state)
    assert cached_state(cache, codec, canonical) is state


def test_a_returned_state_is_validated_like_any_other() -> None:
    codec = CODECS["fire_bulls"]
    cache: AnyStateCache = StateCache(codec)
    state: Any = midgame_state(codec)
    state.reserve = 0
    canonical = codec.write_inline_state(state)
    cache.put(canonical, state)
    for _ in range(2):
        with pytest.raises(InconsistentState) as refused:
            cached_state(cache, codec, canonical)
        with pytest.raises(InconsistentState) as expected:
            cached_state(StateCache(codec), codec, canonical)
        assert str(refused.value) == str(expected.value)


def test_the_least_recently_used_state_is_evicted() -> None:
    codec = CODECS["fire_bulls"]
    cache: AnyStateCache = StateCache(codec)
    state = midgame_state(codec)
    first = codec.write_inline_state(state)
    cache.put(first, state)
    for number in range(MAX_STATES):
        cache.put(number.to_bytes(2, "big"), state)
    assert cached_state(cache, codec, first) is not state


def test_a_message_that_is_too_long_is_not_cached() -> None:
    codec = CODECS["fire_bulls"]
    cache: AnyStateCache = StateCache(codec)
    message = codec.messages.state.FromString(codec.write_inline_state(midgame_state(codec)))
    message.MergeFromString(wire.data(UNKNOWN_FIELD, bytes(MAX_STATE_BYTES)))
    canonical = message.SerializeToString(deterministic=True)
    assert len(canonical) > MAX_STATE_BYTES
    assert cache.get_or_decode(message, canonical) is not cache.get_or_decode(message, canonical)


def test_only_the_digests_of_the_latest_seed_are_cached() -> None:
    codec = CODECS["fire_bulls"]
    canonical = codec.write_inline_state(midgame_state(codec))
    cached = StateCache(codec).get_or_decode(codec.messages.state.FromString(canonical), canonical)
    of_a = cached.luck("a").digests
    assert cached.luck("a").digests is of_a
    assert cached.luck("b").digests is not of_a
    assert cached.luck("a").digests is not of_a


def test_draws_on_a_cached_state_do_not_change_later_draws() -> None:
    codec = CODECS["fire_bulls"]
    canonical = codec.write_inline_state(midgame_state(codec))
    cached = StateCache(codec).get_or_decode(codec.messages.state.FromString(canonical), canonical)
    pool = Chance("deck", "deck")
    draws = [cached.luck("a").choose(pool, ["blue", "red"], [30, 31]) for _ in range(9)]
    assert draws == draws[:1] * 9


def test_draws_without_a_seed_are_random() -> None:
    codec = CODECS["fire_bulls"]
    canonical = codec.write_inline_state(midgame_state(codec))
    cached = StateCache(codec).get_or_decode(codec.messages.state.FromString(canonical), canonical)
    assert len({cached.luck("").secret for _ in range(9)}) == 9
