r"""I(x; o) where o = g(x) + W with W independent of x: :math:`I(x; o) = h(o) - h(W)`, as :math:`h(o \mid x) = h(W)` whatever the laws are.

W is what is left of o once a multiple of each x is taken off, or where x tells its sources, all that is made of these. It is independent of x if on no
path guards tie their sources, and the kinds of the one and of the other meet with probabilities that are products.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from flint import arb, fmpq

from seepage import exact
from seepage.engines.pivot.path import Guards, Path, parted
from seepage.exact import Number
from seepage.laws.forms import Beyond, Polynomial, Value, linear, of_terms, plus, terms_of, times
from seepage.measures.pivot.entropy import entropy_sum
from seepage.measures.pivot.strata import total_of

NOISE = "noise@added"  # no name of the language holds an @

Kind: TypeAlias = tuple[object, ...]
"""Values with all that their law on a path depends on: paths of one kind give them one law."""


def behind_added_noise(paths: Sequence[Path], x: Sequence[str], name: str) -> arb:
    """Enclose I(x; o) in nats, o being the variable ``name``.

    Raises:
        Beyond: if o is no such sum, or an entropy is not known.
    """
    noise = added_noise(paths, x, name)
    left = entropy_sum(noise, (NOISE,), total_of(noise))
    return entropy_sum(paths, (name,), total_of(paths)) - left


def added_noise(paths: Sequence[Path], x: Sequence[str], name: str) -> list[Path]:
    """Return paths that give the variable ``NOISE`` the law of W.

    Raises:
        Beyond: if the variable ``name`` is not such a sum on all paths.
    """
    own = _own_part(paths, x, name)
    table: dict[Kind, dict[Kind, Path]] = {}
    for path in paths:
        rest = plus(path.values[name], times(-1, own(path)))
        if not isinstance(rest, Polynomial) or not isinstance(path.values[name], Polynomial):
            raise Beyond("no continuous noise")
        secret = [path.values[each] for each in x]
        near, others = parted(path.guards or {}, _sources(secret))
        reached = _sources(secret).union(*({index for index, _ in direction} for direction in near))
        if rest.sources & reached:
            raise Beyond("noise that the secret tells of")
        row = table.setdefault(_kind(path, secret, near), {})
        kind = _kind(path, [rest], others)
        weight = path.weight + row[kind].weight if kind in row else path.weight
        row[kind] = Path(weight, {NOISE: rest}, path.laws, others)
    rows = list(table.values())
    if not _are_alike(rows):
        raise Beyond("noise whose law the secret tells of")
    return list(rows[0].values())


def _own_part(paths: Sequence[Path], x: Sequence[str], name: str) -> Callable[[Path], Value]:
    """Return the part g(x) of a variable, one function of x for all paths, as its value on each path."""
    told = _told_sources(paths, x)
    factors: list[tuple[str, Number]] = []

    def multiples(path: Path) -> Value:
        found: Value = 0
        for each, factor in factors:
            found = plus(found, times(factor, path.values[each]))
        return found

    for each in x:
        for path in paths:
            value = path.values[each]
            if isinstance(value, Polynomial) and not value.sources <= told:
                monomial = next(monomial for monomial, _ in value.terms if monomial)
                rest = terms_of(plus(path.values[name], times(-1, multiples(path))))
                factors.append((each, exact.div(rest.get(monomial, 0), terms_of(value)[monomial])))
                break
    first = plus(paths[0].values[name], times(-1, multiples(paths[0])))
    alone = of_terms({m: a for m, a in terms_of(first).items() if m and told.issuperset(index for index, _ in m)})
    return lambda path: plus(multiples(path), alone)


def _told_sources(paths: Sequence[Path], x: Sequence[str]) -> frozenset[int]:
    """Return the sources that x tells, where all paths say the same of it."""
    values = [path.values[each] for path in paths[:1] for each in x]
    if any(path.values[each] != value for path in paths for each, value in zip(x, values, strict=True)):
        return frozenset()
    forms = [linear(value) for value in values]
    return frozenset(index for form in forms if form is not None and len(form[1]) == 1 for index in form[1])


def _sources(values: Sequence[Value]) -> frozenset[int]:
    return frozenset[int]().union(*(value.sources for value in values if isinstance(value, Polynomial)))


def _kind(path: Path, values: Sequence[Value], guards: Guards) -> Kind:
    reached = _sources(values).union(*({index for index, _ in direction} for direction in guards))
    laws = tuple((index, path.laws[index]) for index in sorted(reached))
    return tuple(values), laws, frozenset(guards.items())


def _are_alike(rows: Sequence[Mapping[Kind, Path]]) -> bool:
    """Tell whether kinds of noise have the same proportions beside each kind of secret."""
    first = rows[0]
    if len(rows) == 1 or (len(first) == 1 and all(row.keys() == first.keys() for row in rows)):
        return True
    for row in rows[1:]:
        if row.keys() != first.keys():
            return False
        weights = [(path.weight, row[kind].weight) for kind, path in first.items()]
        (a, b), *_ = weights
        if not all(isinstance(each, fmpq) for pair in weights for each in pair):
            return False
        if any(a * d != b * c for c, d in weights):
            return False
    return True
