import itertools
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.gaussian.gaussian_mixtures import Affine, Part, joint

from seepage.diagnostics import Fault, Reason
from seepage.engines.outcome import MixtureJoint
from seepage.exact import Number, div, log_, mul
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import lattice
from seepage.measures.gaussian.entropy import conditional_entropy
from seepage.measures.gaussian.information import mutual_information
from seepage.measures.result import Certainty
from seepage.source import Span

HALF = Fraction(1, 2)


def bit_through_noise(shift: Fraction | int) -> MixtureJoint:
    return joint(*((HALF, {"s": s, "o": ((2 * s - 1) * shift, {"n": 1})}, {"n": 1}) for s in (0, 1)))


SPIKE_AND_SLAB = joint(
    (Fraction(3, 4), {"b": 1, "x": (0, {"x": 1}), "y": (0, {"x": 1, "n": 1})}, {"x": 1, "n": 1}),
    (Fraction(1, 4), {"b": 0, "x": 0, "y": (0, {"n": 1})}, {"n": 1}),
)
TWO_PAIRS = joint(
    (
        Fraction(3, 4),
        {"b": 1, "x": (1, {"x": 1}), "y": (2, {"x": Fraction(-1, 4), "n": 1})},
        {"x": 4, "n": Fraction(3, 4)},
    ),
    (Fraction(1, 4), {"b": 0, "x": (0, {"x": 1}), "y": (0, {"x": HALF, "n": 1})}, {"x": 1, "n": Fraction(3, 4)}),
)


def gaussian_mechanism(eps: Fraction) -> MixtureJoint:
    """The paper's Algorithm 2 by hand: the average income of the women among four, plus noise for range 10 and delta 1/10."""
    parts: list[Part] = []
    for women in itertools.product((0, 1), repeat=4):
        count = sum(women)
        if count == 0:
            continue
        noise = mul(2 * (Fraction(10) / count) ** 2 / eps**2, log_(Fraction(25, 2)))
        values: dict[str, Number | Affine] = {f"inc{i}": (10, {f"i{i}": 1}) for i in range(4)}
        values["out"] = (10, {**{f"i{i}": div(1, count) for i in range(4) if women[i]}, "noise": 1})
        values |= {f"fem{i}": women[i] for i in range(4)}
        parts.append((Fraction(3**count, 4**4), values, {**{f"i{i}": 1 for i in range(4)}, "noise": noise}))
    return joint(*parts)


def assert_close(found: Enclosure, value: float, tolerance: float) -> None:
    assert abs(float(found.value) - value) <= tolerance
    assert float(found.lower) - tolerance <= value <= float(found.upper) + tolerance
    assert float(found.upper - found.lower) <= 1e-9


@pytest.mark.parametrize(
    ("shift", "value"), [(3, 0.6892979330290777), (HALF, 0.11142148218473617), (1, 0.3368308203468316)]
)
def test_a_bit_through_noise_leaks_what_quadrature_with_thirty_digits_says(shift: Fraction, value: float) -> None:
    assert_close(mutual_information(bit_through_noise(shift), ("s",), ("o",)), value, 1e-12)


def test_equal_branches_leak_exactly_nothing() -> None:
    found = mutual_information(bit_through_noise(0), ("s",), ("o",))

    assert found.exact == 0
    assert found.certainty is Certainty.EXACT


def test_independence_is_seen_through_a_product_of_weights() -> None:
    parts: list[Part] = [
        (Fraction(p, 3) * Fraction(q, 5), {"d": d, "x": (m, {"n": 1})}, {"n": 1})
        for d, p in ((0, 1), (1, 2))
        for m, q in ((0, 2), (7, 3))
    ]
    coins = joint(*parts)

    assert mutual_information(coins, ("d",), ("x",)).exact == 0


