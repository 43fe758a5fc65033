from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.run import run as run_forward
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.engines.select import check_total, solve
from seepage.engines.soga.transformer import run
from seepage.exact import enclose

from ..forward import random_programs
from ..joints import ball
from ..programs import core_of

Density = Callable[[mpmath.mpf], mpmath.mpf]


def mixture(program: str, *asked: str, **parameters: int | Fraction) -> MixtureJoint:
    joint = solve(core_of(program), asked, parameters, Budget())
    assert isinstance(joint, MixtureJoint)
    return joint


def moments(joint: MixtureJoint, position: int = 0) -> tuple[float, float]:
    """Mean and variance of one variable, by the laws of total expectation and variance."""
    total = first = second = 0.0
    for component in joint.components:
        weight, value = float(component.weight), component.values[position]
        if value is None:
            row = sum(1 for other in component.values[:position] if other is None)
            mean, variance = float(component.mean[row]), float(component.covariance[row][row])
        else:
            mean, variance = float(enclose(value)), 0.0
        total += weight
        first += weight * mean
        second += weight * (variance + mean**2)
    return first / total, second / total - (first / total) ** 2


# --- discrete programs are the same in both engines -------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_discrete_programs_agree_with_the_forward_machine(seed: int) -> None:
    core, asked = core_of(random_programs.program(seed).text), random_programs.asked(seed)
    if not random_programs.joint_of(random_programs.program(seed), asked):
        with pytest.raises(Fault, match="impossible observation"):
            run(core, asked, {}, Budget())
        return
    expected = run_forward(core, asked, {}, RATIONALS, Budget())
    joint = run(core, asked, {}, Budget())
    assert {component.values: component.weight for component in joint.components} == expected.masses


# --- conditioning -----------------------------------------------------------------------------------------------------


def test_conditioning_a_channel_on_its_output() -> None:
    # x ~ N(0, 1), o = x + N(0, 4), o = 3: E = 3/5, Var = 4/5, density of N(0, 5) at 3
    (component,) = mixture("x ~ normal(0, 1)\no ~ normal(x, 4)\nobserve(o == 3)", "x").components
    assert component.mean[0].overlaps(arb(3) / 5)
    assert component.covariance[0][0].overlaps(arb(4) / 5)
    assert component.mean[0].rel_accuracy_bits() > 100
    assert float(component.weight) == pytest.approx(math.exp(-9 / 10) / math.sqrt(10 * math.pi), rel=1e-14)


def test_two_normals_observed_equal() -> None:
    joint = mixture("x ~ normal(0, 1)\ny ~ normal(0, 1)\nobserve(x - y == 0)", "x", "y")
    (component,) = joint.components
    assert component.coefficients == ((1,), (1,))
    assert moments(joint) == (0.0, 0.5)
    assert not joint.approximations


def test_what_an_observation_fixes_is_an_exact_atom() -> None:
    (component,) = mixture(
        "x ~ normal(0, 1)\ny ~ normal(1, 2)\nobserve(x + y == 3)\nz := 2 * x + 2 * y", "z"
    ).components
    assert component.values == (6,)
    (component,) = mixture("param v = 1\nx ~ normal(0, exp(v))\nobserve(2 * x == 3)", "x", v=1).components
    assert component.values == (Fraction(3, 2),)


def test_differences_of_variables_stay_exact_after_irrational_conditioning() -> None:
    program = (
        "x ~ normal(0, log(3))\nn ~ normal(0, exp(1/3))\ny := x + 2\nobserve(x + n == 1/3)\nd := y - x\ne := d == 2"
    )
    (component,) = mixture(program, "d", "e").components
    assert component.values == (2, 1)


