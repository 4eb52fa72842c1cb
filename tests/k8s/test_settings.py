"""Containers set variables and arguments that their programs know."""

from __future__ import annotations

import re
from typing import Final

import click
import dask.config
import distributed  # noqa: F401 # its defaults
import pytest
from distributed.cli import dask_scheduler, dask_worker

from cli.main import build_parser
from runtime.redis_url import sentinel_address
from services.tournaments.play.worker_pool import CHUNKS_A_WORKER
from services.tournaments.scheduler import CONCURRENT_TOURNAMENTS
from tests.k8s.builds import (
    BUILDS,
    ROOT,
    component_of,
    containers_of,
    containers_of_build,
    is_replicated,
    workloads,
)
from tests.k8s.environment import arguments_of, environment_of

PAGE: Final = (ROOT / "docs" / "settings.md").read_text()
ROLES_BY_VARIABLE: Final = {
    variable: set(readers.split(", "))
    for variable, readers in re.findall(r"^\| `([A-Z_]+)` \| ([a-z, ]+) \|", PAGE, re.M)
}
FIRESIDE_ROLES: Final = {"engine", "gateway", "bots", "webhooks", "tournaments"}
OPTIONAL_ROLES: Final = {"archive"}
PARTS_OF_VARIABLES: Final = {"REDIS_PASSWORD", "GAME"}
"""Only used in other variables and arguments."""
REDIS_VARIABLES: Final = {"REDIS_PASSWORD", "REDIS_MAXMEMORY", "REDISCLI_AUTH"}
REPLICATION_VARIABLES: Final = {"POD_NAME", "POD_HOST", "REDIS_HOSTS", "SENTINELS"}
"""Of the scripts of `components/replicated-redis`."""
DASK_COMMANDS: Final = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}

every_build = pytest.mark.parametrize("name", BUILDS)


def variables_by_component(name: str, *components: str) -> list[tuple[str, str]]:
    """The variables of components, by component."""
    return [
        (component_of(workload), variable)
        for workload in workloads(name)
        if component_of(workload) in components
        for container in containers_of(workload)
        for variable in [*environment_of(name, container), *(entry["name"].text for entry in container["env"])]
    ]


@every_build
def test_every_variable_of_a_role_is_on_the_page_of_settings_for_that_role(name: str) -> None:
    found = {
        (role, variable)
        for role, variable in variables_by_component(name, *FIRESIDE_ROLES, *OPTIONAL_ROLES)
        if variable not in PARTS_OF_VARIABLES
    }
    assert {role for role, _ in found} - OPTIONAL_ROLES == FIRESIDE_ROLES
    assert {(role, variable) for role, variable in found if role not in ROLES_BY_VARIABLE.get(variable, set())} == set()


@every_build
def test_every_variable_of_dask_is_a_setting_of_dask(name: str) -> None:
    dask_variables = {variable for _, variable in variables_by_component(name, "dask-scheduler", "dask-worker")}
    assert dask_variables
    for variable in dask_variables:
        key = variable.removeprefix("DASK_").lower().replace("__", ".").replace("_", "-")
        assert dask.config.get(key, None) is not None, variable


@every_build
def test_redis_has_no_other_variables_than_its_arguments_use(name: str) -> None:
    known = REDIS_VARIABLES | (REPLICATION_VARIABLES if is_replicated(name) else set())
    assert {variable for _, variable in variables_by_component(name, "redis")} <= known


@every_build
def test_commands_of_fireside_can_be_parsed(name: str) -> None:
    for container in containers_of_build(name):
        if container["image"].text.startswith("fireside") and not container["command"]:
            words = arguments_of(name, container)
            assert build_parser(words).parse_args(words).command == container["name"].text


@every_build
def test_ports_that_a_role_listens_on_are_ports_of_its_container(name: str) -> None:
    for container in containers_of_build(name):
        listened = {word.partition("=")[2] for word in container["args"].texts if re.match(r"--([a-z]+-)?port=", word)}
        assert listened <= {str(port["containerPort"].number) for port in container["ports"]}, container


@every_build
def test_each_game_has_one_engine_and_the_gateway_knows_it(name: str) -> None:
    served = {}
    for workload in workloads(name):
        if component_of(workload) == "engine":
            words = arguments_of(name, containers_of(workload)[0])
            [game] = [word.partition("=")[2] for word in words if "--game=" in word]
            served[game] = f"dns:///{workload['metadata']['name'].text}:50051"
        elif component_of(workload) == "gateway":
            known = environment_of(name, containers_of(workload)[0])["FIRESIDE_ENGINE_ADDRESSES"]
    assert dict(entry.split("=") for entry in known.split(",")) == served


@every_build
def test_commands_of_dask_can_be_parsed(name: str) -> None:
    for container in containers_of_build(name):
        if container["command"].value and container["command"].texts[0] == "dask":
            part = container["command"].texts[1]
            command: click.Command = DASK_COMMANDS[part]
            assert command.make_context(part, container["args"].texts)


@every_build
def test_fault05_a_worker_has_a_thread_for_each_chunk_of_the_tournaments_that_are_played_at_once(name: str) -> None:
    [worker] = [containers_of(workload)[0] for workload in workloads(name) if component_of(workload) == "dask-worker"]
    assert f"--nthreads={CONCURRENT_TOURNAMENTS * CHUNKS_A_WORKER}" in worker["args"].texts


@every_build
def test_addresses_of_redis_have_the_password_that_redis_has(name: str) -> None:
    urls = {
        environment_of(name, c).get("REDIS_URL")
        for w in workloads(name)
        if component_of(w) in FIRESIDE_ROLES
        for c in containers_of(w)
    }
    [url] = urls
    assert (url is None) == (name in {"external-redis", "everything"})
    if name == "local":
        [redis] = [containers_of(w)[0] for w in workloads(name) if component_of(w) == "redis"]
        assert url == f"redis://:{environment_of(name, redis)['REDIS_PASSWORD']}@redis:6379/0"


@every_build
def test_a_move_waits_for_the_one_replica_that_sentinel_may_promote(name: str) -> None:
    for workload in workloads(name):
        if component_of(workload) in {"engine", "bots"}:
            variables = environment_of(name, containers_of(workload)[0])
            assert variables.get("FIRESIDE_REPLICAS", "0") == ("1" if is_replicated(name) else "0"), workload
        if component_of(workload) == "redis":
            assert workload["spec"]["replicas"].number == (2 if is_replicated(name) else 1)


@every_build
def test_replicated_redis_is_called_by_every_process_of_sentinel(name: str) -> None:
    if not is_replicated(name):
        return
    [sentinel] = [workload for workload in workloads(name) if component_of(workload) == "sentinel"]
    names = [f"sentinel-{number}.sentinel" for number in range(sentinel["spec"]["replicas"].number)]
    assert environment_of(name, containers_of(sentinel)[0])["SENTINELS"].split() == names
    for workload in workloads(name):
        if component_of(workload) in FIRESIDE_ROLES:
            address = sentinel_address(environment_of(name, containers_of(workload)[0])["REDIS_URL"])
            assert address
            assert address.sentinels == [(each, 26379) for each in names]
            assert address.options["password"] == address.sentinel_options["password"] == "$(REDIS_PASSWORD)"
