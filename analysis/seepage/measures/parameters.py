"""The values of the parameters at which numbers are computed: defaults, and what the caller puts in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Rational, Real
from typing import SupportsFloat, TypeAlias

from seepage import exact, rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import ArithmeticFault, Number, TooLarge
from seepage.semantics.checked import Checked, Domain, ParamSymbol
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.syntax.parse import parse_expression

Value: TypeAlias = str | int | float | Fraction | Decimal | SupportsFloat | Number
"""A number as callers have it: any real number that Python knows, or its spelling in Seep."""

Values: TypeAlias = Value | Iterable[Value]
"""One number, or any number of them: a list, a range, an array of numpy, a column of a data frame."""

_BRIEF = 80  # characters of a caller's value that a message repeats
_FEWER_DIGITS = "expected a number with fewer digits"


def parameter_values(checked: Checked, overrides: Mapping[str, Number]) -> dict[str, Number]:
    """Return the value of each parameter that has one, by name.

    Raises:
        Fault: if a value lies outside the parameter's domain, at its declaration.
        ValueError: if an override names no parameter of the program.
    """
    need_parameters(checked, overrides)
    params = checked.symbols.params
    values: dict[str, Number] = {}
    for name, symbol in params.items():
        value = overrides.get(name, symbol.default)
        if value is not None:
            _need_in_domain(symbol, value)
            values[name] = value
    return values


def domains_of(checked: Checked) -> dict[str, Domain | None]:
    """Return the domains of the parameters; None for all real numbers."""
    return {name: symbol.domain for name, symbol in checked.symbols.params.items()}


def need_parameters(checked: Checked, names: Iterable[str]) -> None:
    """Raise a ValueError, which says what there is, if a name is no parameter of the program."""
    params = checked.symbols.params
    for name in names:
        if name not in params:
            known = ", ".join(f"'{each}'" for each in params) or "none"
            raise ValueError(f"the program has no parameter '{name}', expected one of: {known}")


def need_once(*names: str) -> None:
    """Raise a ValueError if a name is given twice."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"found '{twice}' twice, expected a parameter to vary, or to have one value")


def _need_in_domain(symbol: ParamSymbol, value: Number) -> None:
    if symbol.domain is None:
        return
    try:
        inside = symbol.domain.contains(value)
    except ArithmeticFault as fault:
        message = f"cannot decide whether '{symbol.name}' = {exact.show(value)} lies in its domain: {fault.reason}"
        raise Fault(Diagnostic(rules.CANNOT_DECIDE, symbol.span, message)) from fault
    if not inside:
        message = f"'{symbol.name}' = {exact.show(value)} is outside its domain {show_domain(symbol.domain)}"
        raise Fault(Diagnostic(rules.PARAMETER_OUTSIDE_DOMAIN, symbol.span, message))


def show_domain(domain: Domain) -> str:
    """Return ``[0, inf)``."""
    low = "-inf" if domain.low is None else exact.show(domain.low)
    high = "inf" if domain.high is None else exact.show(domain.high)
    return f"{'[' if domain.low_closed else '('}{low}, {high}{']' if domain.high_closed else ')'}"


def read_number(value: Value, constants: Mapping[str, Number]) -> Number:
    """Return the exact number that a caller means; a float by its shortest decimal spelling, so ``0.1`` is 1/10.

    Args:
        value: a real number of Python, numpy, SymPy or mpmath, or a static Seep expression such as ``"1/2"`` or ``"log(3)"``, which may
            use constants of the program. A floating-point number of any library means the decimal that it prints as.
        constants: their values.

    Raises:
        ValueError: if it is no finite number, or one with too many digits.
    """
    match value:
        case str():
            return _read_text(value, constants)
        case bool():
            raise ValueError(f"found {value!r}, expected a number")
        case exact.Irrational():
            return value
        case Rational():  # whole numbers, too, and those of numpy and SymPy
            return _as_number(Fraction(int(value.numerator), int(value.denominator)))
        case Decimal() | Real():
            return _read_decimal(str(value))
        case _:
            raise ValueError(f"found {_brief(value)}, expected a number or its spelling")


def values_in(given: Values) -> tuple[Value, ...]:
    """Return the values that a caller gives for one parameter; a text is one value."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        return (given,)
    return tuple(given)


def _read_decimal(text: str) -> Number:
    """Return the decimal that a number prints as; its exponent is looked at first: a few characters may stand for millions of digits."""
    try:
        decimal = Decimal(text)
    except InvalidOperation as error:
        raise ValueError(f"found {shortened(text)}, expected a finite number") from error
    if not decimal.is_finite():
        raise ValueError(f"found {shortened(text)}, expected a finite number")
    if decimal and abs(decimal.adjusted()) > exact.MAX_BITS:  # as many digits have more bits than this
        raise ValueError(f"found {shortened(text)}, {_FEWER_DIGITS}")
    return _as_number(Fraction(decimal))


def _as_number(value: Fraction) -> Number:
    try:
        return exact.number(value)
    except TooLarge as error:
        raise ValueError(f"found {error}, {_FEWER_DIGITS}") from error


def _brief(value: object) -> str:
    """Return how a value is written in Python, shortened."""
    return shortened(repr(value))


def shortened(text: str) -> str:
    """Return a text of a caller as messages repeat it: its beginning, if it is long."""
    return text if len(text) <= _BRIEF else f"{text[:_BRIEF]}…"


def _read_text(text: str, constants: Mapping[str, Number]) -> Number:
    expression, diagnostics = parse_expression(text)
    if expression is None or diagnostics:
        reason = diagnostics[0].message if diagnostics else "no expression"
        raise ValueError(f"'{shortened(text)}' is no number: {reason}")
    unknown = [name for name in plain_names(expression) if name not in constants]
    if unknown:
        raise ValueError(f"'{shortened(text)}' is no number: '{shortened(unknown[0])}' is not a constant")
    try:
        return evaluate(expression, constants)
    except Fault as fault:
        raise ValueError(f"'{shortened(text)}' has no value: {fault.diagnostic.message}") from fault