@pytest.mark.parametrize("seed", range(12))
def test_conditioning_one_after_the_other_is_conditioning_at_once(seed: int) -> None:
    random = np.random.default_rng(seed)
    size, equations = 5, 2
    variances, a = random.integers(1, 6, size), random.integers(-3, 4, (equations, size))
    a[:, 0] = [1, 0]
    a[:, 1] = [0, 1]
    values = random.integers(-3, 4, equations)
    lines = [f"x[{i}] ~ normal({i}, {variances[i]})" for i in range(size)]
    for row, value in zip(a, values, strict=True):
        lines.append(f"observe({' + '.join(f'({k}) * x[{i}]' for i, k in enumerate(row))} == {value})")
    (component,) = mixture("\n".join(lines), *(f"x[{i}]" for i in range(size))).components
    sigma, mu = np.diag(variances.astype(float)), np.arange(size, dtype=float)
    s = a @ sigma @ a.T
    gain = sigma @ a.T @ np.linalg.inv(s)
    residual = values - a @ mu
    density = math.exp(-residual @ np.linalg.solve(s, residual) / 2) / math.sqrt(np.linalg.det(2 * math.pi * s))
    assert [float(m) for m in component.mean] == pytest.approx(list(mu + gain @ residual), abs=1e-10)
    covariance = np.array([[float(c) for c in row] for row in component.covariance])
    assert covariance == pytest.approx(sigma - gain @ a @ sigma, abs=1e-10)
    assert float(component.weight) == pytest.approx(density, rel=1e-10)
    assert all(len(row) == size - equations for row in component.coefficients)


def test_components_are_reweighted_by_their_likelihood() -> None:
    program = "s ~ bernoulli(1/2)\no ~ normal(0, 1 + 3 * s)\nobserve(o == 0)"
    weights = {component.values: float(component.weight) for component in mixture(program, "s").components}
    assert weights[(1,)] / (weights[(0,)] + weights[(1,)]) == pytest.approx(1 / 3, rel=1e-15)


def test_a_conjunction_conditions_on_its_parts() -> None:
    program = "b ~ bernoulli(1/2)\nx ~ normal(b, 1)\ny ~ normal(x, 1)\nobserve(b == 1 and x == 2 and y > 0)"
    (component,) = mixture(program, "b").components
    # density of N(1, 1) at 2, times P(N(2, 1) > 0)
    assert float(component.weight) == pytest.approx(0.5 * 0.24197072451914337 * 0.9772498680518208, rel=1e-14)


# --- atoms and densities ----------------------------------------------------------------------------------------------

ATOM = "b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nif b { y := 1000 } else { y := x }\nobserve(y == 1000)"


def test_an_atom_beats_a_density() -> None:
    (component,) = mixture(ATOM, "b", "x").components
    assert component.values == (1, None)
    assert component.weight == fmpq(1, 2)
    (note,) = check_total(core_of(ATOM), {}, Budget())
    assert note.rule.code == "SEEP412"
    assert ATOM[note.span.start : note.span.end] == "y == 1000"


def test_runs_that_observe_fewer_densities_count() -> None:
    (component,) = mixture("b ~ bernoulli(1/2)\nx ~ normal(0, 1)\nif b { observe(x == 0) }", "b").components
    assert component.values == (0,)


def test_equality_of_continuous_values_has_probability_zero_unless_it_is_certain() -> None:
    joint = mixture(
        "x ~ normal(0, 1)\ny := x + 1\nz ~ normal(0, 1)\na := x == z\nb := y - x == 1\nc := x != z", "a", "b", "c"
    )
    assert [component.values for component in joint.components] == [(0, 1, 1)]
    assert not joint.approximations


def test_a_variable_may_be_discrete_on_one_path_only() -> None:
    joint = mixture("b ~ bernoulli(3/8)\nif b { x := 0 } else { x ~ normal(0, 1) }", "b", "x")
    assert {component.values: component.weight for component in joint.components} == {
        (1, 0): fmpq(3, 8),
        (0, None): fmpq(5, 8),
    }


def test_variance_zero_is_a_point_mass() -> None:
    (component,) = mixture("x ~ normal(3, 0)\ny ~ normal(x, 1)", "x", "y").components
    assert component.values == (3, None)


# --- ranks ------------------------------------------------------------------------------------------------------------


