"""What is told of a function stays what it says: texts that look like Seep, and words of sentences that are names."""

from __future__ import annotations

import math
from fractions import Fraction

import seepage
from seepage.diagnostics import Advice
from seepage.functions import FunctionProgram, load_function, programs_of
from seepage.program import Program
from seepage.rules import PYTHON_UNREADABLE

HEAD = "import random\nimport numpy as np\nfrom seepage_marks import leakage\n"


def function(text: str) -> Program:
    return load_function(HEAD + text, "told.py", "f")


def test_texts_that_look_like_seep_are_told_as_they_are() -> None:
    program = function(
        "@leakage(secret={'word': 'uniform_of(\"a~b\", \"{c}\", \"observe\")'}, output=['result'], require=['DP(word -> result) <= 1'])\n"
        "def f(word):\n    return '{c}' if random.random() < 0.25 else word\n"
    )

    analysis = program.analyze()
    result = program.measure("DP(word -> result)")

    assert analysis.table[0].worst is not None
    assert analysis.table[0].worst.output == "result = 'a~b'"
    assert result.witness == "word = 'a~b' against word = '{c}', at result = 'a~b'"
    assert [one.message for one in analysis.diagnostics if one.is_error] == [
        "budget exceeded: DP(word -> result) = ∞ > 1"
    ]


def test_names_that_are_words_of_sentences_stay_words() -> None:
    program = function(
        "@leakage(secret={'rate': 'uniform_int(0, 3)'}, output=['result'])\n"
        "def f(rate):\n    of = rate\n    of = of - 1\n    return np.random.poisson(of)\n"
    )

    (told,) = [one.message for one in program.analyze().diagnostics if one.is_error]

    assert told.endswith("the rate of 'poisson' must not be negative")


def test_an_error_is_told_in_its_own_words_and_without_advice_in_seep() -> None:
    text = (
        "@leakage(secret={'left': 'normal(0, 1)'}, output=['result'], assertions='observe')\n"
        "def f(left):\n    right = random.gauss(0, 1)\n    assert left == right or left == 0\n    return left + right\n"
    )
    beside = "left ~ normal(0, 1)\nright ~ normal(0, 1)\nobserve left == right or left == 0\nresult := left + right\nshow E(result)\n"

    told = [one for one in function(text).analyze().diagnostics if one.is_error]
    in_seep = [one for one in seepage.parse(beside).analyze().diagnostics if one.is_error]

    assert told[0].message.startswith("equality of continuous values must stand alone")
    assert told[0].notes == ()
    assert [type(note) for note in in_seep[0].notes] == [Advice]


def test_values_are_told_as_python_shows_them_wherever_they_stand() -> None:
    program = function(
        "@leakage(secret={'left': 'uniform_of(\"a\", \"b\")'}, output=['result'])\n"
        "def f(left):\n    return np.random.poisson(1 if left == 'a' else 0 - 1)\n"
    )

    (told,) = [one.message for one in program.analyze().diagnostics if one.is_error]

    assert told.endswith("is -1 when left = 'b', the rate of 'poisson' must not be negative")


def test_texts_with_quotes_and_ends_of_lines_are_values_of_their_own() -> None:
    program = function(
        "@leakage(secret={'n': 'uniform_int(0, 4)'}, output=['result'])\n"
        "def f(n):\n    return [None, 'None', '\\'\"', 'a\\nb', 'no such element'][n]\n"
    )

    assert program.measure("I(n; result)").number == math.log2(5)
    assert program.measure("P(result == None)") == Fraction(1, 5)
    row = program.analyze().table[0]
    assert row.worst is not None
    assert row.worst.output == "result = None"


def test_numbers_and_none_may_share_a_variable() -> None:
    program = function(
        "@leakage(secret={'xs': '[3] uniform_int(0, 3)'}, output=['result'])\n"
        "def f(xs):\n"
        "    best = None if random.random() < 0.5 else 1\n"
        "    for x in xs:\n        if best is None or x > best:\n            best = x + 1\n"
        "    return None if best == 0 else best\n"
    )

    assert [one for one in program.analyze().diagnostics if one.is_error] == []
    assert program.measure("P(result == None)") == 0


def test_only_names_that_nothing_else_has_are_called_otherwise() -> None:
    program = function(
        "class Both:\n    def __init__(self, of):\n        self.of = of\n"
        "@leakage(secret={'of': 'bernoulli(1/2)', 'b': '[2] bernoulli(1/2)'}, output=['result', 'observe'])\n"
        "def f(of, b):\n    a__b = of\n    observe = {'x y': a__b}\n    _ = 1\n    a__b = a__b + _\n    return [[of], (b[0], Both(a__b))]\n"
    )
    assert isinstance(program, FunctionProgram)
    assert program.translation is not None

    otherwise = {name: told for name, told in program.translation.run.display.items() if name != told}

    assert {"result[0]", "result[1][1].of", "a__b", "observe.x y"} <= {*otherwise.values()}
    assert all("__" in name for name in otherwise)
    assert program.words("the rate of 'poisson' is left") == "the rate of 'poisson' is left"


def test_long_texts_are_values_of_their_own_and_told_by_their_beginnings() -> None:
    program = function(
        "@leakage(secret={'n': 'uniform_int(0, 2)'}, output=['result'])\n"
        f"def f(n):\n    return '{'a' * 5_000}' if n == 0 else '{'a' * 5_000}b' if n == 1 else ''\n"
    )

    result = program.measure("DP(n -> result)")

    assert program.measure("I(n; result)").number == math.log2(3)
    assert "result = 'aaaa" in result.witness
    assert len(result.witness) < 200


def test_what_python_cannot_read_does_not_pass() -> None:
    (program,) = programs_of(HEAD + "@leakage(secret={}, output=[])\ndef f(r:\n    return r\n", "broken.py")

    (told,) = program.analyze().diagnostics

    assert told.rule is PYTHON_UNREADABLE
    assert told.is_error
