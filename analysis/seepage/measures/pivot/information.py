"""What paths say of an information I(x; y) as a whole: that it is 0 or infinite, or what independent noise in a sum makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TypeAlias

from flint import arb

from seepage.engines.pivot.path import Path
from seepage.laws.forms import Beyond, Polynomial
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note
from seepage.measures.pivot.added import behind_added_noise
from seepage.measures.pivot.certain import certified
from seepage.measures.pivot.of_sum import function_of_sum
from seepage.measures.pivot.strata import total_of
from seepage.measures.result import Certainty

FOLDED = Note("bounds: 0 from below, from above what the sum tells")

Names: TypeAlias = tuple[str, ...]


def through_added_noise(paths: Sequence[Path], x: Names, y: Names) -> arb | None:
    """Return I(x; y) where one side is continuous, and the other one a variable that noise is added to; None where that is not seen, or not known."""
    for secret, output in ((x, y), (y, x)):
        if len(output) == 1 and any(isinstance(path.values[each], Polynomial) for path in paths for each in secret):
            with suppress(Beyond):
                found = behind_added_noise(paths, secret, output[0])
                return found if found.is_finite() else None
    return None


def through_sum(paths: Sequence[Path], x: Names, y: Names) -> Enclosure | None:
    """Return I(x; y) where one side is a function of a sum of the other one and noise, by bounds where several values of the sum give one; None if there is no sum."""
    for secret, output in ((x, y), (y, x)):
        with suppress(Beyond):
            function = function_of_sum(paths, secret, output)
            most: arb | None = None
            with suppress(Beyond):
                most = function.information()
                if function.is_apart:
                    return certified(most, arb(0))
            most = (function.whole() if most is None else most).upper()
            return Enclosure.bounded(most / 2, arb(0), most, Certainty.CERTIFIED, notes=(FOLDED,))
    return None


def is_constant(paths: Sequence[Path], names: Names) -> bool:
    """Tell whether variables have the same discrete values on all paths."""
    values = [[path.values[name] for name in names] for path in paths]
    return all(each == values[0] and not any(isinstance(value, Polynomial) for value in each) for each in values)


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
