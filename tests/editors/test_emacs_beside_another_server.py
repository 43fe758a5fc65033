"""A Python file in Emacs with lsp-mode and two servers, set up as the documentation shows: findings of both show, and each follows the text."""

from __future__ import annotations

from typing import Any

import pytest
from tests.editors.emacs.probing import run_plan
from tests.editors.installed import emacs
from tests.editors.plans import Step, answers_by_name
from tests.editors.required import have
from tests.editors.terminal import shown

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.variation(of="tests/editors/test_beside_another_server.py::test_findings_of_both_show_at_their_places"),
]

RUFF = """(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection '("ruff" "server"))
                  :major-modes '(python-mode)
                  :priority 1
                  :server-id 'ruff-beside))
"""
TEXT = """import random
import os
from seepage_marks import leakage


@leakage(secret={"answer": "bernoulli(1/2)"}, require=["I(answer; result) <= 1/10"])
def respond(answer):
    if random.random() < 0.5:
        return answer
    return random.random() < 0.5
"""
OURS, THEIRS = "exceeded", "unused"
PLAN: list[Step] = [
    {"do": "write", "file": "survey.py", "text": TEXT},
    {"do": "open", "file": "survey.py"},
    {"do": "diagnostics", "until": f"{OURS}.*{THEIRS}\\|{THEIRS}.*{OURS}", "name": "both"},
    {"do": "hover", "find": "respond", "at": 1, "until": "0[.]18", "name": "hover"},
    {"do": "replace", "find": "<= 1/10", "by": "<= 1/2"},
    {"do": "diagnostics", "unless": OURS, "name": "ours mended"},
    {"do": "replace", "find": "import os\n", "by": ""},
    {"do": "diagnostics", "unless": THEIRS, "name": "theirs mended"},
]


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    setup = "\n".join([shown("emacs.md", "elisp", 2), RUFF])
    return answers_by_name(run_plan(have(emacs), "lsp-mode", setup, PLAN))


def test_both_tell_what_they_find_and_neither_disturbs_the_other(answers: dict[str, Any]) -> None:
    def told(name: str, text: str) -> list[str]:
        return [one["covers"] for one in answers[name] if text in one["message"]]

    assert told("both", OURS) == ['"I(answer; result) <= 1/10"']
    assert told("both", THEIRS) == ["os"]
    assert (told("ours mended", OURS), told("ours mended", THEIRS)) == ([], ["os"])
    assert (told("theirs mended", OURS), told("theirs mended", THEIRS)) == ([], [])
    assert "violated · 0.189 bits" in answers["hover"][0]
