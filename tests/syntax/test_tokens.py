"""Tokens of a text: what two texts that say the same have in common."""

import pytest

from seepage.source import SourceFile
from seepage.syntax.parse import parse
from seepage.syntax.printer import applied, format_text
from seepage.syntax.tokens import says_the_same

TEXT = "secret r; output o\nr ~ bernoulli(1/2)\nif r { o := r } else { o := !r }\nshow I(r; o)\n"


@pytest.mark.parametrize(
    "other",
    [
        "// new\n" + TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("secret r", "secret  /* the answer */\tr"),
        TEXT.replace(" := ", ":="),
        "\ufeff" + TEXT,
    ],
)
def test_comments_and_white_space_say_nothing(other: str) -> None:
    assert says_the_same(TEXT, other)
    assert not parse(SourceFile("", other)).diagnostics


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("1/2", "1/3"),
        TEXT.replace("!r", "r"),
        TEXT.replace("o := r }", "o := r }//", 1),
        TEXT.replace(":=", ": =", 1),
        TEXT.replace("secret r", "secretr"),
        TEXT + "x",
        TEXT.replace("1/2", "1//2"),
    ],
)
def test_tokens_say_what_a_program_does(other: str) -> None:
    assert not says_the_same(TEXT, other)


def test_formatting_says_nothing() -> None:
    loose = TEXT.replace(" ~ ", "~").replace("; output", "\n\n\noutput")

    assert says_the_same(loose, applied(loose, format_text(loose).edits))
