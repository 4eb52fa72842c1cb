"""Every pod is held to the Pod Security Standard `restricted`, and knows its limits, its end and its health."""

from __future__ import annotations

from typing import Final

import pytest

from tests.k8s.built import BUILDS, OVERLAYS, built, component, containers, containers_of, pod, workloads
from tests.k8s.environment import environment
from tests.k8s.node import Node
from tests.k8s.quantities import amount

SHARED_WITH_THE_NODE: Final = ("hostNetwork", "hostPID", "hostIPC", "hostUsers")
VOLUMES_ALLOWED: Final = {"name", "configMap", "emptyDir", "persistentVolumeClaim", "secret", "projected"}
ROOM_SECONDS: Final = 5
"""For what is done after the last call."""

every_build = pytest.mark.parametrize("name", BUILDS)


def violations(spec: Node) -> list[str]:
    """What `restricted` forbids in a pod, and what we forbid: a root that can be written, a token of the API server."""
    found = [field for field in SHARED_WITH_THE_NODE if spec[field]]
    found += [f"volume {v['name'].text}" for v in spec["volumes"] if not set(v.keys) <= VOLUMES_ALLOWED]
    if spec["automountServiceAccountToken"].value is not False:
        found.append("token")
    return found + [fault for c in [*spec["initContainers"], *spec["containers"]] for fault in within(spec, c)]


def within(spec: Node, container: Node) -> list[str]:
    """What is wrong with a container, which inherits from its pod."""
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
    assert {w.path: violations(pod(w)) for w in workloads(name)} == {w.path: [] for w in workloads(name)}


def test_a_bare_pod_is_not_restricted() -> None:
    bare = {"containers": [{"name": "x", "securityContext": {"runAsUser": 0}}], "hostPID": True, "volumes": [HOST]}
    assert {"hostPID", "volume host", "token", "runAsUser", "capabilities"} <= set(violations(Node(bare)))


HOST: Final = {"name": "host", "hostPath": {"path": "/"}}


@every_build
def test_the_namespace_enforces_it(name: str) -> None:
    [namespace] = [manifest for manifest in built(name) if manifest["kind"].text == "Namespace"]
    assert namespace["metadata"]["labels"].table["pod-security.kubernetes.io/enforce"] == "restricted"


@every_build
def test_every_container_asks_for_no_more_than_its_limits(name: str) -> None:
    for container in containers(name):
        asked, most = (container["resources"][kind].table for kind in ("requests", "limits"))
        assert set(asked) == set(most) == {"cpu", "memory"}, container
        assert all(amount(asked[kind]) <= amount(most[kind]) for kind in asked), container


@every_build
def test_no_service_tells_its_address_by_variables(name: str) -> None:
    """Dask reads every variable that begins with its name, those that Kubernetes would make of its Services too."""
    assert all(pod(workload)["enableServiceLinks"].value is False for workload in workloads(name))


@every_build
def test_a_pod_has_time_to_end(name: str) -> None:
    for workload in workloads(name):
        for container in containers_of(workload):
            variables = environment(name, container)
            pause = container["lifecycle"]["preStop"]["sleep"]["seconds"].number
            drain, grace = (float(variables.get(f"FIRESIDE_{kind}_SECONDS", "0")) for kind in ("DRAIN", "GRACE"))
            assert pause > 0
            assert pod(workload)["terminationGracePeriodSeconds"].number >= pause + drain + grace + ROOM_SECONDS


@every_build
def test_updates_take_no_pod_before_another_is_ready(name: str) -> None:
    for workload in workloads(name):
        strategy = workload["spec"]["strategy"]
        if component(workload) == "dask-scheduler":  # two would part the workers between them
            assert strategy["type"].text == "Recreate"
        elif workload["kind"].text == "Deployment":
            assert strategy["rollingUpdate"]["maxUnavailable"].number == 0


@every_build
def test_liveness_is_slower_to_judge_than_readiness(name: str) -> None:
    for container in containers(name):
        ready, alive = (patience(container[f"{kind}Probe"]) for kind in ("readiness", "liveness"))
        assert alive >= 3 * ready, container


def patience(probe: Node) -> int:
    return probe["periodSeconds"].number * probe["failureThreshold"].number


@every_build
def test_liveness_of_grpc_asks_for_life_and_readiness_for_service(name: str) -> None:
    for container in containers(name):
        if container["livenessProbe"]["grpc"]:
            assert container["livenessProbe"]["grpc"]["service"].text == "liveness"
            assert not container["readinessProbe"]["grpc"]["service"]
            assert container["startupProbe"]["grpc"]["service"].text == "liveness"  # readiness may wait for the store


@pytest.mark.parametrize("name", OVERLAYS)
def test_overlays_say_which_images_and_never_the_newest(name: str) -> None:
    for container in containers(name):
        repository, _, tag = container["image"].text.partition(":")
        assert repository in {"fireside", "redis"}
        assert tag not in {"", "latest"}
        assert container["imagePullPolicy"].text == "IfNotPresent"


def test_the_local_overlay_runs_the_image_of_the_page() -> None:
    images = {container["image"].text for container in containers("local")}
    assert "fireside:dev" in images


def test_the_local_overlay_asks_for_less_than_two_cores_and_four_gibibytes() -> None:
    asked = {"cpu": 0.0, "memory": 0.0}
    for workload in workloads("local"):
        for container in containers_of(workload):
            for kind, text in container["resources"]["requests"].table.items():
                asked[kind] += workload["spec"]["replicas"].number * amount(text)
    assert 0 < asked["cpu"] < 2
    assert 0 < asked["memory"] < 4 * 2**30
