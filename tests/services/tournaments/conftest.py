"""Fixtures: a ledger of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from fakeredis import FakeServer

from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import Ledger
from services.tournaments.ledger.redis import embedded_ledger, open_redis_ledger


@pytest.fixture
def tournament_id() -> str:
    return uuid4().hex


@pytest.fixture(params=["redis", "file", "embedded"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    if request.param == "redis":
        opened: Ledger = open_redis_ledger(request.getfixturevalue("redis_url"))
    elif request.param == "file":
        opened = FileLedger(tmp_path / "ledger.db")
    else:
        opened = embedded_ledger(FakeServer())
    yield opened
    opened.close()
