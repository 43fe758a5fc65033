"""From the tree to the core program: loops unrolled, static conditions decided, array elements turned into plain variables.

Work is bounded: every emitted statement and every loop iteration counts against one limit, so that nested loops over 10^9 values fail at once.

At the end, every array element that the core program reads has to exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import NoReturn, assert_never

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault, Label, Rule
from seepage.exact import show, show_count
from seepage.semantics.checked import Checked
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.semantics.evaluate import truth
from seepage.semantics.expressions import arguments_of, computed_arguments, nodes
from seepage.semantics.fold import folded, folded_distribution
from seepage.semantics.ghosts import with_counters, with_initial_values
from seepage.semantics.secrets import names_in_rounds
from seepage.semantics.statements import expressions_of, walk, written_variables
from seepage.source import Span
from seepage.syntax.tree import (
    Arm,
    Assign,
    Block,
    Const,
    Distribution,
    Expression,
    For,
    If,
    Index,
    Item,
    Local,
    Name,
    Number,
    Observe,
    Placed,
    Sample,
    Target,
    While,
    array_of,
)

Arrays = Mapping[str, tuple[int, ...]]


def _check_elements(statements: tuple[CoreStatement, ...], arrays: Arrays) -> None:
    """Raise a fault at the first static element that nothing writes, or at a random index into an array without elements.

    Raises:
        Fault: as said.
    """
    existing = {f"{name}[{i}]" for name, indices in arrays.items() for i in indices}
    seen: set[int] = set()
    for expression in _expressions(statements):
        if isinstance(expression, Number) or id(expression) in seen:
            continue
        seen.add(id(expression))
        for node in nodes(expression):
            if isinstance(node, Name) and array_of(node.id) != node.id and node.id not in existing:
                raise Fault(missing_element(node.id, node.span, arrays))
            if isinstance(node, Index) and isinstance(node.index, Number):
                message = f"an index must be an integer, found {node.index.value}"
                raise Fault(Diagnostic(rules.INVALID_INDEX, node.index.span, message))
            if isinstance(node, Index) and node.array not in arrays:
                raise Fault(missing_element(node.array, node.span, arrays))


def missing_element(name: str, span: Span, arrays: Arrays) -> Diagnostic:
    """Say that an element does not exist, and which elements do."""
    array = name.split("[", maxsplit=1)[0]
    if not arrays.get(array):
        message = f"no statement writes an element of '{array}'"
    else:
        message = f"no statement writes '{name}': '{array}' has {_listed(array, arrays[array])}"
    return Diagnostic(rules.MISSING_ELEMENT, span, message)


def _listed(array: str, indices: tuple[int, ...]) -> str:
    if len(indices) == 1:
        return f"the element {array}[{indices[0]}] only"
    if indices[-1] - indices[0] + 1 == len(indices):
        return f"the elements {indices[0]}..{indices[-1]}"
    listed = ", ".join(map(str, indices[:8]))
    return f"the elements {listed}" + (", …" if len(indices) > 8 else "")


def _expressions(statements: tuple[CoreStatement, ...]) -> Iterator[Expression]:
    for statement in walk(statements):
        match statement:
            case CoreAssign(target=Index() as target, value=value):
                yield value
                yield target
            case CoreSample(target=Index() as target, distribution=distribution):
                yield from arguments_of(distribution)
                yield target
            case _:
                yield from expressions_of(statement)


Static = Mapping[str, Expression]
MAX_NESTING = 150  # branches inside branches; an "else if" is inside the one before it


def unroll(checked: Checked, limit: int = 200_000) -> CoreProgram:
    """Return the core program of a checked program.

    Args:
        checked: without errors in names; other errors do not matter here.
        limit: the greatest number of statements and iterations.

    Raises:
        Fault: past the limit (at the loop that grew), at a loop bound that is no integer, at a condition that is statically not boolean,
            and at a static element that nothing writes.
    """
    unrolling = _Unrolling(limit, frozenset(_loop_variables(checked)))
    statements = tuple(unrolling.block(checked.tree.items, _constants(checked), None))
    arrays = {name: tuple(sorted(indices)) for name, indices in unrolling.arrays.items()}
    _check_elements(statements, arrays)
    aliases: dict[str, str] = {}
    counters: dict[str, Span] = {}
    written = set(unrolling.written)
    in_rounds = (
        names_in_rounds(checked.tree) if checked.symbols.secrets else ()
    )  # of a secret among these the value at the end is meant
    for secret in checked.symbols.secrets:
        variables = _elements(secret.name, arrays, written)
        if secret.mode == "initial":
            statements, renamed = with_initial_values(statements, variables, arrays)
            aliases.update(renamed)
        elif secret.mode is None and array_of(secret.name) not in in_rounds:
            statements, added = with_counters(statements, variables, arrays)
            counters.update(dict.fromkeys(added, secret.declaration))
    variables = (*written_variables(statements), *unrolling.written, *aliases.values(), *_plain(checked))
    return CoreProgram(
        statements,
        tuple(dict.fromkeys(variables)),
        arrays,
        tuple(checked.symbols.params),
        aliases,
        counters,
    )


def _elements(name: str, arrays: Mapping[str, tuple[int, ...]], written: set[str]) -> tuple[str, ...]:
    if name in arrays:
        return tuple(f"{name}[{i}]" for i in arrays[name])
    return (name,) if name in written else ()


def _plain(checked: Checked) -> Iterator[str]:
    """Yield the variables of the text: what only a branch assigns that is left out is 0."""
    return (name for name, symbol in checked.symbols.variables.items() if not symbol.is_array)


def _loop_variables(checked: Checked) -> list[str]:
    return [item.name for item in checked.tree.walk() if isinstance(item, For)]


def _constants(checked: Checked) -> dict[str, Expression]:
    """Return what each constant stands for: a literal, or its folded definition where the value is irrational."""
    if not checked.symbols.consts:
        return {}
    definitions = {
        item.node.name: item
        for item in checked.tree.walk()
        if isinstance(item, Placed) and isinstance(item.node, Const) and item.node.name in checked.symbols.consts
    }
    meanings: dict[str, Expression] = {}
    for name, value in checked.symbols.consts.items():  # in an order in which each uses earlier ones only
        if isinstance(value, int | Fraction):
            meanings[name] = Number(Fraction(value), checked.symbols.declarations[name])
        elif name in definitions:
            item = definitions[name]
            assert isinstance(item.node, Const)
            meanings[name] = folded(item.node.value, item.start, meanings)
    return meanings


@dataclass(slots=True)
class _Unrolling:
    """The work at hand: the steps taken so far, those in branches that are left out, what was written (there, too), and loop-invariant expressions that are folded already."""

    limit: int
    loop_variables: frozenset[str]
    steps: int = 0
    left_out: int = 0
    depth: int = 0
    written: dict[str, None] = field(default_factory=dict)
    arrays: dict[str, set[int]] = field(default_factory=dict)
    _invariant: dict[tuple[int, int], Expression] = field(default_factory=dict)
    _laws: dict[tuple[int, int], Distribution] = field(default_factory=dict)
    _varying: set[int] = field(default_factory=set)

    def block(self, items: Sequence[Item], static: Static, loop: Span | None) -> list[CoreStatement]:
        """Unroll items under the meanings of constants and loop variables; ``loop`` is the header to blame for growth."""
        result: list[CoreStatement] = []
        for item in items:
            match item:
                case Placed():
                    statement = self._leaf(item, static)
                    if statement is not None:
                        self._step(loop or item.span, statement.span)
                        result.append(statement)
                case Local(arms=(arm,)):
                    self._step(loop or arm.header, arm.header)
                    result.append(
                        CoreLocal(tuple(self.block(arm.block.items, static, loop)), item.procedure, arm.header)
                    )
                case If():
                    self._step(loop or item.arms[0].header, item.arms[0].header)
                    result.extend(self._branch(item, static, loop))
                case For():
                    self._iterate(item, static, result)
                case While():
                    self._step(loop or item.arm.header, item.arm.header)
                    result.extend(self._endless(item, static, loop))
                case _:
                    assert_never(item)
        return result

    def _step(self, blamed: Span, reached: Span) -> None:
        self.steps += 1
        if self.steps > self.limit:
            raise Fault(
                Diagnostic(
                    rules.BUDGET_EXCEEDED,
                    blamed,
                    f"limit reached: unrolling reached the limit of {self.limit:,} statements here",
                    labels=(Label(reached, "the statement at which the limit was reached"),)
                    if reached != blamed
                    else (),
                )
            )

    def _leaf(self, item: Placed, static: Static) -> CoreStatement | None:
        node, start = item.node, item.start
        match node:
            case Assign(target=target, value=value):
                return CoreAssign(
                    self._target(target, start, static), self._expression(value, start, static), node.span.shift(start)
                )
            case Sample(target=target, distribution=distribution):
                return CoreSample(
                    self._target(target, start, static),
                    self._distribution(distribution, start, static),
                    node.span.shift(start),
                )
            case Observe(condition=condition):
                return CoreObserve(self._expression(condition, start, static), node.span.shift(start))
            case _:
                return None

    def _target(self, target: Target, start: int, static: Static) -> Name | Index:
        meant: Expression
        if isinstance(target, Name):  # not looked up: a constant cannot be assigned
            meant = Name(target.id, target.span.shift(start))
        else:
            meant = folded(target, start, static)
        if isinstance(meant, Index):
            return meant
        assert isinstance(meant, Name)
        self.written[meant.id] = None
        if isinstance(target, Index):
            self.arrays.setdefault(target.array, set()).add(int(meant.id[len(target.array) + 1 : -1]))
        return meant

    def _expression(self, expression: Expression, start: int, static: Static) -> Expression:
        """Fold an expression; one without loop variables is folded once and shared by all iterations."""
        if id(expression) in self._varying:
            return folded(expression, start, static)
        key = id(expression), start
        if key not in self._invariant:
            if self._mentions_loops(expression):
                self._varying.add(id(expression))
                return folded(expression, start, static)
            self._invariant[key] = folded(expression, start, static)
        return self._invariant[key]

    def _distribution(self, distribution: Distribution, start: int, static: Static) -> Distribution:
        key = id(distribution), start
        if key not in self._laws:
            law = folded_distribution(distribution, start, static)
            if self._mentions_loops(*computed_arguments(distribution)):
                return law
            self._laws[key] = law
        return self._laws[key]

    def _mentions_loops(self, *expressions: Expression) -> bool:
        return bool(self.loop_variables) and any(
            isinstance(node, Name) and node.id in self.loop_variables for one in expressions for node in nodes(one)
        )

    def _branch(self, item: If, static: Static, loop: Span | None) -> list[CoreStatement]:
        """Unroll a chain of arms, leaving out those that are statically false and all that follow one that is statically true."""
        live: list[tuple[Expression, Arm]] = []
        last: Block | None = item.otherwise
        for place, arm in enumerate(item.arms):
            condition = self._expression(arm.condition, arm.start, static)
            if isinstance(condition, Number):
                if not truth(condition, {}):
                    self._leave_out(arm, [arm.block], static)
                    continue
                rest = [*(each.block for each in item.arms[place + 1 :]), item.otherwise]
                self._leave_out(arm, [block for block in rest if block is not None], static)
                last = arm.block
                break
            live.append((condition, arm))
            if self.depth + len(live) > MAX_NESTING:
                message = f"limit reached: more than {MAX_NESTING} branches are nested here, where the next of a chain is inside the one before"
                raise Fault(Diagnostic(rules.BUDGET_EXCEEDED, arm.header, message))
        self.depth += len(live)
        arms = [(condition, arm, self.block(arm.block.items, static, loop)) for condition, arm in live]
        result: list[CoreStatement] = self.block(last.items, static, loop) if last is not None else []
        self.depth -= len(live)
        for condition, arm, statements in reversed(arms):
            result = [CoreIf(condition, tuple(statements), tuple(result), arm.header)]
        return result

    def _endless(self, item: While, static: Static, loop: Span | None) -> list[CoreStatement]:
        """Return a loop that ends by chance, its body unrolled; nothing where its condition is statically false."""
        arm, never = item.arm, item.never
        condition = self._expression(arm.condition, arm.start, static)
        if isinstance(condition, Number) and not truth(condition, {}):
            self._leave_out(arm, [arm.block, *(() if never is None else (never,))], static)
            return []
        if self.depth >= MAX_NESTING:
            message = f"limit reached: more than {MAX_NESTING} branches and loops are nested here"
            raise Fault(Diagnostic(rules.BUDGET_EXCEEDED, arm.header, message))
        self.depth += 1
        body = tuple(self.block(arm.block.items, static, loop))
        otherwise = None if never is None else tuple(self.block(never.items, static, loop))
        self.depth -= 1
        return [CoreWhile(condition, body, otherwise, arm.header)]

    def _leave_out(self, decided: Arm, blocks: Sequence[Block], static: Static) -> None:
        """Note the elements that branches write which a condition without loop variables rules out: they exist, and are 0.

        What the value of a loop variable rules out (``if i > 1 { a[i - 1] := 0 }`` for i = 1) is not meant at all.
        """
        if self.left_out >= self.limit or self._mentions_loops(decided.condition):
            return
        steps, depth = self.steps, self.depth
        try:
            for block in blocks:
                self.block(block.items, static, None)
        except Fault:
            pass  # faults of what is never run are none
        self.left_out += self.steps - steps
        self.steps, self.depth = steps, depth

    def _iterate(self, item: For, static: Static, result: list[CoreStatement]) -> None:
        low, high = (self._bound(bound, item, static) for bound in (item.low, item.high))
        if high - low + 1 > self.limit - self.steps and item.block.items:
            raise Fault(
                Diagnostic(
                    rules.BUDGET_EXCEEDED,
                    item.header,
                    f"limit reached: {show_count(high - low + 1)} iterations are more than the limit of {self.limit:,} "
                    "unrolled statements allows here",
                )
            )
        if not item.block.items:
            return
        for value in range(low, high + 1):
            self._step(item.header, item.header)
            inner = {**static, item.name: Number(Fraction(value), item.name_span.shift(item.start))}
            result.extend(self.block(item.block.items, inner, item.header))

    def _bound(self, bound: Expression, item: For, static: Static) -> int:
        value = folded(bound, item.start, static)
        if not isinstance(value, Number):
            _fail(rules.NOT_STATIC, value.span, "loop bound must be static: found an expression without a known value")
        if value.value.denominator != 1:
            found = show(value.value)
            _fail(rules.NOT_STATIC, value.span, f"loop bound must be an integer, found {found}")
        return value.value.numerator


def _fail(rule: Rule, span: Span, message: str) -> NoReturn:
    raise Fault(Diagnostic(rule, span, message))
