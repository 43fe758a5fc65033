"""Comments that somebody wrote to mislead: what is shown of each, and that nothing of it is Markdown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seepage.report.documentation import HEADING, LONGEST, MOST_LINES, documentation_section, plain_documentation

START = f"\n\n---\n\n{HEADING}\\\n"
# The comment, and what a reader of the Markdown sees of it: every mark is a character.
HOSTILE = {
    "a picture": ("![x](https://e.example/b.png)", r"\!\[x\]\(<https://e.example/b.png>\)"),
    "a picture by reference": (
        "![x][r]\n[r]: //e.example/b.png",
        "\\!\\[x\\]\\[r\\]\\\n\\[r\\]\\: \\/\\/e\\.example\\/b\\.png",
    ),
    "a command": ("[run](command:workbench.x?%5B%5D)", r"\[run\]\(command\:workbench\.x\?\%5B\%5D\)"),
    "a script": ("[run](javascript:alert(1))", r"\[run\]\(javascript\:alert\(1\)\)"),
    "data": ("![x](data:image/svg+xml;base64,AA==)", r"\!\[x\]\(data\:image\/svg\+xml\;base64\,AA\=\=\)"),
    "an autolink": ("<command:x> <mailto:a@b.c>", r"\<command\:x\> \<mailto\:a\@b\.c\>"),
    "an address of GitHub's kind": ("www.e.example a@e.example", r"www\.e\.example a\@e\.example"),
    "a link whose text lies": (
        "[https://good.example](https://bad.example)",
        r"\[<https://good.example>\]\(<https://bad.example>\)",
    ),
    "raw HTML": ('<img src="https://e.example/b.png">', r"\<img src\=\"<https://e.example/b.png>\"\>"),
    "an address with a tag": ("https://e.example/<script>", r"<https://e.example/>\<script\>"),
    "a hidden rest": ("0 bits <!--", r"0 bits \<\!\-\-"),
    "processing and declarations": ("<?php <!DOCTYPE <![CDATA[", r"\<\?php \<\!DOCTYPE \<\!\[CDATA\["),
    "entities": ("&lt;img&gt; &#33;[x](y) &NewLine;", r"\&lt\;img\&gt\; \&\#33\;\[x\]\(y\) \&NewLine\;"),
    "a setext heading": ("0 bits\n===\n---", "0 bits\\\n\\=\\=\\=\\\n\\-\\-\\-"),
    "headings and rules": ("# r\n***\n___", "\\# r\\\n\\*\\*\\*\\\n\\_\\_\\_"),
    "a table": ("| r | 0 bits |\n|---|---|", "\\| r \\| 0 bits \\|\\\n\\|\\-\\-\\-\\|\\-\\-\\-\\|"),
    "an open fence": ("```seep\nx", "\\`\\`\\`seep\\\nx"),
    "nested fences": ("~~~~\n```\n~~~~", "\\~\\~\\~\\~\\\n\\`\\`\\`\\\n\\~\\~\\~\\~"),
    "indented code": ("        code", "code"),
    "an open mark of code": ("a ` b", r"a \` b"),
    "marks of code of two lengths": ("``a` b", r"\`\`a\` b"),
    "code": ("uses `x := *y*` here", "uses `x := *y*` here"),
    "escapes of its own": (r"\[x](y) \\`a`", r"\\\[x\]\(y\) \\\\`a`"),
    "a break of its own": ("a\\\nb", "a\\\\\\\nb"),
    "numbers of its own": ("**r** leaks **0 bits · exact**", r"\*\*r\*\* leaks \*\*0 bits · exact\*\*"),
    "lists and quotes": ("- a\n1. b\n> c", "\\- a\\\n1\\. b\\\n\\> c"),
    "icons and mathematics": ("$(warning) $x$", r"\$\(warning\) \$x\$"),
    "zero widths": ("a\u200b\u200d\u2060\ufeffb\u00adc\u034fd\ufe0fe\u3164f", "abcdef"),
    "directions": ("\u202e0 stib\u202c \u2066x\u2069", "0 stib x"),
    "tags and private ones": ("a\U000e0041\ue000\ud800b", "ab"),
    "control characters": ("a\x00\x1b[31m\x85b", r"a\[31mb"),
    "separators of lines": ("a\u2028b\u2029c", "a b c"),
    "marks over marks": ("a" + "\u0301" * 50, "a" + "\u0301" * 3),
    "an address at the end of a sentence": ("See https://a.example/b_c.", "See <https://a.example/b_c>\\."),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_shown_of_a_hostile_comment(name: str) -> None:
    comment, shown = HOSTILE[name]
    assert documentation_section(comment) == START + shown


@given(st.text(st.sampled_from("`*_[]()<>!&#-=|~\\/:. \nahtps\u200b"), max_size=60) | st.text(max_size=60))
def test_no_mark_is_left_that_is_not_a_character(text: str) -> None:
    section = documentation_section(text)
    lines = section.removeprefix(START).split("\\\n") if section else []

    for line in lines:
        rest = re.sub(r"\\[!-/:-@\[-`{-~]", "", line)  # as CommonMark reads escapes
        rest = re.sub(r"`[^`]+`", "", rest)
        rest = re.sub(r"<https?://[^\s<>]*>", "", rest)
        assert not re.search(r"[!-/:-@\[-`{-~]", rest)
        assert "\n" not in line


def test_nothing_to_be_seen_is_no_section() -> None:
    assert documentation_section("") == documentation_section("\u200b\n \n") == ""


def test_a_comment_is_no_longer_than_what_is_read() -> None:
    assert len(plain_documentation("x" * 1_000_000)) <= LONGEST + 2
    assert len(plain_documentation("x\n" * 1_000_000).split("\n")) <= MOST_LINES + 1
    assert plain_documentation("x" * 1_000_000).endswith(" …")
