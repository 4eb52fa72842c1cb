"""Loads recorded matches as NumPy arrays: what the mover of each decision saw, what it chose, and what it won."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from pyarrow.parquet import ParquetFile

from engine_core.encodings import Encoding
from engine_core.encodings.options import encoding_of_version
from engine_core.errors import GameError
from engine_core.game import NATURE
from engine_core.match import EPOCH, LEAVE, AnyMatch, Match
from environments.match_table import NO_ACTION
from environments.play import Numbers

ROWS_PER_READ = 64
COLUMNS = ["match_id", "rules_version", "options", "names", "moves", "movers", "actions"]


class Decisions(NamedTuple):
    """The decisions of one match in their order. Moves made for seats that have left are none."""

    match_id: str
    encoding: Encoding
    observations: Numbers
    """What the seat to move knew: decisions by `observation_size`."""
    seats: npt.NDArray[np.int8]
    """The seat that moved."""
    actions: npt.NDArray[np.int32]
    """The action that it chose."""
    legal_decisions: npt.NDArray[np.int64]
    """The decision of each legal action of all decisions, from 0, ascending."""
    legal_actions: npt.NDArray[np.int32]
    """The legal actions, in the same order."""
    returns: npt.NDArray[np.float32]
    """The outcome of the match for the seat that moved, from -1 to 1."""


def read_decisions(path: Path | str) -> Iterator[Decisions]:
    """The decisions of each match of a Parquet file of `fireside records`, in constant memory.

    Raises `ValueError` for a match that the rules here cannot replay, and what pyarrow raises for other files.
    """
    with ParquetFile(path) as file:
        for batch in file.iter_batches(ROWS_PER_READ, columns=COLUMNS):
            for row in batch.to_pylist():
                try:
                    yield _decisions(row)
                except GameError as error:
                    raise ValueError(f"match {row['match_id']}: {error}") from None


def _decisions(row: dict[str, Any]) -> Decisions:
    encoding = encoding_of_version(row["rules_version"], len(row["names"]), row["options"])
    game = encoding.game
    match: AnyMatch = Match(game, encoding.start(), None)
    seats: list[int] = []
    actions: list[int] = []
    rows: list[bytes] = []
    legal: list[list[int]] = []
    for mover, notation, action in zip(row["movers"], row["moves"], row["actions"], strict=True):
        if action != NO_ACTION and not game.has_left(match.state, mover):
            seats.append(mover)
            actions.append(action)
            rows.append(encoding.encode(match.state, mover))
            legal.append(encoding.legal_actions(match.state, mover))
        _play(match, mover, notation, action)
    returns = np.array(encoding.returns(match.state), np.float32)
    return Decisions(
        row["match_id"],
        encoding,
        np.frombuffer(b"".join(rows), np.int8).reshape(len(rows), encoding.observation_size),
        np.array(seats, np.int8),
        np.array(actions, np.int32),
        np.repeat(np.arange(len(legal)), [len(each) for each in legal]),
        np.array([each for some in legal for each in some], np.int32),
        returns[seats],
    )


def _play(match: AnyMatch, mover: int, notation: str, action: int) -> None:
    """Play an entry of a log; epochs and hints change nothing. Raises a `GameError` if it cannot follow."""
    if action != NO_ACTION or (mover == NATURE and not notation.startswith(EPOCH)):
        match.play(mover, match.game.parse(notation))
    elif notation == LEAVE:
        match.leave(mover)
