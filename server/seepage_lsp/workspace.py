"""The open documents, and snapshots of them: what a feature sees, from its start to its end.

Only the text that the client sent counts. No open document is read from disk, whatever its URI looks like; files that a text names are, on a thread,
by the door of :mod:`seepage.files`, and texts of open documents stand in their places.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lsprotocol.types import Diagnostic as Shown
from lsprotocol.types import (
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
    TextDocumentContentChangeWholeDocument,
    TextDocumentItem,
    VersionedTextDocumentIdentifier,
)

from seepage.configuration import Configuration
from seepage.data_classes import dataclass
from seepage.files import NO_FOLDER, AnyFiles, Folder, files_of, names_files, stamped
from seepage.source import SourceFile
from seepage_lsp.kept import Answer, Kept
from seepage_lsp.paths import path_of
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.settings import Settings

if TYPE_CHECKING:
    from seepage.diagnostics import Diagnostic
    from seepage.measures.facts import Plot
    from seepage.pipeline import Analysis
    from seepage.semantics.checked import Checked
    from seepage.syntax.incremental import ParsedText

# Checking takes time in proportion to the text and happens between two keystrokes; nobody writes such programs by hand.
LONGEST_TEXT = 200_000
# A text past this is not even kept: where its lines start takes many times the memory of the text.
LONGEST_KEPT = 2_000_000
# Longer texts are checked on a thread, so that the server answers meanwhile: those of which an older version is known, since little of them
# is checked anew, past about 0.2 s for the whole; those just opened past 20 ms.
CHECKED_AT_ONCE = 20_000
FIRST_CHECKED_AT_ONCE = 2_000
# What answers are known by, with what they are about behind it.
CHANGES = "changes"
WHERE = "where "
# What the library and the server say where time or a fault, not the program, left numbers out.
_LATE = "SEEP513"
_NOT_FINAL = frozenset({_LATE, "SEEP982"})


class Status(Enum):
    """How the analysis of a document stands."""

    IDLE = "idle"
    COMPUTING = "computing"
    DONE = "done"
    TIMED_OUT = "timed out"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the numbers of an analysis depend on; equal inputs give equal numbers."""

    text: str
    unit: str
    parameters: tuple[tuple[str, str], ...]
    project: tuple[tuple[str, str], ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """An analysis with the text it was made of and the seconds it was given; ``partial`` if more of it is to come."""

    analysis: Analysis
    source: SourceFile
    inputs: Inputs
    limit: float = math.inf
    partial: bool = False

    @property
    def is_final(self) -> bool:
        """Whether another run of the same inputs would say nothing more: neither the time nor a fault cut this one short.

        Rows of the leakage table say in words only that the time was over, so the clock is asked too.
        """
        cut = any(found.rule.code in _NOT_FINAL for found in self.analysis.diagnostics)
        return not (cut or self.partial) and self.analysis.seconds < self.limit

    @property
    def is_timed_out(self) -> bool:
        """Whether the analysis, which ended by itself, left numbers out for lack of time."""
        late = any(found.rule.code == _LATE for found in self.analysis.diagnostics)
        return not self.partial and (late or self.analysis.seconds >= self.limit)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot that the analysis left out: None while it is ``on_its_way``, and where there is none."""

    plot: Plot | None = None
    on_its_way: bool = False


def cut_message(finished: Finished) -> str:
    """Return the sentence about an analysis that left numbers out for lack of time."""
    return f"the time limit of {finished.limit:g} s was reached before all was computed"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One version of a document and what is known of it.

    Attributes:
        uri: as the client spells it.
        version: the client's number.
        lines: the text.
        checked: what is known without running; None for a text that is too long to be checked, or that is still being checked.
        finished: the last analysis that finished, maybe of an older text.
        status: how the latest attempt at an analysis stands.
        problem: what went wrong with the latest attempt as a whole.
        settings: those in force.
        plots: of parameters that somebody looked at, by their names, of this very text.
        refused: whether the text is so long that it is not kept; ``lines`` are empty then.
        named: stamps of the files that the text names, as they were when it was checked.
        changes: what changed since the last commit, of this very text; None where that is not known, or nothing did.
        wheres: where measures come from, of this very text, by measure; None for one that is on its way, empty where nothing is known.
    """

    uri: str
    version: int
    lines: Lines
    checked: Checked | None
    finished: Finished | None = None
    status: Status = Status.IDLE
    problem: Diagnostic | None = None
    settings: Settings = field(default_factory=Settings)
    plots: Mapping[str, Drawing] = field(default_factory=dict)
    refused: bool = False
    named: tuple[str, ...] = ()
    changes: Answer | None = None
    wheres: Mapping[str, Answer | None] = field(default_factory=dict)

    @property
    def is_too_long(self) -> bool:
        """Whether the text is past what is checked."""
        return self.refused or len(self.lines.text) > LONGEST_TEXT

    @property
    def too_long(self) -> str:
        """What is said of a text that is too long to be checked."""
        size = f"more than {LONGEST_KEPT:,}" if self.refused else f"{len(self.lines.text):,}"
        return f"this text has {size} characters; an editor checks up to {LONGEST_TEXT:,}"

    @property
    def inputs(self) -> Inputs:
        """What an analysis of this snapshot depends on."""
        return inputs_of(self.lines.text, self.settings, self.named)

    @property
    def analysis(self) -> Analysis | None:
        """The last finished analysis, current or stale."""
        return self.finished.analysis if self.finished else None

    @property
    def is_current(self) -> bool:
        """Whether the last finished analysis is one of this very text under these settings."""
        return self.finished is not None and self.finished.inputs == self.inputs


def inputs_of(text: str, settings: Settings, named: tuple[str, ...] = ()) -> Inputs:
    """Return what an analysis of a text under given settings depends on, with the stamps of the files that it names."""
    parameters, project = (tuple(sorted(values.items())) for values in (settings.parameters, settings.project))
    return Inputs(text, settings.unit, parameters, project, named)


@dataclass(slots=True, eq=False)
class Document:
    """An open document; the one mutable thing, changed on the event loop only.

    ``checked_at`` is when its findings were shown last, on the clock of ``time.monotonic``, and ``check_seconds`` of the processor what each of the
    last two checks took at least: one alone says nothing of the next. ``published`` is the last version and findings that were pushed,
    ``drawn`` the plots of parameters that somebody looked at, with the inputs that they are of, ``kept`` other answers that belong to these. ``files`` is where the files are that the
    text names, with what they were at its last check; ``doubts`` counts how often one of them may have changed, ``settled`` at the last
    check. ``owner`` is the URI of the Python file, of the program of a function of one. ``looked_at`` is higher the later somebody asked
    something about it: its turn comes before that of others that wait.
    """

    uri: str
    version: int
    lines: Lines
    checked: Checked | None = None
    checked_text: str | None = None
    parsed: ParsedText | None = None
    finished: Finished | None = None
    status: Status = Status.IDLE
    problem: Diagnostic | None = None
    colours: tuple[str, list[int]] | None = None
    checked_at: float = -math.inf
    check_seconds: float = 0.0
    last_check_seconds: float = 0.0
    published: tuple[int, list[Shown]] | None = None
    drawn: tuple[Inputs, dict[str, Drawing]] | None = None
    kept: Kept = field(default_factory=Kept)
    project: Configuration = field(default_factory=Configuration)
    refused: bool = False
    files: AnyFiles = NO_FOLDER
    is_guarded: bool = False
    owner: str | None = None
    looked_at: int = 0
    doubts: int = 0
    settled: int = 0
    _naming: tuple[str, bool] = ("", False)

    @property
    def source(self) -> SourceFile:
        """The text as the library takes it."""
        return SourceFile(self.uri, self.lines.text, self.version, self.files, self.is_guarded)

    @property
    def names_files(self) -> bool:
        """Whether the text names other files, so that what is known of it depends on them."""
        text = self.lines.text
        if self._naming[0] is not text:
            self._naming = (text, len(text) <= LONGEST_TEXT and names_files(text))
        return self._naming[1]

    @property
    def named(self) -> tuple[str, ...]:
        """The stamps of the files that the text names, as they were when it was checked."""
        return self.files.stamps if isinstance(self.files, Folder) else ()

    @property
    def is_too_long(self) -> bool:
        """Whether the text is past what is checked."""
        return self.refused or len(self.lines.text) > LONGEST_TEXT

    def apply(self, change: TextDocumentContentChangeEvent) -> None:
        """Put a change in force. A text that gets too long to be kept is let go, until the client sends a whole one that is not."""
        if not isinstance(change, TextDocumentContentChangePartial):
            self.refused = len(change.text) > LONGEST_KEPT
            self.lines = Lines.of("" if self.refused else change.text, self.lines.encoding)
        elif not self.refused:
            span = self.lines.span(change.range)
            self.refused = len(self.lines.text) - (span.end - span.start) + len(change.text) > LONGEST_KEPT
            self.lines = (
                Lines.of("", self.lines.encoding) if self.refused else self.lines.replace(change.range, change.text)
            )

    def knows(self, inputs: Inputs) -> bool:
        """Whether the result for these inputs is known and final."""
        finished = self.finished
        return self.problem is None and finished is not None and finished.inputs == inputs and finished.is_final

    def trouble(self) -> tuple[Status, str | None]:
        """Return how the latest attempt at an analysis ended, and a sentence about it; one that left numbers out for lack of time timed out."""
        finished = self.finished
        late = self.status is Status.DONE and finished is not None and finished.is_timed_out
        if late and finished is not None and finished.inputs.text == self.lines.text:
            return Status.TIMED_OUT, cut_message(finished)
        return self.status, None if self.problem is None else self.problem.message

    @property
    def is_checked(self) -> bool:
        """Whether the check of the present text, with the files that it names, is known."""
        return not self.refused and self.checked_text is self.lines.text and self.settled == self.doubts

    @property
    def is_checked_beside(self) -> bool:
        """Whether the text is checked on a thread: it is long, or files have to be read for it."""
        if self.names_files:
            return not self.is_too_long
        at_once = FIRST_CHECKED_AT_ONCE if self.parsed is None else CHECKED_AT_ONCE
        return at_once < len(self.lines.text) <= LONGEST_TEXT

    def check(self) -> Checked | None:
        """Return the check of the present text, made at most once; None if the text is too long for that, or is being checked on a thread."""
        if self.is_checked or (self.checked_text is self.lines.text and self.names_files):
            return self.checked
        if self.is_checked_beside or self.is_too_long:
            return None
        source = self.source
        self.take(source, *check_after(self.parsed, source, self.checked))
        return self.checked

    def take(self, source: SourceFile, parsed: ParsedText, checked: Checked, doubts: int | None = None) -> None:
        """Keep what was parsed, which the next text is parsed from, and the check, unless it is one of an older text.

        ``doubts`` is how often a named file may have changed before they were looked at.
        """
        self.parsed = parsed
        if source.text is self.lines.text:
            self.checked_text, self.checked, self.files = source.text, checked, source.files
            self.settled = self.doubts if doubts is None else doubts

    def snapshot(self, settings: Settings) -> Snapshot:
        """Return the present state as a value, under the settings of the editor and of the project."""
        settings = settings.under(self.project)
        seen = Snapshot(
            self.uri,
            self.version,
            self.lines,
            self.check(),
            self.finished,
            self.status,
            self.problem,
            settings,
            refused=self.refused,
            named=self.named,
        )
        inputs = seen.inputs
        if self.kept.inputs == inputs:
            changes = self.kept.all_known(CHANGES).get("") or None
            seen = replace(seen, changes=changes, wheres=self.kept.all_known(WHERE))
        if self.drawn is None or self.drawn[0] != inputs:
            return seen
        return replace(seen, plots=self.drawn[1])


def check_after(
    before: ParsedText | None, source: SourceFile, checked: Checked | None = None
) -> tuple[ParsedText, Checked]:
    """Parse and check a text from what is known of an older one; a function of its arguments, for any thread."""
    # These bring lark, which the answer to ``initialize`` does not wait for.
    from seepage.semantics.check import check_parsed
    from seepage.syntax.incremental import parse_text

    parsed = parse_text(source.text, source.files) if before is None else before.becoming(source.text, source.files)
    return parsed, check_parsed(source, parsed.result, checked)


def check_in_folder(
    before: ParsedText | None, source: SourceFile, checked: Checked | None, around: Around | None
) -> tuple[SourceFile, ParsedText, Checked]:
    """Do the same for a text that may name files ``around`` it, which are read: for a thread."""
    files = NO_FOLDER if around is None else stamped(source.text, around.folder())
    source = replace(source, files=files)
    return source, *check_after(before, source, checked)


@dataclass(frozen=True, slots=True)
class Around:
    """Where a document stands: its folder, that of the workspace, whether the user trusts it, and the texts of other open documents by path."""

    file: str
    workspace: str | None
    is_trusted: bool
    open: tuple[tuple[str, str], ...]

    def folder(self) -> Folder:
        """Return its files; for a thread, since the paths of documents are resolved."""
        supplied = tuple((os.path.realpath(path), text) for path, text in self.open)
        return replace(files_of(self.file, self.workspace), is_trusted=self.is_trusted, supplied=supplied)


def is_blocked(checked: Checked | None) -> bool:
    """Tell whether errors leave a whole program without numbers, as on the command line."""
    from seepage.semantics.blocking import blocking

    return checked is not None and any(True for _ in blocking(checked))


@dataclass(slots=True)
class Documents:
    """The open documents by URI. Different spellings of one URI (percent-encoding, the case of a drive letter) are one document.

    Attributes:
        encoding: of positions.
        place_of: the folder of a document and that of the workspace around it, by its URI; None outside of any.
        is_trusted: whether documents may have files read that they name.
    """

    encoding: Encoding = Encoding.UTF16
    place_of: Callable[[str], tuple[Path, Path] | None] = lambda uri: None
    is_trusted: bool = True
    _open: dict[str, Document] = field(default_factory=dict)
    _looks: int = 0

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def get(self, uri: str) -> Document | None:
        """Return an open document, or None."""
        return self._open.get(key_of(uri))

    def look(self, uri: str) -> None:
        """Take note that somebody asked something about a document, or a Python file with marked functions."""
        self._looks += 1
        for document in self._open.values():
            if uri in (document.uri, document.owner):
                document.looked_at = self._looks

    def looked_at(self, uri: str) -> int:
        """Return when somebody asked something about a document, as a number that is higher the later it was; 0 for never."""
        document = self.get(uri)
        return 0 if document is None else document.looked_at

    def open(self, item: TextDocumentItem) -> Document:
        """Open a document; one that is open already is replaced."""
        document = Document(item.uri, item.version, Lines.of("", self.encoding))
        document.apply(TextDocumentContentChangeWholeDocument(item.text))
        self._open[key_of(item.uri)] = document
        return document

    def change(
        self, identifier: VersionedTextDocumentIdentifier, changes: list[TextDocumentContentChangeEvent]
    ) -> Document | None:
        """Apply changes one after the other, each to the result of the one before; None if the document is not open."""
        document = self.get(identifier.uri)
        if document is None:
            return None
        for change in changes:
            document.apply(change)
        document.version = identifier.version
        return document

    def around(self, document: Document) -> Around | None:
        """Return where a document stands; None for one that names no files, or is none."""
        file = path_of(document.uri) if document.names_files else None
        if file is None:
            return None
        place = self.place_of(document.uri)
        others = ((path_of(one.uri), one) for one in self if one is not document and not one.refused)
        texts = tuple((str(path), one.lines.text) for path, one in others if path is not None)
        return Around(str(file), None if place is None else str(place[1]), self.is_trusted, texts)

    def close(self, uri: str) -> Document | None:
        """Forget a document and return it; None if it is not open."""
        return self._open.pop(key_of(uri), None)


_DRIVE = re.compile(r"^(file:///)([A-Za-z])(:)")


def key_of(uri: str) -> str:
    """Return what spellings of one URI share."""
    plain = unquote(uri, errors="surrogateescape")
    return _DRIVE.sub(lambda match: match[1] + match[2].lower() + match[3], plain)
