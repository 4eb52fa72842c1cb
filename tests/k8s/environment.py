"""Environment variables and arguments of a container, with references resolved."""

from __future__ import annotations

import base64
import re

from tests.k8s.builds import manifest_named, of_kind, pod_labels, workload_of
from tests.k8s.node import Node


def environment_of(name: str, container: Node, ordinal: int = 0) -> dict[str, str]:
    """All variables, including those from ConfigMaps and Secrets; `$(NAME)` is expanded as a kubelet does.

    `ordinal` is the number of the pod in its StatefulSet.
    """
    variables: dict[str, str] = {}
    for source in container["envFrom"]:
        variables |= manifest_named(name, "ConfigMap", source["configMapRef"]["name"].text)["data"].table
    for entry in container["env"]:
        value = value_from(name, container, entry["valueFrom"], ordinal) if entry["valueFrom"] else entry["value"].text
        if value is not None:
            variables[entry["name"].text] = expand_variables(value, variables)
    return variables


def expand_variables(text: str, variables: dict[str, str]) -> str:
    """The text with `$(NAME)` replaced for known variables, and unchanged for others."""
    return re.sub(r"\$\(([A-Z_]+)\)", lambda found: variables.get(found[1], found[0]), text)


def arguments_of(name: str, container: Node) -> list[str]:
    """Arguments of the container, with `$(NAME)` expanded."""
    return [expand_variables(word, environment_of(name, container)) for word in container["args"].texts]


def value_from(name: str, container: Node, source: Node, ordinal: int) -> str | None:
    """The pod's name or label, or a key of a Secret; None if the Secret is not in the build."""
    if source["fieldRef"]["fieldPath"].value == "metadata.name":
        return f"{workload_of(name, container)['metadata']['name'].text}-{ordinal}"
    if source["fieldRef"]:
        [key] = re.findall(r"^metadata\.labels\['(.+)'\]$", source["fieldRef"]["fieldPath"].text)
        return pod_labels(workload_of(name, container))[key]
    reference = source["secretKeyRef"]
    secret = reference["name"].text
    if secret not in {manifest["metadata"]["name"].text for manifest in of_kind(name, "Secret")}:
        return None
    return base64.b64decode(manifest_named(name, "Secret", secret)["data"][reference["key"].text].text).decode()
