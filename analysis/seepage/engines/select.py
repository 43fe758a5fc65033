"""From a program and the variables asked for to their joint distribution: slices, sinks, and takes the engine that is exact.

A slice without continuous sampling is discrete and runs over exact rationals, or over balls of rising precision where some probability is irrational.
Anything else runs as a Gaussian mixture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from math import log
from typing import NamedTuple

from flint import arb, fmpq

from seepage import rules
from seepage.deadline import Deadline, sooner
from seepage.diagnostics import Diagnostic, Fault, Label
from seepage.distributions.kinds import is_continuous
from seepage.engines.assigned_twice import assigned_twice, counted_twice
from seepage.engines.averaged import averaged
from seepage.engines.factors.solving import eliminated, is_eliminated
from seepage.engines.forward import run as forward
from seepage.engines.forward.class_joint import ClassJoint, ClassStates, run_classes
from seepage.engines.forward.class_widths import WIDE, least_width, width_of
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability, balls
from seepage.engines.forward.cutting import OnlyBeyond
from seepage.engines.outcome import Budget, Cut, DiscreteJoint, Joint, MixtureJoint
from seepage.engines.passing import PASSED, observed_parts
from seepage.engines.pivot.densities import probability_of
from seepage.engines.pivot.infinite import Followed, followed, is_windowed
from seepage.engines.pivot.inputs import masses_by_inputs
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.paths import paths_of
from seepage.engines.seen_points import with_seen_points
from seepage.engines.soga import transformer as soga
from seepage.exact import ArithmeticFault, Number, precision
from seepage.laws.forms import Beyond, Polynomial
from seepage.semantics.core import CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import spelled
from seepage.semantics.memo import Memo
from seepage.semantics.slice import sink, sunk_slice
from seepage.semantics.statements import names_read, walk, written_variables

FIRST_BITS, LAST_BITS = 128, 8_192
TIGHT_BITS = 100
"""Relative accuracy, in bits, that every mass must reach: 1e-30, below what any measure's rounding shows."""

_LOOSEST_TAIL, _TIGHTEST_TAIL = 32, 4_096
_MIXTURE_BITS, _SLACK = 64, 4
_CHECKED_STATES, _CHECKED_ROWS = 20_000, 300_000  # of a run that only looks for faults
_ELIMINATED_SECONDS, _CHECKED_SECONDS = 0.25, 0.5  # likewise, by elimination, and over classes of values
_PACKED_STATES, _PACKED_SECONDS = 1_500, 1.0
_PACKED_SYMBOLIC = 300  # states whose classes are compared with each other
_SHARE_OF_WHOLE = 0.7  # of its time


def core_with(core: CoreProgram, statements: tuple[CoreStatement, ...]) -> CoreProgram:
    """Return a program with statements appended, such as the observation of an event or a ghost assignment.

    Args:
        core: the unrolled program; what it declares stays.
        statements: that are run at its end; variables that they write alone are new.
    """
    variables = dict.fromkeys((*core.variables, *written_variables(statements)))
    return replace(core, statements=(*core.statements, *statements), variables=tuple(variables))


def solve(core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget) -> Joint:
    """Return the joint sub-distribution of variables on termination of a program.

    Args:
        core: the unrolled program.
        asked: plain variables (``r[1]``), or arrays, which mean all their elements.
        parameters: values of the program's parameters.
        budget: limits, on this one question.

    Returns:
        A discrete joint over exact rationals, or over balls with a relative accuracy of ``TIGHT_BITS`` bits; a mixture if what the
        variables depend on samples continuous values.

    Raises:
        Fault: of the part of the program that the variables depend on, or past the budget, at its statement.
        ValueError: if a parameter that this part reads has no value.
    """
    names = tuple(dict.fromkeys(name for one in asked for name in core.elements(one)))
    sliced = sunk_slice(core, names)
    missing = sorted(set(names_read(sliced.statements)) & (set(core.parameters) - set(parameters)))
    if missing:
        raise ValueError(f"the parameter {missing[0]!r} has no value")
    if samples_continuous(sliced.statements):
        if (seen := with_seen_points(sliced, names, parameters)) is not None:
            return _discrete(sunk_slice(seen, names), names, parameters, budget)
        return averaged(sliced, names, parameters, budget) or _mixture(sliced, names, parameters, budget)
    if (joint := eliminated(sliced, names, parameters, budget)) is not None:
        return joint
    if (states := _classes(sliced, names, parameters, budget)) is not None:
        return states.single_values(budget.states)
    return _discrete(sliced, names, parameters, budget)


