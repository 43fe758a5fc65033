"""Laws as chains against the laws themselves, state by state, of random programs over digits and small numbers."""

from __future__ import annotations

from fractions import Fraction
from math import fsum, log

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.programs import core_of
from tests.engines.words.random_programs import NAMES, programs
from tests.engines.words.test_words import Law, Names, law, unique

from seepage.diagnostics import Fault
from seepage.engines.factors.answers import settle
from seepage.engines.factors.chains import chain_of
from seepage.engines.factors.graph import Beyond as BeyondGraphs
from seepage.engines.factors.solving import exact_graph
from seepage.engines.outcome import Budget
from seepage.engines.words.circuit import Beyond
from seepage.engines.words.reading import read
from seepage.engines.words.writing import written
from seepage.measures.discrete.chains import entropy, right_guess
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
    assert right_guess(chain, frozenset(graph.variables(seen)), Budget()) == best_guesses(truth, names, seen)


def best_guesses(truth: Law, names: Names, seen: Names) -> Fraction:
    """Return the sum over what is seen of the greatest chance together with it."""
    best: dict[tuple[Fraction, ...], Fraction] = {}
    for values, mass in truth.items():
        key = tuple(value for name, value in zip(names, values, strict=True) if name in seen)
        best[key] = max(best.get(key, Fraction(0)), mass)
    return sum(best.values(), Fraction(0))
