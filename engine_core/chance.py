"""Luck that can be proved: every draw is a keyed function of seeds, of its source and of its number.

The secret seed is chosen by the service and its commitment published before the first draw; the players may add seeds
of their own. Once the secret is published, anybody can repeat every draw.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from engine_core.game import Chance

if TYPE_CHECKING:
    from _hashlib import HASH

SECRET_BYTES: Final = 32
"""Length of a secret seed."""

COMMITMENT_LABEL: Final = b"fireside/commitment/1"
DRAW_LABEL: Final = b"fireside/draw/1"
RANK_LABEL: Final = b"fireside/rank/1"

_WORD: Final = 1 << 64
BLOCK: Final = 64
"""Bytes of a block of SHA-256: HMAC hashes a block made of the key, then the message; that, and again the result."""
INNER_PAD: Final = 0x36
OUTER_PAD: Final = 0x5C


def commitment(secret: bytes) -> bytes:
    """SHA-256 over the label and the secret seed, 32 bytes: published before the first draw."""
    return hashlib.sha256(_joined([COMMITMENT_LABEL, secret])).digest()


def _joined(parts: list[bytes]) -> bytes:
    """Parts behind their lengths (four bytes, big endian), so that no two lists of parts give the same bytes."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


Ranks = dict[str, dict[str, dict[int, bytes]]]
"""Ranks by purpose, item and copy."""


def _padded(secret: bytes, pad: int) -> bytes:
    """The key of HMAC as a block."""
    key = hashlib.sha256(secret).digest() if len(secret) > BLOCK else secret
    return bytes([byte ^ pad for byte in key.ljust(BLOCK, bytes(1))])


class Luck:
    """The draws of one match.

    `drawn` counts the draws of each purpose; `taken` holds, for each pool and item, a bit mask of the copies that
    have left it while others have not. Nothing comes back to a pool: one that is filled anew has another name. Both are
    all that has to be kept, beside the seeds, to go on after a pause.
    """

    def __init__(
        self,
        secret: bytes,
        client_seeds: list[str],
        drawn: dict[str, int] | None = None,
        taken: dict[str, dict[str, int]] | None = None,
        ranks: Ranks | None = None,
        inner: dict[bytes, HASH] | None = None,
    ) -> None:
        """`ranks` and `inner` are what was found before with the same secret and the same seeds, and grow."""
        self.secret: Final = secret
        self.client_seeds: Final = client_seeds
        self.drawn: Final[dict[str, int]] = {} if drawn is None else drawn
        self.taken: Final[dict[str, dict[str, int]]] = {} if taken is None else taken
        self.ranks: Final[Ranks] = {} if ranks is None else ranks
        self._inner: Final[dict[bytes, HASH]] = {} if inner is None else inner
        self._outer: HASH | None = None

    def at(self, drawn: dict[str, int], taken: dict[str, dict[str, int]]) -> Luck:
        """The luck of the same match at another moment. Both share, and add to, what they find of the seeds."""
        return Luck(self.secret, self.client_seeds, drawn, taken, self.ranks, self._inner)

    def choose(self, source: Chance, items: list[str], weights: list[int]) -> int:
        """The index of the outcome that nature draws, and count the draw.

        `items` names the outcomes; `weights` are positive. The chance of each is its weight over their sum, exactly.
        """
        index = self.drawn.get(source.purpose, 0)
        self.drawn[source.purpose] = index + 1
        if source.pool:
            return self._from_pool(source, items, weights)
        return self._weighted(source.purpose, index, weights)

    def _begun(self, label: bytes, purpose: str) -> HASH:
        """The inner hash of HMAC-SHA256 with all that the digests of a purpose have in common."""
        key = label + purpose.encode()
        begun = self._inner.get(key)
        if begun is None:
            begun = hashlib.sha256(_padded(self.secret, INNER_PAD))
            begun.update(_joined([label, *[seed.encode() for seed in self.client_seeds], purpose.encode()]))
            self._inner[key] = begun
        return begun

    def _digest(self, begun: HASH, last: bytes) -> bytes:
        """The HMAC-SHA256 of what was begun and ends so."""
        inner = begun.copy()
        inner.update(last)
        if self._outer is None:
            self._outer = hashlib.sha256(_padded(self.secret, OUTER_PAD))
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()

    def _weighted(self, purpose: str, index: int, weights: list[int]) -> int:
        ticket = self._below(sum(weights), purpose, index)
        for choice, weight in enumerate(weights):
            ticket -= weight
            if ticket < 0:
                return choice
        raise AssertionError("a ticket below the sum of the weights falls on one of them")

    def _below(self, bound: int, purpose: str, index: int) -> int:
        """A number from 0 to bound - 1, each with the same chance: words above the last whole multiple are passed."""
        limit = _WORD - _WORD % bound
        begun = self._begun(DRAW_LABEL, purpose)
        attempt = 0
        while True:
            digest = self._digest(begun, _joined([index.to_bytes(4, "big"), attempt.to_bytes(4, "big")]))
            word = int.from_bytes(digest[:8], "big")
            if word < limit:
                return word % bound
            attempt += 1

    def _from_pool(self, source: Chance, items: list[str], weights: list[int]) -> int:
        """The remaining copy of lowest keyed rank: a shuffled deck, without the deck."""
        taken = self.taken.get(source.pool, {})
        best = b""
        best_choice = -1
        best_copy = -1
        begun = self._begun(RANK_LABEL, source.purpose)
        ranks = self.ranks.setdefault(source.purpose, {})
        for choice, item in enumerate(items):
            gone = taken.get(item, 0)
            of_item = ranks.setdefault(item, {})
            for copy in range(weights[choice] + gone.bit_count()):
                if gone >> copy & 1:
                    continue
                rank = of_item.get(copy)
                if rank is None:
                    rank = of_item[copy] = self._digest(begun, _joined([item.encode(), copy.to_bytes(4, "big")]))
                if best_choice < 0 or rank < best:
                    best, best_choice, best_copy = rank, choice, copy
        self._take(source.pool, items[best_choice], best_copy, last=weights[best_choice] == 1)
        return best_choice

    def _take(self, pool: str, item: str, copy: int, last: bool) -> None:
        """Note that a copy of an item has left a pool, and forget all about an item with its last one."""
        taken = self.taken.setdefault(pool, {})
        if last:
            taken.pop(item, None)
        else:
            taken[item] = taken.get(item, 0) | 1 << copy
        if not taken:
            del self.taken[pool]
