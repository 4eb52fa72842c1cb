"""What `kubectl kustomize` makes of the overlays, and of each component upon the base; everything is built once."""

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
"""The production overlay without a Redis of its own."""
BUILDS: Final = [*OVERLAYS, *COMPONENTS, EVERYTHING]

WORKLOADS: Final = ("Deployment", "StatefulSet")


@cache
def built(name: str) -> list[Node]:
    """The manifests of a build."""
    if name in OVERLAYS:
        return parsed(kustomized(K8S / "overlays" / name))
    if name == EVERYTHING:
        return composed("overlays/production", "external-redis")
    return composed("base", name)


def composed(below: str, component: str) -> list[Node]:
    """A component upon something that can be built."""
    with TemporaryDirectory() as folder:
        choice = {
            "namespace": "fireside",
            "resources": [os.path.relpath(K8S / below, os.path.realpath(folder))],
            "components": [os.path.relpath(K8S / "components" / component, os.path.realpath(folder))],
        }
        Path(folder, "kustomization.yaml").write_text(yaml.safe_dump(choice))
        return parsed(kustomized(Path(folder)))


def kustomized(folder: Path) -> str:
    """Raises `FileNotFoundError` where there is no kubectl: these tests cannot do without it."""
    outcome = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True, timeout=60)
    assert outcome.returncode == 0, outcome.stderr
    assert not outcome.stderr, outcome.stderr  # warnings of what is deprecated
    return outcome.stdout


def parsed(text: str) -> list[Node]:
    """The manifests of a stream."""
    return [Node(value, label(Node(value))) for value in yaml.load_all(text, yaml.CSafeLoader)]


def label(manifest: Node) -> str:
    """How a manifest is called in messages."""
    return f"{manifest['kind'].text}/{manifest['metadata']['name'].text}"


def of_kind(name: str, *kinds: str) -> list[Node]:
    """The manifests of some kinds in a build."""
    return [manifest for manifest in built(name) if manifest["kind"].value in kinds]


def workloads(name: str) -> list[Node]:
    """What makes pods."""
    return of_kind(name, *WORKLOADS)


def pod(workload: Node) -> Node:
    """The spec of its pods."""
    return workload["spec"]["template"]["spec"]


def pod_labels(workload: Node) -> dict[str, str]:
    """The labels of its pods."""
    return workload["spec"]["template"]["metadata"]["labels"].table


def containers(name: str) -> list[Node]:
    """Every container of a build."""
    return [container for workload in workloads(name) for container in containers_of(workload)]


def containers_of(workload: Node) -> list[Node]:
    """Those of a workload, the ones that run first included."""
    return [*pod(workload)["initContainers"], *pod(workload)["containers"]]


def workload_of(name: str, container: Node) -> Node:
    """The workload of a container."""
    [workload] = [found for found in workloads(name) if container.path.startswith(f"{found.path}.")]
    return workload


def component(workload: Node) -> str:
    """Which part of Fireside it is."""
    return pod_labels(workload)["app.kubernetes.io/component"]


def ports(container: Node) -> dict[str, int]:
    """The ports of a container by their names."""
    return {port["name"].text: port["containerPort"].number for port in container["ports"]}


def selected(name: str, labels: dict[str, str]) -> list[Node]:
    """The workloads whose pods have all of these labels."""
    return [workload for workload in workloads(name) if labels.items() <= pod_labels(workload).items()]


def named(name: str, kind: str, wanted: str) -> Node:
    """The one manifest of a kind and name."""
    [manifest] = [manifest for manifest in of_kind(name, kind) if manifest["metadata"]["name"].text == wanted]
    return manifest
