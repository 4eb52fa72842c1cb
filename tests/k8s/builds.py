"""Manifests that `kubectl kustomize` builds from the overlays, and from the base with each component; cached."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import yaml

from tests.k8s.node import Node

ROOT: Final = Path(__file__).parents[2]
K8S: Final = ROOT / "k8s"
OVERLAYS: Final = sorted(path.parent.name for path in K8S.glob("overlays/*/kustomization.yaml"))
COMPONENTS: Final = sorted(path.parent.name for path in K8S.glob("components/*/kustomization.yaml"))
EVERYTHING: Final = "everything"
"""The production overlay with an external Redis."""
BUILDS: Final = [*OVERLAYS, *COMPONENTS, EVERYTHING]

WORKLOADS: Final = ("Deployment", "StatefulSet")


@cache
def manifests_of(name: str) -> list[Node]:
    """The manifests of a build."""
    if name in OVERLAYS:
        return parse_manifests(kustomize(K8S / "overlays" / name))
    if name == EVERYTHING:
        return build_with_component("overlays/production", "external-redis")
    return build_with_component("base", name)


def build_with_component(base: str, component: str) -> list[Node]:
    """A build of a base or overlay with a component added."""
    with TemporaryDirectory() as folder:
        choice = {
            "namespace": "fireside",
            "resources": [os.path.relpath(K8S / base, os.path.realpath(folder))],
            "components": [os.path.relpath(K8S / "components" / component, os.path.realpath(folder))],
        }
        Path(folder, "kustomization.yaml").write_text(yaml.safe_dump(choice))
        return parse_manifests(kustomize(Path(folder)))


def kustomize(folder: Path) -> str:
    """Output of `kubectl kustomize`. Raises `FileNotFoundError` if there is no kubectl."""
    outcome = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True, timeout=60)
    assert outcome.returncode == 0, outcome.stderr
    assert not outcome.stderr, outcome.stderr  # warnings of what is deprecated
    return outcome.stdout


def parse_manifests(text: str) -> list[Node]:
    """The manifests of a stream."""
    return [Node(value, kind_and_name(Node(value))) for value in yaml.load_all(text, yaml.CSafeLoader)]


def kind_and_name(manifest: Node) -> str:
    """Kind and name of a manifest, for messages."""
    return f"{manifest['kind'].text}/{manifest['metadata']['name'].text}"


def of_kind(name: str, *kinds: str) -> list[Node]:
    """The manifests of some kinds in a build."""
    return [manifest for manifest in manifests_of(name) if manifest["kind"].value in kinds]


def workloads(name: str) -> list[Node]:
    """Deployments and StatefulSets of a build."""
    return of_kind(name, *WORKLOADS)


def pod_spec(workload: Node) -> Node:
    """The spec of its pods."""
    return workload["spec"]["template"]["spec"]


def pod_labels(workload: Node) -> dict[str, str]:
    """The labels of its pods."""
    return workload["spec"]["template"]["metadata"]["labels"].table


def containers_of_build(name: str) -> list[Node]:
    """Every container of a build."""
    return [container for workload in workloads(name) for container in containers_of(workload)]


def containers_of(workload: Node) -> list[Node]:
    """Containers of a workload, init containers first."""
    return [*pod_spec(workload)["initContainers"], *pod_spec(workload)["containers"]]


def workload_of(name: str, container: Node) -> Node:
    """The workload of a container."""
    [workload] = [found for found in workloads(name) if container.path.startswith(f"{found.path}.")]
    return workload


def component_of(workload: Node) -> str:
    """The component label of a workload's pods."""
    return pod_labels(workload)["app.kubernetes.io/component"]


def ports_by_name(container: Node) -> dict[str, int]:
    """The ports of a container by their names."""
    return {port["name"].text: port["containerPort"].number for port in container["ports"]}


def workloads_selected_by(name: str, labels: dict[str, str]) -> list[Node]:
    """The workloads whose pods have all of these labels."""
    return [workload for workload in workloads(name) if labels.items() <= pod_labels(workload).items()]


def is_replicated(name: str) -> bool:
    """Whether the Redis of a build fails over by Sentinel."""
    return "sentinel" in map(component_of, workloads(name))


def manifest_named(name: str, kind: str, wanted: str) -> Node:
    """The one manifest of a kind and name."""
    [manifest] = [manifest for manifest in of_kind(name, kind) if manifest["metadata"]["name"].text == wanted]
    return manifest
