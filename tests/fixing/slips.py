"""Known slips: what people write in place of a program that is right."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seepage.syntax.comments import blank_comments
from seepage.syntax.tokens import Token, scan

# What is written in place of a token.
_INSTEAD = {
    ":=": ["=-", "=- ", "=", "==", ":", "<-", "<- ", ": =", "≔", "←", "=:", ":= =", "~"],
    "~": ["=", ":=", "∼", "~~", "<- ", ":"],
    "==": ["=", "===", ":=", "= =", "~", "=!"],
    "!=": ["≠", "<>", "! =", "!==", "=!"],
    "<=": ["≤", "=<", "< =", "<-", "=>"],
    ">=": ["≥", "=>", "> ="],
    "<": ["<-", "< "],
    "*": ["×", "·", "", " ", ". "],
    "/": ["÷", "//", "/ /", "\\"],
    "+": ["+ +", "", " "],
    "-": ["−", "–", "--", "\u00ad", "\\"],
    "^": ["**", "^^", ""],
    "or": ["||", "|", "∨", "Or", ""],
    "and": ["&&", "&", "∧", "And", ""],
    "xor": ["⊕", "^"],
    "not": ["¬", "~", "Not"],
    "!": ["¬", "~"],
    "..": ["...", "…", ":", ",", "."],
    "else": ["elif", "elseif", "els"],
    "if": ["If", "if (", "unless"],
    "in": ["=", ":=", "of"],
    ",": [";", "", " ", ",,"],
    ";": [",", "|", ""],
    "observe": ["assume", "assert", "condition", "obs", "Observe"],
    "output": ["out", "return", "Output"],
    "secret": ["sec", "private"],
    "show": ["print", "sho"],
    "{": ["{ {", "then {", ": ", "("],
    "}": ["} }", ")", "end"],
    "(": ["((", "[", " "],
    ")": ["))", "]", " )) "],
    "[": ["(", ".", "[["],
    "]": [")", "]]"],
    "bits": ["bit", "nat"],
    "flip": ["Flip", "coin", "filp"],
    "normal": ["gauss", "Normal", "nomral"],
    "uniform_int": ["discrete_uniform", "randint", "uniform"],
}
_COMPOUND = re.compile(r"\b(\w+) := \1 ([-+*/%^]) (?:\(([^()\n]*)\)|(\w+))(?=\s*[;\n}])")

_ELEMENT = re.compile(r"\b(\w+\[\w+\]) := \1 ([-+*/%^]) (\w+)(?=\s*[;\n}])")


def slips(text: str) -> Iterator[str]:
    """Yield the texts that one slip makes of a text, in the order of their places."""
    for token in scan(blank_comments(text).text):
        for written in _mistaken(token):
            yield text[: token.start] + written + text[token.end :]
    for found in _COMPOUND.finditer(text):
        name, operator, *rest = found.groups()
        yield f"{text[: found.start()]}{name} {operator}= {rest[0] or rest[1]}{text[found.end() :]}"
    for found in _ELEMENT.finditer(text):
        target, operator, last = found.groups()
        yield f"{text[: found.start()]}{target} {operator}= {last}{text[found.end() :]}"
    for found in re.finditer(r"(?<=\d) \* (?=[a-z])", text):  # together with a sign, or another slip before
        for sign in ("-", "+", "- ", "not "):
            number = re.search(r"\d+\Z", text[: found.start()])
            start = number.start() if number else found.start()
            yield f"{text[:start]}{sign}{text[start : found.start()]}{text[found.end() :]}"
    for found in re.finditer(r"\b(min|max|abs|exp)\((?=[a-z])(\w+), ", text):
        yield f"{text[: found.end() - 2]} = 1{text[found.end() - 2 :]}"
    for found in re.finditer(r"//", text):
        yield f"{text[: found.start()]}#{text[found.end() :]}"
    for found in re.finditer(r"(?<=\d) \* (?=[a-z])", text):
        yield text[: found.start()] + text[found.end() :]
    for found in re.finditer(
        r"(?<=[^;{}\s])[ \n](?!\d)", text
    ):  # '#' begins a comment where a statement may begin, and '.1' is a number
        for written in ("", "\N{NO-BREAK SPACE}", "\N{ZERO WIDTH SPACE}", "\\\n", ";", ",", ".", "#", ")", "}", "/*"):
            yield text[: found.start()] + written + text[found.end() :]


def _mistaken(token: Token) -> Iterator[str]:
    yield from _INSTEAD.get(token.value, ())
    yield ""  # forgotten
    yield f"{token.value} {token.value}"
    if token.type == "NUMBER":
        yield from (
            f"{token.value}.",
            token.value.removeprefix("0"),
            f"{token.value},000",
            f"{token.value}e",
            f"0x{token.value}",
        )
    if token.type == "NAME":
        yield from (token.value[:-1], token.value.upper(), f"{token.value}1", f"{token.value}.{token.value}")
        yield from (f"{token.value}++", f"{token.value[1:]}{token.value[0]}")
