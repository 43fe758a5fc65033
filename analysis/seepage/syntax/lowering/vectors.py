r"""Continuous laws of several values as draws of the core: ``dirichlet``, ``planar_laplace``, and ``normal`` with a vector of means and a matrix of covariances.

*Normal*: :math:`\Sigma = L D L^\top` with L unit lower triangular and D diagonal, over the rationals, so that :math:`\mu + L z` with independent :math:`z_k` of variance :math:`D_k` has that law
exactly (Golub and Van Loan 2013, section 4.1). Σ is positive semidefinite if and only if no :math:`D_k` is negative and what stands below a :math:`D_k = 0` is 0.

*Dirichlet*: pieces of a stick are broken off one by one, :math:`x_k = b_k \prod_{j<k} (1 - b_j)` with independent :math:`b_k` of the law :math:`\mathrm{beta}(a_k, \sum_{j>k} a_j)`
(Sethuraman 1994, "A constructive definition of Dirichlet priors").

*Planar Laplace*, of scale s: its characteristic function :math:`(1 + s^2 |t|^2)^{-3/2}` is :math:`E \exp(-W |t|^2 / 2)` for W of the law :math:`\mathrm{gamma}(3/2, 2 s^2)`, so it is a pair of
independent standard normal values times :math:`\sqrt W` (Andrews and Mallows 1974, "Scale mixtures of normal distributions"). :math:`W = 2 R^2 + N^2` with independent R of the law
:math:`\mathrm{weibull}(2, s)` and N normal of variance :math:`s^2`, so that :math:`(R z_1 + N z_3, R z_2 + N z_4)` with independent normal :math:`z_k` of variances 2, 2, 1 and 1 has that law exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

from seepage.rules import INVALID_PARAMETER, NOT_SUPPORTED, WRONG_ARGUMENTS, WRONG_RESULTS
from seepage.source import Span
from seepage.syntax.lowering.facts import Environment, Path, Refused
from seepage.syntax.lowering.forms import binary, folded, number, replace_item, respanned, static
from seepage.syntax.lowering.laws import name_of
from seepage.syntax.lowering.writing import Writing
from seepage.syntax.raw import Raw, RawCall, RawLeaf, RawNamed
from seepage.syntax.tree import Call, Item, Name, Placed
from seepage.syntax.vocabulary.array_laws import ARRAY_LAW_WORDS
from seepage.word import Domain

_MOST = 64  # values of one draw

Matrix = list[list[Fraction]]


def is_vector_law(work: Writing, drawn: Raw, env: Environment) -> bool:
    """Tell whether what is drawn is several continuous values."""
    if name_of(drawn) in ("dirichlet", "planar_laplace"):
        return True
    given = _given(drawn) if name_of(drawn) == "normal" else []
    return any(work.values.entries(one, env) is not None for _, one in given)


def vector_drawn(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> list[Item]:
    """Return what a draw of such a law becomes; where its arguments are wrong, this is told, and zeros keep the shape of what is drawn.

    Raises:
        Refused: if nobody can tell how many values are drawn, or if it stands where no array may be drawn.
    """
    drawn = cast("Raw", reading.value)
    name = cast("str", name_of(drawn))
    if name == "planar_laplace":
        if len(reading.targets) != 2:
            message = "'planar_laplace' gives 2 values, which are drawn as 'a, b ~ planar_laplace(x, y, scale)'"
            raise Refused(WRONG_RESULTS, reading.span, message)
        size = 2
    elif len(reading.targets) != 1:
        raise Refused(WRONG_ARGUMENTS, reading.span, "a law of arrays is drawn into one variable")
    else:
        size = len(_shapes(work, drawn, env)) if name == "dirichlet" else len(_means(work, drawn, env))
    places = _places(work, reading, env)
    try:
        made, parts = _MADE[name](work, item, reading, env)
    except Refused as refused:
        if not size:
            raise
        work.note(refused.placed(item.start))
        made, parts = [], [number(0, drawn.span)] * size
    if len(places) == 1:
        ((base, path),) = places
        return [*made, *work.copied(item, base, path, {(at,): value for at, value in enumerate(parts)})]
    for (base, path), part in zip(places, parts, strict=True):
        made += work.put(item, base, path, part)
    return made


def _places(work: Writing, reading: RawLeaf, env: Environment) -> list[tuple[str, Path]]:
    """Return the variables that are written, with their known paths."""
    found: list[tuple[str, Path]] = []
    for target in reading.targets:
        base, path = work.place(target, env)
        if base is None or path is None:
            message = "several values are drawn into variables without a random index"
            raise Refused(NOT_SUPPORTED, cast("Raw", reading.value).span, message)
        found.append((base, path))
    return found


def _given(drawn: Raw) -> list[tuple[str | None, Raw]]:
    """Return the arguments with their names."""
    match drawn:
        case Call(arguments=arguments):
            return [(None, one) for one in arguments]
        case RawCall(groups=(group,)):
            return [(one.name.value, one.value) if isinstance(one, RawNamed) else (None, one) for one in group]
        case _:
            return []


def _by_name(drawn: Raw, names: Sequence[str], form: str) -> list[Raw]:
    """Return the arguments in the order of their names.

    Raises:
        Refused: if one is missing, unknown, or too many; ``form`` says how the law is written.
    """
    given = _given(drawn)
    named = {name or names[at]: one for at, (name, one) in enumerate(given) if name or at < len(names)}
    if len(given) != len(names) or named.keys() != set(names):
        raise Refused(WRONG_ARGUMENTS, drawn.span, form)
    return [named[name] for name in names]


def _drawn(work: Writing, item: Placed, reading: RawLeaf, law: Call) -> tuple[list[Item], Name]:
    """Draw one value of the core into a new variable, whose name tells the law that is written."""
    name = work.new(cast("str", name_of(cast("Raw", reading.value))))
    target = Name(name, reading.targets[0].span)
    leaf = RawLeaf("sample", reading.span, targets=(target,), value=cast("Raw", respanned(law, law.span)))
    return work.converted(leaf, replace_item(item, name)), Name(name, law.span)


def _law(name: str, first: Raw, second: Raw, span: Span) -> Call:
    return Call(name, (cast("Any", first), cast("Any", second)), span, span)


def _check(work: Writing, law: str, parameter: str, value: Raw, env: Environment, called: str) -> None:
    """Check an argument that is a known number, before it is spread over draws.

    Raises:
        Refused: if it is not in the domain of the parameter.
    """
    found = static(work.values.resolved(value, env))
    domain = next(one.domain for one in ARRAY_LAW_WORDS[law].parameters if one.name == parameter)
    if found is not None and found <= 0 and domain is Domain.POSITIVE:
        raise Refused(INVALID_PARAMETER, value.span, f"{called} {found} of '{law}' is not positive")


# --- dirichlet --------------------------------------------------------------------------------------------------------


def _shapes(work: Writing, drawn: Raw, env: Environment) -> list[Raw]:
    given = [one for _, one in _given(drawn)]
    several = work.values.entries(given[0], env) if len(given) == 1 else None
    return [work.values.scalar(one, env) for one in given] if several is None else list(several.values())


def _dirichlet(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> tuple[list[Item], list[Raw]]:
    drawn = cast("Raw", reading.value)
    span = drawn.span
    shapes = _shapes(work, drawn, env)
    if not 2 <= len(shapes) <= _MOST:
        raise Refused(WRONG_ARGUMENTS, span, f"found {len(shapes)} shapes, expected 2 to {_MOST}: 'dirichlet(a, …)'")
    for at, shape in enumerate(shapes):
        _check(work, "dirichlet", "a", shape, env, f"a[{at}]")
    made: list[Item] = []
    parts: list[Raw] = []
    left: Raw = number(1, span)
    for at, shape in enumerate(shapes[:-1]):
        rest = folded("+", shapes[at + 1 :])
        items, broken = _drawn(work, item, reading, _law("beta", shape, rest, span))
        made += items
        parts.append(broken if at == 0 else binary("*", left, broken))
        kept = binary("-", number(1, span), broken)
        left = kept if at == 0 else binary("*", left, kept)
    return made, [*parts, left]


# --- planar_laplace ---------------------------------------------------------------------------------------------------


def _planar_laplace(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> tuple[list[Item], list[Raw]]:
    drawn = cast("Raw", reading.value)
    span = drawn.span
    given = _by_name(drawn, ("x", "y", "scale"), "expected a centre and a scale: 'planar_laplace(x, y, scale)'")
    x, y, scale = (work.values.scalar(one, env) for one in given)
    _check(work, "planar_laplace", "scale", scale, env, "scale")
    made: list[Item] = []

    def source(family: str, first: Raw, second: Raw) -> Raw:
        items, drawn = _drawn(work, item, reading, _law(family, first, second, span))
        made.extend(items)
        return drawn

    zero, one, two = (number(value, span) for value in (0, 1, 2))
    sizes = ((source("weibull", two, scale), two), (source("normal", zero, binary("*", scale, scale)), one))
    parts = [
        folded("+", [centre, *(binary("*", size, source("normal", zero, each)) for size, each in sizes)])
        for centre in (x, y)
    ]
    held = [work.new("planar_laplace") for _ in parts]  # centres may be what is written
    for name, part in zip(held, parts, strict=True):
        made += work.put(item, name, (), part)
    return made, [Name(name, span) for name in held]


# --- normal -----------------------------------------------------------------------------------------------------------


_NORMAL = ("mean", "variance"), "a normal law of arrays is 'normal(mean, variance)': an array and a matrix"


def _means(work: Writing, drawn: Raw, env: Environment) -> list[Raw]:
    mean, _ = _by_name(drawn, *_NORMAL)
    means = work.values.entries(mean, env)
    if means is None or any(len(path) != 1 for path in means) or not len(means) <= _MOST:
        raise Refused(WRONG_ARGUMENTS, mean.span, f"expected an array of at most {_MOST} means")
    return list(means.values())


def _normal(work: Writing, item: Placed, reading: RawLeaf, env: Environment) -> tuple[list[Item], list[Raw]]:
    drawn = cast("Raw", reading.value)
    span = drawn.span
    means = _means(work, drawn, env)
    _, covariances = _by_name(drawn, *_NORMAL)
    entries, size = work.values.entries(covariances, env), len(means)
    places = [[(row, column) for column in range(size)] for row in range(size)]
    if entries is None or set(entries) != {place for row in places for place in row}:
        expected = f"expected a matrix of {size} times {size} covariances, as many rows as there are means"
        raise Refused(WRONG_ARGUMENTS, covariances.span, expected)
    matrix = [[_known(work, entries[place], env) for place in row] for row in places]
    lower, variances = _factors(matrix, covariances.span)
    made: list[Item] = []
    sources: dict[int, Raw] = {}
    for at, variance in enumerate(variances):
        if variance:
            law = _law("normal", number(0, span), number(variance, span), span)
            items, sources[at] = _drawn(work, item, reading, law)
            made += items
    return made, [_sum(mean, lower[at], sources, span) for at, mean in enumerate(means)]


def _known(work: Writing, entry: Raw, env: Environment) -> Fraction:
    found = static(work.values.resolved(entry, env))
    if found is None:
        raise Refused(NOT_SUPPORTED, entry.span, "covariances are numbers that are known before the analysis, so far")
    return found


def _factors(matrix: Matrix, span: Span) -> tuple[Matrix, list[Fraction]]:
    """Return L and the diagonal of D.

    Raises:
        Refused: if the matrix is not symmetric, or not positive semidefinite.
    """
    size = len(matrix)
    for row in range(size):
        for column in range(row):
            if matrix[row][column] != matrix[column][row]:
                pair = f"{matrix[row][column]} and {matrix[column][row]}"
                message = f"found {pair} as covariance of values {column} and {row}, expected a symmetric matrix"
                raise Refused(WRONG_ARGUMENTS, span, message)
    lower = [[Fraction(row == column) for column in range(size)] for row in range(size)]
    variances: list[Fraction] = []
    for at in range(size):
        left = [
            matrix[row][at] - sum((lower[row][k] * lower[at][k] * variances[k] for k in range(at)), Fraction(0))
            for row in range(at, size)
        ]
        pivot, below = left[0], left[1:]
        if pivot < 0 or (pivot == 0 and any(below)):
            message = "the matrix is not positive semidefinite, so that no values have these covariances"
            raise Refused(INVALID_PARAMETER, span, message)
        variances.append(pivot)
        for number_, entry in enumerate(below, at + 1):
            lower[number_][at] = entry / pivot if pivot else Fraction(0)
    return lower, variances


def _sum(mean: Raw, factors: Sequence[Fraction], sources: dict[int, Raw], span: Span) -> Raw:
    terms: list[Raw] = [mean]
    for at, source in sources.items():
        if factors[at] == 1:
            terms.append(source)
        elif factors[at]:
            terms.append(binary("*", number(factors[at], span), source))
    return folded("+", terms)


_MADE = {"dirichlet": _dirichlet, "planar_laplace": _planar_laplace, "normal": _normal}
