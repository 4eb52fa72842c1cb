"""Verifiable random draws (commit and reveal), as HMAC-SHA256 of the seeds, the source of the draw and its index.

The key is a secret seed that the service chooses; its commitment is published before the first draw, and the players
may add seeds of their own. Once the secret is published, anybody can recompute every draw.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from engine_core.game import Chance

if TYPE_CHECKING:
    from _hashlib import HASH

    from mypy_extensions import i64

SECRET_BYTES: Final = 32
"""Length of a secret seed."""

COMMITMENT_LABEL: Final = b"fireside/commitment/1"
DRAW_LABEL: Final = b"fireside/draw/1"
RANK_LABEL: Final = b"fireside/rank/1"

_WORD_RANGE: Final = 1 << 64
MAX_ATTEMPTS: Final = 128
"""Rejections in a row that cannot happen: each has a probability below one half."""
BLOCK_BYTES: Final = 64
"""Block size of SHA-256 in bytes. HMAC pads its key to one block for the inner and the outer hash (RFC 2104)."""
INNER_PAD: Final = 0x36
OUTER_PAD: Final = 0x5C


def commitment(secret: bytes) -> bytes:
    """SHA-256 over the label and the secret seed, 32 bytes: published before the first draw."""
    return hashlib.sha256(length_prefixed([COMMITMENT_LABEL, secret])).digest()


def length_prefixed(parts: list[bytes]) -> bytes:
    """All parts, each preceded by its length (four bytes, big endian): no two lists of parts give the same bytes."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


XOR_INNER_PAD: Final = bytes([byte ^ INNER_PAD for byte in range(256)])
XOR_OUTER_PAD: Final = bytes([byte ^ OUTER_PAD for byte in range(256)])
"""Tables for `bytes.translate` that XOR each byte of a key with the inner or the outer pad."""

NONE_TAKEN: Final[dict[str, int]] = {}
"""Entry of a pool from which nothing was drawn. Shared, so never changed."""

Rank = tuple[bytes, int]
"""The digest by which a copy of an item is sorted in a shuffle, lowest first, and the number of the copy."""


class Digests:
    """A cache of HMAC-SHA256 digests with the secret as key, over the players' seeds and the source of a draw.

    The cache depends on the secret and the seeds alone, so all positions of a match may share it.
    """

    def __init__(self, secret: bytes, client_seeds: list[str]) -> None:
        key = hashlib.sha256(secret).digest() if len(secret) > BLOCK_BYTES else secret
        self._key: Final = key.ljust(BLOCK_BYTES, bytes(1))
        self._seeds: Final = client_seeds
        self._draws: Final[dict[str, HASH]] = {}
        """The inner hash of each purpose."""
        self._shuffles: Final[dict[str, Shuffle]] = {}
        self._outer: HASH | None = None

    def draw(self, purpose: str, index: int, attempt: int) -> bytes:
        """The digest of the draw `index` of a purpose; `attempt` counts rejected words."""
        inner = self._draws.get(purpose)
        if inner is None:
            inner = self._draws[purpose] = self._inner(DRAW_LABEL, purpose)
        return _digest(inner, self._outer_hash(), [index.to_bytes(4, "big"), attempt.to_bytes(4, "big")])

    def shuffle(self, purpose: str) -> Shuffle:
        """The shuffle by which a purpose draws from its pool, cached."""
        shuffle = self._shuffles.get(purpose)
        if shuffle is None:
            shuffle = self._shuffles[purpose] = Shuffle(self._inner(RANK_LABEL, purpose), self._outer_hash())
        return shuffle

    def _inner(self, label: bytes, purpose: str) -> HASH:
        """The inner hash of HMAC over the common prefix of all digests of a purpose."""
        inner = hashlib.sha256(self._key.translate(XOR_INNER_PAD))
        inner.update(length_prefixed([label, *[seed.encode() for seed in self._seeds], purpose.encode()]))
        return inner

    def _outer_hash(self) -> HASH:
        if self._outer is None:
            self._outer = hashlib.sha256(self._key.translate(XOR_OUTER_PAD))
        return self._outer


class Shuffle:
    """A shuffled pool: a purpose draws the copies of its items in ascending order of their ranks."""

    def __init__(self, inner: HASH, outer: HASH) -> None:
        self._inner: Final = inner
        self._outer: Final = outer
        self._ranks: Final[dict[str, list[Rank]]] = {}
        """Ascending ranks by item, for the largest number of copies so far."""

    def lowest_rank(self, item: str, copies: int, taken_mask: int) -> Rank:
        """The lowest rank of `copies` copies of an item outside the bit mask `taken_mask`. One must be left."""
        ranks = self._ranks.get(item)
        if ranks is None or len(ranks) < copies:
            ranks = self._ranks[item] = sorted([(self.rank(item, copy), copy) for copy in range(copies)])
        for rank in ranks:
            copy = rank[1]
            if copy < copies and not taken_mask >> copy & 1:
                return rank
        raise AssertionError("an outcome has a copy that is left")

    def rank(self, item: str, copy: int) -> bytes:
        """The rank of a copy of an item."""
        return _digest(self._inner, self._outer, [item.encode(), copy.to_bytes(4, "big")])


