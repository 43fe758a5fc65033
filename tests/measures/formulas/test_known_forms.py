"""Formulas that are not looked for again: they are those that a fresh search finds, and other programs get their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seepage import parse
from seepage.algebra import Quotient
from seepage.deadline import Deadline
from seepage.exact import Number
from seepage.measures.formulas import known_forms
from seepage.measures.formulas.discrete import Searched
from seepage.measures.formulas.form import ClosedForm
from seepage.measures.notes import Note
from seepage.measures.result import Formula, Result
from seepage.syntax.spell import spell

RESPONSE = (
    "param p in [0, 1] = 1/2\nsecret r\noutput o\nr ~ bernoulli(p)\nt ~ bernoulli(1/4)\n"
    "if t { o := !r } else { o := r }\n"
)
LAYOUTS = ("// a comment\n", "\n\n", "/* 🎲 */ ", "show H(t)\n")
CHANGES = (
    ("= 1/2", "= 1/7"),
    ("1/4", "1/5"),
    ("o := !r", "o := r"),
    ("[0, 1]", "[0, 1/2]"),
    ("bernoulli(p)", "bernoulli(p / 2)"),
)


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
    monkeypatch.setattr(known_forms, "_searched", [])


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
        known, searches = known_forms._known[:], known_forms._searched[:]
        known_forms._known.clear()
        known_forms._searched.clear()
        assert formula(text) == kept
        known_forms._known[:], known_forms._searched[:] = known, searches


def test_other_values_of_the_parameters_keep_the_search_and_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    found = formula(RESPONSE)
    searches = list(known_forms._searched)
    asked: list[object] = []
    holds = Searched.holds_at

    def noted(self: Searched, point: Mapping[str, Number]) -> bool:
        asked.append(point)
        return holds(self, point)

    monkeypatch.setattr(Searched, "holds_at", noted)

    assert formula(RESPONSE.replace("1/2", "1/7")) == found
    assert known_forms._searched == searches
    assert asked == [{"p": Fraction(1, 7)}]


def test_a_formula_that_fails_its_check_at_other_values_is_looked_for_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    found = formula(RESPONSE)
    (key, search), *_ = known_forms._searched
    wrong = replace(search, form=formula_of_nothing(search))
    monkeypatch.setattr(known_forms, "_searched", [(key, wrong)])

    assert formula(RESPONSE.replace("1/2", "1/7")) == found
    assert len(known_forms._searched) == 2


@pytest.mark.parametrize("at", ["1/5", "4/5"])
def test_each_case_of_the_parameters_has_its_own_formula(at: str) -> None:
    text = (
        "param k in [0, 1] = {}\nx ~ flip(1/3)\nif k < 1/2 {{ y := x }} else {{ y := 0 }}\nz ~ flip(k)\no := y xor z\n"
    )
    first = formula(text.format("1/3"), "H(o)")
    found = formula(text.format(at), "H(o)")

    known_forms._known.clear()
    known_forms._searched.clear()
    assert found is not None
    assert found == formula(text.format(at), "H(o)")
    assert (found == first) == (at == "1/5")


def formula_of_nothing(search: Searched) -> Quotient:
    assert search.writing is not None
    return search.writing.alphabet.number(0)


def test_a_search_that_the_clock_ended_is_not_kept() -> None:
    found = known_forms.form_of(("late",), lambda: ClosedForm(None, (Note("late"),)), deadline=Deadline.after(-1))

    assert found.notes == (Note("late"),)
    assert not known_forms._known


EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "file",
    sorted(file for file in EXAMPLES.glob("*.seep") if "\nparam " in f"\n{file.read_text(encoding='utf-8')}"),
    ids=lambda file: file.name,
)
def test_an_example_has_the_same_formulas_again_after_a_comment(file: Path) -> None:
    text = file.read_text(encoding="utf-8")

    def told(text: str, measures: list[str]) -> dict[str, Result]:
        program = parse(text)
        return {measure: program.measure(measure) for measure in measures}

    # Where there is no formula, none is kept that could come back.
    found = told(text, [spell(one.node.measure) for one in parse(text).checked.symbols.shows])
    first = {measure: result for measure, result in found.items() if result.formula is not None}
    again = told(f"// a comment\n{text}", list(first))

    assert [(one.formula, one.lower, one.upper) for one in again.values()] == [
        (one.formula, one.lower, one.upper) for one in first.values()
    ]
