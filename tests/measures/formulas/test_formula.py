"""Closed forms are read back from their text and evaluated apart, at many points and at the ends of the domains."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.formulas.formula_reading import evaluated, read_latex, read_mathml, read_text

import seepage
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS, IrrationalProbability, balls, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number, number, precision
from seepage.measures.discrete.divergence import divergence
from seepage.measures.discrete.entropy import conditional_entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.discrete.probability import expectation
from seepage.measures.discrete.variance import variance
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.discrete import searched
from seepage.measures.formulas.symbolic import BinarySum, LogarithmSum
from seepage.measures.result import Formula
from seepage.semantics.check import check
from seepage.semantics.core import CoreProgram
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

RESPONSE = """param p in [0, 1] = 1/2
param eps in [0, 10] = 1
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
"""


class Asked:
    """A measure of a program: its formula, and its value at a point by the numeric engine."""

    def __init__(self, text: str, measure: str, unit: str = "bits") -> None:
        checked = check(SourceFile("test.seep", text))
        assert not [diagnostic for diagnostic in checked.diagnostics if diagnostic.is_error]
        self.core: CoreProgram = unroll(checked)
        self.domains = {name: symbol.domain for name, symbol in checked.symbols.params.items() if symbol.domain}
        match = re.fullmatch(r"(\w+)\(([^;|>]*)(?:->|;|\|\||\|)?([^|]*)\|?(.*)\)", measure)
        assert match
        self.name = match[1]
        self.x, self.y, self.z = (
            tuple(part.replace(" ", "").split(",")) if part.strip() else () for part in match.groups()[1:]
        )
        self.unit = unit

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.x, *self.y, *self.z)))

    def formula(self) -> Formula | None:
        joint = run(self.core, self.variables, {}, polynomials(self.core), Budget())
        found = searched(self.name, joint, self.x, self.y, self.z, self.unit, domains=self.domains).found  # type: ignore[arg-type]
        return found if isinstance(found, Formula) else None

    def value(self, point: Mapping[str, Fraction]) -> Enclosure:
        exact: dict[str, Number] = {name: number(value) for name, value in point.items()}
        joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]
        try:
            joint = run(self.core, self.variables, exact, RATIONALS, Budget())
        except IrrationalProbability:
            joint = run(self.core, self.variables, exact, balls(400), Budget())
        match self.name:
            case "H":
                return conditional_entropy(joint, self.x, self.y)
            case "I":
                return mutual_information(joint, self.x, self.y, self.z)
            case "KL":
                return divergence(joint, self.x, joint, self.y)
            case "Var":
                return variance(joint, self.x[0])
            case _:
                return expectation(joint, self.x[0])


def agree(asked: Asked, formula: Formula, point: Mapping[str, Fraction]) -> bool:
    result = asked.value(point)
    with precision(300):
        nats = mpmath.mpf(result.value.str(60, radius=False)) if result.value.is_finite() else mpmath.inf
    truth = nats / mpmath.log(2) if asked.unit == "bits" and asked.name in ("H", "I", "KL") else nats
    found = [read(formula, point) for read in (read_text, read_latex, read_mathml)]
    return all(bool(truth == each or abs(truth - each) < mpmath.mpf(10) ** -45) for each in found)


CASES = [
    (RESPONSE, "H(r)"),
    (RESPONSE, "H(o)"),
    (RESPONSE, "H(t)"),
    (RESPONSE, "H(r | o)"),
    (RESPONSE, "H(o | r)"),
    (RESPONSE, "I(r; o)"),
    (RESPONSE, "I(r; o | t)"),
    (RESPONSE, "KL(r || o)"),
    (RESPONSE, "E(o)"),
    (RESPONSE, "Var(o)"),
    ("param p in [0, 1]\nx ~ binomial(3, p)\ny := x % 2", "H(x)"),
    ("param p in [0, 1]\nx ~ binomial(3, p)\ny := x % 2", "H(y)"),
    ("param p in [0, 1]\nx ~ binomial(3, p)\ny := x % 2", "E(x)"),
    ("param p in [0, 1]\nx ~ binomial(3, p)\ny := x % 2", "Var(x)"),
    ("param p in [0, 1]\nparam q in [0, 1]\nx ~ bernoulli(p)\ny ~ bernoulli(q)\nz := x and y", "I(x; z)"),
    ("param p in (0, 1]\nparam q in [0, 1]\nx ~ bernoulli(p)\ny ~ bernoulli(q)\nobserve(x or y)", "H(x)"),
    ("param p in (0, 1]\nparam q in [0, 1]\nx ~ bernoulli(p)\ny ~ bernoulli(q)\nobserve(x or y)", "I(x; y)"),
    ("param p in [0, 1]\nx ~ bernoulli(sqrt(p))\ny ~ bernoulli(1 - sqrt(p))", "H(x)"),
    ("param p in [0, 1]\nx ~ bernoulli(p^(1/3))\ny ~ bernoulli(p^(1/3))\nz := x + y", "H(z)"),
    ("param p in [0, 1]\nx ~ bernoulli(p^(1/3))\ny ~ bernoulli(p^(2/3))\nz := x and y", "E(z)"),
    ("param a in [0, 2]\nx ~ bernoulli(exp(-a))\ny ~ bernoulli(exp(-2*a))", "KL(x || y)"),
    ("param a in [0, 2]\nx ~ bernoulli(exp(-a/2))\ny ~ bernoulli(1/(1 + exp(a)))\nz := x and y", "H(z)"),
    ("param p in [0, 1]\nx ~ bernoulli(1 - sqrt(1 - p))\ny ~ bernoulli(p)\nz := x and y", "H(z)"),
    ("param p in [0, 1]\nx ~ bernoulli(sqrt(1 - exp(-p)))\ny ~ bernoulli(1/3)", "KL(y || x)"),
    ("param a in [0, 2]\nx ~ bernoulli(2^(-a))\ny ~ bernoulli(1/3)\nz := x or y", "H(z)"),
    ("param p in [1, 3]\nparam a in [0, 2]\nx ~ bernoulli(p^(-a/2))", "H(x)"),
    ("param h in [0, 1]\nx ~ bernoulli(h)\ny ~ bernoulli(1/3)\nz := x xor y", "I(x; z)"),
    ("param p in [0, 1]\nx ~ bernoulli(((10*p - 1)/9)^2)", "H(x)"),
    ("param p in [0, 1]\nx ~ bernoulli(((10*p - 1)/9)^2)\ny ~ bernoulli(1/3)", "KL(y || x)"),
    ("param p in [0, 1]\nparam q in [0, 1]\nx ~ bernoulli((p - q)^2)", "H(x)"),
    ("param p in [0, 1]\nparam q in [0, 1]\nx ~ bernoulli(p^2*(p - q)^2)\ny ~ bernoulli(1/3)", "KL(y || x)"),
    ("param p in [0, 1]\nx ~ bernoulli(4*p*(1 - p))", "H(x)"),
    ("param p in [0, 1]\nx ~ bernoulli(1 - (2*p - 1)^4)", "H(x)"),
    ("x ~ uniform_int(1, 6)\ny := x % 3", "H(x)"),
    ("x ~ uniform_int(1, 6)\ny := x % 3", "H(x | y)"),
]


@pytest.mark.family(every=3)
@pytest.mark.parametrize("unit", ["bits", "nats"])
@pytest.mark.parametrize(("text", "measure"), CASES)
def test_formulas_have_the_measure_s_value_inside_and_at_the_ends_of_the_domains(
    text: str, measure: str, unit: str
) -> None:
    asked = Asked(text, measure, unit)
    formula = asked.formula()

    assert formula is not None
    assert [point for point in points(asked, formula) if not agree(asked, formula, point)] == []


def test_a_root_of_a_parameter_is_set_as_mathematics() -> None:
    formula = Asked("param p in [0, 1]\nx ~ bernoulli(p^(1/3))", "E(x)", "bits").formula()

    assert formula is not None
    assert formula.text == "p^(1/3)"
    assert formula.latex == r"{p}^{\frac{1}{3}}"
    assert formula.conditions == ()


def test_a_square_root_is_set_as_one() -> None:
    formula = Asked("param p in [0, 1]\nx ~ bernoulli(sqrt(p)/2)", "E(x)", "bits").formula()

    assert formula is not None
    assert (formula.text, formula.conditions) == ("sqrt(p)/2", ())
    assert formula.latex == r"\frac{\sqrt{p}}{2}"
    assert "<msqrt><mi>p</mi></msqrt>" in formula.mathml


@pytest.mark.parametrize("chance", ["p^(1/3) + 1/8", "2^p/2", "p^(p - 1)", "(2*p)^(1/2)"])
def test_a_power_that_exceeds_1_somewhere_keeps_its_condition(chance: str) -> None:
    formula = Asked(f"param p in [0, 9/8]\nx ~ bernoulli({chance})", "E(x)", "bits").formula()

    assert formula is None or any("≤" in each or "<" in each for each in formula.conditions)


def points(asked: Asked, formula: Formula) -> Iterator[dict[str, Fraction]]:
    """A grid over the domains, with the closed ends where the formula's conditions allow them."""
    names = list(asked.domains)
    shares = [Fraction(0), Fraction(1, 7), Fraction(1, 2), Fraction(5, 6), Fraction(1)]
    for place in range(len(shares) ** len(names)):
        point = {}
        for i, name in enumerate(names):
            domain = asked.domains[name]
            low, high = domain.low, domain.high
            assert isinstance(low, int)
            assert isinstance(high, int)
            point[name] = low + (high - low) * shares[place // len(shares) ** i % len(shares)]
        inside = all(domain.contains(number(point[name])) for name, domain in asked.domains.items())
        if inside and all(holds(condition, point) for condition in formula.conditions):
            yield point


def holds(condition: str, point: Mapping[str, Fraction]) -> bool:
    if "log" in condition:
        return True
    left, relation, right = re.split(r"\s([<>≠≤])\s", condition)
    value, bound = (evaluated(side, (), point) for side in (left, right))
    return bool({"<": value < bound, ">": value > bound, "≠": value != bound, "≤": value <= bound}[relation])


H_MEANS = "h(x) := −x·log₂ x − (1 − x)·log₂(1 − x)"
Q_MEANS = "q := e^eps/(e^eps + 1)"


@pytest.mark.parametrize(
    ("text", "measure", "expected", "definitions", "conditions"),
    [
        # the paper's derivation, its misprint corrected; no factor vanishes on the domains, so it holds as it stands
        (RESPONSE, "H(o)", "h(p·q + (1 − p)·(1 − q))", (Q_MEANS, H_MEANS), ()),
        (RESPONSE, "I(r; o)", "h(p·q + (1 − p)·(1 − q)) − h(q)", (Q_MEANS, H_MEANS), ()),
        (RESPONSE, "H(r)", "h(p)", (H_MEANS,), ("0·log 0 = 0",)),
        (RESPONSE, "E(o)", "p·q + (1 − p)·(1 − q)", (Q_MEANS,), ()),
        (
            "param p in [0, 1]\nparam q in [0, 1]\nx ~ bernoulli((p - q)^2)",
            "H(x)",
            "h((p − q)²)",
            None,
            ("0·log 0 = 0",),
        ),
        # a chain of five flips
        (
            "param f in [0, 1]\na ~ bernoulli(1/2)\nb := a\nfor i in 1..5 { c[i] ~ bernoulli(f)\nb := b xor c[i] }",
            "I(a; b)",
            "1 − h((1 − (1 − 2·f)⁵)/2)",
            (H_MEANS,),
            ("0·log 0 = 0",),
        ),
        # what comes more than once has a name
        (
            "param b in [0, 1]\nx ~ binomial(3, b)\ny := x % 3",
            "H(y)",
            None,
            ("u := b³ + (1 − b)³",),
            ("0·log 0 = 0",),
        ),
        ("param p in [0, 1]\nx ~ bernoulli(p)\ny := 3 * x", "Var(y)", "9·p·(1 − p)", (), ()),
    ],
)
def test_formulas_read_well(
    text: str, measure: str, expected: str | None, definitions: tuple[str, ...] | None, conditions: tuple[str, ...]
) -> None:
    formula = Asked(text, measure).formula()

    assert formula is not None
    assert expected is None or formula.text == expected
    assert definitions is None or formula.definitions == definitions
    assert formula.conditions == conditions


def test_names_that_the_program_has_are_not_given_anew() -> None:
    text = RESPONSE.replace("r ~", "q ~").replace(":= r", ":= q").replace("!r", "!q").replace("t ", "h ")

    formula = Asked(text, "I(q; o)").formula()

    assert formula is not None
    assert formula.text == "b(p·r + (1 − p)·(1 − r)) − b(r)" or formula.text == "h(p·r + (1 − p)·(1 − r)) − h(r)"
    assert "r := e^eps/(e^eps + 1)" in formula.definitions


def test_no_condition_is_stated_where_a_divisor_never_vanishes() -> None:
    formula = Asked("param p in [0, 1]\nx ~ bernoulli(p)\ny ~ bernoulli(1/3)\nobserve(x or y)", "E(x)").formula()

    assert formula is not None
    assert formula.text == "3·p/(2·p + 1)"
    assert formula.conditions == ()


def test_an_observation_that_may_be_impossible_is_a_condition_though_its_probability_cancels() -> None:
    text = "param p in [0, 1]\nparam q in [0, 1]\nx ~ bernoulli(p)\ny ~ bernoulli(p*q)\nobserve(x or y)"
    formula = Asked(text, "E(x)").formula()

    assert formula is not None
    assert formula.text == "1/(q + 1 − p·q)"
    assert formula.conditions == ("p > 0",)


def test_a_condition_on_an_exponential_is_told_of_its_parameter() -> None:
    formula = Asked("param a in [0, 2]\nx ~ bernoulli(1 - exp(-a))\ny ~ bernoulli(1/2)\nobserve(x)", "H(y)").formula()

    assert formula is not None
    assert formula.text == "1"
    assert formula.conditions == ("a > 0",)


LAWS = st.sampled_from(
    [
        "bernoulli(p)",
        "bernoulli(p*q)",
        "bernoulli(1 - p)",
        "bernoulli(exp(a)/(exp(a) + 1))",
        "bernoulli(exp(-a))",
        "bernoulli(exp(-2*a))",
        "uniform_int(0, 2)",
        "{0: p/2, 1: 1/2, 2: (1 - p)/2}",
        "binomial(2, p)",
        "bernoulli(if x == 1 then p else q)",
    ]
)
STEPS = st.one_of(
    st.builds("{} ~ {}".format, st.sampled_from("xyz"), LAWS),
    st.builds("{} := {} + {}".format, *[st.sampled_from("xyz")] * 3),
    st.builds("if {} == 1 {{ y := 1 - x }} else {{ z ~ {} }}".format, st.sampled_from("xyz"), LAWS),
    st.builds("observe({} != {})".format, st.sampled_from("xyz"), st.sampled_from(["1", "2", "y"])),
)
MEASURES = st.sampled_from(["H(x)", "H(x | y)", "I(x; y)", "I(x; y | z)", "KL(x || y)", "E(x)", "I(x, z; y)"])


@settings(deadline=None, max_examples=20)
@given(LAWS, LAWS, st.lists(STEPS, min_size=1, max_size=3), MEASURES, st.randoms(use_true_random=False))
def test_formulas_of_random_programs_have_the_measure_s_value(
    x: str, y: str, steps: list[str], measure: str, choose: Random
) -> None:
    domains = "param p in [0, 1]\nparam q in [0, 1]\nparam a in [0, 3]\n"
    asked = Asked("\n".join((f"{domains}x ~ {x}", f"y ~ {y}", "z := 0", *steps)), measure)
    try:
        formula = asked.formula()
    except Fault:
        return  # no run passes the observations
    if formula is not None:
        tried = list(points(asked, formula))
        choose.shuffle(tried)
        assert [point for point in tried[:8] if not agree(asked, formula, point)] == []


def test_a_formula_too_long_to_read_is_none() -> None:
    many = "".join(f"param p{i} in [0, 1]\nx{i} ~ bernoulli(p{i})\n" for i in range(5))

    assert Asked(many + "y := x0 + x1 + x2 + x3 + x4", "H(y)").formula() is None


def test_weights_in_another_ring_are_refused() -> None:
    joint = DiscreteJoint(("x",), RATIONALS, {(0,): fmpq(1)}, fmpq(1))

    with pytest.raises(ValueError, match="polynomials"):
        searched("H", joint, ("x",))  # type: ignore[arg-type]


def test_a_formula_that_fails_the_check_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubled(add: Callable[..., None]) -> Callable[..., None]:
        def twice(*arguments: object) -> None:
            add(*arguments)
            add(*arguments)

        return twice

    for form in (BinarySum, LogarithmSum):
        monkeypatch.setattr(form, "add", doubled(form.add))

    assert Asked(RESPONSE, "H(o)").formula() is None
    assert Asked(RESPONSE, "I(r; o)").formula() is None


def test_formulas_come_as_latex_and_mathml_with_their_definitions() -> None:
    formula = Asked(RESPONSE, "E(o)").formula()

    assert formula is not None
    assert formula.latex == (
        r"p \cdot q + \left(1 - p\right) \cdot \left(1 - q\right)"
        r", \quad q = \frac{{e}^{\varepsilon}}{{e}^{\varepsilon} + 1}"
    )
    assert "<mfrac><msup><mi>e</mi><mi>ε</mi></msup>" in formula.mathml


def test_an_exponential_of_a_quotient_is_set_as_mathematics() -> None:
    program = seepage.parse("param m in (0, 10] = 2\nsecret s\noutput o\ns ~ discrete_laplace(m)\no := s\n")
    formula = program.measure("H(s)").formula
    assert formula is not None
    assert "exp" not in formula.text
    for m in (Fraction(1, 2), Fraction(7)):
        q = mpmath.exp(-1 / mpmath.mpf(m.numerator) * m.denominator)
        chances = [(1 - q) / (1 + q) * q**n for n in range(400)]
        entropy = sum((1 if n == 0 else 2) * -p * mpmath.log(p, 2) for n, p in enumerate(chances))
        assert mpmath.almosteq(read_text(formula, {"m": m}), entropy, 1e-12)