def test_ranks_come_from_exact_coefficients() -> None:
    (component,) = mixture("x ~ normal(0, 1)\nn ~ normal(0, 1e-300)\no := x + n\nc := 2 * x", "x", "o", "c").components
    assert component.coefficients == ((1, 0), (0, 1), (2, 0))


def test_irrational_noise_keeps_the_rank() -> None:
    program = "param eps = 1\nx ~ normal(0, 1)\nn ~ normal(0, log(3) / eps^2)\no := x + n\nd := o - n"
    (component,) = mixture(program, "x", "o", "d", eps=Fraction(1, 3)).components
    assert component.coefficients == ((1, 0), (0, 1), (1, 0))
    assert component.covariance[1][1].overlaps(1 + 9 * arb(3).log())
    assert component.covariance[1][1].rel_accuracy_bits() > 100


# --- merging and dropping ---------------------------------------------------------------------------------------------


def test_twelve_coins_and_noise_have_thirteen_components() -> None:
    program = "for i in 1..12 { b[i] ~ bernoulli(1/2) }\no ~ normal(0, 1)\nfor i in 1..12 { o := o + b[i] }"
    joint = mixture(program, "o")
    weights = {float(c.mean[0]): c.weight for c in joint.components}
    assert weights == {float(k): fmpq(math.comb(12, k), 4096) for k in range(13)}


def test_equal_laws_merge_however_they_were_made() -> None:
    program = """
    b ~ bernoulli(1/3)
    n ~ normal(1, 1)
    if b { x := 2 * n } else { x ~ normal(2, 3)
    m ~ normal(0, 1)
    x := x + m }
    """
    (component,) = mixture(program, "x").components
    assert component.weight == 1
    assert component.covariance[0][0] == 4


def test_equal_irrational_laws_merge_after_conditioning() -> None:
    program = """
    b ~ bernoulli(1/2)
    x ~ normal(0, 1)
    if b { n ~ normal(0, log(3)) } else { n ~ normal(0, log(9) / 2) }
    observe(x + n == 1)
    """
    (component,) = mixture(program, "x").components
    assert moments(mixture(program, "x"))[0] == pytest.approx(1 / (1 + math.log(3)), rel=1e-15)
    assert component.values == (None,)


def test_dead_summands_take_one_source() -> None:
    program = "for i in 1..200 { x[i] ~ normal(0, 1) }\no ~ normal(0, 50)\nfor i in 1..200 { o := o + x[i] }"
    (component,) = mixture(program, "x[1]", "o").components
    assert component.coefficients == ((1, 0), (0, 1))
    assert component.covariance == ((arb(1), arb(1)), (arb(1), arb(250)))


MECHANISM = """
param eps = 100
nfem := 0
for i in 1..4 { fem[i] ~ bernoulli(0.75); inc[i] ~ normal(10, 1); nfem := nfem + fem[i] }
observe(nfem > 0)
mu := 0
for i in 1..4 { if fem[i] == 1 { mu := mu + inc[i] } }
nu ~ normal(0, 2 * (10 / nfem)^2 * log(12.5) / eps^2)
out := mu / nfem + nu
"""


def test_the_gaussian_mechanism_ends_with_few_components() -> None:
    joint = mixture(MECHANISM, "inc[1]", "out", eps=100)
    assert len(joint.components) <= 8
    assert sum((c.weight for c in joint.components), fmpq(0)) == 1 - fmpq(1, 256)
    assert not joint.approximations


def test_the_gaussian_mechanism_given_its_output() -> None:
    mean, variance = moments(mixture(MECHANISM + "observe(out == 9)", "inc[1]", eps=100))
    assert mean == pytest.approx(9.31374666372636, abs=1e-12)
    assert variance == pytest.approx(0.9582401015750805, abs=1e-12)


# --- against simulation -----------------------------------------------------------------------------------------------

RUNS = 200_000


