"""Load generator: plays and watches matches on a stack for a while. Prints a table and writes build/load.json.

Exits with 1 if a call failed, with 2 if a setting is wrong or there are no games to play.

| variable        | what                                                          | default           |
|-----------------|---------------------------------------------------------------|-------------------|
| `LOAD_SECONDS`  | duration in seconds                                           | 30                |
| `LOAD_TABLES`   | number of concurrent matches                                  | 12                |
| `LOAD_WATCHERS` | number of watchers of each match                              | 1                 |
| `LOAD_URL`      | URL of the gateway of a running stack                         | a new stack       |
| `LOAD_API_KEY`  | API key to begin matches with, if the stack requires one      | none              |
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import httpx

from bench.load.clients import CallFailed, CountingRestClient, RandomMatchPlayers, served_games
from bench.load.stack import running_stack
from bench.load.statistics import LoadStatistics, print_table, write_json

OUTPUT = Path("build/load.json")


@dataclass(frozen=True)
class LoadSettings:
    """Settings of a load run."""

    seconds: float = 30.0
    tables: int = 12
    watchers: int = 1
    url: str = ""
    key: str = ""

    @staticmethod
    def from_environment(environment: Mapping[str, str]) -> LoadSettings:
        """Read the settings. Raises `ValueError` that begins with the name of the variable."""
        return LoadSettings(
            _read_number(environment, "LOAD_SECONDS", LoadSettings.seconds),
            int(_read_number(environment, "LOAD_TABLES", LoadSettings.tables)),
            int(_read_number(environment, "LOAD_WATCHERS", LoadSettings.watchers)),
            environment.get("LOAD_URL", ""),
            environment.get("LOAD_API_KEY", ""),
        )


def _read_number(environment: Mapping[str, str], variable: str, default: float) -> float:
    text = environment.get(variable, "")
    if text and not text.replace(".", "", 1).isdigit():
        raise ValueError(f"{variable}: {text!r} is not a number from 0 on")
    return float(text or default)


async def run_load(settings: LoadSettings, url: str, statistics: LoadStatistics) -> float:
    """Play and watch for `settings.seconds`; the seconds it took. Raises `CallFailed` if no games are offered."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(base_url=url, timeout=30, limits=limits) as rest:
        client = CountingRestClient(rest, statistics, settings.key)
        offered = await served_games(client)
        began = monotonic()
        tables = [
            RandomMatchPlayers(client, offered[n % len(offered)], n, settings.watchers) for n in range(settings.tables)
        ]
        playing = [asyncio.create_task(table.play()) for table in tables]
        done, _ = await asyncio.wait(playing, timeout=settings.seconds, return_when=asyncio.FIRST_EXCEPTION)
        took = monotonic() - began
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for task in done:
            task.result()
    return took


def main() -> int:
    """Run the load generator; the exit code."""
    statistics = LoadStatistics()
    try:
        settings = LoadSettings.from_environment(os.environ)
        with nullcontext(settings.url) if settings.url else running_stack() as url:
            took = asyncio.run(run_load(settings, url, statistics))
    except (ValueError, CallFailed) as error:
        print(f"load: {error}", file=sys.stderr)
        return 2
    print_table(statistics, took)
    write_json(statistics, took, OUTPUT)
    return 1 if statistics.failures else 0


if __name__ == "__main__":
    sys.exit(main())
