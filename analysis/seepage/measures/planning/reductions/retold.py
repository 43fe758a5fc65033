r"""Outputs that can be computed of simpler ones, and these of them: running sums tell what their differences do.

Let an output be a sum of terms, or a chain of ``xor``, some terms of which read only outputs before it, or what these tell exactly. Whoever sees those knows
these terms, so that the rest of the output tells as much: by induction over the outputs, the rests are a one-to-one image of the outputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from seepage.measures.planning.parts import need_meaning
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.statements import may_write, written_variables
from seepage.source import Span
from seepage.syntax.tree import Binary, Expression, Family, Name, Parenthesized, Unary

_NOWHERE = Span(0, 0)
_SHAPES = frozenset({"of x given y", "x and y", "channel"})
_BITS = frozenset({"flip", "bernoulli"})
_REST = "@rest"  # no name of the language holds an @


@dataclass(slots=True)
class _Telling:
    """What is known of the outputs, statement by statement.

    Attributes:
        core: the program.
        outputs: those of them that have not come yet.
        once: variables that are written once, and not in a branch: what they are where they are read, they are at the end.
        known: variables that whoever sees the outputs so far can tell.
        bits: draws of 0 or 1.
        retold: the outputs, with the names of their rests.
        statements: the program with the rests assigned.
    """

    core: CoreProgram
    outputs: frozenset[str]
    once: frozenset[str]
    known: set[str] = field(default_factory=set)
    bits: set[str] = field(default_factory=set)
    retold: dict[str, str] = field(default_factory=dict)
    statements: list[CoreStatement] = field(default_factory=list)

    def follow(self, statement: CoreStatement) -> None:
        """Take one statement, those before it being known."""
        self.statements.append(statement)
        match statement:
            case CoreSample(target=Name(id=name), distribution=Family(name=family)) if name in self.once:
                if family in _BITS:
                    self.bits.add(name)
            case CoreAssign(target=Name(id=name), value=value) if name in self.once:
                if name in self.outputs:
                    self._output(name, value)
                elif self._tells(value):
                    self.known.add(name)
            case _:
                return
        if name in self.outputs:
            self.known.add(name)

    def _output(self, name: str, value: Expression) -> None:
        operator, terms = _terms(value)
        rest = [each for each in terms if not self._tells(each[1])]
        if len(rest) == 1 and rest[0][1] is not value:
            self._name(rest[0][1], operator)
        elif isinstance(value, Name):
            self._name(value, "+")
        if 0 < len(rest) < len(terms):
            left = Name(f"{name}{_REST}", _NOWHERE)
            # before the output itself, which its value may read as it was
            self.statements.insert(-1, CoreAssign(left, _joined(operator, rest), _NOWHERE))
            self.retold[name] = left.id

    def _name(self, value: Expression, operator: str) -> None:
        """Take a variable for known of which an output tells the value, and not only whether it is 0."""
        if isinstance(value, Name) and value.id in self.once and (operator == "+" or value.id in self.bits):
            self.known.add(value.id)

    def _tells(self, value: Expression) -> bool:
        return all(each in self.known or each in self.core.parameters for each in read_variables(value, self.core))


def _terms(value: Expression) -> tuple[str, list[tuple[bool, Expression]]]:
    """Return the terms of a sum, each with whether it is taken away, or those of a chain of ``xor``."""
    while isinstance(value, Parenthesized):
        value = value.inner
    if isinstance(value, Binary) and value.operator == "xor":
        return "xor", [(False, each) for each in _chain(value)]
    return "+", _added(value, is_less=False)


def _chain(value: Expression) -> list[Expression]:
    match value:
        case Parenthesized(inner=inner):
            return _chain(inner)
        case Binary(operator="xor", left=left, right=right):
            return [*_chain(left), *_chain(right)]
        case _:
            return [value]


def _added(value: Expression, *, is_less: bool) -> list[tuple[bool, Expression]]:
    match value:
        case Parenthesized(inner=inner):
            return _added(inner, is_less=is_less)
        case Binary(operator="+", left=left, right=right):
            return [*_added(left, is_less=is_less), *_added(right, is_less=is_less)]
        case Binary(operator="-", left=left, right=right):
            return [*_added(left, is_less=is_less), *_added(right, is_less=not is_less)]
        case Unary(operator="-", operand=operand):
            return _added(operand, is_less=not is_less)
        case _:
            return [(is_less, value)]


def _joined(operator: str, terms: Sequence[tuple[bool, Expression]]) -> Expression:
    if operator == "xor":
        # of one term left, only whether it is 0 is told
        each = [term for _, term in terms]
        alone = Unary("not", Unary("not", each[0], _NOWHERE), _NOWHERE) if len(each) == 1 else each[0]
        return reduce(lambda one, other: Binary("xor", one, other, _NOWHERE), each[1:], alone)
    signed = [Unary("-", term, _NOWHERE) if is_less else term for is_less, term in terms]
    return reduce(lambda one, other: Binary("+", one, other, _NOWHERE), signed)


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape not in _SHAPES or len(question.y) < 2 or question.given or question.measure.chooses_gain:
        return None
    if set(question.x) & set(question.y):
        return None
    core = question.core
    writes = Counter(name for each in core.statements for name in may_write(core, (each,)))
    plain = {
        each.target.id
        for each in core.statements
        if isinstance(each, CoreAssign | CoreSample) and isinstance(each.target, Name)
    }
    telling = _Telling(core, frozenset(question.y), frozenset(name for name in plain if writes[name] == 1))
    for each in core.statements:
        telling.follow(each)
    if not telling.retold:
        return None
    need_meaning(question, tuple(telling.retold))
    statements = tuple(telling.statements)
    program = replace(core, statements=statements, variables=written_variables(statements))
    seen = tuple(telling.retold.get(name, name) for name in question.y)
    posed = replace(question.of(program, question.x, seen))
    posed = replace(posed, call=replace(posed.call, named=question.call.named, relation=question.call.relation))
    because = f"{len(telling.retold):,} of the outputs are others plus something, which tells as much beside these"
    return Reduced((posed,), lambda claims: claims[0], "=", because)


RETOLD = Reduction(
    "one-to-one image",
    "data processing in both directions, Cover and Thomas 2006, theorem 2.8.1; Alvim et al. 2020, chapter 9",
    _apply,
)
