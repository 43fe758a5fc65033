r"""Programs that add noise to discrete inputs and compare what comes out: followed once, whatever the inputs are.

What comes before the noise (the *inputs*) has a discrete law of its own. The rest is followed with a symbol in the place of each input that has several values, as
if it were one more source with a density, so that guards are on combinations of symbols and noise. Given values of the inputs these are guards on
the noise alone, whose chance is known (:mod:`seepage.engines.pivot.densities`). Report noisy max among n counts so has n paths, where following it value by value would take
:math:`2^{n-1}` for each of the values of the counts. Chances depend on which laws the noise has and what bounds it, not on how sources are numbered: like ones are
computed once, so that n noisy bits have 2 n kinds of chances.

A comparison of symbols alone is of discrete values, which may be equal, and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from flint import arb, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.kinds import is_continuous
from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import Budget, DiscreteJoint, Joint
from seepage.engines.pivot.densities import probability_of, weight_of
from seepage.engines.pivot.infinite import is_windowed
from seepage.engines.pivot.path import Path, Symbols
from seepage.engines.pivot.paths import paths_of
from seepage.engines.soga.weights import Weights
from seepage.exact import Number
from seepage.laws.forms import Beyond, Direction, Value, direction_of, source, terms_of
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge, Law
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.statements import may_write, names_read, read_before, walk, written_variables

Row: TypeAlias = tuple[Number, ...]
_Key: TypeAlias = tuple[tuple[Law, ...], tuple[tuple[Direction, tuple[Edge, Edge]], ...]]

_ANY_VALUE = Laplace((1,))  # stands for what is not known: its density is positive everywhere
_SEVERAL = 3  # noisy values: comparisons of fewer depend on each other at most in pairs


@dataclass(frozen=True, slots=True)
class Parted:
    """A program in two parts.

    Attributes:
        first: what is computed and drawn without noise, before everything else.
        told: the variables of the first part that the second one reads, or that are asked for.
        second: what is left.
        asked: the variables that it decides.
    """

    first: CoreProgram
    told: tuple[str, ...]
    second: CoreProgram
    asked: tuple[str, ...]


def parted(core: CoreProgram, asked: Sequence[str]) -> Parted | None:
    """Return the parts of a program, None where there are not both, or where the second one observes, loops or rounds."""
    first: list[CoreStatement] = []
    second: list[CoreStatement] = []
    read: set[str] = set()
    written: set[str] = set()
    for statement in core.statements:
        reads, writes = core.expanded(names_read([statement])), may_write(core, [statement])
        noisy = any(isinstance(each, CoreSample) and is_continuous(each.distribution) for each in walk([statement]))
        if noisy or reads & written or writes & (read | written):
            second.append(statement)
            read |= reads
            written |= writes
        else:
            first.append(statement)
    rest = replace(core, statements=tuple(second))
    plain = all(isinstance(each, CoreAssign | CoreSample | CoreIf) for each in walk(second))
    if not first or not second or not plain or is_windowed(rest):
        return None
    decided = tuple(name for name in asked if name in written)
    before = frozenset(written_variables(first))
    needed = core.expanded(read_before(second, decided)) | (set(asked) - written)
    told = tuple(sorted(before & needed))
    if not told or not decided or not set(asked) <= {*told, *decided}:
        return None
    # The first part is asked for what variables hold there, also a secret of which measures mean the first value.
    return Parted(replace(core, statements=tuple(first), aliases={}), told, rest, decided)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The second part of a program, followed for all values of its inputs.

    Attributes:
        symbols: the inputs that have several values, which are the first sources of all paths.
        paths: of the second part.
        asked: the variables that it decides.
        known: chances that were computed before.
    """

    symbols: tuple[str, ...]
    paths: tuple[Path, ...]
    asked: tuple[str, ...]
    known: dict[_Key, arb]

    def given(self, values: Row) -> Iterator[tuple[Row, arb]]:
        """Yield values of what is asked, with their chances given the inputs; perhaps some more than once.

        Raises:
            Beyond: if a chance is not known, or a variable is continuous.
        """
        for path in self.paths:
            if (guarded := _given(path, values)) is not None:
                told = tuple(_value(path.values[name], values) for name in self.asked)
                yield told, weight_of(path) * self._chance(guarded)

    def _chance(self, path: Path) -> arb:
        key = _key_of(path)
        if key not in self.known:
            laws, guards = key
            self.known[key] = probability_of(Path(Weights.one, {}, laws, dict(guards)))
        return self.known[key]


def followed_once(
    program: Parted, support: Mapping[str, set[Number]], parameters: Mapping[str, Number], budget: Budget, bits: int
) -> Inputs:
    """Follow the second part of a program for all values of its inputs.

    Args:
        program: in its parts.
        support: the values of each variable that the first part tells.
        parameters: values of the program's parameters.
        budget: limits.
        bits: precision of chances of discrete choices.

    Raises:
        Beyond: if it is not of the kind that is followed so, as where symbols are compared with each other.
    """
    symbols = tuple(name for name in program.told if len(support[name]) > 1)
    held: dict[str, Value] = {name: next(iter(support[name])) for name in program.told if name not in symbols}
    held |= {name: source(at) for at, name in enumerate(symbols)}
    start = Symbols(held, (_ANY_VALUE,) * len(symbols))
    paths = paths_of(program.second, program.asked, parameters, budget, bits, symbols=start)
    return Inputs(symbols, paths, program.asked, {})


