"""Exceptions that have been answered: what they went through is let go."""

from __future__ import annotations


def forget(error: BaseException) -> None:
    """Let go of the frames that an exception, and those that led to it, went through.

    A frame that still knows its exception, by a variable, a task or a future, is held by it in turn, and its request
    too, until the cyclic garbage collector comes: 12 refused requests of 1 MiB were 475 MiB.
    """
    seen: BaseException | None = error
    while seen is not None:
        error, seen = seen, seen.__cause__ or seen.__context__
        error.__traceback__ = error.__cause__ = error.__context__ = None
