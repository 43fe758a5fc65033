"""Loops whose rounds are alike, told by two of them: against closed forms, published values, and the same loop unrolled whole."""

import math
import statistics

import pytest

import seepage
from seepage.measures.result import Result
from seepage.semantics import like_rounds
from seepage.semantics.like_rounds import with_counted_rounds

_START = "param q in [0, 1] = 1/100\nsecret r\noutput o\nr ~ uniform_int(0, 1)\n"
_NOISE = "n ~ normal(0, 9); o[i] := r + n"


def _asked(body: str, rounds: int, measure: str, before: str = "", after: str = "") -> Result:
    text = f"{_START}{before}\nfor i in 1..{rounds} {{ {body} }}\n{after}"
    return seepage.parse(text).measure(measure, seconds=10)


def _normal_excess(far: float, eps: float) -> float:
    below = statistics.NormalDist().cdf
    return below(far / 2 - eps / far) - math.exp(eps) * below(-far / 2 - eps / far)


def test_steps_with_subsampled_normal_noise() -> None:
    """The value of ``values.toml`` for 10,000 steps with a deviation of 2."""
    body = "take ~ flip(q); n ~ normal(0, 4); if take { o[i] := r + n } else { o[i] := n }"
    found = _asked(body, 10_000, "DP(r -> o, delta=1e-5)")
    assert found.lower <= 2.162916
    assert found.upper >= 2.162583
    assert found.upper - found.lower <= 2e-3 * found.upper
    assert str(found.witness) == "r = 1 against r = 0"


def test_a_million_normal_rounds_are_one_release() -> None:
    """A million moves by 1 behind a deviation of 1,000 are one move by 1 behind a deviation of 1."""
    body = "n ~ normal(0, std=1000); o[i] := r + n"
    excess, divergence, rho = (
        _asked(body, 10**6, measure) for measure in ("Delta(r -> o, eps=1)", "Renyi(r -> o, alpha=3)", "zCDP(r -> o)")
    )
    assert excess.value == pytest.approx(_normal_excess(1, 1), rel=1e-6)
    assert (divergence.value, rho.value) == pytest.approx((3 / 2, 1 / 2))


def test_the_table_of_a_million_rounds() -> None:
    """A million moves by 1 behind a deviation of 1,000 tell of the record what one move by 1 behind a deviation of 1 does."""
    body = "for i in 1..1000000 { n ~ normal(0, std=1000); o[i] := r + n }"
    found = seepage.parse(f"{_START}{body}\nshow V(r | o)").analyze(seconds=10)
    alone = seepage.parse(f"{_START}n ~ normal(0, 1); o := r + n").measure("I(r; o)")

    (row,) = found.table
    assert not found.diagnostics
    assert row.information is not None
    assert row.guess_after is not None
    assert row.information.lower <= alone.upper
    assert alone.lower <= row.information.upper
    assert row.information.upper - row.information.lower <= 1e-4 * alone.upper
    assert row.guess_after.value == pytest.approx(statistics.NormalDist().cdf(1 / 2), rel=1e-4)


def test_what_loops_tell_adds_up_with_other_releases() -> None:
    """Rounds of 300 and 400 with deviations of 30 and 40, and one with a deviation of 2: squares of 1/3 + 1/4 + 1/4."""
    text = f"{_START}output p, w\nn ~ normal(0, std=2)\nw := r + n\nfor i in 1..300 {{ n1 ~ normal(0, std=30); o[i] := r + n1 }}\n"
    text += "const k = 400\nfor j in 0..k - 1 { n2[j] ~ normal(0, std=40); p[j] := n2[j] + r }"
    found = seepage.parse(text).measure("Delta(r -> o, p, w, eps=1)")
    assert found.value == pytest.approx(_normal_excess(math.sqrt(1 / 3 + 1 / 4 + 1 / 4), 1), rel=1e-6)


_BODIES = [
    "take ~ flip(1/10); n ~ normal(0, 4); o[i] := n; if take { o[i] := o[i] + r }",
    "l ~ flip(1/3); o[i] := (r == 1) xor l",
    "a := 1; for j in 1..2 { a := a + r }; n ~ laplace(0, 20); o[i] := a + n",
    "lie[i] ~ flip(1/4); n[i] ~ normal(0, 9); if lie[i] { t := 1 - r } else { t := r }; o[i] := t + n[i]",
]


