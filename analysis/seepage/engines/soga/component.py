"""One component at one statement: what evaluating in it needs to know, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field, replace
from typing import TypeVar

from flint import fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault, Reason, Rule
from seepage.distributions.gaussian import Affine, Gaussian, Sizes, Slot, State
from seepage.engines.forward.compile import Scope
from seepage.engines.forward.states import GAUSSIAN
from seepage.engines.soga.scalars import Arithmetic
from seepage.engines.soga.truncated import Sign, covariance_is_zero, truncate
from seepage.engines.soga.weights import Weight
from seepage.exact import ArithmeticFault, Number
from seepage.rules import CANNOT_DECIDE, NONLINEAR_EQUALITY
from seepage.source import Span
from seepage.syntax.tree import Binary

R = TypeVar("R")


def _opposite(sign: Sign) -> Sign:
    return -1 if sign == 1 else 1


class Undecided(Exception):
    """An expression needs the sign of a continuous form that has none yet: the component has to be split there."""

    def __init__(self, form: Affine, span: Span) -> None:
        super().__init__(f"the sign of {form} at {span}")
        self.form = form
        self.span = span


@dataclass(frozen=True, slots=True)
class Window:
    """Where a combination of sources is known to lie after cuts: ``low < Σ terms < high``.

    The cut law is always made from ``base``, the law before the first of these cuts, whose component had ``weight``: so any number of
    cuts of one combination gives exact probabilities and moments.
    """

    terms: tuple[tuple[int, Number], ...]
    base: Gaussian
    weight: Weight
    low: Number | None
    high: Number | None


@dataclass(slots=True)
class Component:
    """A component while a statement evaluates in it.

    Attributes:
        scope: what names mean.
        state: the component as it came in; its Gaussian is replaced by ``gaussian``.
        of: arithmetic of the run.
        gaussian: the law of the sources now; sampling and moment matching append sources.
        signs: of the forms that the component was cut at.
        window: of the last of them.
        matched: results of moment matching, by the expression's place, so that evaluating again gives the same.
        reasons: what was approximated whatever follows.
        improbable: comparisons for equality that were decided because two continuous values are equal with probability 0.
        strict: inside an observed equality, where nothing may be approximated.
    """

    scope: Scope
    state: State
    of: Arithmetic
    gaussian: Gaussian
    signs: dict[Affine, Sign] = field(default_factory=dict)
    window: Window | None = None
    matched: dict[Span, Affine] = field(default_factory=dict)
    reasons: dict[Reason, None] = field(default_factory=dict)
    improbable: list[Binary] = field(default_factory=list)
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
            if isinstance(value, Gaussian | Sizes):
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
    its shape is not, which matters only for what is correlated with the cut: a cut of another form here, or variables that live on
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
            form, cut = undecided.form, Cut(undecided.form, undecided.span)
            window = part.window
            if window is None or window.terms != form.terms or len(window.base.rows) != len(part.gaussian.rows):
                if any(not covariance_is_zero(other.form, form, part.gaussian, part.of) for other in cuts):
                    part.reasons[Reason(cut.span, rule.code, message)] = None
                window = Window(form.terms, part.gaussian, weight, None, None)
            waiting.extend(_cut(part, window, weight, cut, cuts))
    return done


def _cut(
    part: Component, window: Window, weight: Weight, cut: Cut, cuts: tuple[Cut, ...]
) -> Iterator[tuple[Component, Weight, tuple[Cut, ...]]]:
    """Yield the parts on the two sides of a form's zero, of which one may be empty."""
    at = exact.neg(cut.form.constant)
    sides: tuple[tuple[Sign, Number | None, Number | None], ...] = ((-1, window.low, at), (1, at, window.high))
    try:
        sides = tuple((sign, low, high) for sign, low, high in sides if low is None or high is None or _less(low, high))
    except ArithmeticFault as fault:
        raise Fault(Diagnostic(CANNOT_DECIDE, cut.span, fault.reason)) from fault
    for sign, low, high in sides:
        piece = replace(
            part, signs={**part.signs, cut.form: sign}, matched=dict(part.matched), reasons=dict(part.reasons)
        )
        if len(sides) == 1:
            yield piece, weight, cuts
            continue
        probability, piece.gaussian = truncate(window.base, window.terms, low, high, part.of)
        piece.window = replace(window, low=low, high=high)
        yield piece, window.weight * probability, (*cuts, cut)


def _less(low: Number, high: Number) -> bool:
    return exact.compare(low, high) < 0


def cut_matters(component: Component, cuts: tuple[Cut, ...], live: list[Slot]) -> list[Cut]:
    """Return the cuts with which some live value is correlated: those whose truncated shape is lost."""
    forms = [value for value in live if isinstance(value, Affine)]
    return [
        cut
        for cut in cuts
        if any(not covariance_is_zero(cut.form, form, component.gaussian, component.of) for form in forms)
    ]
