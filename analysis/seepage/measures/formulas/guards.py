r"""Parameters in comparisons, by cases: between break points a comparison has one outcome in each run, so the runs do not change.

Every comparison whose sides differ by an affine function :math:`a t + b` of one parameter t, with a and b known in each state, is decided at
the asked value of t. The states' pairs (a, b) come from a run in which all observations pass, so that none is missed; the roots
:math:`-b/a` bound the interval around the asked value in which all outcomes are what they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Protocol, assert_never

from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.engines.signs import EVERYWHERE
from seepage.exact import Number, add, compare, div, enclose, log_, neg, number, to_fraction
from seepage.measures.formulas.condition import Condition
from seepage.measures.formulas.ends import narrowing, relation
from seepage.measures.formulas.fixed_parameters import fixed, with_fixed
from seepage.measures.formulas.inlining import inlined
from seepage.measures.formulas.substitution import substituted_parameters
from seepage.semantics.checked import Domain
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.evaluate import ORDER
from seepage.semantics.expressions import bottom_up, nodes, plain_names
from seepage.semantics.slice import slice_program, sunk_slice
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

_COMPARISONS = 24
_CASES = 24
_POWER = "@power"  # stands for e^(k·t)
_NOWHERE = Span(0, 0)


class NotByCases(Exception):
    """The outcomes of a comparison are not known on an interval."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program without parameters in comparisons, values and indices, and where it means the same as the original.

    Attributes:
        core: the program; its parameters are in probabilities only.
        domains: of the parameters, narrowed to the case.
        conditions: what the case is, as ``t ≥ 3``, ``t < 4``, or ``t = 3`` for a parameter whose value was put in its place.
        substituted: those of the latter kind.
    """

    core: CoreProgram
    domains: Mapping[str, Domain]
    conditions: tuple[Condition, ...]
    substituted: tuple[Condition, ...] = ()


def case_at(
    core: CoreProgram, asked: Sequence[str], at: Mapping[str, Number], domains: Mapping[str, Domain], budget: Budget
) -> Case:
    """Return the case in which some values of the parameters lie.

    Args:
        core: the program, with events and ghosts appended.
        asked: the variables that a measure asks for.
        at: the values.
        domains: of the parameters.
        budget: of the run that finds break points.

    Raises:
        NoPolynomial: if the program cannot be run symbolically.
        Fault: if a run fails.
    """
    core = inlined(core)
    entering = substituted_parameters(core, asked)
    if not entering:
        return Case(core, domains, ())
    core = what_matters(core, asked)
    narrowed, intervals = dict(domains), dict[str, list[Condition]]()
    for name in entering:
        value = None if name not in at else to_fraction(at[name])
        if value is None:
            continue
        try:
            decided, bounds = _decided(core, name, value, at, budget)
            domain = _narrowed(narrowed.get(name, EVERYWHERE), bounds)
        except NotByCases:
            continue
        core, narrowed[name] = decided, domain
        intervals[name] = list(narrowing(name, domains.get(name), domain))
    left = {name: at[name] for name in substituted_parameters(core, asked) if name in at}
    intervals |= {name: [relation(name, "=", value)] for name, value in left.items()}
    conditions = tuple(condition for stated in intervals.values() for condition in stated)
    return Case(
        with_fixed(core, left), narrowed, conditions, tuple(spelled for name in left for spelled in intervals[name])
    )


def what_matters(core: CoreProgram, asked: Sequence[str]) -> CoreProgram:
    """Return a program without the statements on which neither the asked variables nor observations depend: their comparisons cut nothing."""
    return replace(slice_program(core, tuple(asked), observations=True), variables=core.variables)


def cases_of(
    core: CoreProgram, name: str, domain: Domain, at: Mapping[str, Number], budget: Budget
) -> Iterator[tuple[CoreProgram, Domain]]:
    """Yield the cases of one parameter that cover a domain: programs, and where they mean the same as the original; points have the parameter put in.

    Args:
        core: the program.
        name: the parameter.
        domain: of it.
        at: values of other parameters, if they have one on the whole domain.
        budget: of the runs that find break points.

    Raises:
        NotByCases: if the comparisons of the parameter have no such cases, too many, or others where other parameters have other values.
        NoPolynomial: if the program cannot be run symbolically.
        Fault: if a run fails.
    """
    waiting, count = [domain], 0
    while waiting:
        count += 1
        if count > _CASES:
            raise NotByCases
        part = waiting.pop()
        if part.low is not None and part.low == part.high:
            if part.low_closed and part.high_closed:
                yield with_fixed(core, {name: part.low}), part
            continue
        value = to_fraction(inner_point(part.low, part.high))
        if value is None:
            raise NotByCases
        decided, bounds = _decided(core, name, value, {**at, name: number(value)}, budget)
        if bounds.low is not None and bounds.low == bounds.high:
            yield (
                with_fixed(core, {name: number(value)}),
                replace(part, low=bounds.low, high=bounds.high, low_closed=True, high_closed=True),
            )
            found = Domain(bounds.low, bounds.high, True, True)
        else:
            found = _narrowed(part, bounds)
            yield decided, found
        if found.high is not None and (found.high, found.high_closed) != (part.high, part.high_closed):
            waiting.append(replace(part, low=found.high, low_closed=not found.high_closed))
        if found.low is not None and (found.low, found.low_closed) != (part.low, part.low_closed):
            waiting.append(replace(part, high=found.low, high_closed=not found.low_closed))


def inner_point(low: Number | None, high: Number | None) -> Number:
    """Return a point inside an interval that is not empty, rational where that is possible."""
    if low is not None and high is not None:
        if low == high:
            return low
        first, second = to_fraction(low), to_fraction(high)
        if first is not None and second is not None:
            return number((first + second) / 2)
        middle = div(add(low, high), 2)
        near = rational_near(middle)
        return near if compare(low, near) < 0 and compare(near, high) < 0 else middle
    if low is not None:
        near = rational_near(low)
        return number(max(Fraction(1), abs(near) * 2) if near >= 0 else near / 2 if near < -1 else Fraction(1))
    if high is not None:
        found = to_fraction(inner_point(neg(high), None))
        return number(-found) if found is not None else 0
    return 0


def rational_near(value: Number) -> Fraction:
    """Return a rational number at a number, or next to it."""
    rational = to_fraction(value)
    return rational if rational is not None else Fraction(float(enclose(value).mid()))


@dataclass(slots=True)
class _Bounds:
    """The interval around a value in which nothing changes; an end that is None is unbounded."""

    at: Number
    low: Number | None = None
    low_closed: bool = False
    high: Number | None = None
    high_closed: bool = False

    def below(self, end: Number, closed: bool) -> None:
        """Stay below an end, or at it if ``closed``."""
        order = -1 if self.high is None else compare(end, self.high)
        if order < 0 or (order == 0 and not closed):
            self.high, self.high_closed = end, closed

    def above(self, end: Number, closed: bool) -> None:
        """Stay above an end, or at it if ``closed``."""
        order = 1 if self.low is None else compare(end, self.low)
        if order > 0 or (order == 0 and not closed):
            self.low, self.low_closed = end, closed

    def keep(self, operator: str, root: Number, rising: int) -> None:
        """Keep the outcome of a comparison with 0 of what has one root and is ``rising`` (1) or falling (−1) there."""
        place = compare(self.at, root)
        here, at_root = _holds(operator, rising * place), _holds(operator, 0)
        beyond, before = _holds(operator, rising), _holds(operator, -rising)
        if place < 0 and (at_root, beyond) != (here, here):
            self.below(root, closed=at_root == here)
        elif place > 0 and (at_root, before) != (here, here):
            self.above(root, closed=at_root == here)
        elif place == 0:
            if beyond != here:
                self.below(root, closed=True)
            if before != here:
                self.above(root, closed=True)


def _holds(operator: str, sign: int) -> bool:
    match operator:
        case "==":
            return sign == 0
        case "!=":
            return sign != 0
        case _:
            return ORDER[operator](sign)


def _narrowed(domain: Domain, bounds: _Bounds) -> Domain:
    """Return the part of a domain within bounds.

    Raises:
        NotByCases: if that is one point: then the value is put in.
    """
    low, high = bounds.low, bounds.high
    if low is not None and (domain.low is None or compare(domain.low, low) <= 0):
        closed = bounds.low_closed and domain.contains(low)
        domain = replace(domain, low=low, low_closed=closed)
    if high is not None and (domain.high is None or compare(domain.high, high) >= 0):
        closed = bounds.high_closed and domain.contains(high)
        domain = replace(domain, high=high, high_closed=closed)
    if domain.low is not None and domain.high is not None and compare(domain.low, domain.high) >= 0:
        raise NotByCases
    return domain


# --- deciding the comparisons of one parameter ------------------------------------------------------------------------


@dataclass(slots=True)
class _Comparisons:
    """The comparisons of one parameter, met in the order of the program."""

    name: str
    value: Fraction
    parameters: frozenset[str]
    found: list[tuple[str, str, str, Fraction | None]] = field(
        default_factory=list
    )  # operator, ghosts of slope and offset, the rate k of e^(k·t) where they are in that and not in t
    before: list[CoreStatement] = field(default_factory=list)  # what computes the ghosts of the statement at hand

    def change(self, expression: Expression) -> Expression:
        """Decide the comparisons in an expression at the parameter's value."""
        if self.name not in plain_names(expression):
            return expression
        return bottom_up(expression, lambda node, parts: self._decide(_rebuilt(node, parts)))

    def _decide(self, node: Expression) -> Expression:
        if not isinstance(node, tree.Binary) or node.operator not in tree.COMPARISONS:
            return node
        names = {name for name in plain_names(node) if name in self.parameters}
        difference: Expression = tree.Binary("-", node.left, node.right, node.span)
        if names != {self.name}:
            return node
        variable, rate = self.name, None
        if (powers := _exponential(difference, self.name)) is not None:
            variable, (difference, rate) = _POWER, powers
        degree = _degree(difference, variable)
        if degree is None or degree > 1:
            return node
        if len(self.found) == _COMPARISONS:
            raise NotByCases
        zero, one = (fixed(difference, {variable: tree.Number(Fraction(value), _NOWHERE)}) for value in (0, 1))
        ghosts = f"@slope{len(self.found)}", f"@offset{len(self.found)}"
        slope = tree.Binary("-", one, zero, node.span)
        for ghost, value in zip(ghosts, (slope, zero), strict=True):
            self.before.append(CoreAssign(tree.Name(ghost, node.span), value, node.span))
        self.found.append((node.operator, *ghosts, rate))
        return self._put(node, self.value)

    def _put(self, expression: Expression, value: Fraction) -> Expression:
        return fixed(expression, {self.name: tree.Number(value, _NOWHERE)})


