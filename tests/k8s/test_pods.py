"""Pods meet the Pod Security Standard `restricted`, and have resource limits, graceful termination and probes."""

from __future__ import annotations

from typing import Final

import pytest

from tests.k8s.builds import (
    BUILDS,
    OVERLAYS,
    component_of,
    containers_of,
    containers_of_build,
    manifests_of,
    of_kind,
    pod_spec,
    workloads,
)
from tests.k8s.environment import environment_of
from tests.k8s.node import Node
from tests.k8s.quantities import parse_quantity

SHARED_WITH_THE_NODE: Final = ("hostNetwork", "hostPID", "hostIPC", "hostUsers")
VOLUMES_ALLOWED: Final = {"name", "configMap", "emptyDir", "persistentVolumeClaim", "secret", "projected"}
SHUTDOWN_SECONDS: Final = 5
"""Time for cleanup after the last call."""

every_build = pytest.mark.parametrize("name", BUILDS)


def security_violations(spec: Node) -> list[str]:
    """Violations of `restricted` in a pod, and of our own rules: read-only root file system, no API token."""
    found = [field for field in SHARED_WITH_THE_NODE if spec[field]]
    found += [f"volume {v['name'].text}" for v in spec["volumes"] if not set(v.keys) <= VOLUMES_ALLOWED]
    if spec["automountServiceAccountToken"].value is not False:
        found.append("token")
    return found + [
        fault for c in [*spec["initContainers"], *spec["containers"]] for fault in container_violations(spec, c)
    ]


def container_violations(spec: Node, container: Node) -> list[str]:
    """Violations of a container, which inherits settings from its pod."""
    own, common = container["securityContext"], spec["securityContext"]
    profile = own["seccompProfile"] or common["seccompProfile"]
    user = own["runAsUser"] or common["runAsUser"]
    checks = {
        "runAsNonRoot": (own["runAsNonRoot"] or common["runAsNonRoot"]).value is True,
        "runAsUser": user.value != 0 and bool(user),
        "seccompProfile": profile["type"].value in ("RuntimeDefault", "Localhost"),
        "allowPrivilegeEscalation": own["allowPrivilegeEscalation"].value is False,
        "privileged": not own["privileged"],
        "capabilities": own["capabilities"]["drop"].value == ["ALL"] and not own["capabilities"]["add"],
        "readOnlyRootFilesystem": own["readOnlyRootFilesystem"].value is True,
        "hostPort": not [port for port in container["ports"] if port["hostPort"]],
        "procMount": not own["procMount"],
    }
    return [check for check, holds in checks.items() if not holds]


@every_build
def test_pods_are_restricted(name: str) -> None:
    assert {w.path: security_violations(pod_spec(w)) for w in workloads(name)} == {w.path: [] for w in workloads(name)}


def test_a_bare_pod_is_not_restricted() -> None:
    bare = {
        "containers": [{"name": "x", "securityContext": {"runAsUser": 0}}],
        "hostPID": True,
        "volumes": [HOST_VOLUME],
    }
    assert {"hostPID", "volume host", "token", "runAsUser", "capabilities"} <= set(security_violations(Node(bare)))


HOST_VOLUME: Final = {"name": "host", "hostPath": {"path": "/"}}


@every_build
def test_the_namespace_enforces_it(name: str) -> None:
    [namespace] = [manifest for manifest in manifests_of(name) if manifest["kind"].text == "Namespace"]
    assert namespace["metadata"]["labels"].table["pod-security.kubernetes.io/enforce"] == "restricted"


@every_build
def test_requests_of_every_container_are_within_its_limits(name: str) -> None:
    for container in containers_of_build(name):
        requested, limits = (container["resources"][kind].table for kind in ("requests", "limits"))
        assert set(requested) == set(limits) == {"cpu", "memory"}, container
        assert all(parse_quantity(requested[kind]) <= parse_quantity(limits[kind]) for kind in requested), container


