"""Elimination against the forward machine, which walks all states: equal to the last digit, on random programs with evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest
from flint import arb, fmpq
from hypothesis import example, given, settings
from tests.engines import random_programs
from tests.engines.factors import random_graphs
from tests.engines.random_programs import core_of
from tests.families import FULL

from seepage.diagnostics import Fault
from seepage.engines.factors.answers import asking, asking_best, best, marginal, settle
from seepage.engines.factors.building import graph_of
from seepage.engines.factors.graph import Beyond
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability, balls
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import slice_program

MANY = max(60 if FULL else 30, settings().max_examples)

# An operand that another one is computed from, and that is computed itself.
HIDDEN_SOURCE = """for i in 0..2 { b[i] ~ bernoulli(1/(i + 2)) }
x ~ uniform_int(0, 2)
x := x * x
if b[0] { x := x + 1 } else { x := x * x }
"""

Masses = dict[tuple[Number, ...], fmpq]


def forward(core: CoreProgram, names: tuple[str, ...]) -> Masses | None:
    """Masses by walking states; None where a run meets a fault, or none passes."""
    try:
        return dict(run(core, names, {}, RATIONALS, Budget()).masses)
    except Fault:
        return None


def eliminated(core: CoreProgram, names: tuple[str, ...]) -> Masses | None:
    try:
        graph = graph_of(core, {}, RATIONALS, Budget())
        settle(graph, Budget())
        found = marginal(asking(graph, names, Budget()), names, Budget())
    except Beyond:
        return None
    assert found.mass == sum(found.masses.values(), fmpq(0))
    return dict(cast("Masses", found.masses))


@settings(max_examples=4 * MANY)
@given(random_graphs.programs, random_graphs.asked)
@example(HIDDEN_SOURCE, ("b[0]", "x"))
def test_joints_are_those_of_the_forward_machine(text: str, names: tuple[str, ...]) -> None:
    core = slice_program(core_of(text), names)

    assert eliminated(core, names) == forward(core, names)


@settings(max_examples=MANY)
@given(random_programs.programs)
def test_faults_of_programs_are_met_where_the_forward_machine_meets_them(text: str) -> None:
    core = core_of(text)

    assert eliminated(core, random_programs.VARIABLES) == forward(core, random_programs.VARIABLES)


def test_irrational_probabilities_are_enclosed() -> None:
    text = "p ~ bernoulli(exp(1) / (1 + exp(1)))\nq ~ bernoulli(1/3)\nif p { o := q } else { o := not q }\n"
    core = core_of(text)
    ring = balls(192)

    found = marginal(asking(graph_of(core, {}, ring, Budget()), ("o",), Budget()), ("o",), Budget())

    truth = run(core, ("o",), {}, ring, Budget())
    assert found.masses.keys() == truth.masses.keys()
    assert all(arb(found.masses[key]).overlaps(arb(truth.masses[key])) for key in truth.masses)
    assert all(arb(mass).rel_accuracy_bits() > 150 for mass in found.masses.values())
    with pytest.raises(IrrationalProbability):
        graph_of(core, {}, RATIONALS, Budget())


def chances(joint: Masses, x: Sequence[int], y: Sequence[int]) -> fmpq:
    """Σ over y of the greatest mass over x, from a joint."""
    greatest: dict[tuple[Number, ...], dict[tuple[Number, ...], fmpq]] = {}
    for values, mass in joint.items():
        seen, guess = tuple(values[i] for i in y), tuple(values[i] for i in x)
        row = greatest.setdefault(seen, {})
        row[guess] = row.get(guess, fmpq(0)) + mass
    return sum((max(row.values()) for row in greatest.values()), fmpq(0))


@settings(max_examples=2 * MANY)
@given(random_graphs.programs, random_graphs.asked, random_graphs.asked)
def test_best_guesses_are_those_of_the_joint(text: str, x: tuple[str, ...], y: tuple[str, ...]) -> None:
    names = tuple(dict.fromkeys((*x, *y)))
    core = slice_program(core_of(text), names)
    joint = forward(core, names)
    if joint is None:
        return

    graph = graph_of(core, {}, RATIONALS, Budget())

    expected = chances(joint, [names.index(name) for name in x], [names.index(name) for name in y])
    assert best(asking_best(graph, x, y, Budget()), Budget()) == expected
    alone = chances(joint, [names.index(name) for name in x], [])
    assert best(asking_best(graph, x, (), Budget()), Budget()) == alone


def test_sums_and_maxima_do_not_exchange() -> None:
    # s has three values, o says whether it is the first: 1/2 + 1/4, where the sum before the maximum says 1/2, and the maximum of hidden draws is smaller
    core = core_of("s ~ {0: 1/2, 1: 1/4, 2: 1/4}\nh ~ uniform_int(0, 1)\no := s == 0\nt := s * 2 + h\n")
    graph = graph_of(core, {}, RATIONALS, Budget())

    assert best(asking_best(graph, ("s",), ("o",), Budget()), Budget()) == fmpq(3, 4)
    assert best(asking_best(graph, ("s",), (), Budget()), Budget()) == fmpq(1, 2)
    assert best(asking_best(graph, ("t",), ("o",), Budget()), Budget()) == fmpq(3, 8)


def test_a_value_that_may_be_undefined_is_refused_only_where_a_run_meets_it() -> None:
    guarded = core_of("x ~ uniform_int(0, 3)\ny := 0\nif x != 0 { y := 6 / x }\n")
    observed = core_of("x ~ uniform_int(0, 3)\nobserve x > 0\ny := 6 / x\n")
    bare = core_of("x ~ uniform_int(0, 3)\ny := 6 / x\n")

    assert eliminated(guarded, ("y",)) == forward(guarded, ("y",)) is not None
    assert eliminated(observed, ("y",)) == forward(observed, ("y",)) is not None
    assert eliminated(bare, ("y",)) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x ~ normal(0, 1)\no := x > 0\n", "a continuous distribution"),
        ("o ~ geometric(1/2)\n", "infinitely many values"),
        ("o ~ uniform_int(1, 100000000)\n", "the limit is"),
    ],
)
def test_what_is_not_finite_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Beyond, match=reason):
        graph_of(core_of(text), {}, RATIONALS, Budget())


def test_nothing_is_allocated_before_the_estimate() -> None:
    text = "for i in 0..39 { x[i] ~ uniform_int(0, 9) }\nfor i in 0..38 { o[i] := x[i] + x[i + 1] }\n"
    core = core_of(text)
    graph = graph_of(core, {}, RATIONALS, Budget())

    with pytest.raises(Beyond, match="the limit is"):
        asking(graph, tuple(f"o[{i}]" for i in range(39)), Budget())
    assert asking(graph, ("o[0]", "o[38]"), Budget()).plan.entries < 200_000
