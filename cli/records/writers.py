"""Opens the output of `fireside records`: standard output, or a file whose format follows from its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Protocol

import pyarrow as pa
from google.protobuf.message import Message

from cli.arguments import check_writable
from cli.records.ndjson import NdjsonWriter
from cli.records.parquet import COMPRESSION, MatchTableWriter
from cli.translation import gettext

PARQUET: Final = ".parquet"
ZSTD: Final = ".zst"
ENDINGS: Final = (".ndjson", ".ndjson.zst", PARQUET)


class Writer(Protocol):
    """Writes records, which it may buffer until `flush`."""

    def write(self, record: Message, created_ms: int) -> None: ...

    def flush(self) -> None: ...


def check_output(path: Path) -> None:
    """Raise `ValueError` for a file that cannot be written, or whose name says no format."""
    if not path.name.endswith(ENDINGS):
        raise ValueError("--out: " + gettext("the name of the file must end in {endings}", endings=", ".join(ENDINGS)))
    check_writable(path)


@contextmanager
def open_output(path: Path | None) -> Iterator[Writer]:
    """The writer of a file, or of NDJSON to standard output. Until all is written, the file is called `….part`."""
    if path is None:
        yield (output := NdjsonWriter(sys.stdout.buffer))
        output.flush()
        return
    part = path.with_name(f"{path.name}.part")
    if path.suffix == PARQUET:
        with closing(MatchTableWriter(part)) as table:
            yield table
            table.flush()
    else:
        with pa.output_stream(str(part), COMPRESSION if path.suffix == ZSTD else None) as stream:
            yield NdjsonWriter(stream)
    part.replace(path)
