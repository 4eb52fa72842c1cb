"""References between manifests are valid: pods, ports, ConfigMaps, Secrets, volumes, addresses."""

from __future__ import annotations

import re
from typing import Final

import pytest

from tests.k8s.builds import (
    BUILDS,
    ROOT,
    containers_of,
    containers_of_build,
    kind_and_name,
    manifests_of,
    of_kind,
    pod_spec,
    ports_by_name,
    workloads,
    workloads_selected_by,
)
from tests.k8s.environment import environment_of
from tests.k8s.node import Node

PAGE: Final = (ROOT / "docs" / "kubernetes.md").read_text()
CREATED_BY_HAND: Final = {
    (secret, key)
    for secret, keys in re.findall(r"create secret generic ([a-z-]+)((?:[^\n]|\\\n)*)", PAGE)
    for key in re.findall(r"--from-literal=([a-z-]+)=", keys)
}
"""Secrets, with their keys, that docs/kubernetes.md says to create."""
SERVICE_ADDRESS: Final = re.compile(r"(?:dns:///|tcp://|[@,])(?:[a-z]+-\d\.)?([a-z-]+):(\d+)")
"""Service and port of an address; that of a pod of a StatefulSet begins with its name."""

pytestmark = pytest.mark.parametrize("name", BUILDS)


def keys_by_name(name: str, kind: str) -> dict[str, list[str]]:
    """The keys of all ConfigMaps or Secrets of a build."""
    return {found["metadata"]["name"].text: found["data"].keys for found in of_kind(name, kind)}


def is_referenced_object_present(name: str, kind: str, reference: Node) -> bool:
    """Whether the object, and its key if one is given, is in the build, or created by hand by docs/kubernetes.md."""
    found = keys_by_name(name, kind)
    wanted, key = reference["name"].text, reference["key"].value
    if wanted not in found:
        created_by_hand = kind == "Secret" and name != "local" and (wanted, key) in CREATED_BY_HAND
        return created_by_hand or reference["optional"].value is True
    return key is None or key in found[wanted]


def test_names_of_manifests_are_unique(name: str) -> None:
    labels = [kind_and_name(manifest) for manifest in manifests_of(name)]
    assert len(labels) == len(set(labels))


def test_every_object_is_in_one_namespace(name: str) -> None:
    spaces = {
        manifest["metadata"]["namespace"].value
        for manifest in manifests_of(name)
        if kind_and_name(manifest) != NAMESPACE
    }
    assert spaces == {"fireside"}
    assert NAMESPACE in [kind_and_name(manifest) for manifest in manifests_of(name)]


NAMESPACE: Final = "Namespace/fireside"


def test_selectors_of_workloads_are_labels_of_their_pods_and_of_no_others(name: str) -> None:
    for workload in workloads(name):
        assert workloads_selected_by(name, workload["spec"]["selector"]["matchLabels"].table) == [workload]


def test_a_service_selects_one_workload(name: str) -> None:
    for service in of_kind(name, "Service"):
        assert len(workloads_selected_by(name, service["spec"]["selector"].table)) == 1, service.path


def test_a_service_has_the_name_of_its_workload(name: str) -> None:
    for service in of_kind(name, "Service"):
        [workload] = workloads_selected_by(name, service["spec"]["selector"].table)
        assert workload["metadata"]["name"].text == service["metadata"]["name"].text


def test_the_container_serves_every_port_of_its_service(name: str) -> None:
    for service in of_kind(name, "Service"):
        [workload] = workloads_selected_by(name, service["spec"]["selector"].table)
        [container] = containers_of(workload)
        for port in service["spec"]["ports"]:
            assert port["targetPort"].text in ports_by_name(container), port
            if service["spec"]["clusterIP"].value == "None":  # there nobody translates ports
                assert port["port"].number == ports_by_name(container)[port["targetPort"].text], port


def test_a_stateful_set_has_its_service(name: str) -> None:
    services = [service["metadata"]["name"].text for service in of_kind(name, "Service")]
    assert all(found["spec"]["serviceName"].text in services for found in of_kind(name, "StatefulSet"))


def test_probes_ask_ports_of_their_container_by_number(name: str) -> None:
    for container in containers_of_build(name):
        probes = [container[f"{kind}Probe"] for kind in ("startup", "readiness", "liveness")]
        assert all(probes), container
        requested_ports = [way["port"].number for probe in probes for way in probe_actions(probe)]
        assert set(requested_ports) <= set(ports_by_name(container).values()), container


def probe_actions(probe: Node) -> list[Node]:
    """The network action of a probe."""
    return [probe[way] for way in ("grpc", "httpGet", "tcpSocket") if probe[way]]


