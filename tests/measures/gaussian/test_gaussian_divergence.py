from fractions import Fraction

import pytest
from flint import arb
from tests.measures.gaussian.gaussian_mixtures import joint, scalar_mixture

from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.divergence import divergence
from seepage.measures.result import Certainty

HALF = Fraction(1, 2)
THREE = joint((1, {"p": (0, {"a": 1}), "q": (1, {"b": 1}), "c": (0, {"a": 2, "b": 1})}, {"a": 1, "b": 4}))
COIN = joint((HALF, {"c": 0, "p": (0, {"a": 1})}, {"a": 1}), (HALF, {"c": 1, "p": (0, {"a": 1})}, {"a": 1}))


def assert_close(found: Enclosure, value: float, tolerance: float) -> None:
    assert abs(float(found.value) - value) <= tolerance
    assert float(found.lower) - tolerance <= value <= float(found.upper) + tolerance


def test_two_normals_have_their_closed_form_both_ways() -> None:
    assert_close(divergence(THREE, ("p",), THREE, ("q",)), 0.4431471805599453, 1e-15)
    assert_close(divergence(THREE, ("q",), THREE, ("p",)), 1.3068528194400546, 1e-15)
    assert divergence(THREE, ("p",), THREE, ("q",)).certainty is Certainty.EXACT


def test_atoms_against_density_diverge_both_ways() -> None:
    assert divergence(COIN, ("p",), COIN, ("c",)).value == arb.pos_inf()
    assert divergence(COIN, ("c",), COIN, ("p",)).value == arb.pos_inf()


def test_atoms_only_have_the_discrete_divergence() -> None:
    biased = joint((Fraction(1, 4), {"c": 0}, {}), (Fraction(3, 4), {"c": 1}, {}))

    # ½ log 2 + ½ log(2/3)
    assert_close(divergence(COIN, ("c",), biased, ("c",)), 0.14384103622589045, 1e-15)


def test_a_law_does_not_diverge_from_itself() -> None:
    mixture = scalar_mixture((HALF, 0, 1), (HALF, 5, 2))

    assert divergence(mixture, ("x",), mixture, ("x",)).exact == 0


def test_posterior_against_prior_has_the_closed_form() -> None:
    # x ~ N(0, 1) seen as 3 through noise of variance 4: N(3/5, 4/5).
    posterior, prior = scalar_mixture((1, Fraction(3, 5), Fraction(4, 5))), scalar_mixture((1, 0, 1))

    assert_close(divergence(posterior, ("x",), prior, ("x",)), 0.19157177565710487, 1e-15)


def test_mixtures_with_atoms_add_their_parts() -> None:
    # α log(α/β) for the atom, and the densities are equal: Σ over (1/4, 3/4) against (1/2, 1/2).
    p, q = (joint((w, {"x": 0}, {}), (1 - w, {"x": (0, {"n": 1})}, {"n": 1})) for w in (Fraction(1, 4), HALF))

    assert_close(divergence(p, ("x",), q, ("x",)), 0.13081203594113697, 1e-15)


def test_mixtures_in_the_plane_are_invariant_under_a_linear_map() -> None:
    def law(shift: int, scale: int) -> MixtureJoint:
        return joint(
            *(
                (HALF, {"x": (m, {"a": 1}), "y": (scale * m, {"a": scale, "b": 1})}, {"a": 1, "b": 1})
                for m in (-shift, shift)
            )
        )

    # Given x, y is the same in both laws, so that the divergence is that of x alone.
    alone = divergence(law(1, 3), ("x",), law(2, 3), ("x",))
    pair = divergence(law(1, 3), ("x", "y"), law(2, 3), ("x", "y"))

    assert_close(pair, float(alone.value), 1e-11)
    assert float(pair.upper - pair.lower) <= 1e-9


def test_three_dimensions_are_bounded_by_pairs() -> None:
    def law(shift: int) -> MixtureJoint:
        values = [{name: (sign * shift, {name: 1}) for name in "xyz"} for sign in (-1, 1)]
        return joint(*((HALF, value, dict.fromkeys("xyz", 1)) for value in values))

    found = divergence(law(1), ("x", "y", "z"), law(2), ("x", "y", "z"))

    # All differences lie along (1, 1, 1), where both laws are mixtures with unit variance at ±√3 and ±2√3.
    line = [scalar_mixture((HALF, -3 * s, 3), (HALF, 3 * s, 3)) for s in (1, 2)]
    truth = float(divergence(line[0], ("x",), line[1], ("x",)).value)
    assert float(found.lower) <= truth <= float(found.upper)
    assert found.upper.is_finite()


def test_a_law_on_a_line_diverges_from_one_in_the_plane() -> None:
    flat = joint((1, {"x": (0, {"a": 1}), "y": (0, {"a": 1})}, {"a": 1, "b": 1}))
    full = joint((1, {"x": (0, {"a": 1}), "y": (0, {"b": 1})}, {"a": 1, "b": 1}))

    assert divergence(flat, ("x", "y"), full, ("x", "y")).value == arb.pos_inf()
    assert divergence(full, ("x", "y"), flat, ("x", "y")).value == arb.pos_inf()


def test_two_laws_on_lines_are_not_compared_yet() -> None:
    flat = joint((1, {"x": (0, {"a": 1}), "y": (0, {"a": 1})}, {"a": 1}))
    steep = joint((1, {"x": (0, {"a": 1}), "y": (0, {"a": 2})}, {"a": 1}))

    with pytest.raises(Fault):
        divergence(flat, ("x", "y"), steep, ("x", "y"))


def test_tuples_of_different_lengths_are_a_wrong_call() -> None:
    with pytest.raises(ValueError, match="expected as many"):
        divergence(THREE, ("p",), THREE, ("p", "q"))
