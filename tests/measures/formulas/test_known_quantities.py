"""Measures that are not computed again: they are those that a fresh analysis finds, whatever was edited, and edits that matter are computed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import log2
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seepage.measures import known_quantities, one_law, program_meaning
from seepage.measures.result import Result
from seepage.pipeline import Analysis, Options, analyze, check
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
TEXT = """param p in [0, 1] = 1/3
param k in [0, 1] = 1/2
const c = 3
secret s
output o
s ~ flip(p)
t ~ flip(1/4)
o := s xor t
x ~ uniform_int(1, c)
n ~ normal(0, 1)
y := n + x
show I(s; o)
show H(x)
show I(x; y)
require I(s; o) <= 0.5 bits
"""
QUESTIONS = (
    "H(s)", "H(o | s)", "P(x == 2)", "E(x + c)", "Var(o)", "V(s | o)", "Hmin(x)", "KL(s | o == 1 || s)", "DP(s -> o)",
    "C(s -> o)", "Lmin(s -> o)", "I(s; o | x)", "I(n; y)", "H(y)",
)  # fmt: skip
# What may stand for what; the first of each stands in the text. Some change nothing that some measure depends on.
EDITS = (
    ("param p in [0, 1] = 1/3", "param p in [0, 1] = 2/5", "param p in [0, 1/2] = 1/3"),
    ("param k in [0, 1] = 1/2", "param k in [0, 1] = 1/5"),
    ("const c = 3", "const c = 4", "// a comment\nconst c = 3"),
    ("s ~ flip(p)", "s ~ flip(p / 2)", "s   ~ flip(p) /* 🎲 */"),
    ("t ~ flip(1/4)", "t ~ flip(k)", "t ~ flip(1/4)\nu := 5", "t ~ flip(1/4)\nq ~ flip(k)"),
    ("o := s xor t", "o := s and t", "if t { o := !s } else { o := s }", "o := t xor s"),
    ("x ~ uniform_int(1, c)", "x ~ uniform_int(0, c)", "x ~ uniform_int(1, c)\nobserve(x != 2)", "observe(t == 1)\nx ~ uniform_int(1, 3)"),
    ("n ~ normal(0, 1)", "n ~ normal(0, 4)"),
    ("y := n + x", "y := n - x", "y := x + n", "y := n + x\nobserve(y > 0)"),
)  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    known_quantities.forget()
    yield
    known_quantities.forget()


def analysed(text: str, **options: Any) -> Analysis:
    """Analyse as a command does, or with ``reuse`` as an editor: numbers first, then their formulas."""
    tell = (lambda known: None) if options.get("reuse") else None
    return analyze(check(SourceFile("test.seep", text)), Options(**options), tell)


def plain(value: Any) -> Any:
    """Return results without the time that they took."""
    if isinstance(value, Result):
        return replace(value, seconds=0.0)
    if isinstance(value, tuple | list):
        return tuple(map(plain, value))
    if hasattr(value, "items"):
        return {key: plain(one) for key, one in value.items()}
    slots = getattr(type(value), "__dataclass_fields__", {})
    return (
        (type(value).__name__, *(plain(getattr(value, name)) for name in slots if name != "seconds"))
        if slots
        else value
    )


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that grows by each measure that is computed."""
    computed: list[str] = []
    call = one_law._by_any_engine

    def watched(evaluation: Any, asked: Any) -> Any:
        computed.append(asked.name)
        return call(evaluation, asked)

    monkeypatch.setattr(one_law, "_by_any_engine", watched)
    return computed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("const c", "// a comment\n\nconst c"),
        ("o := s xor t", "o   :=  s xor (t)"),
        ("show H(x)", "show H(x)  // what it is"),
        ("show H(x)", "show H(x) / 2\nshow H(x)"),
    ],
)
def test_an_edit_that_changes_no_slice_computes_nothing(
    monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    text = TEXT.replace("n ~ normal(0, 1)\ny := n + x\n", "").replace("show I(x; y)\n", "")
    fresh = analysed(text.replace(before, after))
    analysed(text, reuse=True)
    computed = counted(monkeypatch)

    again = analysed(text.replace(before, after), reuse=True)

    assert set(computed) <= {"P"}  # chances that branches are taken and observations pass have places
    assert plain(again) == plain(fresh)


def test_only_what_depends_on_an_edit_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.split("require")[0].replace("secret s\noutput o\n", "")
    analysed(text, reuse=True)
    computed = counted(monkeypatch)

    found = analysed(text.replace("x ~ uniform_int(1, c)", "x ~ uniform_int(0, c)"), reuse=True)

    assert found.answers[1].result is not None
    assert found.answers[1].result.value == 2.0
    assert computed == ["H", "I", "H"]  # those asked for, of x and of x and y, and for hovers that of y


def test_a_table_that_is_kept_tells_the_values_of_parameters_that_it_does_not_depend_on() -> None:
    edited = TEXT.replace("param k in [0, 1] = 1/2", "param k in [0, 1] = 1/5")
    analysed(TEXT, reuse=True)

    table = analysed(edited, reuse=True).table

    assert table[0].information is not None
    assert table[0].information.params == {"p": "1/3", "k": "1/5"}
    assert plain(table) == plain(analysed(edited).table)


def test_nothing_is_kept_unless_it_is_asked_for() -> None:
    analysed(TEXT)

    assert not known_quantities._known


def test_what_the_clock_may_have_cut_short_is_not_kept() -> None:
    analysed(TEXT, reuse=True, seconds=1e-9)

    assert not known_quantities._known


def test_equal_statements_have_one_number_wherever_they_stand_and_others_another() -> None:
    one, other = (
        unroll(check(SourceFile("a", text)))
        for text in ("x ~ flip(1/2)\nif x { y := 1 }\n", "// moved\nx ~  flip(1/2)\nif (x) {\n y := 1 }\n")
    )
    third = unroll(check(SourceFile("a", "x ~ flip(1/2)\nif x { y := 2 }\n")))

    assert program_meaning.numbers_of(one.statements) == program_meaning.numbers_of(other.statements)
    assert program_meaning.numbers_of(one.statements) != program_meaning.numbers_of(third.statements)


def test_numbers_are_never_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_meaning, "_STATEMENTS", 2)
    texts = [f"x ~ flip(1/{number})\ny := {number}\nz := x + y\n" for number in range(2, 6)]

    found = [program_meaning.numbers_of(unroll(check(SourceFile("a", text))).statements) for text in texts]

    assert len({number for one in found for number in one}) >= 2 * len(texts) + 1
    assert len(set(found)) == len(texts)


