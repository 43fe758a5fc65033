"""Values of more digits than are shown: every number is computed from the value itself, never from the text that stands for it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from seepage import parse
from seepage.measures.facts import LeakageRow
from seepage.report.json import analysis_json
from seepage.report.markdown import describe_row, row_lens_text
from seepage.report.text import analysis_text

HUGE = ["2^1024", "10^400", "7^300/11^300", "10^400 + 1/10^400", "-(10^400)"]


def row_of(text: str) -> LeakageRow:
    (row,) = parse(text).analyze().table
    return row


@pytest.mark.parametrize("value", HUGE)
def test_a_bit_beside_a_huge_value_leaks_one_bit_and_each_output_tells_all_of_it(value: str) -> None:
    row = row_of(f"secret m\noutput c\nm ~ bernoulli(1/2)\nc := m + {value}\n")
    assert row.information is not None
    assert row.information.exact == row.information.value == 1
    assert row.worst is not None
    assert row.worst.divergence.exact == 1
    assert row.least_left is not None
    assert row.least_left.entropy.exact == 0
    assert row.guess_before is not None
    assert row.guess_after is not None
    assert (row.guess_before.exact, row.guess_after.exact) == (Fraction(1, 2), Fraction(1))
    assert row.note == ""


@pytest.mark.parametrize("value", ["2^1024", "10^400"])
def test_a_secret_with_huge_values_is_told_in_every_report(value: str) -> None:
    # Of m in 0..3 the output tells whether m > 1: one bit, and one is left.
    text = (
        f"secret m\noutput c\nm ~ uniform_int(0, 3)\nif m > 1 {{ c := {value} }} else {{ c := -{value} }}\nshow E(c)\n"
    )
    program = parse(text)
    analysis = program.analyze()
    (row,) = analysis.table
    assert row.information is not None
    assert row.worst is not None
    assert row.information.exact == 1
    assert row.worst.divergence.exact == 1
    assert "about " in row.worst.output
    assert row_lens_text(row) == "1 bit leak · exact"
    assert row.worst.output in describe_row(row)
    assert row.worst.output in analysis_text(program.source, analysis)
    assert analysis_json(program.source, program.diagnostics, analysis)
    assert analysis.answers[0].result is not None
    assert analysis.answers[0].result.exact == 0


def test_a_secret_from_a_huge_range_is_told_beside_a_huge_output() -> None:
    # The range has 2^64 values, so that they are taken in classes; the output tells whether m is even.
    text = "secret m\noutput c\nm ~ uniform_int(1, 2^64)\nc := 2^1024 * (m % 2)\n"
    row = row_of(text)
    assert row.information is not None
    assert row.information.exact == 1
    assert row.worst is not None
    assert row.worst.divergence.exact == 1
    assert row.least_left is not None
    assert row.least_left.entropy.exact == 63


def test_irrational_values_of_many_characters_are_told() -> None:
    # e^k for k = 0..200 spelled as a sum has thousands of characters.
    total = " + ".join(f"exp({k}/7)" for k in range(60))
    row = row_of(f"secret m\noutput c\nm ~ bernoulli(1/2)\nc := m + {total}\n")
    assert row.information is not None
    assert row.information.exact == 1
    assert row.worst is not None
    assert row.worst.divergence.exact == 1
