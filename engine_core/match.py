"""`Match`: one match in play, with turn order, legality checks, nature's draws and log entries."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar

from engine_core.chance import Luck
from engine_core.errors import (
    EndlessPlay,
    IllegalMove,
    MatchOver,
    NotYourTurn,
    SeatHasLeft,
    SeatOutOfRange,
    StaleRevision,
)
from engine_core.game import (
    EVERYBODY,
    NATURE,
    Chance,
    Game,
    Move,
    Options,
    Over,
    Phase,
    Reveal,
    State,
    Turn,
    View,
    is_in_audience,
)

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741
V = TypeVar("V", bound=View)


EPOCH: Final = "epoch "
"""Prefix of the notation of an entry that begins an epoch; the id of the epoch follows."""
LEAVE: Final = "leave"
"""The notation of an entry in which a seat's player left."""
HINT: Final = "hint"
"""The notation of an entry in which a seat's player asked for a hint."""

MAX_DRAWS: Final = 1000
"""Limit of draws and moves of absent seats in a row before a player is to move.

The most in 1,800 random matches of all games and presets was 34, in the setup of Fire Bulls for five; later in a match
it was fewer, also after players had left.
"""


class Entry:
    """One entry of the match log, numbered by the revision that it led to.

    `move` is None if the seat's player left, if it asked for a hint (`is_hint`), or if an epoch with the id `epoch`
    began. `concealed` is the move as observers outside `audience` see it.
    """

    def __init__(
        self,
        revision: int,
        seat: int,
        move: Move | None,
        audience: int,
        concealed: Move | None,
        reveals: list[Reveal],
        epoch: str = "",
        is_hint: bool = False,
    ) -> None:
        self.revision: Final = revision
        self.seat: Final = seat
        self.move: Final = move
        self.audience: Final = audience
        self.concealed: Final = concealed
        self.reveals: Final = reveals
        self.epoch: Final = epoch
        self.is_hint: Final = is_hint

    def seen_by(self, observer: int) -> Move | None:
        """The move as an observer may see it."""
        return self.move if is_in_audience(observer, self.audience) else self.concealed


