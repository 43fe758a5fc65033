"""What takes the values of an array, a comprehension or a list together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.word import Domain, Parameter, Word, form_of

_ARRAY = Parameter(
    name="a", meaning="an array, a comprehension such as `x * x for x in xs`, or several values", domain=Domain.ARRAY
)


def _word(name: str, summary: str, example: str) -> tuple[str, Word]:
    form, parts = form_of(name, (_ARRAY,))
    return name, Word(
        name=name, sort="function", summary=summary, form=form, parameters=(_ARRAY,), parts=parts, example=example
    )


_DRAWN = "for i in 0..2 {{ x[i] ~ flip(1/2) }}\n{0}\n"

AGGREGATES: Mapping[str, Word] = MappingProxyType(
    dict(
        (
            _word("sum", "the sum of all values; 0 of none", _DRAWN.format("s := sum(x)\nshow E(s)")),
            _word(
                "count",
                "how many of the values are true; 0 of none",
                _DRAWN.format("n := count(v == 1 for v in x)\nshow E(n)"),
            ),
            _word("any", "whether some value is true; false of none", _DRAWN.format("b := any(x)\nshow P(b)")),
            _word("all", "whether all values are true; true of none", _DRAWN.format("b := all(x)\nshow P(b)")),
            _word("mean", "the sum divided by the number of values", _DRAWN.format("m := mean(x)\nshow Var(m)")),
            _word("length", "how many values there are", _DRAWN.format("n := length(x)\nshow E(n)")),
            _word(
                "sort",
                "the values in ascending order, from index 0 on",
                _DRAWN.format("y := sort(x)\nshow P(y[0] == 1)"),
            ),
            _word(
                "argmin",
                "the place of the smallest value, the first of equal ones; places begin at 0",
                _DRAWN.format("at := argmin(x)\nshow H(at)"),
            ),
            _word(
                "argmax",
                "the place of the largest value, the first of equal ones; places begin at 0",
                _DRAWN.format("at := argmax(x)\nshow H(at)"),
            ),
        )
    )
)
"""Each of them; ``min`` and ``max`` of one array are such, too."""
