"""Runs awaitables until the first of them ends, for streams that end with either of their sides."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable


async def until_first(*awaitables: Awaitable[object]) -> None:
    """Run awaitables until the first is done, then cancel the others. Raises what the first one raised."""
    tasks = [asyncio.ensure_future(each) for each in awaitables]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
