"""Losses between neighbours in one record, of several sums: the reduction against the enumeration of all records, and closed forms for many."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from tests.measures.planning.test_statistic import question

import seepage
from seepage.measures.one_law import by_one_law
from seepage.measures.planning.planner import answer
from seepage.measures.planning.reductions import one_record
from seepage.measures.planning.reductions.one_record import ONE_RECORD

LAWS = ["flip(1/3)", "uniform_int(0, 2)", "uniform_of(0, 1, 5)", "uniform_of(-1, 2)"]
TERMS = ["{r}", "2*{r}", "-{r}", "(if {r} > 0 then 1 else 0)", "(if {r} == 1 then 3 else 0)", "{r}*{r}", "0"]
LISTED = ["uniform_int(-2, 2)", "uniform_int(0, 3)", "flip(1/4)", "uniform_of(0, 1, 3)"]
SECOND = [
    "a := c + m; b := d + n",
    "a := c + m; b := 2*d - n",
    "a := c + d + m; b := d + n",
    "a := c + m; b := r[1] xor l",
]
CASES = 40
MEASURES = ["DP(r -> a, b, distance=1)", "Delta(r -> a, b, eps=1/4, distance=1)", "DP(r -> a, b, delta=1/5, distance=1)", "Renyi(r -> a, b, alpha=2, distance=1)"]  # fmt: skip


def random_program(chance: random.Random) -> str:
    """Return two sums of two or three records, each behind noise of few values, perhaps with one record's lie beside them."""
    second = chance.choice(SECOND)
    laws = [chance.choice(LAWS) for _ in range(chance.randint(2, 3))]
    laws[0] = "flip(1/2)" if "xor" in second else laws[0]
    draws = "".join(f"r[{place}] ~ {law}\n" for place, law in enumerate(laws, 1))
    sums = "".join(
        f"{name} := 1 + "
        + " + ".join(chance.choice(TERMS).format(r=f"r[{place}]") for place in range(1, len(laws) + 1))
        + "\n"
        for name in "cd"
    )
    noise = f"m ~ {chance.choice(LISTED)}\nn ~ {chance.choice(LISTED)}\nl ~ flip(1/3)\n"
    return f"secret r\noutput a, b\n{draws}{sums}{noise}{second}\n"


def compare(program: Callable[[random.Random], str], seed: int) -> None:
    """Hold what is asked of single records to what one law says of all, in random programs and measures."""
    chance, seen = random.Random(seed), 0
    for _ in range(CASES):
        text, measure = program(chance), chance.choice(MEASURES)
        asked = question(text, measure)
        reduced = ONE_RECORD.apply(asked)
        if reduced is None:
            continue
        seen += 1
        found = reduced.fold([answer(posed, []) for posed in reduced.questions])
        assert found is not None
        truth = float(by_one_law(asked.evaluation, asked.call).enclosure.value)
        low, high = float(found.enclosure.lower), float(found.enclosure.upper)
        assert low == truth == high or low - 1e-9 <= truth <= high + 1e-9, (text, measure)
    assert seen > CASES / 3


def test_what_is_asked_of_one_record_is_what_is_asked_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_record, "FEW", 1)  # few enough to be enumerated, too
    compare(random_program, 11)


LOCAL = ["{r} xor l", "(if l then {r} else k)", "{r} * l", "{r}", "k", "({r} + {q}) * l"]


def random_program_of_people(chance: random.Random) -> str:
    """Return what each of three people answers, drawn anew in turn, beside a sum of their answers behind noise, added up in between."""
    noise = chance.choice(["m", "2*m", "m*m"])
    text = "secret r\noutput a, b\na := 0\n"
    for place in (1, 2, 3):
        told = chance.choice(LOCAL).format(r=f"r[{place}]", q=f"r[{place - 1}]" if place > 1 else "1")
        text += f"r[{place}] ~ flip(1/{place + 1})\nl ~ flip(1/3)\nk ~ flip(1/2)\nb[{place}] := {told}\n"
        text += chance.choice([f"a := a + r[{place}]\n", f"if r[{place}] {{ a := a + 2 }}\n"])
    return text + f"m ~ {chance.choice(LISTED)}\na := a + {noise}\n"


def test_what_people_tell_beside_what_is_added_up_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_record, "FEW", 1)
    compare(random_program_of_people, 12)


@pytest.mark.parametrize(("noise", "n"), [("laplace(0, 2)", 40), ("discrete_laplace(2)", 20)])
def test_randomised_answers_beside_a_count_of_the_same_people(noise: str, n: int) -> None:
    """One answer loses ln 3 and the count 1/2, both at once in the tail of the noise."""
    text = f"secret s\noutput o, c\nc := 0\nfor i in 1..{n} {{ s[i] ~ flip(1/2); lie ~ flip(1/4); o[i] := s[i] xor lie; c := c + s[i] }}\n"

    found = seepage.parse(f"{text}e ~ {noise}\nc := c + e\n").measure("DP(s -> o, c, distance=1)")

    assert found.lower - 1e-9 <= 1 / 2 + math.log(3) <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-9


