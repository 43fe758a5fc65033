"""What a sum tells of a secret of many parts behind independent noise: against entropies of laws that are convolved as integers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from math import comb

import pytest

import seepage
from seepage.measures.result import Certainty

Law = Mapping[int, Fraction]


def bits(law: Law) -> float:
    """Return an entropy."""
    return -sum(float(p) * math.log2(p.numerator / p.denominator) for p in law.values() if p)


def binomial(n: int, step: int = 1) -> Law:
    return {step * k: Fraction(comb(n, k), 2**n) for k in range(n + 1)}


def added(one: Law, other: Law) -> Law:
    found: dict[int, Fraction] = {}
    for a, p in one.items():
        for b, q in other.items():
            found[a + b] = found.get(a + b, Fraction(0)) + p * q
    return found


WORD = """
secret d
output time
d ~ uniform_int(0, 2^{n} - 1)
time := 0
for i in 0..{last} {{
    j ~ uniform_int(0, 1)
    time := time + 1 + j
    if shift_right(d, i) % 2 == 1 {{ time := time + 2 }}
}}
"""
ARRAY = """
secret d
output time
time := 0
for i in 0..{last} {{
    d[i] ~ flip(1/2)
    j ~ uniform_int(0, 1)
    time := time + 1 + j + (if d[i] == 1 then 2 else 0)
}}
"""


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("text", "n"), [(WORD, 8), (WORD, 20), (WORD, 64), (ARRAY, 8), (ARRAY, 64)])
def test_noisy_timing_of_square_and_multiply(text: str, n: int) -> None:
    """Short ones are enumerated, by the same program text."""
    program = seepage.parse(text.format(n=n, last=n - 1))
    told = bits(added(binomial(n), binomial(n, 2))) - bits(binomial(n))
    for measure, value in (("I(d; time)", told), ("H(d | time)", n - told)):
        found = program.measure(measure)
        assert found.certainty is Certainty.EXACT
        assert found.value == pytest.approx(value, abs=1e-9)


def test_a_secret_of_unlike_parts_with_noise_that_is_drawn_again() -> None:
    text = """
    secret a, b
    output o
    for i in 1..12 { a[i] ~ flip(1/2) }
    b ~ uniform_int(0, 99)
    o := 3 * b
    for i in 1..12 { n ~ uniform_int(-1, 1)  o := o + a[i] - n }
    """
    noise: Law = {0: Fraction(1)}
    for _ in range(12):
        noise = added(noise, {k: Fraction(1, 3) for k in (-1, 0, 1)})
    flips, price = binomial(12), {3 * k: Fraction(1, 100) for k in range(100)}
    whole = bits(added(added(price, flips), noise))
    program = seepage.parse(text)
    assert program.measure("I(b; o)").value == pytest.approx(whole - bits(added(flips, noise)), abs=1e-9)
    assert program.measure("I(a; o)").value == pytest.approx(whole - bits(added(price, noise)), abs=1e-9)
    assert program.measure("I(a, b; o)").value == pytest.approx(whole - bits(noise), abs=1e-9)


def test_noise_that_the_secret_scales_is_not_independent() -> None:
    """Given the number k of ones, the sum is binomial with k trials: not what is left at one value of the secret."""
    text = """
    secret d
    output o
    o := 0
    for i in 1..20 { d[i] ~ flip(1/2)  j ~ flip(1/2)  if d[i] == 1 { o := o + j } }
    """
    left = sum(comb(20, k) / 2**20 * bits(binomial(k)) for k in range(21))
    law = {k: Fraction(comb(20, k) * 3 ** (20 - k), 4**20) for k in range(21)}
    found = seepage.parse(text).measure("I(d; o)")
    assert found.lower - 1e-9 <= bits(law) - left <= found.upper + 1e-9
