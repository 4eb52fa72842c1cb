"""Worker pool: plays chunks in Dask workers, either of a remote Dask scheduler or of a cluster on this machine.

Every submitted chunk yields a result or `ChunkFailed`, even when the scheduler dies: the pool reconnects and submits
the chunks in flight again. A Dask scheduler stores nothing on disk, so its tasks are lost with it.
"""

from __future__ import annotations

import logging
from collections import deque
from concurrent.futures import Future as ThreadFuture
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event, Lock
from time import monotonic
from typing import Final

import dask
from distributed import Client, Future, LocalCluster
from distributed.scheduler import KilledWorker

from runtime.telemetry import metrics
from services.tournaments.ledger.ledger import WrongWorker
from services.tournaments.play.chunks import Chunk, ChunkResult, Play, split_remote
from services.tournaments.play.remote_chunks import PlayRemoteChunk, RemoteChunk
from services.tournaments.play.worker import ID_MARK, play_in_worker

logger = logging.getLogger(__name__)

CHUNK_RETRIES: Final = 2
"""Retries of a chunk that ends in an exception. Bots cannot cause one; a machine without free memory can."""
CONNECT_SECONDS: Final = 5.0
RECONNECT_SECONDS: Final = 1.0
WORKER_LIST_SECONDS: Final = 5.0
"""How long the list of workers is cached."""
NO_WORKERS: Final[tuple[float, frozenset[str]]] = (-WORKER_LIST_SECONDS, frozenset())
"""An outdated list."""
CHUNKS_A_WORKER: Final = 3
"""Chunks in flight for each worker: one is played, one waits at the worker, one is being sent."""

DASK_CONFIGURATION: Final = {
    "distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s",
    "distributed.worker.multiprocessing-method": "spawn",
    # Housekeeping that Dask does many times a second, and that chunks of about two seconds do not need.
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.limit": "30s",
    "distributed.admin.low-level-log-length": 10,  # the log keeps messages, and with them a thousand chunks
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.target": False,
}


REMOTE_BLOCKS: Final = 16
"""How many blocks with remote bots are played at once."""
MAX_REMOTE_CHUNKS: Final = 4 * REMOTE_BLOCKS
"""Limit of the submitted blocks with remote bots, waiting ones included."""
REMOTE_POLL_SECONDS: Final = 0.05


def _refuse_remote_bots(chunk: RemoteChunk) -> ChunkResult:
    raise RuntimeError("remote bots cannot be called here")


WORKER_FAILURE_TEXT: Final = "a worker failed; the log of the service has the details"


class ChunkFailed(Exception):
    """Chunks that no worker could play."""

    def __init__(self, chunk: Chunk, reason: str, public_reason: str = "") -> None:
        """`public_reason` replaces the text of a foreign exception in what clients see."""
        failure = f"blocks {chunk.blocks[0].index} to {chunk.blocks[-1].index} could not be played: "
        super().__init__(failure + reason)
        self.chunk = chunk
        self.public_text = failure + (public_reason or reason)


class Stopped(Exception):
    """`stop` was called, and ends the wait of another thread."""


