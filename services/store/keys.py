"""Redis keys of the match store. The keys of a match share a hash tag, so that they lie on one node of a cluster."""

from __future__ import annotations

from typing import Final

TOKEN_KEY: Final = "fireside:token-key"
SIGNING_KEY: Final = "fireside:signing-key"
REACHED_KEY: Final = "fireside:reached"
DUE_WEBHOOKS_KEY: Final = "fireside:webhooks-due"
FINISHED_KEY: Final = "fireside:finished"
"""The stream of finished matches that the archive has to take; there is none without an archive."""


def match_keys(match_id: str) -> list[str]:
    """The hash with the snapshot, and the stream with the log."""
    return [f"fireside:match:{{{match_id}}}", f"fireside:log:{{{match_id}}}"]


def match_id_of(match_key: bytes) -> str:
    """The id of a match, of which the key of its hash is given."""
    return match_key.decode().partition("{")[2].removesuffix("}")


def list_keys(game: str) -> tuple[str, str]:
    """The sorted sets of the listed matches of a game: of those in play, and of finished ones."""
    return f"fireside:listed:{game}:in-play", f"fireside:listed:{game}:finished"


def platform_list_keys(platform: str, player_id: str) -> tuple[str, str]:
    """The sorted sets of a platform's matches, of all or of one player: of those in play, and of finished ones."""
    return (
        f"fireside:matches:{{{platform}}}:in-play:{player_id}",
        f"fireside:matches:{{{platform}}}:finished:{player_id}",
    )


def events_key(platform: str) -> str:
    """The stream of the events of a platform, which is the digest of an API key's holder."""
    return f"fireside:events:{{{platform}}}"


def channel(match_id: str) -> str:
    """The pub/sub channel of a match's new revisions, which has the name of its log."""
    return match_keys(match_id)[1]


def deadlines_key(rules_version: str) -> str:
    """The sorted set of the matches of one rules version by deadline, in milliseconds since 1970."""
    return f"fireside:deadlines:{rules_version}"


def webhooks_key(platform: str) -> str:
    """The set of the ids of a platform's webhooks."""
    return f"fireside:webhooks:{{{platform}}}"


def webhook_keys(platform: str, webhook_id: str) -> list[str]:
    """The hash of a webhook; its unfinished deliveries by the time of the next attempt; their attempts; and its log."""
    key = f"fireside:webhook:{{{platform}}}:{webhook_id}"
    return [key, f"{key}:pending", f"{key}:attempts", f"{key}:log"]
