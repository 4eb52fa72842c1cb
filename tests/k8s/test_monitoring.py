"""The dashboard and the alerts query only metrics that the code declares, and the runbook names every alert."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import yaml
from prometheus_client import Counter, Histogram

from tests.runtime.telemetry.samples import Declared, declared_metrics, family_name, label_names

ROOT: Final = Path(__file__).parents[2]
MONITORING: Final = ROOT / "k8s/components/monitoring"
ALERTS: Final = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["spec"]["groups"][0]["rules"]
RUNBOOK: Final = (ROOT / "docs/operations.md").read_text()
PROMETHEUS_LABELS: Final = {"job", "instance", "le"}


def series_names(metric: Declared) -> list[str]:
    """The names under which Prometheus knows a metric."""
    if isinstance(metric, Histogram):
        return [f"{family_name(metric)}_{part}" for part in ("bucket", "count", "sum")]
    return [f"{family_name(metric)}_total" if isinstance(metric, Counter) else family_name(metric)]


LABELS_BY_SERIES: Final = {
    series: set(label_names(metric)) for metric in declared_metrics() for series in series_names(metric)
}


def parsed_dashboard() -> dict[str, list[dict[str, object]]]:
    board: dict[str, list[dict[str, object]]] = json.loads((MONITORING / "dashboards/fireside.json").read_text())
    return board


def prometheus_expressions() -> Iterator[str]:
    """All queries to Prometheus."""
    yield from re.findall(r'"(?:expr|query)": "(.*fireside_.*)"', json.dumps(parsed_dashboard(), indent=1))
    yield from (rule["expr"] for rule in ALERTS)


def selected_labels(expression: str) -> Iterator[tuple[str, set[str]]]:
    """The metrics in an expression, each with the labels that it selects by."""
    for name, _, inside in re.findall(r"\b(fireside_\w+)(\{([^}]*)\})?", expression):
        yield name, set(re.findall(r"(\w+)\s*(?:=~|!=|=|!~)", inside))


@pytest.mark.parametrize("expression", sorted(set(prometheus_expressions())))
def test_an_expression_uses_declared_metrics_and_labels(expression: str) -> None:
    known: set[str] = set(PROMETHEUS_LABELS)
    for name, labels in selected_labels(expression):
        assert name in LABELS_BY_SERIES
        assert labels <= LABELS_BY_SERIES[name] | PROMETHEUS_LABELS
        known |= LABELS_BY_SERIES[name]
    for by in re.findall(r"by \(([^)]*)\)", expression):
        assert set(re.split(r",\s*", by)) <= known


def test_the_dashboard_shows_every_metric() -> None:
    shown = {name for expression in prometheus_expressions() for name, _ in selected_labels(expression)}
    for metric in declared_metrics():
        assert shown & {*series_names(metric)}, family_name(metric)


def test_panels_have_unique_ids() -> None:
    ids = [panel["id"] for panel in parsed_dashboard()["panels"]]
    assert len(set(ids)) == len(ids)


def test_the_runbook_says_what_every_metric_is_and_what_to_do_for_each_alert() -> None:
    for metric in declared_metrics():
        assert f"`{family_name(metric)}" in RUNBOOK
    for rule in ALERTS:
        assert f"`{rule['alert']}`" in RUNBOOK
