"""What a report tells of a program beside what ``seepage check`` tells of it: plain data, fit to be sent between processes.

Texts may hold code: it stands between :data:`CODE` and :data:`PROSE`, two control characters that no other text can hold, since all that
comes from a program goes through :func:`~seepage.report.findings.printable`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.diagnostics import Reason
from seepage.exact import Number, number
from seepage.measures.result import Certainty
from seepage.report.findings import printable

CODE, PROSE = "\x0e", "\x0f"  # shift out, and shift in again


def code(text: str) -> str:
    """Return a text of a program as code on one line of a text."""
    return f"{CODE}{printable(' '.join(text.split()))}{PROSE}"


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the numbers rest on.

    Attributes:
        name: what it is about, as the program calls it.
        text: what is known of it, as a text with code.
        line: where it stands, counted from 1; 0 for nowhere.
        documentation: what the author of the program wrote about it.
        unknown: of a secret, how uncertain it is before anything is seen; empty elsewhere.
        value: of a parameter, ``eps = 1`` as a text with code; empty elsewhere.
        is_caution: whether it says how far the numbers reach, which a reader must not overlook.
    """

    name: str
    text: str
    line: int = 0
    documentation: str = ""
    unknown: str = ""
    value: str = ""
    is_caution: bool = False


@dataclass(frozen=True, slots=True)
class LineNote:
    """What a statement does to a leak, beside its line; ``hides`` if more leaks without it."""

    line: int
    text: str
    hides: bool


@dataclass(frozen=True, slots=True)
class AskedTold:
    """What is told of a ``show`` or ``require`` beside its number.

    Attributes:
        start: where it begins in the text.
        words: what is asked, as a sentence with code; empty where it has no words.
        helps: of a budget, for which values of a parameter it holds.
    """

    start: int
    words: str
    helps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PointTold:
    """A point of a curve, as :class:`seepage.report.plot.Point` has it: ``lower <= true value <= upper`` at ``x``.

    Attributes:
        x: the value of the parameter.
        lower: guaranteed.
        value: the number to draw, None where there is none.
        upper: guaranteed.
        fault: why there is no number; empty where there is one.
        approximate: whether it may be far off.
    """

    x: float
    lower: float
    value: float | None
    upper: float
    fault: str
    approximate: bool

    @property
    def at(self) -> tuple[Number, ...]:
        """The value of the parameter, exactly that of ``x``."""
        return (number(Fraction(self.x)),)

    @property
    def certainty(self) -> Certainty | None:
        """How far to trust it, as far as that is kept."""
        return Certainty.APPROXIMATE if self.approximate else None

    @property
    def because(self) -> Sequence[Reason]:
        """Nothing: lines that make numbers approximate are told beside these."""
        return ()


@dataclass(frozen=True, slots=True)
class PlotTold:
    """A measure over a parameter.

    Attributes:
        measure: as written.
        parameter: its name.
        unit: of the measure.
        points: ascending.
        here: the value at which all other numbers of the report hold; None where it has none.
        budget: what the measure is required to be at most, or at least; None without.
        holds: between which values of the parameter the budget is proved to hold; None where that is not known.
        words: what is to be seen, for those who do not see it.
    """

    measure: str
    parameter: str
    unit: str
    points: tuple[PointTold, ...]
    here: float | None
    budget: float | None
    holds: tuple[float, float] | None
    words: str


@dataclass(frozen=True, slots=True)
class DerivationTold:
    """How a measure comes about, as lines."""

    measure: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Colour:
    """A range of the text that is a comment, a keyword, a number, or the name of something that is called."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class ProgramTold:
    """What is told of one program.

    Attributes:
        name: of the function of a Python file; empty for a program in Seep.
        secrets: how each is drawn.
        outputs: what the attacker sees.
        others: what else is drawn, observed or read from data.
        choices: what the attacker chooses.
        parameters: their values.
        asked: of each ``show`` and ``require``.
        notes: beside lines.
        plots: of what is asked, or of what leaks.
        derivations: of what leaks.
        missing: what could not be computed, and why.
        lines: the first and the last line to show of the file; 0 and 0 for all.
    """

    name: str
    secrets: tuple[Fact, ...] = ()
    outputs: tuple[Fact, ...] = ()
    others: tuple[Fact, ...] = ()
    choices: tuple[Fact, ...] = ()
    parameters: tuple[Fact, ...] = ()
    asked: tuple[AskedTold, ...] = ()
    notes: tuple[LineNote, ...] = ()
    plots: tuple[PlotTold, ...] = ()
    derivations: tuple[DerivationTold, ...] = ()
    missing: tuple[str, ...] = ()
    lines: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file that a program names, with the SHA-256 of what stands in it."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Background:
    """What is told of one file: its programs, the colours of its text, and the files that it names."""

    programs: tuple[ProgramTold, ...]
    colours: tuple[Colour, ...] = ()
    files: tuple[DataFile, ...] = ()
