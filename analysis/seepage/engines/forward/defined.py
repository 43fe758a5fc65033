"""Functions of continuous values that may have no value: of ``log(n)``, n normal, half of all runs have none.

Of outputs whose law is asked for, the engines say so. Where a measure leaves an output out, since it is independent of what is asked, nobody
follows that output's values; then intervals decide whether each function has its values (:mod:`seepage.semantics.ranges`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seepage.engines.forward.spans import of_draw, span
from seepage.exact import Number
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import arguments_of, nodes, plain_names, without_parentheses
from seepage.semantics.ranges import ANY, Range, hull
from seepage.semantics.signatures import SIGNATURES
from seepage.semantics.statements import names_read
from seepage.semantics.statements import walk as statements_in
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_DEPTH = 50  # of branches in branches


def perhaps_without_value(core: CoreProgram, parameters: Mapping[str, Number]) -> Expression | None:
    """Return the first function of a continuous value for which intervals do not show that it has one in almost every run.

    What reads a variable that a condition around it, or an observation before it, reads too is passed over: the condition may be there to
    keep that value where the function has one, which intervals do not see.

    Args:
        core: statements that are followed, in order.
        parameters: their values; where one is missing that statements read, nothing is said.
    """
    if not any(
        isinstance(each, CoreSample) and _is_continuous(each.distribution) for each in statements_in(core.statements)
    ):
        return None
    if set(names_read(core.statements)) & (set(core.parameters) - set(parameters)):
        return None
    walk = _Walk(core, parameters)
    return next(walk.statements(core.statements, frozenset(), _DEPTH), None)


class _Walk:
    """What is known at the place where the walk stands.

    Attributes:
        spans: an interval for each variable that is written.
        continuous: variables that depend on a continuous draw.
        spread: those of them that have a density, as drawn, so that no single value has a chance.
    """

    def __init__(self, core: CoreProgram, parameters: Mapping[str, Number]) -> None:
        self.core = core
        self.parameters = parameters
        self.spans: dict[str, Range] = {}
        self.continuous: set[str] = set()
        self.spread: set[str] = set()

    def statements(
        self, statements: Sequence[CoreStatement], guarded: frozenset[str], depth: int
    ) -> Iterator[Expression]:
        """Yield functions without a proof of their values; ``guarded`` are the names that conditions read."""
        for statement in statements:
            match statement:
                case CoreAssign(target=target, value=value):
                    yield from self.unproved(value, guarded)
                    read = self.continuous.intersection(plain_names(value))
                    self.write(target, span(value, self.spans, self.parameters), is_continuous=bool(read))
                case CoreSample(target=target, distribution=distribution):
                    parts = tuple(arguments_of(distribution))
                    for part in parts:
                        yield from self.unproved(part, guarded)
                    drawn = _is_continuous(distribution)
                    read = self.continuous.intersection(name for part in parts for name in plain_names(part))
                    self.write(
                        target, of_draw(distribution, self.spans, self.parameters), is_continuous=drawn or bool(read)
                    )
                    if drawn and isinstance(target, tree.Name):
                        self.spread.add(target.id)
                case CoreObserve(condition=condition):
                    guarded = guarded.union(plain_names(condition))
                case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                    inner = guarded.union(plain_names(condition))
                    yield from self.branches((consequent, alternative), inner, depth)
                case _:  # loops and local draws are settled before engines read a program
                    return

    def branches(
        self, arms: tuple[Sequence[CoreStatement], ...], guarded: frozenset[str], depth: int
    ) -> Iterator[Expression]:
        if not depth:
            return
        before, ends, spread = dict(self.spans), list[dict[str, Range]](), list[set[str]]()
        drawn_before = set(self.spread)
        for arm in arms:
            self.spans, self.spread = dict(before), set(drawn_before)
            yield from self.statements(arm, guarded, depth - 1)
            ends.append(self.spans)
            spread.append(self.spread)
        names = {name for end in ends for name in end}
        first, second = ends
        self.spans = {name: hull(first.get(name, (0, 0)), second.get(name, (0, 0))) for name in names}
        self.spread = spread[0] & spread[1]

    def write(self, target: tree.Target, value: Range, *, is_continuous: bool) -> None:
        """Note what is written; a random index may pick any element."""
        names: tuple[str, ...]
        if isinstance(target, tree.Name):
            names = (target.id,)
        else:
            names, value = tuple(f"{target.array}[{i}]" for i in self.core.arrays.get(target.array, ())), ANY
        for name in names:
            self.spans[name] = value
            self.spread.discard(name)
            if is_continuous:
                self.continuous.add(name)

    def unproved(self, expression: Expression, guarded: frozenset[str]) -> Iterator[Expression]:
        if not self.continuous:
            return
        conditions = [node.condition for node in nodes(expression) if isinstance(node, tree.Conditional)]
        known = guarded.union(name for condition in conditions for name in plain_names(condition))
        for node in nodes(expression):
            restricted = _restricted(node)
            if restricted is None:
                continue
            argument, least = restricted
            read = set(plain_names(argument))
            if read & self.continuous and not read & known and not self.has_value(argument, least):
                yield node

    def has_value(self, argument: Expression, needs: str) -> bool:
        """Tell whether intervals show that an argument is in almost every run what a function needs of it."""
        low, high = span(argument, self.spans, self.parameters)
        if needs == "not 0":
            return self.is_spread(argument) or (low is not None and low > 0) or (high is not None and high < 0)
        if low is None or low < 0:
            return False
        return low > 0 or needs == "at least 0" or self.is_spread(argument)

    def is_spread(self, expression: Expression) -> bool:
        """Tell whether a value has a density for sure: a continuous draw, also one that is moved or scaled by a number, or their product."""
        match without_parentheses(expression):
            case tree.Name(id=name):
                return name in self.spread
            case tree.Unary(operator="-", operand=operand):
                return self.is_spread(operand)
            case tree.Binary(operator="*", left=left, right=right):
                return all(self.is_spread(part) or _is_number_but_0(part) for part in (left, right))
            case tree.Binary(operator="/", left=left, right=right):
                return self.is_spread(left) and _is_number_but_0(right)
            case tree.Binary(operator="+" | "-", left=left, right=right):
                one, other = without_parentheses(left), without_parentheses(right)
                return any(
                    self.is_spread(drawn) and isinstance(by, tree.Number) for drawn, by in ((one, other), (other, one))
                )
            case _:
                return False


def _is_number_but_0(expression: Expression) -> bool:
    match without_parentheses(expression):
        case tree.Number(value=value):
            return value != 0
        case _:
            return False


def _is_continuous(distribution: tree.Distribution) -> bool:
    match distribution:
        case tree.Family(name=name):
            return name in SIGNATURES and SIGNATURES[name].kind == "continuous"
        case tree.Mixture(parts=parts):
            return any(_is_continuous(part) for _, part in parts)
        case _:
            return False


def _restricted(node: Expression) -> tuple[Expression, str] | None:
    """Return an argument that must not have every value, and what it must be; None of functions that have a value everywhere."""
    match node:
        case tree.Call(function="log", arguments=(argument,)):
            return argument, "above 0"
        case tree.Call(function="sqrt", arguments=(argument,)):
            return argument, "at least 0"
        case tree.Binary(operator="/" | "%", right=divisor):
            return divisor, "not 0"
        case tree.Binary(operator="^", left=base, right=tree.Number(value=power)):
            if isinstance(power, int):
                return None if power >= 0 else (base, "not 0")
            return base, "at least 0" if power > 0 else "above 0"
        case tree.Binary(operator="^", left=base):
            return base, "above 0"
        case _:
            return None
