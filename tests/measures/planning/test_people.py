"""What is published of a few people, by the rules for many, against the enumeration of all runs; and closed forms for many."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from types import ModuleType

import pytest
from tests.measures.planning.test_statistic import question

import seepage
from seepage.measures.one_law import by_one_law
from seepage.measures.planning.planner import answer
from seepage.measures.planning.reductions import likeliest, repeated_releases, several_releases, sufficient
from seepage.measures.planning.reductions.likeliest import LIKELIEST
from seepage.measures.planning.reductions.reduction import Reduction
from seepage.measures.planning.reductions.repeated_releases import REPEATED_RELEASES
from seepage.measures.planning.reductions.several_releases import SEVERAL_RELEASES
from seepage.measures.planning.reductions.sufficient import SUFFICIENT

CASES = 30
LAWS = ["flip(1/3)", "flip(1/2)", "uniform_int(0, 2)", "{{0: 1/2, 1: 1/3, 3: 1/6}}"]
NOISE = ["uniform_int(-1, 1)", "flip(1/4)", "{-1: 1/6, 0: 2/3, 1: 1/6}"]
COUNTS = ["c := c + s[{i}]", "c := c + 2*s[{i}]", "if s[{i}] == 1 { c := c + 1 }", "c := c + s[{i}]; d := d + (if s[{i}] > 1 then 1 else 0)"]  # fmt: skip
OUT = ["c := c + e", "c := (c + e)*d", "c := if c + e > 2 then 1 else 0"]


def program(chance: random.Random, are_alike: bool, answers: bool) -> str:
    law, count = chance.choice(LAWS), chance.choice(COUNTS)
    text = "secret s\noutput c, o\nc := 0\nd := 1\n"
    for i in (1, 2, 3):
        law, count = (law, count) if are_alike else (chance.choice(LAWS), chance.choice(COUNTS))
        text += f"s[{i}] ~ {law.format()}\nlie ~ flip(1/{4 if are_alike else i + 2})\n"
        text += f"{count.replace('{i}', str(i))}\n"
        text += f"o[{i}] := if lie then 1 else s[{i}]\n" if answers else ""
    text = text if answers else text.replace(", o\n", "\n")
    return f"{text}e ~ {chance.choice(NOISE)}\n{chance.choice(OUT)}\n"


def compare(
    rule: Reduction, room: ModuleType, texts: Sequence[str], measures: Sequence[str], patch: pytest.MonkeyPatch
) -> int:
    """Compare what a rule makes of each program with one law of it; return how often it applied."""
    if hasattr(room, "is_large"):
        patch.setattr(room, "is_large", lambda _: True)
    seen = 0
    for number, text in enumerate(texts):
        asked = question(text, measures[number % len(measures)])
        if (reduced := rule.apply(asked)) is None:
            continue
        found = reduced.fold([answer(posed, [], (rule.name,) * 4) for posed in reduced.questions])
        if found is None:
            continue
        seen += 1
        truth = float(by_one_law(asked.evaluation, asked.call).enclosure.value)
        low, high = float(found.enclosure.lower), float(found.enclosure.upper)
        assert low == truth == high or low - 1e-7 <= truth <= high + 1e-7, (text, measures[number % len(measures)])
    return seen


def test_functions_of_people_stand_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    texts = [program(chance, False, False) for _ in range(CASES)]
    measures = ["I(s; c)", "H(s | c)", "Cmin(s -> c)", "DP(s -> c)", "C(s -> c)", "Renyi(s -> c, alpha=2)"]
    assert compare(SUFFICIENT, sufficient, texts, measures, monkeypatch) > CASES / 2


def test_only_the_likeliest_people_are_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(2)
    texts = [program(chance, False, False) for _ in range(CASES)]
    measures = ["V(s | c)", "Hmin(s | c)", "Lmin(s -> c)"]
    assert compare(LIKELIEST, likeliest, texts, measures, monkeypatch) > CASES / 2


def test_answers_beside_a_count(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    texts = [program(chance, False, True) for _ in range(CASES)]
    measures = ["I(s; c, o)", "I(s[1], s[3]; o, c)", "H(s | c, o)"]
    assert compare(SEVERAL_RELEASES, several_releases, texts, measures, monkeypatch) > CASES / 3


def test_people_that_may_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(4)
    texts = [program(chance, True, True) for _ in range(CASES)]
    monkeypatch.setattr(repeated_releases, "_FEWEST", 2)
    measures = [
        "I(c; o)",
        "I(s[1]; c, o)",
        "V(s[1] | o, c)",
        "H(c | o)",
        "V(c | o)",
        "Lmin(s[2] -> c, o)",
        "I(s[1]; o)",
    ]
    assert compare(REPEATED_RELEASES, repeated_releases, texts, measures, monkeypatch) > CASES / 5


def test_people_that_differ_do_not_change_places(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(5)
    texts = [program(chance, False, True) for _ in range(CASES)]
    monkeypatch.setattr(repeated_releases, "_FEWEST", 2)
    compare(REPEATED_RELEASES, repeated_releases, texts, ["I(c; o)", "I(s[1]; c, o)", "V(c | o)"], monkeypatch)


ANSWERS = "const n = 20\nsecret s\noutput o, c\nc := 0\nfor i in 1..n { s[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := s[i] xor lie; c := c + s[i] }\n"


def number(text: str, measure: str) -> float:
    found = seepage.parse(text).measure(measure).value
    assert found is not None
    return found


def entropy(masses: Sequence[float]) -> float:
    return -math.fsum(mass * math.log2(mass) for mass in masses if mass > 0)


def test_twenty_answers_beside_their_count() -> None:
    """Binomial sums: T of n answers are yes, and given that, c is the sum of two binomial counts."""
    n = 20
    joint = [[0.0] * (n + 1) for _ in range(n + 1)]
    for honest in range(n + 1):  # people with s = 1, of whom k say so
        for k in range(honest + 1):
            for other in range(n - honest + 1):
                chance = math.comb(n, honest) / 2**n * math.comb(honest, k) * 0.75**k * 0.25 ** (honest - k)
                joint[k + other][honest] += (
                    chance * math.comb(n - honest, other) * 0.25**other * 0.75 ** (n - honest - other)
                )
    rows, columns = [sum(row) for row in joint], [sum(column) for column in zip(*joint, strict=True)]
    common = entropy(rows) + entropy(columns) - entropy([each for row in joint for each in row])
    truth = n * (1 - entropy([1 / 4, 3 / 4])) + entropy(columns) - common

    assert abs(number(ANSWERS, "I(s; o, c)") - truth) < 1e-9
    assert abs(number(ANSWERS, "I(o; c)") - common) < 1e-9


def test_the_votes_of_forty_people() -> None:
    text = "secret v\noutput a, b\na := 0\nb := 0\nfor i in 1..40 { v[i] ~ uniform_int(0, 2); if v[i] == 1 { a := a + 1 }; if v[i] == 2 { b := b + 1 } }\n"
    text += "w := if a > b then 1 else 0\n"

    assert math.isclose(number(text, "V(v | a, b)"), math.comb(42, 2) / 3**40, rel_tol=1e-12)
    assert math.isclose(number(text, "V(v | w)"), 2 / 3**40, rel_tol=1e-12)


def test_a_count_of_twenty_behind_geometric_noise() -> None:
    """The chance to guess all of them: the greatest of 21 shifted laws, one for each count."""
    text = "secret s\noutput c\nc := 0\nfor i in 1..20 { s[i] ~ flip(1/2); c := c + s[i] }\ne ~ discrete_laplace(2)\nc := c + e\n"
    ratio = math.exp(-1 / 2)
    best = math.fsum(max(ratio ** abs(o - t) for t in range(21)) for o in range(-300, 321))
    truth = best * (1 - ratio) / (1 + ratio) / 2**20

    found = seepage.parse(text).measure("V(s | c)")

    assert math.isclose(found.lower, truth, rel_tol=1e-9)
    assert math.isclose(found.upper, truth, rel_tol=1e-9)
