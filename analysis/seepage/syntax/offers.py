"""Fixes that ask for more of the text than the statement with the fault: where a block ends, which names are free, what is declared elsewhere.

A piece is read on its own (:mod:`seepage.syntax.piece`), so what such a fix writes is worked out last, over the whole text, and only
for the findings that are listed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.source import Span
from seepage.syntax.blocks import Block, block_after, braces
from seepage.syntax.fixes import shifted
from seepage.syntax.layout import Layout
from seepage.syntax.pieces import Piece, PieceKind
from seepage.syntax.slips.lines import said_of_line
from seepage.syntax.slips.other_languages import MODULE_WORDS, OBSERVING, of_a_measure
from seepage.syntax.tokens import OPERAND_ENDS, Token, scan
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage.syntax.vocabulary.measures import MEASURES

_RULES = (
    rules.COMMENT_FOR_DIVISION,
    rules.CUT_OFF,
    rules.MISPLACED_DISTRIBUTION,
    rules.MISPLACED_JUMP,
    rules.MISSING_BRACE,
    rules.NO_STATEMENT,
    rules.UNEXPECTED,
)


def with_offers(
    found: tuple[Diagnostic, ...], text: str, layout: Layout, pieces: Sequence[Piece]
) -> tuple[Diagnostic, ...]:
    """Return findings with the fixes that only the whole text can tell.

    Args:
        found: in the order of the text.
        text: of the file.
        layout: its lines, without comments.
        pieces: what it is cut into.
    """
    if not any(one.rule in _RULES or _is_syntax(one) for one in found):
        return found
    offers = _Offers(text, layout, pieces)
    return tuple([offers.completed(one) if one.rule in _RULES else one for one in offers.of_lines(found)])


@dataclass(frozen=True)
class _Offers:
    text: str
    layout: Layout
    pieces: Sequence[Piece]

    @cached_property
    def unopened(self) -> bool:
        """Whether some ``}`` closes a block that nothing opens, so that no other one is missing."""
        return braces(self.pieces)[1] > 0

    def of_lines(self, found: tuple[Diagnostic, ...]) -> Iterator[Diagnostic]:
        """Yield the findings, with one in the place of all on a line that other languages write so."""
        begun, told, looked = -1, None, 0
        for one in found:
            start = self.layout.line(one.span.start)
            if start != begun:
                looks = _is_syntax(one) and looked < _MOST_LINES
                looked += looks
                begun, told = start, self.of_line(start) if looks else None
                if told is not None:
                    yield told
            if told is None:
                yield one

    def of_line(self, start: int) -> Diagnostic | None:
        """Return what to say of the line that starts at an offset, if it is one of another language."""
        line_end = _LINE_END.search(self.layout.text, start)
        end = line_end.start() if line_end else len(self.layout.text)
        if end - start > _LONGEST_LINE:
            return None
        below = _INDENT.match(self.layout.text, end)
        said = said_of_line(self.layout.text[start:end], below.group() if below else " ")
        if said is None:
            return None
        told = shifted(said, start)
        if not self.layout.text[start : told.span.end].endswith("{"):
            return told
        return replace(told, fixes=tuple(self.with_end(fix, told.span.end) for fix in told.fixes))

    def with_end(self, fix: Fix, inside: int) -> Fix:
        """Return a fix that removes what opens a block with the removal of the brace that closes it."""
        if any(edit.replacement for edit in fix.edits):
            return fix
        depth = 1
        for brace in _BRACE.finditer(self.layout.text, inside):
            depth += 1 if brace.group() == "{" else -1
            if not depth:
                return Fix("remove it, and the '}' of its block", (*fix.edits, Edit(Span(*brace.span()), "")))
        return fix

    def completed(self, one: Diagnostic) -> Diagnostic:
        if one.rule is rules.COMMENT_FOR_DIVISION:
            return replace(one, fixes=self.quotient(one))
        if one.rule is rules.CUT_OFF:
            return self.list_with_semicolons(one) or one
        number = bisect_right(self.pieces, one.span.start, key=_start_of) - 1
        if number < 0:
            return one
        piece = self.pieces[number]
        is_header = piece.kind in (PieceKind.HEADER, PieceKind.ELSE) or piece.text.startswith("def ")
        if is_header and not piece.opens and one.rule is not rules.NO_STATEMENT:
            fixes = self.block(one, number)
        elif one.rule is rules.MISPLACED_DISTRIBUTION and not one.fixes:
            fixes = self.draw(one, piece)
        elif one.rule is rules.MISPLACED_JUMP and piece.text.startswith("return"):
            fixes = self.returned(piece)
        elif one.rule is rules.NO_STATEMENT and piece.text in OBSERVING and self.precedes_measure(piece):
            return of_a_measure(piece.text, one.span, (Edit(one.span, "require"),))
        elif one.rule is rules.NO_STATEMENT and piece.text.startswith("div "):
            fixes = self.divided(piece)
        elif one.rule is rules.NO_STATEMENT and piece.text.partition("(")[0] in MODULE_WORDS:
            end = _LINE_END.search(self.layout.text, piece.end)
            whole = Span(piece.start, end.start() if end else len(self.layout.text))
            fixes = (Fix("remove it", (Edit(whole, ""),)),)
        else:
            return one
        return one if fixes is None else replace(one, fixes=fixes)

    def list_with_semicolons(self, one: Diagnostic) -> Diagnostic | None:
        """Return what to say of ``max(x; 3)``, which is read as two statements; None if this is no such call."""
        if len(one.labels) != 1:
            return None
        line_end = _LINE_END.search(self.layout.text, one.span.end)
        end = line_end.start() if line_end else len(self.layout.text)
        tokens = scan(self.layout.text, self.layout.line(one.span.start), end)
        opening = next((at for at, each in enumerate(tokens) if each.start == one.labels[0].span.start), 0)
        if opening < 1 or tokens[opening].type != "LPAR":
            return None
        called = tokens[opening - 1].value
        if called not in FUNCTIONS and called not in DISTRIBUTIONS and not called.isupper():  # as in spreadsheets
            return None
        marks = _semicolons_inside(tokens[opening:])
        if not marks or self.layout.text[one.span.end : marks[0].start].strip():
            return None
        edits = tuple(Edit(Span(mark.start, mark.end), ",") for mark in marks)
        message = f"the arguments of '{called}' are separated by ',': found ';'"
        return Diagnostic(
            rules.UNEXPECTED, Span(marks[0].start, marks[0].end), message, fixes=(Fix("write ',' between them", edits),)
        )

    def precedes_measure(self, piece: Piece) -> bool:
        """Tell whether a measure with its arguments follows on the line on which a piece ends."""
        line_end = _LINE_END.search(self.layout.text, piece.end)
        behind = scan(self.layout.text, piece.end, line_end.start() if line_end else len(self.layout.text))
        return len(behind) > 1 and behind[0].value in MEASURES and behind[1].type == "LPAR"

    def quotient(self, one: Diagnostic) -> tuple[Fix, ...]:
        """Return the fix that makes ``floor(a / b)`` of ``a // b``, ``a`` being the product that stands before."""
        tokens = scan(self.layout.text, self.layout.line(one.span.start), one.span.start)
        first = _product_before(tokens)
        if first is None:
            return ()
        dividend = self.text[first : tokens[-1].end]
        behind = scan(self.text, one.span.start + len("//"), one.span.end)
        grows = behind[0].type == "EQUAL"  # 'x //= 2'
        if grows and first != tokens[0].start:
            return ()
        divisor = behind[1 if grows else 0]
        rest = self.text[divisor.end : one.span.end].rstrip()
        meant = f"{f'{dividend} := ' if grows else ''}floor({dividend} / {divisor.value}){rest}"
        return (Fix(f"write '{meant}'", (Edit(Span(first, one.span.end), meant),)),)

    def divided(self, piece: Piece) -> tuple[Fix, ...] | None:
        """Return the fix that makes ``floor(a / b)`` of ``a div b``, which is read as two statements."""
        tokens = scan(self.layout.text, self.layout.line(piece.start), piece.start)
        first = _product_before(tokens)
        if first is None:
            return None
        divisor = self.text[piece.start + len("div") : piece.end].strip()
        meant = f"floor({self.text[first : tokens[-1].end]} / {divisor})"
        return (Fix(f"write '{meant}'", (Edit(Span(first, piece.end), meant),)),)

    def block(self, one: Diagnostic, number: int) -> tuple[Fix, ...] | None:
        """Return the fixes of a header without a brace, its block put in braces; None if this finding is about something else."""
        piece = self.pieces[number]
        mark = next((word for word in (":", "then", " do") if piece.text.endswith(word)), "")
        mark = mark.strip()
        at = Span(piece.end - len(mark), piece.end)
        kept: tuple[Edit, ...] = ()
        begins = "{"
        if one.rule is rules.MISSING_BRACE or (mark and one.span == at):
            if one.fixes and self.unopened:
                return None
            if one.rule is not rules.MISSING_BRACE and piece.text.startswith("for") and ".." not in piece.text:
                return None  # what it runs over is wrong, which no brace mends
        elif len(one.fixes) == 1 and any(edit.span == at for edit in one.fixes[0].edits):
            kept = tuple(edit for edit in one.fixes[0].edits if edit.span != at)
            begins = next(edit.replacement.strip() for edit in one.fixes[0].edits if edit.span == at)
        else:
            return None
        if piece.kind is PieceKind.ELSE and self.is_condition(number + 1):
            return (Fix("write 'else if'", (Edit(Span(piece.end, piece.end), " if"),)),)
        blank = "" if self.text[at.start - 1].isspace() else " "
        opening = Edit(at, f"{blank}{begins}")
        closing: tuple[Edit, ...] = ()
        block = None if self.unopened else block_after(self.pieces, number, self.layout, whole=bool(mark))
        if block is not None:
            closing = (self.closing(block, piece),)
        elif not self.unopened:
            if not mark:
                return None
            opening = Edit(at, f"{blank}{begins} }}")
        title = one.fixes[0].title if kept else "put the block in braces"
        clear = mark == ":" and bool(closing) and all(fix.automatic for fix in one.fixes)
        return (Fix(title, (*kept, opening, *closing), automatic=clear),)

    def is_condition(self, number: int) -> bool:
        """Tell whether a piece stands before the brace of a block that has no header."""
        following = self.pieces[number + 1] if number + 1 < len(self.pieces) else None
        return (
            following is not None
            and following.kind is PieceKind.STRAY
            and self.layout.are_on_one_line(self.pieces[number].start, following.start)
        )

    def closing(self, block: Block, header: Piece) -> Edit:
        """Return the edit that closes a block behind its last statement, and behind the comment on that line."""
        if block.on_one_line:
            return Edit(Span(block.end, block.end), " }")
        at = block.end
        line_end = _LINE_END.search(self.text, at)
        stop = line_end.start() if line_end else len(self.text)
        if "/*" not in self.text[at:stop] and not self.layout.text[at:stop].strip():
            at = stop
        line = self.layout.line(header.start)
        indent = self.text[line : line + self.layout.indent(header.start)]
        return Edit(Span(at, at), f"\n{indent}}}")

    def draw(self, one: Diagnostic, piece: Piece) -> tuple[Fix, ...] | None:
        """Return the fix that samples in a statement of its own, before the one that uses the value."""
        head = piece.text.split(maxsplit=1)[0] if piece.text else ""
        if piece.kind not in (PieceKind.LEAF, PieceKind.HEADER) or head in _WITHOUT_DRAWS:
            return None
        law = self.text[one.span.start : one.span.end]
        name = self.free_name("noise" if law.split("(")[0] in _NOISE else "draw")
        line = self.layout.line(piece.start)
        behind = f"\n{self.text[line : piece.start]}" if self.layout.begins_line(piece.start) else "; "
        edits = (Edit(Span(piece.start, piece.start), f"{name} ~ {law}{behind}"), Edit(one.span, name))
        return (Fix(f"draw '{name}' in a statement of its own, before this one", edits),)

    def returned(self, piece: Piece) -> tuple[Fix, ...]:
        """Return the fix for ``return x``: what the attacker sees is declared, once and outside of blocks."""
        value, whole = piece.text.removeprefix("return").strip(), Span(piece.start, piece.end)
        if value and not value.isidentifier():
            if self.layout.column(piece.start) or "\n" in value:
                return ()
            name = self.free_name("result")
            return (Fix("declare the output", (Edit(whole, f"{name} := {value}\noutput {name}"),)),)
        if not value or self.is_output(value):
            return (Fix("remove it", (Edit(whole, ""),)),)
        if not self.layout.column(piece.start):
            return (Fix("declare the output", (Edit(whole, f"output {value}"),)),)
        return (Fix("declare the output", (Edit(Span(0, 0), f"output {value}\n"), Edit(whole, ""))),)

    def is_output(self, name: str) -> bool:
        """Tell whether a name is declared as an output."""
        declared = (piece.text for piece in self.pieces if piece.text.startswith("output"))
        return any(re.search(rf"\b{name}\b", text) for text in declared)

    def free_name(self, word: str) -> str:
        """Return a name that the text does not use."""
        name, count = word, 1
        while re.search(rf"(?<!\w){name}(?!\w)", self.layout.text):
            count += 1
            name = f"{word}{count}"
        return name


