"""Arrays, loops that are left early and local draws against enumeration of all values that are drawn."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

import seepage

Values = Sequence[int]
AT = 2  # the number that elements are compared with


def left_early(values: Values) -> int:
    told = 0
    for each in values:
        if each == AT:
            continue
        if told > 1:
            break
        told += each + 1
    return told


EXPRESSIONS: dict[str, Callable[[Values], int | Fraction]] = {
    "max(xs)": max,
    "min(xs)": min,
    f"sum(x for x in xs if x > {AT})": lambda values: sum(each for each in values if each > AT),
    f"count(x == {AT} for x in xs)": lambda values: sum(each == AT for each in values),
    f"any(x == {AT} for x in xs)": lambda values: int(AT in values),
    "all(x >= 1 for x in xs)": lambda values: int(min(values) >= 1),
    "argmax(xs)": lambda values: values.index(max(values)),
    "argmin(xs)": lambda values: values.index(min(values)),
    "mean(xs)": lambda values: Fraction(sum(values), len(values)),
    "ys[0] + 4*ys[1]": lambda values: sorted(values)[0] + 4 * sorted(values)[1],
    f"xs[0] in {{{AT}, 0..1}}": lambda values: int(values[0] in (AT, 0, 1)),
    "sum(xs[0..1])": lambda values: values[0] + values[1],
    "xs[xs[0] % 2]": lambda values: values[values[0] % 2],
    "max(xs[i] + i for i in 0..1)": lambda values: max(values[0], values[1] + 1),
    "popcount(xs[0] + 4)": lambda values: (values[0] + 4).bit_count(),
    "same(xs[0] < 2, xs[1] == 0)": lambda values: int((values[0] < 2) == (values[1] == 0)),
}


def program(highest: Sequence[int]) -> str:
    draws = "".join(f"u{place} ~ uniform_int(0, {high})\n" for place, high in enumerate(highest))
    names = ", ".join(f"u{place}" for place in range(len(highest)))
    told = "".join(f"e{place} := {text}\n" for place, text in enumerate(EXPRESSIONS))
    return (
        f"def same(a, b) {{ return a == b }}\n{draws}xs := [{names}]\nys := sort(xs)\n{told}w := 0\n"
        f"for i in 0..{len(highest) - 1} {{ if xs[i] == {AT} {{ continue }} if w > 1 {{ break }} w := w + xs[i] + 1 }}\n"
        "def near(a) { n ~ uniform_int(-2, 2) observe a + n >= 0 observe a + n <= 2 return a + n }\n"
        "z ~ near(u0 % 3)\ny ~ uniform_int(0, 3) given y != u0\n"
    )


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(6))
def test_means_are_those_of_all_values(seed: int) -> None:
    chance = random.Random(seed)
    highest = [chance.randint(1, 3) for _ in range(2 + seed % 3)]
    asked = seepage.parse(program(highest))
    drawn = list(itertools.product(*(range(high + 1) for high in highest)))
    right: dict[str, list[int | Fraction]] = {
        f"e{place}": [value(each) for each in drawn] for place, value in enumerate(EXPRESSIONS.values())
    }
    right["w"] = [left_early(each) for each in drawn]
    near = [[a + n for n in range(-2, 3) if 0 <= a + n <= 2] for a in (each[0] % 3 for each in drawn)]
    right["z"] = [Fraction(sum(passed), len(passed)) for passed in near]
    right["y"] = [Fraction(6 - each[0], 3) for each in drawn]

    assert not [one for one in asked.diagnostics if one.is_error]
    for name, values in right.items():
        found = asked.measure(f"E({name})").value
        assert found == pytest.approx(float(sum(map(Fraction, values), Fraction(0)) / len(drawn)), abs=1e-12), name
