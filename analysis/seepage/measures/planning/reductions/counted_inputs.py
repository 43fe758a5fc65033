r"""Wide uniform inputs that the rest reads only through a function of them with few values: what the function is, is drawn in their place.

A key of 64 bits of which a noisy output reads ``s % 4`` is, for what the output tells, a number below 4 that is drawn with the shares of its classes. Values are counted by class, as
intervals and residues, and not one by one. With :math:`W(y \mid x) = K(f(x), y)` the information is that of f(x), as are values over all inputs or all their laws; of N values that are
equally likely, f having k, and no run being left out, the chance of a right guess is :math:`\frac1N \sum_y \max_t K(t, y)`, which is k/N times that of a uniform t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import fmpq

from seepage.data_classes import dataclass
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.forward.chain import Ends
from seepage.engines.laws_as_draws import Key, Scope, Writing
from seepage.engines.outcome import DiscreteJoint
from seepage.measures import arithmetic
from seepage.measures.clock import OutOfTime
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import plain, signed_sum
from seepage.measures.planning.reductions.words import is_of_words
from seepage.measures.planning.uniform_secrets import uniform_values
from seepage.measures.sufficiency import cut_between
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.lifting import with_parts
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk, written_variables
from seepage.source import Span
from seepage.syntax.tree import Name
from seepage.syntax.tree import Number as Literal

_FEW = 4  # functions of the inputs, at once
_MOST_VALUES = 1_024  # of all of them together
_MOMENT = 1.0  # seconds of a processor for their law
_NOWHERE = Span(0, 0)
_SOURCE = "sufficiency: Cover and Thomas 2006, section 2.9; the chance of a guess: Alvim et al. 2020, definition 5.7"


@dataclass(frozen=True, slots=True)
class _Counted:
    """A program that reads functions of its inputs and nothing else of them.

    Attributes:
        first: what computes the functions.
        rest: what reads them.
        told: their names.
        law: of their values.
    """

    first: CoreProgram
    rest: CoreProgram
    told: Names
    law: Mapping[Key, Fraction]


def _apply(question: Question) -> Reduced | None:
    if not _is_asked(question) or question.given or question.is_under_an_event or not question.y:
        return None
    if set(question.x) & set(question.y) or not is_of_words(question):
        return None
    found = _counted(question)
    if found is None:
        return None
    measure, because = (
        question.measure,
        f"the outputs depend on wide values through a function with {len(found.law):,} values",
    )
    if measure.is_chance_to_guess:
        return _guessed(question, found, because)
    told = question.of(_drawn(found, found.law), found.told, question.y, measure="I" if measure.is_entropy else None)
    if measure.is_entropy:
        before = question.of(question.core, question.x)
        return Reduced((before, told), lambda claims: signed_sum((1, -1), claims), "=", because)
    return Reduced((told,), lambda claims: plain(claims[0]), "=", because)


def _is_asked(question: Question) -> bool:
    measure = question.measure
    is_over_values = measure.shape == "channel" and not measure.reads_prior and not question.states("distance")
    return measure.is_of_entropies or is_over_values or (measure.is_chance_to_guess and question.call.gain is None)


def _guessed(question: Question, found: _Counted, because: str) -> Reduced | None:
    """Pose the chance of a right guess at a uniform input.

    No run may be left out behind the function: how many are left depends on its law, which is another one then.
    """
    size = uniform_values(question.of(found.first, question.x, found.told))
    keeps_all = all(isinstance(each, CoreAssign | CoreSample | CoreIf) for each in walk(found.rest.statements))
    if size is None or not keeps_all:
        return None
    count = len(found.law)
    evenly = _drawn(found, dict.fromkeys(found.law, Fraction(1, count)))
    share = Enclosure.of_rational(Fraction(count, size))

    def fold(claims: Sequence[Claim]) -> Claim:
        return replace(plain(claims[0]), enclosure=arithmetic.multiply(share, claims[0].enclosure))

    return Reduced((question.of(evenly, found.told, question.y),), fold, "=", because)


# --- the function, and its law ----------------------------------------------------------------------------------------


def _counted(question: Question) -> _Counted | None:
    core = with_parts(slice_program(question.core, question.names), question.x)
    found = cut_between(core, question.x, question.y, _FEW)
    if found is None:
        return None
    core, told = found
    place = next(at for at, each in enumerate(core.statements) if _target(each) in told)
    rest = core.statements[place:]
    if not any(isinstance(each, CoreSample) for each in walk(rest)):
        return None  # what is seen is a function of the inputs alone
    first = replace(core, statements=core.statements[: place + len(told)])
    law = _law(question.of(first, told), told)
    return None if law is None else _Counted(first, replace(core, statements=rest), told, law)


def _drawn(found: _Counted, law: Mapping[Key, Fraction]) -> CoreProgram:
    """Return the program in which the functions are drawn from a law, in the place of what computed them."""
    copies = found.rest.statements[: len(found.told)]
    names = [each.value.id for each in copies if isinstance(each, CoreAssign) and isinstance(each.value, Name)]
    ends = Ends(dict(law), Fraction(0))
    draws = Writing().drawn(Scope(_NOWHERE, (), names), [((), ends)], lambda weight: Literal(weight, _NOWHERE))
    statements = (*draws, *found.rest.statements)
    return replace(found.rest, statements=statements, variables=written_variables(statements))


def _law(question: Question, told: Names) -> dict[Key, Fraction] | None:
    """Return the law of functions of the inputs, exactly; None where it has many values, takes long, or has irrational chances."""
    budget = question.evaluation.inquiry.budget
    budget = replace(budget, states=_MOST_VALUES, deadline=sooner(budget.deadline, _MOMENT))
    try:
        joint = joint_of(question.within(budget).evaluation.inquiry, question.core, told)
    except (Fault, OutOfTime):
        return None
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return None
    masses = {values: each for values, each in joint.marginal(told).masses.items() if isinstance(each, fmpq)}
    if not len(joint.masses) == len(masses) <= _MOST_VALUES:
        return None
    whole = sum(masses.values(), fmpq(0))
    shares = {values: each / whole for values, each in masses.items()}
    return {values: Fraction(int(each.p), int(each.q)) for values, each in shares.items()}


def _target(statement: CoreStatement) -> str | None:
    return statement.target.id if isinstance(statement, CoreAssign) and isinstance(statement.target, Name) else None


COUNTED_INPUTS = Reduction("classes of wide inputs", _SOURCE, _apply)
