"""Independence by tables: whatever is proved must hold for the joint law, and tables must prove more than the text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flint import fmpq
from hypothesis import given, settings
from tests.engines.factors import random_graphs
from tests.engines.factors.test_elimination import MANY, Masses, forward
from tests.engines.random_programs import core_of

from seepage.engines.factors.building import graph_of
from seepage.engines.factors.graph import Beyond
from seepage.engines.factors.separation import independent
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.semantics.slice import independent as independent_by_text
from seepage.semantics.slice import slice_program


def marginal(masses: Masses, places: Sequence[int]) -> Masses:
    found: Masses = {}
    for values, mass in masses.items():
        key = tuple(values[place] for place in places)
        found[key] = found.get(key, fmpq(0)) + mass
    return found


def factorises(joint: Masses, x: Sequence[int], y: Sequence[int], z: Sequence[int]) -> bool:
    """Whether p(x, y, z) p(z) = p(x, z) p(y, z) for all values."""
    xz, yz, pz = marginal(joint, [*x, *z]), marginal(joint, [*y, *z]), marginal(joint, z)
    xyz = marginal(joint, [*x, *y, *z])

    def part(values: tuple[Number, ...], start: int) -> tuple[Number, ...]:
        return values[start:]

    for left, p in xz.items():
        for right, q in yz.items():
            seen = part(left, len(x))
            if seen != part(right, len(y)):
                continue
            if xyz.get((*left[: len(x)], *right[: len(y)], *seen), fmpq(0)) * pz[seen] != p * q:
                return False
    return True


@settings(max_examples=6 * MANY)
@given(random_graphs.programs, random_graphs.asked)
def test_what_tables_prove_holds(text: str, names: tuple[str, ...]) -> None:
    core = core_of(text)
    joint = forward(core, names)
    if joint is None or len(names) < 2:
        return
    try:
        graph = graph_of(core, {}, RATIONALS, Budget())
    except Beyond:
        return

    x, y, z = names[:1], names[1:2], names[2:]

    if independent(graph, x, y, z):
        assert factorises(joint, [0], [1], range(2, len(names)))


CONTEXT = (
    "k ~ bernoulli(1/2)\nobserve k == 1\na ~ bernoulli(1/3)\nb ~ bernoulli(1/4)\nif k == 1 { o := a } else { o := b }\n"
)
DETERMINED = "a ~ uniform_int(0, 3)\nt := a % 2\nx ~ bernoulli((1 + t) / 4)\ny ~ bernoulli((2 + t) / 5)\nu := 3 - t\n"
OBSERVED = "a ~ bernoulli(1/2)\nb ~ uniform_int(0, 2)\nc := a + b\nobserve c >= 1\n"
CONSTANT = "a ~ bernoulli(1/3)\nif a { x ~ bernoulli(1/2) } else { x ~ uniform_of(0, 1) }\n"


@pytest.mark.parametrize(
    ("text", "x", "y", "z", "by_text"),
    [
        (CONTEXT, "o", "b", "", False),
        (CONTEXT, "o", "a", "", False),
        (DETERMINED, "x", "y", "u", False),
        (DETERMINED, "x", "y", "t", True),
        (CONSTANT, "a", "x", "", False),
        (OBSERVED, "a", "b", "", False),
    ],
)
def test_more_is_proved_than_the_text_tells(text: str, x: str, y: str, z: str, by_text: bool) -> None:
    core = core_of(text)
    given_names = (z,) if z else ()
    names = (x, y, *given_names)
    joint = forward(slice_program(core, names), names)
    assert joint is not None

    proved = independent(graph_of(core, {}, RATIONALS, Budget()), (x,), (y,), given_names)

    truth = factorises(joint, [0], [1], range(2, len(names)))
    assert independent_by_text(core, (x,), (y,), given_names) == by_text
    assert not proved or truth
    assert proved == truth or (z == "u")
