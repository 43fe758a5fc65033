"""``DP(x -> y) <= e`` and ``Delta(x -> y, eps=e) <= d`` over ranges behind noise whose size depends on the parameters: bounds of the loss that are read from the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.formulas.fixed_parameters import with_fixed
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Mechanism, mechanism_of
from seepage.measures.privacy.releases import (
    Move,
    best_shield,
    loss_of,
    moves,
    needed,
    steps_of,
    undominated,
)
from seepage.measures.privacy.scaled_noise import with_scaled_noise
from seepage.measures.ranges.conditions import passing_conditions
from seepage.measures.ranges.privacy import Claim, Difference, related, written
from seepage.measures.ranges.runs import NoProblem, Runs
from seepage.measures.scope import Scope, variables
from seepage.semantics.checked import Domain
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import Expression

_MOST_MOVES = 64


def differences_of(
    scope: Scope, claim: Claim, ranges: Mapping[str, Domain], budget: Budget, point: Mapping[str, Number]
) -> tuple[tuple[Difference, ...], Runs, tuple[str, ...]]:
    """Return upper bounds of the loss minus ε, the runs that they rest on, and what must hold for the noise to exist.

    Where none is positive the claim is true, whatever its δ; where one is positive it may be true all the same.

    Args:
        scope: of the measure's names.
        claim: of privacy.
        ranges: of the free parameters; the others have the scope's values.
        budget: of the run.
        point: a point of the ranges, at which the least of several bounds is chosen.

    Raises:
        NotRead: if the program is no such mechanism.
        NoProblem: if the places of its releases cannot be followed.
        NoPolynomial: if it is not known where its observations pass.
        Fault: of the program or the measure.
    """
    call = claim.call
    x, y, z = (variables(scope, names) for names in (call.left, call.right, call.given))
    closeness = related(scope, call)
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    core = slice_program(with_fixed(scope.core, values), (*x, *y, *z))
    core = with_scaled_noise(core, y, (*x, *z), ranges)
    mechanism = mechanism_of(core, (*x, *z), y)
    chosen = [best_shield(release, mechanism.noises, point) for release in mechanism.releases]
    runs = Runs(scope, values, ranges, budget)
    e = written(scope, claim.epsilon, ranges)
    found: dict[Expression, Difference] = {}
    for move in _moves(runs, mechanism, (x, z), closeness, steps_of(chosen)):
        loss = loss_of(move, chosen)
        if loss is None:
            raise NotRead
        found.setdefault(loss, Difference(loss, e, ranges))
    if len(found) > _MOST_MOVES:
        raise NoProblem("there are too many distances between neighbours")
    conditions = (
        *needed(mechanism.noises.values(), ranges, point),
        *passing_conditions(scope, ranges, runs.budget, point),
    )
    return tuple(found.values()), runs, conditions


def _moves(
    runs: Runs,
    mechanism: Mechanism,
    inputs: tuple[tuple[str, ...], tuple[str, ...]],
    closeness: Closeness,
    steps: Sequence[Fraction | None],
) -> tuple[Move, ...]:
    x, z = inputs
    places = tuple(release.place for release in mechanism.releases)
    joint = runs.joint(mechanism.core, (*x, *z, *places))
    index = joint.variables.index
    rows: dict[Values, dict[Values, dict[Values, Polynomial]]] = {}
    for key, mass in joint.masses.items():
        given, one, place = (tuple(key[index(name)] for name in names) for names in (z, x, places))
        row = rows.setdefault(given, {}).setdefault(one, {})
        row[place] = joint.ring.add(row[place], mass) if place in row else mass
    found: list[Move] = []
    for by_input in rows.values():
        try:
            found += moves(by_input, closeness, lambda a, b, s, t: a * t == b * s, joint.ring.add, steps)
        except TooManyNeighbours as many:
            raise NoProblem(many.reason) from many
    return undominated(found, steps)
