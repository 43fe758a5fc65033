"""Texts of other languages as tokens with their lines, and their expressions as those of Seep: one reader, a table for each language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import NoReturn

from seepage.data_classes import dataclass
from seepage.imports.writing import NotImported
from seepage.source import Span
from seepage.syntax.tree import (
    COMPARISONS,
    Binary,
    BinaryOperator,
    Boolean,
    Call,
    Conditional,
    Expression,
    Name,
    Number,
    Parenthesized,
    Unary,
    UnaryOperator,
)

NOWHERE = Span(0, 0)
_TOKEN = re.compile(
    r"(?P<space>\s++|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)|(?P<word>[A-Za-z_]\w*+)"
    r"|(?P<number>(?:\d++(?:\.(?!\.)\d*+)?|\.\d++)(?:[eE][+-]?\d{1,3})?)"
    r'|(?P<text>"[^"\n]*+")|(?P<sign>\.\.|<=>|=>|->|:=|&&|\|\||[-+*/]=|[<>=!]=|.)',
    re.ASCII,
)
_MOST_DIGITS = 60
_DEEPEST = 40  # of parentheses and operators inside each other


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, text in quotes or sign, and its line."""

    text: str
    line: int
    kind: str


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text, without comments."""
    found: list[Token] = []
    line = 1
    for match in _TOKEN.finditer(text):
        if match.lastgroup != "space":
            found.append(Token(match[0], line, match.lastgroup or ""))
        line += match[0].count("\n")
    return found


@dataclass(slots=True)
class Reader:
    """What is left of some tokens. Mutable: belongs to one reading."""

    tokens: Sequence[Token]
    at: int = 0

    @property
    def next(self) -> str:
        """The next token; empty at the end."""
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    @property
    def line(self) -> int:
        """The line of the next token, or of the last one."""
        return self.tokens[min(self.at, len(self.tokens) - 1)].line if self.tokens else 1

    def take(self, *expected: str) -> str:
        """Return the next token; one of those that are expected, if some are."""
        found = self.next
        if not found or (expected and found not in expected):
            wanted = " or ".join(f"'{each}'" for each in expected) or "more"
            told = f"found '{found[:40]}'" if found else "the text ends"
            self.fail(f"{told}, expected {wanted}")
        self.at += 1
        return found

    def accept(self, *wanted: str) -> bool:
        """Take the next token if it is one of these."""
        if self.next not in wanted:
            return False
        self.at += 1
        return True

    def word(self, what: str = "a name") -> str:
        """Return the next token, which must be a word."""
        if not self.next:
            self.fail(f"the text ends, expected {what}")
        if self.tokens[self.at].kind != "word":
            self.fail(f"found '{self.next[:40]}', expected {what}")
        return self.take()

    def fail(self, message: str) -> NoReturn:
        """Raise :class:`NotImported` at the line of the next token."""
        raise NotImported(f"line {self.line}: {message}")


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes expressions.

    Attributes:
        binary: by level, loosest first, its operators and those of Seep.
        unary: its signs of one operand.
        functions: its functions, with how many arguments each takes at least, and what makes Seep's expression of them.
        names: words that are values.
        question: whether ``b ? x : y`` chooses; else ``if b then x else y`` does.
    """

    binary: Sequence[Mapping[str, BinaryOperator]]
    unary: Mapping[str, UnaryOperator]
    functions: Mapping[str, tuple[int, Callable[[Sequence[Expression]], Expression]]]
    names: Mapping[str, Expression]
    question: bool


def number(value: Fraction | int) -> Number:
    """Return a number of no place."""
    return Number(Fraction(value), NOWHERE)


def name(text: str) -> Name:
    """Return a name of no place."""
    return Name(text, NOWHERE)


def binary(operator: BinaryOperator, left: Expression, right: Expression) -> Binary:
    """Return an operation of no place; a comparison of comparisons, which do not chain in Seep, with parentheses."""
    if operator in COMPARISONS:
        left, right = (
            Parenthesized(each, NOWHERE) if isinstance(each, Binary) and each.operator in COMPARISONS else each
            for each in (left, right)
        )
    return Binary(operator, left, right, NOWHERE)


