"""Every program in the pages on the language and on mechanisms does what the comments in it say, and every word of the language is in one.

Comments: ``// = 0.81 bits`` behind a ``show`` is its value (a decimal as far as it is written, a fraction or whole number exactly),
``// approximate`` its certainty, ``// no number`` that there is none, ``// holds`` the outcome of a ``require``, ``// SEEP401`` a finding on the line. A program has no other
errors, no other inexactness and no other number without an answer than those.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

import pytest
from tests.docs.blocks import blocks
from tests.syntax.test_vocabulary import UNUSED

import seepage
from seepage.measures.result import Result
from seepage.rules import RULES
from seepage.syntax.vocabulary.table import WORDS

PAGES = ("docs/language.md", "docs/mechanisms.md")
PROGRAMS = {f"{page}, line {block.line}": block.text for page in PAGES for block in blocks(page, "seep")}
CODE = re.compile(r"SEEP\d{3}")
VALUE = re.compile(r"// = (?P<number>-?(?:\d+(?:\.\d+|/\d+)?|inf))(?: (?P<unit>bits?|nats))?(?=,|$)")
OUTCOMES = ("holds", "violated", "cannot tell")
OPERATORS = [
    ":=", "~", "->", "||", "|", "==", "!=", "<=", ">=", "<", ">", "=", "..", "+", "-", "*", "/", "%", "^", "!",
    "(", ")", "[", "]", "{", "}", ",", ";", ":", "//", "/*", "*/", "///",
]  # fmt: skip


@cache
def analysed(text: str) -> seepage.Analysis:
    return seepage.parse(text).analyze()


def comment(line: str) -> str:
    return line.partition("//")[2]


def remarked(text: str) -> set[tuple[int, str]]:
    """Return the findings that a program's comments name, by line."""
    return {(number, code) for number, line in enumerate(text.splitlines(), 1) for code in CODE.findall(comment(line))}


def tells(result: Result, number: str, unit: str) -> bool:
    """Tell whether both bounds of a result, in this unit, round to the number as it is written."""
    if result.unit.rstrip("s") != unit.rstrip("s"):
        return False
    if number.endswith("inf"):
        return result.lower == result.upper == float(number)
    if "." not in number:
        value = Fraction(number)
        return result.exact == value or (
            result.exact is None and result.certainty.value == "exact" and result.lower <= value <= result.upper
        )
    half = Fraction(1, 2 * 10 ** len(number.partition(".")[2]))
    return all(abs(Fraction(bound) - Fraction(number)) <= half for bound in (result.lower, result.upper))


@pytest.mark.family(every=3)
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_program_has_the_findings_that_its_comments_name_and_no_other_errors(text: str) -> None:
    program = seepage.parse(text)
    found = {
        (program.source.position(each.span.start)[0], each.rule.code)
        for each in (*program.diagnostics, *analysed(text).diagnostics)
    }

    grave = {(line, code) for line, code in found if RULES[code].severity.value == "error" or code.startswith("SEEP3")}
    assert grave <= remarked(text) <= found


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_a_program_has_the_answers_that_its_comments_give(text: str) -> None:
    program = seepage.parse(text)
    lines = text.splitlines()

    for answer in analysed(text).answers:
        said = lines[program.source.position(answer.span.start)[0] - 1]
        value, result = VALUE.search(said), answer.result
        if value is not None:
            assert result is not None, said
            assert tells(result, value["number"], value["unit"] or ""), f"{said}: {result}"
        elif "// approximate" in said:
            assert result is not None, said
            assert result.certainty.value == "approximate", said
        elif "// no number" in said:
            assert result is None, said
        elif answer.role == "require" and answer.verdict is not None and not CODE.search(said):
            assert f"// {answer.verdict}" in said, said
        else:
            assert CODE.search(said), f"{said}: nothing is said of this answer: {answer}"
        if answer.role == "require" and answer.verdict is not None:
            assert [each for each in OUTCOMES if each in said] == [answer.verdict], said


def test_every_value_is_that_of_an_answer() -> None:
    unanswered = [
        (name, line)
        for name, text in PROGRAMS.items()
        for line in text.splitlines()
        if ("// =" in line or "// approximate" in line or any(f"// {each}" in line for each in OUTCOMES))
        and not re.match(r"\s*(show|require)\b", line)
    ]

    assert unanswered == []


def test_every_value_is_written_as_the_test_reads_it() -> None:
    unread = [
        line for text in PROGRAMS.values() for line in text.splitlines() if "// =" in line and not VALUE.search(line)
    ]

    assert unread == []


@pytest.mark.parametrize("word", sorted(set(WORDS) - UNUSED))
def test_every_word_of_the_language_has_an_example(word: str) -> None:
    assert any(re.search(rf"\b{word}\b", uncommented(text)) for text in PROGRAMS.values())


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_sign_of_the_language_has_an_example(operator: str) -> None:
    assert any(operator in text for text in PROGRAMS.values())


def uncommented(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)
