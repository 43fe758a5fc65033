"""Formula trees as objects of SymPy, node by node: no text is parsed. The one door to SymPy, which is loaded only where such an object is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, assert_never

import sympy

from seepage.data_classes import dataclass
from seepage.exact import compare
from seepage.measures.formulas.condition import Condition, Relation
from seepage.measures.formulas.ends import node_of
from seepage.measures.formulas.tree import (
    Applied,
    Definition,
    Euler,
    Logarithm,
    Node,
    Numeral,
    Pi,
    Power,
    Product,
    Ratio,
    Root,
    Sum,
    Symbol,
    Verbatim,
)
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import spelled
from seepage.syntax import tree
from seepage.wishes import Wished

Expr = Any  # SymPy tells no types

_RELATIONS: Mapping[str, Callable[[Expr, Expr], Expr]] = {
    "=": sympy.Eq, "≠": sympy.Ne, "<": sympy.Lt, "≤": sympy.Le, ">": sympy.Gt, "≥": sympy.Ge,
    "==": sympy.Eq, "!=": sympy.Ne, "<=": sympy.Le, ">=": sympy.Ge,
}  # fmt: skip
_ARITHMETIC: Mapping[str, Callable[[Expr, Expr], Expr]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "^": lambda left, right: left**right,
}
_FUNCTIONS: Mapping[str, Callable[..., Expr]] = {
    "exp": sympy.exp, "log": sympy.log, "sqrt": sympy.sqrt, "abs": sympy.Abs, "floor": sympy.floor, "ceil": sympy.ceiling,
    "min": sympy.Min, "max": sympy.Max,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SymbolicFormula(Wished):
    """A formula as objects of SymPy.

    Attributes:
        expression: the formula in the parameters, with everything put in that it names: differentiate it, expand it, ``lambdify`` it.
        condition: a Boolean of SymPy: where the expression has the value of the measure. It says the domains of the parameters, the side
            conditions, and that no logarithm is taken of 0, where the formula reads 0·log 0 as 0.
        symbols: each parameter of the formula by its name, in the order of the alphabet; they know whether their domains have a sign.
        short: the formula as it is printed, in the names of ``replacements``.
        replacements: what those names mean, each in those before it, as :func:`sympy.cse` returns them.
    """

    expression: Expr
    condition: Expr
    symbols: Mapping[str, Expr]
    short: Expr
    replacements: tuple[tuple[Expr, Expr], ...]

    def __repr__(self) -> str:
        """Return the expression, as SymPy writes it."""
        return f"<SymbolicFormula {self.expression}>"

    def _sympy_(self) -> Expr:
        """Return the expression, for functions of SymPy that are given the formula."""
        return self.expression


def symbolic(
    node: Node, definitions: Sequence[Definition], conditions: Sequence[Condition], domains: Mapping[str, Domain | None]
) -> SymbolicFormula:
    """Return a formula as objects of SymPy.

    Args:
        node: the formula.
        definitions: of its names, each in those before it.
        conditions: its side conditions, in the parameters.
        domains: of the parameters; None, or a name that is not there, for all real numbers.

    Raises:
        ValueError: if the formula holds something of the program that SymPy has no word for.
    """
    writing = _Writing(domains)
    replacements: list[tuple[Expr, Expr]] = []
    for each in definitions:
        match each.head:
            case Symbol(name=name):
                body = writing.of(each.body)
                writing.symbols[name] = sympy.Symbol(name, real=True)
                replacements.append((writing.symbols[name], body))
            case Applied(function=function, argument=Symbol(name=name)):
                argument = sympy.Dummy(name, real=True)
                inner = _Writing(domains, {**writing.symbols, name: argument}, writing.functions)
                writing.functions[function] = argument, inner.of(each.body)
                writing.symbols = {**inner.symbols, **writing.symbols}
                if writing.symbols[name] is argument:
                    del writing.symbols[name]
            case _:
                raise AssertionError("a definition of what is neither a name nor a function of a name")
    short = writing.of(node)
    whole = _put_in(short, replacements)
    stated = [_put_in(writing.relation(one), replacements) for each in conditions for one in each.relations]
    if not all(each.relations for each in conditions):  # a convention on logarithms of 0
        stated += _arguments_differ_from_zero(whole)
    free = sorted(
        name for name, symbol in writing.symbols.items() if any(part.has(symbol) for part in (whole, *stated))
    )
    inside = [one for name in free for one in _within(writing.symbols[name], domains.get(name), writing)]
    symbols = {name: writing.symbols[name] for name in free}
    return SymbolicFormula(whole, sympy.And(*inside, *stated), symbols, short, tuple(replacements))


def _put_in(expression: Expr, replacements: Sequence[tuple[Expr, Expr]]) -> Expr:
    for name, meaning in reversed(replacements):
        expression = expression.xreplace({name: meaning})
    return expression


def _arguments_differ_from_zero(expression: Expr) -> Iterator[Expr]:
    for logarithm in sorted(expression.atoms(sympy.log), key=str):
        for part in logarithm.args[0].as_numer_denom():
            yield sympy.Ne(part, 0)


def _within(symbol: Expr, domain: Domain | None, writing: _Writing) -> Iterator[Expr]:
    if domain is not None and domain.low is not None:
        low = writing.of(node_of(domain.low))
        yield symbol >= low if domain.low_closed else symbol > low
    if domain is not None and domain.high is not None:
        high = writing.of(node_of(domain.high))
        yield symbol <= high if domain.high_closed else symbol < high


def _symbol(name: str, domain: Domain | None) -> Expr:
    """Return a parameter, with the sign that its domain gives it."""
    if domain is not None and domain.low is not None and compare(domain.low, 0) >= 0:
        strict = compare(domain.low, 0) > 0 or not domain.low_closed
        return sympy.Symbol(name, positive=True) if strict else sympy.Symbol(name, nonnegative=True)
    if domain is not None and domain.high is not None and compare(domain.high, 0) <= 0:
        strict = compare(domain.high, 0) < 0 or not domain.high_closed
        return sympy.Symbol(name, negative=True) if strict else sympy.Symbol(name, nonpositive=True)
    return sympy.Symbol(name, real=True)


@dataclass(slots=True)
class _Writing:
    """Names and functions that are known so far; parameters become symbols when they are met."""

    domains: Mapping[str, Domain | None]
    symbols: dict[str, Expr] = field(default_factory=dict)
    functions: dict[str, tuple[Expr, Expr]] = field(default_factory=dict)

    def of(self, node: Node) -> Expr:
        """Return a tree."""
        match node:
            case Numeral(value=value):
                return sympy.Rational(value.numerator, value.denominator)
            case Symbol(name=name):
                return self._named(name)
            case Euler():
                return sympy.E
            case Pi():
                return sympy.pi
            case Verbatim(meaning=meaning):
                return self._expression(meaning)
            case Sum(terms=terms):
                return sympy.Add(*(-self.of(term) if negative else self.of(term) for negative, term in terms))
            case Product(factors=factors):
                return sympy.Mul(*map(self.of, factors))
            case Ratio(top=top, bottom=bottom):
                return self.of(top) / self.of(bottom)
            case Power(base=base, exponent=exponent):
                return self.of(base) ** self.of(exponent)
            case Root(argument=argument):
                return sympy.sqrt(self.of(argument))
            case Logarithm(argument=argument, unit=unit):
                natural = sympy.log(self.of(argument))
                return natural / sympy.log(2) if unit == "bits" else natural
            case Applied(function=function, argument=argument):
                name, body = self.functions[function]
                return body.xreplace({name: self.of(argument)})
            case _:
                assert_never(node)

    def relation(self, relation: Relation) -> Expr:
        """Return what a condition states."""
        left, sign, right = relation
        return _RELATIONS[sign](self.of(left), self.of(right))

    def _named(self, name: str) -> Expr:
        if name not in self.symbols:
            self.symbols[name] = _symbol(name, self.domains.get(name))
        return self.symbols[name]

    def _expression(self, expression: tree.Expression) -> Expr:
        """Return an expression of the program."""
        of = self._expression
        match expression:
            case tree.Number(value=value):
                return sympy.Rational(value.numerator, value.denominator)
            case tree.Boolean(value=flag):
                return sympy.Integer(int(flag))
            case tree.Name(id=name):
                return self._named(name)
            case tree.Parenthesized(inner=inner):
                return of(inner)
            case tree.Unary(operator="-", operand=operand):
                return -of(operand)
            case tree.Binary(operator=operator, left=left, right=right) if operator in _ARITHMETIC:
                return _ARITHMETIC[operator](of(left), of(right))
            case tree.Call(function=function, arguments=arguments) if function in _FUNCTIONS:
                return _FUNCTIONS[function](*map(of, arguments))
            case tree.Conditional(condition=condition, consequent=consequent, alternative=alternative):
                return sympy.Piecewise((of(consequent), self._decision(condition)), (of(alternative), True))
            case _:
                raise ValueError(f"found '{spelled(expression)}' in the formula, for which there is no object of SymPy")

    def _decision(self, expression: tree.Expression) -> Expr:
        """Return a comparison, or one that is made of several."""
        match expression:
            case tree.Parenthesized(inner=inner):
                return self._decision(inner)
            case tree.Unary(operator="not" | "!", operand=operand):
                return sympy.Not(self._decision(operand))
            case tree.Binary(operator="and" | "or" as operator, left=left, right=right):
                return (sympy.And if operator == "and" else sympy.Or)(self._decision(left), self._decision(right))
            case tree.Binary(operator=operator, left=left, right=right) if operator in _RELATIONS:
                return _RELATIONS[operator](self._expression(left), self._expression(right))
            case _:
                return sympy.Ne(self._expression(expression), 0)
