r"""What a forward run left out where it cut infinite supports, with bounds that later measures rest on.

The runs that are left out are the disjoint union over the samplings i from infinite laws of those in which the draw at i is the first outside of its window.
Let :math:`t_i` be the largest mass outside of a window that i met, :math:`N` the number of states before it. Since the weights w of these states sum to at most 1:

* mass: :math:`\sum_i t_i`;
* entropy: the chain rule makes it a sum over the samplings. At i and before it, :math:`\sum_w \sum_k -w q_k \log (w q_k) \le \eta_i + t_i (\log N + 1/e)`,
  with :math:`\eta_i` the largest :math:`\sum -q \log q` outside of a window, as :math:`-\sum w \log w \le \log N + 1/e`. After i, the entropy of each law that is drawn from,
  averaged over the runs left out; that of Poisson(λ) is at most :math:`\tfrac12 \log (2 \pi e (\lambda + \tfrac1{12})) \le 2 + \lambda` (Cover and Thomas 2006,
  theorem 8.6.5 with a uniform variable added);
* averages over the runs left out of a bound :math:`\sum c \prod_l z_l^{j_l}` (:mod:`seepage.engines.forward.growth`) are at most
  :math:`\sum c \sum_i T_i(j_i) \prod_{l \ne i} A_l(j_l)`, with :math:`T_i(j)` the largest moment outside of a window that i met and
  :math:`A_l(j)` the largest moment of the law of l, whatever was drawn before. The moments of Poisson(λ) are polynomials in λ (Touchard 1939), so that a rate
  may be bounded by earlier draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.kinds import is_infinite
from seepage.distributions.rational import stirling
from seepage.engines.forward.growth import Growth, growth
from seepage.engines.forward.polynomial_bounds import Bound, constant, plus, times
from seepage.engines.forward.whole import is_whole_variable, whole_variables
from seepage.engines.outcome import Cut
from seepage.exact import Number, precision
from seepage.laws.windows import Window
from seepage.semantics.core import CoreProgram, CoreSample
from seepage.semantics.statements import walk
from seepage.syntax.tree import Distribution

Windows: TypeAlias = Sequence[tuple[arb, Window]]
"""The windows of the infinite parts of one law, each with a bound of the part's weight."""

_BITS = 64
_INFINITE = arb("inf")


@dataclass(slots=True)
class Cutting:
    """The windows that a run has met, by the distribution as written: one entry for each choice of its parameters."""

    met: dict[Distribution, list[Windows]] = field(default_factory=dict)

    def note(self, distribution: Distribution, windows: Windows) -> None:
        """Take note of the windows of a law."""
        if windows:
            self.met.setdefault(distribution, []).append(windows)


class OnlyBeyond(Fault):
    """No run that was followed passes the observations; those that were cut off might."""


def cut_of(
    cutting: Cutting, core: CoreProgram, asked: Sequence[str], parameters: Mapping[str, Number], states: int
) -> Cut | None:
    """Return what a run left out, None if nothing.

    Args:
        cutting: what the run met.
        core: the program that was run.
        asked: the variables whose moments are wanted.
        parameters: their values.
        states: at least the number of states that the run ever held.
    """
    if not cutting.met:
        return None
    with precision(_BITS):
        sites = [s for s in walk(core.statements) if isinstance(s, CoreSample) and is_infinite(s.distribution)]
        met = [cutting.met[site.distribution] for site in sites if site.distribution in cutting.met]
        masses = [_greatest([_outside(each, 0) for each in windows]) for windows in met]
        mass = _upper(sum(masses, arb(0)))
        spread = arb(states).log() + 1
        entropies = [_greatest([_outside_entropy(each) for each in windows]) for windows in met]
        entropy = sum(entropies, arb(0)) + mass * spread
        found = growth(core, parameters)
        if found is None:
            return Cut(mass, _INFINITE)
        averages = _Averages(cutting, found, mass)
        for bound in found.surprise:
            entropy += averages.of(bound)
        if found.rounded:
            entropy = _INFINITE
        for place, site in enumerate(found.infinite):
            if site.is_noise:
                continue
            # In runs already left out something is drawn only after the first sampling from an infinite law.
            if site.covered:
                entropy += mass * averages.entropy(place)
            elif place > 0:
                entropy += averages.of(plus(constant(2), site.rate))
        moments: dict[str, tuple[arb, arb]] = {}
        for name in asked:
            bound = found.values.get(name, {(): arb(0)})
            moments[name] = (_upper(averages.of(bound)), _upper(averages.of(times(bound, bound))))
        known = whole_variables(core.statements)
        whole = frozenset(name for name in asked if is_whole_variable(name, known))
        ranges = {name: found.spans.get(name, (0, 0)) for name in whole}
        sizes = {
            name: arb(int(high - low) + 1).log()
            for name, (low, high) in ranges.items()
            if low is not None and high is not None
        }
        return Cut(mass, _upper(entropy), moments, whole=whole, sizes=sizes)


