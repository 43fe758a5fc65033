"""``seepage explain --how``: how a number is found, in words and as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import seepage
from seepage.cli.main import cli
from seepage.measures.planning.plan import Step
from seepage.report.plan import plan_json, plan_text
from seepage.semantics.made_names import spoken

EXAMPLES = sorted(Path(__file__).parents[2].joinpath("examples").glob("*.seep"))
FORTY = """
const n = 40
secret q
output o
for i in 1..n { q[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := q[i] xor lie }
"""
MIXED_UP = """
const n = 40
secret q
output o
c := 0
for i in 1..n { q[i] ~ flip(1/2); c := c + 2^i * q[i] }
o := c * c
"""


@pytest.fixture
def forty(tmp_path: Path) -> str:
    path = tmp_path / "forty.seep"
    path.write_text(FORTY, encoding="utf-8")
    return str(path)


def test_the_text_tells_what_was_taken_apart_and_what_answered_the_parts(forty: str) -> None:
    found = CliRunner().invoke(cli, ["explain", forty, "I(q; o)", "--how"])

    lines = found.output.splitlines()
    assert found.exit_code == 0, found.output
    assert lines[0] == "I(q; o) = 7.548875022 bits"
    assert lines[1].startswith("  I(q; o): 'independent parts' answers in ")
    assert lines[2].strip().startswith("because the 40 parts, all alike, are independent (q[1], o[1]; ")
    assert lines[3].startswith("    I(q[1]; o[1]): 'one law' answers in ")


def test_the_observations_that_were_looked_at_are_named() -> None:
    how = seepage.parse(FORTY).how("I(q; o | o[1] == 1 and q[2] == 0)")

    assert "also under what is observed: 'o[1] == 1', 'q[2] == 0'" in how.steps[0].told


def test_the_json_form_is_the_same_as_data(forty: str) -> None:
    found = CliRunner().invoke(cli, ["explain", forty, "DP(q -> o)", "--how", "--format", "json"])

    told = json.loads(found.output)
    assert told["schema"] == 1
    assert told["refused"] is None
    (step,) = told["steps"]
    assert (step["name"], step["outcome"]) == ("independent parts", "answered")
    assert [inner["question"] for inner in step["steps"]] == ["DP(q[1] -> o[1])"]


@pytest.mark.variation(of="test_every_step_of_the_examples_says_something_that_people_can_read")
def test_a_refusal_tells_what_was_tried(tmp_path: Path) -> None:
    path = tmp_path / "squares.seep"
    path.write_text(MIXED_UP, encoding="utf-8")
    found = CliRunner().invoke(cli, ["explain", str(path), "Delta(q -> o, eps=1)", "--how", "--time-limit", "5"])

    assert found.exit_code == 1
    assert "'one law' declines" in found.output
    assert "no answer: " in found.output


@pytest.mark.parametrize("options", [["--format", "json"], ["--how", "--format", "latex"]])
def test_forms_that_do_not_go_together_are_wrong_use(forty: str, options: list[str]) -> None:
    assert CliRunner().invoke(cli, ["explain", forty, "I(q; o)", *options]).exit_code == 2


def sentences(steps: tuple[Step, ...]) -> list[str]:
    """Return all that steps tell."""
    return [told for step in steps for told in (step.told, *sentences(step.steps))]


@pytest.mark.family(every=4)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_step_of_the_examples_says_something_that_people_can_read(path: Path) -> None:
    program = seepage.load(path)
    secrets, outputs = (
        [symbol.name for symbol in of] for of in (program.checked.symbols.secrets, program.checked.symbols.outputs)
    )
    if not secrets or not outputs:
        return
    how = program.how(f"I({secrets[0]}; {', '.join(outputs)})", seconds=10)

    told = sentences(how.steps)
    assert how.steps or how.refused is not None
    assert all(text and text == text.strip() and "\n" not in text and "object at" not in text for text in told)
    assert plan_text(how).count("\n") >= len(told)
    assert "@" not in plan_text(how)
    assert plan_json(how)["measure"] == how.measure


def test_variables_that_the_analysis_made_are_told_in_words() -> None:
    running = next(path for path in EXAMPLES if path.stem == "running-sums")

    how = seepage.load(running).how("DP(day -> sum_up_to, distance=1)", seconds=20)

    assert "rest of sum_up_to[2]" in plan_text(how)
    assert "@" not in plan_text(how)
    assert spoken("I(s@term1, t; a[3]@rest | @sum)") == "I(term 1 of s, t; rest of a[3] | sum)"
    assert spoken("I(s; o) at 2@3") == "I(s; o) at 2@3"
