"""``DP`` with a δ and ``Delta`` of programs that make many releases, against values that are known from elsewhere."""

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest

import seepage
from seepage.laws.normal import Normal
from seepage.measures.accounting.reading import Row, Told
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.result import Result

_STEPS = """
param q in [0, 1] = {q}
secret r
output o
r ~ {law}
for i in 1..{steps} {{
    take[i] ~ flip(q)
    n[i] ~ normal(0, 1)
    o[i] := (if take[i] then r else 0) + n[i]
}}
"""
_BIT, _RANGE = "uniform_int(0, 1)", "uniform(-1, 1)"


def _encloses(found: Result, lower: float, upper: float, width: float = 2e-3) -> bool:
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= upper
    assert found.upper >= lower
    return found.upper - found.lower <= width * found.upper


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("q", "law", "steps", "measure", "lower", "upper"),
    [
        ("1/10", _BIT, 2, "DP(r -> o, delta=1e-5)", 1.917448668, 1.917448669),
        ("1/10", _BIT, 2, "Delta(r -> o, eps=1)", 5.1415e-4, 5.1417e-4),
        ("1/10", _BIT, 5, "DP(r -> o, delta=1e-5)", 2.354068, 2.354092),
        ("1/10", _BIT, 5, "Delta(r -> o, eps=1)", 2.0918e-3, 2.0920e-3),
        ("1/100", _BIT, 1000, "DP(r -> o, delta=1e-5)", 1.828170, 1.828359),
        ("1/100", _BIT, 1000, "DP(r -> o, delta=1e-10)", 3.290374, 3.290571),
        ("1/100", _RANGE, 1000, "DP(r -> o, delta=1e-5)", 2.83968, 2.84345),
    ],
)
def test_steps_with_subsampled_normal_noise(
    q: str, law: str, steps: int, measure: str, lower: float, upper: float
) -> None:
    """Values of ``values.toml``; the last: a lower bound on a grid and dp-accounting's pessimistic estimate (0.6, grid 1e-4)."""
    found = seepage.parse(_STEPS.format(q=q, law=law, steps=steps)).measure(measure)
    assert _encloses(found, lower, upper)
    assert found.certainty == "certified"


@pytest.mark.parametrize(
    "step",
    [
        "o[i] := if take then r + n else n",
        "if take { o[i] := r + n } else { o[i] := n }",
        "o[i] := n; if take { o[i] := o[i] + r }",
    ],
)
def test_however_a_record_is_taken(step: str) -> None:
    text = f"secret r\noutput o\nr ~ {_BIT}\nfor i in 1..2 {{ take ~ flip(1/10); n ~ normal(0, 1); {step} }}"
    found = seepage.parse(text).measure("DP(r -> o, delta=1e-5)")
    assert _encloses(found, 1.917448668, 1.917448669)
    ranged = seepage.parse(text.replace(_BIT, _RANGE)).measure("DP(r -> o, delta=1e-5)")
    assert ranged.certainty == "certified"
    assert ranged.lower is not None
    assert ranged.lower > 1.9174


def test_rounds_that_clip_records_anew_are_one_normal_release() -> None:
    """Each round moves by at most 3/2 behind a deviation of 2: twenty tell what one normal release does that moves by 3/4·√20 deviations."""
    text = """
    secret x
    output w
    for j in 1..3 { x[j] ~ uniform(0, 100) }
    for i in 1..20 {
        s := 0
        for j in 1..3 { s := s + (if x[j] > 75 then 1/2 else max(x[j] / 50 - 1, -1)) }
        z ~ normal(0, 4)
        w[i] := (s + z) / 3
    }
    """
    far, below = 0.75 * math.sqrt(20), statistics.NormalDist().cdf

    found = seepage.parse(text).measure("Delta(x -> w, eps=8, distance=1)")

    truth = below(far / 2 - 8 / far) - math.exp(8) * below(-far / 2 - 8 / far)
    assert found.value == pytest.approx(truth, rel=1e-6)


def test_the_worst_pair_is_told() -> None:
    found = seepage.parse(_STEPS.format(q="1/10", law=_BIT, steps=5)).measure("DP(r -> o, delta=1e-5)")
    assert str(found.witness) == "r = 1 against r = 0"


