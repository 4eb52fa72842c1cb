"""MCTS bot: information-set Monte Carlo tree search (ISMCTS) from one seat's point of view."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Final

from engine_core.bots.bot import AnyObservation, EvaluatedMove, PolicyValue, Steps, run
from engine_core.bots.greedy import best_move, move_values
from engine_core.bots.ismcts import Node, Search
from engine_core.bots.puct import PuctSearch
from engine_core.game import Move

ITERATIONS: Final = 200
PRIOR_SAMPLES: Final = 2
PRIOR_VISITS: Final = 2
"""Visits that the prior counts for: each root move starts with its value from a one-move lookahead."""
MEAN_TOLERANCE: Final = 1e-9
"""If the means of all moves differ by less, the move with the best value of a one-move lookahead is played."""


class MctsBot:
    """Plays the move with the most visits in an ISMCTS tree.

    Each iteration determinizes the state, descends by upper confidence bounds (UCB; every seat maximises its own
    value), adds a node, plays `depth` random moves, and takes the `position_values` reached. When several seats choose
    at the same time, the searching seat chooses last and stays in its node until then, so that its choice cannot
    depend on the others' choices, nor theirs on its own.
    """

    def __init__(
        self,
        iterations: int = 0,
        milliseconds: int = 0,
        exploration: float = 0.5,
        depth: int = 12,
        policy_value: PolicyValue | None = None,
    ) -> None:
        """Search for `iterations` or `milliseconds`, whichever ends first; 0 is no bound, both 0 are `ITERATIONS`.

        With `policy_value` it selects by PUCT, and that function replaces the one-move lookahead and the random moves.
        """
        self.iterations: Final = iterations or (0 if milliseconds else ITERATIONS)
        self.milliseconds: Final = milliseconds
        self.exploration: Final = exploration
        self.depth: Final = depth
        self.policy_value: Final = policy_value

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """The most visited move.

        Without `policy_value`, the best by a one-move lookahead if the means of all moves are alike.
        """
        moves: list[Move] = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        root = self.search(observation, moves, random)
        return run(self._best_move(observation, moves, root, random))

    def evaluate(self, observation: AnyObservation, random: Random) -> Steps[list[EvaluatedMove]]:
        """Every legal move with its mean value and number of visits; the visits of the prior count.

        A move that a search with `policy_value` did not try has the mean of those that it tried.
        """
        moves: list[Move] = observation.legal_moves()
        root = yield from self._search_steps(observation, moves, random)
        best = yield from self._best_move(observation, moves, root, random)
        edges = [root.edge(move) for move in moves]
        mean = sum([edge.total for edge in edges]) / sum([edge.visits for edge in edges])
        return [
            EvaluatedMove(move, edge.total / edge.visits if edge.visits else mean, edge.visits, move == best)
            for move, edge in zip(moves, edges, strict=True)
        ]

    def search(self, observation: AnyObservation, moves: list[Move], random: Random) -> Node:
        """Run the search. Returns the root, with the statistics of `moves`."""
        return run(self._search_steps(observation, moves, random))

    def _search_steps(self, observation: AnyObservation, moves: list[Move], random: Random) -> Steps[Node]:
        search = self._new_search(observation, random)
        root = search.root.for_mover(observation.seat)
        if self.policy_value is None:
            values = yield from move_values(observation, moves, PRIOR_SAMPLES, random)
            for move, (share, _, _) in zip(moves, values, strict=True):
                edge = root.edge(move)
                edge.visits = edge.available = PRIOR_VISITS
                edge.total = PRIOR_VISITS * share
        started = monotonic()
        done = 0
        while not self.iterations or done < self.iterations:
            if self.milliseconds and done and 1000.0 * (monotonic() - started) >= self.milliseconds:
                break
            search.iterate(observation.determinize(random))
            done += 1
            yield
        return root

    def _new_search(self, observation: AnyObservation, random: Random) -> Search:
        game, seat = observation.game, observation.seat
        if self.policy_value is None:
            return Search(game, seat, self.exploration, self.depth, random)
        return PuctSearch(game, seat, self.exploration, self.policy_value, random)

    def _best_move(self, observation: AnyObservation, moves: list[Move], root: Node, random: Random) -> Steps[Move]:
        """The most visited move of a search.

        Without `policy_value`, the best by a one-move lookahead if the means of all moves are alike.
        """
        if self.policy_value is None:
            means = [edge.total / edge.visits for edge in [root.edge(move) for move in moves]]
            if max(means) - min(means) < MEAN_TOLERANCE:
                values = yield from move_values(observation, moves, PRIOR_SAMPLES, random)
                return best_move(moves, values, random)
        best = moves[0]
        for move in moves:
            edge, other = root.edge(move), root.edge(best)
            if (edge.visits, edge.total) > (other.visits, other.total):
                best = move
        return best
