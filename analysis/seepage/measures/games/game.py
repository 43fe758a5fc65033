r"""A program with choices of an attacker as a game: what is chosen when, from what, after seeing what; and strategies put in.

A *move* is a run of choices that see the same outputs. A *strategy* gives for each move and each thing seen what is chosen:
:math:`\sigma_i(v) = a`. Put in, it makes an ordinary program :math:`P_\sigma`, of which every measure means what it always means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number, to_fraction
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.statements import may_write
from seepage.source import Span
from seepage.syntax.tree import Argument, Binary, Choice, Conditional, Expression, Name, Table
from seepage.syntax.tree import Number as Literal

Values: TypeAlias = tuple[Number, ...]
Decisions: TypeAlias = tuple[Mapping[Values, Values], ...]


@dataclass(frozen=True, slots=True)
class Choosing:
    """One choice: the variable, what it may be in the order of the domain, and where it stands."""

    name: str
    values: Values
    span: Span


@dataclass(frozen=True, slots=True)
class Move:
    """Choices that see the same outputs.

    Attributes:
        choices: in order.
        start: the number of the statement at which the first of them stands.
        seen: the outputs that are assigned before it, as plain variables.
    """

    choices: tuple[Choosing, ...]
    start: int
    seen: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that are chosen."""
        return tuple(one.name for one in self.choices)

    def actions(self) -> Iterable[Values]:
        """Yield what may be chosen, the first of the domains first."""
        return product(*(one.values for one in self.choices))

    def chosen(self, decided: Mapping[Values, Values], seen: Values) -> Values:
        """Return what a strategy chooses after something was seen: where it chooses one thing only, that."""
        only = set(decided.values())
        first = tuple(one.values[0] for one in self.choices)
        return only.pop() if len(only) == 1 else decided.get(seen, first)

    @property
    def count(self) -> int:
        """How many actions there are."""
        total = 1
        for one in self.choices:
            total *= len(one.values)
        return total


@dataclass(frozen=True, slots=True)
class Game:
    """A program in which an attacker chooses.

    Attributes:
        core: each choice being a uniform draw; its statements are those of the program otherwise.
        moves: in order, at least one.
    """

    core: CoreProgram
    moves: tuple[Move, ...]

    @property
    def unplayed(self) -> CoreProgram:
        """The program whose choices nobody has made: no engine knows their laws."""
        chosen = {one.name: one for move in self.moves for one in move.choices}
        return replace(self.core, statements=tuple(_unplayed(each, chosen) for each in self.core.statements))

    @property
    def names(self) -> frozenset[str]:
        """The variables that are chosen."""
        return frozenset(name for move in self.moves for name in move.names)

    @property
    def seen(self) -> tuple[str, ...]:
        """All that the choices see."""
        return self.moves[-1].seen

    @property
    def is_adaptive(self) -> bool:
        """Whether some choice sees anything."""
        return bool(self.seen)

    def played(self, core: CoreProgram, decisions: Decisions) -> CoreProgram:
        """Return a program of this game, perhaps with an event appended, in which a strategy chooses."""
        written = self.written(decisions)
        return replace(core, statements=tuple(_played(each, written) for each in core.statements))

    def written(self, decisions: Decisions) -> Mapping[str, Expression]:
        """Return what each choice is under a strategy, by what was seen."""
        written: dict[str, Expression] = {}
        for move, chosen in zip(self.moves, decisions, strict=True):
            default = tuple(one.values[0] for one in move.choices)
            for at, one in enumerate(move.choices):
                table = {seen: action[at] for seen, action in chosen.items()}
                written[one.name] = _decided(move.seen, table, default[at], one.span)
        return written

    def narrowed(self, names: Collection[str], drawn: bool) -> Game:
        """Return the game with some choices alone; the others are their first values, or drawn."""
        choices = [one for move in self.moves for one in move.choices]
        fixed: dict[str, Expression] = {
            one.name: _literal(one.values[0], one.span) for one in choices if one.name not in names and not drawn
        }
        kept = (replace(move, choices=tuple(one for one in move.choices if one.name in names)) for move in self.moves)
        statements = tuple(_played(each, fixed) for each in self.core.statements)
        return Game(replace(self.core, statements=statements), tuple(move for move in kept if move.choices))

    def first(self) -> Decisions:
        """Return the strategy that always chooses the first value of each domain."""
        return tuple({} for _ in self.moves)


