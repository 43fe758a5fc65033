r"""``Delta(x -> y, eps=e) <= d`` and ``DP(x -> y, delta=d) <= e`` over ranges: one sum of maxima for each pair of neighbours.

.. math:: \sum_y \max\bigl(0, W(y|x) - e^\varepsilon W(y|x')\bigr) - d \le 0 \quad \text{for all neighbours } x, x'

is what both say, since the sum falls as ε grows (:mod:`seepage.measures.privacy.exact`); DP also says that ε is not negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from seepage.algebra import NoAlgebra, Quotient, composed, minus, over, times
from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.planning.table import MEASURES
from seepage.measures.privacy.neighbours import TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.ranges.algebra import Enclosing
from seepage.measures.ranges.form import Form
from seepage.measures.ranges.letters import translation_of
from seepage.measures.ranges.maxima import Guessing, Maxima
from seepage.measures.ranges.privacy import Claim, Row, related, rows_of, sum_of, written
from seepage.measures.ranges.runs import NoProblem, Runs, ring_of
from seepage.measures.scope import Scope, spelled_number, variables
from seepage.semantics.checked import Domain
from seepage.source import Span
from seepage.syntax.tree import Call, Expression

_PAIRS = 64
_TERMS = 1_000
_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Excess:
    """The sum for one pair, minus d: ``above`` and ``below`` are the rows of x and x', not normalised."""

    joint: DiscreteJoint[Polynomial]
    above: Row
    below: Row
    epsilon: Expression
    delta: Expression
    ranges: Mapping[str, Domain]
    forms: dict[tuple[tuple[str, Number], ...], Guessing] = field(default_factory=dict, compare=False)

    def form(self, at: Mapping[str, Number]) -> Guessing:
        """Return the function when some parameters have values; raises :class:`NoAlgebra` if it cannot be written."""
        key = tuple(at.items())
        if key not in self.forms:
            self.forms[key] = self._form(at)
        return self.forms[key]

    def vanishes(self, at: Mapping[str, Number]) -> bool:
        """Return False: maxima are not compared by algebra."""
        return False

    def smooth(self, at: Mapping[str, Number]) -> None:
        """Return None: maxima have kinks."""

    def ceiling(self, at: Mapping[str, Number]) -> None:
        """Return no function above this one."""

    def _form(self, at: Mapping[str, Number]) -> Guessing:
        values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
        epsilon, delta = fixed(self.epsilon, values), fixed(self.delta, values)
        factor = Call("exp", (epsilon,), _NOWHERE, _NOWHERE)
        translation = translation_of((self.joint,), at, self.ranges, (factor, delta), expanded=False)
        alphabet, own = translation.alphabet, translation.generators[id(self.joint.ring)]
        free = tuple(name for name in self.ranges if name not in at)
        enclosing, zero, scale = Enclosing(), alphabet.number(0), translation.meaning(factor)

        def form(value: Quotient) -> Form:
            return Form(alphabet, free, value, (), enclosing)

        def chances(row: Row) -> dict[tuple[Number, ...], Quotient]:
            whole = composed(sum_of(self.joint.ring.zero, row.values()), own, alphabet)
            if whole.is_zero:
                raise NoAlgebra(
                    "an input is impossible there"
                )  # one pair less: the function does not go on to its limit
            return {output: over(composed(mass, own, alphabet), whole) for output, mass in row.items()}

        above, below = chances(self.above), chances(self.below)
        groups = [
            tuple(form(each) for each in (minus(chance, times(scale, below.get(output, zero))), zero))
            for output, chance in above.items()
        ]
        return Guessing(MEASURES["V"], Maxima(tuple(groups)), None, form(translation.meaning(delta)), 1)


def excesses_of(
    scope: Scope, claim: Claim, ranges: Mapping[str, Domain], budget: Budget
) -> tuple[tuple[Excess, ...], Runs]:
    """Return what a claim says not to be positive, and the runs.

    Raises:
        NoProblem: if there are too many pairs, or the program cannot be followed.
        Fault: of the program or the measure.
    """
    call = claim.call
    if call.separator != "->" or not call.left or not call.right or call.gain:
        raise NoProblem(f"it is no '{call.name}(x -> y)'")
    x, y, z = (variables(scope, names) for names in (call.left, call.right, call.given))
    runs = Runs(scope, {name: value for name, value in scope.parameters.items() if name not in ranges}, ranges, budget)
    joint = runs.joint(scope.core, (*x, *y, *z))
    epsilon, delta = (written(scope, each, ranges) for each in (claim.epsilon, claim.delta))
    closeness = related(scope, call)
    rows = rows_of(joint, *(joint.positions(names) for names in (x, y, z)))
    found: dict[object, Excess] = {}
    for inputs in rows.values():
        try:
            near = neighbourhoods(tuple(inputs), closeness)
        except TooManyNeighbours as many:
            raise NoProblem(many.reason) from many
        for one, other in pairs(near):
            above, below = inputs[one], inputs[other]
            key = frozenset(_ratios(joint, above, below).items())
            found.setdefault(key, Excess(joint, above, below, epsilon, delta, ranges))
            if len(found) > _PAIRS or sum(len(each.above) for each in found.values()) > _TERMS:
                raise NoProblem("there are too many pairs of neighbours and outputs")
    return tuple(found.values()), runs


def _ratios(joint: DiscreteJoint[Polynomial], above: Row, below: Row) -> dict[tuple[str, str, str, str], int]:
    """Return how often each pair of chances comes: pairs of neighbours that agree in that have one sum."""
    zero = ring_of(joint).zero
    totals = str(sum_of(zero, above.values())), str(sum_of(zero, below.values()))
    counts: dict[tuple[str, str, str, str], int] = {}
    for output, mass in above.items():
        key = (str(mass), str(below.get(output, zero)), *totals)
        counts[key] = counts.get(key, 0) + 1
    return counts
