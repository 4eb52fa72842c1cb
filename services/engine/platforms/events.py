"""Events of platforms: what the holders of API keys hear of their matches, added to streams by the step itself.

Each platform gets an event of its own, since it must not see the ids of players for whom another vouches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic

from fireside.match.v1.match_pb2 import SeatChange
from fireside.platform.v1.platform_pb2 import (
    PlatformEvent,
    PlatformOver,
    PlatformPlayer,
    PlatformSeat,
    PlatformStanding,
    PlatformTurn,
)
from google.protobuf.timestamp_pb2 import Timestamp

from engine_core.match import Entry
from services.engine.codec import M, O, S, V
from services.engine.matches.stored_match import StoredMatch
from services.engine.tables.seating import Seating
from services.store.keys import events_key
from services.store.matches.steps import StreamEvent

PlayerOf = Callable[[int], PlatformPlayer]
"""The player of a seat as a platform may know it."""


class PlatformEvents(Generic[S, M, O, V]):
    """Builds the events of the matches of one game."""

    def of_step(
        self, stored: StoredMatch[S, M, O, V], base_revision: int, entries: Sequence[Entry] = ()
    ) -> list[StreamEvent]:
        """The events of a step from a revision, or of a beginning: who has left, who has to move now, or the end."""
        if not (platforms := stored.seating.platforms):
            return []

        def events(player: PlayerOf) -> Iterator[PlatformEvent]:
            for entry in entries:
                if entry.move is None and not entry.epoch:
                    left = PlatformSeat(change=SeatChange.SEAT_CHANGE_LEFT, player=player(entry.seat))
                    yield PlatformEvent(seat=left)
            if stored.match.is_over():
                yield PlatformEvent(over=_over(stored, player))
            elif seats := _new_turns(stored, base_revision):
                turn = PlatformTurn(players=map(player, seats))
                if stored.facts.next_deadline_ms:
                    turn.deadline.CopyFrom(_timestamp(stored.facts.next_deadline_ms))
                yield PlatformEvent(turn=turn)

        return [event for platform in platforms for event in _for(platform, stored, stored.seating, events)]

    def of_seating(self, stored: StoredMatch[S, M, O, V], seating: Seating) -> list[StreamEvent]:
        """The events of a change of who has the seats."""
        seats = [
            seat
            for seat, (old, new) in enumerate(zip(stored.seating.seats, seating.seats, strict=True))
            if old != new or stored.seating.holding(seat).player_id != seating.holding(seat).player_id
        ]

        def events(player: PlayerOf) -> Iterator[PlatformEvent]:
            for seat in seats:
                yield PlatformEvent(seat=PlatformSeat(change=seating.change(seat), player=player(seat)))

        return [event for platform in seating.platforms for event in _for(platform, stored, seating, events)]


def _for(
    platform: str,
    stored: StoredMatch[S, M, O, V],
    seating: Seating,
    events: Callable[[PlayerOf], Iterator[PlatformEvent]],
) -> Iterator[StreamEvent]:
    """The events of a platform."""
    seats = seating.seats

    def player(seat: int) -> PlatformPlayer:
        holding = seating.holding(seat)
        player_id = holding.player_id if holding.platform == platform else ""
        return PlatformPlayer(seat=seat, name=seats[seat].name, player_id=player_id, bot=seats[seat].bot)

    for event in events(player):
        event.match_id = stored.match_id
        event.game = stored.header.game
        event.revision = stored.match.revision
        yield StreamEvent(events_key(platform), event.SerializeToString(deterministic=True))


def _new_turns(stored: StoredMatch[S, M, O, V], base_revision: int) -> list[int]:
    """The seats of people that are to move since a later revision."""
    match, seats = stored.match, stored.facts.seats
    return [seat for seat in match.to_move() if not seats[seat].bot and match.turn_began_at(seat) > base_revision]


def _over(stored: StoredMatch[S, M, O, V], player: PlayerOf) -> PlatformOver:
    score = stored.match.game.score(stored.match.state)
    standings = [
        PlatformStanding(player=player(standing.seat), points=standing.points, rank=standing.rank)
        for standing in score.standings
    ]
    return PlatformOver(reason=score.reason, standings=standings)


def _timestamp(milliseconds: int) -> Timestamp:
    timestamp = Timestamp()
    timestamp.FromMilliseconds(milliseconds)
    return timestamp
