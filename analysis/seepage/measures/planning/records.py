"""Records whose terms are added up, with other values, in outputs: what of the outputs moves with them, how far, and what does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.kinds import is_continuous, is_infinite
from seepage.engines.moved_sums import NotSummed, Sum, Term, range_of, sums_of
from seepage.exact import Number
from seepage.measures.planning.question import Question
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.memo import Same
from seepage.semantics.ranges import ANY
from seepage.semantics.slice import sink, slice_program
from seepage.semantics.statements import walk, written_variables
from seepage.source import Span
from seepage.syntax.tree import Argument, Binary, Expression, Family, Name
from seepage.syntax.tree import Number as Literal

_NOWHERE = Span(0, 0)
_MOVE, _MOVED, _NOISE = "@move", "@moved", "@noise"  # no name of the language holds an @

_Parts: TypeAlias = dict[Term, dict[Term, Number]]  # terms of an output, by the record of which they are functions


@dataclass(frozen=True, slots=True)
class Records:
    """Outputs that are multiples of one sum of a term a record, plus what is independent of all records.

    Attributes:
        core: the program.
        outputs: their names.
        widths: how far apart two values of each record's term may be, in the order of the records.
        full: whether each term comes close to all values between its ends.
        whole: whether the terms have whole values only.
        factors: by which multiple of the sum each output moves; not all are 0.
        others: what else is in each output, by its multiple.
    """

    core: CoreProgram
    outputs: tuple[str, ...]
    widths: tuple[Fraction, ...]
    full: bool
    whole: bool
    factors: tuple[Number, ...]
    others: tuple[Mapping[Term, Number], ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """What else is in outputs, each once."""
        return tuple(dict.fromkeys(term for each in self.others for term in each))

    @property
    def noises(self) -> tuple[Term, ...]:
        """Draws on which nothing else in the outputs depends: normal and Laplace ones, else those of all whole numbers."""
        alone = [
            one for one in self.terms if not any(each is not one and each.draws & one.draws for each in self.terms)
        ]
        smooth = tuple(term for term in alone if term.noise is not None)
        return smooth or tuple(term for term in alone if term.law is not None and term.whole and term.range == ANY)

    def behind(self, kept: Iterable[Term], law: Family) -> tuple[CoreProgram, str, tuple[str, ...]]:
        """Return a program in which a variable of some law moves the outputs as the sum of the records would, all else standing still.

        Args:
            kept: draws that do not stand still.
            law: of the variable.

        Returns:
            The program, the variable, and the outputs, up to numbers that are added to them.

        Raises:
            NotSummed: if a law cannot be written.
        """
        statements: list[CoreSample | CoreAssign] = [CoreSample(_name(_MOVE), law, _NOWHERE)]
        names: dict[Term, str] = {}
        for term in kept:
            if term.law is None:
                raise NotSummed
            names[term] = f"{_NOISE}{len(names)}"
            statements.append(CoreSample(_name(names[term]), term.law, _NOWHERE))
        for output, factor, others in zip(self.outputs, self.factors, self.others, strict=True):
            value: Expression = _multiple(factor, _MOVE)
            for term, by in others.items():
                if term in names:
                    value = Binary("+", value, _multiple(by, names[term]), _NOWHERE)
            statements.append(CoreAssign(_name(output + _MOVED), value, _NOWHERE))
        whole = tuple(statements)
        core = replace(self.core, statements=whole, variables=written_variables(whole), arrays={}, aliases={})
        return core, _MOVE, tuple(output + _MOVED for output in self.outputs)


def _multiple(factor: Number, name: str) -> Expression:
    number = exact.to_fraction(factor)
    if number is None:
        raise NotSummed
    return Binary("*", _number(number), _name(name), _NOWHERE)


def family(name: str, *values: int | Fraction) -> Family:
    """Return a law with numbers as its arguments."""
    return Family(name, tuple(Argument(None, _number(each), _NOWHERE) for each in values), _NOWHERE, _NOWHERE)


def far_apart(widths: Sequence[Fraction], places: int) -> Fraction:
    """Return how far apart the sums of neighbours may be that differ in so many records."""
    return sum(sorted(widths, reverse=True)[:places], Fraction(0))


def is_move(question: Question) -> bool:
    """Tell whether a question is about what stands for the sum of records already."""
    return _MOVE in question.x


def records_of(question: Question) -> Records | None:
    """Return the records that x of a question is, and its outputs; None where they are none, or a range has no end."""
    if question.given or question.is_under_an_event or set(question.x) & set(question.y) or not question.y:
        return None
    parameters = tuple(question.evaluation.scope.parameters.items())
    return _records_of(Same(question.core), question.x, question.y, parameters)


@lru_cache(maxsize=2)  # bounds from both sides ask for the same ones
def _records_of(
    key: Same[CoreProgram], x: tuple[str, ...], y: tuple[str, ...], parameters: tuple[tuple[str, Number], ...]
) -> Records | None:
    core = slice_program(key.one, (*x, *y))
    if not any(map(_may_hide, walk(core.statements))):
        return None
    core = sink(core)
    try:
        return _records(core, x, y, sums_of(core.statements, dict(parameters)))
    except NotSummed:
        return None


def _may_hide(statement: CoreStatement) -> bool:
    """Tell whether a draw may be noise, or a record with a range: of all others one law tells as much."""
    if not isinstance(statement, CoreSample):
        return False
    return is_continuous(statement.distribution) or is_infinite(statement.distribution)


def _records(core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], sums: Mapping[str, Sum]) -> Records | None:
    heads = [_head(sums, name) for name in x]
    owner: dict[int, Term] = {draw: head for head in heads for draw in head.draws}
    if len(owner) != sum(len(head.draws) for head in heads):
        return None  # records depend on each other
    parted = [_parted(_value(sums, name), owner) for name in y]
    base = next((parts for parts, _ in parted if parts), None)
    if base is None:
        return None
    factors = tuple(_factor(base, parts) for parts, _ in parted)
    widths = tuple(_width(Sum(0, base.get(head, {}))) for head in heads)
    full = all(len(terms) == 1 and all(term.full for term in terms) for terms in base.values())
    whole = all(term.whole and isinstance(by, int) for terms in base.values() for term, by in terms.items())
    others = tuple(rest for _, rest in parted)
    return Records(core, y, widths, full, whole, factors, others)


def _head(sums: Mapping[str, Sum], name: str) -> Term:
    """Return the term of which a record is a multiple, up to what is fixed."""
    value = _value(sums, name)
    if len(value.terms) != 1:
        raise NotSummed
    (head,) = value.terms
    return head


def _value(sums: Mapping[str, Sum], name: str) -> Sum:
    if name not in sums:
        raise NotSummed
    return sums[name]


def _parted(output: Sum, owner: Mapping[int, Term]) -> tuple[_Parts, Mapping[Term, Number]]:
    """Return the terms of an output that are functions of one record, and the others."""
    parts: _Parts = {}
    rest: dict[Term, Number] = {}
    for term, factor in output.terms.items():
        head = next((owner[draw] for draw in term.draws if draw in owner), None)
        if head is None:
            rest[term] = factor
        elif term.is_of(head):
            parts.setdefault(head, {})[term] = factor
        else:
            raise NotSummed
    return parts, rest


def _factor(base: _Parts, parts: _Parts) -> Number:
    """Return the multiple of the records' terms in the first output that they are in another one."""
    if not parts:
        return 0
    head = next(iter(base))
    term = next(iter(base[head]))
    factor = exact.div(parts.get(head, {}).get(term, 0), base[head][term])
    scaled = {one: {each: exact.mul(factor, by) for each, by in terms.items()} for one, terms in base.items()}
    if scaled != parts or exact.to_fraction(factor) is None:
        raise NotSummed
    return factor


def _width(value: Sum) -> Fraction:
    low, high = range_of(value)
    if low is None or high is None:
        raise NotSummed
    return Fraction(high - low)


def _number(value: int | Fraction) -> Expression:
    return Literal(Fraction(value), _NOWHERE)


def _name(name: str) -> Name:
    return Name(name, _NOWHERE)
