"""Replay of log entries by the rules: positions of records that clients send, and the steps of stored logs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, Protocol, cast

from google.protobuf.message import Message

from engine_core.errors import GameError
from engine_core.game import NATURE
from engine_core.match import EPOCH, HINT, LEAVE, Entry, Match
from services.engine.codec import Codec, M, O, S, V
from services.engine.presentation.narrator import Narrator
from services.engine.presentation.views import wanted_narrator
from services.engine.requests.messages import ReplayedRecord
from services.grpc_server.admission.long_work import LongWork
from services.grpc_server.errors import InvalidRequest, ServiceError


class Event(Protocol):
    """What the `Event` messages of all games have in common."""

    seat: int
    move: Message
    notation: str

    def HasField(self, field_name: str, /) -> bool: ...


class Replays(Generic[S, M, O, V]):
    """Replays matches of one version of a game; nature draws nothing, since the events have all moves in full."""

    def __init__(self, codec: Codec[S, M, O, V], long_work: LongWork) -> None:
        self._codec: Final = codec
        self._long_work: Final = long_work

    async def match_of_record(
        self, record: ReplayedRecord, revision: int, observer: int, narrated_after: int | None
    ) -> tuple[Match[S, M, O, V], list[Entry]]:
        """The match after so many events of a record, and an entry for each; in time slices.

        What the entries after `narrated_after` brought, as the observer sees it, is offered to texts of the response.

        Raises `InvalidRequest` for a record of another game or an event that cannot follow, `UnknownRules` for another
        version of the rules, and `InvalidOption` for options that no match has.
        """
        if record.game not in ("", self._codec.game.name):
            raise InvalidRequest("record.game", f"must be {self._codec.game.name}")
        self._codec.check_rules(cast(Message, record), "record.rulesVersion")
        match = self.start(len(record.seats), record.options)
        entries: list[Entry] = []
        narrator = None
        async with self._long_work.share() as share:
            for number, event in enumerate(record.events[:revision]):
                if number == narrated_after:
                    narrator = wanted_narrator(self._codec.game, match.state, observer)
                try:
                    entries += self.play(match, event)
                except (GameError, ServiceError) as error:
                    raise InvalidRequest(f"record.events[{number}]", str(error)) from None
                if narrator is not None:
                    narrator.tell(entries[-1], match.state)
                await share.pause()
        return match, entries

    async def narrate(self, narrator: Narrator, match: Match[S, M, O, V], events: Sequence[bytes]) -> None:
        """Play the next events of a log in a match, and let the narrator tell each; in time slices."""
        async with self._long_work.share() as share:
            for event in events:
                for entry in self.play(match, self._codec.messages.event.FromString(event)):
                    narrator.tell(entry, match.state)
                await share.pause()

    def start(self, seats: int, options: Message) -> Match[S, M, O, V]:
        """A match before its first event. Raises `InvalidOption`."""
        game = self._codec.game
        return Match(game, game.start(seats, self._codec.decode_options(options)), None)

    def play(self, match: Match[S, M, O, V], message: Message) -> list[Entry]:
        """Make the move of an `Event` in a match; its entry.

        Raises a `GameError` or `InvalidRequest` if it cannot follow.
        """
        event = cast(Event, message)
        if event.HasField("move"):
            seat = event.seat if event.HasField("seat") else NATURE
            return match.play(seat, self._codec.decode_move(event.move))
        if event.HasField("seat") and event.notation == LEAVE:
            return match.leave(event.seat)
        if event.HasField("seat") and event.notation == HINT:
            return match.ask_hint(event.seat)
        if not event.HasField("seat") and event.notation.startswith(EPOCH):
            return match.begin_epoch(event.notation.removeprefix(EPOCH))
        raise InvalidRequest("move", "must be set")
