"""`fireside serve --processes 2`: any process plays any match, and the service outlives each of them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import httpx
import pytest
from websockets.asyncio.client import connect

from cli.commands.services import serve
from cli.main import main
from tests.cli.servers.started import children_of, command_of, wait_until
from tests.services.client import Client, new_driver
from tests.services.processes import Process
from tests.services.streams import watch

SERVE = ("serve", "--processes", "2")
ANY_PORTS = ("--port", "0", "--grpc-port", "0")
CLIENTS = 20
"""Connections: that all of them lead to one of two processes happens once in half a million times."""
MATCHES = "/v1/fire-bulls/matches"


class Service(NamedTuple):
    """A running service: its parent process, its ports, and the first of three metrics ports."""

    process: Process
    http: int
    grpc: int
    metrics: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http}"

    @property
    def children(self) -> list[int]:
        """The two servers and the process in the background, in the order in which they were started."""
        return [each for each in children_of(self.process.pid) if b"redis" not in command_of(each)]

    def counts(self, name: str) -> list[float]:
        """The sum of a metric in each of the two servers."""
        texts = [httpx.get(f"http://127.0.0.1:{self.metrics + number}/metrics").text for number in range(2)]
        return [sum(map(float, re.findall(rf"^{name}{{.*?}} (\S+)$", text, re.MULTILINE))) for text in texts]


def started(*words: str, **environment: str) -> Service:
    """A service that is ready."""
    metrics = free_ports(3)
    variables = {"REDIS_URL": "", "FIRESIDE_METRICS_PORT": str(metrics), "FIRESIDE_GRACE_SECONDS": "3", **environment}
    process = Process(*SERVE, *ANY_PORTS, *words, **variables)
    line = process.line()
    assert line, process.wait()[1]
    http, grpc_port = map(int, re.findall(r":(\d+)", line))
    return Service(process, http, grpc_port, metrics)


def free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            first: int = probe.getsockname()[1]
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = started()
    with service.process:
        yield service


@asynccontextmanager
async def channels(port: int) -> AsyncIterator[list[grpc.aio.Channel]]:
    """Channels with a connection each."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options))
            for _ in range(CLIENTS)
        ]


async def test_a_match_over_grpc_is_played_and_watched_at_all_processes(service: Service) -> None:
    before = service.counts("fireside_moves_total")
    async with channels(service.grpc) as opened:
        driver = await new_driver(Client(opened[0]))
        watches = [watch(channel, driver.match_id) for channel in opened]
        random = Random(1)
        for channel in opened:
            driver.client = Client(channel)
            await driver.play_at_random(random, 1)
        for following in watches:
            async for message in following:
                if message.event.revision == driver.match.revision:
                    break
            following.cancel()
    assert all(now > was for now, was in zip(service.counts("fireside_moves_total"), before, strict=True))


async def test_a_match_over_rest_is_played_and_followed_at_all_processes(service: Service) -> None:
    before = service.counts("fireside_http_requests_total")
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(httpx.AsyncClient(base_url=service.url)) for _ in range(CLIENTS)]
        path, tokens = await new_match(clients[0], [{}, {"bot": "random"}])
        headers = {"Authorization": f"Bearer {tokens[0]}"}
        address = f"ws://127.0.0.1:{service.http}{path}/play"
        following = [
            await stack.enter_async_context(connect(address, additional_headers=headers)) for _ in range(CLIENTS)
        ]
        for one in following:
            await one.send(json.dumps({"join": {"fromRevision": 0}}))
        revision = 0
        for client in clients:
            revision = await play_one(client, path, headers)
        for one in following:
            while revision_of(await asyncio.wait_for(one.recv(), 20)) < revision:
                pass
    assert all(now > was for now, was in zip(service.counts("fireside_http_requests_total"), before, strict=True))


async def new_match(client: httpx.AsyncClient, seats: list[dict[str, str]]) -> tuple[str, list[str]]:
    """The path of a new match, and the tokens of its players."""
    answer = (await client.post(MATCHES, json={"seats": seats})).raise_for_status().json()
    return f"{MATCHES}/{answer['matchId']}", [seat["token"] for seat in answer["seats"] if "token" in seat]


async def play_one(client: httpx.AsyncClient, path: str, headers: dict[str, str]) -> int:
    """Make the seat's next move, once it is its turn; the revision."""
    async with asyncio.timeout(20):
        while not (moves := (await client.get(f"{path}/legal-moves", headers=headers)).json()["moves"]):
            await asyncio.sleep(0.01)
    body = {"notation": moves[0]["notation"]}
    answer = (await client.post(f"{path}/moves", json=body, headers=headers)).raise_for_status().json()
    revision: int = answer["revision"]
    return revision


def revision_of(text: str | bytes) -> int:
    """The revision in a message of a WebSocket, 0 without one."""
    contents = [each for each in json.loads(text).values() if isinstance(each, dict)]
    return max([int(each.get("revision", 0)) for each in contents], default=0)


@pytest.mark.parametrize("words", [("serve",), SERVE])
@pytest.mark.parametrize("option", ["--port", "--grpc-port"])
def test_a_second_service_at_its_port_is_refused(service: Service, words: tuple[str, ...], option: str) -> None:
    port = str(service.http if option == "--port" else service.grpc)
    code, log = Process(*words, *ANY_PORTS, option, port, REDIS_URL="").wait()
    assert code == 1
    assert log.splitlines()[-1].endswith(f"127.0.0.1:{port}: Address already in use ({option} sets the port)")