def solve_paths(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, cuts: bool = False
) -> tuple[Path, ...]:
    """Return the paths that the asked variables depend on, with their exact laws.

    Args:
        core: the unrolled program.
        asked: plain variables (``r[1]``), or arrays, which mean all their elements.
        parameters: values of the program's parameters.
        budget: limits, on this one question.
        cuts: as for :func:`~seepage.engines.pivot.paths.paths_of`.

    Raises:
        Beyond: if the slice is not of the kind that paths are followed for.
    """
    names = tuple(dict.fromkeys(name for one in asked for name in core.elements(one)))
    return paths_of(sunk_slice(core, names), names, parameters, budget, FIRST_BITS, cuts)


def solve_masses(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, least_inputs: int = 0
) -> DiscreteJoint[arb]:
    """Return the joint of variables that are discrete on all paths of a program, though it compares continuous ones, from the exact laws of these.

    Arguments as for :func:`solve`, and:
        least_inputs: where positive, only programs are followed that several noisy values and at least so many inputs decide, once for all of these.

    Returns:
        A joint over balls, whose masses sum to the chance that a run passes all observations.

    Raises:
        Beyond: if the chance of a path is not known, or a variable is continuous on one.
    """
    names = tuple(dict.fromkeys(name for one in asked for name in core.elements(one)))
    ring, masses = balls(FIRST_BITS), dict[tuple[Number, ...], arb]()
    sliced = sunk_slice(core, names)
    with precision(FIRST_BITS):
        try:
            return masses_by_inputs(sliced, names, parameters, budget, solve, least_inputs)
        except Beyond:
            if least_inputs:
                raise
        known = followed(sliced, names, parameters, budget, FIRST_BITS, False)
        for path in known.paths:
            values: list[Number] = []
            for name in names:
                value = path.values[name]
                if isinstance(value, Polynomial):
                    raise Beyond("a continuous variable")
                values.append(value)
            if budget.expired():
                raise Beyond("no time left")
            if not (mass := probability_of(path)).is_zero():
                masses[tuple(values)] = masses.get(tuple(values), arb(0)) + mass
        if not masses or not all(mass > 0 for mass in masses.values()):
            raise Beyond("a probability that is not known to be positive")
        cut = None if known.is_whole else known.cut
        return DiscreteJoint(names, ring, masses, sum(masses.values(), arb(0)), cut)


def solve_window(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, cuts: bool = False
) -> Followed | None:
    """Return the paths in windows of infinite supports and rounded values, and what was cut off; None if what is asked depends on neither.

    Arguments as for :func:`solve`, and ``cuts`` as for :func:`~seepage.engines.pivot.paths.paths_of`.

    Raises:
        Beyond: as :func:`solve_paths`.
    """
    names = tuple(dict.fromkeys(name for one in asked for name in core.elements(one)))
    sliced = sunk_slice(core, names)
    if not is_windowed(sliced):
        return None
    known = followed(sliced, names, parameters, budget, FIRST_BITS, cuts)
    return None if known.is_whole else known


