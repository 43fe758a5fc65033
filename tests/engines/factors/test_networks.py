"""Published Bayesian networks with evidence: masses and measures against numpy's contraction, and how few entries are looked at."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.engines.factors.networks import ALL, contracted, network, program
from tests.engines.random_programs import core_of

from seepage.engines.factors.answers import asking, marginal
from seepage.engines.factors.building import graph_of
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.measure_error import MeasureError
from seepage.program import parse
from seepage.semantics.slice import slice_program

# About twice what a reference implementation with weighted min-fill needs for its worst pair, without slices.
MOST_ENTRIES = {"asia": 100, "cancer": 60, "earthquake": 60, "sachs": 900, "child": 4_000, "alarm": 8_000}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", ALL)
def test_joints_of_pairs_with_evidence(name: str) -> None:
    nodes = {node.name: node for node in network(name)}
    rng = random.Random(name)
    text = program(name)
    for _ in range(2):
        x, y, seen = rng.sample(sorted(nodes), 3)
        value = rng.randrange(nodes[seen].values)
        truth = contracted(name, (x, y), {seen: value})
        if truth.sum() == 0:
            continue
        core = slice_program(core_of(f"{text}observe {seen} == {value}\n"), (x, y), observations=True)

        found = marginal(asking(graph_of(core, {}, RATIONALS, Budget()), (x, y), Budget()), (x, y), Budget())

        for i in range(nodes[x].values):
            for j in range(nodes[y].values):
                mass = found.masses.get((i, j))
                assert (0.0 if mass is None else float(mass)) == pytest.approx(truth[i, j], rel=1e-11, abs=1e-300)


@pytest.mark.parametrize("name", sorted(MOST_ENTRIES))
def test_few_entries_are_looked_at(name: str) -> None:
    graph = graph_of(core_of(program(name)), {}, RATIONALS, Budget())
    names = [node.name for node in network(name)]
    rng = random.Random(name)

    worst = max(asking(graph, rng.sample(names, 2), Budget()).plan.entries for _ in range(20))

    assert worst <= MOST_ENTRIES[name]


def entropy(masses: NDArray[np.float64]) -> float:
    positive = masses[masses > 0]
    return -float((positive * np.log2(positive)).sum())


def tries(joint: NDArray[np.float64]) -> float:
    """The expected number of guesses at the first variable, the likeliest value first, where the second is seen."""
    ordered = -np.sort(-joint, axis=0)
    return float((ordered * np.arange(1, len(ordered) + 1)[:, None]).sum())


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", ALL)
def test_measures_of_pairs(name: str) -> None:
    nodes = {node.name: node for node in network(name)}
    asked = parse(program(name))
    rng = random.Random(f"{name} measured")
    for _ in range(4):
        x, y, seen = rng.sample(sorted(nodes), 3)
        value = rng.randrange(nodes[seen].values)
        joint, given = contracted(name, (x, y), {}), contracted(name, (x, y), {seen: value})

        assert asked.measure(f"V({x} | {y})").number == pytest.approx(joint.max(axis=0).sum(), abs=1e-12)
        assert asked.measure(f"Guess({x} | {y})").number == pytest.approx(tries(joint), abs=1e-12)
        if given.sum() == 0:
            with pytest.raises(MeasureError, match="impossible event"):
                asked.measure(f"I({x}; {y} | {seen} == {value})")
            continue
        law = given / given.sum()
        told = entropy(law.sum(axis=0)) + entropy(law.sum(axis=1)) - entropy(law)
        assert asked.measure(f"I({x}; {y} | {seen} == {value})").number == pytest.approx(told, abs=1e-12)
        assert asked.measure(f"H({x}, {y} | {seen} == {value})").number == pytest.approx(entropy(law), abs=1e-12)
