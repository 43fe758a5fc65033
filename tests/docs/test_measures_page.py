"""The tables of the page on measures show what the examples give, and its corrections of the paper hold."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from tests.docs.blocks import ROOT, blocks
from tests.docs.test_language_examples import VALUE, analysed, comment, tells

import seepage
from seepage.measures.result import Result

PAGE = (ROOT / "docs/measures.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in PAGE.splitlines()
    if line.startswith("|")
]
ONE_ANSWER = [
    (measure, {"p": row[0].split(", ")[0], "eps": row[0].split(", ")[1]}, cell)
    for row in ROWS
    if re.fullmatch(r"1/\d+, \S+", row[0])
    for measure, cell in zip(("H(r)", "H(o)", "H(r | o)", "I(r; o)"), row[1:], strict=True)
]
MECHANISM = [
    (
        row[0].replace("inc₁", "inc[1]").replace("= 9", "== 9").replace("‖", "||"),
        {"eps": level},
        cell,
    )
    for row in ROWS
    if "inc₁" in row[0]
    for level, cell in zip(("0.1", "100"), row[1:], strict=True)
]


PROGRAMS = {f"line {block.line}": block.text for block in blocks("docs/measures.md", "seep")}


def rounds_to(result: Result, cell: str) -> bool:
    half = Fraction(1, 2 * 10 ** len(cell.partition(".")[2])) if "." in cell else Fraction(0)
    return all(abs(Fraction(bound) - Fraction(cell)) <= half for bound in (result.lower, result.upper))


def test_the_page_has_its_tables() -> None:
    assert (len(ONE_ANSWER), len(MECHANISM)) == (20, 10)


@pytest.mark.parametrize(("measure", "params", "cell"), ONE_ANSWER)
def test_the_table_of_one_answer_is_right(measure: str, params: dict[str, str], cell: str) -> None:
    program = seepage.load(ROOT / "examples/randomized-response-single.seep")

    assert rounds_to(program.measure(measure, params=params), cell)


@pytest.mark.parametrize(("measure", "params", "cell"), MECHANISM)
def test_the_table_of_the_mechanism_is_right(measure: str, params: dict[str, str], cell: str) -> None:
    program = seepage.load(ROOT / "examples/gaussian-mechanism.seep")

    assert rounds_to(program.measure(measure, params=params, unit="nats"), cell)


@pytest.mark.parametrize(
    ("program", "measure", "number"),
    [
        ("x ~ 0.15*normal(-3, 1) + 0.15*normal(3, 1) + 0.7*normal(0, 0.49)", "H(x)", "1.8747"),
        ("x ~ 0.3*normal(0, 10) + 0.7*normal(0, 0.49)", "H(x)", "1.7804"),
        ("x ~ normal(0, 1)\nif x > 0 { skip } else { skip }", "H(x)", "1.4189"),
        ("x ~ 1/4*normal(0, 1) + 3/4*normal(0, 2)", "H(x)", "1.6980"),
        ("x ~ 1/4*normal(0, 1) + 3/4*normal(0, 4)", "H(x)", "2.0022"),
    ],
)
def test_a_correction_of_the_paper_holds(program: str, measure: str, number: str) -> None:
    assert number in PAGE
    assert rounds_to(seepage.parse(program).measure(measure, unit="nats"), number)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_has_the_answers_that_its_comments_give(name: str) -> None:
    text = PROGRAMS[name]
    asked = [line for line in text.splitlines() if line.startswith(("show", "require"))]

    found = analysed(text)

    assert not [diagnostic for diagnostic in found.diagnostics if diagnostic.is_error]
    assert len(found.answers) == len(asked) > 0
    for line, answer in zip(asked, found.answers, strict=True):
        value = VALUE.search(line)
        if answer.verdict is not None:
            assert comment(line).strip() == answer.verdict
        else:
            assert value is not None, line
            assert answer.result is not None, line
            assert tells(answer.result, value["number"], value["unit"] or ""), (line, answer.result)
