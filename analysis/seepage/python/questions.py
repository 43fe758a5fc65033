"""Measures in Python's names, as measures of the program: ``I(pin; result[0])``, ``P(result == "win")``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.python.outputs import Path, Seen, is_number
from seepage.python.values import Codes

_TOKEN = re.compile(
    r"""(?P<space>\s+)
      | (?P<text>"[^"\n]*"|'[^'\n]*')
      | (?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*|\[\s*\d+\s*\]|\[\s*"[^"]*"\s*\]|\[\s*'[^']*'\s*\])*)
      | (?P<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
      | (?P<sign>->|\|\||==|!=|<=|>=|.)""",
    re.VERBOSE | re.DOTALL,
)
_STEP = re.compile(r"\.([^\W\d]\w*)|\[\s*(\d+)\s*\]|\[\s*[\"']([^\"']*)[\"']\s*\]")
_LIST_BEFORE = frozenset({"(", ",", ";", "->", "||", "|"})
_LIST_AFTER = frozenset({")", ",", ";", "->", "||", "|"})
_EQUALITY = frozenset({"==", "!=", "and", "or", "not"})
_MEANS = frozenset({"E", "Var"})


class Wrong(Exception):  # a fault of what is asked
    """What is wrong with a measure: a sentence, and where in its text."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message, self.start, self.end = message, start, end


@dataclass(frozen=True, slots=True)
class _Token:
    sort: str
    text: str
    start: int


def translated(text: str, seen: Mapping[str, Seen], codes: Codes) -> str:
    """Return a measure of the program.

    Raises:
        Wrong: for a name that is none, an element that is not there, and arithmetic with what is no number.
    """
    text = re.sub(r"\bcalls\(([^\W\d]\w*)\)", r"calls_\1", text)
    tokens = [_Token(str(found.lastgroup), found[0], found.start()) for found in _TOKEN.finditer(text)]
    plain = [token for token in tokens if token.sort != "space"]
    made: list[str] = []
    inside: list[str] = []  # the words in front of open parentheses
    position = -1
    for token in tokens:
        if token.sort == "space":
            made.append(" ")
            continue
        position += 1
        before = plain[position - 1].text if position else "("
        after = plain[position + 1].text if position + 1 < len(plain) else ")"
        match token.sort:
            case "text":
                made.append(_literal(codes.known("str", token.text[1:-1]), codes))
            case "name" if after != "(" and token.text in ("None", "True", "False"):
                code = codes.known("none", "") if token.text == "None" else None
                made.append({"True": "1", "False": "0"}.get(token.text) or _literal(code, codes))
            case "name" if after != "(":
                made.append(_reference(token, before, after, inside, seen))
            case _:
                if token.text == "(":
                    inside.append(before)
                elif token.text == ")" and inside:
                    inside.pop()
                made.append(token.text)
    return "".join(made)


def _literal(code: Fraction | None, codes: Codes) -> str:
    """Return the symbol of a text; of one that the function does not know, that of nothing."""
    return exact.spelled(codes.code("missing") if code is None else code)


def _reference(token: _Token, before: str, after: str, inside: list[str], seen: Mapping[str, Seen]) -> str:
    found, path = _found(token, seen)
    if found is None:
        return token.text
    names = found.variables(path)
    end = token.start + len(token.text)
    if not names:
        raise Wrong(f"'{token.text}' is no part of '{found.name}'", token.start, end)
    listed = before in _LIST_BEFORE and after in _LIST_AFTER
    if len(names) > 1 or names[0] == found.whole:
        if not listed or any(word in _MEANS for word in inside):
            raise Wrong(f"'{token.text}' has several elements; name one of them", token.start, end)
        return ", ".join(names)
    if not is_number(found, path):
        computed = not listed and not {before, after} <= _EQUALITY | _LIST_BEFORE | _LIST_AFTER
        if computed or any(word in _MEANS for word in inside):
            raise Wrong(f"'{token.text}' is not a number in every run; ask for its chances with '=='", token.start, end)
    return names[0]


def _found(token: _Token, seen: Mapping[str, Seen]) -> tuple[Seen | None, Path]:
    """Return what a dotted name begins with, the longest first, and the path behind it."""
    root = re.match(r"[^\W\d]\w*", token.text)
    assert root is not None
    steps = list(_STEP.finditer(token.text, root.end()))
    candidates = [(root[0], 0)]
    for count, step in enumerate(steps, 1):
        if step[1] is None:
            break
        candidates.append((token.text[: step.end()], count))
    for name, count in reversed(candidates):
        if name in seen:
            path = tuple(int(step[2]) if step[2] else step[1] or step[3] for step in steps[count:])
            return seen[name], path
    return None, ()
