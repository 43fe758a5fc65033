"""Formula trees as MathML (presentation markup), made as a tree of elements, so that it is well-formed whatever names hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never
from xml.etree import ElementTree

from seepage.exact import spelled
from seepage.measures.formulas.latex import GREEK
from seepage.measures.formulas.letters import is_own
from seepage.measures.formulas.tree import (
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

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_APPLY = "\u2061"  # the invisible operator between a function and its argument


def mathml_of(node: Node, definitions: Sequence[Definition] = ()) -> str:
    """Return a formula as one ``math`` element, followed in it by the definitions that it needs: each one row, so that a line can end between them."""
    root = ElementTree.Element("math", {"xmlns": NAMESPACE, "display": "block"})
    rows = [[_row(node)], *([_row(each.head), _element("mo", "="), _row(each.body)] for each in definitions)]
    for place, row in enumerate(rows):
        if place:
            root.append(ElementTree.Element("mspace", {"width": "1em"}))
        last = place == len(rows) - 1
        root.append(_enclosing("mrow", *row, *([] if last else [_element("mo", ",")])))
    return ElementTree.tostring(root, encoding="unicode")


def mathml_row(node: Node) -> ElementTree.Element:
    """Return a formula as one element, to stand in a larger one."""
    return _row(node)


def _element(tag: str, text: str = "") -> ElementTree.Element:
    made = ElementTree.Element(tag)
    made.text = text
    return made


def _name(name: str) -> ElementTree.Element:
    """Return a name of the program: in the font of code if a formula means something else by it."""
    made = _element("mi", name if is_own(name) else GREEK.get(name, name))
    if is_own(name):
        made.set("mathvariant", "monospace")
    return made


def _enclosing(tag: str, *parts: ElementTree.Element) -> ElementTree.Element:
    made = ElementTree.Element(tag)
    made.extend(parts)
    return made


def _row(node: Node) -> ElementTree.Element:
    """Return one element."""
    parts = list(_elements(node))
    return parts[0] if len(parts) == 1 else _enclosing("mrow", *parts)


def _parenthesized(node: Node) -> ElementTree.Element:
    return _enclosing("mrow", _element("mo", "("), _row(node), _element("mo", ")"))


def _elements(node: Node) -> Iterator[ElementTree.Element]:
    match node:
        case Numeral(value=value):
            if value.denominator == 1:
                yield _element("mn", spelled(value))
            else:
                parts = (_element("mn", spelled(part)) for part in (value.numerator, value.denominator))
                yield _enclosing("mfrac", *parts)
        case Symbol(name=name):
            yield _name(name)
        case Euler():
            yield _element("mi", "e")
        case Pi():
            yield _element("mi", "π")
        case Verbatim(code=code, tight=tight):
            text = _element("mtext", code)
            yield text if tight else _enclosing("mrow", _element("mo", "("), text, _element("mo", ")"))
        case Sum(terms=terms):
            for place, (negative, term) in enumerate(terms):
                if place or negative:
                    yield _element("mo", "−" if negative else "+")
                yield _row(term)
        case Product(factors=factors):
            for place, factor in enumerate(factors):
                if place:
                    yield _element("mo", "·")
                yield _parenthesized(factor) if isinstance(factor, Sum) else _row(factor)
        case Ratio(top=top, bottom=bottom):
            yield _enclosing("mfrac", _row(top), _row(bottom))
        case Power(base=base, exponent=exponent):
            whole = isinstance(base, Numeral) and base.value.denominator == 1
            simple = whole or isinstance(base, Symbol | Euler | Pi)
            yield _enclosing("msup", _row(base) if simple else _parenthesized(base), _row(exponent))
        case Root(argument=argument):
            yield _enclosing("msqrt", _row(argument))
        case Logarithm(argument=argument, unit=unit):
            if unit == "bits":
                yield _enclosing("msub", _element("mi", "log"), _element("mn", "2"))
            else:
                yield _element("mi", "ln")
            yield _element("mo", _APPLY)
            bare = isinstance(argument, Symbol | Euler | Pi | Numeral)
            yield _row(argument) if bare else _parenthesized(argument)
        case Applied(function=function, argument=argument):
            yield _element("mi", function)
            yield _element("mo", _APPLY)
            yield _parenthesized(argument)
        case _:
            assert_never(node)
