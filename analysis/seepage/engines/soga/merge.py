r"""The canonical form of a component, in which equal laws look equal.

The sources of a canonical component *are* its first linearly independent continuous variables, in the order of their slots: such a
variable is exactly source k, with the mean and covariances it has; every other one is an affine combination of earlier sources with
exact coefficients. Sources that nothing uses any more disappear, so two hundred summands of which only the sum is
alive take one source. Which variables are independent is decided by exact elimination on the coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.gaussian import Affine, Gaussian, Scalar, Slot, State
from seepage.engines.soga.scalars import Arithmetic
from seepage.exact import Number

Row = dict[int, Number]


def covariance_of(gaussian: Gaussian) -> list[dict[int, Scalar]]:
    """Return the non-zero covariances of each source with each."""
    table: list[dict[int, Scalar]] = [{} for _ in gaussian.rows]
    for i, row in enumerate(gaussian.rows):
        for j, value in row:
            table[i][j] = value
            table[j][i] = value
    return table


def rows_of(table: Iterable[Mapping[int, Scalar]]) -> tuple[tuple[tuple[int, Scalar], ...], ...]:
    """Return the lower triangle of a table of covariances, without zeros."""
    return tuple(
        tuple(sorted((j, value) for j, value in row.items() if j <= i and not _is_zero(value)))
        for i, row in enumerate(table)
    )


def _is_zero(value: Scalar) -> bool:
    return isinstance(value, int) and value == 0


def weighted(table: list[dict[int, Scalar]], terms: Iterable[tuple[int, Number]], of: Arithmetic) -> dict[int, Scalar]:
    """Return Σ·a: the covariances of every source with the combination a of sources; zeros are left out."""
    total: dict[int, Scalar] = {}
    for source, coefficient in terms:
        for other, value in table[source].items():
            total[other] = of.add(total.get(other, 0), of.mul(coefficient, value))
    return {source: value for source, value in total.items() if not _is_zero(value)}


def dot(terms: Iterable[tuple[int, Number]], vector: Mapping[int, Scalar], of: Arithmetic) -> Scalar:
    """Return a·v."""
    total: Scalar = 0
    for source, coefficient in terms:
        if source in vector:
            total = of.add(total, of.mul(coefficient, vector[source]))
    return total


def mean_of(form: Affine, gaussian: Gaussian, of: Arithmetic) -> Scalar:
    """Return the mean of a form."""
    total: Scalar = 0
    for source, coefficient in form.terms:
        total = of.add(total, of.mul(coefficient, gaussian.means[source]))
    return of.add(form.constant, total)


@dataclass(slots=True)
class _Elimination:
    """Rows in echelon form. ``reduced[k]`` is (pivot, row, how it combines the basis)."""

    basis: list[Affine] = field(default_factory=list)
    reduced: list[tuple[int, Row, Row]] = field(default_factory=list)
    order: dict[int, int] = field(default_factory=dict)

    def keep(self, form: Affine) -> None:
        """Add the next source as the next variable of the basis."""
        index = len(self.basis)
        self.order[index] = len(self.reduced)
        self.reduced.append((index, {index: 1}, {index: 1}))
        self.basis.append(form)

    def add(self, form: Affine) -> Row:
        """Return the row of a form over the basis, which grows if the form is independent of it."""
        rest: Row = dict(form.terms)
        combination: Row = {}
        while pivots := [self.order[source] for source in rest if source in self.order]:
            pivot, row, made_of = self.reduced[min(pivots)]
            factor = rest[pivot]
            _subtract(rest, factor, row)
            _subtract(combination, exact.neg(factor), made_of)
        if not rest:
            return combination
        index = len(self.basis)
        pivot = min(rest)
        scale = exact.div(1, rest[pivot])
        made_of = {index: scale, **{k: exact.neg(exact.mul(scale, c)) for k, c in combination.items()}}
        self.order[pivot] = len(self.reduced)
        self.reduced.append((pivot, {source: exact.mul(scale, c) for source, c in rest.items()}, made_of))
        self.basis.append(form)
        return {index: 1}


def _subtract(row: Row, factor: Number, other: Mapping[int, Number]) -> None:
    for key, value in other.items():
        left = exact.sub(row.get(key, 0), exact.mul(factor, value))
        if left == 0:
            row.pop(key, None)
        else:
            row[key] = left


def canonical(state: State, slot: int, of: Arithmetic) -> State:
    """Return a component in canonical form.

    Args:
        state: a component.
        slot: where its Gaussian stands.
        of: arithmetic of the run.
    """
    gaussian = state[slot]
    if not isinstance(gaussian, Gaussian):
        raise TypeError(f"expected a Gaussian in slot {slot}, got {gaussian!r}")
    forms = [(position, value) for position, value in enumerate(state) if isinstance(value, Affine)]
    kept = _sources_in_order([form for _, form in forms])
    if _is_canonical((form for _, form in forms), len(gaussian.rows)):
        return state
    elimination = _Elimination()
    for _, form in forms[:kept]:
        elimination.keep(form)
    rows = [elimination.add(form) for _, form in forms[kept:]]
    values: list[Slot] = list(state)
    for (position, form), row in zip(forms[kept:], rows, strict=True):
        constant = form.constant
        for index, coefficient in row.items():
            constant = exact.sub(constant, exact.mul(coefficient, elimination.basis[index].constant))
        values[position] = Affine(constant, tuple(sorted(row.items())))
    values[slot] = _law_of(elimination.basis, kept, gaussian, of)
    return tuple(values)


def _sources_in_order(forms: Iterable[Affine]) -> int:
    """Return how many of the first forms are the first sources, in their order: they stay what they are."""
    known = 0
    for form in forms:
        if form.constant != 0 or form.terms != ((known, 1),):
            break
        known += 1
    return known


def _is_canonical(forms: Iterable[Affine], sources: int) -> bool:
    known = 0
    for form in forms:
        if form.constant == 0 and form.terms == ((known, 1),):
            known += 1
        elif form.terms[-1][0] >= known:
            return False
    return known == sources


def _law_of(basis: list[Affine], kept: int, gaussian: Gaussian, of: Arithmetic) -> Gaussian:
    """Return the law of variables as sources of their own, the first of which are the sources that they were."""
    table = covariance_of(gaussian)
    users: dict[int, list[tuple[int, Number]]] = {}
    rows: list[tuple[tuple[int, Scalar], ...]] = []
    for index, form in enumerate(basis):
        for source, coefficient in form.terms:
            users.setdefault(source, []).append((index, coefficient))
        if index < kept:
            rows.append(gaussian.rows[index])
            continue
        row: dict[int, Scalar] = {}
        for source, value in weighted(table, form.terms, of).items():
            for other, coefficient in users.get(source, ()):
                row[other] = of.add(row.get(other, 0), of.mul(coefficient, value))
        rows.append(tuple(sorted((other, value) for other, value in row.items() if not _is_zero(value))))
    means = (*gaussian.means[:kept], *(mean_of(form, gaussian, of) for form in basis[kept:]))
    return Gaussian(means, tuple(rows), gaussian.observed)