def test_many_laplace_releases() -> None:
    text = """
    secret q
    output o
    q ~ uniform_int(0, 5)
    for i in 1..64 {
        n[i] ~ laplace(0, 10)
        o[i] := q + n[i]
    }
    """
    found = seepage.parse(text).measure("Delta(q -> o, eps=1, distance=1)")
    assert _encloses(found, 0.059403814, 0.059403835)


def test_many_flips_beside_noise() -> None:
    """16 lies of 45/100 alone: 3.056850742; the noise adds at most its own loss, 1/100."""
    text = """
    secret s
    output o, p
    s ~ flip(1/2)
    for i in 1..16 {
        lie[i] ~ flip(45/100)
        o[i] := s xor lie[i]
    }
    n ~ laplace(0, 100)
    p := (if s then 1 else 0) + n
    """
    program = seepage.parse(text)
    alone, both = program.measure("DP(s -> o, delta=1e-5)"), program.measure("DP(s -> o, p, delta=1e-5)")
    assert _encloses(alone, 3.056850742197, 3.056850742198)
    assert _encloses(
        both, 3.056850742197, 3.056850742198
    )  # the root of the sum over the lies of what is lost beside them


@pytest.mark.variation(of="test_steps_with_subsampled_normal_noise")
def test_different_releases_of_four_values() -> None:
    """By 4 million samples of the outputs with their exact losses: 0.57204 with a standard error of 0.00021."""
    text = """
    secret r
    output a, b, c, d
    r ~ uniform_int(0, 3)
    n1 ~ normal(0, 4)
    a := r + n1
    n2 ~ laplace(0, 5)
    b := 2*r + n2
    k ~ flip(1/3)
    c := (r > 1) xor k
    l ~ flip(1/4)
    n3 ~ normal(0, std=2)
    d := (if l then r*r else 0) + n3
    """
    found = seepage.parse(text).measure("Delta(r -> a, b, c, d, eps=1)")
    assert _encloses(found, 0.57204 - 4 * 0.00021, 0.57204 + 4 * 0.00021)


def test_a_record_of_a_wider_range_moves_further() -> None:
    """Values between the ends are no pair that tells more: at distance 1 the range is as if it were smaller, and nothing is claimed here."""
    one, two = (
        seepage.parse(_STEPS.format(q="1/10", law=law, steps=3)).measure("DP(r -> o, delta=1e-5)")
        for law in (_RANGE, "uniform(-2, 2)")
    )
    assert one.upper is not None
    assert two.lower is not None
    assert one.upper < two.lower


@pytest.mark.parametrize(
    "assignment",
    [
        "(if take[i] then r*r else 0) + n[i]",
        "(if r > 0 then 1 else 0) + n[i]",
        "(if take[i] then max(r, 0) else 0) + n[i]",
    ],
)
def test_places_out_of_proportion_are_not_taken_for_the_ends(assignment: str) -> None:
    """Of ``r*r`` both ends have the same place, though r and 0 do not."""
    text = _STEPS.format(q="1/2", law=_RANGE, steps=2).replace("(if take[i] then r else 0) + n[i]", assignment)
    try:
        found = seepage.parse(text).measure("Delta(r -> o, eps=1/10)", seconds=5)
    except seepage.MeasureError:
        return
    assert found.upper is not None
    assert found.upper > 0.1


def test_a_record_that_is_drawn_with_its_noise_in_a_branch() -> None:
    """A draw in each arm, around places that differ: one draw around a place that the branch decides."""
    text = _STEPS.replace(
        "    take[i] ~ flip(q)\n    n[i] ~ normal(0, 1)\n    o[i] := (if take[i] then r else 0) + n[i]\n",
        "    take[i] ~ flip(q)\n    if take[i] {{ o[i] ~ normal(r, std=1) }} else if r > 5 {{ o[i] ~ normal(3, std=1) }} else {{ o[i] ~ normal(0, std=1) }}\n",
    )
    found = seepage.parse(text.format(q="1/10", law=_BIT, steps=5)).measure("DP(r -> o, delta=1e-5)")
    assert _encloses(found, 2.354068, 2.354092)


def test_arms_whose_noise_differs_in_size_are_not_one_draw() -> None:
    text = "secret r\noutput o\nr ~ flip(1/2)\nfor i in 1..2 { t ~ flip(1/2); if t { o[i] ~ laplace(r, 1) } else { o[i] ~ laplace(0, 2) } }"
    found = seepage.parse(text).measure("Delta(r -> o, eps=1/10)", seconds=5)
    assert found.upper is not None
    assert found.upper > 0.2  # half of one release alone: (1 − e^(1/10 − 1))/2 of it, and some of the other


