"""One draw from an infinite law: closed forms against sums of the series, and budgets at equality."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from tests.measures.formulas.formula_reading import allows, read_text

import seepage
from seepage.measures.result import Result
from seepage.program import MeasureError

GEOMETRIC = "param p in (0, 1] = 1/3\nx ~ geometric(p)\ny := 2 * x + 1\nz := x * x\n"
POISSON = "param rate in [0, 9] = 5/2\nx ~ poisson(rate)\ny := 4 - x / 2\n"
LAPLACE = "param eps in (0, 9] = 3/2\nx ~ discrete_laplace(1 / eps, centre=2)\ny := 3 * x\n"

Mass = Callable[[int], mpmath.mpf]


def geometric(p: mpmath.mpf) -> Mass:
    return lambda k: p * (1 - p) ** k if k >= 0 else mpmath.mpf(0)


def poisson(rate: mpmath.mpf) -> Mass:
    return lambda k: mpmath.exp(-rate) * rate**k / mpmath.factorial(k) if k >= 0 else mpmath.mpf(0)


def laplace(eps: mpmath.mpf) -> Mass:
    r = mpmath.exp(-eps)
    return lambda k: (1 - r) / (1 + r) * r ** abs(k - 2)


def summed(measure: str, mass: Mass, image: Callable[[int], mpmath.mpf]) -> mpmath.mpf:
    """The measure by adding up 600 terms of each side, beyond which nothing counts for the parameters here."""
    masses = {k: mass(k) for k in range(-600, 600)}
    mean = mpmath.fsum(m * image(k) for k, m in masses.items())
    if measure.startswith("H"):
        return -mpmath.fsum(m * mpmath.log(m, 2) for m in masses.values() if m > 0)
    return mean if measure.startswith("E") else mpmath.fsum(m * (image(k) - mean) ** 2 for k, m in masses.items())


def double(k: int) -> mpmath.mpf:
    return mpmath.mpf(2 * k + 1)


def asked(text: str, measure: str, **values: str) -> Result:
    return seepage.parse(text).measure(measure, params=values)


CASES = [
    (GEOMETRIC, geometric, "p", measure, image)
    for measure, image in (("H(x)", mpmath.mpf), ("E(x)", mpmath.mpf), ("Var(x)", mpmath.mpf), ("H(y)", double), ("E(y)", double), ("Var(y)", double))
] + [
    (POISSON, poisson, "rate", "E(y)", lambda k: 4 - mpmath.mpf(k) / 2),
    (POISSON, poisson, "rate", "Var(y)", lambda k: 4 - mpmath.mpf(k) / 2),
    (LAPLACE, laplace, "eps", "E(y)", lambda k: mpmath.mpf(3 * k)),
    (LAPLACE, laplace, "eps", "Var(y)", lambda k: mpmath.mpf(3 * k)),
    (LAPLACE, laplace, "eps", "H(y)", lambda k: mpmath.mpf(3 * k)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "law", "name", "measure", "image"), CASES)
@pytest.mark.parametrize("value", ["1/3", "1/2", "7/10"])
def test_closed_forms_are_the_sums_of_the_series(
    text: str,
    law: Callable[[mpmath.mpf], Mass],
    name: str,
    measure: str,
    image: Callable[[int], mpmath.mpf],
    value: str,
) -> None:
    result = asked(text, measure, **{name: value})
    point = Fraction(value)
    truth = summed(measure, law(mpmath.mpf(point.numerator) / point.denominator), image)

    assert result.certainty == "exact"
    assert abs(result.value - truth) < 1e-12
    assert abs(result.upper - result.lower) < 1e-12
    assert result.formula is not None
    assert abs(read_text(result.formula, {name: point}) - truth) < 1e-12


def test_the_formulas_read_well() -> None:
    formulas = [asked(GEOMETRIC, measure).formula for measure in ("H(x)", "E(x)", "Var(x)")]

    assert [formula.text for formula in formulas if formula is not None] == ["h(p)/p", "(1 − p)/p", "(1 − p)/p²"]


@pytest.mark.parametrize(
    "budget",
    ["E(x) == 2", "Var(x) <= 6", "E(y) <= 5", "Var(y) >= 24", "E(3*x - p) == 17/3"],
)
def test_budgets_at_equality_are_decided(budget: str) -> None:
    assert [each.verdict for each in seepage.parse(f"{GEOMETRIC}require {budget}\n").analyze().answers] == ["holds"]


def test_a_fair_geometric_variable_has_two_bits_exactly() -> None:
    result = asked(GEOMETRIC, "H(x)", p="1/2")

    assert result.value == result.exact == 2


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        (GEOMETRIC + "observe(x < 40)\n", "E(x)"),
        (GEOMETRIC, "E(x | x > 1)"),
        (GEOMETRIC, "Var(z^4)"),
        (GEOMETRIC + "w ~ bernoulli(1/2)\nif w { x := 0 }\n", "H(x)"),
        (GEOMETRIC + "v ~ geometric(1/2)\nw := x + v\n", "H(w)"),
    ],
)
def test_what_is_more_than_one_draw_has_no_such_form(text: str, measure: str) -> None:
    assert asked(text, measure).certainty == "certified"


def test_the_variance_of_a_square_has_a_closed_form() -> None:
    """Sums to where what is left is below 10^-60: E x^4 - (E x^2)^2."""
    chances = [Fraction(1, 3) * Fraction(2, 3) ** count for count in range(400)]
    fourth, second = (sum(chance * count**degree for count, chance in enumerate(chances)) for degree in (4, 2))

    assert asked(GEOMETRIC, "Var(z)").exact == round(fourth - second**2)


def test_a_law_keeps_the_parameter_that_it_had_when_it_was_drawn_from() -> None:
    result = asked("a := 1/2\nx ~ geometric(a)\na := 1/4\ny := x + a\n", "E(y)")

    assert result.exact == Fraction(5, 4)


@pytest.mark.parametrize("scale", ["1/eps", "2/eps"])
@pytest.mark.parametrize("eps", [Fraction(1, 3), Fraction(2)])
def test_the_entropy_of_discrete_laplace_noise_has_a_formula(scale: str, eps: Fraction) -> None:
    result = seepage.parse(f"param eps in (0, 9] = {eps}\nx ~ discrete_laplace({scale})\n").measure("H(x)")
    with mpmath.workdps(40):
        rate = mpmath.mpf(eps.numerator) / eps.denominator / (2 if scale == "2/eps" else 1)
        truth = summed("H(x)", laplace(rate), lambda k: mpmath.mpf(k))

        assert result.formula is not None
        assert result.value == pytest.approx(float(truth), rel=1e-12)
        assert abs(read_text(result.formula, {"eps": eps}) - truth) < mpmath.mpf(10) ** -20


def test_a_law_whose_support_is_too_wide_to_follow_keeps_what_is_known_in_closed_form() -> None:
    program = seepage.parse("param p in (0, 1] = 1e-9\nx ~ geometric(p)\n")

    # h(p)/p is log2(1/p) + log2(e), but for terms of the size of p.
    assert program.measure("H(x)").value == pytest.approx(float(mpmath.log(10**9 * mpmath.e, 2)), abs=1e-7)
    assert program.measure("E(x)").exact == 10**9 - 1
    assert program.measure("Var(x)").exact == 10**18 - 10**9


@pytest.mark.parametrize("eps", [1, 90, 100, 800])
@pytest.mark.parametrize("name", ["n", "draw"])
def test_a_chance_next_to_1_keeps_the_digits_of_what_it_lacks(eps: int, name: str) -> None:
    result = seepage.parse(f"param eps in [0, 1000] = {eps}\n{name} ~ geometric(1 - exp(-eps))\n").measure(f"H({name})")
    with mpmath.workdps(1_000):
        q = mpmath.exp(-eps)
        truth = (-(1 - q) * mpmath.log(1 - q, 2) - q * mpmath.log(q, 2)) / (1 - q)
        low, value, high = (mpmath.mpf(str(end)) for end in result.ends)

        assert low * (1 - mpmath.mpf(10) ** -14) <= truth <= high * (1 + mpmath.mpf(10) ** -14)
        assert abs(value / truth - 1) < mpmath.mpf(10) ** -14
        assert result.formula is not None
        assert abs(read_text(result.formula, {"eps": Fraction(eps)}) / truth - 1) < mpmath.mpf(10) ** -14
    assert not any("the number at other values" in note for note in result.notes)


@pytest.mark.parametrize("eps", [100, 800])
def test_two_sided_geometric_noise_of_a_large_parameter_tells_all(eps: int) -> None:
    program = seepage.parse(
        f"param eps in [0, 1000] = {eps}\nsecret s\noutput o\ns ~ uniform_int(0, 3)\n"
        "n ~ geometric(1 - exp(-eps))\nm ~ geometric(1 - exp(-eps))\no := s + n - m\n"
    )
    information, left = program.measure("I(s; o)"), program.measure("H(s | o)")

    assert any("there is no formula" in note for note in information.notes)
    # The noise is 0 but for a chance of at most 2/e^eps, which is the order of what is left.
    assert 2 - 1e-15 < information.number <= 2
    assert information.lower <= 2 <= information.upper + 1e-15
    assert 0 <= left.lower <= left.upper < 1e-40


# Where the law exists and the value asked for does, and the closed form there.
LIMITED: list[tuple[str, str, Callable[[mpmath.mpf], bool], Callable[[mpmath.mpf], mpmath.mpf]]] = [
    ("geometric(2*t)", "E(x)", lambda t: 0 < t <= 0.5, lambda t: 1 / (2 * t) - 1),
    ("geometric(2*t)", "Var(x + t)", lambda t: 0 < t <= 0.5, lambda t: (1 - 2 * t) / (4 * t * t)),
    ("geometric(t)", "E(x / (1 - t))", lambda t: 0 < t < 1, lambda t: 1 / t),
    ("poisson(t)", "E(x)", lambda t: t >= 0, lambda t: t),
    ("poisson(t)", "E(x / t)", lambda t: t > 0, lambda t: mpmath.mpf(1)),
    ("poisson(sqrt(t))", "Var(2*x)", lambda t: t >= 0, lambda t: 4 * mpmath.sqrt(t)),
    ("discrete_laplace(t)", "E(x)", lambda t: t > 0, lambda t: mpmath.mpf(0)),
    ("discrete_laplace(t)", "Var(x)", lambda t: t > 0, lambda t: 1 / (2 * mpmath.sinh(1 / (2 * t)) ** 2)),
    ("discrete_gaussian(t)", "E(x + t)", lambda t: t >= 0, lambda t: t),
]


@pytest.mark.parametrize(("law", "measure", "exists", "truth"), LIMITED)
def test_conditions_say_where_the_law_exists(
    law: str, measure: str, exists: Callable[[mpmath.mpf], bool], truth: Callable[[mpmath.mpf], mpmath.mpf]
) -> None:
    program = seepage.parse(f"param t in [-2, 2] = 1/4\nx ~ {law}\n")
    formula = program.measure(measure).formula

    assert formula is not None
    for t in map(Fraction, ("-2", "-1/4", "0", "1/4", "1/2", "1", "2")):
        number = mpmath.mpf(t.numerator) / t.denominator
        assert allows(formula, {"t": t}) == exists(number), t
        if exists(number):
            assert read_text(formula, {"t": t}) == pytest.approx(truth(number), rel=1e-12)
        else:
            with pytest.raises(MeasureError):
                program.measure(measure, params={"t": t})
