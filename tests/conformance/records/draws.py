"""Independent implementation of nature's draws, from docs/fairness.md alone, without any code of the engine."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

WORD_RANGE = 2**64


def length_prefixed(*parts: bytes) -> bytes:
    """The parts, each with its length in front."""
    return b"".join(len(part).to_bytes(4, byteorder="big") + part for part in parts)


def four_bytes(value: int) -> bytes:
    """A number in four bytes, big-endian."""
    return value.to_bytes(4, byteorder="big")


def commitment(secret: bytes) -> str:
    """The hash of the secret seed that is published before the first draw, in hexadecimal."""
    return hashlib.sha256(length_prefixed(b"fireside/commitment/1", secret)).hexdigest()


class Draws:
    """The draws of one match, in order."""

    def __init__(self, secret: bytes, client_seeds: Sequence[str]) -> None:
        self.secret = secret
        self.seeds = [seed.encode("utf-8") for seed in client_seeds]
        self.draw_counts: dict[str, int] = {}
        self.taken: dict[str, set[tuple[str, int]]] = {}

    def digest(self, label: bytes, purpose: str, *parts: bytes) -> bytes:
        message = length_prefixed(label, *self.seeds, purpose.encode("utf-8"), *parts)
        return hmac.new(self.secret, message, hashlib.sha256).digest()

    def independent(self, purpose: str, weights: Sequence[int]) -> int:
        """The index of an outcome drawn with replacement."""
        index = self.draw_counts.get(purpose, 0)
        self.draw_counts[purpose] = index + 1
        total = sum(weights)
        attempt = 0
        while True:
            digest = self.digest(b"fireside/draw/1", purpose, four_bytes(index), four_bytes(attempt))
            word = int.from_bytes(digest[:8], "big")
            if word < WORD_RANGE // total * total:
                break
            attempt += 1
        tickets = [outcome for outcome, weight in enumerate(weights) for _ in range(weight)]
        return tickets[word % total]

    def from_pool(self, purpose: str, pool: str, items: Sequence[str], weights: Sequence[int]) -> int:
        """The index of an outcome drawn without replacement."""
        taken = self.taken.setdefault(pool, set())
        ranks = {}
        for item, weight in zip(items, weights, strict=True):
            copies = weight + sum(name == item for name, _ in taken)
            for copy in range(copies):
                if (item, copy) not in taken:
                    ranks[self.digest(b"fireside/rank/1", purpose, item.encode("utf-8"), four_bytes(copy))] = item, copy
        item, copy = ranks[min(ranks)]
        taken.add((item, copy))
        return list(items).index(item)

    def choose(self, purpose: str, pool: str, items: Sequence[str], weights: Sequence[int]) -> int:
        """The index of the outcome that nature draws."""
        return self.from_pool(purpose, pool, items, weights) if pool else self.independent(purpose, weights)
