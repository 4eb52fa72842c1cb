"""Traces by OpenTelemetry, sent by OTLP over HTTP. Imported only where traces are wanted."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final

from opentelemetry import context, trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from runtime.telemetry.tracing import Carrier, Kind, Span

KINDS: Final = {Kind.SERVER: trace.SpanKind.SERVER, Kind.CLIENT: trace.SpanKind.CLIENT}
CONTEXT: Final = TraceContextTextMapPropagator()
LINKED: Final = ("traceparent", "tracestate")
LINK_MOST: Final = 512
"""Characters that the W3C asks to be carried on; with many more a call would have more metadata than gRPC takes."""


class OtlpSpan:
    """A span of OpenTelemetry."""

    def __init__(self, span: trace.Span) -> None:
        self.told: Final = span

    def name(self, name: str) -> None:
        self.told.update_name(name)

    def note(self, fact: str, value: str) -> None:
        self.told.set_attribute(fact, value)

    def fail(self, reason: str) -> None:
        self.told.set_attribute("error.type", reason)
        self.told.set_status(trace.StatusCode.ERROR)

    def carried(self) -> list[tuple[str, str]]:
        headers: dict[str, str] = {}
        CONTEXT.inject(headers, trace.set_span_in_context(self.told, context.Context()))
        return [*headers.items()]

    def end(self) -> None:
        self.told.end()


class OtlpTracer:
    """Sends what ends, in batches, from a thread. `OTEL_*` of the environment say where to, and how much of it."""

    def __init__(self, service: str) -> None:
        resource = Resource.create({"service.name": service} | _named_by_operator())
        self._provider: Final = TracerProvider(resource=resource)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer: Final = self._provider.get_tracer("fireside")

    def begin(self, name: str, kind: Kind, facts: Carrier, parent: Carrier | None) -> Span:
        """A span of the trace of `parent`, or else of this task."""
        linked = (
            None
            if parent is None
            else {key: parent[key] for key in LINKED if 0 < len(parent.get(key, "")) <= LINK_MOST}
        )
        around = None if linked is None else CONTEXT.extract(linked, context.Context())
        return OtlpSpan(self._tracer.start_span(name, around, KINDS[kind], dict(facts)))

    def within(self, span: Span) -> AbstractContextManager[object]:
        """The time in which what this task begins belongs to a span."""
        assert isinstance(span, OtlpSpan)
        return trace.use_span(span.told, record_exception=False, set_status_on_exception=False)

    def trace_id(self) -> str:
        """The id of the trace of this task."""
        current = trace.get_current_span().get_span_context()
        return trace.format_trace_id(current.trace_id) if current.is_valid else ""

    def close(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


def _named_by_operator() -> dict[str, str]:
    """The name that the environment gives is stronger than ours."""
    named = Resource.create().attributes.get("service.name")
    return {"service.name": str(named)} if named and not str(named).startswith("unknown_service") else {}
