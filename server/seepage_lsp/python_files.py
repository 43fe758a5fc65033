"""Open Python files: their marked functions, each of which is a document of its own program, checked and analysed as any other.

A file without marks is looked at for their name and for no more. One with marks is read on a thread after each change; what changes no
program of it leaves its results as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from lsprotocol.types import (
    TextDocumentContentChangeEvent,
    TextDocumentContentChangeWholeDocument,
    TextDocumentItem,
    VersionedTextDocumentIdentifier,
)

from seepage.configuration import Configuration, marks_of
from seepage.data_classes import dataclass
from seepage.source import SourceFile
from seepage_lsp.paths import path_of
from seepage_lsp.positions import Lines
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Document, Documents, Finished, Snapshot, key_of

if TYPE_CHECKING:
    from seepage.functions import FunctionProgram
    from seepage.pipeline import Analysis
    from seepage_lsp.schedule import Scheduler

MARKS = "seepage_marks"
_TIMES = 8  # a file is read again while it changes, so many times in a row before what was read of it is shown


def function_uri(uri: str, name: str) -> str:
    """Return the URI of a function of a file."""
    return f"{uri}#{name}"


@dataclass(slots=True, eq=False)
class Marked:
    """A marked function of an open file.

    Attributes:
        program: the function as it was read last.
        document: the last program of it that could be analysed, in Seep.
        followed: the function as it was when it had that program; None if it never had one.
        measured: the function as it was when it got the results that are of an earlier program.
    """

    program: FunctionProgram
    document: Document
    followed: FunctionProgram | None = None
    measured: FunctionProgram | None = None

    @property
    def is_blocked(self) -> bool:
        """Whether errors leave the function without a program."""
        return any(one.is_error for one in self.program.findings)

    def become(self, program: FunctionProgram) -> bool:
        """Take the function as it was read now, and tell whether its program has changed."""
        self.program = program
        if self.is_blocked:
            return False
        before, self.followed = self.followed, program
        document, text = self.document, program.checked.source.text
        if before is not None and text == document.lines.text:
            return False
        if document.finished is not None and before is not None and _is_of(before, document.finished):
            self.measured = before
        document.lines, document.version = Lines.of(text, document.lines.encoding), document.version + 1
        document.checked, document.checked_text = program.checked, document.lines.text
        return True

    def told(self) -> tuple[FunctionProgram, Analysis] | None:
        """Return the last results in Python's names, with the function that they are of; None where there are none."""
        finished = self.document.finished
        if finished is None:
            return None
        found = (one for one in (self.followed, self.measured) if one is not None and _is_of(one, finished))
        return next(((one, one.told(finished.analysis)) for one in found), None)


def _is_of(program: FunctionProgram, finished: Finished) -> bool:
    return program.checked.source.text == finished.source.text


@dataclass(slots=True, eq=False)
class PythonFile:
    """An open Python file.

    Attributes:
        held: its text.
        source: the text as it was read last, None for one without marks.
        programs: what was read: functions, and findings of what is none.
        functions: the marked functions that could be followed at some time, by name.
        is_broken: whether Python cannot read the present text, which others tell.
    """

    held: Document
    source: SourceFile | None = None
    programs: tuple[FunctionProgram, ...] = ()
    functions: dict[str, Marked] = field(default_factory=dict)
    is_broken: bool = False
    read: tuple[str, Configuration] | None = None
    reading: asyncio.Task[None] | None = None
    is_saved: bool = False

    @property
    def uri(self) -> str:
        """The URI of the file."""
        return self.held.uri

    @property
    def lines(self) -> Lines:
        """The present text."""
        return self.held.lines

    def marks(self) -> Mapping[str, Mapping[str, object]]:
        """Return the marks that the project has for functions of the file."""
        path = path_of(self.uri)
        return {} if path is None else marks_of(str(path), self.held.project)

    @property
    def has_marks(self) -> bool:
        """Whether the file may have marked functions; a search for one word."""
        return MARKS in self.lines.text or bool(self.held.project.python and self.marks())

    @property
    def is_read(self) -> bool:
        """Whether the present text has been read."""
        return self.read is not None and self.read[0] is self.lines.text and self.read[1] is self.held.project

    def snapshot(self, settings: Settings) -> Snapshot:
        """Return the text as features take documents of Seep; nothing is known of it as such."""
        held = self.held
        return Snapshot(
            held.uri, held.version, held.lines, None, settings=settings.under(held.project), refused=held.refused
        )

    def start_of(self, marked: Marked) -> int:
        """Return where the mark of a function begins, or its name where it has none of its own."""
        assert marked.program.translation is not None
        return min((one.span.start for one in marked.program.translation.occurrences), default=0)


