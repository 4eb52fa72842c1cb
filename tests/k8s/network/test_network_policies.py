"""Exactly the connections that the stack needs pass."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

import pytest
import yaml

from tests.k8s.builds import (
    component_of,
    containers_of,
    manifests_of,
    of_kind,
    pod_labels,
    ports_by_name,
    workloads,
    workloads_selected_by,
)
from tests.k8s.environment import environment_of
from tests.k8s.network.policies import Pod, is_allowed, matches_selector
from tests.k8s.node import Node
from tests.k8s.test_references import SERVICE_ADDRESS

COMPONENT: Final = "network-policy"
ROLES: Final = ("engine", "gateway", "bots", "webhooks", "tournaments")
OUTSIDE_PODS: Final = {
    "ingress controller": Pod("ingress-nginx", {}, {"fireside/clients": "true"}),
    "prometheus": Pod("monitoring", {}, {"fireside/telemetry": "true"}),
    "neighbour": Pod("default", {"app.kubernetes.io/component": "gateway"}),
}
NEEDED_CONNECTIONS: Final = {
    *((role, "redis", 6379) for role in ROLES),
    *(("prometheus", role, 9464) for role in ROLES),
    ("ingress controller", "gateway", 8080),
    ("gateway", "engine", 50051),
    ("gateway", "tournaments", 50052),
    ("tournaments", "dask-scheduler", 8786),
    ("dask-worker", "dask-scheduler", 8786),
    ("dask-scheduler", "dask-worker", 8788),
    ("dask-worker", "dask-worker", 8788),
}
SENTINEL_CONNECTIONS: Final = {
    *((source, "sentinel", 26379) for source in (*ROLES, "redis", "sentinel")),
    *((source, "redis", 6379) for source in ("redis", "sentinel")),
}
"""Needed as well where Redis fails over."""
COLLECTOR: Final = OUTSIDE_PODS["prometheus"]
DNS: Final = Pod("kube-system", {"k8s-app": "kube-dns"})


def network_policies(name: str = COMPONENT) -> list[Node]:
    return of_kind(name, "NetworkPolicy")


def pods_by_component(name: str = COMPONENT) -> dict[str, Pod]:
    """A pod of every component; engines differ in their game only, which no policy looks at."""
    return {component_of(workload): Pod("fireside", pod_labels(workload)) for workload in workloads(name)}


def component_ports(name: str = COMPONENT) -> dict[str, set[int]]:
    """The ports of every component."""
    return {component_of(w): set(ports_by_name(containers_of(w)[0]).values()) for w in workloads(name)}


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        (COMPONENT, NEEDED_CONNECTIONS),
        ("production", NEEDED_CONNECTIONS | SENTINEL_CONNECTIONS),
    ],
)
def test_only_needed_connections_are_allowed(name: str, needed: set[tuple[str, str, int]]) -> None:
    ours = pods_by_component(name)
    everybody: Mapping[str, Pod] = {**OUTSIDE_PODS, **ours}
    passing = {
        (source, target, port)
        for source, target in product(everybody, ours)
        for port in component_ports(name)[target]
        if is_allowed(network_policies(name), everybody[source], ours[target], port)
    }
    assert passing == needed


@pytest.mark.parametrize("name", [COMPONENT, "production"])
def test_every_address_in_the_settings_of_a_role_can_be_reached(name: str) -> None:
    reached = 0
    for workload in workloads(name):
        [container] = containers_of(workload)
        text = " ".join([*environment_of(name, container).values(), *container["args"].texts])
        for host, port in SERVICE_ADDRESS.findall(text):
            target = Pod("fireside", pod_labels(workload_behind_host(name, host)))
            assert is_allowed(network_policies(name), Pod("fireside", pod_labels(workload)), target, int(port)), (
                host,
                port,
            )
            reached += 1
    assert reached >= len(workloads(name))


def workload_behind_host(name: str, host: str) -> Node:
    [service] = [found for found in of_kind(name, "Service") if found["metadata"]["name"].text == host]
    [workload] = workloads_selected_by(name, service["spec"]["selector"].table)
    return workload


@pytest.mark.parametrize("protocol", ["UDP", "TCP"])
@pytest.mark.parametrize("name", [COMPONENT, "production"])
def test_every_pod_may_query_dns(name: str, protocol: str) -> None:
    assert all(is_allowed(network_policies(name), pod, DNS, 53, protocol) for pod in pods_by_component(name).values())


def test_no_pod_may_connect_to_other_addresses() -> None:
    elsewhere = Pod("elsewhere", {"k8s-app": "kube-dns"})
    assert not [
        name
        for name, pod in pods_by_component().items()
        for port in (53, 80, 443, 6379)
        if is_allowed(network_policies(), pod, elsewhere, port)
    ]


@pytest.mark.parametrize("port", [4317, 4318])
def test_roles_may_send_traces_to_pods_that_accept_telemetry(port: int) -> None:
    senders = {
        name for name, pod in pods_by_component().items() if is_allowed(network_policies(), pod, COLLECTOR, port)
    }
    assert senders == set(ROLES)


def test_roles_that_use_an_external_redis_may_connect_to_it() -> None:
    elsewhere = Pod("databases", {})
    reaching = {
        name
        for name, pod in pods_by_component("everything").items()
        if is_allowed(network_policies("everything"), pod, elsewhere, 6380)
    }
    assert reaching == set(ROLES)


@pytest.mark.parametrize("name", [COMPONENT, "production", "everything"])
def test_every_policy_selects_pods(name: str) -> None:
    for policy in network_policies(name):
        assert [
            pod
            for pod in pods_by_component(name).values()
            if matches_selector(policy["spec"]["podSelector"], pod.labels)
        ], policy.path


def test_without_policies_every_connection_is_allowed() -> None:
    assert is_allowed([], pods_by_component()["bots"], pods_by_component()["gateway"], 8080)


def test_there_is_no_policy_where_none_is_chosen() -> None:
    assert not [manifest for manifest in manifests_of("local") if manifest["kind"].text == "NetworkPolicy"]


EXAMPLE_POLICY: Final = """
metadata: {namespace: fireside, name: one}
spec:
  podSelector: {matchLabels: {app: server}}
  policyTypes: [Ingress]
  ingress:
    - from:
        - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: friends}}
          podSelector: {matchLabels: {app: client}}
        - podSelector: {matchExpressions: [{key: app, operator: In, values: [cousin]}]}
      ports: [{port: 80}]
    - ports: [{port: 53, protocol: UDP}]
"""


@pytest.mark.parametrize(
    ("source", "port", "protocol", "passes"),
    [
        (Pod("friends", {"app": "client"}), 80, "TCP", True),
        (Pod("friends", {"app": "client"}), 81, "TCP", False),
        (Pod("friends", {"app": "client"}), 80, "UDP", False),
        (Pod("friends", {"app": "other"}), 80, "TCP", False),
        (Pod("fireside", {"app": "client"}), 80, "TCP", False),
        (Pod("fireside", {"app": "cousin"}), 80, "TCP", True),
        (Pod("friends", {"app": "cousin"}), 80, "TCP", False),
        (Pod("anywhere", {}), 53, "UDP", True),
        (Pod("anywhere", {}), 53, "TCP", False),
    ],
)
def test_the_model_of_policies_agrees_with_kubernetes(source: Pod, port: int, protocol: str, passes: bool) -> None:
    policy = Node(yaml.safe_load(EXAMPLE_POLICY))
    assert is_allowed([policy], source, Pod("fireside", {"app": "server"}), port, protocol) is passes
    assert is_allowed([policy], source, Pod("fireside", {"app": "another"}), port, protocol)
