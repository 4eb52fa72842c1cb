"""Writes records as a Parquet file, a row each, with the columns of `environments.match_table`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, cast

import pyarrow as pa
from google.protobuf.message import Message
from pyarrow.parquet import ParquetWriter

from cli.commands.verify import ascii_escaped
from cli.translation import gettext
from engine_core.encodings import Encoding
from engine_core.encodings.options import encoding_of_version, format_options
from engine_core.errors import GameError
from engine_core.game import NATURE
from environments.match_table import NO_ACTION, SCHEMA
from services.engine.codecs import codec_of_version
from services.engine.records.reading import Event, Record

ROWS_PER_GROUP: Final = 512
"""Rows that are written at once: about 20 MB of memory in the longest game."""
COMPRESSION: Final = "zstd"


class MatchTableWriter:
    """Writes records into a Parquet file, which is whole only after `close`."""

    def __init__(self, path: Path) -> None:
        self._file: Final = ParquetWriter(path, SCHEMA, compression=COMPRESSION)
        self._rows: Final[list[dict[str, object]]] = []

    def write(self, record: Message, created_ms: int) -> None:
        """Write a record. Raises `ValueError` for options or moves that are none of its game."""
        try:
            self._rows.append(row_of(record, created_ms))
        except GameError as error:
            match_id = ascii_escaped(cast(Record, record).match_id)
            raise ValueError(gettext("match {id}: {error}", id=match_id, error=error)) from None
        if len(self._rows) == ROWS_PER_GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what is buffered, as a row group."""
        self._file.write_table(pa.Table.from_pylist(self._rows, SCHEMA))
        self._rows.clear()

    def close(self) -> None:
        """Write the end of the file."""
        self._file.close()


def row_of(message: Message, created_ms: int) -> dict[str, object]:
    """The row of a record, by column; `created_ms` is 0 if unknown. Raises a `GameError`."""
    record = cast(Record, message)
    options = format_options(codec_of_version(record.rules_version).decode_options(record.options))
    encoding = encoding_of_version(record.rules_version, len(record.seats), options)
    result: Any = record.result
    standings = sorted(result.standings, key=lambda standing: standing.seat)
    seats: list[Any] = list(record.seats)
    return {
        "match_id": record.match_id,
        "game": record.game,
        "rules_version": record.rules_version,
        "options": options,
        "names": [seat.name for seat in seats],
        "bots": [seat.bot for seat in seats],
        "secret_seed": record.secret_seed,
        "client_seeds": list(record.client_seeds),
        "commitment": record.commitment,
        "reason": result.reason,
        "winners": list(result.winners),
        "points": [standing.points for standing in standings],
        "ranks": [standing.rank for standing in standings],
        "move_count": len(record.events),
        "moves": [event.notation for event in record.events],
        "movers": [event.seat if event.HasField("seat") else NATURE for event in record.events],
        "actions": [_action(encoding, event) for event in record.events],
        "create_time": created_ms or None,
    }


def _action(encoding: Encoding, event: Event) -> int:
    if not (event.HasField("seat") and event.HasField("move")):
        return NO_ACTION
    return encoding.action(encoding.game.parse(event.notation))
