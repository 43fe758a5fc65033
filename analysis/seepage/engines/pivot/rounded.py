r"""What is known of the runs that rounding left out: an event C of probability at most :math:`\tau`, as
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

from collections.abc import Mapping, Sequence

from flint import arb

from seepage.engines.forward.growth import Growth, growth
from seepage.engines.forward.polynomial_bounds import Bound, constant, plus, times
from seepage.engines.forward.whole import is_whole_variable, whole_variables
from seepage.engines.outcome import Cut
from seepage.engines.soga.shifts import any_infinite
from seepage.exact import Number
from seepage.semantics.core import CoreProgram

_ORDER = 8
_INFINITE = arb("inf")


def cut_of_rounded(
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
