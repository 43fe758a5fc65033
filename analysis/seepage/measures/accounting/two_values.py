r"""The way "accounting of two values": what is told of a secret with two values by many independent outputs, by the law of the privacy loss.

With chances :math:`p \le q` of the values, and P, Q the laws of the outputs given them, the best guess is right with the chance

.. math:: V = \sum \max(p P, q Q) = q + \sum (p P - q Q)_+ = q + p\,\delta_{P, Q}(\log (q / p)),

where :math:`\delta` is the excess that ``Delta`` tells. Of two values one is right at the first guess or at the second: Guess = 2 − V. The capacity of
min-entropy leakage is :math:`\log \sum \max(P, Q) = \log(1 + \delta_{P, Q}(0))`. Informations: :mod:`~seepage.measures.accounting.information`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import samples_continuous, solve
from seepage.exact import Number, precision
from seepage.measures.accounting.account import Bounds, Releases, greatest
from seepage.measures.accounting.information import capacity, information
from seepage.measures.accounting.reading import releases_for, releases_of
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import is_integral
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.units import in_unit
from seepage.semantics.slice import slice_program

_FEW_OUTPUTS = 18  # discrete ones alone, of which one law finds the exact number quickly
_FOLLOWED = 5_000  # rounds of loops with discrete outputs, of which counts tell the exact number
_WIDTH = 2e-5
_NARROW = 2e-6  # of informations, which cost no more
_BITS = 128
_NOTHING = Bounds(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Case:
    """Two values: their chances, the lesser one first, and the releases of them in this order."""

    p: Number
    q: Number
    releases: Releases
    stop: Callable[[], None]

    def excess(self, claimed: Number) -> tuple[arb, arb]:
        """Return bounds of δ at a claimed ε."""
        found = _NOTHING
        if self.releases.parts:
            found, _ = greatest([self.releases], claimed, of_delta=False, width=_WIDTH, stop=self.stop)
        return arb(found.lower), arb(found.upper)

    def chance(self) -> tuple[arb, arb]:
        """Return bounds of the chance of the best guess."""
        low, high = self.excess(exact.log_(exact.div(self.q, self.p)))
        p, q = exact.enclose(self.p), exact.enclose(self.q)
        return q + p * low, q + p * high

    def information(self) -> tuple[arb, arb]:
        """Return bounds of the information in nats."""
        p, q = exact.nearest_float(self.p), exact.nearest_float(self.q)
        found = information(self.releases, p, q, _NARROW, self.stop) if self.releases.parts else _NOTHING
        return arb(found.lower), arb(found.upper)

    def capacity(self) -> tuple[arb, arb]:
        """Return bounds of the capacity in nats."""
        found = capacity(self.releases, _NARROW, self.stop) if self.releases.parts else _NOTHING
        return arb(found.lower), arb(found.upper)

    def entropy(self) -> arb:
        """Return the entropy of the secret in nats."""
        return -sum((exact.enclose(each) * exact.enclose(each).log() for each in (self.p, self.q)), arb(0))


def _guesses(case: _Case) -> tuple[arb, arb]:
    low, high = case.chance()
    return 2 - high, 2 - low


def _min_entropy(case: _Case) -> tuple[arb, arb]:
    low, high = case.chance()
    return -high.log(), -low.log()


def _min_leakage(case: _Case) -> tuple[arb, arb]:
    low, high = case.chance()
    return (low / exact.enclose(case.q)).log(), (high / exact.enclose(case.q)).log()


def _left(case: _Case) -> tuple[arb, arb]:
    low, high = case.information()
    return case.entropy() - high, case.entropy() - low


def _min_capacity(case: _Case) -> tuple[arb, arb]:
    low, high = case.excess(0)
    return (1 + low).log(), (1 + high).log()


_TOLD: Mapping[str, Callable[[_Case], tuple[arb, arb]]] = {
    "V": _Case.chance,
    "Guess": _guesses,
    "Hmin": _min_entropy,
    "Lmin": _min_leakage,
    "Cmin": _min_capacity,
    "I": _Case.information,
    "H": _left,
    "C": _Case.capacity,
}


def applies(question: Question) -> bool:
    """Tell whether a question is for what many outputs, or several with noise, tell of one variable."""
    if question.measure.name not in _TOLD or len(question.x) != 1 or len(question.y) < 2:
        return False
    if question.given or question.is_under_an_event or question.call.named or set(question.x) & set(question.y):
        return False
    is_continuous = samples_continuous(slice_program(question.core, question.names).statements)
    if question.core.rounds:
        return is_continuous or sum(question.core.rounds.values()) > _FOLLOWED
    if not question.measure.dimension and is_continuous:
        return True
    return len(question.y) > _FEW_OUTPUTS or is_integral(question)


def by_accounting_of_two(question: Question) -> Claim | Refusal:
    """Answer from the excess of one value over the other.

    Raises:
        Fault: of the program.
    """
    inquiry = question.evaluation.inquiry
    core = slice_program(question.core, question.names)

    def stop() -> None:
        if inquiry.budget.expired():
            raise OutOfTime

    try:
        (rare, p), (likely, q) = _two_values(question)
        told = releases_of(core, question.x, question.y, inquiry)
        with precision(_BITS):
            low, high = _TOLD[question.measure.name](_Case(p, q, releases_for(told, rare, likely), stop))
    except NotRead:
        return Refusal(
            "does not apply", "the secret has more than two values, or the outputs are no independent releases of it"
        )
    with precision(_BITS):
        enclosure = Enclosure.bounded((low + high) / 2, low.lower(), high.upper(), Certainty.CERTIFIED)
    if question.measure.dimension:
        return replace(in_unit(question.evaluation.unit, enclosure, None), engine="accounting")
    return Quantity(enclosure, 0, "accounting")


def _two_values(question: Question) -> tuple[tuple[Values, Number], tuple[Values, Number]]:
    """Return the values of the secret with their chances, the less likely one first.

    Raises:
        NotRead: if there are not two, or chances are not known exactly.
    """
    inquiry = question.evaluation.inquiry
    alone = slice_program(question.core, question.x)
    if samples_continuous(alone.statements):
        raise NotRead
    joint = solve(alone, question.x, inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None or len(joint.masses) != 2:
        raise NotRead
    found: list[tuple[Values, Number]] = []
    for values, mass in joint.masses.items():
        share = mass / joint.mass
        if not isinstance(share, fmpq):
            raise NotRead
        found.append((values, exact.number(Fraction(int(share.p), int(share.q)))))
    one, other = found
    return (one, other) if exact.compare(one[1], other[1]) <= 0 else (other, one)