GUESSED = """const k = 3
param g = 1
secret x
output y
x ~ uniform_int(1, 4)
y := x == 1
require G(x -> y, tries(k)) <= 0.5 bits
show G(x -> y, {(1, 1): g, (2, 2): 1})
show G(x -> y, tries(k)) + k
"""


def test_a_constant_or_parameter_in_a_gain_counts() -> None:
    """By hand: three tries hit with 3/4 before and always after y is seen, one try with 1/4 and 1/2; the table's best with g/4 and (g + 1)/4."""
    before = analysed(GUESSED, reuse=True).answers
    after = analysed(GUESSED.replace("k = 3", "k = 1").replace("g = 1", "g = 3"), reuse=True).answers

    assert [one.verdict for one in before] == ["holds", None, None]
    assert [one.verdict for one in after] == ["violated", None, None]
    for found, numbers in ((before, (log2(4 / 3), 1.0, 3 + log2(4 / 3))), (after, (1.0, log2(4 / 3), 2.0))):
        results = [one.result for one in found]
        assert [one and one.value for one in results] == pytest.approx(numbers)


@settings(deadline=None, max_examples=500 if DEEP else 8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=3, unique=True),
    st.lists(st.sampled_from(EDITS).flatmap(lambda edit: st.tuples(st.just(edit[0]), st.sampled_from(edit))), min_size=1, max_size=4),
)  # fmt: skip
def test_what_is_reused_is_what_a_fresh_analysis_finds(questions: list[str], edits: list[tuple[str, str]]) -> None:
    asked = TEXT + "".join(f"show {question}\n" for question in questions)
    analysed(asked, reuse=True)
    for place, text in edits:
        edited = asked.replace(place, text, 1)
        assert plain(analysed(edited, reuse=True)) == plain(analysed(edited))
        asked = edited if text == place or place in text else asked


