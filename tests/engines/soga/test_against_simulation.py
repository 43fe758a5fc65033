from __future__ import annotations

import math
import os

import pytest

from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.engines.soga.transformer import run
from seepage.measures.gaussian.moments import expectation, variance

from ..programs import core_of
from . import simulation
from .simulation import CONTINUOUS, chances, simulate, within_six_errors

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
COUNT = 400_000 if DEEP else 40_000
ASKED = ("d", "e", *CONTINUOUS)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(1_500 if DEEP else 40))
def test_moments_and_chances_are_those_of_simulated_runs(seed: int) -> None:
    core = core_of(simulation.program(seed))
    runs = simulate(core, COUNT, seed)
    if not len(runs["d"]):
        with pytest.raises(Fault, match="impossible observation"):
            run(core, ASKED, {}, Budget(tail_bits=64))
        return
    joint = run(core, ASKED, {}, Budget(tail_bits=64))
    assert isinstance(joint, MixtureJoint)
    for name in CONTINUOUS:
        mean, spread = float(expectation(joint, name).value), float(variance(joint, name).value)
        assert within_six_errors(mean, runs[name])
        assert within_six_errors(spread, (runs[name] - mean) ** 2)
    whole = sum(float(component.weight) for component in joint.components)
    share = sum(float(c.weight) for c in joint.components if c.values[:2] == (1, 0)) / whole
    found = chances(runs, ("d", "e")).get((1, 0), 0.0)
    assert abs(found - share) <= 6 * math.sqrt(share * (1 - share) / len(runs["d"])) + 1e-9


@pytest.mark.parametrize("seed", range(200 if DEEP else 12))
def test_bounds_without_approximations_hold_what_simulated_runs_say(seed: int) -> None:
    core = core_of(simulation.program(1_000 + seed))
    joint = run(core, ASKED, {}, Budget(tail_bits=64))
    runs = simulate(core, COUNT, seed)
    for name in CONTINUOUS:
        found = expectation(joint, name)
        error = 6 * float(runs[name].std()) / math.sqrt(len(runs[name])) + 1e-9
        assert found.lower <= float(runs[name].mean()) + error
        assert float(runs[name].mean()) - error <= found.upper
