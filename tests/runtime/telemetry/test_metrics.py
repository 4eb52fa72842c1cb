"""Conventions of metrics: times in seconds, and labels with few values."""

from __future__ import annotations

from prometheus_client import REGISTRY, generate_latest

from runtime.telemetry import metrics
from tests.runtime.telemetry.samples import declared_metrics, label_names

BOUNDED_LABELS = {
    "service",
    "method",
    "code",
    "game",
    "kind",
    "operation",
    "over",
    "reason",
    "route",
    "status",
    "limit",
    "bot",
    "outcome",
}


def test_every_label_has_few_values() -> None:
    assert {label for metric in declared_metrics() for label in label_names(metric)} == BOUNDED_LABELS


def test_every_metric_has_our_prefix_and_a_help_text() -> None:
    assert len(declared_metrics()) > 20
    for metric in declared_metrics():
        [family] = metric.describe()
        assert family.name.startswith("fireside_")
        assert family.documentation.endswith(".")


def test_call_durations_have_buckets_from_half_a_millisecond_on() -> None:
    assert metrics.CALL_SECONDS_BUCKETS[0] == 0.0005
    assert sorted(metrics.CALL_SECONDS_BUCKETS) == [*metrics.CALL_SECONDS_BUCKETS]


def test_counted_values_are_exposed() -> None:
    metrics.CALLS.labels("chess", "Apply", "OK").inc()
    for seconds in (0.0005, 0.0006, 0.3, 100.0):
        metrics.CALL_SECONDS.labels("chess", "Apply").observe(seconds)
    received = generate_latest(REGISTRY).decode().splitlines()
    assert "# TYPE fireside_calls_total counter" in received
    assert 'fireside_calls_total{code="OK",method="Apply",service="chess"} 1.0' in received
    within = [line for line in received if line.startswith("fireside_call_seconds") and "chess" in line]
    labels = 'method="Apply",service="chess"'
    assert f'fireside_call_seconds_bucket{{le="0.0005",{labels}}} 1.0' in within
    assert f'fireside_call_seconds_bucket{{le="0.001",{labels}}} 2.0' in within
    assert f'fireside_call_seconds_bucket{{le="0.5",{labels}}} 3.0' in within
    assert f'fireside_call_seconds_bucket{{le="+Inf",{labels}}} 4.0' in within
    assert f"fireside_call_seconds_count{{{labels}}} 4.0" in within
    assert "fireside_watchers 0.0" in received
    assert not [line for line in received if line.startswith("fireside") and "_created" in line]
