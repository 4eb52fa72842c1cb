"""ProtoJSON: parses JSON into messages, and prints encoded messages as JSON, by tables built once per message type."""

from __future__ import annotations

from gateway.protojson.errors import MAX_VIOLATIONS, InvalidFields, MalformedJson, Violation
from gateway.protojson.printing import format, print_bytes
from gateway.protojson.reading import parse
from gateway.protojson.strict_json import parse_json

__all__ = [
    "MAX_VIOLATIONS",
    "InvalidFields",
    "MalformedJson",
    "Violation",
    "format",
    "parse",
    "parse_json",
    "print_bytes",
]
