"""Laws of arrays and of random weights as laws of the core."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations
from math import factorial, prod
from typing import Any, cast

from seepage.rules import NOT_SUPPORTED, WRONG_ARGUMENTS
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.lowering.facts import Environment, Refused
from seepage.syntax.lowering.forms import binary, folded, number, respanned
from seepage.syntax.lowering.values import Values
from seepage.syntax.raw import Raw, RawCall, RawNamed, RawTable
from seepage.syntax.tree import Call
from seepage.syntax.vocabulary.array_laws import ARRAY_LAWS

Weighted = list[tuple[tuple[Raw, ...], Raw]]  # values with their probabilities
_MOST_VALUES = 5_000


def name_of(raw: Raw) -> str | None:
    """Return the name of what is called."""
    match raw:
        case Call(function=name):
            return name
        case RawCall(name=token):
            return token.value
        case _:
            return None


def _arguments(raw: Raw, count: int, form: str) -> list[Raw]:
    given: tuple[Raw, ...] = raw.arguments if isinstance(raw, Call) else ()
    if isinstance(raw, RawCall) and not raw.separators:
        given = tuple(one.value if isinstance(one, RawNamed) else one for one in raw.groups[0])
    if len(given) != count:
        raise Refused(WRONG_ARGUMENTS, raw.span, f"found {len(given)} arguments, expected '{form}'")
    return list(given)


def _count(values: Values, raw: Raw, env: Environment, least: int = 0) -> int:
    found = values.known(raw, env)
    if found is None or found < least:
        raise Refused(WRONG_ARGUMENTS, raw.span, f"expected a static whole number of at least {least}")
    return found


def scalar_law(values: Values, raw: Raw, env: Environment) -> Raw:
    """Return a law of one value in the words of the core."""
    span = raw.span
    match name_of(raw):
        case "weights":
            (weights,) = _arguments(raw, 1, "weights(w)")
            entries = values.entries(weights, env)
            if not entries:
                raise Refused(WRONG_ARGUMENTS, weights.span, "expected an array of weights")
            total = folded("+", list(entries.values()))
            return RawTable(
                tuple((number(_index(path, span), span), binary("/", one, total)) for path, one in entries.items()),
                span,
            )
        case "categorical" | "uniform_of" as name if (spread := _spread(values, raw, env)) is not None:
            if name == "uniform_of":
                return Call(name, tuple(cast("Any", spread.values())), span, span)
            return RawTable(tuple((number(_index(path, span), span), one) for path, one in spread.items()), span)
        case "zipf":
            exponent, size = _arguments(raw, 2, "zipf(s, n)")
            last = _count(values, size, env, 1)
            if last > _MOST_VALUES:
                raise Refused(
                    NOT_SUPPORTED, span, f"'zipf' of more than {_MOST_VALUES:,} values is not in the language yet"
                )
            power = values.scalar(exponent, env)
            masses = [binary("/", number(1, span), binary("^", number(one, span), power)) for one in range(1, last + 1)]
            total = folded("+", masses)
            return RawTable(
                tuple((number(at, span), binary("/", mass, total)) for at, mass in enumerate(masses, 1)), span
            )
        case "negative_binomial":
            needed, chance = _arguments(raw, 2, "negative_binomial(r, p)")
            if _count(values, needed, env, 1) != 1:
                raise Refused(NOT_SUPPORTED, span, "this law is drawn as a sum, outside of mixtures only")
            return Call("geometric", (cast("Any", values.scalar(chance, env)),), span, span)
        case name if name in ARRAY_LAWS:
            raise Refused(WRONG_ARGUMENTS, span, f"'{name}' is a law of arrays: draw it into a variable of its own")
        case _:
            return values.scalar(raw, env)


def _index(path: tuple[int | str, ...], span: Span) -> int:
    match path:
        case (int() as index,):
            return index
        case _:
            raise Refused(WRONG_ARGUMENTS, span, "weights have one index each")


def _spread(values: Values, raw: Raw, env: Environment) -> Mapping[tuple[int | str, ...], Raw] | None:
    if not isinstance(raw, Call) or len(raw.arguments) != 1:
        return None
    return values.entries(raw.arguments[0], env)


def array_law(values: Values, raw: Raw, env: Environment) -> Weighted:
    """Return the values of a law of arrays with their probabilities."""
    span = raw.span
    match name_of(raw):
        case "permutation":
            (size,) = _arguments(raw, 1, "permutation(n)")
            return _orders(_count(values, size, env), _count(values, size, env), span)
        case "sample":
            taken, size = _arguments(raw, 2, "sample(k, n)")
            k, n = _count(values, taken, env), _count(values, size, env)
            if k > n:
                meant = f"sample({n}, {k})"
                message = f"found {k} values out of {n}, at most {n} are distinct: how many are drawn stands first"
                raise Refused(WRONG_ARGUMENTS, span, message, replacement(f"write '{meant}'", span, meant))
            return _orders(k, n, span)
        case _:
            size, chances = _arguments(raw, 2, "multinomial(n, w)")
            entries = values.entries(chances, env)
            if not entries:
                raise Refused(WRONG_ARGUMENTS, chances.span, "expected an array of probabilities")
            return _multinomial(_count(values, size, env), list(entries.values()), span)


def _orders(k: int, n: int, span: Span) -> Weighted:
    count = prod(range(n - k + 1, n + 1))
    if count > _MOST_VALUES:
        raise Refused(
            NOT_SUPPORTED, span, f"a law of {count:,} arrays is more than the {_MOST_VALUES:,} that are drawn"
        )
    share = number(Fraction(1, count), span)
    return [(tuple(number(one, span) for one in order), share) for order in permutations(range(n), k)]


def _multinomial(n: int, chances: list[Raw], span: Span) -> Weighted:
    made: Weighted = []
    for counts in _compositions(n, len(chances)):
        if len(made) > _MOST_VALUES:
            raise Refused(NOT_SUPPORTED, span, f"a law of more than {_MOST_VALUES:,} arrays is not drawn")
        ways = factorial(n) // prod(factorial(one) for one in counts)
        powers = [binary("^", chance, number(one, span)) for chance, one in zip(chances, counts, strict=True) if one]
        weight = folded("*", [number(ways, span), *powers])
        made.append((tuple(number(one, span) for one in counts), cast("Raw", respanned(weight, span))))
    return made


def _compositions(n: int, parts: int) -> list[tuple[int, ...]]:
    if parts == 1:
        return [(n,)]
    return [(first, *rest) for first in range(n + 1) for rest in _compositions(n - first, parts - 1)]
