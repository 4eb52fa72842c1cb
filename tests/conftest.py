"""Fixtures: a Redis and a browser for all tests. What is there before the first test is not collected as garbage."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.redis_cluster import ClusterRedis
from tests.redis_server import redis_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_configure() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave ten thousand tests and all modules out of each later collection, which takes 0.3 s with them."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Redis: of one server, or of a cluster if `FIRESIDE_TEST_CLUSTER` is set."""
    folder = tmp_path_factory.mktemp("redis")
    if os.environ.get("FIRESIDE_TEST_CLUSTER"):
        with ClusterRedis(folder) as cluster:
            yield cluster.url
        return
    with redis_server(folder) as url:
        yield url


@pytest.fixture(scope="session")
def single_redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of one Redis server, for tests of a connection to one."""
    with redis_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium without its windows, which are half of its work, or the whole of it."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert chromium, "there is no chromium: `make .venv/.chromium` as root installs Debian's"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()
