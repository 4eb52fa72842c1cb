"""Logging to standard error: a line of JSON a record, or plain text on a terminal.

Log lines never contain tokens, hands, states or seeds.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from datetime import UTC, datetime
from typing import Final

from runtime.telemetry import call_context, tracing

FIELDS: Final = (
    *("method", "code", "milliseconds", "route", "status", "request_id", "match_id", "tournament"),
    *("game", "games", "port", "error"),
)
"""Extra fields that a log line may have."""
MAX_CAUSES: Final = 8
"""Longest chain of exceptions that is logged."""
VERBOSE_LIBRARIES: Final = ("httpx", "httpcore", "hpack", "grpc", "asyncio", "urllib3", "fakeredis", "distributed")
"""Libraries that log addresses, headers or arguments, or too much: only their warnings are logged."""


class JsonFormatter(logging.Formatter):
    """Formats a log record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line.update(_log_fields(record))
        if trace_id := tracing.trace_id():
            line["trace_id"] = trace_id
        if record.exc_info:
            line["trace"] = _trace(record.exc_info[1])
        return json.dumps(line)


class PlainFormatter(logging.Formatter):
    """Formats a log record as a plain line; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        facts = ", ".join(f"{name} {_printable(value)}" for name, value in _log_fields(record).items())
        line = f"{record.levelname.lower()}: {record.getMessage()}" + (f" ({facts})" if facts else "")
        return f"{line}\n{_trace(record.exc_info[1])}" if record.exc_info else line


def _printable(value: object) -> str:
    """Escapes control characters: some values come from callers, who could forge lines or control the terminal."""
    text = str(value)
    return text if text.isprintable() else ascii(text)


def _log_fields(record: logging.LogRecord) -> dict[str, object]:
    """The facts of the current call, and the extra fields of the record."""
    return {**call_context.facts(), **{field: getattr(record, field) for field in FIELDS if hasattr(record, field)}}


def _trace(error: BaseException | None) -> str:
    """The tracebacks and classes of an exception and its causes, without their texts, which may repeat a secret."""
    parts: list[str] = []
    while error is not None and len(parts) < MAX_CAUSES:
        place = "".join(traceback.format_tb(error.__traceback__))
        parts.append(f"{place}{type(error).__module__}.{type(error).__qualname__}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "\ncaused by\n".join(parts)


def set_up(level: str) -> None:
    """Log from this level on; on a terminal only warnings, unless `FIRESIDE_LOG_LEVEL` is set."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainFormatter() if sys.stderr.isatty() else JsonFormatter())
    if sys.stderr.isatty() and not os.environ.get("FIRESIDE_LOG_LEVEL"):
        level = "WARNING"
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in VERBOSE_LIBRARIES:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))
