"""Where no formula is short enough, probabilities get names: read back, they give what closed forms of binomial laws give."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mpmath
import pytest
from tests.measures.formulas.formula_reading import read_latex, read_mathml, read_text

import seepage
from seepage.measures.result import Result
from seepage.report.text import result_lines

POLL = """param p in [0, 1] = 1/2
param eps in [0, 10] = 1
o := 0
for i in 1..4 {
    r[i] ~ bernoulli(p)
    t[i] ~ bernoulli(exp(eps) / (exp(eps) + 1))
    if t[i] { o := o + r[i] } else { o := o + !r[i] }
}
"""
POINTS = [
    {"p": Fraction(p), "eps": Fraction(eps)} for p, eps in product(("0", "1/7", "1/2", "9/10", "1"), ("0", "1/3", "4"))
]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested is what is written, not how busy the machine is."""
    monkeypatch.setattr("seepage.measures.formulas.closed_form._SECONDS", 20.0)
    monkeypatch.setattr("seepage.measures.formulas.closed_form._PATIENCE", 60.0)


def asked(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure)


def binomial(n: int, s: mpmath.mpf) -> list[mpmath.mpf]:
    return [mpmath.binomial(n, k) * s**k * (1 - s) ** (n - k) for k in range(n + 1)]


def entropy(law: list[mpmath.mpf]) -> mpmath.mpf:
    return -sum(mass * mpmath.log(mass, 2) for mass in law if mass > 0)


def answers(point: dict[str, Fraction], first: int | None) -> list[mpmath.mpf]:
    """The law of o, or the one given the first true answer."""
    p = mpmath.mpf(point["p"].numerator) / point["p"].denominator
    q = 1 / (1 + mpmath.exp(-mpmath.mpf(point["eps"].numerator) / point["eps"].denominator))
    yes = p * q + (1 - p) * (1 - q)
    if first is None:
        return binomial(4, yes)
    own = q if first else 1 - q
    rest = [mpmath.mpf(0), *binomial(3, yes), mpmath.mpf(0)]
    return [own * rest[k] + (1 - own) * rest[k + 1] for k in range(5)]


def truth(measure: str, point: dict[str, Fraction]) -> mpmath.mpf:
    p = mpmath.mpf(point["p"].numerator) / point["p"].denominator
    given = (1 - p) * entropy(answers(point, 0)) + p * entropy(answers(point, 1))
    match measure:
        case "H(o)":
            return entropy(answers(point, None))
        case "H(o | r[1])":
            return given
        case _:
            return entropy(answers(point, None)) - given


@pytest.mark.parametrize("measure", ["H(o)", "H(o | r[1])", "I(r[1]; o)"])
def test_a_circuit_has_the_value_of_the_closed_form_inside_and_at_the_ends(measure: str) -> None:
    result = asked(POLL, measure)

    assert result.formula is not None
    assert any(note.startswith("a long formula, ") for note in result.notes)
    with mpmath.workdps(40):
        for point in POINTS:
            for read in (read_text, read_latex, read_mathml):
                assert abs(read(result.formula, point) - truth(measure, point)) < mpmath.mpf(10) ** -36


def test_a_circuit_says_how_many_terms_it_has_and_names_what_is_repeated_once() -> None:
    result = asked(POLL, "H(o)")

    assert result.notes == ("a long formula, 5 terms: its probabilities have names",)
    assert result.formula is not None
    assert result.formula.definitions == (
        "q := e^eps/(e^eps + 1)",
        "v := p·(1 − q) + q·(1 − p)",
        "u := p·q + (1 − p)·(1 − q)",
        "a1 := u⁴",
        "a2 := 4·v·u³",
        "a3 := 6·v²·u²",
        "a4 := 4·u·v³",
        "a5 := v⁴",
        "f(x) := −x·log₂ x",
    )


def test_a_divergence_too_long_to_read_is_a_circuit() -> None:
    parameters = "".join(
        f"param {name} in (0, 1/4) = 1/{size}\n" for name, size in zip("abcd", (5, 6, 7, 8), strict=True)
    )
    text = (
        parameters
        + "x ~ {0: a + b*c, 1: b + c*d, 2: 1 - a - b - c*b - c*d}\ny ~ {0: d, 1: a*b*c + c, 2: 1 - c - d - a*b*c}"
    )
    result = asked(text, "KL(x || y)")

    assert result.formula is not None
    point = {name: Fraction(1, size) for name, size in zip("abcd", (5, 6, 7, 8), strict=True)}
    a, b, c, d = (mpmath.mpf(1) / size for size in (5, 6, 7, 8))
    first = [a + b * c, b + c * d, 1 - a - b - c * b - c * d]
    second = [d, a * b * c + c, 1 - c - d - a * b * c]
    expected = sum(p * mpmath.log(p / q, 2) for p, q in zip(first, second, strict=True))
    for read in (read_text, read_latex, read_mathml):
        assert abs(read(result.formula, point) - expected) < 1e-12


