"""Paths of programs that draw from discrete laws with infinite support: those of a window of values, and what is known of all others.

What was cut off is bounded as for mixtures (:mod:`seepage.engines.forward.cutting`, :mod:`seepage.engines.soga.shifts`). Observed equalities of continuous values,
which would weigh it by densities, are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from flint import arb

from seepage.engines.forward.cutting import Cutting, cut_of
from seepage.engines.outcome import Budget, Cut
from seepage.engines.pivot.densities import probability_of
from seepage.engines.pivot.forms import Beyond
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.paths import paths_of
from seepage.engines.soga.shifts import shifts
from seepage.exact import Number
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import walk
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_TAIL_BITS, _TIGHTEST_TAIL = 48, 1_024
_LOST_BITS = (
    44  # what is cut off is to be at most 2^-44 of what passes the observations: integrals are not known better
)


@dataclass(frozen=True, slots=True)
class Followed:
    """The paths of a window, and what was cut off."""

    paths: tuple[Path, ...]
    cut: Cut


def followed(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, bits: int, cuts: bool
) -> Followed:
    """Return the paths of a program in a window, and what was cut off; arguments as for :func:`~seepage.engines.pivot.paths.paths_of`.

    Raises:
        Beyond: if the program is not of the kind that this engine solves, or nothing is known of what was cut off.
    """
    known = shifts(core)
    if any(set(_names_of(core, each)) & known.continuous for each in _equalities(core)):
        raise Beyond("an equality of continuous values that is observed where an infinite support is cut")
    tail = _TAIL_BITS
    while True:
        cutting = Cutting()
        paths = paths_of(core, asked, parameters, replace(budget, tail_bits=tail), bits, cuts, cutting)
        cut = cut_of(cutting, core, asked, parameters, max(budget.states, budget.rows))
        if cut is None:
            cut = Cut(arb(0), arb(0))
        cut = replace(cut, alike=known.to_the_end, discrete=frozenset(asked) - known.continuous)
        mass = _mass(paths, cuts)
        if mass is None or (mass > 0 and cut.mass * arb(2) ** _LOST_BITS < mass):
            return Followed(paths, cut)
        tail *= 2
        if tail > _TIGHTEST_TAIL:
            raise Beyond("observations that are passed too seldom beside what an infinite support leaves out")


def _mass(paths: tuple[Path, ...], cuts: bool) -> arb | None:
    """Return the probability of all paths, None if it is for others to compute."""
    if cuts and any(path.cut is not None for path in paths):
        return None
    return sum((probability_of(path) for path in paths), arb(0))


def _equalities(core: CoreProgram) -> Iterator[Expression]:
    for statement in walk(core.statements):
        if isinstance(statement, CoreObserve):
            for node in nodes(statement.condition):
                if isinstance(node, tree.Binary) and node.operator == "==":
                    yield node


def _names_of(core: CoreProgram, expression: Expression) -> Iterator[str]:
    for name in plain_names(expression):
        yield from core.elements(name) if name in core.arrays else (name,)
