r"""The program as an algorithm in LaTeX, for papers: a line for each statement, loops as they are written, nothing unrolled.

Expressions are the canonical text of their trees (:func:`seepage.syntax.spell.spell`) with the signs of mathematics, so that they read back as the same tree.
Only commands of LaTeX itself are used: algorithms of packages are no part of small installations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from seepage.exact import Number as Value
from seepage.exact import spelled
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.tree import Symbol
from seepage.reporting.latex import character, text
from seepage.syntax.spell import Spellable, spell
from seepage.syntax.tree import (
    Arm,
    Assign,
    Block,
    Const,
    For,
    If,
    Interval,
    Item,
    Leaf,
    Local,
    Module,
    Observe,
    Output,
    Param,
    Placed,
    Sample,
    Secret,
    Skip,
    Target,
    While,
)

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\W\d]\w*(?:\.[^\W\d]\w*)*(?:@\w+)*|\d+(?:\.\d+)?|[!<>=:]=|\s+|.')
_WIDE = 1.5  # of the numbers of lines, in ems
_WORD = re.compile(r"[^\W\d]")
_SIGNS: Mapping[str, str] = {
    "==": "=",
    "!=": r"\neq ",
    "<=": r"\leq ",
    ">=": r"\geq ",
    "*": r"\cdot ",
    "%": r"\bmod ",
    "and": r"\land ",
    "or": r"\lor ",
    "xor": r"\oplus ",
    "!": r"\neg ",  # binds tightly, where "not" stands for all up to the next "and" or "or": so they are told apart
    "{": r"\{",
    "}": r"\}",
    ":": r"\colon ",
    "~": r"\sim ",
    "inf": r"\infty ",
    **{each: rf"\ \textbf{{{each}}}\ " for each in ("if", "then", "else")},
    "not": r"\textbf{not}\ ",
    **{each: rf"\mathrm{{{each}}}" for each in ("true", "false")},
}
_FUNCTIONS = frozenset({"exp", "log", "min", "max"})  # that LaTeX has commands of this name for


def latex_text(tree: Module, params: Mapping[str, Value], title: str) -> str:
    """Return the algorithm: declarations and statements; what is asked of the program is left out.

    Args:
        tree: of a program without errors.
        params: values of its parameters; one without has none in the algorithm.
        title: for a comment at the start.
    """
    lines = [
        rf"\hangindent={_WIDE + 1.5 * (depth + 1):g}em\makebox[{_WIDE:g}em][r]{{\scriptsize {number}}}\hspace*{{{1 + 1.5 * depth:g}em}}{words}\par"
        for number, (depth, words) in enumerate(_items(tree.items, params, 0), 1)
    ]
    start = r"\begingroup\parindent=0pt\parskip=0pt\raggedright"
    return "\n".join([f"% {title}", start, *lines, r"\endgroup", ""])


# --- statements -------------------------------------------------------------------------------------------------------


def _items(items: Sequence[Item], params: Mapping[str, Value], depth: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of statements, each with how deep it stands."""
    for item in items:
        match item:
            case Placed(node):
                if words := _leaf(node, params):
                    yield depth, words
            case Local(arms=(arm,)):
                yield depth, _keyword("draw, with observations of its own") + ":"
                yield from _block(arm.block, params, depth)
            case If(arms, otherwise):
                yield from _branches(arms, otherwise, params, depth)
            case For(name, low, high, block):
                span = rf"${_name(name)} = {latex(low)}, \ldots, {latex(high)}$"
                yield depth, f"{_keyword('for')} {span} {_keyword('do')}"
                yield from _block(block, params, depth)
            case While(arm, never):
                yield depth, f"{_keyword('while')} ${latex(arm.condition)}$ {_keyword('do')}"
                yield from _block(arm.block, params, depth)
                if never is not None:
                    yield depth, _keyword("where it never ends")
                    yield from _block(never, params, depth)


def _branches(
    arms: Sequence[Arm], otherwise: Block | None, params: Mapping[str, Value], depth: int
) -> Iterator[tuple[int, str]]:
    for number, arm in enumerate(arms):
        word = _keyword("else if" if number else "if")
        yield depth, f"{word} ${latex(arm.condition)}$ {_keyword('then')}"
        yield from _block(arm.block, params, depth)
    if otherwise is not None:
        yield depth, _keyword("else")
        yield from _block(otherwise, params, depth)


