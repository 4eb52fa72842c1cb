"""OpenTelemetry spans of HTTP requests, gRPC calls and store operations; no-op unless OTLP export is configured.

Names and attributes of spans are fixed words and route templates: nothing that a caller or a bot sent. The packages
opentelemetry-instrumentation-* are not used: that for `grpc.aio` expects a stream to be a generator, while ours write
to their context, and those for ASGI and Redis record paths and statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from runtime.telemetry.settings import OTLP, TelemetrySettings

Attributes = Mapping[str, str]
Headers = Mapping[str, str]
"""HTTP headers, or gRPC metadata, that carry the W3C trace context."""

TRACE_HEADERS: Final = ("traceparent", "tracestate")
TRACE_HEADER_MOST: Final = 512
"""Characters that the W3C asks to be propagated; OpenTelemetry takes 8192, with which a call would exceed the 8 KiB of
metadata that gRPC takes."""
PROPAGATOR: Final = TraceContextTextMapPropagator()

_tracer: Final = trace.get_tracer("fireside")
_is_on = False


def set_up(settings: TelemetrySettings, role: str) -> Callable[[], None]:
    """Export spans from now on if an endpoint is configured; returns what sends the rest and stops exporting.

    Raises `ValueError` that begins with the name of the variable when the packages for it are not installed.
    """
    global _is_on
    if not settings.otlp_endpoint:
        return lambda: None
    try:
        from runtime.telemetry.otlp import tracer_provider
    except ImportError as error:
        raise ValueError(f"{OTLP}: traces need the packages of fireside[telemetry] ({error.name} is missing)") from None
    provider = tracer_provider(f"fireside-{role}")
    trace.set_tracer_provider(provider)
    _is_on = True
    return provider.shutdown


def is_on() -> bool:
    """Whether spans are exported."""
    return _is_on


def begin(name: str, attributes: Attributes) -> Span:
    """A client span that the caller ends; it belongs to the trace of this task, and is no parent of other spans."""
    return _tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)


def headers(span: Span) -> list[tuple[str, str]]:
    """The headers that propagate a span to the other side of a call; none for a no-op span."""
    carrier: dict[str, str] = {}
    PROPAGATOR.inject(carrier, trace.set_span_in_context(span, Context()))
    return [*carrier.items()]


def server_span(name: str, attributes: Attributes, received: Headers) -> AbstractContextManager[Span]:
    """A span around the answering of a call, child of the span in the headers that came with it."""
    if not _is_on:  # not even the trace of the caller is passed on
        return nullcontext(INVALID_SPAN)
    carrier = {key: received[key] for key in TRACE_HEADERS if 0 < len(received.get(key, "")) <= TRACE_HEADER_MOST}
    return _span(name, SpanKind.SERVER, attributes, PROPAGATOR.extract(carrier, Context()))


def client_span(name: str, attributes: Attributes) -> AbstractContextManager[Span]:
    """A span around an operation; only within a trace, since periodic operations of no call would be noise."""
    if not trace.get_current_span().get_span_context().is_valid:
        return nullcontext(INVALID_SPAN)
    return _span(name, SpanKind.CLIENT, attributes, None)


@contextmanager
def _span(name: str, kind: SpanKind, attributes: Attributes, parent: Context | None) -> Iterator[Span]:
    """The texts of exceptions are not recorded: they may repeat a secret."""
    with _tracer.start_as_current_span(
        name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except Exception as error:
            fail(span, type(error).__name__)
            raise


def fail(span: Span, reason: str) -> None:
    """Mark a span as failed; `reason` is a fixed word, such as the name of a class or a status."""
    span.set_attribute("error.type", reason)
    span.set_status(StatusCode.ERROR)


def trace_id() -> str:
    """The id of the trace of this task in hexadecimal; empty for none."""
    current = trace.get_current_span().get_span_context()
    return trace.format_trace_id(current.trace_id) if current.is_valid else ""