@dataclass(slots=True)
class _Averages:
    """Averages over the runs left out."""

    cutting: Cutting
    found: Growth
    mass: arb
    known: dict[tuple[int, int, bool], arb] = field(default_factory=dict)

    def of(self, bound: Bound) -> arb:
        """Bound the average of a bound, times the mass left out."""
        if bound is None:
            return _INFINITE
        total = arb(0)
        for monomial, coefficient in bound.items():
            total += coefficient * self._monomial(dict(monomial)) if coefficient > 0 else arb(0)
        return total

    def _monomial(self, powers: Mapping[int, int]) -> arb:
        if not powers:
            return self.mass
        return sum((self._product(first, powers) for first in range(len(self.found.infinite))), arb(0))

    def _product(self, first: int, powers: Mapping[int, int]) -> arb:
        """Bound the average of a product of powers over the runs in which the draw at ``first`` is the first left out: the latest draw first."""
        if not powers:
            return self._moment(first, 0, outside=True)
        last = max(powers)
        if last < first:
            return self._moment(first, 0, outside=True) * self._inside(powers)
        earlier = {which: power for which, power in powers.items() if which != last}
        if last == first:
            return self._moment(first, powers[last], outside=True) * self._inside(earlier)
        return self._conditioned(last, powers[last], earlier, lambda left: self._product(first, left))

    def _inside(self, powers: Mapping[int, int]) -> arb:
        """Bound the average of a product of powers of draws, nothing being left out."""
        if not powers:
            return arb(1)
        last = max(powers)
        earlier = {which: power for which, power in powers.items() if which != last}
        return self._conditioned(last, powers[last], earlier, self._inside)

    def _conditioned(
        self, last: int, power: int, earlier: Mapping[int, int], average: Callable[[Mapping[int, int]], arb]
    ) -> arb:
        """Bound the last draw's power given the earlier draws, by a number or by Touchard's polynomial in a rate that they decide."""
        site = self.found.infinite[last]
        if site.covered or site.rate is None:
            return self._moment(last, power, outside=False) * average(earlier)
        bound: Bound = constant(0)
        factor: Bound = constant(1)
        for size in range(1, power + 1):
            factor = times(factor, site.rate)
            bound = plus(bound, times(constant(stirling(power, size)), factor))
        if bound is None:
            return _INFINITE
        total = arb(0)
        for monomial, coefficient in bound.items():
            joined = dict(earlier)
            for which, more in monomial:
                joined[which] = joined.get(which, 0) + more
            total += coefficient * average(joined) if coefficient > 0 else arb(0)
        return total

    def entropy(self, place: int) -> arb:
        """Bound the entropy of the law of a sampling whose parameters are all known."""
        laws = self._laws(place)
        if not laws:
            return arb(0) if self.found.infinite[place].followed else _INFINITE
        return _greatest(
            [sum((each.entropy() for _, each in law), arb(len(law) + 1).log()) for law in laws],
        )

    def _moment(self, place: int, order: int, outside: bool) -> arb:
        key = (place, order, outside)
        if key not in self.known:
            self.known[key] = self._computed(place, order, outside)
        return self.known[key]

    def _computed(self, place: int, order: int, outside: bool) -> arb:
        if self.found.infinite[place].is_noise:
            return arb(0) if outside else self.found.infinite[place].moment(order)
        laws = self._laws(place)
        if outside:
            # A sampling that the machine never met leaves nothing out first.
            return _greatest([_outside(law, order) for law in laws]) if laws else arb(0)
        site = self.found.infinite[place]
        if not site.covered or not (laws or site.followed):
            return _INFINITE
        return _greatest([sum((each.moment(order) for _, each in law), arb(0)) for law in laws])

    def _laws(self, place: int) -> list[Windows]:
        return self.cutting.met.get(self.found.infinite[place].statement.distribution, [])


def _outside(windows: Windows, order: int) -> arb:
    return sum((weight * each.outside_moment(order) for weight, each in windows), arb(0))


def _outside_entropy(windows: Windows) -> arb:
    r"""Bound :math:`\sum -w q \log (w q) = w \sum -q \log q + (-w \log w) \sum q` over the parts, with :math:`-w \log w \le 1/e`."""
    return sum((each.outside_entropy() + each.outside() for _, each in windows), arb(0))


def _greatest(balls: Sequence[arb]) -> arb:
    greatest = arb(0)
    for ball in balls:
        greatest = greatest.max(ball)
    return _upper(greatest)


def _upper(ball: arb) -> arb:
    """Return an upper end of a ball; one that is no number may be anything."""
    return ball.upper() if ball.is_finite() else _INFINITE
