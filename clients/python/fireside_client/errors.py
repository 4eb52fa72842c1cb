"""Error of the client: an error response of the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fireside_client.types.shared import Violation


class FiresideError(ValueError):
    """An error response; its text is one printable line.

    `status` is the HTTP status, `reason` the service's reason such as `ILLEGAL_MOVE`, `detail` what happened, for
    people, `violations` the fields that are wrong, `metadata` facts about the reason, and `retry_after` the seconds
    after which the service may be called again, or 0. The last four are empty if something else than the service
    responded.
    """

    def __init__(
        self,
        status: int,
        reason: str,
        detail: str,
        violations: Sequence[Violation] = (),
        metadata: Mapping[str, str] | None = None,
        retry_after: float = 0.0,
    ) -> None:
        faults = "; ".join(f"{fault['field'] or 'body'}: {fault['description']}" for fault in violations)
        # Details quote what other users sent: control characters could manipulate a terminal.
        super().__init__("".join(each if each.isprintable() else "?" for each in faults or detail))
        self.status: Final = status
        self.reason: Final = reason
        self.detail: Final = detail
        self.violations: Final = list(violations)
        self.metadata: Final = dict(metadata or {})
        self.retry_after: Final = retry_after
