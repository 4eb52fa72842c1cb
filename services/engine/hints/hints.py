"""Hints: a bot's value of each legal move of a seat, computed in time slices from what the seat knows."""

from __future__ import annotations

from random import Random
from typing import Final, Generic, cast

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from engine_core.bots import Limits, UnknownBot, evaluator_named
from engine_core.bots.bot import EvaluatedMove, Evaluator, Steps
from engine_core.bots.observation import Observation
from services.bots.names import MAX_BOT_NAME_LENGTH
from services.engine.codec import Codec, M, MessageClass, O, S, V
from services.engine.hints.view_seed import view_seed
from services.engine.presentation.views import offer_view
from services.engine.requests.checks import MAX_SEED, check_text
from services.engine.requests.messages import HintRequest
from services.grpc_server.admission.caller_queues import CallerQueues
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest

DEFAULT_BOT: Final = "mcts"
HINT_LABEL: Final = b"fireside/hint-seed/1/"
MAX_WAITING: Final = 8
"""Number of hints of one caller that wait or are computed; one takes at most one to three seconds."""


class Hints(Generic[S, M, O, V]):
    """Values the legal moves of positions of one version of a game."""

    def __init__(self, codec: Codec[S, M, O, V], limits: Limits, long_work: LongWork) -> None:
        """`limits` are those of the bots that clients name."""
        self._codec: Final = codec
        self._limits: Final = limits
        self._long_work: Final = long_work
        self.queues: Final = CallerQueues("hints", MAX_WAITING)
        """Where calls wait, before they log a hint that might then be refused."""
        response = codec.service.methods_by_name["Hint"].output_type
        self._response: Final[MessageClass] = GetMessageClass(response)

    def evaluator(self, request: HintRequest) -> Evaluator:
        """The bot that a request names. Raises `InvalidRequest`, also for a seed that is too long."""
        check_text(request.seed, MAX_SEED, "seed")
        check_text(request.bot, MAX_BOT_NAME_LENGTH, "bot")
        try:
            return evaluator_named(request.bot or DEFAULT_BOT, self._limits)
        except UnknownBot as error:
            raise InvalidRequest("bot", str(error)) from None

    async def hint(self, request: HintRequest, evaluator: Evaluator, state: S, revision: int, seat: int) -> Message:
        """The response: every legal move of a seat with its value; none if it is not to move.

        Nobody may change the state meanwhile.
        """
        game = self._codec.game
        evaluated: list[EvaluatedMove] = []
        if game.legal_moves(state, seat):
            offer_view(game, state, seat)
            random = Random(view_seed(self._codec, HINT_LABEL, request.seed, state, seat))
            evaluated = await self._in_slices(evaluator.evaluate(Observation(game, state, seat), random))
        moves = [self._move_hint(cast(M, each.move), each) for each in evaluated]
        return self._response(revision=revision, seat=seat, bot=request.bot or DEFAULT_BOT, moves=moves)

    def _move_hint(self, move: M, evaluated: EvaluatedMove) -> dict[str, object]:
        legal = {"move": self._codec.encode_move(move), "notation": self._codec.game.notation(move)}
        return {"move": legal, "value": evaluated.value, "visits": evaluated.visits, "best": evaluated.is_best}

    async def _in_slices(self, steps: Steps[list[EvaluatedMove]]) -> list[EvaluatedMove]:
        async with self._long_work.share() as share:
            while True:
                try:
                    next(steps)
                except StopIteration as end:
                    evaluated: list[EvaluatedMove] = end.value
                    return evaluated
                await share.pause()
