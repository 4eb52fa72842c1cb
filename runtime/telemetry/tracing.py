"""OpenTelemetry spans of HTTP requests, gRPC calls and store operations; no-op unless OTLP export is configured.

Names and attributes of spans are fixed words and route templates, never data that a caller or a bot sent. The packages
opentelemetry-instrumentation-* are not used: that for `grpc.aio` requires stream handlers to be generators, while ours
write to the context, and those for ASGI and Redis record paths and statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import INVALID_SPAN, Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from runtime.telemetry.settings import OTLP_VARIABLE, TelemetrySettings

Attributes = Mapping[str, str]
Headers = Mapping[str, str]
"""HTTP headers, or gRPC metadata, that carry the W3C trace context."""

TRACE_HEADERS: Final = ("traceparent", "tracestate")
MAX_TRACE_HEADER_LENGTH: Final = 512
"""Length in characters that W3C Trace Context requires to be propagated. OpenTelemetry accepts 8192, with which a call
would exceed gRPC's limit of 8 KiB of metadata."""
TRACE_PROPAGATOR: Final = TraceContextTextMapPropagator()

_tracer: Final = trace.get_tracer("fireside")
_is_on = False


def set_up(settings: TelemetrySettings, role: str) -> Callable[[], None]:
    """Start to export spans if an endpoint is configured; returns a function that flushes them and stops the export.

    Raises `ValueError` that begins with the name of the variable if the packages for it are not installed.
    """
    global _is_on
    if not settings.otlp_endpoint:
        return lambda: None
    try:
        from runtime.telemetry.otlp import tracer_provider
    except ImportError as error:
        raise ValueError(
            f"{OTLP_VARIABLE}: traces need the packages of fireside[telemetry] ({error.name} is missing)"
        ) from None
    provider = tracer_provider(f"fireside-{role}")
    trace.set_tracer_provider(provider)
    _is_on = True
    return provider.shutdown


def is_on() -> bool:
    """Whether spans are exported."""
    return _is_on


def start_client_span(name: str, attributes: Attributes) -> Span:
    """A client span that the caller must end; part of the current trace, but not made the parent of later spans."""
    return _tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)


def trace_headers(span: Span) -> list[tuple[str, str]]:
    """Trace-context headers that propagate a span to the server of a call; none for a no-op span."""
    carrier: dict[str, str] = {}
    TRACE_PROPAGATOR.inject(carrier, trace.set_span_in_context(span, Context()))
    return [*carrier.items()]


def server_span(name: str, attributes: Attributes, received: Headers) -> AbstractContextManager[Span]:
    """A server span around the handling of a call; child of the span in the received headers."""
    if not _is_on:  # the caller's trace context is not propagated either
        return nullcontext(INVALID_SPAN)
    carrier = {key: received[key] for key in TRACE_HEADERS if 0 < len(received.get(key, "")) <= MAX_TRACE_HEADER_LENGTH}
    return _span(name, SpanKind.SERVER, attributes, TRACE_PROPAGATOR.extract(carrier, Context()))


def client_span(name: str, attributes: Attributes) -> AbstractContextManager[Span]:
    """A client span around an operation; no-op outside a trace, since spans of periodic operations would be noise."""
    if not trace.get_current_span().get_span_context().is_valid:
        return nullcontext(INVALID_SPAN)
    return _span(name, SpanKind.CLIENT, attributes, None)


@contextmanager
def _span(name: str, kind: SpanKind, attributes: Attributes, parent: Context | None) -> Iterator[Span]:
    """A span that becomes the current one; it records no texts of exceptions, since they may repeat a secret."""
    with _tracer.start_as_current_span(
        name, parent, kind, attributes, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield span
        except Exception as error:
            mark_failed(span, type(error).__name__)
            raise


def mark_failed(span: Span, reason: str) -> None:
    """Mark a span as failed; `reason` is a fixed word, such as the name of a class or a status."""
    span.set_attribute("error.type", reason)
    span.set_status(StatusCode.ERROR)


def trace_id() -> str:
    """The id of the current trace in hexadecimal; empty outside a trace."""
    current = trace.get_current_span().get_span_context()
    return trace.format_trace_id(current.trace_id) if current.is_valid else ""
