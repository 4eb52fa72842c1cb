"""File ledger: tournaments in a SQLite database, shared by the processes of one machine."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Final

from services.tournaments.ledger.ledger import (
    LIST_START,
    NO_MOVES,
    LeaseLost,
    Ledger,
    LedgerUnavailable,
    ListPosition,
    ResultDiffers,
    Status,
    StoredResult,
    Tournament,
    TournamentEnded,
    TournamentLeased,
    UnknownTournament,
    WrongWorker,
)
from services.tournaments.plan.plan import Spec, read_stored_plan

BUSY_SECONDS: Final = 30.0

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS tournaments (
  id TEXT PRIMARY KEY, spec TEXT NOT NULL, status TEXT NOT NULL, created_ms INTEGER NOT NULL,
  token INTEGER NOT NULL DEFAULT 0, leased_until_ms INTEGER NOT NULL DEFAULT 0,
  summary BLOB NOT NULL DEFAULT x'', detail TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS results (
  place INTEGER PRIMARY KEY, tournament TEXT NOT NULL, block INTEGER NOT NULL, result BLOB NOT NULL,
  worker TEXT NOT NULL, UNIQUE (tournament, block)
);
CREATE TABLE IF NOT EXISTS moves (
  tournament TEXT NOT NULL, block INTEGER NOT NULL, moves BLOB NOT NULL, PRIMARY KEY (tournament, block)
);
CREATE TABLE IF NOT EXISTS alarms (
  tournament TEXT NOT NULL, block INTEGER NOT NULL, result BLOB NOT NULL, PRIMARY KEY (tournament, block)
);
CREATE TABLE IF NOT EXISTS suspects (
  tournament TEXT NOT NULL, block INTEGER NOT NULL, worker TEXT NOT NULL, result BLOB NOT NULL,
  PRIMARY KEY (tournament, block, worker)
);
CREATE TABLE IF NOT EXISTS wrong_workers (
  tournament TEXT NOT NULL, worker TEXT NOT NULL, evidence_tournament TEXT NOT NULL, evidence_block INTEGER NOT NULL,
  PRIMARY KEY (tournament, worker)
);
CREATE TABLE IF NOT EXISTS deleted_fence (one INTEGER PRIMARY KEY CHECK (one = 1), token INTEGER NOT NULL);
"""


