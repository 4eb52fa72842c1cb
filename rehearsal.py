"""What engines, bots and gateways do all day, done for a few seconds, and the same each time.

A build that can learn from it runs it on what it has compiled, to see which ways are often gone (`setup.py`).
"""

from __future__ import annotations

from random import Random
from typing import Final, cast

from google.protobuf.message_factory import GetMessageClass

from engine_core.bots import bot_named
from engine_core.bots.observation import Observation
from engine_core.chance import SECRET_BYTES, Luck
from engine_core.explore import playout
from engine_core.game import Options
from engine_core.match import AnyMatch, Match
from gateway import protojson
from services.engine import wire
from services.engine.codecs import VERSIONS, AnyCodec
from services.engine.inline.fast_path import MOVE, STATE, InlineMoves
from services.engine.inline.state_cache import Positions
from services.engine.responses import INLINE, Responses

PLAYOUTS: Final = 20
TURNS_MOST: Final = 200
SLOW: Final = 20
"""What takes long is done in one of so many turns."""
LABEL: Final = "rehearsal"


class Rehearsal:
    """Everything that is done with the matches of one version of a game."""

    def __init__(self, codec: AnyCodec) -> None:
        self._codec: Final = codec
        self._game: Final = codec.game
        self._responses: Final = Responses(codec)
        self._positions: Final = Positions(codec)
        self._inline: Final = InlineMoves(codec, self._responses, self._positions)
        self._methods: Final = codec.service.methods_by_name
        self._random: Final = Random(LABEL)
        self._bot: Final = bot_named("mcts:iterations=20")

    def matches(self) -> None:
        """Play some with all options that have a name, for few and for many seats."""
        for options in self._game.presets().values():
            for seats in (self._game.min_seats, self._game.max_seats):
                self._match(seats, options)
                for _ in range(PLAYOUTS):
                    playout(self._game, self._game.start(seats, options), self._random)

    def _match(self, seats: int, options: Options) -> None:
        match: AnyMatch = Match(self._game, self._game.start(seats, options), Luck(bytes(SECRET_BYTES), [LABEL]))
        match.begin()
        for turn in range(TURNS_MOST):
            if not match.to_move():
                break
            self._turn(match, match.to_move()[0], turn % SLOW == 0)

    def _turn(self, match: AnyMatch, seat: int, slow: bool) -> None:
        self._answer("LegalMoves", self._responses.legal_moves(match, seat, 0))
        self._responses.turn(match, seat, INLINE)
        if slow:
            self._bot.choose(Observation(self._game, match.state, seat), self._random)
            self._codec.check(self._codec.decode_state(self._codec.write_state(match.state)))
        self._game.determinize(match.state, seat, self._random)
        move = self._random.choice(match.legal_moves(seat))
        self._move_inline(match, seat, self._codec.write_move(move))
        for entry in match.play(seat, move):
            self._codec.log_entry(entry)

    def _move_inline(self, match: AnyMatch, seat: int, move: bytes) -> None:
        """A move by a request that holds the state, which is known."""
        told = self._codec.write_told_state(match.state)
        self._positions.keep(told, self._game.copy(match.state))
        kind = self._methods["Apply"].input_type
        request = GetMessageClass(kind)(seat=seat, seed=LABEL)
        request.MergeFromString(wire.data(STATE, told) + wire.data(MOVE, move))
        as_json = cast(dict[str, object], protojson.parse_json(protojson.format(request)))
        answer = self._inline.fast_apply(protojson.write(as_json, kind))
        assert answer is not None, "a request that is to be answered at once is not"
        self._answer("Apply", answer)

    def _answer(self, method: str, answer: bytes) -> None:
        protojson.print_bytes(answer, self._methods[method].output_type)


if __name__ == "__main__":
    for version in VERSIONS.values():
        Rehearsal(version).matches()
