"""Client that computes its next view from its view, the rules and the next log line, without asking the service.

It draws worlds that look like its view, and makes in one of them the move of the line. What it would see then must be
what the service shows: so a line has all that changes, and no view has what no line has said.
"""

from __future__ import annotations

from random import Random

from google.protobuf.message import Message

from engine_core.game import NATURE, Move, State, is_in_audience
from engine_core.match import EPOCH, LEAVE, AnyMatch, Match
from services.engine.codecs import AnyCodec
from services.engine.records.replaying import Event

WORLD_COUNT = 20
"""Worlds that are drawn for a line until one has it: few have the card that another seat plays."""


class Imagined:
    """The views that one observer expects."""

    def __init__(self, codec: AnyCodec, observer: int, random: Random) -> None:
        self._codec, self._game, self._observer, self._random = codec, codec.game, observer, random

    def view_after(self, state: State, line: Event) -> Message | None:
        """The view after a line, made in a world that looks like `state`; None if none of the worlds has the line."""
        for _ in range(WORLD_COUNT):
            world = self._game.determinize(state, self._observer, self._random)
            after = self._state_after(world, line)
            if after is not None:
                return self._codec.encode_view(self._game.view(after, self._observer))
        return None

    def _state_after(self, world: State, line: Event) -> State | None:
        if not line.HasField("move"):
            return self._state_without_move(Match(self._game, world, None), line)
        seat = line.seat if line.HasField("seat") else NATURE
        for move in self._game.legal_moves(world, seat):
            if self._game.notation(self._seen(world, seat, move)) == line.notation:
                match: AnyMatch = Match(self._game, self._game.copy(world), None)
                [entry] = match.play(seat, move)
                if _is_same(self._codec.encode_event(entry, self._observer), line):
                    after: State = match.state
                    return after
        return None

    @staticmethod
    def _state_without_move(match: AnyMatch, line: Event) -> State:
        if line.notation == LEAVE:
            match.leave(line.seat)
        else:
            match.begin_epoch(line.notation.removeprefix(EPOCH))
        after: State = match.state
        return after

    def _seen(self, world: State, seat: int, move: Move) -> Move:
        """The move as the observer sees it: concealed if the observer is not in its audience."""
        audience = self._game.audience(world, seat, move)
        return move if is_in_audience(self._observer, audience) else self._game.conceal(world, seat, move)


def _is_same(made: Message, line: Event) -> bool:
    """Whether a line is the one that was received, reveals included; revisions and heads are the match's."""
    expected = type(made)()
    expected.CopyFrom(line)  # type: ignore[arg-type]
    for message in (made, expected):
        for name in ("revision", "head"):
            message.ClearField(name)
    return made == expected
