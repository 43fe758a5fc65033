"""Workers whose analyses end when the test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from seepage.diagnostics import Diagnostic
from seepage.measures.facts import Answer, LeakageRow, VariableFacts
from seepage.pipeline import Analysis
from seepage.rules import UNDEFINED_VALUE
from seepage.source import Span
from seepage_lsp.analysis_process import Job


def finding(message: str, start: int = 0, end: int = 1) -> Diagnostic:
    return Diagnostic(UNDEFINED_VALUE, Span(start, end), message)


def analysis(
    *found: Diagnostic,
    answers: Sequence[Answer] = (),
    table: Sequence[LeakageRow] = (),
    variables: Sequence[VariableFacts] = (),
) -> Analysis:
    """Return a hand-made analysis."""
    return Analysis(1, tuple(answers), tuple(table), {one.name: one for one in variables}, found, 0.1)


@dataclass
class FakeWorkers:
    """Every analysis waits for :meth:`finish` or :meth:`fail`."""

    jobs: list[Job] = field(default_factory=list)
    futures: list[asyncio.Future[Analysis]] = field(default_factory=list)
    warmed: int = 0
    memory: int | None = None
    allowed: int | None = None
    tell: Callable[[Analysis], object] | None = None

    async def run(self, job: Job, tell: Callable[[Analysis], object] | None = None) -> Analysis:
        self.jobs.append(job)
        self.tell = tell
        self.futures.append(asyncio.get_running_loop().create_future())
        return await self.futures[-1]

    def finish(self, result: Analysis | None = None, which: int = -1) -> None:
        self.futures[which].set_result(result or analysis())

    def fail(self, error: Exception) -> None:
        self.futures[-1].set_exception(error)

    @property
    def running(self) -> int:
        return sum(not future.done() for future in self.futures)

    def warm(self) -> None:
        self.warmed += 1

    def allow(self, processes: int) -> None:
        self.allowed = processes

    def close(self) -> None:
        """Nothing to kill."""

    async def ended(self) -> None:
        """Nothing to wait for."""
