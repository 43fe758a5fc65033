"""Rules that look true and are false: for each a counter-example, by sums over all outcomes, that what is taken apart must get right."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import inf, isclose, log, log2

import pytest
from tests.measures.planning.brute_force import (
    Pair,
    blind,
    excess,
    guesses,
    independent,
    information,
    loss,
    min_capacity,
    of_one_secret,
    within,
)
from tests.measures.planning.programs import measured, of_pairs
from tests.measures.planning.programs import of_one_secret as program_of_one_secret

import seepage

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)
FAIR = (HALF, HALF)
HIDDEN = Pair(FAIR, [FAIR, FAIR])  # of which nothing is told
TOLD = Pair(FAIR, [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))])


def near(found: seepage.Result, expected: float) -> bool:
    """Tell whether a number is the oracle's."""
    return found.value is not None and (
        found.value == expected or isclose(found.value, expected, rel_tol=1e-9, abs_tol=1e-9)
    )


def test_guesses_of_independent_parts_neither_multiply_nor_add() -> None:
    law, text = independent([HIDDEN, HIDDEN]), of_pairs([HIDDEN, HIDDEN])

    assert guesses(law) == Fraction(5, 2)  # of one: 3/2
    assert measured(text, "Guess(x | y)").exact == Fraction(5, 2)


def test_chances_within_some_tries_do_not_multiply() -> None:
    law, text = independent([HIDDEN, HIDDEN]), of_pairs([HIDDEN, HIDDEN])

    assert within(law, 2) == HALF  # of one: 1
    assert near(measured(text, "G(x -> y, tries(2))"), 0)
    assert measured(text, "G(x -> y, tries(2))").companions[1].value == 0.5


def test_informations_of_outputs_of_one_secret_do_not_add_and_chances_do_not_multiply() -> None:
    law, text = of_one_secret(FAIR, [TOLD.rows] * 2), program_of_one_secret(FAIR, [TOLD.rows] * 2)

    assert near(measured(text, "I(x; y)"), information(law))
    assert information(law) == 1
    assert measured(text, "V(x | y)").exact == within(law, 1) == 1


def test_min_entropy_leakages_of_outputs_of_one_secret_do_not_bound_that_of_all() -> None:
    prior = (THIRD, 2 * THIRD)
    channels = [((0, 1), FAIR), ((1, 0), (Fraction(2, 5), Fraction(3, 5)))]
    rows = [[tuple(map(Fraction, row)) for row in channel] for channel in channels]
    law, text = of_one_secret(prior, rows), program_of_one_secret(prior, rows)
    single = [of_one_secret(prior, [one]) for one in rows]

    assert [within(one, 1) / within(blind(one), 1) for one in single] == [1, Fraction(11, 10)]
    assert within(law, 1) / within(blind(law), 1) == Fraction(13, 10)
    assert near(measured(text, "Lmin(x -> y)"), log2(1.3))


def test_losses_of_outputs_of_one_secret_add_up_pair_by_pair_only() -> None:
    thirds = (THIRD, THIRD, THIRD)
    one = [(HALF, HALF), (QUARTER, 3 * QUARTER), (THIRD, 2 * THIRD)]
    other = [(QUARTER, 3 * QUARTER), (HALF, HALF), (THIRD, 2 * THIRD)]
    law, text = of_one_secret(thirds, [one, other]), program_of_one_secret(thirds, [one, other])
    alone = [loss(of_one_secret(thirds, [rows])) for rows in (one, other)]

    assert loss(law) < sum(alone) - 0.1
    assert near(measured(text, "DP(x -> y)"), loss(law))


def test_losses_of_two_outputs_are_log_three_though_each_is_log_two() -> None:
    channels = [[(HALF, HALF), (QUARTER, 3 * QUARTER)], [(QUARTER, 3 * QUARTER), (HALF, HALF)]]
    law, text = of_one_secret(FAIR, channels), program_of_one_secret(FAIR, channels)

    assert isclose(loss(law), log(3))
    assert near(measured(text, "DP(x -> y)"), log(3))


def test_excess_losses_of_parts_take_a_direction_each() -> None:
    one, other = Pair(FAIR, [(Fraction(0), Fraction(1)), FAIR]), Pair(FAIR, [FAIR, (Fraction(0), Fraction(1))])
    law, text = independent([one, other]), of_pairs([one, other])

    assert excess(law, 0) == 0.75  # all parts one way: 1/2
    assert near(measured(text, "Delta(x -> y, eps=0)"), 0.75)


def test_a_loss_at_a_distance_is_not_so_many_times_the_greatest_one() -> None:
    weak = Pair(FAIR, [(3 * QUARTER, QUARTER), (HALF, HALF)])
    strong = Pair(FAIR, [(Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 10), Fraction(9, 10))])
    law, text = independent([weak, strong]), of_pairs([weak, strong])

    assert loss(law, 2) < 2 * loss(law, 1) - 1
    assert near(measured(text, "DP(x -> y, distance=2)"), loss(law, 2))


HOLES = """
secret x
output y
x[0] ~ bernoulli(1/2)
x[1] ~ bernoulli(1/2)
y[0] ~ {0: 3/4 - x[0]/2, 1: 1/4 + x[0]/2}
y[1] ~ {0: 3/4 - x[1]/2, 1: 1/4 + x[1]/2}
observe x[0] + x[1] == 1
"""


