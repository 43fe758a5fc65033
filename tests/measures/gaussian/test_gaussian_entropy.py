from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.gaussian.gaussian_mixtures import Part, joint, normal, scalar_mixture

from seepage.diagnostics import Reason
from seepage.engines.outcome import MixtureComponent, MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.entropy import conditional_entropy, entropy
from seepage.measures.gaussian.information import mutual_information
from seepage.measures.result import Certainty
from seepage.source import Span

HALF = Fraction(1, 2)

TWO_PAIRS = joint(
    (
        Fraction(3, 4),
        {"b": 1, "x": (1, {"x": 1}), "y": (2, {"x": Fraction(-1, 4), "n": 1})},
        {"x": 4, "n": Fraction(3, 4)},
    ),
    (Fraction(1, 4), {"b": 0, "x": (0, {"x": 1}), "y": (0, {"x": HALF, "n": 1})}, {"x": 1, "n": Fraction(3, 4)}),
)
CHANNEL = joint((1, {"x": (0, {"x": 1}), "o": (0, {"x": 1, "n": 1})}, {"x": 1, "n": 4}))
COPY = joint((1, {"s": (0, {"x": 1}), "o": (0, {"x": 2})}, {"x": Fraction(1, 100)}))


def assert_close(found: Enclosure, value: float, tolerance: float) -> None:
    """The value is within the tolerance, and the bounds contain some number that is."""
    assert abs(float(found.value) - value) <= tolerance
    assert float(found.lower) - tolerance <= value <= float(found.upper) + tolerance
    assert float(found.upper - found.lower) <= 1e-9


# The values are those of the verified cases (quadrature with 30 digits, or closed forms).
@pytest.mark.parametrize(
    ("shift", "value"), [(3, 2.1082364662337505), (HALF, 1.530360015389409), (1, 1.7557693535515044)]
)
def test_two_normals_apart_have_the_verified_entropy(shift: Fraction, value: float) -> None:
    found = entropy(scalar_mixture((HALF, -shift, 1), (HALF, shift, 1)), ("x",))

    assert_close(found, value, 1e-12)
    assert found.certainty is Certainty.CERTIFIED


def test_a_single_normal_has_its_closed_form_and_is_exact() -> None:
    found = entropy(scalar_mixture((1, 5, Fraction(1, 100))), ("x",))

    assert_close(found, -0.8836465597893729, 1e-15)
    assert found.certainty is Certainty.EXACT


def test_equal_components_merge_into_a_closed_form() -> None:
    found = entropy(scalar_mixture(*((Fraction(1, 16), 2, 1) for _ in range(16))), ("x",))

    assert_close(found, 1.4189385332046727, 1e-15)
    assert found.certainty is Certainty.EXACT


def test_weights_need_not_be_normalised() -> None:
    found = entropy(scalar_mixture((3, -3, 1), (3, 3, 1)), ("x",))

    assert_close(found, 2.1082364662337505, 1e-12)


def test_atoms_only_give_the_discrete_entropy() -> None:
    three = joint((HALF, {"d": 0}, {}), (Fraction(1, 4), {"d": 1}, {}), (Fraction(1, 4), {"d": 2}, {}))

    found = entropy(three, ("d",))

    assert_close(found, 1.5 * 0.6931471805599453, 1e-15)
    assert found.certainty is Certainty.EXACT


def test_a_constant_has_entropy_exactly_zero() -> None:
    assert entropy(joint((1, {"d": 7}, {})), ("d",)).exact == 0


def test_an_atom_and_a_density_are_measured_by_counting_and_lebesgue() -> None:
    mixed = joint((Fraction(3, 8), {"x": 0}, {}), (Fraction(5, 8), {"x": (0, {"n": 1})}, {"n": 1}))

    found = entropy(mixed, ("x",))

    assert_close(found, 1.5483998214109025, 1e-15)
    assert found.notes


def test_given_the_branch_only_the_density_is_uncertain() -> None:
    value, sources = normal(0, 1)
    mixed = joint((Fraction(3, 8), {"b": 1, "x": 0}, {}), (Fraction(5, 8), {"b": 0, "x": value}, sources))

    assert_close(conditional_entropy(mixed, ("x",), ("b",)), 0.8868365832529205, 1e-15)


def test_a_gaussian_channel_has_its_closed_forms() -> None:
    assert_close(entropy(CHANNEL, ("x", "o")), 3.5310242469692907, 1e-15)
    assert_close(conditional_entropy(CHANNEL, ("x",), ("o",)), 1.3073667575475678, 1e-15)


def test_a_pair_of_continuous_variables_has_the_verified_conditional_entropy() -> None:
    found = conditional_entropy(TWO_PAIRS, ("x",), ("y",))

    assert_close(found, 1.8962934137107608, 1e-12)
    assert found.certainty is Certainty.CERTIFIED


def test_a_scaled_copy_leaves_minus_infinity() -> None:
    assert entropy(COPY, ("s", "o")).value == arb.neg_inf()
    assert conditional_entropy(COPY, ("s",), ("o",)).value == arb.neg_inf()


def test_noise_of_tiny_variance_leaves_a_finite_entropy() -> None:
    nearly = joint((1, {"s": (0, {"x": 1}), "o": (0, {"x": 1, "n": 1})}, {"x": 1, "n": Fraction(1, 10**13)}))

    found = conditional_entropy(nearly, ("s",), ("o",))

    # ½ log(2πe v/(1+v)), v = 1e-13
    assert_close(found, 1.4189385332046727 - 14.966803104461214 - 5e-14, 1e-13)


