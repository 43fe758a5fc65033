"""H, I, P, E and Var where a discrete law with infinite support is drawn from: from the paths of a window, with what was cut off inside the bounds.

The inequalities are those for mixtures (:mod:`seepage.measures.gaussian.cut`): they need entropies inside of what was cut off, which those of single paths
bound where these are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb

from seepage import exact
from seepage.engines.outcome import Budget
from seepage.engines.pivot.infinite import Followed
from seepage.engines.pivot.path import Path
from seepage.laws.forms import Beyond, Polynomial, Value, plus
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.cut import entropy_beside, gain_beside, information_beside, mean_beside, variance_beside
from seepage.measures.guessing.gains import Tries
from seepage.measures.pivot.between import information_between
from seepage.measures.pivot.certain import certified
from seepage.measures.pivot.entropy import entropy_sum
from seepage.measures.pivot.events import chance_of, event_probability
from seepage.measures.pivot.moments import mean_of, variance_of
from seepage.measures.pivot.strata import total_of

Names = tuple[str, ...]
_UNKNOWN = arb("-inf"), arb("inf")


def entropy_in_window(known: Followed, x: Names, given: Names, budget: Budget) -> Enclosure | None:
    """Return H(x | given) in nats; raises ``Beyond``."""
    total = total_of(known.paths)
    found = certified(_conditional(known.paths, x, given, total, budget))
    if found is None or not found.lower.is_finite():
        return None
    if known.cut.discrete >= set(x):
        inside = arb(0), arb(0)
    else:
        inside = _extremes(known, lambda path: _conditional([path], x, given, total_of([path]), budget))
    beside = entropy_beside(found, total, known.cut, x, inside)
    return beside if beside.lower.is_finite() or beside.upper.is_finite() else None


def information_in_window(known: Followed, x: Names, y: Names, given: Names, budget: Budget) -> Enclosure | None:
    """Return I(x; y | given) in nats; raises ``Beyond``."""
    cut, total = known.cut, total_of(known.paths)

    def of(paths: Sequence[Path], mass: arb) -> arb:
        left = _conditional(paths, x, given, mass, budget)
        return left - _conditional(paths, x, (*y, *given), mass, budget)

    found: Enclosure | None = None
    try:
        found = certified(of(known.paths, total), arb(0))
    except Beyond:
        found = None if given else information_between(known.paths, x, y, budget)
    if found is None:
        return None
    most = arb(0)
    if not (cut.discrete >= set(x) or cut.discrete >= set(y)):
        most = _extremes(known, lambda path: of([path], total_of([path])))[1]
    return information_beside(found, total, cut, most)


def chance_in_window(known: Followed, name: str) -> Enclosure | None:
    """Return the chance that a variable is 1; raises ``Beyond``."""
    found = certified(event_probability(known.paths, name), arb(0), arb(1))
    mass = sum((chance_of(path) for path in known.paths), arb(0))
    return None if found is None else gain_beside(found, mass, known.cut, Tries(1))


def mean_in_window(known: Followed, name: str) -> Enclosure | None:
    """Return the mean of a variable, None where nothing bounds it; raises ``Beyond``."""
    total = total_of(known.paths)
    found = certified(mean_of(known.paths, name, total))
    beside = found and mean_beside(found, total, known.cut, name)
    return beside if beside and (beside.lower.is_finite() or beside.upper.is_finite()) else None


def variance_in_window(known: Followed, name: str) -> Enclosure | None:
    """Return the variance of a variable; raises ``Beyond``."""
    total = total_of(known.paths)
    found = certified(variance_of(known.paths, name, total), arb(0))
    return None if found is None else variance_beside(found, mean_of(known.paths, name, total), total, known.cut, name)


def _conditional(paths: Sequence[Path], x: Names, given: Names, total: arb, budget: Budget) -> arb:
    if budget.expired():
        raise Beyond("no time left")
    names = tuple(dict.fromkeys((*given, *x)))
    both = entropy_sum(paths, names, total)
    return both - entropy_sum(paths, given, total) if given else both


def _extremes(known: Followed, value: Callable[[Path], arb]) -> tuple[arb, arb]:
    """Return the least and the greatest value of a path, with which those that were cut off share all but shifts."""
    if not known.cut.alike:
        return _UNKNOWN
    least, most = arb("inf"), arb("-inf")
    shapes = {_shape(path): path for path in known.paths}
    for path in shapes.values():
        found = value(path)
        if not found.is_finite():
            return _UNKNOWN
        least, most = least.min(found.lower()), most.max(found.upper())
    return least, most


def _shape(path: Path) -> tuple[object, ...]:
    guards = frozenset((path.guards or {}).items())
    return path.laws, guards, frozenset((name, _centred(value)) for name, value in path.values.items())


def _centred(value: Value) -> Value:
    return plus(value, exact.neg(value.constant)) if isinstance(value, Polynomial) else 0
