"""Values that depend on parameters, put where they are read: after ``w := exp(eps*u)`` the draw ``flip(w/(w + 1))`` reads ``flip(exp(eps*u)/(exp(eps*u) + 1))``.

What is followed for all values of the parameters at once has them in probabilities only; people give probabilities and weights names first.
Every assignment stays where it is, and slices drop it where nothing else reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from seepage.data_classes import dataclass
from seepage.measures.formulas.fixed_parameters import fixed, with_values
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.expressions import nodes
from seepage.semantics.statements import expressions_of, may_write, walk
from seepage.syntax import tree
from seepage.syntax.tree import Conditional, Expression, Index, Name

_LONGEST = 400  # parts of an expression that is put in the place of a name
_TOTAL = frozenset({"abs", "exp", "floor", "ceil", "min", "max"})


def inlined(core: CoreProgram) -> CoreProgram:
    """Return a program of the same meaning, in which what is read depends on parameters at the place where it is read.

    An expression that may have no value (a quotient, a logarithm) replaces a name only where each run evaluates it that assigned the name.
    """
    if not core.parameters:
        return core
    return replace(core, statements=_Inlining(core).block(core.statements))


@dataclass(frozen=True, slots=True)
class _Value:
    """An expression of parameters and of the present values of variables; ``total`` if it has a value in every state."""

    expression: Expression
    reads: frozenset[str]
    total: bool


@dataclass(slots=True)
class _Inlining:
    core: CoreProgram
    known: dict[str, _Value] = field(default_factory=dict)

    def block(self, statements: Sequence[CoreStatement]) -> tuple[CoreStatement, ...]:
        """Return statements with what is known in the place of names, and learn from them."""
        return tuple(self._statement(statement) for statement in statements)

    def _statement(self, statement: CoreStatement) -> CoreStatement:
        if isinstance(statement, CoreIf):
            return self._branch(statement)
        if isinstance(statement, CoreAssign) and isinstance(statement.target, Name):
            value = fixed(statement.value, self._values((statement.value,)))
            self._forget((statement.target.id,))
            self._learn(statement.target.id, value)
            return statement
        values = self._values(tuple(expressions_of(statement)))
        read = with_values(statement, values) if values else statement
        if isinstance(statement, CoreObserve):
            self._keep_total()
        else:
            self._forget(may_write(self.core, (statement,)))
        return read

    def _branch(self, statement: CoreIf) -> CoreIf:
        condition = fixed(statement.condition, self._values((statement.condition,)))
        written = may_write(self.core, (statement,))
        chosen = self._chosen(condition, statement)
        inside = {name: value for name, value in self.known.items() if value.total}
        arms = [_Inlining(self.core, dict(inside)).block(arm) for arm in (statement.consequent, statement.alternative)]
        self._forget(written)
        if any(isinstance(each, CoreObserve) for each in walk((statement,))):
            self._keep_total()
        for name, value in chosen.items():
            self._learn(name, value, written)
        return replace(statement, condition=condition, consequent=arms[0], alternative=arms[1])

    def _chosen(self, condition: Expression, statement: CoreIf) -> dict[str, Expression]:
        """Return what variables are after a branch of assignments to plain variables, in values before it; nothing for others."""
        arms = [self._after(arm) for arm in (statement.consequent, statement.alternative)]
        first, second = arms
        if first is None or second is None:
            return {}
        total = self._total()
        before = {name: total.get(name, Name(name, statement.span)) for name in (*first, *second)}
        return {
            name: Conditional(condition, first.get(name, before[name]), second.get(name, before[name]), statement.span)
            for name in before
        }

    def _after(self, arm: Sequence[CoreStatement]) -> dict[str, Expression] | None:
        found = self._total()
        names: dict[str, None] = {}
        for each in arm:
            if not isinstance(each, CoreAssign) or not isinstance(each.target, Name):
                return None
            value = fixed(each.value, found)
            if not _is_short(value) or (_is_lazy(each.value) and not _is_total(value)):
                return None
            found[each.target.id] = value
            names[each.target.id] = None
        return {name: found[name] for name in names}

    def _values(self, expressions: Sequence[Expression]) -> Mapping[str, Expression]:
        """Return what may replace names in expressions: where they are not evaluated in full, only what always has a value."""
        if any(_is_lazy(each) for each in expressions):
            return self._total()
        return {name: value.expression for name, value in self.known.items()}

    def _total(self) -> dict[str, Expression]:
        return {name: value.expression for name, value in self.known.items() if value.total}

    def _learn(self, name: str, expression: Expression, written: Iterable[str] = ()) -> None:
        """Keep the value of a variable if parameters enter it, and it reads nothing that was just overwritten."""
        reads = frozenset(read_variables(expression, self.core))
        if reads.isdisjoint((name, *written)) and not reads.isdisjoint(self.core.parameters) and _is_short(expression):
            self.known[name] = _Value(expression, reads, _is_total(expression))

    def _forget(self, written: Iterable[str]) -> None:
        gone = frozenset(written)
        stale = [name for name, value in self.known.items() if name in gone or not gone.isdisjoint(value.reads)]
        for name in stale:
            del self.known[name]

    def _keep_total(self) -> None:
        self.known = {name: value for name, value in self.known.items() if value.total}


def _is_short(expression: Expression) -> bool:
    return sum(1 for _ in nodes(expression)) <= _LONGEST


def _is_lazy(expression: Expression) -> bool:
    """Tell whether parts of an expression may not be evaluated."""
    return any(
        isinstance(node, Conditional) or (isinstance(node, tree.Binary) and node.operator in tree.LOGICAL)
        for node in nodes(expression)
    )


def _is_total(expression: Expression) -> bool:
    """Tell whether an expression has a value in every state, whatever the parameters are."""
    for node in nodes(expression):
        match node:
            case tree.Binary(operator="/" | "%", right=right) if not _is_positive(right):
                return False
            case tree.Binary(operator="^") | Index():
                return False
            case tree.Call(function=function) if function not in _TOTAL:
                return False
            case _:
                pass
    return True


def _is_positive(expression: Expression) -> bool:
    """Tell whether the form of an expression shows that it is more than 0."""
    match expression:
        case tree.Number(value=value):
            return value > 0
        case tree.Call(function="exp"):
            return True
        case tree.Parenthesized(inner=inner):
            return _is_positive(inner)
        case tree.Binary(operator="+" | "*" | "/", left=left, right=right):
            return _is_positive(left) and _is_positive(right)
        case _:
            return False