@pytest.mark.parametrize("seed", range(4))
def test_moments_agree_with_simulation(seed: int) -> None:
    program = """
    k ~ categorical(1/2, 1/3, 1/6)
    b ~ bernoulli((k + 1) / 4)
    x ~ 1/4 * normal(k, 1) + 3/4 * normal(-k, 2 + b)
    if b { y ~ normal(x / 2 - 1, 1/2) } else { y := 3 * x + k }
    z := k * x - y
    """
    random = np.random.default_rng(seed)
    k = random.choice(3, RUNS, p=[1 / 2, 1 / 3, 1 / 6])
    b = random.random(RUNS) < (k + 1) / 4
    first = random.random(RUNS) < 1 / 4
    x = np.where(first, k + random.normal(size=RUNS), -k + np.sqrt(2 + b) * random.normal(size=RUNS))
    y = np.where(b, x / 2 - 1 + math.sqrt(1 / 2) * random.normal(size=RUNS), 3 * x + k)
    z = k * x - y
    joint = mixture(program, "x", "y", "z")
    for position, sample in enumerate((x, y, z)):
        mean, variance = moments(joint, position)
        # five standard errors, of the mean and of the mean square
        centred = (sample - mean) ** 2
        assert abs(sample.mean() - mean) < 5 * sample.std() / math.sqrt(RUNS)
        assert abs(centred.mean() - variance) < 5 * centred.std() / math.sqrt(RUNS)


# --- outside the exact fragment ---------------------------------------------------------------------------------------


def _codes(joint: MixtureJoint) -> list[str]:
    return [reason.code for reason in joint.approximations]


def test_a_product_keeps_its_moments() -> None:
    joint = mixture("x ~ normal(1, 2)\nn ~ normal(0, 1)\ny := x + n\nz := x * y", "x", "z")
    (component,) = joint.components
    # E(xy) = 3, Var = m²(v_x + v_y + 2c) + v_x v_y + c² = 2 + 3 + 4 + 6 + 4, Cov(x, xy) = v_x + c = 4
    assert [float(m) for m in component.mean] == [1, 3]
    assert [[float(c) for c in row] for row in component.covariance] == [[2, 4], [4, 19]]
    assert _codes(joint) == ["SEEP301"]


def test_an_exponential_keeps_its_moments() -> None:
    joint = mixture("x ~ normal(0, 1)\ny := exp(x)", "x", "y")
    (component,) = joint.components
    assert float(component.mean[1]) == pytest.approx(math.exp(0.5), rel=1e-15)
    assert float(component.covariance[1][1]) == pytest.approx(math.e * (math.e - 1), rel=1e-15)
    assert float(component.covariance[0][1]) == pytest.approx(math.exp(0.5), rel=1e-15)
    assert _codes(joint) == ["SEEP302"]


def test_an_observed_inequality_keeps_the_truncated_moments() -> None:
    joint = mixture("x ~ normal(1, 4)\ny ~ normal(x, 1)\nobserve(x > 2)", "x", "y")
    density: Density = lambda t: mpmath.npdf(t, 1, 2)
    mass = mpmath.quad(density, [2, 6, 30])
    mean = mpmath.quad(lambda t: t * density(t), [2, 6, 30]) / mass
    variance = mpmath.quad(lambda t: (t - mean) ** 2 * density(t), [2, 6, 30]) / mass
    (component,) = joint.components
    assert float(component.weight) == pytest.approx(float(mass), rel=1e-12)
    assert float(component.mean[0]) == pytest.approx(float(mean), rel=1e-12)
    assert float(component.covariance[0][0]) == pytest.approx(float(variance), rel=1e-12)
    assert float(component.covariance[1][1]) == pytest.approx(float(variance) + 1, rel=1e-12)
    assert _codes(joint) == ["SEEP304"]


def test_the_probability_of_an_inequality_alone_is_exact() -> None:
    joint = mixture("x ~ normal(0, 1)\nif x > 0 { o := 1 } else { o := 0 }", "o")
    assert {c.values: c.weight for c in joint.components} == {(1,): fmpq(1, 2), (0,): fmpq(1, 2)}
    assert not joint.approximations
    kept = mixture("x ~ normal(0, 1)\nif x > 0 { o := 1 } else { o := 0 }", "x", "o")
    assert _codes(kept) == ["SEEP305"]


