r"""Budgets over ranges for ``V``, ``Hmin``, ``Guess``, ``Lmin``, ``G`` and ``Cmin``: sums of maxima of rational functions of the parameters.

.. math:: F = \sum_y \max_w f_{y,w}, \qquad \partial F \subseteq \sum_y \operatorname{conv} \{\nabla f_{y,w} : f_{y,w} \text{ may be greatest}\}

The gradient of Clarke takes the place of the derivative, for which the mean value theorem holds (Lebourg; Clarke 1983, "Optimization and
nonsmooth analysis", theorem 2.3.7), so the search goes as for smooth functions. A logarithm stands before the sum where the measure has one. As of two values the one
that is less likely waits for the other,

.. math:: \mathrm{Guess}(x \mid y) = \sum_{x, y} p + \sum_y \sum_{\{x, x'\}} \min(p(x, y), p(x', y)) = 1 - \sum_y \sum_{\{x, x'\}} \max(-p(x, y), -p(x', y)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cmp_to_key, reduce
from itertools import combinations
from math import comb
from typing import TypeAlias

from seepage.algebra import Alphabet, NoAlgebra, Quotient, composed, minus, over, plus, times
from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.intervals import Interval
from seepage.engines.outcome import Budget, Cut, DiscreteJoint
from seepage.engines.signs import Signs
from seepage.exact import ArithmeticFault, Number, abs_, compare, div, enclose, log_, mul, neg, number, sign, sub
from seepage.measures.call_parts import condition_of
from seepage.measures.discrete.weights import Values
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.guards import inner_point
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.guessing.gain_reading import gain_of, written_gains
from seepage.measures.guessing.gains import ONE_TRY, Distance, Table, Tries
from seepage.measures.joints import observing
from seepage.measures.planning.table import MEASURES, Measure, row_of
from seepage.measures.ranges.algebra import Enclosing
from seepage.measures.ranges.conditions import conditions_of
from seepage.measures.ranges.form import Form, form_of
from seepage.measures.ranges.letters import Translation, translation_of
from seepage.measures.ranges.maxima import Guessing, Maxima
from seepage.measures.ranges.privacy import written
from seepage.measures.ranges.runs import NoProblem, Runs, is_whole, ring_of
from seepage.measures.ranges.slack import upper
from seepage.measures.ranges.statics import add_static
from seepage.measures.ranges.terms import table_of
from seepage.measures.scope import Scope, core_expression, spelled_number, variables
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate
from seepage.semantics.substitute import is_closed
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression, GainTable, MeasureCall

_CHOICES = 1_500  # functions of which maxima are taken
_BITS = 96
_NOWHERE = Span(0, 0)

Masses: TypeAlias = dict[Values, Quotient]


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of gains in the parameters: for each guess the gain of each value; pairs that are missing gain 0."""

    rows: tuple[Mapping[Values, Expression], ...]

    def expressions(self) -> list[Expression]:
        """Return all gains."""
        return [gained for row in self.rows for gained in row.values()]

    def fixed(self, values: Mapping[str, Expression]) -> Rows:
        """Return it where some parameters have values."""
        return Rows(tuple({value: fixed(gained, values) for value, gained in row.items()} for row in self.rows))


