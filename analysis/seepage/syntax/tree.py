"""The syntax tree: what the text says, and nothing else.

Nodes are values. Equality is of shape: spans do not count, so ``parse(print(t)) == t`` is a law and moving a statement
keeps what is known of it.

Positions. The text is cut into *pieces*: a leaf statement or declaration, a header up to its ``{``, ``else … {``,
``}``. Inside a piece spans are **relative to the start of the piece**; only what is assembled from pieces
(:class:`Placed`, :class:`Arm`, :class:`For`, :class:`If`, :class:`Block`) holds absolute offsets. So the tree of a piece that an
edit only moved is used again as it is. ``expression.span.shift(placed.start)`` is the absolute place.
In a core program (:mod:`seepage.semantics.core`) expressions carry absolute spans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Literal, NamedTuple, TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.source import Span
from seepage.syntax.terms import COMPARISONS as COMPARISONS
from seepage.syntax.terms import LOGICAL as LOGICAL
from seepage.syntax.terms import Argument as Argument
from seepage.syntax.terms import Binary as Binary
from seepage.syntax.terms import BinaryOperator as BinaryOperator
from seepage.syntax.terms import Boolean as Boolean
from seepage.syntax.terms import Call as Call
from seepage.syntax.terms import Cell as Cell
from seepage.syntax.terms import Choice as Choice
from seepage.syntax.terms import Conditional as Conditional
from seepage.syntax.terms import Distribution as Distribution
from seepage.syntax.terms import Expression as Expression
from seepage.syntax.terms import Family as Family
from seepage.syntax.terms import Index as Index
from seepage.syntax.terms import Infinity as Infinity
from seepage.syntax.terms import Mixture as Mixture
from seepage.syntax.terms import Name as Name
from seepage.syntax.terms import Number as Number
from seepage.syntax.terms import Parenthesized as Parenthesized
from seepage.syntax.terms import Rows as Rows
from seepage.syntax.terms import Table as Table
from seepage.syntax.terms import Target as Target
from seepage.syntax.terms import Unary as Unary
from seepage.syntax.terms import UnaryOperator as UnaryOperator
from seepage.syntax.terms import Within as Within
from seepage.syntax.terms import array_of as array_of
from seepage.syntax.terms import as_told as as_told
from seepage.syntax.terms import is_made as is_made

# --- measures ---------------------------------------------------------------------------------------------------------

Separator: TypeAlias = Literal[";", "->", "||"]
Direction: TypeAlias = Literal["max", "min"]


@dataclass(frozen=True, slots=True)
class GainTable:
    """``{(guess, value): gain, …}``; a joint value is a tuple of expressions."""

    entries: tuple[tuple[tuple[Expression, ...], tuple[Expression, ...], Expression], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class GainName:
    """``guess``, ``distance``, ``tries(k)``."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class MetricName:
    """``metric=difference``, ``metric=places``, ``metric=euclid``: how far inputs are apart."""

    name: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class MetricTable:
    """``metric={(v, w): d, …}``: how far some pairs of inputs are apart; the others are not compared. A joint value is a tuple of expressions."""

    entries: tuple[tuple[tuple[Expression, ...], tuple[Expression, ...], Expression], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class NeighbourTable:
    """``neighbours={(v, w), …}``: the pairs of inputs of which the outputs of the first are held against those of the second."""

    entries: tuple[tuple[tuple[Expression, ...], tuple[Expression, ...]], ...]
    span: Span = field(compare=False)


Relation: TypeAlias = MetricName | MetricTable | NeighbourTable


@dataclass(frozen=True, slots=True)
class MeasureCall:
    """One measure, as ``I(x, u; y | z)``.

    ``left`` is what stands before the separator, ``right`` what follows it (empty without one); ``given`` follows ``|``.
    In ``KL(x | a || y | b)`` ``given`` belongs to the left side and ``right_given`` to the right one; elsewhere ``right_given`` is empty.
    ``relation`` says which inputs of a channel are compared, None where all are, or where numbers in ``named`` say it.
    """

    name: str
    left: tuple[Expression, ...]
    separator: Separator | None
    right: tuple[Expression, ...]
    given: tuple[Expression, ...]
    right_given: tuple[Expression, ...]
    named: tuple[Argument, ...]
    gain: GainTable | GainName | None
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)
    relation: Relation | None = None


@dataclass(frozen=True, slots=True)
class MeasureArithmetic:
    """Measures and static numbers combined: ``I(x; o) / H(x)``."""

    operator: Literal["+", "-", "*", "/", "^"]
    left: MeasureExpression
    right: MeasureExpression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class MeasureNegation:
    """``-M``."""

    operand: MeasureExpression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class MeasureOptimum:
    """``max M`` or ``min M``: over all strategies of attackers; only outermost."""

    direction: Direction
    operand: MeasureExpression
    span: Span = field(compare=False)


# A static number inside a measure expression is an ordinary expression; parentheses around measures leave no node.
MeasureExpression: TypeAlias = MeasureCall | MeasureArithmetic | MeasureNegation | MeasureOptimum | Expression


