"""Reads from a program which independent releases it makes of the values of some inputs.

The releases are the parts of the outputs that are independent of each other given the inputs (:mod:`seepage.semantics.separation`); those that differ in
names only are read once and counted. Each is a finite law for each value of the inputs, or a place that is random itself, behind independent normal or Laplace noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import samples_continuous, solve
from seepage.exact import Number
from seepage.laws.forms import Beyond
from seepage.laws.laplace import Laplace
from seepage.laws.law import Law as NoiseLaw
from seepage.laws.normal import Normal
from seepage.laws.table import noise_of_size
from seepage.measures.accounting.account import Releases
from seepage.measures.accounting.cell import Pair
from seepage.measures.accounting.discrete import Discrete, Published
from seepage.measures.accounting.lattice import cells_behind, is_lattice, samples_lattice
from seepage.measures.accounting.mixtures import Laplaces, Law, Normals
from seepage.measures.channels.channel import channels, is_exact
from seepage.measures.discrete.weights import Values
from seepage.measures.joints import Inquiry, need_no_fault
from seepage.measures.planning.likeness import Likeness, likeness
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Mechanism, Noise, Release, mechanism_of
from seepage.semantics.core import CoreProgram, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.separation import Extraction, Part, separate
from seepage.semantics.statements import walk, written_variables

Names = tuple[str, ...]
Row: TypeAlias = Mapping[Values, Number]
_MOST_PLACES = 64
_MOST_CELLS = 4_096  # of outputs behind geometric noise together


@dataclass(frozen=True, slots=True)
class Told:
    """Releases that are alike: what they tell about the inputs that they depend on.

    Attributes:
        held: the numbers of the inputs on whose values each depends, with how many do.
        rows: for each value of these the law of discrete outputs, and of places behind noise.
        discrete: how many of the outputs are discrete; they come first.
        noises: of each place, the law around 0.
    """

    held: Mapping[tuple[int, ...], int]
    rows: Mapping[Values, Row]
    discrete: int
    noises: tuple[NoiseLaw, ...]

    def pairs(self, one: Values, other: Values) -> list[tuple[Pair, int]]:
        """Return the pairs of laws for two values of all inputs.

        Raises:
            NotRead: if places behind several noises depend on each other, and noise is not normal or places are on no line.
        """
        found: list[tuple[Pair, int]] = []
        for held, count in self.held.items():
            first, second = (tuple(values[at] for at in held) for values in (one, other))
            if first != second:
                found += [(pair, count) for pair in self._pair(self.rows[first], self.rows[second])]
        return found

    def _pair(self, p: Row, q: Row) -> list[Pair]:
        if not self.noises:
            return [Discrete(tuple((p.get(each, 0), q.get(each, 0)) for each in {**p, **q}))]
        if not self.discrete:
            return self._behind(p, q)
        outputs: list[tuple[Number, Number, Pair]] = []
        for told in {values[: self.discrete]: None for values in (*p, *q)}:
            ours, theirs = (
                {k[self.discrete :]: w for k, w in row.items() if k[: self.discrete] == told} for row in (p, q)
            )
            totals = _total(ours), _total(theirs)
            if totals[0] == 0 or totals[1] == 0:
                outputs.append((*totals, Discrete(((1, 1),))))
            else:
                laws = _divided(ours, totals[0]), _divided(theirs, totals[1])
                pair = _along_a_line(self.noises, *laws) if len(self.noises) > 1 else self._behind(*laws)[0]
                outputs.append((*totals, pair))
        return [Published(tuple(outputs))]

    def _behind(self, p: Row, q: Row) -> list[Pair]:
        if len(self.noises) > 1 and (len(p) > 1 or len(q) > 1):
            return [_along_a_line(self.noises, p, q)]
        return [_behind(law, _places(p, at), _places(q, at)) for at, law in enumerate(self.noises)]


def _total(row: Row) -> Number:
    total: Number = 0
    for weight in row.values():
        total = exact.add(total, weight)
    return total


def _divided(row: Row, total: Number) -> Row:
    return {values: exact.div(weight, total) for values, weight in row.items()}


def _places(row: Row, at: int) -> list[tuple[Number, Number]]:
    return [(values[at], weight) for values, weight in row.items()]


def _behind(law: NoiseLaw, p: Sequence[tuple[Number, Number]], q: Sequence[tuple[Number, Number]]) -> Pair:
    """Return the pair of two laws of places behind one noise; the first place is moved to 0, and all are turned to one side, which changes nothing."""
    pair, size = _kind_of(law)
    start = p[0][0]
    if sum(exact.nearest_float(exact.sub(place, start)) for place, _ in (*p, *q)) < 0:
        start, p, q = (
            exact.sub(0, start),
            *([(exact.sub(0, place), weight) for place, weight in row] for row in (p, q)),
        )
    sides = [tuple((exact.div(exact.sub(place, start), size), weight) for place, weight in row) for row in (p, q)]
    return pair(_ordered(sides[0]), _ordered(sides[1]))


def _kind_of(law: NoiseLaw) -> tuple[type[Normals | Laplaces], Number]:
    """Return of which kind pairs behind a noise are, and how far apart places are that are 1 apart in these."""
    match law:
        case Normal(parameters=(variance,)):
            return Normals, exact.sqrt_(variance)
        case Laplace(parameters=(scale,)):
            return Laplaces, scale
        case _:
            raise NotRead


def _along_a_line(noises: Sequence[NoiseLaw], p: Row, q: Row) -> Pair:
    r"""Return the pair of two laws of vectors of places behind independent normal noises, where all vectors are on one line.

    Only the outputs' projection on the line tells anything. Along a direction d, one step moves by
    :math:`\sqrt{\sum_k d_k^2 / s_k^2}` deviations of the noise there, with s the deviations of the noises.

    Raises:
        NotRead: if they are on no line, or the noise is another one.
    """
    start, *others = dict.fromkeys((*p, *q))
    apart = [tuple(map(exact.sub, each, start)) for each in others]
    along = next((each for each in apart if any(exact.sign(part) for part in each)), None)
    if along is None:
        return Discrete(((1, 1),))
    axis = next(number for number, part in enumerate(along) if exact.sign(part))
    steps: dict[Values, Number] = {start: 0}
    for values, each in zip(others, apart, strict=True):
        step = exact.div(each[axis], along[axis])
        if any(exact.sign(exact.sub(part, exact.mul(step, way))) for part, way in zip(each, along, strict=True)):
            raise NotRead
        steps[values] = step
    squares: Number = 0
    for part, noise in zip(along, noises, strict=True):
        match noise:
            case Normal(parameters=(variance,)):
                squares = exact.add(squares, exact.div(exact.mul(part, part), variance))
            case _:
                raise NotRead
    unit = exact.sqrt_(squares)
    sides = [[(exact.mul(steps[values], unit), weight) for values, weight in row.items()] for row in (p, q)]
    return _behind(Normal((1,)), *sides)


def _ordered(law: Sequence[tuple[Number, Number]]) -> Law:
    return tuple(sorted(law, key=lambda each: exact.nearest_float(each[0])))


def releases_of(core: CoreProgram, inputs: Names, outputs: Names, inquiry: Inquiry) -> tuple[Told, ...]:
    """Read all releases.

    Args:
        core: the program.
        inputs: discrete variables.
        outputs: what is published.
        inquiry: with the values of the parameters, and limits.

    Raises:
        NotRead: if some output is no such release.
        Fault: of the program.
    """
    separation = separate(core, outputs, inputs)
    if separation.observations or separation.constants:
        raise NotRead
    extraction, numbers = Extraction(separation), {name: number for number, name in enumerate(inputs)}
    kinds: dict[Likeness, tuple[Part, tuple[CoreStatement, ...], Counter[tuple[int, ...]]]] = {}
    for part in separation.parts:
        statements = extraction.statements(Part((*part.names, *part.held), ()))
        key = likeness(statements, (part.held, part.names), core.parameters, arrays=core.arrays)
        kind = kinds.setdefault(key, (part, statements, Counter()))
        kind[2][tuple(numbers[name] for name in part.held)] += _rounds(core, part.names)
    return tuple(_told(core, part, statements, held, inquiry) for part, statements, held in kinds.values())


def _rounds(core: CoreProgram, names: Names) -> int:
    """Return for how many rounds of a loop a part stands.

    Raises:
        NotRead: if it is not of one round: what rounds tell is not independent then.
    """
    counts = {core.rounds.get(name, 1) for name in names}
    if len(counts) != 1:
        raise NotRead
    return counts.pop()


def _told(
    core: CoreProgram,
    part: Part,
    statements: tuple[CoreStatement, ...],
    held: Counter[tuple[int, ...]],
    inquiry: Inquiry,
) -> Told:
    program = replace(core, statements=statements, variables=written_variables(statements))
    need_no_fault(inquiry, program, (*part.held, *part.names))  # alike parts have the same faults
    noisy = tuple(name for name in part.names if _is_noisy(program, name))
    if not noisy:
        return Told(held, _rows(program, part.held, part.names, inquiry), len(part.names), ())
    discrete = tuple(name for name in part.names if name not in noisy)
    mechanism = mechanism_of(program, (*part.held, *discrete), noisy)
    if not mechanism.direct:
        raise NotRead
    places = tuple(release.place for release in mechanism.releases)
    rows = _rows(mechanism.core, part.held, (*discrete, *places), inquiry)
    if all(is_lattice(release, mechanism.noises) for release in mechanism.releases):
        return Told(held, _through(rows, len(discrete), mechanism, inquiry), len(part.names), ())
    noises = tuple(noise_of(release, mechanism.noises, inquiry.scope.parameters) for release in mechanism.releases)
    return Told(held, rows, len(discrete), noises)


def _through(
    rows: Mapping[Values, Row], discrete: int, mechanism: Mechanism, inquiry: Inquiry
) -> dict[Values, dict[Values, Number]]:
    """Return the rows of outputs behind geometric noise, from those of their places."""
    every = list(dict.fromkeys(values for row in rows.values() for values in row))
    cells = [
        cells_behind(
            release,
            mechanism.noises,
            inquiry.scope.parameters,
            list(dict.fromkeys(values[discrete + at] for values in every)),
        )
        for at, release in enumerate(mechanism.releases)
    ]
    found: dict[Values, dict[Values, Number]] = {}
    for held, row in rows.items():
        own = found.setdefault(held, {})
        for values, weight in row.items():
            outputs: dict[Values, Number] = {values[:discrete]: weight}
            for place, known in zip(values[discrete:], cells, strict=True):
                outputs = {
                    (*before, cell): exact.mul(mass, chance)
                    for before, mass in outputs.items()
                    for cell, chance in known[place].items()
                }
                if len(outputs) > _MOST_CELLS:
                    raise NotRead
            for output, mass in outputs.items():
                own[output] = exact.add(own.get(output, 0), mass)
    return found


def _is_noisy(program: CoreProgram, name: str) -> bool:
    """Tell whether a variable is continuous, or behind noise that has no greatest value."""
    (part,) = separate(program, (name,)).parts or (None,)
    if part is None:
        return False
    statements = list(walk(Extraction(separate(program, (name,))).statements(part)))
    return samples_continuous(statements) or samples_lattice(statements)


def _rows(program: CoreProgram, held: Names, names: Names, inquiry: Inquiry) -> Mapping[Values, Row]:
    """Return for each value of held inputs the law of some variables, as exact numbers.

    Raises:
        NotRead: if it is none.
    """
    joint = solve(program, (*held, *names), inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        raise NotRead
    (channel,) = channels(joint, held, names, (), inquiry.budget).values()
    if not is_exact(channel) or any(len(row) > _MOST_PLACES for row in channel.rows.values()):
        raise NotRead
    return channel.rows


def noise_of(release: Release, noises: Mapping[str, Noise], parameters: Mapping[str, Number]) -> NoiseLaw:
    """Return the law around 0 of the noise of a release.

    Raises:
        NotRead: if it is not one draw with a density, or some that are normal.
    """
    try:
        laws = [_law_of(noises[source], factor, parameters) for source, factor in release.terms.items()]
    except Beyond as beyond:
        raise NotRead from beyond
    if len(laws) == 1:
        return laws[0]
    if not laws or not all(law.is_normal for law in laws):
        raise NotRead
    return Normal((reduce(exact.add, (law.variance for law in laws)),))


def _law_of(noise: Noise, factor: Fraction, parameters: Mapping[str, Number]) -> NoiseLaw:
    law = noise_of_size(noise.family, noise.sized_by, evaluate(noise.size, parameters))
    resized = law.resized(exact.number(abs(factor)))
    if resized is None:
        raise NotRead
    return resized


def releases_for(told: Sequence[Told], one: Values, other: Values) -> Releases:
    """Return the releases for two values of the inputs, equal ones together, normal ones without other randomness as one.

    Raises:
        NotRead: as :meth:`Told.pairs`.
    """
    found: Counter[Pair] = Counter()
    squares: Number = 0
    for each in told:
        for pair, count in each.pairs(one, other):
            if (distance := _distance(pair)) is not None:
                squares = exact.add(squares, exact.mul(count, exact.mul(distance, distance)))
            else:
                found[pair] += count
    if exact.sign(squares) > 0:
        found[Normals(((0, 1),), ((exact.sqrt_(squares), 1),))] += 1
    return Releases(tuple(sorted(found.items(), key=lambda each: (hash(each[0]), each[1]))))


def _distance(pair: Pair) -> Number | None:
    """Return how far apart two normal laws are, None of any other pair."""
    match pair:
        case Normals(of=((one, _),), against=((other, _),)):
            return exact.sub(one, other)
        case _:
            return None
