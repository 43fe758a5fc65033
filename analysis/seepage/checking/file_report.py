"""What is told of one program: plain data with the words that its numbers have, fit to be kept, sent and shown in any format.

Nothing here loads the analysis: a program that has not changed since it was analysed is told of from here alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.source import SourceFile, Span

if TYPE_CHECKING:
    from seepage.measures.result import Json

Role: TypeAlias = Literal["show", "require"]
Outcome: TypeAlias = Literal["holds", "violated", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of a number: ``lower <= true value <= upper``, in ``unit``: "bits", "nats", or "" without one."""

    lower: float
    upper: float
    unit: str


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """What became of a ``show`` or ``require``.

    Attributes:
        role: which of the two.
        text: the measure as written; for a ``require`` with its comparison and bound.
        span: of the whole declaration.
        verdict: of a ``require``.
        lines: the words for a terminal.
        bounds: of the measure; None where it has no number.
        budget: what a ``require`` was compared with, or a number next to it; None where it has none, and for a ``show``.
        code: of the rule under which it is reported; empty where nothing is.
        data: the same as JSON.
        verdict_at: at which character of the first line the verdict begins; None where there is none.
    """

    role: Role
    text: str
    span: Span
    verdict: Outcome | None
    lines: tuple[str, ...]
    bounds: Bounds | None
    budget: float | None
    code: str
    data: Mapping[str, Json]
    verdict_at: int | None = None


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A row of the leakage table.

    Attributes:
        secret: its name, or that of an element.
        output: what the attacker sees.
        span: of the secret's name.
        headline: whether all outputs are taken together.
        cells: the words of its columns.
        note: what a reader must know about it; empty if nothing.
        bounds: of the information; None where there is no number.
        data: the same as JSON.
    """

    secret: str
    output: str
    span: Span
    headline: bool
    cells: tuple[str, ...]
    note: str
    bounds: Bounds | None
    data: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class FileReport:
    """What checking and running found in one text.

    Attributes:
        findings: in the order of the text, as loud as their rules.
        rows: the leakage table.
        answers: in the order of the text.
        note: what a reader must know about the whole; empty if nothing.
        seconds: of a processor that the analysis took.
        settled: whether nothing was given up for time: then the same question has the same answer again.
    """

    findings: tuple[Diagnostic, ...]
    rows: tuple[ToldRow, ...]
    answers: tuple[ToldAnswer, ...]
    note: str
    seconds: float
    settled: bool


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file with what is told of it.

    Attributes:
        source: its name as the caller gave it, and its text; an empty one where it could not be read.
        report: what was found; None where nothing could be computed.
        failure: why there is no report; None where there is one.
    """

    source: SourceFile
    report: FileReport | None
    failure: Diagnostic | None = None
