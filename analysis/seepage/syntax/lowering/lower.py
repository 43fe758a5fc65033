"""A whole text in the words of the core."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.files import AnyFiles
from seepage.rules import ENDLESS_RECURSION, FOREIGN_VARIABLE, NO_RESULT
from seepage.source import Span
from seepage.syntax.assemble import Assembled
from seepage.syntax.fixes import shifted
from seepage.syntax.lowering import choices
from seepage.syntax.lowering.again import Divided, Version, divide, divide_again
from seepage.syntax.lowering.choices import has_choices, in_blocks
from seepage.syntax.lowering.data import declared, table_of
from seepage.syntax.lowering.facts import Facts, Procedure, Refused
from seepage.syntax.lowering.forms import number, static
from seepage.syntax.lowering.groups import is_by_name
from seepage.syntax.lowering.jumps import Jumps, Readings
from seepage.syntax.lowering.linking import link
from seepage.syntax.lowering.measured import measured
from seepage.syntax.lowering.missing import guarded, missing_holders, of_distances
from seepage.syntax.lowering.modules import Linked
from seepage.syntax.lowering.procedures import Laws, called, foreign_names
from seepage.syntax.lowering.renaming import renamed
from seepage.syntax.lowering.sayings import Operators, Reads, Sayings
from seepage.syntax.lowering.statements import Lowering
from seepage.syntax.lowering.symbolic import Holders, holders, misused, misused_in_measure
from seepage.syntax.lowering.unequal import never_equal
from seepage.syntax.moving import moved_item
from seepage.syntax.piece import ParsedPiece
from seepage.syntax.pieces import Piece
from seepage.syntax.raw import Raw, RawHeader, RawLeaf, children
from seepage.syntax.tree import Assign, Block, Conditional, If, Index, Item, Module, Name, Placed, start_of
from seepage.syntax.tree import Number as Literal

_TRIALS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Lowered:
    """A tree of the core, what is wrong with what it was made of, and the facts by which measures typed by hand are read.

    Attributes:
        text: the whole text.
        written: the tree as it is written.
        tree: the tree in the words of the core.
        readings: what each piece says, as it is written.
        linked: the same with whole names, and what the modules say.
        divided: the text in groups, if these have to do with each other by names only.
    """

    text: str
    written: Module
    tree: Module
    found: tuple[Diagnostic, ...]
    facts: Facts
    readings: Readings
    transformed: frozenset[int]
    symbolic: Holders
    linked: Linked
    missing: Holders
    unread: Sequence[int] = ()
    divided: Divided | None = None

    @property
    def has_rounds(self) -> bool:
        """Whether the core may have loops that end by chance."""
        return self.divided is None or any(group.has_rounds for group in self.divided.groups)

    def transforms(self, start: int) -> bool:
        """Tell whether the piece that starts at an offset becomes something else."""
        if self.divided is None:
            return start in self.transformed
        items = self.written.items
        number = bisect_right(items, start, key=start_of) - 1
        starts = self.divided.starts
        at = bisect_right(starts, number) - 1
        if number < 0 or at == len(starts) - 1:
            return False
        return start - start_of(items[starts[at]]) in self.divided.groups[at].transformed


def lower(
    now: Version, text: str, files: AnyFiles, unread: Sequence[int] = (), before: Lowered | None = None
) -> Lowered:
    """Return the core of a text.

    Args:
        now: the tree as it is written, in which what the core does not have is an empty statement, and what each piece says.
        text: the whole text.
        files: where the files are that the text names.
        unread: where pieces start that say nothing, since something in them is wrong.
        before: the core of the version before, if that is known.
    """
    divided = None
    if before is not None and before.divided is not None and before.facts.files == files:
        moved = len(text) - len(before.text)
        was = Version(before.written, before.readings, {}, before.unread)
        divided = divide_again(was, before.divided, now, partial(_declared, files=files), _tables, moved)
    if divided is None:
        if not all(is_by_name(one) for one in now.readings.values()):
            return _whole(now.tree, now.readings, now.operators, text, files, unread)
        divided = divide(now, _declared(now.tree.items, now.readings, files), _tables, moved_item)
    facts = divided.facts
    found: dict[Diagnostic, None] = {}
    _check_procedures(facts, now.readings, found)
    endless = {one.span for one in found if one.rule is ENDLESS_RECURSION}
    for at in [at for at, group in enumerate(divided.groups) if group.found]:
        group, start = divided.groups[at], start_of(now.tree.items[divided.starts[at]])
        of_group = (shifted(one, start) if group.is_placed else one for one in group.found)
        found.update((one, None) for one in of_group if one.rule is not ENDLESS_RECURSION or one.span not in endless)
    symbolic, told = _symbols(divided)
    found.update(dict.fromkeys(told))
    module, linked = Module(divided.items, now.tree.span), Linked(now.readings, now.operators)
    return Lowered(
        text, now.tree, module, (*found,), facts, now.readings, frozenset(), symbolic, linked, {}, unread, divided
    )


def _symbols(divided: Divided) -> tuple[Holders, tuple[Diagnostic, ...]]:
    """Return what is said of the variables that may hold symbols, and where such are taken for numbers.

    Only groups with symbols, or that name such a variable, are looked at.
    """
    groups = divided.groups
    chosen = {number for number, group in enumerate(groups) if group.has_symbols}
    symbolic: Holders = {}
    places = divided.places
    module = Module((), Span(0, 0))
    while chosen:
        items = [*divided.items[: divided.tables]]
        items += [one for number in sorted(chosen) for one in divided.items[places[number] : places[number + 1]]]
        module = Module(items, Span(0, 0))
        symbolic = holders(module)
        names = {re.split(r"[.\[]", name, maxsplit=1)[0] for name in symbolic}
        more = {number for number, group in enumerate(groups) if not group.mentions.isdisjoint(names)} - chosen
        if not more:
            break
        chosen |= more
    return symbolic, tuple(misused(module, symbolic))


def _declared(items: Sequence[Item], readings: Readings, files: AnyFiles) -> Facts:
    facts = Facts(files=files)
    _declare(items, readings, facts)
    return facts


def _whole(
    tree: Module,
    readings: Readings,
    operators: Mapping[int, Span | None],
    text: str,
    files: AnyFiles,
    unread: Sequence[int],
) -> Lowered:
    """Return the core of a text whose statements have to do with each other by more than names: modules, choices, tables."""
    facts = Facts(files=files)
    linked = link(tree.items, readings, operators, facts)
    facts.refused = linked.refused
    as_written, readings, operators = readings, linked.readings, linked.operators
    found = linked.found
    misplaced = dict(in_blocks(tree.items, readings))
    facts.has_choices, facts.misplaced = has_choices(readings), frozenset(misplaced)
    found.update(dict.fromkeys((*misplaced.values(), *_declare(tree.items, readings, facts))))
    for _ in range(_TRIALS):
        before = {name: dict(paths) for name, paths in facts.shapes.items()}
        _run(tree, readings, operators, facts, is_trial=True)
        if facts.shapes == before:
            break
    facts.looked_up.clear()
    work, items = _run(tree, readings, operators, facts, is_trial=False, unread=unread)
    _check_procedures(facts, readings, found)
    module = Module((*_tables(facts), *items), tree.span)
    symbolic = holders(module)
    found.update(dict.fromkeys(misused(module, symbolic)))
    if facts.data:
        found.update(dict.fromkeys(never_equal(module)))
    if facts.has_choices:
        found.update(dict.fromkeys(choices.misused(module)))
    missing = missing_holders(module)
    found.update(dict.fromkeys(of_distances(module, missing)))
    told = dict.fromkeys(linked.told((*found, *work.found)))
    if facts.has_choices:
        told = dict.fromkeys(choices.with_fixes(one, tree.items, readings, text) for one in told)
    core, transformed = guarded(module, missing), frozenset((*work.transformed, *_row_draws(readings, facts)))
    return Lowered(text, tree, core, (*told,), facts, as_written, transformed, symbolic, linked, missing)


def _row_draws(readings: Readings, facts: Facts) -> Iterator[int]:
    """Yield where draws of rows start, also those in procedures that nothing calls: read alone, such a draw is one of no law.

    Draws from an argument for which a table is passed are among them: what is wrong is told at the call.
    """
    laws = Laws(facts, readings)
    for name, parameter in sorted(facts.given_tables):
        for item, leaf in laws.leaves(facts.procedures[name].items):
            if leaf.keyword == "sample" and isinstance(leaf.value, Name) and leaf.value.id == parameter:
                yield start_of(item)
    for start, one in readings.items():
        drawn = one.value if isinstance(one, RawLeaf) and one.keyword == "sample" else None
        if drawn is not None and table_of(drawn, facts, {}) is not None:
            yield start


def _run(
    tree: Module,
    readings: Readings,
    operators: Mapping[int, Span | None],
    facts: Facts,
    *,
    is_trial: bool,
    unread: Sequence[int] = (),
) -> tuple[Lowering, list[Item]]:
    work = Lowering(facts, readings, operators, is_trial, unread)
    return work, work.block(tree.items, {}, Jumps())


def _declare(items: Sequence[Item], readings: Readings, facts: Facts) -> list[Diagnostic]:
    """Note constants, enumerations, tables and procedures, which stand in any order, beside what modules brought; return what is wrong with tables."""
    found: list[Diagnostic] = []
    constants: dict[str, Raw] = {**facts.imported}
    for item in items:
        match item:
            case Placed(start=start):
                reading = readings.get(start)
            case If(arms=arms):
                header = readings.get(arms[0].start)
                if isinstance(header, RawHeader) and header.keyword == "def" and header.name is not None:
                    names = tuple(one.value for one in header.names)
                    span = header.span.shift(arms[0].start)
                    name = header.name.value
                    facts.procedures[name] = Procedure(name, names, arms[0].block.items, span, False, False)
                continue
            case _:
                continue
        if not isinstance(reading, RawLeaf) or reading.name is None:
            continue
        if reading.keyword == "enum":
            facts.enumerations[reading.name.value] = tuple(one.value for one in reading.names)
            facts.members.update(one.value for one in reading.names)
        elif reading.keyword == "table":
            facts.data[reading.name.value], wrong = declared(reading, start, facts.files)
            found += wrong
        elif reading.keyword == "const" and reading.value is not None:
            constants[reading.name.value] = reading.value
    work = Lowering(facts, readings, {}, is_trial=True)
    for _ in range(len(constants) + 1):
        before = len(facts.constants) + len(facts.tables)
        for name, raw in constants.items():
            if name not in facts.constants and name not in facts.tables:
                _constant(name, raw, facts, work)
        if len(facts.constants) + len(facts.tables) == before:
            break
    return found


def _constant(name: str, raw: Raw, facts: Facts, work: Lowering) -> None:
    try:
        entries = work.values.entries(raw, {})
        if entries is not None:
            facts.tables[name] = {path: work.values.resolved(one, {}) for path, one in entries.items()}
            return
        value = static(work.values.resolved(raw, {}))
    except Refused:
        return
    if value is not None:
        facts.constants[name] = number(value, Span(0, 0))


def _tables(facts: Facts) -> list[Item]:
    """Return assignments of constant arrays that are read at random indices."""
    made: list[Item] = []
    at = Span(0, 0)
    for name in facts.looked_up:
        for path, value in facts.tables[name].items():
            known = static(value)
            if known is not None and len(path) == 1 and isinstance(path[0], int):
                target = Index(name, Literal(number(path[0], at).value, at), at, at)
                made.append(Placed(Assign(target, Literal(known, at), at), 0, ""))
    return made


def _check_procedures(facts: Facts, readings: Readings, found: dict[Diagnostic, None]) -> None:
    laws = Laws(facts, readings)
    program = frozenset(facts.shapes)
    for procedure in facts.procedures.values():
        for start, span, name in foreign_names(procedure, laws, program):
            message = (
                f"'{name}' is a variable of the program, which a procedure does not see; pass '{name}' as an argument"
            )
            found[Diagnostic(FOREIGN_VARIABLE, span.shift(start), message)] = None
        if not _returns(procedure.items, readings):
            message = f"'{procedure.name}' has a path without a return"
            found[Diagnostic(NO_RESULT, procedure.header, message)] = None
        for start, span in _always_itself(procedure, laws):
            message = f"'{procedure.name}' calls itself on every path, so that it never ends; write a 'while'"
            found[Diagnostic(ENDLESS_RECURSION, span.shift(start), message)] = None


def _returns(items: Sequence[Item], readings: Readings) -> bool:
    """Tell whether every path through a block returns."""
    for item in items:
        match item:
            case Placed(start=start):
                reading = readings.get(start)
                if isinstance(reading, RawLeaf) and reading.keyword == "return":
                    return True
            case If(arms, otherwise):
                header = readings.get(arms[0].start)
                if isinstance(header, RawHeader) and header.keyword in ("while", "repeat", "never", "def"):
                    continue
                blocks: list[Block] = [arm.block for arm in arms]
                if otherwise is not None and all(_returns(one.items, readings) for one in (*blocks, otherwise)):
                    return True
            case _:
                pass
    return False


def _always_itself(procedure: Procedure, laws: Laws) -> list[tuple[int, Span]]:
    """Return the calls of a procedure by itself if its first statements make one in any case."""
    for item in procedure.items:
        reading = laws.readings.get(item.start) if isinstance(item, Placed) else None
        if not isinstance(reading, RawLeaf):
            return []
        if procedure.name in called(reading) and not _is_conditional(reading):
            span = next((one.span for one in (reading.value, *reading.values) if one is not None), reading.span)
            return [(cast("Placed", item).start, span)]
        if reading.keyword == "return":
            return []
    return []


def _is_conditional(reading: RawLeaf) -> bool:
    stack = [one for one in (reading.value, *reading.values) if one is not None]
    while stack:
        node = stack.pop()
        if isinstance(node, Conditional):
            return True
        stack.extend(children(node))
    return False


def in_core(
    made: Assembled,
    pieces: Sequence[Piece],
    read: Sequence[ParsedPiece],
    text: str,
    files: AnyFiles,
    before: object | None = None,
) -> tuple[Module, list[Diagnostic], Lowered]:
    """Return the tree of a text in the words of the core, what is wrong with the text, and how its measures are read.

    What is said of a piece that this transforms is said of what it becomes, and not of itself, but for what is wrong with its words (``x = [1, 2]``).
    """
    sayings = Sayings(pieces, read)
    faulty = [number for number, parsed in enumerate(read) if parsed.diagnostics]
    unread = [pieces[number].start for number in faulty if read[number].raw is None]
    now = Version(made.tree, Reads(sayings), Operators(sayings), unread)
    lowered = lower(now, text, files, unread, before if isinstance(before, Lowered) else None)
    outdated = {
        shifted(one, start)
        for number in faulty
        if isinstance(read[number].raw, RawLeaf) and lowered.transforms(start := pieces[number].start)
        for one in read[number].diagnostics
        if one not in read[number].of_words
    }
    return lowered.tree, [*(one for one in made.found if one not in outdated), *lowered.found], lowered


def in_core_measure(raw: Raw, context: object | None) -> tuple[Raw, Diagnostic | None]:
    """Return a measure typed by hand in the words of the core, in the text that it asks of."""
    facts = context.facts if isinstance(context, Lowered) else Facts()
    readings = context.linked.readings if isinstance(context, Lowered) else {}
    symbolic: Holders = context.symbolic if isinstance(context, Lowered) else {}
    try:
        if isinstance(context, Lowered):
            raw = renamed(raw, context.linked.scope, frozenset())
        made = measured(Lowering(facts, readings, {}).values, raw, {})
    except Refused as refused:
        return raw, refused.placed(0)
    missing = context.missing if isinstance(context, Lowered) else {}
    return guarded(made, missing), misused_in_measure(made, symbolic)
