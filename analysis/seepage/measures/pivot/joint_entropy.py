r"""J of several values that are continuous together on one path: an invertible linear image of independent sources.

:math:`J(A z + c) = \sum_i J(z_i) + \log |\det A|`, and likewise with sources that are normal together: only their covariance counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, arb_mat

from seepage.engines.pivot.densities import all_normal, apart, chance_within, covariance, weight_of
from seepage.engines.pivot.path import Path
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Polynomial, linear, source
from seepage.measures.pivot.strata import atom, density_entropy, total_of


def independent_parts(path: Path, values: Sequence[Polynomial], shared: frozenset[int] = frozenset()) -> bool:
    """Tell whether some values are independent of each other on a path, once the ``shared`` sources are given."""
    seen: set[int] = set()
    for value in values:
        near = set(value.sources)
        for direction in apart(path, value.sources)[1]:
            near |= {index for index, _ in direction}
        if near & seen:
            return False
        seen |= near - shared
    return True


def path_entropy(path: Path, names: Sequence[str], total: arb) -> arb:
    """Enclose −∫ f log f of several values on one path, f as it stands, divided by ``total``.

    Raises:
        Beyond: if they are neither independent nor linear in as many sources.
    """
    values = {name: value for name in names if isinstance(value := path.values[name], Polynomial)}
    mass = weight_of(path) / total
    if independent_parts(path, list(values.values())):
        # Each J_i = J of the part times the path's mass; J(w f) = w J(f) − w log w.
        alone = [_normalised(path, name) for name in values]
        chance, near = apart(path, frozenset().union(*(value.sources for value in values.values())))
        for direction, (low, high) in near.items():
            if len(direction) > 1:
                raise Beyond("guards that depend on each other")
            chance *= chance_within(path, direction, low, high)
        mass *= chance
        return mass * sum(alone, arb(0)) + atom(mass)
    if path.guards:
        raise Beyond("several continuous variables that guards tie")
    return mass * _linear(path, list(values.values())) + atom(mass)


def _normalised(path: Path, name: str) -> arb:
    return density_entropy([path], name, total_of([path]))


def _linear(path: Path, values: Sequence[Polynomial]) -> arb:
    rows: list[dict[int, Number]] = []
    for value in values:
        found = linear(value)
        if found is None:
            raise Beyond("several continuous variables together")
        rows.append(dict(found[1]))
    sources = sorted({index for row in rows for index in row})
    if all_normal(path, sources):
        table = arb_mat([[enclose(covariance(path, one, other)) for other in rows] for one in rows])
        determinant = table.det()
        if not determinant > 0:
            raise Beyond("values that may determine each other")
        return (len(rows) * ((2 * arb.pi()).log() + 1) + determinant.log()) / 2
    if len(sources) != len(rows):
        raise Beyond("several continuous variables together")
    determinant = abs(arb_mat([[enclose(row.get(index, 0)) for index in sources] for row in rows]).det())
    if not determinant > 0:
        raise Beyond("values that may determine each other")
    single = [
        density_entropy([Path(path.weight / path.weight, {"z": source(index)}, path.laws)], "z", arb(1))
        for index in sources
    ]
    return sum(single, determinant.log())
