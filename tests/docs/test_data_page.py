"""The programs on the page on data say what their comments say, of the tables on that page."""

from __future__ import annotations

import re

import pytest
from tests.docs.blocks import blocks
from tests.docs.test_language_examples import VALUE, tells

import seepage
from seepage.files import Folder

PAGE = "docs/data.md"
(TABLE,) = blocks(PAGE, "csv")
(PROGRAM,) = blocks(PAGE, "seep")
SHOWN = re.findall(r"^show (.*?) *(// = .*)$", PROGRAM.text, re.MULTILINE)


def program() -> seepage.Program:
    return seepage.parse(PROGRAM.text, files=Folder("/", supplied=(("/people.csv", TABLE.text),)))


def test_the_program_has_no_findings() -> None:
    assert program().diagnostics == ()


@pytest.mark.parametrize(("measure", "comment"), SHOWN)
def test_a_number_is_the_one_in_the_comment(measure: str, comment: str) -> None:
    found = VALUE.search(comment)

    assert found is not None
    assert tells(program().measure(measure), found["number"], found["unit"] or "")
