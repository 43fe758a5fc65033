r"""Weights as polynomials over the rationals in the parameters and in *atoms*.

An atom is a parameter expression of the program that is no polynomial itself, as ``exp(eps) / (exp(eps) + 1)``: it is kept as
one indeterminate and never expanded, so that counting a hundred respondents is convolution of polynomials in p and t. Only where such an
expression reads variables, and is another one in each state, it is taken apart: ``exp(eps*s/2) / t`` is a power of ``exp(eps/2)`` times
the inverse of a polynomial. What an atom means stands in :attr:`Polynomials.atoms`. Two atoms may depend on each other (``exp(eps)`` and ``exp(-eps)``); a
weight that is not the zero polynomial may therefore be zero in truth, never the other way round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from seepage.algebra import Monomial, exponent_of, exponential_of
from seepage.distributions.arguments import bind
from seepage.exact import ArithmeticFault, Number, compare, enclose, precision, to_fraction
from seepage.laws.discrete import FiniteLaw
from seepage.laws.table import DISCRETE_LAWS
from seepage.semantics.core import CoreProgram, CoreSample
from seepage.semantics.evaluate import evaluate, spelled
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.signatures import ENDLESS
from seepage.semantics.statements import expressions_of, walk
from seepage.semantics.substitute import is_closed, substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression
from seepage.word import Domain

Polynomial: TypeAlias = fmpq_mpoly

_ATOMS = 8  # indeterminates beside the parameters; packed exponents make more of them slow
_TERMS = 150  # of one polynomial; a formula that people read has a dozen
_DEGREE = 64
_NOWHERE = Span(0, 0)


class NoPolynomial(Exception):
    """The weights are no polynomials of bearable size in the parameters; the reason is for people."""


class Polynomials:
    """The ring of polynomials in the parameters of a program and in the atoms that turn up.

    Attributes:
        parameters: names, the first generators.
        atoms: what the further generators stand for, in order; grows as expressions are met.
        probabilities: the expressions of parameters alone that were taken as probabilities and are not proved to be such, each once; of numbers
            only what is none.
    """

    def __init__(self, parameters: Sequence[str], proved: Collection[Expression] = frozenset()) -> None:
        self.parameters = tuple(parameters)
        self._proved = proved
        self.atoms: list[Expression] = []
        self.probabilities: dict[Expression, None] = {}
        names = [f"p{i}" for i in range(len(self.parameters))] + [f"a{i}" for i in range(_ATOMS)]
        self.context = fmpq_mpoly_ctx.get(names)
        self.zero: Polynomial = self.context.constant(0)
        self.one: Polynomial = self.context.constant(1)
        self._known: dict[tuple[int, tuple[Number, ...]], tuple[Expression, Polynomial]] = {}
        self._inverses: dict[str, Polynomial] = {}  # by what they are the inverses of

    def add(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a + b.

        Raises:
            NoPolynomial: if it has too many terms.
        """
        return _bounded(a + b)

    def multiply(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a · b.

        Raises:
            NoPolynomial: if it has too many terms.
        """
        if len(a) * len(b) > 100 * _TERMS:
            raise NoPolynomial("the weights have too many terms")
        return _bounded(a * b)

    def complement(self, a: Polynomial) -> Polynomial:
        """Return 1 − a."""
        return 1 - a

    def rational(self, numerator: int, denominator: int = 1) -> Polynomial:
        """Return a rational number."""
        return self.context.constant(fmpq(numerator, denominator))

    def is_zero(self, a: Polynomial) -> bool:
        """Tell whether ``a`` is the zero polynomial."""
        return a.is_zero()

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Polynomial]:
        """Raise, since the probabilities of an infinite support are no polynomials of bearable size.

        Raises:
            NoPolynomial: always.
        """
        raise NoPolynomial("the probabilities of an infinite support are no polynomials")

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Polynomial:
        """Return a probability in a state as a polynomial; free names are parameters. Its range is not checked.

        Raises:
            Fault: if a part without parameters is undefined.
            NoPolynomial: if a parameter decides a comparison, an irrational value enters, or there are too many atoms.
        """
        names = dict.fromkeys(name for name in plain_names(expression) if name not in self.parameters)
        key = (id(expression), tuple(state.get(name, 0) for name in names))
        if key not in self._known:
            values = {name: _literal(name, state.get(name, 0), expression.span) for name in names}
            # The expression is kept beside its polynomial, so that its id stays its own.
            closed = substitute(expression, values, {})
            apart = bool(names) and _varies(expression, self.parameters)
            self._known[key] = (expression, self._polynomial(closed, apart=apart))
            known = closed in self._proved or (is_closed(closed) and _is_probability(evaluate(closed, {})))
            if not known:
                self.probabilities[closed] = None
        return self._known[key][1]

    def of(self, expression: Expression) -> Polynomial:
        """Return an expression of parameters alone as a polynomial.

        Raises:
            Fault: if a part without parameters is undefined.
            NoPolynomial: if a parameter decides a comparison, or there are too many atoms.
        """
        return self._polynomial(expression)

    def atom(self, expression: Expression) -> Polynomial:
        """Return an expression of parameters alone as one indeterminate, a number if it is rational.

        Raises:
            NoPolynomial: if there are too many atoms.
        """
        return self._polynomial(expression) if is_closed(expression) else self._atom(expression)

    def _polynomial(self, expression: Expression, *, apart: bool = False) -> Polynomial:
        """Return an expression as a polynomial; ``apart`` tells whether exponentials and quotients are taken apart."""
        if is_closed(expression):
            value = to_fraction(evaluate(expression, {}))
            if value is None:
                return self._atom(expression)
            return self.context.constant(fmpq(value.numerator, value.denominator))
        match expression:
            case tree.Name(id=name) if name in self.parameters:
                return self.context.gen(self.parameters.index(name))
            case tree.Unary(operator="-", operand=operand):
                return -self._polynomial(operand, apart=apart)
            case tree.Binary(operator="+", left=left, right=right):
                return self._polynomial(left, apart=apart) + self._polynomial(right, apart=apart)
            case tree.Binary(operator="-", left=left, right=right):
                return self._polynomial(left, apart=apart) - self._polynomial(right, apart=apart)
            case tree.Binary(operator="*", left=left, right=right):
                return self.multiply(self._polynomial(left, apart=apart), self._polynomial(right, apart=apart))
            case tree.Binary(operator="/", left=left, right=tree.Number(value=value)) if value:
                return self._polynomial(left, apart=apart) * (1 / fmpq(value.numerator, value.denominator))
            case tree.Binary(operator="^", left=left, right=tree.Number(value=value)) if (
                value.denominator == 1 and 0 <= value <= _DEGREE
            ):
                return _bounded(self._polynomial(left, apart=apart) ** int(value))
            case tree.Binary(operator="/", left=left, right=right) if apart:
                return self.multiply(self._polynomial(left, apart=True), self._inverse(right))
            case tree.Call(function="exp") if apart and (form := exponent_of(expression)) is not None:
                return self._exponential(form)
            case tree.Binary(operator="/" | "^") | tree.Call():
                return self._atom(expression)
            case _:
                raise NoPolynomial(f"'{spelled(expression)}' is no arithmetic of the parameters")

    def _inverse(self, expression: Expression) -> Polynomial:
        """Return ``1 / expression``, the same atom for all expressions that are one polynomial."""
        below = self._polynomial(expression, apart=True)
        if below.is_constant() and not below.is_zero():
            return self.context.constant(1 / below.coefficient(0))
        key = str(below)
        if key not in self._inverses:
            one = tree.Number(Fraction(1), _NOWHERE)
            self._inverses[key] = self._atom(tree.Binary("/", one, expression, _NOWHERE))
        return self._inverses[key]

    def _exponential(self, form: Mapping[Monomial, Fraction]) -> Polynomial:
        """Return the exponential of a polynomial of parameters: for each of its monomials m, a power of ``exp(m/k)`` or of ``exp(-m/k)``."""
        product = self.one
        for monomial, rate in form.items():
            power = abs(rate.numerator)
            if power > _DEGREE:
                raise NoPolynomial("the weights have exponents that are too far apart")
            product = self.multiply(product, self._atom(exponential_of(monomial, rate / power)) ** power)
        return product

    def _atom(self, expression: Expression) -> Polynomial:
        if expression not in self.atoms:
            if len(self.atoms) == _ATOMS:
                raise NoPolynomial(f"more than {_ATOMS} different expressions of the parameters")
            self.atoms.append(expression)
        return self.context.gen(len(self.parameters) + self.atoms.index(expression))

    def values_at(self, point: Mapping[str, Number]) -> list[Number]:
        """Return the exact values of all generators at a choice of the parameters.

        Raises:
            Fault: if an atom is undefined there.
        """
        atoms = [evaluate(atom, point) for atom in self.atoms]
        return [*(point[name] for name in self.parameters), *atoms, *([0] * (_ATOMS - len(atoms)))]

    def enclose(self, polynomial: Polynomial, values: Sequence[Number], bits: int) -> arb:
        """Return an enclosure of a polynomial at the values of its generators (of :meth:`values_at`)."""
        with precision(bits):
            balls = [enclose(value, bits) for value in values]
            total = arb(0)
            for exponents, coefficient in polynomial.terms():
                term = arb(coefficient)
                for ball, exponent in zip(balls, exponents, strict=True):
                    if exponent:
                        term *= ball ** int(exponent)
                total += term
            return total


def polynomials(core: CoreProgram, known: Iterable[str] = ()) -> Polynomials:
    """Return the ring in which a (sliced) program's weights are polynomials in its parameters, all but the ``known`` ones.

    Raises:
        NoPolynomial: if a parameter enters a value, a guard, an index or a number of trials: only probabilities may hold one.
    """
    kept = tuple(name for name in core.parameters if name not in set(known))
    need_probabilities(core, kept)
    return Polynomials(kept, core.proved)


def need_probabilities(core: CoreProgram, kept: Collection[str]) -> None:
    """Raise :class:`NoPolynomial` if a parameter enters a (sliced) program elsewhere than in probabilities."""
    for name, expression in entering(core):
        if name in kept:
            if (law := _endless(core, expression)) is not None:
                raise NoPolynomial(
                    f"the parameter '{name}' is one of '{law}', whose infinitely many values are not followed yet"
                )
            where = spelled(expression)
            inside = "" if where == name else f"in '{where}' "
            raise NoPolynomial(f"the parameter '{name}' stands {inside}for more than a probability")


def _endless(core: CoreProgram, expression: Expression) -> str | None:
    """Return the name of the law without an end of whose arguments an expression is, None for any other expression."""
    drawn = (statement.distribution for statement in walk(core.statements) if isinstance(statement, CoreSample))
    laws = (law for law in drawn if isinstance(law, tree.Family) and law.name in ENDLESS)
    return next((law.name for law in laws if any(each.value is expression for each in law.arguments)), None)


def entering(core: CoreProgram) -> Iterator[tuple[str, Expression]]:
    """Yield each parameter that a value, a guard, an index, a number of trials or a comparison holds, with that expression.

    What is left are probabilities that are arithmetic of parameters and of the state.
    """
    unknown = frozenset(core.parameters)
    for statement in walk(core.statements):
        if isinstance(statement, CoreSample):
            expressions = _decided(statement.distribution)
            if isinstance(statement.target, tree.Index):
                yield from _held(statement.target.index, unknown)
        else:
            expressions = expressions_of(statement)
        for expression in expressions:
            yield from _held(expression, unknown)


def _is_probability(value: Number) -> bool:
    """Tell whether a number is known to lie between 0 and 1."""
    try:
        return compare(0, value) <= 0 <= compare(1, value)
    except ArithmeticFault:
        return False


def _held(expression: Expression, unknown: frozenset[str]) -> Iterator[tuple[str, Expression]]:
    yield from ((name, expression) for name in dict.fromkeys(plain_names(expression)) if name in unknown)


def _varies(expression: Expression, parameters: Sequence[str]) -> bool:
    """Tell whether an exponential or a quotient of an expression reads both variables and parameters, and so is another one in each state."""
    for node in nodes(expression):
        match node:
            case tree.Binary(operator="/", left=left, right=right) if not isinstance(right, tree.Number):
                read = {*plain_names(left), *plain_names(right)}
            case tree.Call(function="exp", arguments=(argument,)):
                read = set(plain_names(argument))
            case _:
                continue
        if any(name in parameters for name in read) and any(name not in parameters for name in read):
            return True
    return False


def _literal(name: str, value: Number, span: Span) -> Expression:
    fraction = to_fraction(value)
    if fraction is None:
        raise NoPolynomial(f"the irrational value of '{name}' enters a probability")
    return tree.Number(fraction, span)


def _bounded(polynomial: Polynomial) -> Polynomial:
    if len(polynomial) > _TERMS:
        raise NoPolynomial("the weights have too many terms")
    return polynomial


def _decided(distribution: Distribution) -> Iterator[Expression]:
    """Yield the parts of a distribution that must be known for its values and its course to be known."""
    match distribution:
        case tree.Table(entries=entries):
            yield from (value for value, _ in entries)
            for _, weight in entries:
                yield from _deciding(weight)
        case tree.Mixture(parts=parts):
            for weight, part in parts:
                yield from _deciding(weight)
                yield from _decided(part)
        case tree.Family(name=name):
            bound, law = bind(distribution), DISCRETE_LAWS.get(name)
            parameters = law.word.parameters if isinstance(law, FiniteLaw) else ()
            chances = {one.name for one in parameters if one.domain is Domain.PROBABILITY}
            repeated = bool(parameters) and parameters[0].name in chances
            given = [(name in chances, value) for name, value in bound.named.items()]
            for is_chance, value in (*given, *((repeated, each) for each in bound.repeated)):
                yield from _deciding(value) if is_chance else (value,)


def _deciding(probability: Expression) -> Iterator[Expression]:
    """Yield the comparisons, conditions and indices in a probability."""
    for node in nodes(probability):
        match node:
            case tree.Conditional(condition=condition):
                yield condition
            case tree.Index(index=index):
                yield index
            case tree.Binary(operator=operator) if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                yield node
            case _:
                pass