def masses_by_inputs(
    core: CoreProgram,
    asked: tuple[str, ...],
    parameters: Mapping[str, Number],
    budget: Budget,
    solve: Callable[[CoreProgram, tuple[str, ...], Mapping[str, Number], Budget], Joint],
    least: int,
) -> DiscreteJoint[arb]:
    """Return the joint of variables of a program that is followed once for all of its inputs.

    Args:
        core: what the variables depend on.
        asked: plain variables.
        parameters: values of the program's parameters.
        budget: limits.
        solve: what tells the law of the inputs (:func:`seepage.engines.select.solve`).
        least: the number of inputs from which on it is done, where positive; then several noisy values decide what is asked, too.

    Raises:
        Beyond: if the program is not of this kind, or a chance is not known.
    """
    program = parted(core, asked)
    if program is None or (least and _noises(program.second) < _SEVERAL):
        raise Beyond("a program that adds no noise to discrete inputs")
    try:
        before = solve(program.first, program.told, parameters, budget)
    except Fault as fault:
        raise Beyond(fault.diagnostic.message) from fault
    if not isinstance(before, DiscreteJoint) or before.cut is not None or len(before.masses) < least:
        raise Beyond("inputs that are not followed together")
    columns = zip(*before.masses, strict=True)
    support = {name: set(column) for name, column in zip(before.variables, columns, strict=True)}
    inputs = followed_once(program, support, parameters, budget, int(ctx.prec))
    places, masses = before.positions(inputs.symbols), dict[tuple[Number, ...], arb]()
    for values, mass in before.masses.items():
        if budget.expired() or len(masses) > budget.states:
            raise Beyond("too many inputs")
        known = dict(zip(before.variables, values, strict=True))
        for told, chance in inputs.given(tuple(values[place] for place in places)):
            known.update(zip(inputs.asked, told, strict=True))
            key = tuple(known[name] for name in asked)
            masses[key] = masses.get(key, arb(0)) + arb(mass) * chance
    masses = {key: mass for key, mass in masses.items() if not mass.is_zero()}
    if not masses or not all(mass > 0 for mass in masses.values()):
        raise Beyond("a probability that is not known to be positive")
    return DiscreteJoint(asked, balls(int(ctx.prec)), masses, sum(masses.values(), arb(0)))


def _noises(core: CoreProgram) -> int:
    return sum(isinstance(each, CoreSample) and is_continuous(each.distribution) for each in walk(core.statements))


def _given(path: Path, values: Row) -> Path | None:
    """Return a path with its guards given the values of the first sources, None where these leave it no place."""
    found: Path | None = replace(path, values={}, guards=None)
    for guarded, ends in (path.guards or {}).items():
        noise = {index: coefficient for index, coefficient in guarded if index >= len(values)}
        moved: Number = 0
        for index, coefficient in guarded:
            if index < len(values):
                moved = exact.add(moved, exact.mul(coefficient, values[index]))
        low, high = (None if end is None else exact.sub(end, moved) for end in ends)
        own, scale = direction_of(noise)
        found = None if found is None else found.within(own, *_scaled(low, high, scale))
    return found


def _scaled(low: Edge, high: Edge, scale: Number) -> tuple[Edge, Edge]:
    ends = tuple(None if end is None else exact.div(end, scale) for end in (low, high))
    return (ends[0], ends[1]) if exact.sign(scale) > 0 else (ends[1], ends[0])


def _value(value: Value, values: Row) -> Number:
    total: Number = 0
    for monomial, coefficient in terms_of(value).items():
        term = coefficient
        for index, power in monomial:
            if index >= len(values):
                raise Beyond("a continuous variable")
            for _ in range(power):
                term = exact.mul(term, values[index])
        total = exact.add(total, term)
    return total


def _key_of(path: Path) -> _Key:
    """Return the laws of guarded sources and the guards, sources numbered by what they are and what bounds them."""
    guards = path.guards or {}
    about: dict[int, list[str]] = {}
    for guarded, ends in guards.items():
        for index, own in guarded:
            beside = sorted((repr(exact.div(a, own)), repr(path.laws[other])) for other, a in guarded if other != index)
            about.setdefault(index, []).append(repr((beside, _scaled(*ends, own))))
    order = sorted(about, key=lambda index: (repr(path.laws[index]), sorted(about[index])))
    places = {index: at for at, index in enumerate(order)}
    found: list[tuple[Direction, tuple[Edge, Edge]]] = []
    for guarded, ends in guards.items():
        renamed, scale = direction_of({places[index]: coefficient for index, coefficient in guarded})
        found.append((renamed, _scaled(*ends, scale)))
    return tuple(path.laws[index] for index in order), tuple(sorted(found, key=repr))
