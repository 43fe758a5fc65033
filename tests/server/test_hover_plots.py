"""Plots in hovers of parameters that the analysis leaves out since they take long, over the wire with real analyses."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.server.test_panel import URI, state
from tests.server.wire import Wire, wired

from seepage.measures.facts import ParameterFacts
from seepage.measures.parameter_facts import later_plot
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage_lsp.worker import Workers

CONTINUOUS = "param eps in (0, 8] = 1\nsecret s\noutput o\ns ~ normal(0, 1)\nx ~ normal(0, 1 / eps)\no := s + x\n"


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a plot takes depends on the machine, and on what else it does."""
    monkeypatch.setattr("seepage_lsp.hover_plots._MOST_SECONDS", 100.0)
    monkeypatch.setattr("seepage.measures.parameter_facts._PATIENCE_SECONDS", 100.0)


@contextmanager
def hovering(text: str, **settings: Any) -> Iterator[Wire]:
    """Yield a server whose client renders images, with an analysed text."""
    with wired() as wire:
        wire.server.scheduler.workers = Workers()
        capabilities = {
            "general": {"markdown": {"parser": "marked"}},
            "textDocument": {"hover": {"contentFormat": ["markdown"]}},
        }
        options = {"panel": True, "timeLimit": 100, **settings}
        wire.initialize({"capabilities": capabilities, "initializationOptions": options})
        wire.open(text, URI)
        state(wire, "current")
        yield wire


def hover_of_eps(wire: Wire) -> str:
    at = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 6}}
    return str(wire.result("textDocument/hover", at)["contents"]["value"])


def soon_plotted(wire: Wire) -> str:
    said = ""
    for _ in range(1_800):
        if "data:image" in (said := hover_of_eps(wire)):
            return said
        wire.loop.run_until_complete(asyncio.sleep(0.05))
    raise AssertionError(said)


def test_a_parameter_of_a_continuous_program_is_plotted_when_somebody_looks() -> None:
    with hovering(CONTINUOUS) as wire:
        assert "_the plot is on its way: look again in a moment_" in hover_of_eps(wire)

        said = soon_plotted(wire)

        # I = log2(1 + eps)/2 bits for noise of variance 1/eps beside a signal of variance 1
        told = re.search(r"over eps: (.*)\]\(data", said)
        assert told is not None
        points = [tuple(map(float, part.split(" at "))) for part in told[1].split(", ")]
        assert len(points) == 5
        for number, eps in points:
            assert number == pytest.approx(math.log2(1 + eps) / 2, rel=0.01)
        assert points[-1][1] == 8
        assert "on its way" not in said


@pytest.mark.variation(of="test_a_parameter_of_a_continuous_program_is_plotted_when_somebody_looks")
def test_a_plot_belongs_to_the_text_and_the_settings_it_was_drawn_for() -> None:
    with hovering(CONTINUOUS) as wire:
        hover_of_eps(wire)
        soon_plotted(wire)

        wire.change(CONTINUOUS.replace("1 / eps", "2 / eps"), 2, URI)
        assert "data:image" not in hover_of_eps(wire)
        wire.change(CONTINUOUS, 3, URI)
        assert "data:image" in hover_of_eps(wire)
        wire.notify("workspace/didChangeConfiguration", {"settings": {"unit": "nats"}})
        assert "data:image" not in hover_of_eps(wire)
        assert " in nats over eps: " in soon_plotted(wire)


def test_a_plot_that_the_text_overtakes_is_given_up_and_drawn_again_once_somebody_looks() -> None:
    with hovering(CONTINUOUS) as wire:
        hover_of_eps(wire)
        wire.change(CONTINUOUS + "// more\n", 2, URI)
        wire.change(CONTINUOUS, 3, URI)

        assert "on its way" in hover_of_eps(wire)
        soon_plotted(wire)


def test_nothing_is_drawn_for_who_sees_no_images_or_wants_none() -> None:
    with hovering(CONTINUOUS, hoverImages=False, compareWithHead=False) as wire:
        hover_of_eps(wire)
        wire.settle()
        assert not wire.server.explorations.busy
        assert "on its way" not in hover_of_eps(wire)


def test_the_leakage_is_plotted_or_what_is_asked_for_where_that_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seepage.measures.parameter_facts._PATIENCE_SECONDS", 4.0)
    facts = ParameterFacts("eps", ("H(s)", "I(s[1]; o)", "I(s; o)"), None, ("I(s[1]; o)", "I(s; o)"))
    domain = check(SourceFile("a", "param eps in (0, 200] = 100\n")).symbols.params["eps"].domain

    def plotted(**seconds: float) -> tuple[str, int] | None:
        found = later_plot(facts, domain, "I(s; o)", {"I(s; o)": seconds["whole"], "I(s[1]; o)": seconds["part"]})
        return None if found is None else (found.measure, found.points)

    assert plotted(whole=0.1, part=0.1) == ("I(s; o)", 24)  # the end that is open is left out
    assert plotted(whole=0.3, part=0.1) == ("I(s; o)", 12)
    assert plotted(whole=1.0, part=0.1) == ("I(s[1]; o)", 24)
    assert plotted(whole=1.0, part=1.0) is None
    assert later_plot(facts, None, "I(s; o)", {"I(s; o)": 0.0}) is None
