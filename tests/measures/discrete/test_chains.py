"""Laws as chains against the laws themselves, state by state, of random programs over digits and small numbers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import fsum, log
from operator import eq, le, lt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.programs import core_of
from tests.engines.words.random_programs import NAMES, programs
from tests.engines.words.test_words import Law, Names, law, unique

from seepage import parse
from seepage.diagnostics import Fault
from seepage.engines.factors.answers import settle
from seepage.engines.factors.chains import Chain, chain_of, turned
from seepage.engines.factors.graph import Beyond as BeyondGraphs
from seepage.engines.factors.graph import Variable
from seepage.engines.factors.solving import exact_graph
from seepage.engines.outcome import Budget
from seepage.engines.words.circuit import Beyond
from seepage.engines.words.reading import read
from seepage.engines.words.writing import written
from seepage.measures.discrete import chains
from seepage.measures.discrete.chains import entropy, greatest_weights, right_guess
from seepage.measures.discrete.even_chains import guesses_at_even
from seepage.measures.enclosure import Enclosure
from seepage.semantics.slice import slice_program

MANY = max(60, settings().max_examples)
TOLERANCE = 1e-9

asked = st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True).map(tuple)


@settings(max_examples=MANY, deadline=None)
@given(programs, asked, asked)
def test_entropies_and_guesses_are_those_of_the_law(text: str, x: Names, y: Names) -> None:
    core = core_of(text)
    try:
        posed = written(read(slice_program(core, unique((*x, *y))), {}, Budget(), 2), core, (y, x))
        seen, hidden = posed.groups
        names = unique((*hidden, *seen))
        graph = exact_graph(slice_program(posed.core, names), {}, Budget())
        settle(graph, Budget())
        chain = chain_of(graph, names, Budget())
        truth = law(posed.core, names)
    except (Fault, Beyond, BeyondGraphs):
        return

    found, bits = entropy(chain, Budget())

    expected = fsum(-float(mass) * log(mass) for mass in truth.values())
    assert float(found.lower) - TOLERANCE <= expected <= float(found.upper) + TOLERANCE
    assert float(found.upper - found.lower) < TOLERANCE
    assert bits is None or abs(float(bits) * log(2) - expected) < TOLERANCE
    for each in (chain, turned(chain)):
        by_blocks = in_blocks(each)
        assert by_blocks is None or float(by_blocks.lower) - TOLERANCE <= expected <= float(by_blocks.upper) + TOLERANCE
    sight = frozenset(graph.variables(seen))
    even = guesses_where_even(chain, sight)
    assert even is None or even == mean_guesses(truth, names, seen)
    assert right_guess(chain, sight, Budget()) == best_guesses(truth, names, seen)
    assert greatest_weights(chain, sight, Budget()) == best_guesses(truth, names, seen)


def guesses_where_even(chain: Chain, seen: frozenset[Variable]) -> Fraction | None:
    """Return the number of guesses, None where values that are possible have different chances."""
    try:
        return guesses_at_even(chain, seen, Budget())
    except BeyondGraphs:
        return None


def mean_guesses(truth: Law, names: Names, seen: Names) -> Fraction:
    """Return the number of guesses by trying the likeliest values first."""
    places = [names.index(each) for each in seen]
    posteriors: dict[tuple[Fraction, ...], list[Fraction]] = {}
    for values, mass in truth.items():
        posteriors.setdefault(tuple(values[at] for at in places), []).append(mass)
    ranked = (sorted(each, reverse=True) for each in posteriors.values())
    return sum((rank * mass for each in ranked for rank, mass in enumerate(each, 1)), Fraction(0))


def in_blocks(chain: Chain) -> Enclosure | None:
    """Return the entropy by blocks of values, though they are few enough to look at each; None where there are too many states."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chains, "_FEW_VALUES", 0)
        try:
            return entropy(chain, Budget())[0]
        except BeyondGraphs:
            return None


# --- comparisons among several words ----------------------------------------------------------------------------------

WORDS = "suv"
OPERATORS = {"<": lt, "<=": le, "==": eq}

