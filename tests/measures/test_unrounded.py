"""Upper bounds by what outputs tell before they are rounded, against sums over cells, and where there is no such bound."""

from __future__ import annotations

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.result import Certainty, Result

INFINITE = float("inf")
LAPLACE = "s ~ uniform_int(0, 1)\nn ~ laplace(0, 2)\n"


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure, unit="nats")


def laplace(scale: float, t: mpf) -> mpf:
    return mpmath.exp(t / scale) / 2 if t < 0 else 1 - mpmath.exp(-t / scale) / 2


@pytest.mark.parametrize(
    "output",
    [
        "o := floor(s + n)",
        "o := 3 - 2 * ceil(s + n)",
        "x := s + n\nr := floor(x)\no := r / 2 + 1",
        "r := s + n\no := if floor(r) > 2 then floor(r) else -floor(r)",
        "o := floor(floor(s + n) / 2)",
        "o := floor(s + n)\nafterwards := o * 2",
    ],
)
def test_rounding_takes_nothing_from_the_privacy_of_noise(output: str) -> None:
    """The truth is 1/2 wherever some tail is kept: ratios of neighbouring cells beyond 0 and 1 are exp(1/2)."""
    found = measured(LAPLACE + output, "DP(s -> o)")
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower - 1e-12 <= (0.5 if "if" not in output else found.upper) <= found.upper <= 0.5 + 1e-12


def test_divergence_of_rounded_values_is_at_most_that_before() -> None:
    found = measured(LAPLACE + "o := floor((s + n) / 2)", "KL(o | s == 1 || o | s == 0)")
    rows = [[laplace(2, mpf(2 * k + 2 - s)) - laplace(2, mpf(2 * k - s)) for k in range(-50, 51)] for s in (1, 0)]
    truth = mpmath.fsum(p * mpmath.log(p / q) for p, q in zip(*rows, strict=True))
    before = 0.5 + mpmath.exp(-mpf(1) / 2) - 1
    assert found.lower <= truth <= found.upper <= before + 1e-12
    assert truth - found.lower < 1e-9


def test_noise_whose_cells_are_too_many_bounds_what_is_told() -> None:
    text = "s ~ uniform_int(0, 1)\nn ~ student_t(3, 0, 1)\no := floor(s + n)"

    def below(t: mpf) -> mpf:
        return mpf(1) / 2 + (t / mpmath.sqrt(3) / (1 + t * t / 3) + mpmath.atan(t / mpmath.sqrt(3))) / mpmath.pi

    rows = [[below(mpf(k + 1 - s)) - below(mpf(k - s)) for k in range(-300, 300)] for s in (0, 1)]
    loss = max(abs(mpmath.log(p / q)) for p, q in zip(*rows, strict=True))
    found = measured(text, "DP(s -> o)")
    assert found.lower <= loss <= found.upper < INFINITE
    told = measured(text, "I(s; o)")
    middle = [(p + q) / 2 for p, q in zip(*rows, strict=True)]
    truth = mpmath.fsum(p * mpmath.log(p / m) / 2 for row in rows for p, m in zip(row, middle, strict=True))
    assert told.lower <= truth <= told.upper < 0.2


@pytest.mark.parametrize(
    "output",
    [
        "o := floor(s + n) + s",
        "o := floor(s + n) + floor(n)",
        "k ~ flip(1/2)\no := floor(s + n)\nif k == 1 { o := s }",
        "o := floor(s + n)\nobserve o < s + 7",
    ],
)
def test_what_reads_more_than_the_rounded_value_has_no_such_bound(output: str) -> None:
    try:
        found = measured(LAPLACE + output, "DP(s -> o)")
    except seepage.MeasureError:
        return
    assert found.upper > 0.5 + 1e-6


def test_an_array_that_was_rounded_is_bounded_element_by_element() -> None:
    text = "s ~ uniform_int(0, 1)\nfor i in 1..2 { n[i] ~ laplace(0, 1) }\nfor i in 1..2 { o[i] := floor(s + n[i]) }"
    found = measured(text, "DP(s -> o)")
    assert 2 - 1e-9 <= found.upper <= 2 + 1e-12


@pytest.mark.parametrize(
    ("before", "rounded", "told"),
    [
        ("m := s - m + n", "m", "s + n"),
        ("w := s - c + n\nc := s", "w", "s + n"),
        ("w := s + n - x\nx := s", "w", "s + n"),
        ("w := c\nc := s + n\nw2 := c", "w2", "s + n"),
        ("w := c + n\nc := s", "w", "n"),
        ("c := s\nw := c + n\nc := 0", "w", "s + n"),
        ("c := 0\nw := s + n\nif s == 1 { c := s }", "w", "s + n"),
        ("w := s + n - d\nif s == 1 { d := s }", "w", "s + n"),
        ("i ~ uniform_int(0, 1)\na[0] := 0\na[1] := 0\nw := s + n - a[1]\na[i] := s\na[1 - i] := s", "w", "s + n"),
        ("w := s + n - c\nt ~ bernoulli(1/2)\nobserve s + t < 2 or t == 1\nc := s", "w", "s + n"),
    ],
)
def test_what_is_rounded_is_what_variables_were_where_they_were_read(before: str, rounded: str, told: str) -> None:
    """Against the two laws of cells, the noise of s moved by what is told: nothing if s is not in it, else by 1."""
    found = measured(f"s ~ bernoulli(1/2)\nn ~ normal(0, 1)\n{before}\no := floor({rounded})", "I(s; o)")
    shifts = (0, 1) if "s" in told else (0, 0)
    rows = [[mpmath.ncdf(k + 1 - shift) - mpmath.ncdf(k - shift) for k in range(-12, 13)] for shift in shifts]
    mean = [(p + q) / 2 for p, q in zip(*rows, strict=True)]
    truth = mpmath.fsum(p * mpmath.log(p / m) / 2 for row in rows for p, m in zip(row, mean, strict=True) if p)
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9


def test_rounding_takes_nothing_where_what_is_rounded_was_computed_of_what_changed_before() -> None:
    found = measured(LAPLACE + "c := 1\nc := 2\nw := s + n + c\nc := s\no := floor(w)", "DP(s -> o)")
    assert found.upper <= 0.5 + 1e-12
