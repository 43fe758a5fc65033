"""A Python file in Neovim with two servers, set up as the documentation shows: findings of both show, and neither disturbs the other."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors.installed import new_neovim
from tests.editors.neovim.probing import run_plan
from tests.editors.plans import Step, answers_by_name
from tests.editors.required import have
from tests.editors.terminal import shown

pytestmark = pytest.mark.timeout(900)

TEXT = """import random
from seepage_marks import leakage


@leakage(secret={"answer": "bernoulli(1/2)"}, require=["I(answer; result) <= 1/10"])
def respond(answer):
    if random.random() < 0.5:
        return answer
    return random.random() < 0.5


é: str = "ü"; rounds: int = "three"
"""
OURS, THEIRS = "exceeded", "three"
PLAN: list[Step] = [
    {"do": "write", "file": "survey.py", "text": TEXT},
    {"do": "open", "file": "survey.py"},
    {"do": "diagnostics", "until": f"{OURS}.*{THEIRS}\\|{THEIRS}.*{OURS}", "name": "both"},
    {"do": "hovers", "find": "respond", "until": "0[.]18", "name": "hovers"},
    {"do": "replace", "find": "<= 1/10", "by": "<= 1/2"},
    {"do": "diagnostics", "unless": OURS, "name": "ours mended"},
    {"do": "replace", "find": '"three"', "by": "3"},
    {"do": "diagnostics", "unless": THEIRS, "name": "theirs mended"},
    {"do": "replace", "find": "<= 1/2", "by": "<= 1/10"},
    {"do": "replace", "find": "int = 3", "by": 'int = "three"'},
    {"do": "diagnostics", "until": f"{OURS}.*{THEIRS}\\|{THEIRS}.*{OURS}", "name": "both again"},
    {"do": "stop", "server": "pyright"},
    {"do": "diagnostics", "unless": THEIRS, "name": "alone"},
    {"do": "replace", "find": "<= 1/10", "by": "<= 1/2"},
    {"do": "diagnostics", "unless": OURS, "name": "alone, mended"},
]


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    setup = "\n".join(shown("neovim.md", "lua", holding=each) for each in ("LspAttach", "pyright"))
    return answers_by_name(run_plan(have(new_neovim), setup, PLAN))


def by_source(findings: list[Step]) -> dict[str, list[Step]]:
    """Return findings by the server that tells them."""
    return {
        source: [one for one in findings if one["source"] == source] for source in {one["source"] for one in findings}
    }


def test_findings_of_both_show_at_their_places(answers: dict[str, Any]) -> None:
    found = by_source(answers["both"])

    assert set(found) == {"seepage", "Pyright"}
    assert [one["covers"] for one in found["seepage"] if OURS in one["message"]] == ['"I(answer; result) <= 1/10"']
    assert [one["covers"] for one in found["Pyright"] if THEIRS in one["message"]] == ['"three"']


def test_hovers_of_both_tell_what_they_know(answers: dict[str, Any]) -> None:
    assert "def respond" in answers["hovers"]["pyright"]
    assert "0.18" in answers["hovers"]["seepage_python"]


def test_what_is_mended_for_one_stays_with_the_other(answers: dict[str, Any]) -> None:
    def told(name: str, text: str) -> list[str]:
        return [one["source"] for one in answers[name] if text in one["message"]]

    assert told("ours mended", OURS) == []
    assert told("ours mended", THEIRS) == ["Pyright"]
    assert told("theirs mended", THEIRS) == told("theirs mended", OURS) == []
    assert told("both again", OURS) == ["seepage"]
    assert told("both again", THEIRS) == ["Pyright"]


def test_ours_goes_on_where_the_other_ends(answers: dict[str, Any]) -> None:
    assert [one["source"] for one in answers["alone"] if OURS in one["message"]] == ["seepage"]
    assert by_source(answers["alone, mended"]).keys() <= {"seepage"}
    assert not [one for one in answers["alone, mended"] if OURS in one["message"]]
