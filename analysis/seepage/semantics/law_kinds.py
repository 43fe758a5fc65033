"""The kind of a sampled law, and what in it is no Gaussian mixture."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum, auto
from functools import reduce
from typing import assert_never

from seepage import rules
from seepage.exact import CannotDecide, Number, compare
from seepage.laws.named import BETWEEN
from seepage.laws.table import DISCRETE_LAWS
from seepage.semantics.binding import bound_arguments
from seepage.semantics.checked import Kind
from seepage.semantics.classify import NONLINEAR, Issue
from seepage.semantics.kinds import (
    BOOLEAN,
    CONTINUOUS,
    DISCRETE,
    Value,
    function_kind,
    is_positive,
    join,
)
from seepage.semantics.ranges import ANY, Range
from seepage.semantics.signatures import SIGNATURES
from seepage.syntax.tree import Choice, Distribution, Expression, Family, Mixture, Rows, Table
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.word import Domain

KindOf = Callable[[Expression, list[Issue]], Value]
Static = Callable[[Expression], Number | None]


def kind_of_law(law: Distribution, kind_of: KindOf, static: Static, issues: list[Issue], written: str = "") -> Value:
    """Return the kind of what a law yields.

    Args:
        law: to look at.
        kind_of: the kind of an expression at this place, which also collects issues.
        static: the value of an expression that is known while typing.
        issues: receives what is no Gaussian mixture.
        written: the law that the text has here, where this one is a part of its making.
    """
    match law:
        case Family():
            return _family(law, kind_of, static, issues, written or law.name)
        case Table(entries=entries):
            for _, probability in entries:
                _parameter(probability, "a probability", kind_of, issues)
            values = [kind_of(value, issues) for value, _ in entries]
            taken = [value.outside for value, (_, p) in zip(values, entries, strict=True) if is_positive(static(p))]
            return _one_of(values, taken)
        case Mixture(parts=parts):
            for weight, _ in parts:
                _parameter(weight, "a weight", kind_of, issues)
            kinds = [kind_of_law(part, kind_of, static, issues) for _, part in parts]
            taken = [kind.outside for kind, (w, _) in zip(kinds, parts, strict=True) if is_positive(static(w))]
            return _one_of(kinds, taken)
        case Rows(draw=draw):
            return Value(Kind.DISCRETE, range=(0, draw.most))
        case _:
            assert_never(law)


_ELSEWHERE = {
    "matched": "a normal of the same mean and variance stands in for it",
    "explicit": "there is no number",
}


def _one_of(values: list[Value], outside: list[Number | None]) -> Value:
    """Return the kind of a choice among values, of which those in ``outside`` surely happen."""
    if not values:
        return DISCRETE
    joined = reduce(join, values)
    return Value(joined.kind, None, joined.sure, next((one for one in outside if one is not None), None), joined.range)


def _family(law: Family, kind_of: KindOf, static: Static, issues: list[Issue], written: str) -> Value:
    if isinstance(law, Choice):
        chosen = [kind_of(one.value, issues) for one in law.arguments]
        return _one_of(chosen, [one.outside for one in chosen])
    signature, arguments = SIGNATURES.get(law.name), bound_arguments(law)
    if signature is None or arguments is None:
        return DISCRETE
    if law.name == "normal":
        return _normal(arguments, kind_of, static, issues)
    if law.name in DISCRETE_LAWS and DISCRETE_LAWS[law.name].word.values is None:
        values = [kind_of(value, issues) for value in arguments.values()]
        return _one_of(values, [value.outside for value in values])
    for name, argument in arguments.items():
        _parameter(argument, f"the parameter '{name}'" if signature.parameters else "a weight", kind_of, issues)
    if signature.kind == "continuous":
        width = _width(law.name, arguments, static)
        if width is _Width.NONE and not any(kind_of(argument, []).is_continuous for argument in arguments.values()):
            return _point(law.name, arguments, kind_of)
        elsewhere = _ELSEWHERE[signature.exactness]
        message = f"'{written}' is no Gaussian mixture: its density is integrated where that is possible, elsewhere {elsewhere}"
        issues.append(Issue(rules.NOT_GAUSSIAN, _anchor(law), message))
        return Value(Kind.CONTINUOUS, sure=width is _Width.SOME)
    value = _discrete(law.name, {name: static(argument) for name, argument in arguments.items()})
    ranges = {name: kind_of(argument, []).range for name, argument in arguments.items()}
    return value if value.kind is Kind.BOOLEAN else replace(value, range=_support(law.name, ranges))


class _Width(Enum):
    """Whether a law with a density has one: some are a single point for some of their parameters."""

    NONE = auto()
    SOME = auto()
    UNKNOWN = auto()


def _width(name: str, arguments: Mapping[str, Expression], static: Static) -> _Width:
    word = DISTRIBUTIONS[name]
    ends: tuple[Number | None, Number | None]
    if (size := next((one.name for one in word.parameters if one.domain is Domain.NOT_NEGATIVE), None)) is not None:
        ends = (0, static(arguments[size]))
    elif word.values == BETWEEN:
        ends = (static(arguments["a"]), static(arguments["b"]))
    else:
        return _Width.SOME
    low, high = ends
    try:
        return _Width.UNKNOWN if low is None or high is None else _Width.SOME if compare(low, high) else _Width.NONE
    except CannotDecide:
        return _Width.UNKNOWN


def _point(name: str, arguments: Mapping[str, Expression], kind_of: KindOf) -> Value:
    """Return the kind of the only value of a law without width."""
    match name:
        case "laplace":
            return kind_of(arguments["mean"], [])
        case "lognormal":
            return function_kind("exp", [kind_of(arguments["m"], [])])
        case _:
            return kind_of(arguments["a"], [])


def _support(name: str, arguments: Mapping[str, Range]) -> Range:
    """Return between which numbers the values of a discrete law lie, by its word."""
    word = DISTRIBUTIONS.get(name)
    if word is None or (support := word.values) is None:
        return ANY
    if SIGNATURES[name].variadic:
        return support.low if isinstance(support.low, int) else None, max(0, len(arguments) - 1)
    low = arguments[support.low][0] if isinstance(support.low, str) else support.low
    return low, arguments[support.high][1] if isinstance(support.high, str) else support.high


def _anchor(law: Family) -> Expression:
    """Return the place of a law as an expression, since issues point at expressions."""
    from seepage.syntax.tree import Name

    return Name(law.name, law.span)


def _discrete(name: str, values: Mapping[str, Number | None]) -> Value:
    law = DISCRETE_LAWS.get(name)
    if law is None:
        return DISCRETE
    ranges: dict[str, Range] = {
        each: (value, value) if isinstance(value, int) else ANY for each, value in values.items()
    }
    if all(end in (0, 1) for end in _support(name, ranges)):
        return BOOLEAN
    try:
        return Value(Kind.DISCRETE, outside=law.takes({each: one for each, one in values.items() if one is not None}))
    except CannotDecide:
        return DISCRETE


def _normal(arguments: Mapping[str, Expression], kind_of: KindOf, static: Static, issues: list[Issue]) -> Value:
    """A normal is its mean plus independent noise, so it is exact where the mean is linear and the variance discrete."""
    inner: list[Issue] = []
    mean = kind_of(arguments["mean"], inner)
    issues.extend(one.under(rules.NONLINEAR_MEAN) if one.rule.code in NONLINEAR else one for one in inner)
    spread = arguments["variance"] if "variance" in arguments else arguments["std"]
    if kind_of(spread, []).is_continuous:
        what = "variance" if "variance" in arguments else "standard deviation"
        message = f"the {what} of 'normal' depends on a continuous variable: the result is no Gaussian mixture"
        issues.append(Issue(rules.VARIANCE_DEPENDS_ON_CONTINUOUS, spread, message))
        return CONTINUOUS
    value = static(spread)
    if value == 0:
        return mean
    return Value(Kind.CONTINUOUS, sure=is_positive(value))


def _parameter(argument: Expression, what: str, kind_of: KindOf, issues: list[Issue]) -> None:
    inner: list[Issue] = []
    if kind_of(argument, inner).is_continuous:
        message = f"{what} of the law depends on a continuous variable: the result is no Gaussian mixture"
        issues.append(Issue(rules.PARAMETER_DEPENDS_ON_CONTINUOUS, argument, message))
    else:
        issues.extend(inner)