_LINE_END = re.compile(r"[\r\n]")
_BRACE = re.compile(r"[{}]")
_INDENT = re.compile(r"(?:\r\n|\r|\n)[ \t]*")
_LONGEST_LINE = 500
_MOST_LINES = 100  # with faults, that are looked at as lines of other languages
# Where no statement can stand before, or none that draws.
_WITHOUT_DRAWS = ("else", "for", "while", "param", "const", "secret", "output")
_NOISE = ("normal", "laplace", "discrete_laplace", "discrete_gaussian", "cauchy", "student_t", "logistic")


def _is_syntax(one: Diagnostic) -> bool:
    """Tell whether a line may be none of the language: its words, or a list where one value is due."""
    return one.is_error and (one.rule.code.startswith("SEEP0") or one.rule is rules.WRONG_ARGUMENTS)


def _start_of(piece: Piece) -> int:
    return piece.start


def _semicolons_inside(tokens: Sequence[Token]) -> list[Token]:
    """Return the semicolons in the bracket that tokens begin with; none if it is not closed or has statements inside."""
    depth, marks = 0, list[Token]()
    for token in tokens:
        depth += {"LPAR": 1, "LSQB": 1, "RPAR": -1, "RSQB": -1}.get(token.type, 0)
        if depth == 0:
            return marks
        if token.type in ("ASSIGN", "TILDE", "LBRACE", "RBRACE"):
            return []
        if token.type == "SEMICOLON" and depth == 1:
            marks.append(token)
    return []


def _product_before(tokens: list[Token]) -> int | None:
    """Return where the product starts that the tokens end with, as '//' binds like '*' elsewhere."""
    at = len(tokens)
    while True:
        begin = _operand_before(tokens, at)
        if begin is None:
            return None
        if begin < 1 or tokens[begin - 1].type not in ("STAR", "SLASH", "PERCENT", "CARET"):
            return tokens[begin].start
        at = begin - 1


def _operand_before(tokens: list[Token], end: int) -> int | None:
    """Return the number of the token with which the operand begins that ends before token ``end``."""
    if end == 0 or tokens[end - 1].type not in OPERAND_ENDS:
        return None
    at, depth = end - 1, 0
    while True:
        depth += {"RPAR": 1, "RSQB": 1, "LPAR": -1, "LSQB": -1}.get(tokens[at].type, 0)
        if depth == 0:
            break
        if at == 0:
            return None
        at -= 1
    opens_call = tokens[at].type in ("LPAR", "LSQB") and at > 0 and tokens[at - 1].type == "NAME"
    return at - 1 if opens_call else at
