"""Measures through the public interface; the numbers are closed forms or sums over a handful of states."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import pytest

import seepage
from seepage.diagnostics import Severity

BIT = "secret s\noutput o\ns ~ bernoulli(1/2)\no := s\n"
NOISY = """
param p in [0, 1] = 1/4
const two = 2
secret s
output o
s ~ bernoulli(1/2)
t ~ bernoulli(p)
o := s xor t
"""


def h(p: float) -> float:
    """Binary entropy in bits."""
    return -sum(q * math.log2(q) for q in (p, 1 - p) if q)


def value(program: str, measure: str, **params: str) -> float:
    return seepage.parse(program).measure(measure, params=params).number


def code(program: str, measure: str, **params: str) -> tuple[str, int, int]:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(program).measure(measure, params=params)
    return caught.value.diagnostic.rule.name, caught.value.line, caught.value.column


def test_a_copied_bit_leaks_exactly_one_bit() -> None:
    result = seepage.parse(BIT).measure("I(s; o)")

    assert (result.value, result.lower, result.upper, result.exact) == (1.0, 1.0, 1.0, Fraction(1))
    assert (result.unit, result.certainty.value, result.engine) == ("bits", "exact", "discrete")


def test_nats_are_bits_times_log_two() -> None:
    result = seepage.parse(BIT).measure("I(s; o)", unit="nats")

    assert result.unit == "nats"
    assert result.lower <= math.log(2) <= result.upper
    assert result.value == pytest.approx(math.log(2), rel=1e-15)


@pytest.mark.parametrize("p", ["1/4", "1/10", "9/10"])
def test_a_binary_symmetric_channel_leaks_one_minus_the_entropy_of_its_noise(p: str) -> None:
    assert value(NOISY, "I(s; o)", p=p) == pytest.approx(1 - h(float(Fraction(p))), rel=1e-14)


@pytest.mark.parametrize("given", [Fraction(1, 4), 0.25, "0.25", "1/4"])
def test_parameter_values_may_be_numbers_or_text(given: str | float | Fraction) -> None:
    result = seepage.parse(NOISY).measure("P(t)", params={"p": given})

    assert result.exact == Fraction(1, 4)
    assert result.params == {"p": "1/4"}


def test_a_float_parameter_means_its_decimal_spelling() -> None:
    assert seepage.parse(NOISY).measure("P(t)", params={"p": 0.1}).exact == Fraction(1, 10)


def test_an_event_that_is_a_bare_name_is_a_variable_and_one_in_parentheses_an_event() -> None:
    program = "s ~ uniform_int(0, 3)\nb := s < 1\n"

    assert value(program, "H(s | b)") == pytest.approx(3 / 4 * math.log2(3), rel=1e-14)
    assert value(program, "H(s | (b))") == 0.0


def test_measures_may_be_combined_with_static_numbers() -> None:
    assert value(NOISY, "100 * I(s; o) / H(s)") == pytest.approx(100 * (1 - h(0.25)), rel=1e-13)
    assert value(NOISY, "H(s) + H(o) - two") == 0.0
    assert value(NOISY, "-P(t)^2 + p") == pytest.approx(0.25 - 0.0625)


def test_independence_in_the_text_needs_no_engine() -> None:
    result = seepage.parse(NOISY).measure("I(s; t)")

    assert (result.lower, result.upper, result.exact) == (0.0, 0.0, Fraction(0))
    assert result.engine == "dependence"


def test_the_divergence_of_a_posterior_from_its_prior() -> None:
    expected = 1 - h(0.25)

    assert value(NOISY, "KL(s | o == 1 || s)") == pytest.approx(expected, rel=1e-14)


def test_a_divergence_without_support_is_infinite() -> None:
    assert value(NOISY, "KL(s || s | o == 1 and t == 0)") == math.inf


def test_an_array_name_means_all_elements() -> None:
    program = "for i in 1..3 { a[i] ~ bernoulli(1/2) }\nn := a[1] + a[2] + a[3]\n"

    assert value(program, "H(a)") == 3.0
    assert value(program, "H(a, a[1])") == 3.0
    assert value(program, "H(a | n)") == pytest.approx(3 - (2 * 3 / 8 * math.log2(8 / 3) + 2 * 1 / 8 * 3), rel=1e-14)


def test_moments_are_exact_rationals() -> None:
    program = seepage.parse("d ~ uniform_int(1, 6)\n")

    assert program.measure("E(d)").exact == Fraction(7, 2)
    assert program.measure("E(d | d > 4)").exact == Fraction(11, 2)
    assert program.measure("Var(d)").exact == Fraction(35, 12)
    assert program.measure("P(d == 6 or d == 1)").exact == Fraction(1, 3)


def test_the_variance_of_a_sum_of_normals() -> None:
    result = seepage.parse("x ~ normal(1, 2)\ny ~ normal(0, 3)\nz := 2 * x + y\n").measure("Var(z)")

    assert result.lower <= 11 <= result.upper
    assert result.value == pytest.approx(11, rel=1e-15)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("H(nothing)", ("unknown-name-in-measure", 1, 3)),
        ("P(s == nothing)", ("unknown-name-in-measure", 1, 8)),
        ("H(s | o, t == 1)", ("malformed-measure", 1, 7)),
        ("H(s | o == 9)", ("impossible-event", 1, 7)),
        ("H(s | t == 9)", ("impossible-event", 1, 7)),
        ("H(s | 1 == 2)", ("impossible-event", 1, 7)),
        ("H(s) + P(o)", ("units-do-not-fit", 1, 1)),
        ("H(s) * H(s)", ("units-do-not-fit", 1, 1)),
        ("H(s) / I(s; t)", ("undefined-measure", 1, 1)),
        ("KL(s, t || o)", ("unfit-measure", 1, 1)),
        ("P(s + o)", ("unfit-measure", 1, 3)),
        ("H(p)", ("malformed-measure", 1, 3)),
        ("H(s + o)", ("malformed-measure", 1, 3)),
        ("I(s)", ("malformed-measure", 1, 1)),
    ],
)
def test_a_faulty_measure_is_reported_at_its_place_in_the_measure(measure: str, expected: tuple[str, int, int]) -> None:
    assert code(NOISY, measure) == expected


def test_a_fault_of_the_program_is_reported_at_its_place_in_the_program() -> None:
    assert code("x ~ uniform_int(0, 1)\ny := 1 / x\n", "H(y)") == ("undefined-value", 2, 6)


def test_a_fault_outside_the_slice_leaves_the_measure_its_number() -> None:
    assert value("x ~ uniform_int(0, 1)\ny := 1 / x\n", "H(x)") == 1.0


def test_independence_does_not_hide_a_fault_in_the_slice() -> None:
    assert code("x ~ uniform_int(0, 1)\ny := 1 / x\nz ~ bernoulli(1/2)\n", "I(y; z)")[0] == "undefined-value"


def test_a_program_that_no_run_passes_has_no_measure_at_all() -> None:
    program = "x ~ bernoulli(1/2)\ny ~ bernoulli(1/2)\nobserve(y == 2)\n"

    assert code(program, "H(x)") == ("impossible-observation", 3, 1)


def test_a_parameter_needs_a_value_only_where_it_is_read() -> None:
    program = "param p in [0, 1]\nx ~ bernoulli(p)\ny ~ bernoulli(1/2)\n"

    assert code(program, "H(x)")[0] == "parameter-without-value"
    assert value(program, "H(y)") == 1.0
    assert value(program, "H(x)", p="1/2") == 1.0


def test_a_value_outside_the_domain_is_an_error_at_the_parameter() -> None:
    assert code(NOISY, "H(s)", p="2") == ("parameter-outside-domain", 2, 7)


@pytest.mark.parametrize(
    "params", [{"q": "1"}, {"p": "x"}, {"p": "1/"}, {"p": "1/0"}, {"p": float("nan")}, {"p": True}]
)
def test_a_wrong_call_raises_a_value_error(params: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"expected|no number|no value|parameter"):
        seepage.parse(NOISY).measure("H(s)", params=params)


def test_no_number_for_a_program_with_errors() -> None:
    program = seepage.parse("x := \ny ~ bernoulli(1/2)\n")

    assert any(diagnostic.severity is Severity.ERROR for diagnostic in program.diagnostics)
    with pytest.raises(seepage.MeasureError):
        program.measure("H(y)")


def test_a_missing_file_raises_what_python_raises() -> None:
    with pytest.raises(FileNotFoundError):
        seepage.load("no-such-file.seep")


def test_a_measure_error_survives_pickling() -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(NOISY).measure("H(nothing)")

    again = pickle.loads(pickle.dumps(caught.value))

    assert (again.diagnostic, again.line, again.column) == (caught.value.diagnostic, 1, 3)


CONTINUOUS = """
s ~ bernoulli(1/2)
x ~ normal(0, 1)
n ~ normal(0, 1)
y := x + n
w := if s then x else 2
"""


@pytest.mark.parametrize("measure", ["H(x | x)", "H(s, x | x)", "H(y | y)", "H(x | y, n)"])
def test_a_continuous_variable_that_is_given_has_entropy_minus_infinity(measure: str) -> None:
    result = seepage.parse(CONTINUOUS).measure(measure)

    assert result.upper == -math.inf


def test_the_variance_of_a_posterior_is_that_of_the_remaining_noise() -> None:
    result = seepage.parse(CONTINUOUS).measure("Var(y | x == 2)")

    assert result.lower <= 1 <= result.upper
    assert result.value == pytest.approx(1, rel=1e-15)


def test_equalities_of_a_conjunction_are_conditioned_on_one_after_the_other() -> None:
    """Given x + n = 1 the variance of x is 1/2; a second, equal equality changes nothing, a contradicting one is impossible."""
    expected = 0.5 * math.log2(2 * math.pi * math.e / 2)

    assert value(CONTINUOUS, "H(x | y == 1 and s == 1)") == pytest.approx(expected, rel=1e-14)
    assert value(CONTINUOUS, "H(x | y == 1 and y == 1)") == pytest.approx(expected, rel=1e-14)
    assert code(CONTINUOUS, "H(x | y == 1 and y == 2)")[0] == "impossible-event"


def test_a_mixed_and_a_continuous_variable_compare_both_ways() -> None:
    """w has density φ/2 and an atom of 1/2 at 2: KL(x || w) = log 2, and the atom has no mass under x."""
    assert value(CONTINUOUS, "KL(x || w)") == pytest.approx(1.0, rel=1e-14)
    assert value(CONTINUOUS, "KL(w || x)") == math.inf


def test_a_discrete_and_a_continuous_side_have_infinite_divergence() -> None:
    assert value(CONTINUOUS, "KL(s || x)") == math.inf
    assert value(CONTINUOUS, "KL(x || s)") == math.inf


def test_a_formula_in_the_parameters_comes_with_the_number() -> None:
    result = seepage.parse(NOISY).measure("I(s; o)")

    assert result.formula is not None
    assert "p" in result.formula.text


def test_a_divergence_between_two_programs_has_a_formula() -> None:
    """KL(s | o == 1 ‖ s) with a fair s: s = 1 has posterior 1 − p, so the formula must give 1 − h(p) at any p."""
    program = seepage.parse(NOISY)

    result = program.measure("KL(s | o == 1 || s)", params={"p": "1/10"})

    assert result.formula is not None
    assert result.value == pytest.approx(1 - h(0.1), rel=1e-13)


def test_a_measure_asked_twice_in_one_expression_is_the_same_number() -> None:
    assert value(NOISY, "I(s; o) - I(s; o)") == 0.0


def test_a_parameter_that_is_only_the_index_of_an_assignment_needs_a_value() -> None:
    program = "param k in [1, 2]\ns ~ bernoulli(1/2)\na[1] := 0\na[2] := 0\na[k] := s\n"

    assert code(program, "I(s; a)") == ("parameter-without-value", 1, 1)
    assert value(program, "I(s; a)", k="2") == 1.0


def test_an_impossible_event_is_an_error_even_where_dependence_alone_gives_the_number() -> None:
    program = "a ~ flip(1/2)\nb ~ flip(1/3)\nc ~ uniform_int(0, 3)\n"

    assert code(program, "I(a; b | c > 5)")[0] == "impossible-event"
    assert value(program, "I(a; b | c > 2)") == 0


@pytest.mark.parametrize(
    ("program", "measure", "text", "conditions"),
    [
        ("x ~ flip(p)\ny ~ flip(p)", "KL(x | y == 1 || x)", "0", ("p > 0",)),
        ("x ~ flip(p)\nz ~ flip(1/2)\ny ~ flip(1-p)\nobserve(x == y)", "P(z)", "1/2", ("p > 0", "p < 1")),
        ("x ~ flip(2*p)", "P(x)", "2·p", ("p ≤ 1/2",)),
        ("x ~ flip(p^2/p)", "P(x)", "p", ("p > 0",)),
        ("x ~ flip(exp(log(p^2)/2))", "P(x)", "exp(log(p^2) / 2)", ("p > 0",)),
        ("x ~ flip(p/(p^2 + 1))", "P(x)", "p/(p² + 1)", ()),
    ],
)
def test_a_formula_says_for_which_parameters_the_program_has_a_meaning(
    program: str, measure: str, text: str, conditions: tuple[str, ...]
) -> None:
    result = seepage.parse("param p in [0, 1] = 1/3\n" + program).measure(measure)

    assert result.formula is not None
    assert (result.formula.text, result.formula.conditions) == (text, conditions)


def test_weights_that_sum_to_one_at_the_default_alone_have_no_formula() -> None:
    program = "param p in [0, 1] = 1/3\nx ~ {0: p, 1: 2/3}"

    assert seepage.parse(program).measure("P(x == 0)").formula is None
