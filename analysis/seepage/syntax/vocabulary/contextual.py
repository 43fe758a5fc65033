"""Words that are keywords only where they stand, and names everywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.word import Word


def _word(name: str, form: str, summary: str, example: str) -> tuple[str, Word]:
    return name, Word(name=name, sort="keyword", summary=summary, form=form, example=example)


_PROCEDURE = "def noisy(s) { n ~ flip(1/4) return s xor n }\nx ~ flip(1/2)\ny ~ noisy(x)\nshow I(x; y)\n"
_LOOP = "for i in 1..4 {{ x := i {0} y := i }}\nshow E(y)\n"
_CHOICE = "secret s\noutput o\ns ~ uniform_int(0, 3)\nattacker g in 0..3\no := s <= g\nshow I(s; o)\n"
_PLAIN = "x := 1\nshow E(x)\n"

CONTEXTUAL: Mapping[str, Word] = MappingProxyType(
    dict(
        (
            _word(
                "def",
                "def f(a, b) { … return e }",
                "a procedure: `y ~ f(e)` draws its result, and an `observe` in it conditions that draw only; without draws it is "
                "called in expressions",
                _PROCEDURE,
            ),
            _word("return", "return e, …", "the results of a procedure, which ends there", _PROCEDURE),
            _word(
                "given",
                "y ~ D given b",
                "the draw is one among the values for which `b` holds; nothing else is conditioned",
                "x ~ uniform_int(1, 6) given x > 2\nshow E(x)\n",
            ),
            _word(
                "enum",
                "enum colour { red, green }",
                "names for values: each member is a symbol, and `colour` stands for all of them",
                "enum colour { red, green }\nx ~ uniform_of(colour)\nshow P(x == red)\n",
            ),
            _word("break", "break", "the innermost loop ends", _LOOP.format("if x == 2 { break }")),
            _word(
                "continue",
                "continue",
                "the next round of the innermost loop begins",
                _LOOP.format("if x == 2 { continue }"),
            ),
            _word("repeat", "repeat { … } until b", "the block, again and again until `b` holds behind it", _PLAIN),
            _word("until", "repeat { … } until b", "ends a `repeat`, once `b` holds", _PLAIN),
            _word(
                "never",
                "while b { … } never { … }",
                "what happens in the runs in which the loop never ends, from where they entered it, before its first round",
                _PLAIN,
            ),
            _word(
                "attacker",
                "attacker g in a..b",
                "a value that the attacker chooses, seeing the outputs that are assigned before it; measures are those of the best strategy",
                _CHOICE,
            ),
            _word(
                "table",
                'table people from "people.csv"',
                "data whose rows are drawn: `row ~ people` draws one, `row.age` is a cell of it",
                _PLAIN,
            ),
            _word(
                "import", 'import "file.seep" as m', "procedures, constants and enumerations of another file", _PLAIN
            ),
            _word("from", 'import f from "file.seep"', "names the file of an `import` or `table`", _PLAIN),
            _word("as", 'import "file.seep" as m', "the name by which a file is called here", _PLAIN),
            _word("weight", 'table people from "people.csv" weight w', "the column by which rows are drawn", _PLAIN),
        )
    )
)
"""Every such word."""
