"""Measures of joints from which runs were cut off: their bounds hold the measures of the whole joint, by brute force on random tables."""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import Cut, DiscreteJoint
from seepage.exact import Number, enclose, precision
from seepage.measures.discrete.divergence import divergence
from seepage.measures.discrete.entropy import conditional_entropy, entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.discrete.probability import expectation, probability
from seepage.measures.discrete.variance import variance
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

NAMES = ("x", "y", "z")
Masses = Mapping[tuple[Number, ...], arb]


def joint(masses: Masses, cut: Cut | None = None) -> DiscreteJoint[arb]:
    return DiscreteJoint(NAMES, balls(192), dict(masses), sum(masses.values(), arb(0)), cut)


@st.composite
def cut_tables(draw: st.DrawFn) -> tuple[DiscreteJoint[arb], DiscreteJoint[arb]]:
    """Draw a joint of mass at most 1 and the same with some runs cut off, each wholly or in part."""
    keys = draw(st.lists(st.tuples(*[st.integers(0, 2)] * 3), min_size=2, max_size=10, unique=True))
    weights = [draw(st.integers(1, 50)) for _ in keys]
    rest = draw(st.integers(0, 60))  # what observations removed
    shares = [draw(st.sampled_from([0, 0, 1, 7, 63, 64])) for _ in keys]
    depth = draw(st.sampled_from([1, 10, 60]))
    with precision(256):
        whole = arb(sum(weights) + rest)
        true = {key: arb(weight) / whole for key, weight in zip(keys, weights, strict=True)}
        scale = arb(2) ** (6 * depth)
        lost = {
            key: true[key] if share == 64 and index else true[key] * share / (scale if depth > 1 else 64)
            for index, (key, share) in enumerate(zip(keys, shares, strict=True))
        }
        lost[keys[0]] = true[keys[0]] * min(shares[0], 63) / (scale if depth > 1 else 64)
        known = {key: true[key] - lost[key] for key in keys if not (true[key] - lost[key]).contains(0)}
        parts = [each for each in lost.values() if not each.is_zero()]
        moments = {
            name: (
                sum((lost[key] * key[at] for key in keys), arb(0)).upper(),
                sum((lost[key] * key[at] ** 2 for key in keys), arb(0)).upper(),
            )
            for at, name in enumerate(NAMES)
        }
        mass = sum(parts, arb(0)).upper()
        left_out = Cut(mass, sum((-each * each.log() for each in parts), arb(0)).upper(), moments)
    return joint(true), joint(known, left_out)


def holds(bounds: Enclosure, truth: Enclosure) -> bool:
    """Tell whether bounds hold a number that is known nearly exactly, up to its rounding."""
    if not truth.upper.is_finite():
        return bool(bounds.upper == truth.upper)
    with precision(256):
        rounding = arb(2) ** -150
        return bool(bounds.lower <= truth.upper + rounding and truth.lower - rounding <= bounds.upper)


@given(cut_tables())
def test_entropies_and_information_hold_the_truth(tables: tuple[DiscreteJoint[arb], DiscreteJoint[arb]]) -> None:
    true, cut = tables

    assert holds(entropy(cut, ("x", "y")), entropy(true, ("x", "y")))
    assert holds(entropy(cut, ("x",)), entropy(true, ("x",)))
    assert holds(conditional_entropy(cut, ("x",), ("y", "z")), conditional_entropy(true, ("x",), ("y", "z")))
    assert holds(mutual_information(cut, ("x",), ("y",)), mutual_information(true, ("x",), ("y",)))
    assert holds(mutual_information(cut, ("x",), ("y",), ("z",)), mutual_information(true, ("x",), ("y",), ("z",)))


@given(cut_tables())
def test_chances_means_and_variances_hold_the_truth(tables: tuple[DiscreteJoint[arb], DiscreteJoint[arb]]) -> None:
    true, cut = tables
    assert cut.cut is not None

    for name in NAMES:
        assert holds(expectation(cut, name), expectation(true, name))
        assert holds(variance(cut, name), variance(true, name))
    events = [joint({}) for _ in range(2)]
    for at, table in enumerate((true, cut)):
        masses: dict[tuple[Number, ...], arb] = {(int(key[0] == 2), 0, 0): arb(0) for key in table.masses}
        for key, mass in table.masses.items():
            masses[(int(key[0] == 2), 0, 0)] += mass
        events[at] = joint(masses, cut.cut if at else None)
    assert holds(probability(events[1], "x"), expectation(events[0], "x"))


@given(cut_tables(), cut_tables())
def test_divergences_hold_the_truth(
    first: tuple[DiscreteJoint[arb], DiscreteJoint[arb]], second: tuple[DiscreteJoint[arb], DiscreteJoint[arb]]
) -> None:
    for p in first:
        for q in second:
            assert holds(
                divergence(p, ("x", "y"), q, ("x", "y")), divergence(first[0], ("x", "y"), second[0], ("x", "y"))
            )


@given(cut_tables())
def test_the_divergence_of_a_posterior_is_bounded_on_both_sides(
    tables: tuple[DiscreteJoint[arb], DiscreteJoint[arb]],
) -> None:
    true, cut = tables
    kept = min((key[1] for key in cut.masses), key=enclose)
    given_true = joint({key: mass for key, mass in true.masses.items() if key[1] == kept})
    given_cut = joint({key: mass for key, mass in cut.masses.items() if key[1] == kept}, cut.cut)

    found = divergence(given_cut, ("x",), cut, ("x",), within=True)

    assert holds(found, divergence(given_true, ("x",), true, ("x",)))
    assert found.upper.is_finite()


def test_an_answer_is_certified_and_no_wider_than_what_was_cut_off_allows() -> None:
    with precision(256):
        tiny = arb(2) ** -128
        table = joint({(0, 0, 0): (1 - tiny) / 2, (1, 1, 0): (1 - tiny) / 2}, Cut(tiny, 128 * tiny))
        found = mutual_information(table, ("x",), ("y",))

        assert found.certainty is Certainty.CERTIFIED
        assert found.upper - found.lower < arb(2) ** -118
        assert found.lower <= arb.const_log2() * (1 - tiny) + tiny
        assert not expectation(table, "x").upper.is_finite()  # where the runs cut off lie is not known
