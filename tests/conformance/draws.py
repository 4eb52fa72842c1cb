"""Independent implementation of nature's draws, from docs/fairness.md alone, without any code of the engine."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

WORD = 2**64


def framed(*parts: bytes) -> bytes:
    """The parts, each with its length in front."""
    return b"".join(len(part).to_bytes(4, byteorder="big") + part for part in parts)


def number(value: int) -> bytes:
    """A number in four bytes, big-endian."""
    return value.to_bytes(4, byteorder="big")


def commitment(secret: bytes) -> str:
    """The hash of the secret seed that is published before the first draw, in hexadecimal."""
    return hashlib.sha256(framed(b"fireside/commitment/1", secret)).hexdigest()


class Draws:
    """The draws of one match, in order."""

    def __init__(self, secret: bytes, client_seeds: Sequence[str]) -> None:
        self.secret = secret
        self.seeds = [seed.encode("utf-8") for seed in client_seeds]
        self.count: dict[str, int] = {}
        self.gone: dict[str, set[tuple[str, int]]] = {}

    def mac(self, label: bytes, purpose: str, *parts: bytes) -> bytes:
        message = framed(label, *self.seeds, purpose.encode("utf-8"), *parts)
        return hmac.new(self.secret, message, hashlib.sha256).digest()

    def independent(self, purpose: str, weights: Sequence[int]) -> int:
        """The index of an outcome drawn with replacement."""
        index = self.count.get(purpose, 0)
        self.count[purpose] = index + 1
        total = sum(weights)
        attempt = 0
        while True:
            mac = self.mac(b"fireside/draw/1", purpose, number(index), number(attempt))
            word = int.from_bytes(mac[:8], "big")
            if word < WORD // total * total:
                break
            attempt += 1
        tickets = [outcome for outcome, weight in enumerate(weights) for _ in range(weight)]
        return tickets[word % total]

    def from_pool(self, purpose: str, pool: str, items: Sequence[str], weights: Sequence[int]) -> int:
        """The index of an outcome drawn without replacement."""
        gone = self.gone.setdefault(pool, set())
        ranks = {}
        for item, weight in zip(items, weights, strict=True):
            copies = weight + sum(name == item for name, _ in gone)
            for copy in range(copies):
                if (item, copy) not in gone:
                    ranks[self.mac(b"fireside/rank/1", purpose, item.encode("utf-8"), number(copy))] = item, copy
        item, copy = ranks[min(ranks)]
        gone.add((item, copy))
        return list(items).index(item)

    def choose(self, purpose: str, pool: str, items: Sequence[str], weights: Sequence[int]) -> int:
        """The index of the outcome that nature draws."""
        return self.from_pool(purpose, pool, items, weights) if pool else self.independent(purpose, weights)
