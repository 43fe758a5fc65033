r"""The way "accounting of a guess": ``V`` and ``Guess`` of a secret with two values behind many independent outputs, by the law of the privacy loss.

With chances :math:`p \le q` of the values, and P, Q the laws of the outputs given them, the best guess is right with the chance

.. math:: V = \sum \max(p P, q Q) = q + \sum (p P - q Q)_+ = q + p\,\delta_{P, Q}(\log (q / p)),

where :math:`\delta` is the excess that ``Delta`` tells. Of two values one is right at the first guess or at the second: Guess = 2 − V.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from seepage import exact
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import samples_continuous, solve
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.accounting.account import Bounds, greatest
from seepage.measures.accounting.reading import releases_for, releases_of
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk

_FEW_OUTPUTS = 18  # discrete ones alone, of which one law finds the exact number quickly
_WIDTH = 1e-4
_BITS = 128
_NOTHING = Bounds(0.0, 0.0)


def applies(question: Question) -> bool:
    """Tell whether a question is for ``V`` or ``Guess`` of one variable after many outputs, or several with noise, are seen."""
    if question.measure.name not in ("V", "Guess") or len(question.x) != 1 or len(question.y) < 2:
        return False
    if question.given or question.is_under_an_event or question.call.named or set(question.x) & set(question.y):
        return False
    if len(question.y) > _FEW_OUTPUTS:
        return True
    return samples_continuous(walk(slice_program(question.core, question.names).statements))


def by_excess(question: Question) -> Claim | Refusal:
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
        releases = releases_for(told, rare, likely)
        claimed = exact.log_(exact.div(q, p))
        found, _ = (
            greatest([releases], claimed, of_delta=False, width=_WIDTH, stop=stop) if releases.parts else (_NOTHING, 0)
        )
    except NotRead:
        return Refusal(
            "does not apply", "the secret has more than two values, or the outputs are no independent releases of it"
        )
    except OutOfTime as late:
        return Refusal("no time", "the time limit was reached", late)
    except ArithmeticFault as undecided:
        return Refusal("undecided", undecided.reason, undecided)
    with precision(_BITS):
        low, high = (exact.enclose(q) + exact.enclose(p) * arb(end) for end in (found.lower, found.upper))
        if question.measure.name == "Guess":
            low, high = 2 - high, 2 - low
        enclosure = Enclosure.bounded((low + high) / 2, low.lower(), high.upper(), Certainty.CERTIFIED)
    return Quantity(enclosure, 0, "accounting")


def _two_values(question: Question) -> tuple[tuple[Values, Number], tuple[Values, Number]]:
    """Return the values of the secret with their chances, the less likely one first.

    Raises:
        NotRead: if there are not two, or chances are not known exactly.
    """
    inquiry = question.evaluation.inquiry
    alone = slice_program(question.core, question.x)
    if samples_continuous(walk(alone.statements)):
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