class FileLedger(Ledger):
    """Tournaments in a SQLite file that several processes of this machine may use at once.

    All methods raise `LedgerUnavailable` if the file cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock: Final = RLock()
        with self._mapping_errors():
            self._database: Final = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._database.execute("PRAGMA journal_mode = WAL")  # readers do not wait for a writer
            self._database.executescript(SCHEMA)

    def create(self, tournament_id: str, spec: Spec, now_ms: int) -> bool:
        with self._step():
            # Tokens start after those of deleted tournaments, so that coordinators of a deleted one stay fenced off.
            row = (tournament_id, spec.to_json(), Status.RUNNING.value, now_ms)
            made = self._database.execute(
                "INSERT INTO tournaments (id, spec, status, created_ms, token) "
                "VALUES (?, ?, ?, ?, (SELECT coalesce(max(token), 0) FROM deleted_fence)) ON CONFLICT DO NOTHING",
                row,
            )
            return made.rowcount == 1

    def tournament(self, tournament_id: str) -> Tournament:
        with self._step():
            row = self._row(
                "SELECT spec, status, created_ms, summary, detail, leased_until_ms FROM tournaments WHERE id = ?",
                tournament_id,
            )
            if row is None:
                raise UnknownTournament(tournament_id)
            done = self._row("SELECT count(*) FROM results WHERE tournament = ?", tournament_id)
            alarms = self._database.execute(
                "SELECT block, result FROM alarms WHERE tournament = ? ORDER BY block", (tournament_id,)
            ).fetchall()
            wrong_workers = self._database.execute(
                "SELECT worker, evidence_tournament, evidence_block FROM wrong_workers WHERE tournament = ? "
                "ORDER BY worker",
                (tournament_id,),
            ).fetchall()
            set_aside = self._row("SELECT count(*) FROM suspects WHERE tournament = ?", tournament_id)
        spec, status, created_ms, summary, detail, leased_until_ms = row
        assert isinstance(summary, bytes)
        return Tournament(
            tournament_id, read_stored_plan(str(spec)), Status(status), _int(created_ms), _int(done[0]) if done else 0,
            tuple(alarms), summary, str(detail), _int(leased_until_ms) > _now_ms(),
            tuple([WrongWorker(*row) for row in wrong_workers]), _int(set_aside[0]) if set_aside else 0,
        )  # fmt: skip

    def positions(self, most: int, after: ListPosition = LIST_START) -> list[ListPosition]:
        with self._mapping_errors():
            rows = self._database.execute(
                "SELECT created_ms, id FROM tournaments WHERE (created_ms, id) < (?, ?) "
                "ORDER BY created_ms DESC, id DESC LIMIT ?",
                (*after, most),
            )
            return [ListPosition(*row) for row in rows]

    def unfinished(self, most: int) -> list[str]:
        with self._mapping_errors():
            rows = self._database.execute(
                "SELECT id FROM tournaments WHERE status = ? ORDER BY created_ms, rowid LIMIT ?",
                (Status.RUNNING.value, most),
            )
            return [row[0] for row in rows]

    def results(self, tournament_id: str, first: int, count: int) -> list[bytes | None]:
        found: list[bytes | None] = [None] * count
        with self._mapping_errors():
            rows = self._database.execute(
                "SELECT block, result FROM results WHERE tournament = ? AND block >= ? AND block < ?",
                (tournament_id, first, first + count),
            )
            for block, result in rows:
                found[block - first] = result
        return found

    def moves(self, tournament_id: str, block: int) -> bytes | None:
        with self._mapping_errors():
            query = "SELECT moves FROM moves WHERE tournament = ? AND block = ?"
            row: tuple[bytes] | None = self._database.execute(query, (tournament_id, block)).fetchone()
        return row[0] if row else None

    def record(
        self,
        tournament_id: str,
        token: int,
        lines: Sequence[StoredResult],
        moves: Mapping[int, bytes] = NO_MOVES,
        worker: str = "",
    ) -> list[int]:
        new: list[int] = []
        differing: list[int] = []
        with self._step():
            self._check_running(tournament_id, token)
            for index, result in lines:
                if self._insert("results", tournament=tournament_id, block=index, result=result, worker=worker):
                    new.append(index)
                    if index in moves:
                        row = (tournament_id, index, moves[index])
                        self._database.execute("INSERT INTO moves VALUES (?, ?, ?)", row)
                elif self.results(tournament_id, index, 1) != [result]:
                    self._insert("alarms", tournament=tournament_id, block=index, result=result)
                    differing.append(index)
        if differing:
            raise ResultDiffers(tournament_id, differing)
        return new

    def blocks_played_by(self, tournament_id: str, worker: str) -> list[int]:
        with self._mapping_errors():
            query = "SELECT block FROM results WHERE tournament = ? AND worker = ? ORDER BY block"
            return [row[0] for row in self._database.execute(query, (tournament_id, worker))]

    def set_aside(
        self, tournament_id: str, token: int, worker: WrongWorker, blocks: Sequence[int], later_from: int | None = None
    ) -> None:
        with self._step():
            self._check_running(tournament_id, token)
            self._database.execute(
                "INSERT OR REPLACE INTO wrong_workers VALUES (?, ?, ?, ?)",
                (tournament_id, worker.name, worker.tournament_id, worker.block),
            )
            self._set_aside_where(tournament_id, "block = ?", blocks)
            if later_from is not None:
                self._set_aside_where(tournament_id, "block >= ?", [later_from])

    def _set_aside_where(self, tournament_id: str, condition: str, blocks: Sequence[int]) -> None:
        rows = [(tournament_id, block) for block in blocks]
        self._database.executemany(
            "INSERT OR REPLACE INTO suspects SELECT tournament, block, worker, result FROM results "
            f"WHERE tournament = ? AND {condition}",
            rows,
        )
        for table in ("results", "moves"):
            self._database.executemany(f"DELETE FROM {table} WHERE tournament = ? AND {condition}", rows)

    def suspect_results(self, tournament_id: str) -> list[tuple[int, str, bytes]]:
        with self._mapping_errors():
            query = "SELECT block, worker, result FROM suspects WHERE tournament = ? ORDER BY block, worker"
            return list(self._database.execute(query, (tournament_id,)))

    def finish(self, tournament_id: str, token: int) -> None:
        with self._step():
            self._check_lease(tournament_id, token)
            self._end(tournament_id, Status.OVER)

    def cancel(self, tournament_id: str) -> None:
        with self._step():
            self._leased_until_ms(tournament_id)
            self._end(tournament_id, Status.CANCELLED)

    def delete(self, tournament_id: str) -> None:
        with self._step():
            if self._leased_until_ms(tournament_id) > _now_ms():
                raise TournamentLeased(tournament_id)
            self._database.execute(
                "INSERT OR REPLACE INTO deleted_fence "
                "SELECT 1, max(token, coalesce((SELECT token FROM deleted_fence), 0)) FROM tournaments WHERE id = ?",
                (tournament_id,),
            )
            for table in ("results", "moves", "alarms", "suspects", "wrong_workers"):
                self._database.execute(f"DELETE FROM {table} WHERE tournament = ?", (tournament_id,))
            self._database.execute("DELETE FROM tournaments WHERE id = ?", (tournament_id,))

    def fail(self, tournament_id: str, token: int, detail: str) -> None:
        with self._step():
            self._check_lease(tournament_id, token)
            self._end(tournament_id, Status.FAILED, detail)

    def lines(self, tournament_id: str, first: int, count: int) -> list[StoredResult]:
        with self._mapping_errors():
            rows = self._database.execute(
                "SELECT block, result FROM results WHERE tournament = ? ORDER BY place LIMIT ? OFFSET ?",
                (tournament_id, count, first),
            )
            return list(rows)

    def publish(self, tournament_id: str, token: int, summary: bytes) -> None:
        with self._step():
            self._check_lease(tournament_id, token)
            self._database.execute("UPDATE tournaments SET summary = ? WHERE id = ?", (summary, tournament_id))

    def acquire(self, tournament_id: str, milliseconds: int) -> int | None:
        now = _now_ms()
        with self._step():
            self._database.execute(
                "UPDATE tournaments SET token = token + 1, leased_until_ms = ? WHERE id = ? AND leased_until_ms <= ?",
                (now + milliseconds, tournament_id, now),
            )
            taken = self._row("SELECT changes(), token FROM tournaments WHERE id = ?", tournament_id)
        return _int(taken[1]) if taken and taken[0] else None

    def renew(self, tournament_id: str, token: int, milliseconds: int) -> bool:
        now = _now_ms()
        with self._step():
            renewed = self._database.execute(
                "UPDATE tournaments SET leased_until_ms = ? "
                "WHERE id = ? AND token = ? AND leased_until_ms > ? AND status = ?",
                (now + milliseconds, tournament_id, token, now, Status.RUNNING.value),
            )
            return renewed.rowcount == 1

    def release(self, tournament_id: str, token: int) -> None:
        with self._step():
            self._database.execute(
                "UPDATE tournaments SET leased_until_ms = 0 WHERE id = ? AND token = ?", (tournament_id, token)
            )

    def close(self) -> None:
        with self._lock:
            self._database.close()

    @contextmanager
    def _mapping_errors(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise LedgerUnavailable(f"the ledger's file: {error}") from error

    @contextmanager
    def _step(self) -> Iterator[None]:
        """A write transaction (`BEGIN IMMEDIATE`, so no other process writes meanwhile), rolled back on any error."""
        with self._mapping_errors():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")

    def _row(self, query: str, tournament_id: str) -> tuple[object, ...] | None:
        row: tuple[object, ...] | None = self._database.execute(query, (tournament_id,)).fetchone()
        return row

    def _insert(self, table: str, **row: str | int | bytes) -> bool:
        """Insert a row unless there is one with the same key; whether it was inserted."""
        made = self._database.execute(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))}) ON CONFLICT DO NOTHING",
            tuple(row.values()),
        )
        return made.rowcount == 1

    def _leased_until_ms(self, tournament_id: str) -> int:
        """Expiry of the last lease, in milliseconds since 1970; it may be past. Raises `UnknownTournament`."""
        row = self._row("SELECT leased_until_ms FROM tournaments WHERE id = ?", tournament_id)
        if row is None:
            raise UnknownTournament(tournament_id)
        return _int(row[0])

    def _check_lease(self, tournament_id: str, token: int) -> None:
        row = self._row("SELECT token, leased_until_ms FROM tournaments WHERE id = ?", tournament_id)
        if row is None or row[0] != token or _int(row[1]) <= _now_ms():
            raise LeaseLost(tournament_id)

    def _check_running(self, tournament_id: str, token: int) -> None:
        self._check_lease(tournament_id, token)
        if self._row("SELECT status FROM tournaments WHERE id = ?", tournament_id) != (Status.RUNNING.value,):
            raise TournamentEnded(tournament_id)

    def _end(self, tournament_id: str, status: Status, detail: str = "") -> None:
        self._database.execute(
            "UPDATE tournaments SET status = ?, detail = ? WHERE id = ? AND status = ?",
            (status.value, detail, tournament_id, Status.RUNNING.value),
        )


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
