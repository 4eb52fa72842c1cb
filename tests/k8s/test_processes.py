"""The whole stack as the manifests start it, two of each engine and gateway, under load while pods go.

The model of how a pod goes: it is sent SIGTERM at once, without the pause of its `preStop`, and its Service leads
elsewhere three seconds later, as endpoints and names take their time; connections that stand are left alone. Clients
repeat nothing: a call that fails is a failure.
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
from tests.k8s.cluster import Cluster, Pod
from tests.names import name_server
from tests.proxy import service

BUILD: Final = "local"
REPLICAS: Final = {"engine": 2, "gateway": 2}
STRUCK: Final = "fire_bulls"
"""The game that loses an engine."""
LAG_SECONDS: Final = 3.0
"""How long a Service goes on leading to a pod that has been asked to stop."""
RETRY_SECONDS: Final = 0.2
"""How long a watcher waits before it asks for what follows."""
PATIENCE_SECONDS: Final = 120.0
TWO: Final = {"seats": [{"name": "Ada"}, {"name": "Ben"}]}
BOTS: Final = {"seats": [{"bot": "random"}, {"bot": "random"}]}
SPEC: Final = {"game": "fire_bulls", "entrants": ["random", "random"], "blocks": 2, "seed": 7}


class Standing(TypedDict):
    """What is read of a match."""

    over: bool
    toMove: list[int]
    revision: int


class Answer(TypedDict):
    """What is read of answers; each has some of it."""

    matchId: str
    match: Standing
    seats: list[dict[str, str]]
    moves: list[dict[str, str]]
    over: bool
    tournamentId: str
    state: str


class Visitor:
    """Calls the gateway Service. An answer that is no success, and a call without an answer, are errors."""

    def __init__(self, url: str) -> None:
        self.rest: Final = httpx.AsyncClient(base_url=url, timeout=30)
        self.calls = 0

    async def ask(self, verb: str, path: str, token: str = "", json: object = None) -> Answer:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await self.rest.request(verb, path, headers=headers, json=json)
        assert answer.is_success, f"{verb} {path}: {answer.status_code} {answer.text}"
        self.calls += 1
        return cast(Answer, answer.json())


class Table:
    """Plays matches of a game at random, one after another, and watches the first."""

    def __init__(self, url: str, game: str, seed: int) -> None:
        self.visitor: Final = Visitor(url)
        self.path: Final = f"/v1/{game.replace('_', '-')}/matches"
        self.over = 0
        self.heard: Final[list[int]] = []
        self._random: Final = Random(seed)
        self._watching: asyncio.Task[None] | None = None

    async def play(self, is_enough: Callable[[], bool]) -> None:
        """Play until it is enough, the first match to its end."""
        async with self.visitor.rest:
            try:
                while not is_enough():
                    await self._match(is_enough)
                assert self._watching
                await self._watching
            finally:
                if self._watching:
                    self._watching.cancel()

    async def _match(self, is_enough: Callable[[], bool]) -> None:
        begun = await self.visitor.ask("POST", self.path, json=TWO)
        where = f"{self.path}/{begun['matchId']}"
        self._watching = self._watching or asyncio.create_task(self._watch(f"{where}/events"))
        match, tokens = begun["match"], [seat["token"] for seat in begun["seats"]]
        while not match["over"] and not (self.over and is_enough()):
            token = tokens[match["toMove"][0]]
            moves = (await self.visitor.ask("GET", f"{where}/legal-moves", token))["moves"]
            choice = {"notation": self._random.choice(moves)["notation"]}
            match = (await self.visitor.ask("POST", f"{where}/moves", token, choice))["match"]
        self.over += match["over"]

    async def _watch(self, path: str) -> None:
        """Hear every event to the end; a stream that ends before is asked for again with the last that was heard."""
        last, status = "0", 200
        while status == 200:
            async with self.visitor.rest.stream("GET", path, headers={"Last-Event-ID": last}) as response:
                status = response.status_code
                async for line in response.aiter_lines():
                    if line.startswith("id: "):
                        last = line[4:]
                    elif line.startswith("data: "):
                        self.heard.append(int(last))
            await asyncio.sleep(RETRY_SECONDS)
        assert status == 204


@asynccontextmanager
async def stack(folder: Path) -> AsyncIterator[tuple[Cluster, str]]:
    """Every pod ready, and the URL of the gateway Service."""
    async with name_server() as names:
        cluster = Cluster(BUILD, names, folder)
        try:
            cluster.publish()
            cluster.start(REPLICAS)
            cluster.publish()
            await until(lambda: all(map(cluster.is_ready, cluster.pods)))
            async with service(lambda: cluster.addresses("gateway"), cluster.port(8080)) as url:
                yield cluster, url
        finally:
            cluster.close()


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for what soon must be; it may take its time to look."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not await asyncio.to_thread(is_so):
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.2)


async def end(cluster: Cluster, *pods: Pod) -> None:
    """Let pods go as Kubernetes does."""
    for pod in pods:
        pod.process.terminate()
    await asyncio.sleep(LAG_SECONDS)
    cluster.publish(*pods)
    for pod in pods:
        code = await asyncio.to_thread(pod.process.wait, PATIENCE_SECONDS)
        assert code == 0, pod.log.read_text()
        cluster.pods.remove(pod)


async def test_matches_go_on_without_a_failed_call_while_an_engine_and_a_gateway_go(tmp_path: Path) -> None:
    async with stack(tmp_path) as (cluster, url):
        guest = Visitor(url)
        tables = [Table(url, game, seed) for seed, game in enumerate([*GAMES, STRUCK])]
        hosted = {table.path: (await guest.ask("POST", table.path, json=BOTS))["matchId"] for table in tables}
        cup = (await guest.ask("POST", "/v1/tournaments", json={"spec": SPEC}))["tournamentId"]
        gone = asyncio.Event()
        async with asyncio.TaskGroup() as playing:
            for table in tables:
                playing.create_task(table.play(gone.is_set))
            await until(lambda: all(table.visitor.calls > 20 for table in tables))
            await end(cluster, cluster.named(f"engine-{STRUCK.replace('_', '-')}")[0], cluster.named("gateway")[0])
            before = [table.visitor.calls for table in tables]
            await asyncio.sleep(0.5)
            gone.set()
        for path, match_id in hosted.items():
            await told(guest, f"{path}/{match_id}/score", lambda answer: answer["over"])
        await told(guest, f"/v1/tournaments/{cup}", lambda answer: answer["state"] == "TOURNAMENT_STATE_FINISHED")
        await guest.rest.aclose()
    assert all(table.over for table in tables)
    assert all(table.heard == [*range(1, len(table.heard) + 1)] for table in tables)
    assert all(table.visitor.calls > calls for table, calls in zip(tables, before, strict=True))


async def told(visitor: Visitor, path: str, is_so: Callable[[Answer], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so(await visitor.ask("GET", path)):
        assert time.monotonic() < deadline, path
        await asyncio.sleep(0.2)
