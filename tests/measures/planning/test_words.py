"""Measures of words of 64 digits against numbers from whole numbers of any size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest

import seepage
from seepage.diagnostics import Fault
from seepage.measure_error import MeasureError
from seepage.measures.result import Result

TWO = "s ~ uniform_int(0, 2^64 - 1)\nu ~ uniform_int(0, 2^64 - 1)\nk ~ uniform_int(0, 2^64 - 1)\n"
N = 1 << 64


def measured(text: str, measure: str) -> Result:
    return seepage.parse("secret s\n" + text).measure(measure)


def binomial_entropy(n: int) -> float:
    chances = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    return n - sum(float(each) * math.log2(math.comb(n, k)) for k, each in enumerate(chances))


EXACT = [
    # comparisons: pairs with s < u are half of those with s != u
    ("o := s < u", "P(o)", Fraction(N - 1, 2 * N)),
    # s + u ≥ n holds for n (n − 1) / 2 pairs; n / 2 of them are equal, half of the others have s < u
    ("o := s + u >= 2^64 and s < u", "P(o)", Fraction(N - 2, 4 * N)),
    # sums and differences: the mean is linear, a difference of equal laws is negative where it is not 0 in half of the cases
    ("o := s - u", "E(o)", Fraction(0)),
    ("o := s - u", "P(o < 0)", Fraction(N - 1, 2 * N)),
    # second moments: a one-to-one map leaves the law uniform, (n² - 1) / 12; of products, by independence
    ("o := bit_xor(s, shift_right(s, 16))", "Var(o)", Fraction(N**2 - 1, 12)),
    ("o := bit_xor(s, shift_right(s, 16))", "E(o^2)", Fraction((N - 1) * (2 * N - 1), 6)),
    ("o := s", "E(s^2 - 2 * s * u / 3)", Fraction((N - 1) * (2 * N - 1), 6) - Fraction((N - 1) ** 2, 6)),
    ("o := (s + u) % 2^64", "Var(o)", Fraction(N**2 - 1, 12)),
    ("o := bit_and(s, 2^64 - 2^32)", "Var(o - s)", Fraction(N - 1, 12)),
    # the lower 32 digits are s's, half of them fair and the same
    (
        "o := bit_and(s, 2^32 - 1)",
        "E(o * s)",
        Fraction((2**32 - 1) * (2**33 - 1), 6) + Fraction((N - 2**32) * (2**32 - 1), 4),
    ),
    # pads: one hides, the same one twice tells the difference of 64 digits
    ("o := (s + k) % 2^64", "I(s; o)", Fraction(0)),
    ("o := (s + k) % 2^64; p := (u + k) % 2^64", "I(s, u; o, p)", Fraction(64)),
    ("o := bit_xor(s, k); p := bit_xor(u, k)", "I(s, u; o, p)", Fraction(64)),
    ("o := (s + k) % 2^64; p := (u + k) % 2^64", "I(s; o, p)", Fraction(0)),
    # one-to-one maps, and what they leave of them
    ("o := bit_xor(s, shift_right(s, 16))", "I(s; o)", Fraction(64)),
    ("o := (6364136223846793005 * s + 1442695040888963407) % 2^64", "I(s; o)", Fraction(64)),
    ("o := shift_right((6364136223846793005 * s + 1442695040888963407) % 2^64, 32)", "I(s; o)", Fraction(32)),
    ("o := shift_right((6364136223846793005 * s + 1) % 2^64, 32)", "V(s | o)", Fraction(1, 2**32)),
    ("o := (12 * s) % 2^64", "I(s; o)", Fraction(62)),
    ("o := bit_or(shift_left(s, 7) % 2^64, shift_right(s, 57))", "H(s | o)", Fraction(0)),
    ("o := shift_right(s, 48); p := bit_and(s, 2^64 - 2^60 + 15)", "I(s; o, p)", Fraction(20)),
    ("o := shift_right(s, 61 + u % 2)", "H(o | u)", Fraction(5, 2)),
    # a difference without its sign: 2 o < n has two values of u for some s, all others but 0 have one
    ("o := abs(s - u)", "V(s | o)", Fraction(3 * N // 2 - 1, N**2)),
    # counts of digits: the best guess of one value of each weight
    ("o := popcount(s)", "V(s | o)", Fraction(65, N)),
    ("o := popcount(bit_xor(s, u))", "I(s; o)", Fraction(0)),
    (
        "o := popcount(s)",
        "Guess(s | o)",
        sum(Fraction(math.comb(64, k) * (math.comb(64, k) + 1), 2 * N) for k in range(65)),
    ),
    ("o := popcount(s) % 2", "Guess(s | o)", Fraction(2**63 + 1, 2)),
    # after a sum o there are as many pairs as it has: 1, 2, ... n, ... 2, 1, whose squares add up to n (2 n^2 + 1) / 3
    ("o := s + u", "Guess(s | o)", (1 + Fraction(2 * N**2 + 1, 3 * N)) / 2),
    # many residues together (64-bit arithmetic and a remainder by no power of two)
    ("o := floor(bit_xor(s, u) / 2^61) % 3", "P(o == 0)", Fraction(3, 8)),
    ("o := bit_xor(s, u) % 7", "P(o == 0)", Fraction((N - 1) // 7 + 1, N)),
    # of n = 10 q + 6 numbers, q even or odd, every other ten
    (
        "o := floor(bit_xor(s, u) / 10)",
        "P(o % 2 == 0)",
        Fraction(-(N // 10 // -2) * 10 + (N % 10 if N // 10 % 2 == 0 else 0), N),
    ),
    # observations of digits, linear ones and others
    ("o := s\nobserve popcount(s) % 2 == 0", "H(o)", Fraction(63)),
    ("o := s\nobserve bit_xor(s, u) == 5", "I(s; u)", Fraction(64)),
    ("o := s < u\nobserve s != u", "P(o)", Fraction(1, 2)),
    # a law of more values than a power of two
    ("w ~ uniform_int(0, 10^6 - 1)\no := bit_xor(w, u) < 0", "P(o)", Fraction(0)),
    ("w ~ uniform_int(1, 10^6)\no := w < bit_and(s, 7)", "P(o)", Fraction(sum(range(7)), 8 * 10**6)),
]


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("text", "measure", "expected"), EXACT)
def test_rational_numbers(text: str, measure: str, expected: Fraction) -> None:
    result = measured(TWO + text, measure)

    assert result.exact == expected


SHAPES = [
    # sums over k of x log x with x = k / N, which integrals tell up to some 2^-64: of the chance of s < k, and of triangular laws
    ("o := s < u", "I(s; o)", 1 - 1 / (2 * math.log(2))),
    ("o := s < u", "H(s | o == 1)", 64 - 1 + 1 / (2 * math.log(2))),
    ("o := s + u", "H(o)", 64 + 1 / (2 * math.log(2))),
    ("o := s - u", "I(s; o)", 1 / (2 * math.log(2))),
    ("o := max(s, u)", "H(o)", 63 + 1 / (2 * math.log(2))),
    # a minimum is below s with the chance x, each value alike, and s itself with 1 - x; and so on
    ("o := min(s, u)", "I(s; o)", 31 + 1 / (4 * math.log(2))),
    ("o := if s < u then s else 0", "I(s; o)", 32.5 - 1 / (4 * math.log(2))),
    ("o := if s < u then s else 0", "I(u; o)", 0.5),
    ("o := min(s + u, 2^64 - 1)", "I(s; o)", 0.5),
    # one bit less than of a difference, but where the other sign is out of range: for half of the pairs
    ("o := abs(s - u)", "I(s; o)", 1 / (2 * math.log(2)) - 0.5),
    # words whose values are no power of two, or every third of them, tell what real numbers do, too
    ("v ~ uniform_int(0, 3 * 10^16)\nw ~ uniform_int(0, 3 * 10^16)\no := v < w", "I(v; o)", 1 - 1 / (2 * math.log(2))),
    ("v ~ uniform_int(0, 3 * 10^16)\nw ~ uniform_int(0, 3 * 10^16)\no := v + w", "I(v; o)", 1 / (2 * math.log(2))),
    ("o := s < u\nobserve s % 3 == 1", "I(s; o)", 1 - 1 / (2 * math.log(2))),
    # equality of two words by their quarters, without an early exit: the entropy of a coin of chance 1 / n
    (
        "d := 0\nfor i in 0..3 { d := bit_or(d, floor(bit_xor(s, u) / 2^(16*i)) % 2^16) }\no := d == 0",
        "I(s; o | u)",
        (64 + 1 / math.log(2)) / N,
    ),
    # the last value of s, or the first, where s < u does not hold or does; one value for each sum
    ("o := s < u", "V(s | o)", (2 * N - 1) / N**2),
    ("o := s + u", "V(s | o)", (2 * N - 1) / N**2),
]


@pytest.mark.family(every=5)
@pytest.mark.parametrize(("text", "measure", "expected"), SHAPES)
def test_laws_with_as_many_chances_as_values(text: str, measure: str, expected: float) -> None:
    result = measured(TWO + text, measure)

    assert result.lower - 1e-12 * expected <= expected <= result.upper + 1e-12 * expected
    assert result.upper - result.lower < 1e-12 * max(1, expected)


def test_binomial_weights() -> None:
    result = measured(TWO + "o := popcount(bit_xor(s, shift_right(s, 16)))", "I(s; o)")

    assert result.lower <= binomial_entropy(64) + 1e-12
    assert result.upper >= binomial_entropy(64) - 1e-12
    assert result.upper - result.lower < 1e-12


FUNCTIONS: list[tuple[str, Callable[[int], int]]] = [
    ("s % 7 * floor(s / 9000)", lambda s: s % 7 * (s // 9000)),
    ("floor(s / 31) + 5 * (s % 3)", lambda s: s // 31 + 5 * (s % 3)),
    ("if s > 40000 then s % 4 else 0", lambda s: s % 4 if s > 40000 else 0),
]


@pytest.mark.parametrize(("formula", "function"), FUNCTIONS)
def test_guesses_at_a_uniform_secret(formula: str, function: Callable[[int], int]) -> None:
    sizes = Counter(map(function, range(90_000)))

    result = measured(f"s ~ uniform_int(0, 89999)\no := {formula}", "Guess(s | o)")

    assert result.exact == Fraction(sum(n * (n + 1) for n in sizes.values()), 2 * 90_000)


CRC = """s ~ uniform_int(0, 2^64 - 1)
r := 2^32 - 1
for i in 0..63 {
    b := bit_xor(r, shift_right(s, i)) % 2
    r := bit_xor(shift_right(r, 1), b * 3988292384)
}
half := shift_right(s, 32)
"""


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("I(s; r)", Fraction(32)),  # a linear map of rank 32: any four bytes are made by one choice of the last four
        ("V(s | r)", Fraction(1, 2**32)),
        ("Guess(s | r)", Fraction(2**32 + 1, 2)),
        ("I(half; r)", Fraction(0)),
    ],
)
def test_a_checksum_is_told_by_its_rank(measure: str, expected: Fraction) -> None:
    assert measured(CRC, measure).exact == expected


@pytest.mark.family(every=2)
@pytest.mark.parametrize(
    ("text", "measure", "reason"),
    [
        ("o := s * u % 2^64", "I(s; o)", "a product of two values, each with many values"),
        ("o := s * u % 2^64", "P(o > 7)", "a product of two values, each with many values"),
        (
            "o := bit_xor(s, shift_right(s, 16)) % 1000003",
            "I(s; o)",
            "a remainder modulo 1,000,003 of a value with many values",
        ),
        (
            "h := s\nfor i in 1..2 { h := (bit_xor(h, shift_right(h, 33)) * 18397679294719823053) % 2^64 }\no := shift_right(h, 56)",
            "I(s; o)",
            "a circuit of more than 1,500 gates",
        ),
    ],
)
def test_what_is_refused_says_what_keeps_it_from_the_digits(text: str, measure: str, reason: str) -> None:
    with pytest.raises(seepage.MeasureError, match=f"binary digits of wide values: {reason}"):
        measured(TWO + text, measure)


def test_what_digits_do_not_tell_is_said_without_a_list_of_other_operations() -> None:
    with pytest.raises(MeasureError, match="'\\^' of a value with many values") as raised:
        measured(TWO + "o := s", "E(s^3)")

    assert isinstance(raised.value.__cause__, Fault)
    assert [note.partition(";")[0] for note in raised.value.__cause__.diagnostic.notes] == [
        "values from huge ranges are read by their binary digits"
    ]
