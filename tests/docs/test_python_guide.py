"""The guide from a Python function to a number: its files, its commands and what they print, as a new user meets them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from seepage.cli.main import cli

PAGE = (Path(__file__).parents[2] / "docs" / "python-in-five-minutes.md").read_text(encoding="utf-8")
PLAIN, MARKED, ASKED, MENDED = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
EXCEEDED, HOLDS = re.findall(r"```console\n\$ seepage check lock\.py\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "lock.py"


def test_the_mark_that_is_written_is_the_one_on_the_page(lock: Path) -> None:
    lock.write_text(PLAIN, encoding="utf-8")

    done = CliRunner().invoke(cli, ["mark", "lock.py::opens"])

    assert done.exit_code == 0
    assert lock.read_text(encoding="utf-8") == MARKED


@pytest.mark.parametrize(("text", "printed", "code"), [(ASKED, EXCEEDED, 1), (MENDED, HOLDS, 0)])
def test_a_check_says_what_the_page_says(lock: Path, text: str, printed: str, code: int) -> None:
    lock.write_text(text, encoding="utf-8")

    done = CliRunner().invoke(cli, ["check", "lock.py"], env={**os.environ, "NO_COLOR": "1"})

    assert done.exit_code == code
    assert printed in done.output


def test_the_measure_has_the_numbers_of_the_page(lock: Path) -> None:
    lock.write_text(MENDED, encoding="utf-8")

    done = CliRunner().invoke(cli, ["measure", "lock.py::opens", "V(code | result)"])

    assert "= 0.002 " in done.output
    assert "chance before 0.001" in done.output