def test_weights_that_nearly_factorise_are_no_proof_of_independence() -> None:
    tilt = Fraction(1, 10**9)
    parts: list[Part] = [
        (Fraction(1, 4) + sign * tilt, {"d": d, "x": (m, {"n": 1})}, {"n": 1})
        for d, m, sign in ((0, 0, 1), (0, 7, -1), (1, 0, -1), (1, 7, 1))
    ]
    coins = joint(*parts)

    found = mutual_information(coins, ("d",), ("x",))

    assert found.exact is None
    assert 0 < float(found.upper) < 1e-9


def test_unrelated_normals_leak_exactly_nothing() -> None:
    pair = joint((1, {"x": (0, {"a": 1}), "y": (0, {"b": 1})}, {"a": 1, "b": 2}))

    assert mutual_information(pair, ("x",), ("y",)).exact == 0


def test_a_gaussian_channel_has_its_closed_form() -> None:
    channel = joint((1, {"x": (0, {"x": 1}), "o": (0, {"x": 1, "n": 1})}, {"x": 1, "n": 4}))

    found = mutual_information(channel, ("x",), ("o",))

    assert_close(found, 0.11157177565710488, 1e-15)
    assert found.certainty is Certainty.EXACT


def test_a_scaled_copy_leaks_everything() -> None:
    copy = joint((1, {"s": (0, {"x": 1}), "o": (0, {"x": 2})}, {"x": Fraction(1, 100)}))

    assert mutual_information(copy, ("s",), ("o",)).value == arb.pos_inf()


def test_a_copy_in_one_branch_of_many_leaks_everything() -> None:
    rare = joint(
        (Fraction(1, 10**6), {"s": (0, {"x": 1}), "o": (0, {"x": 1})}, {"x": 1, "n": 1}),
        (1, {"s": (0, {"x": 1}), "o": (0, {"n": 1})}, {"x": 1, "n": 1}),
    )

    assert mutual_information(rare, ("s",), ("o",)).value == arb.pos_inf()


def test_noise_of_variance_1e_minus_13_is_not_no_noise() -> None:
    nearly = joint((1, {"s": (0, {"x": 1}), "o": (0, {"x": 1, "n": 1})}, {"x": 1, "n": Fraction(1, 10**13)}))

    # ½ log(1 + 1e13)
    assert_close(mutual_information(nearly, ("s",), ("o",)), 14.966803104461214 + 5e-14, 1e-13)


def test_a_spike_and_slab_secret_has_the_verified_values() -> None:
    assert_close(mutual_information(SPIKE_AND_SLAB, ("x",), ("y",)), 0.27908739594785414, 1e-12)
    assert_close(mutual_information(SPIKE_AND_SLAB, ("b",), ("y",)), 0.019157203237874676, 1e-12)
    assert_close(mutual_information(SPIKE_AND_SLAB, ("x",), ("y",), ("b",)), 0.25993019270997947, 1e-15)


def test_an_atom_and_a_density_tell_the_branch() -> None:
    # H(3/4, 1/4): the branch is known from whether x is an atom
    assert_close(mutual_information(SPIKE_AND_SLAB, ("x",), ("b",)), 0.5623351446188083, 1e-15)


def test_the_chain_rule_holds_with_a_continuous_condition() -> None:
    both = mutual_information(SPIKE_AND_SLAB, ("b",), ("x", "y"))
    first = mutual_information(SPIKE_AND_SLAB, ("b",), ("y",))

    given = mutual_information(SPIKE_AND_SLAB, ("b",), ("x",), ("y",))

    assert abs(float(both.value - first.value - given.value)) <= 1e-12


def test_two_correlated_components_have_the_verified_values() -> None:
    assert_close(mutual_information(TWO_PAIRS, ("x",), ("y",)), 0.13025643829724468, 1e-12)
    assert_close(mutual_information(TWO_PAIRS, ("x",), ("y",), ("b",)), 0.14384103622589045, 1e-15)
    assert_close(mutual_information(TWO_PAIRS, ("b",), ("x",)), 0.126597836425571 * 0.6931471805599453, 1e-12)


