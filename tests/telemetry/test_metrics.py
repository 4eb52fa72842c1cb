"""What may be a metric: times in seconds from half a millisecond on, and labels that have few values."""

from __future__ import annotations

import timeit

from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.metrics import MetricWrapperBase

from telemetry import metrics

BOUNDED = {
    "service",
    "method",
    "code",
    "game",
    "kind",
    "operation",
    "reason",
    "route",
    "status",
    "limit",
    "bot",
    "outcome",
}


def declared() -> list[MetricWrapperBase]:
    return [each for each in vars(metrics).values() if isinstance(each, MetricWrapperBase)]


def test_every_label_has_few_values() -> None:
    assert {label for metric in declared() for label in metric._labelnames} == BOUNDED


def test_every_metric_is_named_ours_and_says_what_it_is() -> None:
    assert len(declared()) > 20
    for metric in declared():
        assert metric._name.startswith("fireside_")
        assert metric._documentation.endswith(".")
        assert isinstance(metric, Counter | Gauge | Histogram)


def test_times_of_calls_are_told_apart_from_half_a_millisecond_on() -> None:
    assert metrics.BUCKETS[0] == 0.0005
    assert sorted(metrics.BUCKETS) == [*metrics.BUCKETS]


def test_counting_costs_next_to_nothing() -> None:
    counter = Counter("cost", "Cost.", ["a"], registry=None).labels("x")
    histogram = Histogram("cost", "Cost.", ["a"], registry=None, buckets=metrics.BUCKETS).labels("x")

    def count() -> None:
        counter.inc()
        histogram.observe(0.002)

    assert min(timeit.repeat(count, number=1000, repeat=20)) / 1000 < 50e-6
