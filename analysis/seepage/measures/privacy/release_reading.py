"""Reads from the text of a program which values it publishes behind which noise.

A release is a place plus factors times independent noise. Releases that share noise are replaced by as many that do not where they are computed of each other
(running sums: the differences). A branch that decides the place alone, as of a record that is taken with a chance, is part of the place. What is computed of releases, and of what is the same in every run, may be anything: expressions,
and branches that assign. In these, the largest parts that are values plus noise are releases, as in ``min(max(c + n, 0), m)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.laws.table import SPREADS
from seepage.measures.privacy.noise_reading import NotRead
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.expressions import arguments_of, children, plain_names
from seepage.semantics.statements import may_write, names_read
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Conditional, Expression, Family, Index, Name, Unary
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS

_NOWHERE = Span(0, 0)
_CENTRES = ("centre", "mean")
_MOST_MIXED = 64  # releases that share noise
_PUBLIC: Mapping[str, Fraction] = {}  # of what is computed of releases


@dataclass(frozen=True, slots=True)
class Noise:
    """One draw: its family, and what decides its size, in parameters: a scale, or the p of ``geometric``; which of both, ``variance`` or ``std``, by its name."""

    family: str
    size: Expression
    sized_by: str


@dataclass(frozen=True, slots=True)
class Release:
    """A published value: the variable of its place in the program without noise, and how often each noise is in it."""

    place: str
    terms: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Releases of which all outputs are computed.

    Attributes:
        core: the program without noise; variables hold the places of releases.
        releases: no two share any noise.
        direct: whether the outputs are the releases themselves.
        noises: by name.
    """

    core: CoreProgram
    releases: tuple[Release, ...]
    direct: bool
    noises: Mapping[str, Noise]


def mechanism_of(core: CoreProgram, inputs: Sequence[str], outputs: Sequence[str]) -> Mechanism:
    """Read a sliced program.

    Args:
        core: the program, of which parameters may stand anywhere.
        inputs: variables that no noise may reach.
        outputs: variables that must be computed of releases alone.

    Raises:
        NotRead: if it is no such program.
    """
    reader = _Reader(core, frozenset(inputs))
    reader.read()
    reached = {*reader.noisy}
    if not reader.noises or any(name in reached for name in inputs) or any(name not in reached for name in outputs):
        raise NotRead
    before = len(reader.releases)
    for name in outputs:
        reader.publish(name)
    direct = before == 0 and all(reader.is_published(name) for name in outputs)
    shared = [source for release in reader.releases for source in release.terms]
    if len(set(shared)) < len(shared):
        _unmix(reader)
    ghosts = tuple(release.place for release in (*reader.mixed, *reader.releases))
    start = tuple(CoreAssign(Name(ghost, _NOWHERE), tree.Number(Fraction(0), _NOWHERE), _NOWHERE) for ghost in ghosts)
    noiseless = replace(core, statements=(*start, *reader.kept), variables=(*core.variables, *ghosts))
    return Mechanism(noiseless, tuple(reader.releases), direct, reader.noises)


def _unmix(reader: _Reader) -> None:
    """Replace releases that share noise by as many with one noise each, which are computed of them, and they of these.

    Raises:
        NotRead: if there are no such releases.
    """
    sources = list(dict.fromkeys(source for release in reader.releases for source in release.terms))
    if len(sources) != len(reader.releases) or len(sources) > _MOST_MIXED:
        raise NotRead
    rows = [[release.terms.get(source, Fraction(0)) for source in sources] for release in reader.releases]
    unmixed: list[Release] = []
    for source, row in zip(sources, _inverse(rows), strict=True):
        place: Expression = tree.Number(Fraction(0), _NOWHERE)
        for factor, release in zip(row, reader.releases, strict=True):
            if factor:
                term = Binary("*", tree.Number(factor, _NOWHERE), Name(release.place, _NOWHERE), _NOWHERE)
                place = Binary("+", place, term, _NOWHERE)
        ghost = f"@place{len(reader.releases) + len(unmixed)}"
        reader.kept.append(CoreAssign(Name(ghost, _NOWHERE), place, _NOWHERE))
        unmixed.append(Release(ghost, {source: Fraction(1)}))
    reader.mixed, reader.releases = reader.releases, unmixed


