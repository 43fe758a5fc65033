"""Events after a program whose runs observe different numbers of densities: the program is settled first, the event then."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

import seepage
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, Joint, MixtureJoint
from seepage.measures.joints import Inquiry, Memory, joint_of, observing
from seepage.measures.scope import Scope
from seepage.source import Span
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Expression

from ..programs import core_of
from . import dense_mixtures
from .dense_mixtures import DISCRETE, Path

BRANCH = "s ~ flip(1/2)\nx ~ normal(0, 1)\nif s { observe(x == 0) }\no ~ normal(s, 1)\n"
SECOND = """
s ~ flip(1/2)
x1 ~ normal(s + 1, 4)
if s != 1 { x1 ~ 0.5*normal(0, 0.5) + 0.5*normal(2, 2) }
if s != 0 { x1 := x1 + 0.5  observe((x1 - s) == 0) } else { x1 ~ normal(x1 - s + 1, 0.25) }
"""


@pytest.mark.parametrize(
    "measure", ["P(s == 1 | s == 1)", "H(o | s == 1)", "E(o | s == 1)", "H(s | s == 1 and o == 0)"]
)
def test_an_event_does_not_bring_back_runs_that_the_program_removed(measure: str) -> None:
    program = seepage.parse(BRANCH)
    assert program.measure("P(s)").exact == 0
    with pytest.raises(seepage.MeasureError, match="impossible event"):
        program.measure(measure)


@pytest.mark.parametrize("measure", ["H(s | x1 - s == 0)", "E(x1 | x1 - s == 0)", "KL(s | x1 - s == 0 || s)"])
def test_an_event_speaks_of_the_runs_that_are_left(measure: str) -> None:
    result = seepage.parse(SECOND).measure(measure)
    assert (result.lower, result.value, result.upper) == (0, 0, 0)


def test_atoms_beat_densities_among_the_runs_that_are_left() -> None:
    program = seepage.parse(
        "s ~ uniform_int(0, 2)\nx ~ normal(0, 1)\nif s == 0 { observe(x == 0) }\nif s == 1 { x := 3 }\n"
    )
    assert program.measure("P(s == 1 | x == 3)").exact == 1
    assert program.measure("P(s == 2 | x == 0)").exact == 1  # x == 0 is certain for s == 0, a run that is gone


def test_one_part_of_an_event_may_be_independent_of_what_is_asked() -> None:
    program = seepage.parse(BRANCH + "y ~ normal(0, 1)\n")
    assert program.measure("P(s | y == 0 and x == 0)").exact == 0
    assert program.measure("P(s | x == 0 and y == 0)").exact == 0


# --- random programs --------------------------------------------------------------------------------------------------


def _parsed(text: str) -> Expression:
    expression, diagnostics = parse_expression(text)
    assert expression is not None
    assert not diagnostics
    return expression


def _chances(paths: list[Path]) -> dict[object, float]:
    masses: dict[object, float] = defaultdict(float)
    for path in paths:
        masses[tuple(path.mean[name] for name in DISCRETE)] += path.weight
    whole = sum(masses.values())
    return {key: mass / whole for key, mass in masses.items()}


def _found(joint: Joint) -> dict[object, float]:
    masses: dict[object, float] = defaultdict(float)
    if isinstance(joint, MixtureJoint):
        for component in joint.components:
            masses[component.values] += float(component.weight)
    else:
        masses.update((values, float(mass)) for values, mass in joint.masses.items())
    whole = sum(masses.values())
    return {key: mass / whole for key, mass in masses.items()}


@pytest.mark.family(every=4)
@pytest.mark.parametrize("seed", range(120))
def test_events_agree_with_components_that_are_never_merged(seed: int) -> None:
    program, event = dense_mixtures.program(seed), dense_mixtures.event(Random(seed))
    core = core_of(program.text)
    scope = Scope(core, {}, {}, 0)
    left = dense_mixtures.paths(program)
    if not left:
        return
    expected = dense_mixtures.settled([after for path in left for after in event.run(path)])
    inquiry = Inquiry(scope, Span(0, len(event.text)), Budget(), Memory())
    asked = observing(scope, _parsed(event.text))
    if not expected:
        with pytest.raises(Fault, match="impossible event"):
            joint_of(inquiry, asked, DISCRETE)
        return
    found = _found(joint_of(inquiry, asked, DISCRETE))
    assert found == pytest.approx(_chances(expected), rel=1e-9, abs=1e-12)
