"""Budgets over two parameters and over constants, and what leaks beside what is lost: against closed forms at random points and at each whole number."""

from __future__ import annotations

import csv
import json
import math
import random
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
from tests.checking.trees import run, tree

from seepage.program import parse
from seepage.tuning.goal import Goal
from seepage.tuning.regions import Region, RegionTuning
from seepage.tuning.whole import WholeTuning

ANSWER = """\
param p in [0, 1] = 1/2
param q in [0, 1/2] = 1/4
secret s
output o
s ~ bernoulli(p)
lie ~ bernoulli(q)
o := s xor lie
"""
POLL = """\
const n = 3
secret s
output o
s ~ bernoulli(1/2)
o := 0
for i in 1..n { t ~ bernoulli(1/4); o := o + (s xor t) }
lost := o > n/2 xor s
"""


def h(p: float) -> float:
    return 0.0 if p in (0, 1) else -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def leak(p: float, q: float) -> float:
    return h(p * (1 - q) + (1 - p) * q) - h(q)


def tuned(budget: str, goal: Goal | None = None) -> Region:
    ends = (Fraction(0), Fraction(0)), (Fraction(1, 2), Fraction(1, 2))
    return RegionTuning(parse(ANSWER).checked, budget, ("p", "q"), *ends, {}, 10.0).tune(goal)


TURNED = pytest.param(
    "I(s; o) >= 0.1 bits",
    marks=pytest.mark.variation(of="test_boxes_fill_the_rectangle_and_say_what_is_true_at_random_points"),
)


@pytest.mark.parametrize("budget", ["I(s; o) <= 0.1 bits", TURNED])
def test_boxes_fill_the_rectangle_and_say_what_is_true_at_random_points(budget: str) -> None:
    found = tuned(budget)
    assert found.share("holds") + found.share("violated") + found.share("border") == 1
    assert sum((box.area for box in found.boxes), Fraction(0)) == Fraction(1, 4)
    assert found.share("border") < Fraction(1, 8)
    random_ = random.Random(5)
    for box in found.boxes:
        for _ in range(20):
            p, q = (random_.uniform(float(low), float(high)) for low, high in zip(box.low, box.high, strict=True))
            holds = leak(p, q) <= 0.1 if "<=" in budget else leak(p, q) >= 0.1
            assert box.told == "border" or holds == (box.told == "holds")


def test_the_best_point_is_within_the_budget_and_its_gap_holds_at_a_dense_grid() -> None:
    """Where p is 1/2, the budget leaves lies of at least the root of 1 − h(q) = 0.1; where p is 0 nothing leaks, and no lie is needed."""
    found = tuned("V(s | o) <= 3/4", Goal("P(lie)"))
    assert found.best is not None
    assert found.best.bound is not None
    p, q = map(float, found.best.at)
    chance = max((1 - p) * (1 - q), p * q) + max((1 - p) * q, p * (1 - q))
    assert chance <= 0.75 + 1e-12
    inside = [
        q / 200
        for p in range(201)
        for q in range(101)
        if max((400 - p) / 400 * (200 - q) / 200, p / 400 * q / 200) + max((400 - p) / 400 * q / 200, p / 400 * (200 - q) / 200) <= 0.75
    ]  # fmt: skip
    assert found.best.bound <= min(inside)
    assert found.best.result.upper <= min(inside) + (found.best.gap or 0) + 1e-9


def bayes_error(n: int) -> float:
    """P(lost): the majority of n answers, each a lie with chance 1/4, is wrong; a tie counts as 0."""
    chance = [math.comb(n, k) * 0.25**k * 0.75 ** (n - k) for k in range(n + 1)]  # of k lies
    zero = sum(chance[k] for k in range(n + 1) if k > n / 2)
    one = sum(chance[k] for k in range(n + 1) if not n - k > n / 2)
    return (zero + one) / 2


