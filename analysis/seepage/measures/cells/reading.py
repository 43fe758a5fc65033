"""Reads which outputs of a program are independent of each other given discrete values, and what is known of each of them.

Three readings: outputs that are each independent of the others given the inputs, of any law that paths tell; the greatest or least of such values
(:mod:`~seepage.measures.cells.extremes`); and places behind independent normal, Laplace or geometric noise, places that may depend on each other as they like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Placed
from seepage.engines.select import samples_continuous, solve, solve_paths
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Polynomial
from seepage.measures.accounting.lattice import cells_behind, is_lattice, samples_lattice
from seepage.measures.accounting.reading import noise_of
from seepage.measures.cells.columns import Density
from seepage.measures.cells.extremes import Term, extreme_of, law_of
from seepage.measures.discrete.weights import Values
from seepage.measures.joints import Inquiry, need_no_fault
from seepage.measures.pivot.guessing import Slab, humps_of
from seepage.measures.pivot.strata import total_of
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Mechanism, Release, mechanism_of
from seepage.semantics.core import CoreProgram, CoreStatement
from seepage.semantics.separation import Extraction, Part, separate
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk, written_variables

Names = tuple[str, ...]
_MOST_ERROR = arb(2) ** -45  # of densities, in L1


@dataclass(frozen=True, slots=True)
class Look:
    """One output that is independent of all others given some discrete values.

    Attributes:
        held: the variables whose values these are.
        atoms: for each of their values, values of the output that have a chance of their own.
        densities: for each of their values, the density of the others.
    """

    held: Names
    atoms: Mapping[Values, dict[Number, arb]]
    densities: Mapping[Values, Density]


@dataclass(frozen=True, slots=True)
class Looks:
    """What outputs tell about some discrete variables.

    Attributes:
        joint: of the inputs, the discrete outputs and all that looks depend on.
        discrete: the discrete outputs.
        looks: the other ones.
    """

    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb]
    discrete: Names
    looks: tuple[Look, ...]


def looks_of(core: CoreProgram, inputs: Names, outputs: Names, inquiry: Inquiry) -> Looks:
    """Read a program.

    Args:
        core: it, with all events observed.
        inputs: variables.
        outputs: what is published.
        inquiry: with the values of the parameters, and limits.

    Raises:
        NotRead: if it is no such program, or the laws of some outputs are not known.
        Beyond: likewise.
        Fault: of the program.
    """
    core = slice_program(core, (*inputs, *outputs))
    need_no_fault(inquiry, core, (*inputs, *outputs))
    continuous = tuple(name for name in outputs if is_looked_at(slice_program(core, (name,)).statements))
    discrete = tuple(name for name in outputs if name not in continuous)
    if not samples_lattice(core.statements):
        with suppress(Beyond):
            if (looks := _by_parts(core, (*inputs, *discrete), continuous, inquiry)) is not None:
                return Looks(_joint(core, (*inputs, *discrete), inquiry), discrete, tuple(looks.values()))
        if (found := _by_extremes(core, inputs, discrete, continuous, inquiry)) is not None:
            return found
    mechanism = mechanism_of(core, (*inputs, *discrete), continuous)
    if not mechanism.direct:
        raise NotRead
    places = tuple(release.place for release in mechanism.releases)
    joint = _joint(mechanism.core, (*inputs, *discrete, *places), inquiry)
    return Looks(joint, discrete, tuple(_behind(joint, mechanism, each, inquiry) for each in mechanism.releases))


def _by_parts(core: CoreProgram, held: Names, names: Names, inquiry: Inquiry) -> dict[str, Look] | None:
    """Return what is known of some variables given others, None if they are not independent of each other then."""
    separation = separate(core, names, held)
    if separation.observations or separation.constants or any(len(part.names) > 1 for part in separation.parts):
        return None
    extraction = Extraction(separation)
    return {part.names[0]: _by_paths(core, part, extraction, inquiry) for part in separation.parts}


def _by_extremes(
    core: CoreProgram, inputs: Names, discrete: Names, continuous: Names, inquiry: Inquiry
) -> Looks | None:
    """Return what is told where outputs are the greatest or the least of several values, None if none is."""
    terms: dict[str, tuple[Names, int]] = {}
    for name in continuous:
        extreme = extreme_of(core, name)
        core = core if extreme is None else extreme.core
        terms[name] = ((name,), 1) if extreme is None else (extreme.terms, extreme.side)
    every = tuple(each for names, _ in terms.values() for each in names)
    if len(every) == len(continuous):
        return None
    noisy = tuple(each for each in every if is_looked_at(slice_program(core, (each,)).statements))
    known = tuple(each for each in every if each not in noisy)
    looks = _by_parts(core, (*inputs, *discrete, *known), noisy, inquiry)
    if looks is None:
        return None
    joint = _joint(core, (*inputs, *discrete, *known), inquiry)
    return Looks(joint, discrete, tuple(_extreme(joint, names, side, looks) for names, side in terms.values()))


def _extreme(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], names: Names, side: int, looks: Mapping[str, Look]
) -> Look:
    held = tuple(dict.fromkeys(each for name in names for each in (looks[name].held if name in looks else (name,))))
    atoms: dict[Values, dict[Number, arb]] = {}
    densities: dict[Values, Density] = {}
    for values in joint.support(held):
        named = dict(zip(held, values, strict=True))
        terms: list[Term] = []
        for name in names:
            if name not in looks:
                terms.append(Term({named[name]: arb(1)}, ()))
                continue
            look = looks[name]
            key = tuple(named[each] for each in look.held)
            terms.append(Term(look.atoms[key], tuple(look.densities[key])))
        atoms[values], densities[values] = law_of(terms, side)
    return Look(held, atoms, densities)


def is_looked_at(statements: Sequence[CoreStatement]) -> bool:
    """Tell whether statements draw what outputs are cut into cells for."""
    return samples_continuous(walk(statements)) or samples_lattice(statements)


def _joint(core: CoreProgram, names: Names, inquiry: Inquiry) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
    """Return a law of finitely many values.

    Raises:
        NotRead: if it is none.
    """
    joint = solve(core, names, inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        raise NotRead
    return joint


def _by_paths(core: CoreProgram, part: Part, extraction: Extraction, inquiry: Inquiry) -> Look:
    statements = extraction.statements(Part((*part.names, *part.held), ()))
    program = replace(core, statements=statements, variables=written_variables(statements))
    (name,) = part.names
    groups: dict[Values, list[Path]] = {}
    for path in solve_paths(program, (*part.held, name), inquiry.scope.parameters, inquiry.budget):
        held: list[Number] = []
        for each in part.held:
            if isinstance(value := path.values[each], Polynomial):
                raise NotRead
            held.append(value)
        groups.setdefault(tuple(held), []).append(path)
    atoms: dict[Values, dict[Number, arb]] = {}
    densities: dict[Values, Density] = {}
    for values, paths in groups.items():
        total = total_of(paths)
        own: dict[Number, arb] = {}
        for path in paths:
            if not isinstance(value := path.values[name], Polynomial):
                own[value] = own.get(value, arb(0)) + total_of([path]) / total
        smooth = [path for path in paths if isinstance(path.values[name], Polynomial)]
        found, error = humps_of(smooth, name) if smooth else ([], arb(0))
        if not error <= _MOST_ERROR * total:
            raise Beyond("densities that are known roughly")
        atoms[values], densities[values] = own, [(weight / total, hump) for weight, hump in found]
    return Look(part.held, atoms, densities)


def _behind(
    joint: DiscreteJoint[fmpq] | DiscreteJoint[arb], mechanism: Mechanism, release: Release, inquiry: Inquiry
) -> Look:
    at, parameters = joint.variables.index(release.place), inquiry.scope.parameters
    places = list(dict.fromkeys(values[at] for values in joint.masses))
    if is_lattice(release, mechanism.noises):
        known = cells_behind(release, mechanism.noises, parameters, places)
        atoms: dict[Values, dict[Number, arb]] = {
            (place,): {cell: enclose(chance) for cell, chance in known[place].items()} for place in places
        }
        return Look((release.place,), atoms, {values: [] for values in atoms})
    law = noise_of(release, mechanism.noises, parameters)
    densities: dict[Values, Density] = {
        (place,): [(arb(1), Slab(Placed(law, place, 1, None, None)))] for place in places
    }
    return Look((release.place,), {values: {} for values in densities}, densities)
