"""``Renyi`` and ``zCDP`` against closed forms of the literature, enumeration and quadrature."""

import math
import random
from collections import Counter
from fractions import Fraction

import mpmath
import pytest

import seepage
from seepage.deadline import Deadline
from seepage.engines.outcome import Budget
from seepage.measures.accounting.neighbouring import kinds_of
from seepage.measures.accounting.reading import Told
from seepage.measures.clock import OutOfTime
from seepage.measures.result import Result

_NORMAL = "secret s\noutput o\ns ~ uniform_int(0, 1)\nn ~ normal(0, 100)\no := s + n"
_LAPLACE = "secret s\noutput o\ns ~ uniform_int(0, 3)\nn ~ laplace(0, 2)\no := s + n"
_ANSWER = "secret s\noutput o\ns ~ flip(1/2)\nlie ~ flip(1/4)\no := s xor lie"
_STEPS = """
secret r
output o
r ~ uniform_int(0, 1)
for i in 1..{} {{
    take[i] ~ flip(1/100)
    n[i] ~ normal(0, 1)
    o[i] := (if take[i] then r else 0) + n[i]
}}
"""


def _measure(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure)


def _is(found: Result, value: float, width: float = 1e-12) -> bool:
    assert found.lower is not None
    assert found.upper is not None
    wide = 1e-12 * (1 + abs(value))
    assert found.lower <= value + wide
    assert found.upper >= value - wide
    return found.upper - found.lower <= width * (1 + abs(value))


def _by_quadrature(distance: float, alpha: float) -> float:
    """Return the divergence of two Laplace laws of scale 1, by integration."""

    def density(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.exp(-alpha * abs(x) - (1 - alpha) * abs(x - distance)) / 2

    return float(mpmath.log(mpmath.quad(density, [-mpmath.inf, 0, distance, mpmath.inf])) / (alpha - 1))


@pytest.mark.parametrize("alpha", ["1", "3/2", "2", "7"])
def test_normal_noise(alpha: str) -> None:
    found = _measure(_NORMAL, f"Renyi(s -> o, alpha={alpha})")
    assert _is(found, float(Fraction(alpha)) / 200)
    assert found.certainty == "exact"


@pytest.mark.parametrize("alpha", ["3/2", "2", "4"])
def test_laplace_noise(alpha: str) -> None:
    found = _measure(_LAPLACE, f"Renyi(s -> o, alpha={alpha}, distance=1)")
    assert _is(found, _by_quadrature(0.5, float(Fraction(alpha))), 1e-9)


def test_zcdp_of_one_release() -> None:
    """Normal: half the squared distance; Laplace and a random answer: the divergence of order 1, where the quotient is the greatest."""
    assert _is(_measure(_NORMAL, "zCDP(s -> o)"), 1 / 200)
    assert _is(_measure(_LAPLACE, "zCDP(s -> o)"), 1.5 + math.exp(-1.5) - 1, 1e-3)
    assert _is(_measure(_ANSWER, "zCDP(s -> o)"), math.log(3) * math.tanh(math.log(3) / 2), 1e-3)


def test_subsampled_normal_noise() -> None:
    """``values.toml``, renyi-sub; steps add up; the quotient by α rises to that of all records, whatever the chance of one."""
    assert _is(_measure(_STEPS.format(1), "Renyi(r -> o, alpha=8)"), 0.000893643907606)
    assert _is(_measure(_STEPS.format(1000), "Renyi(r -> o, alpha=8)"), 0.893643907606, 1e-9)
    assert _is(_measure(_STEPS.format(3), "zCDP(r -> o)"), 1.5)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(20))
def test_random_channels(seed: int) -> None:
    """Two outputs of one secret, by their sums; the supremum of zCDP by trial of many orders."""
    rng = random.Random(seed)
    chances = [[Fraction(rng.randint(1, 9), 10) for _ in range(3)] for _ in range(2)]
    draws = "".join(
        f"{name} ~ flip(if s == 0 then {row[0]} else if s == 1 then {row[1]} else {row[2]})\n"
        for name, row in zip("ab", chances, strict=True)
    )
    text = f"secret s\noutput a, b\ns ~ uniform_int(0, 2)\n{draws}"

    def divergence(i: int, j: int, alpha: float) -> float:
        total = 0.0
        for row in chances:
            p, q = float(row[i]), float(row[j])
            sides = [(p, q), (1 - p, 1 - q)]
            if alpha == 1:
                total += sum(a * math.log(a / b) for a, b in sides)
            else:
                total += math.log(sum(a**alpha * b ** (1 - alpha) for a, b in sides)) / (alpha - 1)
        return total

    def greatest(alpha: float) -> float:
        return max(divergence(i, j, alpha) for i in range(3) for j in range(3))

    for alpha in ("1", "2", "7/2"):
        assert _is(_measure(text, f"Renyi(s -> a, b, alpha={alpha})"), greatest(float(Fraction(alpha))), 1e-9)
    found = _measure(text, "zCDP(s -> a, b)")
    tried = max(greatest(1 + k / 50) / (1 + k / 50) for k in range(2_000))
    assert found.lower is not None
    assert found.upper is not None
    assert tried <= found.upper * (1 + 1e-12) + 1e-12
    assert found.lower <= tried * (1 + 1e-3) + 1e-12
    assert found.upper - found.lower <= 1e-3 * found.upper + 1e-12


