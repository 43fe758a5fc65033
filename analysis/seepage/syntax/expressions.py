"""Raw nodes -> expressions: report what parses and is no expression."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import assert_never

from seepage.diagnostics import Diagnostic, Rule
from seepage.rules import (
    COMPARISON_CHAIN,
    MALFORMED_PART,
    MISPLACED_DISTRIBUTION,
    MISPLACED_INFINITY,
    MISPLACED_MEASURE,
    NESTED_TOO_DEEPLY,
)
from seepage.source import Span
from seepage.syntax.fixes import replacement
from seepage.syntax.raw import (
    NEVER_EXPRESSIONS,
    Raw,
    RawArray,
    RawCall,
    RawClause,
    RawElement,
    RawField,
    RawGenerated,
    RawMember,
    RawNamed,
    RawRun,
    RawSet,
    RawSymbol,
    RawTable,
    RawTuple,
    RawWeighted,
    children,
)
from seepage.syntax.spell import spell
from seepage.syntax.tree import (
    COMPARISONS,
    Binary,
    Boolean,
    Call,
    Cell,
    Conditional,
    Expression,
    Index,
    Infinity,
    Name,
    Number,
    Parenthesized,
    Unary,
)
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.measures import MEASURES

# Later passes recurse; Python allows about 1,000 frames.
MAX_DEPTH = 200


def too_deep(root: Raw) -> Diagnostic | None:
    """Report the first node that lies deeper than :data:`MAX_DEPTH` levels; without recursion."""
    if root.span.end - root.span.start < MAX_DEPTH:  # each level has a character of its own
        return None
    stack = [(root, 1)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_DEPTH:
            if (long := _too_long(root)) is not None:
                return long
            return Diagnostic(
                NESTED_TOO_DEEPLY,
                root.span,
                f"the expression is nested more than {MAX_DEPTH} levels deep: assign a part of it to a variable first",
            )
        stack.extend((child, depth + 1) for child in children(node))
    return None


_CHAINS = (("sum", "terms", ("+", "-")), ("product", "factors", ("*", "/", "%")))
_LOGICAL_CHAINS = tuple((f"chain of '{operator}'", "parts", (operator,)) for operator in ("and", "or", "xor"))


def _too_long(root: Raw) -> Diagnostic | None:
    """Report the first chain of operations that alone is nested too deeply, from the first part that is too many on."""
    stack = [root]
    while stack:
        node = stack.pop()
        for what, parts, operators in (*_CHAINS, *_LOGICAL_CHAINS):
            operands: list[Raw] = []
            at = node
            while isinstance(at, Binary) and at.operator in operators:
                operands.append(at.right)
                at = at.left
            if len(operands) >= MAX_DEPTH:
                message = (
                    f"the {what} has {len(operands) + 1:,} {parts}, at most {MAX_DEPTH} are read: "
                    "assign a part of it to a variable first"
                )
                return Diagnostic(NESTED_TOO_DEEPLY, operands[-MAX_DEPTH].span.cover(operands[0].span), message)
            if operands:
                stack += [*operands, at]
                break
        else:
            stack.extend(children(node))
    return None


def expression(raw: Raw, found: list[Diagnostic]) -> Expression:
    """Return the expression, with 0 in the place of what is none; what is wrong goes to ``found``."""
    return raw if _is_plain(raw) else _convert(raw, found)  # type: ignore[return-value]  # plain: no raw node inside


def bound(raw: Raw, found: list[Diagnostic]) -> Expression:
    """Return an end of an interval: an expression, ``inf`` or ``-inf``."""
    match raw:
        case Infinity() | Unary("-", Infinity()):
            return raw
        case _:
            return expression(raw, found)


def _is_plain(root: Raw) -> bool:
    stack = [root]
    while stack:
        node = stack.pop()
        match node:
            case Number() | Name() | Boolean():
                continue
            case Binary(operator=operator, left=left):
                if operator in COMPARISONS and isinstance(left, Binary) and left.operator in COMPARISONS:
                    return False
            case Call(function=function):
                if function in DISTRIBUTIONS or function in MEASURES:
                    return False
            case Infinity():
                return False
            case _ if isinstance(node, NEVER_EXPRESSIONS):
                return False
        stack.extend(children(node))
    return True


_NO_VALUES: Mapping[type, tuple[Rule, str]] = MappingProxyType(
    {
        Infinity: (MISPLACED_INFINITY, "'inf' is no number to calculate with; it stands in intervals only"),
        RawTable: (MISPLACED_DISTRIBUTION, "a table is a distribution: sample it with '~' and use the variable"),
        RawTuple: (MALFORMED_PART, "a list in parentheses is no value; it stands in gain tables only"),
        RawRun: (MALFORMED_PART, "a range of elements is written one by one: 'for i in a..b { x[i] ~ … }'"),
        RawSet: (MALFORMED_PART, "a list in braces is no value; 'x in {…}' asks whether 'x' is in it"),
        **dict.fromkeys(
            (RawNamed, RawWeighted),
            (MALFORMED_PART, "found an argument with a name or weight, expected a plain expression"),
        ),
    }
)
"""What stands in place of a value and is none, and what is said of it."""


def _convert(raw: Raw, found: list[Diagnostic]) -> Expression:
    match raw:
        case Number() | Boolean() | Name():
            return raw
        case Index(array, index, name_span, span):
            return Index(array, _convert(index, found), name_span, span)
        case Cell():
            return raw
        case Unary(operator, operand, span):
            return Unary(operator, _convert(operand, found), span)
        case Binary(operator, Binary(inner), _) if operator in COMPARISONS and inner in COMPARISONS:
            return _chain(raw, found)
        case Binary(operator, left, right, span):
            return Binary(operator, _convert(left, found), _convert(right, found), span)
        case Conditional(condition, consequent, alternative, span):
            return Conditional(
                _convert(condition, found), _convert(consequent, found), _convert(alternative, found), span
            )
        case Parenthesized(inner, span):
            return Parenthesized(_convert(inner, found), span)
        case Call(function, arguments, name_span, span):
            if (misplaced := _misplaced(function, name_span, span)) is not None:
                found.append(misplaced)
                return _nothing(span)
            return Call(function, tuple(_convert(one, found) for one in arguments), name_span, span)
        case RawCall():
            found.append(_bad_call(raw))
            return _nothing(raw.span)
        case RawSymbol() | RawField() | RawElement() | RawArray() | RawGenerated() | RawClause() | RawMember():
            raise AssertionError("what goes beyond the core is lowered before")
        case Infinity() | RawTable() | RawTuple() | RawRun() | RawSet() | RawNamed() | RawWeighted():
            rule, message = _NO_VALUES[type(raw)]
            found.append(Diagnostic(rule, raw.span, message))
            return _nothing(raw.span)
        case _:
            assert_never(raw)


def _chain(raw: Binary, found: list[Diagnostic]) -> Binary:
    """Report ``a < b < c < …`` once, with ``a < b and b < c and …`` as the fix."""
    comparisons: list[Binary] = []
    at: Raw = raw
    while isinstance(at, Binary) and at.operator in COMPARISONS:
        comparisons.append(at)
        at = at.left
    left = made = _convert(at, found)
    meant: list[str] = []
    for comparison in reversed(comparisons):
        right = _convert(comparison.right, found)
        meant.append(spell(Binary(comparison.operator, left, right, comparison.span)))
        made = Binary(comparison.operator, made, right, comparison.span)
        left = right
    text = " and ".join(meant)
    message = f"comparisons do not chain; write '{text}'"
    # 'a == b == c' compares a comparison elsewhere.
    ordered = all(comparison.operator in ("<", "<=", ">", ">=") for comparison in comparisons)
    fixes = replacement(f"write '{text}'", raw.span, f"({text})", automatic=ordered)
    found.append(Diagnostic(COMPARISON_CHAIN, raw.span, message, fixes=fixes))
    return Binary(raw.operator, made.left if isinstance(made, Binary) else made, left, raw.span)


def _misplaced(function: str, name_span: Span, span: Span) -> Diagnostic | None:
    if function in DISTRIBUTIONS:
        message = f"'{function}' is a distribution and no value: sample it into a variable with '~' first"
        return Diagnostic(MISPLACED_DISTRIBUTION, span, message)
    if function in MEASURES:
        message = f"'{function}' is a measure of the whole program; it stands in 'show' and 'require' only"
        return Diagnostic(MISPLACED_MEASURE, name_span, message)
    return None


def _bad_call(raw: RawCall) -> Diagnostic:
    name = raw.name.value
    name_span = Span(raw.name.start, raw.name.end)
    if (misplaced := _misplaced(name, name_span, raw.span)) is not None:
        return misplaced
    if raw.separators:
        mark = raw.separators[0]
        message = f"found '{mark.value}' in a call of '{name}', expected ',' or ')'"
        return Diagnostic(MALFORMED_PART, Span(mark.start, mark.end), message)
    wrong = next(one for one in raw.groups[0] if isinstance(one, RawNamed | RawWeighted))
    what = "named arguments" if isinstance(wrong, RawNamed) else "weights"
    return Diagnostic(
        MALFORMED_PART, wrong.span, f"'{name}' is called with {what}; functions take plain arguments only"
    )


def _nothing(span: Span) -> Number:
    return Number(Fraction(0), span)
