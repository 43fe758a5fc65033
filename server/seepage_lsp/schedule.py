"""When documents are checked and analysed: the check after each change, the analysis in a process on save.

Nothing here computes. A change cancels the analysis of the older text, whose result is dropped.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from lsprotocol.types import MessageType, ProgressToken

from seepage.configuration import Configuration
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.source import Span
from seepage_lsp.analysis_process import Job
from seepage_lsp.pace import Pace
from seepage_lsp.settings import Settings
from seepage_lsp.work_done import WorkDone
from seepage_lsp.worker import AnalysisFailed, AnalysisTimeout, OutOfMemory, Workers
from seepage_lsp.workspace import Document, Documents, Finished, Inputs, Status, check_in_folder, inputs_of, is_blocked

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

# A change is checked at once. Only after two checks that took longer than this, in seconds of the processor, so many times as long is left to
# other work, and at most so many seconds.
CHEAP_CHECK = 0.02
PAUSES_PER_CHECK = 2
LONGEST_PAUSE = 0.5
# The pause in typing after which the analysis starts: with the setting "onType" of any text, with "onSave" of one that says what was analysed.
TYPING_PAUSE = 0.6
# What an analysis has found so far is published at most this often, and lenses and hints are asked for anew.
PARTIAL_PAUSE = 0.15
REFRESH_PAUSE = 0.3
_OTHER_SETTINGS = "the settings changed meanwhile"


class Log(Protocol):
    """Writes a line to the client's log."""

    def __call__(self, message: str, kind: MessageType = ...) -> None:
        """Write ``message``."""


# What an analysis is of, and the seconds it is given.
_Order: TypeAlias = tuple[Inputs, float]


@dataclass(frozen=True, slots=True)
class _End:
    """How an analysis ended, what is to be told of that, and what it found."""

    status: Status
    problem: Diagnostic | None
    analysis: Analysis | None = None


