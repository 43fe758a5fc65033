"""Which parts a mixture has: its marginal on some variables, split by support, equal components merged, ranks decided exactly.

A variable is an atom in some components and continuous in others. In the reference measure "counting on atoms + Lebesgue", the patterns of atoms
and densities (with the atoms' values) are disjoint up to null sets, so that the law is a sum over *strata*, each an unnormalised density in as many
coordinates as are continuous there, and −∫ log of the density adds over strata.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from flint import arb, fmpq, fmpq_mat

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.gaussian import Affine
from seepage.engines.outcome import MixtureComponent, MixtureJoint
from seepage.exact import Number, div, mul, number, sub, to_fraction
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian
from seepage.semantics.memo import Same
from seepage.source import Span

Weight: TypeAlias = fmpq | arb
Key: TypeAlias = tuple[Number | None, ...]

PRECISION = 160
"""Bits of the closed forms; every function here and above works at the precision its caller has set."""
_SEPARATED = 256  # components on parallel supports whose offsets are compared pair by pair


@dataclass(frozen=True, slots=True)
class Piece:
    """A component's marginal inside one stratum.

    Attributes:
        weight: its share of the whole law; exact where all weights of the joint are.
        rows: exact coefficients of the continuous coordinates over the component's sources.
        mean: one ball per continuous coordinate.
        covariance: square.
        identity: equal identities prove equal Gaussians.
        certain: whether all components merged into this one are provably equal; else they agree within their balls only.
    """

    weight: Weight
    rows: tuple[tuple[Number, ...], ...]
    mean: tuple[arb, ...]
    covariance: tuple[tuple[arb, ...], ...]
    identity: Hashable
    certain: bool = True

    def gaussian(self) -> WeightedGaussian:
        """Return the piece as a weighted Gaussian."""
        return WeightedGaussian(ball(self.weight), self.mean, self.covariance, self.certain)


def spread_of(piece: Piece) -> Hashable:
    """Return what proves equal variances of pieces with one continuous coordinate if it is equal: an exact ball, or how the variance was computed.

    A piece that is not certain may stand for several variances in one ball, so that nothing is proved of it.
    """
    variance = piece.covariance[0][0]
    if variance.is_exact():
        return variance.man_exp()
    if not piece.certain:
        return id(piece)
    match piece.identity:
        case (((tuple() as forms, _, rows), of), chosen):
            return tuple(form.terms for form in forms if isinstance(form, Affine)), rows, of, chosen
        case _:
            return piece.identity


Strata: TypeAlias = Mapping[Key, tuple[Piece, ...]]


def not_supported(message: str) -> Fault:
    """Return the fault that says what no engine computes yet; the caller knows the place."""
    return Fault(Diagnostic(rules.NOT_SUPPORTED, Span(0, 0), message))


def ball(weight: Weight) -> arb:
    """Return a weight as a ball."""
    return weight if isinstance(weight, arb) else arb(weight)


def total(weights: Iterable[Weight]) -> Weight:
    """Add weights, exactly if all are rational."""
    exact, rest = fmpq(0), None
    for weight in weights:
        if isinstance(weight, arb):
            rest = weight if rest is None else rest + weight
        else:
            exact += weight
    return exact if rest is None else rest + arb(exact)


def divide(weight: Weight, whole: Weight) -> Weight:
    """Return weight / whole, exactly if both are rational."""
    if isinstance(weight, arb) or isinstance(whole, arb):
        return ball(weight) / ball(whole)
    return weight / whole


def strata(joint: MixtureJoint, names: Sequence[str]) -> Strata:
    """Return the marginal on ``names`` (repeated names count once), normalised, with equal components merged.

    Raises:
        ValueError: if a name is not a variable of the joint.
        Fault: if two values that carry no randomness are too close to tell apart.
    """
    whole = total(component.weight for component in joint.components)
    found: dict[Key, list[Piece]] = {}
    for component in joint.components:
        key, piece = piece_of(joint, component, names, divide(component.weight, whole))
        found.setdefault(key, []).append(piece)
    pieces = {key: _without_equals(each) for key, each in found.items()}
    if len(pieces) == 1 and len(only := next(iter(pieces.values()))) == 1:
        # The whole law, however little is known of its weight before normalisation.
        return {key: (replace(only[0], weight=fmpq(1)),) for key in pieces}
    return pieces


def _without_equals(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Return the pieces of a stratum, equal ones merged."""
    if len(pieces) == 1:
        return tuple(pieces)
    place: dict[Hashable, Piece] = {}
    for piece in pieces:
        balls = _fingerprint(piece)
        before = place.get(balls)
        place[balls] = piece if before is None else _merged(before, piece)
    return tuple(place.values())


