"""``seepage explain``: formats and exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from seepage.cli.main import cli

PROGRAM = (
    "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ bernoulli(p)\nt ~ bernoulli(3/4)\no := if t then s else !s\n"
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "leak.seep"
    path.write_text(PROGRAM, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("form", "part"),
    [
        ("text", "⟨ (1 + 2·p)/4·[o̲ = 1] + (3 − 2·p)/4·[o̲ = 0] ⟩"),
        ("markdown", "<summary><code>s ~ bernoulli(p)</code></summary>"),
        ("latex", r"\begin{align*}"),
    ],
)
def test_each_format_is_printed(file: str, form: str, part: str) -> None:
    found = CliRunner().invoke(cli, ["explain", file, "H(o)", "--format", form])

    assert found.exit_code == 0, found.output
    assert part in found.output or "[o̲ = 1]" in found.output


def test_values_of_parameters_and_units_reach_the_number(file: str) -> None:
    found = CliRunner().invoke(cli, ["explain", file, "H(s)", "--set", "p=0", "--unit", "nats"])

    assert found.exit_code == 0
    assert found.output.rstrip().endswith("H(s) = 0 nats at p = 0")


@pytest.mark.parametrize("measure", ["V(s)", "H(nobody)", "H(s"])
def test_what_cannot_be_explained_ends_with_one_finding(file: str, measure: str) -> None:
    found = CliRunner().invoke(cli, ["explain", file, measure])

    assert found.exit_code == 1
    assert "error[SEEP" in found.output


def test_an_unknown_parameter_is_wrong_use(file: str) -> None:
    assert CliRunner().invoke(cli, ["explain", file, "H(s)", "--set", "q=1"]).exit_code == 2
