"""A budget as a question about functions of parameters: the measure minus the bound, made once for a whole range of values.

The discrete engine runs once, on polynomials in the parameters; from its joint distributions come the forms
(:mod:`seepage.measures.ranges.form`) on the whole range, and on each of its faces, where some parameters take the value at an end and more
may cancel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from flint import fmpq_mpoly_ctx

from seepage import exact
from seepage.algebra import Alphabet, Letter, NoAlgebra, Quotient, alphabet_of, composed, minus, over, plus, times
from seepage.diagnostics import Fault
from seepage.engines.forward.cutting import cut_of
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.signs import Signs
from seepage.exact import Number, to_fraction
from seepage.measures.call_parts import condition_of, event_of, need_condition, need_shape, with_value
from seepage.measures.formulas.closed_form import check_sums, watched
from seepage.measures.formulas.definedness import Demands
from seepage.measures.formulas.fixed_parameters import fixed, with_fixed
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.formulas.symbolic_table import Table, add_divergence, marginal
from seepage.measures.joints import GHOST, observing
from seepage.measures.planning.table import Measure, row_of
from seepage.measures.privacy.releases import needed
from seepage.measures.ranges.form import Form, form_of
from seepage.measures.ranges.slack import slack_of
from seepage.measures.ranges.unending import Unending, finite
from seepage.measures.scope import Scope, core_expression, spelled_number, variables
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import nodes
from seepage.semantics.slice import sink, slice_program
from seepage.semantics.statements import names_read
from seepage.semantics.substitute import is_closed
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
_LETTERS = 16
_NOWHERE = Span(0, 0)


class NoProblem(Exception):
    """A budget that cannot be put as a function of the parameters; the reason is for people."""


@dataclass(frozen=True, slots=True)
class Part:
    """One call in the measure, with a rational factor.

    Attributes:
        factor: of the call's value.
        measure: what is known of it.
        joint: of all its variables, in the parameters that are left free.
        other: the second distribution of ``KL``.
        x: variables.
        y: variables.
        z: variables.
    """

    factor: Fraction
    measure: Measure
    joint: DiscreteJoint[Polynomial]
    other: DiscreteJoint[Polynomial]
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]


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
        limit = (exact.enclose(e).exp() - 1).lower()
        mantissa, exponent = limit.man_exp()
        least = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
        free = tuple(name for name in self.ranges if name not in at)
        return Form(alphabet, free, minus(total, alphabet.number(least)), ())

    def _form(self, at: Mapping[str, Number], expanded: bool) -> Form:
        translation = self._translation(at, expanded)
        alphabet, generators = translation.alphabet, translation.generators
        total = LogarithmSum(alphabet, (), Signs(alphabet, self.ranges), for_people=False)
        for part in self.parts:
            _add(total, part, self.sign, generators)
            _add_slack(total, part, self.sign, generators)
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
            ends = _limits(part)
            least, greatest = ends if part.factor > 0 else (ends[1], ends[0])
            low = None if low is None or least is None else exact.add(low, exact.mul(part.factor, least))
            high = None if high is None or greatest is None else exact.add(high, exact.mul(part.factor, greatest))
        return low, high

    def _static_sum(self) -> tuple[Number | None, Number | None]:
        total: Number = 0
        for factor, constant in self.constants:
            value = _closed_value(constant)
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
        value = _closed_value(self.bound)
        return None if value is None else exact.mul(value, self.per_unit)

    def conditions(self, point: Mapping[str, Number]) -> tuple[str, ...]:
        """Return what must hold in the ranges, and is not known to, for the program to have a meaning; ``point`` is one where it has.

        Raises:
            NoAlgebra: if that cannot be said.
        """
        joints = [*(joint for part in self.parts for joint in (part.joint, part.other)), *self.observed]
        return conditions_of(joints, self.ranges, point)


def conditions_of(
    joints: Iterable[DiscreteJoint[Polynomial]], ranges: Mapping[str, Domain], point: Mapping[str, Number]
) -> tuple[str, ...]:
    """Return what must hold in the ranges, and is not known to, for weights to be probabilities and masses not to vanish."""
    listed = list(joints)
    demands = Demands(tuple(ranges), dict(ranges), point)
    demands.probabilities(dict.fromkeys(each for joint in listed for each in ring_of(joint).probabilities))
    rings = [ring for joint in listed if isinstance(ring := joint.ring, Unending)]
    laws = needed((noise for ring in rings for noise in ring.noises), ranges, point)
    for joint in listed:
        ring = ring_of(joint)
        if is_whole(joint):
            continue
        alphabet = alphabet_of(tuple(ranges), ring.atoms)
        generators = [alphabet.translate(tree.Name(name, _NOWHERE)) for name in ring.parameters]
        generators += [alphabet.translate(atom) for atom in ring.atoms]
        demands.not_zero(composed(joint.mass, generators, alphabet), alphabet)
    return tuple(dict.fromkeys((*laws, *demands.stated)))


def passing_conditions(
    scope: Scope, ranges: Mapping[str, Domain], budget: Budget, point: Mapping[str, Number]
) -> tuple[str, ...]:
    """Return what must hold in the ranges, and is not known to, for all observations of a program to pass, those that slices drop, too.

    Raises:
        NoPolynomial: if that is not followed.
        NoAlgebra: if it cannot be said.
        Fault: of the program.
    """
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    passed = Runs(scope, values, ranges, budget).passing()
    return () if passed is None else conditions_of([passed], ranges, point)


@dataclass(frozen=True, slots=True)
class Translation:
    """Letters, what turns expressions into functions of them, and the generators of each ring (by its identity) as such."""

    alphabet: Alphabet
    meaning: Callable[[Expression], Quotient]
    generators: Mapping[int, Sequence[Quotient]]


def translation_of(
    joints: Iterable[DiscreteJoint[Polynomial]],
    at: Mapping[str, Number],
    ranges: Mapping[str, Domain],
    statics: Sequence[Expression],
    expanded: bool,
) -> Translation:
    """Return the letters for some joint distributions and further expressions when some parameters have values.

    Args:
        joints: with weights in rings of polynomials.
        at: the values.
        ranges: of all parameters.
        statics: expressions, in which the values stand already.
        expanded: whether every exponential is a letter, which simplifies most, or each atom of the rings, which encloses best.

    Raises:
        NoAlgebra: if there are too many letters.
    """
    free = tuple(name for name in ranges if name not in at)
    values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
    rings = {id(joint.ring): ring_of(joint) for joint in joints}
    atoms = {key: [fixed(atom, values) for atom in ring.atoms] for key, ring in rings.items()}
    statics = [*statics, *(argument for each in statics for argument in _inside_logarithms(each))]
    inside = [atom for each in atoms.values() for atom in each]
    meaning: Callable[[Expression], Quotient]
    if expanded:
        alphabet = alphabet_of(free, [*inside, *statics, *values.values()])
        meaning = alphabet.translate
    else:
        alphabet, meaning = _letters_of(free, inside, [*statics, *values.values()])
    generators = {
        key: [meaning(values.get(name, tree.Name(name, _NOWHERE))) for name in ring.parameters]
        + [meaning(atom) for atom in atoms[key]]
        for key, ring in rings.items()
    }
    return Translation(alphabet, meaning, generators)


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
class Runs:
    """The engine's runs on polynomials for one budget: what they made, and distributions that tell whether observations pass."""

    scope: Scope
    values: Mapping[str, Number]
    ranges: Mapping[str, Domain]
    budget: Budget
    observed: list[DiscreteJoint[Polynomial]] = field(default_factory=list)
    made: list[DiscreteJoint[Polynomial]] = field(default_factory=list)

    def joint(
        self, core: CoreProgram, asked: Sequence[str], *, cut: bool = False, averaged: bool = False
    ) -> DiscreteJoint[Polynomial]:
        """Return the joint distribution of some variables, in the parameters that have no value.

        Args:
            core: the program.
            asked: the variables.
            cut: whether values of infinite supports may be left out, which the caller then minds.
            averaged: whether only means and variances are wanted: weights may then stand for others with the same.

        Raises:
            NoProblem: if that is none of polynomials.
            Fault: of the program.
        """
        try:
            found = self._joint(core, tuple(dict.fromkeys(asked)), averaged=averaged)
        except (NoPolynomial, NoAlgebra) as reason:
            raise NoProblem(str(reason)) from reason
        if found.cut is not None and not cut:
            raise NoProblem("infinitely many values matter")
        return found

    def _joint(self, core: CoreProgram, names: tuple[str, ...], *, averaged: bool) -> DiscreteJoint[Polynomial]:
        whole = with_fixed(core, self.values)
        program = sink(slice_program(whole, names))
        check_sums(program)
        joint = self._run(program, names, averaged=averaged)
        if (passed := self._passing(whole)) is not None:
            self.observed.append(passed)
        self.made += [joint, *self.observed]
        return joint

    def passing(self) -> DiscreteJoint[Polynomial] | None:
        """Return a distribution whose mass is the chance that all observations of the program pass, at least; None if no parameter matters to it.

        Raises:
            NoPolynomial: if it is none of polynomials.
            Fault: of the program.
        """
        return self._passing(with_fixed(self.scope.core, self.values))

    def _passing(self, whole: CoreProgram) -> DiscreteJoint[Polynomial] | None:
        program = watched(whole)
        if program is None:
            return None
        if any(name in whole.parameters for name in names_read(program.statements)):
            return self._run(program, ())
        try:
            self._run(program, ())
        except Fault as fault:
            if fault.diagnostic.rule is IMPOSSIBLE_OBSERVATION:
                raise
        return None  # some run passes, at one point if at another

    def _run(
        self, program: CoreProgram, names: tuple[str, ...], *, averaged: bool = False
    ) -> DiscreteJoint[Polynomial]:
        """Run a sliced program; infinite laws are finite ones, with what they leave out."""
        known = finite(program, names, self.ranges, averaged=averaged)
        if known is None:
            return run(program, names, {}, polynomials(program), self.budget)
        joint = run(known.core, names, {}, known.ring, self.budget)
        return replace(joint, cut=cut_of(known.cutting, known.whole, names, {}, self.budget.states))


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


