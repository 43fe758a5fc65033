"""Which parts behind the whole number a value may have: ``max(x + n, 0) + y/7`` has one of two for whole x and n where y is 0 or 1.

Where infinite supports are involved, this holds for all of a support, of which engines follow a part. The parts are those of ranges that hold one number,
of laws of whole numbers, and what sums, differences and choices make of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from seepage.distributions.supports import support_of
from seepage.engines.forward.never import DEPTH, Spans, spans_after
from seepage.engines.forward.spans import span
from seepage.exact import Number
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import bottom_up
from seepage.semantics.statements import may_write
from seepage.syntax import tree
from seepage.syntax.tree import COMPARISONS, LOGICAL, Distribution, Expression

Parts: TypeAlias = frozenset[Fraction] | None
"""All parts that a value may have, each from 0 up to 1; None where nothing is known."""

_WHOLE: Parts = frozenset({Fraction(0)})
_MOST = 64  # parts of one value


def parts_after(core: CoreProgram, parameters: Mapping[str, Number]) -> dict[str, Parts]:
    """Return for each variable that is written which parts its values may have at the end of runs; one that is not written is 0."""
    return _after(core.statements, {}, {}, core, parameters, DEPTH)


def _after(
    statements: Sequence[CoreStatement],
    spans: Spans,
    parts: Mapping[str, Parts],
    core: CoreProgram,
    parameters: Mapping[str, Number],
    depth: int,
) -> dict[str, Parts]:
    found = dict(parts)
    for statement in statements:
        match statement:
            case CoreAssign(target=tree.Name(id=name), value=value):
                found[name] = _of(value, spans, found, parameters)
            case CoreSample(target=tree.Name(id=name), distribution=distribution):
                found[name] = _of_draw(distribution, spans, found, parameters)
            case CoreIf(consequent=consequent, alternative=alternative) if depth:
                arms = [_after(arm, spans, found, core, parameters, depth - 1) for arm in (consequent, alternative)]
                found = {name: _either([arm.get(name, _WHOLE) for arm in arms]) for name in {**arms[0], **arms[1]}}
            case CoreObserve():
                continue
            case _:
                found |= dict.fromkeys(may_write(core, (statement,)))
        known = spans_after((statement,), spans, core, parameters, depth)
        if known is None:  # no run gets here
            return found
        spans = known
    return found


def _of(expression: Expression, spans: Spans, parts: Mapping[str, Parts], parameters: Mapping[str, Number]) -> Parts:
    def visit(node: Expression, inner: list[Parts]) -> Parts:
        match node:
            case tree.Boolean() | tree.Unary(operator="not" | "!"):
                return _WHOLE
            case tree.Parenthesized():
                return inner[0]
            case tree.Unary():
                return _sums(_WHOLE, inner[0], -1)
            case tree.Binary(operator="+" | "-" as sign):
                return _sums(inner[0], inner[1], 1 if sign == "+" else -1)
            case tree.Binary(operator="*" | "%") if inner == [_WHOLE, _WHOLE]:
                return _WHOLE
            case tree.Binary(operator=operator) if operator in COMPARISONS or operator in LOGICAL:
                return _WHOLE
            case tree.Conditional():
                return _either(inner[1:])
            case tree.Call(function="min" | "max"):
                return _either(inner)
            case tree.Call(function="floor" | "ceil"):
                return _WHOLE
            case tree.Call(function="abs"):
                return _either([inner[0], _sums(_WHOLE, inner[0], -1)])
            case _:
                low, high = span(node, spans, parameters)
                if low is not None and low == high:
                    return frozenset({Fraction(low) % 1})
                return parts.get(node.id, _WHOLE) if isinstance(node, tree.Name) and node.id not in parameters else None

    return bottom_up(expression, visit)


def _of_draw(
    distribution: Distribution, spans: Spans, parts: Mapping[str, Parts], parameters: Mapping[str, Number]
) -> Parts:
    match distribution:
        case tree.Table(entries=entries):
            return _either([_of(value, spans, parts, parameters) for value, _ in entries])
        case tree.Mixture(parts=laws):
            return _either([_of_draw(law, spans, parts, parameters) for _, law in laws])
        case tree.Family(name=name):
            support = support_of(name)
            return _WHOLE if support is not None and support.whole else None
        case _:
            return None


def _either(several: Sequence[Parts]) -> Parts:
    met: set[Fraction] = set()
    for each in several:
        if each is None:
            return None
        met |= each
    return frozenset(met) if len(met) <= _MOST else None


def _sums(a: Parts, b: Parts, sign: int) -> Parts:
    if a is None or b is None or len(a) * len(b) > _MOST * _MOST:
        return None
    met = frozenset((x + sign * y) % 1 for x in a for y in b)
    return met if len(met) <= _MOST else None
