"""Programs that no mixture of normals stands for: the leakage table, the checks and the measures all take the exact laws of paths."""

from __future__ import annotations

import mpmath
import pytest
from mpmath import mpf

import seepage

CAUCHY = "secret d\noutput o\nd ~ bernoulli(1/2)\no ~ student_t(1, d, 2)\nobserve(o > 1/2)\n"


@pytest.mark.variation(of="test_an_observation_that_some_runs_pass_by_the_exact_law_is_known_to")
def test_the_table_has_what_the_measures_have() -> None:
    analysis = seepage.parse(CAUCHY).analyze(seconds=300)  # a first share that a busy machine does not use up
    (row,) = analysis.table
    # The nearer value is the better guess of every output that is left, so that seeing it does not help.
    true = mpf(1) / 2 + mpmath.atan(mpf(1) / 4) / mpmath.pi
    for guess in (row.guess_before, row.guess_after):
        assert guess is not None
        assert guess.lower <= true <= guess.upper
        assert guess.upper - guess.lower < 1e-6
    assert row.information is not None
    assert row.information.lower <= information(true) <= row.information.upper
    assert row.percent is not None


def test_an_observation_that_some_runs_pass_by_the_exact_law_is_known_to() -> None:
    codes = [each.rule.code for each in seepage.parse(CAUCHY + "show I(d; o)\n").analyze().diagnostics]
    assert "SEEP413" not in codes
    assert "SEEP901" not in codes


def information(one: mpf) -> mpf:
    """I(d; o) in bits, by quadrature of the two densities on the half line."""
    shares = (1 - one, one)
    chance = mpf(1)  # P(o > 1/2 | d = 0) + P(o > 1/2 | d = 1) = 1, halved by the coin

    def density(d: int, o: mpf) -> mpf:
        return 2 / (mpmath.pi * (4 + (o - d) ** 2)) / chance

    def loss(o: mpf) -> mpf:
        joint = [density(0, o), density(1, o)]
        return mpmath.fsum(f * mpmath.log(f / (sum(joint) * share)) for f, share in zip(joint, shares, strict=True))

    with mpmath.workdps(30):
        return mpmath.quad(loss, [mpf(1) / 2, 1, 2, 4, 16, 256, 65536, mpmath.inf]) / mpmath.log(2)
