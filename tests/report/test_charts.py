"""Plots and sweeps as charts: their data are the numbers, gaps stay gaps, and they can be drawn."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import vl_convert

import seepage

RESPONSE = seepage.parse(
    "param p in [0, 1] = 1/2\nparam eps in (0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(p)\n"
    "t ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
)


def leak(p: float, eps: float) -> float:
    def h(x: float) -> float:
        return -sum(each * math.log2(each) for each in (x, 1 - x) if each)

    q = math.exp(eps) / (math.exp(eps) + 1)
    return h(p * q + (1 - p) * (1 - q)) - h(q)


def points(chart: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the points of a chart of one layer or several."""
    (found,) = chart.get("datasets", {"": chart["data"]["values"] if "data" in chart else None}).values()
    return list(found)


def test_a_curve_of_altair_holds_the_numbers_and_is_drawn() -> None:
    chart = RESPONSE.plot("I(r; o)", eps=(0, 6), points=4).to_altair().to_dict()

    rows = points(chart)
    # 0 is outside of the domain: a gap, no number
    assert [row["first"] for row in rows] == [2, 4, 6]
    assert [row["value"] for row in rows] == pytest.approx([leak(0.5, eps) for eps in (2, 4, 6)], rel=1e-9)
    assert all(row["lower"] <= row["value"] <= row["upper"] for row in rows)
    svg = vl_convert.vegalite_to_svg(chart)
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "I(r; o) (bits)" in svg
    assert "eps" in svg
    assert 'aria-roledescription="line mark container"' in svg


def test_a_sweep_over_two_parameters_is_a_curve_for_each_value_of_the_shorter_one() -> None:
    table = RESPONSE.sweep("I(r; o)", eps=[1, 2, 3], p=[0.25, 0.5])

    rows = points(table.to_altair().to_dict())
    figure = table.to_matplotlib()

    assert {(row["first"], row["second"]): pytest.approx(row["value"]) for row in rows} == {
        (p, eps): leak(p, eps) for p in (0.25, 0.5) for eps in (1, 2, 3)
    }
    lines = figure.axes[0].lines
    assert [line.get_label() for line in lines] == ["p = 0.25", "p = 0.5"]
    for line, p in zip(lines, (0.25, 0.5), strict=True):
        np.testing.assert_allclose(np.array(line.get_ydata(), dtype=float), [leak(p, eps) for eps in (1, 2, 3)])


def test_a_map_has_the_first_parameter_upwards() -> None:
    plot = RESPONSE.plot("I(r; o)", [seepage.Axis("p", 0, 1, 3), seepage.Axis("eps", 1, 4, 4)])

    chart, figure = plot.to_altair().to_dict(), plot.to_matplotlib()

    assert (chart["encoding"]["y"]["title"], chart["encoding"]["x"]["title"]) == ("p", "eps")
    shades = np.array([[leak(p, eps) for eps in (1, 2, 3, 4)] for p in (0, 0.5, 1)])
    np.testing.assert_allclose([row["value"] for row in points(chart)], shades.ravel(), atol=1e-12)
    np.testing.assert_allclose(np.asarray(figure.axes[0].images[0].get_array()), shades, atol=1e-12)
    file = io.BytesIO()
    figure.savefig(file, format="png")
    assert file.getvalue().startswith(b"\x89PNG")
    assert vl_convert.vegalite_to_png(chart).startswith(b"\x89PNG")


def test_approximate_numbers_are_dashed_and_said_to_be_so() -> None:
    text = "param m in [0, 3] = 1\nsecret s\noutput o\ns ~ normal(m, 1)\nu ~ normal(0, 1)\no := s * u * u\n"
    plot = seepage.parse(text).plot("I(s; o)", m=(0, 3), points=2)
    assert all(point.certainty is seepage.Certainty.APPROXIMATE for point in plot.rows[0])

    chart = plot.to_altair().to_dict()

    assert "approximate because of line" in chart["title"]["subtitle"][0]
    sure = RESPONSE.plot("I(r; o)", eps=(1, 6), points=3)
    guessed = replace(
        sure,
        rows=tuple(tuple(replace(each, certainty=seepage.Certainty.APPROXIMATE) for each in row) for row in sure.rows),
    )
    assert [
        'stroke-dasharray="5,4"' in vl_convert.vegalite_to_svg(each.to_altair().to_dict()) for each in (sure, guessed)
    ] == [False, True]


def test_what_cannot_be_drawn_is_told() -> None:
    with pytest.raises(ValueError, match="expected one or two"):
        seepage.parse("param a in [0, 1]\nparam b in [0, 1]\nparam c in [0, 1]\no ~ bernoulli(a * b * c)\n").sweep(
            "P(o == 1)", a=[1], b=[1], c=[1]
        ).to_altair()


@pytest.mark.parametrize(("library", "ask"), [("altair", "to_altair"), ("matplotlib", "to_matplotlib")])
def test_a_library_that_is_not_there_is_told(library: str, ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, library, None)
    plot = RESPONSE.plot("I(r; o)", eps=(1, 6), points=2)

    with pytest.raises(ImportError, match=f"pip install {library}"):
        getattr(plot, ask)()
