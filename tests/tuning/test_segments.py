"""At which values of a parameter budgets hold: against closed forms, and against dense grids that are judged point by point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise

import pytest

from seepage import parse
from seepage.deadline import Clock, using
from seepage.exact import Number
from seepage.measures.requirement import Verdict
from seepage.semantics.checked import Checked
from seepage.tuning import ranges
from seepage.tuning.budgets import judged
from seepage.tuning.segments import Segment, segments

ANSWER = "param eps in [0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(1/2)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
COIN = "param p in [0, 1] = 1/4\nsecret s\noutput o\ns ~ bernoulli(p)\no := s\n"
NOISE = "param v in [1/10, 8] = 1\nsecret s\noutput o\ns ~ normal(0, 1)\nx ~ normal(0, v)\no := s + x\n"


def parted(text: str, name: str, low: str, high: str, *budgets: str) -> tuple[Segment, ...]:
    found = segments(parse(text).checked, budgets, name, Fraction(low), Fraction(high), {}, 60.0)
    assert found[0].low == Fraction(low)
    assert found[-1].high == Fraction(high)
    assert all(one.high == other.low and one.told != other.told for one, other in pairwise(found))
    return found


def told(found: tuple[Segment, ...]) -> list[str]:
    return [each.told for each in found]


def test_one_end_is_that_of_the_closed_form() -> None:
    found = parted(ANSWER, "eps", "0", "10", "I(r; o) <= 0.2 bits")

    def leak(eps: float) -> float:
        q = math.exp(eps) / (math.exp(eps) + 1)
        return 1 + q * math.log2(q) + (1 - q) * math.log2(1 - q)

    assert told(found) == ["holds", "not told", "violated"]
    assert leak(float(found[0].high)) <= 0.2 < leak(float(found[2].low))
    assert found[1].high - found[1].low < Fraction(1, 10_000)


def test_a_budget_that_holds_on_both_sides_is_told_on_both() -> None:
    found = parted(COIN, "p", "0", "1", "H(s) <= 1/2")

    # h(p) = 1/2 at p = 0.110028 and 0.889972
    assert told(found) == ["holds", "not told", "violated", "not told", "holds"]
    assert [float(each.high) for each in found[:-1]] == pytest.approx([0.110027, 0.110028, 0.88997, 0.88998], abs=2e-4)


def test_several_budgets_hold_where_each_does() -> None:
    found = parted(ANSWER, "eps", "0", "10", "I(r; o) <= 0.2 bits", "I(r; o) >= 0.1 bits")
    assert told(found) == ["violated", "not told", "holds", "not told", "violated"]


def test_a_continuous_program_has_its_end_where_the_formula_has_it() -> None:
    found = parted(NOISE, "v", "1/10", "8", "I(s; o) <= 1/2")

    # log2(1 + 1/v)/2 = 1/2 at v = 1
    assert told(found) == ["violated", "not told", "holds"]
    assert float(found[1].low) <= 1 <= float(found[1].high) < 1.001


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    "budget", ["H(o) <= 9/10", "V(r | o) <= 3/5", "I(r; o) <= 2", "I(r; o) < 0", "P(o == 1) == 1/2"]
)
def test_what_is_told_is_what_each_value_of_a_grid_comes_to(budget: str) -> None:
    checked = parse(ANSWER.replace("bernoulli(1/2)", "bernoulli(1/3)")).checked
    for each in segments(checked, [budget], "eps", Fraction(0), Fraction(4), {}, 60.0):
        for step in range(5):
            at = each.low + (each.high - each.low) * step / 4
            verdict, _ = judged(checked, budget, {"eps": at}, 10.0)
            assert each.told in (verdict, "not told"), (at, verdict)


def test_ends_that_do_not_ascend_are_refused() -> None:
    with pytest.raises(ValueError, match="expected ends that ascend"):
        segments(parse(COIN).checked, ["H(s) <= 1"], "p", Fraction(1), Fraction(1), {}, 1.0)


def test_no_question_is_asked_once_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question takes a second; without a limit the ends of this budget take some sixty."""
    now, asked = [0.0], list[str]()

    def slowly(checked: Checked, text: str, params: Mapping[str, Number], seconds: float) -> tuple[Verdict, str]:
        now[0] += 1
        asked.append(text)
        return judged(checked, text, params, seconds)

    monkeypatch.setattr(ranges, "judged", slowly)
    budgets = ("I(r; o) <= 0.2 bits", "I(r; o) <= 0.3 bits")
    with using(Clock(lambda: now[0], lambda: now[0])):
        found = segments(parse(ANSWER).checked, budgets, "eps", Fraction(0), Fraction(10), {}, 60.0)

    assert [sum(each.startswith(budget) for each in asked) for budget in budgets] == [
        31,
        31,
    ]  # the last one is asked at the very end
    assert (found[0].low, found[-1].high) == (Fraction(0), Fraction(10))
    # What is told is true: I(r; o) is 0.2 bits at eps = 1.136281.
    assert all(each.told != "holds" or each.high < 1.1363 for each in found)
    assert all(each.told != "violated" or each.low > 1.1362 for each in found)
