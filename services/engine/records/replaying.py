"""Positions of the past: replays the first lines of a log, of a stored match or of a record that a client sends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Generic, Protocol, cast

from google.protobuf.message import Message

from engine_core.errors import GameError
from engine_core.game import NATURE
from engine_core.match import Match
from services.engine.codec import EPOCH, LEAVE, Codec, M, O, S, V
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest, ServiceError


class Event(Protocol):
    """What the `Event` messages of all games have in common."""

    seat: int
    move: Message
    notation: str

    def HasField(self, field_name: str, /) -> bool: ...


class Replays(Generic[S, M, O, V]):
    """Replays matches of one version of a game, in time slices."""

    def __init__(self, codec: Codec[S, M, O, V], long_work: LongWork) -> None:
        self._codec: Final = codec
        self._long_work: Final = long_work

    async def match_after(self, seats: int, options: Message, events: Iterable[Message]) -> Match[S, M, O, V]:
        """The match after these events, which have all moves in full; it draws nothing.

        Raises `InvalidRequest` for an event that cannot follow, `InvalidOption` for options that no match has.
        """
        game = self._codec.game
        match: Match[S, M, O, V] = Match(game, game.start(seats, self._codec.decode_options(options)), None)
        async with self._long_work.share() as share:
            for number, event in enumerate(events):
                try:
                    self._replay(match, cast(Event, event))
                except (GameError, ServiceError) as error:
                    raise InvalidRequest(f"record.events[{number}]", str(error)) from None
                await share.pause()
        return match

    def _replay(self, match: Match[S, M, O, V], event: Event) -> None:
        if event.HasField("move"):
            seat = event.seat if event.HasField("seat") else NATURE
            match.play(seat, self._codec.decode_move(event.move))
        elif event.HasField("seat") and event.notation == LEAVE:
            match.leave(event.seat)
        elif not event.HasField("seat") and event.notation.startswith(EPOCH):
            match.begin_epoch(event.notation.removeprefix(EPOCH))
        else:
            raise InvalidRequest("", "it has no move")
