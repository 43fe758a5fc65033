"""Chances that are drawn: against closed forms, and against the same program at the nodes of a quadrature that is exact for polynomials."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, factorial, log2, prod

import pytest
from scipy.special import roots_jacobi

import seepage


def rising(start: int, count: int) -> int:
    return prod(start + at for at in range(count))


def beta_binomial(n: int, k: int, a: int, b: int) -> Fraction:
    return Fraction(comb(n, k) * rising(a, k) * rising(b, n - k), rising(a + b, n))


def test_a_binomial_law_of_a_beta_chance_is_beta_binomial() -> None:
    program = seepage.parse("output n\nu ~ beta(2, 5)\nn ~ binomial(6, u)\n")
    law = [beta_binomial(6, k, 2, 5) for k in range(7)]

    assert [program.measure(f"P(n == {k})").exact for k in range(7)] == law
    assert program.measure("E(n)").exact == Fraction(6 * 2, 7)
    assert program.measure("H(n)").value == pytest.approx(-sum(each * log2(each) for each in law), rel=1e-14)


def test_draws_by_a_uniform_chance_are_those_of_an_urn() -> None:
    """Laplace's rule of succession: after k successes in n draws the next one has chance (k + 1)/(n + 2)."""
    text = "u ~ uniform(0, 1)\n" + "".join(f"x[{at}] ~ flip(u)\n" for at in range(4)) + "k := x[0] + x[1] + x[2]\n"
    program = seepage.parse(text)

    for k in range(4):
        assert program.measure(f"P(x[3] | k == {k})").exact == Fraction(k + 1, 5)


@pytest.mark.parametrize("shapes", [(1, 2, 3), (4, 1), (2, 1, 1, 1)])
def test_counts_by_shares_of_a_dirichlet_law_are_dirichlet_multinomial(shapes: tuple[int, ...]) -> None:
    total, n = sum(shapes), 3
    listed = ", ".join(map(str, shapes))
    program = seepage.parse(f"w ~ dirichlet({listed})\nn ~ multinomial({n}, w)\nc ~ categorical(w)\n")

    for counts in product(range(n + 1), repeat=len(shapes)):
        if sum(counts) == n:
            event = " and ".join(f"n[{at}] == {count}" for at, count in enumerate(counts))
            ways = factorial(n) // prod(map(factorial, counts))
            wanted = Fraction(ways * prod(map(rising, shapes, counts)), rising(total, n))
            assert program.measure(f"P({event})").exact == wanted
            after = Fraction(shapes[0] + counts[0], total + n)
            assert program.measure(f"P(c == 0 | {event})").exact == after


PROGRAMS = [
    ("secret s\ns ~ flip(1/3)\nif s { o ~ flip(u) } else { o ~ binomial(2, 1 - u) }\nobserve o < 2 or s", ("P(s)", "I(s; o)", "V(s | o)")),
    ("secret s\ns ~ uniform_int(0, 2)\nt ~ {0: u * v, 1: (1 - u) * v, 2: 1 - v}\no := (s + t) % 3\nx ~ flip(u^2)", ("P(x and o == 1)", "H(o, x | s)", "P(t == 1 | x)")),
    ("q := u * (1 - v)\na ~ flip(q)\nb ~ binomial(3, q)\nc ~ flip(v)", ("P(a and b == 2)", "P(c | a)", "E(b)", "Var(b)")),
]  # fmt: skip


@pytest.mark.parametrize(("rest", "measures"), PROGRAMS)
def test_masses_are_means_over_the_chances(rest: str, measures: tuple[str, ...]) -> None:
    """Of P under no event and no observation the mean itself; of all else by a mixture over the nodes, which has the same joint law of what is discrete."""
    found = seepage.parse(f"u ~ beta(2, 3)\nv ~ uniform(1/4, 3/4)\n{rest}\n")
    nodes, weights = roots_jacobi(6, 2, 1)  # (1 - x)^2 (1 + x) on [-1, 1]: beta(2, 3) on [0, 1]
    us = [(Fraction((1 + x) / 2), Fraction(w / weights.sum())) for x, w in zip(nodes, weights, strict=True)]
    nodes, weights = roots_jacobi(6, 0, 0)
    vs = [(Fraction((2 + x) / 4), Fraction(w / weights.sum())) for x, w in zip(nodes, weights, strict=True)]
    mixed = seepage.parse(f"{_one_of('u', us)}\n{_one_of('v', vs)}\n{rest}\n")

    for measure in measures:
        told = found.measure(measure)
        assert told.value == pytest.approx(mixed.measure(measure).value, rel=1e-10, abs=1e-12), measure
        assert told.certainty is not seepage.Certainty.APPROXIMATE


def _one_of(name: str, law: list[tuple[Fraction, Fraction]]) -> str:
    """Draw a value of a finite law, whose weights are rounded and made to sum to 1."""
    rest = 1 - sum(weight for _, weight in law[:-1])
    entries = [f"{value}: {weight}" for value, weight in law[:-1]] + [f"{law[-1][0]}: {rest}"]
    return f"{name} ~ {{{', '.join(entries)}}}"


@pytest.mark.parametrize(
    "text",
    [
        "u ~ uniform(0, 2)\nx ~ flip(u)\n",  # no chance
        "u ~ uniform(0, 1)\nx ~ flip(2 * u)\n",
        "u ~ uniform(0, 1)\nx ~ {0: u, 1: u}\n",
        "x ~ flip(u)\nu ~ uniform(0, 1)\n",
    ],
)
def test_what_is_no_chance_everywhere_is_not_averaged(text: str) -> None:
    try:
        told = seepage.parse(text).measure("P(x == 1)")
    except seepage.MeasureError:
        return
    assert text.startswith("x")  # before it is drawn, the chance is 0
    assert told.value == 0