@every_build
def test_pods_get_no_variables_for_services(name: str) -> None:
    """Dask reads every variable that begins with its name, those that Kubernetes would make of its Services too."""
    assert all(pod_spec(workload)["enableServiceLinks"].value is False for workload in workloads(name))


@every_build
def test_a_pod_has_time_to_terminate(name: str) -> None:
    for workload in workloads(name):
        for container in containers_of(workload):
            variables = environment_of(name, container)
            pause = seconds_before_sigterm(container["lifecycle"]["preStop"])
            drain, grace = (float(variables.get(f"FIRESIDE_{kind}_SECONDS", "0")) for kind in ("DRAIN", "GRACE"))
            assert pause > 0
            assert (
                pod_spec(workload)["terminationGracePeriodSeconds"].number >= pause + drain + grace + SHUTDOWN_SECONDS
            )


def seconds_before_sigterm(hook: Node) -> int:
    """The longest time of a hook: a pause, or a command under `timeout`."""
    if hook["sleep"]:
        return hook["sleep"]["seconds"].number
    program, seconds, *_ = hook["exec"]["command"].texts
    assert program == "timeout"
    return int(seconds)


@every_build
def test_updates_take_no_pod_before_another_is_ready(name: str) -> None:
    for workload in workloads(name):
        strategy = workload["spec"]["strategy"]
        if component_of(workload) == "dask-scheduler":  # a second one would have workers of its own
            assert strategy["type"].text == "Recreate"
        elif workload["kind"].text == "Deployment":
            assert strategy["rollingUpdate"]["maxUnavailable"].number == 0


@every_build
def test_liveness_fails_later_than_readiness(name: str) -> None:
    for container in containers_of_build(name):
        ready, alive = (seconds_to_fail(container[f"{kind}Probe"]) for kind in ("readiness", "liveness"))
        assert alive >= 3 * ready, container


def seconds_to_fail(probe: Node) -> int:
    return probe["periodSeconds"].number * probe["failureThreshold"].number


@every_build
def test_grpc_liveness_and_readiness_check_different_services(name: str) -> None:
    for container in containers_of_build(name):
        if container["livenessProbe"]["grpc"]:
            assert container["livenessProbe"]["grpc"]["service"].text == "liveness"
            assert not container["readinessProbe"]["grpc"]["service"]
            assert container["startupProbe"]["grpc"]["service"].text == "liveness"  # readiness may wait for the store


@pytest.mark.parametrize("name", OVERLAYS)
def test_overlays_pin_image_tags(name: str) -> None:
    for container in containers_of_build(name):
        repository, _, tag = container["image"].text.partition(":")
        assert repository in {"fireside", "fireside-tournaments", "redis"}
        assert tag not in {"", "latest"}
        assert container["imagePullPolicy"].text == "IfNotPresent"


def test_the_local_overlay_runs_the_image_of_the_page() -> None:
    images = {container["image"].text for container in containers_of_build("local")}
    assert "fireside:dev" in images


@pytest.mark.parametrize(("name", "cores", "gibibytes"), [("local", 2, 4), ("production", 3, 13)])
def test_an_overlay_requests_no_more_than_the_docs_say(name: str, cores: int, gibibytes: int) -> None:
    least_pods = {
        scaler["spec"]["scaleTargetRef"]["name"].text: scaler["spec"]["minReplicas"].number
        for scaler in of_kind(name, "HorizontalPodAutoscaler")
    }
    requested = {"cpu": 0.0, "memory": 0.0}
    for workload in workloads(name):
        pods = least_pods.get(workload["metadata"]["name"].text) or workload["spec"]["replicas"].number
        for container in containers_of(workload):
            for kind, text in container["resources"]["requests"].table.items():
                requested[kind] += pods * parse_quantity(text)
    assert 0 < requested["cpu"] <= cores
    assert 0 < requested["memory"] <= gibibytes * 2**30
