r"""The way "uniform secret": the guesses at a uniform secret after a function of it is seen, by the law of what is seen alone.

What is seen leaves :math:`N P(y)` of the N values, all with the same chance, so that they take :math:`(N P(y) + 1)/2` guesses (Massey 1994, "Guessing and entropy"); in the mean
:math:`(N \sum_y P(y)^2 + 1)/2`. One guess is right with chance 1/N for each y that there is. The secret may have as many values as it likes: the time of a square-and-multiply leaves all exponents with as many ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

from flint import fmpq

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.quantity import Quantity
from seepage.measures.result import Companion
from seepage.measures.rounding import float_ends
from seepage.semantics.core import CoreAssign, CoreIf, CoreSample
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import may_write, walk
from seepage.semantics.uniform_laws import uniform_range
from seepage.syntax.tree import Distribution, Family, Name
from seepage.syntax.tree import Number as Literal

_MANY = 1 << 16
"""Values of the secret, from where on they are not looked at one by one, with formulas."""

_HALF = Fraction(1, 2)
_TOSSES = frozenset({"flip", "bernoulli"})


def applies(question: Question) -> bool:
    """Tell whether a number of guesses is asked for, or the chance of one, of all that is drawn, and all of it is uniform."""
    measure = question.measure
    is_asked = measure.functional == "tries" or (
        measure.functional == "gain" and measure.shape == "of x given y" and measure.dimension == 0
    )
    if not is_asked or not question.y or question.given or question.call.named or question.call.gain:
        return False
    count = uniform_values(question)
    return count is not None and count > _MANY


def by_uniform_secret(question: Question) -> Claim | Refusal:
    """Answer from the law of what is seen."""
    count = uniform_values(question)
    joint = joint_of(question.evaluation.inquiry, question.core, question.y)
    if count is None or not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return Refusal("does not apply", "what is seen has no law of finitely many values")
    places = joint.positions(question.y)
    chances: dict[Values, Any] = {}
    for values, mass in joint.masses.items():
        key = tuple(values[place] for place in places)
        chances[key] = chances.get(key, fmpq(0)) + mass / joint.mass
    if not all(isinstance(each, fmpq) for each in chances.values()):
        return Refusal("does not apply", "a chance is irrational")
    if question.measure.functional == "gain":
        return Quantity(Enclosure.of_rational(Fraction(len(chances), count)), 0, "discrete")
    guesses: fmpq = (count * sum((each * each for each in chances.values()), fmpq(0)) + 1) / 2
    found = Enclosure.of_rational(Fraction(int(guesses.p), int(guesses.q)))
    before = Enclosure.of_rational(Fraction(count + 1, 2))
    return replace(Quantity(found, 0, "discrete"), companions=_beside(before))


def _beside(before: Enclosure) -> tuple[Companion, ...]:
    lower, value, upper = float_ends(before)
    return (Companion("guesses before", "", value, lower, upper),)


def uniform_values(question: Question) -> int | None:
    """Return how many values the secret of a question has; None if it is not uniform, or not all that is drawn, or a run may be left out."""
    core, parameters = slice_program(question.core, question.names), question.evaluation.scope.parameters
    sizes: dict[str, int] = {}
    for statement in core.statements:
        if (
            isinstance(statement, CoreSample)
            and isinstance(statement.target, Name)
            and statement.target.id not in sizes
        ):
            if not (size := _size(statement.distribution, parameters)):
                return None
            sizes[statement.target.id] = size
            continue
        is_function = all(isinstance(each, CoreAssign | CoreIf) for each in walk((statement,)))
        if not is_function or may_write(core, (statement,)) & sizes.keys():
            return None
    return prod(sizes.values()) if set(sizes) == set(question.x) else None


def _size(law: Distribution, parameters: Mapping[str, Number]) -> int:
    """Return how many values a uniform law has, 0 for another one."""
    if (ends := uniform_range(law, parameters)) is not None:
        return ends[1] - ends[0] + 1
    match law:
        case Family(name=name, arguments=(only,)) if name in _TOSSES:
            return 2 if isinstance(only.value, Literal) and only.value.value == _HALF else 0
        case _:
            return 0
