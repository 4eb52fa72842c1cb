"""Tracing: a request is one trace through gateway, engine and store, and contains no secrets."""

from __future__ import annotations

import sys
from pathlib import Path

import httpx
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from runtime.telemetry import tracing
from runtime.telemetry.settings import TelemetrySettings
from tests.runtime.telemetry.collector import running_collector
from tests.runtime.telemetry.stack import new_match, running_stack

CALL_NAME = "fireside.fireship.v1.FireshipService.GetMatch"
CALL_SPAN = {"Traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "X-Request-Id": "asked-once"}


def test_a_request_is_one_trace_through_two_processes_and_the_store(tmp_path: Path, redis_url: str) -> None:
    with running_collector() as collector:
        telling = {
            "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
            "OTEL_BSP_SCHEDULE_DELAY": "200",
            "REDIS_URL": redis_url,
        }
        with running_stack(tmp_path, "engine", "--port", "0", **telling) as engine:
            near = {**telling, "FIRESIDE_ENGINE_ADDRESS": engine.url}
            with (
                running_stack(tmp_path, "gateway", "--port", "0", **near) as gateway,
                httpx.Client(base_url=gateway.url) as rest,
            ):
                seats = new_match(rest, "fireship")
                key = {"Authorization": f"Bearer {seats.tokens[0]}"}
                rest.get(seats.path, headers={**CALL_SPAN, **key}).raise_for_status()
                collector.wait_for("GET /v1/fireship/matches/{match_id}")
        spans = {
            (service, span.name, span.kind): span
            for service, span in collector.spans()
            if span.trace_id.hex() == "0af7651916cd43dd8448eb211c80319c"
        }
        lines = [*engine.lines(), *gateway.lines()]
    server_span = spans["fireside-gateway", "GET /v1/fireship/matches/{match_id}", Span.SPAN_KIND_SERVER]
    sent = spans["fireside-gateway", CALL_NAME, Span.SPAN_KIND_CLIENT]
    answered = spans["fireside-engine", CALL_NAME, Span.SPAN_KIND_SERVER]
    loaded = spans["fireside-engine", "store load", Span.SPAN_KIND_CLIENT]
    assert server_span.parent_span_id.hex() == "b7ad6b7169203331"
    assert (sent.parent_span_id, answered.parent_span_id) == (server_span.span_id, sent.span_id)
    assert loaded.parent_span_id == answered.span_id
    trace_lines = [line for line in lines if line.get("trace_id") == "0af7651916cd43dd8448eb211c80319c"]
    assert sorted(str(line["logger"]) for line in trace_lines) == [
        "gateway.middleware.access_log",
        "services.grpc_server.calls",
    ]
    assert [(line["request_id"], line["match_id"]) for line in trace_lines] == [("asked-once", seats.match_id)] * 2
    sent_to_collector = b"".join(request.SerializeToString() for request in collector.requests)
    for secret in [*seats.tokens.values(), redis_url.partition("//")[2]]:
        assert secret.encode() not in sent_to_collector


def test_the_error_of_missing_packages_names_the_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "runtime.telemetry.otlp", raising=False)
    with pytest.raises(ValueError, match=r"^OTEL_EXPORTER_OTLP_ENDPOINT: .*fireside\[telemetry\]"):
        tracing.set_up(TelemetrySettings(otlp_endpoint="http://127.0.0.1:4318"), "engine")


def test_without_an_exporter_no_trace_is_propagated() -> None:
    received = {"traceparent": CALL_SPAN["Traceparent"]}
    with tracing.server_span("GET", {}, received), tracing.client_span("store load", {}):
        assert tracing.trace_headers(tracing.start_client_span(CALL_NAME, {})) == []
        assert tracing.trace_id() == ""