def has_choices(core: CoreProgram) -> bool:
    """Tell whether an attacker chooses anything in a program."""
    return any(map(_is_choice, core.statements))


def random_choices(core: CoreProgram) -> CoreProgram:
    """Return a program in which each choice of an attacker is a uniform draw."""
    return replace(core, statements=tuple(_drawn(each) for each in core.statements))


def game_of(core: CoreProgram, outputs: Iterable[str], random: CoreProgram) -> Game:
    """Return the game of a program in which an attacker chooses something.

    Args:
        core: the program.
        outputs: plain variables.
        random: what :func:`random_choices` makes of it, loops being settled.
    """
    chosen = {_name(each): each for each in core.statements if _is_choice(each)}
    shown = frozenset(outputs)
    moves: list[Move] = []
    for at, statement in enumerate(random.statements):
        choosing = chosen.get(_name(statement)) if isinstance(statement, CoreSample) else None
        if choosing is None:
            continue
        before = may_write(random, random.statements[:at])
        seen = tuple(name for name in random.variables if name in shown and name in before)
        one = Choosing(_name(choosing), _domain(choosing), choosing.span)
        if moves and moves[-1].seen == seen:
            moves[-1] = replace(moves[-1], choices=(*moves[-1].choices, one))
        else:
            moves.append(Move((one,), at, seen))
    return Game(random, tuple(moves))


def _is_choice(statement: CoreStatement) -> bool:
    return isinstance(statement, CoreSample) and isinstance(statement.distribution, Choice)


def _name(statement: CoreStatement) -> str:
    return statement.target.id if isinstance(statement, CoreSample) and isinstance(statement.target, Name) else ""


def _domain(statement: CoreStatement) -> Values:
    if not isinstance(statement, CoreSample) or not isinstance(statement.distribution, Choice):
        raise AssertionError("no choice of an attacker")
    literals = (argument.value for argument in statement.distribution.arguments)
    values = (each.value for each in literals if isinstance(each, Literal))
    return tuple(each.numerator if each.denominator == 1 else each for each in values)


def _drawn(statement: CoreStatement) -> CoreStatement:
    if not isinstance(statement, CoreSample) or not isinstance(statement.distribution, Choice):
        return statement
    arguments = statement.distribution.arguments
    share = Literal(Fraction(1, len(arguments)), statement.span)
    table = Table(tuple((one.value, share) for one in arguments), statement.distribution.span)
    return replace(statement, distribution=table)


def _played(statement: CoreStatement, written: Mapping[str, Expression]) -> CoreStatement:
    if isinstance(statement, CoreSample) and (value := written.get(_name(statement))) is not None:
        return CoreAssign(statement.target, value, statement.span)
    return statement


def _unplayed(statement: CoreStatement, chosen: Mapping[str, Choosing]) -> CoreStatement:
    one = chosen.get(_name(statement)) if isinstance(statement, CoreSample) else None
    if one is None or not isinstance(statement, CoreSample):
        return statement
    arguments = tuple(Argument(None, _literal(value, one.span), one.span) for value in one.values)
    return replace(statement, distribution=Choice("attacker", arguments, one.span, one.span))


def _decided(seen: Sequence[str], table: Mapping[Values, Number], default: Number, span: Span) -> Expression:
    """Return an expression of what was seen that has the values of a table, what is most often chosen where nothing else is said."""
    actions = Counter(table.values())
    if len(actions) <= 1:
        return _literal(next(iter(actions), default), span)
    groups: dict[Number, dict[Values, Number]] = {}
    for values, action in table.items():
        groups.setdefault(values[0], {})[values[1:]] = action
    parts = [(value, _decided(seen[1:], rest, default, span)) for value, rest in groups.items()]
    *tested, (_, made) = sorted(parts, key=lambda part: isinstance(part[1], Literal) and part[1].value == default)
    for value, inner in reversed(tested):
        if inner != made:
            condition = Binary("==", Name(seen[0], span), _literal(value, span), span)
            made = Conditional(condition, inner, made, span)
    return made


def _literal(value: Number, span: Span) -> Expression:
    fraction = to_fraction(value)
    if fraction is None:
        raise AssertionError("irrational values are not seen by strategies that are written down")
    return Literal(fraction, span)