def _decided(
    core: CoreProgram, name: str, value: Fraction, at: Mapping[str, Number], budget: Budget
) -> tuple[CoreProgram, _Bounds]:
    """Return a program with the comparisons of a parameter decided, and where it means the same.

    Raises:
        NotByCases: if it has no such comparison, or too many.
    """
    comparisons = _Comparisons(name, value, frozenset(core.parameters))
    watched = _statements(core.statements, comparisons, watching=True)
    if not comparisons.found:
        raise NotByCases
    plain = _statements(core.statements, _Comparisons(name, value, frozenset(core.parameters)), watching=False)
    bounds = _Bounds(number(value))
    ghosts = tuple(ghost for _, *pair, _ in comparisons.found for ghost in pair)
    start = tuple(
        CoreAssign(tree.Name(ghost, _NOWHERE), tree.Number(Fraction(0), _NOWHERE), _NOWHERE) for ghost in ghosts
    )
    program = replace(core, statements=(*start, *watched), variables=(*core.variables, *ghosts))
    for operator, slope, offset, rate in comparisons.found:
        for a, b in _reached(program, (slope, offset), at, budget):
            if a and (root := _root(a, b, rate)) is not None:
                bounds.keep(operator, root, 1 if (a > 0) == (rate is None or rate > 0) else -1)
    return replace(core, statements=plain), bounds


