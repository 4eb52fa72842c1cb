"""Provable chance on recorded vectors: a second implementation of docs/fairness.md with SHA-256 only."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TypedDict, cast

import pytest

from engine_core.chance import Luck, commitment
from engine_core.game import Chance


class DrawsVector(TypedDict):
    """The first draws of a source among outcomes with those weights."""

    purpose: str
    weights: list[int]
    drawn: list[int]


class PoolVector(TypedDict):
    """A pool, drawn to its end."""

    purpose: str
    copies: dict[str, int]
    drawn: list[str]


class MatchVector(TypedDict):
    """What follows from the seeds of one match."""

    secret: str
    clientSeeds: list[str]
    commitment: str
    draws: list[DrawsVector]
    pools: list[PoolVector]


VECTORS = cast(list[MatchVector], json.loads((Path(__file__).parents[1] / "data" / "fairness.json").read_text()))
EACH_VECTOR = pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["commitment"][:8])


def length_prefixed(*parts: bytes) -> bytes:
    """`J` of the page."""
    text = b""
    for part in parts:
        text += len(part).to_bytes(4, "big") + part
    return text


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 of RFC 2104, for keys of at most 64 bytes."""
    block = key.ljust(64, b"\0")
    inner = sha256(bytes([byte ^ 0x36 for byte in block]) + message).digest()
    return sha256(bytes([byte ^ 0x5C for byte in block]) + inner).digest()


def draw_number(vector: MatchVector, purpose: str, number: int, total: int) -> int:
    """The number below `total` that decides a draw."""
    seeds = [seed.encode() for seed in vector["clientSeeds"]]
    for attempt in range(1000):
        parts = (purpose.encode(), number.to_bytes(4, "big"), attempt.to_bytes(4, "big"))
        message = length_prefixed(b"fireside/draw/1", *seeds, *parts)
        word = int.from_bytes(hmac_sha256(bytes.fromhex(vector["secret"]), message)[:8], "big")
        if word < 2**64 - 2**64 % total:
            return word % total
    raise AssertionError("no word counts")


def outcome_index(vector: MatchVector, draws: DrawsVector, number: int) -> int:
    """The share in which the ticket falls."""
    left = draw_number(vector, draws["purpose"], number, sum(draws["weights"]))
    return next(n for n in range(len(draws["weights"])) if left < sum(draws["weights"][: n + 1]))


def copies_by_rank(vector: MatchVector, pool: PoolVector) -> list[str]:
    """The copies of a pool by their ranks."""
    seeds = [seed.encode() for seed in vector["clientSeeds"]]
    head = length_prefixed(b"fireside/rank/1", *seeds, pool["purpose"].encode())
    copies = [(item, copy) for item, number in pool["copies"].items() for copy in range(number)]
    secret = bytes.fromhex(vector["secret"])
    ranked = sorted(
        copies,
        key=lambda each: hmac_sha256(secret, head + length_prefixed(each[0].encode(), each[1].to_bytes(4, "big"))),
    )
    return [item for item, _ in ranked]


@EACH_VECTOR
def test_the_independent_implementation_gives_the_vectors(vector: MatchVector) -> None:
    assert (
        sha256(length_prefixed(b"fireside/commitment/1", bytes.fromhex(vector["secret"]))).hexdigest()
        == vector["commitment"]
    )
    for draws in vector["draws"]:
        assert [outcome_index(vector, draws, number) for number in range(len(draws["drawn"]))] == draws["drawn"]
    for pool in vector["pools"]:
        assert copies_by_rank(vector, pool) == pool["drawn"]


@EACH_VECTOR
def test_the_rules_draw_the_outcomes_of_the_vectors(vector: MatchVector) -> None:
    secret = bytes.fromhex(vector["secret"])
    luck = Luck(secret, vector["clientSeeds"])
    assert commitment(secret).hex() == vector["commitment"]
    for draws in vector["draws"]:
        items = [str(number) for number in range(len(draws["weights"]))]
        source = Chance(draws["purpose"])
        assert [luck.choose(source, items, draws["weights"]) for _ in draws["drawn"]] == draws["drawn"]
    for pool in vector["pools"]:
        assert drain_pool(luck, pool) == pool["drawn"]


def drain_pool(luck: Luck, pool: PoolVector) -> list[str]:
    """Draw until nothing is left."""
    left, drawn = dict(pool["copies"]), []
    while items := [item for item, number in left.items() if number]:
        choice = luck.choose(Chance(pool["purpose"], pool["purpose"]), items, [left[item] for item in items])
        left[items[choice]] -= 1
        drawn.append(items[choice])
    return drawn
