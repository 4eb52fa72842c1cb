"""Times at which a Redis committed steps, by its own clock: read from the PUBLISH commands that MONITOR shows."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from contextlib import suppress
from itertools import pairwise
from typing import Self

PUBLISH_LINE = re.compile(rb'\+([0-9.]+) \[\d+ lua\] "PUBLISH" "fireside:log:\{b\d\d\}:(.+)" "(\d+)"')
MAX_LINE_BYTES = 1 << 22


class CommitTimes:
    """Records the steps of all matches while its context is open."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rsplit(":", 1)[1].partition("/")[0])
        self._steps: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)

    async def __aenter__(self) -> Self:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=MAX_LINE_BYTES)
        self._writer.write(b"MONITOR\r\n")
        assert await reader.readline() == b"+OK\r\n"
        self._recording = asyncio.ensure_future(self._record(reader))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._recording.cancel()
        with suppress(asyncio.CancelledError):
            await self._recording
        self._writer.close()

    async def _record(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if found := PUBLISH_LINE.match(line, 0, 200):
                self._steps[found[2].decode()].append((int(found[3]), float(found[1])))

    def times_of(self, match_id: str) -> dict[int, float]:
        """The commit time of each revision of a match; a step has one or more revisions."""
        times: dict[int, float] = {}
        steps = self._steps[match_id]
        for (before, _), (revision, committed_at) in pairwise(steps):
            times.update(dict.fromkeys(range(before + 1, revision + 1), committed_at))
        return times
