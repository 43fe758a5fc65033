"""Random joints of a secret x and an output y over whole weights, and the channel that each is."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb, fmpq
from hypothesis import strategies as st

from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import Cut, DiscreteJoint
from seepage.exact import Number, precision

Weights = Mapping[tuple[int, int], int]

CELLS = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 4)), st.integers(1, 40), min_size=1, max_size=25)


def rational(weights: Weights) -> DiscreteJoint[fmpq]:
    """Return the joint, unnormalised."""
    masses: dict[tuple[Number, ...], fmpq] = {values: fmpq(weight, 7) for values, weight in weights.items()}
    return DiscreteJoint(("x", "y"), RATIONALS, masses, sum(masses.values(), fmpq(0)))


def in_balls(weights: Weights) -> DiscreteJoint[arb]:
    """Return the same with masses known to thirty digits only."""
    with precision(128):
        ball = arb(0, 1e-30)
        masses: dict[tuple[Number, ...], arb] = {values: (weight + ball) / 7 for values, weight in weights.items()}
        return DiscreteJoint(("x", "y"), balls(128), masses, sum(masses.values(), arb(0)))


def without(weights: Weights, lost: set[tuple[int, int]]) -> DiscreteJoint[fmpq] | None:
    """Return the joint with some runs cut off, None if nothing is left."""
    kept = {values: weight for values, weight in weights.items() if values not in lost}
    if not kept:
        return None
    joint = rational(kept)
    gone = sum(weight for values, weight in weights.items() if values in lost)
    return DiscreteJoint(joint.variables, joint.ring, joint.masses, joint.mass, Cut(arb(fmpq(gone, 7)), arb.pos_inf()))


def secrets(weights: Weights) -> list[int]:
    """Return the values of x."""
    return sorted({x for x, _ in weights})


def columns(weights: Weights) -> dict[int, dict[int, int]]:
    """Return for each y the weights of x."""
    found: dict[int, dict[int, int]] = {}
    for (x, y), weight in weights.items():
        found.setdefault(y, {})[x] = weight
    return found
