"""What is told of a function stays what it says: texts that look like Seep, and words of sentences that are names."""

from __future__ import annotations

import seepage
from seepage.diagnostics import Advice
from seepage.functions import load_function
from seepage.program import Program

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
