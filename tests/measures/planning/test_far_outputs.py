"""What many noisy looks at a hidden chain tell of one of its states: bounds against the enumeration of all looks, and of what a few of them tell."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
from tests.measures.planning.test_statistic import question

import seepage
from seepage.measures.one_law import by_one_law
from seepage.measures.planning.planner import answer
from seepage.measures.planning.reductions import far_outputs
from seepage.measures.planning.reductions.far_outputs import WITH_STATE, WITHOUT_FAR

HIDDEN = """secret x
output y
x[1] ~ {law}
for i in 2..{n} {{ x[i] ~ {step} }}
for i in 1..{n} {{ y[i] ~ flip(if x[i] == 1 then {right} else 1/4) }}
"""
LAWS, STEPS = (
    ["flip(1/2)", "uniform_int(0, 2)"],
    ["flip(if x[i-1] == 1 then 4/5 else 1/3)", "uniform_int(0, 1 + x[i-1])"],
)
MEASURES = ["I(x[1]; y)", "V(x[2] | y)", "H(x[3] | y)", "Lmin(x[1] -> y)", "DP(x[1] -> y)", "C(x[3] -> y)", "Guess(x[1] | y)"]  # fmt: skip


def test_bounds_hold_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far_outputs, "is_large", lambda _: True)
    monkeypatch.setattr(far_outputs, "_MOST_NEAR", 3)
    chance, seen = random.Random(7), 0
    for measure in MEASURES * 3:
        law, step, right = chance.choice(LAWS), chance.choice(STEPS), chance.choice(["3/4", "9/10"])
        asked = question(HIDDEN.format(n=6, law=law, step=step, right=right), measure)
        truth = float(by_one_law(asked.evaluation, asked.call).enclosure.value)
        for rule in (WITHOUT_FAR, WITH_STATE):
            reduced = rule.apply(asked)
            if reduced is None:
                continue
            seen += 1
            found = reduced.fold([answer(posed, []) for posed in reduced.questions])
            assert found is not None
            known = float(found.enclosure.value)
            assert known <= truth + 1e-9 if reduced.relation == ">=" else known >= truth - 1e-9, (measure, rule.name)
    assert seen > len(MEASURES)


def told_by_first_looks(looks: int) -> float:
    """I(x[1]; y[1], …) in bits, by the forward algorithm for every sequence of looks."""
    told = 0.0
    for seen in product((0, 1), repeat=looks):
        chances = []
        for first in (0, 1):
            state = [float(first == 0), float(first == 1)]
            for place, look in enumerate(seen):
                if place:
                    state = [0.8 * state[0] + 0.2 * state[1], 0.2 * state[0] + 0.8 * state[1]]
                state = [mass * (0.75 if look == at else 0.25) for at, mass in enumerate(state)]
            chances.append(sum(state))
        both = sum(chances) / 2
        told += sum(chance / 2 * math.log2(chance / both) for chance in chances)
    return told


def test_thirty_looks_at_a_hidden_chain() -> None:
    """The first twelve looks tell nearly all."""
    text = HIDDEN.format(n=30, law="flip(1/2)", step="flip(if x[i-1] == 1 then 4/5 else 1/5)", right="3/4")
    least = told_by_first_looks(12)

    found = seepage.parse(text).measure("I(x[1]; y)")

    assert found.upper - found.lower < 1e-6
    assert least - 1e-6 < found.lower
    assert found.upper < least + 1e-6


def test_what_is_not_parted_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hidden number is beside all looks, and near to all of them; runs that are observed tell of everything."""
    monkeypatch.setattr(far_outputs, "is_large", lambda _: True)
    text = "x ~ flip(1/2)\nu ~ flip(1/3)\nfor i in 1..14 { y[i] ~ flip(if x xor u then 1/3 else 1/2) }\n"

    for program in (text, text + "observe y[1] or y[2]\n"):
        assert WITH_STATE.apply(question(program, "I(x; y)")) is None
