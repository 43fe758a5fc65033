r"""The chance that independent variables are in an order (:mod:`seepage.engines.pivot.comparisons`).

Without the comparisons that follow from others, what remains is a forest, or is cut into parts that are:
:math:`P(A) = P(A, v_i < v_j) + P(A, v_j < v_i)`, which ends at the chains that extend A. On a tree, from the leaves up,

.. math:: m_{j \to i}(x) = \int f_j(y) \prod_k m_{k \to j}(y) \, [l < x - y < u] \, dy, \qquad P = \int f_i \prod_j m_{j \to i} .

Where densities are polynomials times exponentials between breaks, so are all of these functions, in closed form. Normal variables may be at the root
and beside it: then one integral is left, in ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from flint import acb, arb, ctx

from seepage import exact
from seepage.engines.pivot.comparisons import (
    GROUND,
    Bounds,
    Node,
    closed_bounds,
    offsets_of,
    reduced,
    system_of,
    with_ground,
)
from seepage.engines.pivot.path import Guards
from seepage.engines.pivot.piecewise import clipped, cumulated, mass_of, plus, shifted, times
from seepage.engines.pivot.segments import EVALUATIONS, Placed
from seepage.engines.pivot.sums import Stretch, Sum, Terms, antiderivative, between, is_summed, value_of
from seepage.engines.pivot.windows import Window
from seepage.exact import enclose
from seepage.laws.forms import Beyond, Direction
from seepage.laws.law import Edge, Law
from seepage.laws.normal import Normal

_RELATIVE_BITS = 64  # that a chance is known to, where more digits help
_MOST_BITS = 1_024
_INTEGRAL_BITS, _CLEAR_BITS, _RELATIVE = 90, 40, 2.0**-60


def chance_in_order(laws: tuple[Law, ...], guards: Guards) -> arb:
    """Return the probability of guards of one or two independent combinations each.

    Raises:
        Beyond: for others, and where no closed form and no single integral is known.
    """
    indices = sorted({index for direction in guards for index, _ in direction})
    renamed = {index: at for at, index in enumerate(indices)}
    named = tuple(
        (tuple((renamed[index], coefficient) for index, coefficient in direction), ends)
        for direction, ends in sorted(guards.items(), key=lambda each: [index for index, _ in each[0]])
    )
    return _chance(tuple(laws[index] for index in indices), named, int(ctx.prec))


@lru_cache(4_096)
def _chance(laws: tuple[Law, ...], guards: tuple[tuple[Direction, tuple[Edge, Edge]], ...], bits: int) -> arb:
    system = system_of(laws, dict(guards))
    before = int(ctx.prec)
    try:
        while True:
            ctx.prec = bits
            found = _of_system(system.nodes, system.bounds)
            enough = found.is_zero() or found.rel_accuracy_bits() >= _RELATIVE_BITS or bits >= _MOST_BITS
            if enough or any(node.is_normal for node in system.nodes):
                return found
            bits *= 2
    finally:
        ctx.prec = before


def _of_system(nodes: tuple[Node, ...], bounds: Bounds) -> arb:
    if closed_bounds(range(len(nodes)), with_ground(nodes, bounds)) is None:
        return arb(0)
    kept = reduced(nodes, bounds)
    total = arb(1)
    for members in _components(len(nodes), kept):
        edges = {tuple(sorted(pair)) for pair in kept if GROUND not in pair and pair[0] in members}
        if len(edges) < len(members):
            total *= _of_tree(nodes, kept, members)
        else:
            total *= _of_split(nodes, kept, members)
    return total


def _components(count: int, bounds: Bounds) -> list[list[int]]:
    left, found = set(range(count)), []
    while left:
        pending, members = [min(left)], []
        left.discard(pending[0])
        while pending:
            node = pending.pop()
            members.append(node)
            near = {other for pair in bounds if node in pair for other in pair if other in left}
            left -= near
            pending += sorted(near)
        found.append(sorted(members))
    return found


def _of_split(nodes: tuple[Node, ...], bounds: Bounds, members: Sequence[int]) -> arb:
    """Return the chance of an order whose comparisons go round in a circle, from those where two more nodes are compared."""
    own = {pair: value for pair, value in bounds.items() if set(pair) <= {*members, GROUND}}
    between_nodes = {pair: value for pair, value in own.items() if GROUND not in pair}
    offsets = offsets_of(members, between_nodes)
    if offsets is None:
        raise Beyond("guards that depend on each other")
    order = closed_bounds(members, between_nodes) or {}
    circle = _circle(members, between_nodes)
    for at, first in enumerate(circle):
        for second in circle[at + 1 :]:
            if (first, second) not in order and (second, first) not in order:
                gap = exact.sub(offsets[first], offsets[second])
                renamed = {old: new for new, old in enumerate(members)} | {GROUND: GROUND}
                parts = ({**own, (first, second): gap}, {**own, (second, first): exact.neg(gap)})
                few = tuple(nodes[member] for member in members)
                return sum(
                    (_of_system(few, {(renamed[i], renamed[j]): v for (i, j), v in part.items()}) for part in parts),
                    arb(0),
                )
    raise Beyond("guards that depend on each other")


def _circle(members: Sequence[int], bounds: Bounds) -> list[int]:
    """Return the nodes that are left once those with one neighbour are taken away, again and again."""
    near = {node: {other for pair in bounds if node in pair for other in pair} - {node} for node in members}
    shrinking = True
    while shrinking:
        shrinking = False
        for node in list(near):
            if len(near[node]) <= 1:
                for other in near.pop(node):
                    near[other].discard(node)
                shrinking = True
    return sorted(near)


def _of_tree(nodes: Sequence[Node], bounds: Bounds, members: Sequence[int]) -> arb:
    near = {
        node: sorted({other for pair in bounds if node in pair for other in pair} - {node, GROUND}) for node in members
    }
    normal = [node for node in members if nodes[node].is_normal]
    if any(not _is_piecewise(nodes[node]) for node in members if node not in normal):
        raise Beyond("a comparison of variables without a closed form")
    for root in sorted(members, key=lambda node: (node not in normal, -len(near[node]))):
        if all(node == root or (node in near[root] and len(near[node]) == 1) for node in normal):
            return _at_root(nodes, bounds, near, root)
    raise Beyond("guards that depend on each other")


def _is_piecewise(node: Node) -> bool:
    return all(is_summed(law) for law, _ in node.parts)


def _ends(bounds: Bounds, first: int, second: int) -> tuple[Edge, Edge]:
    """Return the interval that w of the first minus w of the second lies in."""
    low = bounds.get((second, first))
    return None if low is None else exact.neg(low), bounds.get((first, second))


def _at_root(nodes: Sequence[Node], bounds: Bounds, near: Mapping[int, Sequence[int]], root: int) -> arb:
    inner: list[Stretch] = [Stretch(None, None, {0: [arb(1)]})]
    windows: list[Window] = []
    for child in near[root]:
        if nodes[child].is_normal:
            low, high = _ends(bounds, root, child)
            own_low, own_high = _ends(bounds, child, GROUND)
            if own_low is not None or own_high is not None:
                raise Beyond("guards that depend on each other")
            windows.append(Window(parameters=(1, nodes[child].variance), low=low, high=high))
        else:
            inner = times(inner, _message(nodes, bounds, near, child, root))
    low, high = _ends(bounds, root, GROUND)
    if nodes[root].is_normal:
        return _integral(Normal((nodes[root].variance,)), clipped(inner, low, high), windows)
    inner = times(inner, clipped(_density(nodes[root]), low, high))
    return mass_of(inner) if not windows else _integral(None, inner, windows)


def _message(
    nodes: Sequence[Node], bounds: Bounds, near: Mapping[int, Sequence[int]], node: int, parent: int
) -> list[Stretch]:
    """Return the chance of all guards below a node, and of that to its parent, as a function of the parent's value."""
    inner = clipped(_density(nodes[node]), *_ends(bounds, node, GROUND))
    for child in near[node]:
        if child != parent:
            inner = times(inner, _message(nodes, bounds, near, child, node))
    low, high = _ends(bounds, parent, node)  # y between x − high and x − low
    if high is None:
        return shifted(cumulated(inner, 1), 0 if low is None else low)
    above = shifted(cumulated(inner, -1), high)
    if low is None:
        return above
    return plus(above, shifted(cumulated(inner, -1), low), -1)


