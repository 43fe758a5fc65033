"""Project files on the command line: what they set, what goes before them, what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mpmath
import pytest
from click.testing import CliRunner

from seepage.cli.main import cli

PROGRAM = (
    "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ flip(p)\no := s\nx := 3\nshow H(s)\nrequire I(s; o) <= 0.9 bits\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.seep").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    command, *rest = arguments
    result = CliRunner().invoke(cli, [command, str(folder / "deep" / "a.seep"), *rest])
    return result.exit_code, result.output


def check(folder: Path, *options: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(folder, "check", "--format", "json", *options)[1])
    return found


def project(folder: Path, text: str, name: str = "seepage.toml") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_a_project_sets_the_unit_and_parameters_budgets_included(folder: Path) -> None:
    project(folder, 'unit = "nats"\n[parameters]\np = "1/4"\nother = 3\n')

    show, budget = check(folder)["answers"]

    assert (show["result"]["unit"], show["result"]["params"]) == ("nats", {"p": "1/4"})
    assert budget["verdict"] == "holds"  # h(1/4) = 0.811 bits; at the default it is 1


def test_options_go_before_the_project_and_the_project_before_defaults(folder: Path) -> None:
    project(folder, 'unit = "nats"\n[parameters]\np = 0.25\n')

    assert check(folder, "--unit", "bits", "--set", "p=1/2")["answers"][0]["result"]["value"] == 1.0
    assert '"unit": "nats"' in run(folder, "measure", "H(s)", "--format", "json")[1]


def test_the_nearest_file_holds_and_one_of_python_only_with_our_section(folder: Path) -> None:
    project(folder, '[tool.seepage]\nunit = "nats"\n', "pyproject.toml")
    project(folder / "deep", "[project]\nname = 'other'\n", "pyproject.toml")
    assert check(folder)["answers"][0]["result"]["unit"] == "nats"

    project(folder / "deep", 'unit = "bits"\n')
    assert check(folder)["answers"][0]["result"]["unit"] == "bits"


def test_levels_make_findings_louder_and_quieter(folder: Path) -> None:
    project(folder, "[parameters]\np = 0.25\n")
    assert [each["code"] for each in check(folder)["diagnostics"] if each["code"] == "SEEP150"] == ["SEEP150"]
    assert run(folder, "check")[0] == 0

    project(folder, '[parameters]\np = 0.25\n[rules]\nunused-variable = "error"\n')
    assert run(folder, "check")[0] == 1

    project(folder, '[rules]\nSEEP150 = "off"\n')
    assert not [each for each in check(folder)["diagnostics"] if each["code"] == "SEEP150"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\nunit = 3\n", ":2: 'unit' is 3, expected 'bits' or 'nats'"),
        ("unit = \n", ":1: the file is no TOML"),
        ("[rules]\n'SEEP511' = 'off'\n", ":2: 'SEEP511' cannot be less than 'information'"),
        ("[rules]\nimpossible-observation = 'warning'\n", ":2: 'impossible-observation' cannot be less than 'error'"),
        ("time_limit = 3\n", ":1: unknown key 'time_limit', expected 'time-limit'"),
        ("[parameters]\np = 'q'\n", "the value of 'p': 'q' is no number"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_nothing_is_computed(folder: Path, text: str, told: str) -> None:
    project(folder, text)

    code, output = run(folder, "check")

    assert code == 2
    assert told in output
    assert len(output.splitlines()) == 1


@pytest.mark.parametrize("digits", [2, 7, 15])
def test_numbers_have_at_most_the_digits_asked_for(folder: Path, digits: int) -> None:
    with mpmath.workdps(40):  # the entropy of a coin that shows heads once in four times
        known = mpmath.nstr(-(mpmath.log(0.25, 2) + 3 * mpmath.log(0.75, 2)) / 4, digits)

    assert f"H(s) = {known} bits" in run(folder, "measure", "H(s)", "--set", "p=1/4", "--digits", str(digits))[1]
    project(folder, f"digits = {digits}\n")
    assert f"show H(s) = {known} bits" in run(folder, "check", "--set", "p=1/4")[1]
    assert f"I(s; o) = {known} bits" in run(folder, "check", "--set", "p=1/4")[1]
    assert "H(s) = 0.8113 bits" in run(folder, "measure", "H(s)", "--set", "p=1/4", "--digits", "4")[1]


def test_digits_that_no_number_has_are_refused(folder: Path) -> None:
    project(folder, "digits = 16\n")

    code, said = run(folder, "check")

    assert code == 2
    assert ":1: 'digits' is 16, expected a whole number between 2 and 15" in said
    assert run(folder, "check", "--digits", "1")[0] == 2


def test_each_fault_of_a_project_file_has_a_line_of_its_own(folder: Path) -> None:
    project(folder, 'unit = "bytes"\nspeed = 9\ndigits = 99\n')

    code, told = run(folder, "check")

    assert code == 2
    assert "\N{REPLACEMENT CHARACTER}" not in told
    assert [line.partition("seepage.toml:")[2][:2] for line in told.splitlines()] == ["1:", "2:", "3:"]


def test_a_fault_in_a_project_file_cannot_command_the_terminal(folder: Path) -> None:
    project(folder, '"a\\u001b[31mb" = 1\n')

    assert "\x1b" not in run(folder, "check")[1]