def test_channel_measures_do_not_add_on_a_support_with_holes() -> None:
    lie = [(3 * QUARTER, QUARTER), (QUARTER, 3 * QUARTER)]
    law = independent([Pair(FAIR, lie), Pair(FAIR, lie)])
    kept = {key: 2 * mass for key, mass in law.items() if sum(key[0]) == 1}

    assert near(measured(HOLES, "Cmin(x -> y)"), log2(min_capacity(kept)))
    assert min_capacity(kept) < min_capacity(law)
    assert near(measured(HOLES, "DP(x -> y, distance=1)"), 0)  # no two of these values differ in one element
    assert near(measured(HOLES, "DP(x -> y)"), 2 * log(3))
    assert measured(HOLES, "C(x -> y)").upper < 2 * (1 - 0.8112781244591328) - 0.01


def test_a_distance_of_numbers_is_no_number_of_steps() -> None:
    text = "secret s\noutput o\ns ~ {0: 1/2, 2: 1/2}\no ~ {0: 3/4 - s/4, 1: 1/4 + s/4}"

    assert near(measured(text, "DP(s -> o, distance=1)"), 0)  # no neighbours
    assert near(measured(text, "DP(s -> o, distance=2)"), log(3))


@pytest.mark.parametrize("count", [2, 5])
def test_the_parity_of_bits_tells_more_together_than_alone(count: int) -> None:
    bits = "\n".join(f"y[{number}] ~ flip(1/2)" for number in range(count))
    parity = " xor ".join(f"y[{number}]" for number in range(count))
    text = f"secret s\noutput y\n{bits}\ns := {parity}"

    assert near(measured(text, "I(s; y)"), 1)
    assert near(measured(text, "I(s; y[0])"), 0)


def test_the_chance_to_guess_many_bits_is_not_that_of_their_number() -> None:
    text = "secret s\noutput o\ns[0] ~ flip(1/2)\ns[1] ~ flip(1/2)\nt := s[0] + s[1]\no := 0 * t"

    assert measured(text, "V(s | o)").exact == QUARTER
    assert measured(text, "V(t | o)").exact == HALF


def test_parts_are_not_independent_under_an_event_that_joins_them() -> None:
    text = of_pairs([TOLD, HIDDEN])
    joined = "I(x[0]; x[1] | x[0] + x[1] == 1)"

    assert near(measured(text, joined), 1)
    assert near(measured(text, "H(x | x[0] + x[1] == 1)"), 1)
    assert near(measured(text, "I(x[0]; x[1] | x[0] == 1 and x[1] == 0)"), 0)


def test_negative_gains_do_not_multiply() -> None:
    # Two guesses of each bit, worth -2 and 0 whatever the bit is: the best of each is 0, but the product of the worst two is 4.
    gains = ", ".join(
        f"(({a}, {b}), ({u}, {v})): {(-2 if a == 0 else 0) * (-2 if b == 0 else 0)}"
        for a in (0, 1)
        for b in (0, 1)
        for u in (0, 1)
        for v in (0, 1)
    )
    found = measured(of_pairs([TOLD, TOLD]), f"G(x -> y, {{{gains}}})")

    assert found.companions[0].value == 4
    assert near(found, 0)


CHAIN = """
secret s
output o
s ~ flip(1/2)
half ~ flip(1/2)
x := if s == 0 then 1 else half
lie ~ flip(1/4)
o := x xor lie
"""


def test_min_entropy_leakage_may_exceed_that_of_a_later_link() -> None:
    later, whole = measured(CHAIN, "Lmin(x -> o)"), measured(CHAIN, "Lmin(s -> o)")

    assert near(later, 0)  # ratio 1
    assert near(whole, log2(Fraction(5, 4)))


def test_min_entropy_leakage_of_a_function_may_exceed_that_of_the_secret() -> None:
    text = "secret s\noutput o\ns ~ {0: 1/2, 1: 1/4, 2: 1/4}\nf := s == 0\no := f"

    assert near(measured(text, "Lmin(f -> o)"), 1)  # 1/2 becomes 1
    assert near(measured(text, "Lmin(s -> o)"), log2(1.5))  # 1/2 becomes 3/4


def test_an_infinite_loss_of_one_part_is_that_of_all() -> None:
    lie = Pair(FAIR, [(3 * QUARTER, QUARTER), (QUARTER, 3 * QUARTER)])
    law, text = independent([TOLD, lie]), of_pairs([TOLD, lie])

    assert loss(law) == inf
    assert measured(text, "DP(x -> y)").value == inf
    assert measured(text, "DP(x[1] -> y)").upper < 2


def test_concentrated_losses_of_independent_parts_do_not_add() -> None:
    """Each part has its own worst order: the order that is worst for both together is worst for neither."""
    first, second = (Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 10_000), Fraction(1, 10))

    def renyi(p: Fraction, q: Fraction, order: float) -> float:
        terms = ((float(p), float(q)), (1 - float(p), 1 - float(q)))
        return log(sum(a**order * b ** (1 - order) for a, b in terms)) / (order - 1)

    def worst(pairs: Sequence[tuple[Fraction, Fraction]]) -> float:
        orders = [1 + step / 1_000 for step in range(1, 20_000)]
        flipped = product(*(((p, q), (q, p)) for p, q in pairs))
        return max(sum(renyi(p, q, order) for p, q in each) / order for each in flipped for order in orders)

    text = "secret x\noutput y\nx[1] ~ bernoulli(1/2)\nx[2] ~ bernoulli(1/2)\n" + "\n".join(
        f"if x[{place}] {{ y[{place}] ~ bernoulli({p}) }} else {{ y[{place}] ~ bernoulli({q}) }}"
        for place, (p, q) in enumerate((first, second), 1)
    )
    found = seepage.parse(text).measure("zCDP(x -> y)")

    together, apart = worst([first, second]), worst([first]) + worst([second])
    assert together < apart - 0.1
    assert found.lower - 1e-3 <= together <= found.upper + 1e-9
    assert found.upper < apart - 0.1
