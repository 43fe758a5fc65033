"""The functions of expressions."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from seepage.word import Domain, Parameter, Word, form_of


def _word(summary: str, example: str, *parameters: Parameter) -> Word:
    name = example.partition("(")[0]
    form, parts = form_of(name, parameters)
    return Word(
        name=name,
        sort="function",
        summary=summary,
        form=form,
        parameters=parameters,
        parts=parts,
        example=f"x := {example}\nshow E(x)\n",
    )


def _real(meaning: str, domain: Domain = Domain.REAL) -> Parameter:
    return Parameter(name="a", meaning=meaning, domain=domain)


def _bits(name: str, meaning: str = "its binary digits count") -> Parameter:
    return Parameter(name=name, meaning=meaning, domain=Domain.COUNT)


_LIST = Parameter(name="a", meaning="a number; there are two or more", repeated=("a", "b", "…"))

FUNCTIONS: Mapping[str, Word] = MappingProxyType(
    {
        word.name: word
        for word in (
            _word("the smallest", "min(3, 5)", _LIST),
            _word("the largest", "max(3, 5)", _LIST),
            _word("the absolute value", "abs(-3)", _real("a number")),
            _word("the largest whole number that is not above `a`", "floor(5/2)", _real("a number")),
            _word("the smallest whole number that is not below `a`", "ceil(5/2)", _real("a number")),
            _word("the exponential", "exp(1)", _real("a number")),
            _word("the natural logarithm", "log(2)", _real("a number", Domain.POSITIVE)),
            _word("the square root", "sqrt(2)", _real("a number", Domain.NOT_NEGATIVE)),
            _word("the bits in which `a` and `b` differ", "bit_xor(5, 3)", _bits("a"), _bits("b")),
            _word("the bits that `a` and `b` share", "bit_and(5, 3)", _bits("a"), _bits("b")),
            _word("the bits of `a` and those of `b`", "bit_or(5, 3)", _bits("a"), _bits("b")),
            _word("`a` with `n` binary zeros appended", "shift_left(5, 1)", _bits("a"), _bits("n", "how many")),
            _word("`a` without its last `n` binary digits", "shift_right(5, 1)", _bits("a"), _bits("n", "how many")),
            _word("how many binary digits of `a` are 1", "popcount(5)", _bits("a")),
        )
    }
)
"""Every function of numbers."""


def arity(word: Word) -> tuple[int, int | None]:
    """Return the least and the greatest number of arguments of a function (None: any number); repeated ones need two."""
    return (2, None) if word.parameters[0].repeated else (len(word.parameters), len(word.parameters))
