r"""Means and variances of a value over the paths of a program, guards included.

Monomials of independent sources have the product of their moments. A source, or a combination of normal ones, that is cut to an
interval has the moments of its law there: for a normal law of variance v, with :math:`m_0` the probability,

.. math:: m_k = (k - 1) v\, m_{k-2} + v\,(a^{k-1} f(a) - b^{k-1} f(b)) ;

for others the density is integrated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, zip_longest

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.densities import Bell, Curve, Piece, Term, apart, term_of, weight_of
from seepage.engines.pivot.forms import Direction, Polynomial, Value, terms_of, times
from seepage.engines.pivot.laws import Edge, Law
from seepage.engines.pivot.paths import Path
from seepage.exact import Number, enclose
from seepage.measures.pivot.integral import Log

_TAIL_BITS = 110


def mean_of(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the mean of a value; raises ``Beyond``."""
    return sum((_moment(path, path.values[name], 1) for path in paths), arb(0)) / total


def variance_of(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the variance of a value; raises ``Beyond``."""
    square = sum((_moment(path, path.values[name], 2) for path in paths), arb(0)) / total
    mean = mean_of(paths, name, total)
    return square - mean * mean


def _moment(path: Path, value: Value, order: int) -> arb:
    """Enclose E(value^order) over a path, times its probability."""
    power: Value = 1
    for _ in range(order):
        power = times(power, value)
    sources = value.sources if isinstance(value, Polynomial) else frozenset[int]()
    probability, near = apart(path, sources)
    if all(len(direction) == 1 for direction in near):
        return weight_of(path) * probability * _by_monomials(path, power, near)
    if not isinstance(value, Polynomial):
        raise AssertionError("a number depends on no guard")
    return _of_term(term_of(path, value), order)


def _by_monomials(path: Path, power: Value, near: Mapping[Direction, tuple[Edge, Edge]]) -> arb:
    cut = {direction[0][0]: interval for direction, interval in near.items()}
    found = arb(0)
    for monomial, coefficient in terms_of(power).items():
        exponents = {**dict.fromkeys(cut, 0), **dict(monomial)}
        product = enclose(coefficient)
        for index, exponent in exponents.items():
            law = path.laws[index]
            product *= moment_within(law, exponent, *cut.get(index, law.ends))
        found += product
    return found


def _of_term(term: Term, order: int) -> arb:
    """Enclose the first or second moment of a density, not normalised."""
    match term:
        case Bell():
            raise AssertionError("a Gaussian has no guards")
        case Piece():
            mean: tuple[Number, ...] = (term.location, term.scale)
            variance: tuple[Number, ...] = (0,)
        case Curve():
            mean, variance = term.mean, term.variance
    inner = list(mean) if order == 1 else _plus(_product(mean, mean), variance)
    moments = (moment_within(term.law, power, term.low, term.high) for power in range(len(inner)))
    return term.weight * sum((enclose(c) * m for c, m in zip(inner, moments, strict=True)), arb(0))


def _product(a: Sequence[Number], b: Sequence[Number]) -> list[Number]:
    found: list[Number] = [0] * (len(a) + len(b) - 1)
    for i, u in enumerate(a):
        for j, v in enumerate(b):
            found[i + j] = exact.add(found[i + j], exact.mul(u, v))
    return found


def _plus(a: Sequence[Number], b: Sequence[Number]) -> list[Number]:
    return [exact.add(u, v) for u, v in zip_longest(a, b, fillvalue=0)]


def moment_within(law: Law, order: int, low: Edge, high: Edge) -> arb:
    """Enclose ∫ z^order f over an interval; raises ``Beyond``."""
    if (low, high) == law.ends:
        return law.moment(order)
    if law.name == "normal":
        return _normal_moment(law, order, low, high)
    if order == 0:
        return law.probability(low, high)
    return _integrated_moment(law, order, low, high)


def _normal_moment(law: Law, order: int, low: Edge, high: Edge) -> arb:
    variance = enclose(law.parameters[0])

    def edge(end: Edge, power: int) -> arb:
        return arb(0) if end is None else enclose(end) ** power * law.density_at(enclose(end))

    moments = [law.probability(low, high), variance * (edge(low, 0) - edge(high, 0))]
    for k in range(2, order + 1):
        moments.append((k - 1) * variance * moments[k - 2] + variance * (edge(low, k - 1) - edge(high, k - 1)))
    return moments[order]


def _integrated_moment(law: Law, order: int, low: Edge, high: Edge) -> arb:
    found = arb(0)
    reach = law.reach(_TAIL_BITS)
    ends: list[arb] = []
    for edge, sign in ((low, -1), (high, 1)):
        if edge is not None:
            ends.append(enclose(edge))
            continue
        # ∫_T^∞ z^k f(T) e^{-κ(z - T)} dz = f(T) Σ_j k!/(k-j)! T^{k-j} / κ^{j+1}, with T beyond every finite edge
        end = reach.max(*(abs(enclose(each)) + 1 for each in (low, high) if each is not None)).upper()
        rate, height = law.decay(sign * end), law.density_at(sign * end)
        tail = sum(
            (
                arb.fac_ui(order) / arb.fac_ui(order - j) * end ** (order - j) / rate ** (j + 1)
                for j in range(order + 1)
            ),
            arb(0),
        )
        found += arb(0, (tail * height).upper())
        ends.append(sign * end)
    inner = [enclose(edge) for edge in law.breaks if edge is not None]
    cuts = [ends[0], *(edge for edge in inner if edge > ends[0] and edge < ends[1]), ends[1]]
    for a, b in pairwise(cuts):
        log = law.log_density(((a + b) / 2).mid())

        def integrand(z: acb, analytic: bool, log: Log = log) -> acb:
            return z**order * log(z, analytic).exp()

        found += acb.integral(integrand, a, b, abs_tol=arb(2.0**-70), eval_limit=20_000).real
    return found
