"""Formulas that are not looked for again: they are those that a fresh search finds, and other programs get their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seepage import parse
from seepage.measures.formulas import known_forms
from seepage.measures.result import Formula

RESPONSE = (
    "param p in [0, 1] = 1/2\nsecret r\noutput o\nr ~ bernoulli(p)\nt ~ bernoulli(1/4)\n"
    "if t { o := !r } else { o := r }\n"
)
LAYOUTS = ("// a comment\n", "\n\n", "/* 🎲 */ ", "show H(t)\n")
CHANGES = (("1/4", "1/5"), ("o := !r", "o := r"), ("[0, 1]", "[0, 1/2]"), ("bernoulli(p)", "bernoulli(p / 2)"))


def formula(text: str, measure: str = "I(r; o)", unit: str = "bits") -> Formula | None:
    return parse(text).measure(measure, unit="nats" if unit == "nats" else "bits").formula


def searched(text: str, **asked: str) -> bool:
    """Tell whether a search was made for a text."""
    before = list(known_forms._known)
    formula(text, **asked)
    return any(all(one is not other for other in before) for one in known_forms._known)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_forms, "_known", [])


@pytest.mark.parametrize("added", LAYOUTS)
def test_an_edit_of_the_layout_keeps_the_formula(added: str) -> None:
    found = formula(RESPONSE)

    assert not searched(added + RESPONSE)
    assert formula(added + RESPONSE) == found


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_an_edit_of_the_program_is_searched_anew(before: str, after: str) -> None:
    formula(RESPONSE)

    assert searched(RESPONSE.replace(before, after))


def test_another_unit_is_another_question() -> None:
    formula(RESPONSE)

    assert searched(RESPONSE, unit="nats")
    assert formula(RESPONSE, unit="nats") != formula(RESPONSE)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*((text, "") for text in LAYOUTS), *CHANGES]), max_size=6))
def test_what_is_known_is_what_a_fresh_search_finds(edits: list[tuple[str, str]]) -> None:
    text = RESPONSE
    for one, other in edits:
        text = text.replace(one, other) if other else one + text
        kept = formula(text)
        known = known_forms._known[:]
        known_forms._known.clear()
        assert formula(text) == kept
        known_forms._known[:] = known


def test_a_search_that_the_clock_ended_is_not_kept() -> None:
    found = known_forms.form_of(("late",), lambda: known_forms.ClosedForm(None, ("late",)), deadline=0.0)

    assert found.notes == ("late",)
    assert not known_forms._known


@pytest.mark.parametrize(
    "file", sorted((Path(__file__).parents[2] / "examples").glob("*.seep")), ids=lambda file: file.name
)
def test_an_example_is_analysed_the_same_again_after_a_comment(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    first = parse(text).analyze()

    again = parse(f"// a comment\n{text}").analyze()

    assert [one.result and one.result.formula for one in again.answers] == [
        one.result and one.result.formula for one in first.answers
    ]
    assert [one.result and (one.result.lower, one.result.upper) for one in again.answers] == [
        one.result and (one.result.lower, one.result.upper) for one in first.answers
    ]
