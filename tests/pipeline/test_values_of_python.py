"""Numbers as callers have them: those of Python, numpy, SymPy and mpmath, for parameters and for the ends of axes."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import seepage
from seepage.measures.parameters import Value

PROGRAM = "param eps in [0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(1/2)\nt ~ bernoulli(eps/10)\no := r xor t\n"

NUMBERS: list[tuple[Any, Fraction]] = [
    (2, Fraction(2)),
    (2.5, Fraction(5, 2)),
    (0.1, Fraction(1, 10)),
    ("1/10", Fraction(1, 10)),
    (Fraction(1, 10), Fraction(1, 10)),
    (Decimal("0.1"), Fraction(1, 10)),
    (np.int64(2), Fraction(2)),
    (np.uint8(2), Fraction(2)),
    (np.float64(0.1), Fraction(1, 10)),
    (np.float32(0.1), Fraction(1, 10)),
    (np.linspace(0, 6, 25)[1], Fraction(1, 4)),
    (sympy.Integer(2), Fraction(2)),
    (sympy.Rational(1, 10), Fraction(1, 10)),
    (sympy.Float(0.5), Fraction(1, 2)),
    (mpmath.mpf("0.5"), Fraction(1, 2)),
]

NO_NUMBERS: list[Any] = [
    True, np.True_, float("nan"), float("inf"), np.float64("-inf"), Decimal("NaN"), mpmath.inf, sympy.oo, sympy.Symbol("x"),
    1j, None, [1], np.array([1, 2]), "x", "",
]  # fmt: skip


@pytest.mark.parametrize(("given", "meant"), NUMBERS, ids=lambda each: repr(each))
def test_a_real_number_of_any_library_is_a_value(given: Value, meant: Fraction) -> None:
    program = seepage.parse(PROGRAM)

    assert program.read_params({"eps": given}) == {"eps": meant}
    assert program.measure("P(t == 1)", params={"eps": given}).exact == meant / 10
    assert seepage.Axis("eps", given, 9, 3) == seepage.Axis("eps", meant, Fraction(9), 3)


TOO_LONG: dict[str, Any] = {
    "whole": 10**7000,
    "fraction": Fraction(1, 10**7000),
    "decimal": Decimal("1e-7000"),
    "a few characters for many digits": Decimal("1e-99999999"),
    "the same, large": Decimal("1e99999999"),
    "mpmath": mpmath.mpf("1e-99999999"),
}


@pytest.mark.parametrize("given", TOO_LONG.values(), ids=TOO_LONG)
def test_a_number_with_too_many_digits_is_told_before_they_are_written_out(given: Value) -> None:
    with pytest.raises(ValueError, match=r"^found .* expected a number with fewer digits$"):
        seepage.parse(PROGRAM).read_params({"eps": given})


@pytest.mark.parametrize("given", NO_NUMBERS, ids=lambda each: repr(each))
def test_what_is_no_real_number_is_told(given: Value) -> None:
    with pytest.raises(ValueError, match=r"^(found|'.*') .*(expected|is no number)"):
        seepage.parse(PROGRAM).measure("P(t == 1)", params={"eps": given})
    with pytest.raises(ValueError, match=r"^(found|'.*') .*(expected|is no number)"):
        seepage.Axis("eps", 0, given, 3)


def test_a_message_repeats_a_long_value_in_part_only() -> None:
    with pytest.raises(ValueError, match="expected one number for 'eps'") as told:
        seepage.parse(PROGRAM).measure("P(t == 1)", params={"eps": [0] * 100_000})  # type: ignore[dict-item]

    assert len(str(told.value)) < 200


def test_an_axis_as_people_type_it_makes_the_same_plot() -> None:
    program = seepage.parse(PROGRAM)
    exact = program.plot("I(r; o)", [seepage.Axis("eps", 0, 6, 5)])

    assert [point.at for point in exact.rows[0]] == [(Fraction(3 * number, 2),) for number in range(5)]
    assert program.plot("I(r; o)", [seepage.Axis("eps", 0.0, 6.0, 5)]) == exact
    assert program.plot("I(r; o)", [seepage.Axis("eps", "0", "6", np.int64(5))]) == exact  # type: ignore[arg-type]


@pytest.mark.parametrize("points", [True, 2.5, "5"])
def test_a_number_of_points_is_whole(points: Any) -> None:
    with pytest.raises(ValueError, match="expected a whole number"):
        seepage.Axis("eps", 0, 6, points)


def test_what_is_shown_of_an_object_is_short() -> None:
    long = "// a long text\n" * 1_000
    program = seepage.parse(f"{PROGRAM}show I(r; o)\nrequire I(r; o) <= 1 bits\n{long}", "poll.seep")
    analysis, plot = program.analyze(), program.plot("I(r; o)", [seepage.Axis("eps", 0, 6, 25)])

    assert repr(program) == "<Program 'poll.seep': params eps; secrets r; outputs o>"
    assert repr(program.source) == f"<SourceFile 'poll.seep', {len(program.source.text):,} characters>"
    assert repr(plot) == "<Plot of I(r; o) over 25 eps in bits>"
    assert repr(analysis).startswith("<Analysis: 2 of show and require, ")
    assert repr(program.explain("I(r; o)")) == "<Explanation of I(r; o)>"
    assert repr(seepage.parse("x := y1\n").diagnostics[0]).startswith("<SEEP")
    assert (
        repr(seepage.parse("secret s; output o; s ~", "half.seep"))
        == "<Program 'half.seep': secrets s; outputs o; with errors>"
    )
    assert repr(seepage.parse("x := 1")) == "<Program '<text>': nothing declared>"


def test_a_result_is_a_number_to_python() -> None:
    result = seepage.parse(PROGRAM).measure("P(t == 1)", params={"eps": 1})

    assert float(result) == 0.1
    assert (f"{result:.3f}", round(result, 2), round(result)) == ("0.100", 0.1, 0)
    assert f"{result}" == str(result) == "P(t == 1) = 0.1 (exact)"
    assert repr(result) == "<Result P(t == 1) = 0.1 (exact)>"


def test_a_result_of_bounds_alone_is_no_number_to_python() -> None:
    result = seepage.Result("V(s | o)", "", None, 0.25, 0.75, seepage.Certainty.CERTIFIED, "paths")

    assert str(result) == "V(s | o) from 0.25 to 0.75 (certified)"
    for use in (float, round, "{:.2f}".format):
        with pytest.raises(ValueError, match="no single number is known"):
            use(result)


def test_results_of_every_kind_are_written_as_json() -> None:
    text = (
        "param q in [0, 1] = 1/4\nsecret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(q)\no := s xor t\n"
        "n ~ normal(0, 1)\np := o + n\n"
    )
    program = seepage.parse(text)
    for measure in ("I(s; o)", "DP(s -> o)", "Lmin(s -> o)", "DP(s -> p)", "KL(s | o == 1 || s)", "H(p | s)"):
        result = program.measure(measure)
        told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert told["measure"] == result.measure
        assert told["certainty"] == result.certainty.value
        assert float(told["lower"]) == result.lower
        assert float(told["upper"]) == result.upper
        assert told["formula"] == (None if result.formula is None else str(result.formula))
        assert len(repr(result)) < 120


def test_one_axis_needs_no_list_around_it() -> None:
    program, axis = seepage.parse(PROGRAM), seepage.Axis("eps", 0, 6, 3)

    assert program.plot("I(r; o)", axis).values == program.plot("I(r; o)", [axis]).values
