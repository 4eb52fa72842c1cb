"""Routes each call to the servicer of the rules version of its match or state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

import grpc
from google.protobuf.message import Message

from runtime.api_keys import HOST_METHODS, KEY_METHODS
from services.engine.codec import StateMessage
from services.engine.matches.listing import MatchListing
from services.engine.requests.checks import check_batch
from services.engine.requests.messages import ApplyRequest, BatchApplyRequest, ReplayRequest, WatchRequest
from services.engine.responses import repeated_field
from services.engine.servicer import Servicer
from services.engine.streams import read_join
from services.grpc_server.calls import (
    AnyBehaviour,
    Behaviour,
    NextRequest,
    ResponseStream,
    StreamBehaviour,
    service_handler,
)
from services.watch.feed import Feed

AnyServicer: TypeAlias = Servicer[Any, Any, Any, Any]


class VersionRouter:
    """The servicers of all versions of one game's rules; new matches get the newest version.

    A call for a version that is not served goes to the newest too, which refuses it.
    """

    def __init__(self, servicers: Sequence[AnyServicer], feed: Feed, listing: MatchListing) -> None:
        """`servicers`: at least one, from the oldest version to the newest."""
        self._by_version: Final = {servicer.rules_version: servicer for servicer in servicers}
        self._newest: Final = servicers[-1]
        self._feed: Final = feed
        self._listing: Final = listing

    def handler(self) -> grpc.GenericRpcHandler:
        """The game's service, ready to be added to a server."""
        behaviours: dict[str, AnyBehaviour] = {name: self._route_by_version(name) for name in self._newest.behaviours()}
        behaviours["GetComponents"] = cast(Behaviour, self._newest.get_components)
        behaviours["NewGame"] = cast(Behaviour, self._newest.new_game)
        behaviours["ListMatches"] = cast(Behaviour, self._listing.list_matches)
        behaviours["BatchApply"] = cast(Behaviour, self.batch_apply)
        behaviours["Watch"] = self.watch
        behaviours["Play"] = self.play
        # With several versions the bytes would have to be parsed first, to know which one the state is of.
        fast_path = self._newest.fast_paths() if len(self._by_version) == 1 else {}
        return service_handler(self._newest.service, behaviours, KEY_METHODS, HOST_METHODS, fast_path)

    def _route_by_version(self, name: str) -> Behaviour:
        tables = {servicer: servicer.behaviours()[name] for servicer in self._by_version.values()}
        if len(tables) == 1:  # no router around the usual case
            return tables[self._newest]
        if name == "Replay":
            return self._routed_by_record(tables)
        inline = "state" in self._newest.service.methods_by_name[name].input_type.fields_by_name

        async def behave(request: Message, authorization: str) -> Message | bytes:
            if inline and request.HasField("state"):
                servicer = self._servicer_of_state(cast(ApplyRequest, request))
            else:
                servicer = await self._servicer_of_match(cast(ApplyRequest, request).match_id)
            return await tables[servicer](request, authorization)

        return behave

    def _routed_by_record(self, tables: Mapping[AnyServicer, Behaviour]) -> Behaviour:
        async def behave(request: Message, authorization: str) -> Message | bytes:
            servicer = self._servicer_of_rules(cast(ReplayRequest, request).record.rules_version)
            return await tables[servicer](request, authorization)

        return behave

    async def watch(self, request: Message, authorization: str, responses: ResponseStream) -> None:
        """Watch a match with its version."""
        with self._feed.stream_slot():
            servicer = await self._servicer_of_match(cast(WatchRequest, request).match_id)
            await cast(StreamBehaviour, servicer.streams.watch)(request, authorization, responses)

    async def play(self, next_request: NextRequest, authorization: str, responses: ResponseStream) -> None:
        """Play a seat with the version of its match."""
        with self._feed.stream_slot():
            join = await read_join(next_request)
            servicer = await self._servicer_of_match(join.match_id)
            await servicer.streams.play(join, next_request, authorization, responses)

    async def batch_apply(self, request: BatchApplyRequest, authorization: str) -> bytes:
        """Make several moves on inline states, each with the version of its state."""
        if len(self._by_version) == 1:
            return await self._newest.batch_apply(request, authorization)
        check_batch(request.requests)
        version_numbers: dict[AnyServicer, list[int]] = {}
        for number, apply in enumerate(request.requests):
            version_numbers.setdefault(self._servicer_of_state(apply), []).append(number)
        results = [b""] * len(request.requests)
        for servicer, part_numbers in version_numbers.items():
            part_requests = [request.requests[number] for number in part_numbers]
            part = await servicer.results(part_requests, request.legal_moves, request.encodings)
            for number, result in zip(part_numbers, part, strict=True):
                results[number] = result
        return repeated_field(results)

    def _servicer_of_state(self, request: ApplyRequest) -> AnyServicer:
        return self._servicer_of_rules(cast(StateMessage, request.state).rules_version)

    def _servicer_of_rules(self, rules_version: str) -> AnyServicer:
        return self._by_version.get(rules_version or self._newest.first_rules_version, self._newest)

    async def _servicer_of_match(self, match_id: str) -> AnyServicer:
        """The servicer of a match, whose version never changes and so may be read first."""
        if len(self._by_version) == 1 or not match_id:  # saves an HGET
            return self._newest
        return self._by_version.get(await self._newest.rules_version_of(match_id), self._newest)
