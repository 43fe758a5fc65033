"""A Python file with marks in real VS Code: squiggle, lenses, hover and panel at its places, and nothing in a file without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.editors.plans import titles
from tests.editors.vscode.browser import Page
from tests.editors.vscode.journeys import LENS
from tests.editors.vscode.probing import Probe

pytestmark = pytest.mark.timeout(900)

FILE = "pin.py"
#: Lenses get their numbers in any order, so that each is looked for on its own.
EVERY_LENS = "^(?=[^]*violated)(?=[^]*pin: 0.521)(?=[^]*answer: 0.189)"
TEXT = """import random
from seepage_marks import leakage


@leakage(
    secret={"pin": "[3] uniform_int(0, 9)"},
    output=["result", "steps"],
    require=["I(pin; result, steps) <= 0.1"],
)
def check(pin):
    for given, digit in zip([1, 2, 3], pin):
        if given != digit:
            return False
    return True


@leakage(secret={"answer": "bernoulli(1/2)"}, param={"p": "1/2 in [0, 1]"}, show=["I(answer; result)"])
def respond(answer, p):
    if random.random() < p:
        return answer
    return random.random() < 0.5


def plain(code):
    return code == 7
"""


def test_a_python_file_with_marks_has_findings_lenses_hovers_and_the_panel(
    project: tuple[Page, Probe], look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    Path(probe.folder, FILE).write_text(TEXT, encoding="utf-8")
    probe.ask("open", file=FILE)

    shown = titles(probe.ask("lenses", file=FILE, until=EVERY_LENS, unless="computing"))
    assert "pin: 0.521 bits leak · exact" in shown
    assert "answer: 0.189 bits leak · exact" in shown
    found = [one for one in probe.ask("diagnostics", file=FILE, until="SEEP510") if one["source"] == "seepage"]
    assert [one["covers"] for one in found] == ['"I(pin; result, steps) <= 0.1"']
    assert "13.28" not in str(found)
    hover = "\n".join(probe.ask("hover", file=FILE, find="def check", at=5, until="worst case"))
    assert "I(pin; result, steps)" in hover
    page.see(LENS, "0.521")
    look(page, "lenses")
    probe.ask("select", file=FILE, find="def respond(answer, p)", by="answer")
    page.run("Seepage: Open Leakage Panel")
    page.see(".tab", "Leakage")
    assert "pin.py · respond" in page.see_inside("0.1887")
    look(page, "panel")
    probe.ask("select", file=FILE, find="def check(pin)", by="pin")
    assert "pin.py · check" in page.see_inside("pin.py · check")
    look(page, "panel-of-the-other")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


def test_a_mark_is_written_for_the_function_at_the_cursor(project: tuple[Page, Probe]) -> None:
    _, probe = project
    name = "unmarked.py"
    Path(probe.folder, name).write_text("def plain(code):\n    return code == 7\n", encoding="utf-8")
    probe.ask("select", file=name, find="def plain", by="plain")
    assert list(probe.ask("lenses", file=name, limit=1, until="bits")) == []

    probe.ask("command", name="seepage.markFunction")

    text = probe.ask("text", until="leakage")
    assert '@leakage(secret={"code": "uniform_int(0, 7)"})  # a guess' in text
    assert "code: 0.544 bits leak · exact" in titles(probe.ask("lenses", file=name, until="bits", unless="computing"))
    probe.ask("command", name="workbench.action.revertAndCloseActiveEditor")
