"""``seepage doctor``: what is well is said to be, and what is not, is not."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from seepage import diagnosis
from seepage.cli.main import cli
from seepage.diagnosis import KNOWN, known_answer


def test_an_installation_that_works_is_well() -> None:
    result = CliRunner().invoke(cli, ["doctor", "--format", "json"])

    found = json.loads(result.output)
    assert (result.exit_code, found["schema"], found["ok"]) == (0, 3, True)
    names = [each["name"] for each in found["findings"]]
    assert {"Python", "numpy", "language server", "discrete engine", "Gaussian engine"} <= set(names)
    assert all(each["ok"] and each["found"] for each in found["findings"])


def test_an_engine_that_computes_something_else_is_bad_and_the_exit_code_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(diagnosis, "KNOWN", (replace(KNOWN[0], value=0.531004406),))

    result = CliRunner().invoke(cli, ["doctor"])

    assert result.exit_code == 1
    assert "BAD  discrete engine: I(s; o) is between" in result.output
    assert "trust no number" in result.output


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_each_engine_meets_its_known_answer(known: diagnosis.KnownAnswer) -> None:
    assert known_answer(known).ok
    assert not known_answer(replace(known, engine="dependence")).ok
    assert not known_answer(replace(known, measure="I(s; nothing)")).ok


def test_a_library_that_is_missing_is_told_with_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "_LIBRARIES", ("no-such-library",))

    result = CliRunner().invoke(cli, ["doctor"])

    assert result.exit_code == 1
    assert "python -m pip install no-such-library" in result.output
