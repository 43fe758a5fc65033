"""An observation that is independent of what is asked is left out of the run, and must be known to pass nevertheless."""

from __future__ import annotations

import pytest
from tests.engines.programs import core_of

import seepage
from seepage import MeasureError
from seepage.engines.passing import observed_parts
from seepage.measures.joints import observing_all

LARGE = """for i in 1..40 { s[i] ~ uniform_int(1, 10^i) }
o := 0
for i in 1..40 { o := o + s[i] * s[i] * i }
z ~ flip(1/2)
"""
IMPOSSIBLE = {
    "one after the other": "x ~ flip(1/2)\nobserve(x == 1)\nobserve(x == 0)\n",
    "each possible by itself": "x ~ flip(1/2)\ny ~ flip(1/2)\nobserve(x + y == 2)\nobserve(x != y)\n",
    "in both branches": "x ~ flip(1/2)\ny ~ flip(1/2)\nif x { observe(x + y == 0) } else { observe(x + y == 2) }\n",
    "after one that is too large": "observe(o > 7)\nx ~ flip(1/2)\nobserve(x == 2)\n",
}


@pytest.mark.parametrize("observations", IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
def test_an_impossible_observation_leaves_no_measure_a_number_however_large_the_rest_is(observations: str) -> None:
    program = seepage.parse(LARGE + observations + "show H(z)\nrequire H(z) <= 1\n")

    with pytest.raises(MeasureError, match="impossible observation") as caught:
        program.measure("H(z)")

    analysis = program.analyze()
    assert caught.value.diagnostic.rule.code == "SEEP410"
    assert [answer.result for answer in analysis.answers] == [None, None]
    assert "SEEP410" in [each.rule.code for each in analysis.diagnostics]


def test_an_impossible_observation_is_found_beside_a_parameter_without_a_value() -> None:
    rest = "param p in [0, 1]\nx ~ flip(1/2)\ny ~ flip(p)\nz ~ flip(1/2)\nobserve(y == 1)\n"
    impossible = seepage.parse(rest + "observe(x == 1)\nobserve(x == 0)\n")

    with pytest.raises(MeasureError, match="no run passes 'x == 0'"):
        impossible.measure("H(z)")

    assert seepage.parse(rest).measure("H(z)").exact == 1


@pytest.mark.variation(of="test_an_impossible_observation_leaves_no_measure_a_number_however_large_the_rest_is")
def test_an_observation_in_a_part_that_is_too_large_is_told_beside_numbers_that_leave_it_out() -> None:
    program = seepage.parse(LARGE + "observe(o == 7)\nshow H(z)\n")

    analysis = program.analyze()

    assert [each.rule.code for each in analysis.diagnostics] == ["SEEP413"]
    assert program.source.text[analysis.diagnostics[0].span.start :].startswith("observe(o == 7)")
    assert any("o == 7" in note for note in program.measure("H(z)").notes)


def test_a_large_part_without_observations_is_no_reason_to_warn() -> None:
    program = seepage.parse(LARGE + "x ~ flip(1/2)\nobserve(x == 1)\nshow H(z)\n")

    assert not program.analyze().diagnostics
    assert program.measure("H(z)").notes == ()


def test_parts_that_observations_share_are_looked_at_once() -> None:
    core = core_of("x ~ flip(1/2)\nobserve(x <= 1)\nobserve(x >= 0)\ny ~ flip(1/2)\nobserve(y == 1)\n")

    assert len(list(observed_parts(core))) == 2


def test_of_very_many_observations_all_are_one_part() -> None:
    core = core_of("for i in 1..300 { x[i] ~ flip(1/2)\nobserve(x[i] == 1) }\n")

    assert len(list(observed_parts(core))) == 1


@pytest.mark.variation(of="test_an_impossible_observation_leaves_no_measure_a_number_however_large_the_rest_is")
def test_no_budget_holds_by_a_number_that_leaves_out_what_may_be_impossible() -> None:
    """The entropy of the coin is one bit if some run passes, and none if none does."""
    budgets = "require H(z) <= 1\nrequire H(z) <= 1/2\nrequire H(z) <= 1 over p in [0, 1]\n"
    program = seepage.parse("param p in [0, 1] = 1/2\n" + LARGE + "observe(o == 7)\n" + budgets)

    analysis = program.analyze()

    assert [answer.verdict for answer in analysis.answers] == ["cannot tell", "violated", "cannot tell"]
    assert [each.rule.code for each in analysis.diagnostics] == ["SEEP413", "SEEP511", "SEEP510", "SEEP511"]
    assert "not known whether any run passes 'o == 7'" in analysis.diagnostics[1].message


def test_what_is_computed_from_all_observations_shows_that_they_pass() -> None:
    coin = core_of("x ~ flip(1/2)\ny ~ flip(1/2)\nobserve(x or y)\nz ~ flip(1/2)\n")
    loop = core_of("for i in 1..2 { x[i] ~ flip(1/2) observe(x[i] == 1) }\n")

    assert observing_all(coin, ((), ("x",)))
    assert not observing_all(coin, ((), ("z",)))
    assert not observing_all(loop, ((), ("x[1]",)))
    assert observing_all(loop, ((), ("x[1]", "x[2]")))
