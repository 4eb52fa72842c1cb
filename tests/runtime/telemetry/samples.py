"""Reads the values of Prometheus metrics, and how much they grew during a test."""

from __future__ import annotations

from prometheus_client import REGISTRY, Counter, Gauge, Histogram

from runtime.telemetry import metrics

Declared = Counter | Gauge | Histogram


def declared_metrics() -> list[Declared]:
    """All metrics that Fireside declares, also those that were never counted."""
    return [each for each in vars(metrics).values() if isinstance(each, Declared)]


def family_name(metric: Declared) -> str:
    """The name of a metric, without the suffixes of its series."""
    [family] = metric.describe()
    return family.name


def label_names(metric: Declared) -> tuple[str, ...]:
    """The names of a metric's labels, which the library offers no public way to read."""
    return tuple(metric._labelnames)


def sample_value(name: str, **labels: str) -> float:
    """The value of a series; 0 if it does not exist yet."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


class Growth:
    """By how much metrics have grown since this object was made."""

    def __init__(self) -> None:
        self._before = {
            (each.name, *sorted(each.labels.items())): each.value
            for family in REGISTRY.collect()
            for each in family.samples
        }

    def of(self, name: str, **labels: str) -> float:
        """By how much a series has grown."""
        return sample_value(name, **labels) - self._before.get((name, *sorted(labels.items())), 0.0)