def solve_classes(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> ClassJoint[fmpq] | ClassJoint[arb] | None:
    """Return the joint over classes of equally likely values, where variables are uniform over huge ranges; None where no asked value is a class.

    Arguments as for :func:`solve`.

    Raises:
        Fault: as :func:`solve`.
    """
    names = tuple(dict.fromkeys(name for one in asked for name in core.elements(one)))
    sliced = sunk_slice(core, names)
    if samples_continuous(sliced.statements) or is_eliminated(sliced, names, parameters, budget):
        return None
    states = _classes(sliced, names, parameters, budget)
    few = least_width(sliced.statements, parameters) > WIDE
    if states is not None and not few and len(states.states.weights) > _PACKED_SYMBOLIC:
        return None
    return states.symbolic() if states is not None and states.has_classes() else None


def _classes(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> ClassStates[fmpq] | ClassStates[arb] | None:
    """Run with classes a program that draws uniformly from huge ranges; None for others, and where single values do it."""
    least = least_width(core.statements, parameters)
    if not least:
        return None
    widest = max(width_of(each, parameters) for each in walk(core.statements))
    given = budget
    may_be_digits = least <= WIDE  # of one number: then there are few states, and else single values may do
    if may_be_digits:
        budget = replace(
            budget, states=min(budget.states, _PACKED_STATES), deadline=sooner(budget.deadline, _PACKED_SECONDS)
        )
    try:
        try:
            return run_classes(core, asked, parameters, RATIONALS, budget)
        except IrrationalProbability:
            return run_classes(core, asked, parameters, balls(FIRST_BITS), budget)
    except Fault as fault:
        if may_be_digits and fault.diagnostic.rule is rules.TIME_LIMIT and not given.expired():
            return None
        # Up to this many values, enumeration says what classes cannot.
        if widest <= budget.rows and fault.diagnostic.rule in (rules.BUDGET_EXCEEDED, rules.NOT_SUPPORTED):
            return None
        raise


def _discrete(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
    try:
        return forward.run(core, asked, parameters, RATIONALS, budget)
    except IrrationalProbability:
        bits = FIRST_BITS
    while True:
        joint = _cut_to_fit(core, asked, parameters, bits, budget)
        if bits >= LAST_BITS or all(_is_tight(mass) for mass in joint.masses.values()):
            return joint
        bits *= 2


def _cut_to_fit(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], bits: int, budget: Budget
) -> DiscreteJoint[arb]:
    """Run over balls; where infinite supports are cut, cut them so that what is left out is small beside what passes the observations.

    Where that takes more states than the budget has, what is left out may be larger, up to 2^-``_LOOSEST_TAIL``.
    """
    tail, best = budget.tail_bits, None
    while True:
        try:
            joint = forward.run(core, asked, parameters, balls(bits), replace(budget, tail_bits=tail))
        except OnlyBeyond:
            if tail >= _TIGHTEST_TAIL:
                raise
            tail *= 2
            continue
        except Fault as fault:
            if best is not None and fault.diagnostic.rule in (rules.BUDGET_EXCEEDED, rules.TIME_LIMIT):
                return best
            if fault.diagnostic.rule is rules.BUDGET_EXCEEDED and _LOOSEST_TAIL < tail <= budget.tail_bits:
                tail //= 2
                continue
            raise
        missing = 0 if joint.cut is None else TIGHT_BITS - _bits_left_out(joint.cut.mass / joint.mass)
        if missing <= 0 or tail < budget.tail_bits or tail >= _TIGHTEST_TAIL or _is_no_better(joint.cut, best):
            return joint
        best, tail = joint, min(tail + missing + 4, _TIGHTEST_TAIL)


def _is_no_better(cut: Cut | None, before: DiscreteJoint[arb] | None) -> bool:
    """Tell whether wider windows left out as much as those before, as what was not followed in a loop is left out whatever the windows."""
    return cut is not None and before is not None and before.cut is not None and not cut.mass < before.cut.mass / 2


def _bits_left_out(share: arb) -> int:
    """Return about −log2 of a share."""
    return 0 if not share < 1 else _TIGHTEST_TAIL if share == 0 else int(-float(share.upper().log()) / log(2))


def _mixture(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> MixtureJoint:
    bits = soga.BITS
    while True:
        joint, _ = _mixture_cut_to_fit(core, asked, parameters, budget, bits)
        if all(_is_tight(ball) for ball in _certain(joint)):
            return joint
        if bits >= LAST_BITS:
            message = f"a probability or a variance is too close to 0 to compute with {bits:,} bits"
            raise Fault(Diagnostic(rules.CANNOT_DECIDE, core.statements[-1].span, message))
        bits *= 2


def _mixture_cut_to_fit(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, bits: int
) -> tuple[MixtureJoint, tuple[Diagnostic, ...]]:
    """Run a mixture; where infinite supports are cut, cut them so that what is left out is small beside what passes the observations.

    It need not be smaller than ``_MIXTURE_BITS`` say: the integrals of mixtures are not known better, and every value is a component.
    """
    tail, best = min(budget.tail_bits, _MIXTURE_BITS), None
    while True:
        try:
            found = soga.run_with_notes(core, asked, parameters, replace(budget, tail_bits=tail), bits)
        except OnlyBeyond:
            if tail >= _TIGHTEST_TAIL:
                raise
            tail *= 2
            continue
        except Fault as fault:
            if best is not None and fault.diagnostic.rule in (rules.BUDGET_EXCEEDED, rules.TIME_LIMIT):
                return best
            raise
        cut, mass = found[0].cut, sum((arb(each.weight) for each in found[0].components), arb(0))
        missing = 0 if cut is None else _MIXTURE_BITS - _SLACK - _bits_left_out(cut.mass / mass)
        if missing <= 0 or tail >= _TIGHTEST_TAIL:
            return found
        best, tail = found, min(tail + missing + _SLACK, _TIGHTEST_TAIL)


def _is_tight(ball: arb) -> bool:
    return bool(ball.is_zero()) or int(ball.rel_accuracy_bits()) >= TIGHT_BITS


def _certain(joint: MixtureJoint) -> Iterator[arb]:
    """Yield what must be known to be positive and be known well: weights and variances."""
    for component in joint.components:
        if isinstance(component.weight, arb):
            yield component.weight
        for i, row in enumerate(component.covariance):
            yield row[i]


def samples_continuous(statements: Iterable[CoreStatement]) -> bool:
    """Tell whether some statement, or one within it, samples a law with a density; ``statements`` are those of a core program."""
    return any(map(_samples_continuous, statements))


_CONTINUOUS: Memo[bool] = Memo()


def _samples_continuous(statement: CoreStatement) -> bool:
    if not isinstance(statement, CoreIf):
        return any(isinstance(each, CoreSample) and is_continuous(each.distribution) for each in walk((statement,)))
    known = _CONTINUOUS.of(statement)
    if known is None:
        arms = (*statement.consequent, *statement.alternative)
        known = _CONTINUOUS.keep(statement, samples_continuous(arms))
    return known


# --- faults of the whole program --------------------------------------------------------------------------------------


def check_total(core: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> tuple[Diagnostic, ...]:
    """Run the whole program, whatever is asked, to find what is wrong with it.

    Finds undefined values, parameters of distributions out of range, conditions that are not boolean, impossible observations, secrets that some run
    assigns twice, and atoms that beat densities. A program past the budget, or one that needs what is not supported or a parameter without
    a value, is given up silently, as the measures that depend on that part say so; but for its observations.

    Args:
        core: the unrolled program.
        parameters: those of its parameters that have a value.
        budget: limits; fewer states and rows are looked at than one question may have.

    Returns:
        Errors and warnings, each at its place in the text.
    """
    if set(names_read(core.statements)) & (set(core.parameters) - set(parameters)):
        return faults_of_observations(core, parameters, budget)
    counters = tuple(name for name in core.written_twice if name in core.variables)
    small = replace(
        budget,
        states=min(budget.states, _CHECKED_STATES),
        rows=min(budget.rows, _CHECKED_ROWS),
        deadline=_sooner(budget.deadline),
    )
    sunk = sink(core)
    for way, program in ((_eliminated_whole, sunk), (_run_whole, core), (_run_whole, sunk)):
        try:
            run = way(program, counters, parameters, small)
        except Fault as fault:
            if fault.diagnostic.rule in (rules.BUDGET_EXCEEDED, rules.TIME_LIMIT):
                continue
            if fault.diagnostic.rule is rules.NOT_SUPPORTED:
                break
            told: tuple[Diagnostic, ...] = (fault.diagnostic,)
            if isinstance(fault, OnlyBeyond):  # a slice without the infinite law may show that no run passes at all
                found = faults_of_observations(core, parameters, budget)
                told = tuple(each for each in found if each.rule is not rules.UNKNOWN_OBSERVATION) or told
            return (*told, *_twice_by_slices(core, counters, parameters, small))
        if run is not None:
            return (*run.notes, *assigned_twice(core, counted_twice(run.joint, counters)))
    return (*faults_of_observations(core, parameters, budget), *_twice_by_slices(core, counters, parameters, small))


def _sooner(deadline: Deadline | None) -> Deadline | None:
    """Return a deadline that leaves time to look at observations apart."""
    return sooner(deadline, share=_SHARE_OF_WHOLE)


def faults_of_observations(
    core: CoreProgram, parameters: Mapping[str, Number], budget: Budget
) -> tuple[Diagnostic, ...]:
    """Return a fault that observations meet, as one that no run passes; else a warning of one for which that stays unknown.

    Measures that an observation is independent of leave it out, and have a number then.

    Args:
        core: the unrolled program.
        parameters: values of its parameters; what reads others is left out.
        budget: limits, on each observation.
    """
    unknown: tuple[Diagnostic, ...] = ()
    without_value = set(core.parameters) - set(parameters)
    for observation, part in observed_parts(core):
        if without_value.intersection(names_read(part.statements)):
            continue
        try:
            joint = solve(part, (PASSED,), parameters, budget)
            if isinstance(joint, DiscreteJoint) and joint.cut is None and not any(passed for (passed,) in joint.masses):
                # Slices drop a condition without a random variable.
                message = f"impossible observation: no run passes '{spelled(observation.condition)}'"
                return (Diagnostic(rules.IMPOSSIBLE_OBSERVATION, observation.span, message),)
        except Fault as fault:
            if fault.diagnostic.rule not in (rules.BUDGET_EXCEEDED, rules.TIME_LIMIT, rules.NOT_SUPPORTED):
                return (fault.diagnostic,)
            if fault.diagnostic.rule is rules.NOT_SUPPORTED and _passes_by_paths(part, parameters, budget):
                continue
            if not unknown:
                message = f"it is not known whether any run passes '{spelled(observation.condition)}'"
                because = Label(fault.diagnostic.span, fault.diagnostic.message)
                unknown = (Diagnostic(rules.UNKNOWN_OBSERVATION, observation.span, message, (because,)),)
    return unknown


def _passes_by_paths(part: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> bool:
    """Tell whether the exact laws of paths show that some run passes the observations of a program."""
    with precision(FIRST_BITS):
        try:
            return any(probability_of(path) > 0 for path in solve_paths(part, (PASSED,), parameters, budget))
        except (Beyond, ArithmeticFault, Fault):
            return False


class _Whole(NamedTuple):
    """The joint of some variables of a whole program, and what is to be told of it."""

    joint: Joint
    notes: tuple[Diagnostic, ...] = ()


def _eliminated_whole(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> _Whole | None:
    if samples_continuous(core.statements):
        return None
    joint = eliminated(core, asked, parameters, _hurried(budget, _ELIMINATED_SECONDS))
    return None if joint is None else _Whole(joint)


def _run_whole(core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget) -> _Whole:
    if samples_continuous(core.statements):
        return _Whole(*_mixture_cut_to_fit(core, asked, parameters, budget, soga.BITS))
    # Many classes are no better than none.
    if (states := _classes(core, asked, parameters, _hurried(budget, _CHECKED_SECONDS))) is not None:
        return _Whole(states.single_values(budget.states))
    try:
        return _Whole(forward.run(core, asked, parameters, RATIONALS, budget))
    except IrrationalProbability:
        return _Whole(_cut_to_fit(core, asked, parameters, FIRST_BITS, budget))


def _hurried(budget: Budget, seconds: float) -> Budget:
    return replace(budget, deadline=sooner(budget.deadline, seconds))


def _twice_by_slices(
    core: CoreProgram, counters: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> tuple[Diagnostic, ...]:
    """Look for secrets assigned twice in the part of the program that decides it."""
    found: list[str] = []
    for counter in counters:
        try:
            joint = solve(core, (counter,), parameters, budget)
        except Fault:
            continue  # reported where it stands, by the whole run or by the measures
        found += counted_twice(joint, (counter,))
    return tuple(assigned_twice(core, found))
