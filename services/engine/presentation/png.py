"""PNG of an SVG document, rendered by resvg in a process of its own.

The binding of resvg holds the interpreter's lock while it renders, so that in a thread it would stop the event loop.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from typing import Final

MAX_SECONDS: Final = 20.0
"""How long a process may take, which usually ends in 0.2 seconds."""
PROGRAM: Final = """
import sys
from resvg_py import svg_to_bytes
sys.stdout.buffer.write(svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), width=int(sys.argv[1])))
"""


class PngRenderer:
    """Renders one document at a time: others wait in order, and cost nothing if their clients leave meanwhile."""

    def __init__(self) -> None:
        self._turn: Final = asyncio.Semaphore(1)

    async def png(self, svg: str, width: int) -> bytes:
        """A document as a PNG `width` pixels wide. Raises `TimeoutError`, or `RuntimeError` if the process fails."""
        async with self._turn, asyncio.timeout(MAX_SECONDS):
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-P", "-c", PROGRAM, str(width), stdin=PIPE, stdout=PIPE
            )
            try:
                data, _ = await process.communicate(svg.encode())
            except asyncio.CancelledError:
                process.kill()
                raise
        if process.returncode:
            raise RuntimeError(f"resvg ended with {process.returncode}")
        return data
