"""Evaluates NetworkPolicies as Kubernetes does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.k8s.node import Node

KNOWN: Final = {"podSelector", "namespaceSelector"}


@dataclass(frozen=True)
class Pod:
    """A pod as source or target of a connection."""

    namespace: str
    labels: Mapping[str, str]
    namespace_labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def space(self) -> Mapping[str, str]:
        """The labels of its namespace, with the name label that Kubernetes adds."""
        return {"kubernetes.io/metadata.name": self.namespace, **self.namespace_labels}


def allowed(policies: Sequence[Node], source: Pod, target: Pod, port: int, protocol: str = "TCP") -> bool:
    """Whether a connection is allowed: by the source's egress and the target's ingress policies."""
    leaves = passes(policies, "Egress", source, target, port, protocol)
    return leaves and passes(policies, "Ingress", target, source, port, protocol)


def passes(policies: Sequence[Node], way: str, pod: Pod, peer: Pod, port: int, protocol: str) -> bool:
    """Whether the policies of one pod allow the connection. Policies add up; without any, everything is allowed."""
    selecting = [policy for policy in policies if way in policy["spec"]["policyTypes"].texts and selects(policy, pod)]
    rules = [(policy, rule) for policy in selecting for rule in policy["spec"][way.lower()]]
    return not selecting or any(
        on(rule["ports"], port, protocol) and among(policy, rule["from" if way == "Ingress" else "to"], peer)
        for policy, rule in rules
    )


def selects(policy: Node, pod: Pod) -> bool:
    """Whether a policy applies to a pod."""
    return policy["metadata"]["namespace"].text == pod.namespace and matches(policy["spec"]["podSelector"], pod.labels)


def on(ports: Node, port: int, protocol: str) -> bool:
    """Whether a rule includes a port; a rule without ports includes all."""
    said = [(entry["port"].number, entry["protocol"].value or "TCP") for entry in ports]
    return not said or (port, protocol) in said


def among(policy: Node, peers: Node, pod: Pod) -> bool:
    """Whether a rule includes a peer; a rule without peers includes all."""
    said = list(peers)
    return not said or any(is_peer(policy, peer, pod) for peer in said)


def is_peer(policy: Node, peer: Node, pod: Pod) -> bool:
    """Whether a peer selector includes a pod; without a namespace selector, only pods of the policy's namespace."""
    assert set(peer.keys) <= KNOWN, f"{peer!r} is not understood here"
    if peer["namespaceSelector"]:
        space = matches(peer["namespaceSelector"], pod.space)
    else:
        space = policy["metadata"]["namespace"].text == pod.namespace
    return space and (not peer["podSelector"] or matches(peer["podSelector"], pod.labels))


def matches(selector: Node, labels: Mapping[str, str]) -> bool:
    """Whether labels match a selector; an empty selector matches all."""
    assert set(selector.keys) <= {"matchLabels", "matchExpressions"}, selector
    expressions = list(selector["matchExpressions"])
    assert all(expression["operator"].text == "In" for expression in expressions), selector
    return selector["matchLabels"].table.items() <= labels.items() and all(
        labels.get(expression["key"].text) in expression["values"].texts for expression in expressions
    )
