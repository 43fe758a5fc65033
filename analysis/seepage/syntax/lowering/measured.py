"""Measures of arrays, fields and values -> measures of variables of the core: lists of them in the place of each array."""

from __future__ import annotations

from typing import Any, cast

from seepage.syntax.lowering.facts import Environment
from seepage.syntax.lowering.forms import respanned
from seepage.syntax.lowering.values import Values
from seepage.syntax.raw import Raw, RawCall, RawNamed, RawTable, RawTuple
from seepage.syntax.tokens import Token
from seepage.syntax.tree import Binary, Call, Name, Parenthesized, Unary
from seepage.syntax.vocabulary.measures import MEASURES


def measured(values: Values, raw: Raw, env: Environment) -> Raw:
    """Return a measure, or measures combined, in the words of the core."""
    match raw:
        case Parenthesized(inner, span):
            return Parenthesized(cast("Any", measured(values, inner, env)), span)
        case Unary(operator, operand, span):
            return Unary(operator, cast("Any", measured(values, operand, env)), span)
        case Binary(operator, left, right, span):
            first, second = (cast("Any", measured(values, one, env)) for one in (left, right))
            return Binary(operator, first, second, span)
        case Call(function=name, arguments=arguments, name_span=name_span, span=span) if name in MEASURES:
            made = _group(values, name, arguments, env)
            return (
                Call(name, tuple(cast("Any", one) for one in made), name_span, span)
                if not _is_named(made)
                else RawCall(Token("NAME", name, name_span.start, name_span.end), (made,), (), span)
            )
        case RawCall(name, groups, separators, span) if name.value in MEASURES:
            made_groups = tuple(_group(values, name.value, group, env) for group in groups)
            return RawCall(name, made_groups, separators, span)
        case _:
            return values.scalar(raw, env)


def _is_named(made: tuple[Raw, ...]) -> bool:
    return any(isinstance(one, RawNamed) for one in made)


def _group(values: Values, name: str, group: tuple[Raw, ...], env: Environment) -> tuple[Raw, ...]:
    """Return what stands between two separators, each array as the list of its elements."""
    if name in MEASURES and MEASURES[name].is_of_value:
        return tuple(values.scalar(one, env) for one in group)
    made: list[Raw] = []
    for one in group:
        made += _listed(values, one, env)
    return tuple(made)


def _listed(values: Values, raw: Raw, env: Environment) -> list[Raw]:
    match raw:
        case RawTuple(items):
            return [part for item in items for part in _listed(values, item, env)]
        case RawTable():
            return [values.mapped(raw, env)]
        case Name(name) if not values.facts.is_special(name):
            return [values.scalar(raw, env)]
        case Call():
            return [values.scalar(raw, env)]
        case _:
            pass
    several = values.entries(raw, env)
    if several is None:
        return [values.scalar(raw, env)]
    return [cast("Raw", respanned(one, raw.span)) for one in several.values()]
