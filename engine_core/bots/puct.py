"""PUCT search: the ISMCTS tree, with the priors and values of a policy/value function instead of random play-outs."""

from __future__ import annotations

from math import inf, sqrt
from random import Random
from typing import Final

from engine_core.bots.bot import PolicyValue
from engine_core.bots.ismcts import NO_PRIOR, Edge, Node, Search
from engine_core.bots.observation import Observation
from engine_core.bots.position_values import AnyGame, position_values
from engine_core.explore import random_below
from engine_core.game import Move, State

UNTRIED_MEAN: Final = 0.5
"""The assumed mean of a move in a node without visits: that of equal seats."""
MAX_SCALE: Final = 1e9
"""Limit of the factor of priors, so that no prior becomes infinite."""


class PuctSearch(Search):
    """Selects by PUCT (the rule of AlphaZero): mean value plus exploration in proportion to the prior.

    A leaf is valued by one call of `policy_value`, or by its ranks if the match is over there. A mover's moves get
    their priors in the first sampled state in which they are legal at a node, and keep them (`set_priors`).
    """

    def __init__(self, game: AnyGame, seat: int, exploration: float, policy_value: PolicyValue, random: Random) -> None:
        super().__init__(game, seat, exploration, 0, random)
        self._policy_value: Final = policy_value

    def leaf_values(self, leaf: Node, state: State) -> list[float]:
        """The value of each seat at a leaf, 0 to 1, by `policy_value` for its next mover, who gets priors."""
        phase = self.next_turn(state)
        if phase is None:
            return position_values(self.game, state)
        mover = self.mover(phase)
        return self._evaluate(leaf.for_mover(mover), state, mover)

    def select(self, node: Node, state: State, mover: int) -> tuple[Move, Edge]:
        """The mover's move with the highest PUCT bound; ties are broken at random."""
        moves: list[Move] = self.game.legal_moves(state, mover)
        edges = [node.edge(move) for move in moves]
        if any(edge.prior == NO_PRIOR for edge in edges):
            self._evaluate(node, state, mover)
        total, visits, priors = UNTRIED_MEAN, 1, 0.0
        for edge in edges:
            edge.available += 1
            total += edge.total
            visits += edge.visits
            priors += edge.prior
        untried = total / visits  # not FIRST_PLAY_URGENCY, which would try every move before the policy's best again
        chosen = first = random_below(len(moves), self.random.getrandbits)
        best = -1.0
        for number in range(len(moves)):
            place = (first + number) % len(moves)
            edge = edges[place]
            share = edge.prior / priors if priors else 1.0 / len(moves)
            mean = edge.total / edge.visits if edge.visits else untried
            bound = mean + self.exploration * share * sqrt(edge.available) / (1 + edge.visits)
            if bound > best:
                best = bound
                chosen = place
        return moves[chosen], edges[chosen]

    def _evaluate(self, node: Node, state: State, mover: int) -> list[float]:
        """Call `policy_value` for a mover, and set the priors that its moves lack. Returns the value of each seat."""
        moves: list[Move] = self.game.legal_moves(state, mover)
        priors, values = self._policy_value(Observation(self.game, state, mover), list(moves))
        if len(priors) != len(moves) or not all(0.0 <= prior < inf for prior in priors):
            expected = f"each of the {len(moves)} moves a finite prior of at least 0"
            raise ValueError(f"a policy must give {expected}, not {priors}")
        if len(values) != self.game.seat_count(state) or not all(0.0 <= value <= 1.0 for value in values):
            raise ValueError(f"a value function must give each seat a value from 0 to 1, not {values}")
        set_priors([node.edge(move) for move in moves], priors)
        return values


def set_priors(edges: list[Edge], priors: list[float]) -> None:
    """Set the priors that edges lack, scaled so that the others' new priors have the sum of those that they have.

    Priors of two calls cannot be compared without that: a policy shares 1 among the moves of each call.
    """
    stored = given = 0.0
    for edge, prior in zip(edges, priors, strict=True):
        if edge.prior != NO_PRIOR:
            stored += edge.prior
            given += prior
    scale = min(stored / given, MAX_SCALE) if stored > 0.0 and given > 0.0 else 1.0
    for edge, prior in zip(edges, priors, strict=True):
        if edge.prior == NO_PRIOR:
            edge.prior = scale * prior
