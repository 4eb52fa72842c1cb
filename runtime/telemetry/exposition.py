"""Tells Prometheus what was counted, and what the process takes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

import prometheus_client
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from runtime.telemetry import metrics
from runtime.telemetry.measures import Counter, Gauge, Histogram

Declared = Counter | Gauge | Histogram


def declared() -> list[Declared]:
    """All metrics, whether anything was counted or not."""
    return [each for each in vars(metrics).values() if isinstance(each, Declared)]


class Measures(Collector):
    """What `runtime.telemetry.metrics` declares."""

    def collect(self) -> Iterator[Metric]:
        """Each metric as it stands."""
        return map(_told, declared())


def _told(family: Declared) -> Metric:
    if isinstance(family, Histogram):
        return _spread(family)
    kind = CounterMetricFamily if isinstance(family, Counter) else GaugeMetricFamily
    told = kind(family.name, family.text, labels=family.label_names)
    for values, number in [*family.measures.items()]:
        told.add_metric(values, number.value)
    return told


def _spread(family: Histogram) -> Metric:
    told = HistogramMetricFamily(family.name, family.text, labels=family.label_names)
    for values, times in [*family.measures.items()]:
        bounds = [*[floatToGoString(bound) for bound in times.bounds], "+Inf"]  # type: ignore[no-untyped-call]
        told.add_metric(values, list(zip(bounds, accumulate(times.counts), strict=True)), times.sum)
    return told


REGISTRY: Final = prometheus_client.REGISTRY
"""Also what the process itself takes."""

REGISTRY.register(Measures())
