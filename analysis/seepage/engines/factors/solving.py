"""The joint of variables by elimination, where that is cheaper than to go from state to state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import lru_cache

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.factors.answers import Question, asking, killer_of, marginal, settle
from seepage.engines.factors.building import graph_of
from seepage.engines.factors.enumeration import states_of
from seepage.engines.factors.graph import Beyond, Graph, Impossible
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability, balls
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.core import CoreProgram, CoreSample
from seepage.semantics.evaluate import spelled
from seepage.semantics.memo import Same
from seepage.semantics.statements import walk

_FEW_DRAWS = 8  # up to which nothing is weighed: there are few states
_OF_A_STATE, _OF_A_VARIABLE, _OF_AN_ENTRY, _OF_AN_ANSWER = 1e-6, 4e-5, 1.5e-7, 4e-6  # seconds, roughly
_SHORT = 0.005  # seconds: a run of states that takes less is not replaced
_GAIN = 2  # times that elimination must be cheaper: estimates are rough
_FIRST_BITS, _LAST_BITS, _TIGHT_BITS = 192, 8_192, 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds, roughly, that a question would take by elimination, and state by state."""

    elimination: float
    enumeration: float

    @property
    def is_gain(self) -> bool:
        """Tell whether elimination is to be taken."""
        return self.enumeration > _SHORT and self.elimination * _GAIN < self.enumeration


def eliminated(
    core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> DiscreteJoint[fmpq] | DiscreteJoint[arb] | None:
    """Return the joint of plain variables by elimination; None where a run state by state is as good, or elimination does not do it.

    Args:
        core: sliced to what the variables depend on, and sunk, so that its order is that of a run.
        names: plain variables.
        parameters: values of the program's parameters.
        budget: limits.

    Raises:
        Fault: an observation that no run passes.
    """
    try:
        question = _weighed(core, names, parameters, budget)
        if question is None:
            return None
        try:
            return _tight(core, names, parameters, budget, question)
        except Impossible:
            raise Impossible(killer_of(question.graph, budget, budget.rows)) from None
    except Impossible as found:
        if found.killer is None:
            return None
        message = f"impossible observation: no run passes '{spelled(found.killer.condition)}'"
        raise Fault(Diagnostic(IMPOSSIBLE_OBSERVATION, found.killer.span, message)) from found
    except Beyond:
        return None


def is_eliminated(core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget) -> bool:
    """Tell whether :func:`eliminated` would answer, but for the limits of time."""
    try:
        return _weighed(core, names, parameters, budget) is not None
    except Beyond:
        return False


def _weighed(
    core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> Question | None:
    """Return the question if it is better answered by elimination, and no run meets an undefined value.

    Raises:
        Beyond: if elimination does not answer it.
    """
    if sum(isinstance(each, CoreSample) for each in walk(core.statements)) <= _FEW_DRAWS:
        return None
    return _weighed_once(_asked(core, parameters, budget), names)


@lru_cache(maxsize=2)
def _weighed_once(asked: _Asked, names: tuple[str, ...]) -> Question | None:
    """Do the same once for those who ask whether a question is answered so, and for the answer."""
    budget = asked.budget
    graph = _exact_graph(asked)
    least = _least(graph, names)
    if not least.is_gain:  # then no order is looked for
        return None
    question = asking(graph, names, budget, budget.rows)
    if not _estimated(least, question).is_gain:
        return None
    settle(graph, budget, budget.rows)
    return question


def _least(graph: Graph, names: tuple[str, ...]) -> Estimate:
    """Weigh a question before an order is known: each variable takes some time to eliminate."""
    return Estimate(_OF_A_VARIABLE * len(graph.domains), _OF_A_STATE * states_of(graph, names))


def _estimated(least: Estimate, question: Question) -> Estimate:
    plan = question.plan
    return replace(least, elimination=least.elimination + _OF_AN_ENTRY * plan.entries + _OF_AN_ANSWER * plan.answer)


def exact_graph(core: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> Graph:
    """Return the graph of a program over rationals, or over balls where some probability is irrational.

    Args:
        core: the program, sliced.
        parameters: values of its parameters.
        budget: limits.

    Raises:
        Beyond: as :func:`~seepage.engines.factors.building.graph_of`.
    """
    return _exact_graph(_asked(core, parameters, budget))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a graph depends on; the deadline may only keep it from being made."""

    program: Same[CoreProgram]
    parameters: tuple[tuple[str, Number], ...]
    limits: Budget
    budget: Budget = field(compare=False)


def _asked(core: CoreProgram, parameters: Mapping[str, Number], budget: Budget) -> _Asked:
    return _Asked(Same(core), tuple(sorted(parameters.items())), replace(budget, deadline=None), budget)


@lru_cache(maxsize=2)
def _exact_graph(asked: _Asked) -> Graph:
    """Make a graph once for the many ways to answer one question, each of which looks at it before it is taken."""
    core, parameters = asked.program.one, dict(asked.parameters)
    try:
        return graph_of(core, parameters, RATIONALS, asked.budget)
    except IrrationalProbability:
        return graph_of(core, parameters, balls(_FIRST_BITS), asked.budget)


def _tight(
    core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget, question: Question
) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
    """Return the joint, with balls of as many bits as make all masses tight."""
    joint = marginal(question, names, budget)
    bits = _FIRST_BITS
    while bits < _LAST_BITS and not all(_is_tight(mass) for mass in joint.masses.values()):
        bits *= 2
        again = asking(graph_of(core, parameters, balls(bits), budget), names, budget, budget.rows)
        joint = marginal(again, names, budget)
    return joint


def _is_tight(mass: fmpq | arb) -> bool:
    return not isinstance(mass, arb) or bool(mass.is_zero()) or int(mass.rel_accuracy_bits()) >= _TIGHT_BITS