@dataclass(slots=True)
class Scheduler:
    """Timers and running analyses, by document. Mutable: belongs to one event loop.

    Attributes:
        documents: the open ones.
        workers: where analyses run.
        work_done: shows progress.
        publish: tells the client the diagnostics of a document.
        refresh: tells that lenses and diagnostics changed: once after each analysis that ended, however it ended, unless it was
            superseded, once after the check of a long text, and now and then while an analysis finds results.
        log: writes to the client's log.
        settings: those in force.
        plots: whether the client shows images, so that analyses make plots.
        outdated: told when what was asked about a document holds no longer, and why.
        changes: told when results of a document, or how they stand, changed.
        analysed: told when the analysis of a document ended with results.
    """

    documents: Documents
    workers: Workers
    work_done: WorkDone
    publish: Callable[[Document], None]
    refresh: Callable[[Document], None]
    log: Log
    settings: Settings = field(default_factory=Settings)
    plots: bool = False
    outdated: Callable[[Document, str], object] = lambda document, why: None
    changes: Callable[[Document], object] = lambda document: None
    analysed: Callable[[Document], object] = lambda document: None
    _unsettled: deque[tuple[Document, bool]] = field(default_factory=deque)
    _timers: dict[str, asyncio.TimerHandle] = field(default_factory=dict)
    _pauses: dict[str, asyncio.TimerHandle] = field(default_factory=dict)
    _running: dict[str, tuple[_Order, asyncio.Task[None]]] = field(default_factory=dict)
    _checking: list[Document] = field(default_factory=list)
    _waiting: set[asyncio.Task[None]] = field(default_factory=set)  # among those that run: they wait for the check
    _stale: set[str] = field(default_factory=set)  # documents to be analysed once they are checked
    _checks: set[asyncio.Task[None]] = field(default_factory=set)

    def opened(self, document: Document) -> None:
        """Check a document at once and, unless analyses are asked for by hand, analyse it."""
        self.stop(document)
        self._show_after(document, 0)
        if self.settings.run != "manual":
            self.analyse(document)

    def changed(self, document: Document) -> None:
        """Stop the analysis of the older text and check the new one: at once, unless checks take so long that typing would wait for them."""
        self.stop(document)
        self.changes(document)
        costly = document.check_seconds > CHEAP_CHECK
        pause = min(PAUSES_PER_CHECK * document.check_seconds, LONGEST_PAUSE) if costly else 0.0
        self._show_after(document, max(0.0, document.checked_at + pause - time.monotonic()))
        if self.settings.run != "manual":
            self._pauses[document.uri] = asyncio.get_running_loop().call_later(TYPING_PAUSE, self._paused, document)

    def _paused(self, document: Document) -> None:
        """Analyse a text after a pause in typing: any, or one that differs in comments and layout from what the results are of.

        What is known of each slice of such a text is not computed again.
        """
        from seepage.syntax.tokens import says_the_same

        self._pauses.pop(document.uri, None)
        finished, text = document.finished, document.lines.text
        if self.settings.run == "onType":
            self.analyse(document)
        elif finished is None or not finished.is_final or document.is_too_long:
            return
        elif document.is_checked_beside:
            self._beside(self._compare_beside(document, finished.source.text, text))
        elif says_the_same(finished.source.text, text):
            self.analyse(document)

    async def _compare_beside(self, document: Document, before: str, after: str) -> None:
        """The same for a long text, compared on a thread."""
        from seepage.syntax.tokens import says_the_same

        same = await asyncio.get_running_loop().run_in_executor(None, says_the_same, before, after)
        if same and document.lines.text is after and self.documents.get(document.uri) is document:
            self.analyse(document)

    def saved(self, document: Document) -> None:
        """Analyse a document, unless analyses are asked for by hand."""
        if self.settings.run != "manual":
            self.analyse(document)

    def settings_changed(self, settings: Settings) -> None:
        """Put new settings in force; numbers that depend on them are computed again, and those that the time limit cut off.

        Questions under the settings of before are given up at once, and documents follow one after the other, with the event loop free in
        between.
        """
        before, self.settings = self.settings, settings
        idle = not self._unsettled
        for document in self.documents:
            only_shown = before.under(document.project).computes_as(settings.under(document.project))
            if not only_shown:
                self.outdated(document, _OTHER_SETTINGS)
            self._unsettled.append((document, only_shown))
        if idle and self._unsettled:
            asyncio.get_running_loop().call_soon(self._settle_next)

    def _settle_next(self) -> None:
        """Show a document under the settings in force, and analyse it if its numbers depend on what changed."""
        if not self._unsettled:
            return  # closed meanwhile
        document, only_shown = self._unsettled.popleft()
        if self.documents.get(document.uri) is document:
            self._show_after(document, 0)
            if self.settings.run != "manual" and not only_shown:
                self.analyse(document)
        if self._unsettled:
            asyncio.get_running_loop().call_soon(self._settle_next)

    def project_changed(self, document: Document, project: Configuration) -> None:
        """Put what a project file says in force for a document."""
        before, after = self.settings.under(document.project), self.settings.under(project)
        document.project = project
        if before != after:
            if not before.computes_as(after):
                self.outdated(document, _OTHER_SETTINGS)
            self._show_after(document, 0)
            self.changes(document)
            if self.settings.run != "manual" and not before.computes_as(after):
                self.analyse(document)

    def stop(self, document: Document) -> None:
        """Kill the analysis of a document and forget its timers; nothing is told of it."""
        for timers in (self._timers, self._pauses):
            if (timer := timers.pop(document.uri, None)) is not None:
                timer.cancel()
        if (running := self._running.pop(document.uri, None)) is not None:
            running[1].cancel()
        if document.status is not Status.DONE:
            document.status = Status.IDLE
        document.problem = None
        self.outdated(document, "the text changed meanwhile")

    @property
    def busy(self) -> bool:
        """Whether an analysis runs, or may start as settings changed."""
        return bool(self._running or self._unsettled)

    def analyse(
        self, document: Document, token: ProgressToken | None = None, *, anew: bool = False
    ) -> asyncio.Task[None] | None:
        """Start the analysis of a document's present text and return its task; None if the text has errors that leave nothing to
        analyse, or if its final result is known already and is not wanted ``anew``.

        One that runs for the same text and time limit is taken over, with its progress under ``token``, too; any other is cancelled.
        """
        settings = self.settings.under(document.project)
        inputs = inputs_of(document.lines.text, settings, document.named)
        order = (inputs, settings.time_limit)
        running = self._running.get(document.uri)
        if running is not None and running[0] == order:
            if token is not None:
                self.work_done.follow(task := running[1], _title(document), lambda: self.cancel(document, task), token)
            return running[1]
        if document.names_files and not document.is_checked:
            # What files say now is known once they are read: the numbers are those of that.
            if running is not None:
                running[1].cancel()
            waiting = asyncio.get_running_loop().create_task(self._analyse_checked(document, token, anew))
            self._waiting.add(waiting)
            waiting.add_done_callback(self._waiting.discard)
            self._running[document.uri] = (order, waiting)
            return waiting
        checked = document.check()
        if document.is_too_long or is_blocked(checked) or (document.knows(inputs) and not anew):
            return None
        if running is not None:
            self._running.pop(document.uri)
            running[1].cancel()
        document.status, document.problem = Status.COMPUTING, None
        task = asyncio.get_running_loop().create_task(self._analyse(document, inputs, token))
        self._running[document.uri] = (order, task)
        self.changes(document)
        return task

    async def _analyse_checked(self, document: Document, token: ProgressToken | None, anew: bool) -> None:
        """Analyse a document once the files that it names are read and its text is checked."""
        await self.present_check(document)
        if self._running.get(document.uri, (None, None))[1] is not asyncio.current_task():
            return
        del self._running[document.uri]
        if not document.is_checked:
            self.changes(document)  # the check broke
        elif (task := self.analyse(document, token, anew=anew)) is not None:
            await task
        else:
            self.changes(document)

    def files_changed(self, but: Document | None = None, *, analyse: bool = True) -> None:
        """Look again at the files that documents name: those on disk, or the texts of open documents ``but`` for whose change it is.

        Where one has changed the document is checked and, if it is time for that, analysed.
        """
        for document in self.documents:
            if document is but or not document.names_files:
                continue
            document.doubts += 1
            if self.settings.run != "manual" and (analyse or self.settings.run == "onType"):
                self._stale.add(document.uri)
            self._start_check_beside(document)

    def close(self) -> None:
        """Kill every analysis."""
        for _, task in self._running.values():
            task.cancel()
        self._running.clear()
        self._unsettled.clear()
        self.workers.close()

    async def _analyse(self, document: Document, inputs: Inputs, token: ProgressToken | None) -> None:
        """Analyse a document and show what is found, now and then meanwhile and at the end, unless that was superseded."""
        source, settings = document.source, self.settings.under(document.project)
        task, before, loop = asyncio.current_task(), document.finished, asyncio.get_running_loop()
        job = Job(
            source, settings.unit, dict(settings.parameters), settings.time_limit, self.plots, dict(settings.project)
        )

        def show() -> None:
            self.publish(document)
            self.changes(document)

        shown = Pace(PARTIAL_PAUSE, show, loop)
        refreshed = Pace(REFRESH_PAUSE, lambda: self.refresh(document), loop, time.monotonic())

        def so_far(known: Analysis) -> None:
            """Show what is known before all is: what an analysis of another text or other settings still finds before it ends is dropped."""
            if self._running.get(document.uri, (None, None))[1] is not task:
                return
            document.finished = Finished(known, source, inputs, job.seconds, partial=True)
            shown.ask()
            refreshed.ask()

        try:
            end = await self._end_of(document, job, so_far, token)
        finally:
            shown.stop()
            refreshed.stop()
        if self._running.get(document.uri, (None, None))[1] is not task:
            return
        del self._running[document.uri]
        document.status, document.problem = end.status, end.problem
        if end.analysis is not None:
            document.finished = Finished(end.analysis, source, inputs, job.seconds)
        elif end.status is Status.FAILED:
            document.finished = before  # no number is shown of a run that failed
        show()
        self.refresh(document)
        if end.analysis is not None:
            self.analysed(document)

    async def _end_of(
        self, document: Document, job: Job, tell: Callable[[Analysis], object], token: ProgressToken | None
    ) -> _End:
        """Run an analysis and return how it ended; one that is cancelled has no end."""
        name, started = _name_of(document), time.monotonic()
        try:
            async with self.work_done.shown(_title(document), lambda: self._cancel(document), token):
                analysis = await self.workers.run(job, tell)
        except AnalysisTimeout:
            return _End(Status.TIMED_OUT, _timed_out(document, job.seconds))
        except OutOfMemory as error:
            self.log(f"the analysis of {name} was stopped: {error}", MessageType.Warning)
            return _End(Status.FAILED, _too_large(document, str(error)))
        except AnalysisFailed as error:
            self.log(f"the analysis of {name} failed: {error}\n{error.details}".rstrip(), MessageType.Error)
            return _End(Status.FAILED, _broke(document, str(error)))
        except asyncio.CancelledError:
            self.workers.warm()
            raise
        self.log(f"analysed {name} in {time.monotonic() - started:.2f} s")
        return _End(Status.DONE, None, analysis)

    def _cancel(self, document: Document) -> None:
        """Kill an analysis on the user's wish, and say so."""
        if (running := self._running.pop(document.uri, None)) is not None:
            running[1].cancel()
            document.status = Status.CANCELLED
            self.refresh(document)
            self.changes(document)

    def cancel(self, document: Document, task: asyncio.Task[None]) -> None:
        """Kill an analysis that a request asked for, if it still runs."""
        if self._running.get(document.uri, (None, None))[1] is task:
            self._cancel(document)

    def stop_analysis(self, document: Document) -> bool:
        """Kill the analysis of a document on the user's wish; tell whether one ran."""
        runs = document.uri in self._running
        self._cancel(document)
        return runs

    def _show_after(self, document: Document, seconds: float) -> None:
        if (timer := self._timers.pop(document.uri, None)) is not None:
            timer.cancel()
        self._timers[document.uri] = asyncio.get_running_loop().call_later(seconds, self._show, document)

    def _show(self, document: Document) -> None:
        self._timers.pop(document.uri, None)
        if document.is_checked_beside and not document.is_checked:
            self._start_check_beside(document)
            return
        started, first = time.thread_time(), document.parsed is None
        document.check()
        self.publish(document)
        document.checked_at = time.monotonic()
        # The first check is of the whole text, those after it of what changed: it says nothing of how long the next one takes.
        took = 0.0 if first else time.thread_time() - started
        document.check_seconds, document.last_check_seconds = min(took, document.last_check_seconds), took
        self.changes(document)

    async def first_check(self, document: Document) -> None:
        """Wait until something is known of a text that was just opened: no client asks anew for its outline or colours once that is."""
        await self._until(document, lambda: document.parsed is not None or document.is_checked)

    async def present_check(self, document: Document) -> None:
        """Wait until the present text is checked: findings, lenses and hints would go away at each key press, and come back."""
        await self._until(document, lambda: document.is_checked)

    async def _until(self, document: Document, is_known: Callable[[], bool]) -> None:
        while document.is_checked_beside and not is_known() and self.documents.get(document.uri) is document:
            self._start_check_beside(document)
            if not self._checks:
                return  # the check broke
            await asyncio.wait(self._checks, return_when=asyncio.FIRST_COMPLETED)

    def _start_check_beside(self, document: Document) -> None:
        if document not in self._checking:
            self._checking.append(document)
            self._beside(self._check_beside(document))

    def _beside(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _check_beside(self, document: Document) -> None:
        """Check a long text on a thread, again if it changed meanwhile, and tell when the check is that of the present text."""
        loop = asyncio.get_running_loop()
        while document.is_checked_beside and not document.is_checked:
            doubts, around = document.doubts, self.documents.around(document)
            parts = (document.parsed, document.source, document.checked, around)
            document.take(*await loop.run_in_executor(None, check_in_folder, *parts), doubts)
        self._checking.remove(document)
        if self.documents.get(document.uri) is document:
            self._stop_outdated(document)
            self.publish(document)
            self.refresh(document)
            self.changes(document)
            if document.uri in self._stale:
                self._stale.remove(document.uri)
                self.analyse(document)

    def _stop_outdated(self, document: Document) -> None:
        """Kill an analysis with files that have changed since."""
        running = self._running.get(document.uri)
        if running is None or running[1] in self._waiting or running[0][0].named == document.named:
            return
        del self._running[document.uri]
        running[1].cancel()
        document.status, document.problem = Status.IDLE, None
        self.outdated(document, "a file that the program names changed meanwhile")


def _name_of(document: Document) -> str:
    return document.uri.rsplit("/", 1)[-1]


def _title(document: Document) -> str:
    return f"analysing {_name_of(document)}"


def _timed_out(document: Document, seconds: float) -> Diagnostic:
    from seepage.rules import TIME_LIMIT

    message = f"the analysis did not end within {seconds:g} s and was stopped"
    return Diagnostic(TIME_LIMIT, _place(document), message)


def _too_large(document: Document, summary: str) -> Diagnostic:
    from seepage.rules import BUDGET_EXCEEDED

    note = "ask for less, or raise the setting seepage.memoryLimit"
    return Diagnostic(BUDGET_EXCEEDED, _place(document), summary, notes=(note,))


def _broke(document: Document, summary: str) -> Diagnostic:
    from seepage.rules import ANALYSIS_BROKE

    return Diagnostic(ANALYSIS_BROKE, _place(document), f"the analysis broke off, a fault of Seepage: {summary}")


def _place(document: Document) -> Span:
    """Return where a finding about the whole analysis stands: at the first question of the program."""
    checked = document.check()
    if checked is None:
        return Span(0, 0)
    symbols = checked.symbols
    secrets, shows, requires = symbols.secrets, symbols.shows, symbols.requires
    spans = [*(one.span for one in secrets), *(one.span for one in shows), *(one.span for one in requires)]
    return min(spans, default=Span(0, 0))