# --- sums of logarithms -----------------------------------------------------------------------------------------------


def ring_of(joint: DiscreteJoint[Polynomial]) -> Polynomials:
    """Return the ring of a joint distribution's weights."""
    if not isinstance(joint.ring, Polynomials):
        raise ValueError(f"expected weights that are polynomials, got {type(joint.ring).__name__}")
    return joint.ring


def is_whole(joint: DiscreteJoint[Polynomial]) -> bool:
    """Tell whether weights sum to 1 with what was left out of infinite supports: nothing is observed."""
    return isinstance(joint.ring, Unending) and joint.cut is not None and not joint.ring.observed


def _count(part: Part, names: Sequence[str]) -> int:
    return max(1, len(part.joint.support(names)))


def _limits(part: Part) -> tuple[Number | None, Number | None]:
    """Return numbers between which a measure lies whatever the parameters are."""
    match part.measure.functional:
        case "entropy" if part.joint.cut is None:
            sides = (part.x, part.y) if part.measure.is_information else (part.x,)
            return 0, exact.log_(min(_count(part, side) for side in sides))
        case "entropy" | "divergence" | "variance":
            return 0, None
        case "chance":
            return 0, 1
        case _:
            return None, None


def _add(total: LogarithmSum, part: Part, sign: int, generators: Mapping[int, Sequence[Quotient]]) -> None:
    alphabet = total.alphabet
    p = table_of(part.joint, generators, alphabet)
    places = part.joint.variables.index
    factor = sign * part.factor
    match part.measure.functional:
        case "entropy":
            x, y, z = (tuple(places(name) for name in names) for names in (part.x, part.y, part.z))
            _add_entropies(total, p, factor, part.measure.entropies(x, y, z))
        case "divergence":
            q = table_of(part.other, generators, alphabet)
            ours = marginal(p, part.joint.positions(part.x))
            theirs = marginal(q, [part.other.variables.index(name) for name in part.y])
            if not add_divergence(total, ours, theirs, factor):
                raise NoAlgebra("the divergence is infinite")
        case _:
            mean, square = alphabet.number(0), alphabet.number(0)
            for (value,), mass in p.items():
                number = to_fraction(value)
                if number is None:
                    raise NoAlgebra("an irrational value")
                mean = plus(mean, times(alphabet.number(number), mass))
                square = plus(square, times(alphabet.number(number * number), mass))
            result = minus(square, times(mean, mean)) if part.measure.functional == "variance" else mean
            total.linear = plus(total.linear, times(alphabet.number(factor), result))


