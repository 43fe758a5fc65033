"""The panel as a person uses it, in Chromium, with the numbers of a real server; nothing stands in the console's error log."""

from __future__ import annotations

import base64
import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from tests.editors.installed import vscode
from tests.editors.panel.using import use_panel
from tests.editors.required import have

pytestmark = pytest.mark.timeout(900)

FOUR_INCOMES = 1.2817  # I(inc; out) of the Gaussian mechanism in bits, by the mean of its density over a million runs; its standard error is 0.0016


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return use_panel(have(vscode), tmp_path_factory.mktemp("panel"))


def leaked(eps: float, p: float = 0.5) -> float:
    """I(r; o) of one randomized response in bits, by the textbook: H(o) - H(o | r)."""

    def h(x: float) -> float:
        return -x * math.log2(x) - (1 - x) * math.log2(1 - x)

    truth = math.exp(eps) / (math.exp(eps) + 1)
    return h(p * truth + (1 - p) * (1 - truth)) - h(truth)


def number(text: str) -> float:
    """The number at the start of a text."""
    return float(text.split()[0])


def test_the_console_stays_free_of_errors(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []


def test_without_a_program_it_says_what_to_open(seen: dict[str, Any]) -> None:
    assert "Open a .seep program" in seen["at first"]


def test_the_table_has_leak_share_worst_output_and_guesses_in_one_line(seen: dict[str, Any]) -> None:
    ((secret, _, share, leak, worst, at, guesses),) = seen["table"]

    assert "What leaks\nin bits, through o, at p = 1/2, eps = 1" in seen["headings"]
    assert secret.endswith("r")
    assert share == "16 %"
    assert leak == f"{leaked(1):.4g}"
    assert (worst, at) == (f"{leaked(1):.2f}", "o = 1")
    assert guesses == "50 % → 73.1 %"  # e / (e + 1)


def test_a_line_opens_to_what_else_is_known_of_the_pair(seen: dict[str, Any]) -> None:
    told = seen["pair"].split("\n")

    facts = dict(zip(told[::2], told[1::2], strict=True))
    assert facts["worst"].startswith(f"o = 1: {leaked(1):.4g} bits")
    assert facts["ε-DP"].startswith("1 ")  # eps
    assert facts["certainty"] == "exact"


def test_what_few_want_is_folded_at_first(seen: dict[str, Any]) -> None:
    assert seen["folded"][-3:] == ["What each value of o tells about r", "Where I(r; o) comes from", "Derivation"]


def test_a_strategy_is_a_tree_that_fits_and_folds(seen: dict[str, Any]) -> None:
    """Grades are binomial(12, 1/3); what a range of them leaves follows from their weights."""
    told = seen["strategy"]
    weight = [math.comb(12, k) * 2 ** (12 - k) for k in range(13)]

    def line(words: str, low: int, high: int) -> list[str]:
        part = weight[low : high + 1]
        left = sum(each / sum(part) * math.log2(sum(part) / each) for each in part)
        happens, guess = sum(part) / sum(weight) * 100, max(part) / sum(part) * 100
        return [words, f"{happens:.3g} %", f"{left:.3f}" if left else "0", f"{guess:.3g} %"]

    rows = [[re.sub(r"\s+", " ", cell) for cell in row] for row in told["tree"]]
    assert rows[:5] == [
        line("▾ ask grade <= 4", 0, 12),
        line("▾ yes ask grade <= 2", 0, 4),
        line("▾ yes ask grade <= 1", 0, 2),
        line("yes grade <= 1", 0, 1),
        line("no grade = 2", 2, 2),
    ]
    assert rows[-1] == line("no grade >= 8", 8, 12)
    assert "2.699 of 2.747 bits" in told["lead"]
    assert told["others"][1] == ["all chosen beforehand 2, 3, 4", "1.945", "70.8 %", "76.8 %"]
    for audit in told["audits"]:
        assert (audit["sideways"], audit["violations"]) == (0, []), audit
    # Below "yes" of the first question are two more, with two answers each.
    assert told["folded"] == {"lines": len(rows) - 6, "focused": "false"}


def test_the_formula_is_typeset(seen: dict[str, Any]) -> None:
    assert "log" in seen["formula"]
    assert "ε" in seen["formula"]


def test_answers_budgets_and_posteriors_stand_below(seen: dict[str, Any]) -> None:
    assert [row[0] for row in seen["answers"]] == ["H(o)", "H(r | o)", "I(r; o)"]
    assert seen["budgets"][0][:2] == ["✓ holds", "require I(r; o) <= 0.2 bits"]
    assert seen["posterior"][-1] == ["o = 1", "50 %", "26.9 %", "73.1 %"]


def test_the_derivation_has_the_statements_of_the_program(seen: dict[str, Any]) -> None:
    assert "r ~ bernoulli(p)" in seen["derivation"]
    assert "wp⟦S⟧" in seen["derivation"]


def test_a_mark_leads_to_the_end_of_the_values_at_which_the_budget_holds(seen: dict[str, Any]) -> None:
    end = float(seen["at the end"])

    assert f"the budgets hold for eps in [0, {seen['at the end']}]" in seen["holding"]
    assert leaked(end) <= 0.2 < leaked(end + 2e-5)


def test_where_it_comes_from_is_told_by_statement(seen: dict[str, Any]) -> None:
    told = {row[0]: row[-1] for row in seen["where"]}

    # with the coin known, the answer tells all; the secret's own draw is not changed
    assert told["t ~ bernoulli(exp(eps) / (exp(eps) + 1))"].startswith("without it 1 bit")
    assert told["r ~ bernoulli(p)"] == "it is the secret that is asked about"


@pytest.mark.parametrize("theme", ["light", "dark", "high contrast", "high contrast light"])
def test_an_audit_of_accessibility_finds_nothing(seen: dict[str, Any], theme: str) -> None:
    assert seen["audit"][theme] == []


def test_a_slider_greys_the_number_until_the_new_one_is_there(seen: dict[str, Any]) -> None:
    assert "previous" in seen["while moving"].split()
    assert number(seen["moved"]["figure"]) == pytest.approx(leaked(float(seen["moved"]["value"])), abs=1e-9)
    assert float(seen["moved"]["value"]) > 1
    assert number(seen["moved"]["figure"]) == pytest.approx(seen["at eps"], abs=1e-9)


def test_a_screen_reader_hears_the_new_number(seen: dict[str, Any]) -> None:
    assert seen["moved"]["spoken"].startswith("I(r; o): 0.")
    assert seen["moved"]["spoken"].endswith("exact")


def test_a_field_refuses_what_lies_outside_of_the_domain_and_takes_fractions(seen: dict[str, Any]) -> None:
    assert seen["refused"]["fault"] == "expected a value in [0, 1]"
    assert seen["refused"]["invalid"] == "true"
    assert seen["refused"]["figure"] == seen["moved"]["figure"]
    assert number(seen["fraction"]) == pytest.approx(leaked(float(seen["moved"]["value"]), 0.25), abs=1e-9)


def test_the_worst_output_follows_the_parameters(seen: dict[str, Any]) -> None:
    truth = math.exp(float(seen["moved"]["value"])) / (math.exp(float(seen["moved"]["value"])) + 1)
    p = 0.25
    yes = p * truth / (p * truth + (1 - p) * (1 - truth))  # Bayes, after the answer that goes against what was believed
    divergence = yes * math.log2(yes / p) + (1 - yes) * math.log2((1 - yes) / (1 - p))

    assert seen["table at both"][0][4:6] == [f"{divergence:.3g}", "o = 1"]


def test_reset_goes_back_to_the_text(seen: dict[str, Any]) -> None:
    assert number(seen["reset"]["figure"]) == pytest.approx(leaked(1), abs=1e-9)
    assert seen["reset"]["p"] == "1/2"


def test_numbers_are_copied_with_the_values_they_are_at(seen: dict[str, Any]) -> None:
    markdown, latex, command, derivation = seen["copied"]

    assert f"at p = 1/4, eps = {seen['moved']['value']}" in markdown
    assert "· exact" in markdown
    assert latex.startswith("\\[ \\texttt{I(r; o)} = h")
    assert command.endswith(f"'I(r; o)' --set p=1/4 --set eps={seen['moved']['value']} --unit bits")
    assert "\\begin{align*}" in derivation


def test_plots_are_exported_as_pictures_and_numbers(seen: dict[str, Any]) -> None:
    files = {file["name"].rsplit("-", 1)[1]: base64.b64decode(file["data"]) for file in seen["saved"]}

    for name in ("curve.svg", "map.svg"):
        assert ElementTree.fromstring(files[name]).tag == "{http://www.w3.org/2000/svg}svg"
        assert b"var(" not in files[name]
    for name in ("curve.png", "map.png"):
        assert files[name].startswith(b"\x89PNG\r\n\x1a\n")
        assert len(files[name]) > 5_000
    first, *lines = files["curve.csv"].decode().splitlines()
    assert first == "eps,lower (bits),value (bits),upper (bits),note"
    for line in lines[1:]:
        eps, lower, value, upper, note = line.split(",")
        assert float(lower) <= float(value) <= float(upper)
        assert float(value) == pytest.approx(leaked(float(eps), 0.25), abs=1e-9)
        assert note == ""


def test_menus_work_by_keyboard(seen: dict[str, Any]) -> None:
    assert seen["menu"] == {"focused": "as Markdown", "open": 0}


def test_the_map_tells_values_and_takes_clicks(seen: dict[str, Any]) -> None:
    p, eps, value = map(float, re.findall(r"[\d.]+", seen["readout"])[:3])

    assert value == pytest.approx(leaked(eps, p), rel=5e-3)
    assert float(seen["clicked"]["p"]) == pytest.approx(p, abs=0.02)
    assert float(seen["clicked"]["eps"]) == pytest.approx(eps, abs=0.2)


def test_the_panel_follows_the_cursor_until_it_is_pinned(seen: dict[str, Any]) -> None:
    assert seen["followed"] == ["H(o)", "H(o)", "I(r; o)"]


def test_statements_and_budgets_lead_to_their_lines(seen: dict[str, Any]) -> None:
    assert [line.split(" ")[0] for line in seen["revealed"]] == ["t", "require"]


def test_a_changed_text_makes_numbers_stale_and_a_broken_one_says_so(seen: dict[str, Any]) -> None:
    assert "stale" in seen["stale"]["notice"]
    assert "stale" in seen["stale"]["chip"]
    assert "errors" in seen["broken"]


def test_the_new_text_has_its_own_numbers(seen: dict[str, Any]) -> None:
    assert number(seen["again"]["figure"]) == pytest.approx(leaked(1, 0.25), abs=1e-9)
    assert seen["again"]["measured"] == pytest.approx(leaked(1, 0.25), abs=1e-9)


def test_a_pause_keeps_numbers_and_says_that_they_are_old(seen: dict[str, Any]) -> None:
    assert "paused" in seen["paused"]["notice"]
    assert seen["paused"]["figure"] == seen["again"]["figure"]
    assert number(seen["resumed"]) == pytest.approx(leaked(1), abs=1e-9)


def test_a_reload_finds_the_panel_as_it_was(seen: dict[str, Any]) -> None:
    assert seen["reloaded"]["after"] == seen["reloaded"]["before"]
    assert number(seen["reloaded"]["after"]["figure"]) == pytest.approx(
        leaked(float(seen["reloaded"]["after"]["eps"])), abs=1e-9
    )


def test_continuous_programs_have_bounds_and_say_why_there_is_no_derivation(seen: dict[str, Any]) -> None:
    ((secret, leak),) = seen["gaussian"]["table"]

    assert secret.endswith("inc")
    # One number where the sums over a lattice end in time, which a busy machine may not give them; else bounds around it.
    told = [float(each) for each in re.findall(r"\d+\.\d+", leak)]
    assert ("≤ I ≤" in leak) == (len(told) == 2)
    assert told[0] - 0.01 <= FOUR_INCOMES <= told[-1] + 0.01
    assert "pre-expectation" in seen["gaussian"]["derivation"]


def test_a_narrow_panel_needs_no_sideways_scrolling(seen: dict[str, Any]) -> None:
    assert seen["narrow"] == 0


def test_at_every_width_the_table_and_the_buttons_fit_and_sliders_can_be_moved(seen: dict[str, Any]) -> None:
    for found in seen["widths"]:
        assert found["hidden"] <= 0, found  # of the table, which has no visible scroll bar
        assert found["beyond"] <= 0, found
        assert found["slider"] >= 100, found


def test_long_names_are_cut_or_broken_and_axe_finds_nothing_at_any_width(seen: dict[str, Any]) -> None:
    assert len(seen["long"]) == 4 * 3
    for found in seen["long"]:
        assert found["sideways"] == 0, found
        assert found["violations"] == [], found


def test_a_dead_server_is_told_and_its_numbers_are_not_shown_as_current(seen: dict[str, Any]) -> None:
    assert "the server has stopped" in seen["gone"]["notice"]
    assert seen["gone"]["dim"] == 1
    assert seen["help"][0] == "panel/command"
    assert seen["help"][1]["name"] == "help"


def test_all_exports_are_there(seen: dict[str, Any]) -> None:
    names = [file["name"] for file in seen["saved"]]

    assert len(names) == len(set(names)) == 7
    assert all(name.startswith("randomized-response-single-i-r-o-") for name in names)