def test_each_whole_number_of_a_constant_is_decided() -> None:
    tuning = WholeTuning(parse(POLL).checked, "P(lost) >= 0.11", "n", 1, 8, {}, 10.0)
    found = tuning.tune(Goal("P(lost)"))
    assert found is not None
    holds = [n for n in range(1, 9) if bayes_error(n) >= 0.11]
    assert holds == [1, 2, 3, 4]
    assert found.low.value == 1
    assert found.low.is_of_domain
    assert found.high.value == 4
    assert found.high.violated == 5
    assert found.best is not None
    assert found.best.result.number == pytest.approx(min(map(bayes_error, holds)))
    assert found.best.bound == pytest.approx(min(map(bayes_error, holds)))


def test_too_many_whole_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 200"):
        WholeTuning(parse(POLL).checked, "P(lost) <= 1", "n", 1, 201, {}, 1.0).tune()


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tree(tmp_path, {"poll.seep": POLL, "answer.seep": ANSWER})


def test_the_curve_of_a_constant_has_both_numbers_at_each_value(folder: Path) -> None:
    done = run(
        "tune",
        "poll.seep",
        "V(s | o) <= 0.9",
        "--over",
        "n=1..5",
        "--minimize",
        "P(lost)",
        "--format",
        "csv",
        inside=folder,
    )
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert done.exit_code == 0
    assert [int(row["n"]) for row in rows] == [1, 2, 3, 4, 5]
    assert [float(row["loss value"]) for row in rows] == pytest.approx([bayes_error(n) for n in range(1, 6)])
    assert [float(row["leak value"]) for row in rows] == pytest.approx([1 - bayes_error(n) for n in range(1, 6)])


def test_the_curve_of_a_parameter_is_drawn(folder: Path) -> None:
    done = run(
        "tune",
        "answer.seep",
        "I(s; o) <= 0.1 bits",
        "--over",
        "q",
        "--minimize",
        "P(lie)",
        "--format",
        "svg",
        inside=folder,
    )
    assert done.exit_code == 0
    assert Xml.fromstring(done.stdout).tag.endswith("svg")
    assert "I(s; o) (bits)" in done.stdout


@pytest.mark.variation(of="test_boxes_fill_the_rectangle_and_say_what_is_true_at_random_points")
def test_two_parameters_are_told_as_text_json_and_csv(folder: Path) -> None:
    asked = ("tune", "answer.seep", "V(s | o) <= 3/4", "--over", "p=0..1/2")
    told = json.loads(run(*asked, "--over", "q", "--format", "json", inside=folder).stdout)
    assert told["parameters"] == ["p", "q"]
    assert sum(map(Fraction, told["shares"].values())) == 1
    assert {box["told"] for box in told["boxes"]} == {"holds", "violated", "border"}

    # A rectangle without a border takes next to nothing: V is below 3/4 in all of it.
    easy = (*asked[:-1], "p=7/16..1/2", "--over", "q=7/16..1/2")
    boxes = json.loads(run(*easy, "--format", "json", inside=folder).stdout)["boxes"]
    rows = list(csv.DictReader(run(*easy, "--format", "csv", inside=folder).stdout.splitlines()))
    assert len(rows) == len(boxes) > 0
    assert run(*easy, inside=folder).stdout.startswith("V(s | o) <= 3/4 is proved for ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--over", "p", "--over", "p"),
        ("--over", "p", "--over", "q", "--over", "p"),
        ("--over", "p", "--over", "q", "--format", "svg"),
        ("--over", "p", "--format", "csv"),
    ],
)
def test_wrong_use(folder: Path, arguments: tuple[str, ...]) -> None:
    assert run("tune", "answer.seep", "V(s | o) <= 3/4", *arguments, inside=folder).exit_code == 2


@pytest.mark.parametrize("over", ["n", "n=1..x", "n=3..1", "n=1..500", "m=1..2"])
def test_wrong_values_of_a_constant(folder: Path, over: str) -> None:
    assert run("tune", "poll.seep", "P(lost) <= 1", "--over", over, inside=folder).exit_code == 2
