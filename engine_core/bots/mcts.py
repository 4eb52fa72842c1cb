"""MCTS bot: information-set Monte Carlo tree search (ISMCTS) from one seat's point of view."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from time import monotonic
from typing import Final

from engine_core.bots.bot import AnyObservation, EvaluatedMove, Steps, run
from engine_core.bots.greedy import best_move, move_values
from engine_core.bots.position_values import AnyGame, are_absent_seats_to_move, position_values
from engine_core.errors import EndlessPlay
from engine_core.explore import random_below, random_step
from engine_core.game import NATURE, Move, Over, State, Turn, is_in_audience
from engine_core.match import MAX_DRAWS

ITERATIONS: Final = 200
PRIOR_SAMPLES: Final = 2
PRIOR_VISITS: Final = 2
"""Visits that the prior counts for: each root move starts with its value from a one-move lookahead."""
MEAN_TOLERANCE: Final = 1e-9
"""If the means of all moves differ by less, the move with the best value of a one-move lookahead is played."""
FIRST_PLAY_URGENCY: Final = 0.55
"""The assumed mean of a move that was never tried (first-play urgency)."""


class Edge:
    """Statistics of one move in a node: it was legal `available` times and chosen `visits` times.

    `total` is the sum of the values for the mover.
    """

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.available = 0


class Node:
    """An information set of the searching seat: all positions reached by the same moves as that seat sees them.

    Chance and seats that have left are not in the tree, so different seats may be to move in one node; each of them
    has its own statistics.
    """

    def __init__(self) -> None:
        self.edges: Final[dict[Move, Edge]] = {}
        self.children: Final[dict[Move, Node]] = {}
        self._other_movers: Final[dict[int, Node]] = {}
        self._mover = NATURE

    def for_mover(self, mover: int) -> Node:
        """The statistics of a mover: this node for the first seat to move in it, a separate node for any other."""
        if self._mover == NATURE:
            self._mover = mover
        if self._mover == mover:
            return self
        other = self._other_movers.get(mover)
        if other is None:
            other = self._other_movers[mover] = Node()
        return other

    def edge(self, move: Move) -> Edge:
        """The statistics of a move, created on first use."""
        edge = self.edges.get(move)
        if edge is None:
            edge = self.edges[move] = Edge()
        return edge

    def child(self, seen_move: Move) -> Node:
        """The node after a move as the searching seat sees it, created on first use."""
        child = self.children.get(seen_move)
        if child is None:
            child = self.children[seen_move] = Node()
        return child


class MctsBot:
    """Plays the move with the most visits in an ISMCTS tree.

    Each iteration determinizes the state, descends by upper confidence bounds (UCB; every seat maximises its own
    value), adds a node, plays `depth` random moves, and takes the `position_values` reached. When several seats choose
    at the same time, the searching seat chooses last and stays in its node until then, so that its choice cannot
    depend on the others' choices, nor theirs on its own.
    """

    def __init__(self, iterations: int = 0, milliseconds: int = 0, exploration: float = 0.5, depth: int = 12) -> None:
        """Search for `iterations` or `milliseconds`, whichever ends first; 0 is no bound, both 0 are `ITERATIONS`."""
        self.iterations: Final = iterations or (0 if milliseconds else ITERATIONS)
        self.milliseconds: Final = milliseconds
        self.exploration: Final = exploration
        self.depth: Final = depth

    def choose(self, observation: AnyObservation, random: Random) -> Move:
        """The most visited move; the one with the best one-move value if the means of all moves are alike."""
        moves: list[Move] = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        root = self.search(observation, moves, random)
        return run(_best_move(observation, moves, root, random))

    def evaluate(self, observation: AnyObservation, random: Random) -> Steps[list[EvaluatedMove]]:
        """Every legal move with its mean value and number of visits; the visits of the prior count."""
        moves: list[Move] = observation.legal_moves()
        root = yield from self._search_steps(observation, moves, random)
        best = yield from _best_move(observation, moves, root, random)
        edges = [root.edge(move) for move in moves]
        return [
            EvaluatedMove(move, edge.total / edge.visits, edge.visits, move == best)
            for move, edge in zip(moves, edges, strict=True)
        ]

    def search(self, observation: AnyObservation, moves: list[Move], random: Random) -> Node:
        """Run the search. Returns the root, with the statistics of `moves`."""
        return run(self._search_steps(observation, moves, random))

    def _search_steps(self, observation: AnyObservation, moves: list[Move], random: Random) -> Steps[Node]:
        search = Search(observation.game, observation.seat, self.exploration, self.depth, random)
        root = search.root.for_mover(observation.seat)
        values = yield from move_values(observation, moves, PRIOR_SAMPLES, random)
        for move, (share, _, _) in zip(moves, values, strict=True):
            edge = root.edge(move)
            edge.visits = edge.available = PRIOR_VISITS
            edge.total = PRIOR_VISITS * share
        started = monotonic()
        done = 0
        while not self.iterations or done < self.iterations:
            if self.milliseconds and 1000.0 * (monotonic() - started) >= self.milliseconds:
                break
            search.iterate(observation.determinize(random))
            done += 1
            yield
        return root


def _best_move(observation: AnyObservation, moves: list[Move], root: Node, random: Random) -> Steps[Move]:
    """The most visited move of a search; the best by a one-move lookahead if the means of all moves are alike."""
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


class Search:
    """One search: the tree, its parameters, and the path of the current iteration."""

    def __init__(self, game: AnyGame, seat: int, exploration: float, depth: int, random: Random) -> None:
        self.root: Final = Node()
        self._game: Final = game
        self._seat: Final = seat
        self._exploration: Final = exploration
        self._depth: Final = depth
        self._random: Final = random
        self._path: Final[list[Edge]] = []
        self._movers: Final[list[int]] = []

    def iterate(self, state: State) -> None:
        """One iteration, changing `state` in place: selection, expansion, random play-out, backpropagation."""
        self._path.clear()
        self._movers.clear()
        self._descend(state)
        self._random_playout(state)
        values = position_values(self._game, state)
        for number in range(len(self._path)):
            self._path[number].total += values[self._movers[number]]

    def _descend(self, state: State) -> None:
        game = self._game
        node = self.root
        draws = 0
        while True:
            phase = game.phase(state)
            if isinstance(phase, Over):
                return
            if not isinstance(phase, Turn) or are_absent_seats_to_move(game, state, phase):
                draws += 1
                if draws > MAX_DRAWS:
                    raise EndlessPlay(game.name, "drawing in a search", MAX_DRAWS)
                random_step(game, state, self._random)
                continue
            draws = 0
            mover = self._mover(phase)
            waits = mover != self._seat and self._seat in phase.seats
            move, edge = self._select(node.for_mover(mover), game.legal_moves(state, mover))
            is_new = edge.visits == 0
            edge.visits += 1
            self._path.append(edge)
            self._movers.append(mover)
            if not waits:
                node = node.child(self._as_seen(state, mover, move))
            game.apply(state, mover, move)
            if is_new and not waits:
                return

    def _mover(self, phase: Turn) -> int:
        """The next mover among the seats that choose at the same time: the searching seat comes last."""
        first = phase.seats[0]
        return phase.seats[1] if first == self._seat and len(phase.seats) > 1 else first

    def _as_seen(self, state: State, mover: int, move: Move) -> Move:
        """The move as the searching seat sees it: concealed if the seat is not in its audience."""
        if mover == self._seat or is_in_audience(self._seat, self._game.audience(state, mover, move)):
            return move
        concealed: Move = self._game.conceal(state, mover, move)
        return concealed

    def _select(self, node: Node, moves: list[Move]) -> tuple[Move, Edge]:
        """The move with the highest upper confidence bound; ties are broken at random."""
        chosen = moves[0]
        first = random_below(len(moves), self._random.getrandbits)
        best = -1.0
        for number in range(len(moves)):
            move = moves[(first + number) % len(moves)]
            edge = node.edge(move)
            edge.available += 1
            if edge.visits:
                spread = sqrt(log(edge.available) / edge.visits)
                bound = edge.total / edge.visits + self._exploration * spread
            else:
                bound = FIRST_PLAY_URGENCY + self._exploration
            if bound > best:
                best = bound
                chosen = move
        return chosen, node.edge(chosen)

    def _random_playout(self, state: State) -> None:
        for _ in range(self._depth):
            if not random_step(self._game, state, self._random):
                return
