"""Redis keys of the match store.

A script may only touch keys of one hash slot of a Redis Cluster. So the keys of a match share the tag of its bucket
with the outbox of what its steps cause elsewhere; the keys of a platform share the tag of its bucket; and those of a
queue of turns its name. Other keys are used by themselves.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

BUCKETS: Final = 64
"""Number of tags of matches and of platforms: more than the primaries of a cluster, so that each gets about as many."""
DEADLINE_SETS: Final = 8
"""Number of sorted sets of deadlines for each rules version: engines ask all of them several times a second."""
TOKEN_KEY: Final = "fireside:token-key"
SIGNING_KEY: Final = "fireside:signing-key"
REACHED_KEY: Final = "fireside:reached"


def bucket(name: str) -> int:
    """The bucket of a match or of a platform, from 0 to `BUCKETS` - 1."""
    return crc32(name.encode()) % BUCKETS


def _tag(name: str) -> str:
    return f"{{b{bucket(name):02}}}"


def match_keys(match_id: str) -> list[str]:
    """The hash with the snapshot, and the stream with the log."""
    tag = _tag(match_id)
    return [f"fireside:match:{tag}:{match_id}", f"fireside:log:{tag}:{match_id}"]


def match_id_of(key: str) -> str:
    """The id of the match of a key from `match_keys`."""
    return key.rpartition(":")[2]


MATCH_PATTERN: Final = "fireside:match:*"
"""Pattern of the hashes of all matches."""


def outbox_key(number: int) -> str:
    """The stream of what the steps of the matches of a bucket cause elsewhere, and what is not done yet."""
    return f"fireside:outbox:{{b{number:02}}}"


def finished_key(number: int) -> str:
    """The stream of finished matches of a bucket that the archive has to take; there is none without an archive."""
    return f"fireside:finished:{{b{number:02}}}"


def list_keys(game: str) -> tuple[str, str]:
    """The sorted sets of the listed matches of a game: of those in play, and of finished ones."""
    return f"fireside:listed:{game}:in-play", f"fireside:listed:{game}:finished"


def platform_list_keys(platform: str, player_id: str) -> tuple[str, str]:
    """The sorted sets of a platform's matches, of all or of one player: of those in play, and of finished ones."""
    return (
        f"fireside:matches:{{{platform}}}:in-play:{player_id}",
        f"fireside:matches:{{{platform}}}:finished:{player_id}",
    )


EVENTS_PREFIX: Final = "fireside:events:"


def events_key(platform: str) -> str:
    """The stream of the events of a platform, which is the digest of an API key's holder."""
    return f"{EVENTS_PREFIX}{_tag(platform)}:{platform}"


def reached_key(stream: str) -> str:
    """The hash of the last entries of outboxes whose events a platform's stream has."""
    return f"{stream}:reached"


def channel(match_id: str) -> str:
    """The pub/sub channel of a match's new revisions, which has the name of its log."""
    return match_keys(match_id)[1]


def deadlines_key(rules_version: str, number: int) -> str:
    """A sorted set of matches of one rules version by deadline, in milliseconds since 1970."""
    return f"fireside:deadlines:{{d{number}}}:{rules_version}"


def deadlines_key_of(rules_version: str, match_id: str) -> str:
    """The sorted set that has the deadline of a match."""
    return deadlines_key(rules_version, bucket(match_id) % DEADLINE_SETS)


def due_webhooks_key(number: int) -> str:
    """The sorted set of a bucket's webhooks in use, by the time when they have to be looked at."""
    return f"fireside:webhooks-due:{{b{number:02}}}"


def webhooks_key(platform: str) -> str:
    """The set of the ids of a platform's webhooks."""
    return f"fireside:webhooks:{_tag(platform)}:{platform}"


def webhook_keys(platform: str, webhook_id: str) -> list[str]:
    """The hash of a webhook; its unfinished deliveries by the time of the next attempt; their attempts; and its log."""
    key = f"fireside:webhook:{_tag(platform)}:{platform}:{webhook_id}"
    return [key, f"{key}:pending", f"{key}:attempts", f"{key}:log"]
