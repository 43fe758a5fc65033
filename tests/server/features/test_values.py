"""Numbers at values that the text does not have say so, in lenses and hovers; budgets say theirs beside them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from lsprotocol.types import MarkupContent
from tests.server.snapshots import PLAIN, URI, VSCODE, at, snapshot

from seepage.source import SourceFile
from seepage_lsp.analysis import analyze_job
from seepage_lsp.analysis_process import Job
from seepage_lsp.features.code_lens import code_lenses
from seepage_lsp.features.hover import hover
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot

TEXT = """\
param p in [0, 1] = 1/2
param q in [0, 1] = 1/4
secret r
r ~ bernoulli(p)
if r { u := true } else { u ~ bernoulli(q) }
observe u
output o
o := r
show H(r)
require V(r) <= 1
require V(r) <= 1 over p in [1/8, 3/4]
"""


def at_values(parameters: Mapping[str, str], project: Mapping[str, str] | None = None) -> Snapshot:
    merged = {**(project or {}), **parameters}
    job = Job(SourceFile(URI, TEXT, 1), "bits", merged, 30.0, False, project or {})
    return snapshot(TEXT, analyze_job(job), settings=Settings(parameters=merged, project=project or {}))


def notes(seen: Snapshot) -> list[str]:
    """What the lenses of secret, output, show and both budgets say of values."""
    titles = [lens.command.title for lens in code_lenses(seen, PLAIN) if lens.command is not None]
    return [" · ".join(part for part in title.split(" · ") if part.startswith("at ")) for title in titles]


def hovered(seen: Snapshot, part: str) -> str:
    found = hover(seen, at(part, TEXT), VSCODE)
    assert found is not None
    assert isinstance(found.contents, MarkupContent)
    return found.contents.value


@pytest.mark.parametrize("parameters", [{}, {"p": "1/2"}, {"p": "0.5", "eps": "7"}, {"p": "nothing"}])
def test_numbers_at_the_values_of_the_text_carry_no_values(parameters: Mapping[str, str]) -> None:
    seen = at_values(parameters)

    assert notes(seen) == [""] * 5
    assert "at `" not in hovered(seen, "show")


def test_what_is_shown_at_other_values_says_so_and_budgets_say_at_which_they_are_judged() -> None:
    assert notes(at_values({"p": "7/10"})) == ["at p = 7/10", "at p = 7/10", "at p = 7/10", "at p = 1/2", ""]
    assert notes(at_values({"q": "0.3"})) == [*["at q = 3/10"] * 3, "at q = 1/4", "at q = 1/4"]


def test_values_of_a_project_hold_for_budgets_too() -> None:
    assert notes(at_values({}, {"p": "1/8"})) == [*["at p = 1/8"] * 4, ""]
    assert notes(at_values({"p": "1/2"}, {"p": "1/8"})) == [*["at p = 1/2"] * 3, "at p = 1/8", ""]


@pytest.mark.parametrize("part", ["r ~", "o :=", "show", "observe"])
def test_hovers_of_numbers_say_the_values(part: str) -> None:
    assert "at `p = 7/10`" in hovered(at_values({"p": "7/10"}), part)


def test_the_hover_of_a_budget_says_where_it_is_judged() -> None:
    seen = at_values({"p": "7/10"})

    assert "at `p = 1/2`" in hovered(seen, "require V(r) <= 1\n")
    assert "at `p" not in hovered(seen, "require V(r) <= 1 over")


def test_a_long_lens_keeps_its_values() -> None:
    text = TEXT.replace("show H(r)", "show " + " + ".join(["H(r)"] * 60))
    job = Job(SourceFile(URI, text, 1), "bits", {"p": "7/10"}, 30.0)
    seen = snapshot(text, analyze_job(job), settings=Settings(parameters={"p": "7/10"}))

    assert all(note.startswith("at p = ") for note in notes(seen)[:4])
