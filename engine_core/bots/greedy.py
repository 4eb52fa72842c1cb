"""The bot that looks one move ahead, at the points."""

from __future__ import annotations

from random import Random
from typing import Any

from engine_core.bots.bot import Bot
from engine_core.bots.observation import Observation


class GreedyBot(Bot):
    """Chooses the move after which its seat leads by most points, in a state drawn among those that it may be in."""

    def choose(self, observation: Observation[Any, Any, Any, Any], random: Random) -> Any:
        game, seat = observation.game, observation.seat
        state = observation.determinize(random)
        best: Any = None
        best_lead = 0.0
        for move in observation.legal_moves():
            points = [standing.points for standing in game.score(game.after(state, seat, move)).standings]
            lead = 2 * points[seat] - max(points) + random.random()
            if best is None or lead > best_lead:
                best, best_lead = move, lead
        return best