def _add_slack(total: LogarithmSum, part: Part, sign: int, generators: Mapping[int, Sequence[Quotient]]) -> None:
    """Add what makes the sum an upper bound where values were left out."""
    factor = sign * part.factor
    if (part.joint.cut is None and part.other.cut is None) or not factor:
        return
    whole = is_whole(part.joint)
    sides = [part.x, part.y] if part.measure.is_information else [part.x]
    amount = slack_of(part.measure, part.joint, sides, above=factor > 0, whole=whole)
    if amount is None:
        raise NoAlgebra(f"what infinite supports leave out of '{part.measure.name}' is not bounded")
    alphabet = total.alphabet
    change = alphabet.number(abs(factor) * amount)
    if not whole:
        change = over(change, composed(part.joint.mass, generators[id(part.joint.ring)], alphabet))
    total.linear = plus(total.linear, change)


def table_of(
    joint: DiscreteJoint[Polynomial], generators: Mapping[int, Sequence[Quotient]], alphabet: Alphabet
) -> Table:
    """Return the masses, normalised if they are not but for what was left out; those that vanish identically are left out."""
    own = generators[id(joint.ring)]
    masses = {values: composed(mass, own, alphabet) for values, mass in joint.masses.items()}
    if is_whole(joint):
        return {values: mass for values, mass in masses.items() if not mass.is_zero}
    whole = composed(joint.mass, own, alphabet)
    if whole.is_zero:
        raise NoAlgebra("the observations cannot all pass")
    return {values: over(mass, whole) for values, mass in masses.items() if not mass.is_zero}