def test_config_maps_and_secrets_are_there_with_their_keys(name: str) -> None:
    for container in containers_of_build(name):
        for source in container["envFrom"]:
            assert is_referenced_object_present(name, "ConfigMap", source["configMapRef"]), source
        for entry in container["env"]:
            if entry["valueFrom"]["secretKeyRef"]:
                assert is_referenced_object_present(name, "Secret", entry["valueFrom"]["secretKeyRef"]), entry


def test_a_variable_is_defined_once(name: str) -> None:
    for container in containers_of_build(name):
        mentioned = [entry["name"].text for entry in container["env"]]
        for source in container["envFrom"]:
            mentioned += keys_by_name(name, "ConfigMap")[source["configMapRef"]["name"].text]
        assert len(mentioned) == len(set(mentioned)), container.path


def test_a_variable_refers_to_variables_before_it(name: str) -> None:
    for container in containers_of_build(name):
        known = {key for source in container["envFrom"] for key in keys_by_name(name, "ConfigMap")[name_in(source)]}
        for entry in container["env"]:
            assert set(re.findall(r"\$\((\w+)\)", str(entry["value"].value))) <= known, entry
            known.add(entry["name"].text)
        wanted = " ".join([*container["command"].texts, *container["args"].texts])
        assert set(re.findall(r"\$\((\w+)\)", wanted)) <= known, container


def name_in(source: Node) -> str:
    return source["configMapRef"]["name"].text


def test_every_config_map_and_secret_is_used(name: str) -> None:
    used = {word for workload in workloads(name) for word in all_texts(workload)}
    unused = {key for kind in ("ConfigMap", "Secret") for key in keys_by_name(name, kind) if key not in used}
    assert {key.rpartition("-")[0] for key in unused} <= {"dashboards"}


def all_texts(node: Node) -> list[str]:
    """All texts in a manifest."""
    if isinstance(node.value, list):
        return [word for inner in node for word in all_texts(inner)]
    if isinstance(node.value, dict):
        return [word for key in node.keys for word in all_texts(node[key])]
    return [node.value] if isinstance(node.value, str) else []


def test_config_maps_are_named_by_their_contents_so_that_a_change_rolls_the_pods(name: str) -> None:
    assert all(re.search(r"-[a-z0-9]{10}$", found) for found in keys_by_name(name, "ConfigMap"))


def test_volumes_and_mounts_are_pairs(name: str) -> None:
    for workload in workloads(name):
        claims = [claim["metadata"]["name"].text for claim in workload["spec"]["volumeClaimTemplates"]]
        volumes = [volume["name"].text for volume in pod_spec(workload)["volumes"]]
        mounts = [mount["name"].text for found in containers_of(workload) for mount in found["volumeMounts"]]
        assert sorted(mounts) == sorted(volumes + claims), workload.path


def test_volumes_are_empty_dirs_with_a_limit_or_existing_config_maps(name: str) -> None:
    for workload in workloads(name):
        for volume in pod_spec(workload)["volumes"]:
            room = volume["emptyDir"]["sizeLimit"].value is not None
            assert room or is_referenced_object_present(name, "ConfigMap", volume["configMap"]), volume


def test_addresses_lead_to_ports_of_services(name: str) -> None:
    served = {
        (service["metadata"]["name"].text, port["port"].number)
        for service in of_kind(name, "Service")
        for port in service["spec"]["ports"]
    }
    for container in containers_of_build(name):
        mentioned = " ".join([*environment_of(name, container).values(), *container["args"].texts])
        for host, port in SERVICE_ADDRESS.findall(mentioned):
            assert (host, int(port)) in served, f"{container.path}: {host}:{port}"


def test_ingresses_lead_to_named_ports_of_services(name: str) -> None:
    served = {
        (service["metadata"]["name"].text, port["name"].text)
        for service in of_kind(name, "Service")
        for port in service["spec"]["ports"]
    }
    for ingress in of_kind(name, "Ingress"):
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                service = path["backend"]["service"]
                assert (service["name"].text, service["port"]["name"].text) in served


def test_monitors_find_the_metrics_of_every_role(name: str) -> None:
    for monitor in of_kind(name, "ServiceMonitor"):
        labels = monitor["spec"]["selector"]["matchLabels"].table.items()
        services = [s for s in of_kind(name, "Service") if labels <= s["metadata"]["labels"].table.items()]
        requested_ports = {endpoint["port"].text for endpoint in monitor["spec"]["endpoints"]}
        found = [
            s["metadata"]["name"].text
            for s in services
            for p in s["spec"]["ports"]
            if p["name"].text in requested_ports
        ]
        roles = [w["metadata"]["name"].text for w in workloads(name) if "metrics" in ports_by_name(containers_of(w)[0])]
        assert sorted(found) == sorted(roles)
