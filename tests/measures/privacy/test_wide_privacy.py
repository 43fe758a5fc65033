"""``DP`` and ``Delta`` of secrets from huge ranges: k-ary randomized response in closed form, and other programs over small ranges value by value."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

import pytest
from tests.measures.ranges.range_answers import answer

import seepage
from seepage.engines.forward import class_widths

RESPONSE = """secret s
output o
s ~ uniform_int(0, {last})
r ~ uniform_int(0, {last})
t ~ bernoulli({p})
o := if t then {told} else r
"""


def response(count: int, p: str = "1/2", told: str = "s") -> seepage.Program:
    return seepage.parse(RESPONSE.format(last=count - 1, p=p, told=told))


@pytest.mark.parametrize("count", [5_000, 2**64])
@pytest.mark.parametrize(("p", "kept"), [("1/2", 0.5), ("1/10", 0.1), ("exp(-1)", math.exp(-1))])
@pytest.mark.parametrize("told", ["s", "{last} - s"])
def test_randomized_response_has_its_loss_whatever_the_range(count: int, p: str, kept: float, told: str) -> None:
    program = response(count, p, told.format(last=count - 1))
    other = (1 - kept) / count

    assert program.measure("DP(s -> o)").value == pytest.approx(math.log((kept + other) / other), rel=1e-12)
    assert program.measure("DP(s -> o, delta=1/20)").value == pytest.approx(
        math.log((kept + other - 0.05) / other), rel=1e-12
    )
    assert program.measure("Delta(s -> o, eps=1)").value == pytest.approx(kept + other - math.e * other, rel=1e-12)


def test_budgets_are_judged_by_that_loss() -> None:
    text = RESPONSE.format(last=2**64 - 1, p="1/2", told="s")  # ln(2^64 + 1) is 44.36

    assert [answer(text, f"DP(s -> o) <= {bound}")[0] for bound in ("44.4", "44.3")] == ["holds", "violated"]


def loss(rows: dict[int, dict[int, Fraction]]) -> float:
    worst = Fraction(1)
    for one, other in permutations(rows, 2):
        for output, chance in rows[one].items():
            if output not in rows[other]:
                return math.inf
            worst = max(worst, chance / rows[other][output])
    return math.log(worst)


def excess(rows: dict[int, dict[int, Fraction]], factor: float) -> float:
    return max(
        sum(max(0.0, float(p) - factor * float(rows[other].get(output, 0))) for output, p in rows[one].items())
        for one, other in permutations(rows, 2)
    )


WRITTEN: tuple[tuple[str, str, Callable[[int, int, int, int], int | None]], ...] = (
    ("", "if t then s else r", lambda s, r, t, n: s if t else r),
    ("observe s != r\n", "if t then s else r", lambda s, r, t, n: None if s == r else s if t else r),
    ("", "if s == r then 0 else r", lambda s, r, t, n: 0 if s == r else r),
    ("", "if t then s + 2 else r", lambda s, r, t, n: s + 2 if t else r),
    ("", "if t then r else if s < 3 then s else r", lambda s, r, t, n: r if t or s >= 3 else s),
    ("", "if t then LAST - r else s", lambda s, r, t, n: n - 1 - r if t else s),
    ("", "s", lambda s, r, t, n: s),
    ("", "(s + r) % COUNT", lambda s, r, t, n: (s + r) % n),
    ("observe s != r\n", "r", lambda s, r, t, n: None if s == r else r),
)


@pytest.mark.parametrize(("observed", "told", "function"), WRITTEN)
@pytest.mark.parametrize("count", [5, 8])
def test_comparisons_of_huge_values_obey_the_law_of_small_ones(
    observed: str, told: str, function: Callable[[int, int, int, int], int | None], count: int
) -> None:
    joint: dict[int, dict[int, int]] = {}
    for s, r, t in product(range(count), range(count), (0, 0, 1)):  # a coin of 1/3
        output = function(s, r, t, count)
        if output is not None:
            row = joint.setdefault(s, {})
            row[output] = row.get(output, 0) + 1
    rows = {s: {o: Fraction(many, sum(row.values())) for o, many in row.items()} for s, row in joint.items()}
    written = told.replace("LAST", str(count - 1)).replace("COUNT", str(count))
    text = (
        f"s ~ uniform_int(0, {count - 1})\nr ~ uniform_int(0, {count - 1})\n"
        f"t ~ bernoulli(1/3)\n{observed}o := {written}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "WIDE", 3)
        program = seepage.parse(text)
        assert program.measure("DP(s -> o)").value == pytest.approx(loss(rows), abs=1e-12)
        assert program.measure("Delta(s -> o, eps=1/2)").value == pytest.approx(excess(rows, math.exp(0.5)), abs=1e-12)


def test_a_value_that_an_output_never_shows_has_no_bound() -> None:
    program = seepage.parse("s ~ uniform_int(0, 2^64 - 1)\nb ~ bernoulli(1/2)\no := s + b * 2^64\n")

    assert program.measure("DP(s -> o)").value == math.inf


def test_many_values_that_nothing_tells_apart_are_not_called_one() -> None:
    program = seepage.parse("s ~ uniform_int(0, 9999)\nr ~ uniform_int(0, 9999)\no := (s + r) % 10000\n")

    hidden = program.measure("DP(s -> o)")
    capacity = program.measure("C(s -> o)")

    assert hidden.exact == capacity.exact == 0
    assert not any("neighbours" in note for note in hidden.notes)
    assert not capacity.witness