@dataclass(frozen=True, slots=True)
class GuessingProblem:
    """A budget for a measure of guessing as a function of the parameters.

    Attributes:
        measure: what is known of it.
        joint: of x and y, in this order of ``x`` and ``y``.
        x: the secret.
        y: what is seen.
        gain: of the attacker; of no meaning for ``Guess``.
        bound: e, in parameters.
        per_unit: how many nats make the unit of e, 1 if M has none.
        ranges: of the parameters.
        sign: as in :class:`Guessing`.
    """

    measure: Measure
    joint: DiscreteJoint[Polynomial]
    x: tuple[str, ...]
    y: tuple[str, ...]
    gain: Tries | Rows
    bound: Expression
    per_unit: Number
    ranges: Mapping[str, Domain]
    sign: int
    forms: dict[tuple[tuple[str, Number], ...], Guessing] = field(default_factory=dict, compare=False)

    def form(self, at: Mapping[str, Number]) -> Guessing:
        """Return the function when some parameters have values; raises :class:`NoAlgebra` if it cannot be written."""
        key = tuple(at.items())
        if key not in self.forms:
            self.forms[key] = self._form(at)
        return self.forms[key]

    def vanishes(self, at: Mapping[str, Number]) -> bool:
        """Tell whether it is 0, where no parameter is left."""
        if any(name not in at for name in self.ranges) or self.is_cut:
            return False
        form = self.form(at)
        after, before = (None if of is None else of.constant() for of in (form.after, form.before))
        bound = fixed(self.bound, {name: spelled_number(value, _NOWHERE) for name, value in at.items()})
        if after is None or (before is None) != (form.before is None) or not is_closed(bound):
            return False
        try:
            value = _exact(self.measure, after, before)
            return value is not None and compare(value, mul(evaluate(bound, {}), self.per_unit)) == 0
        except ArithmeticFault:
            return False

    def smooth(self, at: Mapping[str, Number]) -> None:
        """Return None: maxima have kinks."""

    def ceiling(self, at: Mapping[str, Number]) -> None:
        """Return no function above this one."""

    @property
    def is_cut(self) -> bool:
        """Whether values were left out of infinite supports: the function is then an upper bound of ``sign · (M − e)``."""
        return self.joint.cut is not None

    def prior(self) -> GuessingProblem | None:
        """Return a function that is negative where a table gains something before anything is seen: elsewhere the measure has no value; None without a table."""
        if not isinstance(self.gain, Rows):
            return None
        return replace(
            self, measure=MEASURES["V"], y=(), bound=tree.Number(Fraction(0), _NOWHERE), per_unit=1, sign=-1, forms={}
        )

    def bound_value(self) -> Number | None:
        """Return e in nats, or without a unit; None if it depends on the parameters."""
        return mul(evaluate(self.bound, {}), self.per_unit) if is_closed(self.bound) else None

    def limits(self) -> tuple[Number | None, Number | None]:
        """Return numbers between which M lies whatever the parameters are, None for no such number: there are at most as many values as in the joint."""
        measure = self.measure
        if self.is_cut:
            return (1 if measure.functional == "tries" else 0), (1 if measure.is_chance_to_guess else None)
        secrets = len(self._secrets())
        fewest = min(secrets, len(self.joint.support(self.y)))
        if measure.functional == "tries":
            return 1, number(Fraction(secrets + 1, 2))
        if measure.is_chance_to_guess:
            return number(Fraction(1, secrets)), 1
        if measure.chooses_gain:
            return 0, None
        return 0, log_(fewest if measure.shape == "channel" else secrets)

    def _form(self, at: Mapping[str, Number]) -> Guessing:
        values = {name: spelled_number(value, _NOWHERE) for name, value in at.items()}
        bound = fixed(self.bound, values)
        closed = is_closed(bound)
        gain = self.gain.fixed(values) if isinstance(self.gain, Rows) else self.gain
        statics = [*(() if closed else (bound,)), *(gain.expressions() if isinstance(gain, Rows) else ())]
        translation = translation_of((self.joint,), at, self.ranges, statics, expanded=False)
        alphabet, generators = translation.alphabet, translation.generators
        free = tuple(name for name in self.ranges if name not in at)
        enclosing = Enclosing()

        def form(value: Quotient) -> Form:
            return Form(alphabet, free, value, (), enclosing)

        if closed:
            point = enclose(mul(evaluate(bound, {}), self.per_unit), _BITS)
            limit: Form | Interval = (point, point)
        else:
            total = LogarithmSum(alphabet, (), Signs(alphabet, self.ranges), for_people=False)
            add_static(total, Fraction(1), bound, self.per_unit, translation.meaning)
            limit = form_of(total, free)
        alone, groups = self._masses(table_of(self.joint, generators, alphabet))
        if not self.measure.reads_prior:
            if len(alone) < len(self._secrets()):
                # There is one input less there: the function does not go on to its limit.
                raise NoAlgebra("an input is impossible there")
            groups = [{x: over(mass, alone[x]) for x, mass in group.items()} for group in groups]
        if self.measure.functional == "tries":
            choices = _pairs(groups, alphabet)
        else:
            choices = [_expected(group, gain, translation) for group in groups]
        after = _maxima(choices, form)
        before = _maxima([_expected(alone, gain, translation)], form) if self.measure.is_leakage else None
        if self.joint.cut is not None:
            missing = self._missing(self.joint.cut, translation)
            falling = (self.sign == 1) == (self.measure.attacker == "least")
            after = Maxima((*after.groups, (form(missing[falling]),)))
            if before is not None:
                before = Maxima((*before.groups, (form(missing[not falling]),)))
        return Guessing(self.measure, after, before, limit, self.sign)

    def _missing(self, cut: Cut, translation: Translation) -> tuple[Quotient, Quotient]:
        """Return what is to be added to a sum of maxima for an upper and for a lower bound, as of what was left out, of mass t, nothing or all may be gained.

        With observations the sum is over the mass M of what is known, in truth over at most M + t.
        """
        alphabet, own = translation.alphabet, translation.generators[id(self.joint.ring)]
        if self.measure.functional == "tries":
            # To what the least likely waits for, each run that was left out adds no more than all other values.
            return alphabet.number(0), alphabet.number(-upper(cut.mass) * (len(self._secrets()) - 1))
        amount = alphabet.number(upper(cut.mass) * _greatest_gain(self.gain))
        if is_whole(self.joint):
            return amount, alphabet.number(0)
        share = over(amount, composed(self.joint.mass, own, alphabet))
        return share, minus(alphabet.number(0), share)

    def _masses(self, table: Mapping[Values, Quotient]) -> tuple[Masses, list[Masses]]:
        """Return the masses of the secret's values, alone and for each value of what is seen."""
        of, given = (self.joint.positions(names) for names in (self.x, self.y))
        alone: Masses = {}
        groups: dict[Values, Masses] = {}
        for key, mass in table.items():
            x, y = (tuple(key[place] for place in places) for places in (of, given))
            for masses in (groups.setdefault(y, {}), alone):
                masses[x] = plus(masses[x], mass) if x in masses else mass
        return alone, list(groups.values())

    def _secrets(self) -> set[Values]:
        return set(self.joint.support(self.x))


