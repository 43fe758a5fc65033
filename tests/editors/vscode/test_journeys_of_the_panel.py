"""The panel beside a program, as a person opens it and goes about it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.editors.vscode.browser import Page
from tests.editors.vscode.journeys import EXAMPLE, LENS
from tests.editors.vscode.probing import Probe

pytestmark = pytest.mark.timeout(900)


def test_the_panel_opens_beside_the_program(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: Open Leakage Panel")

    page.see(".tab", "Leakage")
    assert "exact" in page.see_inside("0.16")
    look(page, "panel")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


@pytest.mark.variation(of="test_the_panel_opens_beside_the_program")
def test_a_click_on_a_lens_opens_the_panel_at_its_measure(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    page.press("Control+End")

    page.click(f"{LENS} a", "0.84 bits")  # above 'show H(r | o)'

    page.see(".tab", "Leakage")
    assert "H(r | o) over its parameters" in page.see_inside("H(r | o) over its parameters")
    look(page, "panel")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


@pytest.mark.variation(of="test_the_panel_opens_beside_the_program")
def test_a_click_on_a_lens_in_the_group_of_the_panel_shows_both_the_program_and_its_numbers(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("0.16")
    other = "in-the-group-of-the-panel.seep"
    (probe.folder / other).write_text("secret s\noutput o\ns ~ uniform_int(0, 4)\no := s\n", encoding="utf-8")
    probe.ask("command", name="workbench.action.focusSecondEditorGroup")
    probe.ask("open", file=other)

    page.click(f"{LENS} a", "2.32 bits")  # log2(5)

    assert other in page.see_inside("2.32")
    assert any(other in tab for tab in page.all(".tab.active"))
    look(page, "panel")
    probe.ask("command", name="workbench.action.closeAllEditors")


@pytest.mark.variation(of="test_the_panel_opens_beside_the_program")
def test_a_pinned_panel_stays_with_its_program_until_a_lens_of_another_is_clicked(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("0.16")
    page.click_inside("button", "Pin")
    page.wait(
        "() => document.activeElement?.tagName === 'IFRAME'"
    )  # the click has brought the panel's group to the front
    other = "beside-a-pinned-panel.seep"
    (probe.folder / other).write_text("secret s\noutput o\ns ~ uniform_int(0, 4)\no := s\n", encoding="utf-8")
    probe.ask("command", name="workbench.action.focusFirstEditorGroup")
    probe.ask("open", file=other)
    page.see(LENS, "2.32 bits")  # log2(5)
    assert other not in page.see_inside(program)

    page.click(f"{LENS} a", "2.32 bits")

    assert other in page.see_inside("2.32")
    look(page, "turned")
    page.click_inside("button", "Pin")
    probe.ask("command", name="workbench.action.closeAllEditors")


@pytest.mark.variation(of="test_the_panel_opens_beside_the_program")
def test_no_third_group_is_made_where_program_and_panel_share_the_right_one(
    project: tuple[Page, Probe], program: str
) -> None:
    page, probe = project
    page.run("Seepage: Open Leakage Panel")
    page.see_inside("0.16")
    probe.ask("command", name="workbench.action.focusSecondEditorGroup")
    probe.ask("open", file=EXAMPLE.name)
    page.see(LENS, "0.16")

    page.run("Seepage: Open Leakage Panel")

    page.see_inside(EXAMPLE.name)
    assert len(page.all(".editor-group-container")) == 2
    assert {tab.strip() for tab in page.all(".tab.active")} == {"Leakage", EXAMPLE.name}
    probe.ask("command", name="workbench.action.closeAllEditors")


@pytest.mark.variation(of="test_the_panel_opens_beside_the_program")
def test_a_measure_is_plotted_in_the_panel(project: tuple[Page, Probe], program: str) -> None:
    page, probe = project

    page.run("Seepage: Plot Measure")
    page.pick("H(o)")

    page.see(".tab", "Leakage")
    page.see_inside("H(o) over its parameters")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")


@pytest.mark.variation(of="test_the_panel_opens_beside_the_program")
def test_a_measure_is_derived_beside_the_program(
    project: tuple[Page, Probe], program: str, look: Callable[[Page, str], None]
) -> None:
    page, probe = project

    page.run("Seepage: Open Leakage Panel")
    page.see_inside("Derivation")  # folded, until somebody asks

    page.run("Seepage: Explain Measure")
    page.pick("H(r | o)")

    assert "bernoulli(p)" in page.see_inside("Derivation of H(r | o)")
    assert any(program in tab for tab in page.all(".tab.active"))
    assert len(page.all(".editor-group-container")) == 2
    look(page, "derivation")
    probe.ask("command", name="workbench.action.closeEditorsInOtherGroups")
