"""A secret of 64 bits that is read through a function with few values, against sums over the classes that the function makes, counted by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest

import seepage

ALL = 1 << 64

Channel = Mapping[int, Mapping[int, float]]

# How the output is made of f, in the place of {}, and with which chances it is what then.
FLIPPED = "keep ~ flip(3/4)\nif keep { o := {} } else { o ~ flip(1/2) }"
DICE = "n ~ uniform_int(1, 6)\no := {} + n"
CHOSEN = "n ~ flip(1/3)\no := if n then {} else 7"
GUARDED = "n ~ flip(1/4)\nif {} == 1 and n { o := 1 } else { o := 0 }"


def flipped(value: int) -> dict[int, float]:
    return {end: (7 if end == value else 1) / 8 for end in (0, 1)}


def dice(value: int) -> dict[int, float]:
    return {value + eyes: 1 / 6 for eyes in range(1, 7)}


def chosen(value: int) -> dict[int, float]:
    return {value: 1 / 3, 7: 2 / 3}


def guarded(value: int) -> dict[int, float]:
    return {1: 1 / 4, 0: 3 / 4} if value == 1 else {0: 1.0}


PASSES: Mapping[str, Callable[[int, int], bool]] = {
    "o > 0": lambda _, o: o > 0,
    "o != 1": lambda _, o: o != 1,
    "s % 7 != 3": lambda s, _: s % 7 != 3,
}
FUNCTIONS = {
    "s % 2": {0: ALL // 2, 1: ALL // 2},
    "s % 3": {0: ALL // 3 + 1, 1: ALL // 3, 2: ALL // 3},
    "floor(s / 2^62)": dict.fromkeys(range(4), ALL // 4),
    "min(s, 3)": {0: 1, 1: 1, 2: 1, 3: ALL - 3},
    "(s % 4 == 3)": {0: 3 * (ALL // 4), 1: ALL // 4},
}
CASES = [
    ("s % 2", FLIPPED, flipped),
    ("s % 3", DICE, dice),
    ("floor(s / 2^62)", DICE, dice),
    ("min(s, 3)", DICE, dice),
    ("s % 3", CHOSEN, chosen),
    ("(s % 4 == 3)", GUARDED, guarded),
]


def program(function: str, made: str) -> seepage.Program:
    return seepage.parse(f"secret s\noutput o\ns ~ uniform_int(0, 2^64 - 1)\n{made.replace('{}', function)}\n")


def information(counts: Mapping[int, int], channel: Channel) -> float:
    outputs = {end for row in channel.values() for end in row}
    seen = {end: sum(counts[t] / ALL * row.get(end, 0) for t, row in channel.items()) for end in outputs}
    return math.fsum(
        counts[t] / ALL * chance * math.log2(chance / seen[end])
        for t, row in channel.items()
        for end, chance in row.items()
    )


@pytest.mark.parametrize(("function", "made", "row"), CASES)
def test_it_is_told_by_the_classes_that_a_function_makes(function: str, made: str, row: object) -> None:
    assert callable(row)
    counts = FUNCTIONS[function]
    channel = {t: row(t) for t in counts}
    outputs = {end for each in channel.values() for end in each}
    asked = program(function, made)

    told, left, guess = (asked.measure(each) for each in ("I(s; o)", "H(s | o)", "V(s | o)"))

    expected = information(counts, channel)
    assert told.value == pytest.approx(expected, rel=1e-9)
    assert left.value == pytest.approx(64 - expected, rel=1e-12)
    best = sum(max(each.get(end, 0) for each in channel.values()) for end in outputs)
    assert guess.value == pytest.approx(best / ALL, rel=1e-9)


def test_values_over_all_inputs_are_those_over_the_classes() -> None:
    flips = program("s % 2", FLIPPED)

    assert flips.measure("DP(s -> o)").value == pytest.approx(math.log(7))
    assert flips.measure("Cmin(s -> o)").value == pytest.approx(math.log2(7 / 4))


@pytest.mark.parametrize("noise", ["discrete_laplace(2)", "normal(0, 1)"])
def test_noise_without_an_end_hides_as_much_of_a_class(noise: str) -> None:
    wide = seepage.parse(f"s ~ uniform_int(0, 2^64 - 1)\nn ~ {noise}\no := s % 4 + n")
    small = seepage.parse(f"s ~ uniform_int(0, 3)\nn ~ {noise}\no := s + n")

    told, same = wide.measure("I(s; o)"), small.measure("I(s; o)")

    assert told.value == pytest.approx(same.value, rel=1e-6)
    assert told.certainty is seepage.Certainty.CERTIFIED


def test_what_has_no_value_in_a_branch_that_is_not_taken_is_left_there() -> None:
    told = "if s > 0 { o := floor(1 / s) + n } else { o := n }"  # 1 / s is 1 once, 0 elsewhere
    found = seepage.parse(f"s ~ uniform_int(0, 5000)\nn ~ flip(1/2)\no := 0\n{told}").measure("I(s; o)")

    once = {0: 5000 / 5001, 1: 1 / 5001}
    ends = {0: once[0] / 2, 1: 1 / 2, 2: once[1] / 2}
    expected = -math.fsum(chance * math.log2(chance) for chance in ends.values()) - 1
    assert found.value == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("observed", PASSES)
def test_what_is_left_of_the_runs_is_what_guesses_are_about(observed: str) -> None:
    size = 5_000
    lines = [f"s ~ uniform_int(0, {size - 1})", "n ~ flip(1/3)", "o := min(s, 2) + n", f"observe {observed}"]
    runs = {(s, min(s, 2) + n): (1 + (n == 0)) / 3 / size for s in range(size) for n in (0, 1)}
    kept = {each: chance for each, chance in runs.items() if PASSES[observed](*each)}
    best = math.fsum(max(chance for (_, o), chance in kept.items() if o == end) for end in {o for _, o in kept})

    found = seepage.parse("\n".join(lines)).measure("V(s | o)")

    assert found.lower * (1 - 1e-9) <= best / math.fsum(kept.values()) <= found.upper * (1 + 1e-9)
