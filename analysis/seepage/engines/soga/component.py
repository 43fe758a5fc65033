"""One component at one statement: what evaluating in it needs to know, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from flint import fmpq

from seepage import exact
from seepage.diagnostics import Diagnostic, Fault, Reason, Rule
from seepage.distributions.gaussian import Affine, Gaussian, Slot, State
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.states import GAUSSIAN
from seepage.engines.soga.scalars import Arithmetic
from seepage.engines.soga.truncated import Sign, covariance_is_zero, truncate
from seepage.engines.soga.weights import Weight
from seepage.exact import Number
from seepage.rules import NONLINEAR_EQUALITY
from seepage.source import Span

R = TypeVar("R")


def _opposite(sign: Sign) -> Sign:
    return -1 if sign == 1 else 1


class Undecided(Exception):
    """An expression needs the sign of a continuous form that has none yet: the component has to be split there."""

    def __init__(self, form: Affine, span: Span) -> None:
        super().__init__(f"the sign of {form} at {span}")
        self.form = form
        self.span = span


@dataclass(slots=True)
class Component:
    """A component while a statement evaluates in it.

    Attributes:
        scope: what names mean.
        state: the component as it came in; its Gaussian is replaced by ``gaussian``.
        of: arithmetic of the run.
        gaussian: the law of the sources now; sampling and moment matching append sources.
        signs: of the forms that the component was cut at.
        matched: results of moment matching, by the expression's place, so that evaluating again gives the same.
        reasons: what was approximated whatever follows.
        strict: inside an observed equality, where nothing may be approximated.
    """

    scope: Scope
    state: State
    of: Arithmetic
    gaussian: Gaussian
    signs: dict[Affine, Sign] = field(default_factory=dict)
    matched: dict[Span, Affine] = field(default_factory=dict)
    reasons: dict[Reason, None] = field(default_factory=dict)
    strict: bool = False

    @classmethod
    def of_state(cls, state: State, scope: Scope, of: Arithmetic) -> Component:
        """Return the component that a state is."""
        gaussian = state[scope.slots[GAUSSIAN]]
        if not isinstance(gaussian, Gaussian):
            raise TypeError(f"expected a Gaussian, got {gaussian!r}")
        return cls(scope, state, of, gaussian)

    def slot(self, name: str) -> Number | Affine:
        """Return the value of a variable or parameter."""
        if name in self.scope.slots:
            value = self.state[self.scope.slots[name]]
            if isinstance(value, Gaussian):
                raise TypeError(f"{name!r} names the Gaussian of the component")
            return value
        return self.scope.parameters.get(name, 0)

    def values(self) -> dict[str, Number]:
        """Return the discrete values by name, with the parameters."""
        return self.scope.mapping(self.state)

    def sign(self, form: Affine, span: Span) -> Sign:
        """Return the sign of a continuous form in this part of the component; it is never 0.

        Raises:
            Undecided: if the component has to be split first.
        """
        if self.strict:
            message = "an observed equality must be linear in continuous variables, found a case distinction on one"
            raise Fault(Diagnostic(NONLINEAR_EQUALITY, span, message))
        # Multiples of a form share one cut: the form whose first coefficient is 1.
        lead = form.terms[0][1]
        monic = Affine(
            exact.div(form.constant, lead), tuple((source, exact.div(value, lead)) for source, value in form.terms)
        )
        if monic not in self.signs:
            raise Undecided(monic, span)
        return self.signs[monic] if exact.sign(lead) > 0 else _opposite(self.signs[monic])

    def now(self) -> State:
        """Return the component as a state, with the law that it has now."""
        slots: list[Slot] = list(self.state)
        slots[self.scope.slots[GAUSSIAN]] = self.gaussian
        return tuple(slots)

    def append(self, gaussian: Gaussian) -> Affine:
        """Take over a law with one more source; return that source as a form."""
        self.gaussian = gaussian
        return Affine(0, ((len(gaussian.rows) - 1, 1),))


@dataclass(frozen=True, slots=True)
class Cut:
    """A form by whose sign a component was split, and where in the text."""

    form: Affine
    span: Span


def splitting(
    component: Component, compute: Callable[[Component], R], rule: Rule, message: str
) -> list[tuple[R, Component, Weight, tuple[Cut, ...]]]:
    """Evaluate in a component, cut it by the sign of continuous forms wherever the value depends on one.

    A cut part keeps the moments of the truncated Gaussian (the moment-matching operator of the paper). Its probability is exact;
    its shape is not, which matters only for what is correlated with the cut: a second cut here, or variables that live on
    (:func:`cut_matters`).

    Args:
        component: to evaluate in.
        compute: the evaluation; it may raise ``Undecided``.
        rule: under which a second, correlated cut is an approximation.
        message: the reason in one sentence.

    Returns:
        Values with the component that each goes with, its probability, and the cuts made.
    """
    done: list[tuple[R, Component, Weight, tuple[Cut, ...]]] = []
    waiting: list[tuple[Component, Weight, tuple[Cut, ...]]] = [(component, fmpq(1), ())]
    while waiting:
        part, weight, cuts = waiting.pop()
        try:
            done.append((compute(part), part, weight, cuts))
        except Undecided as undecided:
            form, span = undecided.form, undecided.span
            correlated = any(not covariance_is_zero(cut.form, form, part.gaussian, part.of) for cut in cuts)
            reasons = {**part.reasons, Reason(span, rule.code, message): None} if correlated else dict(part.reasons)
            signs: tuple[Sign, Sign] = (-1, 1)
            for sign in signs:
                probability, gaussian = truncate(part.gaussian, form, sign, part.of)
                piece = Component(
                    part.scope,
                    part.state,
                    part.of,
                    gaussian,
                    {**part.signs, form: sign},
                    dict(part.matched),
                    reasons,
                    part.strict,
                )
                waiting.append((piece, weight * probability, (*cuts, Cut(form, span))))
    return done


def cut_matters(component: Component, cuts: tuple[Cut, ...], live: list[Slot]) -> list[Cut]:
    """Return the cuts with which some live value is correlated: those whose truncated shape is lost."""
    forms = [value for value in live if isinstance(value, Affine)]
    return [
        cut
        for cut in cuts
        if any(not covariance_is_zero(cut.form, form, component.gaussian, component.of) for form in forms)
    ]
