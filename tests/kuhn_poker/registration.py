"""Makes Kuhn poker the only game of the process when imported, so that the laws over all games run over it."""

from __future__ import annotations

import sys
from pathlib import Path

from engine_core import games
from services.engine import codecs

sys.path.append(str(Path(__file__).with_name("gen")))
from tests.kuhn_poker.codec import KuhnPokerCodec

for table in (games.GAMES, games.GAMES_BY_VERSION, codecs.CODECS, codecs.CODECS_BY_VERSION):
    table.clear()
games.register(KuhnPokerCodec.game)
codecs.register(KuhnPokerCodec())
