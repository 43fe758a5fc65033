"""The probability that an observation passes and that a branch is taken, against an interpreter that follows every run."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seepage.measures.passing import MOST_TIMES
from seepage.measures.result import Certainty
from seepage.pipeline import Options, analyze, check
from seepage.source import SourceFile, Span

# --- programs as nested tuples, written out as text and followed run by run ---------------------------------------------
# ("flip", x, p) | ("set", x, c) | ("observe", c) | ("if", ((c, block), ...), otherwise or None); c is ("is" | "not", x)
# or ("and" | "or", c, c).

Part: TypeAlias = tuple[Any, ...]
Program: TypeAlias = tuple[Part, ...]
Run: TypeAlias = tuple[dict[str, int], Fraction]


def holds(condition: Part, state: dict[str, int]) -> bool:
    match condition:
        case ("is", name):
            return state.get(name, 0) == 1
        case ("not", name):
            return state.get(name, 0) != 1
        case ("and", first, second):
            return holds(first, state) and holds(second, state)
        case ("or", first, second):
            return holds(first, state) or holds(second, state)
    raise ValueError(condition)


def spelled(condition: Part) -> str:
    match condition:
        case ("is", name):
            return f"{name} == 1"
        case ("not", name):
            return f"{name} != 1"
        case (joint, first, second):
            return f"({spelled(first)} {joint} {spelled(second)})"
    raise ValueError(condition)


class Followed:
    """A program written out, with for each condition the weight of runs that get there and of those that pass."""

    def __init__(self, program: Program) -> None:
        self.text = ""
        self.seen: dict[Span, tuple[Fraction, Fraction]] = {}
        self.end = self._block(program, [({}, Fraction(1))])

    def _block(self, program: Program, runs: list[Run]) -> list[Run]:
        for statement in program:
            runs = self._statement(statement, runs)
        return runs

    def _write(self, text: str) -> Span:
        start = len(self.text)
        self.text += text
        return Span(start, len(self.text))

    def _statement(self, statement: Part, runs: list[Run]) -> list[Run]:
        match statement:
            case ("flip", name, chance):
                self._write(f"{name} ~ bernoulli({chance})")
                self._write("\n")
                made = [({**state, name: 1}, weight * chance) for state, weight in runs]
                made += [({**state, name: 0}, weight * (1 - chance)) for state, weight in runs]
                return [run for run in made if run[1]]
            case ("set", name, condition):
                self._write(f"{name} := {spelled(condition)}\n")
                return [({**state, name: int(holds(condition, state))}, weight) for state, weight in runs]
            case ("observe", condition):
                span = self._write(f"observe {spelled(condition)}")
                self._write("\n")
                passed = [run for run in runs if holds(condition, run[0])]
                self.seen[span] = (weight_of(passed), weight_of(runs))
                return passed
            case ("if", arms, otherwise):
                return self._if(arms, otherwise, runs)
        raise ValueError(statement)

    def _if(self, arms: Part, otherwise: Program | None, runs: list[Run]) -> list[Run]:
        whole, left, done = weight_of(runs), runs, list[Run]()
        for number, (condition, block) in enumerate(arms):
            if number:
                self._write(" else ")
            header = self._write(f"if {spelled(condition)}")
            taken = [run for run in left if holds(condition, run[0])]
            left = [run for run in left if not holds(condition, run[0])]
            self.seen[header] = (weight_of(taken), whole)
            self._write(" {\n")
            done += self._block(block, taken)
            self._write("}")
        if otherwise is not None:
            self._write(" else ")
            start = self._write("{\n").start
            self_seen = (weight_of(left), whole)
            left = self._block(otherwise, left)
            self.seen[Span(start, self._write("}").end)] = self_seen
        self._write("\n")
        return done + left


def weight_of(runs: list[Run]) -> Fraction:
    return sum((weight for _, weight in runs), Fraction(0))


NAMES = st.sampled_from("abc")
CONDITIONS = st.recursive(
    st.tuples(st.sampled_from(("is", "not")), NAMES),
    lambda inner: st.tuples(st.sampled_from(("and", "or")), inner, inner),
    max_leaves=3,
)
LEAVES = st.one_of(
    st.tuples(st.just("flip"), NAMES, st.sampled_from((Fraction(1, 2), Fraction(1, 3), Fraction(3, 4)))),
    st.tuples(st.just("set"), NAMES, CONDITIONS),
    st.tuples(st.just("observe"), CONDITIONS),
)
BLOCKS = st.recursive(
    st.lists(LEAVES, min_size=1, max_size=3).map(tuple),
    lambda inner: st.lists(
        st.one_of(
            LEAVES,
            st.tuples(
                st.just("if"),
                st.lists(st.tuples(CONDITIONS, inner), min_size=1, max_size=3).map(tuple),
                st.none() | inner,
            ),
        ),
        min_size=1,
        max_size=4,
    ).map(tuple),
    max_leaves=6,
)
START = tuple(("flip", name, Fraction(1, 2)) for name in "abc")


def found(text: str, **parameters: Fraction) -> dict[str, list[Fraction | None]]:
    source = SourceFile("a.seep", text)
    analysis = analyze(check(source), Options(params=parameters))
    return {source[one.span]: [result.exact for result in one.results] for one in analysis.passing}


@given(BLOCKS)
def test_chances_are_those_of_following_every_run(block: Program) -> None:
    followed = Followed((*START, *block))
    if not followed.end:  # no run passes: the program has an error, and no numbers
        return

    analysis = analyze(check(SourceFile("a.seep", followed.text)))
    chances = {one.span: [result.exact for result in one.results] for one in analysis.passing}

    reached = {span: passed / whole for span, (passed, whole) in followed.seen.items() if whole}
    assert chances == {span: [chance] for span, chance in reached.items()}


def test_what_stands_in_a_loop_has_a_chance_each_time() -> None:
    text = "o := 0\nfor i in 1..3 {\n    x[i] ~ bernoulli(i / 4)\n    observe x[i] or o == 0\n    o := o + x[i]\n}\nshow H(o)\n"

    # Before the second time o is 1 with chance 1/4; before the third o == 0 has weight 3/4·1/2, o > 0 the rest that passed.
    second = 1 - Fraction(1, 4) * Fraction(1, 2)
    zero = Fraction(3, 4) * Fraction(1, 2)
    above = 1 - Fraction(1, 4) * Fraction(1, 2) - zero
    third = 1 - above / (above + zero) * Fraction(1, 4)
    assert found(text)["observe x[i] or o == 0"] == [1, second, third]


def test_a_long_loop_is_looked_at_a_few_times_and_counted_whole() -> None:
    source = SourceFile("a.seep", "for i in 1..50 { x[i] ~ flip(1/2); observe x[i] }\nshow H(x[1])\n")

    (only,) = analyze(check(source)).passing

    assert only.times == 50
    assert [result.exact for result in only.results] == [Fraction(1, 2)] * MOST_TIMES


def test_a_chance_is_a_formula_in_the_parameters() -> None:
    source = SourceFile("a.seep", "param p in [0, 1] = 1/4\nx ~ flip(p)\ny ~ flip(p)\nobserve x or y\nshow H(x)\n")

    ((only,),) = [one.results for one in analyze(check(source)).passing]

    assert only.exact == Fraction(7, 16)
    assert only.formula is not None


def test_an_equality_of_continuous_values_is_told() -> None:
    source = SourceFile("a.seep", "x ~ normal(0, 1)\ny := x + 1\nobserve y == 2\nz ~ flip(1/2)\nobserve z\nshow H(z)\n")

    first, second = analyze(check(source)).passing

    assert first.of_density
    assert not second.of_density
    assert second.results[0].exact == Fraction(1, 2)


def test_a_branch_on_a_continuous_value_has_true_bounds() -> None:
    source = SourceFile("a.seep", "x ~ normal(0, 1)\nif x > 1 { y := 1 } else { y := 0 }\nshow H(y)\n")
    above = 0.15865525393145707  # 1 − Φ(1)

    first, second = (one.results[0] for one in analyze(check(source)).passing)

    assert first.lower <= above <= first.upper
    assert second.lower <= 1 - above <= second.upper
    assert first.certainty is not Certainty.APPROXIMATE


@pytest.mark.parametrize(
    "text",
    [
        "x ~ flip(1/2)\nobserve x and not x\nshow H(x)\n",
        "x ~ flip(1/2)\nif x { y := 1 / 0 } else { y := 1 }\nobserve y == 1\nshow H(x)\n",
        "param p in [0, 1]\nx ~ flip(p)\nobserve x\nshow H(x)\n",
    ],
    ids=["impossible", "undefined", "without a value"],
)
def test_no_chance_is_told_where_there_is_none(text: str) -> None:
    assert "observe" not in "".join(found(text))


def test_a_loop_that_ends_by_chance_has_no_chance_of_a_branch_and_what_is_behind_it_has() -> None:
    # Computed from the states of its rounds, the loop stands in the program as branches of other conditions than its own.
    text = "x ~ flip(1/2)\nwhile x == 0 { x ~ flip(1/3); if x { skip } }\nif x == 1 { y := 1 } else { y ~ flip(1/2) }\nobserve y\nz ~ flip(1/4)\nobserve z\nshow H(x)\n"

    told = found(text)

    assert [header for header in told if header.startswith("while")] == []
    assert told["observe z"] == [Fraction(1, 4)]
