"""A report as it is laid out: what stands in each part, in the words that all forms share. Texts may hold code, as in :mod:`~seepage.reporting.told`."""

from __future__ import annotations

from seepage.data_classes import dataclass
from seepage.reporting.told import DataFile, DerivationTold, Fact, PlotTold


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, or is to be known: ``level`` is "error", "warning" or "info"."""

    level: str
    code: str
    line: int
    message: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Learnt:
    """What is learnt about a secret, in a sentence, with what the author of the program wrote about it."""

    secret: str
    documentation: str
    told: str


@dataclass(frozen=True, slots=True)
class LeakRow:
    """What one output, or all, tell about a secret; ``low`` and ``high`` are the ends of the share in per cent, None where it has none."""

    output: str
    share: str
    low: float | None
    high: float | None
    leak: str
    certainty: str
    worst: str
    guess: str
    note: str


@dataclass(frozen=True, slots=True)
class LeakGroup:
    """The rows of one secret."""

    secret: str
    unknown: str
    rows: tuple[LeakRow, ...]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A ``show`` or ``require``: ``verdict`` is empty for a ``show``; ``why`` are sentences."""

    verdict: str
    words: str
    text: str
    line: int
    value: str
    certainty: str
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StrategyPart:
    """What an attacker does: for which measures, as a text with code, how it was found, and what is chosen when, line by line."""

    measures: str
    how: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line of the program; ``kind`` is empty, or that of its colour."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class LineBeside:
    """What stands beside a line; ``kind`` is "leak", "holds", "violated", "cannot tell", "value", "less" or "hides"."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class ListingLine:
    """A line of the program with what stands beside it."""

    number: int
    pieces: tuple[Piece, ...]
    beside: tuple[LineBeside, ...]

    @property
    def text(self) -> str:
        """The line."""
        return "".join(each.text for each in self.pieces)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What is told of one file; parts in which nothing stands are left out of the page.

    Attributes:
        place: the name of the file.
        state: "good", "bad", "open", or "told" of a file that is not judged.
        headline: whether it does what it should, in a sentence.
        reader: who learns what is in the bullets, in a sentence; empty without bullets.
        bullets: what is learnt about each secret.
        cautions: how far the numbers reach, where that is less far than a reader may think.
        findings: what is wrong, in the order of the text; that a budget is not kept stands in ``budgets``.
        leaks: the leakage table.
        budgets: what became of each ``require``.
        answers: of each ``show``.
        strategies: of attackers who choose, each once.
        attacker: what the attacker is assumed to know and to do.
        secrets: how they are drawn.
        others: what else is drawn, observed, or read.
        parameters: their values.
        plots: curves.
        listing: the program.
        cut: how many lines of it are left out.
        derivations: how the leaks come about.
        certainties: the words that its numbers have, with what they mean.
        values: of the parameters at which the numbers hold, as a text with code; empty without parameters.
        remarks: what a reader must know about the whole, and what could not be computed.
        sha256: of the text; empty where it could not be read.
        files: that the program names.
    """

    place: str
    state: str
    headline: str
    reader: str
    bullets: tuple[Learnt, ...]
    cautions: tuple[str, ...]
    findings: tuple[Finding, ...]
    leaks: tuple[LeakGroup, ...]
    budgets: tuple[AnswerPart, ...]
    answers: tuple[AnswerPart, ...]
    strategies: tuple[StrategyPart, ...]
    attacker: str
    secrets: tuple[Fact, ...]
    others: tuple[Fact, ...]
    parameters: tuple[Fact, ...]
    plots: tuple[PlotTold, ...]
    listing: tuple[ListingLine, ...]
    cut: int
    derivations: tuple[DerivationTold, ...]
    certainties: tuple[tuple[str, str], ...]
    values: str
    remarks: tuple[str, ...]
    sha256: str
    files: tuple[DataFile, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report.

    Attributes:
        title: of the page.
        summary: how many programs pass, and what is wrong with others.
        command: that makes the same again.
        version: of Seepage.
        chapters: one a file.
        date: of the day, where it was asked for; else empty, so that two runs make the same.
    """

    title: str
    summary: str
    command: str
    version: str
    chapters: tuple[Chapter, ...]
    date: str = ""
