"""Joints with very many outcomes, of whose columns measures are taken, against the same joints outcome by outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from flint import fmpq

from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.tables import TableMasses, table_of
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number
from seepage.measures.discrete.divergence import posterior_divergences
from seepage.measures.discrete.entropy import conditional_entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.discrete.posteriors import given_value, posterior_entropies
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.entropy import guessing_entropy
from seepage.measures.guessing.gains import Tries
from seepage.measures.guessing.vulnerability import conditional_vulnerability

Joint = DiscreteJoint[fmpq]

_MEASURES: dict[str, Callable[[Joint], Enclosure]] = {
    "H(x | y, z)": lambda joint: conditional_entropy(joint, ["x", "w"], ["y", "z"]),
    "I(x; y)": lambda joint: mutual_information(joint, ["x", "w"], ["y"]),
    "V(x)": lambda joint: conditional_vulnerability(joint, ["x"], []),
    "V(x, w | y, z)": lambda joint: conditional_vulnerability(joint, ["x", "w"], ["y", "z"]),
    "three tries": lambda joint: conditional_vulnerability(joint, ["x"], ["y"], Tries(3)),
    "Guess(x)": lambda joint: guessing_entropy(joint, ["x"]),
    "Guess(x, w | y)": lambda joint: guessing_entropy(joint, ["x", "w"], ["y"]),
}


@pytest.fixture(scope="module", params=[9, 10**30], ids=["machine words", "longer numbers"])
def joints(request: pytest.FixtureRequest) -> tuple[Joint, Joint]:
    """Return one law of four variables in columns, and value by value."""
    random = np.random.default_rng(22)
    keys = {tuple(map(int, row)) for row in random.integers(0, (40, 12, 5, 7), (4_000, 4))}
    values: dict[tuple[Number, ...], int] = {key: 1 + int(random.integers(0, 9)) for key in keys}
    most = sum(values.values())
    masses = {key: fmpq(1 + (weight * request.param) // 9, most * request.param) for key, weight in values.items()}
    names, mass = ("x", "w", "y", "z"), sum(masses.values(), fmpq(0))
    single = DiscreteJoint(names, RATIONALS, masses, mass)
    columns = replace(single, masses=TableMasses[fmpq](table_of(names, masses)))
    assert len(columns.masses) > 2_000
    return columns, single


def _meet(one: Enclosure, other: Enclosure) -> bool:
    width = max(one.upper - one.lower, other.upper - other.lower, key=float)
    return bool(one.lower <= other.upper and other.lower <= one.upper and width < 1e-40)


@pytest.mark.parametrize("measure", _MEASURES)
def test_measures_agree(joints: tuple[Joint, Joint], measure: str) -> None:
    columns, single = (_MEASURES[measure](joint) for joint in joints)

    assert columns.exact == single.exact
    assert _meet(columns, single)


def test_what_single_outputs_tell_and_leave_agrees(joints: tuple[Joint, Joint]) -> None:
    for find in (posterior_entropies, posterior_divergences):
        for x, y in ((["x"], ["y", "z"]), (["x", "w", "z"], ["z"])):
            columns, single = (dict(find(joint, x, y)) for joint in joints)
            assert columns.keys() == single.keys()
            assert all(_meet(found, single[value]) for value, found in columns.items())


def test_the_part_in_which_something_is_seen_agrees(joints: tuple[Joint, Joint]) -> None:
    columns, single = (given_value(joint, ["z", "y"], (3, 2)) for joint in joints)

    assert dict(columns.masses) == dict(single.masses)
    assert columns.mass == single.mass
