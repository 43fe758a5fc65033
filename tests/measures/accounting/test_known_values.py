"""Bounds of known mechanisms against published and closed-form values (``values.toml`` says how each is known)."""

import math
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from seepage.exact import nearest_float
from seepage.measures.accounting import account
from seepage.measures.accounting.account import Bounds, Releases, excess, loss
from seepage.measures.accounting.discrete import Discrete, Published
from seepage.measures.accounting.mixtures import Laplaces, Law, Normals

_VALUES = {
    each["name"]: (each["lower"], each["upper"])
    for each in tomllib.loads((Path(__file__).parent / "values.toml").read_text())["value"]
}


def _subsampled(chance: str, deviation: int, count: int) -> Releases:
    q, place = Fraction(chance), Fraction(1, deviation)
    return Releases(((Normals(((0, 1 - q), (place, q)), ((0, 1),)), count),))


def _laplace(scale: int, count: int) -> Releases:
    return Releases(((Laplaces(((0, 1),), ((Fraction(1, scale), 1),)), count),))


def _flip(chance: str, count: int) -> Releases:
    p = Fraction(chance)
    return Releases(((Discrete(((p, 1 - p), (1 - p, p))), count),))


_CASES = {
    "sub10-1-dp": (_subsampled("1/10", 1, 1), "1e-5"),
    "sub10-2-dp": (_subsampled("1/10", 1, 2), "1e-5"),
    "sub10-5": (_subsampled("1/10", 1, 5), "1e-5"),
    "sgd-1-10-1e-05": (_subsampled("1/100", 1, 10), "1e-5"),
    "sgd-1-100-1e-08": (_subsampled("1/100", 1, 100), "1e-8"),
    "sgd-1-1000-1e-08": (_subsampled("1/100", 1, 1000), "1e-8"),
    "sgd-1-1000-1e-10": (_subsampled("1/100", 1, 1000), "1e-10"),
    "sgd-1-10000-1e-05": (_subsampled("1/100", 1, 10_000), "1e-5"),
    "sgd-2-100-1e-08": (_subsampled("1/100", 2, 100), "1e-8"),
    "sgd-2-1000-1e-05": (_subsampled("1/100", 2, 1000), "1e-5"),
    "sgd-2-10000-1e-05": (_subsampled("1/100", 2, 10_000), "1e-5"),
    "laplace10-8": (_laplace(10, 8), "1e-5"),
    "laplace10-64": (_laplace(10, 64), "1e-5"),
    "flip45-16": (_flip("45/100", 16), "1e-5"),
    "flip45-256": (_flip("45/100", 256), "1e-5"),
}


def _worse(function: Callable[[Releases, Fraction], Bounds], releases: Releases, argument: str) -> tuple[float, float]:
    found = [function(each, Fraction(argument)) for each in (releases, releases.exchanged())]
    return max(one.lower for one in found), max(one.upper for one in found)


@pytest.mark.family(every=4)
@pytest.mark.parametrize("name", _CASES)
def test_losses_are_enclosed_within_a_five_hundredth(name: str) -> None:
    lower, upper = _worse(loss, *_CASES[name])
    known = _VALUES[name]
    assert lower <= known[1]
    assert known[0] <= upper
    assert upper - lower <= 2e-3 * upper


def test_excess_of_one_subsampled_step_is_its_closed_form() -> None:
    lower, upper = _worse(excess, _subsampled("1/10", 1, 1), "1")
    assert lower <= _VALUES["sub10-1"][1]
    assert _VALUES["sub10-1"][0] <= upper
    assert upper - lower < 2e-3 * upper


def test_excess_of_many_laplace_releases() -> None:
    lower, upper = _worse(excess, _laplace(10, 64), "1")
    assert lower <= _VALUES["laplace10-64-delta"][1]
    assert _VALUES["laplace10-64-delta"][0] <= upper
    assert upper - lower < 2e-3 * upper


def test_a_release_whose_noise_depends_on_one_before() -> None:
    behind = [Laplaces(((0, 1),), ((Fraction(1, scale), 1),)) for scale in (10, 5)]
    p, q = Fraction(51, 100), Fraction(49, 100)
    told = Published(((q, p, behind[0]), (p, q, behind[1])))
    lower, upper = _worse(excess, Releases(((told, 1),)), "1/20")
    assert lower <= _VALUES["adaptive"][1]
    assert _VALUES["adaptive"][0] <= upper
    assert upper - lower < 2e-3 * upper


def test_normal_releases_are_one_with_the_root_of_the_sum_of_squares() -> None:
    releases = Releases(((Normals(((Fraction(1, 10), 1),), ((0, 1),)), 100),))
    lower, upper = _worse(loss, releases, "1e-5")
    known = _VALUES["normal-100"]
    assert lower <= known[1]
    assert known[0] <= upper
    assert upper - lower < 1e-11


def test_normal_releases_on_a_grid_enclose_the_closed_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "closed_bounds", lambda *_, **__: None)
    releases = Releases(((Normals(((Fraction(1, 10), 1),), ((0, 1),)), 100),))
    lower, upper = _worse(loss, releases, "1e-5")
    assert lower <= _VALUES["normal-100"][1]
    assert _VALUES["normal-100"][0] <= upper
    assert upper - lower <= 2e-3 * upper


def test_replacing_one_record_of_a_thousand_steps() -> None:
    """dp-accounting 0.6 (privacy loss distributions, connect the dots, grid 1e-4) says at most 2.84345."""
    q = Fraction(1, 100)
    pair = Normals(((0, 1 - q), (1, q)), ((0, 1 - q), (-1, q)))
    found = loss(Releases(((pair, 1000),)), Fraction(1, 10**5))
    assert found.upper >= 2.83968
    assert found.lower <= 2.84345
    assert found.upper - found.lower <= 2e-3 * found.upper


def test_different_releases_beside_each_other() -> None:
    """100 subsampled steps, 8 Laplace values and 16 flips, against bounds on a grid of other steps."""
    parts = (*_subsampled("1/100", 1, 100).parts, *_laplace(10, 8).parts, *_flip("45/100", 16).parts)
    lower, upper = _worse(loss, Releases(parts), "1e-5")
    assert lower <= 3.36722
    assert upper >= 3.36712
    assert upper - lower <= 2e-3 * upper


@pytest.mark.variation(of="test_losses_are_enclosed_within_a_five_hundredth")
def test_a_mixture_whose_loss_is_not_monotone() -> None:
    """P(x > t) − e^ε·Q(x > t) and the like, summed over a fine partition by distribution functions of floats."""
    pair = Normals(((0, Fraction(1, 2)), (4, Fraction(1, 2))), ((2, 1),))

    def chance(law: Law, a: float, b: float) -> float:
        return sum(
            nearest_float(w)
            * (math.erf((b - nearest_float(u)) / 2**0.5) - math.erf((a - nearest_float(u)) / 2**0.5))
            / 2
            for u, w in law
        )

    cells = [(-10 + k / 1000, -10 + (k + 1) / 1000) for k in range(24_000)]
    for epsilon in (Fraction(0), Fraction(1, 2), Fraction(2)):
        for one in (pair, pair.exchanged()):
            true = sum(max(0.0, chance(one.of, a, b) - math.exp(epsilon) * chance(one.against, a, b)) for a, b in cells)
            found = excess(Releases(((one, 1),)), epsilon)
            assert found.lower <= true + 1e-6
            assert found.upper >= true - 1e-6
            assert found.upper - found.lower < 2e-3 * found.upper + 1e-6
