"""Shortens texts from callers for error messages."""

from __future__ import annotations

from typing import Final

MAX_VALUE: Final = 128
"""Longest value in an error, in bytes: a field's path, or a detail."""
MAX_DETAIL_LENGTH: Final = 512
"""Longest error message, in bytes. A gRPC response contains it three times, once with three bytes for each non-ASCII
one, and a response's metadata must stay below 8 KiB (`grpc.max_metadata_size`), or the client never sees the error."""
ELLIPSIS: Final = "…"


def shortened(text: str, most: int = MAX_VALUE) -> str:
    """The text if it has at most `most` bytes in UTF-8; otherwise its beginning, an ellipsis and its end.

    Characters that cannot be encoded, such as half of a surrogate pair, become `?`.
    """
    data = text.encode(errors="replace")
    if len(data) <= most:
        return data.decode()
    room = most - len(ELLIPSIS.encode())
    end = room // 2
    return data[: room - end].decode(errors="ignore") + ELLIPSIS + data[len(data) - end :].decode(errors="ignore")
