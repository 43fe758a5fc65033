"""Values of expressions in one state of classes, or how the state must be split before they have one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from math import gcd, lcm
from typing import assert_never

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.gaussian import Affine, Sizes, State, Tie
from seepage.engines.forward.class_faults import beyond, too_many
from seepage.engines.forward.class_forms import (
    PIECES,
    Factor,
    Form,
    Part,
    Split,
    Stuck,
    ends,
    floor_of,
    intervals,
    is_one_to_one,
    masked,
    rational,
    scaled,
    sign_of,
    sum_of,
)
from seepage.engines.forward.class_splits import replaced, split
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.states import GAUSSIAN
from seepage.exact import Number
from seepage.semantics.evaluate import ORDER, element, evaluate, truth
from seepage.semantics.expressions import nodes
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_SHIFT = 4_096  # bits


class Fresh(Exception):
    """The value of a node is a form of one source, independent of all others but one (any one of ``pivots``, which it determines with the others)."""

    def __init__(self, node: Expression, tie: Tie, pivots: tuple[int, ...], start: int = 0, step: int = 1) -> None:
        super().__init__(node, tie, pivots)
        self.node = node
        self.tie = tie  # its target is the source
        self.pivots = pivots
        self.value = Affine(start, ((tie.target, step),))


class Diagonal(Exception):
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
        return replaced(both, second, 0, ((first, 1),))


def read_names(found: Iterable[Expression], scope: Scope) -> Iterator[str]:
    """Yield the variables that some nodes, each by itself, read."""
    for node in found:
        match node:
            case tree.Name(id=name):
                yield name
            case tree.Index(array=array):
                yield from (f"{array}[{i}]" for i in scope.arrays.get(array, ()))
            case _:
                pass


@dataclass(frozen=True, slots=True)
class Reader:
    """Expressions in one state.

    Attributes:
        state: behind its slots the values of the nodes in ``known``.
        scope: of the program.
        apart: the comparisons whose sides are known to differ here.
        known: the nodes (by identity) whose values are sources of their own, with the slots that hold them.
    """

    state: State
    scope: Scope
    apart: frozenset[int] = frozenset()
    known: Mapping[int, int] = field(default_factory=dict)

    def stored(self, expression: Expression) -> Form:
        """Return the value of an expression where it is to be kept: the values of a class are equally likely, each with one state of its sources."""
        form = self.value(expression)
        if isinstance(form, Affine) and not is_one_to_one(form, self.sizes):
            raise _single(self.sizes, form, expression)
        return form

    def value(self, expression: Expression) -> Form:
        """Return the value of an expression.

        Raises:
            Split, Factor, Diagonal, Fresh: if it is not of the form that classes have before the state is split so.
            Fault: undefined, or beyond what classes say.
        """
        if id(expression) in self.known:
            value = self.state[self.known[id(expression)]]
            assert isinstance(value, int | Fraction | exact.Irrational | Affine)
            return value
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
                return scaled(self.value(operand), -1)
            case tree.Unary():
                return int(self.truth(expression))
            case tree.Binary(operator=operator):
                if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                    return int(self.truth(expression))
                return self._arithmetic(expression)
            case tree.Call():
                return self._call(expression)
            case tree.Cell(row=row):
                return evaluate(replace(expression, row=self._fixed(row)), {})
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
                form = sum_of(a, scaled(b, -1))
                if operator in ("==", "!="):
                    return (self._sign(condition, form, equal=True) == 0) == (operator == "==")
                return ORDER[operator](self._sign(condition, form))
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
            case tree.Rows():
                return distribution
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
        return not self.apart and not self.known and not self._reads_classes(expression)

    def _reads_classes(self, expression: Expression) -> bool:
        """Tell whether an expression reads a value that is a class; a random index may read all elements."""
        return any(isinstance(self._name(name), Affine) for name in read_names(nodes(expression), self.scope))

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
                return sum_of(a, b)
            case "-":
                return sum_of(a, scaled(b, -1))
            case "*" if not isinstance(b, Affine):
                return scaled(a, b)
            case "*" if not isinstance(a, Affine):
                return scaled(b, a)
            case "/" if isinstance(a, Affine) and not isinstance(b, Affine) and b != 0:
                return scaled(a, exact.div(1, b))
            case "%" if isinstance(a, Affine) and not isinstance(b, Affine) and b != 0:
                return self._modulo(expression, a, b)
            case _:
                if not isinstance(b, Affine) and b == 0:  # undefined, whatever the other side is
                    return evaluate(_with(expression, 1, b), {})
                raise _single(self.sizes, a if isinstance(a, Affine) else b, expression)

    def _modulo(self, expression: Expression, a: Affine, b: Number) -> Form:
        """Return a - b · floor(a / b), or, where that is no form, a source that all residues are equally likely for."""
        try:
            return sum_of(a, scaled(floor_of(scaled(a, exact.div(1, b)), self.sizes), exact.neg(b)))
        except Stuck as stuck:
            if not isinstance(b, int) or b < 1:
                raise _single(self.sizes, a, expression, stuck.pieces) from None
        constant, terms = self._whole(expression, a)
        # (c + g · x) % (g · n) is c % g + g · ((floor(c / g) + x) % n).
        common = gcd(b, *(slope for _, slope in terms))
        modulus = b // common
        remainders = tuple((source, slope // common % modulus) for source, slope in terms if slope // common % modulus)
        pivots = [
            source for source, slope in remainders if gcd(slope, modulus) == 1 and self.sizes[source] % modulus == 0
        ]
        if not pivots:
            raise _single(self.sizes, a, expression)
        for source in pivots:
            if self.sizes[source] != modulus:
                raise Factor(source, modulus)
        tie = Tie("%", modulus, constant // common % modulus, remainders, len(self.sizes))
        raise Fresh(expression, tie, tuple(pivots), constant % common, common)

    def _whole(self, expression: Expression, form: Affine) -> tuple[int, list[tuple[int, int]]]:
        """Return a form that is whole with all its terms; others are not known."""
        try:
            constant, terms = rational(form)
        except Stuck:
            raise _single(self.sizes, form, expression) from None
        if constant.denominator != 1 or any(slope.denominator != 1 for _, slope in terms):
            raise _single(self.sizes, form, expression)
        return int(constant), [(source, int(slope)) for source, slope in terms]

    def _bits(self, expression: tree.Call, a: Form, b: Form) -> Form:
        """Return a bit operation on a class."""
        if expression.function == "bit_xor" and isinstance(a, Affine) and isinstance(b, Affine):
            raise self._xor(expression, a, b)
        if not isinstance(a, Affine) and not expression.function.startswith("shift"):
            a, b = b, a
        if not isinstance(a, Affine) or not isinstance(b, int) or b < 0:
            raise _single(self.sizes, a if isinstance(a, Affine) else b, expression)
        constant, terms = self._whole(expression, a)
        if ends(Fraction(constant), [(source, Fraction(slope)) for source, slope in terms], self.sizes)[0] < 0:
            raise _single(self.sizes, a, expression)
        try:
            match expression.function:
                case "shift_left" if b <= _SHIFT:
                    return scaled(a, 2**b)
                case "shift_right" if b <= _SHIFT:
                    return floor_of(scaled(a, Fraction(1, 2**b)), self.sizes)
                case "bit_and":
                    return masked(a, b, self.sizes)
                case "bit_or":
                    return sum_of(sum_of(a, b), scaled(masked(a, b, self.sizes), -1))
                case "bit_xor":
                    return sum_of(sum_of(a, b), scaled(masked(a, b, self.sizes), -2))
                case _:
                    raise _single(self.sizes, a, expression)
        except Stuck as stuck:
            raise _single(self.sizes, a, expression, stuck.pieces) from None

    def _xor(self, expression: Expression, a: Affine, b: Affine) -> Exception:
        """Return what makes bit_xor of two sources one of its own."""
        (constant, terms), (other_constant, others) = self._whole(expression, a), self._whole(expression, b)
        both = (*terms, *others)
        if constant or other_constant or len(both) != 2 or both[0][0] == both[1][0] or any(one[1] != 1 for one in both):
            return _single(self.sizes, a, expression)
        size = max(self.sizes[source] for source, _ in both)
        if size.bit_count() != 1:
            return _single(self.sizes, a, expression)
        pivots = tuple(source for source, _ in both if self.sizes[source] == size)
        return Fresh(expression, Tie("bit_xor", size, 0, both, len(self.sizes)), pivots)

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
                return scaled(self._floor(expression, scaled(values[0], -1)), -1)
            case "abs":
                return scaled(values[0], -1) if self._sign(expression, values[0]) < 0 else values[0]
            case "bit_and" | "bit_or" | "bit_xor" | "shift_left" | "shift_right":
                return self._bits(expression, values[0], values[1])
            case "min" | "max":
                best = values[0]
                wanted = 1 if expression.function == "max" else -1
                for value in values[1:]:
                    if self._sign(expression, sum_of(value, scaled(best, -1))) == wanted:
                        best = value
                return best
            case _:
                raise _single(self.sizes, affine[0], expression)

    def _diagonal(self, condition: Expression, a: Affine, b: Affine) -> None:
        """Ask for the diagonal of two sources, unless it was; where they are few values, enumeration may say more of what follows."""
        (first, slope), (second, other) = a.terms[0], b.terms[0]
        if len(a.terms) + len(b.terms) > 2 or first == second or id(condition) in self.apart:
            return
        parts = meeting((a.constant, slope, self.sizes[first]), (b.constant, other, self.sizes[second]))
        if parts is None:
            raise beyond(condition, "this")
        raise Diagonal(id(condition), (first, second), parts)

    def _floor(self, expression: Expression, form: Form) -> Form:
        try:
            return floor_of(form, self.sizes)
        except Stuck as stuck:
            raise _single(self.sizes, form, expression, stuck.pieces) from None

    def _sign(self, expression: Expression, form: Form, equal: bool = False) -> int:
        try:
            return sign_of(form, self.sizes, equal)
        except Stuck:
            raise _single(self.sizes, form, expression) from None


def meeting(a: tuple[Number, Number, int], b: tuple[Number, Number, int]) -> tuple[Part, Part] | None:
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


def _first(sizes: tuple[int, ...], form: Affine) -> Split:
    """Return the split that makes one value of a form a number."""
    source = form.terms[0][0]
    return Split(source, intervals(sizes[source], [1]))


def _single(sizes: tuple[int, ...], form: Form, expression: Expression, pieces: int = 0) -> Exception:
    """Return the split into single values, if they are few; else what classes cannot say."""
    assert isinstance(form, Affine)
    source = min((source for source, _ in form.terms), key=lambda source: sizes[source])
    if sizes[source] > PIECES // 4:
        return too_many(expression.span, pieces) if pieces else beyond(expression, "this")
    return Split(source, intervals(sizes[source], range(1, sizes[source])))