def test_a_repeated_variable_counts_once() -> None:
    assert entropy(CHANNEL, ("x", "x")).value == entropy(CHANNEL, ("x",)).value


def test_conditioning_on_a_copy_and_the_copy_again_is_conditioning_once() -> None:
    twice = joint((1, {"x": (0, {"x": 1}), "o": (0, {"x": 1, "n": 1}), "p": (0, {"x": 2, "n": 2})}, {"x": 1, "n": 4}))

    assert_close(conditional_entropy(twice, ("x",), ("o", "p")), 1.3073667575475678, 1e-15)


def test_an_approximation_claims_nothing_about_the_truth() -> None:
    exact = scalar_mixture((HALF, -3, 1), (HALF, 3, 1))
    rough = MixtureJoint(exact.variables, exact.components, (Reason(Span(0, 1), "SEEP301", "a product"),))

    found = entropy(rough, ("x",))

    assert found.certainty is Certainty.APPROXIMATE
    assert found.lower == arb.neg_inf()
    assert found.upper == arb.pos_inf()
    assert abs(float(found.value) - 2.1082364662337505) < 1e-12


def test_components_that_share_a_covariance_are_measured_along_their_means() -> None:
    sources = dict.fromkeys("xyz", 1)
    parts = [(HALF, {name: (m, {name: 1}) for name in "xyz"}, sources) for m in (-1, 1)]

    found = entropy(joint(*parts), ("x", "y", "z"))

    # Turned so that (1, 1, 1)/√3 is an axis: two unit normals beside the mixture of N(±√3, 1), which is N(±3, 3) scaled by 1/√3.
    along = float(entropy(scalar_mixture((HALF, -3, 3), (HALF, 3, 3)), ("x",)).value) - 0.5493061443340549
    assert_close(found, 2 * 1.4189385332046727 + along, 1e-11)


def test_three_continuous_variables_are_bounded_by_pairs_of_components() -> None:
    narrow, wide = ({name: (m, {name: 1}) for name in "xyz"} for m in (-1, 1))
    parts = (HALF, narrow, dict.fromkeys("xyz", 1)), (HALF, wide, dict.fromkeys("xyz", 4))

    found = entropy(joint(*parts), ("x", "y", "z"))

    # The mean of the two entropies, and what the label adds: at least what it tells about x alone, at most log 2.
    within = 3 * 1.4189385332046727 + 1.5 * 0.6931471805599453
    alone = scalar_mixture((HALF, -1, 1), (HALF, 1, 4))
    least = within + float(entropy(alone, ("x",)).value) - 1.4189385332046727 - 0.5 * 0.6931471805599453
    assert float(found.upper) >= least
    assert float(found.lower) <= within + 0.6931471805599453
    assert float(found.lower) >= within
    assert float(found.upper) <= within + 0.6931471805599453 + 1e-12
    assert found.notes


@pytest.mark.parametrize("slope", [0, 2])
def test_reduction_along_the_means_agrees_with_the_integral_in_the_plane(slope: int) -> None:
    def law(variance: Fraction | int) -> MixtureJoint:
        return joint(
            *(
                (HALF, {"x": (m, {"a": 1}), "y": (slope * m, {"a": 1, "b": 1})}, {"a": 1, "b": v})
                for m, v in ((-1, 1), (1, variance))
            )
        )

    # A variance that differs by 1e-12 leaves only the integral in the plane, and moves H by less than 1e-12.
    reduced, plain = (entropy(law(v), ("x", "y")) for v in (1, 1 + Fraction(1, 10**12)))

    assert abs(float(reduced.value - plain.value)) < 2e-12


mixtures = st.lists(
    st.tuples(st.integers(1, 9), st.integers(-6, 6), st.sampled_from([Fraction(1, 4), 1, 2, 9]), st.integers(0, 2)),
    min_size=1,
    max_size=5,
)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(mixtures)
def test_a_discrete_variable_and_noise_obey_the_laws_of_information(
    parts: list[tuple[int, int, Fraction, int]],
) -> None:
    weighed: list[Part] = [(Fraction(w), {"d": d, "x": (m, {"n": 1})}, {"n": v}) for w, m, v, d in parts]
    both = joint(*weighed)

    alone, given_x, information = (
        entropy(both, ("d",)),
        conditional_entropy(both, ("d",), ("x",)),
        mutual_information(both, ("d",), ("x",)),
    )
    turned = mutual_information(both, ("x",), ("d",))

    assert 0 <= float(information.lower) <= float(information.upper) <= float(alone.upper) + 1e-15
    assert 0 <= float(given_x.lower) <= float(given_x.upper) <= float(alone.upper) + 1e-15
    assert abs(float(information.value) + float(given_x.value) - float(alone.value)) <= 1e-11
    assert abs(float(information.value - turned.value)) <= 1e-12


def test_a_constant_of_no_source_counts_as_an_atom() -> None:
    flat = MixtureComponent(arb(1), (None,), ((0,),), (arb(3),), ((arb(0),),), "flat")

    assert float(entropy(MixtureJoint(("x",), (flat,)), ("x",)).value) == 0