def test_the_probability_of_an_interval_is_exact() -> None:
    joint = mixture("x ~ normal(1, 4)\no := x > 0 and x < 3 or 2 * x > 14", "o")
    inside = mpmath.ncdf(1) - mpmath.ncdf(-0.5) + 1 - mpmath.ncdf(3)
    weights = {c.values: float(c.weight) for c in joint.components}
    assert weights == {(1,): pytest.approx(float(inside), rel=1e-14), (0,): pytest.approx(float(1 - inside), rel=1e-14)}
    assert not joint.approximations


@pytest.mark.parametrize(("low", "high"), [(0, 3), (2, 3), (-7, -6), (-1, 40)])
def test_an_observed_interval_keeps_the_truncated_moments(low: int, high: int) -> None:
    joint = mixture(f"x ~ normal(1, 4)\nobserve(if x > {low} then x < {high} else false)", "x")
    density: Density = lambda t: mpmath.npdf(t, 1, 2)
    points = [low, min(high, 6), high] if low < 6 < high else [low, high]
    mass = mpmath.quad(density, points)
    mean = mpmath.quad(lambda t: t * density(t), points) / mass
    variance = mpmath.quad(lambda t: (t - mean) ** 2 * density(t), points) / mass
    (component,) = joint.components
    assert float(component.weight) == pytest.approx(float(mass), rel=1e-11)
    assert float(component.mean[0]) == pytest.approx(float(mean), rel=1e-11)
    assert float(component.covariance[0][0]) == pytest.approx(float(variance), rel=1e-9)
    assert "SEEP304" in _codes(joint)


def test_cuts_that_contradict_each_other_leave_nothing() -> None:
    joint = mixture("x ~ normal(0, 1)\no := x > 2 and x < 1", "o")
    assert [c.values for c in joint.components] == [(0,)]
    assert not joint.approximations


def test_cuts_of_correlated_forms_are_an_approximation() -> None:
    joint = mixture("x ~ normal(0, 1)\ny ~ normal(x, 1)\no := x > 0 and y > 0", "o")
    assert _codes(joint) == ["SEEP306"]


def test_cuts_of_independent_forms_are_exact() -> None:
    joint = mixture("x ~ normal(0, 1)\ny ~ normal(0, 1)\no := x > 0 and y > 0", "o")
    assert {c.values: c.weight for c in joint.components} == {(1,): fmpq(1, 4), (0,): fmpq(3, 4)}
    assert not joint.approximations


def test_clamping_gives_atoms() -> None:
    joint = mixture("x ~ normal(0, 1)\ny := max(0, x)", "y")
    assert {c.values: c.weight for c in joint.components} == {(0,): fmpq(1, 2), (None,): fmpq(1, 2)}
    assert joint.approximations


@pytest.mark.parametrize(
    ("law", "mean", "variance"),
    [
        ("laplace(1, 2)", 1, 8),
        ("uniform(-1, 2)", 0.5, 0.75),
        ("exponential(2)", 0.5, 0.25),
        ("student_t(5, 1, 3)", 1, 15),
    ],
)
def test_other_laws_are_matched_and_flagged(law: str, mean: float, variance: float) -> None:
    joint = mixture(f"z ~ {law}", "z")
    assert moments(joint) == (mean, variance)
    assert _codes(joint) == ["SEEP303"]


def test_a_slice_without_the_inexact_statement_is_exact() -> None:
    joint = mixture("x ~ normal(0, 1)\ny ~ normal(x, 1)\nz := x * y", "x", "y")
    assert not joint.approximations


@pytest.mark.parametrize("condition", ["x / y == 1", "x * y == 1", "max(x, y) == 1", "exp(x) == 1"])
def test_an_observed_equality_must_be_linear(condition: str) -> None:
    program = f"x ~ normal(0, 1)\ny ~ normal(0, 1)\nobserve({condition})"
    with pytest.raises(Fault) as caught:
        run(core_of(program), ("x",), {}, Budget())
    assert caught.value.diagnostic.rule.code == "SEEP311"


