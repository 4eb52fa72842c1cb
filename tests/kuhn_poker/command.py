"""The `fireside` command with Kuhn poker as its only game: python -m tests.kuhn_poker.command serve …"""

from __future__ import annotations

import sys
from pathlib import Path

import tests.kuhn_poker.registration  # noqa: F401 # before the command imports the games
from cli.main import main
from gateway.routing import registry
from runtime import rules_pages

FOLDER = Path(__file__).parent

registry.GAMES.clear()
registry.GAMES.update(registry.game_services(FOLDER / "gen/fireside"))
rules_pages.FOLDERS.insert(0, FOLDER / "docs/games")

if __name__ == "__main__":
    sys.exit(main())
