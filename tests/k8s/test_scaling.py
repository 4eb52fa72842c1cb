"""Autoscalers, disruption budgets and topology constraints refer to existing workloads."""

from __future__ import annotations

import pytest

from tests.k8s.builds import BUILDS, WORKLOADS, of_kind, pod_labels, pod_spec, workloads, workloads_selected_by

pytestmark = pytest.mark.parametrize("name", BUILDS)


def test_autoscalers_scale_existing_workloads_that_set_no_replicas(name: str) -> None:
    for scaler in of_kind(name, "HorizontalPodAutoscaler"):
        target = scaler["spec"]["scaleTargetRef"]
        assert target["kind"].text in WORKLOADS
        [workload] = [found for found in workloads(name) if found["metadata"]["name"].text == target["name"].text]
        assert not workload["spec"]["replicas"], workload.path
        assert workload["apiVersion"].text == target["apiVersion"].text
        assert 1 < scaler["spec"]["minReplicas"].number < scaler["spec"]["maxReplicas"].number


def test_disruption_budgets_select_one_workload_with_several_pods(name: str) -> None:
    scaled = {s["spec"]["scaleTargetRef"]["name"].text for s in of_kind(name, "HorizontalPodAutoscaler")}
    for budget in of_kind(name, "PodDisruptionBudget"):
        [workload] = workloads_selected_by(name, budget["spec"]["selector"]["matchLabels"].table)
        assert budget["spec"]["maxUnavailable"].number == 1
        assert workload["metadata"]["name"].text in scaled or workload["spec"]["replicas"].number > 1


def test_pods_of_one_component_and_game_are_spread(name: str) -> None:
    for workload in workloads(name):
        for constraint in pod_spec(workload)["topologySpreadConstraints"]:
            assert constraint["labelSelector"]["matchLabels"].table.items() <= pod_labels(workload).items()
            assert {"app.kubernetes.io/component", "game"} <= set(constraint["matchLabelKeys"].texts)
