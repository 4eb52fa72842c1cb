"""Replays of blocks: a sample of each worker's blocks is played again by another worker, to find one that is wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final

from services.tournaments.play.chunks import ChunkResult
from services.tournaments.results.pairs import Pairs, pair_wins
from services.tournaments.results.results import BlockResult, decode_moves
from services.tournaments.settings import REPLAY_SHARE

SUSPICIOUS_DEVIATION: Final = 3.0
"""Standard deviations. Simulated, one honest worker in 18 passes it within 2,000 blocks: that costs replays only."""
SUSPICIOUS_FACTOR: Final = 5
"""How many times the usual share of blocks is replayed of a worker whose results deviate."""
MIN_POOLED_BLOCKS: Final = 8
"""Blocks of a pair before results are compared with them."""


@dataclass(frozen=True)
class PlayedBlock:
    """A block as one worker played it."""

    worker: str
    index: int
    result: bytes
    moves: bytes

    @staticmethod
    def of(played: ChunkResult) -> PlayedBlock:
        """The block of a chunk that has one."""
        [(index, result)] = played.lines
        return PlayedBlock(played.worker, index, result, played.moves[index])

    def agrees_with(self, other: PlayedBlock) -> bool:
        """Whether results and all moves are equal; versions of zlib compress the same moves differently."""
        return self.result == other.result and decode_moves(self.moves) == decode_moves(other.moves)


class Residuals:
    """How far each worker's results of one tournament lie from the pooled results of all workers.

    For each worker and entrant: the sum over blocks and opponents of wins minus expected wins, and its variance.
    """

    def __init__(self) -> None:
        self._sums: Final[defaultdict[str, defaultdict[int, float]]] = defaultdict(lambda: defaultdict(float))
        self._variances: Final[defaultdict[str, defaultdict[int, float]]] = defaultdict(lambda: defaultdict(float))

    def add(self, worker: str, result: BlockResult, pairs: Pairs) -> float:
        """Add a block of a worker. Returns how unusual it is: the sum of its squared residuals over their variances."""
        sums, variances = self._sums[worker], self._variances[worker]
        unusual = 0.0
        wins = pair_wins(result)
        for (entrant, opponent), won in wins.items():
            if entrant > opponent:
                continue  # its residual is the other one's with the opposite sign
            pooled = pairs.sums(entrant, opponent)
            if pooled is None or pooled.blocks < MIN_POOLED_BLOCKS:
                continue
            most = won + wins[opponent, entrant]
            residual = won - pooled.share * most
            # With n equal blocks in the pool, the next one differs with a probability of 1 / (n + 2) (Laplace).
            variance = max(pooled.block_variance, most**2 / (pooled.blocks + 2))
            sums[entrant] += residual
            sums[opponent] -= residual
            variances[entrant] += variance
            variances[opponent] += variance
            unusual += 2 * residual**2 / variance
        return unusual

    def deviation(self, worker: str) -> float:
        """The greatest deviation of any entrant's results, in standard deviations."""
        sums, variances = self._sums[worker], self._variances[worker]
        return max((abs(total) / sqrt(variances[entrant]) for entrant, total in sums.items()), default=0.0)


class ReplaySampler:
    """Chooses which blocks are replayed: the first of each worker in each game, then a share of all its blocks."""

    def __init__(self, share: float = REPLAY_SHARE) -> None:
        """`share` is 0 to 1; with 0 nothing is replayed."""
        self._share: Final = share
        self._played: Final[Counter[tuple[str, str]]] = Counter()
        self._replayed: Final[Counter[tuple[str, str]]] = Counter()
        self._random: Final = Random()

    def choose(self, rules_version: str, worker: str, unusual: Mapping[int, float], deviation: float) -> list[int]:
        """The blocks of a chunk to replay, given how unusual each is and the deviation of the worker's results.

        They are random ones, but the most unusual ones of a worker whose results deviate.
        """
        if not (self._share and worker):
            return []
        key = (rules_version, worker)
        self._played[key] += len(unusual)
        suspicious = deviation > SUSPICIOUS_DEVIATION
        share = min(1.0, self._share * (SUSPICIOUS_FACTOR if suspicious else 1))
        due = min(len(unusual), max(0, int(1 + share * self._played[key]) - self._replayed[key]))
        self._replayed[key] += due
        if suspicious:
            return sorted(unusual, key=lambda index: unusual[index], reverse=True)[:due]
        return self._random.sample(list(unusual), due)

    def give_back(self, rules_version: str, worker: str) -> None:
        """Choose another block of a worker soon, since a chosen one was not replayed."""
        self._replayed[rules_version, worker] -= 1


class Replays:
    """The replays of one run of a tournament: which are in flight, and the residuals that they are chosen by."""

    def __init__(self, sampler: ReplaySampler, rules_version: str) -> None:
        self._sampler: Final = sampler
        self._rules_version: Final = rules_version
        self._residuals: Final = Residuals()
        self._in_flight: Final[dict[int, PlayedBlock]] = {}

    @property
    def in_flight(self) -> bool:
        """Whether a replay is in flight."""
        return bool(self._in_flight)

    def choose(self, played: ChunkResult, results: list[BlockResult], pairs: Pairs) -> list[int]:
        """The blocks of a recorded chunk to replay now; `results` are its decoded lines."""
        if not played.worker:
            return []
        unusual = {result.index: self._residuals.add(played.worker, result, pairs) for result in results}
        deviation = self._residuals.deviation(played.worker)
        chosen = self._sampler.choose(self._rules_version, played.worker, unusual, deviation)
        if chosen:
            lines = dict(played.lines)
            for index in chosen:
                self._in_flight[index] = PlayedBlock(played.worker, index, lines[index], played.moves[index])
        return chosen

    def finished(self, played: ChunkResult) -> list[tuple[PlayedBlock, PlayedBlock]]:
        """The blocks of a chunk of replays, as they were played first and now; none for another chunk.

        They are then no longer in flight.
        """
        return [
            (self._in_flight.pop(index), PlayedBlock(played.worker, index, result, played.moves[index]))
            for index, result in played.lines
            if index in self._in_flight
        ]

    def give_back(self, first: PlayedBlock) -> None:
        """Choose another block of the same worker soon, since this one was not replayed."""
        self._sampler.give_back(self._rules_version, first.worker)

    def cancel(self) -> None:
        """Forget the replays in flight, whose chunks are cancelled."""
        for first in self._in_flight.values():
            self.give_back(first)
        self._in_flight.clear()
