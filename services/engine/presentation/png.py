"""PNG of an SVG document, rendered by resvg in a process of its own.

The binding of resvg holds the interpreter's lock while it renders, so that in a thread it would stop the event loop.
"""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable
from subprocess import PIPE, Popen, TimeoutExpired
from typing import Final

from services.grpc_server.admission.caller_queues import CallerQueues

MAX_SECONDS: Final = 20.0
"""How long a process may take, which usually ends in 0.2 seconds."""
MAX_WAITING: Final = 32
"""Number of calls of one caller that wait or are served: about five seconds of work."""
MAX_CACHED: Final = 32
"""Number of cached pictures, of 200 KB at most."""
PROGRAM: Final = """
import sys
from resvg_py import svg_to_bytes
sys.stdout.buffer.write(svg_to_bytes(svg_string=sys.stdin.buffer.read().decode(), width=int(sys.argv[1])))
"""


class PngRenderer:
    """Renders one document at a time. Callers take turns: no number of calls of one delays another by more than one.

    Calls whose clients leave while they wait cost nothing. The last public pictures are cached, since a link in a chat
    is loaded by all who read it. Those of seats are not: how fast a picture comes would tell that it was drawn before,
    and so confirm a guess of a hand.
    """

    def __init__(self) -> None:
        self._turn: Final = asyncio.Semaphore(1)
        self._queues: Final = CallerQueues("PNG pictures", MAX_WAITING)
        self._cache: Final[OrderedDict[tuple[str, int], bytes]] = OrderedDict()

    async def png(self, draw: Callable[[], str], width: int, *, is_public: bool) -> bytes:
        """The document that `draw` returns as a PNG `width` pixels wide; it is drawn when it is the caller's turn.

        `is_public`: everybody may see it, so that it may be cached.

        Raises `Busy` for a caller with many calls that wait, `TimeoutError`, or `RuntimeError` if the process
        fails.
        """
        async with self._queues.turn(), self._turn:
            svg = draw()  # not before: calls that wait, or are refused, would keep the event loop busy
            return await (self._cached(svg, width) if is_public else _render(svg, width))

    async def _cached(self, svg: str, width: int) -> bytes:
        key = (svg, width)
        data = self._cache.pop(key, None) or await _render(svg, width)
        self._cache[key] = data
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return data


async def _render(svg: str, width: int) -> bytes:
    process = Popen([sys.executable, "-P", "-c", PROGRAM, str(width)], stdin=PIPE, stdout=PIPE)
    try:
        return await asyncio.to_thread(_output, process, svg.encode())
    except asyncio.CancelledError:
        process.kill()
        raise


def _output(process: Popen[bytes], document: bytes) -> bytes:
    with process:
        try:
            data, _ = process.communicate(document, MAX_SECONDS)
        except TimeoutExpired as error:
            process.kill()
            raise TimeoutError(f"resvg took more than {MAX_SECONDS} seconds") from error
    if process.returncode:
        raise RuntimeError(f"resvg ended with {process.returncode}")
    return data
