"""Choosers of imported bots in tournaments: each worker has a process for each of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from engine_core.game import Move
from engine_core.match import AnyMatch
from services.bots.imported.bots import ImportedBotLimits, ImportedBots
from services.bots.imported.names import is_imported
from services.bots.remote.failure import BotFailed
from services.tournaments.plan.plan import Block, Spec, bot_random
from services.tournaments.play.blocks import Chooser, local_chooser, never_cancel

logger = logging.getLogger(__name__)


class ImportedPlayers:
    """Makes choosers of imported bots, and of our own, for the blocks that one process plays."""

    def __init__(self, limits: ImportedBotLimits) -> None:
        self._bots: Final = ImportedBots(limits)
        self._warned: Final[set[str]] = set()
        """Bots whose first failure has been logged; a bot that always fails would fill the terminal."""

    def chooser(
        self,
        spec: Spec,
        block: Block,
        number: int,
        seat: int,
        entrant: int,
        check: Callable[[], None] = never_cancel,
    ) -> Chooser:
        """The chooser of a seat's bot. One that fails forfeits the match."""
        name = spec.bots[entrant]
        if not is_imported(name):
            return local_chooser(spec, block, number, seat, entrant, check)
        random = bot_random(spec, block.index, number, seat)

        def choose(match: AnyMatch, seat: int) -> Move:
            try:
                return self._bots.choose(name, match.game, match.state, seat, random, check=check)
            except BotFailed as failure:
                self._warn(name, failure)
                raise

        return choose

    def _warn(self, name: str, failure: BotFailed) -> None:
        if name not in self._warned:
            self._warned.add(name)
            logger.warning("%s failed (%s) and forfeits a match: %s", name, failure.kind, failure.detail)
