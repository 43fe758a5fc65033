"""Entropies of tuples by families against those of their joint law."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import pytest
from flint import fmpq
from hypothesis import given, settings
from tests.engines.factors import random_graphs
from tests.engines.factors.test_elimination import MANY, Masses, forward
from tests.engines.random_programs import core_of

from seepage.engines.factors.building import graph_of
from seepage.engines.factors.families import asking_families, families
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import slice_program


def entropy(masses: Masses, of: Sequence[int], given: Sequence[int]) -> float:
    """H(of | given) in nats, by the definition."""
    total = sum(masses.values(), fmpq(0))
    both: dict[tuple[Number, ...], fmpq] = {}
    alone: dict[tuple[Number, ...], fmpq] = {}
    for values, mass in masses.items():
        seen = tuple(values[place] for place in given)
        key = (*seen, *(values[place] for place in of))
        both[key] = both.get(key, fmpq(0)) + mass / total
        alone[seen] = alone.get(seen, fmpq(0)) + mass / total
    return -sum(
        float(p.p)
        / float(p.q)
        * math.log(float((p / alone[key[: len(given)]]).p) / float((p / alone[key[: len(given)]]).q))
        for key, p in both.items()
    )


def by_families(core: CoreProgram, names: tuple[str, ...], seen: tuple[str, ...]) -> float:
    graph = graph_of(core, {}, RATIONALS, Budget())
    question = asking_families(graph, names, seen, Budget(), 1_000_000)
    total = 0.0
    for family in families(question, names, seen, Budget()):
        masses = dict(cast("Masses", family.joint.masses))
        assert sum(masses.values(), fmpq(0)) == fmpq(1)
        total += entropy(masses, [0], range(1, len(family.joint.variables)))
    return total


@settings(max_examples=2 * MANY)
@given(random_graphs.programs, random_graphs.asked, random_graphs.asked)
def test_the_entropies_of_families_add_up(text: str, x: tuple[str, ...], y: tuple[str, ...]) -> None:
    names = tuple(dict.fromkeys((*x, *y)))
    core = slice_program(core_of(text), names)
    joint = forward(core, names)
    if joint is None:
        return

    of, seen = [names.index(name) for name in x], [names.index(name) for name in y]

    assert by_families(core, x, y) == pytest.approx(entropy(joint, of, seen), abs=1e-9)
    assert by_families(core, x, ()) == pytest.approx(entropy(joint, of, []), abs=1e-9)
