r"""I(x; o) where o = g(x) + W with W independent of x: :math:`I(x; o) = h(o) - h(W)`, as :math:`h(o \mid x) = h(W)` whatever the laws are.

W is what is left of o once a multiple of each x is taken off, or where x tells its sources, all that is made of these, and a number. It is independent of x if on no
path guards tie their sources, and the kinds of the one and of the other meet with probabilities that are products. What is made of the sources, and the number, may
differ from path to path where x tells which path it is, as of a clamped value: g is then a function of x in pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import combinations
from typing import TypeAlias

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.path import Guards, Path, parted
from seepage.exact import Number
from seepage.laws.forms import Beyond, Polynomial, Value, linear, of_terms, plus, terms_of, times
from seepage.laws.law import Edge
from seepage.measures.pivot.entropy import entropy_sum
from seepage.measures.pivot.strata import total_of

NOISE = "noise@added"  # no name of the language holds an @
_MOST_ROWS = 256  # that are compared in pairs

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
    told = _told_sources(paths, x)
    factors = _factors(paths, x, name, told)
    table: dict[Kind, _Row] = {}
    for path in paths:
        secret = [path.values[each] for each in x]
        near, others = parted(path.guards or {}, _sources(secret))
        rest = plus(path.values[name], times(-1, _multiples(path, factors)))
        own = of_terms({m: a for m, a in terms_of(rest).items() if m and told.issuperset(index for index, _ in m)})
        rest = plus(rest, times(-1, own))
        if not isinstance(rest, Polynomial) or not isinstance(path.values[name], Polynomial):
            raise Beyond("no continuous noise")
        reached = _sources(secret).union(*({index for index, _ in direction} for direction in near))
        if rest.sources & reached:
            raise Beyond("noise that the secret tells of")
        row = table.setdefault(_kind(path, secret, near), _Row(secret, near, own, []))
        if row.own != own:
            raise Beyond("a part of the secret that it does not tell")
        row.noise.append(Path(path.weight, {NOISE: rest}, path.laws, others))
    rows = list(table.values())
    noises = [row.kinds() for row in rows]
    if not _are_alike(noises):
        raise Beyond("noise whose law the secret tells of")
    _check_told(rows, told)
    return list(noises[0].values())


@dataclass(frozen=True, slots=True)
class _Row:
    """Paths of one kind of secret: the values and guards of it, what is made of it alone, but for a number, and what is left."""

    secret: Sequence[Value]
    near: Guards
    own: Value
    noise: list[Path]

    @property
    def least(self) -> Number:
        """The least number that what is left begins with: it counts to the part that is made of the secret."""
        return reduce(exact.minimum, (terms_of(path.values[NOISE]).get((), 0) for path in self.noise))

    def kinds(self) -> dict[Kind, Path]:
        """Return what is left without that number, paths of one kind as one."""
        found: dict[Kind, Path] = {}
        least = self.least
        for path in self.noise:
            rest = plus(path.values[NOISE], exact.neg(least))
            kind = _kind(path, [rest], path.guards or {})
            weight = path.weight + found[kind].weight if kind in found else path.weight
            found[kind] = Path(weight, {NOISE: rest}, path.laws, path.guards)
        return found

    def is_apart(self, other: _Row, told: frozenset[int]) -> bool:
        """Tell whether the secret tells which of two rows it is of."""
        if any(
            not isinstance(a, Polynomial) and not isinstance(b, Polynomial) and exact.compare(a, b) != 0
            for a, b in zip(self.secret, other.secret, strict=True)
        ):
            return True
        shared = [each for each in self.near if each in other.near and told.issuperset(index for index, _ in each)]
        return any(_are_apart(self.near[each], other.near[each]) for each in shared)


def _are_apart(one: tuple[Edge, Edge], other: tuple[Edge, Edge]) -> bool:
    """Tell whether two open intervals have no point in common."""
    (low, high), (begin, end) = one, other
    before = high is not None and begin is not None and exact.compare(high, begin) <= 0
    return before or (end is not None and low is not None and exact.compare(end, low) <= 0)


def _check_told(rows: Sequence[_Row], told: frozenset[int]) -> None:
    """Raise ``Beyond`` if the part that is made of the secret may differ where the secret does not."""
    parts: dict[tuple[Value, Number], list[_Row]] = {}
    for row in rows:
        parts.setdefault((row.own, row.least), []).append(row)
    if len(parts) > 1 and len(rows) > _MOST_ROWS:
        raise Beyond("a part of the secret that differs on too many paths")
    for first, second in combinations(parts.values(), 2):
        if not all(one.is_apart(other, told) for one in first for other in second):
            raise Beyond("a part of the secret that it does not tell")


def _factors(paths: Sequence[Path], x: Sequence[str], name: str, told: frozenset[int]) -> list[tuple[str, Number]]:
    """Return the multiples of x, but for what tells its sources, that a variable holds."""
    factors: list[tuple[str, Number]] = []
    for each in x:
        for path in paths:
            value = path.values[each]
            if isinstance(value, Polynomial) and not value.sources <= told:
                monomial = next(monomial for monomial, _ in value.terms if monomial)
                rest = terms_of(plus(path.values[name], times(-1, _multiples(path, factors))))
                factors.append((each, exact.div(rest.get(monomial, 0), terms_of(value)[monomial])))
                break
    return factors


def _multiples(path: Path, factors: Sequence[tuple[str, Number]]) -> Value:
    found: Value = 0
    for each, factor in factors:
        found = plus(found, times(factor, path.values[each]))
    return found


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
