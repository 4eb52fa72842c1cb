"""gRPC servicer of the TournamentService: creates, lists, cancels and watches tournaments in a ledger."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, cast

import grpc
from fireside.tournament.v1 import tournament_pb2, tournament_service_pb2
from google.api.httpbody_pb2 import HttpBody

from engine_core.errors import StaleRevision
from runtime.api_keys import ApiKeys
from services.bots.remote.allowed import BotAddress
from services.grpc_server.auth import check_api_key
from services.grpc_server.calls import AnyBehaviour, ResponseStream, service_handler
from services.grpc_server.errors import InvalidRequest, RequestIdReused, UnknownMatch, UnknownRules, UnknownTournament
from services.tournaments import messages
from services.tournaments.ledger.async_ledger import AsyncLedger
from services.tournaments.ledger.ledger import LIST_START, Ledger, ListPosition, Status, StoredResult, Tournament
from services.tournaments.plan.plan import Spec
from services.tournaments.records import replay_match
from services.tournaments.results.results import BlockResult
from services.tournaments.watch import TournamentWatch, WatchedTournament

SERVICE: Final = tournament_service_pb2.DESCRIPTOR.services_by_name["TournamentService"]

MAX_REQUEST_ID_LENGTH: Final = 64
ID_LABEL: Final = b"fireside/tournament/id/1/"
ID_LENGTH: Final = 16
TOURNAMENTS_A_PAGE: Final = (20, 100)
RESULTS_A_PAGE: Final = (100, 1000)
"""Page sizes: the default, for a `page_size` of 0, and the greatest."""
KEY_METHODS: Final = ("CreateTournament", "CancelTournament")
RESULTS_PER_READ: Final = 128
"""How many results are read from the ledger at once for a watcher."""


class Servicer:
    """The methods of the TournamentService over a ledger; it plays no matches itself."""

    def __init__(self, ledger: Ledger, keys: ApiKeys | None = None, remote_bots: Sequence[BotAddress] = ()) -> None:
        """With `keys`, Create and Cancel require one of them; `remote_bots` are the addresses that may be called."""
        self._remote_bots: Final = remote_bots
        self._keys: Final = keys or ApiKeys()
        self._async_ledger: Final = AsyncLedger(ledger)
        self._watch: Final = TournamentWatch(self._async_ledger)

    def handler(self) -> grpc.GenericRpcHandler:
        """The gRPC handler of the service, to be added to a server."""
        behaviours: Mapping[str, object] = {
            "CreateTournament": self.create,
            "GetTournament": self.tournament,
            "ListTournaments": self.tournaments,
            "CancelTournament": self.cancel,
            "ListResults": self.results,
            "GetTournamentRecord": self.record,
            "WatchTournament": self.watch,
        }
        return service_handler(SERVICE, cast(dict[str, AnyBehaviour], behaviours), KEY_METHODS)

    async def create(
        self, request: tournament_service_pb2.CreateTournamentRequest, api_key: str
    ) -> tournament_service_pb2.CreateTournamentResponse:
        """Create a tournament; a repeated request id returns the tournament that it created."""
        self._check(api_key)
        _check_request_id(request.request_id)
        spec = await asyncio.to_thread(messages.decode_spec, request.spec, self._remote_bots)
        tournament_id = (
            _id_of(request.request_id, self._keys.holder(api_key))
            if request.request_id
            else secrets.token_hex(ID_LENGTH // 2)
        )
        await self._async_ledger.create(tournament_id, spec, time.time_ns() // 1_000_000)
        tournament = await self._async_ledger.tournament(tournament_id)
        if not messages.is_same_request(tournament.plan, spec):
            raise RequestIdReused(request.request_id)
        return tournament_service_pb2.CreateTournamentResponse(
            tournament_id=tournament_id, tournament=messages.encode_with_standings(tournament)
        )

    def _check(self, api_key: str) -> None:
        if self._keys:
            check_api_key(self._keys, api_key, "creating and cancelling tournaments requires an API key")

    async def tournament(
        self, request: tournament_service_pb2.GetTournamentRequest, authorization: str
    ) -> tournament_service_pb2.GetTournamentResponse:
        """A tournament with its current state and the standings that were published last."""
        return tournament_service_pb2.GetTournamentResponse(
            tournament=await self._with_standings(request.tournament_id)
        )

    async def _with_standings(self, tournament_id: str) -> tournament_pb2.Tournament:
        return messages.encode_with_standings(await self._async_ledger.tournament(tournament_id))

    async def tournaments(
        self, request: tournament_service_pb2.ListTournamentsRequest, authorization: str
    ) -> tournament_service_pb2.ListTournamentsResponse:
        """A page of tournaments, without those of unknown rules; the page token is the last position of a page."""
        size = _page_size(request.page_size, TOURNAMENTS_A_PAGE)
        positions = await self._async_ledger.newest(size + 1, _parse_position(request.page_token))
        listed = []
        for position in positions[:size]:
            with suppress(UnknownRules, UnknownTournament):  # it may have been deleted since its position was read
                listed.append(messages.encode_tournament(await self._async_ledger.tournament(position.id)))
        return tournament_service_pb2.ListTournamentsResponse(
            tournaments=listed, next_page_token=_format_position(positions[size - 1]) if len(positions) > size else ""
        )

    async def cancel(
        self, request: tournament_service_pb2.CancelTournamentRequest, api_key: str
    ) -> tournament_service_pb2.CancelTournamentResponse:
        """Cancel a tournament, unless it has ended."""
        self._check(api_key)
        _check_request_id(request.request_id)
        await self._async_ledger.cancel(request.tournament_id)
        return tournament_service_pb2.CancelTournamentResponse(
            tournament=await self._with_standings(request.tournament_id)
        )

    async def results(
        self, request: tournament_service_pb2.ListResultsRequest, authorization: str
    ) -> tournament_service_pb2.ListResultsResponse:
        """A page of results in the order in which they were recorded; the page token is an offset."""
        size = _page_size(request.page_size, RESULTS_A_PAGE)
        first = _parse_offset(request.page_token)
        await self._async_ledger.tournament(request.tournament_id)
        lines = await self._async_ledger.lines(request.tournament_id, first, size + 1)
        return tournament_service_pb2.ListResultsResponse(
            results=[_result(line) for line in lines[:size]],
            next_page_token=str(first + size) if len(lines) > size else "",
        )

    async def record(self, request: tournament_service_pb2.GetTournamentRecordRequest, authorization: str) -> HttpBody:
        """The record of a match, replayed from its moves in a thread."""
        tournament_id = request.tournament_id
        tournament = await self._async_ledger.tournament(tournament_id)
        if not isinstance(tournament.plan, Spec):
            raise UnknownRules("", tournament.plan.rules_version)
        spec, (index, number) = tournament.plan, divmod(request.match, tournament.plan.table_size)
        stored = await self._async_ledger.block(tournament_id, index)
        if stored is None:
            raise UnknownMatch(f"{tournament_id}-{request.match}")
        result, moves = BlockResult.decode(index, stored[0]), stored[1]
        replayed = await asyncio.to_thread(replay_match, tournament_id, spec, result, moves, number)
        record = await asyncio.to_thread(replayed.record)
        return HttpBody(content_type="application/json", data=record.encode())

    async def watch(
        self, request: tournament_service_pb2.WatchTournamentRequest, authorization: str, responses: ResponseStream
    ) -> None:
        """Stream the results after a revision, then each new one as it is recorded, until the tournament has ended."""
        after = request.from_revision
        if after < 0:
            raise InvalidRequest("fromRevision", "it must not be below 0")
        tournament = await self._async_ledger.tournament(request.tournament_id)
        if after > tournament.done:
            raise StaleRevision(after, tournament.done)
        if after == tournament.done and tournament.status is not Status.RUNNING:
            return  # before `begin`: a stream that was never begun says to the client that nothing more will come
        async with self._watch.follow(request.tournament_id) as watched:
            await responses.begin()
            await self._send_results(tournament, after, watched, responses)

    async def _send_results(
        self, tournament: Tournament, after: int, watched: WatchedTournament, responses: ResponseStream
    ) -> None:
        """Send results until the end. Raises `StaleRevision` when results sent earlier may have been set aside."""
        while True:
            if watched.failure is not None:
                raise watched.failure
            if watched.set_aside > tournament.set_aside:
                raise StaleRevision(after, watched.done)
            if after >= watched.done:
                if watched.ended:
                    return
                await watched.changed.wait()
                continue
            lines = await self._async_ledger.lines(tournament.id, after, RESULTS_PER_READ)
            if not lines:
                await watched.changed.wait()  # the ledger lost results, as after a restore: wait for the next poll
            for line in lines:
                after += 1
                event = tournament_pb2.TournamentEvent(revision=after, result=_result(line))
                response = tournament_service_pb2.WatchTournamentResponse(event=event)
                await responses.send(response.SerializeToString())

    async def close(self) -> None:
        """End all watch streams."""
        await self._watch.close()


def _result(line: StoredResult) -> tournament_pb2.BlockResult:
    return messages.encode_result(BlockResult.decode(*line))


def _check_request_id(request_id: str) -> None:
    if len(request_id) > MAX_REQUEST_ID_LENGTH:
        raise InvalidRequest("requestId", f"it must not be longer than {MAX_REQUEST_ID_LENGTH} characters")


def _id_of(request_id: str, holder: str = "") -> str:
    """The tournament id derived from a request id and the holder of the API key, so that no two of them can collide."""
    scope = hashlib.sha256(holder.encode()).digest() if holder else b""
    return hashlib.sha256(ID_LABEL + scope + request_id.encode()).hexdigest()[:ID_LENGTH]


def _page_size(requested: int, sizes: tuple[int, int]) -> int:
    usual, most = sizes
    if not 0 <= requested <= most:
        raise InvalidRequest("pageSize", f"0 to {most}, not {requested}")
    return requested or usual


def _format_position(position: ListPosition) -> str:
    return f"{position.created_ms}-{position.id}"


def _parse_position(token: str) -> ListPosition:
    if not token:
        return LIST_START
    created_ms, _, tournament_id = token.partition("-")
    if not (_is_number(created_ms, digits=15) and tournament_id):
        raise _unknown_page()
    return ListPosition(int(created_ms), tournament_id)


def _parse_offset(token: str) -> int:
    if token and not _is_number(token, digits=9):
        raise _unknown_page()
    return int(token or 0)


def _is_number(text: str, digits: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= digits


def _unknown_page() -> InvalidRequest:
    return InvalidRequest("pageToken", "no page has given it")
