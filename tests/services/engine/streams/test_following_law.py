"""For every game, a client with all events of a stream knows the views, legal moves and score without other calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import cast

import grpc
import pytest
from google.protobuf.message import Message

from engine_core.game import SPECTATOR
from engine_core.match import AnyMatch
from services.engine.codecs import CODECS
from services.engine.main import Engine
from services.engine.records.replaying import Event, Replays
from services.grpc_server.admission.long_work import LongWork
from tests.services.engine.streams.following import Follower, Received
from tests.services.engine.streams.imagined import Imagined
from tests.services.registry import GameClient, MatchDriver, field

STEP_COUNT = 40
"""Steps of a match before all but one seat leave it, by which it ends."""
LEAVE_CHANCE = 0.08


@pytest.fixture(params=["redis"])
def store_url(redis_url: str) -> str:
    return redis_url


@pytest.fixture(params=list(CODECS.values()), ids=list(CODECS))
async def game_client(engine: Engine, request: pytest.FixtureRequest) -> AsyncIterator[GameClient]:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}") as channel:
        yield GameClient(channel, request.param)


class FollowedMatch:
    """A random match with leaving players, a spectator, and for each seat a watcher and a `Play` stream."""

    def __init__(self, driver: MatchDriver, random: Random) -> None:
        self.driver, self.random = driver, random
        self.observers = ["", *driver.tokens]
        self.watchers = [Follower.watch(driver, token) for token in self.observers]
        self.players = [Follower.play(driver, token) for token in driver.tokens]
        self.left: list[int] = []
        self.steps = [self.revision]
        """The revisions after each step."""

    @property
    def revision(self) -> int:
        """The revision of the match."""
        return cast(int, field(self.driver.match, "revision"))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(field(self.driver.match, "over"))

    async def step(self, *, leave: bool) -> None:
        """Let a random seat move or leave, and compare what each watcher heard with what it would get by calls."""
        if leave:
            seat = self.random.choice([each for each in range(len(self.driver.tokens)) if each not in self.left])
            self.left.append(seat)
            answer = await self.driver.call("Leave", self.driver.tokens[seat])
        else:
            seat = self.random.choice(cast(list[int], field(self.driver.match, "to_move")))
            listed = cast(
                list[Message],
                field(await self.driver.call("LegalMoves", self.driver.tokens[seat]), "moves"),
            )
            notation = field(self.random.choice(listed), "notation")
            answer = await self.driver.call("Apply", self.driver.tokens[seat], notation=notation)
        self.driver.match = cast(Message, field(answer, "match"))
        self.steps.append(self.revision)
        await self.compare()

    async def compare(self) -> None:
        """Compare what each stream has told its client with the responses of the unary calls."""
        for token, watcher in zip(self.observers, self.watchers, strict=True):
            last_turn = await watcher.until_turn(self.revision)
            if self.over:
                assert field(last_turn, "score") == await self.driver.call("Score")
                continue
            match = cast(Message, field(await self.driver.call("GetMatch", token), "match"))
            assert field(last_turn, "match") == match
            assert field(last_turn, "to_move") == field(match, "to_move")
            moves = field(await self.driver.call("LegalMoves", token), "moves") if token else []
            assert list(cast(list[Message], field(last_turn, "moves"))) == list(cast(list[Message], moves))

    async def compare_imagined(self, observer: int) -> None:
        """Compare what an observer can tell from its lines with what it was shown, at every revision."""
        codec, watcher = self.driver.game_client.codec, self.watchers[observer + 1]
        record = cast(Message, field(await self.driver.call("GetRecord"), "record"))
        replays = Replays(codec, LongWork())
        match: AnyMatch = replays.start(len(self.driver.tokens), cast(Message, field(record, "options")))
        imagined = Imagined(codec, SPECTATOR if observer < 0 else observer, self.random)
        views = {field(turn, "revision"): field(turn, "match", "view") for turn in watcher.of_kind("turn")}
        assert [*views] == self.steps[:-1]  # each step has its turn, and no other step comes before it
        derived_count = 0
        events = cast(list[Message], field(record, "events"))
        for revision, (event, line) in enumerate(zip(events, watcher.of_kind("event"), strict=True), 1):
            expected = imagined.view_after(match.state, cast(Event, line))
            replays.play(match, event)
            past = await self.driver.call("GetMatch", self.observers[observer + 1], revision=revision)
            view = field(past, "match", "view")
            assert expected in (None, view)
            assert views.get(revision, view) == view
            derived_count += expected is not None
        assert derived_count > 0.8 * len(events)


@pytest.mark.parametrize("seed", range(3))
async def test_a_client_of_events_has_the_views_the_legal_moves_and_the_score(
    game_client: GameClient, seed: int
) -> None:
    random = Random(seed)
    seats = random.randint(game_client.codec.game.min_seats, game_client.codec.game.max_seats)
    followed = FollowedMatch(await game_client.begin(seats), random)
    await followed.compare()
    for _ in range(STEP_COUNT):
        if not followed.over:
            await followed.step(leave=random.random() < LEAVE_CHANCE)
    while not followed.over:
        await followed.step(leave=len(followed.left) < seats - 1)
    for observer in (-1, random.randrange(seats)):
        await followed.compare_imagined(observer)
    for follower in [*followed.watchers, *followed.players]:
        await follower.until_end()
        _check_order(follower.received, followed.revision)
        assert [field(change, "seat") for change in follower.of_kind("seat")] == followed.left


def _check_order(received: list[Received], last: int) -> None:
    """Each line comes once; a change of a seat and a turn come right after the line that caused them."""
    revision = 0
    for number, (kind, message) in enumerate(received):
        if kind == "event":
            revision += 1
            assert field(message, "revision") == revision
        elif kind == "seat":
            before, line = received[number - 1]
            assert (before, field(line, "notation"), field(line, "seat")) == ("event", "leave", field(message, "seat"))
            assert field(message, "revision") == revision
        elif kind == "turn":
            assert not number or received[number - 1][0] in ("event", "seat")
            at = field(message, "revision") if "revision" in message.DESCRIPTOR.fields_by_name else revision
            assert at == revision
    assert revision == last
    assert [kind for kind, _ in received].index("over") == len(received) - 1
