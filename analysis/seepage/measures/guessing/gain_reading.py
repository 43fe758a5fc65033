"""Gains as written in ``G(x -> y, gain)``: ``guess``, ``tries(k)``, ``distance``, or a table ``{(guess, value): gain, …}``."""

from __future__ import annotations

from collections.abc import Collection

from seepage import exact, rules
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.guessing.gains import ONE_TRY, Distance, Gain, Table, Tries
from seepage.measures.scope import Scope, fail, static_number
from seepage.syntax.tree import Expression, GainName, GainTable, MeasureCall


def gain_of(scope: Scope, call: MeasureCall, support: Collection[Values], finite: bool) -> tuple[Gain, tuple[str, ...]]:
    """Return the gain of a call of ``G``, and what is to be said of it.

    Args:
        scope: the meaning of names in the measure.
        call: of ``G``.
        support: the values that the secret can have; tuples, also of one variable.
        finite: whether these are all of its values.

    Raises:
        Fault: at a gain that is unknown, has no meaning for this secret, or is written wrongly.
    """
    match call.gain:
        case GainName(name="guess", arguments=()):
            return ONE_TRY, ()
        case GainName(name="tries", arguments=(count,)):
            return Tries(_tries(scope, count)), ()
        case GainName(name="distance", arguments=(), span=span):
            width = {len(values) for values in support}
            if width != {1}:
                message = "found several variables, expected one number: the gain 'distance' compares numbers"
                fail(rules.UNFIT_MEASURE, span.shift(scope.offset), message)
            if not finite:
                message = "found infinitely many values, expected a largest and a smallest one: 'distance' is relative to them"
                fail(rules.UNFIT_MEASURE, span.shift(scope.offset), message)
            return Distance(_extent([value for (value,) in support])), ()
        case GainTable():
            return _table(scope, call.gain, support, finite)
        case GainName(name=name, span=span):
            message = f"found the gain '{name}', expected guess, tries(k), distance or a table {{(guess, value): gain}}"
            fail(rules.UNFIT_MEASURE, span.shift(scope.offset), message)
        case None:
            fail(rules.UNFIT_MEASURE, call.span.shift(scope.offset), "found no gain, expected G(x -> y, gain)")


def _tries(scope: Scope, expression: Expression) -> int:
    count = static_number(scope, expression)
    if not exact.is_integer(count) or exact.sign(count) <= 0:
        place = expression.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found {exact.show(count)} tries, expected a whole number of at least 1")
    return exact.floor_(count)


def _extent(values: list[Number]) -> Number:
    smallest = largest = values[0]
    for value in values[1:]:
        smallest, largest = exact.minimum(smallest, value), exact.maximum(largest, value)
    return exact.sub(largest, smallest)


def _table(scope: Scope, table: GainTable, support: Collection[Values], finite: bool) -> tuple[Table, tuple[str, ...]]:
    written = written_gains(scope, table, support)
    rows = {guess: {value: static_number(scope, gain) for value, gain in row.items()} for guess, row in written.items()}
    unused = dict.fromkeys(value for row in rows.values() for value in row if finite and value not in support)
    listed = "; ".join(", ".join(map(exact.show, value)) for value in unused)
    return Table(rows), (f"gains are given for values that the secret never has: {listed}",) if unused else ()


def written_gains(
    scope: Scope, table: GainTable, support: Collection[Values]
) -> dict[Values, dict[Values, Expression]]:
    """Return the gains of a table as they are written, by guess and value.

    Raises:
        Fault: at a value that does not fit the secret, or that comes twice; at a guess or a value that is no number.
    """
    width = len(next(iter(support)))
    irrational = [values for values in support if any(exact.to_fraction(value) is None for value in values)]
    rows: dict[Values, dict[Values, Expression]] = {}
    for guess, value, gain in table.entries:
        row = rows.setdefault(_numbers(scope, guess), {})
        written, place = _numbers(scope, value), value[0].span.shift(scope.offset)
        if len(written) != width:
            fail(
                rules.UNFIT_MEASURE,
                place,
                f"found a value of {len(written)} numbers, expected {width}, one for each variable",
            )
        meant = _met(written, support, irrational)
        if meant in row:
            fail(rules.UNFIT_MEASURE, place, "found a second gain for this guess and value, expected one")
        row[meant] = gain
    return rows


def _numbers(scope: Scope, expressions: tuple[Expression, ...]) -> Values:
    return tuple(static_number(scope, expression) for expression in expressions)


def _met(written: Values, support: Collection[Values], irrational: list[Values]) -> Values:
    """Return the value of the support that a written one is; irrational numbers may be equal without looking so."""
    if written in support:
        return written
    for values in irrational:
        if all(exact.compare(a, b) == 0 for a, b in zip(written, values, strict=True)):
            return values
    return written
