"""Values that are sums of multiples of independent terms, each with the range of its values: clipped records, and noise.

A term is a draw, or a value computed of terms otherwise than by sums and multiples: then only its range is kept, and which draws it depends on. What is
computed twice of the same terms in the same way is one term: a record that is clipped anew in each round moves all rounds alike.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.supports import support_of
from seepage.exact import ArithmeticFault, Number
from seepage.laws.discrete import WHOLE
from seepage.laws.law import Law
from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS, SPREADS, draw_of
from seepage.semantics import ranges
from seepage.semantics.core import CoreAssign, CoreIf, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.semantics.ranges import ANY, Range
from seepage.syntax.tree import (
    Argument,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Expression,
    Family,
    Name,
    Parenthesized,
    Unary,
)
from seepage.syntax.tree import Number as Literal
from seepage.word import Support

_MOST_TERMS = 2_000  # of one value
_TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "and", "or", "xor")


class NotSummed(Exception):
    """A value is no such sum, or that is not seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """What is added.

    Attributes:
        range: holds its values.
        full: whether they come arbitrarily close to everything between the ends.
        whole: whether all of them are whole numbers.
        draws: the places of the statements that draw what it depends on.
        of: the term of which alone it is computed, if there is one.
        noise: the law around its centre, where that is one that hides releases.
        law: that it is drawn from, in parameters and numbers; None where it is computed, or that cannot be written.
    """

    range: Range
    full: bool
    whole: bool
    draws: frozenset[int]
    of: Term | None = None
    noise: Law | None = None
    law: Family | None = None

    def is_of(self, other: Term) -> bool:
        """Tell whether it is a function of another one."""
        at: Term | None = self
        while at is not None and at is not other:
            at = at.of
        return at is not None


@dataclass(frozen=True, slots=True)
class Sum:
    """A constant plus multiples of terms, none of them 0."""

    constant: Number
    terms: Mapping[Term, Number] = field(default_factory=dict)


def sums_of(statements: Sequence[CoreStatement], parameters: Mapping[str, Number]) -> Mapping[str, Sum]:
    """Return the values at the end of the variables that are such sums.

    Args:
        statements: of a program that observes nothing, and picks no elements at random.
        parameters: the values of all parameters.

    Raises:
        NotSummed: if it is another program.
    """
    reading = _Reading(parameters)
    try:
        for place, statement in enumerate(statements):
            reading.follow(place, statement)
    except (Fault, ArithmeticFault) as fault:
        raise NotSummed from fault
    return {name: value for name, value in reading.state.items() if value is not None}


def range_of(value: Sum) -> Range:
    """Return a range that holds a value."""
    found = ranges.exactly(value.constant)
    for term, factor in value.terms.items():
        found = ranges.of_operation("+", found, _scaled(term.range, factor))
    return found


def _scaled(span: Range, factor: Number) -> Range:
    """Return the multiples of a range; an end that is infinite stays so."""
    by, _ = ranges.exactly(factor)
    if by is None:
        return ANY
    low, high = (None if end is None else end * by for end in span)
    return (low, high) if by > 0 else (high, low)


@dataclass(frozen=True, slots=True)
class _Split:
    """A condition that parts the runs.

    Attributes:
        decided: its value.
        holds: the term that it compares, if there is one, as it is where the condition holds.
        fails: the same where it fails.
    """

    decided: Sum
    holds: Mapping[Term, Term]
    fails: Mapping[Term, Term]

    def joined(self, one: Sum, other: Sum) -> Sum:
        """Return what has one value where the condition holds, and another one where it fails."""
        if not self.decided.terms:
            return one if exact.sign(self.decided.constant) != 0 else other
        sources = {each for part in (one, other, self.decided) for each in part.terms}
        spans = range_of(one), range_of(other)
        full = _covers(one, self.holds) and _covers(other, self.fails) and _touch(*spans)
        return _single(ranges.hull(*spans), full, _is_whole(one) and _is_whole(other), sources)


