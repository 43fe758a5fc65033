"""What ``seepage check`` tells of a Python file stands at Python's places, in Python's names."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import seepage
from seepage.cli.main import cli

# The draw of a step is read by nothing that is asked for, and its variable is one of the program only.
TEXT = """import random
from seepage_marks import leakage


@leakage(secret={"x": "bernoulli(1/2)"}, require=["I(x; result) <= 1/10"])
def walk(x):
    for step in range(2):
        lost = random.choice((-1, 1))
        for _ in range(2):
            x += random.choice((0, 1))
    return x
"""


def test_findings_of_the_program_that_is_made_are_not_told_at_places_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "walk.py"
    file.write_text(TEXT)

    found = CliRunner().invoke(cli, ["check", str(file)])

    assert found.exit_code == 1
    heads = [line for line in found.output.splitlines() if "[SEEP" in line]
    assert len(heads) == 1
    assert ":5:" in heads[0]
    assert "SEEP510" in heads[0]
    assert "__" not in found.output


def test_a_file_without_marks_says_what_writes_one(tmp_path: Path) -> None:
    file = tmp_path / "walk.py"
    file.write_text("def walk(x):\n    return x\n")

    found = CliRunner().invoke(cli, ["check", str(file)])

    assert found.exit_code == 0
    assert f"seepage mark {file}::NAME" in found.output


@pytest.mark.parametrize(
    "words", [["measure", "I(x; result)"], ["plot", "I(x; result)", "--over", "p=0..1"], ["explain", "I(x; result)"]]
)
def test_a_python_file_without_a_function_is_told_in_words_of_python(tmp_path: Path, words: list[str]) -> None:
    file = tmp_path / "walk.py"
    file.write_text(TEXT)

    found = CliRunner().invoke(cli, [words[0], str(file), *words[1:]])

    assert found.exit_code == 1
    assert found.output.strip() == f"{file}: of a Python file, one function is asked: write {file}::NAME with its name"
    with pytest.raises(ValueError, match="expected one function"):
        seepage.load(file)


def test_python_is_not_formatted(tmp_path: Path) -> None:
    file = tmp_path / "walk.py"
    file.write_text(TEXT)

    found = CliRunner().invoke(cli, ["fmt", str(file)])

    assert (found.exit_code, found.output, file.read_text()) == (0, "", TEXT)
