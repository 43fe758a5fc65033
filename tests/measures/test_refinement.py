"""Refinement of channels against the Blackwell order by hand: for two inputs every convex function of the prior is decided at finitely many points."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from seepage import exact
from seepage.comparison import ChannelOrder, Version, channel_orders
from seepage.exact import Number
from seepage.measures.channels.channel import Channel
from seepage.measures.channels.feasibility import Column, Feasible, Infeasible, TooLargeSystem, solve
from seepage.measures.channels.refinement import NotRefined, Refined, Undecided, refinement
from seepage.program import parse

Matrix = Sequence[Sequence[Fraction]]


def channel(rows: Matrix) -> Channel[Number]:
    return Channel(
        {(exact.number(x),): {(exact.number(y),): exact.number(p) for y, p in enumerate(row) if p} for x, row in enumerate(rows)}
    )  # fmt: skip


def drawn(random_: random.Random, inputs: int, outputs: int) -> Matrix:
    rows = []
    for _ in range(inputs):
        weights = [random_.randint(0, 6) for _ in range(outputs)]
        weights[random_.randrange(outputs)] += 1
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    return rows


def product(a: Matrix, b: Matrix) -> Matrix:
    return [
        [sum((x * row[y] for x, row in zip(one, b, strict=True)), Fraction(0)) for y in range(len(b[0]))] for one in a
    ]


def vulnerability(rows: Matrix, prior: Sequence[Fraction]) -> Fraction:
    return sum(
        (max(p * x for p, x in zip(prior, column, strict=True)) for column in zip(*rows, strict=True)), Fraction(0)
    )


def is_blackwell_below(a: Matrix, b: Matrix) -> bool:
    """For two inputs: the chance of the best guess, at every prior where one of the two curves has a corner."""
    corners = {Fraction(0), Fraction(1)}
    for zero, one in (*zip(*a, strict=True), *zip(*b, strict=True)):
        if zero + one:
            corners.add(one / (zero + one))
    return all(vulnerability(b, (t, 1 - t)) <= vulnerability(a, (t, 1 - t)) for t in corners)


def gained(rows: Matrix, gain: Sequence[Sequence[Fraction]]) -> Fraction:
    """What the best guess gains on average, inputs equally likely; ``gain`` by guess, then by input."""
    best = (max(sum((g * x for g, x in zip(one, column, strict=True)), Fraction(0)) for one in gain) for column in zip(*rows, strict=True))  # fmt: skip
    return sum(best, Fraction(0)) / len(rows)


def shows(a: Matrix, b: Matrix) -> bool:
    """Whether B refines A, after the certificate was checked from the definitions alone."""
    found = refinement(channel(a), channel(b))
    inputs = [(exact.number(x),) for x in range(len(a))]
    if isinstance(found, Refined):
        outputs = [(exact.number(y),) for y in range(max(len(a[0]), len(b[0])))]
        after = [
            [found.after.get(k, {}).get(y, Fraction(0)) for y in outputs[: len(b[0])]] for k in outputs[: len(a[0])]
        ]
        assert product(a, after) == b
        return True
    assert isinstance(found, NotRefined)
    gain = [[row.get(x, Fraction(0)) for x in inputs] for row in found.gain.values()]
    gain.append([Fraction(0)] * len(inputs))
    assert gained(a, gain) == found.of_first
    assert gained(b, gain) == found.of_second
    assert found.of_first < found.of_second
    assert all(0 <= g <= 1 for row in gain for g in row)
    return False


@pytest.mark.variation(of="test_irrational_channels_are_decided_as_their_matrices_are_by_floats")
def test_two_inputs_are_decided_as_the_blackwell_order_by_corners() -> None:
    random_ = random.Random(7)
    answers = []
    for _ in range(10_000):
        a, b = (drawn(random_, 2, random_.randint(1, 4)) for _ in range(2))
        answers.append(shows(a, b))
        assert answers[-1] == is_blackwell_below(a, b)
    assert 2_000 < sum(answers) < 8_000


def test_what_is_made_of_a_channel_refines_it_whatever_its_size() -> None:
    random_ = random.Random(11)
    for _ in range(150):
        inputs, seen, made = (random_.randint(2, 6) for _ in range(3))
        a = drawn(random_, inputs, seen)
        b = product(a, drawn(random_, seen, made))
        assert shows(a, b)


def test_every_answer_about_larger_channels_has_a_certificate() -> None:
    random_ = random.Random(13)
    answers = [shows(drawn(random_, 4, 4), drawn(random_, 4, 3)) for _ in range(150)]
    assert not all(answers)


def test_a_channel_can_be_no_better_for_the_best_guess_and_yet_not_refined() -> None:
    """Alvim and others, The Science of Quantitative Information Flow, 2020: min-entropy leakage does not decide refinement; here by arithmetic."""
    half = Fraction(1, 2)
    a: Matrix = [[1, 0], [0, 1], [half, half]]  # type: ignore[list-item]
    b: Matrix = [[1, 0, 0], [half, half, 0], [0, half, half]]  # type: ignore[list-item]
    assert not shows(a, b)
    assert not shows(b, a)


def test_a_merge_of_outputs_is_the_same_as_one_output() -> None:
    third = Fraction(1, 3)
    split: Matrix = [[third, 2 * third, Fraction(0)], [Fraction(0), Fraction(0), Fraction(1)]]
    whole: Matrix = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    assert shows(split, whole)
    assert shows(whole, split)


def test_other_inputs_are_not_compared() -> None:
    found = refinement(channel(drawn(random.Random(1), 2, 2)), channel(drawn(random.Random(1), 3, 2)))
    assert isinstance(found, Undecided)


# --- linear systems ---------------------------------------------------------------------------------------------------


def test_systems_are_solved_or_refuted_with_proof() -> None:
    random_ = random.Random(3)
    kinds = set()
    for _ in range(400):
        rows, width = random_.randint(1, 4), random_.randint(1, 5)
        columns: list[Column] = [{row: fmpq(random_.randint(-3, 3)) for row in range(rows)} for _ in range(width)]
        right = [fmpq(random_.randint(0, 5)) for _ in range(rows)]
        found = solve(columns, right)
        kinds.add(type(found))
        if isinstance(found, Feasible):
            assert all(value >= 0 for value in found.values)
            for row in range(rows):
                assert sum((column[row] * value for column, value in zip(columns, found.values, strict=True)), fmpq(0)) == right[row]  # fmt: skip
        else:
            assert all(sum((column[row] * found.multipliers[row] for row in range(rows)), fmpq(0)) <= 0 for column in columns)  # fmt: skip
            assert sum((m * r for m, r in zip(found.multipliers, right, strict=True)), fmpq(0)) > 0
    assert kinds == {Feasible, Infeasible}


def test_a_system_beyond_the_limit_is_refused() -> None:
    with pytest.raises(TooLargeSystem, match="500 equations"):
        solve([{0: fmpq(1)}], [fmpq(1)] * 500)


# --- programs ---------------------------------------------------------------------------------------------------------


def orders(before: str, after: str) -> list[ChannelOrder]:
    first, second = (Version(parse(text).checked, {}) for text in (before, after))
    return list(channel_orders(first, second, 20.0))


def noisy(lie: str) -> str:
    return f"secret s\noutput o\ns ~ bernoulli(1/3)\nt ~ bernoulli({lie})\no := s xor t\n"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [("1/4", "1/8", "leakier"), ("1/8", "1/4", "less leaky"), ("1/4", "3/4", "the same"), ("0", "1/2", "less leaky")],
)
def test_randomized_answers_are_ordered_by_how_far_the_lie_is_from_a_half(
    before: str, after: str, expected: str
) -> None:
    assert [each.order for each in orders(noisy(before), noisy(after))] == [expected]


def test_the_gain_that_tells_programs_apart_is_what_the_measure_says() -> None:
    (found,) = orders(noisy("1/4"), noisy("1/8"))
    assert isinstance(found.no_worse, NotRefined)
    table = ", ".join(
        f"({exact.show(guess[0])}, {exact.show(x[0])}): {g}" for guess, row in found.no_worse.gain.items() for x, g in row.items()
    )  # fmt: skip
    text = "secret s\noutput o\ns ~ uniform_int(0, 1)\nt ~ bernoulli({})\no := s xor t\n"
    leaks = [parse(text.format(lie)).measure(f"G(s -> o, {{{table}}})") for lie in ("1/4", "1/8")]
    blind = max(sum(row.values()) for row in found.no_worse.gain.values()) / 2
    posterior = [float(blind) * 2**leak.number for leak in leaks]
    assert posterior == pytest.approx([float(found.no_worse.of_first), float(found.no_worse.of_second)])


def test_each_secret_and_all_together_are_compared() -> None:
    text = "secret a, b\noutput o\na ~ bernoulli(1/2)\nb ~ bernoulli(1/2)\no := {}\n"
    found = orders(text.format("a xor b"), text.format("a"))
    assert [(each.secrets, each.order) for each in found] == [
        (("a",), "leakier"),
        (("b",), "the same"),
        (("a", "b"), "neither"),
    ]


def test_irrational_channels_with_an_inverse_are_ordered() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 3)\nt ~ bernoulli(exp({0})/(1 + exp({0})))\nif t {{ o := s }} else {{ o := 0 }}\n"
    (found,) = orders(text.format(1), text.format(2))
    assert isinstance(found.no_worse, NotRefined)
    assert found.order == "leakier"
    # of a kept secret, with chance q after 1 and p before, p / q are kept; 0 stays 0
    assert isinstance(found.no_better, Refined)
    assert found.no_better.is_rounded
    kept = math.exp(1) / (1 + math.exp(1)) * (1 + math.exp(2)) / math.exp(2)
    for s in (1, 2, 3):
        assert found.no_better.after[(s,)] == pytest.approx({(s,): kept, (0,): 1 - kept})
    assert found.no_better.after[(0,)] == pytest.approx({(0,): 1})
    assert orders(text.format(2), text.format(1))[0].order == "less leaky"
    (same,) = orders(text.format(1), text.format(1))
    assert same.order == "the same"


def test_irrational_noise_of_several_bits_is_ordered_by_its_size() -> None:
    text = "secret r\noutput o\nfor i in 1..3 {{ r[i] ~ bernoulli(1/2); t[i] ~ bernoulli(1/(1 + exp({0}))) }}\no := count(r[i] xor t[i] for i in 1..3)\n"
    (*_, found) = orders(text.format(1), text.format(2))
    assert found.order == "leakier"


def test_irrational_channels_are_decided_as_their_matrices_are_by_floats() -> None:
    random_ = random.Random(17)
    kinds = []
    for _ in range(60):
        size = random_.choice([2, 2, 3])
        a, b = irrational(random_, size), irrational(random_, size)
        if random_.random() < 0.5:  # made of the first one, by a channel that draws nothing surely
            b = combined(a, irrational(random_, size))
        first, second = (np.array([[exact.nearest_float(p) for p in row] for row in rows]) for rows in (a, b))
        after = np.linalg.solve(first, second)
        if abs(after.min()) < 1e-6:
            continue
        found = refinement(irrational_channel(a), irrational_channel(b))
        kinds.append(type(found))
        assert isinstance(found, Refined) == (after.min() > 0)
        if isinstance(found, Refined):
            assert found.is_rounded
            told = [[float(found.after[(k,)].get((y,), 0)) for y in range(size)] for k in range(size)]
            assert np.allclose(told, after, atol=1e-7)
    assert {Refined, NotRefined} <= set(kinds)


def irrational(random_: random.Random, size: int) -> list[list[Number]]:
    """Return a channel that tells much, with chances that are quotients of sums of exponentials."""
    rows = []
    for x in range(size):
        weights = [exact.exp_(Fraction(random_.randint(-3, 3) + 4 * (x == y), 2)) for y in range(size)]
        whole = functools.reduce(exact.add, weights)
        rows.append([exact.div(weight, whole) for weight in weights])
    return rows


def combined(a: list[list[Number]], b: list[list[Number]]) -> list[list[Number]]:
    columns = list(zip(*b, strict=True))
    return [[functools.reduce(exact.add, map(exact.mul, row, column)) for column in columns] for row in a]


def irrational_channel(rows: list[list[Number]]) -> Channel[Number]:
    return Channel({(x,): {(y,): p for y, p in enumerate(row)} for x, row in enumerate(rows)})


def test_continuous_outputs_are_not_decided_and_say_why() -> None:
    text = "secret s\noutput o\ns ~ bernoulli(1/2)\nn ~ normal(0, 1)\no := s + n\n"
    (found,) = orders(text, text)
    assert isinstance(found.no_worse, Undecided)
    assert "continuous" in found.no_worse.reason


def test_a_program_in_which_an_attacker_chooses_has_no_one_channel() -> None:
    text = "secret s\noutput ok\ns ~ uniform_int(0, 3)\nattacker g in 0..3\nok := g == s\n"
    (found,) = orders(text, text)
    assert isinstance(found.no_worse, Undecided)
    assert "an attacker chooses" in found.no_worse.reason
