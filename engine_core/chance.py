"""Luck that can be proved: every draw is a keyed function of seeds, of its source and of its number.

The secret seed is chosen by the service and its commitment published before the first draw; the players may add seeds
of their own. Once the secret is published, anybody can repeat every draw.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from engine_core.game import Chance

SECRET_BYTES: Final = 32
"""Length of a secret seed."""

COMMITMENT_LABEL: Final = b"fireside/commitment/1"
DRAW_LABEL: Final = b"fireside/draw/1"
RANK_LABEL: Final = b"fireside/rank/1"

_WORD: Final = 1 << 64


def commitment(secret: bytes) -> bytes:
    """SHA-256 over the label and the secret seed, 32 bytes: published before the first draw."""
    return hashlib.sha256(_joined([COMMITMENT_LABEL, secret])).digest()


def _joined(parts: list[bytes]) -> bytes:
    """Parts behind their lengths (four bytes, big endian), so that no two lists of parts give the same bytes."""
    return b"".join([len(part).to_bytes(4, "big") + part for part in parts])


class Luck:
    """The draws of one match.

    `drawn` counts the draws of each purpose; `taken` holds, for each pool and item, a bit mask of the copies that
    have left it. Both are all that has to be kept, beside the seeds, to go on after a pause.
    """

    def __init__(
        self,
        secret: bytes,
        client_seeds: list[str],
        drawn: dict[str, int] | None = None,
        taken: dict[str, dict[str, int]] | None = None,
    ) -> None:
        self.secret: Final = secret
        self.client_seeds: Final = client_seeds
        self.drawn: Final[dict[str, int]] = {} if drawn is None else drawn
        self.taken: Final[dict[str, dict[str, int]]] = {} if taken is None else taken

    def choose(self, source: Chance, items: list[str], weights: list[int]) -> int:
        """The index of the outcome that nature draws, and count the draw.

        `items` names the outcomes; `weights` are positive. The chance of each is its weight over their sum, exactly.
        """
        index = self.drawn.get(source.purpose, 0)
        self.drawn[source.purpose] = index + 1
        if source.pool:
            return self._from_pool(source, items, weights)
        return self._weighted(source.purpose, index, weights)

    def _digest(self, label: bytes, purpose: str, *parts: bytes) -> bytes:
        message = [label]
        message.extend([seed.encode() for seed in self.client_seeds])
        message.append(purpose.encode())
        message.extend(parts)
        return hmac.digest(self.secret, _joined(message), "sha256")

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
        attempt = 0
        while True:
            digest = self._digest(DRAW_LABEL, purpose, index.to_bytes(4, "big"), attempt.to_bytes(4, "big"))
            word = int.from_bytes(digest[:8], "big")
            if word < limit:
                return word % bound
            attempt += 1

    def _from_pool(self, source: Chance, items: list[str], weights: list[int]) -> int:
        """The remaining copy of lowest keyed rank: a shuffled deck, without the deck."""
        taken = self.taken.setdefault(source.pool, {})
        best = b""
        best_choice = -1
        best_copy = -1
        for choice, item in enumerate(items):
            gone = taken.get(item, 0)
            for copy in range(weights[choice] + gone.bit_count()):
                if gone >> copy & 1:
                    continue
                rank = self._digest(RANK_LABEL, source.purpose, item.encode(), copy.to_bytes(4, "big"))
                if best_choice < 0 or rank < best:
                    best, best_choice, best_copy = rank, choice, copy
        taken[items[best_choice]] = taken.get(items[best_choice], 0) | 1 << best_copy
        if sum(weights) == 1:
            del self.taken[source.pool]  # it is empty, and one that is filled anew has another name
        return best_choice
