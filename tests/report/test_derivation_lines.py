"""Derivations as lines of data: they say what the text says, fold, and know their places."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from seepage import parse
from seepage.report.derivation import derivation_text
from seepage.report.derivation_lines import Line, derivation_sections

RESPONSE = parse(
    "param p in [0, 1] = 1/2\nparam eps in [0, 10] = 1\nsecret r\noutput o\n"
    "r ~ bernoulli(p)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
)


def lines(measure: str) -> list[Line]:
    return [line for section in derivation_sections(RESPONSE.explain(measure)) for line in section.lines]


@pytest.mark.parametrize("measure", ["H(o)", "I(r; o)", "P(o == 1)", "KL(r || o)"])
def test_every_line_of_the_text_is_there_in_its_order(measure: str) -> None:
    explanation = RESPONSE.explain(measure)

    text = "".join(derivation_text(explanation).split())

    at = 0
    for section in derivation_sections(explanation):
        for line in section.lines:
            if line.kind != "why" or section.title == "what follows":
                at = text.index("".join(line.text.split()), at)


def test_a_statement_stands_where_the_program_has_it() -> None:
    told = {RESPONSE.source[line.span]: line.text for line in lines("H(o)") if line.span is not None}

    assert told["r ~ bernoulli(p)"] == "r ~ bernoulli(p)"
    assert told["o := !r"] == "o := !r"


def test_under_a_statement_its_reason_folds_and_under_a_branch_both_arms() -> None:
    told = lines("H(o)")

    plain = next(place for place, line in enumerate(told) if line.text.startswith("r ~"))
    branch = next(place for place, line in enumerate(told) if line.text == "if t {")
    assert told[plain].folds == 1
    assert told[plain + 1].text.startswith("wp⟦x ~ D⟧(X)")
    assert told[branch + told[branch].folds].text == "}"


def test_the_formulas_are_well_formed_mathematics() -> None:
    shown = [line for line in lines("I(r; o)") if line.mathml]

    assert {line.kind for line in shown} == {"expectation", "conclusion"}
    for line in shown:
        assert ElementTree.fromstring(line.mathml).tag == "{http://www.w3.org/1998/Math/MathML}math"
