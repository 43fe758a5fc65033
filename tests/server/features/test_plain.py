from __future__ import annotations

import pytest

from seepage_lsp.features.plain import plain


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**r** · secret", "r · secret"),
        ("`I(r; o)` = 1 bits", "I(r; o) = 1 bits"),
        ("`2**3**4` in **`x`**", "2**3**4 in x"),
        ("`a*b*c` and `x_1*y_2`", "a*b*c and x_1*y_2"),
        ("_stale: `x_1` changed_", "stale: x_1 changed"),
        ("eps_1 and eps_2", "eps_1 and eps_2"),
        ("one  \ntwo", "one\ntwo"),
        ("a\n\n---\n\nb", "a\n\n\n\nb"),
        (r"\*\*0\*\* \<b\> \`x\`", "**0** <b> `x`"),
        ("one\\\ntwo <https://a.example/b_c_d>", "one\ntwo https://a.example/b_c_d"),
        ("a \x001\x00 `b`", "a 1 b"),
        ("", ""),
    ],
)
def test_marks_go_and_words_stay(markdown: str, text: str) -> None:
    assert plain(markdown) == text
