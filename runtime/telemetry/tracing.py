"""Traces: spans at the seams of the services, exported where an operator wants them, and nothing otherwise.

A span says what was done and how it ended, in words of ours: nothing that a caller or a bot said goes into one. They
are begun here and not by the instrumentation packages of OpenTelemetry: that for `grpc.aio` takes a stream for a
generator, while ours write to their context, and those for ASGI and Redis tell paths and statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from enum import Enum
from typing import Final, Protocol

from runtime.telemetry.settings import OTLP, TelemetrySettings

Carrier = Mapping[str, str]
"""Headers, or metadata, in which the W3C trace context travels."""


class Kind(Enum):
    """On which side of a call a span is."""

    SERVER = "server"
    CLIENT = "client"


class Span(Protocol):
    """Something that is being done."""

    def name(self, name: str) -> None:
        """Give it a better name."""

    def note(self, fact: str, value: str) -> None:
        """Add a fact, in words of ours."""

    def fail(self, reason: str) -> None:
        """Say that it ended badly, in a word of ours."""

    def carried(self) -> list[tuple[str, str]]:
        """What tells the other side of a call of it: headers, or metadata."""

    def end(self) -> None:
        """It is done. A span that is a context is ended by that."""


class Tracer(Protocol):
    """Where spans begin."""

    def begin(self, name: str, kind: Kind, facts: Carrier, parent: Carrier | None) -> Span: ...

    def within(self, span: Span) -> AbstractContextManager[object]: ...

    def trace_id(self) -> str: ...

    def close(self) -> None: ...


class _Untold:
    """A span that nobody hears of."""

    def name(self, name: str) -> None:
        pass

    def note(self, fact: str, value: str) -> None:
        pass

    def fail(self, reason: str) -> None:
        pass

    def carried(self) -> list[tuple[str, str]]:
        return []

    def end(self) -> None:
        pass


UNTOLD: Final[Span] = _Untold()
_UNTRACED: Final = nullcontext(UNTOLD)

_tracer: Tracer | None = None


def set_up(settings: TelemetrySettings, role: str) -> Callable[[], None]:
    """Export traces from now on, if there is where to; what ends that, all that is left sent.

    Raises `ValueError` that begins with the name of the variable when the packages for it are not there.
    """
    global _tracer
    if not settings.otlp_endpoint:
        return lambda: None
    try:
        from runtime.telemetry.otlp import OtlpTracer
    except ImportError as error:
        raise ValueError(f"{OTLP}: traces need the packages of fireside[telemetry] ({error.name} is missing)") from None
    _tracer = OtlpTracer(f"fireside-{role}")
    return _end


def _end() -> None:
    global _tracer
    if _tracer is not None:
        _tracer.close()
    _tracer = None


def is_on() -> bool:
    """Whether anybody hears of spans."""
    return _tracer is not None


def begin(name: str, kind: Kind, facts: Carrier) -> Span:
    """A span that its caller ends; it is of the trace of this task, and is not the parent of others."""
    return UNTOLD if _tracer is None else _tracer.begin(name, kind, facts, None)


def span(name: str, kind: Kind, facts: Carrier, parent: Carrier | None = None) -> AbstractContextManager[Span]:
    """A span around what is done inside; `parent` is what came with a call."""
    return _UNTRACED if _tracer is None else _traced(_tracer, name, kind, facts, parent)


def step(name: str, facts: Carrier) -> AbstractContextManager[Span]:
    """A span of a call to something else; only within a trace, since what is done now and then by itself is noise."""
    return _traced(_tracer, name, Kind.CLIENT, facts, None) if _tracer is not None and _tracer.trace_id() else _UNTRACED


@contextmanager
def _traced(tracer: Tracer, name: str, kind: Kind, facts: Carrier, parent: Carrier | None) -> Iterator[Span]:
    span = tracer.begin(name, kind, facts, parent)
    try:
        with tracer.within(span):
            yield span
    except Exception as error:
        span.fail(type(error).__name__)
        raise
    finally:
        span.end()


def trace_id() -> str:
    """The id of the trace of this task; empty for none."""
    return "" if _tracer is None else _tracer.trace_id()
