"""Prometheus metrics of all roles, declared in one place.

Label values come from small fixed sets: games, methods, route templates, statuses. They are never an id, a name that a
caller chose, or anything that a seat may not know. Times are in seconds.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # else each counter has a second series that nobody reads

CALL_SECONDS_BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Bucket bounds for durations of calls, in seconds; a move takes a millisecond or two."""

CALLS: Final = Counter("fireside_calls", "gRPC calls that have ended, by status code.", ["service", "method", "code"])
CALL_SECONDS: Final = Histogram(
    "fireside_call_seconds", "Duration of unary gRPC calls.", ["service", "method"], buckets=CALL_SECONDS_BUCKETS
)
OPEN_STREAMS: Final = Gauge("fireside_streams", "Open streaming calls.", ["service", "method"])
WATCHED_MATCHES: Final = Gauge("fireside_watched_matches", "Matches with at least one watcher.")
MATCH_WATCHERS: Final = Gauge("fireside_watchers", "Streams that watch a match.")

INFLIGHT_BYTES: Final = Gauge("fireside_inflight_bytes", "Bytes of requests in flight, over grpc or http.", ["over"])
CALLS_WITHOUT_MESSAGE: Final = Gauge(
    "fireside_calls_without_message", "gRPC calls whose first message has not arrived."
)
REFUSED_REQUESTS: Final = Counter(
    "fireside_turned_away",
    "Requests refused before they were handled: too many bytes in flight or WebSockets, or their message was late.",
    ["reason"],
)

MOVED_BY_PLAYER: Final = "player"
MOVED_BY_DEFAULT: Final = "default"
MOVED_BY_BOT: Final = "bot"
MOVES: Final = Counter(
    "fireside_moves",
    "Moves made in stored matches, by a player, by a bot, or by default when a clock ran out.",
    ["game", "kind"],
)
MATCHES_BEGUN: Final = Counter("fireside_matches_begun", "Stored matches that have begun.", ["game"])
MATCHES_ENDED: Final = Counter("fireside_matches_ended", "Stored matches that are over.", ["game"])
REPEATED_MOVES: Final = Counter(
    "fireside_repeats", "Repeated requests of moves, which got the stored response.", ["game"]
)

STORE_SECONDS: Final = Histogram(
    "fireside_store_seconds",
    "Duration of store operations, including the wait for a connection.",
    ["operation"],
    buckets=CALL_SECONDS_BUCKETS,
)
STORE_FAILURES: Final = Counter(
    "fireside_store_failures", "Store operations that failed, by reason.", ["operation", "reason"]
)
STORE_CONFLICTS: Final = Counter(
    "fireside_store_conflicts", "Steps that lost a race with another step of the same match, and are retried."
)

HTTP_REQUESTS: Final = Counter(
    "fireside_http_requests", "HTTP responses, by route template.", ["method", "route", "status"]
)
HTTP_SECONDS: Final = Histogram(
    "fireside_http_seconds", "Time until an HTTP response began.", ["method", "route"], buckets=CALL_SECONDS_BUCKETS
)
HTTP_EVENT_STREAMS: Final = Gauge("fireside_http_event_streams", "Open streams of server-sent events.")
HTTP_EVENT_STREAMS_RESUMED: Final = Counter(
    "fireside_http_event_streams_resumed", "Event streams and WebSockets that were resumed at another engine."
)
HTTP_WEBSOCKETS: Final = Gauge("fireside_http_websockets", "Open WebSockets.")
RATE_LIMITED: Final = Counter("fireside_rate_limited", "Calls refused by a rate limit.", ["limit"])
RATE_COUNT_FAILURES: Final = Counter("fireside_rate_uncounted", "Calls that Redis could not count for a rate limit.")

WEBHOOK_ATTEMPTS: Final = Counter(
    "fireside_webhook_attempts", "Requests to the webhooks of platforms, by outcome: ok or failed.", ["outcome"]
)

ARCHIVE_LAG_MATCHES: Final = Gauge(
    "fireside_archive_lag_matches", "Finished matches that are not archived yet, of all processes."
)
ARCHIVE_LAG_SECONDS: Final = Gauge(
    "fireside_archive_lag_seconds", "Time since the oldest match ended that is not archived yet."
)
ARCHIVE_FAILED: Final = "failed"
ARCHIVE_STORED: Final = "stored"
ARCHIVE_FOUND: Final = "found"
ARCHIVE_MISSING: Final = "missing"
ARCHIVE_WRITES: Final = Counter(
    "fireside_archive_writes", "Attempts to archive a match, by outcome: stored or failed.", ["outcome"]
)
ARCHIVE_READS: Final = Counter(
    "fireside_archive_reads", "Reads of the archive, by outcome: found, missing or failed.", ["outcome"]
)

BOT_SECONDS_BUCKETS: Final = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
BOT_TURNS: Final = Counter("fireside_bot_turns", "Turns of hosted seats that were played.", ["bot"])
BOT_TURNS_IN_PROGRESS: Final = Gauge("fireside_bot_turns_in_hand", "Turns of hosted seats that a worker plays now.")
BOT_CHOICE_SECONDS: Final = Histogram(
    "fireside_bot_thinking_seconds",
    "Time that hosted bots took to choose a move.",
    ["bot"],
    buckets=BOT_SECONDS_BUCKETS,
)
BOT_FAILURES: Final = Counter(
    "fireside_bot_failures", "Turns in which a hosted bot gave no legal move.", ["bot", "kind"]
)
BOT_RETRIES: Final = Counter("fireside_bot_retries", "Retried calls of remote bots that could not be reached.")
REMOTE_BOT_LABEL: Final = "remote"
"""The label of all third-party bots: their addresses would make too many labels."""

TOURNAMENTS_RUNNING: Final = Gauge("fireside_tournaments_running", "Tournaments that this process plays.")
TOURNAMENTS_OVER: Final = Counter(
    "fireside_tournaments_over",
    "Tournaments that this process stopped playing: finished, failed, or interrupted.",
    ["outcome"],
)
OUTCOME_FINISHED: Final = "finished"
OUTCOME_FAILED: Final = "failed"
OUTCOME_INTERRUPTED: Final = "interrupted"
TOURNAMENT_BLOCKS: Final = Counter("fireside_tournament_blocks", "Blocks of tournaments whose results were recorded.")
TOURNAMENT_BLOCK_SECONDS: Final = Counter(
    "fireside_tournament_playing_seconds", "Seconds that workers spent on the blocks that were recorded."
)
TOURNAMENT_MATCHES: Final = Counter("fireside_tournament_matches", "Matches of the recorded blocks.")
TOURNAMENT_REPLAYS: Final = Counter(
    "fireside_tournament_replays", "Blocks that a second worker played, to check the first."
)
TOURNAMENT_WRONG_WORKERS: Final = Counter(
    "fireside_tournament_wrong_workers", "Workers that were closed because they played a block wrongly."
)
TOURNAMENT_WORKERS: Final = Gauge("fireside_tournament_workers", "Workers that can play, at the last count.")
