"""Reads formulas back from their text, LaTeX and MathML and evaluates them, apart from the code that writes them."""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import mpmath

from seepage.measures.result import Formula

TOKEN = re.compile(r"\s*('\w+'|[⁰¹²³⁴-⁹]+|\d+(?:\.\d+)?|log₂|ln|\w+?(?=[⁰¹²³⁴-⁹]|\b)'*|[()+−·/^*-])")
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
GREEK = {"ε": "eps", "α": "alpha"}
Values = Mapping[str, mpmath.mpf]
Functions = Mapping[str, tuple[str, str]]  # name → argument, body


ZERO_LOG_ZERO = "0·log 0 = 0"
ZERO_LOG_ZERO_OVER_ZERO = "0·log(0/0) = 0"
RELATIONS = {"≥": operator.ge, "≤": operator.le, ">": operator.gt, "<": operator.lt, "≠": operator.ne, "=": operator.eq}


class Reader:
    """A recursive-descent evaluator of the notation; 0/0 is no number, and 0 times anything is 0: ``used`` gets what that had to be said for."""

    def __init__(self, text: str, values: Values, functions: Functions, used: set[str]) -> None:
        self.tokens = list(self.split(text))
        self.place = 0
        self.values = values
        self.functions = functions
        self.used = used

    @staticmethod
    def split(text: str) -> Iterator[str]:
        place = 0
        while place < len(text.rstrip()):
            match = TOKEN.match(text, place)
            assert match, f"cannot read {text[place:]!r}"
            yield {"-": "−", "*": "·", "log": "ln"}.get(match[1], match[1])  # expressions as programs spell them
            place = match.end()

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        assert not expected or token == expected
        self.place += 1
        return token

    def read(self) -> mpmath.mpf:
        value = self.sum()
        assert self.peek() == "", self.tokens[self.place :]
        return value

    def sum(self) -> mpmath.mpf:
        value = self.term()
        while self.peek() in ("+", "−"):
            value = value + self.term() if self.take() == "+" else value - self.term()
        return value

    def term(self) -> mpmath.mpf:
        value = self.factor()
        while self.peek() in ("·", "/"):
            if self.take() == "·":
                value = self.product(value, self.factor())
            else:
                other = self.factor()
                value = mpmath.nan if value == other == 0 else value / other
        return value

    def product(self, one: mpmath.mpf, other: mpmath.mpf) -> mpmath.mpf:
        if one != 0 and other != 0:
            return one * other
        if mpmath.isinf(one) or mpmath.isinf(other):
            self.used.add(ZERO_LOG_ZERO)
        if mpmath.isnan(one) or mpmath.isnan(other):
            self.used.add(ZERO_LOG_ZERO_OVER_ZERO)
        return mpmath.mpf(0)

    def factor(self) -> mpmath.mpf:
        token = self.take()
        if token == "−":
            return -self.term()
        if token in ("log₂", "ln"):
            value = self.factor()
            return -mpmath.inf if value == 0 else mpmath.log(value) / (mpmath.log(2) if token == "log₂" else 1)
        value = self.base(token)
        if self.peek() == "^":
            self.take()
            return value ** self.factor()
        if self.peek() and self.peek()[0] in SUPERSCRIPTS:
            return value ** int("".join(str(SUPERSCRIPTS.index(digit)) for digit in self.take()))
        return value

    def base(self, token: str) -> mpmath.mpf:
        if token == "(":
            value = self.sum()
            self.take(")")
            return value
        if token.replace(".", "", 1).isdecimal():
            return mpmath.mpf(token)
        if token in self.functions and self.peek() == "(":
            argument, body = self.functions[token]
            return Reader(body, {**self.values, argument: self.factor()}, self.functions, self.used).read()
        if token == "sqrt":
            return mpmath.sqrt(self.factor())
        if token.startswith("'"):  # a name of the program that is spelled like something that formulas write
            return self.values[token.strip("'")]
        return {"e": mpmath.e, "π": mpmath.pi}[token] if token in ("e", "π") else self.values[token]


def evaluated(
    text: str, definitions: Sequence[str], point: Mapping[str, Fraction], used: set[str] | None = None
) -> mpmath.mpf:
    """Return the value of a formula in the notation of the text, with definitions ``name := body``, each after those it uses.

    ``used`` gets the conventions that it takes, as conditions state them.
    """
    conventions = set[str]() if used is None else used
    values = {name: mpmath.mpf(value.numerator) / value.denominator for name, value in point.items()}
    functions: dict[str, tuple[str, str]] = {}
    for definition in definitions:
        head, _, body = definition.partition(" := ")
        if "(" in head:
            name, argument = re.fullmatch(r"(\S+?)\s*\(+(\w+'*)\)+", head.strip()).groups()  # type: ignore[union-attr]
            functions[name] = (argument, body)
        else:
            assert head.strip() not in values, f"{head} is defined twice"
            values[head.strip()] = Reader(body, values, functions, conventions).read()
    return Reader(text, values, functions, conventions).read()


def read_text(formula: Formula, point: Mapping[str, Fraction], used: set[str] | None = None) -> mpmath.mpf:
    """Return the value of a formula's text; ``used`` gets the conventions that it takes, as conditions state them."""
    return evaluated(formula.text, formula.definitions, point, used)


def holds(condition: str, formula: Formula, point: Mapping[str, Fraction]) -> bool:
    """Read a condition, which may be a chain (``0 ≤ p/2 + q ≤ 1``) or say how the formula is read."""
    if condition in (ZERO_LOG_ZERO, ZERO_LOG_ZERO_OVER_ZERO):
        return True
    words = condition.split(" ")
    signs = [place for place, word in enumerate(words) if word in RELATIONS]
    assert signs, condition
    edges = [-1, *signs, len(words)]
    sides = [_side(" ".join(words[start + 1 : end]), formula, point) for start, end in pairwise(edges)]
    return all(RELATIONS[words[place]](sides[at], sides[at + 1]) for at, place in enumerate(signs))


