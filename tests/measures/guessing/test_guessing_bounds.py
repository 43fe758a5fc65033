"""What always holds of guessing, on random joints; and that balls, and joints that something was cut from, enclose the truth."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from tests.measures.random_joints import CELLS, Weights, columns, in_balls, rational, secrets, without

from seepage.engines.outcome import DiscreteJoint
from seepage.exact import exp_, precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.entropy import guessing_entropy
from seepage.measures.guessing.gains import ONE_TRY, Distance, Gain, Table, Tries
from seepage.measures.guessing.vulnerability import conditional_vulnerability, same_guess, vulnerability
from seepage.measures.result import Certainty

LOST = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=6)
GAINS = st.one_of(
    st.builds(Tries, st.integers(1, 4)),
    st.just(Distance(4)),
    st.builds(
        lambda rows: Table({(w,): {(x,): Fraction(gain, 3) for x, gain in row.items()} for w, row in enumerate(rows)}),
        st.lists(st.dictionaries(st.integers(0, 4), st.integers(-9, 9)), min_size=1, max_size=4),
    ),
)


def exact(enclosure: Enclosure) -> Fraction:
    assert enclosure.exact is not None
    return enclosure.exact


def holds(enclosure: Enclosure, truth: Fraction) -> bool:
    with precision(256):
        number = arb(fmpq(truth.numerator, truth.denominator))
        return not (enclosure.lower > number or enclosure.upper < number)


def narrow(enclosure: Enclosure) -> bool:
    with precision(256):
        return bool(enclosure.upper - enclosure.lower < 1e-25)


@given(CELLS)
def test_seeing_helps_and_never_beyond_certainty(weights: Weights) -> None:
    joint = rational(weights)

    assert exact(vulnerability(joint, ["x"])) <= exact(conditional_vulnerability(joint, ["x"], ["y"])) <= 1
    assert 1 <= exact(guessing_entropy(joint, ["x"], ["y"])) <= exact(guessing_entropy(joint, ["x"]))
    assert exact(guessing_entropy(joint, ["x"])) <= Fraction(len(secrets(weights)) + 1, 2)


@given(CELLS, GAINS)
def test_what_is_computed_from_an_output_helps_no_more_than_the_output(weights: Weights, gain: Gain) -> None:
    coarse: dict[tuple[int, int], int] = {}
    for (x, y), weight in weights.items():
        coarse[x, y // 2] = coarse.get((x, y // 2), 0) + weight
    fine, less = rational(weights), rational(coarse)

    assert exact(conditional_vulnerability(less, ["x"], ["y"], gain)) <= exact(
        conditional_vulnerability(fine, ["x"], ["y"], gain)
    )
    assert exact(guessing_entropy(less, ["x"], ["y"])) >= exact(guessing_entropy(fine, ["x"], ["y"]))


@given(CELLS, st.permutations(range(5)), st.permutations(range(5)))
def test_names_of_values_do_not_matter(weights: Weights, of_x: list[int], of_y: list[int]) -> None:
    renamed = rational({(of_x[x], of_y[y]): weight for (x, y), weight in weights.items()})
    joint = rational(weights)

    for tries in (1, 2, 3):
        assert exact(conditional_vulnerability(renamed, ["x"], ["y"], Tries(tries))) == exact(
            conditional_vulnerability(joint, ["x"], ["y"], Tries(tries))
        )
    assert guessing_entropy(renamed, ["x"], ["y"]).exact == guessing_entropy(joint, ["x"], ["y"]).exact


@given(CELLS)
def test_guesses_are_the_tries_that_are_not_enough(weights: Weights) -> None:
    joint = rational(weights)
    missed = [1 - exact(conditional_vulnerability(joint, ["x"], ["y"], Tries(k))) for k in range(1, 6)]

    assert exact(guessing_entropy(joint, ["x"], ["y"])) == 1 + sum(missed)


@given(CELLS, GAINS)
def test_balls_enclose_the_exact_answer(weights: Weights, gain: Gain) -> None:
    exactly, enclosed = rational(weights), in_balls(weights)

    for y in ([], ["y"]):
        found = conditional_vulnerability(enclosed, ["x"], y, gain)
        assert holds(found, exact(conditional_vulnerability(exactly, ["x"], y, gain)))
        assert narrow(found)
        guesses = guessing_entropy(enclosed, ["x"], y)
        assert holds(guesses, exact(guessing_entropy(exactly, ["x"], y)))
        assert narrow(guesses)


@given(CELLS, GAINS, LOST)
def test_what_was_cut_off_is_inside_of_the_bounds(weights: Weights, gain: Gain, lost: set[tuple[int, int]]) -> None:
    left, whole = without(weights, lost), rational(weights)
    if left is None:
        return

    for y in ([], ["y"]):
        found = conditional_vulnerability(left, ["x"], y, gain)
        assert found.certainty is Certainty.CERTIFIED
        assert found.exact is None
        assert holds(found, exact(conditional_vulnerability(whole, ["x"], y, gain)))
        truth = exact(guessing_entropy(whole, ["x"], y))
        guesses = guessing_entropy(left, ["x"], y)
        assert holds(guesses, truth)
        assert guesses.upper == arb.pos_inf()
        assert guesses.notes
        known = guessing_entropy(left, ["x"], y, len(secrets(weights)))
        assert holds(known, truth)
        assert known.upper.is_finite()


@given(CELLS)
def test_a_guess_that_no_output_changes_is_found(weights: Weights) -> None:
    """Against the definition: some value is the only likeliest one in every column."""
    by_output = columns(weights).values()
    best = [{x for x, weight in column.items() if weight == max(column.values())} for column in by_output]
    found = same_guess(in_balls(weights), ["x"], ["y"])

    if all(len(group) == 1 for group in best) and len(set.union(*best)) == 1:
        assert found
    if not set.intersection(*best):
        assert not found


def test_irrational_gains_are_enclosed() -> None:
    table = Table({(0,): {(0,): exp_(1)}, (1,): {(1,): 2}})
    joint: DiscreteJoint[fmpq] = rational({(0, 0): 3, (1, 0): 4, (1, 1): 1})

    found = conditional_vulnerability(joint, ["x"], ["y"], table)

    assert found.exact is None
    assert abs(float(found.value) - (3 * 2.718281828459045 + 2) / 8) < 1e-15
    assert vulnerability(joint, ["x"], ONE_TRY).exact == Fraction(5, 8)
