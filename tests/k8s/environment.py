"""The environment of a container, with what it refers to in place."""

from __future__ import annotations

import base64
import re

from tests.k8s.built import named, of_kind, pod_labels, workload_of
from tests.k8s.node import Node


def environment(name: str, container: Node) -> dict[str, str]:
    """All variables, those of ConfigMaps and Secrets of the build included; `$(NAME)` is expanded as a kubelet does."""
    variables: dict[str, str] = {}
    for source in container["envFrom"]:
        variables |= named(name, "ConfigMap", source["configMapRef"]["name"].text)["data"].table
    for entry in container["env"]:
        value = referred(name, container, entry["valueFrom"]) if entry["valueFrom"] else entry["value"].text
        if value is not None:
            variables[entry["name"].text] = expanded(value, variables)
    return variables


def expanded(text: str, variables: dict[str, str]) -> str:
    """`$(NAME)` replaced where such a variable is known, and left alone otherwise."""
    return re.sub(r"\$\(([A-Z_]+)\)", lambda found: variables.get(found[1], found[0]), text)


def arguments(name: str, container: Node) -> list[str]:
    """Those of the container, expanded."""
    return [expanded(word, environment(name, container)) for word in container["args"].texts]


def referred(name: str, container: Node, source: Node) -> str | None:
    """The value of a label of the pod, or of a key of a Secret; None where somebody else keeps the Secret."""
    if source["fieldRef"]:
        [key] = re.findall(r"^metadata\.labels\['(.+)'\]$", source["fieldRef"]["fieldPath"].text)
        return pod_labels(workload_of(name, container))[key]
    reference = source["secretKeyRef"]
    secret = reference["name"].text
    if secret not in {manifest["metadata"]["name"].text for manifest in of_kind(name, "Secret")}:
        return None
    return base64.b64decode(named(name, "Secret", secret)["data"][reference["key"].text].text).decode()
