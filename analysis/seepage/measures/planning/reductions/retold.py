r"""Outputs that can be computed of simpler ones, and these of them: running sums tell what their differences do, and a noisy count beside the count what its noise does.

Let an output be a sum of terms, or a chain of ``xor``, some terms of which read only outputs before it, or what these tell exactly. Whoever sees those knows
these terms, so that the rest of the output tells as much; and where it has all terms of another output, so does its difference from that one. By induction over the
outputs, the rests are a one-to-one image of the outputs. Sums may be made in several statements, and in variables that are overwritten: a term is an expression with
the values that its variables have where it is read.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from itertools import islice, zip_longest
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.measures.planning.parts import need_meaning
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.expressions import nodes, without_parentheses
from seepage.semantics.memo import Same
from seepage.semantics.statements import may_write, written_variables
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Family, Name, Unary

_NOWHERE = Span(0, 0)
_SHAPES = frozenset({"of x given y", "x and y", "channel"})
_BITS = frozenset({"flip", "bernoulli"})
_REST = "@rest"  # no name of the language holds an @
_MOST_TERMS = 20_000  # that are looked at
_LONG = 100  # nodes of an expression

_Operator: TypeAlias = Literal["+", "xor"]
_Version: TypeAlias = tuple[str, int]  # a variable, and how often it may have been written before


@dataclass(frozen=True, slots=True)
class _Term:
    """A value that is added.

    Attributes:
        key: how it is written, or if that is long, which it is.
        reads: the variables that it reads, as they were.
        value: how it is written.
    """

    key: Expression | Same[Expression]
    reads: frozenset[_Version]
    value: Expression = field(compare=False)

    @property
    def version(self) -> _Version | None:
        """The variable whose value it is."""
        return next(iter(self.reads)) if isinstance(self.value, Name) and self.reads else None


@dataclass(frozen=True, slots=True)
class _Sum:
    """A sum of multiples of terms; of ``xor`` all are 1."""

    operator: _Operator
    terms: Mapping[_Term, int]

    def plus(self, other: _Sum, factor: int) -> _Sum:
        """Return this and a multiple of another sum of the same operator."""
        terms = Counter(self.terms)
        for term, count in other.terms.items():
            terms[term] += factor * count
        return _summed(self.operator, terms)


@dataclass(slots=True)
class _Telling:
    """What is known of the outputs, statement by statement.

    Attributes:
        core: the program.
        outputs: those that one statement writes, and not in a branch: what they are there, they are at the end.
        times: how often each variable may have been written.
        sums: what variables were assigned.
        fixed: variables that are computed of numbers and parameters, as they were.
        known: these, and others that whoever sees the outputs so far can tell.
        bits: draws of 0 or 1.
        told: of each output so far what is told of it beside the others.
        holding: by their terms, the outputs of which these are told.
        retold: the outputs, with the names of their rests.
        statements: the program with the rests assigned.
        looked_at: how many terms.
    """

    core: CoreProgram
    outputs: frozenset[str]
    times: Counter[str] = field(default_factory=Counter)
    sums: dict[_Version, _Sum] = field(default_factory=dict)
    fixed: set[_Version] = field(default_factory=set)
    known: set[_Version] = field(default_factory=set)
    bits: set[_Version] = field(default_factory=set)
    told: dict[str, _Sum] = field(default_factory=dict)
    holding: defaultdict[_Term, set[str]] = field(default_factory=lambda: defaultdict(set))
    retold: dict[str, str] = field(default_factory=dict)
    statements: list[CoreStatement] = field(default_factory=list)
    looked_at: int = 0

    def follow(self, statement: CoreStatement) -> None:
        """Take one statement, those before it being known."""
        value: _Sum | None = None
        is_known = is_fixed = False
        if isinstance(statement, CoreAssign) and isinstance(statement.target, Name):
            value = self._sum(statement.value)
            is_known = all(self._is_known(term) for term in value.terms)
            is_fixed = all(term.reads <= self.fixed for term in value.terms)
            if statement.target.id in self.outputs:
                self._output(statement.target.id, value)
                is_known = True
        self.statements.append(statement)
        for name in may_write(self.core, (statement,)):
            self.times[name] += 1
        match statement:
            case CoreAssign(target=Name(id=name)) if value is not None:
                written = name, self.times[name]
                self.sums[written] = value
                if is_known:
                    self.known.add(written)
                if is_fixed:
                    self.fixed.add(written)
            case CoreSample(target=Name(id=name), distribution=law):
                written = name, self.times[name]
                if name in self.outputs:
                    self.known.add(written)
                if isinstance(law, Family) and law.name in _BITS:
                    self.bits.add(written)
            case _:
                pass

    def _output(self, name: str, value: _Sum) -> None:
        """Take an output that is assigned: leave out of it what others tell, or out of those what it tells."""
        rest = self._unknown(value)
        if len(rest.terms) == len(value.terms):
            expanded = self._expanded(value)
            value = replace(
                expanded, terms={each: n for each, n in expanded.terms.items() if not each.reads <= self.fixed}
            )
            rest = self._unknown(value)
        for other in sorted({each for term in rest.terms for each in self.holding[term]}):
            rest = self._parted(rest, other)
        if len(rest.terms) < len(value.terms):
            self._retell(name, rest)
        self._put(name, rest if name in self.retold else value)

    def _parted(self, value: _Sum, other: str) -> _Sum:
        """Return what is left of a sum beside another output; or if that is longer, leave out of it what the sum tells."""
        told = self.told[other]
        shared = next((term for term in value.terms if term in told.terms), None)
        if shared is None or told.operator != value.operator or abs(value.terms[shared]) != abs(told.terms[shared]):
            return value
        self.looked_at += len(value.terms) + len(told.terms)
        factor = -1 if value.terms[shared] == told.terms[shared] else 1
        if len(told.terms) <= len(value.terms):
            less = value.plus(told, factor)
            return less if len(less.terms) < len(value.terms) else value
        less = told.plus(value, factor)
        if len(less.terms) < len(told.terms) and self._retell(other, less):
            self._put(other, less)
        return value

    def _put(self, name: str, value: _Sum) -> None:
        """Keep what is told of an output beside the others; a variable that is all of it is known."""
        for term in self.told[name].terms if name in self.told else ():
            self.holding[term].discard(name)
        self.told[name] = value
        for term in value.terms:
            self.holding[term].add(name)
        if len(value.terms) == 1:
            version = next(iter(value.terms)).version
            # of a chain of 'xor' only whether it is 0 is told
            if version is not None and (value.operator == "+" or version in self.bits):
                self.known.add(version)

    def _retell(self, name: str, rest: _Sum) -> bool:
        """Assign what is told of an output beside others, if all that it is computed from is still there."""
        if any(self.times[read] != time for term in rest.terms for read, time in term.reads):
            return False
        left = Name(f"{self.retold.get(name, name)}{_REST}", _NOWHERE)
        self.statements.append(CoreAssign(left, _written(rest), _NOWHERE))
        self.retold[name] = left.id
        return True

    def _sum(self, value: Expression) -> _Sum:
        """Return an expression as a sum, or a chain of ``xor``, of terms with the values that they have now."""
        value = without_parentheses(value)
        operator: _Operator = "xor" if isinstance(value, Binary) and value.operator == "xor" else "+"
        terms: Counter[_Term] = Counter()
        for factor, each in _terms(value, operator):
            read = frozenset(read_variables(each, self.core)).difference(self.core.parameters)
            key = each if len(list(islice(nodes(each), _LONG))) < _LONG else Same(each)
            terms[_Term(key, frozenset((name, self.times[name]) for name in read), each)] += factor
        return _summed(operator, terms)

    def _expanded(self, value: _Sum) -> _Sum:
        """Return a sum with what was assigned to its terms in their place, as far as that is a sum, too."""
        waiting = list(value.terms.items())
        if len(waiting) == 1 and waiting[0][1] == 1 and (of := self._assigned(waiting[0][0])) is not None:
            return self._expanded(of)
        terms: Counter[_Term] = Counter()
        while waiting:
            term, factor = waiting.pop()
            of = self._assigned(term)
            if of is None or (of.operator != value.operator and list(of.terms.values()) != [1]):
                terms[term] += factor
            else:
                waiting += [(each, factor * count) for each, count in of.terms.items()]
                self.looked_at += len(of.terms)
        return _summed(value.operator, terms)

    def _assigned(self, term: _Term) -> _Sum | None:
        """Return what was assigned to a variable that is a term and is not known."""
        if self.looked_at > _MOST_TERMS or term.version is None or self._is_known(term):
            return None
        return self.sums.get(term.version)

    def _unknown(self, value: _Sum) -> _Sum:
        """Return what is left of a sum without the terms that outputs tell."""
        return replace(value, terms={each: count for each, count in value.terms.items() if not self._is_known(each)})

    def _is_known(self, term: _Term) -> bool:
        return term.reads <= self.known


def _summed(operator: _Operator, terms: Mapping[_Term, int]) -> _Sum:
    """Return a sum without terms that cancel each other."""
    counts = {term: count % 2 if operator == "xor" else count for term, count in terms.items()}
    return _Sum(operator, {term: count for term, count in counts.items() if count})


def _terms(value: Expression, operator: _Operator) -> Iterator[tuple[int, Expression]]:
    """Yield the terms of a sum with their signs, or those of a chain of ``xor``."""
    waiting = [(1, value)]
    while waiting:
        factor, part = waiting.pop()
        match part := without_parentheses(part):
            case Binary(operator="xor", left=left, right=right) if operator == "xor":
                waiting += [(1, right), (1, left)]
            case Binary(operator="+" | "-" as sign, left=left, right=right) if operator == "+":
                waiting += [(factor if sign == "+" else -factor, right), (factor, left)]
            case Unary(operator="-", operand=operand) if operator == "+":
                waiting.append((-factor, operand))
            case _:
                yield factor, part


def _written(value: _Sum) -> Expression:
    """Return a sum as an expression."""
    terms = [_times(term.value, count) for term, count in value.terms.items()]
    if not terms:
        return tree.Number(Fraction(0), _NOWHERE)
    if value.operator == "xor" and len(terms) == 1:
        return Unary("not", Unary("not", terms[0], _NOWHERE), _NOWHERE)
    while len(terms) > 1:  # by pairs, so that no tree is deep
        pairs = zip_longest(terms[::2], terms[1::2])
        terms = [one if other is None else Binary(value.operator, one, other, _NOWHERE) for one, other in pairs]
    return terms[0]


def _times(value: Expression, count: int) -> Expression:
    match count:
        case 1:
            return value
        case -1:
            return Unary("-", value, _NOWHERE)
        case _:
            return Binary("*", tree.Number(Fraction(count), _NOWHERE), value, _NOWHERE)


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
    telling = _Telling(core, frozenset(name for name in question.y if name in plain and writes[name] == 1))
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