def test_a_divergence_takes_equal_terms_together_and_says_how_its_quotients_read_where_both_sides_vanish() -> None:
    """Three independent bits a side, the first two of one law: divergences of independent parts add up."""
    parameters = "".join(f"param {name} in [0, 1] = 1/{size}\n" for name, size in zip("abc", (3, 4, 5), strict=True))
    left = "u ~ bernoulli(a*b*c)\nu2 ~ bernoulli(a*b*c)\nu3 ~ bernoulli(b*(1 - c))\nx := u + 2*u2 + 4*u3\n"
    right = (
        "v ~ bernoulli(b*a + c*(1 - b)*a)\nv2 ~ bernoulli(b*a + c*(1 - b)*a)\nv3 ~ bernoulli(a)\ny := v + 2*v2 + 4*v3\n"
    )
    formula = asked(parameters + left + right, "KL(x || y)").formula

    assert formula is not None
    assert formula.text.count("log₂") == 6
    assert formula.text.count("2·d") == 2
    assert formula.conditions == ("0·log 0 = 0", "0·log(0/0) = 0")
    a, b, c = (mpmath.mpf(1) / size for size in (3, 4, 5))
    pairs = [(a * b * c, a * b + c * (1 - b) * a)] * 2 + [(b * (1 - c), a)]
    expected = sum(p * mpmath.log(p / q, 2) + (1 - p) * mpmath.log((1 - p) / (1 - q), 2) for p, q in pairs)
    point = {name: Fraction(1, size) for name, size in zip("abc", (3, 4, 5), strict=True)}
    for read in (read_text, read_latex, read_mathml):
        assert abs(read(formula, point) - expected) < 1e-12


def test_what_fits_no_screen_is_told_without_a_circuit() -> None:
    many = "".join(f"param p{i} in [0, 1] = 1/2\nx{i} ~ bernoulli(p{i})\n" for i in range(5))
    result = asked(many + "y := x0 + x1 + x2 + x3 + x4", "H(y)")

    assert result.formula is None
    assert result.notes == ("the formula of 6 terms is too long to show: a plot over a parameter shows its shape",)


def test_more_states_than_formulas_are_made_of_are_told() -> None:
    result = asked("param p in [0, 1] = 1/2\nx ~ binomial(99, p)", "H(x)")

    assert result.formula is None
    assert result.notes == (
        "the formula of more than 64 states is too long to show: a plot over a parameter shows its shape",
    )


@pytest.mark.parametrize("measure", ["E(y)", "H(y)", "H(y) - H(x)"])
def test_a_parameter_whose_value_is_put_in_its_place_is_told_beside_the_number(measure: str) -> None:
    text = "param t in [0, 9] = 3\nparam p in [0, 1] = 1/2\nx ~ bernoulli(p)\ny := x * t"

    assert any(note.startswith("computed at t = 3: ") for note in asked(text, measure).notes)


def test_a_parameter_in_probabilities_alone_is_no_matter_of_notes() -> None:
    assert asked("param p in [0, 1] = 1/2\nx ~ bernoulli(p)", "H(x)").notes == ()


@pytest.mark.parametrize("measure", ["H(x)", "H(x | r[1])", "I(r[1]; x)"])
def test_the_argument_of_f_is_no_name_of_a_part(measure: str) -> None:
    formula = asked(POLL.replace("o :=", "x :=").replace("o +", "x +"), measure).formula

    assert formula is not None
    heads = [text.split(" := ")[0] for text in formula.definitions]
    argument = heads[-1].removeprefix("f(").removesuffix(")")
    assert heads[-1] == f"f({argument})"
    assert argument not in {"x", "p", "eps", *heads[:-1]}


def test_many_definitions_stand_in_a_line_each() -> None:
    program = seepage.parse(POLL)
    lines = list(result_lines(program.measure("H(o)"), program.source))

    assert lines[1] == "    = f(a1) + f(a2) + f(a3) + f(a4) + f(a5)"
    assert lines[2] == "      q := e^eps/(e^eps + 1)"
