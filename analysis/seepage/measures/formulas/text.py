"""Formula trees as Unicode text: ``p·e^eps/(p·e^eps + 1 − p)``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from seepage.exact import spelled
from seepage.measures.formulas.letters import code_quoted, quoted
from seepage.measures.formulas.tree import (
    ATOM,
    PRODUCT,
    SUM,
    Applied,
    Definition,
    Euler,
    Logarithm,
    Node,
    Numeral,
    Pi,
    Power,
    Product,
    Ratio,
    Root,
    Sum,
    Symbol,
    Verbatim,
)

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def text_of(node: Node) -> str:
    """Return a formula as text; ``a/b·c`` is read from left to right."""
    return _written(node)[0]


def definitions_text(definitions: Sequence[Definition]) -> tuple[str, ...]:
    """Return ``q := e^eps/(e^eps + 1)``, one for each."""
    return tuple(f"{text_of(each.head)} := {text_of(each.body)}" for each in definitions)


def _written(node: Node) -> tuple[str, int]:
    match node:
        case Numeral(value=value):
            return spelled(value), ATOM if value.denominator == 1 else PRODUCT
        case Symbol(name=name):
            return quoted(name), ATOM
        case Euler():
            return "e", ATOM
        case Pi():
            return "π", ATOM
        case Verbatim(code=code, tight=tight):
            return code_quoted(code), ATOM if tight else SUM
        case Sum():
            return _sum(node), SUM
        case Product(factors=factors):
            return "·".join(_within(factor, PRODUCT) for factor in factors), PRODUCT
        case Ratio(top=top, bottom=bottom):
            return f"{_within(top, PRODUCT)}/{_within(bottom, ATOM)}", PRODUCT
        case Power():
            return _power(node), ATOM
        case Root(argument=argument):
            return f"sqrt({text_of(argument)})", ATOM
        case Logarithm(argument=argument, unit=unit):
            name = "log₂" if unit == "bits" else "ln"
            # A power is set off, or the logarithm would seem raised.
            bare = _written(argument)[1] == ATOM and not isinstance(argument, Power)
            return (f"{name} {text_of(argument)}" if bare else f"{name}({text_of(argument)})"), PRODUCT
        case Applied(function=function, argument=argument):
            return f"{function}({text_of(argument)})", ATOM
        case _:
            assert_never(node)


def _within(node: Node, level: int) -> str:
    text, own = _written(node)
    return text if own <= level else f"({text})"


def _sum(node: Sum) -> str:
    text = ""
    for negative, term in node.terms:
        sign = (" − " if negative else " + ") if text else "−" if negative else ""
        text += sign + _within(term, PRODUCT)
    return text


def _power(node: Power) -> str:
    base = f"({text_of(node.base)})" if isinstance(node.base, Power) else _within(node.base, ATOM)
    if isinstance(node.exponent, Numeral) and node.exponent.value.denominator == 1:
        return base + spelled(node.exponent.value).translate(_SUPERSCRIPTS)
    return f"{base}^{_within(node.exponent, ATOM)}"
