"""Detects reference cycles: what only the cyclic garbage collector would free."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from types import CoroutineType, FrameType
from typing import cast

OUR_PACKAGES = ("services", "gateway", "engine_core", "runtime", "cli")


@contextmanager
def collect_cyclic_garbage() -> Iterator[list[str]]:
    """Collect the names of our frames, coroutines and objects that became garbage in cycles.

    The list is filled when the block ends.
    """
    found: list[str] = []
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found.extend(
            sorted({name for each in gc.garbage if (name := _qualified_name(each)).split(".")[0] in OUR_PACKAGES})
        )
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


def _qualified_name(each: object) -> str:
    if isinstance(each, CoroutineType):
        each = each.cr_frame
    if isinstance(each, FrameType):
        return f"{each.f_globals.get('__name__', '')}.{each.f_code.co_qualname}"
    kind = cast(type, type(each))
    if kind.__name__ in ("_ServicerContext", "RPCState"):
        return f"services.{kind.__name__}"
    return f"{kind.__module__}.{kind.__qualname__}"
