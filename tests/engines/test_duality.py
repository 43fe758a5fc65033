"""The forward machine and the weakest pre-expectation are dual: wp⟦S⟧(f)(σ) = Σ_τ P(σ → τ) f(τ), exactly."""

from __future__ import annotations

from flint import fmpq
from hypothesis import given, settings
from tests.engines.random_programs import VARIABLES, core_of, paths, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.engines.wpe.expectation import NOWHERE, Language, at, by_ghosts, constant, iverson, value
from seepage.engines.wpe.transformer import wp
from seepage.exact import Number
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.core import CoreProgram
from seepage.syntax.tree import Binary, Name

Masses = dict[tuple[Number, ...], fmpq]


def forward(core: CoreProgram, asked: tuple[str, ...]) -> Masses:
    """Masses of the asked variables by the forward machine; none if no run passes the observations."""
    try:
        return dict(run(core, asked, {}, RATIONALS, Budget()).masses)
    except Fault as fault:
        if fault.diagnostic.rule is not IMPOSSIBLE_OBSERVATION:
            raise
        return {}


def backward(core: CoreProgram, asked: str) -> Masses:
    """The same masses as wp⟦S⟧([g = x]), a table over the ghost g."""
    ghost = f"{asked}@ghost"
    post = iverson(Binary("==", Name(ghost, NOWHERE), Name(asked, NOWHERE), NOWHERE), RATIONALS, Language(core.arrays))
    return by_ghosts(at(wp(core.statements, post), {}, frozenset({ghost})), (ghost,))


def brute(core: CoreProgram, asked: tuple[str, ...]) -> Masses:
    masses: Masses = {}
    for state, weight in paths(core.statements, {}):
        key = tuple(state.get(name, 0) for name in asked)
        masses[key] = masses.get(key, fmpq(0)) + fmpq(weight.numerator, weight.denominator)
    return masses


@settings(deadline=None, max_examples=50)
@given(programs)
def test_forward_and_backward_agree_with_walking_every_path(text: str) -> None:
    core = core_of(text)

    for variable in VARIABLES:
        truth = brute(core, (variable,))
        assert forward(core, (variable,)) == truth
        assert backward(core, variable) == truth


@settings(deadline=None, max_examples=50)
@given(programs)
def test_joints_pushed_forward_agree_with_walking_every_path(text: str) -> None:
    core = core_of(text)

    assert forward(core, VARIABLES) == brute(core, VARIABLES)


@settings(deadline=None, max_examples=50)
@given(programs)
def test_the_preexpectation_of_one_is_the_mass_that_passes_observations(text: str) -> None:
    core = core_of(text)
    one = constant(fmpq(1), RATIONALS, Language(core.arrays))

    assert value(wp(core.statements, one), {}) == sum(forward(core, ("x",)).values(), fmpq(0))
