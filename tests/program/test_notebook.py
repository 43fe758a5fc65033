"""What notebooks show of results and sweeps: well-formed, complete, and with all text of people escaped."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import seepage
from seepage.notebook import MOST_ROWS, table_html

PROGRAM = "param p in (0, 1) = 1/3\nsecret s\noutput o\ns ~ bernoulli(p)\nn ~ bernoulli(1/4)\no := s xor n\n"


def read(html: str) -> ElementTree.Element:
    """Return a fragment as a tree; it must be well-formed."""
    return ElementTree.fromstring(f"<body>{html}</body>")


def test_a_result_shows_its_line_and_its_formula() -> None:
    result = seepage.parse(PROGRAM).measure("H(s)")
    assert result.formula is not None

    shown = read(result._repr_html_())

    assert shown.findtext("div/code") == str(result)
    assert [each.tag.rpartition("}")[2] for each in shown.findall("div/*")].count("math") == 1
    assert result._repr_latex_() == f"$\\displaystyle {result.formula.latex}$"


def test_a_result_without_a_formula_shows_none() -> None:
    result = replace(seepage.parse(PROGRAM).measure("H(s)"), formula=None)

    assert result._repr_latex_() is None
    assert len(read(result._repr_html_()).findall("div/code")) == 1


def test_a_sweep_shows_each_row() -> None:
    found = seepage.parse(PROGRAM).sweep("H(s)", p=["1/2", 2])

    shown = read(found._repr_html_())

    assert [each.text for each in shown.iter("th")] == list(found.columns())
    assert [row.findtext("td") for row in shown.findall("table/tbody/tr")] == ["0.5", "2"]
    assert shown.findall("table/tbody/tr")[0].findall("td")[1].text == "1"


def test_text_of_people_is_escaped() -> None:
    hostile = "<script>alert('x')</script>&"

    result = replace(seepage.parse(PROGRAM).measure("H(s)"), measure=hostile)
    table = read(table_html([hostile], [[hostile]], hostile))

    assert (read(result._repr_html_()).findtext("div/code") or "").startswith(hostile)
    assert [table.findtext(path) for path in ("table/caption", ".//th", ".//td")] == [hostile] * 3


def test_rows_of_a_long_table_are_counted() -> None:
    shown = read(table_html(["a"], [["1"]] * (MOST_ROWS + 5), ""))

    assert len(shown.findall("table/tbody/tr")) == MOST_ROWS
    assert shown.findtext("p") == "… and 5 more rows"
