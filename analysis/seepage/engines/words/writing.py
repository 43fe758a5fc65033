"""What is asked of a program of words, as a program over fair coins and small numbers, in which the variables asked for are as few as can be.

A tuple of digits tells as much as any basis of what its digits add up to; and what the others determine may be left out. So a group of variables is replaced by
other ones with the same information: whatever measure does not look at the values, but at which of them are told apart, is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import islice
from typing import TypeAlias, cast

from seepage.data_classes import dataclass
from seepage.engines.words.circuit import (
    NOWHERE,
    ONE,
    ZERO,
    Atom,
    Beyond,
    Coin,
    Digit,
    Form,
    Gate,
    Node,
    Operand,
    Plain,
    atoms_of,
)
from seepage.engines.words.coordinates import Coordinates, in_order, nodes_of
from seepage.engines.words.reading import Reading
from seepage.engines.words.values import Quotient, Value, Word, binary, chosen, literal, over
from seepage.exact import Irrational, Number
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.statements import written_variables
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

Names: TypeAlias = tuple[str, ...]

MOST_NODES = 1_500
"""Of a program that is written."""

_MOST_READ = 4 * MOST_NODES
"""Nodes whose operands may become coordinates; others then need not be written."""

_NOTHING = "nothing@"  # a variable that is always 0
_FAIR = tree.Family("flip", (tree.Argument(None, tree.Number(Fraction(1, 2), NOWHERE), NOWHERE),), NOWHERE, NOWHERE)


@dataclass(frozen=True, slots=True)
class Written:
    """A program over coins and small numbers.

    Attributes:
        core: the program.
        groups: for each group that was asked for, the variables that tell as much.
    """

    core: CoreProgram
    groups: tuple[Names, ...]


def written(reading: Reading, core: CoreProgram, groups: Sequence[Names], known: int = 0) -> Written:
    """Write what is asked of a program, in coordinates that make the groups simple, the first one most of all.

    Args:
        reading: of the program; its circuit grows.
        core: the program.
        groups: variables that are asked for, group by group.
        known: how many groups, the first ones, are known to whoever is asked about the others: what they determine is left out of these.

    Raises:
        Beyond: if no run passes the observations, or past a limit.
    """
    coordinates = Coordinates(reading.circuit)
    held = [left for each in reading.observed if (left := coordinates.hold(each)) is not None]
    members = [[member for name in group for member in members_of(reading.values.get(name, 0))] for group in groups]
    choose(coordinates, members, held)
    writer = Writer(coordinates, _labels(coordinates, reading, groups))
    told, names = 0, list[Names]()
    for place, asked in enumerate(members):
        group, determined = writer.group(asked, told)
        names.append(group)
        told |= determined if place < known else 0
    for each in held:
        writer.observe(coordinates.resolved(each))
    return Written(writer.program(core), tuple(names))


@dataclass(frozen=True, slots=True)
class WrittenValue:
    """A value over coins and small numbers.

    Attributes:
        core: the program.
        constant: what is added to the terms.
        terms: expressions whose sum the value is, each times a number, with the variable that each reads.
    """

    core: CoreProgram
    constant: Fraction
    terms: tuple[tuple[Fraction, Expression, str], ...]


def written_value(reading: Reading, core: CoreProgram, name: str) -> WrittenValue:
    """Write a value as a sum of digits or as a small number.

    Args:
        reading: of the program; its circuit grows.
        core: the program.
        name: of the variable that holds the value.

    Raises:
        Beyond: if it is irrational, no run passes the observations, or past a limit.
    """
    coordinates = Coordinates(reading.circuit)
    held = [left for each in reading.observed if (left := coordinates.hold(each)) is not None]
    value = reading.values.get(name, 0)
    members = list(members_of(value))
    choose(coordinates, [members], held)
    writer = Writer(coordinates, {})
    terms, constant = [], Fraction(0)
    for factor, member in zip(factors_of(value), members, strict=True):
        operand = member if isinstance(member, Plain) else coordinates.resolved(member)
        if operand in (ZERO, ONE):
            constant += factor if operand == ONE else 0
            continue
        writer.write([operand])
        read = writer.variable(operand if isinstance(operand, Plain) else operand & ~ONE)
        terms.append((factor, writer.part(operand), read))
    if not members:
        if isinstance(value, Irrational):
            raise Beyond("an irrational number")
        constant = Fraction(cast("int | Fraction", value))
    for each in held:
        writer.observe(coordinates.resolved(each))
    return WrittenValue(writer.program(core), constant, tuple(terms))


def factors_of(value: Value) -> list[Fraction]:
    """Return what the members of a value count."""
    match value:
        case Word(digits=digits):
            return [*(Fraction(1 << place) for place in range(len(digits))), Fraction(-(1 << len(digits)))]
        case Quotient(word=word, divisor=divisor):
            return [each / divisor for each in factors_of(word)]
        case Plain():
            return [Fraction(1)]
        case _:
            return []


def members_of(value: Value) -> Iterable[Operand]:
    """Yield digits, or a small number, that tell a value."""
    match value:
        case Word(digits=digits, sign=sign):
            yield from (*digits, sign)
        case Quotient(word=word):
            yield from members_of(word)
        case Plain():
            yield value
        case _:
            pass


def _labels(coordinates: Coordinates, reading: Reading, groups: Sequence[Names]) -> dict[Atom, str]:
    """Return names for coins that are digits of what is asked for."""
    labels: dict[Atom, str] = {}
    for name in (each for group in groups for each in group):
        for place, member in enumerate(members_of(reading.values.get(name, 0))):
            form = ZERO if isinstance(member, Plain) else coordinates.resolved(member) & ~ONE
            if form and form & (form - 1) == 0:
                labels.setdefault(form.bit_length() - 2, f"{name}@bit{place}")
    return labels


# --- which coins --------------------------------------------------------------------------------------------------


def choose(coordinates: Coordinates, groups: Sequence[Sequence[Operand]], held: Sequence[Form]) -> None:
    """Choose coordinates: what the first and the last group have in common, all groups but the last, what gates read, and the last; of one group, all of it."""
    forms = [[each for each in group if not isinstance(each, Plain)] for group in groups]
    *first, last = (*forms, []) if len(forms) == 1 else forms
    rather_not = ZERO
    for form in last:
        rather_not |= form & coordinates.coins
    for form in in_common(map(coordinates.resolved, last), map(coordinates.resolved, first[0])):
        coordinates.take(form, rather_not)
    for form in (each for group in first for each in group):
        coordinates.take(form, rather_not)
    for form in sorted(_read(coordinates, groups, held), key=lambda form: (form.bit_count(), form)):
        coordinates.take(form)
    for form in last:
        coordinates.take(form)


def _read(coordinates: Coordinates, groups: Sequence[Sequence[Operand]], held: Sequence[Form]) -> set[Form]:
    """Return the forms that gates and numbers read, of all that is asked for or observed."""
    asked = [*held, *(each for group in groups for each in group)]
    resolved = [each if isinstance(each, Plain) else coordinates.resolved(each) for each in asked]
    order = list(
        islice(in_order((node for each in resolved for node in nodes_of(each)), coordinates.operands), _MOST_READ + 1)
    )
    if len(order) > _MOST_READ:
        raise Beyond(f"a circuit of more than {_MOST_READ:,} gates")
    return {each for node in order for each in coordinates.operands(node) if not isinstance(each, Plain)}


def basis(forms: Iterable[Form]) -> list[Form]:
    """Return forms, none of which is the sum of others, that add up to all that some forms add up to, but for constants; new coins stand in one of them, if they can."""
    found: dict[int, Form] = {}
    for form in forms:
        rest = form & ~ONE
        while rest and rest.bit_length() in found:
            rest ^= found[rest.bit_length()]
        if rest:
            found[rest.bit_length()] = rest
    for leading in sorted(found):
        for other in found:
            if other > leading and found[other] >> (leading - 1) & 1:
                found[other] ^= found[leading]
    return [found[leading] for leading in sorted(found)]


def in_common(first: Iterable[Form], second: Iterable[Form]) -> list[Form]:
    """Return a basis of the sums that two sets of forms both have, but for constants (Zassenhaus).

    Rows (u, u) of the one and (v, 0) of the other are brought to echelon form: those whose first half is 0 hold what both add up to.
    """
    ours, theirs = basis(first), basis(second)
    width = max((each.bit_length() for each in (*ours, *theirs)), default=0)
    low = (1 << width) - 1
    rows: dict[int, int] = {}
    for row in [each << width | each for each in ours] + [each << width for each in theirs]:
        rest = row
        while rest and rest.bit_length() in rows:
            rest ^= rows[rest.bit_length()]
        if rest:
            rows[rest.bit_length()] = rest
    return basis(row & low for leading, row in rows.items() if leading <= width)


# --- the program --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Writer:
    """Statements as they are written, each node once.

    Attributes:
        roots: of all that is written, the coins and drawn numbers that it depends on, by places of ``root_places``.
    """

    coordinates: Coordinates
    labels: dict[Atom, str]
    statements: list[CoreStatement] = field(default_factory=list)
    arrays: dict[str, tuple[int, ...]] = field(default_factory=dict)
    names: dict[Node, str] = field(default_factory=dict)
    roots: dict[Node, int] = field(default_factory=dict)
    sums: dict[Form, str] = field(default_factory=dict)

    def program(self, core: CoreProgram) -> CoreProgram:
        """Return what is written as a program with the parameters of another one."""
        statements = tuple(self.statements)
        return CoreProgram(statements, written_variables(statements), self.arrays, core.parameters, {}, {})

    def group(self, members: Sequence[Operand], told: int) -> tuple[Names, int]:
        """Return variables that tell as much as some digits and numbers, and the roots of coins among them.

        What these determine, and other roots that are told, is left out.
        """
        forms = basis(self.coordinates.resolved(each) for each in members if not isinstance(each, Plain))
        asked: list[Operand] = [*forms, *dict.fromkeys(each for each in members if isinstance(each, Plain))]
        self.write(asked)
        own = 0
        for each in forms:
            if self.is_coin(each):
                own |= self.behind(each)
        kept = [each for each in asked if self.behind(each) & ~(told if self.is_coin(each) else told | own)]
        return tuple(map(self.variable, kept)) or (self.nothing(),), own

    def is_coin(self, operand: Operand) -> bool:
        """Tell whether an operand is a single coin."""
        if isinstance(operand, Plain) or operand.bit_count() != 1:
            return False
        return isinstance(self.coordinates.circuit.atoms[operand.bit_length() - 2], Coin)

    def is_parity(self, operand: Operand) -> bool:
        """Tell whether an operand is a sum of coins and no gates."""
        atoms = self.coordinates.circuit.atoms
        return not isinstance(operand, Plain) and all(
            isinstance(atoms[each], Coin) for each in atoms_of(operand & ~ONE)
        )

    def behind(self, operand: Operand) -> int:
        """Return the roots of an operand."""
        found = 0
        for node in nodes_of(operand):
            found |= self.roots[node]
        return found

    def nothing(self) -> str:
        """Return a variable that tells nothing."""
        if all(not _assigns(each, _NOTHING) for each in self.statements):
            self.assign(_NOTHING, literal(0))
        return _NOTHING

    def observe(self, form: Form) -> None:
        """Write an observation."""
        self.write([form])
        self.statements.append(CoreObserve(self.expression(form), NOWHERE))

    # --- nodes --------------------------------------------------------------------------------------------------------

    def write(self, operands: Sequence[Operand]) -> None:
        """Write atoms and numbers, what they are computed from first."""
        wanted = (node for each in operands for node in nodes_of(each))
        for node in in_order(wanted, self.coordinates.operands, self.names):
            if len(self.names) >= MOST_NODES:
                raise Beyond(f"a circuit of more than {MOST_NODES:,} gates")
            read = self.coordinates.operands(node)
            behind = 0
            for each in read:
                behind |= self.behind(each)
            is_random = self.write_one(node, [self.part(each) for each in read])
            self.roots[node] = behind | self.root() if is_random else behind

    def write_one(self, node: Node, parts: Sequence[Expression]) -> bool:
        """Write a node whose operands are written; tell whether it is random itself."""
        circuit = self.coordinates.circuit
        if isinstance(node, Plain):
            name, definition = f"number@{node.place}", circuit.numbers[node.place]
            self.names[node] = name
            if definition.table is not None:
                self.assign(name, self.entry(f"table@{node.place}", definition.table, parts[0]))
            elif definition.is_drawn:
                self.draw(name, cast("Distribution", definition.written(parts)))
            else:
                self.assign(name, cast("Expression", definition.written(parts)))
            return definition.is_drawn
        self.names[node] = self.labels.get(node, f"digit@{node}")
        kind = circuit.atoms[node]
        if isinstance(kind, Coin):
            self.draw(self.names[node], _FAIR)
        else:
            self.assign(self.names[node], _gate(kind, parts))
        return isinstance(kind, Coin)

    def root(self) -> int:
        """Return a place of its own for something random."""
        return 1 << len(self.names)

    def entry(self, array: str, table: Mapping[int, Number], index: Expression) -> Expression:
        """Write a table of constants, and return its entry at an index."""
        self.arrays[array] = tuple(sorted(table))
        for place in self.arrays[array]:
            self.assign(f"{array}[{place}]", literal(table[place]))
        return tree.Index(array, index, NOWHERE, NOWHERE)

    def part(self, operand: Operand) -> Expression:
        """Return an operand as an expression, a sum of several atoms by a variable of its own."""
        if isinstance(operand, Plain) or (operand & ~ONE).bit_count() <= 1:
            return self.expression(operand)
        base: Expression = tree.Name(self.variable(operand & ~ONE), NOWHERE)
        return tree.Unary("not", base, NOWHERE) if operand & ONE else base

    def variable(self, operand: Operand) -> str:
        """Return the variable of a number, or of a form without a constant."""
        if isinstance(operand, Plain):
            return self.names[operand]
        if operand.bit_count() == 1:
            return self.names[operand.bit_length() - 2]
        if operand not in self.sums:
            self.sums[operand] = f"sum@{len(self.sums)}"
            self.assign(self.sums[operand], self.expression(operand))
        return self.sums[operand]

    def expression(self, operand: Operand) -> Expression:
        """Return an operand as an expression of its atoms."""
        atoms = [tree.Name(self.names[node], NOWHERE) for node in nodes_of(operand)]
        if isinstance(operand, Plain):
            return atoms[0]
        if not atoms:
            return literal(operand)
        whole: Expression = tree.Unary("not", atoms[0], NOWHERE) if operand & ONE else atoms[0]
        for each in atoms[1:]:
            whole = binary("xor", whole, each)
        return whole

    def assign(self, name: str, value: Expression) -> None:
        """Write an assignment."""
        self.statements.append(CoreAssign(tree.Name(name, NOWHERE), value, NOWHERE))

    def draw(self, name: str, law: Distribution) -> None:
        """Write a draw."""
        self.statements.append(CoreSample(tree.Name(name, NOWHERE), law, NOWHERE))


def _gate(kind: Gate | Digit, parts: Sequence[Expression]) -> Expression:
    """Return a gate, or a digit of a number, as an expression."""
    match kind:
        case Digit(place=place):
            return binary("%", tree.Call("floor", (over(parts[0], 1 << place),), NOWHERE, NOWHERE), literal(2))
        case Gate(kind="both"):
            return binary("and", *parts)
        case Gate(kind="majority"):
            return chosen(binary("==", parts[0], parts[1]), parts[0], parts[2])
        case _:
            return chosen(*parts)


def _assigns(statement: CoreStatement, name: str) -> bool:
    return isinstance(statement, CoreAssign) and isinstance(statement.target, tree.Name) and statement.target.id == name
