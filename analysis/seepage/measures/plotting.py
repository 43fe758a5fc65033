r"""A measure at many choices of one or two parameters, each with certified bounds: what plots are made of.

Where the parameters are in probabilities alone, the program runs once, symbolically (:mod:`seepage.engines.forward.circuits`),
and the circuit is evaluated at all points at once; elsewhere, and where the circuit does not settle a point, the measure is asked anew there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from seepage.algebra import NoAlgebra
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault, Reason
from seepage.engines.forward.circuits import Chance, Circuits, Floats, chance_at
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.engines.forward.run import run
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import check_total, samples_continuous
from seepage.exact import ArithmeticFault, Number
from seepage.measures.asking import Asking
from seepage.measures.call_parts import condition_of, with_value
from seepage.measures.discrete.vectorised import Bounds, Rows, information, mean, of_rows
from seepage.measures.evaluate import evaluate
from seepage.measures.formulas.closed_form import check_sums, watched
from seepage.measures.formulas.substitution import substituted_parameters
from seepage.measures.joints import GHOST, Memory, observing
from seepage.measures.planning.table import SEPARATORS, row_of
from seepage.measures.result import Certainty, Result, Unit
from seepage.measures.scope import variables
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import sunk_slice
from seepage.syntax.tree import MeasureCall, MeasureExpression

_FEW = 5  # points of a curve that are asked by themselves, where bounds by floats do not tell whether the number is 0


@dataclass(frozen=True, slots=True)
class Plotted:
    """A measure at one point: ``lower <= true value <= upper`` in the unit of the asking.

    Attributes:
        at: the values of the varied parameters.
        lower: guaranteed.
        value: the number to draw, between the two; None where there is none, as in :class:`seepage.measures.result.Result`.
        upper: guaranteed.
        fault: why there is no number; then the three are NaN.
        certainty: how far to trust the numbers; None where there are none.
        because: for approximate numbers, the statements that broke exactness.
        unit: of the numbers, as in :class:`seepage.measures.result.Result`; None where there are none.
    """

    at: tuple[Number, ...]
    lower: float
    value: float | None
    upper: float
    fault: str = ""
    certainty: Certainty | None = None
    because: tuple[Reason, ...] = ()
    unit: Unit | None = None


def curve(asking: Asking, measure: MeasureExpression, parameter: str, points: Sequence[Number]) -> tuple[Plotted, ...]:
    """Return a measure at some values of one parameter, the others as ``asking`` has them.

    Args:
        asking: the program, the other parameters, the unit, the limits; the deadline of its budget holds for the whole curve.
        measure: with spans that count from 0.
        parameter: a name.
        points: values of it.

    Raises:
        ValueError: if the program has no such parameter.
    """
    return tuple(at_points(asking, measure, (parameter,), [(value,) for value in points]))


def grid(
    asking: Asking,
    measure: MeasureExpression,
    first: tuple[str, Sequence[Number]],
    second: tuple[str, Sequence[Number]],
) -> tuple[tuple[Plotted, ...], ...]:
    """Return a measure at all pairs of values of two parameters: one row for each value of the first.

    Args:
        asking: of the program.
        measure: as parsed from a call.
        first: a parameter and its values.
        second: another one and its values.

    Raises:
        ValueError: if the program has no such parameters, or they are the same.
    """
    names, columns = (first[0], second[0]), len(second[1])
    found = tuple(at_points(asking, measure, names, list(itertools.product(first[1], second[1]))))
    return tuple(found[row * columns : (row + 1) * columns] for row in range(len(first[1])))


def at_points(
    asking: Asking,
    measure: MeasureExpression,
    names: Sequence[str],
    points: Sequence[tuple[Number, ...]],
    seconds: float | None = None,
) -> Iterator[Plotted]:
    """Yield a measure at some choices of some parameters, the others as ``asking`` has them, each as soon as it is known.

    Args:
        asking: as for :func:`curve`.
        measure: as for :func:`curve`.
        names: the parameters.
        points: a value of each of them, in the same order.
        seconds: limit of each point that is asked by itself; None for the deadline of ``asking``, which holds for all together.

    Raises:
        ValueError: if the program has no such parameters, or two are the same.
    """
    unknown = [name for name in names if name not in asking.core.parameters]
    if unknown or len(set(names)) < len(names):
        raise ValueError(
            f"found the parameters {tuple(names)!r}, expected different ones of {asking.core.parameters!r}"
        )
    bounds: Sequence[Bounds | None] = [None] * len(points)
    unit: Unit | None = None
    if isinstance(measure, MeasureCall) and len(points) > 1:
        # What no circuit can be made of is asked point by point, where a fault is told.
        with suppress(NoPolynomial, NoAlgebra, Fault, ArithmeticFault):
            bounds = _by_circuit(asking, measure, tuple(names), points)
            unit = asking.unit if row_of(measure).dimension else ""
    asked_again = 0
    for point, found in zip(points, bounds, strict=True):
        there = asking if seconds is None else asking.for_seconds(seconds)
        if found is None:
            yield _asked(there, measure, names, point)
            continue
        tells = _tells(*found)
        if not tells and asked_again < _FEW:
            asked_again += 1
            exactly = _asked(there, measure, names, point)
            if not exactly.fault:
                yield exactly
                continue
        yield Plotted(point, *found, certainty=Certainty.EXACT if tells else Certainty.CERTIFIED, unit=unit)


def _tells(lower: float, value: float, upper: float) -> bool:
    """Tell whether bounds by floats tell a number: not near 0, where they may hide that it is 0, and are only rounding."""
    return lower > 0 or upper < 0 or lower == upper


def _asked(asking: Asking, measure: MeasureExpression, names: Sequence[str], point: tuple[Number, ...]) -> Plotted:
    there = replace(asking, parameters={**asking.parameters, **dict(zip(names, point, strict=True))}, memory=Memory())
    try:
        _check_observations(there)
        result = evaluate(there, measure, formulas=False)
    except Fault as fault:
        return without_number(point, fault.diagnostic.message)
    return plotted(point, result)


def plotted(at: tuple[Number, ...], result: Result) -> Plotted:
    """Return a result as a point."""
    numbers = result.lower, result.value, result.upper
    return Plotted(at, *numbers, certainty=result.certainty, because=result.because, unit=result.unit)


def without_number(at: tuple[Number, ...], fault: str) -> Plotted:
    """Return a point that has no number, and why."""
    return Plotted(at, np.nan, np.nan, np.nan, fault)


def _check_observations(asking: Asking) -> None:
    """Find out whether some run passes the program's observations, which measures that are independent of them leave out.

    Raises:
        Fault: if none does.
    """
    for each in check_total(asking.random().core, asking.parameters, asking.budget):
        if each.rule is IMPOSSIBLE_OBSERVATION:
            raise Fault(each)


# --- one run for all points -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Question:
    """A measure of a program: the mean of the ghost, or an entropy or information of x, y given z."""

    core: CoreProgram
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]


def _question(asking: Asking, call: MeasureCall) -> _Question:
    """Read a measure.

    Raises:
        NoPolynomial: if it is none for which circuits are made.
    """
    scope, measure = asking.scope(), row_of(call)
    if call.separator != SEPARATORS[measure.shape]:
        raise NoPolynomial(f"another shape of '{call.name}'")
    if measure.functional in ("chance", "mean") and len(call.left) == 1:
        return _Question(with_value(scope, call), (GHOST,), (), ())
    if measure.is_of_entropies and not call.named and not call.gain:
        given, event = condition_of(scope, call)
        right = variables(scope, call.right) if call.right else ()
        return _Question(observing(scope, event), variables(scope, call.left), right, given)
    raise NoPolynomial(f"the measure '{call.name}'")


def _by_circuit(
    asking: Asking, call: MeasureCall, names: tuple[str, ...], points: Sequence[tuple[Number, ...]]
) -> list[Bounds | None]:
    """Return the bounds at the points, which carry rounding only; None where the measure must be asked by itself.

    Raises:
        NoPolynomial: if no circuit can be made.
        Fault: of the program.
    """
    question = _question(asking, call)
    asked = tuple(dict.fromkeys((*question.x, *question.y, *question.z)))
    core = sunk_slice(question.core, asked)
    if samples_continuous(core.statements) or set(substituted_parameters(core)) & set(names):
        raise NoPolynomial("a parameter decides which runs there are")
    fixed = {name: value for name, value in asking.parameters.items() if name not in names}
    ring = Circuits(names)
    joint = _joint(asking, core, asked, fixed, ring)
    measure = row_of(call)
    is_chance = measure.functional == "chance"
    if is_chance and not {value for (value,) in joint.masses} <= {0, 1}:
        raise NoPolynomial("no probability")
    observed = watched(question.core)
    passed = ring.one if observed is None else _joint(asking, observed, (), fixed, ring).mass
    settled = [dict(zip(names, point, strict=True)) for point in points]
    chances = {chance: _values(chance, fixed, settled) for chance in ring.chances()}
    wanted = [*joint.masses.values(), passed]
    found = ring.evaluate(wanted, chances, len(points))
    rows = Rows(asked, tuple(joint.masses), found.values[:-1], max(found.roundings), max(found.lost))
    if question.x == (GHOST,):
        bounds = mean(rows, 0.0, 1.0) if is_chance else mean(rows)
    else:
        bounds = information(rows, question.x, question.y, question.z, asking.unit, entropy=measure.is_entropy)
    possible = found.values[-1] > 0
    return [each if good else None for each, good in zip(of_rows(bounds), possible, strict=True)]


def _joint(
    asking: Asking, core: CoreProgram, asked: tuple[str, ...], fixed: Mapping[str, Number], ring: Circuits
) -> DiscreteJoint[int]:
    check_sums(core)
    return run(core, asked, fixed, ring, asking.budget)


def _values(chance: Chance, fixed: Mapping[str, Number], points: Sequence[Mapping[str, Number]]) -> Floats:
    """Return a probability at all points, NaN where it is none; equal choices of the parameters that it reads are worked out once."""
    read = tuple(dict.fromkeys(plain_names(chance.expression)))
    known: dict[tuple[Number, ...], float] = {}
    result = np.empty(len(points))
    for place, point in enumerate(points):
        values = {**fixed, **point}
        key = tuple(values[name] for name in read)
        if key not in known:
            try:
                found = chance_at(chance, values)
            except Fault:
                found = None
            known[key] = np.nan if found is None else found
        result[place] = known[key]
    return result
