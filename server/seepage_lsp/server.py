"""The server: its state, and what it tells the client unasked. Which message calls what stands in :mod:`seepage_lsp.handlers`."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from cattrs import Converter
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

import seepage
from seepage_lsp.asked import SERVER_STATUS
from seepage_lsp.asked_once import AskedOnce, wheres_wanted
from seepage_lsp.client import Client
from seepage_lsp.explorations import Explorations
from seepage_lsp.handlers import register
from seepage_lsp.panel import register_panel, tell_functions_changed, tell_results_changed
from seepage_lsp.preload import preload
from seepage_lsp.projects import Projects
from seepage_lsp.protocol import SeepageProtocol
from seepage_lsp.python_files import Marked, PythonFile, PythonFiles
from seepage_lsp.schedule import Scheduler
from seepage_lsp.settings import SECTION, Settings, read_settings, wrong_settings
from seepage_lsp.work_done import WorkDone
from seepage_lsp.worker import ANALYSIS, Workers
from seepage_lsp.workspace import Document, Documents, Snapshot, Status

if TYPE_CHECKING:
    from seepage_lsp.closed import Index

logger = logging.getLogger(__name__)

_LEVELS = {types.MessageType.Error: logging.ERROR, types.MessageType.Warning: logging.WARNING}
# Answers without a result that are no faults: a refusal in words, and questions that were given up.
_CODES = types.LSPErrorCodes
_NO_FAULTS = {_CODES.RequestFailed, _CODES.ContentModified, _CODES.RequestCancelled, _CODES.ServerCancelled}
# How long to wait for a client to create a progress; one that never answers shows none.
_CREATE_SECONDS = 10.0
# How long a document that was opened waits for its project file; one that comes later holds from then on.
_PROJECT_SECONDS = 3.0


class SeepageServer(LanguageServer):
    """The server with its state: the client's capabilities, the open documents, the running analyses."""

    # pygls makes it of the class it is given below.
    protocol: SeepageProtocol  # pyright: ignore[reportIncompatibleVariableOverride]

    def __init__(
        self,
        analysis: str = ANALYSIS,
        converter: Callable[[], Converter] = default_converter,
        *,
        python_only: bool = False,
    ) -> None:
        super().__init__("seepage-lsp", seepage.__version__, protocol_cls=SeepageProtocol, converter_factory=converter)
        self.client = Client()
        self.python_only = python_only
        self.documents = Documents()
        self.scheduler = Scheduler(
            self.documents,
            Workers(analysis),
            WorkDone(lambda token, value: self.progress(types.ProgressParams(token=token, value=value))),
            publish=self.publish,
            refresh=self.refresh,
            log=self.log,
        )
        self.python = PythonFiles(self.documents, self.scheduler)
        self.explorations = Explorations(changed=self.tell_status)
        self.scheduler.outdated = lambda document, why: self.explorations.give_up(document.uri, why)
        self.scheduler.changes = self.results_changed
        self.answers = AskedOnce(self.explorations, lambda: self.scheduler.settings, self.changes_known)
        self.scheduler.analysed = self.compare
        self._told_status: dict[str, Any] = {}
        self.projects = Projects(self.folders)
        self.documents.place_of = self.projects.place_of
        self.protocol.asked_about = self.documents.look
        self.scheduler.workers.wanted = self.documents.looked_at
        self._faulty: set[str] = set()
        self._rereading: asyncio.Task[None] | None = None
        self.tasks: set[asyncio.Task[Any]] = set()
        self.wrong_settings: tuple[str, ...] = ()
        register(self)
        register_panel(self)

    # --- what is told to the client -----------------------------------------------------------------------------------

    def publish(self, document: Document) -> None:
        """Push a document's diagnostics, unless they were pushed for this version already or the client asks for them itself."""
        if self.client.pull_diagnostics:
            return
        file = self.python.get(document.owner or document.uri)
        if file is not None:
            from seepage_lsp.features import python_findings

            found, document = python_findings.diagnostics(file, self.scheduler.settings, self.client), file.held
        else:
            from seepage_lsp.features.diagnostics import diagnostics

            found = diagnostics(document.snapshot(self.scheduler.settings), self.client)
        if document.published == (document.version, found):
            return
        document.published = (document.version, found)
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=document.uri, version=document.version, diagnostics=found)
        )

    def refresh(self, document: Document) -> None:
        """Tell that lenses and diagnostics changed, where the client wants to know."""
        if self.client.lens_refresh:
            self.workspace_code_lens_refresh(None)
        if self.client.hints and self.client.hint_refresh:
            self.workspace_inlay_hint_refresh(None)
        if self.client.pull_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def results_changed(self, document: Document) -> None:
        """Tell a client with a panel that the results of a document changed, or the functions of a Python file, and how the server is."""
        if self.client.panel and self.documents.get(document.uri) is document:
            tell_results_changed(self, document)
        elif self.client.panel and self.python.get(document.uri) is not None:
            tell_functions_changed(self, document)
        self.tell_status()

    def compare(self, document: Document) -> None:
        """Look what changed in a program since the last commit, where the user trusts its folder; functions of Python files are left alone."""
        if self.documents.is_trusted and document.owner is None:
            self.spawn(self.answers.begin_changes(document))

    def changes_known(self, document: Document) -> None:
        """Tell that there are lenses with what changed since the last commit."""
        if self.client.lens_refresh:
            self.workspace_code_lens_refresh(None)
        self.results_changed(document)

    def tell_status(self) -> None:
        """Tell how the server is, where the client wants to know, unless it was told so."""
        if not self.client.server_status:
            return
        told = [one.trouble() for one in self.documents]
        failed, late = ([text for what, text in told if what is status] for status in (Status.FAILED, Status.TIMED_OUT))
        status = {
            "health": "error" if failed else "warning" if late else "ok",
            "quiescent": not self.scheduler.busy and not self.explorations.busy,
            "message": next(iter((*failed, *late)), None),
        }
        if status != self._told_status:
            self._told_status = status
            self.protocol.notify(SERVER_STATUS, status)

    def load(self) -> None:
        """Load the library and start a process for an analysis while nobody waits for it."""
        preload()
        self.scheduler.workers.warm()

    def close(self) -> None:
        """Kill all work."""
        self.scheduler.close()
        self.explorations.close()

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write to the client's log, and to the server's own; nothing pops up."""
        logger.log(_LEVELS.get(kind, logging.INFO), message)
        self.window_log_message(types.LogMessageParams(type=kind, message=message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log a fault of the server; one in a request is told in its answer as well. A refusal, or a question given up, is no fault."""
        if isinstance(error, JsonRpcException) and error.code in _NO_FAULTS:
            return
        self.log(f"{type(error).__name__}: {error}", types.MessageType.Error)

    # --- shared by handlers -------------------------------------------------------------------------------------------

    def snapshot(self, uri: str) -> Snapshot | None:
        """Return the present state of an open document."""
        document = self.documents.get(uri)
        return None if document is None else document.snapshot(self.scheduler.settings)

    async def checked_snapshot(self, uri: str) -> Snapshot | None:
        """Return the present state of an open document, once something is known of it."""
        if (document := self.documents.get(uri)) is not None:
            await self.scheduler.first_check(document)
        return self.snapshot(uri)

    async def present_snapshot(self, uri: str) -> Snapshot | None:
        """Return the present state of an open document, once its text is checked."""
        if (document := self.documents.get(uri)) is not None:
            await self.scheduler.present_check(document)
        return self.snapshot(uri)

    def snapshots(self) -> list[Snapshot]:
        """Return the present states of all open documents of Seep, in the order in which they were opened."""
        return [document.snapshot(self.scheduler.settings) for document in self.documents if document.owner is None]

    def function(self, document: Document) -> tuple[PythonFile, Marked] | None:
        """Return the function whose program a document is, with its file; None for another document."""
        file = None if document.owner is None else self.python.get(document.owner)
        found = () if file is None else file.functions.values()
        return next(((file, one) for one in found if file is not None and one.document is document), None)

    async def present_snapshots(self) -> list[Snapshot]:
        """Return the same, once the texts are checked."""
        for document in list(self.documents):
            await self.scheduler.present_check(document)
        return self.snapshots()

    async def index(self, snapshot: Snapshot, position: types.Position) -> Index | None:
        """Return the programs that may have what stands at a position, open or not; None for what other files cannot have.

        Where not all can be known this is logged.
        """
        from seepage_lsp.closed import folder_of, index_of
        from seepage_lsp.features.across import meant_at

        meant = await asyncio.to_thread(meant_at, snapshot, position)
        around = folder_of(snapshot.uri, self.projects.place_of(snapshot.uri), self.documents.is_trusted)
        if meant is None or around is None:
            return None
        opened = await self.present_snapshots()
        found = await asyncio.to_thread(index_of, meant, opened, around, self.documents.encoding)
        if found.hidden:
            self.log(f"not all places of '{found.name}' can be known: {found.hidden}", types.MessageType.Warning)
        return found

    def draw_for_hover(self, uri: str, position: types.Position) -> None:
        """Begin to draw the plot of the parameter at a position that the analysis left out, for a client that shows it."""
        document, snapshot = self.documents.get(uri), self.snapshot(uri)
        if document is None or snapshot is None or not (self.client.images and snapshot.settings.hover_images):
            return
        from seepage_lsp.features.hover import parameter_at
        from seepage_lsp.hover_plots import begin, wanted

        symbol = parameter_at(snapshot, position)
        if symbol is not None and (plot := wanted(snapshot, symbol)) is not None:
            self.spawn(begin(document, snapshot, symbol.name, plot, self.explorations))

    def look_where(self, uri: str, position: types.Position) -> None:
        """Begin to look where measures come from, for the hover of a statement."""
        document, snapshot = self.documents.get(uri), self.snapshot(uri)
        if document is None or snapshot is None or snapshot.checked is None:
            return
        from seepage_lsp.features.hover_where import asks_where

        if any(each not in snapshot.wheres for each in wheres_wanted(snapshot)) and asks_where(snapshot, position):
            self.spawn(self.answers.begin_where(document, snapshot))

    def spawn(self, work: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine beside the handlers."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def create_progress(self, token: types.ProgressToken) -> object:
        """Ask the client for a progress; raises ``ConnectionRefusedError`` if there will be none."""
        params = types.WorkDoneProgressCreateParams(token=token)
        try:
            return await asyncio.wait_for(
                self.protocol.send_request_async(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params), _CREATE_SECONDS
            )
        except (JsonRpcException, TimeoutError) as error:
            raise ConnectionRefusedError from error

    async def fetch_settings(self) -> None:
        """Ask for the settings and put them in force; an error leaves those in force."""
        params = types.ConfigurationParams(items=[types.ConfigurationItem(section=SECTION)])
        try:
            answer = await self.protocol.send_request_async(types.WORKSPACE_CONFIGURATION, params)
        except JsonRpcException:
            return
        self.use_settings(self.read_settings(answer[0] if isinstance(answer, list) and answer else None))

    def read_settings(self, sent: object) -> Settings:
        """Return the settings that a client sent, and log what is wrong with them unless that was said the last time."""
        wrong = wrong_settings(sent)
        for line in wrong:
            if line not in self.wrong_settings:
                self.log(line, types.MessageType.Warning)
        self.wrong_settings = wrong
        return read_settings(sent)

    def folders(self) -> list[str]:
        """Return the URIs of the workspace's folders."""
        workspace = self.protocol.workspace
        return [folder.uri for folder in workspace.folders.values()] or (
            [workspace.root_uri] if workspace.root_uri else []
        )

    async def open(self, document: Document) -> None:
        """Check a document that was opened, under its project if that is known soon, and in any case."""
        project = asyncio.get_running_loop().create_task(self._read_project(document))
        await asyncio.wait([project], timeout=_PROJECT_SECONDS)
        if self.documents.get(document.uri) is document:
            self.scheduler.opened(document)
        await project

    async def _read_project(self, document: Document) -> None:
        """Put the project file of a document in force, and tell what is wrong with it."""
        project = await self.projects.of(document.uri)
        if self.documents.get(document.uri) is document:
            self.scheduler.project_changed(document, project)
        self._tell_problems()

    def reread_projects(self) -> None:
        """Read the project files of all documents again, since files or folders changed."""
        if self._rereading is not None:
            self._rereading.cancel()
        self._rereading = asyncio.get_running_loop().create_task(self._reread_projects())

    async def _reread_projects(self) -> None:
        self.projects.forget()
        for document in list(self.documents):
            project = await self.projects.of(document.uri)
            if self.documents.get(document.uri) is document:
                self.scheduler.project_changed(document, project)
        for file in self.python:
            await self.open_python(file)
        self._tell_problems()

    async def open_python(self, file: PythonFile) -> None:
        """Read a Python file under its project."""
        project = await self.projects.of(file.uri)
        if self.python.get(file.uri) is file:
            self.python.use(file, project)
        self._tell_problems()

    def _tell_problems(self) -> None:
        """Publish what is wrong with project files at the files, and clear those that are in order or gone."""
        faulty = {path.as_uri(): problems for path, problems in self.projects.problems().items() if problems}
        for uri in self._faulty - faulty.keys():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))
        for uri, problems in faulty.items():
            found = [_at_line(problem.line, problem.message) for problem in problems]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=found))
        self._faulty = {*faulty}

    def limit_processes(self, settings: Settings) -> None:
        """Give the processes that analyse, and those that answer questions, a limit to their memory and their number, from their next job on."""
        for workers in (self.scheduler.workers, self.explorations.workers):
            workers.memory = int(settings.memory_limit) << 20
            workers.allow(settings.workers)

    def use_settings(self, settings: Settings) -> None:
        """Put settings in force if they are others than before."""
        self.limit_processes(settings)
        before = self.scheduler.settings
        if settings != before or settings.given != before.given:
            self.scheduler.settings_changed(settings)
            self.python.is_wanted = settings.python
            for file in self.python:
                self.python.look(file)
                self.publish(file.held)
            if self.client.lens_refresh:
                self.workspace_code_lens_refresh(None)
            if self.client.hints and self.client.hint_refresh:
                self.workspace_inlay_hint_refresh(None)


def _at_line(line: int, message: str) -> types.Diagnostic:
    start = types.Position(line - 1, 0)
    place = types.Range(start, types.Position(line - 1, 1_000))  # past the end of a line means its end
    return types.Diagnostic(place, message, severity=types.DiagnosticSeverity.Error, source="seepage")
