r"""Formula trees as LaTeX for mathematics mode: ``\frac{p \cdot e^{\varepsilon}}{e^{\varepsilon} + 1}``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from seepage.exact import spelled
from seepage.measures.formulas.letters import is_own
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

GREEK = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "eps": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "iota": "ι",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "ϕ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
}
"""Names that are written as letters, with these letters."""

_ESCAPES = str.maketrans(
    {
        "\\": r"\backslash ",
        "{": r"\{",
        "}": r"\}",
        "_": r"\_",
        "^": r"\hat{\ }",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "~": r"\sim ",
        " ": r"\ ",
    }
)


def latex_of(node: Node, definitions: Sequence[Definition] = ()) -> str:
    """Return a formula as LaTeX, followed by the definitions that it needs."""
    parts = [_written(node)[0]]
    parts += [f"{_written(each.head)[0]} = {_written(each.body)[0]}" for each in definitions]
    return r", \quad ".join(parts)


def _written(node: Node) -> tuple[str, int]:
    match node:
        case Numeral(value=value):
            if value.denominator == 1:
                return spelled(value), ATOM
            return rf"\frac{{{spelled(value.numerator)}}}{{{spelled(value.denominator)}}}", ATOM
        case Symbol(name=name):
            return _name(name), ATOM
        case Euler():
            return "e", ATOM
        case Pi():
            return r"\pi", ATOM
        case Verbatim(code=code, tight=tight):
            return rf"\mathtt{{{code.translate(_ESCAPES)}}}", ATOM if tight else SUM
        case Sum():
            return _sum(node), SUM
        case Product(factors=factors):
            return r" \cdot ".join(_within(factor, PRODUCT) for factor in factors), PRODUCT
        case Ratio(top=top, bottom=bottom):
            return rf"\frac{{{_written(top)[0]}}}{{{_written(bottom)[0]}}}", ATOM
        case Power(base=base, exponent=exponent):
            simple = isinstance(base, Symbol | Euler | Pi) or (
                isinstance(base, Numeral) and base.value.denominator == 1
            )
            below = _written(base)[0] if simple else _parenthesized(base)
            return f"{{{below}}}^{{{_written(exponent)[0]}}}", ATOM
        case Root(argument=argument):
            return rf"\sqrt{{{_written(argument)[0]}}}", ATOM
        case Logarithm(argument=argument, unit=unit):
            name = r"\log_2" if unit == "bits" else r"\ln"
            bare = isinstance(argument, Symbol | Euler | Pi | Numeral)
            return f"{name} {_written(argument)[0] if bare else _parenthesized(argument)}", PRODUCT
        case Applied(function=function, argument=argument):
            return f"{_name(function)}{_parenthesized(argument)}", ATOM
        case _:
            assert_never(node)


def _within(node: Node, level: int) -> str:
    return _parenthesized(node) if _written(node)[1] > level else _written(node)[0]


def _parenthesized(node: Node) -> str:
    return rf"\left({_written(node)[0]}\right)"


def _sum(node: Sum) -> str:
    text = ""
    for negative, term in node.terms:
        sign = (" - " if negative else " + ") if text else "-" if negative else ""
        text += sign + _within(term, PRODUCT)
    return text


def _name(name: str) -> str:
    if is_own(name):
        return rf"\mathtt{{{name}}}"
    if len(name) == 1:
        return name
    if name == "eps":
        return r"\varepsilon"
    return "\\" + name if name in GREEK else rf"\mathit{{{name.translate(_ESCAPES)}}}"
