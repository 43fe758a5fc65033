r"""What a measure is a sum of at the ends of a game: one function of what is left there for each measure.

At an end the attacker has weights :math:`w(x, r)` left: unnormalised chances of the secret x and of what is seen besides, r. Up to constants that
no choice changes each measure here is :math:`\sum_{\text{ends}} \varphi(w)` with :math:`\varphi(c\,w) = c\,\varphi(w)`, or a monotone
function of that:

* ``I(x; y) = H(x) − H(x | y)``, ``H(x | y)``: :math:`\sum_r W_r \log W_r - \sum_x w(x, r) \log w(x, r)`, Cover and Thomas 2006, section 2.2;
* ``V(x | y)``, ``Hmin``, ``Lmin``: :math:`\sum_r \max_x w(x, r)`, Smith 2009, "On the foundations of quantitative information flow";
* ``Guess(x | y)``: :math:`\sum_r \sum_i i\, w_{(i)}` with weights in falling order, Massey 1994, "Guessing and entropy";
* ``P(b)``, ``E(v)``: :math:`\sum v\, w`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.exact import Number, to_fraction
from seepage.measures.games.game import Values
from seepage.measures.games.scores import Logarithms, Score, plus, surprise
from seepage.measures.planning.table import Measure

Belief: TypeAlias = Mapping[Values, Any]  # unnormalised weights, all rational or all balls


class Inapplicable(Exception):
    """Backward induction does not answer a question; the message says why."""


def uncertainty(groups: Sequence[list[Any]]) -> Score:
    """Return the unnormalised conditional entropy, in nats."""
    if all(isinstance(one, fmpq) for group in groups for one in group):
        return _sum([surprise(group) for group in groups])
    found: arb = arb(0)
    for group in groups:
        whole = sum(group, arb(0))
        found += whole * whole.log() - sum((arb(one) * arb(one).log() for one in group), arb(0))
    return found


def _sum(parts: list[Logarithms]) -> Score:
    found: Score = parts[0]
    for part in parts[1:]:
        found = plus(found, part)
    return found


def right_guess(groups: Sequence[list[Any]]) -> Score:
    """Return the unnormalised chance of a right guess in one try."""
    found: Score = sum((_greatest(group) for group in groups), fmpq(0))
    return found


def _greatest(group: list[Any]) -> Any:
    if all(isinstance(one, fmpq) for one in group):
        return max(group)
    best = arb(group[0])
    for one in group[1:]:
        best = best.max(arb(one))
    return best


def guesses(groups: Sequence[list[Any]]) -> Score:
    """Return the unnormalised mean number of guesses."""
    if not all(isinstance(one, fmpq) for group in groups for one in group):
        raise Inapplicable("guesses are counted where chances are rational")
    found = fmpq(0)
    for group in groups:
        for at, weight in enumerate(sorted(group, reverse=True), 1):
            found += at * weight
    return found


def mean(belief: Belief) -> Score:
    """Return the unnormalised mean of the only variable."""
    found: Any = fmpq(0)
    for (value,), weight in belief.items():
        found += weight * _rational(value)
    score: Score = found
    return score


def _rational(value: Number) -> fmpq:
    fraction = to_fraction(value)
    if fraction is None:
        raise Inapplicable("means are compared where values are rational")
    return fmpq(fraction.numerator, fraction.denominator)


OF_GROUPS: Mapping[str, Callable[[Sequence[list[Any]]], Score]] = {
    "H": uncertainty,
    "I": uncertainty,
    "V": right_guess,
    "Hmin": right_guess,
    "Lmin": right_guess,
    "Guess": guesses,
}


def grows_as_the_sum_falls(measure: Measure) -> bool:
    """Tell whether a measure is an uncertainty less the sum, or the logarithm of one over it."""
    return measure.is_information or (measure.functional == "gain" and measure.attacker == "least")


@dataclass(frozen=True, slots=True)
class OfGroups:
    """What is left of a measure that is a sum over what is seen.

    Attributes:
        function: of the weights of the secret, for each thing seen: a sum over these.
        places: where what is seen stands among the values.
    """

    function: Callable[[Sequence[list[Any]]], Score]
    places: tuple[int, ...]

    def __call__(self, belief: Belief) -> Score:
        """Return the sum's part at an end."""
        groups: dict[Values, list[Any]] = {}
        for values, weight in belief.items():
            groups.setdefault(tuple(values[place] for place in self.places), []).append(weight)
        return self.function(list(groups.values()))
