"""Programs with infinite supports: bounds at coarse cuts hold what fine cuts find; closed forms; faults and budgets."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Literal

import mpmath
import pytest
from flint import arb

import seepage
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import balls
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import precision
from seepage.measures.discrete.entropy import conditional_entropy, entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.discrete.probability import expectation
from seepage.measures.discrete.variance import variance
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty
from seepage.program import MeasureError
from seepage.semantics.check import check
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

PROGRAMS = {
    "sum of two": "x ~ geometric(1/2)\ny ~ poisson(2)\no := x + y",
    "thinned": "x ~ poisson(3)\ny ~ binomial(x, 1/4)\no := min(x, 2)",
    "capped": "x ~ geometric(1/3)\nif x > 2 { o := 10; y ~ poisson(1) } else { o := x; y := 2 * x }",
    "parity of noise": "x ~ discrete_laplace(2)\ny ~ bernoulli(1/3)\no := (x + y) % 3",
    "noise around noise": "x ~ discrete_gaussian(2)\ny ~ discrete_laplace(1, centre = x)\no := abs(y) / 2",
    "rate by a coin": "c ~ bernoulli(1/4)\nx ~ poisson(if c then 3 else 1)\ny ~ poisson(1 + c)\no := x * y",
    "rate by a count": "x ~ geometric(2/3)\ny ~ poisson(x)\no ~ binomial(y, 1/2)",
    "observed": "x ~ geometric(1/2)\ny ~ geometric(1/2)\nobserve(x + y > 1)\no := max(x, y)",
    "mixture": "x ~ 1/2 * poisson(2) + 1/4 * geometric(1/2) + 1/4 * uniform_of(-3)\ny ~ uniform_int(0, abs(x))\no := x - y",
    "elements": "i ~ bernoulli(1/2)\na[0] := 0\na[1] := 1\na[i] ~ poisson(2)\nx := a[0]\ny := a[1]\no := x^2 - y",
}
NAMES = ("x", "y", "o")


@pytest.mark.family(every=3)
@pytest.mark.parametrize("tail_bits", [3, 12])
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_bounds_at_a_coarse_cut_hold_what_a_fine_cut_finds(text: str, tail_bits: int) -> None:
    core = unroll(check(SourceFile("test.seep", text)))
    coarse, fine = (run(core, NAMES, {}, balls(192), Budget(tail_bits=bits)) for bits in (tail_bits, 40))

    with precision(256):
        assert coarse.cut is not None
        assert coarse.mass <= fine.mass + coarse.cut.mass
        assert fine.mass <= coarse.mass + coarse.cut.mass + 2**-30
        pairs = [(entropy(joint, ("x", "o")), joint) for joint in (coarse, fine)]
        measures: tuple[Callable[[DiscreteJoint[arb]], Enclosure], ...] = (
            lambda joint: entropy(joint, ("o",)),
            lambda joint: entropy(joint, NAMES),
            lambda joint: conditional_entropy(joint, ("x",), ("o",)),
            lambda joint: mutual_information(joint, ("x",), ("o",)),
            lambda joint: mutual_information(joint, ("x",), ("y",), ("o",)),
            *(partial(expectation, variable=name) for name in NAMES),
            *(partial(variance, variable=name) for name in NAMES),
        )
        for measure in measures:
            bounds, known = measure(coarse), measure(fine)
            assert bounds.lower <= known.value + 1e-9 * abs(known.value) + 1e-9
            assert known.value <= bounds.upper + 1e-9 * abs(known.value) + 1e-9
        assert pairs[0][0].lower <= pairs[1][0].value <= pairs[0][0].upper


def measured(text: str, measure: str, unit: Literal["bits", "nats"] = "nats") -> seepage.Result:
    return seepage.parse(text).measure(measure, unit=unit)


def near(result: seepage.Result, truth: float | mpmath.mpf, tolerance: float = 1e-12) -> bool:
    """Tell whether bounds hold a number that mpmath found, and are as narrow as floats are; closed forms are exact."""
    size = max(1.0, abs(float(truth)))
    inside = result.lower - 1e-15 * size <= truth <= result.upper + 1e-15 * size
    return bool(inside and result.upper - result.lower <= tolerance * size)


def test_known_entropies_and_moments() -> None:
    assert near(measured("x ~ poisson(10^6)", "H(x)"), 8.32669372885343)
    assert near(measured("x ~ geometric(0.0146)", "H(x)"), 5.21939796196231)
    assert near(measured("x ~ geometric(1/5)", "E(x)"), 4)
    assert near(measured("x ~ geometric(1/5)", "Var(x)"), 20)
    assert near(measured("x ~ poisson(400)", "Var(x)"), 400)
    assert near(measured("x ~ discrete_laplace(3, centre = 100)", "E(x)"), 100)
    r = mpmath.exp(mpmath.mpf(-1) / 3)
    assert near(measured("x ~ discrete_laplace(3, centre = 100)", "Var(x)"), 2 * r / (1 - r) ** 2)
    assert near(measured("x ~ geometric(1/2)", "E(x^2)"), 3)


def test_rates_that_depend_on_an_infinite_variable_are_bounded() -> None:
    text = "n ~ geometric(1/2)\nm ~ poisson(n)\nk ~ binomial(m, 1/3)"

    assert near(measured(text, "E(m)"), 1)
    assert near(measured(text, "Var(m)"), 3)
    # P(m = 0) = E e^-n = 1 / (2 - 1/e)
    assert near(measured(text, "P(m == 0)"), 1 / (2 - mpmath.exp(-1)))
    assert near(measured(text, "E(k)"), mpmath.mpf(1) / 3)
    assert measured(text, "I(n; m)").upper - measured(text, "I(n; m)").lower < 1e-12


def test_rare_observations_are_followed_into_the_tail() -> None:
    text = "x ~ geometric(1/2)\nobserve(x > 400)"

    assert near(measured(text, "E(x)"), 402)
    assert near(measured(text, "H(x)"), 2 * mpmath.log(2))
    assert near(measured("x ~ geometric(1/2)", "E(x | x > 2000)"), 2002)


def test_an_observation_that_only_the_tail_could_pass_is_not_called_impossible() -> None:
    with pytest.raises(MeasureError) as caught:
        measured("x ~ geometric(1/2)\nobserve(x + 0.5 == 3)", "H(x)")

    assert caught.value.diagnostic.rule.name == "cannot-decide"


def test_a_law_that_is_too_wide_says_so_and_leaves_other_measures() -> None:
    program = seepage.parse("x ~ poisson(10^12)\ny ~ poisson(3)")

    with pytest.raises(MeasureError) as caught:
        program.measure("H(x)")

    assert caught.value.diagnostic.rule.code == "SEEP902"
    assert "values" in caught.value.diagnostic.message
    assert program.measure("E(y)").value == pytest.approx(3)


def test_parameters_may_be_invalid_only_where_no_run_gets() -> None:
    text = "c ~ {CHOICES}\nif c { x ~ poisson(c - 3) } else { x ~ poisson(c + 1) }"

    assert near(measured(text.replace("{CHOICES}", "bernoulli(0)"), "E(x)"), 1)
    with pytest.raises(MeasureError) as caught:
        measured(text.replace("{CHOICES}", "bernoulli(1/2)"), "E(x)")
    assert "when c = 1" in caught.value.diagnostic.message


@pytest.mark.parametrize("law", ["discrete_laplace(1, centre = n / 2)", "discrete_gaussian(1, centre = n / 2)"])
def test_a_centre_that_is_no_integer_is_an_error(law: str) -> None:
    with pytest.raises(MeasureError) as caught:
        measured(f"n ~ bernoulli(1/2)\nx ~ {law}", "H(x)")

    assert "must be an integer" in caught.value.diagnostic.message


def test_points_stay_exact() -> None:
    assert measured("x ~ poisson(0)", "H(x)").exact == 0
    assert measured("x ~ discrete_gaussian(0, centre = 4)", "E(x)").exact == Fraction(4)
    assert measured("param p in (0, 1] = 1\nx ~ geometric(p)", "E(x)").exact == 0


def test_a_mean_that_nothing_bounds_has_infinite_bounds_and_says_why() -> None:
    found = measured("x ~ geometric(1/2)\nobserve x != 3\ny := 3^x / (x + 1)", "E(y)")

    assert found.lower == float("-inf")
    assert found.upper == float("inf")
    assert found.certainty is Certainty.APPROXIMATE
    assert "tail" in found.notes[0]


def test_a_mean_of_what_is_bounded_has_bounds() -> None:
    found = measured("x ~ geometric(1/2)\ny := 1 / (x + 1)", "E(y)")

    assert found.lower <= mpmath.log(2) <= found.upper + 1e-15
    assert found.upper - found.lower < 1e-12


def test_a_run_says_where_only_the_tail_passes() -> None:
    core = unroll(check(SourceFile("test.seep", "x ~ geometric(1/2)\nobserve(x > 50)")))

    with pytest.raises(Fault, match="no run passes"):
        run(core, ("x",), {}, balls(128), Budget(tail_bits=10))
