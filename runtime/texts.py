"""Texts that errors repeat of what somebody else has written, cut to a length that they can be sent in."""

from __future__ import annotations

from typing import Final

VALUE_MOST: Final = 128
"""Bytes of a value of an error: a field's path, or a fact."""
DETAIL_MOST: Final = 512
"""Bytes of a sentence of an error. It comes three times in a gRPC answer, once with three bytes for each that is not
ASCII, and all metadata of an answer must stay below 8 KiB (`grpc.max_metadata_size`), or the client never sees it."""
LEFT_OUT: Final = "…"


def shortened(text: str, most: int = VALUE_MOST) -> str:
    """The text if it has at most so many bytes in UTF-8; otherwise its beginning and its end.

    What is no Unicode, such as half of a surrogate pair, becomes `?`.
    """
    data = text.encode(errors="replace")
    if len(data) <= most:
        return data.decode()
    room = most - len(LEFT_OUT.encode())
    end = room // 2
    return data[: room - end].decode(errors="ignore") + LEFT_OUT + data[len(data) - end :].decode(errors="ignore")
