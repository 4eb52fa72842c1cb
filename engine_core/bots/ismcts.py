"""ISMCTS search: the tree of one seat's information sets, grown by iterations with upper confidence bounds (UCB)."""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Final

from engine_core.bots.position_values import AnyGame, are_absent_seats_to_move, position_values
from engine_core.errors import EndlessPlay
from engine_core.explore import random_below, random_step
from engine_core.game import NATURE, Move, Over, State, Turn, is_in_audience
from engine_core.match import MAX_DRAWS

FIRST_PLAY_URGENCY: Final = 0.55
"""The assumed mean of a move that was never tried (first-play urgency)."""
NO_PRIOR: Final = -1.0
"""The prior of a move that no policy has given one."""


class Edge:
    """Statistics of one move in a node: it was legal `available` times and chosen `visits` times.

    `total` is the sum of the values for the mover.
    """

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.available = 0
        self.prior = NO_PRIOR
        """Weight of the move by a policy; only `PuctSearch` sets it."""


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


class Search:
    """One search: the tree, its parameters, and the path of the current iteration."""

    def __init__(self, game: AnyGame, seat: int, exploration: float, depth: int, random: Random) -> None:
        self.root: Final = Node()
        self.game: Final = game
        self.seat: Final = seat
        self.exploration: Final = exploration
        self._depth: Final = depth
        self.random: Final = random
        self._path: Final[list[Edge]] = []
        self._movers: Final[list[int]] = []

    def iterate(self, state: State) -> None:
        """One iteration, changing `state` in place: selection, expansion, evaluation of the leaf, backpropagation."""
        self._path.clear()
        self._movers.clear()
        leaf = self._descend(state)
        values = self.leaf_values(leaf, state)
        for number in range(len(self._path)):
            self._path[number].total += values[self._movers[number]]

    def leaf_values(self, leaf: Node, state: State) -> list[float]:
        """The value of each seat at a leaf, 0 to 1: the `position_values` after `depth` random moves."""
        for _ in range(self._depth):
            if not random_step(self.game, state, self.random):
                break
        return position_values(self.game, state)

    def _descend(self, state: State) -> Node:
        """Descend to a node that is reached for the first time, or to the end of the match. Returns that node."""
        game = self.game
        node = self.root
        while True:
            phase = self.next_turn(state)
            if phase is None:
                return node
            mover = self.mover(phase)
            waits = mover != self.seat and self.seat in phase.seats
            move, edge = self.select(node.for_mover(mover), state, mover)
            is_new = edge.visits == 0
            edge.visits += 1
            self._path.append(edge)
            self._movers.append(mover)
            if not waits:
                node = node.child(self._as_seen(state, mover, move))
            game.apply(state, mover, move)
            if is_new and not waits:
                return node

    def next_turn(self, state: State) -> Turn | None:
        """Draw for nature and absent seats, in place, until a seat chooses; None at the end of the match."""
        for _ in range(MAX_DRAWS + 1):
            phase = self.game.phase(state)
            if isinstance(phase, Over):
                return None
            if isinstance(phase, Turn) and not are_absent_seats_to_move(self.game, state, phase):
                return phase
            random_step(self.game, state, self.random)
        raise EndlessPlay(self.game.name, "drawing in a search", MAX_DRAWS)

    def mover(self, phase: Turn) -> int:
        """The next mover among the seats that choose at the same time: the searching seat comes last."""
        first = phase.seats[0]
        return phase.seats[1] if first == self.seat and len(phase.seats) > 1 else first

    def _as_seen(self, state: State, mover: int, move: Move) -> Move:
        """The move as the searching seat sees it: concealed if the seat is not in its audience."""
        if mover == self.seat or is_in_audience(self.seat, self.game.audience(state, mover, move)):
            return move
        concealed: Move = self.game.conceal(state, mover, move)
        return concealed

    def select(self, node: Node, state: State, mover: int) -> tuple[Move, Edge]:
        """The mover's move with the highest upper confidence bound; ties are broken at random."""
        moves: list[Move] = self.game.legal_moves(state, mover)
        chosen = moves[0]
        first = random_below(len(moves), self.random.getrandbits)
        best = -1.0
        for number in range(len(moves)):
            move = moves[(first + number) % len(moves)]
            edge = node.edge(move)
            edge.available += 1
            if edge.visits:
                spread = sqrt(log(edge.available) / edge.visits)
                bound = edge.total / edge.visits + self.exploration * spread
            else:
                bound = FIRST_PLAY_URGENCY + self.exploration
            if bound > best:
                best = bound
                chosen = move
        return chosen, node.edge(chosen)
