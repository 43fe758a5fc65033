"""What must hold in a range of parameters for weights to be probabilities and for observations to pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from seepage.algebra import alphabet_of, composed
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number
from seepage.measures.formulas.definedness import Demands
from seepage.measures.privacy.releases import needed
from seepage.measures.ranges.runs import Runs, is_whole, ring_of
from seepage.measures.ranges.unending import Unending
from seepage.measures.scope import Scope
from seepage.semantics.checked import Domain
from seepage.source import Span
from seepage.syntax import tree

_NOWHERE = Span(0, 0)


def conditions_of(
    joints: Iterable[DiscreteJoint[Polynomial]], ranges: Mapping[str, Domain], point: Mapping[str, Number]
) -> tuple[str, ...]:
    """Return what must hold in the ranges, and is not known to, for weights to be probabilities and masses not to vanish."""
    listed = list(joints)
    demands = Demands(tuple(ranges), dict(ranges), point)
    demands.probabilities(dict.fromkeys(each for joint in listed for each in ring_of(joint).probabilities))
    rings = [ring for joint in listed if isinstance(ring := joint.ring, Unending)]
    laws = needed((noise for ring in rings for noise in ring.noises), ranges, point)
    for joint in listed:
        ring = ring_of(joint)
        if is_whole(joint):
            continue
        alphabet = alphabet_of(tuple(ranges), ring.atoms)
        generators = [alphabet.translate(tree.Name(name, _NOWHERE)) for name in ring.parameters]
        generators += [alphabet.translate(atom) for atom in ring.atoms]
        demands.not_zero(composed(joint.mass, generators, alphabet), alphabet)
    return tuple(dict.fromkeys((*laws, *demands.stated)))


def passing_conditions(
    scope: Scope, ranges: Mapping[str, Domain], budget: Budget, point: Mapping[str, Number]
) -> tuple[str, ...]:
    """Return what must hold in the ranges, and is not known to, for all observations of a program to pass, those that slices drop, too.

    Raises:
        NoPolynomial: if that is not followed.
        NoAlgebra: if it cannot be said.
        Fault: of the program.
    """
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    passed = Runs(scope, values, ranges, budget).passing()
    return () if passed is None else conditions_of([passed], ranges, point)
