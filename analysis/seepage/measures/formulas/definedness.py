"""What must hold of the parameters for the probabilities of a program to be defined and to lie between 0 and 1.

Formulas of the parameters do not show it: ``x ~ flip(2*p)`` gives P(x) = 2·p, which holds up to p = 1/2 only. What is proved on the
whole domains is not stated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from typing import Literal, TypeAlias

from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, minus
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.signs import EVERYWHERE, Signs, root_of
from seepage.exact import ArithmeticFault, Number, enclose, number, precision
from seepage.laws.table import SPREADS
from seepage.measures.formulas.condition import Condition, Sign, relating
from seepage.measures.formulas.condition import Relation as Stated
from seepage.measures.formulas.conditions import conditions_for
from seepage.measures.formulas.ends import relation as spelled
from seepage.measures.formulas.notation import Notation, value_of
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import ONE, ZERO
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate
from seepage.semantics.substitute import is_closed
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Relation: TypeAlias = Literal[">", "≥", "≠"]

_BITS = 1024  # parameters may lie close to where a demand fails
_ANY_ARGUMENT = frozenset(["abs", "floor", "ceil", "exp", "min", "max"])


@dataclass(slots=True)
class Demands:
    """Conditions under construction; a bound on one parameter narrows its domain for all that follows.

    Attributes:
        parameters: names.
        domains: of the parameters, as far as the conditions so far leave them.
        point: values of the parameters at which everything holds, which settle how signs are written.
        stated: the conditions, in order.
        demanded: what they were stated for, whether that is proved on the domains or not.
    """

    parameters: Sequence[str]
    domains: dict[str, Domain]
    point: Mapping[str, Number]
    stated: dict[Condition, None] = field(default_factory=dict)
    demanded: list[tuple[Alphabet, Quotient, Relation]] = field(default_factory=list)

    def hold_at(self, point: Mapping[str, Number]) -> bool:
        """Tell whether all that was demanded holds at values of all parameters; where balls do not tell, ``≥`` holds and nothing else does.

        A formula may not hold where the number beside it has a meaning: no run gets to what it demands there.
        """
        try:
            with precision(_BITS):
                return all(_holds(value, relation, alphabet, point) for alphabet, value, relation in self.demanded)
        except (Fault, ArithmeticFault):
            return False

    def probabilities(self, expressions: Iterable[Expression]) -> None:
        """Demand that expressions of the parameters are defined and between 0 and 1.

        Raises:
            NoAlgebra: if that cannot be said in the notation of formulas, or a number is none: no run gets there at some values of the
                parameters, others do.
        """
        for expression in expressions:
            if is_closed(expression):
                raise NoAlgebra("a probability outside of [0, 1] that no run has at some values of the parameters")
            self.has_value(expression)
            alphabet, value = self._translated(expression)
            self._between(value, alphabet)

    def positive(self, expression: Expression) -> None:
        """Demand that an expression of the parameters is defined and more than 0; raises as :meth:`probabilities`."""
        self._defined(expression, ">")

    def not_negative(self, expression: Expression) -> None:
        """Demand that an expression of the parameters is defined and at least 0; raises as :meth:`probabilities`."""
        self._defined(expression, "≥")

    def law(self, family: str, size: Expression) -> None:
        """Demand that a parameter is a size at which a law of ``SPREADS`` is what is known of it; raises as :meth:`probabilities`."""
        row = SPREADS[family]
        if is_closed(size):
            return  # the same in all runs, of which one was seen
        if row.is_chance:
            self.probabilities((size,))
        if row.may_vanish:
            self.not_negative(size)
        else:
            self.positive(size)

    def has_value(self, expression: Expression) -> None:
        """Demand that an expression of the parameters is defined; raises as :meth:`probabilities`."""
        for relation, part in demands_of(expression):
            alphabet, value = self._translated(part)
            self._demand(value, relation, alphabet)

    def _defined(self, expression: Expression, relation: Relation) -> None:
        self.has_value(expression)
        alphabet, value = self._translated(expression)
        self._demand(value, relation, alphabet)

    def at_least_zero(self, value: Quotient, alphabet: Alphabet) -> None:
        """Demand that a rational function is not negative where it has a value."""
        self._demand(value, "≥", alphabet)

    def not_zero(self, value: Quotient, alphabet: Alphabet) -> None:
        """Demand that a rational function is not 0."""
        self.demanded.append((alphabet, value, "≠"))
        for condition in conditions_for([value.numerator], [], self._notation(alphabet), self.domains):
            self.stated[condition] = None

    def _translated(self, expression: Expression) -> tuple[Alphabet, Quotient]:
        alphabet = alphabet_of(self.parameters, [expression])
        return alphabet, alphabet.translate(expression)

    def _notation(self, alphabet: Alphabet) -> Notation:
        return Notation(alphabet, tuple(enclose(evaluate(letter.meaning, self.point)) for letter in alphabet.letters))

    def _between(self, value: Quotient, alphabet: Alphabet) -> None:
        other = minus(alphabet.number(1), value)
        self.demanded.append((alphabet, value, "≥"))
        self.demanded.append((alphabet, other, "≥"))
        if self._bounded(value, alphabet) & self._bounded(other, alphabet):
            return
        low, high = self._known(value, alphabet), self._known(other, alphabet)
        if low and high:
            return
        node = self._notation(alphabet).quotient(value)
        least, most = relating(node, "≥", ZERO), relating(node, "≤", ONE)
        both = Condition(f"0 ≤ {text_of(node)} ≤ 1", (*least.relations, *most.relations))
        self.stated[least if high else most if low else both] = None

    def _demand(self, value: Quotient, relation: Relation, alphabet: Alphabet) -> None:
        if (known := value.constant()) is not None:
            if (known < 0 and relation != "≠") or (known == 0 and relation != "≥"):
                raise NoAlgebra(
                    "a number for which there is no law, where no run gets at some values of the parameters"
                )
            return
        self.demanded.append((alphabet, value, relation))
        if relation != "≠" and not self._bounded(value, alphabet):
            self.stated[relating(self._notation(alphabet).quotient(value), relation, ZERO)] = None
        elif relation != "≥":
            self.not_zero(value, alphabet)

    def _known(self, value: Quotient, alphabet: Alphabet) -> bool:
        return Signs(alphabet, self.domains).never_negative(value)

    def _bounded(self, value: Quotient, alphabet: Alphabet) -> bool:
        """Tell whether a value is known not to be negative, if need be after a bound on one parameter is stated."""
        signs = Signs(alphabet, self.domains)
        part = signs.open_part(value)
        if signs.at_least_zero(part):
            return True
        found = root_of(part, alphabet)
        if found is None:
            return False
        name, root = found
        bound, domain = number(root), self.domains.get(name, EVERYWHERE)
        if not domain.contains(bound):
            return False
        rising = part.derivative(list(part.degrees()).index(1)).coefficient(0) > 0
        self.stated[spelled(name, "≥" if rising else "≤", bound)] = None
        change = {"low": bound, "low_closed": True} if rising else {"high": bound, "high_closed": True}
        self.domains[name] = replace(domain, **change)  # type: ignore[arg-type]
        return True


def _holds(value: Quotient, relation: Relation, alphabet: Alphabet, point: Mapping[str, Number]) -> bool:
    letters = tuple(enclose(evaluate(letter.meaning, point), _BITS) for letter in alphabet.letters)
    bottom = value_of(value.denominator, letters)
    if bottom.contains(0):
        return False
    found = value_of(value.numerator, letters) / bottom
    match relation:
        case ">":
            return bool(found > 0)
        case "≥":
            return not found < 0
        case _:
            return not found.contains(0)


def demands_of(expression: Expression) -> Iterator[tuple[Relation, Expression]]:
    """Yield what must be positive, not negative, or not 0 for an expression of parameters to have a value, parts first.

    Raises:
        NoAlgebra: if it holds anything but arithmetic and functions.
    """
    if is_closed(expression):
        return
    match expression:
        case tree.Name():
            pass
        case tree.Parenthesized(inner=inner) | tree.Unary(operator="-", operand=inner):
            yield from demands_of(inner)
        case tree.Binary(operator="+" | "-" | "*" | "/" | "^", left=left, right=right):
            yield from demands_of(left)
            yield from demands_of(right)
            if expression.operator == "/":
                yield "≠", right
            elif expression.operator == "^":
                yield from _of_a_power(left, right)
        case tree.Call(function=function, arguments=arguments):
            for argument in arguments:
                yield from demands_of(argument)
            if function == "log":
                yield ">", arguments[0]
            elif function == "sqrt":
                yield "≥", arguments[0]
            elif function not in _ANY_ARGUMENT:
                raise NoAlgebra("a function that is not defined everywhere")
        case _:
            raise NoAlgebra("no arithmetic of the parameters")


def _of_a_power(base: Expression, exponent: Expression) -> Iterator[tuple[Relation, Expression]]:
    if not is_closed(exponent):
        yield ">", base
        return
    value = evaluate(exponent, {})
    if isinstance(value, int):
        if value < 0:
            yield "≠", base
    elif not is_closed(base):
        yield (">" if enclose(value) < 0 else "≥"), base


def sum_to_one(weights: Sequence[Expression], parameters: Sequence[str]) -> bool:
    """Tell whether expressions sum to 1 for all values of their names.

    Raises:
        NoAlgebra: if they are no rational functions of bearable size.
    """
    total = weights[0]
    for weight in weights[1:]:
        total = tree.Binary("+", total, weight, weight.span)
    alphabet = alphabet_of(parameters, [total])
    return alphabet.translate(total) == alphabet.number(1)


def strongest(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return conditions, each once, without ``p ≤ 1`` beside ``p < 1``: what they state decides, not how it is written."""
    listed = tuple(dict.fromkeys(conditions))
    stated = [set(condition.relations) for condition in listed]
    return tuple(
        condition
        for condition, own in zip(listed, stated, strict=True)
        if not any(_implies(each, own) for each in stated)
    )


_STRICT: Mapping[Sign, Sign] = {"<": "≤", ">": "≥"}


def _implies(stated: Set[Stated], other: Set[Stated]) -> bool:
    """Tell whether relations are others with signs that are stricter, at least one of them."""
    loosened = {(left, _STRICT.get(sign, sign), right) for left, sign, right in stated}
    return bool(other) and other != stated and other <= stated | loosened and not other <= stated
