r"""Guessing inputs that outputs depend on through a function: only the likeliest input of each of its values is ever guessed.

Let :math:`W(y \mid x) = K(f(x), y)` and :math:`m_t = \max_{f(x) = t} p(x)`. Then :math:`V(x \mid y) = \sum_y \max_t K(t, y) m_t`, which is :math:`M = \sum_t m_t` times the chance to guess
a value of law :math:`m_t / M`. As the likeliest input of all has the greatest m, the quotient with the chance before anything is seen is the same for both.
For a sum of independent inputs, m is made input by input, with a maximum where the law of the sum has a sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from flint import arb, fmpq

from seepage.diagnostics import Fault
from seepage.engines.additive import Additive, NotAdditive, additives
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import precision
from seepage.measures import arithmetic
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import is_large
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import plain, signed_sum
from seepage.measures.sufficiency import cut_between
from seepage.measures.units import in_unit
from seepage.semantics.core import CoreAssign, CoreSample, CoreStatement
from seepage.semantics.statements import written_variables
from seepage.source import Span
from seepage.syntax.tree import Binary, Call, Expression, Name, Table
from seepage.syntax.tree import Number as Literal

_SOURCE = "by definition: the maximum over inputs is one over the values of f of one over the inputs with that value"
_NOWHERE = Span(0, 0)
_CLASS = "@class"  # no name of the language holds an @
_TOLD = "@told"
_MOST_CLASSES = 4_000
_MOST_FUNCTIONS = 4

_Class = tuple[int, ...]  # values of the functions


def _apply(question: Question) -> Reduced | None:
    if not _is_guess(question) or question.given or question.is_under_an_event or len(question.x) < 2:
        return None
    if not question.y or set(question.x) & set(question.y) or not is_large(question):
        return None
    found = cut_between(question.core, question.x, question.y)
    if found is None or len(found[1]) > _MOST_FUNCTIONS:
        return None
    program, copies = found
    at = next(place for place, each in enumerate(program.statements) if _copies(each, copies))
    read = tuple(name.removesuffix(_TOLD) for name in copies)
    try:
        values = additives(program.statements[:at], question.x, read, question.evaluation.scope.parameters)
    except NotAdditive:
        return None
    likeliest = _likeliest(question, values)
    if likeliest is None:
        return None
    total = sum(likeliest.values(), Fraction(0))
    statements = (*_drawn(read, likeliest, total), *program.statements[at + len(copies) :])
    core = replace(program, statements=statements, variables=written_variables(statements))
    posed = question.of(core, (_CLASS,), question.y).without_formulas()
    because = (
        f"of the inputs with one value of '{', '.join(read)}' only the likeliest is guessed, {len(likeliest):,} in all"
    )
    return Reduced((posed,), lambda claims: _told(question, claims[0], total), "=", because)


def _is_guess(question: Question) -> bool:
    measure = question.measure
    return measure.functional == "gain" and measure.reads_prior and not measure.chooses_gain and not question.call.gain


def _copies(statement: CoreStatement, names: Sequence[str]) -> bool:
    return isinstance(statement, CoreAssign) and isinstance(statement.target, Name) and statement.target.id in names


def _likeliest(question: Question, values: Sequence[Additive]) -> Mapping[_Class, Fraction] | None:
    """Return the chance of the likeliest inputs for each value of the functions; None where these are no few whole numbers, or chances are irrational."""
    if not all(isinstance(value.constant, int) for value in values):
        return None
    found: dict[_Class, int] = {tuple(int(str(value.constant)) for value in values): 1}
    denominator = 1  # of all chances: whole numbers are compared without being brought to lowest terms
    for name in question.x:
        best = _moves(question, values, name)
        if best is None or len(found) * len(best) > 100 * _MOST_CLASSES:
            return None
        common = lcm(*(chance.denominator for chance in best.values()))
        weights = {move: chance.numerator * (common // chance.denominator) for move, chance in best.items()}
        denominator *= common
        grown: dict[_Class, int] = {}
        for one, weight in found.items():
            for other, more in weights.items():
                both = tuple(map(int.__add__, one, other))
                grown[both] = max(grown.get(both, 0), weight * more)
        if len(grown) > _MOST_CLASSES:
            return None
        found = grown
    return {each: Fraction(weight, denominator) for each, weight in found.items()}


def _moves(question: Question, values: Sequence[Additive], name: str) -> Mapping[_Class, Fraction] | None:
    """Return how values of one input move the functions, each with the chance of the likeliest of them."""
    try:
        joint = joint_of(question.evaluation.inquiry, question.core, (name,))
    except Fault:
        return None
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None or joint.mass != 1:
        return None
    places = {value: place for place, value in enumerate(values[0].supports[name])}
    best: dict[_Class, Fraction] = {}
    for (value,), mass in joint.masses.items():
        if not isinstance(mass, fmpq) or value not in places:
            return None
        moved = [each.terms[name][places[value]] if name in each.terms else 0 for each in values]
        if not all(isinstance(each, int) for each in moved):
            return None
        key = tuple(each for each in moved if isinstance(each, int))
        best[key] = max(best.get(key, Fraction(0)), Fraction(int(mass.p), int(mass.q)))
    return best


def _drawn(read: Names, chances: Mapping[_Class, Fraction], total: Fraction) -> list[CoreStatement]:
    """Return statements that draw values of the functions with chances in proportion: one number, and its digits."""
    lows = [min(column) for column in zip(*chances, strict=True)]
    sizes = [max(column) - low + 1 for column, low in zip(zip(*chances, strict=True), lows, strict=True)]
    entries: list[tuple[Expression, Expression]] = []
    for each, chance in sorted(chances.items()):
        code = 0
        for value, low, size in zip(each, lows, sizes, strict=True):
            code = code * size + value - low
        entries.append((_number(code), _number(chance / total)))
    made: list[CoreStatement] = [CoreSample(_name(_CLASS), Table(tuple(entries), _NOWHERE), _NOWHERE)]
    weight = 1
    for name, low, size in reversed(list(zip(read, lows, sizes, strict=True))):
        digit: Expression = _name(_CLASS)
        if len(read) > 1:
            whole = Call("floor", (Binary("/", digit, _number(weight), _NOWHERE),), _NOWHERE, _NOWHERE)
            digit = Binary("%", whole, _number(size), _NOWHERE)
        made.append(CoreAssign(_name(name), Binary("+", _number(low), digit, _NOWHERE), _NOWHERE))
        weight *= size
    return made


def _told(question: Question, claim: Claim, total: Fraction) -> Claim | None:
    """Return what is asked about the inputs from the answer about the class."""
    claim = plain(claim)
    if question.measure.shape == "channel":
        return claim  # a quotient of chances, before and after
    if question.measure.dimension == 0:
        return replace(claim, enclosure=arithmetic.multiply(claim.enclosure, Enclosure.of_rational(total)))
    with precision(WORKING_BITS):
        more = Enclosure.of_ball(-(arb(total.numerator) / arb(total.denominator)).log())
        return signed_sum((1, 1), (claim, in_unit(question.evaluation.unit, more, None)))


def _number(value: int | Fraction) -> Expression:
    return Literal(Fraction(value), _NOWHERE)


def _name(name: str) -> Name:
    return Name(name, _NOWHERE)


LIKELIEST = Reduction("likeliest inputs", _SOURCE, _apply)
