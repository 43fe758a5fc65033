"""A core program as other languages can have it: no arrays, no mixtures, names of letters, and all that it returns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce

from seepage.data_classes import dataclass
from seepage.exact import Number as Value
from seepage.exact import spelled
from seepage.imports.writing import name as plain_name
from seepage.program import Program
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
from seepage.semantics.expressions import arguments_of, nodes
from seepage.semantics.unroll import unroll
from seepage.source import Span
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import (
    Binary,
    Cell,
    Choice,
    Conditional,
    Distribution,
    Expression,
    Index,
    Mixture,
    Name,
    Number,
    Rows,
    Table,
)

_MOST = 20_000  # statements: what is longer nobody checks by hand, or runs elsewhere


class NotExported(Exception):
    """What the other language lacks, and where it stands."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span = span
        self.message = message


@dataclass(frozen=True, slots=True)
class Plain:
    """A program for another language.

    Attributes:
        statements: without elements that are picked by chance, and without mixtures.
        labels: of each variable and parameter, a name of letters.
        parameters: their values.
        results: the secrets and outputs; all variables that a text can name where nothing is declared.
    """

    statements: tuple[CoreStatement, ...]
    labels: Mapping[str, str]
    parameters: Mapping[str, Expression]
    results: tuple[str, ...]


def plain(program: Program, params: Mapping[str, Value], reserved: Sequence[str]) -> Plain:
    """Return a program for another language.

    Args:
        program: without errors.
        params: the values of all its parameters.
        reserved: words that are no names there.

    Raises:
        NotExported: what no language has: tables of data, attackers, local draws; or too many statements.
        Fault: the program cannot be unrolled.
    """
    core = unroll(program.checked, _MOST)
    maker = _Maker(core)
    statements = tuple(maker.block(core.statements))
    variables = dict.fromkeys((*core.variables, *maker.made))
    labels: dict[str, str] = {}
    for each in (*params, *variables):
        labels[each] = plain_name(each, [*labels.values(), *reserved])
    symbols = program.checked.symbols
    declared = [*(each.name for each in symbols.secrets), *(each.name for each in symbols.outputs)]
    elements = [each for one in declared for each in core.written(one)]
    results = elements or [each for each in core.variables if "@" not in each]
    return Plain(
        statements, labels, {each: _literal(value) for each, value in params.items()}, tuple(dict.fromkeys(results))
    )


def _literal(value: Value) -> Expression:
    """Return a value as an expression; an irrational one as its formula."""
    found, _ = parse_expression(spelled(value))
    assert found is not None
    return found


class _Maker:
    """Takes statements apart. Mutable: it knows the variables that it made."""

    def __init__(self, core: CoreProgram) -> None:
        self._core = core
        self.made: list[str] = []

    def block(self, statements: Sequence[CoreStatement]) -> Iterator[CoreStatement]:
        for one in statements:
            yield from self._statement(one)

    def _statement(self, one: CoreStatement) -> Iterator[CoreStatement]:
        match one:
            case CoreAssign(Name(name)) if name in self._core.written_twice:
                return  # counts for our checks alone
            case CoreAssign(target, value, span):
                for each, condition in self._targets(target):
                    yield _where(condition, CoreAssign(each, self._value(value), span), span)
            case CoreSample(target, Mixture(parts), span):
                yield from self._mixture(target, parts, span)
            case CoreSample(target, law, span):
                self._refuse(law, span)
                for each, condition in self._targets(target):
                    yield _where(condition, CoreSample(each, law, span), span)
            case CoreObserve(condition, span):
                yield CoreObserve(self._value(condition), span)
            case CoreIf(condition, consequent, alternative, span):
                yield CoreIf(
                    self._value(condition), tuple(self.block(consequent)), tuple(self.block(alternative)), span
                )
            case CoreWhile(condition, body, never, span):
                if never is not None:
                    raise NotExported(
                        span,
                        "a block 'never' has no counterpart: other languages cannot go on after a run that never ends",
                    )
                yield CoreWhile(self._value(condition), tuple(self.block(body)), None, span)
            case CoreLocal(span=span):
                raise NotExported(span, "a draw with observations of its own ('given') has no counterpart")

    def _mixture(
        self, target: Name | Index, parts: Sequence[tuple[Expression, Distribution]], span: Span
    ) -> Iterator[CoreStatement]:
        """Yield the draw of the part, and of each part its own draw."""
        which = f"part@{len(self.made)}"
        self.made.append(which)
        numbers = [Number(Fraction(at), span) for at in range(len(parts))]
        table = Table(tuple((at, weight) for at, (weight, _) in zip(numbers, parts, strict=True)), span)
        yield CoreSample(Name(which, span), table, span)
        tail: tuple[CoreStatement, ...] = ()
        for at, (_, law) in reversed(list(zip(numbers, parts, strict=True))):
            drawn = tuple(self._statement(CoreSample(target, law, span)))
            tail = (CoreIf(Binary("==", Name(which, span), at, span), drawn, tail, span),) if tail else drawn
        yield from tail

    def _refuse(self, law: Distribution, span: Span) -> None:
        if isinstance(law, Rows):
            raise NotExported(span, "a table of data has no counterpart")
        if isinstance(law, Choice):
            raise NotExported(span, "what an attacker chooses has no counterpart")
        for argument in arguments_of(law):
            if any(isinstance(each, Index) for each in nodes(argument)):
                raise NotExported(
                    span,
                    "an element of an array that is picked at random cannot be the argument of a draw: assign it first",
                )

    def _targets(self, target: Name | Index) -> Iterator[tuple[Name, Expression | None]]:
        """Yield each variable that may be meant, and when it is."""
        if isinstance(target, Name):
            yield target, None
            return
        for at in self._core.arrays[target.array]:
            index = Binary("==", self._value(target.index), Number(Fraction(at), target.span), target.span)
            yield Name(f"{target.array}[{at}]", target.span), index

    def _value(self, expression: Expression) -> Expression:
        """Return an expression in which each element that is picked at random is a choice among all of them."""
        match expression:
            case Index(array, index, _, span):
                elements = [Name(f"{array}[{at}]", span) for at in self._core.arrays[array]]
                numbers = [Number(Fraction(at), span) for at in self._core.arrays[array]]
                picked = self._value(index)
                pairs = list(zip(numbers[:-1], elements[:-1], strict=True))
                start: Expression = elements[-1]
                return reduce(
                    lambda rest, pair: Conditional(Binary("==", picked, pair[0], span), pair[1], rest, span),
                    reversed(pairs),
                    start,
                )
            case Cell(span=span):
                raise NotExported(span, "a table of data has no counterpart")
            case Binary(operator, left, right, span):
                return Binary(operator, self._value(left), self._value(right), span)
            case Conditional(condition, consequent, alternative, span):
                return Conditional(self._value(condition), self._value(consequent), self._value(alternative), span)
            case _ if any(isinstance(each, Index | Cell) for each in nodes(expression)):
                raise NotExported(expression.span, "an element of an array that is picked at random: assign it first")
            case _:
                return expression


def _where(condition: Expression | None, statement: CoreStatement, span: Span) -> CoreStatement:
    return statement if condition is None else CoreIf(condition, (statement,), (), span)
