"""Whole matches by `fireside_client`, sync and async, over a service that is killed in the middle and comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from threading import Thread

import pytest

from engine_core.games import GAMES
from fireside_client import AsyncFiresideClient, FiresideClient, core
from fireside_client.types.any_game import AnyGame, Event, LegalMove, Match, Move, SeatSpec
from tests.services.processes import Process

SEATS: list[SeatSpec] = [{"name": "Ada"}, {"bot": "random"}]
KILL_AT = 12
"""Revision from which the service is killed before the next move."""
RETRY_SECONDS = 90.0


class Service:
    """`fireside serve` on a Redis, at the same port whenever it starts again."""

    def __init__(self, redis_url: str, **environment: str) -> None:
        self._environment = {"REDIS_URL": redis_url, **environment}
        self._port = "0"
        self._start()

    def _start(self) -> None:
        self._process = Process("serve", "--port", self._port, "--grpc-port", "0", **self._environment)
        self._port = self._process.line().split()[3].rpartition(":")[2]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def kill(self) -> Thread:
        """End it by SIGKILL, and start it again in a thread, while its clients try to reach it."""
        self._process.kill()
        thread = Thread(target=self._start)
        thread.start()
        return thread

    def stop(self) -> None:
        self._process.kill()


@pytest.fixture(scope="module")
def service(redis_url: str) -> Iterator[Service]:
    service = Service(redis_url)
    yield service
    service.stop()


class KillingPlayer:
    """Chooses moves at random, kills the service once, and notes what it is sent."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._random = Random(3)
        self._thread: Thread | None = None
        self.events: list[Event] = []
        self.outages: list[bool] = []

    def choose(self, moves: Sequence[LegalMove], revision: int) -> Move:
        if revision >= KILL_AT and self._thread is None:
            self._thread = self._service.kill()
        return self._random.choice(moves)["move"]

    def check(self, match: Match, history: Sequence[Event], winners: Sequence[int]) -> None:
        """Every log entry came once, the result is that of the match, and the client survived an outage."""
        assert self._thread is not None
        self._thread.join()
        assert match["over"]
        assert [event["revision"] for event in self.events] == [*range(1, match["revision"] + 1)]
        assert [event["notation"] for event in self.events] == [event["notation"] for event in history]
        assert winners
        assert self.outages[:2] == [True, False]


@pytest.mark.parametrize("game", ["fireship"])  # the sync client is made of the async one
def test_a_match_over_rest_and_server_sent_events(game: str, service: Service) -> None:
    player, moved = KillingPlayer(service), 0
    with FiresideClient(service.url, retry_seconds=RETRY_SECONDS, on_outage=player.outages.append) as client:
        rules = client.game(AnyGame(game))
        new_match = rules.new_match(SEATS)
        match = rules.match(new_match["matchId"], new_match["seats"][0]["token"])
        for message in match.events(views=True):
            if "event" in message:
                player.events.append(message["event"])
            elif "turn" in message and (moves := message["turn"]["moves"]) and message["turn"]["revision"] >= moved:
                moved = match.apply(player.choose(moves, message["turn"]["revision"]))["revision"]
            elif "over" in message:
                winners = message["over"]["score"]["winners"]
        player.check(match.get(), match.history(), winners)
        assert match.score()["winners"] == winners
        assert match.picture(1, theme="dark").startswith("<svg ")
        assert [[*message] for message in match.events(after=match.get()["revision"])][-1] == ["over"]
        assert rules.replay(match.record(), moved)["revision"] == moved
        begun = match.fork(new_match["revision"])
        assert begun["state"] == rules.replay(match.record(), new_match["revision"])["state"]
        seat = begun["match"]["toMove"][0]
        hint = match.hint(new_match["revision"], seat, bot="greedy", seed="s")
        assert hint["moves"] == rules.hint(begun["state"], seat, bot="greedy", seed="s")["moves"] != []


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_over_rest_and_server_sent_events_async(game: str, service: Service) -> None:
    player, moved = KillingPlayer(service), 0
    async with AsyncFiresideClient(service.url, retry_seconds=RETRY_SECONDS, on_outage=player.outages.append) as client:
        rules = client.game(AnyGame(game))
        new_match = await rules.new_match(SEATS)
        match = rules.match(new_match["matchId"], new_match["seats"][0]["token"])
        async for message in match.events(views=True):
            if "event" in message:
                player.events.append(message["event"])
            elif "turn" in message and (moves := message["turn"]["moves"]) and message["turn"]["revision"] >= moved:
                moved = (await match.apply(player.choose(moves, message["turn"]["revision"])))["revision"]
            elif "over" in message:
                winners = message["over"]["score"]["winners"]
        player.check(await match.get(), await match.history(), winners)
        assert (await match.score())["winners"] == winners
        assert (await match.picture(1, theme="dark")).startswith("<svg ")
        assert (await rules.replay(await match.record(), moved))["revision"] == moved
        seat = (await match.fork(new_match["revision"]))["match"]["toMove"][0]
        assert (await match.hint(new_match["revision"], seat, bot="greedy"))["moves"]


@pytest.mark.parametrize("game", ["fireship"])  # the sync client is made of the async one
def test_a_match_over_a_websocket(game: str, service: Service) -> None:
    player = KillingPlayer(service)
    with FiresideClient(service.url, retry_seconds=RETRY_SECONDS, on_outage=player.outages.append) as client:
        rules = client.game(AnyGame(game))
        new_match = rules.new_match(SEATS)
        match = rules.match(new_match["matchId"], new_match["seats"][0]["token"])
        session = match.play(after=0)
        for message in session:
            if "event" in message:
                player.events.append(message["event"])
            elif "turn" in message and message["turn"]["moves"]:
                revision = message["turn"]["revision"]
                session.choose(player.choose(message["turn"]["moves"], revision), revision)
            elif "over" in message:
                winners = message["over"]["score"]["winners"]
        player.check(match.get(), match.history(), winners)


@pytest.mark.parametrize("game", GAMES)
async def test_a_match_over_a_websocket_async(game: str, service: Service) -> None:
    player = KillingPlayer(service)
    async with AsyncFiresideClient(service.url, retry_seconds=RETRY_SECONDS, on_outage=player.outages.append) as client:
        rules = client.game(AnyGame(game))
        new_match = await rules.new_match(SEATS)
        match = rules.match(new_match["matchId"], new_match["seats"][0]["token"])
        session = match.play(after=0)
        async for message in session:
            if "event" in message:
                player.events.append(message["event"])
            elif "turn" in message and message["turn"]["moves"]:
                revision = message["turn"]["revision"]
                await session.choose(player.choose(message["turn"]["moves"], revision), revision)
            elif "over" in message:
                winners = message["over"]["score"]["winners"]
        player.check(await match.get(), await match.history(), winners)


async def test_the_public_list_is_read_page_by_page(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "LIST_PAGE_SIZE", 2)
    game = AnyGame("spring_festival")
    with FiresideClient(service.url) as client:
        rules = client.game(game)
        begun = [rules.new_match(SEATS, listed=True)["matchId"] for _ in range(5)]
        rules.new_match(SEATS)
        assert [match["matchId"] for match in rules.list_matches()][:5] == begun[::-1]
        assert [match["matchId"] for match in rules.list_matches("MATCH_STATE_IN_PLAY")][:5] == begun[::-1]
        assert not {match["matchId"] for match in rules.list_matches("MATCH_STATE_FINISHED")} & {*begun}
    async with AsyncFiresideClient(service.url) as other:
        assert [match["matchId"] async for match in other.game(game).list_matches()][:5] == begun[::-1]
