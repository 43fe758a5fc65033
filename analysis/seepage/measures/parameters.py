"""The values of the parameters at which numbers are computed: defaults, and what the caller puts in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Protocol, SupportsFloat, TypeAlias, cast

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


class SupportsItem(Protocol):
    """An array with one cell and no axis."""

    def item(self) -> Value:
        """Return the number."""
        ...


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


def need_once(*given: Mapping[str, object] | None) -> None:
    """Raise a ValueError if a name is given twice, and a TypeError if what is given has no names."""
    for each in given:
        if each is not None and not isinstance(each, Mapping):
            expected = "values of parameters, as in eps=1 or {'eps': 1}, and a unit as unit='nats'"
            raise TypeError(f"found {each!r}, expected {expected}")
    names = [name for each in given for name in each or {}]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"found '{twice}' twice, expected a parameter to vary, or to have one value")


def need_names(*names: object) -> None:
    """Raise a TypeError if what stands for a variable is no text."""
    wrong = next((name for name in names if not isinstance(name, str)), None)
    if wrong is not None:
        raise TypeError(f"found {wrong!r}, expected a variable's name as text; several as 'a, b'")


def need_size(size: object) -> None:
    """Raise a ValueError if a number of runs is none."""
    if not isinstance(size, Integral) or size < 0:
        raise ValueError(f"found {size!r} runs, expected a whole number, 0 or more")


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
        case _ if (
            getattr(value, "shape", None) == () and hasattr(value, "item") and not getattr(value, "mask", False)
        ):  # an array with one cell and no axis
            return read_number(cast("SupportsItem", value).item(), constants)
        case _ if getattr(value, "is_number", False):  # of SymPy: log(3)
            return _read_text(str(value), constants)
        case _:
            raise ValueError(f"found {_brief(value)}, expected a number or its spelling")


def read_value(name: str, value: Value, constants: Mapping[str, Number]) -> Number:
    """Return the one number that is given for a parameter, as :func:`read_number` does, and raise as it does.

    Args:
        name: of the parameter.
        value: a number, or its text.
        constants: values of the program's constants, which a text may name.
    """
    if is_many(value):
        further = f"expected one number for '{name}'; several are swept over: program.sweep(…, {name}=[1, 2])"
        raise ValueError(f"found {type(value).__name__}, {further}")
    return read_number(value, constants)


def values_in(given: Values) -> tuple[Value, ...]:
    """Return the values that a caller gives for one parameter; a text is one value."""
    return tuple(cast("Iterable[Value]", given)) if is_many(given) else (cast("Value", given),)


def is_many(given: object) -> bool:
    """Tell whether something holds values, as a list does; a text is one value, and so is an array without axes."""
    return isinstance(given, Iterable) and not isinstance(given, str) and getattr(given, "shape", None) != ()


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