async def test_a_killed_process_loses_no_acknowledged_move_and_is_started_again() -> None:
    service = started()
    with service.process:
        first = service.children
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            players = [group.create_task(play_with_retries(service.url, number, stop)) for number in range(6)]
            await wait_for_moves(service)
            os.kill(first[0], signal.SIGKILL)
            await asyncio.to_thread(wait_until, lambda: len({*service.children} - {*first}) == 1)
            os.kill(first[1], signal.SIGKILL)
            os.kill(first[2], signal.SIGKILL)
            await asyncio.to_thread(wait_until, lambda: len({*service.children} - {*first}) == 3)
            await wait_for_moves(service)
            stop.set()
        for acknowledged, stored in [each for player in players for each in player.result()]:
            assert stored == acknowledged
        code, log = service.process.stop()
        assert code == 0
        assert log.count("(exit code -9): it is started again in 0 s") == 3


async def wait_for_moves(service: Service) -> None:
    """Wait until more moves have been made at both servers."""
    before: list[float] = []
    async with asyncio.timeout(30):
        while True:
            await asyncio.sleep(0.05)
            try:
                counts = await asyncio.to_thread(service.counts, "fireside_moves_total")
            except httpx.TransportError:  # it starts again
                continue
            before = before or counts
            if all(now >= was + 5 for now, was in zip(counts, before, strict=True)):
                return


async def play_with_retries(url: str, number: int, stop: asyncio.Event) -> list[tuple[list[str], list[str]]]:
    """Play all seats of matches, each move repeated until it is acknowledged: those moves, and those in the log."""
    random, matches = Random(number), []
    async with httpx.AsyncClient(base_url=url, timeout=20) as client:
        while not stop.is_set():
            begun = await repeated(client, "POST", MATCHES, {"seats": [{}, {}]})
            path, match, acknowledged = f"{MATCHES}/{begun['matchId']}", begun["match"], []
            while not match["over"] and not stop.is_set():
                headers = {"Authorization": f"Bearer {begun['seats'][match['toMove'][0]]['token']}"}
                moves = (await repeated(client, "GET", f"{path}/legal-moves", headers=headers))["moves"]
                notation = random.choice(moves)["notation"]
                body = {"notation": notation, "requestId": f"{random.random()}"}
                match = (await repeated(client, "POST", f"{path}/moves", body, headers))["match"]
                acknowledged.append(notation)
            events = (await repeated(client, "GET", f"{path}/history"))["events"]
            matches.append((acknowledged, [event["notation"] for event in events if "seat" in event]))
    return matches


async def repeated(
    client: httpx.AsyncClient,
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> dict[str, Any]:
    """The answer to a request that is repeated while no process answers it."""
    async with asyncio.timeout(30):
        while True:
            try:
                response = await client.request(method, path, json=body, headers=headers)
            except httpx.TransportError:
                continue
            if response.status_code not in (502, 503, 504):
                answer: dict[str, Any] = response.raise_for_status().json()
                return answer


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_is_left_when_it_ends(number: signal.Signals, tmp_path: Path) -> None:
    service = started(TMPDIR=str(tmp_path))
    with service.process as process, httpx.stream("GET", f"{service.url}{MATCHES}/{stored_match(service)}/events"):
        everything = descendants(process.pid)
        assert len(everything) > 5  # servers, background, redis-server and its guard, processes of bots
        os.kill(process.pid, number)
        code, log = process.wait()
        assert code == (0 if number is signal.SIGTERM else -number)
        assert "Traceback" not in log
        wait_until(lambda: not any(command_of(each) for each in everything))
    wait_until(lambda: not [*tmp_path.iterdir()])


def stored_match(service: Service) -> str:
    """The id of a new match."""
    answer = httpx.post(f"{service.url}{MATCHES}", json={"seats": [{}, {}]}).raise_for_status().json()
    match_id: str = answer["matchId"]
    return match_id


def descendants(process: int) -> list[int]:
    """The processes that a process, and those, have started."""
    children = children_of(process)
    return children + [each for child in children for each in descendants(child)]


def test_a_metrics_port_in_use_is_reported_in_one_line() -> None:
    first = free_ports(3)
    with socket.create_server(("127.0.0.1", first + 1)):
        code, log = Process(*SERVE, *ANY_PORTS, REDIS_URL="", FIRESIDE_METRICS_PORT=str(first)).wait()
    assert code == 1
    why = "Address already in use (FIRESIDE_METRICS_PORT sets the port)"
    assert log.splitlines()[-1].endswith(f"127.0.0.1:{first + 1}: {why}")


def test_processes_without_a_redis_or_without_ports_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REDIS_URL", "")
    monkeypatch.setattr(serve, "redis_server_path", lambda: None)
    assert main([*SERVE, *ANY_PORTS]) == 2
    assert "--processes: they need a Redis in common" in capsys.readouterr().err
    assert main(["serve", "--processes", "0"]) == 2
    assert "--processes: at least 1, not 0" in capsys.readouterr().err
    monkeypatch.setenv("REDIS_URL", "redis://localhost")
    monkeypatch.setenv("FIRESIDE_METRICS_PORT", "65534")
    assert main([*SERVE, *ANY_PORTS]) == 2
    assert "FIRESIDE_METRICS_PORT: '65536' is not a port" in capsys.readouterr().err