# A program with a choice at each place: of constants, parameters, declarations, statements, and of what measures are written with.
PLACES = {
    "c": ("1", "2", "3", "log(5)"),
    "d": ("2", "1", "3"),
    "k": ("1", "2", "1/2"),
    "domain": ("[0, 4]", "[1/2, 2]", "[0, inf)"),
    "secrets": ("secret x", "secret x, t", "secret t"),
    "outputs": ("output o", "output o, t"),
    "t": ("flip(1/3)", "flip(1 / (c + 1))", "flip(min(k, 1) / 2)", "{0: 1/3, 1: 2/3}"),
    "x": ("uniform_int(1, 3)", "uniform_int(1, d + 2)", "{1: 1/2, 2: 1/4, 3: 1/4}"),
    "o": ("o := max(x, 2)", "o := x - t", "o := x * c + t", "if x > d { o := 1 } else { o := t }", "o := min(x, k)"),
    "after": ("", "observe(x <= 2)", "u := 5", "u ~ flip(k / 4)"),
    "bound": ("1", "c", "d / 4", "k"),
    "ranges": ("", " over k in [1/2, 1]", " over k in [1/2, 2]"),
}  # fmt: skip
PROGRAM = """const c = {c}
const d = {d}
param k in {domain} = {k}
{secrets}
{outputs}
t ~ {t}
x ~ {x}
{o}
{after}
require I(x; o) <= {bound} bits{ranges}
"""
ASKED = (
    "show G(x -> o, tries(§))", "show G(x -> o, {(1, 1): §, (2, 2): 1})", "show G(x -> o, {(§, 1): 1, (2, 2): 1})",
    "show G(x -> o, {(1, 1): 1, (2, §): 2})", "show G(x -> o, distance)", "show DP(t -> o, distance=§)", "show DP(x -> o, delta=§ / 8)",
    "show Delta(x -> o, eps=§)", "show P(x == §)", "show E(max(x, §))", "show Var(x * §)", "show H(x | o > §)", "show I(x; o) * § + 1",
    "show KL(x | x >= § || x)", "show V(x | x >= §)", "show Guess(x)", "show Cmin(x -> o)", "show Lmin(x -> o) / §",
    "require G(x -> o, tries(§)) <= 1/2 bits", "require G(x -> o, {(1, 1): §, (2, 2): 1}) <= 1/2 bits over k in [1/2, 2]",
    "require DP(t -> o, distance=§) <= 1",
)  # fmt: skip
WORDS = ("c", "d", "k", "2", "c + d", "max(c, k)", "floor(k) + 1", "d * d")


EDITED = ("word", "options", "c", "d", "k", *PLACES)  # what measures are written with is edited most


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, dict[str, Any]]]:
    """Return what an editor asks for in turn: each text differs from the one before at one or two places, or is asked for otherwise."""
    chosen = dict.fromkeys(PLACES, 0)
    questions = draw(st.lists(st.tuples(st.sampled_from(ASKED), st.sampled_from(WORDS)), min_size=1, max_size=3))
    options: dict[str, Any] = {}
    found: list[tuple[str, dict[str, Any]]] = []
    for _ in range(draw(st.integers(3, 6))):
        text = PROGRAM.format(**{name: PLACES[name][number] for name, number in chosen.items()})
        asked = "".join(f"{question.replace('§', word)}\n" for question, word in questions)
        found.append((text + asked, dict(options)))
        for name in draw(st.lists(st.sampled_from(EDITED), min_size=1, max_size=2)):
            if name == "word":
                number = draw(st.integers(0, len(questions) - 1))
                questions[number] = questions[number][0], draw(st.sampled_from(WORDS))
            elif name == "options":
                unit, k = draw(st.sampled_from(("bits", "nats"))), draw(st.sampled_from((1, Fraction(3, 2), 2)))
                options = {"unit": unit, draw(st.sampled_from(("params", "display_params"))): {"k": k}}
            else:
                chosen[name] = draw(st.integers(0, len(PLACES[name]) - 1))
    return found


@pytest.mark.variation(of="test_what_is_reused_is_what_a_fresh_analysis_finds")
@settings(
    deadline=None, max_examples=1_000 if DEEP else 20, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(histories())
def test_what_is_reused_of_constants_gains_and_arguments_is_what_a_fresh_analysis_finds(
    history: list[tuple[str, dict[str, Any]]],
) -> None:
    for text, options in history:
        assert plain(analysed(text, reuse=True, **options)) == plain(analysed(text, **options))