class _Reading:
    """Follows statements; ``state`` has None for what is no such sum, which must not be read."""

    def __init__(self, parameters: Mapping[str, Number]) -> None:
        self.parameters = parameters
        self.state: dict[str, Sum | None] = {}
        self.narrowed: Mapping[Term, Term] = {}
        self.computed: dict[Hashable, Sum] = {}
        self.cut: dict[tuple[Term, Range], Term] = {}

    def _once(self, way: str, values: Sequence[Sum], compute: Callable[[], Sum]) -> Sum:
        """Return what is computed of values in some way, the same object whenever these are the same."""
        key = way, *((each.constant, frozenset(each.terms.items())) for each in values)
        if key not in self.computed:
            self.computed[key] = compute()
        return self.computed[key]

    def follow(self, place: int, statement: CoreStatement) -> None:
        """Read a statement; those that draw stand outside of branches."""
        match statement:
            case CoreSample(target=Name(id=name), distribution=Family() as law):
                self.state[name] = self._drawn(place, law)
            case CoreAssign(target=Name(id=name), value=value):
                self.state[name] = self._of(value)
            case CoreIf():
                self._branch(statement)
            case _:
                raise NotSummed

    # --- draws --------------------------------------------------------------------------------------------------------

    def _drawn(self, place: int, law: Family) -> Sum:
        bound = bind(law)
        given = {name: self._of(each) for name, each in bound.named.items()}
        moved = Sum(0)
        if law.name in SPREADS and "mean" in given:
            moved, given["mean"] = given["mean"], Sum(0)
        if any(each.terms for each in given.values()) or bound.repeated:
            raise NotSummed
        values = {name: each.constant for name, each in given.items()}
        term = replace(_term(place, law.name, values), law=self._written(law, bound.named, values))
        return _plus(moved, Sum(0, {term: 1}))

    def _written(self, law: Family, arguments: Mapping[str, Expression], values: Mapping[str, Number]) -> Family | None:
        """Return a law with its arguments in parameters and numbers, those of ``values``."""
        found = []
        for name, value in values.items():
            number, given = exact.to_fraction(value), arguments[name]
            if number is not None:
                found.append(Argument(name, Literal(number, law.span), law.span))
            elif all(each in self.parameters for each in plain_names(given)):
                found.append(Argument(name, given, law.span))
            else:
                return None
        return replace(law, arguments=tuple(found))

    # --- branches -----------------------------------------------------------------------------------------------------

    def _branch(self, branch: CoreIf) -> None:
        split, before = self._split(branch.condition), self.state
        arms = [
            self._arm(statements, narrowed, before)
            for statements, narrowed in ((branch.consequent, split.holds), (branch.alternative, split.fails))
        ]
        self.state = before
        for name in dict.fromkeys(name for written, _ in arms for name in written):
            one, other = (written.get(name, kept(name)) for written, kept in arms)
            joined = None if one is None or other is None else self._joined(split, one, other)
            self.state[name] = one if one is other else joined

    def _joined(self, split: _Split, one: Sum, other: Sum) -> Sum:
        return self._once("if", (split.decided, one, other), lambda: split.joined(one, other))

    def _arm(
        self, statements: Sequence[CoreStatement], narrowed: Mapping[Term, Term], before: Mapping[str, Sum | None]
    ) -> tuple[dict[str, Sum | None], Callable[[str], Sum | None]]:
        """Return what an arm of a branch writes, and what a variable is on its runs that it does not write."""
        if any(isinstance(each, CoreSample) for each in statements):
            raise NotSummed
        self.state = dict(before)
        with self._where(narrowed):
            for place, each in enumerate(statements):
                self.follow(place, each)

        def kept(name: str) -> Sum | None:
            value = before.get(name, Sum(0))
            with self._where(narrowed):
                return None if value is None else self._seen(value)

        return {name: each for name, each in self.state.items() if each is not before.get(name)}, kept

    def _conditional(self, expression: Conditional) -> Sum:
        split = self._split(expression.condition)
        with self._where(split.holds):
            one = self._of(expression.consequent)
        with self._where(split.fails):
            other = self._of(expression.alternative)
        return self._joined(split, one, other)

    @contextmanager
    def _where(self, narrowed: Mapping[Term, Term]) -> Iterator[None]:
        kept = self.narrowed
        self.narrowed = {**kept, **narrowed}
        try:
            yield
        finally:
            self.narrowed = kept

    def _split(self, condition: Expression) -> _Split:
        return _Split(self._of(condition), self._narrow(condition, True), self._narrow(condition, False))

    def _narrow(self, condition: Expression, holds: bool) -> Mapping[Term, Term]:
        """Return a term with the range that it has where a condition holds, or fails: a comparison of its multiple with a number."""
        match condition:
            case Unary(operator="not", operand=operand):
                return self._narrow(operand, not holds)
            case Binary(operator="<" | "<=" | ">" | ">=" as operator, left=left, right=right):
                difference = _plus(self._of(left), _times(self._of(right), -1))
            case _:
                return {}
        if len(difference.terms) != 1:
            return {}
        ((term, factor),) = difference.terms.items()
        end, _ = ranges.exactly(exact.neg(exact.div(difference.constant, factor)))
        if end is None or not term.full:
            return {}
        low, high = term.range
        if ((operator in ("<", "<=")) == holds) == (exact.sign(factor) > 0):
            high = end if high is None else min(high, end)
        else:
            low = end if low is None else max(low, end)
        if low is not None and high is not None and not low < high:
            return {}
        if (term, (low, high)) not in self.cut:
            self.cut[term, (low, high)] = replace(term, range=(low, high), of=term, noise=None, law=None)
        return {term: self.cut[term, (low, high)]}

    # --- expressions --------------------------------------------------------------------------------------------------

    def _of(self, expression: Expression) -> Sum:
        match expression:
            case Name(id=name) if name in self.parameters:
                return Sum(self.parameters[name])
            case Name(id=name):
                found = self.state.get(name, Sum(0))
                if found is None:
                    raise NotSummed
                return self._seen(found)
            case Parenthesized(inner=inner):
                return self._of(inner)
            case _ if all(name in self.parameters for name in plain_names(expression)):
                return Sum(evaluate(expression, self.parameters))
            case Unary(operator="-", operand=operand):
                return _times(self._of(operand), -1)
            case Unary(operator="not", operand=operand):
                value = self._of(operand)
                return self._once("not", (value,), lambda: _single(ranges.UNIT, False, True, value.terms))
            case Binary(operator="+", left=left, right=right):
                return _plus(self._of(left), self._of(right))
            case Binary(operator="-", left=left, right=right):
                return _plus(self._of(left), _times(self._of(right), -1))
            case Binary(operator=operator, left=left, right=right):
                one, other = self._of(left), self._of(right)
                return self._once(operator, (one, other), lambda: _operation(operator, one, other))
            case Call(function=function, arguments=arguments):
                values = [self._of(each) for each in arguments]
                return self._once(function, values, lambda: _function(function, values))
            case Conditional():
                return self._conditional(expression)
            case _:
                raise NotSummed

    def _seen(self, value: Sum) -> Sum:
        """Return a value with the ranges that its terms have on the runs that are followed."""
        if not any(term in self.narrowed for term in value.terms):
            return value
        terms: dict[Term, Number] = {}
        for term, factor in value.terms.items():
            seen = term
            while seen in self.narrowed:
                seen = self.narrowed[seen]
            terms[seen] = factor
        return Sum(value.constant, terms)