@pytest.mark.parametrize(
    ("condition", "instead"),
    [
        ("if b then x == 0 else x == 1", "write 'if b { observe(x == 0) } else { observe(x == 1) }'"),
        ("not (x != 1)", "write 'x == 1'"),
        ("b and !(x != 2 * b)", "write 'x == 2 * b'"),
        ("x == 1 or x == 2", "observe(x == k)"),
        ("(x == 1) == 1", "observe(x == k)"),
    ],
)
def test_an_equality_inside_a_condition_has_no_density(condition: str, instead: str) -> None:
    program = f"b ~ flip(1/2)\nx ~ normal(0, 1)\nobserve({condition})"
    with pytest.raises(Fault, match="must stand alone or be joined by 'and'") as caught:
        run(core_of(program), ("b",), {}, Budget())
    assert caught.value.diagnostic.rule.code == "SEEP311"
    assert instead in caught.value.diagnostic.notes[0]


@pytest.mark.parametrize("condition", ["b or x == 1", "not (x == 1) and b", "x == 1 xor b", "if b then b else x == 1"])
def test_an_equality_inside_a_condition_that_holds_otherwise_is_improbable(condition: str) -> None:
    program = f"b ~ flip(1/2)\nx ~ normal(0, 1)\nobserve({condition})"
    (component,) = run(core_of(program), ("b",), {}, Budget()).components
    assert component.values == (1,)


@pytest.mark.parametrize("condition", ["not (x == 1) and b == 2", "x > 0 and x < 0", "x == 1 and x == 2"])
def test_what_no_value_passes_is_impossible(condition: str) -> None:
    program = f"b ~ flip(1/2)\nx ~ normal(0, 1)\nobserve({condition})"
    with pytest.raises(Fault, match="impossible observation"):
        run(core_of(program), ("b",), {}, Budget())


@pytest.mark.parametrize("statement", ["y ~ bernoulli(x)", "y := floor(x)", "y := 1 / x"])
def test_what_has_no_rule_is_a_fault_and_no_number(statement: str) -> None:
    program = f"a[0] := 1\na[1] := 2\nx ~ normal(0, 1)\ny := 0\n{statement}"
    with pytest.raises(Fault) as caught:
        run(core_of(program), ("a[0]", "a[1]", "y"), {}, Budget())
    assert caught.value.diagnostic.rule.code == "SEEP901"


@pytest.mark.parametrize("statement", ["a[x] := 5", "y := a[x]"])
def test_a_continuous_index_picks_no_element(statement: str) -> None:
    program = f"a[0] := 1\na[1] := 2\nx ~ normal(0, 1)\ny := 0\n{statement}"
    with pytest.raises(Fault) as caught:
        run(core_of(program), ("a[0]", "a[1]", "y"), {}, Budget())
    assert caught.value.diagnostic.rule.code == "SEEP208"


def test_far_tails_keep_their_precision() -> None:
    joint = mixture("x ~ normal(0, 1)\nobserve(x > 1e9)", "x")
    (component,) = joint.components
    # the hazard of a normal is x + 1/x - 2/x³ + … (Mills)
    assert component.mean[0].overlaps(arb(10**9) + arb(1) / 10**9 - arb(2) / 10**27 + arb(0, "1e-40"))
    assert ball(component.weight).rel_accuracy_bits() > 100


def test_a_negative_variance_names_a_witness() -> None:
    with pytest.raises(Fault, match="variance of 'normal' must not be negative") as caught:
        mixture("k ~ uniform_int(-1, 1)\nx ~ normal(0, k)", "x")
    assert "-1" in caught.value.diagnostic.message


def test_too_many_components_are_reported() -> None:
    program = "for i in 1..9 { b[i] ~ bernoulli(1/2) }\nx ~ normal(0, 1)\n" + "".join(
        f"x := x + {2**i} * b[{i}]\n" for i in range(1, 10)
    )
    with pytest.raises(Fault) as caught:
        solve(core_of(program), ("x",), {}, Budget(components=100))
    assert caught.value.diagnostic.rule.code == "SEEP902"
