"""Work in processes that can be killed: the server's side of :mod:`seepage_lsp.analysis_process`.

A process keeps what it found for the next version of a text (:mod:`seepage.measures.known_quantities`), and all of that ends with it: what
statements mean is numbered in each process for itself, and to send it along would take longer than it saves where most is small. So a process
is replaced only where it was killed, ended, or keeps too much memory; a new one is then started ahead of the next job. One whose job is
cancelled, as by an edit, is not killed at once: most jobs are over in a moment, and then it keeps what it found.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from seepage.data_classes import dataclass
from seepage.deadline import WALL
from seepage_lsp.analysis_process import ENDED_BY_TIME, HEADER, Done, Failed, Order, Partial, Ready
from seepage_lsp.turns import Rank, Turns

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

ANALYSIS = "seepage_lsp.analysis:analyze_job"
# The work keeps its own time limit, which counts the time of a processor; this much later the system ends its process. On the wall's clock, which
# counts for what waits, ``WALL`` times as long is left.
GRACE_SECONDS = 3.0
MEMORY = 2 << 30
# A job waits for a process to be ready as long as for its answer, but at least so long; one that starts ahead of jobs has more time.
START_SECONDS = 10.0
_WARM_SECONDS = 60.0
_PROCESSES = 2
# A job that was cancelled may end within this time, so that its process need not be killed; the next one about the same subject waits for that.
PATIENCE_SECONDS = 1.0
# A process is replaced when it has grown by so much and does not give it back: what it keeps has bounds, and the largest examples stay below a third.
_MOST_GROWTH = 256 << 20
# An answer longer than this is none.
_LONGEST = 1 << 30
# Not "-m": the classes of messages must have one name on both sides.
_PROGRAM = "from seepage_lsp.analysis_process import main; main()"
# What unpickling bytes that are no answer may raise.
_GARBAGE = (
    pickle.UnpicklingError,
    EOFError,
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
    MemoryError,
)


class Timed(Protocol):
    """A job: the seconds of a processor that it may take, and what it is about, for which a process that knows it is preferred."""

    @property
    def seconds(self) -> float:
        """Time limit."""
        ...

    @property
    def subject(self) -> str:
        """The document."""
        ...


class AnalysisTimeout(Exception):
    """A job passed its time limit and was killed, or found no process in that time."""


class AnalysisFailed(Exception):
    """A job or its process broke, which is a fault of Seepage and not of the program; ``details`` is for the log."""

    def __init__(self, summary: str, details: str = "") -> None:
        super().__init__(summary)
        self.details = details


class OutOfMemory(AnalysisFailed):
    """A job needed more memory than it is allowed."""


class _Ended(Exception):
    """A process ended, or answered what is no answer, in the middle of a job."""


@dataclass(slots=True, eq=False)
class _Worker:
    process: asyncio.subprocess.Process
    resident: int = 0
    subject: str = ""
    answering: asyncio.Task[Done | Failed] | None = None


@dataclass(slots=True)
class Workers:
    """A few processes, kept while they are idle. Mutable: belongs to one event loop.

    Attributes:
        function: what they run, as ``module:function``.
        grace: seconds of a processor past a job's own limit.
        start: seconds that a process may take to be ready, however short the job is.
        processes: how many work at the same time; :meth:`allow` changes it.
        memory: limit of each in bytes, None for none; a change holds from the next job on.
        most_growth: bytes by which the memory of one that is kept may have grown.
        patience: seconds that a job may go on after it was cancelled.
        wanted: which of the subjects that wait is first, by the highest number.
    """

    function: str = ANALYSIS
    grace: float = GRACE_SECONDS
    start: float = START_SECONDS
    processes: int = _PROCESSES
    memory: int | None = MEMORY
    most_growth: int = _MOST_GROWTH
    patience: float = PATIENCE_SECONDS
    wanted: Callable[[str], float] = lambda subject: 0.0
    _idle: list[_Worker] = field(default_factory=list)
    _all: set[asyncio.subprocess.Process] = field(default_factory=set)
    _ending: set[asyncio.subprocess.Process] = field(default_factory=set)
    _spawning: set[asyncio.Task[asyncio.subprocess.Process]] = field(default_factory=set)
    _lingering: dict[asyncio.Task[None], str] = field(
        default_factory=dict
    )  # with their subjects, which several may share
    _closed: bool = False
    _warming: asyncio.Task[None] | None = None
    _slots: Turns = field(init=False)
    _surplus: int = 0  # slots that are to be taken away once they are free

    def __post_init__(self) -> None:
        self._slots = Turns(self.processes)

    async def run(self, job: Timed, tell: Callable[[Analysis], object] | None = None) -> Analysis:
        """Analyse in a process of its own; cancelling ends that soon. ``tell`` gets what is known before all is.

        Raises:
            AnalysisTimeout, AnalysisFailed: as :meth:`ask`.
        """

        def told(value: object) -> None:
            if tell is not None and (known := _analysis(value)) is not None:
                tell(known)

        answer = await self.ask(job, told)
        if (analysis := _analysis(answer)) is None:
            raise AnalysisFailed(f"the analysis returned {type(answer).__name__}")
        return analysis

    async def ask(self, job: Timed, tell: Callable[[object], object] | None = None) -> object:
        """Do a job in a process of its own; cancelling ends that within the ``patience``. One whose process ends is tried once more.

        Raises:
            AnalysisTimeout: if the job's time and the grace are over, or no process was ready in that time.
            OutOfMemory: if it needed more memory than it may.
            AnalysisFailed: if it raised, or its process ended twice.
        """
        async with self._slot(lambda: self.wanted(job.subject)):
            try:
                return await self._try(job, tell)
            except _Ended:
                try:
                    return await self._try(job, tell)
                except _Ended as again:
                    raise AnalysisFailed(str(again)) from None

    @contextlib.asynccontextmanager
    async def _slot(self, rank: Rank) -> AsyncIterator[None]:
        await self._slots.acquire(rank)
        while self._surplus:
            self._surplus -= 1
            await self._slots.acquire(rank)
        try:
            yield
        finally:
            if self._surplus:
                self._surplus -= 1
            else:
                self._slots.release()

    def allow(self, processes: int) -> None:
        """Let so many work at the same time from now on; those beyond it end their jobs first."""
        self._surplus += self.processes - processes
        self.processes = processes
        while self._surplus < 0:
            self._surplus += 1
            self._slots.release()
        self._retire_surplus()

    def _retire_surplus(self) -> None:
        while len(self._idle) > self.processes:
            self._retire(self._idle[0])

    def warm(self) -> None:
        """Start a process ahead of the next job, or after one was killed."""
        if (
            not self._closed
            and not self._idle
            and not self._lingering
            and (self._warming is None or self._warming.done())
        ):
            self._warming = asyncio.get_running_loop().create_task(self._warm())

    def close(self) -> None:
        """Kill every process, those that are about to start too."""
        self._closed = True
        if self._warming is not None:
            self._warming.cancel()
        for lingering in self._lingering:
            lingering.cancel()
        for process in list(self._all):
            self._kill(process)

    async def ended(self) -> None:
        """Wait until the processes that were killed have ended."""
        while self._spawning or self._ending:
            if self._spawning:
                await asyncio.wait(self._spawning)
            else:
                await self._ending.pop().wait()

    async def _try(self, job: Timed, tell: Callable[[object], object] | None) -> object:
        async with self._worker(job.subject, max(self.start, job.seconds + self.grace)) as worker:
            _write(worker.process, Order(job, self.memory, job.seconds + self.grace))
            worker.answering = asyncio.get_running_loop().create_task(self._answer(worker, tell))
            try:
                limit = WALL * job.seconds + self.grace
                answer = await asyncio.wait_for(asyncio.shield(worker.answering), limit)
            except TimeoutError:
                worker.answering.cancel()
                raise AnalysisTimeout from None
            if isinstance(answer, Failed) and answer.memory:
                raise OutOfMemory(self._memory_text())
            if self._has_grown(worker, answer):
                self._retire(worker)
        if isinstance(answer, Failed):
            raise AnalysisFailed(answer.summary, answer.details)
        return answer.value

    async def _answer(self, worker: _Worker, tell: Callable[[object], object] | None) -> Done | Failed:
        while True:
            match await _read(worker.process):
                case Done() | Failed() as answer:
                    return answer
                case Partial(value=value):
                    if tell is not None:
                        tell(value)
                case int(code):
                    if code == -signal.SIGABRT and self.memory is not None:
                        # What C libraries do when an allocation fails.
                        raise OutOfMemory(f"{self._memory_text()} (the process ended by SIGABRT)")
                    if code == ENDED_BY_TIME:
                        raise AnalysisTimeout
                    raise _Ended(f"the analysis process ended with code {code}")
                case other:
                    raise _Ended(f"the analysis process answered {type(other).__name__}, which is no answer")

    def _memory_text(self) -> str:
        limit = "its limit" if self.memory is None else f"its limit of {self.memory / (1 << 20):,.0f} MB"
        return f"the analysis needs more memory than {limit}"

    async def _warm(self) -> None:
        # A failure shows again, and is told, when a job comes.
        with contextlib.suppress(AnalysisFailed, AnalysisTimeout):
            self._idle.append(await self._start(_WARM_SECONDS))

    @contextlib.asynccontextmanager
    async def _worker(self, subject: str, seconds: float) -> AsyncIterator[_Worker]:
        """Lend a process that is ready within so many seconds."""
        if lingering := [over for over, about in self._lingering.items() if about == subject]:
            await asyncio.wait(lingering, return_when=asyncio.FIRST_COMPLETED)
        if not self._idle and self._warming is not None and not self._warming.done():
            ready, _ = await asyncio.wait([self._warming], timeout=seconds)
            if not ready:
                self._warming.cancel()  # it hangs: the next job gets another one
                raise AnalysisTimeout
        for dead in [one for one in self._idle if one.process.returncode is not None]:
            self._retire(dead)
        known = next((one for one in self._idle if one.subject == subject), self._idle[-1] if self._idle else None)
        if known is not None:
            self._idle.remove(known)
        worker = known if known is not None else await self._start(seconds)
        worker.subject, worker.answering = subject, None
        try:
            yield worker
        except asyncio.CancelledError:
            self._linger(worker)
            raise
        except BaseException:
            self._retire(worker)
            self.warm()
            raise
        self._take_back(worker)

    def _take_back(self, worker: _Worker) -> None:
        """Have a process wait for its next job, or another one in its place."""
        if worker.process in self._all:
            self._idle.append(worker)
            self._retire_surplus()
        else:
            self.warm()

    def _has_grown(self, worker: _Worker, answer: Done | Failed) -> bool:
        return isinstance(answer, Done) and answer.resident > worker.resident + self.most_growth

    def _linger(self, worker: _Worker) -> None:
        """Let a job that nobody waits for any more end soon, or kill its process."""

        async def until_over(answering: asyncio.Task[Done | Failed]) -> None:
            try:
                answer = await asyncio.wait_for(answering, self.patience)
            except (TimeoutError, _Ended, AnalysisFailed, asyncio.CancelledError):
                self._retire(worker)
            else:
                if self._has_grown(worker, answer) or (isinstance(answer, Failed) and answer.memory):
                    self._retire(worker)
            del self._lingering[over]
            self._take_back(worker)

        if worker.answering is None or self._closed:
            self._retire(worker)
            self.warm()
        else:
            over = asyncio.get_running_loop().create_task(until_over(worker.answering))
            self._lingering[over] = worker.subject

    async def _start(self, seconds: float) -> _Worker:
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
            ready = await asyncio.wait_for(_read(process), seconds)
        except TimeoutError:
            self._kill(process)
            raise AnalysisTimeout from None
        except BaseException:
            self._kill(process)
            raise
        match ready:
            case Ready(resident=resident):
                return _Worker(process, resident)
            case int(code):
                self._kill(process)
                raise AnalysisFailed(f"the analysis process ended with code {code}")
            case other:
                self._kill(process)
                raise AnalysisFailed(f"the analysis process answered {type(other).__name__} before it was ready")

    async def _spawn(self) -> asyncio.subprocess.Process:
        # -P: a file of the workspace must not stand in for a module. The server's own standard output stays its own.
        # Idle threads of an arithmetic library reserve memory, which the limit counts, and nothing here uses them.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-c", _PROGRAM, self.function,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        self._all.add(process)
        if self._closed:
            self._kill(process)
        return process

    def _kill_started(self, spawning: asyncio.Task[asyncio.subprocess.Process]) -> None:
        if not spawning.cancelled() and spawning.exception() is None:
            self._kill(spawning.result())

    def _retire(self, worker: _Worker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
        self._kill(worker.process)

    def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            self._ending = {one for one in self._ending if one.returncode is None} | {process}
            with contextlib.suppress(ProcessLookupError):
                process.kill()


def _write(process: asyncio.subprocess.Process, order: Order) -> None:
    body = pickle.dumps(order)
    if process.stdin is None:
        raise ValueError("the process has no standard input")
    process.stdin.write(HEADER.pack(len(body)) + body)


async def _read(process: asyncio.subprocess.Process) -> object:
    """Return the next message, the exit code of a process that ended, or whatever stands for garbage."""
    if process.stdout is None:
        raise ValueError("the process has no standard output")
    try:
        (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
        if length > _LONGEST:
            return b""
        return pickle.loads(await process.stdout.readexactly(length))
    except asyncio.IncompleteReadError:
        return await process.wait()
    except _GARBAGE as error:
        return error


def _analysis(answer: object) -> Analysis | None:
    """Return an answer that is an analysis.

    Its class brings the types of all engines, which takes longer than a keystroke: the event loop imports it only now, when the
    answer has brought it, and not before the job is sent.
    """
    from seepage.pipeline import Analysis

    return answer if isinstance(answer, Analysis) else None
