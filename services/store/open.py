"""Opens the match store that a URL names: in Redis, or embedded in this process."""

from __future__ import annotations

import logging

from runtime import redis_url
from services.store.archive.archived_match import Archive
from services.store.archive.store import ArchivingStore
from services.store.embedded import EmbeddedStore
from services.store.matches.store import Store
from services.store.redis import ANSWER_SECONDS, CONNECT_SECONDS

logger = logging.getLogger(__name__)


def open_store(
    url: str, expiry: int, finished_expiry: int = 0, replicas: int = 0, archive: Archive | None = None
) -> Store:
    """The store at a Redis URL; the embedded one, without replicas and archive, for an empty URL.

    Arguments are as in `Store`; with an `archive`, matches are read from it that Redis has forgotten. Raises
    `ValueError` for an archive of the embedded store.
    """
    if not url:
        if archive is not None:
            raise ValueError("FIRESIDE_ARCHIVE: without a REDIS_URL there is nothing to archive")
        logger.warning("no REDIS_URL: matches are stored in this process and are gone when it stops")
        return EmbeddedStore(expiry, finished_expiry)
    make = redis_url.cluster_client if redis_url.is_cluster(url) else redis_url.client
    redis = make(url, CONNECT_SECONDS, ANSWER_SECONDS)
    if archive is not None:
        return ArchivingStore(redis, expiry, archive, finished_expiry, replicas)
    return Store(redis, expiry, finished_expiry, replicas=replicas)
