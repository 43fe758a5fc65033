r"""Binary digits as forms over the field of two elements, and what their atoms are.

A form is an integer: its lowest digit is a constant, digit :math:`k + 1` tells whether atom k is added. So the sum modulo 2 of two forms is ``^``, and equal forms are equal
numbers. All else that is done to digits makes an atom of its own, one for each choice of operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

Form: TypeAlias = int
Atom: TypeAlias = int

ZERO: Form = 0
ONE: Form = 1

NOWHERE = Span(0, 0)

MOST_GATES = 40_000


class Beyond(Exception):
    """A program, or a question about it, that is not told digit by digit; ``reason`` says why, for people."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Plain:
    """A number of few values, which stays a number.

    Attributes:
        place: in ``Circuit.numbers``; equal ones are one number.
        domain: what it may be.
    """

    place: int
    domain: tuple[Number, ...] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Coin:
    """An atom that is 0 or 1 by the toss of a fair coin of its own."""


@dataclass(frozen=True, slots=True)
class Gate:
    """An atom that is a function of digits: that both are 1, which is in the majority of three, or the second where the first is 1 and else the third."""

    kind: Literal["both", "majority", "choice"]
    operands: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Digit:
    """An atom that is a binary digit of a small number; ``place`` counts from the lowest, and negative numbers have endless ones in front."""

    number: Plain
    place: int


Kind: TypeAlias = Coin | Gate | Digit


Operand: TypeAlias = Form | Plain
Node: TypeAlias = Atom | Plain


@dataclass(frozen=True, slots=True)
class Definition:
    """What a number is: computed from operands, or drawn.

    Attributes:
        operands: of the expression or the law; a form counts as the number 0 or 1.
        written: the expression or law from the operands as expressions.
        table: if there is one, the number is the entry in it at the only operand.
        is_drawn: whether ``written`` is a law.
    """

    operands: tuple[Operand, ...]
    written: Callable[[Sequence[Expression]], Expression | Distribution]
    table: Mapping[int, Number] | None = None
    is_drawn: bool = False


@dataclass(slots=True)
class Circuit:
    """All atoms and small numbers of a program. Grows while the program is read."""

    atoms: list[Kind] = field(default_factory=list)
    numbers: list[Definition] = field(default_factory=list)
    known: dict[Gate | Digit, Atom] = field(default_factory=dict)

    def coin(self) -> Form:
        """Return a digit that is tossed."""
        self.atoms.append(Coin())
        return 1 << len(self.atoms)

    def atom(self, kind: Gate | Digit) -> Form:
        """Return a digit that is an atom, the same one for equal kinds."""
        found = self.known.get(kind)
        if found is None:
            if len(self.atoms) >= MOST_GATES:
                raise Beyond(f"a circuit of more than {MOST_GATES:,} gates")
            self.atoms.append(kind)
            found = self.known[kind] = len(self.atoms) - 1
        return 2 << found

    def number(self, definition: Definition, domain: tuple[Number, ...]) -> Plain:
        """Return a new small number."""
        self.numbers.append(definition)
        return Plain(len(self.numbers) - 1, domain)

    def both(self, a: Form, b: Form) -> Form:
        """Return the digit that is 1 where both are."""
        if a in (ZERO, ONE) or a == b:
            return ZERO if a == ZERO else b
        if b in (ZERO, ONE):
            return ZERO if b == ZERO else a
        return ZERO if a == b ^ ONE else self.atom(Gate("both", (min(a, b), max(a, b))))

    def either(self, a: Form, b: Form) -> Form:
        """Return the digit that is 1 where one is."""
        return self.both(a ^ ONE, b ^ ONE) ^ ONE

    def majority(self, a: Form, b: Form, c: Form) -> Form:
        """Return the digit that two of three have, a carry."""
        plain = known_majority(a, b, c)
        if plain is not None:
            return plain
        for first, one, other in ((a, b, c), (b, a, c), (c, a, b)):
            if first in (ZERO, ONE):
                return self.both(one, other) if first == ZERO else self.either(one, other)
        return self.atom(Gate("majority", tuple(sorted((a, b, c)))))

    def choice(self, condition: Form, a: Form, b: Form) -> Form:
        """Return a where a condition holds, else b."""
        if condition in (ZERO, ONE):
            return a if condition == ONE else b
        if a ^ b in (ZERO, ONE):
            return b ^ condition if a != b else a
        if condition in (a, a ^ ONE):  # a is 1, or 0, where it is taken
            return self.choice(condition, a ^ condition ^ ONE, b)
        if condition in (b, b ^ ONE):
            return self.choice(condition, a, b ^ condition)
        if a in (ZERO, ONE):
            return self.both(condition ^ ONE, b) if a == ZERO else self.either(condition, b)
        if b in (ZERO, ONE):
            return self.both(condition, a) if b == ZERO else self.either(condition ^ ONE, a)
        return self.atom(Gate("choice", (condition, a, b)))

    def operands(self, node: Node) -> tuple[Operand, ...]:
        """Return what an atom or a number is computed from."""
        if isinstance(node, Plain):
            return self.numbers[node.place].operands
        match self.atoms[node]:
            case Gate(operands=operands):
                return operands
            case Digit(number=number):
                return (number,)
            case Coin():
                return ()


def known_majority(a: Form, b: Form, c: Form) -> Form | None:
    """Return the digit that two of three have where it is told without a gate: two are equal, or opposite."""
    for one, other, last in ((a, b, c), (a, c, b), (b, c, a)):
        if one == other:
            return one
        if one == other ^ ONE:
            return last
    return None


def atoms_of(form: Form) -> Iterator[Atom]:
    """Yield the atoms of a form, the lowest first."""
    form >>= 1
    while form:
        lowest = form & -form
        yield lowest.bit_length() - 1
        form ^= lowest


def name(identifier: str) -> Expression:
    """Return a variable of a written program."""
    return tree.Name(identifier, NOWHERE)
