"""What variables of a Gaussian mixture tell about each other: I(x; y | z) in nats, for discrete, continuous and mixed variables.

I(x; y) = H(x) + H(y) − H(x, y) by strata (see :mod:`seepage.measures.gaussian.densities`); the reference measures cancel. It is infinite if and only if some
component has rank Σ < rank Σx + rank Σy: then its law lives on a subspace to which the product of the marginals gives no mass (a subspace
that is no product; lower-dimensional pieces of it carry no mass of the component); otherwise every component is absolutely continuous.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from seepage.engines.outcome import MixtureComponent, MixtureJoint
from seepage.exact import precision
from seepage.measures.arithmetic import add, multiply, subtract
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import bounds as gaussian_bounds
from seepage.measures.gaussian import tuples as gaussian_tuples
from seepage.measures.gaussian.cut import cut_information
from seepage.measures.gaussian.densities import density_entropies
from seepage.measures.gaussian.quadrature_frame import NotResolved
from seepage.measures.gaussian.strata import (
    PRECISION,
    Key,
    Piece,
    Strata,
    Weight,
    all_pieces,
    ball,
    basis,
    full_rank,
    is_discrete,
    not_supported,
    piece_of,
    rank,
    separates,
    strata,
    total,
)
from seepage.measures.gaussian.sum import between, clip, honest, infinite
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.notes import Note

Names: TypeAlias = tuple[str, ...]
Side: TypeAlias = tuple[Key, Hashable]
"""The stratum of one side in a component, and what proves its Gaussian equal to another's."""

REVEALED = Note("one side determines a linear function of the other exactly, in some run")
PROJECTED = Note("bounds: from below by single variables and linear combinations, from above by the components' labels")


def mutual_information(joint: MixtureJoint, x: Sequence[str], y: Sequence[str], z: Sequence[str] = ()) -> Enclosure:
    """Return I(x; y | z): at least 0, at most the entropies of its discrete sides; inf where one side reveals the other.

    Raises:
        Fault: not supported, for a continuous z together with variables that are functions of each other.
    """
    with precision(PRECISION):
        found = _given(joint, tuple(x), tuple(y), tuple(z)) if z else _information(joint, tuple(x), tuple(y))
        return honest(cut_information(clip(found, lower=arb(0)), joint, x, y, z), joint, lower=arb(0))


def _given(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...]) -> Enclosure:
    parts = strata(joint, z)
    if is_discrete(parts):
        groups: dict[Key, list[MixtureComponent]] = {}
        for component in joint.components:
            groups.setdefault(piece_of(joint, component, z, component.weight)[0], []).append(component)
        whole = ball(total(component.weight for component in joint.components))
        terms = []
        for group in groups.values():
            share = ball(total(component.weight for component in group)) / whole
            terms.append(
                multiply(Enclosure.of_ball(share), _information(MixtureJoint(joint.variables, tuple(group)), x, y))
            )
        if all(term.exact == 0 for term in terms):
            return Enclosure.of_rational(Fraction(0))
        return add(*terms)
    if reveals(joint, x, y, z):
        return infinite(1, REVEALED)
    laws = [strata(joint, names) for names in ((*x, *z), (*y, *z), z, (*x, *y, *z))]
    if not full_rank(piece for law in laws for piece in all_pieces(law)):
        raise not_supported(
            "information given a continuous variable is not computed yet where a variable is a linear function of the others"
        )
    with_x, with_y, alone, everything = density_entropies(laws)
    return subtract(add(with_x, with_y), add(alone, everything))


def _information(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...]) -> Enclosure:
    if proves_independence(joint, x, y):
        return Enclosure.of_rational(Fraction(0))
    if reveals(joint, x, y):
        return infinite(1, REVEALED)
    of_x, of_y, of_both = strata(joint, x), strata(joint, y), strata(joint, (*x, *y))
    for law, names, others in ((of_x, x, y), (of_y, y, x)):
        if is_discrete(law) and separates(joint, others, names):
            return density_entropies([law])[0]
    if not full_rank(all_pieces(of_both)):
        return _redundant(joint, x, y, of_x, of_y, of_both)
    own, other, both = density_entropies([of_x, of_y, of_both])
    found = subtract(add(own, other), both)
    for law, found_entropy in ((of_x, own), (of_y, other)):
        if is_discrete(law):
            found = clip(found, upper=found_entropy.upper)
    if found.upper - found.lower > COARSE:
        if (apart := _atoms_apart(joint, x, y, of_both)) is not None:
            return clip(clip(apart, lower=found.lower, upper=found.upper), lower=arb(0))
        found = _tuples(joint, x, y, (of_x, own), (of_y, other), found)
    return clip(found, lower=arb(0))


# --- what is decided exactly --------------------------------------------------------------------------------------------------


