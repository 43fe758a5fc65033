"""Channels with infinitely many outputs, against enumeration of a window that leaves out next to nothing, and against closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import cast

import pytest
from flint import arb

import seepage
from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import Budget, Cut, DiscreteJoint
from seepage.exact import Number
from seepage.measures.channels.channel import Channel, channels
from seepage.measures.privacy.bounds import excess_bounds, factor_bounds, ratio_bounds
from seepage.measures.privacy.neighbours import neighbourhoods

Noise = dict[int, float]


def laplace(scale: float, centre: int = 0) -> Noise:
    q = math.exp(-1 / scale)
    return {k: (1 - q) / (1 + q) * q ** abs(k - centre) for k in range(centre - 400, centre + 401)}


def geometric(p: float) -> Noise:
    return {k: p * (1 - p) ** k for k in range(400)}


def rows(noise: Noise, output: Callable[[int, int], object], inputs: range) -> list[dict[object, float]]:
    found = []
    for x in inputs:
        row: dict[object, float] = {}
        for k, mass in noise.items():
            row[output(x, k)] = row.get(output(x, k), 0.0) + mass
        found.append(row)
    return found


def delta(channel: list[dict[object, float]], epsilon: float) -> float:
    return max(
        sum(max(0.0, p - math.exp(epsilon) * other.get(y, 0.0)) for y, p in row.items())
        for row in channel
        for other in channel
    )


def guessed(channel: list[dict[object, float]]) -> float:
    return math.log2(sum(max(row.get(y, 0.0) for row in channel) for y in {y for row in channel for y in row}))


PROGRAMS: dict[str, tuple[str, list[dict[object, float]]]] = {
    "shift": ("z ~ discrete_laplace(3/2)\no := 2*s + z", rows(laplace(1.5), lambda x, k: 2 * x + k, range(3))),
    "other-sign": ("z ~ discrete_laplace(2)\nif s == 1 { o := 40 - z } else { o := s + z }", rows(laplace(2), lambda x, k: 40 - k if x == 1 else x + k, range(3))),
    "clamped": ("z ~ discrete_laplace(1)\no := min(4, max(-3, s + z))", rows(laplace(1), lambda x, k: min(4, max(-3, x + k)), range(3))),
    "absolute": ("z ~ discrete_laplace(1)\no := if abs(z) > 6 then 9 else s", rows(laplace(1), lambda x, k: 9 if abs(k) > 6 else x, range(3))),
    "index": ("z ~ discrete_laplace(1)\nfor k in 0..2 { a[k] := k * k }\no := min(6, max(-3, a[s] + z))", rows(laplace(1), lambda x, k: min(6, max(-3, x * x + k)), range(3))),
    "noisy-elements": ("z ~ discrete_laplace(1)\nfor k in 0..2 { a[k] := k + z }\no := min(4, max(-3, a[s]))", rows(laplace(1), lambda x, k: min(4, max(-3, x + k)), range(3))),
    "one-sided": ("z ~ geometric(1/3)\no := s + z", rows(geometric(1 / 3), lambda x, k: x + k, range(3))),
    "facing": ("z ~ geometric(1/3)\nif s == 0 { o := z } else { o := 30 - z }", rows(geometric(1 / 3), lambda x, k: k if x == 0 else 30 - k, range(3))),
    "scaled": ("z ~ geometric(1/2)\no := s + 3*z", rows(geometric(1 / 2), lambda x, k: x + 3 * k, range(3))),
    "two-outputs": ("z ~ discrete_laplace(1)\no[1] := s + z\no[2] := z > 20", rows(laplace(1), lambda x, k: (x + k, k > 20), range(3))),
}  # fmt: skip


def program(name: str) -> seepage.Program:
    return seepage.parse(f"secret s\noutput o\ns ~ uniform_int(0, 2)\n{PROGRAMS[name][0]}")


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_measures_agree_with_enumeration(name: str) -> None:
    channel, found = PROGRAMS[name][1], program(name)

    assert found.measure("Delta(s -> o, eps=1/2)").value == pytest.approx(delta(channel, 0.5), abs=1e-11)
    assert found.measure("Delta(s -> o, eps=3)").value == pytest.approx(delta(channel, 3), abs=1e-11)
    assert found.measure("Cmin(s -> o)").value == pytest.approx(guessed(channel), abs=1e-11)
    loss = found.measure("DP(s -> o, delta=1/50)")
    if math.isinf(loss.number):
        assert delta(channel, 30) > 1 / 50
    else:
        assert delta(channel, loss.number + 1e-9) <= 1 / 50
        assert loss.number == 0 or delta(channel, loss.number - 1e-6) > 1 / 50


def test_the_geometric_mechanism_has_exactly_the_loss_of_its_scale() -> None:
    text = "param scale in [1/10, 10] = 1\nsecret s\noutput o\ns ~ bernoulli(1/2)\nz ~ discrete_laplace(scale)\no := s + z\n"
    text += "require DP(s -> o) <= 1/scale"

    for scale in ("1", "3", "1/2", "10"):
        found = seepage.parse(text).measure("DP(s -> o)", params={"scale": scale})
        assert found.exact == 1 / Fraction(scale)
    assert seepage.parse(text).analyze().answers[0].verdict == "holds"


@pytest.mark.variation(of="test_measures_agree_with_enumeration")
def test_a_database_of_eight_records_behind_clamped_noise_keeps_the_promise_of_its_scale() -> None:
    program = """
    secret r
    output o
    for i in 1..8 { r[i] ~ flip(1/2) }
    noise ~ discrete_laplace(1)
    o := max(0, min(8, r[1] + r[2] + r[3] + r[4] + r[5] + r[6] + r[7] + r[8] + noise))
    """

    found = seepage.parse(program).measure("DP(r -> o, distance=1)")

    # Clamping is done to an output that loses exactly 1/scale, and the sum 0 and 1 at the output 0 reach it.
    assert (found.lower, found.value, found.upper) == (1, 1, 1)


def test_the_supremum_is_over_the_whole_support() -> None:
    """Each output of 0 and 1 differs by a factor of 2 at most near the centre; far out it is (1/2)^k over (1/3)^k."""
    text = "secret s\noutput o\ns ~ flip(1/2)\nif s { o ~ geometric(1/2) } else { o ~ geometric(2/3) }"

    found = seepage.parse(text).measure("DP(s -> o)")

    assert (found.lower, found.upper) == (math.inf, math.inf)


def cut_joint(mass: float) -> DiscreteJoint[arb]:
    """Return geometric noise on a bit, without the values from 6 on, whose weight is ``mass``."""
    ring = balls(128)
    masses: dict[tuple[Number, ...], arb] = {
        (s, s + k): arb(1) / 2 * arb(1) / 2 ** (k + 1) for s in (0, 1) for k in range(6)
    }
    return DiscreteJoint(("s", "o"), ring, masses, sum(masses.values(), arb(0)), Cut(arb(mass), arb.pos_inf()))


def test_what_was_cut_is_inside_of_the_bounds() -> None:
    channel = cast("Channel[arb]", channels(cut_joint(2.0**-6), ["s"], ["o"])[()])  # as the joint is
    near = neighbourhoods(tuple(channel.rows), None)
    budget = Budget()

    # In truth o = 0 tells s = 0, which has probability 1/2 there; from o = 1 on s = 1 is twice as likely as s = 0.
    ratio = ratio_bounds(channel, near, budget)
    assert not ratio.upper.is_finite()
    excess = excess_bounds(channel, near, arb(3), budget)
    assert excess.lower <= 0.5 <= excess.upper
    factor = factor_bounds(channel, near, arb(0.5), budget)
    assert factor.lower <= 1 <= factor.upper
