"""Variables eliminated from tables and functions, in numbers: what :mod:`seepage.engines.factors.order` says of scopes, done to entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seepage.engines.factors.graph import Beyond, Entries, Function, Places, Table, Variable, largest, spread
from seepage.engines.factors.order import Outline, outline, shape_of
from seepage.engines.outcome import Budget

_CLOCK = 64  # eliminations between two looks at the clock


class Workbench:
    """Tables and functions while variables are eliminated.

    Attributes:
        factors: by number; new ones have larger numbers.
        is_ball: whether entries are balls: then they are over no denominator.
    """

    def __init__(
        self, factors: Iterable[Table | Function], sizes: Sequence[int], is_ball: bool, budget: Budget
    ) -> None:
        self.sizes, self.is_ball, self.budget = sizes, is_ball, budget
        self.factors: dict[int, Table | Function] = {}
        self.members: dict[Variable, set[int]] = {}
        self.count = 0
        for factor in factors:
            self.add(factor)

    def add(self, factor: Table | Function) -> None:
        """Add a factor."""
        self.factors[self.count] = factor
        scope = factor.scope if isinstance(factor, Table) else (*factor.inputs, factor.output)
        for variable in scope:
            self.members.setdefault(variable, set()).add(self.count)
        self.count += 1

    def take(self, variable: Variable) -> list[Table | Function]:
        """Remove the factors of a variable, and return them in their order."""
        taken = []
        for number in sorted(self.members.pop(variable, ())):
            factor = self.factors.pop(number)
            scope = factor.scope if isinstance(factor, Table) else (*factor.inputs, factor.output)
            for each in scope:
                if each != variable:
                    self.members[each].discard(number)
            taken.append(factor)
        return taken

    def eliminate(self, variable: Variable, greatest: bool = False) -> None:
        """Eliminate a variable by the sum over its values, or by the greatest term."""
        if self.count % _CLOCK == 0 and self.budget.expired():
            raise Beyond("no time left")
        bucket = self.take(variable)
        found = outline([shape_of(factor) for factor in bucket], variable, self.sizes)
        if found.producer is not None:
            producer = bucket.pop(found.producer)
            assert isinstance(producer, Function)
            for factor, shape in zip(bucket, found.results, strict=True):
                self.add(_put_in(factor, producer, shape.inputs, self.sizes))
            return
        self.add(self.reduced(self.product(bucket, found), variable, found, greatest))

    def table(self, scope: tuple[Variable, ...]) -> Table:
        """Return the product of all that is left, as a table over the variables that are left."""
        product = self.left()
        if product.where:
            entries = scattered(product, scope, self.sizes, np.add)
        else:
            shape = tuple(self.sizes[each] for each in scope)
            entries = np.broadcast_to(spread(product.entries, product.free, scope), shape)
        return Table(scope, entries, product.denominator)

    def left(self) -> Product:
        """Return the product of all that is left, over the variables that no function determines."""
        factors = [self.factors[number] for number in sorted(self.factors)]
        outputs = {factor.output for factor in factors if isinstance(factor, Function)}
        read = (each for factor in factors for each in (factor.scope if isinstance(factor, Table) else factor.inputs))
        free = tuple(dict.fromkeys(each for each in read if each not in outputs))
        return product_of(factors, free, self.sizes)

    def product(self, bucket: Sequence[Table | Function], found: Outline) -> Product:
        """Return the product of factors over the variables that are free in it."""
        return product_of(bucket, found.free, self.sizes)

    def reduced(self, product: Product, variable: Variable, found: Outline, greatest: bool) -> Table:
        """Return a product with one variable summed out."""
        (shape,) = found.results
        entries = product.entries
        if not product.where:
            axis = found.free.index(variable)
            reduce = largest(entries, self.is_ball).reduce if greatest else np.add.reduce  # type: ignore[attr-defined]
            result = reduce(entries, axis=axis)
            if not isinstance(result, np.ndarray):
                result = _scalar(result)
        else:
            result = scattered(
                product, shape.inputs, self.sizes, largest(entries, self.is_ball) if greatest else np.add
            )
        return lowest(Table(shape.inputs, result, product.denominator), self.is_ball)


class Product:
    """A product of tables over free variables; ``where`` gives the places of the values of variables that functions determine."""

    __slots__ = ("denominator", "entries", "free", "where")

    def __init__(
        self, free: tuple[Variable, ...], entries: Entries, denominator: int, where: dict[Variable, Places]
    ) -> None:
        self.free, self.entries, self.denominator, self.where = free, entries, denominator, where


def product_of(bucket: Sequence[Table | Function], free: tuple[Variable, ...], sizes: Sequence[int]) -> Product:
    """Return the product of tables over free variables; functions in the bucket determine all other variables of theirs."""
    where: dict[Variable, Places] = {}
    known = set(free)
    waiting = [each for each in bucket if isinstance(each, Function)]
    while waiting:  # mostly one or two
        function = next(each for each in waiting if known.issuperset(each.inputs))
        waiting.remove(function)
        known.add(function.output)
        where[function.output] = _looked_up(function.places, function.inputs, free, sizes, where)
    entries: Any = None
    denominator = 1
    for table in bucket:
        if isinstance(table, Function):
            continue
        if any(variable in where for variable in table.scope):
            factor = _looked_up(table.entries, table.scope, free, sizes, where)
        else:
            factor = spread(table.entries, table.scope, free)
        entries = factor if entries is None else entries * factor
        denominator *= table.denominator
    shape = tuple(sizes[each] for each in free)
    if entries is None:
        entries = np.full(shape, 1, dtype=object)
    if not isinstance(entries, np.ndarray):
        entries = _scalar(entries)
    if entries.shape != shape:
        entries = np.broadcast_to(entries, shape)
    return Product(free, entries, denominator, where)


def scattered(
    product: Product, scope: tuple[Variable, ...], sizes: Sequence[int], operation: Callable[..., Any]
) -> Entries:
    """Gather a product by the values of some variables, free ones or determined ones."""
    shape = tuple(sizes[each] for each in scope)
    linear: Any = 0
    for variable, length in zip(scope, shape, strict=True):
        linear = linear * length + _places(variable, product.free, sizes, product.where)
    target: Entries = np.zeros(prod(shape), dtype=object)
    index = np.broadcast_to(linear, product.entries.shape)
    operation.at(target, index.reshape(-1), product.entries.reshape(-1))  # type: ignore[attr-defined]
    return target.reshape(shape)


def lowest(table: Table, is_ball: bool) -> Table:
    """Return a table with what its entries and its denominator have in common left out."""
    if is_ball or table.denominator == 1:
        return table
    common = gcd(table.denominator, *table.entries.reshape(-1).tolist())
    if common == 1:
        return table
    entries = table.entries // common
    return Table(
        table.scope, entries if isinstance(entries, np.ndarray) else _scalar(entries), table.denominator // common
    )


def _scalar(value: Any) -> Entries:
    """Return a number as an array without axes."""
    result: Entries = np.empty((), dtype=object)
    result[()] = value
    return result


def _places(
    variable: Variable, free: Sequence[Variable], sizes: Sequence[int], where: dict[Variable, Places]
) -> Places:
    """Return the place of a variable's value, broadcast over the free variables."""
    if variable in where:
        return where[variable]
    axis = free.index(variable)
    return np.arange(sizes[variable]).reshape([-1 if each == axis else 1 for each in range(len(free))])


def _looked_up(
    array: NDArray[Any],
    scope: Sequence[Variable],
    free: Sequence[Variable],
    sizes: Sequence[int],
    where: dict[Variable, Places],
) -> NDArray[Any]:
    """Return an array over some variables, read at the places of their values."""
    found = array[tuple([_places(variable, free, sizes, where) for variable in scope])]
    return found if isinstance(found, np.ndarray) else _scalar(found)


def _put_in(
    factor: Table | Function, producer: Function, inputs: tuple[Variable, ...], sizes: Sequence[int]
) -> Table | Function:
    """Return a factor that reads the inputs of a function in the place of its output."""
    where = {producer.output: spread(producer.places, producer.inputs, inputs)}
    if isinstance(factor, Table):
        return Table(inputs, _looked_up(factor.entries, factor.scope, inputs, sizes, where), factor.denominator)
    return Function(inputs, factor.output, _looked_up(factor.places, factor.inputs, inputs, sizes, where))