def _inverse(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the inverse of a matrix.

    Raises:
        NotRead: if it has none.
    """
    size = len(rows)
    work = [[*row, *(Fraction(int(at == number)) for at in range(size))] for number, row in enumerate(rows)]
    for column in range(size):
        pivot = next((number for number in range(column, size) if work[number][column]), None)
        if pivot is None:
            raise NotRead
        work[column], work[pivot] = work[pivot], work[column]
        work[column] = [value / work[column][column] for value in work[column]]
        for number in range(size):
            if number != column and (factor := work[number][column]):
                work[number] = [a - factor * b for a, b in zip(work[number], work[column], strict=True)]
    return [row[size:] for row in work]


@dataclass(slots=True)
class _Reader:
    core: CoreProgram
    inputs: frozenset[str]
    noisy: dict[str, Mapping[str, Fraction]] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)  # what is the same in every run
    published: dict[Expression, None] = field(default_factory=dict)  # expressions whose present value is a release
    noises: dict[str, Noise] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    mixed: list[Release] = field(default_factory=list)  # those that were replaced
    kept: list[CoreStatement] = field(default_factory=list)

    def read(self) -> None:
        """Read all statements.

        Raises:
            NotRead: at one that is neither untouched by noise, nor a release, nor computed of releases.
        """
        for statement in self.core.statements:
            match statement:
                case CoreAssign(target=Name(id=name), value=value):
                    self._assign(name, value, statement)
                case CoreSample() if self._is_noise(statement):
                    self._draw(statement)
                case CoreIf() if (draw := _one_draw(statement)) is not None and self._is_noise(draw):
                    self._draw(draw)
                case CoreIf() if self._reached(self._names(statement)):
                    chosen = _choice(statement)
                    if chosen is not None and self._terms(chosen[1].value) is not None:
                        self._assign(chosen[0], chosen[1].value, chosen[1])
                    else:
                        self._process_branch(statement)
                case _ if self._reached(self._names(statement)):
                    raise NotRead
                case _:
                    for name in may_write(self.core, (statement,)):
                        self._write(name, None)
                    self.kept.append(statement)

    def publish(self, name: str) -> None:
        """Make the present value of a variable a release, if it is none yet and not computed of releases."""
        if self.noisy[name] is not _PUBLIC:
            self._release(Name(name, _NOWHERE), self.noisy[name])

    def is_published(self, name: str) -> bool:
        """Tell whether the present value of a variable is a release."""
        return Name(name, _NOWHERE) in self.published

    def _names(self, statement: CoreStatement) -> tuple[str, ...]:
        """Return what a statement reads and writes, all elements of an array where a random index picks one."""
        read = self.core.expanded(names_read((statement,)))
        return (*read, *may_write(self.core, (statement,)))

    def _is_noise(self, draw: CoreSample) -> bool:
        """Tell whether a draw is none of an input, and of no value that inputs are computed of."""
        family, target = draw.distribution, draw.target
        if not isinstance(family, Family) or not isinstance(target, Name):
            return False
        if family.name not in SPREADS or target.id in self.inputs:
            return False
        return not self._reached(each for part in arguments_of(family) for each in read_variables(part, self.core))

    def _release(self, value: Expression, terms: Mapping[str, Fraction]) -> None:
        if value in self.published:
            return
        ghost = f"@place{len(self.releases)}"
        self.kept.append(CoreAssign(Name(ghost, _NOWHERE), value, _NOWHERE))
        self.releases.append(Release(ghost, terms))
        self.published[value] = None

    def _write(self, name: str, terms: Mapping[str, Fraction] | None) -> None:
        self.published = {each: None for each in self.published if name not in read_variables(each, self.core)}
        self.constants.discard(name)
        if terms is None:
            self.noisy.pop(name, None)
        else:
            self.noisy[name] = terms

    def _draw(self, statement: CoreSample) -> None:
        family, target = statement.distribution, statement.target
        if not isinstance(family, Family) or not isinstance(target, Name):
            raise NotRead
        name, (centre, named) = target.id, _centred(family)
        if any(each not in self.core.parameters for part in named.values() for each in plain_names(part)):
            raise NotRead
        sized_by = next(each for each in SPREADS[family.name].names if each in named)
        source = f"{name}@{len(self.noises)}"
        self.noises[source] = Noise(family.name, named[sized_by], sized_by)
        self._write(name, {source: Fraction(1)})
        place = tree.Number(Fraction(0), _NOWHERE) if centre is None else centre
        self.kept.append(CoreAssign(statement.target, place, statement.span))

    def _assign(self, name: str, value: Expression, statement: CoreAssign) -> None:
        read = read_variables(value, self.core)
        is_constant = self._is_constant(read)
        terms = self._terms(value) if self._reached(read) else {}
        if terms is not None:
            self._write(name, terms or None)
            if is_constant:
                self.constants.add(name)
            self.kept.append(statement)
            return
        self._process(value)
        self._computed(name)

    def _is_constant(self, read: Iterable[str]) -> bool:
        """Tell whether a value that is computed of some names is the same in every run."""
        return all(each in self.core.parameters or each in self.constants for each in read)

    def _computed(self, name: str) -> None:
        """Take the value of a variable for computed of releases."""
        self._write(name, _PUBLIC)
        self.kept.append(CoreAssign(Name(name, _NOWHERE), tree.Number(Fraction(0), _NOWHERE), _NOWHERE))

    def _process(self, value: Expression) -> None:
        """Make releases of the largest parts of an expression that are values plus noise.

        Raises:
            NotRead: if anything else is in it that is not the same in every run.
        """
        read = read_variables(value, self.core)
        if self._is_constant(read):
            return
        if isinstance(value, Name):
            if value.id not in self.noisy:
                raise NotRead
            self.publish(value.id)
        elif self._reached(read) and (terms := self._terms(value)):
            self._release(value, terms)
        elif isinstance(value, Index):
            for each in (value.index, *(Name(each, _NOWHERE) for each in self.core.expanded((value.array,)))):
                self._process(each)
        elif parts := children(value):
            for part in parts:
                self._process(part)
        else:
            raise NotRead

    def _process_branch(self, statement: CoreIf) -> None:
        """Take what the arms of a branch assign for computed of releases, if its condition and all values in it are."""
        self._process(statement.condition)
        for each in (*statement.consequent, *statement.alternative):
            match each:
                case CoreIf():
                    self._process_branch(each)
                case CoreAssign(target=Name(id=name) as target, value=value):
                    self._process(value)
                    self._process(target)  # the other arm leaves what it was before
                    self._computed(name)
                case _:
                    raise NotRead

    def _reached(self, names: Iterable[str]) -> bool:
        return any(name in self.noisy for name in names)

    def _terms(self, value: Expression) -> dict[str, Fraction] | None:
        """Return how often each noise is in a value that is affine in it, None for any other."""
        match value:
            case tree.Parenthesized(inner=inner):
                return self._terms(inner)
            case _ if not self._reached(read_variables(value, self.core)):
                return {}
            case Name(id=name):
                terms = self.noisy[name]
                return None if terms is _PUBLIC else dict(terms)
            case Unary(operator="-", operand=operand):
                return _scaled(self._terms(operand), Fraction(-1))
            case Binary(operator="+" | "-" as operator, left=left, right=right):
                return _sum(self._terms(left), _scaled(self._terms(right), Fraction(1 if operator == "+" else -1)))
            case Binary(operator="*", left=tree.Number(value=factor), right=right):
                return _scaled(self._terms(right), factor)
            case Binary(operator="*", left=left, right=tree.Number(value=factor)):
                return _scaled(self._terms(left), factor)
            case Binary(operator="/", left=left, right=tree.Number(value=divisor)) if divisor:
                return _scaled(self._terms(left), 1 / divisor)
            case Conditional(condition=condition, consequent=consequent, alternative=alternative):
                first, second = self._terms(consequent), self._terms(alternative)
                return first if first == second and not self._reached(read_variables(condition, self.core)) else None
            case _:
                return None


def _centred(family: Family) -> tuple[Expression | None, dict[str, Expression]]:
    """Return the place of a noise, None for 0, and what decides its size."""
    named = dict(bind(family).named)
    return next((named.pop(each) for each in _CENTRES if each in named), None), named


def _choice(statement: CoreStatement) -> tuple[str, CoreAssign] | None:
    """Return what a branch does as one assignment, if it assigns one variable, in one arm or in both."""
    match statement:
        case CoreAssign(target=Name(id=name)):
            return name, statement
        case CoreIf(condition=condition, consequent=(first,), alternative=rest) if len(rest) < 2:
            one = _choice(first)
            other = _choice(rest[0]) if rest else one and (one[0], replace(one[1], value=one[1].target))
            if one is None or other is None or one[0] != other[0]:
                return None
            value = Conditional(condition, one[1].value, other[1].value, statement.span)
            return one[0], replace(one[1], value=value)
        case _:
            return None


def _one_draw(statement: CoreStatement) -> CoreSample | None:
    """Return what draws in all arms of a branch are together, if they differ in places only: one draw around a place that the branch decides."""
    match statement:
        case CoreSample():
            return statement
        case CoreIf(condition=condition, consequent=(first,), alternative=(second,)):
            one, other = _one_draw(first), _one_draw(second)
        case _:
            return None
    if one is None or other is None or one.target != other.target:
        return None
    families = one.distribution, other.distribution
    if not (isinstance(families[0], Family) and isinstance(families[1], Family)):
        return None
    if families[0].name != families[1].name or families[0].name not in SPREADS:
        return None
    (here, size), (there, other_size) = _centred(families[0]), _centred(families[1])
    if size != other_size:
        return None
    zero = tree.Number(Fraction(0), _NOWHERE)
    place = tree.Conditional(condition, here or zero, there or zero, _NOWHERE)
    names = {each.name for each in DISTRIBUTIONS[families[0].name].parameters}
    arguments = [*((each, place) for each in _CENTRES if each in names), *size.items()]
    if here is None and there is None:
        arguments = list(size.items())
    law = replace(families[0], arguments=tuple(tree.Argument(name, value, _NOWHERE) for name, value in arguments))
    return replace(one, distribution=law)


def _sum(a: dict[str, Fraction] | None, b: dict[str, Fraction] | None) -> dict[str, Fraction] | None:
    if a is None or b is None:
        return None
    total = {source: a.get(source, Fraction(0)) + b.get(source, Fraction(0)) for source in {**a, **b}}
    return {source: factor for source, factor in total.items() if factor}


def _scaled(a: dict[str, Fraction] | None, factor: Fraction) -> dict[str, Fraction] | None:
    return None if a is None else {source: factor * one for source, one in a.items() if factor}
