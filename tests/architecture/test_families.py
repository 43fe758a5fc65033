"""What the ordinary profile leaves out of dear families is in the full one, which continuous integration runs."""

from __future__ import annotations

from pathlib import Path

from tests.families import left_out

ROOT = Path(__file__).parents[2]


def test_the_ends_and_each_so_manyth_case_stay() -> None:
    assert left_out({"a": (3, range(8)), "b": (2, "x"), "c": (5, "")}) == [1, 2, 4, 5]


def test_continuous_integration_tries_every_case() -> None:
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert [line for line in commands if line.startswith("make test")] == ["make test EDITORS=install PROFILE=full"]
    assert "export SEEPAGE_FULL := $(if $(filter full,$(PROFILE)),1)" in (ROOT / "Makefile").read_text(encoding="utf-8")
