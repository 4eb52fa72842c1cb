"""Exporter of spans: the OpenTelemetry SDK with OTLP over HTTP. Needs the extra `telemetry`."""

from __future__ import annotations

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor


def tracer_provider(service: str) -> TracerProvider:
    """A tracer provider that exports spans in batches, from a thread, configured by the `OTEL_*` variables.

    `service` is the service name, unless `OTEL_SERVICE_NAME` or `OTEL_RESOURCE_ATTRIBUTES` name one.
    """
    given = OTELResourceDetector().detect().attributes
    provider = TracerProvider(resource=Resource.create({"service.name": service, **given}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
