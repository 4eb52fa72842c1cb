"""Which kind of ledger there is."""

from __future__ import annotations

from pathlib import Path

from services.tournaments.file_ledger import FileLedger
from services.tournaments.ledger import Ledger
from services.tournaments.redis_ledger import open_redis_ledger


def open_ledger(redis_url: str, file: Path) -> Ledger:
    """The ledger at a Redis URL; the one in the file for an empty one. Raises `LedgerUnavailable`."""
    return open_redis_ledger(redis_url) if redis_url else FileLedger(file)
