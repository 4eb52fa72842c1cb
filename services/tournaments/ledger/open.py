"""Opens the ledger that the settings name: in Redis, or in a file."""

from __future__ import annotations

from pathlib import Path

from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger
from services.tournaments.ledger.redis import open_redis_ledger


def open_ledger(redis_url: str, file: Path) -> Ledger:
    """The ledger at a Redis URL; for an empty URL the one in the file. Raises `LedgerUnavailable`."""
    return open_redis_ledger(redis_url) if redis_url else FileLedger(file)