def _root(slope: Fraction, offset: Fraction, rate: Fraction | None) -> Number | None:
    """Return the t at which slope·t + offset, or slope·e^(rate·t) + offset, is 0; None if there is none."""
    root = -offset / slope
    if rate is None:
        return number(root)
    return div(log_(number(root)), number(rate)) if root > 0 else None


def _exponential(expression: Expression, name: str) -> tuple[Expression, Fraction] | None:
    """Return an expression that holds a parameter t in e^(k·t) alone, with a name for that, and k; None for any other."""
    inside = [
        node.arguments[0]
        for node in nodes(expression)
        if isinstance(node, tree.Call) and node.function == "exp" and name in plain_names(node.arguments[0])
    ]
    if not inside or any(_degree(each, name) != 1 for each in inside):
        return None
    ends = [
        [fixed(each, {name: tree.Number(Fraction(value), _NOWHERE)}) for value in (0, 1)]
        for each in dict.fromkeys(inside)
    ]
    if len(ends) > 1 or not all(isinstance(each, tree.Number) for each in ends[0]):
        return None
    start, rate = (each.value for each in ends[0] if isinstance(each, tree.Number))
    named = bottom_up(expression, lambda node, parts: _named(_rebuilt(node, parts), inside[0]))
    return (named, rate) if start == 0 and rate and name not in plain_names(named) else None


def _named(node: Expression, inside: Expression) -> Expression:
    if isinstance(node, tree.Call) and node.function == "exp" and node.arguments[0] == inside:
        return tree.Name(_POWER, node.span)
    return node