sizes = st.lists(st.sampled_from([8, 8, 8, 6, 16]), min_size=3, max_size=3)
comparisons = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(sorted(OPERATORS)), st.sampled_from(WORDS)),
    min_size=1,
    max_size=3,
)


@settings(max_examples=max(12, settings().max_examples // 4), deadline=None)
@given(sizes, comparisons)
def test_comparisons_among_three_words_are_those_of_all_their_values(
    sizes: list[int], compared: list[tuple[str, str, str]]
) -> None:
    told = tuple(f"{left} {operator} {right}" for left, operator, right in compared)
    chain, seen = chain_of_words(sizes, told)
    counts = Counter[tuple[int, ...]]()
    for values in product(*map(range, sizes)):
        known = dict(zip(WORDS, values, strict=True))
        counts[values[0], *(OPERATORS[operator](known[a], known[b]) for a, operator, b in compared)] += 1

    found, _ = entropy(chain, Budget())
    guess = greatest_weights(chain, seen, Budget())

    whole = counts.total()
    expected = fsum(-count / whole * log(count / whole) for count in counts.values())
    assert float(found.lower) - TOLERANCE <= expected <= float(found.upper) + TOLERANCE
    assert float(found.upper - found.lower) < TOLERANCE
    best = dict[tuple[int, ...], int]()
    for (_, *outcome), count in counts.items():
        best[tuple(outcome)] = max(best.get(tuple(outcome), 0), count)
    assert guess == Fraction(sum(best.values()), whole)


def chain_of_words(sizes: list[int], told: tuple[str, ...]) -> tuple[Chain, frozenset[int]]:
    """Return the law of the first of three uniform words with what is told of them, and which variables are told."""
    draws = (f"{word} ~ uniform_int(0, {size - 1})" for word, size in zip(WORDS, sizes, strict=True))
    outputs = tuple(f"o{place}" for place in range(len(told)))
    core = core_of("\n".join((*draws, *(f"{name} := {each}" for name, each in zip(outputs, told, strict=True)))))
    posed = written(read(core, {}, Budget(), 2), core, (outputs, ("s",)), 1)
    seen, hidden = posed.groups
    names = unique((*hidden, *seen))
    graph = exact_graph(slice_program(posed.core, names), {}, Budget())
    settle(graph, Budget())
    return chain_of(graph, names, Budget()), frozenset(graph.variables(seen))


def test_the_order_of_three_words_of_64_digits_tells_what_that_of_real_numbers_does() -> None:
    r"""Without the few runs in which some are equal these are integrals of :math:`(1-s)^2/2, s(1-s), s^2/2` times their logarithms: log 6 − 1 − 2/3 · log 2 nats."""
    draws = (f"{word} ~ uniform_int(0, 2^64 - 1)" for word in WORDS)
    program = parse("\n".join((*draws, "a := s < u", "b := u < v", "c := s < v")))

    found = program.measure("I(s; a, b, c)", unit="nats")

    expected = log(6) - 1 - 2 / 3 * log(2)
    assert found.lower - TOLERANCE <= expected <= found.upper + TOLERANCE
    assert found.upper - found.lower < TOLERANCE


def test_a_guess_at_a_word_of_32_digits_between_two_others_is_exact() -> None:
    """Where both are greater the best guess is the least value, where none is the greatest, where one is the one in the middle: of (n − 1 − s)(s + 1)."""
    n = 2**32
    chain, seen = chain_of_words([n] * 3, ("s < u", "s < v"))

    guess = greatest_weights(chain, seen, Budget())

    assert guess == Fraction((n - 1) ** 2 + n**2 + 2 * (n // 2) ** 2, n**3)


def best_guesses(truth: Law, names: Names, seen: Names) -> Fraction:
    """Return the sum over what is seen of the greatest chance together with it."""
    best: dict[tuple[Fraction, ...], Fraction] = {}
    for values, mass in truth.items():
        key = tuple(value for name, value in zip(names, values, strict=True) if name in seen)
        best[key] = max(best.get(key, Fraction(0)), mass)
    return sum(best.values(), Fraction(0))
