r"""Tuples in which one continuous value is a multiple of another, up to a number: (x, 2x + s) tells as much as (x, s).

The number takes the place of the copy: :math:`(x, y) \mapsto (x, y - a x)` is one to one if a is the same on all paths. So measures that the coordinates
of a tuple do not matter to see one continuous value where there were two that are singular together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage import exact
from seepage.engines.pivot.path import Path
from seepage.exact import Number
from seepage.laws.forms import Polynomial, Value, plus, terms_of, times


def without_copies(paths: Sequence[Path], names: Sequence[str]) -> list[Path]:
    """Return paths on which copies among some variables are replaced by what is left of them; their joint information stays."""
    kept = list(dict.fromkeys(names))
    found = list(paths)
    for at, first in enumerate(kept):
        for other in kept[at + 1 :]:
            factor = _factor(found, first, other)
            if factor is not None:
                found = [
                    replace(path, values={**path.values, other: _rest(path, first, other, factor)}) for path in found
                ]
    return found


def _rest(path: Path, first: str, other: str, factor: Number) -> Value:
    return plus(path.values[other], times(exact.neg(factor), path.values[first]))


def _factor(paths: Sequence[Path], first: str, other: str) -> Number | None:
    """Return the a for which ``other`` is ``a · first`` up to a number on all paths, None if there is none or ``other`` is never continuous."""
    factor: Number | None = None
    for path in paths:
        one, two = path.values[first], path.values[other]
        if not isinstance(one, Polynomial) or not isinstance(two, Polynomial):
            continue
        monomial = next(monomial for monomial, _ in one.terms if monomial)
        factor = exact.div(terms_of(two).get(monomial, 0), terms_of(one)[monomial])
        break
    if factor is None or factor == 0:
        return None
    return None if any(isinstance(_rest(path, first, other, factor), Polynomial) for path in paths) else factor
