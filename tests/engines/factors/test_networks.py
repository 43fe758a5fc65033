"""Published Bayesian networks with evidence: masses against numpy's contraction, and how few entries are looked at."""

from __future__ import annotations

import random

import pytest
from tests.engines.factors.networks import ALL, contracted, network, program
from tests.engines.random_programs import core_of

from seepage.engines.factors.answers import asking, marginal
from seepage.engines.factors.building import graph_of
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.semantics.slice import slice_program

# About twice what a reference implementation with weighted min-fill needs for its worst pair, without slices.
MOST_ENTRIES = {"asia": 100, "cancer": 60, "earthquake": 60, "sachs": 900, "child": 4_000, "alarm": 8_000}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", ALL)
def test_joints_of_pairs_with_evidence(name: str) -> None:
    nodes = {node.name: node for node in network(name)}
    rng = random.Random(name)
    text = program(name)
    for _ in range(4):
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