class Match(Generic[S, M, O, V]):
    """A match in play: its state, its luck, and the revisions by which outdated requests are recognised.

    `revision` is the number of log entries so far, nature's included. `phase_start` is the revision since which the
    present seats are to move, `last_moved` the revision of each seat's last move: a seat's choice that expects a
    revision before either of these is stale.
    """

    def __init__(
        self,
        game: Game[S, M, O, V],
        state: S,
        luck: Luck | None,
        revision: int = 0,
        phase_start: int = 0,
        last_moved: list[int] | None = None,
    ) -> None:
        self.game: Final = game
        self.state: Final = state
        self.luck = luck
        self.revision = revision
        self.phase_start = phase_start
        self.last_moved: Final[list[int]] = [0] * game.seat_count(state) if last_moved is None else last_moved

    def __reduce__(self) -> tuple[type[object], tuple[object, ...]]:
        return type(self), (self.game, self.state, self.luck, self.revision, self.phase_start, self.last_moved)

    def phase(self) -> Phase:
        """Who acts now."""
        return self.game.phase(self.state)

    def to_move(self) -> tuple[int, ...]:
        """The seats that owe a choice; empty while nature draws and when the match is over."""
        phase = self.phase()
        return phase.seats if isinstance(phase, Turn) else ()

    def is_over(self) -> bool:
        """Whether the match has ended."""
        return isinstance(self.phase(), Over)

    def begin(self) -> list[Entry]:
        """Let nature draw until a player is to move. Call once, at the start. Raises `EndlessPlay`."""
        entries: list[Entry] = []
        self._play_automatic_moves(entries)
        self.phase_start = self.revision
        return entries

    def legal_moves(self, seat: int) -> list[M]:
        """What `seat`, or `NATURE`, may choose now. Raises `SeatOutOfRange`."""
        if seat != NATURE:
            self._check_seat(seat)
        return self.game.legal_moves(self.state, seat)

    def check_revision(self, seat: int, expected: int) -> None:
        """Raise `StaleRevision` if a choice of `seat` made at revision `expected` is outdated, or from the future.

        While several seats choose at once, the choices of the others do not make it outdated.
        """
        oldest = self.turn_began_at(seat) if seat in self.to_move() else self.revision
        if not oldest <= expected <= self.revision:
            raise StaleRevision(expected, self.revision)

    def turn_began_at(self, seat: int) -> int:
        """The revision since which a seat is to move; simultaneous choices of other seats do not change it."""
        return max(self.phase_start, self.last_moved[seat])

    def check_move(self, seat: int, move: M) -> None:
        """Raise a `GameError` if `seat` cannot make this move now."""
        if seat != NATURE:
            self._check_seat(seat)
        elif move == self.game.time_up_move(self.state):
            return
        phase = self.phase()
        if isinstance(phase, Over):
            raise MatchOver(phase.reason)
        legal = self.game.legal_moves(self.state, seat)
        if not legal:
            raise NotYourTurn(seat, self.to_move())
        if move not in legal:
            raise IllegalMove(seat, self.game.notation(move))

    def play(self, seat: int, move: M) -> list[Entry]:
        """Make a move, then nature's draws and the moves of absent seats. Returns the new log entries.

        Raises `SeatOutOfRange`, `MatchOver`, `NotYourTurn` or `IllegalMove`, and then changes nothing; or
        `EndlessPlay`, and then the match must be discarded.
        """
        self.check_move(seat, move)
        previous = self.to_move()
        entries = [self._apply(seat, move)]
        self._play_automatic_moves(entries)
        self._update_phase_start(previous, seat)
        return entries

    def play_time_up(self) -> list[Entry]:
        """Make nature's move for the end of the time limit, if the game has one. Returns the new log entries."""
        move = self.game.time_up_move(self.state)
        return [] if move is None else self.play(NATURE, move)

    def leave(self, seat: int) -> list[Entry]:
        """The player of `seat` leaves; nature's draws and moves of absent seats follow. Returns the new log entries.

        Raises `SeatOutOfRange`, `MatchOver` or `SeatHasLeft`, and then changes nothing; or `EndlessPlay`.
        """
        self._check_seat(seat)
        phase = self.phase()
        if isinstance(phase, Over):
            raise MatchOver(phase.reason)
        if self.game.has_left(self.state, seat):
            raise SeatHasLeft(seat)
        previous = self.to_move()
        reveals = self.game.reveals_by_leaving(self.state, seat)
        self.game.leave(self.state, seat)
        self.revision += 1
        entries = [Entry(self.revision, seat, None, EVERYBODY, None, reveals)]
        self._play_automatic_moves(entries)
        self._update_phase_start(previous, seat)
        return entries

    def begin_epoch(self, epoch: str) -> list[Entry]:
        """Add a seed to all later draws, so that draws lost with a newer state, but perhaps seen, are not repeated.

        The seats to move, and since when, stay the same. Raises `MatchOver`, and then changes nothing.
        """
        phase = self.phase()
        if isinstance(phase, Over):
            raise MatchOver(phase.reason)
        if self.luck is not None:
            self.luck = self.luck.with_seed(epoch)
        self.revision += 1
        return [Entry(self.revision, NATURE, None, EVERYBODY, None, [], epoch)]

    def ask_hint(self, seat: int) -> list[Entry]:
        """Log that the player of `seat`, which is to move, asks for a hint. The position and the turn stay the same.

        Raises `SeatOutOfRange`, `MatchOver` or `NotYourTurn`, and then changes nothing.
        """
        self._check_seat(seat)
        phase = self.phase()
        if isinstance(phase, Over):
            raise MatchOver(phase.reason)
        if seat not in self.to_move():
            raise NotYourTurn(seat, self.to_move())
        self.revision += 1
        return [Entry(self.revision, seat, None, EVERYBODY, None, [], is_hint=True)]

    def _check_seat(self, seat: int) -> None:
        seat_count = self.game.seat_count(self.state)
        if not 0 <= seat < seat_count:
            raise SeatOutOfRange(seat, seat_count)

    def _apply(self, seat: int, move: M) -> Entry:
        audience = self.game.audience(self.state, seat, move)
        concealed = move if audience == EVERYBODY else self.game.conceal(self.state, seat, move)
        reveals = self.game.reveals(self.state, seat, move)
        self.game.apply(self.state, seat, move)
        self.revision += 1
        if seat != NATURE:
            self.last_moved[seat] = self.revision
        return Entry(self.revision, seat, move, audience, concealed, reveals)

    def _play_automatic_moves(self, entries: list[Entry]) -> None:
        """Let nature draw and absent seats make their default moves, until a player is to move or the match is over.

        Without luck it does nothing: the caller makes these moves, as `replay` does.
        """
        self._let_nature_draw(entries)
        while self.luck is not None and (seat := self._absent_seat()) != NATURE:
            if len(entries) >= MAX_DRAWS:
                raise EndlessPlay(self.game.name, "the turn of a seat that has left", MAX_DRAWS)
            entries.append(self._apply(seat, self.game.default_move(self.state, seat)))
            self._let_nature_draw(entries)

    def _absent_seat(self) -> int:
        """The first seat to move if its player has left (then all seats to move are such); else `NATURE`."""
        to_move = self.to_move()
        return to_move[0] if to_move and self.game.has_left(self.state, to_move[0]) else NATURE

    def _let_nature_draw(self, entries: list[Entry]) -> None:
        """Draw until a seat is to move or the match is over. Without luck it does nothing."""
        luck = self.luck
        if luck is None:
            return
        phase = self.phase()
        while isinstance(phase, Chance):
            if len(entries) >= MAX_DRAWS:
                raise EndlessPlay(self.game.name, f"drawing for {phase.purpose!r}", MAX_DRAWS)
            outcomes = self.game.legal_moves(self.state, NATURE)
            items = [self.game.pool_item(outcome) for outcome in outcomes]
            choice = luck.choose(phase, items, self.game.weights(self.state))
            entries.append(self._apply(NATURE, outcomes[choice]))
            phase = self.phase()

    def _update_phase_start(self, previous: tuple[int, ...], mover: int) -> None:
        """Start a new phase, unless the seats to move are the same as before (`previous`), with or without the mover.

        A seat that is to move alone starts a new phase with each move.
        """
        rest = tuple([seat for seat in previous if seat != mover])
        to_move = self.to_move()
        if not rest or (to_move != rest and to_move != previous):
            self.phase_start = self.revision


AnyMatch = Match[Any, Any, Any, Any]
"""A match of any game."""


def replay(game: Game[S, M, O, V], seat_count: int, options: O, entries: list[Entry]) -> Match[S, M, O, V]:
    """Rebuild a match from its log. Draws and moves of absent seats are taken from the log, not made again.

    Raises the errors of `Match.play` if the log breaks the rules.
    """
    match: Match[S, M, O, V] = Match(game, game.start(seat_count, options), None)
    for entry in entries:
        if entry.epoch:
            match.begin_epoch(entry.epoch)
        elif entry.is_hint:
            match.ask_hint(entry.seat)
        elif entry.move is None:
            match.leave(entry.seat)
        else:
            match.play(entry.seat, entry.move)  # type: ignore[arg-type]
    return match
