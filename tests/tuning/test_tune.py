"""Ranges in which budgets hold, against roots of closed forms, dense grids, and programs that hide a violation between the points that are tried."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import mpmath
import pytest
from click.testing import CliRunner, Result

from seepage.cli.main import cli
from seepage.program import parse
from seepage.tuning.goal import Goal
from seepage.tuning.ranges import Tuned, Tuning

ANSWER = """\
param p in [0, 1] = 1/2
param eps in [0, 10] = 1
secret r
output o
r ~ bernoulli(p)
t ~ bernoulli(exp(eps) / (exp(eps) + 1))
if t { o := r } else { o := !r }
lie := o != r
"""
# P(x == 1) = 1 − (p − 0.53)²: above 0.9999 only within 0.01 of 0.53, between two of the points that are tried.
SPIKE = "param p in [0, 1] = 1/2\nx ~ bernoulli(1 - (p - 53/100)^2)\n"


def h(p: Any) -> Any:
    return -(p * mpmath.log(p, 2) + (1 - p) * mpmath.log(1 - p, 2))


def leak(p: Any, eps: Any) -> Any:
    """I(r; o) of the randomized answer, in closed form."""
    q = mpmath.exp(eps) / (mpmath.exp(eps) + 1)
    return h(p * q + (1 - p) * (1 - q)) - h(q)


def tuned(text: str, budget: str, name: str, low: int, high: int, goal: Goal | None = None) -> Tuned:
    found = Tuning(parse(text).checked, budget, name, Fraction(low), Fraction(high), {}, 30.0).tune(goal)
    assert found is not None
    return found


def encloses(inner: Fraction, outer: Fraction | None, root: Any) -> bool:
    assert outer is not None
    ends = sorted((mpmath.mpf(inner.numerator) / inner.denominator, mpmath.mpf(outer.numerator) / outer.denominator))
    return bool(ends[0] <= root <= ends[1])


def test_the_end_is_the_root_of_the_closed_form() -> None:
    found = tuned(ANSWER, "I(r; o) <= 0.1 bits", "eps", 0, 10)
    root = mpmath.findroot(lambda eps: leak(mpmath.mpf(1) / 2, eps) - mpmath.mpf("0.1"), 0.77)

    assert found.proved
    assert found.low.value == 0
    assert found.low.is_of_domain
    assert not found.high.is_of_domain
    assert encloses(found.high.value, found.high.violated, root)
    assert found.high.violated is not None
    assert found.high.violated - found.high.value <= Fraction(11, 1_000_000)


def test_a_budget_that_is_reached_at_its_end_holds_there() -> None:
    """DP of a randomized answer is eps, so at most 1 up to eps = 1."""
    found = tuned(ANSWER, "DP(r -> o) <= 1", "eps", 0, 10)

    assert found.proved
    assert encloses(found.high.value, found.high.violated, mpmath.mpf(1))
    assert found.high.value <= 1


def test_a_budget_from_below_has_its_range_above() -> None:
    found = tuned(ANSWER, "H(r | o) >= 0.9 bits", "eps", 0, 10)
    other = tuned(ANSWER, "P(lie) <= 1/4", "eps", 0, 10)

    assert found.proved
    assert found.low.value == 0
    assert other.proved  # 1/(1 + e^eps) <= 1/4 from eps = log 3 on
    assert encloses(other.low.value, other.low.violated, mpmath.log(3))
    assert other.high.value == 10
    assert other.high.is_of_domain


def test_of_two_ranges_the_first_is_told_and_that_there_is_another() -> None:
    found = tuned(ANSWER, "I(r; o) <= 0.1 bits", "p", 0, 1)
    root = mpmath.findroot(lambda p: leak(p, 1) - mpmath.mpf("0.1"), 0.2)

    assert found.proved
    assert found.low.value == 0
    assert found.elsewhere is not None
    assert encloses(found.high.value, found.high.violated, root)


def test_what_hides_between_the_points_is_found_and_cut_away() -> None:
    found = tuned(SPIKE, "P(x == 1) <= 0.9999", "p", 0, 1)

    assert found.proved
    assert found.low.value == 0
    assert encloses(found.high.value, found.high.violated, mpmath.mpf("0.52"))
    assert found.high.value <= Fraction(52, 100)


def test_a_budget_that_always_holds_has_the_whole_range() -> None:
    found = tuned(ANSWER, "I(r; o) <= 1 bits", "eps", 0, 10)

    assert found.proved
    assert found.low.value == 0
    assert found.high.value == 10
    assert found.low.is_of_domain
    assert found.high.is_of_domain
    assert found.elsewhere is None


def test_no_value_of_a_dense_grid_contradicts_the_range() -> None:
    found = tuned(ANSWER, "V(r | o) <= 0.8", "eps", 0, 10)
    inside = [found.low.value + (found.high.value - found.low.value) * n / 500 for n in range(501)]

    assert found.proved
    assert all(math.exp(eps) / (1 + math.exp(eps)) <= 0.8 + 1e-12 for eps in inside)
    assert encloses(found.high.value, found.high.violated, mpmath.log(4))


def test_the_best_value_has_a_certified_gap() -> None:
    """The chance of a lie, 1/(1 + e^eps), is smallest at the end that the budget leaves."""
    found = tuned(ANSWER, "I(r; o) <= 0.1 bits", "eps", 0, 10, Goal("P(lie)"))
    assert found.best is not None
    least = 1 / (1 + mpmath.exp(mpmath.mpf(found.high.value.numerator) / found.high.value.denominator))

    assert found.best.at == found.high.value
    assert found.best.bound is not None
    assert found.best.gap is not None
    assert found.best.bound <= least <= found.best.result.upper
    assert found.best.gap <= 1e-4


def test_a_smallest_value_inside_of_the_range_is_found() -> None:
    found = tuned(
        "param p in [0, 1] = 1/2\nx ~ bernoulli((p - 1/3)^2)\n", "P(x == 1) <= 1", "p", 0, 1, Goal("P(x == 1)")
    )
    assert found.best is not None

    assert abs(found.best.at - Fraction(1, 3)) < Fraction(1, 50)
    assert found.best.bound is not None
    assert found.best.bound <= 0 <= found.best.result.upper < 1e-3


def polynomial(random: Random) -> tuple[str, Callable[[Fraction], Fraction]]:
    """A cubic in p with values between 1/20 and 19/20 for p in [0, 1], as a program has it and as a function."""
    weights = [Fraction(random.randint(-9, 9), 10) for _ in range(3)]
    size = 1 + sum(map(abs, weights), Fraction(0))

    def value(p: Fraction) -> Fraction:
        return Fraction(1, 2) + Fraction(9, 20) * sum(w * p**k for k, w in enumerate(weights, 1)) / size

    text = " + ".join(f"({w})*p^{k}" for k, w in enumerate(weights, 1))
    return f"1/2 + 9/20*({text})/({size})", value


@pytest.mark.family(every=3)
@pytest.mark.parametrize("greatest", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_no_value_of_a_dense_grid_is_better_than_what_is_proved(seed: int, greatest: bool) -> None:
    random = Random(seed)
    (leak_text, leak_at), (gain_text, gain_at) = polynomial(random), polynomial(random)
    program = f"param p in [0, 1] = 1/2\nx ~ bernoulli({leak_text})\ny ~ bernoulli({gain_text})\n"
    budget = (leak_at(Fraction(1, 3)) + leak_at(Fraction(2, 3))) / 2
    found = tuned(program, f"P(x == 1) <= {budget}", "p", 0, 1, Goal("P(y == 1)", greatest))

    assert found.proved
    grid = [Fraction(n, 2000) for n in range(2001)]
    inside = [p for p in grid if found.low.value <= p <= found.high.value]
    assert all(leak_at(p) <= budget for p in inside)
    for end, side in ((found.low, -1), (found.high, 1)):  # violated at the next point of the grid
        beyond = [p for p in grid if (p - end.value) * side > 0]
        assert end.is_of_domain or any(
            leak_at(p) > budget for p in sorted(beyond, key=lambda p: abs(p - end.value))[:2]
        )
    best = found.best
    assert best is not None
    assert best.bound is not None
    assert best.gap is not None
    assert best.result.lower <= float(gain_at(best.at)) <= best.result.upper
    values = [gain_at(p) for p in inside]
    if greatest:
        assert max(values) <= Fraction(best.bound)
    else:
        assert min(values) >= Fraction(best.bound)
    assert best.gap <= 2e-3


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "answer.seep"
    path.write_text(ANSWER, encoding="utf-8")
    return path


def run(program: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["tune", str(program), *arguments])


def test_the_command_tells_the_range_its_ends_and_the_best_value(program: Path) -> None:
    done = run(program, "DP(r -> o) <= 2", "--over", "eps", "--minimize", "P(lie)")

    assert done.exit_code == 0
    first, proved, below, above, best, bound = done.stdout.splitlines()
    assert first.startswith("DP(r -> o) <= 2 holds for eps in [0, ")
    assert proved == "  proved for every value of the range"
    assert below == "  below: its values end there"
    assert above.startswith("  above: violated at 2")
    assert best.startswith("least P(lie): 0.119")
    assert bound.startswith("  proved: at least 0.11")


def test_the_greatest_value_has_a_bound_above(program: Path) -> None:
    """P(o == r) is 1 − 1/(1 + e^eps): greatest at the end that DP leaves, eps = 2."""
    asked = ("DP(r -> o) <= 2", "--over", "eps", "--maximize", "P(o == r)")
    *_, best, bound = run(program, *asked).stdout.splitlines()
    assert best.startswith("greatest P(o == r): 0.8807970")
    assert bound.startswith("  proved: at most 0.88")

    told = json.loads(run(program, *asked, "--format", "json").stdout)["best"]
    greatest = 1 / (1 + math.exp(-2))
    assert told["result"]["value"] == pytest.approx(greatest, abs=1e-5)
    assert greatest - 1e-5 <= told["upper"] <= greatest + told["gap"] + 1e-9
    assert "lower" not in told


def test_the_curve_is_a_table_and_a_picture(program: Path) -> None:
    asked = ("I(r; o) <= 0.1 bits", "--over", "eps=0..4", "--minimize", "P(lie)")
    head, rule, *rows = run(program, *asked, "--format", "table").stdout.splitlines()
    assert head.split("  ")[0] == "eps"
    assert "I(r; o) (bits)" in head
    assert len(rows) == 17
    assert set(rule) == {"─", " "}
    told = [float(cell.split(" ")[0]) for cell in re.split(r" {2,}", rows[8])]
    assert told == pytest.approx([2.0, float(leak(mpmath.mpf(1) / 2, 2)), 1 / (1 + math.exp(2))])
    for form, magic in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        assert run(program, *asked, "--format", form, "--output", str(program.parent / form)).exit_code == 0
        assert (program.parent / form).read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--over", "q"], "no parameter 'q', expected one of: 'p', 'eps'"),
        (["--over", "eps=2..1"], "expected rational ends that ascend"),
        (["--over", "eps=0..11"], "'eps' does not take all values from 0 to 11"),
        (["--over", "eps=1"], "expected name=low..high"),
        (["--over", "eps", "--minimize", "P(lie)", "--maximize", "H(r)"], "expected one of them"),
        (["--over", "eps", "--format", "table"], "name that with --minimize"),
        (["--over", "eps", "--minimize", "P(lie)", "--format", "png"], "needs --output FILE"),
        (["--over", "eps", "--over", "p", "--minimize", "P(lie)", "--format", "table"], "csv and json have boxes"),
    ],
)
def test_wrong_use_says_what_to_change(program: Path, arguments: list[str], told: str) -> None:
    done = run(program, "I(r; o) <= 0.1 bits", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())


@pytest.mark.family(every=3)
@pytest.mark.parametrize("goal", ["P(nothing)", "I(r; o) <= 1", "H(", "E(r, o)"])
def test_a_goal_that_is_none_is_told_in_a_line(program: Path, goal: str) -> None:
    done = run(program, "DP(r -> o) <= 2", "--over", "eps", "--maximize", goal)
    assert (done.exit_code, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{program}: SEEP")


def test_the_same_as_json(program: Path) -> None:
    found = json.loads(run(program, "I(r; o) <= 0.1 bits", "--over", "eps=0..2", "--format", "json").stdout)

    assert list(found) == ["schema", "budget", "parameter", "whole", "proved", "low", "high", "elsewhere", "best"]
    assert found["proved"]
    assert found["high"]["value"] < found["high"]["violated"]
    assert Fraction(found["high"]["exact"]) == Fraction(str(found["high"]["value"]))


def test_a_budget_that_never_holds_is_a_failure_that_says_so(program: Path) -> None:
    done = run(program, "H(r) <= 0.5 bits", "--over", "eps")

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "H(r) <= 0.5 bits holds at none of the 17 values of 'eps' that were tried\n"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["I(r; o) <= 0.1 bits", "--over", "q"], 2),
        (["I(r; o) <= 0.1 bits", "--over", "eps=2..1"], 2),
        (["I(r; o) <= 0.1 bits", "--over", "eps=0..11"], 2),
        (["I(r; o) <= 0.1 bits", "--over", "eps=a..b"], 2),
        (["I(r; o) <= 0.1 bits"], 2),
        (["I(r; o)", "--over", "eps"], 1),
        (["I(r; nothing) <= 1", "--over", "eps"], 1),
        (["I(r; o) <= 0.1 bits\nshow H(r)", "--over", "eps"], 1),
        (["I(r; o) <= 0.1 bits over p in [0, 1]", "--over", "eps"], 1),
    ],
)
def test_what_is_wrong_is_told_in_a_line(program: Path, arguments: list[str], code: int) -> None:
    done = run(program, *arguments)

    assert (done.exit_code, done.stdout) == (code, "")
    assert "Traceback" not in done.output
    if code == 1:
        assert len(done.stderr.splitlines()) == 1
