"""Live terminal display of a running tournament: progress bar, rate, time left, and standings."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Final, Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from cli.reports.tables import MAX_LIVE_ROWS, sprt_line, standings
from cli.translation import gettext
from services.tournaments import runner
from services.tournaments.plan.plan import Plan

REFRESH_SECONDS: Final = 0.5


class RateColumn(ProgressColumn):
    """A column of the progress bar: matches per second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.1f}/s" if speed else "", style="progress.data.speed")


class ProgressDisplay:
    """Context manager that displays the progress reports of a coordinator."""

    def __init__(self, console: Console, plan: Plan, done: int, planned: int) -> None:
        self._plan: Final = plan
        self._progress: Final = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(gettext("matches")),
            RateColumn(),
            TimeRemainingColumn(compact=True),
            console=console,
        )
        self._matches_task: Final = self._progress.add_task(
            gettext("round {number}", number=1), total=planned * plan.table_size, completed=done * plan.table_size
        )
        self._live: Final = Live(self._progress, console=console, auto_refresh=console.is_terminal, transient=True)
        self._last_refresh = 0.0

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def update(self, progress: runner.ProgressReport) -> None:
        """Update the display from a progress report."""
        matches = progress.done * self._plan.table_size
        self._progress.update(
            self._matches_task, completed=matches, description=gettext("round {number}", number=progress.round)
        )
        now = monotonic()
        if self._live.auto_refresh and now - self._last_refresh >= REFRESH_SECONDS:
            self._last_refresh = now
            table = standings(progress.standings.rows()[:MAX_LIVE_ROWS], (), gettext("As it stands"))
            test = progress.standings.test
            self._live.update(Group(self._progress, table, sprt_line(test.state()) if test else ""))