class WorkerPool:
    """Plays chunks in the workers of the Dask scheduler at `address`, or of this machine if the address is empty.

    Blocks with remote bots are not sent to workers: `remote_bots` plays them, in threads of this process.
    """

    def __init__(
        self,
        workers: int,
        address: str = "",
        play: Play = play_in_worker,
        remote_bots: PlayRemoteChunk | None = None,
        wrong_workers: dict[str, WrongWorker] | None = None,
    ) -> None:
        """`wrong_workers` may be shared by pools that have the same workers."""
        self.wrong_workers: Final = {} if wrong_workers is None else wrong_workers
        """Excluded workers, by name: they get no more chunks."""
        self._workers: Final = workers
        self._address: Final = address
        self._play: Final = play
        self._remote_bots: Final = remote_bots or _refuse_remote_bots
        self._threads: Final = ThreadPoolExecutor(REMOTE_BLOCKS, "remote-bots")
        self._remote_chunks: Final[dict[ThreadFuture[ChunkResult], RemoteChunk]] = {}
        self._remote_finished: Final[SimpleQueue[ThreadFuture[ChunkResult]]] = SimpleQueue()
        self._stopping: Final = Event()
        self._client: Client | None = None
        self._cluster: LocalCluster | None = None
        self._waiting: Final[deque[Chunk]] = deque()
        self._in_flight: Final[dict[Future[ChunkResult], Chunk]] = {}
        self._finished: SimpleQueue[Future[ChunkResult]] = SimpleQueue()
        self._cached_list = NO_WORKERS

    def stop(self) -> None:
        """End all waiting: `open`, `submit` and `next` raise `Stopped`. Callable from any thread."""
        self._stopping.set()

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopping.is_set()

    def exclude(self, wrong: WrongWorker) -> bool:
        """Close a worker: its results are dropped from now on, and their chunks played by others.

        Returns whether any worker is left; True if that is unknown, without a connection.
        """
        self.wrong_workers[wrong.name] = wrong
        self._close_worker(wrong.name)
        self._cached_list = NO_WORKERS
        try:
            left = set(self._client.nthreads()) if self._client else None
        except (OSError, TimeoutError, ValueError):
            left = None
        # Dask does not retire the last worker while it holds results.
        return left is None or bool(left - {_address(wrong.name)})

    def open(self) -> None:
        """Connect if not yet connected, with retries until it succeeds. Raises `Stopped`."""
        warned = False
        while self._client is None:
            if self._stopping.is_set():
                raise Stopped
            try:
                self._connect()
            except RuntimeError:  # Ctrl-C also ends workers that have not yet loaded `ignore_sigint`
                self._disconnect()
                if not self._stopping.is_set():
                    raise
            except (OSError, TimeoutError) as error:
                self._disconnect()
                if not warned:
                    logger.warning("the scheduler does not answer: %s: %s", type(error).__name__, error)
                    warned = True
                self._stopping.wait(RECONNECT_SECONDS)

    def close(self) -> None:
        """Cancel all chunks, disconnect, and end the workers that this pool started."""
        self.cancel_all()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._disconnect()

    def cancel_all(self) -> None:
        """Cancel all submitted chunks; their results are dropped."""
        futures = list(self._in_flight)
        self._in_flight.clear()
        self._waiting.clear()
        for future in futures:
            future.cancel()
        for played, chunk in self._remote_chunks.items():
            played.cancel()
            chunk.cancel()
        self._remote_chunks.clear()

    @property
    def workers(self) -> int:
        """Number of workers at the last count, at least 1."""
        count = self._count()
        metrics.TOURNAMENT_WORKERS.set(count)
        return max(1, count)

    @property
    def in_flight(self) -> int:
        """Number of submitted chunks whose results `next` has not returned."""
        return len(self._in_flight) + len(self._waiting) + len(self._remote_chunks)

    @property
    def has_room(self) -> bool:
        """Whether to submit another chunk: the workers have too few, and remote blocks are below their limit."""
        ours = len(self._in_flight) + len(self._waiting)
        return ours < CHUNKS_A_WORKER * self.workers and len(self._remote_chunks) < MAX_REMOTE_CHUNKS

    def submit(self, chunk: Chunk) -> None:
        """Submit a chunk, after connecting if necessary. Raises `Stopped`."""
        ours, remote_chunks = split_remote(chunk)
        for remote in map(RemoteChunk, remote_chunks):
            future = self._threads.submit(self._remote_bots, remote)
            self._remote_chunks[future] = remote
            future.add_done_callback(self._remote_finished.put)
        if ours.blocks:
            self._waiting.append(ours)
            self.open()
            self._send()

    def next(self, seconds: float) -> ChunkResult | None:
        """The next result, in order of completion; None if there is none within about `seconds`.

        Raises `ChunkFailed`, and `Stopped`.
        """
        if self._stopping.is_set():
            raise Stopped
        if self._remote_chunks and (played := self._next_remote(seconds)):
            return played
        try:
            future = self._finished.get(timeout=REMOTE_POLL_SECONDS if self._remote_chunks else seconds)
        except Empty:
            self._reconnect_if_lost()
            return None
        chunk = self._in_flight.pop(future, None)
        if chunk is None:
            return None
        return self._result_of(future, chunk)

    def _next_remote(self, seconds: float) -> ChunkResult | None:
        """A result of a chunk with remote bots; waits briefly, since workers finish chunks meanwhile."""
        try:
            future = self._remote_finished.get(timeout=min(seconds, REMOTE_POLL_SECONDS))
        except Empty:
            return None
        chunk = self._remote_chunks.pop(future, None)
        if chunk is None:
            return None
        error = future.exception()
        if error is not None:
            raise ChunkFailed(chunk.chunk, f"{type(error).__name__}: {error}", WORKER_FAILURE_TEXT)
        return future.result()

    def _result_of(self, future: Future[ChunkResult], chunk: Chunk) -> ChunkResult | None:
        if future.status == "finished":
            try:
                played: ChunkResult = future.result(timeout=CONNECT_SECONDS)
                if played.worker not in self.wrong_workers:
                    return played
                if not self.exclude(self.wrong_workers[played.worker]):
                    raise ChunkFailed(chunk, "no correct worker is left")
            except (OSError, TimeoutError):
                pass  # the connection was lost while the result was being fetched
        elif future.status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                raise ChunkFailed(chunk, "the workers that played them died")
            raise ChunkFailed(chunk, f"{type(error).__name__}: {error}", WORKER_FAILURE_TEXT)
        self._waiting.append(chunk)
        self._reconnect_if_lost()
        self._send()
        return None

    def _send(self) -> None:
        while self._waiting and self._client is not None:
            chunk = self._waiting[0]
            others = list(self._addresses() - {_address(chunk.avoid)}) if chunk.avoid else []
            try:
                # Not pure: Dask would return the old future for a chunk that is submitted again.
                future = self._client.submit(
                    self._play, chunk, pure=False, retries=CHUNK_RETRIES, workers=others, allow_other_workers=True
                )
                future.add_done_callback(self._finished.put)
            except Exception as error:  # Dask raises many types of exceptions while its connection breaks
                logger.warning("the scheduler accepted no chunk: %s: %s", type(error).__name__, error)
                self._reconnect()
                continue
            self._in_flight[future] = chunk
            self._waiting.popleft()

    def _count(self) -> int:
        """The number of workers, not of threads, which share one core."""
        return len(self._addresses()) if self._address and self._client is not None else self._workers

    def _addresses(self) -> frozenset[str]:
        """The addresses of the workers, cached for `WORKER_LIST_SECONDS`."""
        when, addresses = self._cached_list
        if monotonic() - when >= WORKER_LIST_SECONDS and self._client is not None:
            try:
                addresses = frozenset(self._client.nthreads())
            except (OSError, TimeoutError, ValueError):
                addresses = frozenset()
            self._cached_list = (monotonic(), addresses)
        return addresses

    def _close_worker(self, worker: str) -> None:
        if self._client is None:
            return
        try:
            self._client.retire_workers([_address(worker)], callback_timeout=CONNECT_SECONDS)
        except (OSError, TimeoutError) as error:  # it is closed when its next result arrives
            logger.warning("worker %s was not closed: %s: %s", worker, type(error).__name__, error)

    def _reconnect_if_lost(self) -> None:
        if self._stopping.is_set():
            raise Stopped
        if self._client is not None and self._client.status != "running":
            logger.warning("the connection to the scheduler was lost: submitting %d chunks again", self.in_flight)
            self._reconnect()
            self._send()

    def _reconnect(self) -> None:
        self._waiting.extend(self._in_flight.values())
        self._in_flight.clear()
        self._disconnect()
        self.open()

    def _connect(self) -> None:
        dask.config.set(DASK_CONFIGURATION)
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        if not self._address:
            self._cluster = _cluster(self._workers, 1)
        self._client = Client(self._cluster or self._address, timeout=CONNECT_SECONDS, set_as_default=False)
        self._finished = SimpleQueue()

    def _disconnect(self) -> None:
        client, cluster = self._client, self._cluster
        self._client = self._cluster = None
        for part in (client, cluster):
            if part is not None:
                _close(part)