def _term(place: int, law: str, values: Mapping[str, Number]) -> Term:
    draws = frozenset({place})
    if any(exact.sign(values[name]) <= 0 for name in ("variance", "std", "scale", "v") if name in values):
        raise NotSummed  # it has one value only
    if law in DISCRETE_LAWS:
        support = DISCRETE_LAWS[law].word.values
        if support is None or not all(each in values for each in (support.low, support.high) if isinstance(each, str)):
            raise NotSummed
        if not support.whole or (support == WHOLE and law not in SPREADS):
            raise NotSummed  # what has no end at either side is taken for log-concave
        return Term(_ends(support, values), False, True, draws)
    if law not in NAMED_LAWS:
        raise NotSummed
    noise = None if law not in SPREADS else draw_of(law, values).law
    return Term(_support(law, values), True, False, draws, noise=noise)


def _ends(support: Support, values: Mapping[str, Number]) -> Range:
    low, high = (ranges.exactly(values[end])[0] if isinstance(end, str) else end for end in (support.low, support.high))
    return low, high


def _support(law: str, values: Mapping[str, Number]) -> Range:
    """Return where the values of a continuous law lie, between which its density is nowhere 0."""
    support = support_of(law)
    if support is None:
        raise NotSummed
    low, high = _ends(support, values)
    unknown = any(isinstance(end, str) and at is None for end, at in ((support.low, low), (support.high, high)))
    if unknown or (low is not None and high is not None and not low < high):
        raise NotSummed
    return low, high


