r"""Paths of programs that draw from discrete laws with infinite support, or round values without bounds: those of a window, and what is known of all others.

What was cut off is bounded as for mixtures (:mod:`seepage.engines.forward.cutting`, :mod:`seepage.engines.soga.shifts`), or for rounded values by what
is known of the runs that rounding left out. Observed equalities of continuous values, which would weigh it by densities, are refused.

The runs that rounding left out are an event C of probability at most :math:`\tau`, as
:class:`~seepage.engines.pivot.cells.Cells` adds it up.

Every variable and every rounded value has a bound :math:`\sum c \prod z_i^{j_i}` of its size in independent standard draws
(:mod:`seepage.engines.forward.growth`). With Hölder's inequality, p = 8,

.. math:: E\Big(\prod z_i^{j_i};\, C\Big) \le \tau^{1 - 1/p} \prod_i E(z_i^{p j_i})^{1/p} .

A run is told by its discrete choices: those of draws and of signs, at most as many as the bounds of :mod:`~seepage.engines.forward.growth` say, and
the integers K that rounding gave. The entropy of an integer is at most :math:`\tfrac12 \log (2 \pi \mathrm e\,(E K^2 + \tfrac1{12}))` (Cover and Thomas 2006, theorem
8.6.5 with a uniform variable added), so that given C, with :math:`S \ge E(K^2; C)`,

.. math:: -\sum_{C} p \log p \le \tau \log \tfrac1\tau + \sum_{\text{choices}} \tau \log n
          + \sum_K \tfrac\tau2 \log \big(2 \pi \mathrm e\,(S / \tau + 1)\big) ,

which grows with :math:`\tau \le 1/\mathrm e`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.forward.cutting import Cutting, cut_of
from seepage.engines.forward.growth import Growth, growth
from seepage.engines.forward.polynomial_bounds import Bound, constant, plus, times
from seepage.engines.forward.whole import is_whole_variable, whole_variables
from seepage.engines.outcome import Budget, Cut
from seepage.engines.pivot.cells import Cells
from seepage.engines.pivot.densities import probability_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.paths import paths_of
from seepage.engines.soga.shifts import Shifts, any_infinite, shifts
from seepage.exact import Number
from seepage.laws.forms import Beyond
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import expressions_of, walk
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_ORDER = 8
_INFINITE = arb("inf")


def _cut_of_rounded(
    core: CoreProgram, asked: Sequence[str], discrete: frozenset[str], parameters: Mapping[str, Number], mass: arb
) -> Cut:
    """Return what is known of the runs that were left out of a program without observed equalities of continuous values.

    Args:
        core: the program.
        asked: the variables whose moments are wanted.
        discrete: those of them that are discrete in all runs.
        parameters: of the program.
        mass: at least the probability of the runs.
    """
    whole = frozenset(name for name in asked if is_whole_variable(name, whole_variables(core.statements)))
    found = None if any_infinite(core) else growth(core, parameters)
    if found is None:
        return Cut(mass, _INFINITE, discrete=discrete, whole=whole)
    moments: dict[str, tuple[arb, arb]] = {}
    for name in asked:
        bound = found.values.get(name, constant(0))
        moments[name] = (_average(found, bound, mass).upper(), _average(found, times(bound, bound), mass).upper())
    return Cut(mass, _entropy(found, mass), moments, discrete=discrete, whole=whole)


def _entropy(found: Growth, mass: arb) -> arb:
    """Bound −Σ p log p over the runs, in nats."""
    if mass.is_zero():
        return arb(0)
    if not mass < (-arb(1)).exp():
        return _INFINITE
    entropy = -mass * mass.log()
    for bound in found.surprise:
        entropy += _average(found, bound, mass)
    for bound in found.rounded:
        above = plus(bound, constant(1))
        second = _average(found, times(above, above), mass)
        entropy += mass * (2 * arb.pi() * arb(1).exp() * (second / mass + 1)).log() / 2
    return entropy.upper() if entropy.is_finite() else _INFINITE


def _average(found: Growth, bound: Bound, mass: arb) -> arb:
    """Bound the average of a bound over the runs, times their probability."""
    if bound is None:
        return _INFINITE
    if mass.is_zero():
        return arb(0)
    share = (mass.log() * (1 - arb(1) / _ORDER)).exp()
    total = arb(0)
    for monomial, coefficient in bound.items():
        if not monomial:
            total += coefficient * mass
            continue
        power = arb(1)
        for which, exponent in monomial:
            power *= found.infinite[which].moment(_ORDER * exponent).root(_ORDER)
        total += coefficient * share * power
    return total


_TAIL_BITS, _TIGHTEST_TAIL = 48, 1_024
_LOST_BITS = (
    44  # what is cut off is to be at most 2^-44 of what passes the observations: integrals are not known better
)


@dataclass(frozen=True, slots=True)
class Followed:
    """The paths of a window, and what was cut off."""

    paths: tuple[Path, ...]
    cut: Cut

    @property
    def is_whole(self) -> bool:
        """Tell whether nothing was cut off."""
        return bool(self.cut.mass.is_zero())


def is_windowed(core: CoreProgram) -> bool:
    """Tell whether a program draws from a discrete law with infinite support, or may round a value without bounds."""
    return any_infinite(core) or any(
        (isinstance(node, tree.Call) and node.function in ("floor", "ceil"))
        or (isinstance(node, tree.Binary) and node.operator == "%")
        for statement in walk(core.statements)
        for expression in expressions_of(statement)
        for node in nodes(expression)
    )


def followed(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, bits: int, cuts: bool
) -> Followed:
    """Return the paths of a program in a window, and what was cut off; arguments as for :func:`~seepage.engines.pivot.paths.paths_of`.

    Raises:
        Beyond: if the program is not of the kind that this engine solves, or nothing is known of what was cut off.
    """
    known, infinite = shifts(core), any_infinite(core)
    if infinite and any(set(_names_of(core, each)) & known.continuous for each in _equalities(core)):
        raise Beyond("an equality of continuous values that is observed where an infinite support is cut")
    tail = _TAIL_BITS
    while True:
        cutting, cells = Cutting() if infinite else None, Cells(tail)
        within = replace(budget, tail_bits=tail)
        paths = paths_of(core, asked, parameters, within, bits, cuts, cutting, cells)
        if cutting is None and cells.lost.is_zero():
            return Followed(paths, Cut(arb(0), arb(0)))
        cut = _cut(core, asked, parameters, budget, (cutting, cells, known))
        mass = _mass(paths, cuts)
        if mass is None or (mass > 0 and cut.mass * arb(2) ** _LOST_BITS < mass):
            return Followed(paths, cut)
        tail *= 2
        if tail > _TIGHTEST_TAIL:
            raise Beyond("observations that are passed too seldom beside what an infinite support leaves out")


def _cut(
    core: CoreProgram,
    asked: tuple[str, ...],
    parameters: Mapping[str, Number],
    budget: Budget,
    left_out: tuple[Cutting | None, Cells, Shifts],
) -> Cut:
    """Return what is known of the runs that a window leaves out."""
    cutting, cells, known = left_out
    discrete = frozenset(asked) - known.continuous
    if cutting is None:
        return _cut_of_rounded(core, asked, discrete, parameters, cells.lost)
    cut = cut_of(cutting, core, asked, parameters, max(budget.states, budget.rows)) or Cut(arb(0), arb(0))
    if cells.lost.is_zero():
        return replace(cut, alike=known.to_the_end, discrete=discrete)
    return Cut((cut.mass + cells.lost).upper(), arb("inf"), discrete=discrete, whole=cut.whole)


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