_SUMS = """
secret q
output s
for i in 1..{n} {{ q[i] ~ uniform_int(0, 1); z[i] ~ {noise} }}
s[1] := q[1] + z[1]
for i in 2..{n} {{ s[i] := s[i-1] + q[i] + z[i] }}
"""


def test_running_sums_of_normal_values() -> None:
    """All five values change: √5/2 deviations; one: 1/2 deviation."""
    program = seepage.parse(_SUMS.format(n=5, noise="normal(0, 4)"))
    below = statistics.NormalDist().cdf
    for measure, far in (("Delta(q -> s, eps=1)", math.sqrt(5) / 2), ("Delta(q -> s, eps=1, distance=1)", 1 / 2)):
        truth = below(far / 2 - 1 / far) - math.e * below(-far / 2 - 1 / far)
        found = program.measure(measure)
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
        assert found.upper - found.lower < 1e-9


@pytest.mark.variation(of="test_steps_with_subsampled_normal_noise")
def test_running_sums_of_laplace_values() -> None:
    """All three change: a sum over the grid of the losses of three independent ones, 1/4 at most each."""
    found = seepage.parse(_SUMS.format(n=3, noise="laplace(0, 4)")).measure("Delta(q -> s, eps=1/4)")

    def loss(x: float) -> float:
        return (abs(x - 1) - abs(x)) / 4

    steps = 400
    middle = [(k + 0.5) / steps for k in range(steps)]
    law = [(1 / 4, 0.5), (-1 / 4, 0.5 * math.exp(-1 / 4))]
    law += [(loss(x), math.exp(-x / 4) / 8 / steps) for x in middle]
    truth = 0.0
    for first, p in law:
        for second, q in law:
            rest = first + second
            truth += p * q * sum(r * max(0.0, 1 - math.exp(1 / 4 - rest - last)) for last, r in law[:2])
    inner = np.array(law[2:])
    for first, p in law:
        for second, q in law:
            gaps = 1 - np.exp(1 / 4 - first - second - inner[:, 0])
            truth += p * q * float((inner[:, 1] * np.maximum(gaps, 0)).sum())
    assert found.lower - 1e-5 <= truth <= found.upper + 1e-5
    assert found.upper - found.lower <= 2e-3 * found.upper


_TAKEN = "secret r\noutput u, v, w\nr ~ uniform_int(0, 1)\ntake ~ flip(1/50)\nlie ~ flip(1/4)\nw := take xor lie\nn ~ normal(0, 1)\n"
_TWO = "m ~ normal(0, std=2)\nk ~ normal(0, std=3)\nu := (if take then r else 0) + m\nv := (if take then 2 * r else 0) + k\n"
_ONE = "u := (if take then r * sqrt(1/4 + 4/9) else 0) + n\n"


@pytest.mark.parametrize(
    "measure", ["DP(r -> {}, delta=1e-5)", "DP(r -> {}, w, delta=1e-5)", "Delta(r -> {}, eps=1/10)"]
)
def test_outputs_that_move_together_are_one_that_moves_along_their_line(measure: str) -> None:
    """By 1 behind a deviation of 2 and by 2 behind one of 3 is by the root of 1/4 + 4/9; the one output is asked of other ways."""
    both = seepage.parse(_TAKEN + _TWO).measure(measure.format("u, v"))
    alone = seepage.parse(_TAKEN.replace("v, ", "") + _ONE).measure(measure.format("u"))

    assert both.lower <= alone.upper
    assert alone.lower <= both.upper
    assert both.upper - both.lower <= 1e-3 * both.upper


def test_outputs_that_move_apart_are_on_no_line() -> None:
    """The places (0, 0), (1, 0) and (0, 1) span a plane, of which no projection tells all."""
    half = Fraction(1, 2)
    rows: dict[Values, Row] = {(0,): {(0, 0): half, (1, 0): half}, (1,): {(0, 1): 1}}
    with pytest.raises(NotRead):
        Told({(0,): 1}, rows, 0, (Normal((1,)), Normal((1,)))).pairs((0,), (1,))