def _exact(measure: Measure, after: Fraction, before: Fraction | None) -> Number | None:
    """Return a measure, in nats if it has a unit, by sums of maxima; None where it has no value."""
    if not measure.dimension:
        return number(1 - after if measure.functional == "tries" else after)
    if after <= 0 or (before is not None and before <= 0):
        return None
    logarithm = log_(number(after / (before or 1)))
    return neg(logarithm) if measure.attacker == "least" else logarithm


def _maxima(choices: Sequence[Sequence[Quotient]], form: Callable[[Quotient], Form]) -> Maxima:
    """Return the sum of the maxima of some functions each."""
    found: list[tuple[Form, ...]] = []
    left = _CHOICES
    for group in choices:
        distinct: list[Quotient] = []
        for value in group:
            if value not in distinct:
                distinct.append(value)
        left -= len(distinct)
        if left < 0:
            raise NoProblem("there are too many guesses to compare")
        found.append(tuple(form(value) for value in distinct))
    return Maxima(tuple(found))


def _pairs(groups: Sequence[Masses], alphabet: Alphabet) -> list[list[Quotient]]:
    """Return the negative masses of each two values."""
    if sum(comb(len(group), 2) for group in groups) > _CHOICES // 2:
        raise NoProblem("there are too many guesses to compare")
    zero = alphabet.number(0)
    found = [[minus(zero, mass) for mass in pair] for group in groups for pair in combinations(group.values(), 2)]
    return found or [[zero]]


def _expected(group: Masses, gain: Tries | Rows, translation: Translation) -> list[Quotient]:
    """Return what each guess is expected to gain."""
    zero = translation.alphabet.number(0)
    if isinstance(gain, Tries):
        count = min(gain.count, len(group))
        if comb(len(group), count) > _CHOICES:
            raise NoProblem("there are too many guesses to compare")
        return [reduce(plus, chosen, zero) for chosen in combinations(group.values(), count)]
    return [
        reduce(plus, (times(translation.meaning(gained), group[x]) for x, gained in row.items() if x in group), zero)
        for row in gain.rows
    ]


