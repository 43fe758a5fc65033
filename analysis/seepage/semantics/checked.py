"""All that is known of a program without running it: what ``check`` returns, as values.

Places here are absolute offsets into the text, names are NFKC-normalised, and numbers are exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Reason
from seepage.exact import Number, compare
from seepage.source import SourceFile, Span
from seepage.syntax.tree import Module, Require, Show

if TYPE_CHECKING:
    from seepage.semantics.units import Units


class Kind(Enum):
    """What values a variable can have at the end of the program, as far as typing tells.

    ``MIXED``: atoms on some runs, or for some elements, and a density on others.
    """

    BOOLEAN = "boolean"
    DISCRETE = "discrete"
    CONTINUOUS = "continuous"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Domain:
    """The values a parameter may take; ``None`` as an end means that side is unbounded."""

    low: Number | None
    high: Number | None
    low_closed: bool
    high_closed: bool

    def contains(self, value: Number) -> bool:
        """Tell whether a value lies in the domain.

        Raises:
            CannotDecide: if an irrational end is too close to an irrational value.
        """
        if self.low is not None:
            order = compare(self.low, value)
            if order > 0 or (order == 0 and not self.low_closed):
                return False
        if self.high is not None:
            order = compare(value, self.high)
            if order > 0 or (order == 0 and not self.high_closed):
                return False
        return True


@dataclass(frozen=True, slots=True)
class ParamSymbol:
    """A ``param``: ``span`` is that of its name; no ``domain`` means every real number."""

    name: str
    span: Span
    domain: Domain | None
    default: Number | None
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class SecretSymbol:
    """A declared secret, by its name as written (``r``, ``y[2]``); ``declaration`` is the span of the whole ``secret`` declaration."""

    name: str
    mode: Literal["initial", "final"] | None
    span: Span
    declaration: Span
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class OutputSymbol:
    """A declared output, by its name as written."""

    name: str
    span: Span
    declaration: Span
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class ShowSymbol:
    """A ``show``: spans of ``node`` are relative to ``start``; ``span`` is absolute."""

    node: Show
    span: Span
    start: int


@dataclass(frozen=True, slots=True)
class RequireSymbol:
    """A ``require``: spans of ``node`` are relative to ``start``; ``span`` is absolute."""

    node: Require
    span: Span
    start: int


@dataclass(frozen=True, slots=True)
class VariableSymbol:
    """A variable or array: ``spans`` are the targets of its assignments, in the order of the text."""

    name: str
    spans: tuple[Span, ...]
    is_array: bool
    documentation: str = ""


Occurrence: TypeAlias = tuple[Span, str]


@dataclass(frozen=True, slots=True)
class Symbols:
    """Every name with its role.

    Attributes:
        params: in the order of the text.
        consts: values of those constants that have one.
        secrets: one entry per declared name.
        outputs: one entry per declared name.
        shows: in the order of the text.
        requires: in the order of the text.
        variables: what statements assign, without declared names of other roles.
        occurrences: every use and declaration of a name, sorted by place; an element counts as its array (the span covers the
            array's name only).
        declarations: where ``param`` and ``const`` names are declared.
    """

    params: Mapping[str, ParamSymbol]
    consts: Mapping[str, Number]
    secrets: tuple[SecretSymbol, ...]
    outputs: tuple[OutputSymbol, ...]
    shows: tuple[ShowSymbol, ...]
    requires: tuple[RequireSymbol, ...]
    variables: Mapping[str, VariableSymbol]
    occurrences: Sequence[Occurrence]
    declarations: Mapping[str, Span]


@dataclass(frozen=True, slots=True)
class Classification:
    """The statements that leave the fragment in which SOGA is exact, in the order of the text; none means exact."""

    inexact: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A program with everything that is known of it without running: the value of ``check``.

    ``units`` is what the check of the next version of the text may use again, ``context`` how measures typed by hand are read.
    """

    source: SourceFile
    tree: Module
    symbols: Symbols
    kinds: Mapping[str, Kind]
    classification: Classification
    diagnostics: tuple[Diagnostic, ...]
    units: Units | None = field(default=None, repr=False, compare=False)
    context: object | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        """Return the name of the text and how much is told of it; tree and tables are long."""
        return f"<Checked {self.source.name!r}: {len(self.diagnostics)} findings>"

    @property
    def has_errors(self) -> bool:
        """Whether some diagnostic is an error."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)
