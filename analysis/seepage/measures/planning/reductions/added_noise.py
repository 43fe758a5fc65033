r"""I(x; y) where y = g(x) + W with W independent of x: :math:`I(x; y) = H(y) - H(W)`, as :math:`H(y \mid x) = H(W)` whatever x is.

W is what is left of a sum of terms of one input each where the terms of x are held at any of their values: moved by a constant, it has the same entropy. So a
secret of many parts, a key of 64 bits, is never followed together with the sum that tells of it. :math:`H(x \mid y) = H(x) - I(x; y)`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import prod

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.engines.additive import MOST_VALUES, NotAdditive, additive
from seepage.engines.forward.coefficients import balls
from seepage.exact import ArithmeticFault
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import signed_sum
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.slice import sunk_slice
from seepage.semantics.statements import written_variables
from seepage.semantics.uniform_laws import uniform_range
from seepage.syntax.tree import Name, Number

_SOURCE = "Cover and Thomas 2006, section 9.1: the information behind independent noise that is added"
_BITS = 64
_FEW = 1 << 16
"""Combinations of inputs that are looked at together: then there are formulas."""


def _apply(question: Question) -> Reduced | None:
    measure = question.measure
    if not measure.is_of_entropies or len(question.y) != 1 or question.given or question.is_under_an_event:
        return None
    if not measure.is_information and measure.shape != "of x given y":
        return None
    core, parameters = sunk_slice(question.core, question.names), question.evaluation.scope.parameters
    try:
        drawn = {name: each for each in core.statements if (name := _drawn(each)) in question.x}
        firsts = {name: _first(each, parameters) for name, each in drawn.items()}
        held = {name: value for name, (value, _) in firsts.items()}
        found = additive(core.statements, question.x, question.y[0], parameters, held)
    except (NotAdditive, Fault, ArithmeticFault):
        return None
    many = prod(len(values) for values in found.supports.values()) * prod(size for _, size in firsts.values())
    if many <= _FEW or set(question.x) != set(held) or not set(question.x) & set(found.terms):
        return None
    noise = _held(core, held)
    of_sum = question.of(core, question.y, measure="H").without_formulas()
    of_noise = question.of(noise, question.y, measure="H").without_formulas()
    parts = [(1, of_sum), (-1, of_noise)]
    if not measure.is_information:
        parts = [(1, question.of(core, question.x, measure="H").without_formulas()), (-1, of_sum), (1, of_noise)]

    def fold(claims: Sequence[Claim]) -> Claim | None:
        return signed_sum([sign for sign, _ in parts], claims)

    return Reduced(
        tuple(each for _, each in parts),
        fold,
        "=",
        f"'{question.y[0]}' is a sum, and what is added to the terms of '{question.x[0]}' is independent of them",
    )


def _drawn(statement: CoreStatement) -> str | None:
    match statement:
        case CoreSample(target=Name(id=name)):
            return name
        case _:
            return None


def _first(statement: CoreStatement, parameters: Mapping[str, exact.Number]) -> tuple[Fraction, int]:
    """Return a value of what a statement draws, and how many it has."""
    if not isinstance(statement, CoreSample):
        raise NotAdditive
    if (ends := uniform_range(statement.distribution, parameters)) is not None:
        return Fraction(ends[0]), ends[1] - ends[0] + 1
    drawn = support(statement.distribution, Place(parameters, {}), balls(_BITS), MOST_VALUES)
    value = drawn[0][0]
    if isinstance(value, exact.Irrational):
        raise NotAdditive
    return Fraction(value), len(drawn)


def _held(core: CoreProgram, held: Mapping[str, Fraction]) -> CoreProgram:
    """Return a program in which variables are assigned values in place of being drawn."""
    statements = tuple(
        CoreAssign(Name(name, each.span), Number(held[name], each.span), each.span)
        if (name := _drawn(each)) is not None and name in held
        else each
        for each in core.statements
    )
    return replace(core, statements=statements, variables=written_variables(statements))


ADDED_NOISE = Reduction("independent noise in a sum", _SOURCE, _apply)