@dataclass(slots=True)
class PythonFiles:
    """The open Python files. Mutable: belongs to one event loop.

    Attributes:
        documents: where the programs of their functions are open.
        scheduler: what analyses these.
        is_wanted: whether Python files are looked at.
    """

    documents: Documents
    scheduler: Scheduler
    is_wanted: bool = True
    _open: dict[str, PythonFile] = field(default_factory=dict)

    def __iter__(self) -> Iterator[PythonFile]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> PythonFile | None:
        """Return an open file, or None; the URI may name a function of it."""
        return self._open.get(key_of(uri.partition("#")[0]))

    def open(self, item: TextDocumentItem) -> PythonFile:
        """Open a file; one that is open already is replaced."""
        self.close(item.uri)
        held = Document(item.uri, item.version, Lines.of("", self.documents.encoding))
        held.apply(TextDocumentContentChangeWholeDocument(item.text))
        file = self._open[key_of(item.uri)] = PythonFile(held)
        return file

    def change(
        self, identifier: VersionedTextDocumentIdentifier, changes: list[TextDocumentContentChangeEvent]
    ) -> PythonFile | None:
        """Apply changes and read the file; None if it is not open."""
        file = self.get(identifier.uri)
        if file is None:
            return None
        for change in changes:
            file.held.apply(change)
        file.held.version = identifier.version
        self.look(file)
        return file

    def close(self, uri: str) -> PythonFile | None:
        """Forget a file with its functions and return it; None if it is not open."""
        file = self._open.pop(key_of(uri), None)
        if file is not None:
            self._leave(file)
        return file

    def saved(self, file: PythonFile) -> None:
        """Analyse the functions of a file, once it is read."""
        if file.reading is not None:
            file.is_saved = True
            return
        for marked in file.functions.values():
            if not marked.is_blocked:
                self.scheduler.saved(marked.document)

    def use(self, file: PythonFile, project: Configuration) -> None:
        """Put what a project file says in force."""
        file.held.project = project
        self.look(file)

    def look(self, file: PythonFile) -> None:
        """Read a file unless that is known or it has no marks; what is known of an earlier text stays until then."""
        if not self.is_wanted or file.held.is_too_long or not file.has_marks:
            if file.source is not None:
                self._leave(file)
                self.scheduler.publish(file.held)
                self.scheduler.refresh(file.held)
        elif file.reading is None and not file.is_read:
            file.reading = asyncio.get_running_loop().create_task(self._read(file))

    async def present(self, uri: str) -> PythonFile | None:
        """Return an open file once its present text is read."""
        while (file := self.get(uri)) is not None and file.reading is not None:
            await asyncio.wait([file.reading])
        return file

    # --- reading ------------------------------------------------------------------------------------------------------

    async def _read(self, file: PythonFile) -> None:
        from seepage.functions import programs_of

        text = file.lines.text
        programs: list[FunctionProgram] = []
        try:
            for _ in range(_TIMES):
                text, project, marks = file.lines.text, file.held.project, file.marks()
                name = str(path_of(file.uri) or "")
                programs = await asyncio.to_thread(programs_of, text, name, marks, project.mechanisms)
                file.read = text, project
                if file.is_read:
                    break
        finally:
            file.reading = None
        if self.get(file.uri) is file:
            self._take(file, SourceFile(file.uri, text, file.held.version), programs)
            self.look(file)

    def _take(self, file: PythonFile, source: SourceFile, programs: list[FunctionProgram]) -> None:
        """Show what was read of a text, and analyse functions whose programs are new."""
        from seepage.rules import PYTHON_UNREADABLE

        file.is_broken = any(one.rule == PYTHON_UNREADABLE for each in programs for one in each.findings)
        if not file.is_broken:
            file.source, file.programs = source, tuple(programs)
            gone = dict(file.functions)
            for program in programs:
                if program.translation is not None:
                    gone.pop(program.translation.function, None)
                    self._become(file, program.translation.function, program)
            for name, marked in gone.items():
                del file.functions[name]
                self._forget(marked)
        self.scheduler.publish(file.held)
        self.scheduler.refresh(file.held)
        self.scheduler.changes(file.held)
        if file.is_saved:
            file.is_saved = False
            self.saved(file)

    def _become(self, file: PythonFile, name: str, program: FunctionProgram) -> None:
        marked = file.functions.get(name)
        if marked is not None:
            if marked.become(program):
                self.scheduler.changed(marked.document)
            return
        uri = function_uri(file.uri, name)
        document = self.documents.open(TextDocumentItem(uri, "seep", 0, ""))
        document.owner, document.project, document.is_guarded = file.uri, file.held.project, True
        marked = file.functions[name] = Marked(program, document)
        if marked.become(program):
            self.scheduler.opened(document)

    def _leave(self, file: PythonFile) -> None:
        """Forget what is known of a file."""
        for marked in file.functions.values():
            self._forget(marked)
        file.source, file.programs, file.functions, file.read = None, (), {}, None

    def _forget(self, marked: Marked) -> None:
        self.scheduler.stop(marked.document)
        self.documents.close(marked.document.uri)