def proves_independence(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Tell whether the components prove independence: each a product A_a ⊗ B_b, and the exact table of their weights w[a, b] of rank one."""
    table: dict[Side, dict[Side, list[Weight]]] = {}
    columns: set[Side] = set()
    for component in joint.components:
        (key_x, own), (key_y, other) = (piece_of(joint, component, names, component.weight) for names in (x, y))
        both = piece_of(joint, component, (*x, *y), component.weight)[1]
        if len(both.rows) < len(own.rows) + len(other.rows):
            return False  # a shared continuous variable
        n = len(own.rows)
        if not all(entry.is_zero() for row in both.covariance[:n] for entry in row[n:]):
            return False
        row, column = (key_x, own.identity), (key_y, other.identity)
        columns.add(column)
        table.setdefault(row, {}).setdefault(column, []).append(component.weight)
    if len(table) == 1 or len(columns) == 1:
        return True
    if any(cells.keys() != columns for cells in table.values()):
        return False  # a positive table of rank one has no gaps
    weights = {row: {column: total(ws) for column, ws in cells.items()} for row, cells in table.items()}
    if any(isinstance(weight, arb) for cells in weights.values() for weight in cells.values()):
        return False
    whole = total(weight for cells in weights.values() for weight in cells.values())
    by_column = {column: total(cells[column] for cells in weights.values()) for column in columns}
    return all(
        cell * whole == total(cells.values()) * by_column[column]
        for cells in weights.values()
        for column, cell in cells.items()
    )


def reveals(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...] = ()) -> bool:
    """Tell whether I(x; y | z) is infinite: rank Σ < rank Σx + rank Σy in some component, decided by exact coefficients.

    Given z, these are ranks of covariances given z, rank Σ(x, z) − rank Σ(z) and so on: of almost every value of z in a component's
    subspace, that component has a positive share, and the argument for no z applies.
    """
    seen = set()
    for component in joint.components:
        own, other, given = (piece_of(joint, component, names, component.weight)[1].rows for names in (x, y, z))
        if own and other and (own, other, given) not in seen:
            seen.add((own, other, given))
            joined, apart = rank((*own, *other, *given)) + rank(given), rank((*own, *given)) + rank((*other, *given))
            if joined < apart:
                return True
    return False


# --- tuples --------------------------------------------------------------------------------------------------------------------


def _redundant(
    joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...], of_x: Strata, of_y: Strata, of_both: Strata
) -> Enclosure:
    """Handle variables of one side that are functions of the others of that side (finite information all the same).

    With one Gaussian for each stratum of x and of y, such variables carry nothing new and are left out, stratum by stratum.
    """
    laws = (of_x, of_y, of_both)
    if all(len(pieces) == 1 and pieces[0].certain for law in laws for pieces in law.values()):
        reduced = [_essential(law) for law in laws]
        own, other, both = density_entropies(reduced)
        return subtract(add(own, other), both)
    best = gaussian_tuples.of_single_variables(joint, x, y, _information)
    upper = min((_entropy_bound(law) for law in (of_x, of_y)), key=float)
    return between(best, upper, PROJECTED)


def _entropy_bound(law: Strata) -> arb:
    return density_entropies([law])[0].upper if is_discrete(law) else arb.pos_inf()


def _essential(law: Strata) -> Strata:
    result: dict[Key, tuple[Piece, ...]] = {}
    for index, (key, (piece,)) in enumerate(law.items()):
        chosen = basis(piece.rows)
        mean = tuple(piece.mean[i] for i in chosen)
        covariance = tuple(tuple(piece.covariance[i][j] for j in chosen) for i in chosen)
        rows = tuple(piece.rows[i] for i in chosen)
        slim = Piece(piece.weight, rows, mean, covariance, piece.identity, piece.certain)
        # The stratum keeps its place; what was left out counts as an atom of its own.
        continuous = [at for at, value in enumerate(key) if value is None]
        left_out = {at for i, at in enumerate(continuous) if i not in chosen}
        result[tuple(index if at in left_out else value for at, value in enumerate(key))] = (slim,)
    return result


def _atoms_apart(joint: MixtureJoint, x: Names, y: Names, both: Strata) -> Enclosure | None:
    """Return I((d, x); y) = I(d; y) + I(x; y | d) for the discrete variables d of one side; None if a side has none beside others."""
    names = tuple(dict.fromkeys((*x, *y)))
    discrete = {name for at, name in enumerate(names) if all(key[at] is not None for key in both)}
    for side, other in ((x, y), (y, x)):
        atoms = tuple(name for name in side if name in discrete)
        rest = tuple(name for name in side if name not in discrete)
        if atoms and rest and not set(atoms) & set(other):
            return add(_information(joint, atoms, other), _given(joint, rest, other, atoms))
    return None


def _tuples(
    joint: MixtureJoint,
    x: tuple[str, ...],
    y: tuple[str, ...],
    first: tuple[Strata, Enclosure],
    second: tuple[Strata, Enclosure],
    found: Enclosure,
) -> Enclosure:
    """Tighten bounds in three and more dimensions, as :mod:`gaussian_tuples` says."""
    upper = found.upper
    within, within_x, within_y = arb(0), arb(0), arb(0)
    whole = ball(total(component.weight for component in joint.components))
    try:
        for component in joint.components:
            weight = ball(component.weight) / whole
            own, other, both = (_entropy_of(piece_of(joint, component, names, weight)[1]) for names in (x, y, (*x, *y)))
            within += weight * (own + other - both)
            within_x, within_y = within_x + weight * own, within_y + weight * other
        label = (first[1].upper - within_x).min(second[1].upper - within_y)
        upper = upper.min((within + label).upper())
    except NotResolved:
        pass
    low, high = gaussian_tuples.of_directions(joint, x, y, _information)
    lower, upper = found.lower.max(low), upper.min(high)
    if not low > 0:
        lower = lower.max(gaussian_tuples.of_single_variables(joint, x, y, _information))
    if lower <= found.lower and upper >= found.upper:
        return found
    bounds = between(lower, upper, PROJECTED)
    return bounds if upper - lower > COARSE else replace(bounds, notes=())


def _entropy_of(piece: Piece) -> arb:
    return gaussian_bounds.gaussian_entropy(piece.covariance) if piece.rows else arb(0)
