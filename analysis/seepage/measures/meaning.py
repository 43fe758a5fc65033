"""Whether measures of a program have a meaning at the values of its parameters: not where no run passes its observations."""

from __future__ import annotations

from collections.abc import Iterable

from seepage import rules
from seepage.diagnostics import Diagnostic
from seepage.engines.passing import observed_parts
from seepage.engines.select import check_total, faults_of_observations
from seepage.measures.asking import Asking
from seepage.measures.joints import observing_all
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.measure_names import names_in
from seepage.semantics.statements import walk
from seepage.syntax.tree import MeasureExpression, array_of

SILENT = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT, rules.NOT_SUPPORTED})  # not faults of the program
FAULT_SHARE = 0.3  # of the time, for the search for faults that no measure depends on


def faults_of(asking: Asking) -> tuple[Diagnostic, ...]:
    """Return the faults anywhere in the program, dead code included, as far as the budget reaches; whatever an attacker chooses."""
    found = check_total(asking.random().core, asking.parameters, asking.budget)
    return tuple(each for each in found if each.rule not in SILENT)


def is_hopeless(fault: Diagnostic, core: CoreProgram) -> bool:
    """Tell whether a fault leaves no measure a meaning, or none that is known: what is not decided does where an observation depends on it."""
    if fault.rule is not rules.CANNOT_DECIDE:
        return fault.rule is rules.IMPOSSIBLE_OBSERVATION
    parts = (part for _, part in observed_parts(core))
    return any(each.span.contains(fault.span.start) for part in parts for each in walk(part.statements))


def ambiguous(faults: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the faults that leave measures without a meaning which name a secret: it is not clear which of its values is meant."""
    return tuple(each for each in faults if each.rule is rules.SECRET_ASSIGNED_TWICE)


def names_subject(fault: Diagnostic, measure: MeasureExpression) -> bool:
    """Tell whether a measure names the variable, or an element of the array, that a fault is about."""
    return any(array_of(name) == fault.subject for _, name in names_in(measure))


def may_have_none(core: CoreProgram) -> bool:
    """Tell whether measures of a program may have no meaning: it observes, or some run may assign a secret twice."""
    return bool(core.written_twice) or any(isinstance(each, CoreObserve) for each in walk(core.statements))


def passes(asking: Asking) -> bool:
    """Tell whether a measure was computed from all observations, so that some run passes them."""
    return any(observing_all(asking.core, question) for question in asking.memory.joints)


def without_meaning(asking: Asking, measure: MeasureExpression) -> Diagnostic | None:
    """Return why a measure has no meaning, as a fault that observations meet, or why that is not known; None where it has one."""
    if not may_have_none(asking.core):
        return None
    faults = faults_of(asking.within())
    for fault in ambiguous(faults):
        if names_subject(fault, measure):
            return fault
    hopeless = next((each for each in faults if is_hopeless(each, asking.core)), None)
    if hopeless is None and any(each.rule is not rules.UNKNOWN_OBSERVATION for each in faults):
        # The whole program was not run to its end: what observations depend on is met by every measure.
        there = asking.within()
        faults = faults_of_observations(there.core, there.parameters, there.budget)
        hopeless = next((each for each in faults if each.rule is not rules.UNKNOWN_OBSERVATION), None)
    if hopeless is not None or passes(asking):
        return hopeless
    return next((each for each in faults if each.rule is rules.UNKNOWN_OBSERVATION), None)
