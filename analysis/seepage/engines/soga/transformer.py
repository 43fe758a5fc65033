r"""The SOGA semantics of statements: the rules of the paper's Table 2, one method a row, over the shared forward machine.

The state is a mixture whose components hold their discrete values exactly and their continuous ones as affine forms over Gaussian sources.
``skip``, sequence and the unrolled ``for`` are the machine's. Where a rule needs the moment-matching operator for what is not a Gaussian
mixture, the statement is recorded as a reason, unless nothing that lives on is correlated with what was lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from flint import arb

from seepage import rules
from seepage.diagnostics import Diagnostic, Reason, Rule
from seepage.distributions.gaussian import Affine, Gaussian, Sizes, Slot, State
from seepage.distributions.kinds import is_continuous
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.cutting import Cutting, cut_of
from seepage.engines.forward.liveness import Step, plan
from seepage.engines.forward.run import Machine
from seepage.engines.forward.states import GAUSSIAN, States, project
from seepage.engines.outcome import Budget, MixtureComponent, MixtureJoint
from seepage.engines.soga import sample as sampling
from seepage.engines.soga.assign import value_in
from seepage.engines.soga.branch import MESSAGE as BRANCH_MESSAGE
from seepage.engines.soga.branch import decide
from seepage.engines.soga.component import Component, Cut, cut_matters, splitting
from seepage.engines.soga.merge import canonical, covariance_of, dot, mean_of, weighted
from seepage.engines.soga.observe import conjuncts, misplaced_equality, observe
from seepage.engines.soga.scalars import Arithmetic
from seepage.engines.soga.shifts import Shifts, any_infinite, reweighted, shifts
from seepage.engines.soga.weights import Weight, Weights
from seepage.exact import Number, precision
from seepage.laws.windows import Window
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import nodes, plain_names
from seepage.source import Span
from seepage.syntax import tree

BITS = 256
"""Precision of balls. Results have about 128 correct bits, which leaves as many to cancellation in conditioning."""


class Rules:
    """The rules of one run, and what they approximated (see :class:`seepage.engines.forward.run.Continuous`)."""

    def __init__(self, budget: Budget, bits: int = BITS) -> None:
        self.of = Arithmetic(bits)
        self.ring = Weights(bits)
        self.budget = budget
        self.reasons: dict[Reason, None] = {}
        self.met: dict[Span, set[str]] = {}
        self.notes: list[Diagnostic] = []
        self.cutting = Cutting()
        self.elements: dict[str, tuple[str, ...]] = {}
        self.shifts: Shifts | None = None
        self.peaks: dict[tuple[int, int], arb] = {}
        self.shifted: Span | None = None

    def assign(
        self, step: Step, value: tree.Expression, state: State, scope: Scope
    ) -> Iterable[tuple[Slot, State, Weight]]:
        r""":math:`x_i := e`: :math:`T_{gm}` of the law of :math:`x[x_i \to e]`; exact where e is linear in each component."""
        message = "the outcome of comparing continuous variables truncates them"
        rule = rules.COMPARISON_OF_CONTINUOUS
        if any(isinstance(node, tree.Conditional) for node in nodes(value)):  # as the check says
            message = "the choice of a conditional expression by continuous variables truncates them"
            rule = rules.CONDITIONAL_ON_CONTINUOUS
        component = Component.of_state(state, scope, self.of)
        for result, part, weight, cuts in splitting(component, lambda c: value_in(c, value), rule, message):
            self._record(part, cuts, [*_live(state, scope, step.forget), result], rule, message)
            yield result, part.now(), weight

    def sample(
        self, step: Step, distribution: tree.Distribution, state: State, scope: Scope
    ) -> Iterable[tuple[Slot, State, Weight]]:
        r""":math:`x_i \sim D'`: :math:`Marg_{x \setminus x_i}(G) \otimes T_{gm}(D')`, with parameters that may depend on the state."""
        message = "a parameter depends on a comparison of continuous variables"
        rule = rules.PARAMETER_DEPENDS_ON_CONTINUOUS
        component = Component.of_state(state, scope, self.of)
        limits = sampling.Limits(self.budget.states, self.budget.tail_bits)

        def draw(part: Component) -> list[sampling.Draw]:
            windows: list[tuple[arb, Window]] = []
            found = list(sampling.draws(part, distribution, self.ring, limits, windows))
            self.cutting.note(distribution, windows)
            return found

        for drawn, part, weight, cuts in splitting(component, draw, rule, message):
            self._record(part, cuts, _live(state, scope, step.forget), rule, message)
            for one in drawn:
                part.gaussian = one.gaussian
                yield one.value, part.now(), weight * one.weight

    def observe(
        self, step: Step, condition: tree.Expression, state: State, scope: Scope
    ) -> Iterable[tuple[State, Weight]]:
        r""":math:`observe(b)`: :math:`T_{gm}(G_{|b})`, reweighted by the likelihood of b in each component."""
        message = "an observed inequality cuts a continuous variable, which is not Gaussian afterwards"
        rule = rules.OBSERVE_INEQUALITY
        parts = [(Component.of_state(state, scope, self.of), self.ring.one)]
        conditions = conjuncts(condition)
        for position, conjunct in enumerate(conditions):
            last = position == len(conditions) - 1
            forget = step.forget if last else frozenset[str]()
            kept: list[tuple[Component, Weight]] = []
            for component, weight in parts:
                for outcome, part, factor, cuts in splitting(
                    component, partial(observe, condition=conjunct, met=self.met), rule, message
                ):
                    if outcome is None:
                        self._note_shift(conjunct)
                        continue
                    after = outcome.component
                    if outcome.peak is None:
                        self._note_shift(conjunct)
                    else:
                        place = id(step), position
                        self.peaks[place] = self.peaks.get(place, arb(0)).max(outcome.peak).upper()
                    self._record(part, cuts, _live(after.state, scope, forget), rule, message)
                    kept.append((after, weight * factor * outcome.density))
            parts = kept
        for component, weight in parts:
            yield component.now(), weight

    def passed(self, condition: tree.Expression, held: bool) -> None:
        """Take note that a component in which everything is discrete met an observation: its equalities met atoms if it held."""
        for conjunct in conjuncts(condition):
            self._note_shift(conjunct)
            if held:
                self.met.setdefault(conjunct.span, set()).add("atom")

    def _note_shift(self, conjunct: tree.Expression) -> None:
        """Take note that an equality was no density here but fixed by values that components which were cut off have others of."""
        if self.shifted is None and self.shifts is not None:
            names = {part for name in plain_names(conjunct) for part in (name, *self.elements.get(name, ()))}
            if names & self.shifts.tainted and names & self.shifts.continuous:
                self.shifted = conjunct.span

    def impossible(self, condition: tree.Expression) -> Diagnostic | None:
        """Explain an observation that no run passes, if there is more to say than that."""
        return misplaced_equality(condition, self.met)

    def decide(
        self, step: Step, condition: tree.Expression, state: State, scope: Scope
    ) -> Iterable[tuple[bool, State, Weight]]:
        r"""*if b*: :math:`P_G(b) \cdot` the first branch from :math:`T_{gm}(G_{|b})`, plus the same for :math:`\neg b`."""
        for truth, part, weight, cuts in decide(Component.of_state(state, scope, self.of), condition):
            forget = step.branches[0 if truth else 1].forget
            self._record(part, cuts, _live(state, scope, forget), rules.BRANCH_ON_CONTINUOUS, BRANCH_MESSAGE)
            yield truth, part.now(), weight

    def is_continuous(self, distribution: tree.Distribution) -> bool:
        """Tell whether a distribution has a density, or a part that has."""
        return is_continuous(distribution)

    def tidy(self, states: States[Weight]) -> States[Weight]:
        """Bring components into canonical form and merge equal ones."""
        slot = states.layout.index(GAUSSIAN)
        weights: dict[State, Weight] = {}
        for state, weight in states.weights.items():
            key = canonical(state, slot, self.of)
            weights[key] = weights[key] + weight if key in weights else weight
        return States(states.layout, weights)

    def settle(self, states: States[Weight]) -> States[Weight]:
        """Keep the components that observed the fewest densities, and take note if others vanish; all start to count anew."""
        slot = states.layout.index(GAUSSIAN)
        counts = {state: law.observed for state in states.weights if isinstance(law := state[slot], Gaussian)}
        fewest = min(counts.values())
        kept: dict[State, Weight] = {}
        for state, weight in states.weights.items():
            law = state[slot]
            if isinstance(law, Gaussian) and law.observed == fewest:
                kept[(*state[:slot], replace(law, observed=0), *state[slot + 1 :])] = weight
        if len(kept) < len(states.weights):
            self.notes.extend(self._atoms_beat_densities())
        self.met.clear()
        return States(states.layout, kept)

    def _atoms_beat_densities(self) -> Iterator[Diagnostic]:
        """Say which observations made components vanish because others observed fewer continuous values."""
        densities = [span for span, kinds in self.met.items() if "density" in kinds]
        both = [span for span in densities if "atom" in self.met[span]]
        message = (
            "runs in which this has positive probability, or is not observed, outweigh those in which it has a density"
        )
        for span in sorted(both or densities):
            yield Diagnostic(rules.ATOM_BEATS_DENSITY, span, message)

    def _record(self, part: Component, cuts: tuple[Cut, ...], live: list[Slot], rule: Rule, message: str) -> None:
        self.reasons.update(part.reasons)
        for cut in cut_matters(part, cuts, live):
            self.reasons[Reason(cut.span, rule.code, message)] = None


def _live(state: State, scope: Scope, forget: frozenset[str]) -> list[Slot]:
    return [state[slot] for name, slot in scope.slots.items() if name not in forget]


def run(
    core: CoreProgram,
    asked: tuple[str, ...],
    parameters: Mapping[str, Number],
    budget: Budget,
    bits: int = BITS,
) -> MixtureJoint:
    """Return the joint sub-distribution of plain variables on termination as a Gaussian mixture.

    Args:
        core: the unrolled program, sliced and sunk by the caller if that is wanted.
        asked: plain variables.
        parameters: values of all the program's parameters.
        budget: limits on components and time.
        bits: precision of balls.

    Raises:
        Fault: of the program, not supported, or past the budget, each at its statement.
    """
    joint, _ = run_with_notes(core, asked, parameters, budget, bits)
    return joint


def run_with_notes(
    core: CoreProgram,
    asked: tuple[str, ...],
    parameters: Mapping[str, Number],
    budget: Budget,
    bits: int = BITS,
) -> tuple[MixtureJoint, tuple[Diagnostic, ...]]:
    """Do as :func:`run`; return also what a reader should know about the run."""
    rules_of_run = Rules(budget, bits)
    with precision(bits):
        machine = Machine(core, parameters, rules_of_run.ring, budget, rules_of_run)
        rules_of_run.cutting = machine.cutting
        rules_of_run.elements = {array: core.elements(array) for array in core.arrays}
        known = rules_of_run.shifts = shifts(core) if any_infinite(core) else None
        start: States[Weight] = States((GAUSSIAN,), {(Gaussian(),): Weights.one})
        states = machine.start(plan(core, (GAUSSIAN, *asked)), start)
        states = rules_of_run.tidy(project(states, (GAUSSIAN, *asked), rules_of_run.ring.add))
        components = tuple(_components(states, rules_of_run.of))
    cut = cut_of(machine.cutting, core, asked, parameters, max(budget.states, budget.rows))
    if cut is not None and known is not None:
        cut = reweighted(cut, known, rules_of_run.shifted, list(rules_of_run.peaks.values()), asked)
    reasons = sorted(rules_of_run.reasons, key=lambda reason: (reason.span, reason.code))
    return MixtureJoint(asked, components, tuple(reasons), cut), tuple(rules_of_run.notes)


def _components(states: States[Weight], of: Arithmetic) -> Iterator[MixtureComponent]:
    for state, weight in states.weights.items():
        law = state[0]
        if isinstance(law, Gaussian):
            yield component_of(law, state[1:], weight, of)


def component_of(gaussian: Gaussian, values: tuple[Slot, ...], weight: Weight, of: Arithmetic) -> MixtureComponent:
    """Return a component in the form that measures read."""
    forms = tuple(value for value in values if isinstance(value, Affine))
    table = covariance_of(gaussian)
    vectors = [weighted(table, form.terms, of) for form in forms]
    rows = tuple(tuple(dict(form.terms).get(i, 0) for i in range(len(gaussian.rows))) for form in forms)
    covariance: tuple[tuple[arb, ...], ...] = tuple(
        tuple(of.ball(dot(other.terms, vector, of)) for other in forms) for vector in vectors
    )
    return MixtureComponent(
        weight=weight,
        values=tuple(None if isinstance(value, Affine | Gaussian | Sizes) else value for value in values),
        coefficients=rows,
        mean=tuple(of.ball(mean_of(form, gaussian, of)) for form in forms),
        covariance=covariance,
        law=(forms, gaussian.means, gaussian.rows),
    )
