"""Plays the tournaments of docs/bots.md again, and writes their reports and the table of that page: `make recorded`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

ROOT: Final = Path(__file__).parents[2]
RECORDED: Final = ROOT / "docs" / "recorded"
PAGE: Final = ROOT / "docs" / "bots.md"
LEDGER: Final = ROOT / "build" / "recorded.db"
SEED: Final = 7
TABLE_ROWS: Final = re.compile(r"(?<=^\|---\|---\|---\|---\|---\|---\|---\|\n)(\|.*\n)+", re.MULTILINE)
"""Matches the rows of the table, below its heading."""
DRAWN_SEATS: Final = 2
"""The tournament of each game at tables of so many seats has a picture of the end of its first match in the page."""
STRONG_ROWS: Final = re.compile(r"(?<=`strong` before `mcts` \|\n\|---\|---\|---\|\n)(\|.*\n)+")
"""Matches the rows of the table of `strong`."""
RANDOM, GREEDY, MCTS = range(3)
COMPARED_BOTS: Final = ((MCTS, GREEDY), (GREEDY, RANDOM), (MCTS, RANDOM))


class RecordedTournament(NamedTuple):
    """A tournament of the three bots, which is a row of the table."""

    game: str
    seat_count: int
    iterations: int
    blocks: int

    @property
    def report(self) -> Path:
        """Path of its report."""
        return RECORDED / f"{self.game}-{self.seat_count}.json"

    @property
    def arguments(self) -> list[str]:
        """The command-line arguments of `fireside`."""
        entrants = f"random,greedy,mcts:iterations={self.iterations}"
        plan = ["--game", self.game, "--table", str(self.seat_count), "--entrants", entrants]
        picture = ["--picture", str(self.report.with_suffix(".svg"))] if self.seat_count == DRAWN_SEATS else []
        return ["tournament", "run", *plan, "--blocks", str(self.blocks), "--seed", str(SEED), *picture]


RECORDED_TOURNAMENTS: Final = (
    RecordedTournament("fire_bulls", 2, 100, 20),
    RecordedTournament("fire_bulls", 3, 100, 40),
    RecordedTournament("fire_bulls", 4, 100, 20),
    RecordedTournament("fire_bulls", 5, 100, 12),
    RecordedTournament("spring_festival", 2, 400, 40),
    RecordedTournament("spring_festival", 3, 400, 30),
    RecordedTournament("spring_festival", 4, 400, 12),
    RecordedTournament("fireship", 2, 100, 20),
    RecordedTournament("fireship", 3, 100, 30),
    RecordedTournament("fireship", 4, 100, 12),
)


class StrongTournament(NamedTuple):
    """A tournament of `strong` and `mcts` at tables of two, which is a row of the table of `strong`."""

    game: str
    blocks: int

    @property
    def report(self) -> Path:
        """Path of its report."""
        return RECORDED / f"{self.game}-strong.json"

    @property
    def arguments(self) -> list[str]:
        """The command-line arguments of `fireside`."""
        plan = ["--game", self.game, "--table", "2", "--entrants", "mcts,strong"]
        return ["tournament", "run", *plan, "--blocks", str(self.blocks), "--seed", str(SEED)]


STRONG_TOURNAMENTS: Final = (
    StrongTournament("fire_bulls", 20),
    StrongTournament("spring_festival", 20),
    StrongTournament("fireship", 12),
)


class PairResult(TypedDict):
    """The comparison of two entrants in a report."""

    entrant: int
    opponent: int
    share: float
    interval: list[float] | None


def markdown_table() -> str:
    """The rows of the table as Markdown, from the reports."""
    return "".join(f"| {' | '.join(cells)} |\n".replace("|  |", "| |") for cells in _table_rows())


def _table_rows() -> Iterator[list[str]]:
    before = ""
    for row in RECORDED_TOURNAMENTS:
        report = json.loads(row.report.read_text(encoding="utf-8"))["report"]
        pairs: dict[tuple[int, int], PairResult] = {
            (pair["entrant"], pair["opponent"]): pair for pair in report["pairs"]
        }
        title = row.game.replace("_", " ").title() if row.game != before else ""
        played = f"{row.blocks}, {report['matches']}"
        yield [
            title,
            str(row.seat_count),
            str(row.iterations),
            played,
            *[_format_share(pairs[pair]) for pair in COMPARED_BOTS],
        ]
        before = row.game


def _format_share(pair: PairResult) -> str:
    low, high = pair["interval"] or (0.0, 1.0)
    return f"{100 * pair['share']:.0f} ({100 * low:.0f}-{100 * high:.0f})"


def strong_table() -> str:
    """The rows of the table of `strong` as Markdown, from the reports."""
    return "".join(f"| {' | '.join(cells)} |\n" for cells in map(_strong_row, STRONG_TOURNAMENTS))


def _strong_row(row: StrongTournament) -> list[str]:
    report = json.loads(row.report.read_text(encoding="utf-8"))["report"]
    [won] = [pair for pair in report["pairs"] if pair["entrant"] == 1]
    return [row.game.replace("_", " ").title(), f"{row.blocks}, {report['matches']}", _format_share(won)]


def record_tournament(row: RecordedTournament | StrongTournament) -> None:
    """Play a tournament and write its report."""
    arguments = [*row.arguments, "--ledger", str(LEDGER), "--json", str(row.report)]
    subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments], check=True, env={**os.environ, "REDIS_URL": ""}, cwd=ROOT
    )


def main(names: list[str]) -> None:
    """Play all tournaments, or those with the given report names, and write the tables."""
    LEDGER.parent.mkdir(exist_ok=True)
    for row in (*RECORDED_TOURNAMENTS, *STRONG_TOURNAMENTS):
        if not names or row.report.stem in names:
            record_tournament(row)
    text = TABLE_ROWS.sub(lambda _: markdown_table(), PAGE.read_text(encoding="utf-8"), count=1)
    PAGE.write_text(STRONG_ROWS.sub(lambda _: strong_table(), text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
