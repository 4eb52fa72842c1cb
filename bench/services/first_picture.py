"""Benchmark of the page: milliseconds from the navigation of a browser to the first paint and to the first picture."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from bench.harness.environments import COMPILED
from bench.harness.processes import running_process
from bench.harness.results import Goal, Result, compare_rounds
from engine_core.games import GAMES
from fireside_client import FiresideClient
from fireside_client.types.any_game import AnyGame

ROUNDS: Final = 10
UNIT: Final = "ms"
WANTED: Final = {"picture": 150.0, "paint": 1000.0}
"""Milliseconds within which each is to come."""
GOAL: Final = Goal(1.0, is_maximum=True)
OBSERVER: Final = """new MutationObserver((_, observer) => {
  if (!document.querySelector(".picture svg")) return;
  window.pictureTime = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });"""
"""Notes when the first picture is in the document, in milliseconds since the navigation."""
TIMES: Final = """() => window.pictureTime && performance.getEntriesByName("first-contentful-paint").length && ({
  picture: window.pictureTime,
  paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
})"""


@contextmanager
def running_service() -> Iterator[str]:
    """Run `fireside serve` of the installed wheel with the embedded store; its URL."""
    environment = {**os.environ, "FIRESIDE_LOG_LEVEL": "WARNING", "REDIS_URL": "", "LC_ALL": "C.UTF-8"}
    environment.pop("PYTHONPATH", None)  # else the sources would be imported instead of the installed wheel
    program = Path(COMPILED).with_name("fireside")
    with running_process([program, "serve", "--port", "0", "--grpc-port", "0"], environment) as running:
        assert running.stdout is not None
        yield running.stdout.readline().split()[3]


def times(page: Page, address: str) -> dict[str, float]:
    """The times of one navigation."""
    page.goto(address)
    found: dict[str, float] = page.wait_for_function(TIMES).json_value()
    return found


def measure_game(browser: Browser, url: str, game: str) -> dict[tuple[str, str], list[float]]:
    """The times of each round of fresh matches against a bot, by what comes and by what the browser has cached."""
    found: dict[tuple[str, str], list[float]] = {}
    with FiresideClient(url) as client:
        for number in range(ROUNDS + 1):
            context = browser.new_context(locale="en-GB")
            context.add_init_script(OBSERVER)
            page = context.new_page()
            for cached in ("nothing cached", "files cached"):
                match = client.game(AnyGame(game)).new_match([{"name": "Ada"}, {"bot": "greedy"}])
                address = f"{url}/match/{game}/{match['matchId']}#token={match['seats'][0]['token']}"
                for what, time in times(page, address).items():
                    if number:  # the first round warms up
                        found.setdefault((what, cached), []).append(time)
            context.close()
    return found


def measure() -> list[Result]:
    """Rows for each game: first picture and first paint, with and without the page's files in the browser's cache."""
    chromium = shutil.which("chromium")
    if chromium is None:
        raise FileNotFoundError("chromium is not on the PATH: make .venv/.chromium")
    results: list[Result] = []
    options: dict[str, Any] = {"executable_path": chromium, "args": ["--no-sandbox"]}
    with running_service() as url, sync_playwright() as playwright, playwright.chromium.launch(**options) as browser:
        for game in GAMES:
            for (what, cached), values in measure_game(browser, url, game).items():
                wanted = [WANTED[what]] * len(values)
                results.append(compare_rounds(f"{game} first {what}, {cached}", UNIT, values, "wanted", wanted, GOAL))
    return results