def _operation(operator: BinaryOperator, left: Sum, right: Sum) -> Sum:
    if operator == "*" and not left.terms:
        return _times(right, left.constant)
    if operator == "*" and not right.terms:
        return _times(left, right.constant)
    if operator == "/" and not right.terms:
        return _times(left, exact.div(1, right.constant))
    found = ranges.of_operation(operator, range_of(left), range_of(right))
    return _single(found, False, operator in _TRUTHS, (*left.terms, *right.terms))


def _function(function: str, values: Sequence[Sum]) -> Sum:
    found = ranges.of_function(function, [range_of(each) for each in values])
    sources = [term for each in values for term in each.terms]
    continuous = function in ("min", "max", "abs") and sum(bool(each.terms) for each in values) == 1
    full = continuous and all(map(_is_full, values))
    whole = function in ("floor", "ceil") or (function in ("min", "max", "abs") and all(map(_is_whole, values)))
    return _single(found, full, whole, sources)


def _is_full(value: Sum) -> bool:
    return not value.terms or (len(value.terms) == 1 and all(term.full for term in value.terms))


def _covers(value: Sum, narrowed: Mapping[Term, Term]) -> bool:
    """Tell whether a value on some runs comes close to all of its range there: it is a function of the term that is compared, or fixed."""
    return bool(narrowed) and _is_full(value) and all(t.is_of(each) for t in value.terms for each in narrowed.values())


def _is_whole(value: Sum) -> bool:
    numbers = [value.constant, *value.terms.values()]
    return all(isinstance(each, int) for each in numbers) and all(term.whole for term in value.terms)


def _touch(one: Range, other: Range) -> bool:
    """Tell whether nothing lies between two ranges."""
    (low, high), (start, end) = one, other
    return (end is None or low is None or low <= end) and (high is None or start is None or start <= high)


def _origin(terms: Sequence[Term]) -> Term | None:
    """Return the nearest term of which all of them are functions."""
    at: Term | None = terms[0]
    while at is not None and not all(each.is_of(at) for each in terms):
        at = at.of
    return at


def _single(span: Range, full: bool, whole: bool, sources: Iterable[Term]) -> Sum:
    known = list(sources)
    if not known:
        raise NotSummed
    draws = frozenset(draw for term in known for draw in term.draws)
    return Sum(0, {Term(span, full, whole, draws, _origin(known)): 1})


def _plus(one: Sum, other: Sum) -> Sum:
    larger, smaller = (one, other) if len(one.terms) >= len(other.terms) else (other, one)
    if len(larger.terms) + len(smaller.terms) > _MOST_TERMS:
        raise NotSummed
    terms = dict(larger.terms)
    for term, factor in smaller.terms.items():
        total = exact.add(terms.get(term, 0), factor)
        if exact.sign(total) == 0:
            terms.pop(term, None)
        else:
            terms[term] = total
    return Sum(exact.add(one.constant, other.constant), terms)


def _times(value: Sum, factor: Number) -> Sum:
    if exact.sign(factor) == 0:
        return Sum(0)
    return Sum(exact.mul(value.constant, factor), {term: exact.mul(each, factor) for term, each in value.terms.items()})
