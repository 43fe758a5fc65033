r"""Uniform secrets over huge ranges, without enumeration: a state stands for a class of equally likely values.

A *source* is uniform over :math:`k = 0, \dots, n-1`; a variable that depends on one is :math:`c + q k`, exactly. What the program asks of it (a
comparison, an equality, ``%``, ``floor``) splits the class into the parts on which the answer is a number, or of that form again: at an interval's end, at
a single point, or by residues. Each part is a source of its own size, and the weights of the parts are their shares, exact rationals.

Two sources are equal on a diagonal, which is one source; where they differ is no product of sources, but the product of both *less* the diagonal: a part with
a negative share. Runs are linear in the weights, so that sums over such parts are right although no single one is a set of runs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Generic, TypeAlias, TypeVar, assert_never

from seepage import exact
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import support
from seepage.distributions.gaussian import Affine, Sizes, Slot, State
from seepage.distributions.parameters import Place
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.liveness import Step
from seepage.engines.forward.states import GAUSSIAN, States
from seepage.engines.outcome import Budget, Ring
from seepage.exact import Number
from seepage.rules import BUDGET_EXCEEDED
from seepage.semantics.core import CoreSample, CoreStatement
from seepage.semantics.evaluate import ORDER, element, evaluate, spelled, truth
from seepage.semantics.expressions import nodes
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

C = TypeVar("C")
T = TypeVar("T")
Form: TypeAlias = Number | Affine
_Waiting: TypeAlias = tuple[State, Fraction, frozenset[int]]

WIDE = 4_096
"""Values from which on a uniform law is a source; below, it is enumerated."""
_PIECES = 4_096  # of one class at one statement


@dataclass(frozen=True, slots=True)
class Part:
    """The values k = start + step · j of a source, for j below ``count``."""

    start: int
    step: int
    count: int


class Beyond(Fault):
    """What classes cannot say exactly; enumeration may."""


class _Split(Exception):
    """A source must be split before the expression has a value."""

    def __init__(self, source: int, parts: tuple[Part, ...]) -> None:
        super().__init__(source, parts)
        self.source = source
        self.parts = parts


class _Diagonal(Exception):
    """Two sources must be equal, or known to differ, before a comparison has a truth: at ``common`` many places, from the first in steps, for each source."""

    def __init__(self, place: int, sources: tuple[int, int], parts: tuple[Part, Part]) -> None:
        super().__init__(place, sources, parts)
        self.place = place
        self.sources = sources
        self.parts = parts

    def on(self, state: State) -> State:
        """Return the state on the diagonal."""
        first, second = self.sources
        both = split(split(state, first, self.parts[0]), second, self.parts[1])
        return tuple(
            Affine(value.constant, ((first, value.terms[0][1]),))
            if isinstance(value, Affine) and value.terms[0][0] == second
            else value
            for value in both
        )


def width_of(statement: CoreStatement, parameters: Mapping[str, Number]) -> int:
    """Return how many values a statement draws from uniformly, if it does and they are very many; else 0."""
    found = _range(statement.distribution, parameters) if isinstance(statement, CoreSample) else None
    return 0 if found is None else found[1] - found[0] + 1


def _range(distribution: tree.Distribution, values: Mapping[str, Number]) -> tuple[int, int] | None:
    if not isinstance(distribution, tree.Family) or distribution.name != "uniform_int":
        return None
    arguments = bind(distribution).named
    try:
        low, high = (evaluate(arguments[name], values) for name in ("a", "b"))
    except (Fault, KeyError):
        return None
    if isinstance(low, int) and isinstance(high, int) and high - low >= WIDE:
        return low, high
    return None


def split(state: State, source: int, part: Part) -> State:
    """Return the state in which a source has only the values of a part; one with a single value is a number."""

    def within(value: Slot) -> Slot:
        if isinstance(value, Sizes):
            return Sizes(tuple(part.count if i == source else size for i, size in enumerate(value.counts)))
        if isinstance(value, Affine) and value.terms[0][0] == source:
            slope = value.terms[0][1]
            constant = exact.add(value.constant, exact.mul(slope, part.start))
            return constant if part.count == 1 else Affine(constant, ((source, exact.mul(slope, part.step)),))
        return value

    return tuple(within(value) for value in state)


def canonical(state: State, slot: int) -> State:
    """Return the state with its sources numbered by first use; those that no variable depends on are gone."""
    number: dict[int, int] = {}
    for value in state:
        if isinstance(value, Affine):
            number.setdefault(value.terms[0][0], len(number))
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    renamed = [
        Affine(value.constant, ((number[value.terms[0][0]], value.terms[0][1]),))
        if isinstance(value, Affine)
        else value
        for value in state
    ]
    renamed[slot] = Sizes(tuple(sizes.counts[source] for source in number))
    return tuple(renamed)


class Classes(Generic[C]):
    """The statements of a run where some values are classes; implements ``Continuous`` of the forward machine."""

    def __init__(self, ring: Ring[C], budget: Budget) -> None:
        self.ring = ring
        self.budget = budget
        self.signed = False  # whether some part has a negative share

    def assign(self, step: Step, value: Expression, state: State, scope: Scope) -> Iterable[tuple[Slot, State, C]]:
        """Yield the value of an expression in each part that it splits a state into."""
        yield from self._splitting(state, scope, value.span, lambda reader: reader.value(value))

    def sample(
        self, step: Step, distribution: tree.Distribution, state: State, scope: Scope
    ) -> Iterable[tuple[Slot, State, C]]:
        """Yield the values drawn; a huge uniform law is one source."""
        for drawn, part, share in self._splitting(
            state, scope, distribution.span, lambda reader: reader.law(distribution)
        ):
            wide = _range(drawn, scope.mapping(part, step.reads))
            slot = scope.slots[GAUSSIAN]
            if wide is not None:
                sizes = part[slot]
                assert isinstance(sizes, Sizes)
                count = wide[1] - wide[0] + 1
                after = (*part[:slot], Sizes((*sizes.counts, count)), *part[slot + 1 :])
                yield Affine(wide[0], ((len(sizes.counts), 1),)), after, share
                continue
            place = Place(scope.mapping(part, step.reads), scope.arrays, scope.unknown)
            for value, mass in support(drawn, place, self.ring, self.budget.states):
                yield value, part, self.ring.multiply(share, mass)

    def observe(self, step: Step, condition: Expression, state: State, scope: Scope) -> Iterable[tuple[State, C]]:
        """Yield the parts in which a condition holds."""
        for holds, part, share in self.decide(step, condition, state, scope):
            if holds:
                yield part, share

    def passed(self, condition: Expression, held: bool) -> None:
        """Take note of nothing."""

    def impossible(self, condition: Expression) -> Diagnostic | None:
        """Explain nothing beyond what the machine says."""
        return None

    def decide(self, step: Step, condition: Expression, state: State, scope: Scope) -> Iterable[tuple[bool, State, C]]:
        """Yield the parts of a state with the truth of a condition there."""
        yield from self._splitting(state, scope, condition.span, lambda reader: reader.truth(condition))

    def is_continuous(self, distribution: tree.Distribution) -> bool:
        """Tell whether a law needs these rules even where it reads numbers only."""
        return isinstance(distribution, tree.Family) and distribution.name == "uniform_int"

    def settle(self, states: States[C]) -> States[C]:
        """Keep all states."""
        return states

    def tidy(self, states: States[C]) -> States[C]:
        """Number the sources of each state by first use, so that equal classes are one."""
        slot = states.layout.index(GAUSSIAN)
        weights: dict[State, C] = {}
        for state, weight in states.weights.items():
            key = canonical(state, slot)
            weights[key] = self.ring.add(weights[key], weight) if key in weights else weight
        return States(states.layout, weights)

    def _splitting(
        self, state: State, scope: Scope, span: Span, compute: Callable[[_Reader], T]
    ) -> Iterator[tuple[T, State, C]]:
        """Yield what is computed in each part of a state, with the part's share; parts are split until all have a result."""
        slot = scope.slots[GAUSSIAN]
        waiting: list[_Waiting] = [(state, Fraction(1), frozenset())]
        done = 0
        while waiting:
            part, share, apart = waiting.pop()
            sizes = part[slot]
            assert isinstance(sizes, Sizes)
            try:
                result = compute(_Reader(part, scope, apart))
            except _Split as need:
                size = sizes.counts[need.source]
                waiting.extend(
                    (split(part, need.source, piece), share * Fraction(piece.count, size), apart)
                    for piece in reversed(need.parts)
                )
            except _Diagonal as need:
                waiting.extend(self._apart(part, share, apart, need, sizes))
            else:
                done += 1
                yield result, part, self.ring.rational(share.numerator, share.denominator)
            if len(waiting) + done > _PIECES:
                raise too_many(span, len(waiting) + done)

    def _apart(
        self, state: State, share: Fraction, apart: frozenset[int], need: _Diagonal, sizes: Sizes
    ) -> list[_Waiting]:
        """Return the diagonal, and the whole less the diagonal for the rest."""
        known, common = apart | {need.place}, need.parts[0].count
        if not common:
            return [(state, share, known)]
        self.signed = True
        first, second = (sizes.counts[source] for source in need.sources)
        equal = share * Fraction(common, first * second)
        diagonal = need.on(state)
        # The whole is the last, so that it is looked at first: what it cannot say is told before anything of a part that no run reaches.
        return [(diagonal, equal, apart), (diagonal, -equal, known), (state, share, known)]


