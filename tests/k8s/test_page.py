"""docs/kubernetes.md matches the manifests."""

from __future__ import annotations

import re
import shlex
from typing import Final

from cli.main import build_parser
from tests.k8s.builds import COMPONENTS, K8S, ROOT, manifest_named
from tests.k8s.network.test_network_policies import NEEDED_CONNECTIONS, SENTINEL_CONNECTIONS

PAGE: Final = (ROOT / "docs" / "kubernetes.md").read_text()
BLOCKS: Final = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS: Final = BLOCKS[0].splitlines()


def test_from_nothing_to_a_match_takes_under_ten_commands() -> None:
    assert "kubectl apply --kustomize k8s/overlays/local" in COMMANDS
    assert len(COMMANDS) < 10


def test_the_forwarded_port_is_one_of_the_service() -> None:
    [(service, port)] = re.findall(r"port-forward service/([a-z-]+) \d+:(\d+)", BLOCKS[0])
    assert int(port) in [entry["port"].number for entry in manifest_named("local", "Service", service)["spec"]["ports"]]


def test_the_last_command_is_fireside_play() -> None:
    words = shlex.split(COMMANDS[-1].partition("fireside:dev ")[2])
    assert build_parser(words).parse_args(words).command == "play"


def test_the_page_lists_every_component_and_no_other() -> None:
    [table] = re.findall(r"^### Components\n\n(.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert sorted(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == COMPONENTS


def test_folders_on_the_page_exist() -> None:
    found = set(re.findall(r"k8s/(overlays/[a-z]+)", PAGE))
    assert {folder for folder in found if not (K8S / folder).is_dir()} == set()
    assert found


def test_every_port_that_policies_open_is_on_the_page() -> None:
    [table] = re.findall(r"^### Network policies\n(.*?)^### ", PAGE, re.MULTILINE | re.DOTALL)
    needed = NEEDED_CONNECTIONS | SENTINEL_CONNECTIONS
    inner = {str(port) for source, _, port in needed if source not in {"prometheus", "ingress controller"}}
    assert inner <= set(re.findall(r"\b\d{4,5}\b", table))
