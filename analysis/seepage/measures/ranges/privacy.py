r"""``DP(x -> y) <= e`` over ranges: one function of the parameters for each pair of neighbours and each output.

.. math:: \log \frac{W(y|x)}{W(y|x')} - e \le 0 \quad \text{for all neighbours } x, x' \text{ and all } y, \qquad 0 \le e

is what the budget says (:mod:`seepage.measures.privacy.exact`, δ = 0). Where :math:`e^e` is a rational function of the letters, too, signs of factors prove
most pairs at once, those with equality at an end among them. Written with every exponential a letter, the ratio is often one exponential, so that
algebra proves what equalities there are. Where a value of x becomes impossible at an end of the ranges there are fewer pairs: the
budget from above stays proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from seepage.algebra import NoAlgebra, Quotient, composed, minus, over, times
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.signs import Signs
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.privacy.closeness import closeness_of, is_per_unit
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours, neighbourhoods
from seepage.measures.ranges.form import Form, form_of
from seepage.measures.ranges.letters import Translation, translation_of
from seepage.measures.ranges.runs import NoProblem, Runs, ring_of
from seepage.measures.ranges.statics import add_static
from seepage.measures.scope import Scope, core_expression, spelled_number, variables
from seepage.semantics.checked import Domain
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Call, Expression, MeasureCall

_RATIOS = 4_000  # ordered pairs of neighbours times outputs
_DIFFERENT = 64  # ratios that are left when equal ones are one and those proved by signs are none
_STATES = 20_000  # of the run: more have too many pairs
_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Ratio:
    """``log(above / below) − e`` in the parameters; ``above`` and ``below`` are products of two masses of the joint distribution."""

    joint: DiscreteJoint[Polynomial]
    above: Polynomial
    below: Polynomial
    bound: Expression
    ranges: Mapping[str, Domain]
    forms: dict[tuple[tuple[tuple[str, Number], ...], bool], Form] = field(default_factory=dict, compare=False)

    def form(self, at: Mapping[str, Number]) -> Form:
        """Return the function when some parameters have values; raises :class:`NoAlgebra` if it cannot be written."""
        try:
            return self._kept(at, expanded=True)
        except NoAlgebra:
            return self._kept(at, expanded=False)

    def vanishes(self, at: Mapping[str, Number]) -> bool:
        """Tell whether it is 0 by algebra when some parameters have values."""
        try:
            return self._kept(at, expanded=True).is_zero
        except NoAlgebra:
            return False

    def smooth(self, at: Mapping[str, Number]) -> Form | None:
        """Return the function in parameters and exponentials alone, None if that cannot be written."""
        try:
            return self._kept(at, expanded=True)
        except NoAlgebra:
            return None

    def ceiling(self, at: Mapping[str, Number]) -> Form | None:
        """Return no function above this one: it needs none."""
        return None

    def _kept(self, at: Mapping[str, Number], expanded: bool) -> Form:
        key = (tuple(at.items()), expanded)
        if key not in self.forms:
            self.forms[key] = self._form(at, expanded)
        return self.forms[key]

    def _form(self, at: Mapping[str, Number], expanded: bool) -> Form:
        values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
        bound = fixed(self.bound, values)
        factor = Call("exp", (bound,), _NOWHERE, _NOWHERE)
        translation = translation_of((self.joint,), at, self.ranges, (bound, factor), expanded)
        free = tuple(name for name in self.ranges if name not in at)
        total = LogarithmSum(translation.alphabet, (), Signs(translation.alphabet, self.ranges), for_people=False)
        try:
            total.add(translation.alphabet.number(1), self.quotient(translation))
        except NoAlgebra:
            return self._without_logarithms(translation, translation.meaning(factor), free)
        add_static(total, Fraction(-1), bound, 1, translation.meaning)
        return form_of(total, free)

    def _without_logarithms(self, translation: Translation, factor: Quotient, free: tuple[str, ...]) -> Form:
        """Return ``above − exp(e)·below``, which has the same sign where ``below`` is not 0."""
        own, alphabet = translation.generators[id(self.joint.ring)], translation.alphabet
        above, below = composed(self.above, own, alphabet), composed(self.below, own, alphabet)
        return Form(alphabet, free, minus(above, times(factor, below)), ())

    def quotient(self, translation: Translation) -> Quotient:
        """Return ``above / below`` in the letters of a translation."""
        own, alphabet = translation.generators[id(self.joint.ring)], translation.alphabet
        below = composed(self.below, own, alphabet)
        if below.is_zero:
            raise NoAlgebra("an output is impossible for one of two neighbours there")
        return over(composed(self.above, own, alphabet), below)


@dataclass(frozen=True, slots=True)
class Difference:
    """``loss − e`` of two expressions of the parameters; with a loss of 0 it says that a budget of less than 0 is met by no DP."""

    loss: Expression
    bound: Expression
    ranges: Mapping[str, Domain]

    def form(self, at: Mapping[str, Number]) -> Form:
        """Return the function when some parameters have values; raises :class:`NoAlgebra` if it cannot be written."""
        values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
        loss, bound = fixed(self.loss, values), fixed(self.bound, values)
        translation = translation_of((), at, self.ranges, (loss, bound), expanded=True)
        total = LogarithmSum(translation.alphabet, (), Signs(translation.alphabet, self.ranges), for_people=False)
        add_static(total, Fraction(1), loss, 1, translation.meaning)
        add_static(total, Fraction(-1), bound, 1, translation.meaning)
        return form_of(total, tuple(name for name in self.ranges if name not in at))

    def vanishes(self, at: Mapping[str, Number]) -> bool:
        """Tell whether it is 0 by algebra when some parameters have values."""
        return self.form(at).is_zero

    def smooth(self, at: Mapping[str, Number]) -> Form | None:
        """Return the function in parameters and exponentials alone."""
        return self.form(at)

    def ceiling(self, at: Mapping[str, Number]) -> Form | None:
        """Return no function above this one: it needs none."""
        return None


@dataclass(frozen=True, slots=True)
class Claim:
    """(ε, δ)-differential privacy of a channel.

    Attributes:
        call: ``DP`` or ``Delta``, for the channel and the distance.
        epsilon: ε, in parameters.
        delta: δ, in parameters.
        pure: whether δ is 0 whatever the parameters are.
        strict: whether ε itself is too much.
    """

    call: MeasureCall
    epsilon: Expression
    delta: Expression
    pure: bool
    strict: bool


def written(scope: Scope, expression: Expression, ranges: Mapping[str, Domain]) -> Expression:
    """Return a static expression in the parameters of ``ranges`` alone; the others have their values."""
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    spelled = {name: spelled_number(value, _NOWHERE) for name, value in values.items()}
    return fixed(core_expression(scope, expression), spelled)


def ratios_of(
    scope: Scope, claim: Claim, ranges: Mapping[str, Domain], budget: Budget
) -> tuple[tuple[Ratio, ...], Runs]:
    """Return what ``DP(x -> y) <= ε`` claims not to be positive, but for −ε, and the runs.

    Raises:
        NoProblem: for a form of DP that is not followed, or too many pairs.
        Fault: of the program or the measure.
    """
    call = claim.call
    if call.separator != "->" or not call.left or not call.right or call.gain:
        raise NoProblem(f"it is no '{call.name}(x -> y)'")
    x, y, z = (variables(scope, names) for names in (call.left, call.right, call.given))
    limited = replace(budget, states=min(budget.states, _STATES))
    runs = Runs(scope, {name: value for name, value in scope.parameters.items() if name not in ranges}, ranges, limited)
    joint = runs.joint(scope.core, (*x, *y, *z))
    e = written(scope, claim.epsilon, ranges)
    closeness = related(scope, call)
    places = joint.variables.index
    rows = rows_of(joint, [places(name) for name in x], [places(name) for name in y], [places(name) for name in z])
    factor = _exponential(e)
    translation = translation_of((joint,), {}, ranges, (e, factor), expanded=True)
    limit = None if claim.strict or any(is_point(domain) for domain in ranges.values()) else translation.meaning(factor)
    signs = Signs(translation.alphabet, ranges)
    found: dict[str, Ratio | None] = {}
    for number, (above, below) in enumerate(_pairs(joint, rows, closeness)):
        if number == _RATIOS or len(found) - list(found.values()).count(None) > _DIFFERENT:
            raise NoProblem("there are too many pairs of neighbours and outputs")
        ratio = Ratio(joint, above, below, e, ranges)
        quotient = ratio.quotient(translation)
        key = f"{quotient.numerator}/{quotient.denominator}"
        if key not in found:
            met = limit is not None and signs.never_negative(minus(limit, quotient))
            found[key] = None if met else ratio
    return tuple(ratio for ratio in found.values() if ratio is not None), runs


def is_point(domain: Domain) -> bool:
    """Tell whether a range has but one value, where a polynomial that is not 0 may be."""
    return domain.low is not None and domain.low == domain.high


def _exponential(expression: Expression) -> Expression:
    """Return ``exp(e)`` without logarithms that are summands of e."""
    match expression:
        case tree.Parenthesized(inner=inner):
            return _exponential(inner)
        case Call(function="log", arguments=(argument,)):
            return argument
        case tree.Unary(operator="-", operand=operand):
            return Binary("/", tree.Number(Fraction(1), _NOWHERE), _exponential(operand), _NOWHERE)
        case Binary(operator="+" | "-" as operator, left=left, right=right):
            return Binary("*" if operator == "+" else "/", _exponential(left), _exponential(right), _NOWHERE)
        case Binary(operator="*", left=tree.Number(value=factor) as number, right=right) if factor.denominator == 1:
            return Binary("^", _exponential(right), number, _NOWHERE)
        case _:
            return Call("exp", (expression,), _NOWHERE, _NOWHERE)


Row = dict[Values, Polynomial]


def rows_of(
    joint: DiscreteJoint[Polynomial], of: Sequence[int], to: Sequence[int], given: Sequence[int]
) -> dict[Values, dict[Values, Row]]:
    """Return the masses by the values of z, of x and of y."""
    ring = ring_of(joint)
    found: dict[Values, dict[Values, Row]] = {}
    for values, mass in joint.masses.items():
        key, one, other = (tuple(values[place] for place in places) for places in (given, of, to))
        row = found.setdefault(key, {}).setdefault(one, {})
        row[other] = ring.add(row[other], mass) if other in row else mass
    return found


def _pairs(
    joint: DiscreteJoint[Polynomial], rows: Mapping[Values, Mapping[Values, Row]], closeness: Closeness
) -> Iterator[tuple[Polynomial, Polynomial]]:
    """Yield W(y|x) and W(y|x′), both times the weights of x and of x′, once for all inputs of the same rows."""
    ring = ring_of(joint)
    for inputs in rows.values():
        totals = {one: sum_of(ring.zero, row.values()) for one, row in inputs.items()}
        kinds: dict[object, int] = {}
        alike = {
            one: kinds.setdefault(frozenset((output, str(mass)) for output, mass in row.items()), len(kinds))
            for one, row in inputs.items()
        }
        try:
            near = neighbourhoods(tuple(inputs), closeness, alike)
        except TooManyNeighbours as fault:
            raise NoProblem(fault.reason) from fault
        seen: set[tuple[int, int]] = set()
        for one, other in (pair for each in near for pair in each.pairs()):
            if (pair := (alike[one], alike[other])) in seen:
                continue
            seen.add(pair)
            for output, mass in inputs[one].items():
                if output not in inputs[other]:
                    raise NoProblem("some output is possible for one of two neighbours only")
                yield mass * totals[other], inputs[other][output] * totals[one]


def sum_of(zero: Polynomial, masses: Iterable[Polynomial]) -> Polynomial:
    """Return the sum of masses."""
    total = zero
    for mass in masses:
        total = total + mass
    return total


def related(scope: Scope, call: MeasureCall) -> Closeness:
    """Return which inputs are neighbours; raises :class:`NoProblem` where that is no relation, or the loss is one for each unit of distance."""
    if is_per_unit(call):
        raise NoProblem("a loss for each unit of distance is not followed over a range")
    try:
        return closeness_of(scope, call)
    except Fault as fault:
        raise NoProblem(fault.diagnostic.message) from fault
