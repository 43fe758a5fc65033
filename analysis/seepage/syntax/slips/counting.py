"""Loops that count as other languages write them: ``for i = 1 to 3``, ``range(0, 10, 2)``, ``0..10 step 2``, ``[0..3)``, ``repeat 3``.

Each is read as a first value, a last one and a step; with a step other than 1 the loop counts rounds, and the variable is computed from these.
"""

from __future__ import annotations

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import UNEXPECTED
from seepage.source import Span
from seepage.syntax.slips.place import between_commas, span_of, spelled
from seepage.syntax.tokens import Token

_RUNS = "a loop runs over 'a..b', both ends included"
_ROUNDS = ("repeat", "loop", "REPEAT", "LOOP")
_HEADER = (("FOR", "for"), ("NAME", "_"), ("IN", "in"), ("NUMBER", "1"), ("DOTS", ".."), ("NUMBER", "1"))
_TO = {"to": 1, "TO": 1, "downto": -1, "until": 1}
_BY = ("step", "by", "STEP", "BY")
# Calls that list numbers elsewhere: whether the last argument is reached, and the first value of a call with one argument.
_LISTS = {
    "range": (False, "0"),
    "arange": (False, "0"),
    "xrange": (False, "0"),
    "seq": (True, "1"),
    "seq_len": (True, "1"),
}


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What a loop runs over: ``first``, ``first + step``, … up to ``last``, which is reached if ``closed``, each as it is written."""

    first: str
    last: str
    step: int = 1
    closed: bool = True

    def range(self) -> str:
        """Return ``a..b`` of a step of 1."""
        return f"{self.first}..{_plus(self.last, 0 if self.closed else -1)}"

    def rounds(self) -> str:
        """Return the number of the last round, the first being 0."""
        size = abs(self.step)
        low, high = (self.first, self.last) if self.step > 0 else (self.last, self.first)
        if _is_whole(low) and _is_whole(high):
            return str((int(high) - int(low) - (0 if self.closed else 1)) // size)
        gap = high if low == "0" else f"{high} - {low}" if _is_whole(low) else f"{high} - ({low})"
        return f"floor(({_plus(gap, 0 if self.closed else -1)}) / {size})"

    def value(self, counter: str) -> str:
        """Return the value in a round."""
        moved = f"{abs(self.step)} * {counter}" if abs(self.step) != 1 else counter
        if self.step > 0 and self.first == "0":
            return moved
        return f"{self.first} {'+' if self.step > 0 else '-'} {moved}"


def counting_loop(tokens: list[Token]) -> tuple[Diagnostic, list[Token]] | None:
    """Return what to say of the header of a loop, and the tokens that are meant; None if it is none of these."""
    last = tokens[-1]
    if tokens[0].value in _ROUNDS and len(tokens) > 1 and last.type not in ("LBRACE", "COLON"):
        return _repeated([*tokens, Token("$END", "", last.end, last.end)])  # its brace is a piece of its own
    if last.type not in ("LBRACE", "COLON") and last.value != "do":
        return None
    if tokens[0].value in _ROUNDS:
        return _repeated(tokens)
    if [one.type for one in tokens[:2]] != ["FOR", "NAME"] or len(tokens) < 5:
        return None
    name, word, over = tokens[1], tokens[2], tokens[3:-1]
    if word.type not in ("IN", "EQUAL", "ASSIGN") and word.value != "from":
        return None
    numbers = _numbers(over, listed=word.type == "IN")
    if numbers is None:
        is_plain = word.type == "IN" and last.value == "do" and any(one.type == "DOTS" for one in over)
        return _do(tokens) if is_plain else None
    opening = "" if last.type == "LBRACE" else " "
    whole = Span(name.start, over[-1].end)
    if numbers.step == 1:
        meant = f"{name.value} in {numbers.range()}"
        edits = [Edit(whole, meant)]
        if opening:
            edits.append(Edit(span_of(last), " {"))
    else:
        counter = f"{name.value}_at"
        meant = f"{counter} in 0..{numbers.rounds()}"
        edits = [Edit(whole, meant), Edit(span_of(last), f"{opening}{{ {name.value} := {numbers.value(counter)};")]
    ending = "" if last.type != "COLON" and last.value != "do" else ":"
    message = f"{_RUNS}: '{spelled(tokens[1:-1])}' is '{meant}'"
    return _told(tokens, Span(name.start, over[-1].end), message, Fix(f"write 'for {meant}'", tuple(edits)), ending)


def _told(tokens: list[Token], span: Span, message: str, fix: Fix, ending: str) -> tuple[Diagnostic, list[Token]]:
    last = tokens[-1]
    meant = [Token(type_, text, span.start, span.end) for type_, text in _HEADER]
    if tokens[1].type == "NAME" and tokens[0].type == "FOR":
        meant[1] = tokens[1]
    closing = Token("COLON", ":", last.start, last.end) if ending else last
    return Diagnostic(UNEXPECTED, span, message, fixes=(fix,)), [*meant, closing]


def _do(tokens: list[Token]) -> tuple[Diagnostic, list[Token]]:
    """``for i in 1..3 do``."""
    last = tokens[-1]
    fix = Fix("put the block in braces", (Edit(span_of(last), "{"),))
    found = Diagnostic(UNEXPECTED, span_of(last), "blocks stand in braces: found 'do', expected '{'", fixes=(fix,))
    return found, [*tokens[:-1], Token("COLON", ":", last.start, last.end)]


def _repeated(tokens: list[Token]) -> tuple[Diagnostic, list[Token]] | None:
    """``repeat 3 {``, ``repeat(3):``, ``loop 3 {``."""
    first, last = tokens[0], tokens[-1]
    count = tokens[1:-1]
    if not count or not _is_one_value(count):
        return None
    if count[0].type == "LPAR" and count[-1].type == "RPAR":
        count = count[1:-1]
    meant = f"for _ in 1..{spelled(count)}"
    edits = [
        Edit(Span(first.start, tokens[-2].end), meant),
        *([Edit(span_of(last), " {")] if last.type == "COLON" else []),
    ]
    message = f"what is done several times is a loop: '{meant}'"
    span = Span(first.start, tokens[-2].end)
    fix = Fix(f"write '{meant}'", tuple(edits))
    if last.type == "$END":
        return Diagnostic(UNEXPECTED, span, message, fixes=(fix,)), [Token("SKIP", "skip", first.start, first.start)]
    return _told(tokens, span, message, fix, ":" if last.type == "COLON" else "")


def _numbers(over: list[Token], listed: bool) -> _Numbers | None:
    """Return what stands behind the name of a loop; None for what the language itself writes so, and for anything else."""
    step, over = _stepped(over)
    to = next((at for at, one in enumerate(over) if one.value in _TO and one.type != "STRING"), None)
    if to is not None and 0 < to < len(over) - 1:
        direction = _TO[over[to].value]
        size = direction if step is None else step if direction > 0 else -abs(step)
        return _Numbers(spelled(over[:to]), spelled(over[to + 1 :]), size, over[to].value != "until")
    if not listed:
        return None
    if len(over) == 1 and over[0].type == "NUMBER" and step is None:
        return _Numbers("0", over[0].value, closed=False)
    called = _called(over)
    if called is not None:
        return called
    return _between_points(over, step)


def _between_points(over: list[Token], step: int | None) -> _Numbers | None:
    """``0..10`` with a step behind, ``0..10..2``, ``0..<3``, ``[0..3)``."""
    opened, closed = over[0].type in ("LSQB", "LPAR"), over[-1].type in ("RSQB", "RPAR")
    interval = opened and closed and any(one.type == "DOTS" for one in over)
    ends = (over[0].type == "LSQB", over[-1].type == "RSQB") if interval else (True, True)
    over = over[1:-1] if interval else over
    parts: list[list[Token]] = [[]]
    for one in over:
        if one.type == "DOTS":
            parts.append([])
        else:
            parts[-1].append(one)
    if len(parts) == 3 and step is None and len(parts[2]) == 1 and _is_whole(parts[2][0].value):
        step, parts = int(parts[2][0].value), parts[:2]
    if len(parts) != 2 or not all(parts):
        return None
    low, high = parts
    below = high[0].type == "LT" and len(high) > 1
    if step is None and not interval and not below:
        return None
    first = spelled(low) if ends[0] else _plus(spelled(low), 1)
    return _Numbers(first, spelled(high[1:] if below else high), step or 1, ends[1] and not below)


def _stepped(over: list[Token]) -> tuple[int | None, list[Token]]:
    """Return the step that is named behind a range, and the range."""
    at = next((at for at, one in enumerate(over) if one.value in _BY and at and over[at - 1].type != "COMMA"), None)
    if at is None:
        return None, over
    step = _whole(over[at + 1 :])
    return (None, over) if not step else (step, over[:at])


def _called(over: list[Token]) -> _Numbers | None:
    """``range(a, b, c)``, ``seq(a, b, by=c)``: calls of one or two arguments with a step of 1 are told elsewhere."""
    if len(over) < 4 or over[0].value not in _LISTS or (over[1].type, over[-1].type) != ("LPAR", "RPAR"):
        return None
    arguments = between_commas(over[2:-1])
    if len(arguments) != 3 or not all(arguments):
        return None
    named = arguments[2][2:] if len(arguments[2]) > 2 and arguments[2][0].value in _BY else arguments[2]
    step = _whole(named)
    closed, _ = _LISTS[over[0].value]
    return _Numbers(spelled(arguments[0]), spelled(arguments[1]), step, closed) if step else None


def _whole(tokens: list[Token]) -> int | None:
    text = "".join(one.value for one in tokens)
    return int(text) if _is_whole(text) else None


def _is_whole(text: str) -> bool:
    digits = text[1:] if text.startswith("-") else text
    return digits.isascii() and digits.isdecimal() and len(digits) < 10


def _is_one_value(tokens: list[Token]) -> bool:
    """Tell whether tokens are a number, a name, or something in parentheses."""
    if len(tokens) == 1:
        return tokens[0].type in ("NUMBER", "NAME")
    return tokens[0].type == "LPAR" and tokens[-1].type == "RPAR" and len(tokens) > 2


def _plus(text: str, added: int) -> str:
    if added == 0:
        return text
    if _is_whole(text):
        return str(int(text) + added)
    return f"{text} {'+' if added > 0 else '-'} {abs(added)}"
