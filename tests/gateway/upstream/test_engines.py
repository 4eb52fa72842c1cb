"""Client of the engines: load balancing, retries, match affinity, and servers that come and go under a DNS name."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import pytest
from fireside.catalog.v1.catalog_service_pb2 import ListGamesRequest
from fireside.fire_bulls.v1.fire_bulls_pb2 import Move, Stop
from fireside.fire_bulls.v1.fire_bulls_service_pb2 import (
    ApplyRequest,
    GetMatchRequest,
    NewGameRequest,
    NewGameResponse,
    WatchRequest,
)
from fireside.match.v1.match_pb2 import SeatSpec
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from gateway.routing import registry
from gateway.routing.bindings import bindings
from gateway.routing.retries import engine_request
from gateway.upstream import channels, rpc_errors
from gateway.upstream.engines import MIN_ATTEMPT_SECONDS, Engines, StreamCall, retry_unknown_rules
from services.engine import main as real
from services.engine.settings import EngineSettings
from services.grpc_server.errors import UnknownRules
from services.grpc_server.status import DETAILS_KEY, rich_status
from tests.dns_server import DnsServer, run_dns_server
from tests.gateway.stub_engine import StubEngine, error_info, run_stub_engine

BINDINGS_BY_METHOD = {
    binding.method: binding
    for service in (registry.CATALOG, registry.GAMES["fire_bulls"])
    for binding in bindings("fire_bulls", service)
}
LIST_GAMES = registry.CATALOG.methods_by_name["ListGames"]
FIRE_BULLS_METHODS = registry.GAMES["fire_bulls"].methods_by_name
FIRST_ADDRESS, SECOND_ADDRESS, THIRD_ADDRESS = "127.0.0.2", "127.0.0.3", "127.0.0.4"
STOP_MOVE = Move(stop=Stop())


@pytest.fixture
async def dns_server() -> AsyncIterator[DnsServer]:
    async with run_dns_server() as dns_server:
        yield dns_server


@asynccontextmanager
async def open_engines(target: str, seconds: float = 10) -> AsyncIterator[Engines]:
    engines = Engines({"fire_bulls": target}, seconds)
    try:
        yield engines
    finally:
        await engines.close()


async def start_engine(host: str, port: int = 0, connection_seconds: float = 0.0) -> real.Engine:
    engine = real.Engine(EngineSettings(host=host, port=port, connection_seconds=connection_seconds, grace_seconds=0.5))
    await engine.start()
    return engine


async def call_engine(engines: Engines, method: MethodDescriptor, request: Message, match_id: str = "") -> bytes:
    return await engines.call(engine_request(BINDINGS_BY_METHOD[method], request), (), match_id)


async def list_games(engines: Engines, match_id: str = "") -> None:
    await call_engine(engines, LIST_GAMES, ListGamesRequest(), match_id)


async def until_called(engines: Engines, engine: StubEngine) -> int:
    """Call until the engine gets its first request. Returns the number of calls."""
    for count in range(1, 1000):
        await list_games(engines)
        if engine.requests:
            return count
        await asyncio.sleep(0.01)
    raise AssertionError("it got no request")


@asynccontextmanager
async def two_engines(dns_server: DnsServer) -> AsyncIterator[tuple[StubEngine, StubEngine, str]]:
    """Two stub engines under one DNS name, and the target of a channel to them."""
    async with run_stub_engine(StubEngine(), f"{FIRST_ADDRESS}:0") as first:
        port = int(first.address.rpartition(":")[2])
        async with run_stub_engine(StubEngine(), f"{SECOND_ADDRESS}:{port}") as second:
            dns_server.addresses["engine"] = [FIRST_ADDRESS, SECOND_ADDRESS]
            yield first, second, dns_server.target("engine", port)


def got_hashed_call(engine: StubEngine) -> bool:
    """Whether it got a call on the channel with match affinity."""
    return any(channels.MATCH_ID_KEY in words for words in engine.metadata)


def clear(engine: StubEngine) -> None:
    """Forget the requests so far."""
    engine.requests.clear()
    engine.metadata.clear()


async def connect_all(engines: Engines, all_of: tuple[StubEngine, ...]) -> None:
    """Call until all are connected, on the channels with and without retries."""
    for engine in all_of:
        await until_called(engines, engine)
    while not all(map(got_hashed_call, all_of)):
        for match_id in MATCH_IDS:
            await call_match(engines, "GetMatch", match_id)
    for engine in all_of:
        clear(engine)


async def test_calls_go_to_all_addresses_of_a_name_by_round_robin(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        await connect_all(engines, (first, second))
        before = len(first.requests), len(second.requests)
        for _ in range(20):
            await list_games(engines)
        assert (len(first.requests) - before[0], len(second.requests) - before[1]) == (10, 10)


RETRYABLE_CALLS: list[tuple[str, GetMatchRequest | ApplyRequest]] = [
    ("GetMatch", GetMatchRequest(match_id="m1")),
    ("Apply", ApplyRequest(match_id="m1", move=STOP_MOVE, request_id="r1")),
]


@pytest.mark.parametrize(("name", "request_"), RETRYABLE_CALLS)
async def test_a_retryable_call_is_sent_to_another_engine(
    name: str, request_: GetMatchRequest | ApplyRequest, dns_server: DnsServer
) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        await connect_all(engines, (first, second))
        first.set_error(name, grpc.StatusCode.UNAVAILABLE, "gone")
        for _ in range(4):
            await call_engine(engines, FIRE_BULLS_METHODS[name], request_)
        assert request_ in first.requests


async def test_a_move_without_a_request_id_is_sent_once(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        first.set_error("Apply", grpc.StatusCode.UNAVAILABLE, "gone")
        sent_moves = await moves_until_one_fails(engines)
        assert len(first.requests) + len(second.requests) == sent_moves


async def moves_until_one_fails(engines: Engines) -> int:
    """Send moves without a request id until one fails. Returns their number."""
    for sent_moves in range(1, 1000):
        try:
            await call_engine(engines, FIRE_BULLS_METHODS["Apply"], ApplyRequest(match_id="m1", move=STOP_MOVE))
        except grpc.aio.AioRpcError:
            return sent_moves
    raise AssertionError("none fails")


async def test_a_move_without_a_request_id_waits_for_a_reachable_engine(dns_server: DnsServer) -> None:
    async with run_stub_engine(StubEngine(), f"{FIRST_ADDRESS}:0") as stopped_engine:
        pass
    async with open_engines(dns_server.target("engine", int(stopped_engine.address.rpartition(":")[2]))) as engines:
        dns_server.addresses["engine"] = [FIRST_ADDRESS]
        move = asyncio.ensure_future(
            call_engine(engines, FIRE_BULLS_METHODS["Apply"], ApplyRequest(match_id="m1", move=STOP_MOVE))
        )
        await asyncio.sleep(0.3)
        async with run_stub_engine(
            StubEngine(), f"{FIRST_ADDRESS}:{stopped_engine.address.rpartition(':')[2]}"
        ) as engine:
            await move
            assert len(engine.requests) == 1


MATCH_IDS = [f"m{number}" for number in range(40)]


async def call_match(engines: Engines, name: str, match_id: str, request_id: str = "") -> None:
    """A call on a match."""
    get, apply = (
        GetMatchRequest(match_id=match_id),
        ApplyRequest(match_id=match_id, move=STOP_MOVE, request_id=request_id),
    )
    request: Message = get if name == "GetMatch" else apply
    await call_engine(engines, FIRE_BULLS_METHODS[name], request, match_id)


def matches_called(engine: StubEngine) -> set[str]:
    """The matches whose calls it got."""
    return {request.match_id for request in engine.requests if isinstance(request, GetMatchRequest | ApplyRequest)}


async def test_calls_of_a_match_go_to_one_engine(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        await connect_all(engines, (first, second))
        for match_id in MATCH_IDS * 5:
            await call_match(engines, "GetMatch", match_id)
            await call_match(engines, "Apply", match_id)
        assert matches_called(first) | matches_called(second) == set(MATCH_IDS)
        assert not matches_called(first) & matches_called(second)
        assert min(len(matches_called(first)), len(matches_called(second))) >= 5, "by all means one in eight"


async def test_all_gateways_choose_the_same_engine_for_a_match(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target):
        led_to_first: list[set[str]] = []
        for _ in range(2):
            async with open_engines(target) as engines:
                await connect_all(engines, (first, second))
                for match_id in MATCH_IDS:
                    await call_match(engines, "GetMatch", match_id)
                led_to_first.append(matches_called(first))
                clear(first)
                clear(second)
        assert led_to_first[0] == led_to_first[1]


async def test_only_the_matches_of_a_lost_engine_move_to_another(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        async with run_stub_engine(StubEngine(), f"{THIRD_ADDRESS}:{target.rpartition(':')[2]}") as third:
            dns_server.addresses["engine"] = [FIRST_ADDRESS, SECOND_ADDRESS, THIRD_ADDRESS]
            await connect_all(engines, (first, second, third))
            for match_id in MATCH_IDS:
                await call_match(engines, "GetMatch", match_id)
            before = matches_called(first), matches_called(second)
            assert matches_called(third)
        for match_id in MATCH_IDS:
            await call_match(engines, "GetMatch", match_id)
        assert not matches_called(first) & before[1]
        assert not matches_called(second) & before[0]
        assert matches_called(first) | matches_called(second) == set(MATCH_IDS)


@pytest.mark.parametrize(
    ("name", "request_id", "seconds"), [("GetMatch", "", 10), ("Apply", "r1", 10), ("GetMatch", "", 0.9)]
)
async def test_a_retryable_call_of_a_match_is_sent_to_another_engine(
    name: str, request_id: str, seconds: float, dns_server: DnsServer
) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target, seconds) as engines:
        await connect_all(engines, (first, second))
        first.set_error(name, grpc.StatusCode.UNAVAILABLE, "gone")
        for match_id in MATCH_IDS:
            await call_match(engines, name, match_id, request_id)
        assert matches_called(first), "it got a request"
        assert matches_called(second) == set(MATCH_IDS)


async def test_a_move_of_a_match_without_a_request_id_is_sent_once(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        await connect_all(engines, (first, second))
        first.set_error("Apply", grpc.StatusCode.UNAVAILABLE, "gone")
        failures = 0
        for match_id in MATCH_IDS:
            try:
                await call_match(engines, "Apply", match_id)
            except grpc.aio.AioRpcError:
                failures += 1
        assert failures
        moves = [each for engine in (first, second) for each in engine.requests if isinstance(each, ApplyRequest)]
        assert len(moves) == len(MATCH_IDS)


async def test_calls_succeed_after_a_name_has_no_addresses(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        for engine in (first, second):
            await until_called(engines, engine)
        await call_engine(engines, FIRE_BULLS_METHODS["Apply"], ApplyRequest())
        del dns_server.addresses["engine"]
        async with asyncio.timeout(1):
            for match_id in MATCH_IDS:
                await call_match(engines, "Apply", match_id)


async def test_a_call_of_a_match_whose_engine_hangs_is_sent_to_another_engine(
    dns_server: DnsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gateway.upstream.engines.MIN_ATTEMPT_SECONDS", 0.2)
    async with two_engines(dns_server) as (first, second, target), open_engines(target, seconds=2) as engines:
        await connect_all(engines, (first, second))
        first.delay = 60
        for match_id in MATCH_IDS[:8]:
            await call_match(engines, "GetMatch", match_id)  # in turn the one that hangs may be called once more
        assert matches_called(first)
        assert matches_called(second) == set(MATCH_IDS[:8])


async def test_a_call_of_a_match_whose_engine_lacks_the_rules_is_sent_to_another_engine(dns_server: DnsServer) -> None:
    async with two_engines(dns_server) as (first, second, target), open_engines(target) as engines:
        await connect_all(engines, (first, second))
        first.set_error("Apply", grpc.StatusCode.UNAVAILABLE, "rules", error_info(rpc_errors.UNKNOWN_RULES))
        for match_id in MATCH_IDS:
            await call_match(engines, "Apply", match_id)
        assert matches_called(first), "it got a request"
        assert matches_called(second) == set(MATCH_IDS)


@asynccontextmanager
async def continuous_calls(call: Callable[[], Awaitable[None]]) -> AsyncIterator[list[int]]:
    """Continuous calls of several clients, and their count. Raises at the end if one has failed."""
    done = [0]

    async def work() -> None:
        while True:
            await call()
            done[0] += 1
            await asyncio.sleep(0.005)

    tasks = [asyncio.ensure_future(work()) for _ in range(8)]
    try:
        yield done
    finally:
        for task in tasks:
            task.cancel()
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(outcome, asyncio.CancelledError), outcome


async def test_a_new_engine_is_found_when_a_connection_reaches_its_maximum_age(dns_server: DnsServer) -> None:
    dns_server.addresses["engine"] = [FIRST_ADDRESS]
    old = await start_engine(FIRST_ADDRESS, connection_seconds=0.5)
    async with (
        run_stub_engine(StubEngine(), f"{SECOND_ADDRESS}:{old.port}") as new,
        open_engines(dns_server.target("engine", old.port)) as engines,
        continuous_calls(lambda: list_games(engines)),
    ):
        dns_server.addresses["engine"] = [FIRST_ADDRESS, SECOND_ADDRESS]
        await until_called(engines, new)
        async with asyncio.timeout(10):
            while not got_hashed_call(new):
                for match_id in MATCH_IDS:
                    await list_games(engines, match_id)
    await old.stop()


@pytest.mark.parametrize("match_id", ["", "m1"])
async def test_no_call_fails_when_the_only_engine_is_replaced(dns_server: DnsServer, match_id: str) -> None:
    dns_server.addresses["engine"] = [FIRST_ADDRESS]
    old = await start_engine(FIRST_ADDRESS)
    async with (
        open_engines(dns_server.target("engine", old.port)) as engines,
        continuous_calls(lambda: list_games(engines, match_id)) as done,
    ):
        await asyncio.sleep(0.2)
        await old.drain()
        new = await start_engine(SECOND_ADDRESS, old.port)
        dns_server.addresses["engine"] = [SECOND_ADDRESS]
        served = done[0]
        await asyncio.sleep(0.2)
        assert done[0] > served, "while it drains, it serves"
        await old.stop()
        served = done[0]
        async with asyncio.timeout(10):
            while done[0] == served:
                await asyncio.sleep(0.05)
    await new.stop()


async def test_engines_without_the_rules_are_called_again_only_before_the_deadline() -> None:
    code, status = rich_status(UnknownRules("", "fire_bulls@9"))
    details = grpc.aio.Metadata((DETAILS_KEY, status.SerializeToString()))
    left: list[float] = []

    async def lacking(seconds: float) -> None:
        left.append(seconds)
        await asyncio.sleep(0.2)
        raise grpc.aio.AioRpcError(code, grpc.aio.Metadata(), details)

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await retry_unknown_rules(lacking, MIN_ATTEMPT_SECONDS + 1)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert len(left) > 2
    assert min(left) > MIN_ATTEMPT_SECONDS - 0.2


async def until_ended(stream: StreamCall) -> None:
    async for _ in stream:
        pass


async def test_a_stream_cut_off_by_the_connection_age_ends_as_unavailable(
    dns_server: DnsServer,
) -> None:
    dns_server.addresses["engine"] = [FIRST_ADDRESS]
    engine = await start_engine(FIRST_ADDRESS, connection_seconds=0.3)
    async with open_engines(dns_server.target("engine", engine.port)) as engines:
        new_game = await call_engine(
            engines, FIRE_BULLS_METHODS["NewGame"], NewGameRequest(seats=[SeatSpec()] * 2, request_id="r" * 22)
        )
        watch = WatchRequest(match_id=NewGameResponse.FromString(new_game).match_id)
        stream = await engines.stream("fire_bulls", FIRE_BULLS_METHODS["Watch"], watch, ())
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await asyncio.wait_for(until_ended(stream), 5)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    await engine.stop()