def _greatest_gain(gain: Tries | Rows) -> Fraction:
    """Return a bound of what a value gains at most, where none gains less than nothing."""
    if isinstance(gain, Tries):
        return Fraction(1)
    known = [each.value for each in gain.expressions() if isinstance(each, tree.Number) and each.value >= 0]
    if len(known) < len(gain.expressions()):
        raise NoProblem("infinitely many values matter")
    return max(known, default=Fraction(0))


def _gain(
    scope: Scope, call: MeasureCall, joint: DiscreteJoint[Polynomial], x: Sequence[str], ranges: Mapping[str, Domain]
) -> Tries | Rows:
    """Return the gain of a call of ``G`` in the parameters."""
    places = joint.positions(x)
    support = {tuple(key[place] for place in places) for key in joint.masses}
    if isinstance(call.gain, GainTable):
        table = written_gains(scope, call.gain, support)
        return Rows(
            tuple({value: written(scope, each, ranges) for value, each in row.items()} for row in table.values())
        )
    gain, _ = gain_of(scope, call, support, joint.cut is None)
    match gain:
        case Tries():
            return gain
        case Distance(extent=extent):
            values = [value for (value,) in support]
            _need_ends(joint, places[0], ranges)
            return Rows(tuple({(value,): _nearness(guess, value, extent) for value in values} for guess in values))
        case Table():
            raise AssertionError("a table is read as it is written")


def _need_ends(joint: DiscreteJoint[Polynomial], place: int, ranges: Mapping[str, Domain]) -> None:
    """Make sure that the smallest and the largest value are possible everywhere in the ranges."""
    ordered = sorted({key[place] for key in joint.masses}, key=cmp_to_key(compare))
    zero = ring_of(joint).zero
    for value in (ordered[0], ordered[-1]):
        mass = reduce(lambda a, b: a + b, (mass for key, mass in joint.masses.items() if key[place] == value), zero)
        middle = {name: inner_point(domain.low, domain.high) for name, domain in ranges.items()}
        if conditions_of([replace(joint, mass=mass)], ranges, middle):
            raise NoProblem("the gain 'distance' depends on which values are possible")


def _nearness(guess: Number, value: Number, extent: Number) -> Expression:
    """Return the gain ``distance``."""
    if sign(extent) == 0:
        return tree.Number(Fraction(1), _NOWHERE)
    return spelled_number(sub(1, div(abs_(sub(guess, value)), extent)), _NOWHERE)


def guessing_problem(
    scope: Scope,
    call: MeasureCall,
    bound: Expression,
    per_unit: Number,
    ranges: Mapping[str, Domain],
    sign: int,
    budget: Budget,
) -> tuple[GuessingProblem, Runs]:
    """Put a budget for a measure of guessing as a function of the parameters; arguments as :func:`seepage.measures.ranges.problem.problem_of`.

    Raises:
        NoProblem: for a measure that has no such form, with the reason.
        Fault: of the program or the measure.
    """
    measure = row_of(call)
    if not call.left or call.named or (call.gain is not None and not measure.chooses_gain):
        raise NoProblem(f"another shape of '{call.name}'")
    if not measure.reads_prior and (sign != 1 or call.given):
        raise NoProblem(f"of '{call.name}' only budgets from above are followed over a range")
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    runs = Runs(scope, values, ranges, budget)
    x = variables(scope, call.left)
    if call.separator == "->":
        core, y = scope.core, variables(scope, call.right)
    else:
        y, event = condition_of(scope, call)
        core = observing(scope, event)
    joint = runs.joint(core, (*x, *y), cut=measure.reads_prior)
    if measure.functional == "tries" and joint.cut is not None:
        if not is_whole(joint):
            raise NoProblem("infinitely many values matter")
        runs.joint(core, x)  # all values of x are known
    gain = _gain(scope, call, joint, x, ranges) if measure.chooses_gain else ONE_TRY
    spelled = {name: spelled_number(value, _NOWHERE) for name, value in values.items()}
    e = fixed(core_expression(scope, bound), spelled)
    unit = per_unit if measure.dimension else 1
    return GuessingProblem(measure, joint, x, y, gain, e, unit, ranges, sign), runs
