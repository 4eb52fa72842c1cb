"""Fixture: a service without Redis, for commands that take `--url`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.processes import Process


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    with Process("serve", "--port", "0", "--grpc-port", "0", REDIS_URL="") as process:
        yield process.line().split()[3]
