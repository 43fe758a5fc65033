"""One bit that goes one way with a wide secret: against numbers summed over all rows of the channel, and the direction against enumeration."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import exp, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.engines.programs import core_of

import seepage
from seepage.exact import Number, compare
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.evaluate import evaluate
from seepage.semantics.monotone import direction
from seepage.syntax.tree import Name

Row = NDArray[np.float64]
S, U = 2_048, 1_024  # values of the secret and of the other draw: together more than are followed one by one


Truth = NDArray[np.bool_]

TOLD: dict[str, Callable[[Row, Row], Truth]] = {
    "2 * u <= s": lambda s, u: 2 * u <= s,
    "s - 5 > u and s > 9": lambda s, u: (s - 5 > u) & (s > 9),
}


def rows(told: str) -> Row:
    """Return the chance of the bit for each value of the secret."""
    s, u = np.arange(float(S))[:, None], np.arange(float(U))[None, :]
    return np.asarray(TOLD[told](s, u).mean(axis=1))


def entropy(chance: Row) -> Row:
    return np.asarray(sum(-each * np.log2(np.where(each > 0, each, 1)) for each in (chance, 1 - chance)))


@pytest.mark.variation(of="test_a_comparison_of_two_words_has_its_numbers_at_every_width")
@pytest.mark.parametrize("told", TOLD)
def test_only_the_ends_of_the_secret_matter(told: str) -> None:
    text = f"secret s\noutput o\ns ~ uniform_int(0, {S - 1})\nu ~ uniform_int(0, {U - 1})\no := {told}\n"
    program = seepage.parse(text)
    ones = rows(told)
    columns = (ones, 1 - ones)
    guesses = sum(float((np.sort(each / S)[::-1] * np.arange(1, S + 1)).sum()) for each in columns)
    shares = np.linspace(0, 1, 20_001)
    low, high = ones.min(), ones.max()
    mixed = entropy((1 - shares) * low + shares * high)
    capacity = float((mixed - (1 - shares) * entropy(np.array(low)) - shares * entropy(np.array(high))).max())
    with np.errstate(divide="ignore"):
        loss = max(float(np.log(each.max() / each.min())) for each in columns)
    excess = max(float(each.max() - exp(0.5) * each.min()) for each in columns)
    assert program.measure("Guess(s | o)").value == pytest.approx(guesses, rel=1e-12)
    assert program.measure("C(s -> o)").value == pytest.approx(capacity, abs=1e-7)
    assert program.measure("DP(s -> o)").value == pytest.approx(loss, rel=1e-12)
    assert program.measure("Delta(s -> o, eps=1/2)").value == pytest.approx(excess, rel=1e-12)
    assert program.measure("Cmin(s -> o)").value == pytest.approx(log2(sum(each.max() for each in columns)), rel=1e-12)
    information = entropy(np.array(ones.mean())) - entropy(ones).mean()
    assert program.measure("I(s; o)").value == pytest.approx(float(information), rel=1e-9)


@pytest.mark.parametrize("bits", [12, 20, 64])
def test_a_comparison_of_two_words_has_its_numbers_at_every_width(bits: int) -> None:
    count = 2**bits
    text = "secret s\noutput o\n" + "".join(f"{name} ~ uniform_int(0, {count - 1})\n" for name in "su") + "o := s < u\n"
    program = seepage.parse(text)
    # s stands before s values where s < u, which it is with chance (n - 1 - s) / n, and else before n - 1 - s values.
    squares = (count - 1) * count * (2 * count - 1) // 6
    guesses = 1 + Fraction((2 * count - 1) * (count - 1) * count // 2 - 2 * squares, count * count)
    assert program.measure("P(o)").exact == Fraction(count - 1, 2 * count)
    assert program.measure("V(s | o)").exact == Fraction(2 * count - 1, count * count)
    if bits <= 20:  # beyond, the same sums take seconds
        assert program.measure("Guess(s | o)").exact == guesses


ATOMS = st.sampled_from(("s", "a", "b", "3", "0"))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0:
        return draw(ATOMS)
    parts = st.deferred(lambda: expressions(depth - 1))
    form = draw(
        st.sampled_from(
            ("{} + {}", "{} - {}", "-({})", "2 * ({})", "min({}, {})", "max({}, {})", "floor({})", "({}) * ({})")
        )
    )
    return "(" + form.format(*(draw(parts) for _ in range(form.count("{}")))) + ")"


@given(expressions(), expressions(), st.sampled_from(("<", "<=", ">", ">=", "==")), st.sampled_from(("{}", "not {}")))
@settings(deadline=None)
def test_what_is_said_to_go_one_way_does(left: str, right: str, sign: str, form: str) -> None:
    bit = form.format(f"({left} {sign} {right})")
    text = f"secret s\noutput o\ns ~ uniform_int(0, 4)\na ~ uniform_int(-1, 1)\nb ~ uniform_int(0, 2)\nx := {left}\no := {bit}\n"
    core = core_of(text)
    for name in ("x", "o"):
        if (way := direction(core.statements, "s", name)) is None:
            continue
        for a, b in ((-1, 0), (0, 2), (1, 1)):
            seen = [values(core, s, a, b)[name] for s in range(5)]
            steps = [compare(later, sooner) for sooner, later in pairwise(seen)]
            assert all(step * way >= 0 for step in steps) if way else not any(steps)


def values(core: CoreProgram, s: int, a: int, b: int) -> dict[str, Number]:
    """Return the values of all variables at the end of a run."""
    known: dict[str, Number] = {"s": s, "a": a, "b": b}
    for statement in core.statements:
        if isinstance(statement, CoreAssign) and isinstance(statement.target, Name):
            known[statement.target.id] = evaluate(statement.value, known)
    return known