def _reached(
    program: CoreProgram, asked: tuple[str, ...], at: Mapping[str, Number], budget: Budget
) -> Iterator[tuple[Fraction, Fraction]]:
    sliced = sunk_slice(program, asked)
    entering = substituted_parameters(sliced)
    if any(name not in at for name in entering):
        raise NotByCases  # another value of that parameter may reach other pairs
    sliced = with_fixed(sliced, {name: at[name] for name in entering})
    for values in run(sliced, asked, {}, polynomials(sliced), budget).masses:
        first, second = (to_fraction(value) for value in values)
        if first is None or second is None:
            raise NotByCases
        yield first, second


def _degree(expression: Expression, name: str) -> int | None:
    """Return the degree in a parameter, None for what is no polynomial in it."""
    if name not in plain_names(expression):
        return 0
    match expression:
        case tree.Name():
            return 1
        case tree.Parenthesized(inner=inner) | tree.Unary(operator="-", operand=inner):
            return _degree(inner, name)
        case tree.Binary(operator="+" | "-" | "*" | "/", left=left, right=right):
            a, b = _degree(left, name), _degree(right, name)
            if a is None or b is None or (expression.operator == "/" and b):
                return None
            return a + b if expression.operator in "*/" else max(a, b)
        case _:
            return None


# --- rewriting --------------------------------------------------------------------------------------------------------


class _Changing(Protocol):
    """What changes the expressions of a program, and what is to be computed before the statement at hand."""

    before: list[CoreStatement]

    def change(self, expression: Expression) -> Expression:
        """Return what takes the place of an expression."""
        ...


@dataclass(slots=True)
class _Visited:
    visit: Callable[[Expression], Expression]
    before: list[CoreStatement] = field(default_factory=list)

    def change(self, expression: Expression) -> Expression:
        return bottom_up(expression, lambda node, parts: self.visit(_rebuilt(node, parts)))


def rewritten(core: CoreProgram, visit: Callable[[Expression], Expression]) -> CoreProgram:
    """Return a program with something in the place of each part of its expressions, inner parts first."""
    return replace(core, statements=_statements(core.statements, _Visited(visit), watching=False))


def _statements(
    statements: Sequence[CoreStatement], comparisons: _Changing, *, watching: bool
) -> tuple[CoreStatement, ...]:
    """Rewrite statements; with ``watching``, record the comparisons' sides before each and let all observations pass."""
    result: list[CoreStatement] = []
    for statement in statements:
        changed = _statement(statement, comparisons, watching=watching)
        if watching:
            own, comparisons.before = comparisons.before, []
            result += own
            if isinstance(changed, CoreObserve):
                continue
        result.append(changed)
    return tuple(result)


def _statement(statement: CoreStatement, comparisons: _Changing, *, watching: bool) -> CoreStatement:
    change = comparisons.change
    match statement:
        case CoreAssign(target=target, value=value):
            return replace(statement, target=_target(target, change), value=change(value))
        case CoreSample(target=target, distribution=distribution):
            return replace(statement, target=_target(target, change), distribution=_distribution(distribution, change))
        case CoreObserve(condition=condition):
            return replace(statement, condition=change(condition))
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            decided = change(condition)
            own, comparisons.before = comparisons.before, []
            arms = [_statements(arm, comparisons, watching=watching) for arm in (consequent, alternative)]
            comparisons.before = own
            return replace(statement, condition=decided, consequent=arms[0], alternative=arms[1])
        case CoreWhile() | CoreLocal():
            unsettled(statement)
        case _:
            assert_never(statement)


def _target(target: tree.Name | tree.Index, change: Callable[[Expression], Expression]) -> tree.Name | tree.Index:
    return target if isinstance(target, tree.Name) else replace(target, index=change(target.index))


def _distribution(distribution: Distribution, change: Callable[[Expression], Expression]) -> Distribution:
    match distribution:
        case tree.Family(arguments=arguments):
            return replace(distribution, arguments=tuple(replace(each, value=change(each.value)) for each in arguments))
        case tree.Table(entries=entries):
            return replace(distribution, entries=tuple((change(value), change(weight)) for value, weight in entries))
        case tree.Mixture(parts=parts):
            changed = tuple((change(weight), _distribution(part, change)) for weight, part in parts)
            return replace(distribution, parts=changed)
        case tree.Rows():
            return distribution
        case _:
            assert_never(distribution)


def _rebuilt(node: Expression, parts: Sequence[Expression]) -> Expression:
    match node:
        case tree.Index():
            return replace(node, index=parts[0])
        case tree.Parenthesized():
            return replace(node, inner=parts[0])
        case tree.Cell():
            return replace(node, row=parts[0])
        case tree.Unary():
            return replace(node, operand=parts[0])
        case tree.Binary():
            return replace(node, left=parts[0], right=parts[1])
        case tree.Conditional():
            return replace(node, condition=parts[0], consequent=parts[1], alternative=parts[2])
        case tree.Call():
            return replace(node, arguments=tuple(parts))
        case _:
            return node
