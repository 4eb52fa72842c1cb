"""The tournaments service over gRPC: every method, and recovery after kills."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from fireside.tournament.v1 import tournament_pb2 as nouns
from fireside.tournament.v1 import tournament_service_pb2 as verbs
from fireside.tournament.v1.tournament_service_pb2_grpc import TournamentServiceStub

from runtime.api_keys import parse
from services.engine.records.reading import read
from services.engine.records.verification import verify
from services.tournaments.ledger.file import FileLedger
from services.tournaments.ledger.ledger import LIST_START, Ledger, ListPosition, WrongWorker
from services.tournaments.messages import encode_standings
from services.tournaments.plan.plan import Block, Plan, Spec
from services.tournaments.play.blocks import play_block
from services.tournaments.play.chunks import Chunk
from services.tournaments.progress import read_progress
from services.tournaments.results.results import BlockResult
from services.tournaments.servicer import Servicer, _id_of
from tests.redis_server import redis_server
from tests.services.client import Refusal, refusal
from tests.services.processes import Process
from tests.services.tournaments.plans import SPEC as PLAYED
from tests.services.tournaments.plans import UNKNOWN_RULES_PLAN, stored_elsewhere
from tests.services.tournaments.pools import first_entrant_wins

if TYPE_CHECKING:
    from fireside.tournament.v1.tournament_service_pb2_grpc import TournamentServiceAsyncStub

ENTRANTS = ["random", "greedy:samples=1"]
SPEC_MESSAGE = nouns.TournamentSpec(game="fire_bulls", entrants=ENTRANTS, blocks=6, seed=5)


@pytest.fixture
async def stub(ledger: Ledger) -> AsyncIterator[TournamentServiceAsyncStub]:
    """The service without anybody who plays."""
    servicer = Servicer(ledger)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([servicer.handler()])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield _service_stub(channel)
    await servicer.close()
    await server.stop(1)


def _service_stub(channel: grpc.aio.Channel) -> TournamentServiceAsyncStub:
    return TournamentServiceStub(channel)


async def refusal_of(call: Awaitable[object]) -> Refusal:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return refusal(caught.value)


async def create_tournament(stub: TournamentServiceAsyncStub, request_id: str = "", **changes: object) -> str:
    spec = nouns.TournamentSpec()
    spec.CopyFrom(SPEC_MESSAGE)
    spec.MergeFrom(nouns.TournamentSpec(**changes))  # type: ignore[arg-type]
    answer = await stub.CreateTournament(verbs.CreateTournamentRequest(spec=spec, request_id=request_id))
    return answer.tournament_id


def results_newest_first(plan: Plan, count: int) -> list[tuple[int, bytes]]:
    """What the blocks of a plan come to, the last one first."""
    return [(index, play_block(plan.playable(), Block(index, (0, 1))).encode()) for index in reversed(range(count))]


def record_blocks(ledger: Ledger, tournament_id: str, count: int) -> None:
    """Let some of the blocks be played."""
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    ledger.record(tournament_id, token, results_newest_first(ledger.tournament(tournament_id).plan, count))


async def test_a_new_tournament_is_pending(stub: TournamentServiceAsyncStub) -> None:
    tournament_id = await create_tournament(stub, name="Cup")
    answer = await stub.GetTournament(verbs.GetTournamentRequest(tournament_id=tournament_id))
    tournament = answer.tournament
    assert (tournament.tournament_id, tournament.spec.name, tournament.state) == (
        tournament_id,
        "Cup",
        nouns.TOURNAMENT_STATE_PENDING,
    )
    assert (tournament.spec.table_size, tournament.planned_blocks, tournament.revision) == (2, 6, 0)
    assert not tournament.HasField("standings")


async def test_a_repeated_request_creates_one_tournament(stub: TournamentServiceAsyncStub) -> None:
    ids = await asyncio.gather(*[create_tournament(stub, "once") for _ in range(10)])
    assert len(set(ids)) == 1
    other = nouns.TournamentSpec(game="fire_bulls", entrants=ENTRANTS, blocks=7, seed=5)
    refused = await refusal_of(stub.CreateTournament(verbs.CreateTournamentRequest(spec=other, request_id="once")))
    assert refused.reason == "REQUEST_ID_REUSED"


async def test_a_request_repeated_after_an_upgrade_of_the_rules_finds_its_tournament(
    stub: TournamentServiceAsyncStub, ledger: Ledger, tournament_id: str
) -> None:
    unplayable = Plan("fire_bulls", tuple(ENTRANTS), 2, blocks=6, seed=5, rules_version="fire_bulls@0")
    ledger.create(_id_of(tournament_id), stored_elsewhere(unplayable), 1000)
    assert await create_tournament(stub, tournament_id) == _id_of(tournament_id)
    assert ledger.tournament(_id_of(tournament_id)).plan == unplayable
    with pytest.raises(grpc.aio.AioRpcError, match="was given to another request"):
        await create_tournament(stub, tournament_id, seed=6)


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("spec.game", {"game": "chess"}),
        ("spec.entrants", {"entrants": ["random"] * 70}),
        ("spec.entrants[2]", {"entrants": ["strongest"]}),
        ("spec.entrants[2]", {"entrants": ["https://bots.example/"]}),
        ("spec.entrants[2]", {"entrants": ["bots.py:MyBot(depth=3)"]}),
        ("spec.entrants[2]", {"entrants": ["mcts:iterations=1000000,depth=10000"]}),
        ("spec.tableSize", {"table_size": 6}),
        ("spec.preset", {"preset": "nothing"}),
        ("spec.blocks", {"blocks": 1_000_001}),
        ("spec.blocks", {"blocks": 1_000_000, "entrants": ["random"] * 62, "table_size": 5}),
        ("spec.rounds", {"rounds": 3}),
        ("spec.name", {"name": "x" * 65}),
        ("spec.sprt", {"sprt": nouns.Sprt(elo0=5, elo1=5)}),
        ("spec.sprt", {"sprt": nouns.Sprt(elo1=5, alpha=0.5)}),
    ],
)
async def test_an_invalid_field_is_named(
    stub: TournamentServiceAsyncStub, field: str, changes: dict[str, object]
) -> None:
    spec = nouns.TournamentSpec()
    spec.CopyFrom(SPEC_MESSAGE)
    spec.MergeFrom(nouns.TournamentSpec(**changes))  # type: ignore[arg-type]
    refused = await refusal_of(stub.CreateTournament(verbs.CreateTournamentRequest(spec=spec)))
    assert (refused.code, refused.fields) == (grpc.StatusCode.INVALID_ARGUMENT, [field])


async def test_fault05_the_cost_limit_of_entrants_is_in_the_error(stub: TournamentServiceAsyncStub) -> None:
    await create_tournament(stub, entrants=["mcts:iterations=2000,depth=100"])
    with pytest.raises(grpc.aio.AioRpcError, match="iterations must be from 1 to 2000, not '2001'"):
        await create_tournament(stub, entrants=["mcts:iterations=2001"])


async def test_a_tournament_says_what_its_test_decided(stub: TournamentServiceAsyncStub, ledger: Ledger) -> None:
    tournament_id = await create_tournament(stub, blocks=1000, sprt=nouns.Sprt(elo1=100, beta=0.1))
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    chunk = Chunk(ledger.tournament(tournament_id).plan.to_json(), tuple([Block(index, (0, 1)) for index in range(20)]))
    ledger.record(tournament_id, token, first_entrant_wins(chunk).lines)
    progress = read_progress(ledger, ledger.tournament(tournament_id))
    ledger.publish(tournament_id, token, encode_standings(progress.standings.report()))
    found = (await stub.GetTournament(verbs.GetTournamentRequest(tournament_id=tournament_id))).tournament
    assert found.spec.sprt == nouns.Sprt(elo1=100, alpha=0.05, beta=0.1)
    assert found.standings.sprt.accepted == nouns.SPRT_HYPOTHESIS_H1
    assert found.detail == f"the SPRT accepted H1 after {found.standings.sprt.blocks} blocks"


async def test_an_unknown_tournament_is_not_found(stub: TournamentServiceAsyncStub) -> None:
    for call in (
        stub.GetTournament(verbs.GetTournamentRequest(tournament_id="nowhere")),
        stub.CancelTournament(verbs.CancelTournamentRequest(tournament_id="nowhere")),
        stub.ListResults(verbs.ListResultsRequest(tournament_id="nowhere")),
    ):
        refused = await refusal_of(call)
        assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_TOURNAMENT")


async def test_tournaments_are_listed_in_pages_newest_first(stub: TournamentServiceAsyncStub) -> None:
    tournament_ids = []
    for number in range(5):
        tournament_ids.append(await create_tournament(stub, seed=number))
        await asyncio.sleep(0.002)
    listed, token = [], ""
    for _ in range(3):
        page = await stub.ListTournaments(verbs.ListTournamentsRequest(page_size=2, page_token=token))
        listed += [each.tournament_id for each in page.tournaments]
        token = page.next_page_token
    assert listed[:5] == tournament_ids[::-1]


async def test_a_tournament_of_removed_rules_is_shown_as_it_was_played(
    stub: TournamentServiceAsyncStub, ledger: Ledger, tournament_id: str
) -> None:
    ledger.create(tournament_id, stored_elsewhere(UNKNOWN_RULES_PLAN), time.time_ns() // 1_000_000)
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    lines = results_newest_first(PLAYED, 2)
    ledger.record(tournament_id, token, lines)
    ledger.publish(tournament_id, token, nouns.Standings(blocks=2).SerializeToString())
    ledger.finish(tournament_id, token)
    found = await stub.GetTournament(verbs.GetTournamentRequest(tournament_id=tournament_id))
    assert (found.tournament.state, found.tournament.standings.blocks) == (nouns.TOURNAMENT_STATE_FINISHED, 2)
    assert await watched_revisions(stub, tournament_id, 0) == [(1, 1), (2, 0)]
    page = await stub.ListTournaments(verbs.ListTournamentsRequest(page_size=100))
    assert tournament_id in [each.tournament_id for each in page.tournaments]


@dataclass(frozen=True)
class NewerPlan(Plan):
    """The plan of a later version of the service, with a field that this version does not know."""

    handicap: int = 3


async def test_an_unreadable_tournament_does_not_hide_others_in_lists(
    stub: TournamentServiceAsyncStub, ledger: Ledger, tournament_id: str
) -> None:
    ids = [await create_tournament(stub)]
    ledger.create(
        tournament_id, stored_elsewhere(NewerPlan(**asdict(UNKNOWN_RULES_PLAN))), time.time_ns() // 1_000_000 + 1
    )
    pages = await stub.ListTournaments(verbs.ListTournamentsRequest(page_size=100))
    assert [each.tournament_id for each in pages.tournaments if each.tournament_id in (*ids, tournament_id)] == ids
    request = verbs.GetTournamentRequest(tournament_id=tournament_id)
    found = await refusal_of(stub.GetTournament(request))
    assert (found.reason, found.metadata["rulesVersion"]) == ("UNKNOWN_RULES", "fire_bulls@99")
    events = stub.WatchTournament(verbs.WatchTournamentRequest(tournament_id=tournament_id))
    assert (await refusal_of(events.read())).reason == "UNKNOWN_RULES"


class DeletingLedger(FileLedger):
    """Deletes its oldest tournament right after each list of them."""

    def positions(self, most: int, after: ListPosition = LIST_START) -> list[ListPosition]:
        found = super().positions(most, after)
        self.delete(found[-1].id)
        return found


async def test_a_tournament_deleted_while_listing_does_not_hide_others(tmp_path: Path) -> None:
    ledger = DeletingLedger(tmp_path / "ledger.db")
    for number, name in enumerate(("old", "new")):
        ledger.create(name, PLAYED, number)
    page = await Servicer(ledger).tournaments(verbs.ListTournamentsRequest(), "")
    assert [each.tournament_id for each in page.tournaments] == ["new"]
    ledger.close()


async def test_the_next_page_is_found_after_the_last_entry_of_the_page_is_deleted(
    stub: TournamentServiceAsyncStub, ledger: Ledger
) -> None:
    tournament_ids = []
    for seed in range(3):
        tournament_ids.append(await create_tournament(stub, seed=seed))
        await asyncio.sleep(0.002)
    first = await stub.ListTournaments(verbs.ListTournamentsRequest(page_size=2))
    ledger.delete(first.tournaments[1].tournament_id)
    second = await stub.ListTournaments(verbs.ListTournamentsRequest(page_size=1, page_token=first.next_page_token))
    assert [each.tournament_id for each in second.tournaments] == tournament_ids[:1]


@pytest.mark.parametrize("token", ["x", "x-cup", "1000", "1000-", "-cup", "1000000000000000-cup"])
async def test_an_invalid_page_token_is_refused(token: str, stub: TournamentServiceAsyncStub) -> None:
    refused = await refusal_of(stub.ListTournaments(verbs.ListTournamentsRequest(page_token=token)))
    assert refused.fields == ["pageToken"]
    refused = await refusal_of(stub.ListTournaments(verbs.ListTournamentsRequest(page_size=101)))
    assert refused.fields == ["pageSize"]


async def test_fault39_a_page_size_of_0_is_the_default_of_the_protos(stub: TournamentServiceAsyncStub) -> None:
    for number in range(21):
        await create_tournament(stub, request_id=str(number))
    page = await stub.ListTournaments(verbs.ListTournamentsRequest(page_size=0))
    assert len(page.tournaments) == 20
    listing = (verbs.ListTournamentsRequest(page_size=-1), verbs.ListTournamentsRequest(page_size=101))
    assert {(await refusal_of(stub.ListTournaments(request))).message for request in listing} == {
        "pageSize: 0 to 100, not -1",
        "pageSize: 0 to 100, not 101",
    }
    refused = await refusal_of(stub.ListResults(verbs.ListResultsRequest(tournament_id="x", page_size=1001)))
    assert refused.message == "pageSize: 0 to 1000, not 1001"


async def test_results_are_listed_in_pages_in_the_order_of_recording(
    stub: TournamentServiceAsyncStub, ledger: Ledger
) -> None:
    tournament_id = await create_tournament(stub)
    record_blocks(ledger, tournament_id, 5)
    listed, token = [], ""
    for _ in range(3):
        page = await stub.ListResults(
            verbs.ListResultsRequest(tournament_id=tournament_id, page_size=2, page_token=token)
        )
        listed += [result.block for result in page.results]
        token = page.next_page_token
    assert (listed, token) == ([4, 3, 2, 1, 0], "")
    first = page.results[0].matches[0]
    assert [seat.entrant for seat in first.seats] in ([0, 1], [1, 0])


async def test_a_watcher_is_refused_once_results_are_set_aside(
    stub: TournamentServiceAsyncStub, ledger: Ledger
) -> None:
    tournament_id = await create_tournament(stub)
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    lines = results_newest_first(ledger.tournament(tournament_id).plan, 3)
    ledger.record(tournament_id, token, lines[:2], worker="wrong")
    stream = stub.WatchTournament(verbs.WatchTournamentRequest(tournament_id=tournament_id))
    for _ in range(2):
        await stream.read()
    ledger.set_aside(tournament_id, token, WrongWorker("wrong", tournament_id, 1), [lines[1][0]])
    ledger.record(tournament_id, token, lines[1:])
    assert (await refusal_of(stream.read())).reason == "STALE_REVISION"


async def test_a_watcher_gets_every_result_once(stub: TournamentServiceAsyncStub, ledger: Ledger) -> None:
    tournament_id = await create_tournament(stub)
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    lines = results_newest_first(ledger.tournament(tournament_id).plan, 6)
    await asyncio.to_thread(ledger.record, tournament_id, token, lines[:2])
    watchers = [asyncio.create_task(watched_revisions(stub, tournament_id, after)) for after in (0, 1, 0)]
    for line in lines[2:]:
        await asyncio.sleep(0.1)
        await asyncio.to_thread(ledger.record, tournament_id, token, [line])
    await asyncio.to_thread(ledger.finish, tournament_id, token)
    everything = list(zip(range(1, 7), [index for index, _ in lines], strict=True))
    assert await asyncio.gather(*watchers) == [everything, everything[1:], everything]
    assert await watched_revisions(stub, tournament_id, 6) == []


async def watched_revisions(stub: TournamentServiceAsyncStub, tournament_id: str, after: int) -> list[tuple[int, int]]:
    request = verbs.WatchTournamentRequest(tournament_id=tournament_id, from_revision=after)
    return [(each.event.revision, each.event.result.block) async for each in stub.WatchTournament(request)]


async def test_cancelling_a_cancelled_tournament_changes_nothing(
    stub: TournamentServiceAsyncStub, ledger: Ledger
) -> None:
    tournament_id = await create_tournament(stub)
    record_blocks(ledger, tournament_id, 2)
    request = verbs.CancelTournamentRequest(tournament_id=tournament_id)
    states = {(await stub.CancelTournament(request)).tournament.state for _ in range(2)}
    assert states == {nouns.TOURNAMENT_STATE_CANCELLED}
    assert await watched_revisions(stub, tournament_id, 1) == [(2, 0)]
    assert tournament_id not in ledger.unfinished(1000)


async def test_with_api_keys_creating_and_cancelling_need_one(ledger: Ledger) -> None:
    key = "k" * 43
    servicer = Servicer(ledger, parse(f"organiser:{sha256(key.encode()).hexdigest()}"))
    server = grpc.aio.server()
    server.add_generic_rpc_handlers([servicer.handler()])
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = _service_stub(channel)
        request = verbs.CreateTournamentRequest(spec=SPEC_MESSAGE)
        for metadata in ((), (("x-api-key", "x" * 43),), (("authorization", f"Bearer {key}"),)):
            refused = await refusal_of(stub.CreateTournament(request, metadata=metadata))
            assert (refused.code, refused.metadata) == (grpc.StatusCode.UNAUTHENTICATED, {"credential": "apiKey"})
        created = await stub.CreateTournament(request, metadata=(("x-api-key", key),))
        cancel = verbs.CancelTournamentRequest(tournament_id=created.tournament_id)
        assert (await refusal_of(stub.CancelTournament(cancel))).code is grpc.StatusCode.UNAUTHENTICATED
        found = await stub.GetTournament(verbs.GetTournamentRequest(tournament_id=created.tournament_id))
        assert found.tournament.state == nouns.TOURNAMENT_STATE_PENDING
        await stub.CancelTournament(cancel, metadata=(("x-api-key", key),))
    await server.stop(1)


def play_tournament(spec: Spec) -> dict[int, BlockResult]:
    """What a whole tournament of two comes to, played here."""
    return {index: play_block(spec, Block(index, (0, 1))) for index in range(spec.blocks)}


class ServiceProcess(Process):
    """The tournaments service in a subprocess."""

    def __init__(self, redis_url: str) -> None:
        super().__init__(
            "tournaments", "--port", "0", "--workers", "1", REDIS_URL=redis_url, FIRESIDE_LEASE_SECONDS="2"
        )
        self.address = self.line(60).rsplit(" ", 1)[1]


BLOCKS = 24
"""More than a worker plays before four of them are seen."""


@pytest.mark.timeout(240)
async def test_a_killed_service_is_continued_by_another(tmp_path: Path) -> None:
    with redis_server(tmp_path, "--appendonly", "yes") as url:
        with ServiceProcess(url) as first:
            async with grpc.aio.insecure_channel(first.address) as channel:
                stub = _service_stub(channel)
                tournament_id = await create_tournament(stub, entrants=[], blocks=BLOCKS)
                second_id = await create_tournament(stub, seed=9)
                request = verbs.WatchTournamentRequest(tournament_id=tournament_id)
                before = []
                async for each in stub.WatchTournament(request):
                    before.append((each.event.revision, each.event.result.block))
                    if len(before) == 4:
                        first.kill()
                        break
        with ServiceProcess(url) as second:
            async with grpc.aio.insecure_channel(second.address) as channel:
                stub = _service_stub(channel)
                after = await watched_revisions(stub, tournament_id, before[-1][0])
                await watched_revisions(stub, second_id, 0)
                found = await stub.GetTournament(verbs.GetTournamentRequest(tournament_id=tournament_id))
                page = await stub.ListResults(verbs.ListResultsRequest(tournament_id=tournament_id, page_size=1000))
    tournament = found.tournament
    everything = before + after
    assert [revision for revision, _ in everything] == [*range(1, BLOCKS + 1)]
    assert sorted(block for _, block in everything) == [*range(BLOCKS)]
    assert (tournament.state, tournament.revision) == (nouns.TOURNAMENT_STATE_FINISHED, BLOCKS)
    assert (tournament.standings.blocks, tournament.standings.matches) == (BLOCKS, 2 * BLOCKS)
    spec = replace(_spec_of(tournament.spec), blocks=BLOCKS)
    expected = play_tournament(spec)
    for result in page.results:
        ranks = [[seat.rank for seat in match.seats] for match in result.matches]
        assert ranks == [list(match.ranks) for match in expected[result.block].matches]


def _spec_of(message: nouns.TournamentSpec) -> Spec:
    return Spec(message.game, tuple(message.entrants), message.table_size, seed=message.seed)


async def test_fault25_both_spellings_of_a_game_are_accepted(stub: TournamentServiceAsyncStub) -> None:
    for canonical_name in ("fire_bulls", "fire-bulls", "Fire-Bulls"):
        tournament_id = await create_tournament(stub, game=canonical_name)
        answer = await stub.GetTournament(verbs.GetTournamentRequest(tournament_id=tournament_id))
        assert answer.tournament.spec.game == "fire_bulls"


async def test_the_record_of_a_match_verifies(stub: TournamentServiceAsyncStub, ledger: Ledger) -> None:
    tournament_id = await create_tournament(stub)
    token = ledger.acquire(tournament_id, 60_000)
    assert token is not None
    result = play_block(ledger.tournament(tournament_id).plan.playable(), Block(4, (0, 1)))
    ledger.record(tournament_id, token, [(4, result.encode())], {4: result.encode_moves()})
    answer = await stub.GetTournamentRecord(verbs.GetTournamentRecordRequest(tournament_id=tournament_id, match=9))
    codec, record = read(answer.data)
    verify(codec, record)
    assert (answer.content_type, record.match_id) == ("application/json", f"{tournament_id}-9")
    assert len(record.events) == result.matches[1].moves


@pytest.mark.parametrize("match", [-1, 0, 3, 2_000_000_000])
async def test_a_match_without_stored_moves_has_no_record(
    match: int, stub: TournamentServiceAsyncStub, ledger: Ledger
) -> None:
    tournament_id = await create_tournament(stub)
    record_blocks(ledger, tournament_id, 1)  # the results alone
    refused = await refusal_of(
        stub.GetTournamentRecord(verbs.GetTournamentRecordRequest(tournament_id=tournament_id, match=match))
    )
    assert (refused.code, refused.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_MATCH")


async def test_a_tournament_of_other_rules_has_no_records(
    stub: TournamentServiceAsyncStub, ledger: Ledger, tournament_id: str
) -> None:
    ledger.create(tournament_id, stored_elsewhere(UNKNOWN_RULES_PLAN), 1000)
    request = verbs.GetTournamentRecordRequest(tournament_id=tournament_id)
    assert (await refusal_of(stub.GetTournamentRecord(request))).reason == "UNKNOWN_RULES"
