"""Names that people cannot tell apart, and marks that turn the direction of text, are told; ordinary names of any script are not."""

from __future__ import annotations

import unicodedata

import pytest

from seepage import rules
from seepage.diagnostics import Diagnostic, Rule
from seepage.fixing import with_fix
from seepage.semantics import lookalikes
from seepage.semantics.check import check
from seepage.source import SourceFile

ER, A, DOTTED = (
    "\N{CYRILLIC SMALL LETTER ER}",
    "\N{CYRILLIC SMALL LETTER A}",
    "\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}",
)


def found(text: str, rule: Rule = rules.LOOKALIKE_NAME) -> list[Diagnostic]:
    return [one for one in check(SourceFile("test.seep", text)).diagnostics if one.rule is rule]


@pytest.mark.parametrize(
    "text",
    [
        f"{ER} ~ flip(1/2)\np ~ flip(1/3)\n",
        f"param {ER} in [0, 1] = 1/2\np ~ flip({ER})\n",
        f"const {ER} = 1\nparam p = 1\n",
        f"secret {ER}\noutput p\n{ER} ~ flip(1/2)\np := {ER}\n",
        f"for {DOTTED} in 1..3 {{ a[{DOTTED}] ~ flip(1/2) }}\nfor i in 1..3 {{ b[i] ~ flip(1/2) }}\n",
        f"b ~ flip(1/2)\nif b {{ for {DOTTED} in 1..3 {{ i := {DOTTED} }} }}\n",
        "x\N{VARIATION SELECTOR-16} ~ flip(1/2)\nx := 1\n",
        "x\N{COMBINING GRAPHEME JOINER} ~ flip(1/2)\nx := 1\n",
        "\N{GREEK CAPITAL LETTER ALPHA} := 1\n\N{CYRILLIC CAPITAL LETTER A} := 2\n",
    ],
)
def test_two_names_that_look_alike_are_one_warning_with_the_other_name(text: str) -> None:
    (told,) = found(text)

    assert "looks like" in told.message
    assert not told.is_error
    assert len(told.labels) == 1
    assert not found(with_fix(text, told.fixes[0]))  # all places of the name are rewritten


@pytest.mark.parametrize(
    "name", [f"p{A}y", f"{ER}in", "x\N{HANGUL FILLER}", "x\N{VARIATION SELECTOR-1}", "A\N{CYRILLIC CAPITAL LETTER VE}"]
)
def test_one_name_of_letters_that_mislead_is_told_where_it_stands_first(name: str) -> None:
    (told,) = found(f"{name} ~ flip(1/2)\nx1 := {name} + {name}\nshow H(x1)\n")

    assert told.span.start == 0


@pytest.mark.parametrize(
    "names",
    [
        (
            "\N{GREEK SMALL LETTER SIGMA}_x",
            "\N{GREEK SMALL LETTER MU}o",
            "\N{GREEK CAPITAL LETTER DELTA}t",
            "\N{GREEK SMALL LETTER NU}x",
        ),
        ("рост", "вес", "сумма"),  # words of one script
        ("größe", "taille_été", "número"),
        ("年齢", "データ", "나이", "גיל"),
        ("l", "I", "O", "O0"),  # of one script: no matter of this rule
    ],
)
def test_names_of_one_script_and_letters_of_formulas_are_fine(names: tuple[str, ...]) -> None:
    assert not found("".join(f"{name} ~ flip(1/2)\n" for name in names))


def test_the_table_is_of_letters_of_other_scripts_that_stay_what_they_are() -> None:
    for letter, meant in lookalikes._ALIKE.items():
        assert meant.isascii()
        assert meant.isalpha()
        assert not letter.isascii()
        assert unicodedata.normalize("NFKC", letter) == letter  # else the reader never sees it
        assert letter.isupper() == meant.isupper() or unicodedata.name(letter).startswith("CHEROKEE")


@pytest.mark.parametrize("mark", [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
@pytest.mark.parametrize("comment", ["// a{0}b", "/* a /* {0} */ b */", "/// doc {0}", "// {0}{0}"])
def test_marks_that_turn_the_text_are_told_in_comments_and_taken_out(mark: int, comment: str) -> None:
    text = f"x := 0\n{comment.format(chr(mark))}\n"

    (told,) = found(text, rules.TURNED_TEXT)

    assert text[told.span.start] == chr(mark)
    assert chr(mark) not in with_fix(text, told.fixes[0])


def test_comments_in_scripts_from_right_to_left_are_fine() -> None:
    assert not found("x := 0 // שלום عربي\N{RIGHT-TO-LEFT MARK}\n", rules.TURNED_TEXT)


def test_a_text_in_ascii_is_not_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(lookalikes, "skeleton", looked.append)

    assert not found("x ~ flip(1/2) // a comment\ny := x\n")
    assert not found("x ~ flip(1/2) // a comment with an é\ny := x\n")
    assert not looked
