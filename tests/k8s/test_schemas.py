"""Every build is valid by the schemas of Kubernetes: of the newest version and the two before it."""

from __future__ import annotations

import json
from functools import cache
from typing import Final

import pytest
from jsonschema import Draft202012Validator
from kubernetes_validate.utils import all_versions, schema_contents
from referencing import Registry, Resource
from referencing.jsonschema import SchemaRegistry

from tests.k8s.builds import BUILDS, manifests_of
from tests.k8s.node import Node

VERSIONS: Final = all_versions()[-6::2]  # each is listed twice
UNCHECKED_APIS: Final = {"monitoring.coreos.com/v1"}
"""Their schemas come with the operator that brings them."""


@cache
def schema_definitions(version: str) -> SchemaRegistry:
    contents = schema_contents(f"kubernetes-json-schema/v{version}-local-strict/_definitions.json", version)
    return Resource.from_contents(contents) @ Registry()


@cache
def schema_validator(version: str, kind: str, api: str) -> Draft202012Validator:
    group, _, number = api.rpartition("/")
    name = f"{group.partition('.')[0]}-{number}" if group else number
    file = f"kubernetes-json-schema/v{version}-local-strict/{kind.lower()}-{name}.json"
    schema = schema_contents(file, version)
    return Draft202012Validator(schema, registry=Resource.from_contents(schema) @ schema_definitions(version))


@cache
def schema_errors(manifest: str, version: str) -> list[str]:
    """Errors of a manifest as JSON; cached, since many manifests are equal in several builds."""
    node = Node(json.loads(manifest))
    kind, api = node["kind"].text, node["apiVersion"].text
    if api in UNCHECKED_APIS:
        return []
    errors = schema_validator(version, kind, api).iter_errors(node.value)
    return [f"{kind}/{node['metadata']['name'].value}: {error.json_path}: {error.message}" for error in errors]


def test_the_versions_are_three_that_follow_each_other() -> None:
    major, minors = {v.split(".")[0] for v in VERSIONS}, [int(v.split(".")[1]) for v in VERSIONS]
    assert major == {"1"}
    assert minors == list(range(minors[0], minors[0] + 3))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", BUILDS)
def test_every_manifest_follows_its_schema(name: str, version: str) -> None:
    assert manifests_of(name)
    assert [
        error for manifest in manifests_of(name) for error in schema_errors(json.dumps(manifest.value), version)
    ] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_field_that_does_not_exist_is_found(version: str) -> None:
    manifest = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"portz": []}}
    assert schema_errors(json.dumps(manifest), version)
