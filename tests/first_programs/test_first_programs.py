"""Five programs as people wrote them who had read one page: they are read as they are, and following what is said of them ends without an error.

What a finding offers as a fix is applied; what it tells in words stands in ``WORDS``, as its author would write it. The check is
asked of all of them, the analysis of those that take seconds.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fixing.test_habits import faults, mended

import seepage
from seepage.fixing import fix_all, with_fix
from seepage.semantics.check import check
from seepage.source import SourceFile

PROGRAMS = sorted(Path(__file__).parent.glob("*.seep"))
programs = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)

# What is told in words, a part of the message, and what its author writes then.
WORDS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "kanon": (("budget exceeded: V(age | age_group, zip_prefix) = 0.12329 > 0.1", "<= 0.1", "<= 0.125"),),
    "laplace": (("without a 'distance'", "released) <= eps", "released, distance=100) <= eps"),),
}
QUICK = ("kanon", "laplace", "password")


@programs
def test_it_is_read_as_it_was_first_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    found = check(SourceFile(path.name, text)).diagnostics

    assert all(one.fixes for one in found if one.is_error)  # no message leaves its reader alone


@programs
def test_following_the_fixes_ends_without_an_error(path: Path) -> None:
    assert faults(mended(path.read_text(encoding="utf-8"))) == []


@programs
def test_the_command_line_mends_it_where_guesses_are_asked_for(path: Path) -> None:
    fixed = fix_all(SourceFile(path.name, path.read_text(encoding="utf-8")), guesses=True)

    assert [one for one in check(SourceFile(path.name, fixed.text)).diagnostics if one.is_error] == []


@pytest.mark.parametrize("name", QUICK)
def test_following_fixes_and_words_ends_in_an_analysis_without_an_error(name: str) -> None:
    path = next(path for path in PROGRAMS if path.stem == name)
    text = mended(path.read_text(encoding="utf-8"))
    words = list(WORDS.get(name, ()))
    for _ in range(4):
        analysis = seepage.parse(text).analyze(seconds=100)
        errors = [one for one in analysis.diagnostics if one.is_error]
        if not errors:
            break
        fix = next((one.fixes[0] for one in errors if one.fixes), None)
        if fix is not None:
            text = with_fix(text, fix)
            continue
        told = [one.message for one in errors]
        told += [note for answer in analysis.answers if answer.result is not None for note in answer.result.notes]
        said, old, new = words.pop(0)
        assert any(said in part for part in told), told
        assert old in text
        text = text.replace(old, new)

    assert errors == []
    assert not words
