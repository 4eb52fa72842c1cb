"""The whole stack as in the manifests, with two of each engine and gateway, under load while pods terminate.

Model of a pod's termination: it gets SIGTERM at once, without the pause of `preStop`, and is removed from its Service
three seconds later, since endpoints and DNS lag; open connections stay open. Clients do not retry: a failed call fails
the test.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final, TypedDict, cast

import httpx

from gateway.routing.registry import GAMES
from tests.dns_server import run_dns_server
from tests.k8s.processes.cluster import Cluster, PodProcess
from tests.server_sent_events import EventStreamParser, log_entries
from tests.tcp_proxy import tcp_proxy

BUILD: Final = "local"
REPLICAS: Final = {"engine": 2, "gateway": 2}
TERMINATED_GAME: Final = "fire_bulls"
"""The game of which an engine is terminated."""
LAG_SECONDS: Final = 3.0
"""Time until a Service no longer routes to a pod that got SIGTERM."""
RETRY_SECONDS: Final = 0.2
"""Time before a watcher reconnects."""
TIMEOUT_SECONDS: Final = 120.0
TWO_SEATS: Final = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
BOT_SEATS: Final = {"seats": [{"bot": "random"}, {"bot": "random"}]}
TOURNAMENT_SPEC: Final = {"game": "fire_bulls", "entrants": ["random", "random"], "blocks": 2, "seed": 7}


class MatchFields(TypedDict):
    """Fields of a match that the tests read."""

    over: bool
    toMove: list[int]
    revision: int


class ResponseFields(TypedDict):
    """Fields of responses that the tests read; each response has some of them."""

    matchId: str
    match: MatchFields
    seats: list[dict[str, str]]
    moves: list[dict[str, str]]
    over: bool
    tournamentId: str
    state: str


class GatewayClient:
    """Calls the gateway Service. Failed calls and error statuses raise."""

    def __init__(self, url: str) -> None:
        self.rest: Final = httpx.AsyncClient(base_url=url, timeout=30)
        self.calls = 0

    async def request(self, verb: str, path: str, token: str = "", json: object = None) -> ResponseFields:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        response = await self.rest.request(verb, path, headers=headers, json=json)
        assert response.is_success, f"{verb} {path}: {response.status_code} {response.text}"
        self.calls += 1
        return cast(ResponseFields, response.json())


class RandomPlayer:
    """Plays random matches of a game, one after another, and watches the first."""

    def __init__(self, url: str, game: str, seed: int) -> None:
        self.client: Final = GatewayClient(url)
        self.path: Final = f"/v1/{game.replace('_', '-')}/matches"
        self.over = 0
        self.revisions: Final[list[int]] = []
        self._random: Final = Random(seed)
        self._watching: asyncio.Task[None] | None = None

    async def play(self, is_done: Callable[[], bool]) -> None:
        """Play until `is_done`, but the first match to its end."""
        async with self.client.rest:
            try:
                while not is_done():
                    await self._match(is_done)
                assert self._watching
                await self._watching
            finally:
                if self._watching:
                    self._watching.cancel()

    async def _match(self, is_done: Callable[[], bool]) -> None:
        started = await self.client.request("POST", self.path, json=TWO_SEATS)
        where = f"{self.path}/{started['matchId']}"
        self._watching = self._watching or asyncio.create_task(self._watch(f"{where}/events"))
        match, tokens = started["match"], [seat["token"] for seat in started["seats"]]
        while not match["over"] and not (self.over and is_done()):
            token = tokens[match["toMove"][0]]
            moves = (await self.client.request("GET", f"{where}/legal-moves", token))["moves"]
            choice = {"notation": self._random.choice(moves)["notation"]}
            match = (await self.client.request("POST", f"{where}/moves", token, choice))["match"]
        self.over += match["over"]

    async def _watch(self, path: str) -> None:
        """Record the revisions of all events; reconnects with the last id when a stream ends early."""
        last, status = "0", 200
        while status == 200:
            async with self.client.rest.stream("GET", path, headers={"Last-Event-ID": last}) as response:
                status, parser = response.status_code, EventStreamParser()
                async for event in log_entries(response, parser):
                    self.revisions.append(int(event.id))
                last = parser.last_id or last
            await asyncio.sleep(RETRY_SECONDS)
        assert status == 204


@asynccontextmanager
async def running_stack(folder: Path) -> AsyncIterator[tuple[Cluster, str]]:
    """A cluster with all pods ready, and the URL of the gateway Service."""
    async with run_dns_server() as dns_server:
        cluster = Cluster(BUILD, dns_server, folder)
        try:
            cluster.publish()
            cluster.start(REPLICAS)
            cluster.publish()
            await wait_until(lambda: all(map(cluster.is_ready, cluster.pods)))
            async with tcp_proxy(lambda: cluster.addresses("gateway"), cluster.port(8080)) as url:
                yield cluster, url
        finally:
            cluster.close()


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until a blocking condition holds."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not await asyncio.to_thread(condition):
        assert time.monotonic() < deadline, "timed out"
        await asyncio.sleep(0.2)


async def terminate_pods(cluster: Cluster, *pods: PodProcess) -> None:
    """Terminate pods as Kubernetes does."""
    for pod in pods:
        pod.process.terminate()
    await asyncio.sleep(LAG_SECONDS)
    cluster.publish(*pods)
    for pod in pods:
        code = await asyncio.to_thread(pod.process.wait, TIMEOUT_SECONDS)
        assert code == 0, pod.log.read_text()
        cluster.pods.remove(pod)


async def test_no_call_fails_while_an_engine_and_a_gateway_terminate(tmp_path: Path) -> None:
    async with running_stack(tmp_path) as (cluster, url):
        client = GatewayClient(url)
        players = [RandomPlayer(url, game, seed) for seed, game in enumerate([*GAMES, TERMINATED_GAME])]
        hosted = {
            player.path: (await client.request("POST", player.path, json=BOT_SEATS))["matchId"] for player in players
        }
        tournament_id = (await client.request("POST", "/v1/tournaments", json={"spec": TOURNAMENT_SPEC}))[
            "tournamentId"
        ]
        terminated = asyncio.Event()
        async with asyncio.TaskGroup() as playing:
            for player in players:
                playing.create_task(player.play(terminated.is_set))
            await wait_until(lambda: all(player.client.calls > 20 for player in players))
            await terminate_pods(
                cluster, cluster.named(f"engine-{TERMINATED_GAME.replace('_', '-')}")[0], cluster.named("gateway")[0]
            )
            before = [player.client.calls for player in players]
            await asyncio.sleep(0.5)
            terminated.set()
        for path, match_id in hosted.items():
            await wait_for(client, f"{path}/{match_id}/score", lambda response: response["over"])
        await wait_for(
            client,
            f"/v1/tournaments/{tournament_id}",
            lambda response: response["state"] == "TOURNAMENT_STATE_FINISHED",
        )
        await client.rest.aclose()
    assert all(player.over for player in players)
    assert all(player.revisions == [*range(1, len(player.revisions) + 1)] for player in players)
    assert all(player.client.calls > calls for player, calls in zip(players, before, strict=True))


async def wait_for(client: GatewayClient, path: str, condition: Callable[[ResponseFields], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition(await client.request("GET", path)):
        assert time.monotonic() < deadline, path
        await asyncio.sleep(0.2)
