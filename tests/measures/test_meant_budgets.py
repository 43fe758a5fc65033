from __future__ import annotations

import seepage
from seepage.fixing import with_fix


def test_a_loss_of_many_records_offers_neighbours_in_one() -> None:
    text = "for i in 1..3 { s[i] ~ flip(1/2); t[i] ~ flip(if s[i] then 3/4 else 1/4); o := o + t[i] }"
    source = f"o := 0\n{text}\noutput o\nrequire DP(s -> o) <= 2"
    found = next(one for one in seepage.parse(source).analyze().diagnostics if one.rule.code == "SEEP510")

    mended = seepage.parse(with_fix(source, found.fixes[0])).analyze()

    assert "'distance=1' compares those that differ in one" in found.notes[-1]
    assert [one.rule.code for one in mended.diagnostics if one.is_error] == []


def test_a_loss_of_one_value_has_no_neighbours_to_offer() -> None:
    found = seepage.parse("s ~ flip(1/2)\noutput o\no := s\nrequire DP(s -> o) <= 2").analyze().diagnostics

    assert [one.fixes for one in found if one.rule.code == "SEEP510"] == [()]