def call(function: str) -> Callable[[Sequence[Expression]], Expression]:
    """Return what applies a function of Seep."""
    return lambda arguments: Call(function, tuple(arguments), NOWHERE, NOWHERE)


def truth(value: bool) -> Boolean:
    """Return a truth value of no place."""
    return Boolean(value, NOWHERE)


@dataclass(slots=True)
class Formulas:
    """Reads expressions of a language. Mutable: it reads on, and knows how deep it is.

    Attributes:
        reader: of the tokens.
        language: of the expressions.
        meaning: what a name stands for; raises :class:`NotImported` of one that there is not.
        other: reads a call of a function that the language does not have, which may be a draw; None if it is none either.
        guards: the conditions under which what is being read counts, all of them.
    """

    reader: Reader
    language: Language
    meaning: Callable[[str], Expression]
    other: Callable[[str], Expression | None] = lambda _: None
    guards: list[Expression] = field(default_factory=list)
    _depth: int = field(default=0)

    def expression(self) -> Expression:
        """Return the next expression."""
        self._depth += 1
        if self._depth > _DEEPEST:
            self.reader.fail("the expression is nested too deeply")
        try:
            return self._chosen()
        finally:
            self._depth -= 1

    def _chosen(self) -> Expression:
        if not self.language.question and self.reader.accept("if"):
            condition = self.expression()
            self.reader.take("then")
            consequent = self._guarded(condition)
            self.reader.take("else")
            return Conditional(condition, consequent, self._guarded(Unary("not", condition, NOWHERE)), NOWHERE)
        found = self._level(0)
        if self.language.question and self.reader.accept("?"):
            consequent = self.expression()
            self.reader.take(":")
            return Conditional(found, consequent, self.expression(), NOWHERE)
        return found

    def _guarded(self, condition: Expression) -> Expression:
        """Return the next expression, which counts where a condition holds."""
        self.guards.append(condition)
        try:
            return self.expression()
        finally:
            self.guards.pop()

    def _level(self, level: int) -> Expression:
        if level == len(self.language.binary):
            return self._operand()
        operators = self.language.binary[level]
        found = self._level(level + 1)
        while (sign := self.reader.next) in operators:
            self.reader.take()
            right = self._level(level if sign == "^" else level + 1)  # a power of a power is read from the right
            found = binary(operators[sign], found, right)
        return found

    def _operand(self) -> Expression:
        reader = self.reader
        if reader.next in self.language.unary:
            sign = self.language.unary[reader.take()]
            self._depth += 1
            if self._depth > _DEEPEST:
                reader.fail("the expression is nested too deeply")
            operand = self._level(len(self.language.binary) - 1) if sign == "-" else self._operand()
            self._depth -= 1
            return Unary(sign, operand, NOWHERE)
        if reader.accept("("):
            found = self.expression()
            reader.take(")")
            return found
        token = reader.tokens[reader.at] if reader.at < len(reader.tokens) else None
        if token is None:
            reader.fail("the text ends, expected an expression")
        if token.kind == "number":
            return number(self._number(reader.take()))
        text = reader.word("an expression")
        if text in self.language.names:
            return self.language.names[text]
        if reader.next == "(":
            return self._call(text)
        return self.meaning(text)

    def _number(self, text: str) -> Fraction:
        if len(text) > _MOST_DIGITS:
            self.reader.fail(f"found a number of {len(text)} digits, expected at most {_MOST_DIGITS}")
        return Fraction(text)

    def _call(self, function: str) -> Expression:
        known = self.language.functions.get(function)
        if known is None:
            found = self.other(function)
            if found is None:
                self.reader.fail(
                    f"'{function[:40]}' is not imported: of functions only {', '.join(self.language.functions)}"
                )
            return found
        least, make = known
        arguments = self.arguments()
        if len(arguments) < least:
            self.reader.fail(f"'{function}' has {len(arguments)} arguments, expected {least}")
        return make(arguments)

    def arguments(self) -> list[Expression]:
        """Return what stands in parentheses."""
        self.reader.take("(")
        found: list[Expression] = []
        while not self.reader.accept(")"):
            found.append(self.expression())
            if self.reader.next != ")":
                self.reader.take(",")
        return found
