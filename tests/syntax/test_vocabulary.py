"""The table of words against the language itself: what it says of a word is what the checker and the analysis do with it."""

from __future__ import annotations

import re

import pytest

import seepage
from seepage.diagnostics import Severity
from seepage.rules import INVALID_PARAMETER, NOT_A_PROBABILITY, WRONG_ARGUMENTS
from seepage.syntax.vocabulary.aggregates import AGGREGATES
from seepage.syntax.vocabulary.array_laws import ARRAY_LAW_WORDS
from seepage.syntax.vocabulary.contextual import CONTEXTUAL
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS, arity
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.measures import GAINS, MEASURES, METRICS
from seepage.syntax.vocabulary.table import WORDS, document, headline, parameter_text
from seepage.word import DistributionWord, Domain, Word

# A value of each domain, and one next to it that does not belong.
SAMPLES = {
    Domain.REAL: ("1/2", None),
    Domain.INTEGER: ("3", "1/2"),
    Domain.COUNT: ("3", "-1"),
    Domain.NOT_NEGATIVE: ("0", "-1"),
    Domain.POSITIVE: ("1/2", "0"),
    Domain.PROBABILITY: ("1/2", "3/2"),
}
# Words of constructs that are read and refused: their examples have none of them.
UNUSED = {"while", "repeat", "until", "never", "attacker", "table", "import", "from", "as", "weight"}
NAMED = [word for word in DISTRIBUTIONS.values() if not any(one.repeated for one in word.parameters)]


def codes(text: str) -> list[str]:
    return [one.rule.code for one in seepage.parse(text).diagnostics if one.rule.severity is Severity.ERROR]


def test_no_two_words_share_a_name() -> None:
    tables = (KEYWORDS, CONTEXTUAL, FUNCTIONS, AGGREGATES, MEASURES, GAINS, METRICS, DISTRIBUTIONS, ARRAY_LAW_WORDS)
    assert len(WORDS) == sum(map(len, tables))


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_the_example_of_a_word_uses_it_and_can_be_answered(word: Word) -> None:
    assert re.search(rf"\b{word.name}\b", word.example) or word.name in UNUSED

    program = seepage.parse(word.example)
    found = [one.message for one in program.diagnostics if one.rule.severity is Severity.ERROR]
    answers = program.analyze().answers
    assert (found, [answer.result is None and answer.verdict != "holds" for answer in answers]) == ([], [False])


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS.keys())
def test_what_is_said_of_a_word_begins_with_its_form_and_names_every_parameter(word: Word) -> None:
    said = document(word)

    assert said.startswith(headline(word))
    assert word.form in said
    assert [one.name for one in word.parameters if f"* `{one.name}`: " not in said] == []
    assert not word.summary.endswith(".")


@pytest.mark.parametrize("word", [word for word in WORDS.values() if word.parts], ids=lambda word: word.name)
def test_the_parts_of_a_form_are_its_parameters_in_order(word: Word) -> None:
    written = [text for one in word.parameters for text in one.written]

    assert [word.form[part.start : part.end] for part in word.parts] == written


@pytest.mark.parametrize("word", NAMED, ids=lambda word: word.name)
def test_a_distribution_takes_the_parameters_listed_and_no_other_number_of_them(word: DistributionWord) -> None:
    positional = ["1" for one in word.parameters if not one.by_name]

    assert WRONG_ARGUMENTS.code not in codes(f"x ~ {word.name}({', '.join(positional)})")
    assert codes(f"x ~ {word.name}({', '.join([*positional, '1'])})") == [WRONG_ARGUMENTS.code]
    assert codes(f"x ~ {word.name}({', '.join(positional[1:])})")[-1] == WRONG_ARGUMENTS.code
    assert codes(f"x ~ {word.name}({', '.join([*positional, 'nonsense=1'])})") == [WRONG_ARGUMENTS.code]


@pytest.mark.parametrize(
    ("word", "name"),
    [(word, one.name) for word in NAMED for one in word.parameters],
    ids=lambda one: getattr(one, "name", one),
)
def test_a_value_outside_of_the_domain_of_a_parameter_is_reported(word: DistributionWord, name: str) -> None:
    def call(value: str | None) -> str:
        given = {one.name: "4" if one.domain in (Domain.INTEGER, Domain.COUNT) else "1" for one in word.parameters}
        if value is not None:
            given[name] = value
        return f"x ~ {word.name}({', '.join(f'{key}={one}' for key, one in given.items())})"

    outside = SAMPLES[next(one.domain for one in word.parameters if one.name == name)][1]
    assert codes(call(None)) == []
    if outside is not None:
        assert set(codes(call(outside))) & {INVALID_PARAMETER.code, NOT_A_PROBABILITY.code}


@pytest.mark.parametrize("word", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_a_function_takes_as_many_arguments_as_it_lists(word: Word) -> None:
    least, most = arity(word)

    assert codes(f"x := {word.name}({', '.join(['1'] * least)})") == []
    assert codes(f"x := {word.name}({', '.join(['1'] * (least - 1))})")
    if most is not None:
        assert codes(f"x := {word.name}({', '.join(['1'] * (most + 1))})") == [WRONG_ARGUMENTS.code]


def test_another_name_of_a_parameter_is_explained_as_one() -> None:
    said = parameter_text(DISTRIBUTIONS["normal"], "std")

    assert said is not None
    assert "in place of `variance`" in said
    assert parameter_text(DISTRIBUTIONS["normal"], "rate") is None
