"""Frees the frames that the tracebacks of handled exceptions hold, without waiting for the garbage collector."""

from __future__ import annotations


def clear_tracebacks(error: BaseException) -> None:
    """Clear the tracebacks and causes of an exception and of its causes, so that their frames are freed.

    A frame that refers to its exception, by a variable, a task or a future, is in a reference cycle with it, and keeps
    its request in memory until the garbage collector runs: 12 refused requests of 1 MiB took 475 MiB.
    """
    next_error: BaseException | None = error
    while next_error is not None:
        error, next_error = next_error, next_error.__cause__ or next_error.__context__
        error.__traceback__ = error.__cause__ = error.__context__ = None
