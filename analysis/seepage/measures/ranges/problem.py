"""A budget as a question about functions of parameters: the measure minus the bound, made once for a whole range of values.

The discrete engine runs once, on polynomials in the parameters; from its joint distributions come the forms
(:mod:`seepage.measures.ranges.form`) on the whole range, and on each of its faces, where some parameters take the value at an end and more
may cancel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from fractions import Fraction

from seepage import exact
from seepage.algebra import NoAlgebra, minus, over, plus, times
from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.signs import Signs
from seepage.exact import Number
from seepage.measures.call_parts import condition_of, event_of, need_condition, need_shape, with_value
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.formulas.symbolic_table import marginal
from seepage.measures.joints import GHOST, observing
from seepage.measures.planning.table import row_of
from seepage.measures.ranges.conditions import conditions_of
from seepage.measures.ranges.form import Form, form_of
from seepage.measures.ranges.letters import Translation, translation_of
from seepage.measures.ranges.runs import NoProblem, Runs
from seepage.measures.ranges.statics import add_static, closed_value
from seepage.measures.ranges.terms import Part, add_part, add_slack, limits, table_of
from seepage.measures.scope import Scope, core_expression, spelled_number, variables
from seepage.semantics.checked import Domain
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import (
    Expression,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
)

_STATES = 4_096  # of the run on polynomials
_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """``sign · (M − e)`` in the parameters.

    Attributes:
        parts: of M.
        constants: static summands of M, with their factors, in its unit.
        bound: e, in parameters.
        per_unit: how many nats make the unit of e, as an expression: log 2, or 1.
        ranges: of the free parameters.
        observed: distributions whose whole masses must not vanish.
        sign: 1 for budgets from above, −1 for budgets from below.
    """

    parts: tuple[Part, ...]
    constants: tuple[tuple[Fraction, Expression], ...]
    bound: Expression
    per_unit: Number
    ranges: Mapping[str, Domain]
    observed: tuple[DiscreteJoint[Polynomial], ...]
    sign: int
    forms: dict[tuple[tuple[tuple[str, Number], ...], bool | None], Form] = field(default_factory=dict, compare=False)

    def form(self, at: Mapping[str, Number]) -> Form:
        """Return the function of the parameters that are left free when some have values, in letters that enclose it well.

        Raises:
            NoAlgebra: if it is none that can be written.
        """
        try:
            return self._kept(at, expanded=False)
        except NoAlgebra:
            return self._kept(at, expanded=True)

    def vanishes(self, at: Mapping[str, Number]) -> bool:
        """Tell whether the function is 0 by algebra, with every exponential a letter, when some parameters have values."""
        if self.is_cut:
            return False  # what may have been left out is added
        try:
            return self._kept(at, expanded=True).is_zero
        except NoAlgebra:
            return False

    def _kept(self, at: Mapping[str, Number], expanded: bool) -> Form:
        key: tuple[tuple[tuple[str, Number], ...], bool | None] = (tuple(at.items()), expanded)
        if key not in self.forms:
            self.forms[key] = self._form(at, expanded)
        return self.forms[key]

    def smooth(self, at: Mapping[str, Number]) -> Form | None:
        """Return the function in parameters and exponentials alone, None if that cannot be written, or is too long to be of use."""
        if self.is_cut:
            return None
        try:
            return self._kept(at, expanded=True)
        except NoAlgebra:
            return None

    def ceiling(self, at: Mapping[str, Number]) -> Form | None:
        r"""Return a rational function that is at least e^M − 1, minus e^e − 1, for M = I(x; y | z) and a fixed bound e; None otherwise.

        By Jensen's inequality :math:`I = \sum p \log (p/q) \le \log \sum p^2/q = \log(1 + \chi^2)`. Being a sum of squares over
        products, and small where I is, it is enclosed far better than the sum of logarithms.
        """
        if (
            len(self.parts) != 1
            or self.constants
            or not self.parts[0].measure.is_information
            or self.sign * self.parts[0].factor != 1
        ):
            return None
        if self.is_cut:
            return None
        e = self.bound_value()
        if e is None:
            return None
        key = (tuple(at.items()), None)
        if key not in self.forms:
            self.forms[key] = self._above(at, e)
        return self.forms[key]

    def _above(self, at: Mapping[str, Number], e: Number) -> Form:
        translation = self._translation(at, expanded=False)
        alphabet, generators = translation.alphabet, translation.generators
        (part,) = self.parts
        table = table_of(part.joint, generators, alphabet)
        places = part.joint.variables.index
        x, y, z = (tuple(places(name) for name in names) for names in (part.x, part.y, part.z))
        masses = {of: marginal(table, of) for of in ((*x, *y, *z), (*x, *z), (*y, *z), z)}
        total = alphabet.number(-1)
        for values, mass in marginal(table, (*x, *y, *z)).items():
            one, other, given = values[: len(x)], values[len(x) : len(x) + len(y)], values[len(x) + len(y) :]
            below = times(masses[(*x, *z)][one + given], masses[(*y, *z)][other + given])
            total = plus(total, times(masses[z][given], over(times(mass, mass), below)))
        least = exact.dyadic((exact.enclose(e).exp() - 1).lower())
        free = tuple(name for name in self.ranges if name not in at)
        return Form(alphabet, free, minus(total, alphabet.number(least)), ())

    def _form(self, at: Mapping[str, Number], expanded: bool) -> Form:
        translation = self._translation(at, expanded)
        alphabet, generators = translation.alphabet, translation.generators
        total = LogarithmSum(alphabet, (), Signs(alphabet, self.ranges), for_people=False)
        for part in self.parts:
            add_part(total, part, self.sign, generators)
            add_slack(total, part, self.sign, generators)
        for factor, expression in self._statics(at):
            add_static(total, factor, expression, self.per_unit, translation.meaning)
        return form_of(total, tuple(name for name in self.ranges if name not in at))

    def _statics(self, at: Mapping[str, Number]) -> list[tuple[Fraction, Expression]]:
        values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
        statics = [(-self.sign * Fraction(1), fixed(self.bound, values))]
        return statics + [(self.sign * factor, fixed(constant, values)) for factor, constant in self.constants]

    def _translation(self, at: Mapping[str, Number], expanded: bool) -> Translation:
        joints = [joint for part in self.parts for joint in (part.joint, part.other)]
        return translation_of(joints, at, self.ranges, [expression for _, expression in self._statics(at)], expanded)

    def limits(self) -> tuple[Number | None, Number | None]:
        """Return numbers (nats, or without a unit) between which M lies whatever the parameters are; None for no such number."""
        low, high = self._static_sum()
        for part in self.parts:
            ends = limits(part)
            least, greatest = ends if part.factor > 0 else (ends[1], ends[0])
            low = None if low is None or least is None else exact.add(low, exact.mul(part.factor, least))
            high = None if high is None or greatest is None else exact.add(high, exact.mul(part.factor, greatest))
        return low, high

    def _static_sum(self) -> tuple[Number | None, Number | None]:
        total: Number = 0
        for factor, constant in self.constants:
            value = closed_value(constant)
            if value is None:
                return None, None
            total = exact.add(total, exact.mul(exact.mul(factor, value), self.per_unit))
        return total, total

    @property
    def is_cut(self) -> bool:
        """Whether values were left out of infinite supports: the function is then an upper bound of ``sign · (M − e)``."""
        return any(part.joint.cut is not None or part.other.cut is not None for part in self.parts)

    def negated(self) -> Problem:
        """Return e − M for M − e."""
        return replace(self, sign=-self.sign, forms={})

    def bound_value(self) -> Number | None:
        """Return e in nats, or without a unit; None if it depends on the parameters."""
        value = closed_value(self.bound)
        return None if value is None else exact.mul(value, self.per_unit)

    def conditions(self, point: Mapping[str, Number]) -> tuple[str, ...]:
        """Return what must hold in the ranges, and is not known to, for the program to have a meaning; ``point`` is one where it has.

        Raises:
            NoAlgebra: if that cannot be said.
        """
        joints = [*(joint for part in self.parts for joint in (part.joint, part.other)), *self.observed]
        return conditions_of(joints, self.ranges, point)


def problem_of(
    scope: Scope,
    measure: MeasureExpression,
    bound: Expression,
    per_unit: Number,
    ranges: Mapping[str, Domain],
    sign: int,
    budget: Budget,
) -> Problem:
    """Put a budget as a function of the parameters in ``ranges``; the others have the scope's values.

    Args:
        scope: of the measure's names.
        measure: M.
        bound: e.
        per_unit: 1, or log 2 for a budget in bits; not used if M has no unit.
        ranges: of the free parameters.
        sign: 1 for M − e, −1 for e − M.
        budget: its states and its deadline.

    Raises:
        NoProblem: for a measure that has no such form, with the reason.
        Fault: of the program or the measure.
    """
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    limited = replace(budget, states=min(budget.states, _STATES))
    builder = _Builder(Runs(scope, values, ranges, limited))
    builder.add(measure, Fraction(1))
    units = {bool(part.measure.dimension) for part in builder.parts}
    if len(units) != 1:
        raise NoProblem("it is no sum of measures of one unit")
    spelled = {name: spelled_number(value, _NOWHERE) for name, value in values.items()}
    e = fixed(core_expression(scope, bound), spelled)
    factor = per_unit if units.pop() else 1
    return Problem(
        tuple(builder.parts), tuple(builder.constants), e, factor, ranges, tuple(builder.runs.observed), sign
    )


@dataclass(slots=True)
class _Builder:
    runs: Runs
    parts: list[Part] = field(default_factory=list)
    constants: list[tuple[Fraction, Expression]] = field(default_factory=list)

    @property
    def scope(self) -> Scope:
        return self.runs.scope

    def add(self, measure: MeasureExpression, factor: Fraction) -> None:
        """Add ``factor · measure``, which must be a linear combination of calls and static numbers."""
        match measure:
            case MeasureCall():
                self.parts.append(self._part(measure, factor))
            case MeasureNegation(operand=operand):
                self.add(operand, -factor)
            case MeasureOptimum():
                raise NoProblem("the best strategy of an attacker is not followed over a range")
            case MeasureArithmetic(operator="+" | "-", left=left, right=right):
                self.add(left, factor)
                self.add(right, factor if measure.operator == "+" else -factor)
            case MeasureArithmetic(operator="*", left=left, right=right):
                first, second = self._rational(left), self._rational(right)
                if first is not None:
                    self.add(right, factor * first)
                elif second is not None:
                    self.add(left, factor * second)
                else:
                    raise NoProblem("a product of measures is not followed over a range")
            case MeasureArithmetic(operator="/", left=left, right=right) if self._rational(right):
                self.add(left, factor / (self._rational(right) or 1))
            case MeasureArithmetic():
                raise NoProblem("a quotient or power of measures is not followed over a range")
            case _:
                spelled = {name: spelled_number(value, _NOWHERE) for name, value in self.runs.values.items()}
                self.constants.append((factor, fixed(core_expression(self.scope, measure), spelled)))

    def _rational(self, measure: MeasureExpression) -> Fraction | None:
        if isinstance(measure, MeasureCall | MeasureArithmetic | MeasureNegation | MeasureOptimum):
            return None
        closed = fixed(core_expression(self.scope, measure), {})
        return closed.value if isinstance(closed, tree.Number) else None

    def _part(self, call: MeasureCall, factor: Fraction) -> Part:
        scope = self.scope
        measure = row_of(call)
        match measure.functional:
            case "entropy" if measure.is_entropy:
                need_shape(scope, call, None, "H(x, y) or H(x | z)")
                x = variables(scope, call.left)
                given, event = condition_of(scope, call)
                joint = self.runs.joint(observing(scope, event), (*x, *given), cut=True)
                return Part(factor, measure, joint, joint, x, given, ())
            case "entropy" if measure.is_information:
                need_shape(scope, call, ";", "I(x; y) or I(x; y | z)")
                x, y = variables(scope, call.left), variables(scope, call.right)
                given, event = condition_of(scope, call)
                joint = self.runs.joint(observing(scope, event), (*x, *y, *given), cut=True)
                return Part(factor, measure, joint, joint, x, y, given)
            case "divergence":
                need_shape(scope, call, "||", "KL(x || y) or KL(x | event || y | event)")
                x, y = variables(scope, call.left), variables(scope, call.right)
                sides = [observing(scope, event_of(scope, call, given)) for given in (call.given, call.right_given)]
                p, q = self.runs.joint(sides[0], x), self.runs.joint(sides[1], y)
                return Part(factor, measure, p, q, x, y, ())
            case "chance" | "mean" | "variance":
                need_shape(scope, call, None, f"{call.name}(expression) or {call.name}(expression | event)")
                averaged = measure.functional != "chance"
                joint = self.runs.joint(with_value(scope, call), (GHOST,), cut=True, averaged=averaged)
                if not averaged:
                    need_condition(scope, call, joint)
                return Part(factor, measure, joint, joint, (GHOST,), (), ())
            case _:
                raise NoProblem(f"'{call.name}' is not followed over a range yet")
