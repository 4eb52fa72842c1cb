"""Opens the configured ledger: in Redis, or in a file."""

from __future__ import annotations

from pathlib import Path

from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger
from services.tournaments.ledger.redis import open_redis_ledger


def open_ledger(redis_url: str, file: Path) -> Ledger:
    """The ledger at a Redis URL; if the URL is empty, the one in the file. Raises `LedgerUnavailable`."""
    return open_redis_ledger(redis_url) if redis_url else FileLedger(file)
