"""Programs of words written over coins: the law of what is asked for against that of the program itself, state by state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import prod

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.engines.joints import fractions
from tests.engines.programs import core_of
from tests.engines.words.random_programs import NAMES, expressions, programs
from tests.families import FULL

from seepage.diagnostics import Fault
from seepage.engines.forward import run as forward
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.engines.select import core_with
from seepage.engines.words.circuit import Beyond
from seepage.engines.words.moments import written_product
from seepage.engines.words.reading import read
from seepage.engines.words.writing import written, written_value
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import Expression, Name

MANY = max(60 if FULL else 30, settings().max_examples)
FEW = st.sampled_from((2, 4, 16, 4_096))

Names = tuple[str, ...]
Law = dict[tuple[Fraction, ...], Fraction]


def law(core: CoreProgram, names: Names) -> Law:
    """Return the law of variables at the end of a program, state by state."""
    found = fractions(forward.run(slice_program(core, names), names, {}, RATIONALS, Budget()))
    mass = sum(found.values())
    return {values: weight / mass for values, weight in found.items()}


def sides(found: Law, names: Names, x: Names, y: Names) -> Counter[tuple[tuple[Fraction, int], ...]]:
    """Return for each value of y, but for which one it is, how often each chance of x comes together with it."""
    groups: dict[tuple[Fraction, ...], Counter[tuple[Fraction, ...]]] = {}
    masses: dict[tuple[tuple[Fraction, ...], tuple[Fraction, ...]], Fraction] = {}
    for values, mass in found.items():
        at = dict(zip(names, values, strict=True))
        key = tuple(at[name] for name in y), tuple(at[name] for name in x)
        masses[key] = masses.get(key, Fraction(0)) + mass
    for (seen, hidden), _ in masses.items():
        groups.setdefault(seen, Counter())[hidden] += 1
    return Counter(
        tuple(sorted(Counter(masses[seen, hidden] for hidden in group).items())) for seen, group in groups.items()
    )


def unique(names: Sequence[str]) -> Names:
    return tuple(dict.fromkeys(names))


asked = st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True).map(tuple)


@pytest.mark.variation(of="test_values_are_sums_of_digits")
@settings(max_examples=8 * MANY, deadline=None)
@given(programs, asked, asked, FEW)
def test_who_is_told_apart_from_whom_stays_the_same(text: str, x: Names, y: Names, few: int) -> None:
    core = core_of(text)
    names = unique((*x, *y))
    try:
        truth = law(core, names)
        reading = read(slice_program(core, names), {}, Budget(), few)
        posed = written(reading, core, (y, x))
    except (Fault, Beyond):
        return
    after = unique((*posed.groups[0], *posed.groups[1]))

    found = law(posed.core, after)

    assert sides(found, after, posed.groups[1], posed.groups[0]) == sides(truth, names, x, y)
    assert sides(found, after, posed.groups[0], posed.groups[1]) == sides(truth, names, y, x)


@settings(max_examples=4 * MANY, deadline=None)
@given(programs, asked, asked, FEW)
def test_what_is_known_need_not_be_asked_for(text: str, x: Names, y: Names, few: int) -> None:
    core = core_of(text)
    names = unique((*x, *y))
    try:
        truth = law(core, names)
        posed = written(read(slice_program(core, names), {}, Budget(), few), core, (y, x), known=1)
    except (Fault, Beyond):
        return
    after = unique((*posed.groups[0], *posed.groups[1]))

    found = law(posed.core, after)

    assert sides(found, after, posed.groups[1], posed.groups[0]) == sides(truth, names, x, y)


@settings(max_examples=4 * MANY, deadline=None)
@given(programs, expressions, FEW)
def test_values_are_sums_of_digits(text: str, expression: str, few: int) -> None:
    core = core_of(f"{text}\nasked := {expression}")
    try:
        truth = law(core, ("asked",))
        posed = written_value(read(slice_program(core, ("asked",)), {}, Budget(), few), core, "asked")
    except (Fault, Beyond):
        return

    found = posed.constant + sum(factor * mean(posed.core, term) for factor, term, _ in posed.terms)

    assert found == sum(mass * value for (value,), mass in truth.items())


def mean(core: CoreProgram, term: Expression) -> Fraction:
    statement = CoreAssign(Name("ghost@", term.span), term, term.span)
    whole = law(core_with(core, (statement,)), ("ghost@",))
    return sum((mass * value for (value,), mass in whole.items()), Fraction(0))


@settings(max_examples=MANY // 4, deadline=None)
@given(programs, expressions, expressions, FEW)
@example("a ~ uniform_int(0, 3)\nb := 0\nc := 0\nd := 0", "a", "ceil(a / 2)", 2)  # a sum of coins times a gate
def test_means_of_products_are_sums_over_pairs_of_digits(text: str, one: str, other: str, few: int) -> None:
    core = core_of(f"{text}\nfirst := {one}\nsecond := {other}")
    asked = ("first", "second")
    try:
        truth = law(core, asked)
    except Fault:
        return
    for names in {asked, ("first", "first"), ("first",)}:
        try:
            posed = written_product(read(slice_program(core, names), {}, Budget(), few), core, names)
        except Beyond:
            continue
        if len(posed.terms) > 12:  # each is followed from the beginning
            continue
        found = posed.constant + sum(factor * mean(posed.core, term) for factor, term, _ in posed.terms)

        places = [asked.index(name) for name in names]
        assert found == sum(mass * prod(values[place] for place in places) for values, mass in truth.items())