def _address(worker: str) -> str:
    return worker.partition(ID_MARK)[0]


def _close(part: Client | LocalCluster) -> None:
    try:
        part.close(timeout=CONNECT_SECONDS)
    except Exception as error:  # the client or cluster is discarded in any case
        logger.info("the connection was not closed: %s: %s", type(error).__name__, error)


def _cluster(workers: int, threads: int) -> LocalCluster:
    dask.config.set(DASK_CONFIGURATION)
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=threads,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any free port: the default is a fixed port, which may be taken
        memory_limit=None,
        preload=["services.tournaments.play.ignore_sigint"],
        silence_logs=logging.CRITICAL,
    )


class SharedWorkers:
    """Creates worker pools, one for each running tournament, that share the same workers.

    Each worker of this machine has threads enough for the chunks of all pools. Python switches between threads many
    times a second, so a block that takes an hour does not delay the blocks of other tournaments.
    """

    def __init__(
        self, workers: int, address: str = "", remote_bots: PlayRemoteChunk | None = None, pools: int = 1
    ) -> None:
        """`pools` is the greatest number of pools that exist at once."""
        self._workers: Final = workers
        self._address: Final = address
        self._remote_bots: Final = remote_bots
        self._threads: Final = pools * CHUNKS_A_WORKER
        self._lock: Final = Lock()
        self._cluster: LocalCluster | None = None
        self._wrong_workers: Final[dict[str, WrongWorker]] = {}

    def pool(self) -> WorkerPool:
        """A new worker pool, not yet open."""
        return WorkerPool(
            self._workers, self.address(), remote_bots=self._remote_bots, wrong_workers=self._wrong_workers
        )

    def address(self) -> str:
        """The address of the Dask scheduler; without a configured one, the first call starts one on this machine."""
        if self._address:
            return self._address
        with self._lock:
            if self._cluster is None:
                self._cluster = _cluster(self._workers, self._threads)
            return str(self._cluster.scheduler_address)

    def close(self) -> None:
        """End the workers of this machine."""
        if self._cluster is not None:
            _close(self._cluster)
