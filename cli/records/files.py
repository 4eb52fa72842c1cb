"""Source of matches from files: a record as JSON, or records as NDJSON with one on each line, compressed or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import Final, cast

import pyarrow as pa
from google.protobuf.message import Message

from cli.commands.verify import ascii_escaped
from cli.records.source import Source, SourceMatch
from cli.translation import gettext
from services.engine.records.reading import MAX_BYTES, Record, VerificationFailed, read

SINGLE: Final = ".json"
PATTERNS: Final = ("*.json", "*.ndjson", "*.ndjson.zst")


def file_matches(paths: Sequence[Path]) -> Source:
    """The matches of files, and of those in folders by name. Raises `ValueError` that names the place of bad input."""
    for path in paths:
        for file in _files_in(path) if path.is_dir() else [path]:
            try:
                yield from _matches(file)
            except OSError as error:  # that of damaged compression names no file
                raise ValueError(f"{file}: {error}") from None


def _files_in(folder: Path) -> list[Path]:
    found = sorted(file for pattern in PATTERNS for file in folder.glob(pattern))
    if not found:
        raise ValueError(gettext("{path} has no files {patterns}", path=folder, patterns=", ".join(PATTERNS)))
    return found


def _matches(file: Path) -> Source:
    for place, data in _documents(file):
        try:
            _, record = read(data)
        except VerificationFailed as failure:
            raise ValueError(f"{place}: {ascii_escaped(str(failure))}") from None
        yield SourceMatch(record.match_id, record.game, partial(_message, record))


def _documents(file: Path) -> Iterator[tuple[str, bytes]]:
    """The records in a file as bytes, each with its place."""
    with BufferedReader(pa.input_stream(str(file))) as stream:  # decompresses by the end of the name
        if file.suffix == SINGLE:
            yield str(file), stream.read(MAX_BYTES + 1)
            return
        for number, line in enumerate(iter(partial(stream.readline, MAX_BYTES + 1), b""), 1):
            yield f"{file}:{number}", line


def _message(record: Record) -> Message:
    return cast(Message, record)
