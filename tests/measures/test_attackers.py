"""Programs in which an attacker chooses: budgets, events, what a measure does not depend on, and that nobody runs choices that are not made."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

import seepage
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget
from seepage.engines.select import solve
from seepage.pipeline import asking_of, check
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

PIN = "secret s\noutput o\ns ~ {0: 1/2, 1: 1/4, 2: 1/8, 3: 1/8}\nattacker g in 0..3\no := g == s\n"
SEARCH = "secret s\noutput o\ns ~ uniform_int(0, 7)\nfor i in 1..3 {\n  attacker q[i] in 0..7\n  o[i] := s <= q[i]\n}\n"
NOISY = (
    "param p in [0, 1] = 1/3\nsecret s\noutput o\ns ~ uniform_int(0, 3)\nattacker g in 0..3\nn ~ flip(p)\n"
    "o := if n then g == s else false\n"
)


def verdict(program: str, budget: str) -> str | None:
    (answer,) = seepage.parse(f"{program}require {budget}\n").analyze().answers
    return answer.verdict


def test_a_range_of_elements_is_as_many_choices() -> None:
    head, asked = (
        "secret s\noutput o, t\ns ~ uniform_int(0, 7)\n",
        "o := count(s <= g[i] for i in 1..3)\nt := s == h[2, 0] + h[2, 1]\n",
    )
    family = seepage.parse(f"{head}attacker g[1..3], h[2, 0..1] in {{1, 3, 5}}\n{asked}")
    one_by_one = "attacker g[1], g[2], g[3], h[2, 0], h[2, 1] in {1, 3, 5}\n"
    single = seepage.parse(f"{head}{one_by_one}{asked}")

    assert family.measure("I(s; o)").exact == 2
    for measure in ("I(s; o, t)", "V(s | o)", "P(o == 2)"):
        found, expected = family.measure(measure), single.measure(measure)
        assert (found.exact, found.ends, str(found.strategy)) == (expected.exact, expected.ends, str(expected.strategy))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("attacker g[3..1] in 0..1", "found no element to choose"),
        ("attacker g[1..s] in 0..1", "the ends of a range must be static"),
        ("attacker g[1..200, 1..200] in 0..1", "more than 10,000 choices"),
        ("g[1..3] ~ flip(1/2)", "a range of elements is written one by one"),
    ],
)
def test_a_range_of_elements_that_nobody_can_write_says_why(statement: str, message: str) -> None:
    program = seepage.parse(f"secret s\noutput o\ns ~ uniform_int(0, 7)\n{statement}\no := s\n")

    assert any(message in each.message for each in program.diagnostics)


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        ("P(o) <= 1/2", "holds"),  # g = 0 is right with chance 1/2, the others with 1/4 and 1/8
        ("P(o) <= 1/4", "violated"),
        ("P(o) >= 1/8", "holds"),
        ("P(o) > 1/8", "violated"),
        ("P(o) == 1/2", "violated"),
        ("P(s == 0) == 1/2", "holds"),
        ("max P(o) >= 1/2", "holds"),
        ("min P(o) <= 1/8", "holds"),
        ("V(s | o) <= 3/4", "holds"),  # the chance of 0, and 1/4 if that is wrong
        ("V(s | o) >= 3/4", "holds"),
        ("H(s | o) >= 3/4", "holds"),  # after g = 0 half of the runs leave {1: 1/2, 2: 1/4, 3: 1/4}, of 1.5 bits
        ("H(s | o) > 0.76", "violated"),
    ],
)
def test_a_budget_speaks_of_every_attacker(budget: str, expected: str) -> None:
    assert verdict(PIN, budget) == expected


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        ("V(s | o) <= (1 + p) / 4 over p in [0, 1]", "holds"),  # right with chance p/4 more
        ("V(s | o) <= 0.4 over p in [0, 1]", "violated"),
        ("P(o) <= p / 4 over p in [0, 1]", "holds"),
        (
            "V(s | o) >= 1/4 over p in [0, 1]",
            "cannot tell",
        ),  # of the best strategy at each point: not proved one by one
    ],
)
def test_a_budget_over_ranges_is_judged_for_each_strategy(budget: str, expected: str) -> None:
    assert verdict(NOISY, budget) == expected


def test_who_violates_a_budget_is_told() -> None:
    analysis = seepage.parse(f"{PIN}require P(o) <= 1/4\n").analyze()

    (found,) = analysis.diagnostics
    assert found.message == "budget exceeded: max P(o) = 0.5 > 0.25"
    assert found.notes == ("the attacker chooses g = 0",)


def test_choices_that_a_measure_does_not_depend_on_are_left_out() -> None:
    result = seepage.parse(SEARCH).measure("I(s; o[1])")

    assert result.number == pytest.approx(1.0, abs=1e-12)
    assert result.strategy is not None
    assert result.strategy.short() == "q[1] = 3"


def test_a_measure_without_choices_has_no_strategy() -> None:
    result = seepage.parse(SEARCH).measure("H(s)")

    assert result.number == pytest.approx(3.0, abs=1e-12)
    assert result.strategy is None
    assert result.minimum is None


def test_a_measure_that_is_the_same_for_every_strategy_is_one_number() -> None:
    # A choice before anything is seen meets a uniform secret with chance 1/8, whichever it is.
    result = seepage.parse(SEARCH).measure("P(q[1] == s)")

    assert result.exact == Fraction(1, 8)
    assert str(result) == "P(q[1] == s) = 0.125 (exact)"
    assert (result.strategy, result.minimum, result.maximum) == (None, None, None)


def test_arithmetic_takes_the_strategy_of_the_part_that_depends_on_it() -> None:
    result = seepage.parse(PIN).measure("I(s; o) / H(s)")

    assert result.number == pytest.approx(1 / 1.75, abs=1e-12)


def test_an_event_that_never_happens_leaves_a_strategy_out() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 1)\nattacker g in 0..2\no := s + g\n"
    program = seepage.parse(text)

    result = program.measure("max P(s == 1 | o == 1)")  # g = 0: s is 1; g = 1: s is 0; g = 2: never

    assert result.number == 1.0
    assert result.strategy is not None
    assert result.strategy.short() == "g = 0"
    with pytest.raises(seepage.MeasureError) as found:
        program.measure("max P(s == 1 | o == 9)")
    assert found.value.diagnostic.rule.code == "SEEP504"


def test_a_strategy_is_plain_data() -> None:
    result = seepage.parse(SEARCH).measure("I(s; o)")

    told = json.loads(json.dumps(result.to_dict()))["strategy"]
    (start,) = told["start"]
    assert start["then"]["choose"] == {"q[1]": "3"}
    assert [answer["chance"] for answer in start["then"]["answers"]] == [0.5, 0.5]
    assert [answer["left"]["bits"] for answer in start["then"]["answers"]] == [2.0, 2.0]
    assert hash(result.strategy) == hash(seepage.parse(SEARCH).measure("I(s; o)").strategy)


def test_no_engine_runs_choices_that_nobody_has_made() -> None:
    checked = check(SourceFile("game.seep", PIN))
    asking = asking_of(checked, unroll(checked), {}, "bits", 5.0)

    with pytest.raises((Fault, KeyError, AssertionError)):
        solve(asking.core, ("s", "o"), {}, Budget())


def test_tables_and_posteriors_are_those_of_the_best_strategy() -> None:
    program = seepage.parse(SEARCH)
    analysis = program.analyze()

    assert analysis.note.startswith("tables and posteriors are those of the best strategy for I(s; o): q[1] = 3")
    headline = next(row for row in analysis.table if row.headline)
    assert headline.information is not None
    assert headline.information.number == pytest.approx(3.0, abs=1e-12)


def test_symbols_and_sets_are_chosen_from() -> None:
    text = (
        "enum colour { red, green, blue }\nsecret s\noutput o\ns ~ {red: 1/2, green: 1/4, blue: 1/4}\n"
        "attacker g in colour\nattacker k in {0, 2..3}\no := g == s and k != 0\nshow I(s; o)\n"
    )
    program = seepage.parse(text)
    assert program.diagnostics == ()

    (answer,) = program.analyze().answers

    assert answer.result is not None
    assert answer.result.number == pytest.approx(1.0, abs=1e-12)
    assert answer.result.strategy is not None
    assert answer.result.strategy.short() == "g = red, k = 2"


def test_irrational_chances_are_compared_by_balls() -> None:
    text = (
        "param eps in [0, 5] = 1\nsecret s\noutput o\ns ~ uniform_int(0, 3)\n"
        "for i in 1..2 {\n  attacker q[i] in 0..3\n  lie[i] ~ flip(1 / (1 + exp(eps)))\n  o[i] := (s <= q[i]) xor lie[i]\n}\n"
    )
    right = math.e / (1 + math.e)

    def left(weights: dict[int, float]) -> float:
        whole = sum(weights.values())
        return sum(one * math.log2(whole / one) for one in weights.values())

    def best(weights: dict[int, float], asked: int) -> float:
        if asked == 2:
            return left(weights)
        totals = []
        for q in range(4):
            yes = {s: one * (right if s <= q else 1 - right) for s, one in weights.items()}
            no = {s: one - yes[s] for s, one in weights.items()}
            totals.append(best(yes, asked + 1) + best(no, asked + 1))
        return min(totals)

    result = seepage.parse(text).measure("I(s; o)")

    assert result.number == pytest.approx(2 - best(dict.fromkeys(range(4), 1 / 4), 0), abs=1e-9)


HALVING = """secret s
output o
s ~ uniform_int(0, LAST)
for i in 1..3 { attacker q[i] in 0..LAST; o[i] := s <= q[i] }
"""


@pytest.mark.parametrize("last", [7, 8])
@pytest.mark.parametrize("measure", ["C", "Cmin"])
def test_no_capacity_exceeds_the_numbers_of_values(last: int, measure: str) -> None:
    """Three answers yes or no tell 8 things at most, and halving eight values tells them all."""
    found = seepage.parse(HALVING.replace("LAST", str(last))).measure(f"{measure}(s -> o)")

    assert found.exact == 3


def test_a_loss_without_bound_is_told_by_the_first_strategy_that_has_it() -> None:
    found = seepage.parse(HALVING.replace("LAST", "7")).measure("DP(s -> o)")

    assert found.value == found.lower == math.inf


def test_a_capacity_that_reaches_no_limit_lies_within_them() -> None:
    """Three different guesses at eight values tell four things apart: each of them, and none; the answers alone would be eight."""
    text = HALVING.replace("LAST", "7").replace("<=", "==")
    found = seepage.parse(text).measure("C(s -> o)", seconds=2)

    assert found.lower == pytest.approx(2, abs=1e-9)
    assert 2 <= found.upper <= 3


@pytest.mark.variation(of="test_a_capacity_that_reaches_no_limit_lies_within_them")
@pytest.mark.parametrize(
    ("measure", "most"), [("C(s -> o) + 1", 4), ("2 * C(s -> o)", 6), ("3 + V(s | o) ^ 2", 4), ("1 - V(s | o) / 2", 1)]
)
def test_arithmetic_lies_within_what_the_limits_of_its_parts_allow(measure: str, most: float) -> None:
    """The answers are eight, and a chance to guess is at least 1/8, at most 1: C is at most 3."""
    text = HALVING.replace("LAST", "7").replace("<=", "==")
    found = seepage.parse(text).measure(f"max {measure}", seconds=5)

    assert found.upper <= most
    if found.lower < found.upper:
        assert found.value is None


@pytest.mark.variation(of="test_a_capacity_that_reaches_no_limit_lies_within_them")
def test_a_mean_behind_too_many_strategies_lies_between_the_values_that_it_has() -> None:
    """The event of an answer keeps induction from it; x is one of 0 … 9 whatever is chosen."""
    text = HALVING.replace("LAST", "7") + "x := s + q[3] % 3\nobserve o[1] or q[2] == 1\n"
    found = seepage.parse(text).measure("max E(x)", seconds=5)

    assert found.upper <= 9


def test_a_search_among_fifty_values_halves_them() -> None:
    """As even as whole numbers are: the uncertainty that is left is that of the intervals' sizes."""
    program = seepage.parse(
        "secret s\noutput o\ns ~ uniform_int(1, 50)\nfor i in 1..3 {\n  attacker q[i] in 1..50\n  o[i] := s <= q[i]\n}"
    )
    sizes = [6] * 6 + [7] * 2

    told = program.measure("I(s; o)")
    assert told.number == pytest.approx(sum(size / 50 * math.log2(50 / size) for size in sizes), abs=1e-9)
    assert program.measure("V(s | o)").exact == Fraction(8, 50)
    assert program.measure("Guess(s | o)").exact == sum(Fraction(size * (size + 1), 100) for size in sizes)


def test_values_that_are_alike_are_guessed_in_any_order() -> None:
    """Five guesses at eighty values, of which ten are twice as likely as the others: these first."""
    program = seepage.parse(
        "secret s\noutput hit\nd ~ uniform_int(0, 89)\ns := d % 80\nfor i in 1..5 {\n  attacker q[i] in 0..79\n  hit[i] := s == q[i]\n}"
    )

    result = program.measure("V(s | hit)")
    assert result.exact == Fraction(2 * 5 + 2, 90)
    assert result.strategy is not None
    assert next(line.then.values[0][1] for _, line in result.strategy.lines() if line.then is not None) == 0
