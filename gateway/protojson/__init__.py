"""ProtoJSON to messages and back. The readers and printers are made once a message, from its descriptor."""

from __future__ import annotations

from gateway.protojson.faults import InvalidFields, MalformedJson, Violation
from gateway.protojson.printing import format, print_bytes
from gateway.protojson.reading import parse
from gateway.protojson.text import parse_json

__all__ = [
    "InvalidFields",
    "MalformedJson",
    "Violation",
    "format",
    "parse",
    "parse_json",
    "print_bytes",
]
