"""Programs with loops of unknown length and local draws, made of the core nodes, with the parts around and in them from text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from tests.engines.programs import core_of

from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.engines.settling import settled
from seepage.exact import Number
from seepage.measures.asking import Asking
from seepage.measures.evaluate import evaluate
from seepage.measures.joints import Memory
from seepage.measures.parameters import domains_of, parameter_values
from seepage.measures.result import Result
from seepage.pipeline import read_measure
from seepage.semantics.check import check
from seepage.semantics.core import CoreLocal, CoreObserve, CoreProgram, CoreStatement, CoreWhile
from seepage.source import SourceFile, Span

_NOWHERE = Span(0, 0)


def _cut(before: str, *parts: str) -> tuple[CoreProgram, list[tuple[CoreStatement, ...]]]:
    """Return the whole text as a program, and the statements of each part."""
    core = core_of("\n".join((before, *parts)))
    ends = [len(core_of("\n".join((before, *parts[:count]))).statements) for count in range(len(parts) + 1)]
    return core, [core.statements[: ends[0]], *(core.statements[a:b] for a, b in pairwise(ends))]


def looped(before: str, condition: str, body: str, after: str = "skip", never: str | None = None) -> CoreProgram:
    """Return ``before; while condition { body } [never { … }]; after``."""
    core, (first, test, rounds, unending, last) = _cut(before, f"observe {condition}", body, never or "skip", after)
    (observed,) = test
    assert isinstance(observed, CoreObserve)
    loop = CoreWhile(observed.condition, rounds, None if never is None else unending, _NOWHERE)
    return replace(core, statements=(*first, loop, *last))


def drawn(before: str, body: str, after: str = "skip") -> CoreProgram:
    """Return ``before; local { body }; after``."""
    core, (first, inside, last) = _cut(before, body, after)
    return replace(core, statements=(*first, CoreLocal(inside, "", _NOWHERE), *last))


def masses(
    core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number] | None = None
) -> dict[tuple[Number, ...], Fraction]:
    """Return the joint of variables at the end, not normalised."""
    values = parameters or {}
    joint = solve(settled(core, values, {}, Budget()), names, values, Budget())
    assert isinstance(joint, DiscreteJoint)
    return {key: Fraction(str(weight)) for key, weight in joint.masses.items()}


def shares(
    core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number] | None = None
) -> dict[tuple[Number, ...], Fraction]:
    """Return the same, normalised."""
    found = masses(core, names, parameters)
    return {key: weight / sum(found.values()) for key, weight in found.items()}


def measured(core: CoreProgram, declarations: str, measure: str, **params: Number) -> Result:
    """Return a measure of a program of which a text has the declarations and the variables."""
    checked = check(SourceFile("test.seep", declarations))
    tree, offset = read_measure(checked, measure)
    values = parameter_values(checked, params)
    ready = settled(core, values, domains_of(checked), Budget())
    asking = Asking(checked, ready, values, "bits", Budget(), Memory())
    return evaluate(asking, tree, offset)
