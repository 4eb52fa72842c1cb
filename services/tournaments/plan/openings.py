"""Openings: the first choices of recorded matches. The matches of a block go on from one of them, with other luck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine_core.chance import SECRET_BYTES, Luck
from engine_core.errors import GameError
from engine_core.game import Options
from engine_core.games import AnyGame
from engine_core.match import AnyMatch, Entry, Match

MAX_OPENINGS: Final = 1000
"""Most openings of a plan: a plan is sent with each chunk of blocks."""
EPOCH_BYTES: Final = 16
"""Length of an epoch's id; ids are published, so they are only a part of the block's secret seed."""


@dataclass(frozen=True)
class Opening:
    """The seeds of a recorded match, from which nature's draws follow, and the first choices of its seats."""

    secret_seed: str
    """32 bytes in hexadecimal."""
    client_seeds: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    """The choices in order, each as the number of the seat, a blank and the notation of the move."""

    @staticmethod
    def of_fields(fields: Mapping[str, Any]) -> Opening:
        """The opening that a stored plan has as a JSON object."""
        return Opening(fields["secret_seed"], tuple(fields["client_seeds"]), tuple(fields["moves"]))


def check_opening(opening: Opening, game: AnyGame, seats: int, options: Options) -> None:
    """Raise `ValueError` or `GameError` for an opening that cannot be played, or after which the match is over."""
    if len(bytes.fromhex(opening.secret_seed)) != SECRET_BYTES:
        raise ValueError(f"its secret seed has not {SECRET_BYTES} bytes")
    match, _ = _play(opening, game, seats, options)
    if match.is_over():
        raise ValueError("the match is over after it")


def begin_match(
    opening: Opening | None, game: AnyGame, seats: int, options: Options, secret: bytes
) -> tuple[AnyMatch, list[Entry]]:
    """A match of a block with this secret seed, at its first choice after the opening, and its log so far.

    After an opening an epoch begins, which adds a part of the block's secret seed to all later draws.
    """
    if opening is None:
        match: AnyMatch = Match(game, game.start(seats, options), Luck(secret, []))
        return match, match.begin()
    match, entries = _play(opening, game, seats, options)
    return match, [*entries, *match.begin_epoch(secret[:EPOCH_BYTES].hex())]


def _play(opening: Opening, game: AnyGame, seats: int, options: Options) -> tuple[AnyMatch, list[Entry]]:
    luck = Luck(bytes.fromhex(opening.secret_seed), [*opening.client_seeds])
    match: AnyMatch = Match(game, game.start(seats, options), luck)
    entries = match.begin()
    for move in opening.moves:
        seat, _, notation = move.partition(" ")
        try:
            entries += match.play(int(seat), game.parse(notation))
        except (ValueError, GameError) as error:
            raise ValueError(f"{move!r} cannot be played: {error}") from None
    return match, entries