def piece_of(
    joint: MixtureJoint, component: MixtureComponent, names: Sequence[str], weight: Weight
) -> tuple[Key, Piece]:
    """Return a component's stratum and its marginal there."""
    key, piece = _marginal(Same(component), joint.variables, tuple(dict.fromkeys(names)))
    return key, replace(piece, weight=weight)


@lru_cache(maxsize=16)
def _marginal(same: Same[MixtureComponent], variables: tuple[str, ...], names: tuple[str, ...]) -> tuple[Key, Piece]:
    """Return the marginal once for the many questions about one component, each of which has the square of its variables to read."""
    component = same.one
    places = {name: at for at, name in enumerate(variables)}
    before = [0, *accumulate(value is None for value in component.values)]  # continuous variables before each
    key: list[Number | None] = []
    chosen: list[int] = []
    for name in names:
        if name not in places:
            raise ValueError(f"got the variable {name!r}, expected one of {variables}")
        value, row = component.values[places[name]], before[places[name]]
        if value is None:
            if any(entry != 0 for entry in component.coefficients[row]):
                chosen.append(row)
            else:
                value = _constant(component.mean[row], name)
        key.append(value)
    mean = tuple(component.mean[i] for i in chosen)
    covariance = tuple(tuple(component.covariance[i][j] for j in chosen) for i in chosen)
    identity: Hashable
    if all(entry.is_exact() for row in (mean, *covariance) for entry in row):
        identity = _balls(mean, covariance)
    else:
        identity = (component.law, tuple(chosen))
    return tuple(key), Piece(
        component.weight, tuple(component.coefficients[i] for i in chosen), mean, covariance, identity
    )


def _constant(mean: arb, name: str) -> Number:
    """Return the value of a variable that is continuous by declaration only: no source reaches it."""
    if not mean.is_exact():
        raise not_supported(
            f"'{name}' is a constant that is known by a ball only, so that its values cannot be told apart"
        )
    rational = mean.fmpq()
    return number(Fraction(int(rational.p), int(rational.q)))


def _balls(mean: Sequence[arb], covariance: Sequence[Sequence[arb]]) -> Hashable:
    """Return the bits of a mean and of the covariances that are not 0."""
    entries = ((i, j, entry) for i, row in enumerate(covariance) for j, entry in enumerate(row))
    return tuple(map(_bits, mean)), tuple((i, j, _bits(entry)) for i, j, entry in entries if not entry.is_zero())


def _bits(entry: arb) -> Hashable:
    return entry.mid().man_exp(), entry.rad().man_exp()


def _fingerprint(piece: Piece) -> Hashable:
    # Equal exact balls have equal ranks; balls that merely agree may not.
    ranks = basis(piece.rows) if len(piece.rows) > 1 else ()
    return ranks, _balls(piece.mean, piece.covariance)


def _merged(a: Piece, b: Piece) -> Piece:
    certain = a.certain and b.certain and a.identity == b.identity
    return Piece(total((a.weight, b.weight)), a.rows, a.mean, a.covariance, a.identity, certain)


def mass(pieces: Sequence[Piece]) -> Weight:
    """Return the probability of a stratum."""
    return total(piece.weight for piece in pieces)


def rank(rows: Sequence[Sequence[Number]]) -> int:
    """Return the rank of coefficient rows, exactly."""
    return len(basis(rows))


