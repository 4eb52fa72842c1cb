"""Long computations that share the event loop in time slices: `BatchApply` on inline states, and `Sample`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final, Generic

from fireside.match.v1 import game_field_numbers as fields

from engine_core.game import NATURE, Over, Turn
from engine_core.match import Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.hints.view_seed import view_seed
from services.engine.inline.calls import InlineCalls
from services.engine.requests.checks import is_inline
from services.engine.requests.messages import ApplyRequest, SampleRequest
from services.engine.responses import Responses, repeated_field
from services.engine.wire import Writer
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest
from services.grpc_server.status import problem

SAMPLE_LABEL: Final = b"fireside/sample-seed/1/"


class BatchCalls(Generic[S, M, O, V]):
    """Serves `BatchApply` and `Sample`."""

    def __init__(
        self,
        codec: Codec[S, M, O, V],
        responses: Responses[S, M, O, V],
        inline: InlineCalls[S, M, O, V],
        long_work: LongWork,
    ) -> None:
        self._codec: Final = codec
        self._responses: Final = responses
        self._inline: Final = inline
        self._long_work: Final = long_work

    async def results(self, requests: Sequence[ApplyRequest], legal_moves: bool, encodings: bool) -> list[bytes]:
        """Make several moves, each with its own result: a refused one does not affect the others."""
        results = []
        async with self._long_work.share() as share:
            for apply in requests:
                results.append(self._result(apply, legal_moves, encodings))
                await share.pause()
        return results

    def _result(self, request: ApplyRequest, legal_moves: bool, encodings: bool) -> bytes:
        out = Writer()
        is_plain = not legal_moves and not encodings
        if is_plain and (response := self._inline.fast_apply(request.SerializeToString())) is not None:
            out.data(fields.BatchApplyResult.RESPONSE, response)
            return out.to_bytes()
        try:
            match, result = self._step(request, encodings)
        except Exception as error:  # an error in one move must not fail the others
            out.data(fields.BatchApplyResult.PROBLEM, problem(error).SerializeToString(deterministic=True))
            return out.to_bytes()
        if not encodings:
            out.data(fields.BatchApplyResult.RESPONSE, result)
        if legal_moves:
            for seat in _movers(match):
                out.data(fields.BatchApplyResult.LEGAL_MOVES, self._responses.legal_moves(match, seat, 0))
        if encodings:
            out.data(fields.BatchApplyResult.ENCODED, result)
        return out.to_bytes()

    def _step(self, request: ApplyRequest, encodings: bool) -> tuple[Match[S, M, O, V], bytes]:
        """The match after the move of a request, and the response or the encoded position."""
        if not is_inline(request):
            raise InvalidRequest("matchId", "not allowed in a batch, which is for inline states")
        return self._inline.encoded_step(request) if encodings else self._inline.apply_to_state(request)

    async def sample(self, request: SampleRequest, state: S, observer: int) -> bytes:
        """Full states consistent with the observer's view, drawn by the seed of the request or at random."""
        random = Random(view_seed(self._codec, SAMPLE_LABEL, request.seed, state, observer))
        samples = []
        async with self._long_work.share() as share:
            for _ in range(request.count):
                samples.append(self._codec.write_inline_state(self._codec.game.determinize(state, observer, random)))
                await share.pause()
        return repeated_field(samples)


def _movers(match: Match[S, M, O, V]) -> Iterable[int]:
    """The seats that are to move, or nature; none once the match is over."""
    phase = match.phase()
    if isinstance(phase, Turn):
        return phase.seats
    return () if isinstance(phase, Over) else (NATURE,)