# The values and tolerances are those of the verified case: double integrals by two trapezoidal sums that agree to 2e-13.
@pytest.mark.parametrize(
    ("eps", "information", "left", "tolerance"),
    [
        (Fraction(100), 0.10095447828860121, 1.3179840549160715, 1e-13),
        (Fraction(1), 0.00047630466845633357, 1.4184622285362165, 1e-13),
        (Fraction(1, 10), 4.787335365700075e-06, 1.418933745869307, 1e-13),
    ],
)
def test_the_gaussian_mechanism_has_the_verified_values(
    eps: Fraction, information: float, left: float, tolerance: float
) -> None:
    mechanism = gaussian_mechanism(eps)

    assert_close(mutual_information(mechanism, ("inc0",), ("out",)), information, tolerance)
    assert_close(conditional_entropy(mechanism, ("inc0",), ("out",)), left, 1e-12)


def test_sex_and_income_of_one_person_are_independent() -> None:
    assert mutual_information(gaussian_mechanism(Fraction(100)), ("inc0",), ("fem0",)).exact == 0


def test_discrete_and_continuous_secrets_obey_the_chain_rule() -> None:
    mechanism = gaussian_mechanism(Fraction(100))

    both = mutual_information(mechanism, ("inc0", "fem0"), ("out",))

    parts = [
        mutual_information(mechanism, ("fem0",), ("out",)),
        mutual_information(mechanism, ("inc0",), ("out",), ("fem0",)),
    ]
    assert_close(both, sum(float(part.value) for part in parts), 1e-11)


def test_all_incomes_together_leak_what_ten_million_runs_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lattice, "WORK", 2e7)
    mechanism = gaussian_mechanism(Fraction(100))

    found = mutual_information(mechanism, ("inc0", "inc1", "inc2", "inc3"), ("out",))

    # A Monte Carlo estimate of this is 0.88862 ± 0.00035 nats, two thirds of the intervals of which hold it.
    assert float(found.lower) < 0.88862 + 4 * 0.00035
    assert float(found.upper) > 0.88862 - 4 * 0.00035
    assert 1e-3 < found.upper - found.lower < 0.02
    assert found.notes


def test_several_outputs_of_one_normal_have_the_closed_form() -> None:
    # Two readings with noise variances 1 and 2 of a unit normal: ½ log(1 + 1 + 1/2).
    readings = joint(
        (1, {"x": (0, {"x": 1}), "a": (0, {"x": 1, "m": 1}), "b": (0, {"x": 1, "n": 1})}, {"x": 1, "m": 1, "n": 2})
    )

    found = mutual_information(readings, ("x",), ("a", "b"))

    assert_close(found, 0.45814536593707755, 1e-15)
    assert found.certainty is Certainty.EXACT


def test_a_reading_that_repeats_another_adds_nothing() -> None:
    readings = joint(
        (1, {"x": (0, {"x": 1}), "a": (0, {"x": 1, "m": 1}), "b": (3, {"x": 2, "m": 2})}, {"x": 1, "m": 1})
    )

    assert_close(mutual_information(readings, ("x",), ("a", "b")), 0.34657359027997264, 1e-15)


def test_a_difference_of_readings_can_reveal() -> None:
    readings = joint((1, {"x": (0, {"x": 1}), "a": (0, {"x": 1, "m": 1}), "b": (0, {"m": 1})}, {"x": 1, "m": 1}))

    assert mutual_information(readings, ("x",), ("a", "b")).value == arb.pos_inf()


def test_a_continuous_condition_with_linear_dependencies_is_told_plainly() -> None:
    copies = joint((1, {"x": (0, {"x": 1}), "y": (0, {"x": 1}), "z": (0, {"x": 1})}, {"x": 1}))

    with pytest.raises(Fault):
        mutual_information(copies, ("x",), ("y",), ("z",))


