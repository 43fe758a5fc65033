"""Programs that no run passes, by the ranges of what their observations read: also where infinite supports leave runs that are not followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seepage.engines.forward.spans import of_draw, span
from seepage.exact import Number
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.semantics.ranges import ANY, FALSE, TRUE, Range, hull
from seepage.semantics.statements import may_write
from seepage.syntax import tree

DEPTH = 50  # of branches in branches

Spans = dict[str, Range]


def never_ends(core: CoreProgram, parameters: Mapping[str, Number]) -> bool:
    """Tell whether ranges prove that every run of a program meets an observation that is false; False proves nothing."""
    return ranges_after(core, parameters) is None


def ranges_after(core: CoreProgram, parameters: Mapping[str, Number]) -> Spans | None:
    """Return a range for each variable that is written, which holds all its values at the end of runs that pass; None where no run does."""
    return spans_after(core.statements, {}, core, parameters, DEPTH)


def spans_after(
    statements: Sequence[CoreStatement], spans: Spans, core: CoreProgram, parameters: Mapping[str, Number], depth: int
) -> Spans | None:
    """Return the ranges of variables after statements (one that is not written yet is 0), None where no run gets there."""
    spans = dict(spans)
    for statement in statements:
        match statement:
            case CoreAssign(target=target, value=value):
                _write(target, span(value, spans, parameters), spans, core)
            case CoreSample(target=target, distribution=distribution):
                _write(target, of_draw(distribution, spans, parameters), spans, core)
            case CoreObserve(condition=condition):
                if span(condition, spans, parameters) == FALSE:
                    return None
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                if not depth:
                    return dict.fromkeys(core.variables, ANY)
                known = span(condition, spans, parameters)
                arms = [arm for arm, never in ((consequent, FALSE), (alternative, TRUE)) if known != never]
                ends = [spans_after(arm, spans, core, parameters, depth - 1) for arm in arms]
                met = [end for end in ends if end is not None]
                if not met:
                    return None
                spans = _either(met)
            case CoreWhile() | CoreLocal():
                spans |= dict.fromkeys(may_write(core, (statement,)), ANY)
    return spans


def _either(ends: Sequence[Spans]) -> Spans:
    first, *others = ends
    for other in others:
        first = {name: hull(first.get(name, (0, 0)), other.get(name, (0, 0))) for name in {**first, **other}}
    return first


def _write(target: tree.Target, value: Range, spans: Spans, core: CoreProgram) -> None:
    """Note what is written; a random index may pick any element."""
    if isinstance(target, tree.Name):
        spans[target.id] = value
        return
    for number in core.arrays.get(target.array, ()):
        spans[f"{target.array}[{number}]"] = ANY
