"""Exceptions of game rules and matches: one class per reason, with the facts as attributes."""


class GameError(Exception):
    """A request that the rules refuse; the position has not changed."""


class UnknownGame(GameError):
    """There is no game, or version of rules, of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no game {name!r}")
        self.name = name


class InvalidOption(GameError):
    """An option, or the number of seats, that the game does not offer."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


class SeatOutOfRange(GameError):
    """A seat that the match does not have."""

    def __init__(self, seat: int, seat_count: int) -> None:
        super().__init__(f"seat {seat} is not one of 0 to {seat_count - 1}")
        self.seat = seat
        self.seat_count = seat_count


class MalformedMove(GameError):
    """A move that no position of the game could have, or a notation that cannot be read."""

    def __init__(self, text: str, description: str) -> None:
        super().__init__(f"{text!r} is not a move: {description}")
        self.text = text
        self.description = description


class IllegalMove(GameError):
    """A well-formed move that is not among the legal moves of the seat."""

    def __init__(self, seat: int, notation: str) -> None:
        super().__init__(f"{notation!r} is not legal for {_player(seat)} now")
        self.seat = seat
        self.notation = notation


class NotYourTurn(GameError):
    """The seat is not to move now."""

    def __init__(self, seat: int, to_move: tuple[int, ...]) -> None:
        super().__init__(f"{_player(seat)} is not to move; to move: {', '.join(map(str, to_move)) or 'nature'}")
        self.seat = seat
        self.to_move = to_move


class SeatHasLeft(GameError):
    """The player of that seat has left the match."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} has left the match")
        self.seat = seat


class MatchOver(GameError):
    """The match has ended."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the match is over: {reason}")
        self.reason = reason


class StaleRevision(GameError):
    """The revision that the caller expects is outdated for its seat, or above the current one."""

    def __init__(self, expected: int, current: int) -> None:
        super().__init__(f"expected revision {expected}, but the revision is {current}")
        self.expected = expected
        self.current = current


class InconsistentState(GameError):
    """A state given by a client that no match could reach."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


class EndlessPlay(Exception):
    """More moves without a player's choice than any correct game makes: a bug in the rules.

    Not a `GameError`, since the state may have changed: the match must be discarded.
    """

    def __init__(self, game: str, activity: str, steps: int) -> None:
        super().__init__(f"{game}: {activity} does not end, after {steps} steps")
        self.game = game
        self.activity = activity
        self.steps = steps


def _player(seat: int) -> str:
    return f"seat {seat}" if seat >= 0 else "nature"
