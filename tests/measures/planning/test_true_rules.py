"""Every rule for independent parts, against sums over all outcomes, for random small channels."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import isclose, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.planning.brute_force import (
    Pair,
    blind,
    excess,
    guesses,
    independent,
    information,
    loss,
    marginal,
    mean,
    min_capacity,
    variance,
    within,
)
from tests.measures.planning.programs import measured, of_pairs, pairs

from seepage.measures.result import Certainty

EXAMPLES = 100 if os.environ.get("SEEPAGE_DEEP") == "1" else 12
made_of_parts = st.lists(pairs(), min_size=2, max_size=3)
alike = st.tuples(pairs(), st.integers(2, 3)).map(lambda each: [each[0]] * each[1])
any_parts = st.one_of(made_of_parts, alike)
few = settings(max_examples=EXAMPLES, deadline=None, derandomize=True)


def near(found: float | None, expected: float | None) -> bool:
    """Tell whether two numbers are there, and agree up to the oracle's rounding."""
    if found is None or expected is None:
        return False
    return found == expected or isclose(found, expected, rel_tol=1e-9, abs_tol=1e-9)


@given(any_parts)
@few
def test_informations_and_entropies_add_up(every: Sequence[Pair]) -> None:
    law, text = independent(every), of_pairs(every)

    told = measured(text, "I(x; y)")

    assert near(told.value, information(law))
    assert any("independent" in step.told for step in told.plan) or told.value == 0
    assert near(measured(text, "H(x | y) + I(x; y) - H(x)").value, 0)


@given(any_parts)
@few
def test_chances_multiply(every: Sequence[Pair]) -> None:
    law, text = independent(every), of_pairs(every)

    assert measured(text, "V(x | y)").exact == within(law, 1)
    assert near(measured(text, "Hmin(x | y)").value, -log2(within(law, 1)))
    assert near(measured(text, "Lmin(x -> y)").value, log2(within(law, 1) / within(blind(law), 1)))


@given(any_parts, st.integers(1, 6))
@few
def test_guesses_and_tries_are_those_of_levels(every: Sequence[Pair], tries: int) -> None:
    law, text = independent(every), of_pairs(every)

    assert measured(text, "Guess(x | y)").exact == guesses(law)
    told = measured(text, f"G(x -> y, tries({tries}))")
    assert near(told.value, log2(within(law, tries) / within(blind(law), tries)))
    assert near(told.companions[1].value, float(within(law, tries)))


@given(any_parts)
@few
def test_capacities_add_up_and_do_not_read_the_prior(every: Sequence[Pair]) -> None:
    law, text = independent(every), of_pairs(every)

    assert near(measured(text, "Cmin(x -> y)").value, log2(min_capacity(law)))
    single = sum(measured(of_pairs([pair]), "C(x -> y)").upper for pair in every)
    assert near(measured(text, "C(x -> y)").value, single)


@given(any_parts, st.one_of(st.none(), st.integers(1, 3)))
@few
def test_the_greatest_losses_add_up(every: Sequence[Pair], distance: int | None) -> None:
    law, text = independent(every), of_pairs(every)
    argument = "" if distance is None else f", distance={distance}"

    assert near(measured(text, f"DP(x -> y{argument})").value, loss(law, distance))


@pytest.mark.variation(of="test_the_greatest_losses_add_up")
@given(any_parts, st.sampled_from(["0", "1/2", "1"]))
@few
def test_excess_losses_are_those_of_the_worst_part_where_one_element_differs(every: Sequence[Pair], eps: str) -> None:
    law, text = independent(every), of_pairs(every)
    number = {"0": 0.0, "1/2": 0.5, "1": 1.0}[eps]

    assert near(measured(text, f"Delta(x -> y, eps={eps}, distance=1)").value, excess(law, number, 1))
    assert near(measured(text, f"Delta(x -> y, eps={eps})").value, excess(law, number))


@given(any_parts)
@few
def test_values_fold_by_their_own_sums_and_products(every: Sequence[Pair]) -> None:
    law, text = independent(every), of_pairs(every)

    assert measured(text, "E(x[0] + 2*y[1] - x[1])").exact == mean(law, lambda x, y: x[0] + 2 * y[1] - x[1])
    assert measured(text, "E(x[0] * y[1] - 3)").exact == mean(law, lambda x, y: x[0] * y[1] - 3)
    assert measured(text, "Var(x[0] - y[0] - x[1])").exact == variance(law, lambda x, y: x[0] - y[0] - x[1])
    assert measured(text, "Var(x[0] * y[1])").exact == variance(law, lambda x, y: x[0] * y[1])
    both = mean(law, lambda x, y: int(x[0] == y[0] and y[1] != 1))
    either = mean(law, lambda x, y: int(x[0] == 1 or y[1] == 0 or x[1] == y[1]))
    assert measured(text, "P(x[0] == y[0] and not (y[1] == 1))").exact == both
    assert measured(text, "P(x[0] == 1 or y[1] == 0 or x[1] == y[1])").exact == either
    chosen = mean(law, lambda x, y: x[1] if y[0] == 1 else y[1])
    assert measured(text, "E(if y[0] == 1 then x[1] else y[1])").exact == chosen


@given(any_parts)
@few
def test_parts_under_an_event_that_joins_conditions_of_single_parts(every: Sequence[Pair]) -> None:
    law, text = independent(every), of_pairs(every)
    kept = {key: mass for key, mass in law.items() if key[1][0] != 1 and key[0][1] == 0}
    whole = sum(kept.values())
    if not whole:
        return
    kept = {key: mass / whole for key, mass in kept.items()}

    assert near(measured(text, "I(x; y | y[0] != 1 and x[1] == 0)").value, information(kept))


@given(any_parts)
@few
def test_divergences_of_products_add_up(every: Sequence[Pair]) -> None:
    law, text = independent(every), of_pairs(every)
    if len({len(pair.prior) for pair in every}) > 1:
        return
    kept = {key: mass for key, mass in law.items() if key[1][0] == 0}
    whole = sum(kept.values())
    if not whole:
        return
    after, before = marginal({key: mass / whole for key, mass in kept.items()}, 0), marginal(law, 0)
    expected = sum(float(mass) * log2(mass / before[x]) for x, mass in after.items())

    assert near(measured(text, "KL(x | y[0] == 0 || x)").value, expected)


def test_alike_parts_are_asked_once() -> None:
    text = "\n".join(
        [
            "const n = 2000",
            "secret q",
            "output o",
            "for i in 1..n { q[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := q[i] xor lie }",
        ]
    )
    told = measured(text, "I(q; o)")

    assert near(told.value, 2000 * 0.18872187554086717)
    assert [len(step.steps) for step in told.plan] == [1]
    assert told.certainty is Certainty.EXACT
