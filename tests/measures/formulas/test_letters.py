"""No name of a program can be read as a letter or word that formulas write on their own, in any of the three forms."""

from __future__ import annotations

import re
from fractions import Fraction
from xml.etree import ElementTree

import mpmath
import pytest
from tests.measures.formulas.formula_reading import read_latex, read_mathml, read_text

import seepage
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.letters import OWN, code_quoted
from seepage.measures.formulas.mathml import NAMESPACE, mathml_of
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import Euler, Pi, Symbol
from seepage.measures.result import Formula

NAMES = ("e", "π", "pi", "h", "b", "q", "i", "x", "u", "Φ", "ln", "f", "a")
PLACES = (Fraction(1, 3), Fraction(2, 7), Fraction(9, 10))


def formula(program: str, measure: str) -> Formula:
    found = seepage.parse(program).measure(measure).formula
    assert found is not None
    return found


def agrees(written: Formula, point: dict[str, Fraction], expected: mpmath.mpf) -> None:
    """Each of the three forms has the expected value."""
    for read in (read_text, read_latex, read_mathml):
        assert mpmath.almosteq(read(written, point), expected, rel_eps=1e-12), (written, read)


def entropy(p: mpmath.mpf) -> mpmath.mpf:
    return -p * mpmath.log(p, 2) - (1 - p) * mpmath.log(1 - p, 2)


def test_a_parameter_called_e_is_not_the_base_of_exponentials() -> None:
    program = "param e in (0, 1) = 1/3\nparam y in (0, 1) = 1/2\nm ~ flip(e)\nn ~ flip(1/(1 + exp(y)))\n"
    written = formula(program, "P(m and n)")
    assert written.text == "'e'/(e^y + 1)"
    assert written.latex == r"\frac{\mathtt{e}}{{e}^{y} + 1}"
    assert '<mi mathvariant="monospace">e</mi>' in written.mathml
    for e in PLACES:
        agrees(written, {"e": e, "y": Fraction(1, 2)}, mpmath.mpf(e.numerator) / e.denominator / (1 + mpmath.exp(0.5)))


@pytest.mark.parametrize("name", NAMES)
def test_the_entropy_of_a_bit_with_any_name_of_its_parameter(name: str) -> None:
    program = f"param {name} in (0, 1) = 1/3\nm ~ flip({name})\n"
    written = formula(program, "H(m)")
    for value in PLACES:
        agrees(written, {name: value}, entropy(mpmath.mpf(value.numerator) / value.denominator))


@pytest.mark.parametrize("name", NAMES)
def test_exponentials_beside_any_name(name: str) -> None:
    program = f"param {name} in (0, 1) = 1/3\nm ~ flip(exp(-{name}))\n"
    written = formula(program, "P(m)")
    for value in PLACES:
        agrees(written, {name: value}, mpmath.exp(-mpmath.mpf(value.numerator) / value.denominator))


@pytest.mark.parametrize("name", NAMES)
def test_the_entropy_of_a_normal_variable_with_any_name_of_its_variance(name: str) -> None:
    program = f"param {name} in (0, 5) = 1/3\nz ~ normal(0, {name})\n"
    written = formula(program, "H(z)")
    for value in PLACES:
        variance = mpmath.mpf(value.numerator) / value.denominator
        agrees(written, {name: value}, mpmath.log(2 * mpmath.pi * mpmath.e * variance, 2) / 2)


@pytest.mark.parametrize("name", ["h", "b", "q", "r", "u", "x"])
@pytest.mark.parametrize("role", ["param {} in (0, 1) = 1/2", "{}[0] := 1", "{} ~ flip(1/2)"])
def test_names_that_formulas_introduce_are_no_names_of_the_program(name: str, role: str) -> None:
    program = (
        f"param eps in (0, 3) = 1\n{role.format(name)}\nm ~ flip(exp(eps)/(exp(eps) + 1))\nn ~ flip(1/3)\no := m != n\n"
    )
    written = formula(program, "I(m; o)")
    heads = {head.partition("(")[0].strip() for head, _, _ in (each.partition(" := ") for each in written.definitions)}
    arguments = {
        head.partition("(")[2].strip(") ") for head in (each.partition(" := ")[0] for each in written.definitions)
    }
    assert name not in heads | arguments, written


@pytest.mark.parametrize("name", OWN)
def test_each_form_tells_own_letters_from_names(name: str) -> None:
    assert text_of(Symbol(name)) == f"'{name}'"
    assert latex_of(Symbol(name)) == rf"\mathtt{{{name}}}"
    (row,) = ElementTree.fromstring(mathml_of(Symbol(name)))
    (written,) = row
    assert (written.tag, written.text, written.get("mathvariant")) == (f"{{{NAMESPACE}}}mi", name, "monospace")


def test_own_letters_are_plain() -> None:
    assert (text_of(Euler()), latex_of(Euler())) == ("e", "e")
    assert (text_of(Pi()), latex_of(Pi())) == ("π", r"\pi")


def test_expressions_of_the_program_quote_their_names_and_not_their_functions() -> None:
    assert code_quoted("max(e, 1e-5 + log(e1))*exp(-e)") == "max('e', 1e-5 + log(e1))*exp(-'e')"


@pytest.mark.parametrize("law", ["flip(p)", "geometric(p)"])
@pytest.mark.parametrize("constant", ["h", "b", "x"])
def test_what_a_formula_defines_is_called_as_no_constant_of_the_program_is(constant: str, law: str) -> None:
    text = f"param p in (0, 1) = 1/3\nm ~ {law}\n"

    formula(text, "H(m)")  # what is kept of it is not for a program with the constant
    beside = formula(f"const {constant} = 2\n{text}", "H(m)")

    assert not any(re.match(rf"{constant}\(|{constant} :=", each) for each in beside.definitions), beside
    for point in PLACES:
        p = mpmath.mpf(point.numerator) / point.denominator
        agrees(beside, {"p": point}, entropy(p) / (p if law.startswith("geometric") else 1))
