"""What every transformation of statements writes with: names, places, new variables, findings, and leaves of the core.

:class:`Writing` is the work at hand as those see it who do one kind of statement; whole blocks are done by
:class:`~seepage.syntax.lowering.statements.Lowering`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, cast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import (
    NOT_SUPPORTED,
)
from seepage.source import Span
from seepage.syntax import convert
from seepage.syntax.extended import is_new_call
from seepage.syntax.fixes import shifted
from seepage.syntax.lowering.facts import Environment, Facts, Path, Refused
from seepage.syntax.lowering.forms import replace_item, respanned
from seepage.syntax.lowering.jumps import Jumps, Readings
from seepage.syntax.lowering.procedures import Laws
from seepage.syntax.lowering.values import Entries, Values
from seepage.syntax.raw import (
    EXTENSIONS,
    Raw,
    RawCall,
    RawHeader,
    RawLeaf,
    RawTuple,
    children,
)
from seepage.syntax.tree import (
    Arm,
    Assign,
    Block,
    Boolean,
    Call,
    For,
    If,
    Index,
    Item,
    Local,
    Name,
    Placed,
    While,
    start_of,
)

LIMIT = 20_000  # statements that one text is lowered to


@dataclass(slots=True)
class Writing(ABC):
    """The work at hand.

    Attributes:
        facts: the names of the text.
        readings: what each piece says, by where it starts.
        is_trial: whether shapes are only collected.
        unread: where pieces start that say nothing, since something in them is wrong.
    """

    facts: Facts
    readings: Readings
    operators: Mapping[int, Span | None]
    is_trial: bool = False
    unread: Sequence[int] = ()
    found: dict[Diagnostic, None] = field(default_factory=dict)
    steps: int = 0
    skipped: int = 0  # statements of calls that a trial knew
    fresh: int = 0
    used: set[str] = field(default_factory=set)
    raised: set[str] = field(default_factory=set)
    calls: tuple[str, ...] = ()
    gone: bool = False  # whether what was lowered last leaves its block in any case, so that nothing runs behind it
    transformed: set[int] = field(default_factory=set)

    @property
    def values(self) -> Values:
        """What reads expressions."""
        return Values(self.facts, self.laws.pure)

    @property
    def laws(self) -> Laws:
        """What answers calls of procedures."""
        return Laws(self.facts, self.readings)

    @abstractmethod
    def block(self, items: Sequence[Item], env: Environment, jumps: Jumps) -> list[Item]:
        """Return the statements of a block in the core."""

    # --- what stands here ---------------------------------------------------------------------------------------------

    def word(self, item: If) -> str:
        """Return the word that heads a block."""
        reading = self.readings.get(item.arms[0].start)
        return reading.keyword if isinstance(reading, RawHeader) else "if"

    def header_span(self, item: If) -> Span:
        """Return where the word of a header stands in its piece."""
        span = self.readings[item.arms[0].start].span
        return Span(span.start, span.start + len(self.word(item)))

    def note(self, found: Diagnostic) -> None:
        """Keep a finding; trials have none."""
        if not self.is_trial:
            self.found[found] = None

    def harmless(self, item: Item) -> list[Item]:
        """Return what binds the same names as a statement that is refused, so that nothing else seems wrong."""
        reading = self.readings.get(item.start) if isinstance(item, Placed) else None
        if not isinstance(reading, RawLeaf) or reading.keyword not in (
            "assign",
            "sample",
            "attacker",
        ):
            return []
        made: list[Item] = []
        for target in reading.targets:
            if isinstance(target, Name):
                made.append(Placed(Assign(target, convert.zero(target.span.end), reading.span), start_of(item), ""))
                self.facts.shapes.setdefault(target.id, {})[()] = None
        return made

    def converted(self, reading: RawLeaf, item: Placed) -> list[Item]:
        """Return the leaf of the tree that a reading in the words of the core is."""
        if self.is_trial:
            return [item]  # what it becomes is asked of nobody
        self.transformed.add(item.start)
        found: list[Diagnostic] = []
        made = convert.leaf(reading, self.operators.get(item.start), found)
        for one in found:
            self.note(shifted(one, item.start))
        return [] if made is None else [Placed(made, item.start, item.documentation)]

    def touches(self, reading: RawLeaf, env: Environment) -> bool:
        """Tell whether a leaf says anything that the core does not."""
        if env or reading.direction is not None or reading.given is not None:
            return True
        intervals = [one for one in (reading.interval, *(each.interval for each in reading.ranges)) if one is not None]
        ends = [end for one in intervals for end in (one.low, one.high)]
        parts = [
            one for one in (*reading.targets, reading.value, reading.bound, *reading.values, *ends) if one is not None
        ]
        return any(self.is_new(one) for one in parts)

    def is_new(self, root: Raw) -> bool:
        """Tell whether an expression says anything that the core does not, with what names mean in this text."""
        stack = [root]
        while stack:
            node = stack.pop()
            match node:
                case _ if isinstance(node, EXTENSIONS):
                    return True
                case Name(name) | Index(array=name) if self.facts.is_special(name):
                    return True
                case Call(function=name) if self.is_new_call(name, node):
                    return True
                case RawCall(name=token) if self.is_new_call(token.value, node):
                    return True
                case RawTuple():
                    return True
                case _:
                    stack.extend(children(node))
        return False

    def is_new_call(self, name: str, node: Raw) -> bool:
        """Tell whether a call is one that the core does not have."""
        arguments = node.arguments if isinstance(node, Call) else node.groups[0] if isinstance(node, RawCall) else ()
        return name in self.facts.procedures or is_new_call(name, arguments)

    # --- what is written ----------------------------------------------------------------------------------------------

    def copied(self, item: Placed, base: str, path: Path, several: Entries) -> list[Item]:
        """Assign all elements of an array, through variables of their own where it is read from itself."""
        span = self.readings[item.start].span
        reads_itself = any(_mentions(one, base) for one in several.values())
        made: list[Item] = []
        renamed: list[tuple[Path, Raw]] = []
        for rest, value in several.items():
            if reads_itself:
                held = self.new("part")
                made += self.put(item, held, (), value)
                renamed.append((rest, Name(held, span)))
            else:
                renamed.append((rest, value))
        for rest, value in renamed:
            made += self.put(item, base, (*path, *rest), value)
        return made

    def put(self, item: Placed, base: str, path: Path, value: Raw) -> list[Item]:
        """Assign one value."""
        reading = self.readings[item.start]
        span = _target_span(reading)
        target = self.written(base, path, span)
        leaf = RawLeaf("assign", reading.span, targets=(target,), value=cast("Raw", respanned(value, reading.span)))
        return self.converted(leaf, replace_item(item, base))

    def written(self, base: str, path: Path, span: Span) -> Name | Index:
        """Return the variable at a path, and note that something writes it."""
        self.facts.shapes.setdefault(base, {})[path] = None
        return self.values.target(base, path, span)

    def place(self, raw: Raw, env: Environment) -> tuple[str | None, Path | None]:
        """Return the variable and the known path of a target."""
        values = self.values
        name, parts = values.place(raw, env)
        return name, values.path(parts, env)

    def target(self, raw: Raw, env: Environment) -> Raw:
        """Return the variable that is written; elements that exist are noted."""
        values = self.values
        name, parts = values.place(raw, env)
        path = values.path(parts, env)
        if path is not None:
            if isinstance(raw, Index) and name == raw.array and not env and not self.is_new(raw.index):
                self.facts.shapes.setdefault(name, {})[path] = None
                return raw
            return self.written(name, path, raw.span)
        if len(parts) == 1 and not isinstance(parts[0], str):
            return Index(name, cast("Any", parts[0]), Span(raw.span.start, raw.span.start + len(name)), raw.span)
        raise Refused(
            NOT_SUPPORTED, raw.span, "a random index of several, in what is written, is not in the language yet"
        )

    def new(self, word: str) -> str:
        """Return the name of a variable that no text can name."""
        self.fresh += 1
        return f"{word}@{self.fresh}"

    def local(self, items: Sequence[Item], item: Placed, span: Span, procedure: str) -> Local:
        """Return statements whose observations condition what they draw."""
        absolute = span.shift(item.start)
        arm = Arm(Boolean(True, span), Block(tuple(items), absolute), item.start, absolute)
        return Local((arm,), None, absolute, procedure)


def place_of(item: Item) -> tuple[int, Span]:
    """Return where the piece of a statement starts, and its place in it."""
    match item:
        case Placed(node, start):
            return start, node.span
        case For(start=start, header=header):
            return start, header.shift(-start)
        case If(arms=(arm, *_)) | While(arm=arm):
            return arm.start, arm.header.shift(-arm.start)
        case If():
            raise AssertionError("a branch has an arm")


def _target_span(reading: RawLeaf | RawHeader) -> Span:
    if isinstance(reading, RawLeaf) and reading.targets:
        return reading.targets[0].span
    return reading.span


def _mentions(root: Raw, base: str) -> bool:
    stack = [root]
    while stack:
        node = stack.pop()
        match node:
            case Name(name) if name == base or name.startswith((f"{base}[", f"{base}.")):
                return True
            case Index(array=name) if name == base:
                return True
            case _:
                stack.extend(children(node))
    return False
