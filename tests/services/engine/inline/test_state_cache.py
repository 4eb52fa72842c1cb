"""Inline states that are kept: with them or without them, every answer is the same."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine_core.errors import InconsistentState
from engine_core.game import Chance
from services.engine import wire
from services.engine.codecs import CODECS, AnyCodec
from services.engine.inline.state_cache import BYTES_MOST, STATES_MOST, Positions
from tests.services.engine.positions import positions

EVERY_GAME = pytest.mark.parametrize("codec", CODECS.values(), ids=CODECS)

UNKNOWN_FIELD = 2000

AnyPositions = Positions[Any, Any, Any, Any]


def late(codec: AnyCodec) -> object:
    """A state from the middle of a match."""
    for number, state in enumerate(positions(codec, 2, Random(5))):
        if number == 40:
            return state
    raise AssertionError("a match has more moves")


def asked(kept: AnyPositions, codec: AnyCodec, told: bytes) -> object:
    return kept.of(codec.nouns.state.FromString(told), told).state


@EVERY_GAME
def test_a_state_that_comes_again_is_not_decoded_again(codec: AnyCodec) -> None:
    kept: AnyPositions = Positions(codec)
    told = codec.write_told_state(late(codec))
    state = asked(kept, codec, told)
    assert asked(kept, codec, told) is state
    assert codec.write_told_state(state) == told


@EVERY_GAME
def test_a_state_that_was_answered_is_found(codec: AnyCodec) -> None:
    kept: AnyPositions = Positions(codec)
    state = late(codec)
    told = codec.write_told_state(state)
    kept.keep(told, state)
    assert asked(kept, codec, told) is state


def test_a_state_that_was_answered_is_checked_like_any_other() -> None:
    codec = CODECS["fire_bulls"]
    kept: AnyPositions = Positions(codec)
    state: Any = late(codec)
    state.reserve = 0
    told = codec.write_told_state(state)
    kept.keep(told, state)
    for _ in range(2):
        with pytest.raises(InconsistentState) as refused:
            asked(kept, codec, told)
        with pytest.raises(InconsistentState) as expected:
            asked(Positions(codec), codec, told)
        assert str(refused.value) == str(expected.value)


def test_the_oldest_states_are_let_go() -> None:
    codec = CODECS["fire_bulls"]
    kept: AnyPositions = Positions(codec)
    state = late(codec)
    first = codec.write_told_state(state)
    kept.keep(first, state)
    for number in range(STATES_MOST):
        kept.keep(number.to_bytes(2, "big"), state)
    assert asked(kept, codec, first) is not state


def test_a_message_that_is_too_long_is_not_kept() -> None:
    codec = CODECS["fire_bulls"]
    kept: AnyPositions = Positions(codec)
    message = codec.nouns.state.FromString(codec.write_told_state(late(codec)))
    message.MergeFromString(wire.data(UNKNOWN_FIELD, bytes(BYTES_MOST)))
    told = message.SerializeToString(deterministic=True)
    assert len(told) > BYTES_MOST
    assert kept.of(message, told) is not kept.of(message, told)


def test_what_is_found_of_a_seed_is_kept_for_one_at_a_time() -> None:
    codec = CODECS["fire_bulls"]
    told = codec.write_told_state(late(codec))
    position = Positions(codec).of(codec.nouns.state.FromString(told), told)
    of_a = position.luck("a").digests
    assert position.luck("a").digests is of_a
    assert position.luck("b").digests is not of_a
    assert position.luck("a").digests is not of_a


def test_draws_on_a_state_do_not_change_those_that_come_after() -> None:
    codec = CODECS["fire_bulls"]
    told = codec.write_told_state(late(codec))
    position = Positions(codec).of(codec.nouns.state.FromString(told), told)
    pool = Chance("deck", "deck")
    draws = [position.luck("a").choose(pool, ["blue", "red"], [30, 31]) for _ in range(9)]
    assert draws == draws[:1] * 9


def test_draws_without_a_seed_are_at_random() -> None:
    codec = CODECS["fire_bulls"]
    told = codec.write_told_state(late(codec))
    position = Positions(codec).of(codec.nouns.state.FromString(told), told)
    assert len({position.luck("").secret for _ in range(9)}) == 9