def test_an_output_that_one_input_never_has() -> None:
    text = "secret s\noutput o\ns ~ uniform_int(0, 1)\nt ~ flip(1/2)\no := s == 1 and t"
    for measure in ("Renyi(s -> o, alpha=2)", "zCDP(s -> o)"):
        assert _measure(text, measure).lower == math.inf


def test_a_secret_that_is_published() -> None:
    found = _measure("secret s\noutput o\ns ~ uniform_int(0, 1)\no := s", "Renyi(s -> o, alpha=2)")
    assert found.lower == math.inf


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("Renyi(s -> o)", "without an order 'alpha'"),
        ("Renyi(s -> o, alpha=1/2)", "at least 1"),
        ("zCDP(s -> o | s)", "takes no condition"),
    ],
)
def test_calls_that_are_wrong(measure: str, message: str) -> None:
    with pytest.raises(seepage.MeasureError, match=message):
        _measure(_NORMAL, measure)


def test_directions_that_differ_are_not_added_up() -> None:
    """One release has the subsampled law for s = 1, the other for s = 0: no order of the values has both quotients at once."""
    text = """
    secret s
    output a, b
    s ~ uniform_int(0, 1)
    t ~ flip(1/10)
    u ~ flip(1/10)
    m ~ normal(0, 1)
    n ~ normal(0, 1)
    a := (if t then s else 0) + m
    b := (if u then 1 - s else 0) + n
    """
    found = _measure(text, "zCDP(s -> a, b)")
    assert found.lower is not None
    assert found.lower <= 0.5 + 1e-12


@pytest.mark.parametrize("alpha", ["1", "3/2", "2", "40"])
def test_a_record_that_is_taken_by_chance_behind_laplace_noise(alpha: str) -> None:
    text = "secret s\noutput o\ns ~ flip(1/2)\nfor i in 1..3 { t ~ flip(1/10); z ~ laplace(0, 1); o[i] := t * s + z }"
    order = float(Fraction(alpha))

    def term(x: mpmath.mpf, exchanged: bool) -> mpmath.mpf:
        none = mpmath.exp(-abs(x)) / 2
        taken = 9 * none / 10 + mpmath.exp(-abs(x - 1)) / 20
        a, b = (none, taken) if exchanged else (taken, none)
        return a * mpmath.log(a / b) if order == 1 else a**order * b ** (1 - order)

    def divergence(exchanged: bool) -> float:
        found = mpmath.quad(lambda x: term(x, exchanged), [-60, -20, 0, 1, 20, 60])
        return float(found if order == 1 else mpmath.log(found) / (order - 1))

    assert _is(_measure(text, f"Renyi(s -> o, alpha={alpha})"), 3 * max(map(divergence, (False, True))), 1e-5)


def test_divergences_of_independent_people_add_up() -> None:
    text = "secret q\noutput o\nfor i in 1..40 { q[i] ~ flip(1/2); lie ~ flip(i/100); o[i] := q[i] xor lie }"

    def one(lie: float) -> float:
        return math.log((1 - lie) ** 3 / lie**2 + lie**3 / (1 - lie) ** 2) / 2

    found = _measure(text, "Renyi(q -> o, alpha=3, distance=2)")
    assert _is(found, one(1 / 100) + one(2 / 100))
    assert _is(_measure(text, "Renyi(q -> o, alpha=3)"), math.fsum(one(i / 100) for i in range(1, 41)))
    alike = text.replace("i/100", "1/4")
    assert _is(_measure(alike, "zCDP(q -> o, distance=1)"), math.log(3) / 2, 1e-3)
    assert _is(_measure(alike, "zCDP(q -> o)"), 20 * math.log(3), 1e-3)


def test_a_byte_behind_laplace_noise() -> None:
    """The farthest two of 256 values are the worst pair: Mironov's closed form at 25.5 scales."""
    text = "secret x\noutput o\nx ~ uniform_int(0, 255)\ne ~ laplace(0, 10)\no := x + e"

    assert _is(_measure(text, "Renyi(x -> o, alpha=2)"), math.log(2 / 3 * math.exp(25.5) + math.exp(-51) / 3))
    assert _is(_measure(text, "DP(x -> o)"), 25.5)


def test_pairs_of_neighbours_are_counted_before_any_is_looked_at_and_looking_keeps_to_the_deadline() -> None:
    many = (((one,), (two,)) for one in range(3) for two in range(3))
    told = [Told(Counter({(0,): 1}), {}, 1, ())]  # which knows no value: to look at a pair is a KeyError
    over = Budget(deadline=Deadline.after(-1.0))

    assert kinds_of(told, many, 8, Budget()) is None
    with pytest.raises(OutOfTime):
        kinds_of(told, [((0,), (1,))], 8, over)
    with pytest.raises(KeyError):
        kinds_of(told, [((0,), (1,))], 8, Budget())