def _add_entropies(
    total: LogarithmSum, table: Table, factor: Fraction, signed: Iterable[tuple[Sequence[int], int]]
) -> None:
    for places, sign in signed:
        if places:
            for mass in marginal(table, tuple(dict.fromkeys(places))).values():
                total.add(times(total.alphabet.number(-sign * factor), mass), mass)


def _letters_of(
    names: Sequence[str], atoms: Iterable[Expression], statics: Iterable[Expression]
) -> tuple[Alphabet, Callable[[Expression], Quotient]]:
    """Return an alphabet of parameters and of atoms as they are, and what translates them; other expressions are taken apart.

    Raises:
        NoAlgebra: if there are too many.
    """
    whole = {atom: None for atom in atoms if not isinstance(atom, tree.Number | tree.Name)}
    plain = alphabet_of(names, statics)
    added = [Letter("other", atom) for atom in whole if all(letter.meaning != atom for letter in plain.letters)]
    letters = (*plain.letters, *added)
    if len(letters) > _LETTERS:
        raise NoAlgebra("too many different functions of the parameters")
    alphabet = Alphabet(letters, fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(letters))] or ["x0"], "deglex"))

    def meaning(expression: Expression) -> Quotient:
        if expression in whole:
            place = next(place for place, letter in enumerate(letters) if letter.meaning == expression)
            return Quotient(alphabet.context.gen(place), alphabet.context.constant(1))
        return alphabet.translate(expression)

    return alphabet, meaning


