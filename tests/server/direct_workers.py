"""Workers that analyse at once, in this process: the numbers are those of the analysis, without the seconds in which a process loads it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from tests.server.fake_workers import FakeWorkers

from seepage.pipeline import Analysis
from seepage_lsp.analysis import analyze_job
from seepage_lsp.analysis_process import Job
from seepage_lsp.exploring import explore
from seepage_lsp.questions import Exploration


@dataclass
class DirectWorkers(FakeWorkers):
    """The real analysis, once the loop has gone on."""

    async def run(self, job: Job, tell: Callable[[Analysis], object] | None = None) -> Analysis:
        await asyncio.sleep(0)
        self.jobs.append(job)
        return analyze_job(job, tell)

    async def ask(self, job: object, tell: object = None) -> object:
        """Answer a question of a panel."""
        await asyncio.sleep(0)
        return explore(cast("Exploration", job))
