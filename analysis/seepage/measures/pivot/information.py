"""What paths say of an information I(x; y) as a whole: that it is 0 or infinite, or what independent noise in a sum makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from typing import TypeAlias

from flint import arb

from seepage.engines.pivot.conditionals import are_functions_of_one_source
from seepage.engines.pivot.forms import Beyond, Polynomial
from seepage.engines.pivot.path import Path
from seepage.measures.pivot.added import behind_added_noise
from seepage.measures.pivot.of_sum import function_of_sum
from seepage.measures.pivot.strata import total_of

Names: TypeAlias = tuple[str, ...]


def through_added_noise(paths: Sequence[Path], x: Names, y: Names) -> arb | None:
    """Return I(x; y) where one side is continuous, and the other one a variable that noise is added to; None where that is not seen, or not known."""
    for secret, output in ((x, y), (y, x)):
        if len(output) == 1 and any(isinstance(path.values[each], Polynomial) for path in paths for each in secret):
            with suppress(Beyond):
                found = behind_added_noise(paths, secret, output[0])
                return found if found.is_finite() else None
    return None


def through_sum(paths: Sequence[Path], x: Names, y: Names) -> tuple[arb, bool] | None:
    """Enclose what one side tells of the other by a sum with noise, and tell whether that is I(x; y), else it is an upper bound; None if there is none."""
    for secret, output in ((x, y), (y, x)):
        with suppress(Beyond):
            function = function_of_sum(paths, secret, output)
            with suppress(Beyond):
                return function.information(), function.is_apart
            return function.whole(), False
    return None


def is_constant(paths: Sequence[Path], names: Names) -> bool:
    """Tell whether variables have the same discrete values on all paths."""
    values = [[path.values[name] for name in names] for path in paths]
    return all(each == values[0] and not any(isinstance(value, Polynomial) for value in each) for each in values)


def determine_each_other(paths: Sequence[Path], x: Names, y: Names) -> bool:
    """Tell whether on some path a variable of x and one of y are functions of one source: together on a curve, they have no density beside the product of their laws."""
    for path in paths:
        sides = [[value for name in side if isinstance(value := path.values[name], Polynomial)] for side in (x, y)]
        if any(are_functions_of_one_source(one, other) for one, other in product(*sides)):
            with suppress(Beyond):
                return total_of([path]) > 0
    return False


def is_told(paths: Sequence[Path], shared: Names, given: Names) -> bool:
    """Tell whether a variable on both sides of I is continuous on some path, so that I is infinite; a sum of entropies would not see it.

    Raises:
        Beyond: if what is given is continuous there and may tell the variable already.
    """
    telling = [path for path in paths if any(isinstance(path.values[name], Polynomial) for name in shared)]
    plain = [path for path in telling if not any(isinstance(path.values[name], Polynomial) for name in given)]
    if any(total_of([path]) > 0 for path in plain):
        return True
    if telling:
        raise Beyond("a continuous variable on both sides")
    return False
