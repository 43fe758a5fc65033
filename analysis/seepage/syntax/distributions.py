"""Raw nodes -> distributions: what stands after ``~``."""

from __future__ import annotations

from fractions import Fraction

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import MALFORMED_PART, MISPLACED_MEASURE, NO_DISTRIBUTION
from seepage.source import Span
from seepage.syntax.expressions import expression
from seepage.syntax.fixes import replacement
from seepage.syntax.raw import Raw, RawCall, RawNamed, RawSet, RawTable, RawWeighted, children
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    Argument,
    Binary,
    Call,
    Conditional,
    Distribution,
    Expression,
    Family,
    Mixture,
    Number,
    Parenthesized,
    Table,
)
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage.syntax.vocabulary.measures import MEASURES


def holds_distribution(root: Raw) -> bool:
    """Tell whether a distribution is written somewhere in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        match node:
            case RawTable() | RawSet():
                return True
            case Call(function=name) if name in DISTRIBUTIONS:
                return True
            case RawCall(name=token) if token.value in DISTRIBUTIONS:
                return True
            case _:
                stack.extend(children(node))
    return False


def is_distribution(raw: Raw) -> bool:
    """Tell whether this as a whole is written as a distribution."""
    match raw:
        case Binary("+", left, right):
            return is_distribution(right) or is_distribution(left)
        case Binary("*", left, right):
            return is_distribution(right) or is_distribution(left)
        case Parenthesized(inner):
            return is_distribution(inner)
        case RawTable():
            return True
        case Call(function=name):
            return name in DISTRIBUTIONS
        case RawCall(name=token):
            return token.value in DISTRIBUTIONS
        case _:
            return False


def distribution(raw: Raw, found: list[Diagnostic]) -> Distribution | None:
    """Return the distribution, or None after reporting why this is none."""
    terms: list[Raw] = []
    while isinstance(raw, Binary) and raw.operator == "+":
        terms.append(raw.right)
        raw = raw.left
    terms.append(raw)
    parts = [_term(term, found) for term in reversed(terms)]
    whole = [part for part in parts if part is not None]
    if len(whole) < len(parts):
        return None
    if len(whole) == 1 and whole[0][0] is None:
        return whole[0][1]
    span = whole[0][2].cover(whole[-1][2])
    return Mixture(tuple((_one(part) if weight is None else weight, part) for weight, part, _ in whole), span)


def _one(part: Distribution) -> Number:
    """Return the weight of a part that has none written, in no room before it."""
    return Number(Fraction(1), Span(part.span.start, part.span.start))


def _term(raw: Raw, found: list[Diagnostic]) -> tuple[Expression | None, Distribution, Span] | None:
    """Return weight, distribution and range of one term of a sum."""
    match raw:
        case Binary("*", left, right) if not holds_distribution(left):
            weight = expression(left, found)
            part = _primary(right, found)
            return None if part is None else (weight, part, raw.span)
        case Binary("*", left, right) if is_distribution(left) and not holds_distribution(right):
            found.append(
                _no(raw.span, f"the weight '{spell(expression(right, []))}' stands before the distribution it weighs")
            )
            return None
        case _:
            part = _primary(raw, found)
            return None if part is None else (None, part, raw.span)


def _primary(raw: Raw, found: list[Diagnostic]) -> Distribution | None:
    match raw:
        case RawSet(span=span):
            message = "a table is '{value: probability, …}'; 'uniform_of(…)' takes values alone"
            found.append(_no(span, f"found values without probabilities: {message}"))
            return None
        case RawTable(entries, span):
            if not entries:
                found.append(
                    _no(span, "the table is empty; it lists values with their probabilities, as in '{0: 1/2, 1: 1/2}'")
                )
                return None
            return Table(tuple((expression(v, found), expression(p, found)) for v, p in entries), span)
        case RawCall(name=token, groups=groups, separators=separators):
            if separators and token.value not in MEASURES:
                mark = separators[0]
                found.append(
                    _no(Span(mark.start, mark.end), f"found '{mark.value}' in a distribution, expected ',' or ')'")
                )
                return None
            return _family(token.value, Span(token.start, token.end), groups[0], raw.span, found)
        case Call(function=name, arguments=arguments, name_span=name_span, span=span) if name not in FUNCTIONS:
            return _family(name, name_span, arguments, span, found)
        case Parenthesized(inner, span) if is_distribution(inner):
            made = distribution(inner, [])
            fixes: tuple[Fix, ...] = ()
            if isinstance(made, Family | Table):
                fixes = replacement("remove the parentheses", span, spell(made), automatic=True)
            found.append(
                _no(
                    span,
                    "found parentheses around a distribution; a nested mixture is written 'mixture(w: D, …)'",
                    fixes,
                )
            )
            return None
        case Conditional(span=span) if holds_distribution(raw):
            found.append(
                _no(span, "a choice between distributions is an 'if' statement: 'if b { x ~ D1 } else { x ~ D2 }'")
            )
            return None
        case Binary(operator="*", right=right) if holds_distribution(right):
            found.append(_no(raw.span, "distributions cannot be multiplied; sample both and multiply the variables"))
            return None
        case Binary(operator=operator) if holds_distribution(raw):
            found.append(_no(raw.span, f"found '{operator}' between distributions; a mixture is a sum 'w1*D1 + w2*D2'"))
            return None
        case _:
            plain = expression(raw, found)
            found.append(_no(raw.span, f"'{spell(plain)}' is no distribution; ':=' assigns a value"))
            return None


def _family(
    name: str, name_span: Span, arguments: tuple[Raw, ...], span: Span, found: list[Diagnostic]
) -> Distribution | None:
    if name in MEASURES:
        message = f"'{name}' is a measure of the whole program and no distribution"
        found.append(Diagnostic(MISPLACED_MEASURE, name_span, message))
        return None
    if name == "mixture":
        return _mixture(arguments, span, found)
    made: list[Argument] = []
    for argument in arguments:
        match argument:
            case RawNamed(token, value, where):
                made.append(Argument(token.value, expression(value, found), where))
            case RawWeighted(span=where):
                found.append(_weighted(name, name_span, arguments, span, where))
                return None
            case _:
                if made and made[-1].name is not None:
                    message = f"a positional argument of '{name}' stands after a named one; name it, or put it first"
                    found.append(Diagnostic(MALFORMED_PART, argument.span, message))
                made.append(Argument(None, expression(argument, found), argument.span))
    return Family(name, tuple(made), name_span, span)


def _weighted(name: str, name_span: Span, arguments: tuple[Raw, ...], span: Span, where: Span) -> Diagnostic:
    """Return what to say of ``categorical("a": 1/2, "b": 1/2)``, and of weights in other calls."""
    found = f"found a weight in the arguments of '{name}'"
    if name not in _OF_CHANCES or not all(isinstance(one, RawWeighted) for one in arguments):
        return _no(where, f"{found}; only 'mixture' takes them")
    edits = (Edit(Span(name_span.start, arguments[0].span.start), "{"), Edit(Span(span.end - 1, span.end), "}"))
    fix = Fix("write '{value: chance, …}'", edits)
    return _no(where, f"{found}; values with their chances stand in braces: '{{value: chance, …}}'", (fix,))


_OF_CHANCES = ("categorical", "discrete", "choice", "weights")


def _mixture(arguments: tuple[Raw, ...], span: Span, found: list[Diagnostic]) -> Distribution | None:
    if not arguments:
        found.append(
            _no(span, "the mixture is empty; it lists weights and distributions, as in 'mixture(1/2: D1, 1/2: D2)'")
        )
        return None
    parts: list[tuple[Expression, Distribution]] = []
    whole = True
    for argument in arguments:
        match argument:
            case RawWeighted(weight, value):
                part = distribution(value, found)
                whole = whole and part is not None
                if part is not None:
                    parts.append((expression(weight, found), part))
            case _:
                whole = False
                found.append(_no(argument.span, "found a part without a weight, expected 'weight: distribution'"))
    return Mixture(tuple(parts), span) if whole else None


def _no(span: Span, message: str, fixes: tuple[Fix, ...] = ()) -> Diagnostic:
    return Diagnostic(NO_DISTRIBUTION, span, message, fixes=fixes)
