r"""Records whose terms have known ranges, added up behind noise: the worst case is a shift by the ranges.

Let each output be :math:`a_j T + N_j` with :math:`T = \sum f_i(x_i)`, the records :math:`x_i` independent of each other and of the :math:`N_j`, each :math:`f_i` in an interval of
width :math:`w_i`. Neighbours in k records move T by at most :math:`d`, the sum of the k largest :math:`w_i`, and the laws of the outputs for two of them are one law, moved.
So losses and excesses are at most those of a uniform value on :math:`[0, d]` in place of T; they are equal where each :math:`f_i` comes arbitrarily close to all of its
interval, as the excess is lower semicontinuous in the shift: ends that are never reached count.

*Other independent values in the outputs*, such as the records that are not asked about: the laws are averages over these, and excesses are convex in pairs of laws, so
that what holds where they are fixed is an upper bound. Normal, Laplace and discrete Laplace laws are log-concave: the further they move, the
larger are their losses and excesses, so that for sums of whole numbers that move each output by whole steps
of its noise, and for several outputs with noise of their own, both ends of :math:`[0, d]` are the worst. Where the other values are bounded, behind normal or Laplace noise, the
tails of one output reach the loss at δ = 0 all the same.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.moved_sums import NotSummed, Term
from seepage.measures.planning.question import Question
from seepage.measures.planning.records import Records, family, far_apart, is_move, records_of
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.statistic import places_of
from seepage.measures.planning.table import Relation
from seepage.measures.quantity import NOWHERE

_SOURCE = (
    "Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, definition 3.1 and theorem 3.6; joint convexity of the "
    "hockey-stick divergence, Balle, Barthe and Gaboardi 2018, Privacy Amplification by Subsampling; monotone likelihood ratios of moved "
    "log-concave laws, Saumard and Wellner 2014, Log-concavity and strong log-concavity"
)


@dataclass(frozen=True, slots=True)
class _Moved:
    """Records, and how far neighbours move their sum."""

    records: Records
    far: Fraction
    because: str


def _moved(question: Question) -> _Moved | None:
    if not question.measure.is_of_losses:
        return None
    places, alone = places_of(question), len(question.x) == 1
    if places is None or is_move(question) or (alone and question.states("distance")):
        return None
    records = records_of(question)
    if records is None or (far := far_apart(records.widths, places)) == 0:
        return None
    some = "any two records" if places >= len(question.x) else f"neighbours in {places} of the records"
    some = "two values of the record" if alone else some
    return _Moved(
        records, far, f"the outputs move with a sum that {some} move by at most {exact.show(exact.number(far))}"
    )


def _upper(question: Question) -> Reduced | None:
    found = _moved(question)
    if found is None:
        return None
    records, noises = found.records, found.records.noises
    if not noises and (records.terms or not records.full):
        return None
    everything = len(noises) == len(records.terms)
    relation: Relation = "=" if records.full and (everything or _is_reached(question, records)) else "<="
    ends = len(records.outputs) > 1 or records.whole
    if ends and (any(sum(term in each for each in records.others) > 1 for term in noises) or not noises):
        return None
    if any(term.noise is None for term in noises) and not (records.whole and _moves_by_steps(records)):
        return None
    return _posed(question, found, "uniform_of" if ends else "uniform", noises, relation)


def _lower(question: Question) -> Reduced | None:
    found = _moved(question)
    if found is None or not found.records.full or all(term in found.records.noises for term in found.records.terms):
        return None
    return _posed(question, found, "uniform_of", found.records.terms, ">=")


def _posed(question: Question, found: _Moved, law: str, kept: tuple[Term, ...], relation: Relation) -> Reduced | None:
    try:
        program, move, outputs = found.records.behind(kept, family(law, 0, found.far))
    except NotSummed:
        return None
    posed = question.of(program, (move,), outputs)
    named = tuple(each for each in posed.call.named if each.name != "distance")
    posed = replace(posed, call=replace(posed.call, named=named)).without_formulas()
    return Reduced((posed,), lambda claims: replace(claims[0], witness=NOWHERE, formula=None), relation, found.because)


def _moves_by_steps(records: Records) -> bool:
    """Tell whether each output moves by whole steps of its noise of whole numbers, all noises in it having the same steps: then their sum is log-concave."""
    for factor, others in zip(records.factors, records.others, strict=True):
        steps = {exact.to_fraction(by) for term, by in others.items() if term in records.noises}
        sizes = {None if step is None else abs(step) for step in steps}
        moved = exact.to_fraction(factor)
        if not sizes:
            continue  # nothing hides the move, whatever its size
        size = sizes.pop()
        if sizes or size is None or moved is None or (moved / size).denominator != 1:
            return False
    return True


def _is_reached(question: Question, records: Records) -> bool:
    """Tell whether the tails of an output reach the loss of its noise, whatever bounded values are added."""
    if not question.measure.is_loss or question.states("delta") or len(records.outputs) != 1:
        return False
    noises = set(records.noises)
    bounded = all(None not in term.range for term in records.terms if term not in noises)
    return bounded and all(term.noise is not None for term in noises)


CLIPPED_RECORDS = Reduction("ranges of records", _SOURCE, _upper)
ENDS_OF_RECORDS = Reduction("ends of the ranges of records", _SOURCE, _lower)
