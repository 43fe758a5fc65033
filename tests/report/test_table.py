"""The leakage table in words: only columns in which something stands, and why nothing leaks where that may surprise."""

from __future__ import annotations

import seepage
from seepage.report.markdown import row_lens_text
from seepage.report.text import table_lines
from seepage.source import SourceFile

COMPARED = "secret pin\noutput ok\npin ~ uniform(0, 9999)\nguess ~ uniform(0, 9999)\nok := guess == pin\n"


def lines(text: str) -> list[str]:
    return list(table_lines(seepage.parse(text).analyze().table, SourceFile("test.seep", text)))


def test_columns_in_which_nothing_stands_are_left_out() -> None:
    head, rule, row, *_ = lines("secret s\noutput o\ns ~ normal(0, 1)\nn ~ normal(0, 1)\no := s + n\n")

    assert head.split("  ")[0] == "secret"
    assert "worst case" not in head
    assert "guessed" not in head
    assert len(rule.split("  ")) == 3
    assert row.split() == ["s", "o", "0.5", "bits", "·", "exact"]


def test_columns_in_which_something_stands_are_all_there() -> None:
    head, *_ = lines("secret s\noutput o\ns ~ flip(1/2)\nt ~ flip(1/3)\no := s xor t\n")

    assert all(word in head for word in ("secret", "seen by the attacker", "leaks", "of it", "worst case", "guessed"))


def test_that_nothing_leaks_is_explained_where_a_comparison_is_never_true() -> None:
    (row,) = seepage.parse(COMPARED).analyze().table

    why = "'guess == pin' compares continuous values, and is false with probability 1"
    assert row.why_nothing == why
    assert row.note.startswith(why)
    assert row_lens_text(row) == f"0 bits leak · exact: {why}"


def test_that_nothing_leaks_needs_no_explanation_elsewhere() -> None:
    (row,) = seepage.parse("secret s\noutput o\ns ~ normal(0, 1)\no ~ flip(1/2)\n").analyze().table

    assert row.why_nothing == ""
    assert row_lens_text(row) == "0 bits leak · exact"