HISTOGRAM = """
secret r
output o
for k in 1..3 {{ c[k] := 0 }}
for i in 1..{n} {{ r[i] ~ uniform_int(1, 3); for k in 1..3 {{ c[k] := c[k] + (if r[i] == k then 1 else 0) }} }}
for k in 1..3 {{ e[k] ~ {noise}; o[k] := c[k] + e[k] }}
"""


def laplace_divergence(order: float, move: float) -> float:
    """The Rényi divergence of Laplace laws (Mironov 2017, table II)."""
    up, down = order / (2 * order - 1), (order - 1) / (2 * order - 1)
    return math.log(up * math.exp((order - 1) * move) + down * math.exp(-order * move)) / (order - 1)


@pytest.mark.parametrize(
    ("noise", "measure", "truth"),
    [
        ("laplace(0, 2)", "DP(r -> o, distance=1)", 1.0),  # one record leaves a bin and joins another one
        ("laplace(0, 2)", "Renyi(r -> o, alpha=2, distance=1)", 2 * laplace_divergence(2, 1 / 2)),
        ("normal(0, 4)", "Renyi(r -> o, alpha=2, distance=1)", 2 * 2 / (2 * 4)),
        ("normal(0, 4)", "zCDP(r -> o, distance=1)", 2 / (2 * 4)),
        ("normal(0, 4)", "DP(r -> o, distance=1)", math.inf),
    ],
)
def test_a_histogram_of_hundred_people(noise: str, measure: str, truth: float) -> None:
    found = seepage.parse(HISTOGRAM.format(n=100, noise=noise)).measure(measure)

    assert found.lower == truth == found.upper or found.lower - 1e-9 <= truth <= found.upper + 1e-9
    assert math.isinf(truth) or found.upper - found.lower < 1e-9


@pytest.mark.parametrize(
    "text",
    [
        # The records depend on each other, what they add depends on two of them, or the outputs read a sum otherwise than by moving.
        "r[1] ~ flip(1/2)\nr[2] ~ flip((1 + r[1])/3)\nc := r[1] + r[2]\nd := r[1]\ne ~ laplace(0, 1)\no := c + e\np := d + e\n",
        "r[1] ~ flip(1/2)\nr[2] ~ flip(1/2)\nc := r[1] * r[2]\ne ~ laplace(0, 1)\no := c + e\n",
        "r[1] ~ flip(1/2)\nr[2] ~ flip(1/2)\nc := r[1] + r[2]\ne ~ laplace(0, 1)\no := (c + e)*(c + e)\n",
    ],
)
def test_other_programs_are_left_alone(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_record, "FEW", 1)
    outputs = "o, p" if "p :=" in text else "o"
    asked = question(f"secret r\noutput {outputs}\n{text}", f"DP(r -> {outputs}, distance=1)")
    assert ONE_RECORD.apply(asked) is None


def test_neighbours_in_two_records_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(one_record, "FEW", 1)
    text = HISTOGRAM.format(n=3, noise="laplace(0, 2)")
    assert ONE_RECORD.apply(question(text, "DP(r -> o, distance=2)")) is None


def test_a_count_of_a_thousand_beside_the_flipped_answer_of_one() -> None:
    text = "secret r\noutput o, a\nc := 0\nfor i in 1..1000 { r[i] ~ flip(1/2); c := c + r[i] }\n"
    text += "e ~ laplace(0, 2)\nl ~ flip(1/4)\no := c + e\na := r[1] xor l\n"

    found = seepage.parse(text).measure("DP(r -> o, a, distance=1)")

    assert found.lower - 1e-9 <= 1 / 2 + math.log(3) <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-9


@pytest.mark.parametrize("spelled", ["sum(s[i] for i in 1..9) + e", "e + sum(s[i] for i in 1..9)", "2*(e + s[1]) + 2*sum(s[2..9])", "3 - e - sum(s)"])  # fmt: skip
def test_a_count_beside_answers_may_be_summed_within_an_expression(spelled: str) -> None:
    """One answer tells ln 3 of a bit, a count of all 1/2."""
    text = f"""secret s
output c, o
for i in 1..9 {{
    s[i] ~ flip(1/2)
    lie[i] ~ flip(1/4)
    o[i] := s[i] xor lie[i]
}}
e ~ discrete_laplace(2)
c := {spelled}
"""
    found = seepage.parse(text).measure("DP(s -> c, o, distance=1)")
    assert found.value == pytest.approx(math.log(3) + 1 / 2)
    assert found.upper - found.lower < 1e-12