def _block(block: Block, params: Mapping[str, Value], depth: int) -> Iterator[tuple[int, str]]:
    lines = list(_items(block.items, params, depth + 1))
    yield from lines or [(depth + 1, _keyword("skip"))]


def _leaf(node: Leaf, params: Mapping[str, Value]) -> str:
    """Return a line; nothing for a question about the program."""
    match node:
        case Param(name, domain):
            within = "" if domain is None else rf" \in {_interval(domain)}"
            value = rf"$, {_keyword('here')} ${latex_code(spelled(params[name]))}" if name in params else ""
            return f"{_keyword('parameter')} ${_name(name)}{within}{value}$"
        case Const(name, value):
            return f"{_keyword('constant')} ${_name(name)} = {latex(value)}$"
        case Secret(mode, targets):
            return f"{_keyword(f'secret {mode}' if mode else 'secret')} {_targets(targets)}"
        case Output(targets):
            return f"{_keyword('output')} {_targets(targets)}"
        case Skip():
            return _keyword("skip")
        case Assign(target, value):
            return f"${latex(target)} := {latex(value)}$"
        case Sample(target, law):
            return rf"${latex(target)} \sim {latex(law)}$"
        case Observe(condition):
            return f"{_keyword('observe')} ${latex(condition)}$"
        case _:
            return ""


def _keyword(words: str) -> str:
    return rf"\textbf{{{words}}}"


def _targets(targets: Sequence[Target]) -> str:
    return ", ".join(f"${latex(each)}$" for each in targets)


def _interval(domain: Interval) -> str:
    left, right = "[" if domain.low_closed else "(", "]" if domain.high_closed else ")"
    return f"{left}{latex(domain.low)}, {latex(domain.high)}{right}"


# --- expressions ------------------------------------------------------------------------------------------------------


def latex(node: Spellable) -> str:
    """Return an expression or a law for mathematics mode."""
    return latex_code(spell(node))


def latex_code(code: str) -> str:
    """Return the canonical text of an expression or a law for mathematics mode."""
    return _Reader([each for each in _TOKEN.findall(code) if not each.isspace()]).all()


class _Reader:
    """Goes through tokens. Mutable: it knows how far it is."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = tokens
        self._at = 0

    def all(self, closing: str = "") -> str:
        """Return what stands up to a closing bracket, or the end."""
        written = ""
        while self._at < len(self._tokens) and self._tokens[self._at] != closing:
            if written and all(map(_is_name, self._tokens[self._at - 1 : self._at + 1])):
                written += r"\ "
            written += self._operand()
        self._at += 1
        return written

    def _operand(self) -> str:
        """Return a token with all that is bound to it: arguments, an index, an exponent."""
        token = self._tokens[self._at]
        self._at += 1
        if token == "(":
            shown = f"({self.all(')')})"
        elif token == "[":
            shown = f"[{self.all(']')}]"
        else:
            shown = self._word(token) if _WORD.match(token) else self._sign(token)
        if self._next() == "[" and _is_name(token):
            self._at += 1
            shown = f"{shown}_{{{self.all(']')}}}"
        return f"{{{shown}}}^{{{self._exponent()}}}" if self._next() == "^" else shown

    def _word(self, token: str) -> str:
        if token in _SIGNS:
            return _SIGNS[token]
        if self._next() != "(":
            return _name(token)
        self._at += 1
        function = rf"\{token}" if token in _FUNCTIONS else rf"\mathrm{{{text(token)}}}"
        return f"{function}({self.all(')')})"

    def _sign(self, token: str) -> str:
        if token.startswith('"'):
            return rf"\textsf{{{''.join(_letter(each) for each in token)}}}"
        return _SIGNS.get(token, token)

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _exponent(self) -> str:
        """Return what stands behind ``^``, which holds on to the right: ``a ^ b ^ c`` is ``a ^ (b ^ c)``."""
        self._at += 1
        sign = ""
        while self._next() == "-":
            sign += self._next()
            self._at += 1
        return sign + self._operand()


def _is_name(token: str) -> bool:
    return _WORD.match(token) is not None and token not in _SIGNS


def _name(name: str) -> str:
    """Return a variable; one that only the core has, with its number above."""
    bare, *marks = name.split("@")
    shown = latex_of(Symbol(bare)) if bare.isascii() else rf"\mathord{{\textit{{{''.join(map(_letter, bare))}}}}}"
    return f"{shown}^{{({', '.join(marks)})}}" if marks else shown


def _letter(letter: str) -> str:
    return text(letter) if letter.isascii() else character(letter)