def add_static(
    total: LogarithmSum,
    factor: Fraction,
    expression: Expression,
    per_unit: Number,
    meaning: Callable[[Expression], Quotient],
) -> None:
    """Add ``factor · expression · per_unit``; logarithms of whole numbers join those of the measure."""
    alphabet = total.alphabet
    value = _closed_value(expression)
    parts = None if value is None else exact.logarithms(exact.mul(value, per_unit))
    if parts is not None:
        rational, primes = parts
        total.linear = plus(total.linear, alphabet.number(factor * rational))
        for prime, count in primes.items():
            known = total.primes.get(prime, alphabet.number(0))
            total.primes[prime] = plus(known, alphabet.number(factor * count))
        return
    if per_unit == 1 and _add_logarithms(total, factor, expression, meaning):
        return
    if _add_parts(total, factor, expression, per_unit, meaning):
        return
    translated = times(alphabet.number(factor), meaning(expression))
    if per_unit == 1:
        total.linear = plus(total.linear, translated)
    else:
        total.primes[2] = plus(total.primes.get(2, alphabet.number(0)), translated)


def _add_parts(
    total: LogarithmSum,
    factor: Fraction,
    expression: Expression,
    per_unit: Number,
    meaning: Callable[[Expression], Quotient],
) -> bool:
    """Add a sum term by term, and what a number such as ``1/log(2)`` is a factor of in another unit; tell whether it is one."""
    match expression:
        case tree.Parenthesized(inner=inner):
            add_static(total, factor, inner, per_unit, meaning)
        case tree.Unary(operator="-", operand=operand):
            add_static(total, -factor, operand, per_unit, meaning)
        case tree.Binary(operator="+" | "-", left=left, right=right):
            add_static(total, factor, left, per_unit, meaning)
            add_static(total, factor if expression.operator == "+" else -factor, right, per_unit, meaning)
        case tree.Binary(operator="*" | "/", left=left, right=right) if (value := _closed_value(right)) is not None:
            unit = exact.mul(per_unit, value) if expression.operator == "*" else exact.div(per_unit, value)
            return _add_in_unit(total, factor, left, unit, meaning)
        case tree.Binary(operator="*", left=left, right=right) if (value := _closed_value(left)) is not None:
            return _add_in_unit(total, factor, right, exact.mul(per_unit, value), meaning)
        case _:
            return False
    return True


def _add_in_unit(
    total: LogarithmSum,
    factor: Fraction,
    expression: Expression,
    unit: Number,
    meaning: Callable[[Expression], Quotient],
) -> bool:
    """Add ``factor · unit · expression``, if the unit is a sum of logarithms of whole numbers; tell whether it is."""
    parts = exact.logarithms(unit)
    if parts is None:
        return False
    rational, primes = parts
    translated = times(total.alphabet.number(factor), meaning(expression))
    total.linear = plus(total.linear, times(total.alphabet.number(rational), translated))
    for prime, count in primes.items():
        known = total.primes.get(prime, total.alphabet.number(0))
        total.primes[prime] = plus(known, times(total.alphabet.number(count), translated))
    return True


def _inside_logarithms(expression: Expression) -> Iterator[Expression]:
    for node in nodes(expression):
        if isinstance(node, tree.Call) and node.function == "log":
            yield node.arguments[0]


def _add_logarithms(
    total: LogarithmSum, factor: Fraction, expression: Expression, meaning: Callable[[Expression], Quotient]
) -> bool:
    """Add a sum whose terms are logarithms with rational factors, among others, term by term; tell whether it is one."""
    match expression:
        case tree.Parenthesized(inner=inner):
            return _add_logarithms(total, factor, inner, meaning)
        case tree.Call(function="log", arguments=(argument,)):
            total.add(total.alphabet.number(factor), meaning(argument))
        case tree.Unary(operator="-", operand=operand):
            add_static(total, -factor, operand, 1, meaning)
        case tree.Binary(operator="+" | "-", left=left, right=right):
            add_static(total, factor, left, 1, meaning)
            add_static(total, factor if expression.operator == "+" else -factor, right, 1, meaning)
        case tree.Binary(operator="*", left=tree.Number(value=number), right=right):
            add_static(total, factor * number, right, 1, meaning)
        case _:
            return False
    return True


def _closed_value(expression: Expression) -> Number | None:
    return evaluate(expression, {}) if is_closed(expression) else None