def allows(formula: Formula, point: Mapping[str, Fraction]) -> bool:
    """Tell whether all conditions of a formula hold; one that divides by 0 must stand beside one that does not hold."""
    unread = []
    for condition in formula.conditions:
        try:
            if not holds(condition, formula, point):
                return False
        except ZeroDivisionError:
            unread.append(condition)
    assert not unread, f"{unread} at {point}"
    return True


def _side(text: str, formula: Formula, point: Mapping[str, Fraction]) -> mpmath.mpf:
    """Read a side of a condition, most of which use no definition: these may have no value where a condition fails."""
    try:
        return evaluated(text, (), point)
    except KeyError:
        return evaluated(text, formula.definitions, point)


# --- LaTeX ------------------------------------------------------------------------------------------------------------

LATEX = re.compile(r"\s*(\\left\(|\\right\)|\\log_2|\\[a-zA-Z]+|[{}^+\-]|\d+|\w)")


def read_latex(formula: Formula, point: Mapping[str, Fraction]) -> mpmath.mpf:
    """Return the value of a formula's LaTeX."""
    whole, *definitions = formula.latex.split(r", \quad ")
    heads = [tuple(each.split(" = ")) for each in definitions]
    return evaluated(of_latex(whole), [f"{of_latex(head)} := {of_latex(body)}" for head, body in heads], point)


def of_latex(latex: str) -> str:
    """Return LaTeX in the notation of the text, everything in parentheses; braces and parentheses must be balanced."""
    tokens: list[str] = []
    place = 0
    while place < len(latex.rstrip()):
        match = LATEX.match(latex, place)
        assert match, f"cannot read {latex[place:]!r}"
        tokens.append(match[1])
        place = match.end()
    text, rest = _until(tokens, "")
    assert not rest
    return text


def _until(tokens: list[str], end: str) -> tuple[str, list[str]]:
    text = ""
    while tokens and tokens[0] != end:
        piece, tokens = _piece(tokens)
        text += piece
    if end:
        assert tokens, f"{end} is missing"
        tokens = tokens[1:]
    return text, tokens


def _group(tokens: list[str]) -> tuple[str, list[str]]:
    assert tokens[0] == "{"
    return _until(tokens[1:], "}")


def _piece(tokens: list[str]) -> tuple[str, list[str]]:
    first, rest = tokens[0], tokens[1:]
    match first:
        case r"\frac":
            top, rest = _group(rest)
            bottom, rest = _group(rest)
            return f"(({top})/({bottom}))", rest
        case r"\sqrt":
            inner, rest = _group(rest)
            return f"(sqrt({inner}))", rest
        case "{":
            inner, rest = _group(tokens)
            if rest and rest[0] == "^":
                exponent, rest = _group(rest[1:])
                return f"(({inner})^({exponent}))", rest
            return f"({inner})", rest
        case r"\left(":
            inner, rest = _until(rest, r"\right)")
            return f"({inner})", rest
        case r"\mathtt":
            inner, rest = _group(rest)
            return f"'{inner}'", rest
        case r"\mathit":
            inner, rest = _group(rest)
            return inner, rest
        case _:
            words = {
                "-": " − ",
                "+": " + ",
                r"\cdot": "·",
                r"\log_2": "log₂ ",
                r"\ln": "ln ",
                r"\varepsilon": "eps",
                r"\pi": "π",
            }
            assert first not in ("}", r"\right)", "^"), f"{first} is not balanced"
            return words.get(first, first.removeprefix("\\")), rest


# --- MathML -----------------------------------------------------------------------------------------------------------

SPACE = "{http://www.w3.org/1998/Math/MathML}"


def read_mathml(formula: Formula, point: Mapping[str, Fraction]) -> mpmath.mpf:
    """Return the value of a formula's MathML, which must be well-formed."""
    root = ElementTree.fromstring(formula.mathml)
    assert root.tag == f"{SPACE}math"
    rows = [list(child) for child in root if child.tag != f"{SPACE}mspace"]
    for row in rows[:-1]:
        assert row.pop().text == ","
    ((whole,), *others) = rows
    definitions = []
    for head, equals, body in others:
        assert equals.text == "="
        definitions.append(f"{of_mathml(head).strip('()') + ')' * ('(' in of_mathml(head)[1:])} := {of_mathml(body)}")
    return evaluated(of_mathml(whole), definitions, point)


def of_mathml(element: ElementTree.Element) -> str:
    """Return an element in the notation of the text, everything in parentheses."""
    parts = [of_mathml(child) for child in element]
    text = element.text or ""
    match element.tag.removeprefix(SPACE):
        case "mi" if element.get("mathvariant") == "monospace":
            return f"'{text}'"
        case "mi":
            return f"{text} " if text == "ln" else GREEK.get(text, text)
        case "mn":
            return text
        case "mo":
            return {"\u2061": "", "·": "·", "+": " + ", "−": " − "}.get(text, text)
        case "mfrac":
            top, bottom = parts
            return f"(({top})/({bottom}))"
        case "msup":
            base, exponent = parts
            return f"(({base})^({exponent}))"
        case "msub":
            assert parts == ["log", "2"]
            return "log₂ "
        case "msqrt":
            return f"(sqrt({''.join(parts)}))"
        case "mrow":
            return f"({''.join(parts)})"
        case other:
            raise AssertionError(f"an element '{other}'")
