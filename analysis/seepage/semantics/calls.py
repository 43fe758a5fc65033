"""Whether functions and distributions are called by their names with the arguments they take."""

from __future__ import annotations

from collections.abc import Iterator

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.semantics.binding import bound, counted
from seepage.semantics.evaluate import FUNCTIONS
from seepage.semantics.foreign import MEANINGS, foreign_function
from seepage.semantics.nearest import nearest, respelled
from seepage.syntax.tree import Argument, Call, Choice, Family, Name
from seepage.syntax.vocabulary.aggregates import AGGREGATES
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS


def takes(function: str, count: int) -> bool:
    """Tell whether a function exists and takes so many arguments."""
    least, most = FUNCTIONS.get(function, (1, 0))
    return least <= count and (most is None or count <= most)


def check_function(call: Call, start: int) -> Iterator[Diagnostic]:
    """Yield what is wrong with the name and the number of arguments of a function call."""
    if call.function not in FUNCTIONS:
        yield _unknown_function(call, start)
        return
    least, most = FUNCTIONS[call.function]
    count = len(call.arguments)
    if not takes(call.function, count):
        expected = f"{least} or more" if most is None else str(least)
        yield Diagnostic(
            rules.WRONG_ARGUMENTS,
            call.span.shift(start),
            f"'{call.function}' is called with {counted(count, 'argument')}, expected {expected}",
        )


def _unknown_function(call: Call, start: int) -> Diagnostic:
    name, place = call.function, call.name_span.shift(start)
    message = f"unknown function '{name}'"
    foreign = foreign_function(name, call.arguments, call.span.shift(start))
    if foreign is not None:
        meaning = f": {MEANINGS[name]}" if name in MEANINGS else ""
        return Diagnostic(rules.UNKNOWN_FUNCTION, place, message + meaning, fixes=foreign)
    guess = nearest(name, (*FUNCTIONS, *AGGREGATES)) or nearest(name, DISTRIBUTIONS)
    hint = f": did you mean '{guess}'?" if guess else ""
    return Diagnostic(rules.UNKNOWN_FUNCTION, place, message + hint, fixes=respelled(place, guess))


def check_family(family: Family, start: int) -> Iterator[Diagnostic]:
    """Yield what is wrong with the name and the arguments of a distribution."""
    if isinstance(family, Choice):
        return  # nothing is
    if any(one.name is not None for one in family.arguments) and not _named_last(family):
        return  # reported by the parser
    made = bound(family, start)
    if isinstance(made, Diagnostic):
        yield made
    yield from _deviations(family, start)


def _named_last(family: Family) -> bool:
    named = [argument.name is not None for argument in family.arguments]
    return named == sorted(named)


_DEVIATIONS = frozenset({"sigma", "σ", "sd", "std", "stdev", "stddev"})


def _deviations(law: Family, start: int) -> Iterator[Diagnostic]:
    """Yield that a name which says standard deviation stands in the place of the variance."""
    match law:
        case Family("normal", (_, Argument(name=None, value=Name(id=name, span=span)))) if name.lower() in _DEVIATIONS:
            message = f"the second argument of 'normal' is the variance: '{name}' is read as one"
            fixes = tuple(
                Fix(f"write '{way}={name}'", (Edit(span.shift(start), f"{way}={name}"),)) for way in ("std", "variance")
            )
            yield Diagnostic(rules.DEVIATION_AS_VARIANCE, span.shift(start), message, fixes=fixes)
