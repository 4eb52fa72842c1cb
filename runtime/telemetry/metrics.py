"""Prometheus metrics of all roles, declared in one place.

Label values come from small fixed sets: games, methods, route templates, statuses. They are never an id, a name that a
caller chose, or anything that a seat may not know. Times are in seconds.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]  # else each counter has a second series that nobody reads

BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Bucket bounds for durations of calls, in seconds; a move takes a millisecond or two."""

CALLS: Final = Counter(
    "fireside_calls", "Calls of gRPC that have ended, by what they ended with.", ["service", "method", "code"]
)
CALL_SECONDS: Final = Histogram(
    "fireside_call_seconds", "How long unary calls of gRPC took.", ["service", "method"], buckets=BUCKETS
)
STREAMS: Final = Gauge("fireside_streams", "Calls with many answers that are open.", ["service", "method"])
WATCHED: Final = Gauge("fireside_watched_matches", "Matches that somebody follows.")
WATCHERS: Final = Gauge("fireside_watchers", "Streams that follow a match.")

INFLIGHT_BYTES: Final = Gauge(
    "fireside_inflight_bytes", "Bytes of requests that are in flight, over grpc or http.", ["over"]
)
UNHEARD: Final = Gauge("fireside_calls_without_message", "Calls of gRPC whose first message has not come yet.")
TURNED_AWAY: Final = Counter(
    "fireside_turned_away",
    "Requests refused before they began: for the bytes in flight, or since their message was late or not there yet.",
    ["reason"],
)

PLAYER: Final = "player"
DEFAULT: Final = "default"
BOT: Final = "bot"
MOVES: Final = Counter(
    "fireside_moves", "Moves made in stored matches, by whom: player, bot, or the clock by default.", ["game", "kind"]
)
BEGUN: Final = Counter("fireside_matches_begun", "Stored matches that have begun.", ["game"])
ENDED: Final = Counter("fireside_matches_ended", "Stored matches that are over.", ["game"])
REPEATS: Final = Counter("fireside_repeats", "Moves that came again and got their first answer.", ["game"])

STORE_SECONDS: Final = Histogram(
    "fireside_store_seconds",
    "How long the store took, waiting for a connection included.",
    ["operation"],
    buckets=BUCKETS,
)
STORE_FAILURES: Final = Counter(
    "fireside_store_failures", "Operations that the store did not do, by the reason.", ["operation", "reason"]
)
STORE_CONFLICTS: Final = Counter(
    "fireside_store_conflicts", "Steps that came too late, since the match had gone on; they are tried again."
)

HTTP_REQUESTS: Final = Counter(
    "fireside_http_requests", "Answers over HTTP, by route as a template.", ["method", "route", "status"]
)
HTTP_SECONDS: Final = Histogram(
    "fireside_http_seconds", "How long it took until an answer over HTTP began.", ["method", "route"], buckets=BUCKETS
)
HTTP_EVENTS: Final = Gauge("fireside_http_event_streams", "Streams of server-sent events that are open.")
HTTP_RESUMED: Final = Counter(
    "fireside_http_event_streams_resumed", "Streams of events for which another engine was found."
)
RATE_LIMITED: Final = Counter("fireside_rate_limited", "Calls refused because there were too many.", ["limit"])
UNCOUNTED: Final = Counter("fireside_rate_uncounted", "Looks at a Redis that could not count calls.")

BOT_BUCKETS: Final = (0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
BOT_TURNS: Final = Counter("fireside_bot_turns", "Turns of hosted seats that were played.", ["bot"])
BOT_TURNS_IN_HAND: Final = Gauge("fireside_bot_turns_in_hand", "Turns of hosted seats that a worker has.")
BOT_SECONDS: Final = Histogram(
    "fireside_bot_thinking_seconds", "How long hosted bots took to choose.", ["bot"], buckets=BOT_BUCKETS
)
BOT_FAILURES: Final = Counter(
    "fireside_bot_failures", "Turns in which a hosted bot gave no legal move.", ["bot", "kind"]
)
BOT_RETRIES: Final = Counter("fireside_bot_retries", "Questions put again to a remote bot that could not be reached.")
REMOTE_BOT: Final = "remote"
"""The label of all third-party bots: their addresses would make too many labels."""

TOURNAMENTS: Final = Gauge("fireside_tournaments_running", "Tournaments that this process plays.")
TOURNAMENTS_OVER: Final = Counter(
    "fireside_tournaments_over",
    "Tournaments that this process stopped playing: finished, failed, or interrupted (put_down).",
    ["outcome"],
)
OUTCOME_FINISHED: Final = "finished"
OUTCOME_FAILED: Final = "failed"
OUTCOME_INTERRUPTED: Final = "put_down"
BLOCKS: Final = Counter("fireside_tournament_blocks", "Blocks of tournaments whose results were recorded.")
BLOCK_SECONDS: Final = Counter(
    "fireside_tournament_playing_seconds", "Seconds that workers spent on the blocks that were recorded."
)
TOURNAMENT_MATCHES: Final = Counter("fireside_tournament_matches", "Matches of those blocks.")
WORKERS: Final = Gauge("fireside_tournament_workers", "Threads of workers that can play, as far as is known.")