@pytest.mark.parametrize(
    ("body", "measure"),
    [
        (_BODIES[0], "DP(r -> o, delta=1e-3)"),
        (_BODIES[1], "DP(r -> o)"),
        (_BODIES[1], "Delta(r -> o, eps=1/2)"),
        (_BODIES[1], "Renyi(r -> o, alpha=2)"),
        (_BODIES[2], "DP(r -> o, delta=1e-3)"),
        (_BODIES[3], "Delta(r -> o, eps=1/2)"),
        (_BODIES[1], "I(r; o)"),
        (_BODIES[1], "H(r | o)"),
        (_BODIES[1], "V(r | o)"),
        (_BODIES[2], "Guess(r | o)"),
        (_BODIES[2], "C(r -> o)"),
        (_BODIES[1], "100 * I(r; o) / H(r)"),
    ],
)
def test_two_rounds_tell_what_all_do(body: str, measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _asked(body, 5, measure)
    monkeypatch.setattr(like_rounds, "_FEWEST", 2)
    counted = _asked(body, 5, measure)
    assert counted.lower <= whole.upper + 1e-9
    assert whole.lower <= counted.upper + 1e-9


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        (f"t := 1 - t; {_NOISE} * t", "t := 0", ""),  # goes on from round to round
        (f"if r > 0 {{ t := i }}; {_NOISE}", "", ""),
        ("n ~ normal(0, 9); o[i] := r * i + n", "", ""),
        ("n ~ normal(0, i); o[i] := r + n", "", ""),
        ("n[i] ~ normal(0, 9); o[i] := r + n[1]", "", ""),
        (_NOISE, "", "o[1] := r"),
        (_NOISE, "", "observe o[1] > 0"),
        (f"take ~ flip(q); if take {{ t := r }}; {_NOISE} + t", "", ""),  # of an earlier round
        ("n ~ normal(0, 9); o[i] := x[i] + n", "for i in 1..5 { x[i] := r * i }", ""),
        ("n ~ normal(0, 9); o[i] := r + n; o[i + 5] := r + n", "", ""),
        (f"if i > 3 {{ {_NOISE} }} else {{ o[i] := 0 }}", "", ""),
    ],
)
def test_rounds_that_are_not_alike_are_not_counted(
    body: str, before: str, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(like_rounds, "_FEWEST", 2)
    program = seepage.parse(f"{_START}{before}\nfor i in 1..5 {{ {body} }}\n{after}")
    assert with_counted_rounds(program.checked, ["r", "o"]) is None


def test_rounds_that_share_a_draw_are_no_independent_releases(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coin lets the record into all five rounds or into none: five ones have (2/3)^5/2 + (1/3)^5/2 against (1/3)^5."""
    monkeypatch.setattr(like_rounds, "_FEWEST", 2)
    found = _asked("l ~ flip(1/3); o[i] := (take and r == 1) xor l", 5, "DP(r -> o)", "take ~ flip(1/2)")
    assert found.value == pytest.approx(math.log(33 / 2))


@pytest.mark.parametrize("measure", ["DP(r -> o, delta=1e-3)", "Renyi(r -> o, alpha=2)"])
def test_other_measures_and_elements_wait_for_all_rounds(measure: str) -> None:
    """Of one element of 300 only its own round tells."""
    text = f"{_START}for i in 1..300 {{ {_NOISE} }}"
    one = seepage.parse(text).measure(measure.replace("-> o", "-> o[7]"))
    alone = seepage.parse(f"{_START}n ~ normal(0, 9); o := r + n").measure(measure)
    assert one.value == pytest.approx(alone.value, rel=1e-6)


def test_a_check_answers_what_is_too_large_to_unroll() -> None:
    text = f"{_START}for i in 1..1000000 {{ n ~ normal(0, std=1000); o[i] := r + n }}\nshow Delta(r -> o, eps=1)\nrequire zCDP(r -> o) <= 1/2\nrequire zCDP(r -> o) <= 1/3"
    shown, holds, violated = seepage.parse(text).analyze(seconds=20).answers
    assert shown.result is not None
    assert shown.result.value == pytest.approx(_normal_excess(1, 1), rel=1e-6)
    assert (holds.verdict, violated.verdict) == ("holds", "violated")
