"""The reserved words: those that open a declaration or a statement, and those inside of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.word import Word

_SECRET = "secret s\noutput o\ns ~ flip(1/2)\nnoise ~ flip(1/4)\no := s xor noise\n"
_SHOWN = "x ~ flip(1/2)\nshow {0}\n"


def _word(name: str, form: str, summary: str, example: str) -> tuple[str, Word]:
    return name, Word(name=name, sort="keyword", summary=summary, form=form, example=example)


KEYWORDS: Mapping[str, Word] = MappingProxyType(
    dict(
        (
            _word(
                "param",
                "param x in [a, b] = e",
                "a symbolic parameter, with a domain and a default if wanted; results stay symbolic in it",
                "param p in [0, 1] = 1/2\nx ~ flip(p)\nshow H(x)\n",
            ),
            _word(
                "const",
                "const x = e",
                "a number known before the analysis, which may size loops",
                "const n = 3\nx ~ uniform_int(1, n)\nshow H(x)\n",
            ),
            _word(
                "secret",
                "secret x, y[2]",
                "what must stay secret; a bare array name means all of its elements, jointly",
                f"{_SECRET}show I(s; o)\n",
            ),
            _word(
                "output",
                "output o, a",
                "what the attacker sees at the end; several outputs are seen jointly",
                f"{_SECRET}show I(s; o)\n",
            ),
            _word(
                "initial",
                "secret initial x",
                "the secret is the value of the first assignment: what was believed beforehand",
                "secret initial s\noutput o\ns ~ flip(1/2)\no ~ flip((1 + s) / 3)\ns := 0\nshow I(s; o)\n",
            ),
            _word(
                "final",
                "secret final x",
                "the secret is the value at the end",
                "secret final s\noutput o\ns ~ flip(1/2)\ns := 1 - s\no ~ flip((1 + s) / 3)\nshow I(s; o)\n",
            ),
            _word("if", "if b { … } else { … }", "what happens where a condition holds; inside of an expression `if b then e1 else e2`",
                "x ~ flip(1/2)\nif x == 1 { y := 2 } else { y := 3 }\nshow E(y)\n"),
            _word("then", "if b then e1 else e2", "an expression by cases, of which one is evaluated",
                "x ~ flip(1/2)\ny := if x == 1 then 2 else 3\nshow E(y)\n"),
            _word("else", "else { … }", "what happens if no condition above holds",
                "x ~ flip(1/2)\nif x == 1 { y := 2 } else { y := 3 }\nshow E(y)\n"),
            _word("for", "for i in a..b { … }", "the block for each whole number from `a` to `b`, which are known beforehand; none if `b < a`",
                "for i in 1..3 { x[i] ~ flip(1/2) }\nshow H(x)\n"),
            _word("in", "in", "stands before a range, a domain, a set of values or a unit",
                _SHOWN.format("H(x) in nats")),
            _word("while", "while b { … }", "the block again and again as long as `b` holds, which is asked before each round",
                "x ~ flip(1/2)\nn := 0\nwhile x == 0 { x ~ flip(1/2); n := n + 1 }\nshow E(n)\n"),
            _word("observe", "observe b", "only the runs in which `b` holds go on; their probabilities are scaled to sum to 1",
                "x ~ uniform_int(1, 6)\nobserve x > 2\nshow E(x)\n"),
            _word("skip", "skip", "nothing happens", "if true { skip }\nx := 1\nshow E(x)\n"),
            _word("show", "show M in nats", "a question: the measure is computed and shown", _SHOWN.format("H(x)")),
            _word("require", "require M <= e bits over p in [a, b]", "a leak budget, which holds, is violated, or cannot be told",
                f"{_SECRET}require I(s; o) <= 1 bits\n"),
            _word("over", "over p in [a, b]", "the budget is checked for every value of the ranges",
                "param p in [0, 1] = 1/2\nx ~ flip(p)\nrequire H(x) <= 1 over p in [0, 1]\n"),
            _word("bits", "in bits", "the unit of logarithms to base 2", _SHOWN.format("H(x) in bits")),
            _word("nats", "in nats", "the unit of natural logarithms", _SHOWN.format("H(x) in nats")),
            _word("and", "a and b", "both hold; the right side is evaluated only where the left one holds", _SHOWN.format("P(x == 0 and x < 1)")),
            _word("or", "a or b", "at least one holds; the right side is evaluated only where the left one does not hold",
                _SHOWN.format("P(x == 0 or x == 1)")),
            _word("xor", "a xor b", "exactly one holds", _SHOWN.format("P(x == 0 xor x == 1)")),
            _word("not", "not b", "1 − b of a condition", _SHOWN.format("P(not x == 0)")),
            _word("true", "true", "the number 1", "x := true\nshow P(x)\n"),
            _word("false", "false", "the number 0", "x := false\nshow P(x)\n"),
            _word("inf", "inf", "no end, in domains and ranges", "param m in [0, inf) = 1\nx ~ normal(m, 1)\nshow E(x)\n"),
        )
    )
)  # fmt: skip
"""Every reserved word."""
