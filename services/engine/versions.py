"""The versions of one game's rules side by side: a call goes to the rules of the position that it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeAlias, cast

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services.engine.codec import Maker, ToldState
from services.engine.programs import REQUESTS_MOST
from services.engine.requests import ApplyRequest, BatchApplyRequest
from services.engine.servicer import Servicer
from services.engine.streams import joined
from services.feed import Feed
from services.rpc import AnyBehaviour, Asked, Behaviour, Replies, StreamBehaviour, service_handler

AnyServicer: TypeAlias = Servicer[Any, Any, Any, Any]


class BatchAnswer(Protocol):
    """The results of many moves."""

    results: Sequence[Message]


class Versions:
    """Servicers of one game, each for a version of its rules; matches are begun by the newest.

    What no version here can play goes to the newest too, which refuses it.
    """

    def __init__(self, servicers: Sequence[AnyServicer], feed: Feed) -> None:
        """At least one, from the oldest to the newest."""
        self._by_version: Final = {servicer.rules_version: servicer for servicer in servicers}
        self._newest: Final = servicers[-1]
        self._feed: Final = feed
        batch = self._newest.service.methods_by_name["BatchApply"]
        self._batch_request: Final[Maker] = GetMessageClass(batch.input_type)
        self._batch_answer: Final[Maker] = GetMessageClass(batch.output_type)

    def handler(self) -> grpc.GenericRpcHandler:
        """The game's service, ready to be added to a server."""
        behaviours: dict[str, AnyBehaviour] = {name: self._sent_on(name) for name in self._newest.behaviours()}
        behaviours["NewGame"] = cast(Behaviour, self._newest.new_game)
        behaviours["BatchApply"] = cast(Behaviour, self.batch_apply)
        behaviours["Watch"] = self.watch
        behaviours["Play"] = self.play
        return service_handler(self._newest.service, behaviours, ["NewGame"])

    def _sent_on(self, name: str) -> Behaviour:
        tables = {version: servicer.behaviours() for version, servicer in self._by_version.items()}

        async def behave(request: Message, authorization: str) -> Message:
            servicer = await self._of_request(request)
            return await tables[servicer.rules_version][name](request, authorization)

        return behave

    async def watch(self, request: Message, authorization: str, replies: Replies) -> None:
        """The log behind a revision, then each line as it is added, until the match is over."""
        with self._feed.place():
            servicer = await self._of_request(request)
            await cast(StreamBehaviour, servicer.streams.watch)(request, authorization, replies)

    async def play(self, asked: Asked, authorization: str, replies: Replies) -> None:
        """Ask a seat whenever it is to move, and make the moves that it answers with, until the match is over."""
        with self._feed.place():
            join = await joined(asked)
            servicer = await self._of_match(join.match_id)
            await servicer.streams.play(join, asked, authorization, replies)

    async def batch_apply(self, request: BatchApplyRequest, authorization: str) -> Message:
        """Make many moves on inline states, each by the rules of its own."""
        numbers: dict[str, list[int]] = {}
        for number, apply in enumerate(request.requests):
            numbers.setdefault(self._of_state(apply).rules_version, []).append(number)
        if len(numbers) <= 1 or len(request.requests) > REQUESTS_MOST:
            servicer = self._by_version[next(iter(numbers))] if numbers else self._newest
            return await servicer.batch_apply(request, authorization)
        results: list[Message] = [*cast(Sequence[Message], request.requests)]  # each is replaced below
        for version, those in numbers.items():
            for number, result in zip(those, await self._part(request, version, those), strict=True):
                results[number] = result
        return self._batch_answer(results=results)

    async def _part(self, request: BatchApplyRequest, version: str, those: Sequence[int]) -> Sequence[Message]:
        requests = [request.requests[number] for number in those]
        part = cast(BatchApplyRequest, self._batch_request(requests=requests, legal_moves=request.legal_moves))
        return cast(BatchAnswer, await self._by_version[version].batch_apply(part, "")).results

    async def _of_request(self, request: Message) -> AnyServicer:
        if "state" in request.DESCRIPTOR.fields_by_name and request.HasField("state"):
            return self._of_state(cast(ApplyRequest, request))
        return await self._of_match(cast(ApplyRequest, request).match_id)

    def _of_state(self, request: ApplyRequest) -> AnyServicer:
        state = cast(ToldState, request.state)
        return self._by_version.get(state.rules_version or self._newest.first_rules_version, self._newest)

    async def _of_match(self, match_id: str) -> AnyServicer:
        """The version never changes, so it may be asked for before the match itself."""
        if len(self._by_version) == 1 or not match_id:
            return self._newest
        return self._by_version.get(await self._newest.begun_by(match_id), self._newest)
