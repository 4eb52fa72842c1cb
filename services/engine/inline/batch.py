"""The calls for programs: many moves at once, nature moved by hand, and states that look the same."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Final, Generic, TypeVar

from fireside.fire_bulls.v1 import field_numbers as fields  # those of every game alike: test_shape.py
from fireside.match.v1.match_pb2 import Chance

from engine_core.game import NATURE, Move, Options, Over, State, Turn, View
from engine_core.match import Match
from services.engine.codec import Codec
from services.engine.requests import (
    ApplyRequest,
    LegalMovesRequest,
    NewGameRequest,
    SampleRequest,
)
from services.engine.responses import Responses, repeated
from services.engine.wire import Writer
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest
from services.grpc_server.problems import problem

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)

REQUESTS_MOST: Final = 1024
SAMPLES_MOST: Final = 1000
CHANCES: Final = frozenset(Chance.values())
SAMPLE_LABEL: Final = b"fireside/sample-seed/1/"


class BatchCalls(Generic[S, M, O, V]):
    """Answers the calls that only programs make.

    `play` makes a move on an inline state: the match, and the answer. `fast_apply` has the answer alone, or None.
    """

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        responses: Responses[S, M, O, V],
        play: Callable[[ApplyRequest], tuple[Match[S, M, O, V], bytes]],
        fast_apply: Callable[[bytes], bytes | None],
        long_work: LongWork,
    ) -> None:
        self._codec: Final = codec
        self._responses: Final = responses
        self._play: Final = play
        self._fast_apply: Final = fast_apply
        self._long_work: Final = long_work

    async def results(self, requests: Sequence[ApplyRequest], legal_moves: bool) -> list[bytes]:
        """Make many moves, each answered for itself: one that is refused does not touch the others."""
        results = []
        async with self._long_work.share() as share:
            for apply in requests:
                results.append(self._result(apply, legal_moves))
                await share.pause()
        return results

    def _result(self, request: ApplyRequest, legal_moves: bool) -> bytes:
        out = Writer()
        if not legal_moves and (response := self._fast_apply(request.SerializeToString())) is not None:
            out.data(fields.BatchApplyResult.RESPONSE, response)
            return out.done()
        try:
            match, answer = self._play(request)
        except Exception as error:
            out.data(fields.BatchApplyResult.PROBLEM, problem(error).SerializeToString(deterministic=True))
            return out.done()
        out.data(fields.BatchApplyResult.RESPONSE, answer)
        if legal_moves:
            for seat in _movers(match):
                out.data(fields.BatchApplyResult.LEGAL_MOVES, self._responses.legal_moves(match, seat, 0))
        return out.done()

    async def sample(self, request: SampleRequest, state: S, observer: int) -> bytes:
        """States that look the same to the observer, from the seed of the request or at random."""
        random = Random(self._seed(request.seed, state, observer))
        samples = []
        async with self._long_work.share() as share:
            for _ in range(request.count):
                samples.append(self._codec.write_inline_state(self._codec.game.determinize(state, observer, random)))
                await share.pause()
        return repeated(samples)

    def _seed(self, seed: str, state: S, observer: int) -> bytes:
        """What the draws begin from. Of the state only the view has a part in it: it would tell the rest otherwise."""
        if not seed:
            return secrets.token_bytes(hashlib.sha256().digest_size)
        view = self._codec.write_view(self._codec.game.view(state, observer))
        return hashlib.sha256(SAMPLE_LABEL + hashlib.sha256(seed.encode()).digest() + view).digest()


def _movers(match: Match[S, M, O, V]) -> Iterable[int]:
    """The seats that are to move, or nature; nobody once the match is over."""
    phase = match.phase()
    if isinstance(phase, Turn):
        return phase.seats
    return () if isinstance(phase, Over) else (NATURE,)


def check_number(requests: Sequence[ApplyRequest]) -> None:
    """Raise `InvalidRequest` for a number of moves that is not offered."""
    if not 1 <= len(requests) <= REQUESTS_MOST:
        raise InvalidRequest("requests", f"1 to {REQUESTS_MOST}, not {len(requests)}")


def check_count(request: SampleRequest) -> None:
    """Raise `InvalidRequest` for a number of samples that is not offered."""
    if not 1 <= request.count <= SAMPLES_MOST:
        raise InvalidRequest("count", f"1 to {SAMPLES_MOST}, not {request.count}")


def is_by_hand(request: NewGameRequest | ApplyRequest) -> bool:
    """Whether the caller moves nature. Raises `InvalidRequest` for a chance that there is not."""
    if request.chance not in CHANCES:
        raise InvalidRequest("chance", "there is no such value")
    return request.chance == Chance.CHANCE_MANUAL


def check_seed_by_hand(seed: str, field: str) -> None:
    """Raise `InvalidRequest` for a seed that would be ignored, since the caller moves nature."""
    if seed:
        raise InvalidRequest(field, "nature is moved by hand, and draws from no seed")


def refuse_by_hand(request: NewGameRequest | ApplyRequest) -> None:
    """Raise `InvalidRequest` where the caller would move nature in a stored match."""
    if is_by_hand(request):
        raise InvalidRequest("chance", "the nature of a stored match is moved by the service")


def refuse_nature(request: LegalMovesRequest | ApplyRequest) -> None:
    """Raise `InvalidRequest` for a call in nature's place on a stored match."""
    if request.nature:
        raise InvalidRequest("nature", "of an inline state only")