def test_an_approximation_claims_no_more_than_nonnegativity() -> None:
    exact = bit_through_noise(0)
    rough = MixtureJoint(exact.variables, exact.components, (Reason(Span(0, 1), "SEEP301", "a product"),))

    found = mutual_information(rough, ("s",), ("o",))

    assert found.certainty is Certainty.APPROXIMATE
    assert found.lower == 0
    assert found.upper == arb.pos_inf()


def test_three_readings_of_a_bit_leak_what_their_mean_leaks() -> None:
    # The mean of three readings with unit noise is sufficient; its noise has variance 1/3, as a bit at ±√3 in unit noise.
    readings = joint(
        *((HALF, {"s": s, **{name: (2 * s - 1, {name: 1}) for name in "abc"}}, dict.fromkeys("abc", 1)) for s in (0, 1))
    )
    mean = joint(*((HALF, {"s": s, "m": (2 * s - 1, {"n": 1})}, {"n": Fraction(1, 3)}) for s in (0, 1)))

    found = mutual_information(readings, ("s",), ("a", "b", "c"))

    assert_close(found, float(mutual_information(mean, ("s",), ("m",)).value), 1e-11)


@pytest.mark.parametrize("noise", [Fraction(1, 100), 1, 50])
def test_a_variable_tells_itself_also_where_another_is_known(noise: Fraction | int) -> None:
    # Given z, x still has a density, which x itself and its double pin down; z and what z determines are known already.
    law = joint(
        *(
            (
                HALF,
                {
                    "s": s,
                    "x": (s, {"x": 1}),
                    "y": (0, {"x": 2}),
                    "z": (s, {"x": 1, "n": 1}),
                    "w": (0, {"x": 1, "n": 1}),
                },
                {"x": Fraction(1, 10), "n": noise},
            )
            for s in (0, 1)
        )
    )

    for x, y in ((("x",), ("x",)), (("x",), ("y",)), (("x", "z"), ("x",)), (("s", "x"), ("x", "z"))):
        found = mutual_information(law, x, y, ("z",))
        assert found.lower == found.upper == arb.pos_inf()
    for x, y, z in ((("x",), ("z",), ("z",)), (("x",), ("w",), ("x",)), (("x", "z"), ("z",), ("z",))):
        assert mutual_information(law, x, y, z).upper < 1


def test_a_copy_in_some_runs_tells_all_given_a_noisy_reading() -> None:
    def law(copied: int) -> MixtureJoint:
        y = (0, {"x": 1}) if copied else (0, {"m": 1})
        return joint(
            (Fraction(1, 1000), {"x": (0, {"x": 1}), "y": y, "z": (0, {"x": 1, "n": 1})}, {"x": 1, "n": 1, "m": 1}),
            (
                Fraction(999, 1000),
                {"x": (0, {"x": 1}), "y": (0, {"m": 1}), "z": (0, {"x": 1, "n": 1})},
                {"x": 1, "n": 1, "m": 1},
            ),
        )

    assert mutual_information(law(1), ("x",), ("y",), ("z",)).lower == arb.pos_inf()
    assert mutual_information(law(0), ("x",), ("y",), ("z",)).upper < 1e-6


coefficients = st.integers(-2, 2)
gaussians = st.tuples(st.integers(1, 5), st.integers(-3, 3), st.integers(-3, 3), coefficients)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.lists(gaussians, min_size=1, max_size=3))
def test_information_is_symmetric_and_not_negative(parts: list[tuple[int, int, int, int]]) -> None:
    pair = joint(
        *((Fraction(w), {"x": (m, {"a": 1}), "y": (n, {"a": c, "b": 1})}, {"a": 1, "b": 2}) for w, m, n, c in parts)
    )

    forth, back = mutual_information(pair, ("x",), ("y",)), mutual_information(pair, ("y",), ("x",))

    assert float(forth.lower) >= 0
    assert forth.lower <= back.upper
    assert back.lower <= forth.upper
    assert abs(float(forth.value - back.value)) <= 1e-11