# --- declarations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interval:
    """``[a, b]``, ``(a, b]``, …; an end may be infinite."""

    low: Expression
    high: Expression
    low_closed: bool
    high_closed: bool
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Param:
    """``param x in [a, b] = e``."""

    name: str
    domain: Interval | None
    default: Expression | None
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Const:
    """``const x = e``."""

    name: str
    value: Expression
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Secret:
    """``secret initial x, y[2]``; ``mode`` holds for every name of the declaration."""

    mode: Literal["initial", "final"] | None
    targets: tuple[Target, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Output:
    """``output o, a``."""

    targets: tuple[Target, ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """``show M in nats``."""

    measure: MeasureExpression
    unit: Literal["bits", "nats"] | None
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Range:
    """``p in [a, b]`` after ``over``."""

    name: str
    interval: Interval
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Require:
    """``require M <= e bits over p in [a, b]``."""

    measure: MeasureExpression
    comparison: Literal["<=", "<", ">=", ">", "=="]
    bound: Expression
    unit: Literal["bits", "nats"] | None
    ranges: tuple[Range, ...]
    span: Span = field(compare=False)


Declaration: TypeAlias = Param | Const | Secret | Output | Show | Require


# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Skip:
    """``skip``."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Assign:
    """``x := e``."""

    target: Target
    value: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Sample:
    """``x ~ D``."""

    target: Target
    distribution: Distribution
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Observe:
    """``observe b``."""

    condition: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Arm:
    """``if b {`` or ``else if b {`` with its block; ``start`` is the absolute offset of the header's piece."""

    condition: Expression
    block: Block
    start: int = field(compare=False)
    header: Span = field(compare=False)  # absolute, from the keyword to the end of the condition


@dataclass(frozen=True, slots=True)
class If:
    """A chain of arms, tried in order; ``span`` is absolute."""

    arms: tuple[Arm, ...]
    otherwise: Block | None
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Local(If):
    """A local draw: statements, in the one arm, whose observations condition what they draw and nothing else.

    Made by the transformation to the core. For all that asks what runs where, it is a branch that each run takes.

    Attributes:
        procedure: whose statements these are, "" for those of ``given``.
    """

    procedure: str = ""


@dataclass(frozen=True, slots=True)
class For:
    """``for i in a..b { … }``; ``low``, ``high`` and ``name_span`` are relative to ``start``, ``header`` and ``span`` are absolute."""

    name: str
    low: Expression
    high: Expression
    block: Block
    start: int = field(compare=False)
    name_span: Span = field(compare=False)
    header: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class While:
    """``while b { … } never { … }``: a loop that ends by chance.

    Attributes:
        arm: its condition, of which each round is asked before it begins, and its body.
        never: what runs that never end go on with, if they are not left out.
        span: absolute.
    """

    arm: Arm
    never: Block | None
    span: Span = field(compare=False)


Leaf: TypeAlias = Declaration | Skip | Assign | Sample | Observe
Statement: TypeAlias = Skip | Assign | Sample | Observe | If | For | While


class Placed(NamedTuple):
    """A leaf, whose spans are relative, at its absolute offset in the text; ``documentation`` is the text of ``///`` lines above it.

    A tuple, which is made in a third of the time of a dataclass: after a key press all leaves behind it stand elsewhere. Leaves are
    equal wherever they stand.
    """

    node: Leaf
    start: int
    documentation: str = ""

    @property
    def span(self) -> Span:
        """The absolute range of the leaf."""
        return self.node.span.shift(self.start)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Placed) and self.node == other.node

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.node)


Item: TypeAlias = Placed | If | For | While


@dataclass(frozen=True, slots=True)
class Block:
    """Items in order; ``span`` is absolute and holds the braces."""

    items: Sequence[Item]
    span: Span = field(compare=False)


def blocks_of(item: Item) -> tuple[Block, ...]:
    """Return the blocks of an item, in the order of the text."""
    match item:
        case Placed():
            return ()
        case For(block=block):
            return (block,)
        case If(arms=arms, otherwise=last):
            return (*(arm.block for arm in arms), *(() if last is None else (last,)))
        case While(arm=arm, never=never):
            return (arm.block,) if never is None else (arm.block, never)


def start_of(item: Item) -> int:
    """Return the absolute offset of the piece that an item begins with."""
    return item.start if isinstance(item, Placed | For) else item.span.start


@dataclass(frozen=True, slots=True)
class Module:
    """A whole file. Declarations are leaves of ``items`` like statements, wherever they stand (one inside a block is an error)."""

    items: Sequence[Item]
    span: Span = field(compare=False)

    def walk(self) -> Iterator[Item]:
        """Yield every item in the order of the text, without recursion."""
        stack: list[Item] = list(reversed(self.items))
        while stack:
            item = stack.pop()
            yield item
            stack.extend(reversed([one for block in blocks_of(item) for one in block.items]))


@dataclass(frozen=True, slots=True)
class ParseResult:
    """What the parser made of a text: always a tree, and every fault it met, in the order of the text."""

    tree: Module
    diagnostics: tuple[Diagnostic, ...]
    context: object | None = field(
        default=None, compare=False, repr=False
    )  # how measures typed by hand are read, in a text beyond the core