def _digest(prefix_hash: HASH, outer: HASH, parts: list[bytes]) -> bytes:
    """Finish an HMAC whose inner hash, continued from `prefix_hash`, already covers the first part of the message."""
    inner = prefix_hash.copy()
    inner.update(length_prefixed(parts))
    outer_hash = outer.copy()
    outer_hash.update(inner.digest())
    return outer_hash.digest()


class Luck:
    """The random source of one match, with what it has drawn so far.

    `draw_counts` counts the draws of each purpose; `taken_copies` has, for each pool and item, a bit mask of the copies
    that have left it while others have not. Nothing returns to a pool: one that is filled anew gets another name. To
    continue later, only these two and the seeds must be stored.
    """

    def __init__(
        self,
        secret: bytes,
        client_seeds: list[str],
        draw_counts: dict[str, int] | None = None,
        taken_copies: dict[str, dict[str, int]] | None = None,
        digests: Digests | None = None,
    ) -> None:
        """`digests`: a cache for the same secret and seeds, if there already is one."""
        self.secret: Final = secret
        self.client_seeds: Final = client_seeds
        self.draw_counts: Final[dict[str, int]] = {} if draw_counts is None else draw_counts
        self.taken_copies: Final[dict[str, dict[str, int]]] = {} if taken_copies is None else taken_copies
        self.digests: Final = Digests(secret, client_seeds) if digests is None else digests

    def __reduce__(self) -> tuple[type[Luck], tuple[bytes, list[str], dict[str, int], dict[str, dict[str, int]]]]:
        """Hashes cannot be pickled, so copies start with an empty cache; even a shallow copy gets its own counters."""
        taken = {pool: dict(items) for pool, items in self.taken_copies.items()}
        return Luck, (self.secret, self.client_seeds, dict(self.draw_counts), taken)

    def at_position(self, draw_counts: dict[str, int], taken_copies: dict[str, dict[str, int]]) -> Luck:
        """The luck of the same match at another position, given its counters. Both share the cache of digests."""
        return Luck(self.secret, self.client_seeds, draw_counts, taken_copies, self.digests)

    def with_seed(self, seed: str) -> Luck:
        """The luck of the same position with one more seed for all later draws. Both share the counters."""
        return Luck(self.secret, [*self.client_seeds, seed], self.draw_counts, self.taken_copies)

    def choose(self, source: Chance, items: list[str], weights: list[int]) -> int:
        """Draw an outcome for nature. Returns its index, and counts the draw.

        `items` names the outcomes; `weights` are positive. The probability of each is exactly its weight over the sum.

        Raises `ValueError`, before it counts the draw, without outcomes or for a weight below 1.
        """
        if min(weights, default=0) < 1:
            raise ValueError(f"{source.purpose!r} draws from weights of 1 or more, not from {weights}")
        index = self.draw_counts.get(source.purpose, 0)
        self.draw_counts[source.purpose] = index + 1
        if source.pool:
            return self._draw_from_pool(source, items, weights)
        return self._weighted_choice(source.purpose, index, weights)

    def _weighted_choice(self, purpose: str, index: int, weights: list[int]) -> int:
        ticket = self._uniform(sum(weights), purpose, index)
        for choice, weight in enumerate(weights):
            ticket -= weight
            if ticket < 0:
                return choice
        raise AssertionError("a ticket below the sum of the weights falls on one of them")

    def _uniform(self, bound: int, purpose: str, index: int) -> int:
        """A uniform number from 0 to bound - 1. Words above the last whole multiple are rejected, against bias."""
        limit = _WORD_RANGE - _WORD_RANGE % bound
        for attempt in range(MAX_ATTEMPTS):
            word = int.from_bytes(self.digests.draw(purpose, index, attempt)[:8], "big")
            if word < limit:
                return word % bound
        raise AssertionError("less than half of all words are rejected")

    def _draw_from_pool(self, source: Chance, items: list[str], weights: list[int]) -> int:
        """The remaining copy with the lowest rank: the order of a shuffled deck, without storing the deck."""
        taken = self.taken_copies.get(source.pool, NONE_TAKEN)
        shuffle = self.digests.shuffle(source.purpose)
        best: Rank = (b"", -1)
        best_choice = -1
        for choice, item in enumerate(items):
            taken_mask = taken.get(item, 0)
            rank = shuffle.lowest_rank(item, weights[choice] + _bit_count(taken_mask), taken_mask)
            if best_choice < 0 or rank[0] < best[0]:
                best = rank
                best_choice = choice
        self._mark_taken(source.pool, items[best_choice], best[1], last=weights[best_choice] == 1)
        return best_choice

    def _mark_taken(self, pool: str, item: str, copy: int, last: bool) -> None:
        """Record that a copy of an item has left a pool; delete the record of an item with its last copy."""
        taken = self.taken_copies.setdefault(pool, {})
        if last:
            taken.pop(item, None)
        else:
            taken[item] = taken.get(item, 0) | 1 << copy
        if not taken:
            del self.taken_copies[pool]


def _bit_count(mask: i64) -> i64:
    """How many bits of a mask are set. Compiled, `int.bit_count` takes ten times as long: a method by name."""
    number: i64 = 0
    while mask > 0:
        mask &= mask - 1
        number += 1
    return number
