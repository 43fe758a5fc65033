r"""Comparisons that are false, or true, with probability 1: of a value with a density, for equality with one that it has nothing to do with.

Given everything else, a draw x of a law with a density has no value with a probability above 0, so that :math:`P(a x + r = 0) = 0` for
:math:`a \neq 0` and each r that does not depend on x (Fubini). What is left is a program in which the comparison is not computed, so that the
other side's values, of which there may be very many, need not be gone through. A program is asked at other values of its parameters later, so what is decided holds
in their whole domains: there the law is one with a density, and both sides have values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import pairwise

from seepage.algebra import NoAlgebra, alphabet_of
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.signs import Signs
from seepage.engines.wpe.tidying import is_total
from seepage.exact import ArithmeticFault, Number, compare
from seepage.semantics.binding import bound_arguments
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.statements import expressions_of, has_loops, may_write, walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import Domain as Allowed

_EQUALITIES = ("==", "!=")
_SIZES = (Allowed.POSITIVE, Allowed.NOT_NEGATIVE)


@dataclass(frozen=True, slots=True)
class _Form:
    """A sum of multiples of draws, and of a rest.

    Attributes:
        factors: by the place of a draw among the statements.
        rest: the names that the rest reads.
    """

    factors: Mapping[int, Fraction] = field(default_factory=dict)
    rest: frozenset[str] = frozenset()

    def plus(self, other: _Form, factor: Fraction) -> _Form:
        """Return this and a multiple of another one."""
        places = self.factors.keys() | other.factors.keys()
        sums = {at: self.factors.get(at, Fraction()) + factor * other.factors.get(at, Fraction()) for at in places}
        return _Form({at: one for at, one in sums.items() if one}, self.rest | other.rest)


def without_equalities(
    core: CoreProgram, parameters: Mapping[str, Number], domains: Mapping[str, Domain | None]
) -> CoreProgram:
    """Return a program that means the same but on runs of probability 0; loops must be settled, else it is the same.

    What is observed stays: an equality that is observed conditions on a density.

    Args:
        core: the program.
        parameters: values of them in their domains.
        domains: in which it means the same; None for all real numbers.
    """
    if has_loops(core) or not any(map(_compares, walk(core.statements))):
        return core
    surely = _Surely(parameters, {name: one for name, one in domains.items() if one is not None})
    draws = {at: one for at, one in enumerate(core.statements) if _has_density(one, surely)}
    if not draws:
        return core
    return replace(core, statements=_Deciding(core, draws).statements())


def decided_at(core: CoreProgram) -> dict[Span, bool]:
    """Return where conditions and values of a program have truth values, as :func:`without_equalities` leaves them."""
    expressions = map(_decidable, walk(core.statements))
    return {node.span: node.value for one in expressions for node in nodes(one) if isinstance(node, tree.Boolean)}


def _has_density(statement: CoreStatement, surely: _Surely) -> bool:
    """Tell whether a statement draws a plain variable from a law with a density that no variable has a part in."""
    match statement:
        case CoreSample(target=tree.Name(), distribution=tree.Family(name=name) as family):
            word = DISTRIBUTIONS.get(name)
            if word is None or word.kind != "continuous":
                return False
            named = dict(bound_arguments(family) or {})
            sizes = {each for one in word.parameters if one.domain in _SIZES for each in (one.name, *dict(one.aliases))}
            # A law without a size spreads between its numbers, which are ordered.
            ends = [] if sizes else [named[one.name] for one in word.parameters if one.name in named]
            return (
                bool(named)
                and all(surely.positive(one) if each in sizes else surely.known(one) for each, one in named.items())
                and all(surely.positive(_minus(last, first)) for first, last in pairwise(ends))
            )
        case _:
            return False


def _minus(last: Expression, first: Expression) -> Expression:
    return tree.Binary("-", last, first, last.span)


@dataclass(frozen=True, slots=True)
class _Surely:
    """What is true of expressions of parameters in their whole domains."""

    parameters: Mapping[str, Number]
    domains: Mapping[str, Domain]

    def known(self, value: Expression) -> bool:
        """Tell whether one has a value and reads nothing else."""
        names = tuple(plain_names(value))
        if any(name not in self.parameters for name in names):
            return False
        return is_total(value, frozenset()) or (not names and self._sign(value) is not None)

    def positive(self, value: Expression) -> bool:
        """Tell whether one has a value, and that is above 0: it is so at a point, and it has no root and no pole."""
        names = tuple(plain_names(value))
        if any(name not in self.parameters for name in names) or self._sign(value) != 1:
            return False
        try:
            alphabet = alphabet_of(names, (value,))
            quotient = alphabet.translate(value)
        except NoAlgebra:
            return not names
        if any(letter.kind == "other" and plain_names(letter.meaning) for letter in alphabet.letters):
            return False
        signs = Signs(alphabet, self.domains)
        factors = [factor for each in (quotient.numerator, quotient.denominator) for factor, _ in each.factor()[1]]
        return all(map(signs.never_zero, factors))

    def _sign(self, value: Expression) -> int | None:
        try:
            return compare(evaluate(value, self.parameters), 0)
        except (Fault, ArithmeticFault):
            return None


def _compares(statement: CoreStatement) -> bool:
    return any(isinstance(node, tree.Binary) and node.operator in _EQUALITIES for node in nodes(_decidable(statement)))


def _decidable(statement: CoreStatement) -> Expression:
    """Return the expression of a statement in which comparisons are decided; ``true`` where there is none."""
    match statement:
        case CoreAssign(value=value):
            return value
        case CoreIf(condition=condition):
            return condition
        case _:
            return tree.Boolean(True, statement.span)


class _Deciding:
    """One walk over a program; ``forms`` are those of variables so far."""

    def __init__(self, core: CoreProgram, draws: Mapping[int, CoreStatement]) -> None:
        self.core = core
        self.names = {at: next(iter(may_write(core, (one,)))) for at, one in draws.items()}
        self.forms: dict[str, _Form] = {}
        self.reached: dict[str, frozenset[str] | None] = {}

    def statements(self) -> tuple[CoreStatement, ...]:
        """Return the statements, decided comparisons replaced."""
        found: list[CoreStatement] = []
        for at, statement in enumerate(self.core.statements):
            form = self._form(statement.value) if isinstance(statement, CoreAssign) else None
            found.append(self._decided(statement))
            for name in may_write(self.core, (statement,)):
                self.forms.pop(name, None)
            if at in self.names:
                self.forms[self.names[at]] = _Form({at: Fraction(1)})
            elif form is not None and isinstance(statement, CoreAssign) and isinstance(statement.target, tree.Name):
                self.forms[statement.target.id] = form
        return tuple(found)

    def _decided(self, statement: CoreStatement) -> CoreStatement:
        match statement:
            case CoreAssign(value=value):
                return replace(statement, value=self._replaced(value))
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                condition = self._replaced(condition)
                for name in may_write(self.core, (statement,)):
                    self.forms.pop(name, None)
                one, other = (tuple(map(self._decided, arm)) for arm in (consequent, alternative))
                return CoreIf(condition, one, other, statement.span)
            case _:
                return statement

    def _replaced(self, expression: Expression) -> Expression:
        match expression:
            case tree.Binary(operator="==" | "!=" as operator, left=left, right=right, span=span):
                if not (is_total(left, frozenset()) and is_total(right, frozenset())):
                    return expression  # a side that may have no value is a fault
                if self._is_never_zero(self._form(left).plus(self._form(right), Fraction(-1))):
                    return tree.Boolean(operator == "!=", span)
                return expression
            case tree.Binary(left=left, right=right):
                return replace(expression, left=self._replaced(left), right=self._replaced(right))
            case tree.Unary(operand=operand):
                return replace(expression, operand=self._replaced(operand))
            case tree.Parenthesized(inner=inner):
                return replace(expression, inner=self._replaced(inner))
            case tree.Conditional(condition=condition, consequent=one, alternative=other, span=span):
                return tree.Conditional(self._replaced(condition), self._replaced(one), self._replaced(other), span)
            case _:
                return expression

    def _form(self, expression: Expression) -> _Form:
        match expression:
            case tree.Name(id=name):
                return self.forms.get(name, _Form(rest=frozenset({name})))
            case tree.Parenthesized(inner=inner):
                return self._form(inner)
            case tree.Unary(operator="-", operand=operand):
                return _Form().plus(self._form(operand), Fraction(-1))
            case tree.Binary(operator="+" | "-" as sign, left=left, right=right):
                return self._form(left).plus(self._form(right), Fraction(1 if sign == "+" else -1))
            case tree.Binary(operator="*", left=tree.Number(value=factor), right=other) if factor:
                return _Form().plus(self._form(other), factor)
            case tree.Binary(operator="*", left=other, right=tree.Number(value=factor)) if factor:
                return _Form().plus(self._form(other), factor)
            case tree.Binary(operator="/", left=other, right=tree.Number(value=divisor)) if divisor:
                return _Form().plus(self._form(other), 1 / divisor)
            case _:
                return _Form(rest=self.core.expanded(plain_names(expression)))

    def _is_never_zero(self, form: _Form) -> bool:
        """Tell whether some draw is in a form whose rest does not depend on it."""
        for at in form.factors:
            reached = self._reached(self.names[at])
            if reached is not None and not form.rest & reached:
                return True
        return False

    def _reached(self, name: str) -> frozenset[str] | None:
        """Return the variables that may depend on one, in whatever order; None where an equality of these is observed, which makes it depend on others."""
        if name not in self.reached:
            self.reached[name] = _dependent(self.core, name)
        return self.reached[name]


def _dependent(core: CoreProgram, name: str) -> frozenset[str] | None:
    found: set[str] = {name}
    size = 0
    while size != len(found):
        size = len(found)
        _add_readers(core, core.statements, found)
    observed = [each.condition for each in walk(core.statements) if isinstance(each, CoreObserve)]
    for condition in observed:
        equal = any(isinstance(node, tree.Binary) and node.operator in _EQUALITIES for node in nodes(condition))
        if equal and core.expanded(plain_names(condition)) & found:
            return None
    return frozenset(found)


def _add_readers(core: CoreProgram, statements: Sequence[CoreStatement], found: set[str]) -> None:
    """Add what statements write that read one of some names, themselves or by a condition around them."""
    for statement in statements:
        if isinstance(statement, CoreIf):
            if _reads(core, (statement.condition,), found):
                found |= may_write(core, (statement,))
            _add_readers(core, (*statement.consequent, *statement.alternative), found)
        elif isinstance(statement, CoreAssign | CoreSample) and _reads(core, expressions_of(statement), found):
            found |= may_write(core, (statement,))


def _reads(core: CoreProgram, expressions: Iterable[Expression], names: set[str]) -> bool:
    return any(not names.isdisjoint(core.expanded(plain_names(one))) for one in expressions)
