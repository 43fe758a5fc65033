"""Analyses in processes that can be killed: the server's side of :mod:`seepage_lsp.analysis_process`."""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from seepage_lsp.analysis_process import HEADER, Failed, Job, Ready

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

ANALYSIS = "seepage_lsp.analysis:analyze_job"
# The analysis keeps its own time limit; this much later it is killed.
GRACE_SECONDS = 3.0
_START_SECONDS = 60.0
_PROCESSES = 2
# Not "-m": the classes of messages must have one name on both sides.
_PROGRAM = "from seepage_lsp.analysis_process import main; main()"


class AnalysisTimeout(Exception):
    """An analysis passed its time limit and was killed."""


class AnalysisFailed(Exception):
    """An analysis or its process broke, which is a fault of Seepage and not of the program; ``details`` is for the log."""

    def __init__(self, summary: str, details: str = "") -> None:
        super().__init__(summary)
        self.details = details


@dataclass(slots=True)
class Workers:
    """A few processes, kept while they are idle. Mutable: belongs to one event loop."""

    function: str = ANALYSIS
    grace: float = GRACE_SECONDS
    _idle: list[asyncio.subprocess.Process] = field(default_factory=list)
    _all: set[asyncio.subprocess.Process] = field(default_factory=set)
    _ending: set[asyncio.subprocess.Process] = field(default_factory=set)
    _spawning: set[asyncio.Task[asyncio.subprocess.Process]] = field(default_factory=set)
    _closed: bool = False
    _warming: asyncio.Task[None] | None = None
    _slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_PROCESSES))

    async def run(self, job: Job) -> Analysis:
        """Analyse in a process of its own; cancelling kills that process.

        Raises:
            AnalysisTimeout: if the job's time and the grace are over.
            AnalysisFailed: if the analysis raised or its process ended.
        """
        async with self._slots, self._process() as process:
            _write(process, job)
            try:
                answer = await asyncio.wait_for(_read(process), job.seconds + self.grace)
            except TimeoutError:
                raise AnalysisTimeout from None
        from seepage.pipeline import Analysis  # not at the start of the server: it brings the engines' types

        if isinstance(answer, Failed):
            raise AnalysisFailed(answer.summary, answer.details)
        if not isinstance(answer, Analysis):
            raise AnalysisFailed(f"the analysis returned {type(answer).__name__}")
        return answer

    def warm(self) -> None:
        """Start a process ahead of the first analysis, or after one was killed."""
        if not self._idle and (self._warming is None or self._warming.done()):
            self._warming = asyncio.get_running_loop().create_task(self._warm())

    def close(self) -> None:
        """Kill every process, those that are about to start too."""
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
        for process in list(self._all):
            self._kill(process)

    async def ended(self) -> None:
        """Wait until the processes that were killed have ended."""
        while self._spawning or self._ending:
            if self._spawning:
                await asyncio.wait(self._spawning)
            else:
                await self._ending.pop().wait()

    async def _warm(self) -> None:
        # A failure shows again, and is told, when an analysis is asked for.
        with contextlib.suppress(AnalysisFailed):
            self._idle.append(await self._start())

    @contextlib.asynccontextmanager
    async def _process(self) -> AsyncIterator[asyncio.subprocess.Process]:
        if not self._idle and self._warming is not None and not self._warming.done():
            await asyncio.shield(self._warming)
        while self._idle and self._idle[-1].returncode is not None:
            self._kill(self._idle[-1])
        process = self._idle.pop() if self._idle else await self._start()
        try:
            yield process
        except BaseException:
            self._kill(process)
            raise
        self._idle.append(process)

    async def _start(self) -> asyncio.subprocess.Process:
        # A start that is cancelled half-way leaves asyncio waiting for pipes that never close: it runs to its end, then is killed.
        spawning = asyncio.get_running_loop().create_task(self._spawn())
        self._spawning.add(spawning)
        spawning.add_done_callback(self._spawning.discard)
        try:
            process = await asyncio.shield(spawning)
        except asyncio.CancelledError:
            spawning.add_done_callback(self._kill_started)
            raise
        try:
            ready = await asyncio.wait_for(_read(process), _START_SECONDS)
        except TimeoutError:
            self._kill(process)
            raise AnalysisFailed("the analysis process does not start") from None
        except BaseException:
            self._kill(process)
            raise
        if not isinstance(ready, Ready):
            self._kill(process)
            raise AnalysisFailed(f"the analysis process answered {type(ready).__name__} before it was ready")
        return process

    async def _spawn(self) -> asyncio.subprocess.Process:
        # -P: a file of the workspace must not stand in for a module. The server's own standard output stays its own.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", _PROGRAM, self.function,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        self._all.add(process)
        if self._closed:
            self._kill(process)
        return process

    def _kill_started(self, spawning: asyncio.Task[asyncio.subprocess.Process]) -> None:
        if not spawning.cancelled() and spawning.exception() is None:
            self._kill(spawning.result())

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        if process in self._idle:
            self._idle.remove(process)
        if process.returncode is None:
            self._ending = {one for one in self._ending if one.returncode is None} | {process}
            with contextlib.suppress(ProcessLookupError):
                process.kill()


def _write(process: asyncio.subprocess.Process, job: Job) -> None:
    body = pickle.dumps(job)
    if process.stdin is None:
        raise ValueError("the process has no standard input")
    process.stdin.write(HEADER.pack(len(body)) + body)


async def _read(process: asyncio.subprocess.Process) -> object:
    if process.stdout is None:
        raise ValueError("the process has no standard output")
    try:
        (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
        return pickle.loads(await process.stdout.readexactly(length))
    except asyncio.IncompleteReadError:
        code = await process.wait()
        raise AnalysisFailed(f"the analysis process ended with code {code}") from None
