"""Arguments of distributions that are known while typing, and wrong: a probability of 9.5, weights that sum to 2/3."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Rule
from seepage.exact import CannotDecide, Number, TooLarge, add, compare, enclose, is_integer, show
from seepage.laws.table import DISCRETE_LAWS, NAMED_LAWS
from seepage.semantics.binding import bound_arguments
from seepage.semantics.evaluate import spelled
from seepage.semantics.static import quiet_value
from seepage.source import Span
from seepage.syntax.tree import Choice, Distribution, Expression, Family, Mixture, Table
from seepage.syntax.vocabulary.array_laws import ARRAY_LAW_WORDS
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import Domain

_DOMAINS: Mapping[str, Mapping[str, Domain]] = {
    name: {called: one.domain for one in word.parameters for called in (one.name, *(alias for alias, _ in one.aliases))}
    for name, word in DISTRIBUTIONS.items()
}


def check_values(
    law: Distribution, start: int, constants: Mapping[str, Number], written: str = ""
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the arguments of one law (not of a mixture's parts) that are known without running.

    Values that only algebra could compare are left to the analysis. ``written`` is the law that the text has here, where this one is a part of its making.
    """

    def value_of(expression: Expression) -> Number | None:
        return quiet_value(expression, start, constants)

    try:
        match law:
            case Family():
                yield from _family(law, start, value_of, written or law.name)
            case Table(entries=entries):
                yield from _weights([p for _, p in entries], law.span.shift(start), start, value_of, "probabilities")
            case Mixture(parts=parts):
                yield from _weights([w for w, _ in parts], law.span.shift(start), start, value_of, "weights")
    except (CannotDecide, TooLarge):
        return


def _family(
    law: Family, start: int, value_of: Callable[[Expression], Number | None], written: str
) -> Iterator[Diagnostic]:
    arguments = None if isinstance(law, Choice) else bound_arguments(law)
    if arguments is None:
        return
    word = DISTRIBUTIONS[law.name]
    if any(one.repeated and one.domain is Domain.PROBABILITY for one in word.parameters):
        yield from _weights([*arguments.values()], law.span.shift(start), start, value_of, "probabilities")
        return
    values = {name: value_of(expression) for name, expression in arguments.items()}

    def wrong(name: str, message: str, rule: Rule = rules.INVALID_PARAMETER) -> Diagnostic:
        return Diagnostic(rule, arguments[name].span.shift(start), message)

    own = {one.name for one in ARRAY_LAW_WORDS[written].parameters} if written in ARRAY_LAW_WORDS else set[str]()
    for name, value in values.items():
        if value is None:
            continue
        shown = f"{show(value)} of '{written}'"
        called = name if written == law.name or name in own else "an argument"
        domain = _DOMAINS[law.name].get(name, Domain.REAL)
        if domain is Domain.PROBABILITY:
            if not _in_unit(value):
                yield wrong(name, f"probability outside [0, 1]: {show(value)}", rules.NOT_A_PROBABILITY)
        elif domain in (Domain.INTEGER, Domain.COUNT) and not is_integer(value):
            yield wrong(name, f"{name} {shown} is no integer")
        elif domain is Domain.COUNT and compare(value, 0) < 0:
            yield wrong(name, f"{name} {shown} is negative, expected a count")
        elif domain is Domain.NOT_NEGATIVE and compare(value, 0) < 0:
            what = "standard deviation" if name == "std" else "variance" if name == "v" else name
            yield wrong(name, f"negative {what}: {show(value)}")
        elif domain is Domain.POSITIVE and compare(value, 0) <= 0:
            yield wrong(name, f"{called} {shown} is not positive")
    known = {name: value for name, value in values.items() if value is not None}
    told = (DISCRETE_LAWS.get(law.name) or NAMED_LAWS[law.name]).wrong
    swapped = {**known, "a": known["b"], "b": known["a"]} if known.keys() >= {"a", "b"} else None
    fixes = _swapped(arguments, start) if swapped is not None and not any(told(swapped)) else ()
    for name, message in told(known):
        if name:
            yield wrong(name, message)
        else:
            yield Diagnostic(rules.INVALID_PARAMETER, law.span.shift(start), message, fixes=fixes)


def _swapped(arguments: Mapping[str, Expression], start: int) -> tuple[Fix, ...]:
    """Return the fix that swaps the arguments ``a`` and ``b``."""
    a, b = arguments.get("a"), arguments.get("b")
    if a is None or b is None:
        return ()
    edits = (Edit(a.span.shift(start), spelled(b)), Edit(b.span.shift(start), spelled(a)))
    return (Fix("swap the ends", edits),)


def _weights(
    weights: Sequence[Expression],
    span: Span,
    start: int,
    value_of: Callable[[Expression], Number | None],
    what: str,
) -> Iterator[Diagnostic]:
    values = [value_of(weight) for weight in weights]
    fine = True
    for weight, value in zip(weights, values, strict=True):
        if value is not None and not _in_unit(value):
            fine = False
            yield Diagnostic(
                rules.NOT_A_PROBABILITY, weight.span.shift(start), f"probability outside [0, 1]: {show(value)}"
            )
    if not fine or not values:
        return
    total: Number = 0
    for value in values:
        if value is None:
            return
        total = add(total, value)
    if total != 1:
        fixes = tuple(_mended(weights, values, total, start))
        yield Diagnostic(
            rules.PROBABILITIES_DO_NOT_SUM_TO_ONE, span, f"{what} sum to {show(total)}, not 1", fixes=fixes
        )


def _mended(weights: Sequence[Expression], values: Sequence[Number | None], total: Number, start: int) -> Iterator[Fix]:
    """Yield the ways to make rational weights sum to 1: all scaled, or the last one completed."""
    known = [value for value in values if isinstance(value, int | Fraction)]
    written = all(weight.span.start != weight.span.end for weight in weights)  # a part of a mixture may have none
    if not written or len(known) != len(values) or not isinstance(total, int | Fraction):
        return
    rest = 1 - total + known[-1]
    if 0 <= rest <= 1:
        place = weights[-1].span.shift(start)
        yield Fix(f"write {rest} for the last one", (Edit(place, str(rest)),))
    if total > 0 and len(known) > 1:
        edits = [
            Edit(weight.span.shift(start), str(Fraction(value) / total))
            for weight, value in zip(weights, known, strict=True)
        ]
        yield Fix("scale all of them to sum to 1", tuple(edits))


def _in_unit(value: Number) -> bool:
    return compare(value, 0) >= 0 and compare(value, 1) <= 0


def standard_deviation(family: Family, start: int, constants: Mapping[str, Number]) -> float | None:
    """Return the standard deviation of a ``normal`` whose variance is written and known before the run; None where it is that number, too, or given by name."""
    arguments = (bound_arguments(family) or {}) if family.name == "normal" else {}
    variance = quiet_value(arguments["variance"], start, constants) if "variance" in arguments else None
    if variance is None or variance in (0, 1):
        return None
    spread = float(enclose(variance).sqrt().mid())
    return spread if 0 < spread < math.inf else None
