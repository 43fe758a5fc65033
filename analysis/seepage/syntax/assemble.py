"""Pieces -> the tree: blocks matched by their braces.

That a brace is missing is known by counting; where it is missing is a guess from the indentation, made only when the count
is off. Works with an explicit stack: nesting is limited here, so that later passes may recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial
from typing import assert_never

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.rules import (
    EXTRA_BRACE,
    MISPLACED_ELSE,
    MISSING_BRACE,
    NESTED_TOO_DEEPLY,
    NO_STATEMENT,
)
from seepage.source import Span
from seepage.syntax.blocks import braces, closes_nothing, declared_inside, declares, ends_before, shortened
from seepage.syntax.convert import ElseHeader, ForHeader, Header, IfHeader, counter
from seepage.syntax.fixes import replacement, shifted
from seepage.syntax.joins import joined_lines
from seepage.syntax.layout import Layout
from seepage.syntax.moving import in_order
from seepage.syntax.piece import ParsedPiece
from seepage.syntax.pieces import Piece, PieceKind
from seepage.syntax.raw import RawHeader
from seepage.syntax.tree import (
    Arm,
    Block,
    Boolean,
    Const,
    For,
    If,
    Item,
    Module,
    Output,
    Param,
    Placed,
    Require,
    Secret,
    Show,
)

MAX_BLOCKS = 100
MAX_FINDINGS = 1_000  # nobody reads more, and a broken text of a megabyte has a million
_HOPELESS = 20_000  # past so many findings that are not listed the rest of the text is left out


@dataclass
class _Chain:
    """An ``if`` whose next piece may be an ``else``."""

    start: int
    arms: list[Arm]
    otherwise: Block | None = None
    end: int = 0


@dataclass
class _Frame:
    """A block that is being filled; the outermost one is the file."""

    piece: Piece | None = None
    header: Header | None = None
    chain: _Chain | None = None  # the chain that this block continues
    items: list[Item] = field(default_factory=list)
    pending: _Chain | None = None  # an inner chain that may go on
    indent: int | None = None  # of the line that opens it, once it is known
    headless: bool = False  # an `if` stands in it whose block is missing: its `else` has nothing to continue

    def settle(self) -> None:
        """An ``if`` that no ``else`` continued is complete."""
        if (chain := self.pending) is not None:
            self.items.append(If(tuple(chain.arms), chain.otherwise, Span(chain.start, chain.end)))
            self.pending = None


@dataclass(frozen=True, slots=True)
class Assembled:
    """The tree of a file, and what is wrong with it in no particular order.

    Attributes:
        tree: the tree.
        found: what is wrong with it.
        unlisted: how many findings there are past :data:`MAX_FINDINGS`, which are not made.
        is_regular: whether each ``}`` and each ``else`` has its partner and each header its brace, so that items have nothing to do with each
            other but for the blocks that nothing closes.
        unclosed: how many blocks nothing closes.
        closings: where the pieces start before which such blocks seem to end, those that end with the file aside.
        witness: where the first block starts that shows that the text is indented, if some block is not closed.
    """

    tree: Module
    found: list[Diagnostic]
    unlisted: int = 0
    is_regular: bool = False
    unclosed: int = 0
    closings: tuple[int, ...] = ()
    witness: int | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """What the assembler knows before a part of a file.

    Attributes:
        opening: the pieces that open the blocks around it, and what they say.
        unclosed: how many blocks nothing closes, of those that have not ended there.
        guided: whether the indentation tells where they end.
    """

    opening: Sequence[tuple[Piece, ParsedPiece]]
    unclosed: int
    guided: bool


def assemble(pieces: Sequence[Piece], read: Sequence[ParsedPiece], layout: Layout) -> Assembled:
    """Put a tree together.

    Args:
        pieces: what the file is cut into.
        read: what each piece says.
        layout: the lines of the file.
    """
    unclosed, unopened = braces(pieces)
    assembler = _Assembler(pieces, read, layout, unclosed, unopened)
    assembler.witness = layout.indented(pieces) if unclosed else None
    assembler.guided = assembler.witness is not None
    assembler.run()
    assembler.end()
    return assembler.made(unclosed)


def assemble_part(
    pieces: Sequence[Piece], read: Sequence[ParsedPiece], layout: Layout, around: Around
) -> Assembled | None:
    """Return the items of a part of a block; None if what stands around it has a say in more than how deep it stands."""
    if not is_balanced(pieces):
        return None
    assembler = _Assembler(pieces, read, layout, around.unclosed, 0)
    assembler.guided = around.guided
    for piece, parsed in around.opening:
        node = parsed.node
        header = node if isinstance(node, IfHeader | ElseHeader | ForHeader) else None
        assembler.frames.append(_Frame(piece, header))
    outer = assembler.frames[-1]
    assembler.run()
    if assembler.frames[-1] is not outer or assembler.closings:
        return None
    outer.settle()
    made = assembler.made(0, outer)
    return made if made.is_regular else None


def is_balanced(pieces: Sequence[Piece]) -> bool:
    """Tell whether all braces of a part of a file have partners in it."""
    return braces(pieces) == (0, 0)


class _Assembler:
    """One walk over the pieces."""

    def __init__(
        self, pieces: Sequence[Piece], read: Sequence[ParsedPiece], layout: Layout, unclosed: int, unopened: int
    ) -> None:
        self.pieces = pieces
        self.read = read
        self.layout = layout
        self.found: list[Diagnostic] = []
        self.unlisted = 0
        self.frames = [_Frame()]
        self.closings: list[int] = []  # where blocks end that nothing closes
        self.last_end = 0  # of the piece before
        self.semicolon = -1  # where the last one stands
        self.fault_end: int | None = None  # where the last faulty leaf or header ends
        self.unclosed, self.unopened = unclosed, unopened
        self.is_regular = not unopened
        self.witness: int | None = None
        self.guided = False

    def run(self) -> None:
        documentation = self.layout.documentation
        frames = self.frames
        make, before = tuple.__new__, None
        for piece, parsed in zip(self.pieces, self.read, strict=False):
            if parsed.is_plain and (not self.unclosed or self.is_surely_inside(piece)):
                # Most of most files.
                start = piece[1]
                text = documentation.get(start, "") if documentation else ""
                frame = frames[-1]
                if frame.pending is not None:
                    frame.settle()
                frame.items.append(make(Placed, (parsed.node, start, text)))
                before = piece
                continue
            if before is not None:
                self.last_end, before = before.end, None
            if self.unlisted > _HOPELESS:
                break
            if self.unclosed and len(frames) > 1:
                self.close_by_layout(piece)
            match piece.kind:
                case PieceKind.LEAF:
                    self.leaf(piece, parsed)
                case PieceKind.HEADER | PieceKind.ELSE | PieceKind.STRAY:
                    self.header(piece, parsed)
                case PieceKind.CLOSE:
                    self.close(piece)
                case PieceKind.SEPARATOR:
                    self.semicolon = piece.start
                case _:
                    assert_never(piece.kind)
            self.last_end = piece.end
        if before is not None:
            self.last_end = before.end

    def end(self) -> None:
        """Close what is open at the end of the file."""
        while len(self.frames) > 1:
            self.close_missing(len(self.layout.text), None)
        self.frames[0].settle()

    def made(self, unclosed: int, frame: _Frame | None = None) -> Assembled:
        """Return the tree, or the items of a block around a part as one."""
        frame = self.frames[0] if frame is None else frame
        tree = Module(in_order(tuple(frame.items)), Span(0, len(self.layout.text)))
        is_regular = self.is_regular and not self.unlisted
        return Assembled(tree, self.found, self.unlisted, is_regular, unclosed, tuple(self.closings), self.witness)

    def note(self, make: Callable[[], Diagnostic]) -> None:
        """Keep a finding, or count it where nobody would read it."""
        if len(self.found) < MAX_FINDINGS:
            self.found.append(make())
        else:
            self.unlisted += 1

    # --- leaves ---

    def leaf(self, piece: Piece, parsed: ParsedPiece) -> None:
        frame = self.frames[-1]
        frame.settle()
        if not self.is_rest_of_fault(piece, parsed.diagnostics):
            for one in parsed.diagnostics:
                self.note(partial(shifted, one, piece.start))
        if (joined := joined_lines(piece, parsed.continuations, self.layout)) is not None:
            self.note(partial(shifted, joined, 0))
        node = parsed.node
        if node is None or isinstance(node, IfHeader | ElseHeader | ForHeader):
            # 'def', 'repeat' and 'never' are words that open blocks only beside a '{'.
            if node is not None and parsed.raw is not None and not parsed.diagnostics:
                self.note(lambda: replace(self.no_opening(piece), fixes=()))
            return
        word = "" if parsed.raw is None else parsed.raw.keyword
        if word == "until":
            self.check_semicolon("loop", word)
        if isinstance(node, Param | Const | Secret | Output | Show | Require) or word in ("enum", "table"):
            self.check_place(piece)
        frame.items.append(Placed(node, piece.start, self.layout.documentation.get(piece.start, "")))

    def check_place(self, piece: Piece) -> None:
        """Report a declaration inside of a block."""
        if len(self.frames) > 1:
            self.note(partial(declared_inside, piece))

    def is_rest_of_fault(self, piece: Piece, diagnostics: tuple[Diagnostic, ...]) -> bool:
        """Tell whether this is what a faulty statement on the same line left over: one error is enough for ``obsrve x == 1``."""
        if not diagnostics:
            return False
        is_rest = diagnostics[0].rule is NO_STATEMENT and self.follows_fault(piece)
        self.fault_end = piece.end
        return is_rest

    def follows_fault(self, piece: Piece) -> bool:
        """Tell whether something faulty stands before the piece on its line."""
        return self.fault_end is not None and self.layout.are_on_one_line(self.fault_end, piece.start)

    # --- blocks open ---

    def header(self, piece: Piece, parsed: ParsedPiece) -> None:
        parent = self.frames[-1]
        chain: _Chain | None = None
        reported = len(self.found) + self.unlisted
        if piece.kind is PieceKind.ELSE:
            chain = self.continued(piece, parent)
        else:
            parent.settle()
            if isinstance(parsed.raw, RawHeader) and parsed.raw.keyword == "def":
                self.check_place(piece)
            elif isinstance(parsed.raw, RawHeader) and parsed.raw.keyword == "never":
                self.check_semicolon("loop", "never")
        node = self.read_header(piece, parsed, len(self.found) + self.unlisted > reported)
        if (joined := joined_lines(piece, parsed.continuations, self.layout)) is not None:
            self.note(partial(shifted, joined, 0))
        if not piece.opens and not self.adopt(piece):
            parent.headless = parent.headless or isinstance(node, IfHeader)
            if (
                isinstance(node, ForHeader) and node.name != "_"
            ):  # what stands below uses its variable, which is not what is wrong there
                parent.items.append(Placed(counter(node), piece.start, ""))
            self.is_regular = False
            if chain is not None:
                parent.pending = chain
            return
        if len(self.frames) == MAX_BLOCKS + 1:
            self.is_regular = False
            message = f"blocks are nested more than {MAX_BLOCKS} deep"
            self.note(partial(Diagnostic, NESTED_TOO_DEEPLY, Span(piece.start, piece.end), message))
        self.frames.append(_Frame(piece, node, chain))

    def read_header(self, piece: Piece, parsed: ParsedPiece, is_reported: bool) -> Header | None:
        if piece.kind is PieceKind.STRAY:
            self.is_regular = False
            if self.follows_fault(piece):
                self.fault_end = piece.end
                self.frames[-1].headless = True  # its header, perhaps an 'elif', is the fault before it
                return None
            span = Span(piece.start, piece.end)
            message = "the '{' opens no block: no 'if', 'else' or 'for' stands before it"
            self.note(partial(Diagnostic, EXTRA_BRACE, span, message))
            return None
        for one in parsed.diagnostics:
            self.note(partial(shifted, one, piece.start))
        is_headless = not piece.opens and not parsed.diagnostics and not is_reported
        if is_headless:
            self.note(partial(self.no_opening, piece))
        if parsed.diagnostics or is_headless or is_reported:
            self.fault_end = piece.end
        node = parsed.node
        return node if isinstance(node, IfHeader | ElseHeader | ForHeader) else None

    def no_opening(self, piece: Piece) -> Diagnostic:
        what = "'if' or '{' after 'else'" if piece.text == "else" else f"'{{' after '{shortened(piece.text)}'"
        at = Span(piece.end, piece.end)
        fixes: tuple[Fix, ...] = ()
        if self.unopened:
            fixes = replacement("open the block", at, " {")
        elif self.layout.ends_line(piece.end):
            fixes = replacement("add a block", at, " { }")
        return Diagnostic(
            MISSING_BRACE, Span(piece.end - 1, piece.end), f"the block is missing, expected {what}", fixes=fixes
        )

    def adopt(self, piece: Piece) -> bool:
        """Tell whether a header without its brace opens a block all the same: some later ``}`` has no other partner."""
        if piece.kind is PieceKind.STRAY or self.unopened == 0:
            return False
        self.unopened -= 1
        return True

    def continued(self, piece: Piece, parent: _Frame) -> _Chain | None:
        """Return the chain that an ``else`` continues."""
        chain = parent.pending
        where = Span(piece.start, piece.start + len("else"))
        if chain is None:
            self.is_regular = False
            if not parent.headless:
                message = "the 'else' belongs to no 'if': it follows directly the '}' of one"
                self.note(partial(Diagnostic, MISPLACED_ELSE, where, message))
            return None
        if chain.otherwise is not None:
            self.is_regular = False
            message = "found a second 'else'; only one, without a condition, ends a chain of branches"
            self.note(partial(Diagnostic, MISPLACED_ELSE, where, message))
            parent.settle()
            return None
        self.check_semicolon("branch", "else")
        parent.pending = None
        return chain

    def check_semicolon(self, what: str, word: str) -> None:
        """Report a ``;`` right before a word that goes on with a statement."""
        if 0 <= self.semicolon == self.last_end - 1:
            self.is_regular = False  # it is none of the item behind it
            self.note(partial(ends_before, Span(self.semicolon, self.last_end), what, word))

    # --- blocks close ---

    def close(self, piece: Piece) -> None:
        if len(self.frames) == 1:
            self.frames[0].settle()
            self.note(partial(closes_nothing, piece))
            return
        self.end_block(piece.end)

    def close_by_layout(self, piece: Piece) -> None:
        """Close blocks whose ``}`` seems to be missing before this piece."""
        frame = self.frames[-1]
        if piece.kind is PieceKind.ELSE and frame.pending is None and isinstance(frame.header, IfHeader):
            self.unclosed -= 1
            self.close_missing(piece.start, piece)
            return
        if piece.kind is PieceKind.SEPARATOR or not self.layout.begins_line(piece.start):
            return
        is_outside = declares(piece)
        while self.unclosed and len(self.frames) > 1 and (is_outside or self.is_left_of_block(piece)):
            self.unclosed -= 1
            self.close_missing(piece.start, piece)

    def is_left_of_block(self, piece: Piece) -> bool:
        """Tell whether the indentation puts the piece outside of the innermost block."""
        opening = self.frames[-1].piece
        if not self.guided or opening is None:
            return False
        column = self.layout.column(piece.start)
        indent = self.layout.indent(opening.start)
        if piece.kind is not PieceKind.CLOSE:
            return column <= indent
        outer = (frame.piece for frame in self.frames[1:-1])
        return column < indent and any(one is not None and self.layout.indent(one.start) == column for one in outer)

    def is_surely_inside(self, piece: Piece) -> bool:
        """Tell at a glance that a statement closes no block by its place: it stands right of the line that opens the innermost one."""
        frame = self.frames[-1]
        if not self.guided or frame.piece is None:
            return True
        if frame.indent is None:
            frame.indent = self.layout.indent(frame.piece.start)
        return self.layout.is_right_of(piece[1], frame.indent)

    def close_missing(self, at: int, before: Piece | None) -> None:
        """Report a block that is never closed, and close it before ``at``."""
        self.semicolon = -1
        if before is not None:
            self.closings.append(at)
        self.note(partial(self.never_closed, at, before))
        self.end_block(self.last_end)

    def never_closed(self, at: int, before: Piece | None) -> Diagnostic:
        """Say that the innermost block is never closed, and could be before ``at``."""
        opening = self.frames[-1].piece
        assert opening is not None
        brace = Span(opening.end - 1, opening.end)
        # What ends a block decides which statements depend on a condition: only before the 'else' of the one block that is open it is clear.
        clear = before is not None and before.kind is PieceKind.ELSE and len(self.frames) == 2
        if before is None:
            fix = Fix("close the block at the end of the file", (Edit(Span(at, at), "\n}\n"),))
            labels: tuple[Label, ...] = ()
        else:
            indent = " " * self.layout.indent(opening.start) if self.layout.begins_line(at) else ""
            text = "} " if before.kind is PieceKind.ELSE else f"}}\n{indent}"
            fix = Fix("close the block here", (Edit(Span(at, at), text),), clear)
            labels = (Label(Span(at, before.end), "a '}' seems to be missing before this"),)
        message = "the '{' is never closed: a '}' is missing"
        return Diagnostic(MISSING_BRACE, brace, message, labels=labels, fixes=(fix,))

    def end_block(self, end: int) -> None:
        """Make the innermost block a node of the block around it."""
        frame = self.frames.pop()
        frame.settle()
        parent = self.frames[-1]
        piece = frame.piece
        assert piece is not None
        if len(self.frames) > MAX_BLOCKS:
            return
        block = Block(in_order(tuple(frame.items)), Span(min(piece.end - 1 if piece.opens else piece.end, end), end))
        match frame.header:
            case None:
                parent.items.extend(frame.items)
            case ForHeader(name, low, high, name_span, header):
                span = Span(piece.start, end)
                parent.items.append(
                    For(name, low, high, block, piece.start, name_span, header.shift(piece.start), span)
                )
            case IfHeader(condition, header):
                arm = Arm(condition, block, piece.start, header.shift(piece.start))
                chain = frame.chain or _Chain(piece.start, [])
                chain.arms.append(arm)
                chain.end = end
                parent.pending = chain
            case ElseHeader(header):
                chain = frame.chain or _Chain(piece.start, [_always(piece, header)])
                chain.otherwise = block
                chain.end = end
                parent.pending = chain
            case _:
                assert_never(frame.header)


def _always(piece: Piece, header: Span) -> Arm:
    """Return an empty branch that stands before an ``else`` without an ``if``."""
    never = Boolean(False, header)
    at = header.shift(piece.start)
    return Arm(never, Block((), Span(at.end, at.end)), piece.start, at)
