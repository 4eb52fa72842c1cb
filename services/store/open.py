"""Opens the match store that a URL names: in Redis, or embedded in this process."""

from __future__ import annotations

import logging

from runtime import redis_url
from services.store.embedded import EmbeddedStore
from services.store.matches.store import Store
from services.store.redis import ANSWER_SECONDS, CONNECT_SECONDS

logger = logging.getLogger(__name__)


def open_store(url: str, expiry: int, finished_expiry: int = 0, replicas: int = 0) -> Store:
    """The store at a Redis URL; the embedded one, without replicas, for an empty URL. Arguments are as in `Store`."""
    if not url:
        logger.warning("no REDIS_URL: matches are stored in this process and are gone when it stops")
        return EmbeddedStore(expiry, finished_expiry)
    redis = redis_url.client(url, CONNECT_SECONDS, ANSWER_SECONDS)
    return Store(redis, expiry, finished_expiry, replicas=replicas)
