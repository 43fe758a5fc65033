"""Samplings as tables: a row of probabilities for each choice of values of what a distribution reads.

A branch each of whose arms does nothing but set the same variable, as tables of chances are written, is one table, too (:func:`local_law`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import lcm, prod
from typing import Protocol, TypeAlias, cast

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.families import support
from seepage.distributions.gaussian import State
from seepage.distributions.kinds import is_continuous, is_infinite
from seepage.distributions.parameters import Place
from seepage.engines.factors.graph import (
    MOST_AXES,
    Beyond,
    Constant,
    Domain,
    Entries,
    Node,
    Places,
    Value,
    Variable,
    spread,
)
from seepage.engines.factors.operations import in_order
from seepage.engines.forward.compile import Scope, compile_truth, compile_value
from seepage.engines.outcome import Ring
from seepage.exact import Number
from seepage.rules import BUDGET_EXCEEDED, NOT_SUPPORTED
from seepage.semantics.cases import cases_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import arguments_of, nodes, with_arguments, without_parentheses
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

_ROWS = 4_096  # choices of values of the names in a distribution, up to which these are the table's inputs
_MOST_CELLS = 4_000_000
_LIMIT = 1 << 16  # values of a law in one state
_FEW_ROWS, _ROWS_OF_A_LEAF = 64, 4  # of a branch that is one table

Row: TypeAlias = tuple[tuple[Value, fmpq | arb], ...]
Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """The law of one variable given others.

    Attributes:
        inputs: the others.
        domain: of the variable.
        entries: of the shape of the inputs' domains and the variable's; to be divided by ``denominator``.
        places: where each row has a single value: its place in the domain, of the shape of the inputs' domains.
    """

    inputs: tuple[Variable, ...]
    domain: Domain
    entries: Entries
    denominator: int
    places: Places | None = None


class Host(Protocol):
    """What a law needs of the graph that is being built."""

    core: CoreProgram
    parameters: Mapping[str, Number]
    ring: Ring[fmpq] | Ring[arb]
    domains: list[Domain]
    fixed: dict[int, tuple[Distribution, Row | None]]

    def meaning(self, name: str) -> Node:
        """Return what a name means here."""
        ...

    def expression(self, expression: Expression) -> Node:
        """Return the value of an expression."""
        ...


def law_of(distribution: Distribution, host: Host) -> tuple[Law, bool]:
    """Return the law of a draw, and whether it is the same wherever the distribution stands.

    Raises:
        Beyond: if it has infinitely many values, or too many.
        IrrationalProbability: if the ring does not hold its probabilities.
    """
    _need_finite(distribution)
    names = _names_read(arguments_of(distribution), host)
    inputs = _inputs(names, host)
    if len(inputs) < MOST_AXES and prod(len(host.domains[each]) for each in inputs) <= _ROWS:
        rows = [_row(distribution, host, values) for values in _states(names, inputs, host)]
        return _law(inputs, rows, host), not names
    means = [host.expression(argument) for argument in arguments_of(distribution)]
    placeholders = {f"argument@{number}": node for number, node in enumerate(means)}
    inputs = tuple(dict.fromkeys(each for each in means if not isinstance(each, Constant)))
    cells = prod(len(host.domains[each]) for each in inputs)
    if len(inputs) >= MOST_AXES or cells > _ROWS:
        raise Beyond(f"a distribution of {cells:,} combinations of parameters, the limit is {_ROWS:,}")
    of_places = with_arguments(distribution, (tree.Name(each, distribution.span) for each in placeholders))
    states = _choices(tuple(means), inputs, host)
    rows = [
        ((None, host.ring.one),)
        if None in state
        else _row(of_places, host, dict(zip(placeholders, state, strict=True)))
        for state in states
    ]
    return _law(inputs, rows, host), False


def _need_finite(distribution: Distribution) -> None:
    if is_continuous(distribution):
        raise Beyond("a continuous distribution")
    if is_infinite(distribution):
        raise Beyond("a distribution with infinitely many values")


def _names_read(expressions: Iterable[Expression], host: Host) -> tuple[str, ...]:
    """Return the variables that expressions may read, parameters left out; a random index reads every element."""
    found: dict[str, None] = {}
    for expression in expressions:
        if isinstance(expression, tree.Number):
            continue
        for node in nodes(expression):
            if isinstance(node, tree.Name) and node.id not in host.parameters:
                found[node.id] = None
            elif isinstance(node, tree.Index):
                found.update(dict.fromkeys(f"{node.array}[{i}]" for i in host.core.arrays.get(node.array, ())))
    return tuple(found)


def _inputs(names: Iterable[str], host: Host) -> tuple[Variable, ...]:
    means = (host.meaning(name) for name in names)
    return tuple(dict.fromkeys(node for node in means if not isinstance(node, Constant)))


def _choices(means: Sequence[Node], inputs: Sequence[Variable], host: Host) -> Iterator[tuple[Value, ...]]:
    """Yield the values of nodes for each choice of values of their variables."""
    slots = [(0, each.value) if isinstance(each, Constant) else (inputs.index(each) + 1, None) for each in means]
    for values in product(*(host.domains[each] for each in inputs)):
        yield tuple([values[slot - 1] if slot else constant for slot, constant in slots])


def _states(names: Sequence[str], inputs: Sequence[Variable], host: Host) -> Iterator[dict[str, Value]]:
    for values in _choices([host.meaning(name) for name in names], inputs, host):
        yield dict(zip(names, values, strict=True))


def _row(distribution: Distribution, host: Host, values: Mapping[str, Value]) -> Row:
    """Return values and probabilities in a state; an undefined value where the distribution is none there."""
    known = {name: value for name, value in values.items() if value is not None}
    try:
        return support(distribution, Place({**host.parameters, **known}, host.core.arrays), host.ring, _LIMIT)  # type: ignore[arg-type]
    except Fault as fault:
        if fault.diagnostic.rule in (BUDGET_EXCEEDED, NOT_SUPPORTED):
            raise Beyond(fault.diagnostic.message) from fault
        return ((None, host.ring.one),)


def _fixed_row(distribution: Distribution, host: Host) -> Row | None:
    """Return the values and probabilities of a distribution that reads no variable; None for any other. Iterations of a loop share distributions."""
    known = host.fixed.get(id(distribution))
    if known is None:
        row = None if _names_read(arguments_of(distribution), host) else _row(distribution, host, {})
        known = host.fixed[id(distribution)] = (
            distribution,
            row,
        )  # the distribution is kept, so that its id stays its own
    return known[1]


def _law(inputs: tuple[Variable, ...], rows: Sequence[Row], host: Host) -> Law:
    """Put rows together, one for each choice of the inputs' values."""
    domain = in_order(value for row in rows for value, _ in row)
    if len(rows) * len(domain) > _MOST_CELLS:
        raise Beyond(f"a table of {len(rows) * len(domain):,} chances, the limit is {_MOST_CELLS:,}")
    place = {value: number for number, value in enumerate(domain)}
    shape = tuple(len(host.domains[each]) for each in inputs)
    denominator = lcm(*{int(weight.q) for row in rows for _, weight in row if isinstance(weight, fmpq)})
    table: Entries = np.zeros((len(rows), len(domain)), dtype=object)
    for number, row in enumerate(rows):
        for value, weight in row:
            table[number, place[value]] = (
                int(weight.p) * (denominator // int(weight.q)) if isinstance(weight, fmpq) else weight
            )
    places: Places | None = None
    if inputs and all(len(row) == 1 for row in rows):
        places = np.array([place[row[0][0]] for row in rows], dtype=np.intp).reshape(shape)
    return Law(inputs, domain, table.reshape((*shape, len(domain))), denominator, places)


# --- branches that are one table --------------------------------------------------------------------------------------


def local_law(branch: CoreIf, host: Host) -> tuple[str, Law] | None:
    """Return the variable that all arms of a branch set, and its law given what they read; None if the branch does more, or reads too much.

    Raises:
        Beyond: as :func:`law_of`.
    """
    cases = cases_of(branch)
    if cases is None or not cases.draws:
        return None
    for leaf in cases.leaves:
        if isinstance(leaf, CoreSample):
            _need_finite(leaf.distribution)
    names = tuple(name for name in cases.reads if name not in host.parameters)
    inputs = _inputs(names, host)
    if not inputs or len(inputs) >= MOST_AXES:
        return None
    count = prod(len(host.domains[each]) for each in inputs)
    if count > max(_FEW_ROWS, _ROWS_OF_A_LEAF * len(cases.leaves)):
        return None
    grid = _Grid(host, names, inputs, count)
    rows: list[Row] = [()] * count
    try:
        for statement, chosen in grid.chosen(branch):
            grid.fill(rows, statement, cases.target, chosen)
    except Fault:
        return None  # a condition that is undefined in a state which may not be reached
    return cases.target, _law(inputs, rows, host)


@dataclass(slots=True)
class _Grid:
    """All choices of values of what a branch reads, as rows."""

    host: Host
    names: tuple[str, ...]
    inputs: tuple[Variable, ...]
    count: int

    def chosen(self, branch: CoreIf) -> Iterator[tuple[CoreStatement | None, list[int]]]:
        """Yield each arm that does something else than to branch, with the rows that reach it."""
        known: dict[Expression, Mask] = {}
        stack: list[tuple[tuple[CoreStatement, ...], Places]] = [((branch,), np.arange(self.count))]
        while stack:
            arm, reached = stack.pop()
            if len(arm) == 1 and isinstance(arm[0], CoreIf):
                holds = self.holds(arm[0].condition, known)[reached]
                stack += [(arm[0].alternative, reached[~holds]), (arm[0].consequent, reached[holds])]
            elif reached.size:
                yield (arm[0] if arm else None), reached.tolist()

    def holds(self, condition: Expression, known: dict[Expression, Mask]) -> Mask:
        """Return in which rows a condition holds.

        Raises:
            Fault: if it is undefined in a row.
        """
        condition = without_parentheses(condition)
        if condition in known:
            return known[condition]
        match condition:
            case tree.Binary(operator="and", left=left, right=right):
                found = self.holds(left, known) & self.holds(right, known)
            case tree.Binary(operator="or", left=left, right=right):
                found = self.holds(left, known) | self.holds(right, known)
            case _:
                found = self.single(condition)
        known[condition] = found
        return found

    def single(self, condition: Expression) -> Mask:
        """Return in which rows a condition holds, from the states of what it alone reads."""
        names = _names_read([condition], self.host)
        inputs = _inputs(names, self.host)
        slots = {name: number for number, name in enumerate(names)}
        compute = compile_truth(condition, Scope(slots, self.host.parameters, frozenset(), self.host.core.arrays))
        means = [self.host.meaning(name) for name in names]
        values = [compute(cast("State", state)) for state in _choices(means, inputs, self.host)]
        shape = tuple(len(self.host.domains[each]) for each in self.inputs)
        own = tuple(len(self.host.domains[each]) for each in inputs)
        mask = np.array(values, dtype=np.bool_).reshape(own)
        return np.broadcast_to(spread(mask, inputs, self.inputs), shape).reshape(self.count)

    def fill(self, rows: list[Row], statement: CoreStatement | None, target: str, chosen: Sequence[int]) -> None:
        """Set the rows that reach a statement."""
        match statement:
            case CoreSample(distribution=distribution) if (fixed := _fixed_row(distribution, self.host)) is not None:
                for number in chosen:
                    rows[number] = fixed
            case CoreSample(distribution=distribution):
                for number in chosen:
                    rows[number] = _row(distribution, self.host, self.state(number))
            case CoreAssign(value=value):
                self.assign(rows, value, chosen)
            case _:
                for number in chosen:
                    rows[number] = ((self.state(number)[target], self.host.ring.one),)

    def assign(self, rows: list[Row], expression: Expression, chosen: Sequence[int]) -> None:
        """Set the rows that reach an assignment."""
        slots = {name: number for number, name in enumerate(self.names)}
        compute = compile_value(expression, Scope(slots, self.host.parameters, frozenset(), self.host.core.arrays))
        for number in chosen:
            rows[number] = ((compute(cast("State", tuple(self.state(number).values()))), self.host.ring.one),)

    def state(self, number: int) -> dict[str, Value]:
        """Return the values of all names in a row."""
        lengths = tuple(len(self.host.domains[each]) for each in self.inputs)
        at = np.unravel_index(number, lengths)
        values = [self.host.domains[each][place] for each, place in zip(self.inputs, at, strict=True)]
        means = (self.host.meaning(name) for name in self.names)
        return {
            name: mean.value if isinstance(mean, Constant) else values[self.inputs.index(mean)]
            for name, mean in zip(self.names, means, strict=True)
        }
