"""Finished matches in an archive, in the form in which the store reads them."""

from __future__ import annotations

from typing import Final, Protocol

from fireside.match.v1.archived_match_pb2 import ArchivedMatch

from services.grpc_server.errors import LogContradictsSnapshot
from services.store.matches.steps import Snapshot

FINISHED_FIELD: Final = "finished"
"""The field of a match with its first entry in the stream of finished matches."""
NOT_ARCHIVED: Final = frozenset({"unarchived", "turns"})
"""Fields of a match that count its entries in queues, so they are not of the match itself."""


class Archive(Protocol):
    """An archive of finished matches."""

    async def match(self, match_id: str) -> ArchivedMatch | None:
        """A match; None if it is not in the archive.

        Raises `StoreUnavailable` if the archive cannot be read, or `LogContradictsSnapshot` for a damaged match.
        """


def snapshot_of(match: ArchivedMatch, request_key: str = "") -> Snapshot:
    """The snapshot of an archived match, and the stored response of a request, if its key is given.

    Raises `LogContradictsSnapshot` if a part is missing.
    """
    found = match.fields
    try:
        return Snapshot(
            found["header"],
            found["state"],
            found["progress"],
            int(found["revision"]),
            found.get(f"request:{request_key}"),
            found.get("incarnation", b"").decode(),
            found.get("seating", b""),
        )
    except KeyError:
        raise LogContradictsSnapshot(match.match_id) from None