def _integral(law: Law | None, inner: Sequence[Stretch], windows: Sequence[Window]) -> arb:
    """Enclose the integral of a function between breaks, times the density of a normal law and the chances that windows are passed."""
    logs = [window.log_within(None, None) for window in windows]
    log_density = None if law is None else law.log_within(None, None)
    bits = _INTEGRAL_BITS
    while True:
        found = arb(0)
        for each in inner:
            low, high, lost = _cut_ends(law, each, bits)
            found += arb(0).union(lost)
            if low is None or high is None or low >= high:
                continue
            if not low < high:
                raise Beyond("an interval that is too narrow")

            def integrand(z: acb, analytic: bool, terms: Terms = each.terms) -> acb:
                total = acb(0) if log_density is None else log_density(z, analytic)
                for log in logs:
                    total += log(z, analytic)
                return value_of(terms, z) * total.exp()

            found += acb.integral(
                integrand, low, high, abs_tol=arb(2) ** -bits, rel_tol=_RELATIVE, eval_limit=EVALUATIONS
            ).real
        if not found.is_finite():
            raise Beyond("an integral that does not converge")
        if int(found.rel_accuracy_bits()) >= _CLEAR_BITS or bits >= _MOST_BITS:
            return found if found.lower() >= 0 else arb(0).union(found.upper())
        bits *= 2


def _cut_ends(law: Law | None, each: Stretch, bits: int) -> tuple[arb | None, arb | None, arb]:
    """Return finite ends of a stretch, and at least what lies beyond them; windows and orders have chances of at most 1."""
    ends = [None if edge is None else enclose(edge) for edge in (each.low, each.high)]
    lost = arb(0)
    for at, side in ((0, -1), (1, 1)):
        if law is not None:
            far = side * law.reach(bits)
            end = ends[at]
            if end is None or side * (end - far) > 0:
                lost += law.beyond(side, far)
                ends[at] = far
        elif ends[at] is None:
            rate = min((abs(enclose(rate)) for rate in each.terms), key=float)
            other = ends[1 - at]
            far = (side * bits / rate + (arb(0) if other is None else other)).mid()
            primitive = antiderivative(each.terms)
            lost += between(primitive, far, None) if side > 0 else between(primitive, None, far)
            ends[at] = far
    return ends[0], ends[1], lost.upper()


def _density(node: Node) -> list[Stretch]:
    parts = tuple(Placed(law, 0, scale, *law.ends) for law, scale in node.parts)
    return list(Sum(parts=parts).stretches)
