"""What metrics read, and what they have grown by."""

from __future__ import annotations

from runtime.telemetry.exposition import REGISTRY


def sample(name: str, **labels: str) -> float:
    """The value of a metric; 0 where there is none yet."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


class Growth:
    """How much metrics have grown since this was made."""

    def __init__(self) -> None:
        self._before = {
            (each.name, *sorted(each.labels.items())): each.value
            for family in REGISTRY.collect()
            for each in family.samples
        }

    def of(self, name: str, **labels: str) -> float:
        """How much one has grown."""
        return sample(name, **labels) - self._before.get((name, *sorted(labels.items())), 0.0)
