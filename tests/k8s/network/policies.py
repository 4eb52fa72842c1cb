"""Evaluates NetworkPolicies as Kubernetes does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.k8s.node import Node

KNOWN_SELECTORS: Final = {"podSelector", "namespaceSelector"}


@dataclass(frozen=True)
class Pod:
    """A pod as source or target of a connection."""

    namespace: str
    labels: Mapping[str, str]
    namespace_labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def all_namespace_labels(self) -> Mapping[str, str]:
        """The labels of its namespace, with the name label that Kubernetes adds."""
        return {"kubernetes.io/metadata.name": self.namespace, **self.namespace_labels}


def is_allowed(policies: Sequence[Node], source: Pod, target: Pod, port: int, protocol: str = "TCP") -> bool:
    """Whether a connection is allowed: by the source's egress and the target's ingress policies."""
    egress_allowed = policies_allow(policies, "Egress", source, target, port, protocol)
    return egress_allowed and policies_allow(policies, "Ingress", target, source, port, protocol)


def policies_allow(policies: Sequence[Node], policy_type: str, pod: Pod, peer: Pod, port: int, protocol: str) -> bool:
    """Whether the policies of one pod allow the connection. Policies add up; without any, everything is allowed."""
    selecting = [
        policy for policy in policies if policy_type in policy["spec"]["policyTypes"].texts and selects_pod(policy, pod)
    ]
    rules = [(policy, rule) for policy in selecting for rule in policy["spec"][policy_type.lower()]]
    return not selecting or any(
        includes_port(rule["ports"], port, protocol)
        and includes_peer(policy, rule["from" if policy_type == "Ingress" else "to"], peer)
        for policy, rule in rules
    )


def selects_pod(policy: Node, pod: Pod) -> bool:
    """Whether a policy applies to a pod."""
    return policy["metadata"]["namespace"].text == pod.namespace and matches_selector(
        policy["spec"]["podSelector"], pod.labels
    )


def includes_port(ports: Node, port: int, protocol: str) -> bool:
    """Whether a rule includes a port; a rule without ports includes all."""
    entries = [(entry["port"].number, entry["protocol"].value or "TCP") for entry in ports]
    return not entries or (port, protocol) in entries


def includes_peer(policy: Node, peers: Node, pod: Pod) -> bool:
    """Whether a rule includes a peer; a rule without peers includes all."""
    entries = list(peers)
    return not entries or any(is_peer(policy, peer, pod) for peer in entries)


def is_peer(policy: Node, peer: Node, pod: Pod) -> bool:
    """Whether a peer selector includes a pod; without a namespace selector, only pods of the policy's namespace."""
    assert set(peer.keys) <= KNOWN_SELECTORS, f"{peer!r} is not understood here"
    if peer["namespaceSelector"]:
        is_in_namespace = matches_selector(peer["namespaceSelector"], pod.all_namespace_labels)
    else:
        is_in_namespace = policy["metadata"]["namespace"].text == pod.namespace
    return is_in_namespace and (not peer["podSelector"] or matches_selector(peer["podSelector"], pod.labels))


def matches_selector(selector: Node, labels: Mapping[str, str]) -> bool:
    """Whether labels match a selector; an empty selector matches all."""
    assert set(selector.keys) <= {"matchLabels", "matchExpressions"}, selector
    expressions = list(selector["matchExpressions"])
    assert all(expression["operator"].text == "In" for expression in expressions), selector
    return selector["matchLabels"].table.items() <= labels.items() and all(
        labels.get(expression["key"].text) in expression["values"].texts for expression in expressions
    )