def basis(rows: Sequence[Sequence[Number]]) -> tuple[int, ...]:
    """Return the indices of the first rows that are linearly independent of those before them, decided exactly."""
    if len(rows) == 1:
        return (0,) if any(entry != 0 for entry in rows[0]) else ()
    if _have_own_columns(rows):
        return tuple(range(len(rows)))
    fractions = [[to_fraction(entry) for entry in row] for row in rows]
    if len(rows) > 1 and all(entry is not None for row in fractions for entry in row):
        matrix = fmpq_mat([[fmpq(f.numerator, f.denominator) for f in row if f is not None] for row in fractions])
        if matrix.rank() == len(rows):
            return tuple(range(len(rows)))
    reduced: list[tuple[int, list[Number]]] = []  # (pivot column, row)
    chosen = []
    for index, row in enumerate(rows):
        rest = list(row)
        for pivot, other in reduced:
            factor = div(rest[pivot], other[pivot])
            if factor != 0:
                rest = [sub(x, mul(factor, y)) for x, y in zip(rest, other, strict=True)]
        lead = next((column for column, entry in enumerate(rest) if entry != 0), None)
        if lead is not None:
            reduced.append((lead, rest))
            chosen.append(index)
    return tuple(chosen)


def _have_own_columns(rows: Sequence[Sequence[Number]]) -> bool:
    """Tell whether each row has an entry in a column where no other one has: then they are independent."""
    read = [[column for column, entry in enumerate(row) if entry != 0] for row in rows]
    readers = Counter(column for columns in read for column in columns)
    return all(any(readers[column] == 1 for column in columns) for columns in read)


def full_rank(pieces: Iterable[Piece]) -> bool:
    """Tell whether every piece has a density in the coordinates of its stratum."""
    return all(rank(piece.rows) == len(piece.rows) for piece in pieces)


def all_pieces(parts: Strata) -> list[Piece]:
    """Return the pieces of all strata."""
    return [piece for pieces in parts.values() for piece in pieces]


def is_discrete(parts: Strata) -> bool:
    """Tell whether there are atoms only."""
    return all(value is not None for key in parts for value in key)


# --- supports ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Support:
    """Where a piece lives: the coordinates that its relations make of the others, plus ``offsets``; no relations where it is all of the space."""

    relations: tuple[tuple[fmpq, ...], ...]
    offsets: tuple[arb, ...]


def separates(joint: MixtureJoint, y: Sequence[str], x: Sequence[str]) -> bool:
    """Tell whether y provably determines a discrete x: components with different values of x have y on different supports.

    Of two Gaussians on different affine subspaces each gives the other's no mass, or is given none by it, so that almost surely the value of y
    tells which it came from. Subspaces are compared exactly; offsets differ where their balls do. False proves nothing.
    """
    places: dict[Hashable, list[tuple[Key, tuple[arb, ...]]]] = {}
    for component in joint.components:
        value = piece_of(joint, component, x, component.weight)[0]
        key, piece = piece_of(joint, component, y, component.weight)
        support = support_of(piece)
        if support is None:
            return False
        others = places.setdefault((key, support.relations), [])
        if len(others) > _SEPARATED or any(
            other != value and all(a.overlaps(b) for a, b in zip(support.offsets, offsets, strict=True))
            for other, offsets in others
        ):
            return False
        others.append((value, support.offsets))
    return True


def support_of(piece: Piece) -> Support | None:
    """Return the support of a piece, None where it is not all of the space and its coefficients are irrational."""
    if rank(piece.rows) == len(piece.rows):
        return Support((), ())
    fractions = [[to_fraction(entry) for entry in row] for row in piece.rows]
    columns = [
        [fmpq(entry.numerator, entry.denominator) for entry in column if entry is not None]
        for column in zip(*fractions, strict=True)
    ]
    if any(len(column) < len(piece.rows) for column in columns):
        return None
    echelon, rank_of_piece = fmpq_mat(columns).rref()
    relations = tuple(tuple(echelon[k, i] for i in range(len(piece.rows))) for k in range(rank_of_piece))
    pivots = [next(i for i, entry in enumerate(relation) if entry != 0) for relation in relations]
    offsets = []
    for i, mean in enumerate(piece.mean):
        if i not in pivots:
            made = (arb(relation[i]) * piece.mean[at] for at, relation in zip(pivots, relations, strict=True))
            offsets.append(mean - sum(made, arb(0)))
    return Support(relations, tuple(offsets))
