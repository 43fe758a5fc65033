r"""Guaranteed bounds of I(x; y) where it is not known itself: from below by data processing, from above by telling the attacker more.

I(x; y) is at least the information between any parts of x and y. Let L be the path that a run takes; if the values of y are independent of each other given x
and L,

.. math:: I(x; y) \le I((x, L); y) \le \sum_i I((x, L); y_i) ;

and it is at most the entropy of a side that is discrete. I is symmetric. From below, too, all continuous variables but one are cut into cells: then
what is left are integrals over a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

from flint import arb

from seepage import exact
from seepage.engines.outcome import Budget
from seepage.engines.pivot.path import Path
from seepage.exact import ArithmeticFault
from seepage.laws.forms import Beyond, Polynomial, Value, direction_of, linear
from seepage.laws.law import Edge
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note
from seepage.measures.pivot.entropy import entropy_sum
from seepage.measures.pivot.joint_entropy import independent_parts
from seepage.measures.pivot.moments import mean_of, variance_of
from seepage.measures.pivot.strata import total_of
from seepage.measures.result import Certainty

LABEL = "path@taken"  # no name of the language holds an @
WIDE = Note("bounds: from below by single variables, from above as if the attacker saw which way the run went")

_CELLS = 16

Names = tuple[str, ...]


def information_between(
    paths: Sequence[Path], x: Names, y: Names, budget: Budget, most: arb | None = None
) -> Enclosure | None:
    """Return bounds of I(x; y) in nats, None where nothing is known but that it is at most an entropy, or ``most``."""
    total = total_of(paths)
    lower, upper, trivial = arb(0), arb.pos_inf(), arb.pos_inf()
    for one, other in ((x, y), (y, x)):
        if not any(_is_continuous(paths, name) for name in one):
            trivial = trivial.min(entropy_sum(paths, one, total).upper())
        upper = upper.min(_certain(_above, paths, one, other, total).upper())
    upper = upper.min(trivial) if most is None else upper.min(trivial).min(most)
    continuous = [name for name in dict.fromkeys((*x, *y)) if _is_continuous(paths, name)]
    for kept in continuous:
        if not budget.expired():
            lower = lower.max(_certain(_cut_but(kept, continuous), paths, x, y, total).lower())
    for name in (*x, *y):
        rest = y if name in x else x
        if not budget.expired():
            lower = lower.max(_certain(_information, paths, (name,), rest, total).lower())
    if not upper.is_finite() or (lower.is_zero() and upper >= trivial):
        return None
    lower = lower.min(upper)
    return Enclosure.bounded((lower + upper) / 2, lower, upper, Certainty.CERTIFIED, notes=(WIDE,))


def _is_continuous(paths: Sequence[Path], name: str) -> bool:
    return any(isinstance(path.values[name], Polynomial) for path in paths)


def _cut_but(kept: str, continuous: Sequence[str]) -> Callable[[Sequence[Path], Names, Names, arb], arb]:
    """Return the information with all continuous variables but one in cells."""
    others = [name for name in continuous if name != kept]
    count = max(2, round(_CELLS ** (1 / max(1, len(others)))))

    def information(paths: Sequence[Path], x: Names, y: Names, total: arb) -> arb:
        for name in others:
            paths = _in_cells(paths, name, count)
        return _information(paths, x, y, total)

    return information


def _in_cells(paths: Sequence[Path], name: str, count: int) -> list[Path]:
    """Return paths with a variable replaced by the cell that it lies in."""
    total = total_of(paths)
    mean, spread = float(mean_of(paths, name, total).mid()), math.sqrt(float(variance_of(paths, name, total).mid()))
    if not (math.isfinite(mean) and math.isfinite(spread)):
        raise Beyond("a variable that is too large for cells")
    normal = NormalDist(mean, spread)
    places = [exact.number(Fraction(normal.inv_cdf(i / count)).limit_denominator(1024)) for i in range(1, count)]
    cuts: list[Edge] = [None, *sorted(set(places)), None]
    found: list[Path] = []
    for path in paths:
        for at, (low, high) in enumerate(pairwise(cuts)):
            part = _within(path, path.values[name], low, high)
            if part is not None:
                found.append(replace(part, values={**path.values, name: at}))
    return found


def _within(path: Path, value: Value, low: Edge, high: Edge) -> Path | None:
    """Return the part of a path in which a value lies in an interval."""
    found = linear(value)
    if found is None:
        raise Beyond("a value that is not linear in cells")
    constant, coefficients = found
    if not coefficients:
        above = low is None or exact.compare(constant, low) >= 0
        return path if above and (high is None or exact.compare(constant, high) < 0) else None
    direction, scale = direction_of(coefficients)
    ends = [None if edge is None else exact.div(exact.sub(edge, constant), scale) for edge in (low, high)]
    if exact.sign(scale) < 0:
        ends.reverse()
    return path.within(direction, ends[0], ends[1])


def _certain(
    of: Callable[[Sequence[Path], Names, Names, arb], arb], paths: Sequence[Path], x: Names, y: Names, total: arb
) -> arb:
    """Return a number, [0, ∞] where it is not known."""
    try:
        found = of(paths, x, y, total)
    except (Beyond, ArithmeticFault):
        return arb(0).union(arb.pos_inf())
    return arb(0).union(arb.pos_inf()) if found.is_nan() else found


def _information(paths: Sequence[Path], x: Names, y: Names, total: arb) -> arb:
    both = tuple(dict.fromkeys((*x, *y)))
    return entropy_sum(paths, x, total) + entropy_sum(paths, y, total) - entropy_sum(paths, both, total)


def _above(paths: Sequence[Path], x: Names, y: Names, total: arb) -> arb:
    """Return Σ I((x, L); y_i)."""
    if set(x) & set(y):
        raise Beyond("a variable on both sides")
    labelled = [replace(path, values={**path.values, LABEL: at}) for at, path in enumerate(paths)]
    for path in labelled:
        given = [value for name in x if isinstance(value := path.values[name], Polynomial)]
        shown = [value for name in y if isinstance(value := path.values[name], Polynomial)]
        if len(given) > 1 or any(len(value.sources) > 1 or linear(value) is None for value in given):
            raise Beyond("what is given does not tell its source")
        shared = frozenset(index for value in given for index in value.sources)
        if not independent_parts(path, shown, shared):
            raise Beyond("outputs with common noise")
    found = arb(0)
    own = entropy_sum(labelled, (*x, LABEL), total)
    for name in y:
        found += own + entropy_sum(labelled, (name,), total) - entropy_sum(labelled, (*x, LABEL, name), total)
    return found
