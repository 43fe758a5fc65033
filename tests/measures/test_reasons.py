"""Why something has no number, or only bounds: reasons are those of what happened, of several that are possible the one that was met."""

from __future__ import annotations

import pytest
from flint import arb

import seepage
from seepage.measures.gaussian import guessing, quadrature
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian
from seepage.report.finding_json import json_text
from seepage.report.findings import diagnostic_text
from seepage.report.json import analysis_json
from seepage.report.text import analysis_text
from seepage.source import SourceFile

MIXED = "secret s\noutput o\ns ~ uniform_int(0, 1)\n{}\n"


def refusal(text: str, measure: str) -> tuple[str, tuple[str, ...]]:
    with pytest.raises(seepage.MeasureError) as told:
        seepage.parse(text).measure(measure)
    diagnostic = told.value.diagnostic
    return diagnostic.message, diagnostic.notes


@pytest.mark.parametrize(
    ("statements", "part"),
    [
        ("n ~ exponential(1)\no := s - log(n)", "'log'"),
        ("n ~ uniform(1, 2)\no := s + sqrt(n)", "'sqrt'"),
        ("n ~ uniform(1, 2)\nm ~ normal(0, 1)\no := s + m / n", "'/'"),
    ],
)
def test_values_are_not_said_to_reach_where_they_do_not(statements: str, part: str) -> None:
    """Neither is an exponential value ever negative nor a uniform one of [1, 2]: normals are, of which the reason is, and what the exact laws lack stands beside."""
    message, notes = refusal(MIXED.format(statements), "I(s; o)")

    assert message.startswith("mixtures of normals do not follow ")
    assert len(notes) == 1
    assert "exact laws" in notes[0]
    assert part in notes[0]


def test_an_integral_that_ends_early_names_the_limit_that_was_met() -> None:
    far = [WeightedGaussian(arb(1) / 40, (arb(k) * k,), ((arb(1) / (1 + k),),)) for k in range(40)]

    (few,) = quadrature.entropies([far], boxes=1)
    (enough,) = quadrature.entropies([far])

    assert [str(note) for note in few.notes] == ["the integral is not known more narrowly: it took more than 1 boxes"]
    assert enough.notes == ()
    assert few.lower <= enough.lower
    assert enough.upper <= few.upper


def test_too_many_guesses_are_not_said_to_be_a_lack_of_densities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MOST_GUESSES", 2)
    text = "secret s\noutput o\ns ~ uniform_int(0, 70)\nn ~ normal(0, 1)\no := s + n\n"  # too many values for cells

    found = seepage.parse(text).measure("V(s | o)")

    assert found.notes == ("only bounds that hold for every output are known: there are too many ways to guess",)


def everything(text: str) -> str:
    """Return all that text and JSON say of a program."""
    analysis = seepage.parse(text).analyze()
    source = SourceFile("p.seep", text)
    findings = "\n".join(diagnostic_text(source, one) for one in analysis.diagnostics)
    return f"{findings}\n{analysis_text(source, analysis)}\n{json_text(analysis_json(source, analysis.diagnostics, analysis))}"


MAXIMUM = "secret s\noutput o\ns ~ normal(0, 1)\nn ~ normal(0, 1)\no := max(s, n)\nshow I(s; o)\n"
SECOND_PRICE = (
    "secret s\noutput o\ns ~ uniform(0, 1)\na ~ uniform(0, 1)\nb ~ uniform(0, 1)\n"
    "o := s + a + b - max(s, max(a, b)) - min(s, min(a, b))\nshow I(s; o)\n"
)


@pytest.mark.parametrize("text", [MAXIMUM, SECOND_PRICE])
def test_what_shows_a_secret_in_some_runs_is_not_said_to_reveal_it_completely(text: str) -> None:
    """The output is the secret with a chance below 1: the information is infinite all the same."""
    told = everything(text)

    assert "'o' tells infinitely much of 's'" in told
    assert "completely" not in told
    assert "∞ bits · exact" in told


def test_a_program_without_continuous_values_is_told_nothing_of_them() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 2^64 - 1)\nk ~ discrete_laplace(2)\no := s % 4 + k\nshow I(s; o)\n"
    told = everything(text)

    assert "continuous" not in told
    assert "18,446,744,073,709,551,616 values" in told or "bits · " in told
