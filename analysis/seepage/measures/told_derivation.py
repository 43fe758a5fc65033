"""A derivation as data: what :mod:`seepage.measures.explanation` tells of a measure, and reports put into words."""

from __future__ import annotations

from dataclasses import field
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.engines.wpe.derivation import Rule
from seepage.measures.formulas.tree import Node
from seepage.measures.result import Result
from seepage.notebook import Typeset
from seepage.source import Span
from seepage.syntax.tree import Expression


@dataclass(frozen=True, slots=True)
class Term:
    """``coefficient · [guard] · … · factor · …``; ghosts are names that end with ``@ghost``."""

    coefficient: Node
    guards: tuple[Expression, ...]
    factors: tuple[Expression, ...] = ()


Shown: TypeAlias = tuple[Term, ...]  # a sum; empty for 0


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a derivation, ready to be written; attributes as in :class:`seepage.engines.wpe.derivation.Step`."""

    span: Span
    statement: str
    rule: Rule
    before: Shown
    after: Shown
    parts: tuple[tuple[Node, Shown], ...] = ()
    arms: tuple[tuple[ShownStep, ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """One pre-expectation wp⟦S⟧(post); ``left_out`` counts the statements at the start that were cut, ``program`` names S."""

    post: Shown
    steps: tuple[ShownStep, ...]
    result: Shown
    left_out: int = 0
    program: str = "S"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A line after the derivations: why it follows, and what; as a sum over brackets, or as a formula."""

    why: str
    expectation: Shown = ()
    formula: Node | None = None


@dataclass(frozen=True, slots=True)
class Explanation(Typeset):
    """How a measure comes about.

    Attributes:
        measure: as it is written.
        source: where in the paper the formula stands.
        kind: of the measure, ``H``, ``H|``, ``KL``, ``I``, ``P`` or ``E``.
        x: the first variables (of ``P`` and ``E`` none).
        y: the second ones: what is given, the right side, …
        argument: of ``P`` and ``E``, else None.
        sections: the derivations.
        conclusions: what follows from them, in order; empty if a derivation was cut.
        result: the number.
        notes: what was cut, and at which values of parameters the program was taken.
        event: what the measure, or its left side, is conditioned on; observed at the end of S, which is then called S₁.
        right_event: the same of the right side of a divergence, there S₂; that of the left side if it is no divergence.
        given: the variables that an information is given, else none.
    """

    measure: str
    source: str
    kind: Literal["H", "H|", "KL", "I", "P", "E"]
    x: tuple[str, ...]
    y: tuple[str, ...]
    argument: Expression | None
    sections: tuple[Section, ...]
    conclusions: tuple[Conclusion, ...]
    result: Result
    notes: tuple[str, ...] = field(default=())
    event: Expression | None = None
    right_event: Expression | None = None
    given: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return what is explained; the derivation is long."""
        return f"<Explanation of {self.measure}>"