def too_many(span: Span, pieces: int) -> Fault:
    """Return the fault that a class splits into too many parts."""
    message = f"a uniform law splits into {pieces:,} parts or more here, the limit is {_PIECES:,}"
    notes = ("fewer different remainders, quotients or comparisons of the value would help, or a smaller range",)
    return Beyond(Diagnostic(BUDGET_EXCEEDED, span, message, notes=notes))


@dataclass(frozen=True, slots=True)
class _Reader:
    """Expressions in one state; ``apart`` are the comparisons (their nodes, by identity) whose sides are known to differ here."""

    state: State
    scope: Scope
    apart: frozenset[int] = frozenset()

    def value(self, expression: Expression) -> Form:
        """Return the value of an expression.

        Raises:
            _Split: if it is not of the form that classes have before a source is split.
            Fault: undefined, or beyond what classes say.
        """
        if self._is_plain(expression):
            return evaluate(expression, self._numbers(), self.scope.arrays)
        match expression:
            case tree.Number() | tree.Boolean() | tree.Infinity():
                return evaluate(expression, {})
            case tree.Name(id=name):
                return self._name(name)
            case tree.Parenthesized(inner=inner):
                return self.value(inner)
            case tree.Index():
                return self._element(expression)
            case tree.Conditional(condition=condition, consequent=first, alternative=second):
                return self.value(first if self.truth(condition) else second)
            case tree.Unary(operator="-", operand=operand):
                return _scaled(self.value(operand), -1)
            case tree.Unary():
                return int(self.truth(expression))
            case tree.Binary(operator=operator):
                if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                    return int(self.truth(expression))
                return self._arithmetic(expression)
            case tree.Call():
                return self._call(expression)
            case _:
                assert_never(expression)

    def truth(self, condition: Expression) -> bool:
        """Return the truth of a condition; raises as :meth:`value`."""
        if self._is_plain(condition):
            return truth(condition, self._numbers(), self.scope.arrays)
        match condition:
            case tree.Parenthesized(inner=inner):
                return self.truth(inner)
            case tree.Unary(operator="not" | "!", operand=operand):
                return not self.truth(operand)
            case tree.Binary(operator="and", left=left, right=right):
                return self.truth(left) and self.truth(right)
            case tree.Binary(operator="or", left=left, right=right):
                return self.truth(left) or self.truth(right)
            case tree.Binary(operator="xor", left=left, right=right):
                return self.truth(left) != self.truth(right)
            case tree.Binary(operator=operator, left=left, right=right) if operator in tree.COMPARISONS:
                a, b = self.value(left), self.value(right)
                if not isinstance(a, Affine) and not isinstance(b, Affine):
                    if id(condition) not in self.apart:
                        return truth(_with(condition, a, b), {})
                elif operator in ("==", "!=") and isinstance(a, Affine) and isinstance(b, Affine):
                    self._diagonal(condition, a, b)
                if id(condition) in self.apart:
                    return operator == "!="
                form = self._sum(condition, a, _scaled(b, -1))
                if operator in ("==", "!="):
                    return (self._sign(form, equal=True) == 0) == (operator == "==")
                return ORDER[operator](self._sign(form))
            case _:
                value = self.value(condition)
                if isinstance(value, Affine):
                    raise _first(self.sizes, value)
                return value == 1 if value in (0, 1) else truth(condition, self._numbers(), self.scope.arrays)

    def law(self, distribution: tree.Distribution) -> tree.Distribution:
        """Return a law whose parameters are numbers."""
        match distribution:
            case tree.Family(name=name, arguments=arguments, name_span=name_span, span=span):
                fixed = tuple(tree.Argument(one.name, self._fixed(one.value), one.span) for one in arguments)
                return tree.Family(name, fixed, name_span, span)
            case tree.Table(entries=entries, span=span):
                return tree.Table(tuple((self._fixed(v), self._fixed(w)) for v, w in entries), span)
            case tree.Mixture(parts=parts, span=span):
                return tree.Mixture(tuple((self._fixed(w), self.law(part)) for w, part in parts), span)
            case _:
                assert_never(distribution)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the sources."""
        sizes = self.state[self.scope.slots[GAUSSIAN]]
        assert isinstance(sizes, Sizes)
        return sizes.counts

    def _fixed(self, expression: Expression) -> Expression:
        """Return an expression with the value it has here where it reads classes; it must be a number then."""
        if self._is_plain(expression):
            return expression
        value = self.value(expression)
        if isinstance(value, Affine):
            raise beyond(expression, "a parameter of a law")
        return _literal(value, expression)

    def _is_plain(self, expression: Expression) -> bool:
        """Tell whether an expression has the value here that its numbers give it."""
        return not self.apart and not self._reads_classes(expression)

    def _reads_classes(self, expression: Expression) -> bool:
        """Tell whether an expression reads a value that is a class; a random index may read all elements."""
        for node in nodes(expression):
            match node:
                case tree.Name(id=name):
                    if isinstance(self._name(name), Affine):
                        return True
                case tree.Index(array=array):
                    names = (f"{array}[{i}]" for i in self.scope.arrays.get(array, ()))
                    if any(isinstance(self._name(name), Affine) for name in names):
                        return True
                case _:
                    pass
        return False

    def _numbers(self) -> dict[str, Number]:
        return self.scope.mapping(self.state, [name for name in self.scope.slots if name != GAUSSIAN])

    def _name(self, name: str) -> Form:
        if name in self.scope.slots:
            value = self.state[self.scope.slots[name]]
            assert isinstance(value, int | Fraction | exact.Irrational | Affine)
            return value
        if name in self.scope.unknown:
            raise ValueError(f"the parameter {name!r} has no value, and a value or a guard depends on it")
        return self.scope.parameters.get(name, 0)

    def _element(self, expression: tree.Index) -> Form:
        index = self.value(expression.index)
        if isinstance(index, Affine):
            raise _single(self.sizes, index, expression.index)
        fixed = tree.Index(expression.array, _literal(index, expression.index), expression.name_span, expression.span)
        return self._name(element(fixed, {}, self.scope.arrays))

    def _arithmetic(self, expression: tree.Binary) -> Form:
        a, b = self.value(expression.left), self.value(expression.right)
        if not isinstance(a, Affine) and not isinstance(b, Affine):
            return evaluate(_with(expression, a, b), {})
        match expression.operator:
            case "+":
                return self._sum(expression, a, b)
            case "-":
                return self._sum(expression, a, _scaled(b, -1))
            case "*" if not isinstance(b, Affine):
                return _scaled(a, b)
            case "*" if not isinstance(a, Affine):
                return _scaled(b, a)
            case "/" if isinstance(a, Affine) and not isinstance(b, Affine) and b != 0:
                return _scaled(a, exact.div(1, b))
            case "%" if isinstance(a, Affine) and not isinstance(b, Affine) and b != 0:
                whole = self._floor(expression, _scaled(a, exact.div(1, b)))
                return self._sum(expression, a, _scaled(whole, exact.neg(b)))
            case _:
                if not isinstance(b, Affine) and b == 0:  # undefined, whatever the other side is
                    return evaluate(_with(expression, 1, b), {})
                raise _single(self.sizes, a if isinstance(a, Affine) else b, expression)

    def _call(self, expression: tree.Call) -> Form:
        values = [self.value(argument) for argument in expression.arguments]
        affine = [value for value in values if isinstance(value, Affine)]
        if not affine:
            fixed = tuple(
                _literal(value, argument)
                for value, argument in zip(values, expression.arguments, strict=True)
                if not isinstance(value, Affine)
            )
            return evaluate(tree.Call(expression.function, fixed, expression.name_span, expression.span), {})
        match expression.function:
            case "floor":
                return self._floor(expression, values[0])
            case "ceil":
                return _scaled(self._floor(expression, _scaled(values[0], -1)), -1)
            case "abs":
                return _scaled(values[0], -1) if self._sign(values[0]) < 0 else values[0]
            case "min" | "max":
                best = values[0]
                wanted = 1 if expression.function == "max" else -1
                for value in values[1:]:
                    if self._sign(self._sum(expression, value, _scaled(best, -1))) == wanted:
                        best = value
                return best
            case _:
                raise _single(self.sizes, affine[0], expression)

    def _sum(self, expression: Expression, a: Form, b: Form) -> Form:
        if not isinstance(a, Affine):
            a, b = b, a
        if not isinstance(a, Affine):
            return exact.add(a, b) if not isinstance(b, Affine) else b
        source, slope = a.terms[0]
        if not isinstance(b, Affine):
            return Affine(exact.add(a.constant, b), a.terms)
        other, other_slope = b.terms[0]
        constant = exact.add(a.constant, b.constant)
        if source != other:
            raise _single(self.sizes, a if self.sizes[source] <= self.sizes[other] else b, expression)
        total = exact.add(slope, other_slope)
        return Affine(constant, ((source, total),)) if total != 0 else constant

    def _diagonal(self, condition: Expression, a: Affine, b: Affine) -> None:
        """Ask for the diagonal of two sources, unless it was; where they are few values, enumeration may say more of what follows."""
        (first, slope), (second, other) = a.terms[0], b.terms[0]
        if first == second or id(condition) in self.apart:
            return
        parts = _meeting((a.constant, slope, self.sizes[first]), (b.constant, other, self.sizes[second]))
        if parts is None:
            raise beyond(condition, "this")
        raise _Diagonal(id(condition), (first, second), parts)

    def _floor(self, expression: Expression, form: Form) -> Form:
        if not isinstance(form, Affine):
            return exact.floor_(form)
        source, slope = form.terms[0]
        size = self.sizes[source]
        constant, ratio = exact.to_fraction(form.constant), exact.to_fraction(slope)
        if constant is None or ratio is None:
            raise _single(self.sizes, form, expression)
        if ratio.denominator == 1:
            return Affine(floor(constant), form.terms)
        first, last = floor(constant), floor(constant + ratio * (size - 1))
        blocks = abs(last - first) + 1
        if blocks == 1:
            return first
        if min(blocks, ratio.denominator) > _PIECES:
            raise too_many(expression.span, min(blocks, ratio.denominator))
        if ratio.denominator <= blocks:
            raise _Split(source, residues(size, ratio.denominator))
        steps = range(first + 1, last + 1) if ratio > 0 else range(first, last, -1)
        # Rising: the value n begins at the least k with c + qk >= n; falling: n is left at the least k with c + qk < n.
        cuts = [ceil((n - constant) / ratio) if ratio > 0 else floor((n - constant) / ratio) + 1 for n in steps]
        raise _Split(source, intervals(size, cuts))

    def _sign(self, form: Form, equal: bool = False) -> int:
        """Return the sign of a form; with ``equal``, any number but 0 stands for both signs other than 0."""
        if not isinstance(form, Affine):
            return exact.sign(form)
        source, slope = form.terms[0]
        size = self.sizes[source]
        ends = (exact.sign(form.constant), exact.sign(exact.add(form.constant, exact.mul(slope, size - 1))))
        if ends[0] == ends[1] != 0:
            return ends[0]
        root = exact.div(exact.neg(form.constant), slope)  # between the ends
        whole = exact.floor_(root)
        assert isinstance(whole, int)
        if root == whole:
            raise _Split(source, intervals(size, [whole, whole + 1]))
        if equal:
            return 1
        raise _Split(source, intervals(size, [whole + 1]))


def _meeting(a: tuple[Number, Number, int], b: tuple[Number, Number, int]) -> tuple[Part, Part] | None:
    """Return where two progressions, each a constant, a step and a number of values, are equal: t ↦ the same value; None for irrational ones."""
    numbers = [exact.to_fraction(number) for number in (a[0], a[1], b[0], b[1])]
    if any(number is None for number in numbers):
        return None
    scale = lcm(*(number.denominator for number in numbers if number is not None))
    c, p, d, q = (int(number * scale) for number in numbers if number is not None)
    common = gcd(p, q)
    if (d - c) % common:
        return Part(0, 1, 0), Part(0, 1, 0)
    step, other = q // common, p // common  # of k in c + pk, and of l in d + ql, from one solution to the next
    first = (d - c) // common * pow(other, -1, abs(step)) % abs(step)
    second = (c + p * first - d) // q
    low, high = _within(first, step, a[2])
    other_low, other_high = _within(second, other, b[2])
    start, count = max(low, other_low), min(high, other_high) - max(low, other_low) + 1
    if count <= 0:
        return Part(0, 1, 0), Part(0, 1, 0)
    return Part(first + step * start, step, count), Part(second + other * start, other, count)


def _within(first: int, step: int, size: int) -> tuple[int, int]:
    """Return the least and the greatest t with 0 <= first + step t < size."""
    ends = (-first, size - 1 - first) if step > 0 else (first - size + 1, first)
    return -(-ends[0] // abs(step)), ends[1] // abs(step)


def _with(expression: Expression, a: Number, b: Number) -> Expression:
    """Return a binary expression with numbers for its sides."""
    assert isinstance(expression, tree.Binary)
    left, right = _literal(a, expression.left), _literal(b, expression.right)
    return tree.Binary(expression.operator, left, right, expression.span)


def _literal(value: Number, expression: Expression) -> tree.Number:
    """Return a number in the place of an expression."""
    fraction = exact.to_fraction(value)
    if fraction is None:
        raise beyond(expression, "an irrational value beside it")
    return tree.Number(fraction, expression.span)


def _scaled(form: Form, factor: Number) -> Form:
    if not isinstance(form, Affine):
        return exact.mul(form, factor)
    if factor == 0:
        return 0
    source, slope = form.terms[0]
    return Affine(exact.mul(form.constant, factor), ((source, exact.mul(slope, factor)),))


def intervals(size: int, cuts: Iterable[int]) -> tuple[Part, ...]:
    """Return the parts of 0 … size − 1 between cuts, each the first place of a part."""
    places = sorted({0, size, *(cut for cut in cuts if 0 < cut < size)})
    return tuple(Part(low, 1, high - low) for low, high in itertools.pairwise(places))


def residues(size: int, modulus: int) -> tuple[Part, ...]:
    """Return the parts of 0 … size − 1 with equal remainders."""
    return tuple(Part(r, modulus, (size - r + modulus - 1) // modulus) for r in range(min(size, modulus)))


def _first(sizes: tuple[int, ...], form: Affine) -> _Split:
    """Return the split that makes one value of a form a number."""
    source = form.terms[0][0]
    return _Split(source, intervals(sizes[source], [1]))


def _single(sizes: tuple[int, ...], form: Form, expression: Expression) -> Exception:
    """Return the split into single values, if they are few; else what classes cannot say."""
    assert isinstance(form, Affine)
    source = form.terms[0][0]
    if sizes[source] > _PIECES // 4:
        return beyond(expression, "this")
    return _Split(source, intervals(sizes[source], range(1, sizes[source])))


def beyond(expression: Expression, what: str) -> Beyond:
    """Return the fault of what classes cannot say."""
    message = f"'{spelled(expression)}' needs every single value of a uniform law over a huge range"
    notes = (
        "comparisons with constants, '%' and 'floor' of a quotient by constants, and sums and products with constants are exact over any "
        f"range; a range of fewer values makes {what} exact, too",
    )
    return Beyond(Diagnostic(BUDGET_EXCEEDED, expression.span, message, notes=notes))
