"""``DP`` and ``Delta`` of discrete secrets behind noise of explicit densities, against closed forms and quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from mpmath import mpf

import seepage
from seepage.measures.cells import way
from seepage.measures.clock import OutOfTime
from seepage.measures.gaussian import privacy_questions
from seepage.measures.gaussian.privacy import excess
from seepage.measures.privacy import questions
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.result import Certainty, Result

BIT = "secret s\noutput o\ns ~ bernoulli(1/2)\n"
Density = Callable[[mpf], mpf]


def measured(text: str, measure: str) -> Result:
    return seepage.parse(BIT + text).measure(measure)


def student(df: float, at: float = 0, scale: float = 1) -> Density:
    front = mpmath.gamma(mpf(df + 1) / 2) / mpmath.gamma(mpf(df) / 2) / mpmath.sqrt(df * mpmath.pi) / scale
    return lambda y: front * (1 + ((y - at) / scale) ** 2 / df) ** (-mpf(df + 1) / 2)


def laplace(at: float = 0, scale: float = 1) -> Density:
    return lambda y: mpmath.exp(-abs(y - at) / mpf(scale)) / (2 * mpf(scale))


def normal(at: float = 0) -> Density:
    return lambda y: mpmath.npdf(y - at)


def mixed(weight: mpf, one: Density, other: Density) -> Density:
    return lambda y: weight * one(y) + (1 - weight) * other(y)


def triangular(low: float, mode: float, high: float) -> Density:
    def density(y: mpf) -> mpf:
        if not low <= y <= high:
            return mpf(0)
        near = (y - low) / mpf(mode - low) if y < mode else (high - y) / mpf(high - mode)
        return 2 * near / mpf(high - low)

    return density


def greatest_log_ratio(f: Density, g: Density, places: Sequence[float]) -> mpf:
    """Look on a fine grid, and around its best place again and again."""
    grid = [mpf(low) + (mpf(high) - low) * k / 400 for low, high in pairwise(places) for k in range(1, 400)]
    best = max(grid, key=lambda y: mpmath.log(f(y) / g(y)))
    step = mpf(places[-1] - places[0]) / 400
    for _ in range(12):
        best = max((best + step * k / 10 for k in range(-10, 11)), key=lambda y: mpmath.log(f(y) / g(y)))
        step /= 5
    return mpmath.log(f(best) / g(best))


def greatest_excess(f: Density, g: Density, factor: mpf, knots: Sequence[mpf]) -> mpf:
    """Integrate between knots and the crossings, which are found on a grid."""
    cuts: list[mpf] = []
    for low, high in pairwise(knots):
        ends = [max(low, mpf(-60)), min(high, mpf(60))]
        grid = [ends[0] + (ends[1] - ends[0]) * k / 300 for k in range(301)]
        for a, b in pairwise(grid[1:-1]):
            if (f(a) - factor * g(a)) * (f(b) - factor * g(b)) < 0:
                cuts.append(mpmath.findroot(lambda y: f(y) - factor * g(y), (a, b), solver="anderson"))
    total = mpf(0)
    for low, high in pairwise(sorted((*knots, *cuts))):
        middle = (max(low, mpf(-80)) + min(high, mpf(80))) / 2
        if f(middle) > factor * g(middle):
            total += mpmath.quad(lambda y: f(y) - factor * g(y), [low, middle, high])
    return total


def holds(found: Result, truth: mpf, width: float, slack: float = 1e-12) -> bool:
    certain = found.certainty is not Certainty.APPROXIMATE
    return bool(certain and found.lower - slack <= truth <= found.upper + slack and found.upper - found.lower <= width)


SMOOTH = (
    ("o ~ student_t(3, s, 1)\n", student(3, 1), student(3, 0), (-30.0, 30.0)),
    ("n ~ student_t(5/2, 0, 2)\no := 3 - s + n\n", student(2.5, 2, 2), student(2.5, 3, 2), (-30.0, 30.0)),
    ("o ~ student_t(1, s, 1)\n", student(1, 1), student(1, 0), (-30.0, 30.0)),
    (
        "b ~ bernoulli(1/3)\nif b { o ~ student_t(3, s, 1) } else { o ~ laplace(s, 2) }\n",
        mixed(mpf(1) / 3, student(3, 1), laplace(1, 2)),
        mixed(mpf(1) / 3, student(3, 0), laplace(0, 2)),
        (-40.0, 0.0, 1.0, 40.0),
    ),
    (
        "b ~ bernoulli(1/4)\nif b { o ~ normal(s, 1) } else { o ~ laplace(s, 2) }\n",
        mixed(mpf(1) / 4, normal(1), laplace(1, 2)),
        mixed(mpf(1) / 4, normal(0), laplace(0, 2)),
        (-12.0, 0.0, 1.0, 12.0),
    ),
)


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("text", "one", "other", "places"), SMOOTH)
def test_the_loss_is_the_greatest_log_ratio(text: str, one: Density, other: Density, places: Sequence[float]) -> None:
    truth = max(greatest_log_ratio(one, other, places), greatest_log_ratio(other, one, places))

    assert holds(measured(text, "DP(s -> o)"), truth, 1e-12)


@pytest.mark.parametrize(("text", "one", "other", "places"), [SMOOTH[0], SMOOTH[4]])
def test_the_excess_is_the_integral(text: str, one: Density, other: Density, places: Sequence[float]) -> None:
    knots = [-mpmath.inf, *(mpf(place) for place in places[1:-1]), mpmath.inf]
    factor = mpmath.exp(mpf(1) / 3)
    truth = max(greatest_excess(one, other, factor, knots), greatest_excess(other, one, factor, knots))

    assert holds(measured(text, "Delta(s -> o, eps=1/3)"), truth, 1e-12)


def test_a_ratio_that_is_greatest_in_a_tail_or_at_an_end_is_found() -> None:
    wider = "if s { o ~ student_t(3, 0, 1) } else { o ~ student_t(3, 0, 2) }\n"
    skewed = "if s { o ~ triangular(0, 1, 5) } else { o ~ triangular(0, 2, 5) }\n"

    assert holds(measured(wider, "DP(s -> o)"), mpmath.log(8), 1e-12)
    assert holds(measured(skewed, "DP(s -> o)"), mpmath.log(2), 1e-15)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("n ~ uniform(0, 3)\no := s + n\n", "possible for one of two neighbours only"),
        ("n ~ exponential(1/2)\no := s + n\n", "possible for one of two neighbours only"),
        ("n ~ gamma(2, 1)\no := (1 + s) * n\n", "exceeds every bound"),
        ("if s { o ~ laplace(0, 1) } else { o ~ laplace(0, 2) }\n", "exceeds every bound"),
        ("if s { o ~ beta(2, 2) } else { o ~ beta(2, 1) }\n", "exceeds every bound"),
        ("if s { o ~ student_t(3, 0, 1) } else { o ~ student_t(4, 0, 1) }\n", "exceeds every bound"),
    ],
)
def test_infinite_losses_are_known_with_their_reason(text: str, note: str) -> None:
    found = measured(text, "DP(s -> o)")

    assert found.lower == math.inf
    assert found.certainty is Certainty.EXACT
    assert any(note in each for each in found.notes)


def test_noise_with_an_end_has_closed_excesses() -> None:
    assert holds(measured("n ~ uniform(0, 3)\no := s + n\n", "Delta(s -> o, eps=0)"), mpf(1) / 3, 1e-12)
    for eps in (0, 1):
        found = measured("n ~ exponential(1/2)\no := s + n\n", f"Delta(s -> o, eps={eps})")
        assert holds(found, 1 - mpmath.exp(mpf(-1) / 2), 1e-12)
    assert measured("n ~ uniform(0, 3)\no := s + n\n", "DP(s -> o, delta=1/4)").lower == math.inf
    assert holds(measured("n ~ uniform(0, 3)\no := s + n\n", "DP(s -> o, delta=1/2)"), mpf(0), 1e-12)


def test_the_loss_at_a_delta_inverts_the_excess() -> None:
    """Rates 2 against 1 have the excess (1 − e^ε/2)², rates 1 against 2 have e^−ε/4."""
    program = seepage.parse(f"{BIT}if s {{ o ~ exponential(2) }} else {{ o ~ exponential(1) }}\n")

    found = program.measure("DP(s -> o, delta=1/100)", seconds=300)

    assert holds(found, mpmath.log(25), 1e-6)


# --- several outputs --------------------------------------------------------------------------------------------------

TWO = "secret s\noutput o, p\ns ~ bernoulli(1/2)\nx ~ {one}\ny ~ {other}\no := s + x\np := s + y\n"


def test_losses_of_outputs_with_independent_noise_add_up() -> None:
    plain = seepage.parse(TWO.format(one="laplace(0, 1)", other="laplace(0, 2)"))
    heavy = seepage.parse(TWO.format(one="student_t(3, 0, 1)", other="laplace(0, 2)"))

    assert plain.measure("DP(s -> o, p)").exact == mpf(3) / 2
    truth = greatest_log_ratio(student(3, 1), student(3, 0), (-30.0, 30.0)) + mpf(1) / 2
    assert holds(heavy.measure("DP(s -> o, p)"), truth, 1e-12)


def test_excesses_of_several_outputs_are_bounded_by_composition() -> None:
    """The truth by quadrature over the second output, of closed forms for the first one."""
    found = seepage.parse(TWO.format(one="laplace(0, 1)", other="laplace(0, 2)")).measure("Delta(s -> o, p, eps=1)")

    def at(y: mpf) -> mpf:
        factor = mpmath.e * laplace(0, 2)(y) / laplace(1, 2)(y)
        gap = 1 - mpmath.log(factor)  # of the ratio's logarithm, which is from −1 to 1
        if gap <= 0:
            return mpf(0)
        part = 1 - mpmath.sqrt(factor / mpmath.e) if gap < 2 else 1 - factor
        return laplace(1, 2)(y) * part

    truth = mpmath.quad(at, [-40, -10, 0, 0.5, 1, 10, 60])
    assert found.certainty is Certainty.CERTIFIED
    assert found.lower <= truth <= found.upper


def test_a_stand_in_is_not_described_as_the_program() -> None:
    found = measured("n ~ lognormal(0, 1)\no := (1 + s) * n\n", "DP(s -> o)")

    assert found.certainty is Certainty.APPROXIMATE
    assert found.witness == ""
    assert not any("outputs exist" in note for note in found.notes)
    summed = measured("x ~ laplace(0, 1)\ny ~ normal(0, 1)\no := s + x + y\n", "DP(s -> o)")
    assert (summed.lower, summed.upper, summed.because) == (1, 1, ())  # the ratio tends to e^1 far out


TWO_HUMPS = "1/2*normal(0, 1) + 1/2*normal(3, 1)"


def test_two_outputs_with_mixtures_have_bounds_around_the_sum_over_a_grid() -> None:
    text = f"l ~ laplace(0, 1)\nm ~ {TWO_HUMPS}\no := s + l\np := s + m\n"
    step = 0.05
    cells = [-12 + step * (k + 0.5) for k in range(round(28 / step))]

    def humps(y: float, at: float) -> float:
        return (math.exp(-((y - at) ** 2) / 2) + math.exp(-((y - at - 3) ** 2) / 2)) / math.sqrt(8 * math.pi)

    def first(y: float, at: float) -> float:
        return math.exp(-abs(y - at)) / 2

    columns = [(first(y, 1), first(y, 0)) for y in cells]
    rows = [(humps(y, 1), humps(y, 0)) for y in cells]

    def excess(factor: float) -> float:
        terms = (max(0.0, a * c - factor * b * d) for a, b in columns for c, d in rows)
        return math.fsum(terms) * step * step

    delta = measured(text, "Delta(s -> o, p, eps=1)")
    loss = seepage.parse(BIT + text).measure("DP(s -> o, p, delta=1/100)", seconds=120)

    assert delta.lower <= excess(math.e) + 1e-3
    assert excess(math.e) - 1e-3 <= delta.upper < 0.3
    # What is claimed from above holds, and what is claimed from below does not hold any closer.
    assert excess(math.exp(loss.upper)) <= 0.01 + 1e-4
    assert excess(math.exp(loss.lower)) >= 0.01 - 1e-4
    assert loss.upper < 5


def test_a_copy_of_an_output_tells_nothing_and_its_rest_all_of_it() -> None:
    noise = "l ~ laplace(0, 1)\no := s + l\n"
    copied, whole = noise + "p := 2*o\n", noise + "p := 2*o + s\n"
    for measure, truth in (("DP(s -> o, p)", mpf(1)), ("Delta(s -> o, p, eps=1/2)", 1 - mpmath.exp(mpf(-1) / 4))):
        assert holds(measured(copied, measure), truth, 1e-12)
    density: Density = lambda y: (laplace(0)(y) + laplace(1)(y)) / 2
    entropy = mpmath.quad(lambda y: -density(y) * mpmath.log(density(y), 2), [-60, 0, 1, 60])
    information = entropy - mpmath.log(2 * mpmath.e, 2)
    assert holds(measured(copied, "I(s; o, p)"), information, 1e-10, slack=1e-10)
    assert holds(measured(copied, "V(s | o, p)"), 1 - mpmath.exp(mpf(-1) / 2) / 2, 1e-10)
    assert holds(measured(whole, "I(s; o, p)"), mpf(1), 1e-9)
    assert holds(measured(whole, "V(s | o, p)"), mpf(1), 1e-9)
    assert measured(whole, "DP(s -> o, p)").lower == math.inf


def test_pairs_that_time_does_not_suffice_for_leave_what_others_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = excess, iter(range(100))

    def once(*arguments: Any) -> Any:
        if next(calls):
            raise OutOfTime
        return real(*arguments)

    def unread(*_: Any) -> Any:
        raise NotRead

    monkeypatch.setattr(way, "looks_of", unread)  # these would tell it otherwise
    monkeypatch.setattr(privacy_questions, "excess", once)
    monkeypatch.setattr(questions, "excess_by_paths", lambda *_: None)
    text = "secret s\noutput o\ns ~ uniform_int(0, 2)\nm ~ 1/2*normal(0, 1) + 1/2*normal(s, 2)\no := m\n"
    found = seepage.parse(text).measure("Delta(s -> o, eps=1/10)")

    assert 0 < found.lower < found.upper == 1


def test_two_outputs_of_mixtures_of_normal_laws_have_an_upper_bound_from_their_parts() -> None:
    text = f"n ~ {TWO_HUMPS}\nm ~ {TWO_HUMPS}\no := s + n\np := s + m\n"
    both = measured(text, "Delta(s -> o, p, eps=1)")
    alone = measured(text, "Delta(s -> o, eps=1/2)")

    # One after the other, at half of ε each.
    assert 0 < both.lower <= both.upper <= 2 * alone.upper + 1e-9


def test_outputs_that_give_the_secret_away_together_have_an_infinite_loss_at_any_delta() -> None:
    text = "secret s\noutput o, p\ns ~ uniform_int(0, 2)\nn ~ normal(0, 1)\no := s + n\np := s + 2*n\n"  # 2 o - p = s
    found = seepage.parse(text).measure("DP(s -> o, p, delta=0.1)")
    assert (found.lower, found.upper) == (math.inf, math.inf)


@pytest.mark.variation(of="test_the_loss_is_the_greatest_log_ratio")
def test_paths_that_are_compared_one_by_one_count_with_their_chances_once() -> None:
    """Each of two runs lost half of its excess: what a grid over both outputs tells was above the upper bound."""
    text = "k ~ flip(1/2)\nn ~ weibull(2, 2)\nm ~ normal(0, 1/4)\no := n - s + k\nu := m + 2 * s + 2 * k\n"
    places = [0.025 * at for at in range(-120, 360)]

    def law(s: int) -> list[float]:
        def pair(o: float, u: float, k: int) -> float:
            x, y = o + s - k, u - 2 * s - 2 * k
            return 0.0 if x <= 0 else x / 2 * math.exp(-x * x / 4) * math.exp(-2 * y * y) / math.sqrt(math.pi / 2)

        return [0.025**2 * (pair(o, u, 0) + pair(o, u, 1)) / 2 for o in places for u in places]

    of, against = law(1), law(0)
    truth = sum(max(0.0, one - math.exp(1 / 2) * other) for one, other in zip(of, against, strict=True))
    told = measured(text, "Delta(s -> o, u, eps=1/2)")
    loss = measured(text, "DP(s -> o, u, delta=4/5)")

    assert truth == pytest.approx(0.8202, abs=1e-3)
    assert told.lower <= truth <= told.upper
    assert loss.upper >= 1 / 2
