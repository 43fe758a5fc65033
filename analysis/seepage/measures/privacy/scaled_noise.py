"""Noise that is multiplied by what parameters decide, as noise of another scale.

A draw from a normal or a Laplace law times a number is a draw from a law of the same kind, whose scale is multiplied by it. So ``s + w*n`` is s behind
noise of the scale of ``w*n``; and ``w*s + n``, which is w times ``s + n/w``, tells what that tells, since an output is as good as a one-to-one function
of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage.algebra import NoAlgebra, alphabet_of, times
from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.engines.signs import Signs
from seepage.laws.table import SPREADS
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import bottom_up, nodes, plain_names, without_parentheses
from seepage.semantics.statements import expressions_of, may_write, walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Family, Index, Name

_NOWHERE = Span(0, 0)
_ONE = tree.Number(Fraction(1), _NOWHERE)


def with_scaled_noise(
    core: CoreProgram, outputs: Sequence[str], others: Collection[str], domains: Mapping[str, Domain]
) -> CoreProgram:
    """Return a program whose outputs are one-to-one functions of those of another, with no parameter beside its noise where that can be.

    Args:
        core: the program, with variables by their own names.
        outputs: variables that are asked for, of which one-to-one functions will do.
        others: variables that are asked for and stay what they are.
        domains: of the parameters; what their signs are not known on the whole of stays.
    """
    reading = _Reading(core, frozenset((*outputs, *others)), domains)
    for name in outputs:
        if name not in others:
            reading.divide(name)
    return reading.absorbed()


@dataclass(slots=True)
class _Reading:
    core: CoreProgram
    asked: Collection[str]
    domains: Mapping[str, Domain]

    def divide(self, output: str) -> None:
        """Divide what an output is assigned by a number that is a factor of all its terms but noise."""
        statement = next((each for each in self._lone_assignments() if each.target == Name(output, _NOWHERE)), None)
        if statement is None or self._reads()[output]:
            return
        noise = self._lone_noise()
        terms = [(sign, term, self._is_noise(term, noise)) for sign, term in _terms(statement.value)]
        place = next((term for _, term, is_noise in terms if not is_noise), None)
        for factor in () if place is None else _factors(place):
            if not self._is_number(factor) or self._sign(factor, strict=True) == 0:
                continue
            quotients = [(sign, _quotient(term, factor, is_noise=is_noise)) for sign, term, is_noise in terms]
            if all(each is not None for _, each in quotients):
                value = _total((sign, each) for sign, each in quotients if each is not None)
                self._put(statement, replace(statement, value=value))
                return

    def absorbed(self) -> CoreProgram:
        """Return the program in which draws that one product alone reads have the law of that product."""
        for statement in self._lone_assignments():
            value = statement.value
            while products := list(self._multiples(value)):
                for product, draw, law in products:
                    self._put(draw, replace(draw, distribution=law))
                    value = _replaced(value, product, draw.target)
            if value is not statement.value:
                self._put(statement, replace(statement, value=value))
        return self.core

    def _multiples(self, value: Expression) -> Iterator[tuple[Expression, CoreSample, Family]]:
        """Yield the products in a value that are multiples of draws, with the draws and the laws of the products."""
        noise = self._lone_noise()
        pairs: tuple[tuple[Expression, Expression], ...]
        for product in nodes(value):
            match product:
                case Binary(operator="*", left=left, right=right):
                    pairs = ((left, right), (right, left))
                case Binary(operator="/", left=left, right=right):
                    pairs = ((_over(_ONE, right), left),)
                case _:
                    continue
            for factor, other in pairs:
                drawn = without_parentheses(other)
                draw = noise.get(drawn.id) if isinstance(drawn, Name) else None
                if draw is None or not isinstance(law := draw.distribution, Family) or not self._is_number(factor):
                    continue
                if sign := self._sign(factor, strict=False):
                    yield product, draw, _multiplied(law, factor, sign)

    def _is_noise(self, term: Expression, noise: Mapping[str, CoreSample]) -> bool:
        """Tell whether a term is a draw times a number."""
        drawn = [name for name in plain_names(term) if name not in self.core.parameters]
        named = [each.id for each in _factors(term) if isinstance(each, Name)]
        return len(drawn) == 1 and drawn[0] in noise and drawn[0] in named

    def _is_number(self, expression: Expression) -> bool:
        """Tell whether parameters alone decide a value, and some do."""
        names = tuple(plain_names(expression))
        return bool(names) and all(name in self.core.parameters for name in names)

    def _sign(self, expression: Expression, *, strict: bool) -> int:
        """Return 1 or −1 where that is the sign of an expression on the whole domains, or if not ``strict`` it is 0; else 0."""
        try:
            alphabet = alphabet_of(self.core.parameters, [expression])
            value = alphabet.translate(expression)
        except NoAlgebra:
            return 0
        signs = Signs(alphabet, self.domains)
        vanishing = (value.numerator, value.denominator) if strict else (value.denominator,)
        if not all(signs.never_zero(part) for each in vanishing for part, _ in each.factor()[1]):
            return 0
        return next((sign for sign in (1, -1) if signs.never_negative(times(alphabet.number(sign), value))), 0)

    def _lone_noise(self) -> dict[str, CoreSample]:
        """Return the draws from laws that have a scale, whose values are read once, and not asked for."""
        reads = self._reads()
        written = self._writes()
        return {
            target.id: statement
            for statement in self.core.statements
            if isinstance(statement, CoreSample)
            and isinstance(target := statement.target, Name)
            and isinstance(law := statement.distribution, Family)
            and law.name in SPREADS
            and SPREADS[law.name].powers
            and reads[target.id] == written[target.id] == 1
            and target.id not in self.asked
        }

    def _lone_assignments(self) -> list[CoreAssign]:
        written = self._writes()
        return [
            each
            for each in self.core.statements
            if isinstance(each, CoreAssign) and isinstance(each.target, Name) and written[each.target.id] == 1
        ]

    def _writes(self) -> Counter[str]:
        """Return in how many statements each variable may be written, a branch being one."""
        return Counter(name for each in self.core.statements for name in set(may_write(self.core, (each,))))

    def _reads(self) -> Counter[str]:
        """Return how often each variable is read in the text of the program, by a random index, too."""
        counts: Counter[str] = Counter()
        for statement in walk(self.core.statements):
            for expression in expressions_of(statement):
                for node in nodes(expression):
                    if isinstance(node, Name):
                        counts[node.id] += 1
                    elif isinstance(node, Index):
                        counts.update(f"{node.array}[{number}]" for number in self.core.arrays.get(node.array, ()))
        return counts

    def _put(self, old: CoreStatement, new: CoreStatement) -> None:
        self.core = replace(self.core, statements=tuple(new if each is old else each for each in self.core.statements))


def _over(top: Expression, bottom: Expression) -> Expression:
    return Binary("/", top, bottom, _NOWHERE)


def _multiplied(law: Family, factor: Expression, sign: int) -> Family:
    """Return the law of a draw times a number whose sign is known; all of these laws lie evenly around their centres."""
    size = factor if sign > 0 else tree.Unary("-", factor, _NOWHERE)
    arguments: list[tree.Argument] = []
    for name, value in bind(law).named.items():
        power = SPREADS[law.name].powers.get(name)
        by = factor if power is None else _times(*(size,) * power)
        arguments.append(tree.Argument(name, _times(by, without_parentheses(value)), _NOWHERE))
    return replace(law, arguments=tuple(arguments))


def _times(first: Expression, *others: Expression) -> Expression:
    """Return a product, simplified where factors are 0 or 1."""
    total = first
    for each in others:
        match each:
            case tree.Number(value=0):
                total = each
            case tree.Number(value=1):
                pass
            case _:
                total = Binary("*", total, each, _NOWHERE)
    return total


def _terms(value: Expression) -> list[tuple[int, Expression]]:
    """Return the signs and the terms of a sum."""
    found: list[tuple[int, Expression]] = []
    waiting = [(1, value)]
    while waiting:
        sign, part = waiting.pop()
        match part:
            case tree.Parenthesized(inner=inner):
                waiting.append((sign, inner))
            case tree.Unary(operator="-", operand=operand):
                waiting.append((-sign, operand))
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                waiting += [(sign if operator == "+" else -sign, right), (sign, left)]
            case _:
                found.append((sign, part))
    return found


def _factors(term: Expression) -> list[Expression]:
    """Return the factors of a product; what it is divided by is left aside."""
    found: list[Expression] = []
    waiting = [term]
    while waiting:
        match waiting.pop():
            case tree.Parenthesized(inner=inner):
                waiting.append(inner)
            case Binary(operator="*", left=left, right=right):
                waiting += [right, left]
            case Binary(operator="/", left=left):
                waiting.append(left)
            case part:
                found.append(part)
    return found


def _quotient(term: Expression, factor: Expression, *, is_noise: bool) -> Expression | None:
    """Return a term divided by a number; None of one that is no noise and does not have it as a factor."""
    own = next((each for each in _factors(term) if each == factor), None)
    if own is not None:
        return _replaced(term, own, _ONE)
    return _over(term, factor) if is_noise else None


def _replaced(expression: Expression, old: Expression, new: Expression) -> Expression:
    """Return an expression with one part of it, this one and none that is equal, replaced."""

    def visit(node: Expression, parts: list[Expression]) -> Expression:
        if node is old:
            return new
        match node:
            case tree.Parenthesized():
                return replace(node, inner=parts[0])
            case tree.Unary():
                return replace(node, operand=parts[0])
            case Binary():
                return replace(node, left=parts[0], right=parts[1])
            case tree.Call():
                return replace(node, arguments=tuple(parts))
            case tree.Conditional():
                return replace(node, condition=parts[0], consequent=parts[1], alternative=parts[2])
            case _:
                return node

    return bottom_up(expression, visit)


def _total(terms: Iterable[tuple[int, Expression]]) -> Expression:
    total: Expression = tree.Number(Fraction(0), _NOWHERE)
    for sign, term in terms:
        total = Binary("+" if sign > 0 else "-", total, term, _NOWHERE)
    return total
