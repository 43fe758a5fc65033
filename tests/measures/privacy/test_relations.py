"""Neighbours that a call states, and losses for each unit of a metric, against enumeration of all pairs, closed forms and quadrature."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

import pytest
from tests.measures.ranges.range_answers import answer

import seepage

Point = tuple[int, ...]
Rows = dict[Point, list[Fraction]]

_METRICS: dict[str, Callable[[Point, Point], float]] = {
    "difference": lambda v, w: sum(abs(a - b) for a, b in zip(v, w, strict=True)),
    "places": lambda v, w: sum(a != b for a, b in zip(v, w, strict=True)),
    "euclid": math.dist,
}


def _random_rows(chance: random.Random, points: list[Point], outputs: int) -> Rows:
    rows: Rows = {}
    for point in points:
        weights = [chance.choice([0, 1, 1, 2, 3, 5]) if chance.random() < 0.1 else chance.randint(1, 9)] + [
            chance.randint(1, 9) for _ in range(outputs - 1)
        ]
        rows[point] = [Fraction(weight, sum(weights)) for weight in weights]
    return rows


def _program(rows: Rows, sides: list[int]) -> str:
    names = ["x", "y"][: len(sides)]
    lines = [f"{name} ~ uniform_int(0, {side - 1})" for name, side in zip(names, sides, strict=True)]
    for point, row in rows.items():
        condition = " and ".join(f"{name} == {value}" for name, value in zip(names, point, strict=True))
        law = ", ".join(f"{output}: {chance}" for output, chance in enumerate(row) if chance)
        lines.append(f"if {condition} {{ o ~ {{{law}}} }}")
    return "\n".join(lines)


def _excess(one: list[Fraction], other: list[Fraction], epsilon: float) -> float:
    return sum(max(0.0, float(a) - math.exp(epsilon) * float(b)) for a, b in zip(one, other, strict=True))


def _loss(one: list[Fraction], other: list[Fraction], delta: float) -> float:
    if delta == 0:
        ratios = [math.inf if b == 0 else float(a / b) for a, b in zip(one, other, strict=True) if a]
        return math.log(max(ratios))
    if float(sum(a for a, b in zip(one, other, strict=True) if b == 0)) > delta:
        return math.inf
    low, high = 0.0, 60.0
    if _excess(one, other, 0) <= delta:
        return 0.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _excess(one, other, middle) > delta else (low, middle)
    return high


def _is(found: seepage.Result, expected: float) -> bool:
    assert found.lower is not None
    assert found.upper is not None
    if math.isinf(expected):
        return found.lower == math.inf
    return found.lower - 1e-9 <= expected <= found.upper + 1e-9 and found.upper - found.lower < 1e-6


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(8))
def test_random_channels_are_as_enumeration_says(seed: int) -> None:
    chance = random.Random(seed)
    sides = chance.choice([[4], [5], [2, 3], [3, 3]])
    points = list(product(*(range(side) for side in sides)))
    rows = _random_rows(chance, points, chance.randint(2, 4))
    program = seepage.parse(_program(rows, sides))
    asked = ", ".join(["x", "y"][: len(sides)]) + " -> o"
    every = list(permutations(points, 2))

    for name, metric in _METRICS.items():
        for delta in (Fraction(0), Fraction(1, 10)):
            per_unit = max(_loss(rows[v], rows[w], float(delta)) / metric(v, w) for v, w in every)
            given = f", delta={delta}" if delta else ""
            assert _is(program.measure(f"DP({asked}, metric={name}{given})"), per_unit), (name, delta)
        near = [_loss(rows[v], rows[w], 0) for v, w in every if metric(v, w) <= 1.5]
        assert _is(program.measure(f"DP({asked}, metric={name}, distance=3/2)"), max(near)), name

    some = chance.sample(every, 4)
    stated = "{" + ", ".join(f"({_written(v)}, {_written(w)})" for v, w in some) + "}"
    assert _is(program.measure(f"DP({asked}, neighbours={stated})"), max(_loss(rows[v], rows[w], 0) for v, w in some))
    worst = max(_excess(rows[v], rows[w], 0.25) for v, w in some)
    assert _is(program.measure(f"Delta({asked}, neighbours={stated}, eps=1/4)"), worst)
    squares = [
        sum(math.inf if not b else float(a * a / b) for a, b in zip(rows[v], rows[w], strict=True) if a)
        for v, w in some
    ]
    assert _is(program.measure(f"Renyi({asked}, neighbours={stated}, alpha=2)"), math.log(max(squares)))

    distances = {frozenset(pair): chance.randint(1, 5) for pair in some}
    table = "{" + ", ".join(f"({_written(v)}, {_written(w)}): {distances[frozenset((v, w))]}" for v, w in some) + "}"
    both = [(v, w) for pair in distances for v, w in permutations(pair, 2)]
    least = max(_loss(rows[v], rows[w], 0) / distances[frozenset((v, w))] for v, w in both)
    assert _is(program.measure(f"DP({asked}, metric={table})"), least)


def _written(point: Point) -> str:
    return str(point[0]) if len(point) == 1 else "(" + ", ".join(map(str, point)) + ")"


def test_the_order_of_stated_neighbours_counts() -> None:
    program = seepage.parse("x ~ flip(1/2)\nif x { o := 1 } else { o ~ flip(1/2) }")

    assert _is(program.measure("DP(x -> o, neighbours={(1, 0)})"), math.log(2))
    assert _is(program.measure("DP(x -> o, neighbours={(0, 1)})"), math.inf)


_GRID = """
x ~ uniform_int(0, 9)
y ~ uniform_int(0, 9)
n ~ discrete_laplace(1/2)
m ~ discrete_laplace({})
ox := min(max(x + n, 0), 9)
oy := min(max(y + m, 0), 9)
"""


@pytest.mark.variation(of="test_random_channels_are_as_enumeration_says")
@pytest.mark.parametrize(("scale", "straight"), [("1/2", math.sqrt(8)), ("1", math.sqrt(5))])
def test_coordinates_behind_their_own_noise(scale: str, straight: float) -> None:
    """2 and 1/scale for each unit of each coordinate. Where the losses are linear, Cauchy and Schwarz bound those along a line by the root of
    the sum of their squares, which is reached in the direction in which coordinates differ as their losses do: (1, 1) and (2, 1)."""
    program = seepage.parse(_GRID.format(scale))

    assert _is(program.measure("DP(x, y -> ox, oy, metric=difference)"), 2)
    assert _is(program.measure("DP(x, y -> ox, oy, metric=places)"), 18)
    assert _is(program.measure("DP(x, y -> ox, oy, metric=euclid)"), straight)


def _of_normal(distance: float, epsilon: float) -> float:
    """Return the excess of two normal laws of variance 1 some distance apart (Balle and Wang 2018, theorem 5)."""
    half, ratio = distance / 2, epsilon / distance
    return _tail(ratio - half) - math.exp(epsilon) * _tail(ratio + half)


def _tail(z: float) -> float:
    return math.erfc(z / math.sqrt(2)) / 2


def test_of_inputs_from_a_range_the_ends_are_worst_for_each_unit() -> None:
    program = seepage.parse("x ~ uniform(0, 3)\nn ~ normal(0, 1)\nl ~ laplace(0, 2)\no := x + n\nq := 2 * x + l")
    found = program.measure("DP(x -> o, metric=difference, delta=1/100)")
    assert found.value is not None

    assert abs(_of_normal(3, 3 * found.value) - 1 / 100) < 1e-9
    assert all(_of_normal(d / 10, d / 10 * found.value) <= 1 / 100 for d in range(1, 30))
    assert _is(program.measure("DP(x -> q, metric=euclid)"), 1)
    assert _is(program.measure("DP(x -> q, metric=euclid, delta=1/100)"), (3 + 2 * math.log(0.99)) / 3)
    assert _is(program.measure("DP(x -> q, neighbours={(0, 1), (1, 3)})"), 2)


def test_stated_values_lie_within_a_continuous_input() -> None:
    program = seepage.parse("x ~ uniform(1, 3)\nn ~ laplace(0, 2)\no := x + n\nq := min(x + n, 2)\n")

    assert _is(program.measure("DP(x -> o, neighbours={(1, 3)})"), 1)
    clamped = program.measure("DP(x -> q, neighbours={(1, 3)})")
    assert clamped.lower == 0
    assert clamped.upper == pytest.approx(1, abs=1e-12)
    for outside in ("(0, 1)", "(2, 4)"):
        with pytest.raises(seepage.MeasureError):
            program.measure(f"DP(x -> o, neighbours={{{outside}}})")


def test_a_clamp_may_hide_what_tells_stated_values_apart() -> None:
    """At 100 the output is 1 for all but certain, so that the loss with a delta is 0; of values anywhere it is that of the noise."""
    program = seepage.parse("x ~ normal(0, 9)\nn ~ normal(0, 1)\no := max(min(x + n, 1), 0)\n")
    found = program.measure("DP(x -> o, neighbours={(100, 101)}, delta=1/100)")

    assert found.lower == 0
    assert _of_normal(1, found.upper or 0) == pytest.approx(1 / 100, abs=1e-9)


def test_of_inputs_from_the_whole_line_a_delta_changes_nothing() -> None:
    program = seepage.parse("x ~ normal(0, 1)\nn ~ normal(0, 1)\nl ~ laplace(0, 2)\no := x + n\nq := 3 * x + l")

    assert _is(program.measure("DP(x -> q, metric=difference, delta=1/100)"), 1.5)
    assert _is(program.measure("DP(x -> q, metric=difference)"), 1.5)
    assert _is(program.measure("DP(x -> o, metric=difference, delta=1/100)"), math.inf)


@pytest.mark.variation(of="test_random_channels_are_as_enumeration_says")
def test_many_releases_between_stated_neighbours() -> None:
    """0 and 1 are at distance 1, so that 100 normal releases are one whose values are 10/σ apart."""
    text = "s ~ uniform_int(0, 2)\nfor i in 1..100 { n[i] ~ normal(0, 100)\n o[i] := s + n[i] }"
    found = seepage.parse(text).measure("DP(s -> o, neighbours={(0, 1)}, delta=1e-5)")
    assert found.value is not None

    assert abs(_of_normal(1, found.value) - 1e-5) < 1e-9


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("DP(x -> o, metric=euklid)", "no metric"),
        ("DP(x -> o, metric=1)", "no metric"),
        ("DP(x -> o, metric={0: 1})", "an entry of a metric is"),
        ("DP(x -> o, metric={(0, 1): 1, (1, 0): 2})", "second distance"),
        ("DP(x -> o, metric={(0, 0): 1})", "from itself"),
        ("DP(x -> o, metric={(0, 1): -1})", "expected a positive number"),
        ("DP(x -> o, neighbours={0, 1})", "is a pair"),
        ("DP(x -> o, neighbours=2)", "expected neighbours="),
        ("DP(x -> o, neighbours={(1, 1)})", "beside itself"),
        ("DP(x -> o, neighbours={(0, 7)})", "found 7, expected a value that 'x' may have"),
        ("DP(x -> o, neighbours={((0, 1), (1, 0))})", "expected 1, one for each input"),
        ("DP(x -> o, neighbours={(0, 1)}, distance=1)", "leave it out"),
        ("DP(x -> o, neighbours={(0, 1)}, metric=places)", "one of them"),
        ("Renyi(x -> o, metric=places, alpha=2)", "has no named argument"),
        ("DP(x -> o, metric=difference, distance=0)", "a positive number"),
    ],
)
def test_what_is_no_relation_is_told(measure: str, said: str) -> None:
    program = seepage.parse("x ~ uniform_int(0, 1)\no := x")
    with pytest.raises((seepage.MeasureError, ValueError), match=said):
        program.measure(measure)


def test_symbols_have_places_and_no_difference() -> None:
    text = 'x ~ {"red": 1/2, "blue": 1/2}\nt ~ flip(3/4)\nif t { o := x } else { o ~ {"red": 1/2, "blue": 1/2} }\n'
    program = seepage.parse(text + 'show DP(x -> o, metric=places)\nshow DP(x -> o, neighbours={("red", "blue")})')

    assert not program.diagnostics
    assert all(_is(program.measure(measure), math.log(7)) for measure in ("DP(x -> o, metric=places)",))
    shown = seepage.parse(text + "show DP(x -> o, metric=difference)")
    assert "SEEP423" in [one.rule.code for one in shown.diagnostics]


_ANSWER = """
param p in [1/4, 1/3] = 1/4
x ~ uniform_int(0, 2)
t ~ flip(p)
if t { o ~ uniform_int(0, 2) } else { o := x }
"""


@pytest.mark.parametrize(
    ("budget", "verdict"),
    [
        ("DP(x -> o, neighbours={(0, 1)}) <= log(10)", "holds"),
        ("DP(x -> o, neighbours={(0, 1)}) <= 2", "violated"),
        ("DP(x -> o, metric=difference) <= 1/100", "violated"),
    ],
)
def test_budgets_over_ranges_read_stated_neighbours(budget: str, verdict: str) -> None:
    """Of 0 against 1 the ratio is (3 − 2p)/p, 10 at p = 1/4, falling."""
    assert answer(_ANSWER, f"{budget} over p in [1/4, 1/3]")[0] == verdict


def test_strategies_read_stated_neighbours() -> None:
    """A choice that shows all of x tells 0 from 1 for certain; told apart are 1 and 2 by the choice 1 alone."""
    text = "x ~ uniform_int(0, 2)\nattacker g in 0..1\nt ~ flip(1/4)\no := (x <= g) xor t\n"

    assert _is(seepage.parse(text).measure("DP(x -> o, neighbours={(1, 2)})"), math.log(3))
    assert _is(seepage.parse(text).measure("DP(x -> o, metric=difference)"), math.log(3))
