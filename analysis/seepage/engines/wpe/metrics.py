r"""Entropy, conditional entropy and divergence as compositions of cwp with ghost variables (paper, Propositions 1–3).

For a variable x, the ghost :math:`\underline x` is a name that no program assigns. The inner
:math:`[\![ cwp[\![S]\!]([\underline x = x], \mathbf 1)]\!]` is then the probability that S ends with :math:`\underline x` in x; renaming
the ghost to x and taking :math:`-\log` gives an expectation over final states, whose expected value the outer cwp finds. The
initial state (all variables 0) is put in between: else a value that S reads before it writes would be mistaken for the
final one.

Values are in nats. This is the definition, for small programs; the engine is :mod:`seepage.engines.forward`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from seepage.engines.forward.coefficients import Balls, balls
from seepage.engines.wpe.expectation import NOWHERE, Expectation, Language, add, at, by_ghosts, constant, guarded, value
from seepage.engines.wpe.transformer import cwp
from seepage.exact import Number, precision, show, to_fraction
from seepage.semantics.core import CoreProgram
from seepage.syntax import tree

GHOST = "{}@ghost"  # no name of the language holds an @
BITS = 192


Table: TypeAlias = Mapping[tuple[Number, ...], arb]


def entropy(core: CoreProgram, x: str, bits: int = BITS) -> arb:
    r""":math:`H(x) = cwp[\![S]\!](-\log [\![cwp[\![S]\!]([\underline x = x], \mathbf 1)]\!][\underline x \mapsto x], \mathbf 1)`."""
    ring = balls(bits)
    pair = (_equal(core, ring, ((x, x),)), _equal(core, ring, ()))
    weights, mass = _table(*cwp(core.statements, pair), (x,), ())
    shares = {v: _over(weight, mass[()], bits) for v, weight in weights.items()}
    return _expected(core, ring, (x,), shares, sign=-1)


def conditional_entropy(core: CoreProgram, y: str, x: str, bits: int = BITS) -> arb:
    r""":math:`H(y \mid x)`: inside :math:`([\underline x = x \land \underline y = y], [\underline x = x])`, both ghosts renamed."""
    ring = balls(bits)
    pair = (_equal(core, ring, ((x, x), (y, y))), _equal(core, ring, ((x, x),)))
    joint, given = _table(*cwp(core.statements, pair), (x, y), (x,))
    shares = {v: _over(weight, given[v[:1]], bits) for v, weight in joint.items()}
    return _expected(core, ring, (x, y), shares, sign=-1)


def divergence(core: CoreProgram, x: str, y: str, bits: int = BITS) -> arb:
    r""":math:`KL(x \,\|\, y)`: inside :math:`([\underline x = x], [\underline x = y])`, the logarithm without a minus.

    The ghost is one variable, compared with x above and with y below. Infinite where some value of x is none of y.
    """
    ring = balls(bits)
    pair = (_equal(core, ring, ((x, x),)), _equal(core, ring, ((x, y),)))
    here, there = _table(*cwp(core.statements, pair), (x,), (x,))
    if not here.keys() <= there.keys():
        return arb("inf")
    shares = {v: _over(weight, there[v], bits) for v, weight in here.items()}
    return _expected(core, ring, (x,), shares, sign=1)


def _language(core: CoreProgram) -> Language:
    return Language(core.arrays, frozenset(core.parameters))


def _one(core: CoreProgram, ring: Balls) -> Expectation[arb]:
    return constant(ring.one, ring, _language(core))


def _equal(core: CoreProgram, ring: Balls, pairs: tuple[tuple[str, str], ...]) -> Expectation[arb]:
    """Return the product of [ghost of g = v] over pairs (g, v); 1 for none."""
    result = _one(core, ring)
    for ghost, variable in reversed(pairs):
        left, right = tree.Name(GHOST.format(ghost), NOWHERE), tree.Name(variable, NOWHERE)
        result = guarded(tree.Binary("==", left, right, NOWHERE), result)
    return result


def _table(
    above: Expectation[arb], below: Expectation[arb], first: tuple[str, ...], second: tuple[str, ...]
) -> tuple[Table, Table]:
    """Return both parts of a conditional expectation in the initial state, as tables over the values of their ghosts."""
    tables = []
    for expectation, names in ((above, first), (below, second)):
        ghosts = tuple(GHOST.format(name) for name in names)
        tables.append(by_ghosts(at(expectation, {}, frozenset(ghosts)), ghosts))
    return tables[0], tables[1]


def _over(numerator: arb, denominator: arb, bits: int) -> arb:
    with precision(bits):
        return numerator / denominator


def _expected(core: CoreProgram, ring: Balls, variables: tuple[str, ...], shares: Table, sign: int) -> arb:
    """Return the conditional expected value of ± log of the share that belongs to the final values of some variables."""
    post = constant(ring.zero, ring, _language(core))
    for values, share in shares.items():
        with precision(ring.bits):
            term = constant(sign * share.log(), ring, _language(core))
        for variable, number in zip(variables, values, strict=True):
            meant = tree.Number(_rational(number), NOWHERE)
            term = guarded(tree.Binary("==", tree.Name(variable, NOWHERE), meant, NOWHERE), term)
        post = add(post, term)
    above, below = cwp(core.statements, (post, _one(core, ring)))
    return _over(value(above, {}), value(below, {}), ring.bits)


def _rational(number: Number) -> Fraction:
    fraction = to_fraction(number)
    if fraction is None:
        raise ValueError(f"{show(number)} is irrational; the definition is evaluated for rational values only")
    return fraction
