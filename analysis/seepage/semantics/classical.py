r"""Noise by the classical formula of the Gaussian mechanism, at an ε for which it is not proved.

A normal of variance :math:`2 \ln(1.25/\delta) \Delta^2 / \varepsilon^2` makes a query of sensitivity Δ (ε, δ)-differentially private for
0 < ε < 1 (Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014, theorem A.1); for larger ε it need not (Balle and Wang,
Improving the Gaussian Mechanism for Differential Privacy, 2018, section 2). The formula is recognised by its factors, as a variance or as
a standard deviation: a power k of ln(5/4 / δ), and one of ε that is -2k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from seepage import rules
from seepage.diagnostics import Diagnostic, Label
from seepage.exact import CannotDecide, Number, compare, show
from seepage.semantics.checked import Symbols
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.static import quiet_value
from seepage.semantics.units import Units
from seepage.source import Span
from seepage.syntax.tree import Binary, Call, Expression, Name, Placed
from seepage.syntax.tree import Number as Literal

_FACTOR = Fraction(5, 4)  # δ divides it in the logarithm


def classical_noise(symbols: Symbols, units: Units) -> Iterator[Diagnostic]:
    """Yield, for each ε above 1 by the constants and the defaults of parameters, a finding at the first classical formula with it."""
    known: Mapping[str, Number] | None = None
    found: dict[str, tuple[str, list[Span]]] = {}
    for stretch in units.runs.stretches:
        for number in stretch.run.says.formulas:
            if known is None:
                defaults = {name: one.default for name, one in symbols.params.items() if one.default is not None}
                known = {**defaults, **symbols.consts}
            entry = units.inside(stretch)[number]
            assert isinstance(entry, Placed)
            for formula in stretch.run.units[number].facts.formulas:
                epsilon = claimed_epsilon(formula)
                value = None if epsilon is None else quiet_value(epsilon, entry.start, known)
                if epsilon is not None and value is not None and _is_above_one(value):
                    text = spelled(epsilon)
                    said = f"'{text}' is {show(value)}" if isinstance(epsilon, Name) else f"found {show(value)}"
                    found.setdefault(text, (said, []))[1].append(formula.span.shift(entry.start))
    for text, (said, places) in found.items():
        declared = symbols.declarations.get(text)
        labels = [] if declared is None else [Label(declared, f"'{text}' is declared here")]
        labels += [Label(place, "the formula stands here, too") for place in places[1:]]
        message = f"the classical formula for Gaussian noise is proved for ε below 1 only: {said}"
        notes = ("whether the noise is enough is what 'DP(x -> y, delta=d)' and 'Delta(x -> y, eps=e)' compute",)
        yield Diagnostic(rules.CLASSICAL_NOISE, places[0], message, labels=tuple(labels), notes=notes)


def _is_above_one(value: Number) -> bool:
    try:
        return compare(value, 1) > 0
    except CannotDecide:
        return False


def claimed_epsilon(formula: Expression) -> Expression | None:
    """Return what stands for ε in the classical formula, None if an expression is none or does not tell.

    Among several candidates, as where a mean is of n values, one whose name says so counts.
    """
    powers: dict[str, Fraction] = {}
    factors: dict[str, Expression] = {}
    logarithm = Fraction(0)
    for factor, power in _factors(formula):
        if _is_logarithm(factor):
            logarithm += power
        else:
            # A number above the bar has nothing to do with an equal one below it; a name there is cancelled.
            text = spelled(factor) if isinstance(factor, Name) or power < 0 else f"+{spelled(factor)}"
            factors[text] = factor
            powers[text] = powers.get(text, Fraction(0)) + power
    if logarithm not in (1, Fraction(1, 2)):
        return None
    found = [text for text, power in powers.items() if power == -2 * logarithm]
    named = [text for text in found if text.lower().startswith(("eps", "ε", "ϵ"))]
    chosen = named or found
    return factors[chosen[0]] if len(chosen) == 1 else None


def _is_logarithm(expression: Expression) -> bool:
    match expression:
        case Call(function="log", arguments=(argument,)):
            inner = without_parentheses(argument)
            return isinstance(inner, Binary) and inner.operator == "/" and quiet_value(inner.left, 0, {}) == _FACTOR
        case _:
            return False


def _factors(formula: Expression) -> Iterator[tuple[Expression, Fraction]]:
    """Yield the factors of a product with their powers; those in a power or a root have fractions of them."""
    stack = [(formula, Fraction(1))]
    while stack:
        expression, power = stack.pop()
        inner = without_parentheses(expression)
        match inner:
            case Binary(operator="*", left=left, right=right):
                stack += [(right, power), (left, power)]
            case Binary(operator="/", left=left, right=right):
                stack += [(right, -power), (left, power)]
            case Binary(operator="^", left=left, right=right) if isinstance(right, Literal):
                stack.append((left, power * right.value))
            case Call(function="sqrt", arguments=(argument,)):
                stack.append((argument, power / 2))
            case _:
                yield inner, power
