"""The tables of the page on measures show what the examples give, and its corrections of the paper hold."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner
from tests.docs.blocks import ROOT, blocks
from tests.docs.test_language_examples import VALUE, analysed, comment, tells

import seepage
from seepage.cli.main import cli
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


@pytest.mark.family(every=4)
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


@pytest.mark.parametrize(
    ("file", "measure", "params", "number"),
    [
        # 0.489 and 0.531 bits are H(o) − H(r | o)
        ("randomized-response-single", "H(o) - H(r | o)", {"p": "1/10", "eps": "1"}, "0.489"),
        ("randomized-response-single", "H(o) - H(r | o)", {"p": "1/10", "eps": "0"}, "0.531"),
        ("gaussian-mechanism", "KL(inc[1] || out)", {"eps": "100"}, "0.2598"),
    ],
)
def test_a_number_told_beside_the_tables_is_that_of_the_example(
    file: str, measure: str, params: dict[str, str], number: str
) -> None:
    text = (ROOT / f"examples/{file}.seep").read_text(encoding="utf-8")
    unit = "nats" if file == "gaussian-mechanism" else "bits"

    assert number in PAGE
    (answer,) = (
        seepage.parse(re.sub(r"^(show|require).*$", "", text, flags=re.MULTILINE) + f"\nshow {measure} in {unit}\n")
        .analyze(params=params)
        .answers
    )
    assert answer.result is not None
    assert rounds_to(answer.result, number)


@pytest.mark.variation(of="test_a_number_told_beside_the_tables_is_that_of_the_example")
@pytest.mark.parametrize(
    ("variance", "number", "stand_in"), [("2", "1.4712", "1.6980"), ("4", "1.7504", "2.0022")]
)  # a standard deviation of 2 is a variance of 4
def test_the_entropy_of_the_third_program_of_the_negative_result_is_below_its_approximation(
    variance: str, number: str, stand_in: str
) -> None:
    exactly = seepage.parse(f"x ~ 1/4*normal(0, 1) + 3/4*normal(0, {variance})\ny ~ normal(0, 1)\nz := x * y").measure(
        "H(z)", unit="nats"
    )

    assert f"{number} < {stand_in}" in PAGE
    assert exactly.certainty.value == "certified"
    assert rounds_to(exactly, number)


def test_the_approximated_entropy_of_a_program_that_is_above_its_approximation_is_that_of_two_normals() -> None:
    # The halves of a standard normal have means ±√(2/π) and variances 1 − 2/π; that root is 0.797884560802865…
    moments = "m ~ uniform_of(-1, 1)\nx ~ normal(m * 0.797884560802865, 0.363380227632419)"

    assert "approximated 1.3818" in PAGE
    assert rounds_to(seepage.parse(moments).measure("H(x)", unit="nats"), "1.3818")


def test_the_loss_behind_student_s_noise_is_the_largest_ratio_of_its_densities() -> None:
    # log((3 + (x − 1)²) / (3 + x²))·2 is largest where x² − x − 3 = 0: at x = (1 − √13)/2
    program = seepage.parse("s ~ bernoulli(1/2)\no ~ student_t(3, s, 1)")
    x = (1 - 13**0.5) / 2

    assert "`student_t(3, s, 1)` it is 1.139236" in PAGE
    assert rounds_to(program.measure("DP(s -> o)"), "1.139236")
    assert 2 * math.log((3 + (x - 1) ** 2) / (3 + x**2)) == pytest.approx(1.139236, abs=5e-7)


def test_the_formula_of_the_page_is_what_is_printed() -> None:
    (shown,) = [block.text for block in blocks("docs/measures.md", "") if "show I(r; o)" in block.text]
    program = ROOT / "examples/randomized-response-single.seep"

    done = CliRunner().invoke(cli, ["check", str(program), "--set", "p=1/10"])

    assert shown in done.stdout


@pytest.mark.parametrize("arguments", [["measure", "I(r; o)"], ["measure", "I(r; nothing)"], ["check"]], ids=" ".join)
def test_the_fields_of_the_json_form_are_those_of_the_page(arguments: list[str]) -> None:
    command, *measure = arguments
    program = ROOT / "examples/randomized-response-single.seep"
    described = [re.findall(r'"(\w+)"', shape) for shape in re.findall(r"`(\{\"(?:schema|error)\"[^`]*\})`", PAGE)]

    found = json.loads(CliRunner().invoke(cli, [command, str(program), *measure, "--format", "json"]).stdout)

    fields = [*found, *found["error"]] if "error" in found else [*found]
    assert fields in described


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
