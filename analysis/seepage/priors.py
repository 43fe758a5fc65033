"""Laws that people have in the place of those that a program gives its secrets: frozen laws of scipy, tables of probabilities, or laws as text.

A law becomes text, and the program is read anew with it: what is analysed is what anybody could have written. scipy is imported only for a law that goes
back to people (:func:`scipy_law`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact.symbols import symbol_of
from seepage.frames import needed
from seepage.measures.parameters import Value, read_number
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.syntax.tree import Name, Placed, Sample

TOLERANCE = 1e-9
"""By how much the sum of a law may differ from 1 before it is told as a mistake."""
_MOST_VALUES = 10_000


@runtime_checkable
class FrozenLaw(Protocol):
    """A law of ``scipy.stats`` with its parameters."""

    def support(self) -> tuple[Any, Any]:
        """Return the least and the greatest value."""
        ...


Prior: TypeAlias = str | Mapping[Value, Value] | Iterable[Value] | FrozenLaw


@dataclass(frozen=True, slots=True)
class _Row:
    """How a law of scipy is written.

    Attributes:
        text: the law, with the names of scipy's parameters in braces.
        fixed: values that some of these must have, since the language's law cannot be moved or stretched.
    """

    text: str
    fixed: Mapping[str, int] = field(default_factory=dict)


_AT_ZERO = {"loc": 0}
_LAWS: Mapping[str, _Row] = MappingProxyType(
    {
        "bernoulli": _Row("bernoulli({p})", _AT_ZERO),
        "beta": _Row("beta({a}, {b})", {"loc": 0, "scale": 1}),
        "binom": _Row("binomial({n}, {p})", _AT_ZERO),
        "cauchy": _Row("cauchy({loc}, {scale})"),
        "dlaplace": _Row("discrete_laplace(1/{a}, centre={loc})"),
        "expon": _Row("exponential(1/{scale})", _AT_ZERO),
        "gamma": _Row("gamma({a}, 1/{scale})", _AT_ZERO),
        "geom": _Row("geometric({p})", {"loc": -1}),
        "gumbel_r": _Row("gumbel({loc}, {scale})"),
        "hypergeom": _Row("hypergeometric({M}, {n}, {N})", _AT_ZERO),
        "laplace": _Row("laplace({loc}, {scale})"),
        "logistic": _Row("logistic({loc}, {scale})"),
        "lognorm": _Row("lognormal(log({scale}), {s}^2)", _AT_ZERO),
        "norm": _Row("normal({loc}, std={scale})"),
        "pareto": _Row("pareto({b}, {scale})", _AT_ZERO),
        "poisson": _Row("poisson({mu})", _AT_ZERO),
        "randint": _Row("uniform_int({low} + {loc}, {high} - 1 + {loc})"),
        "t": _Row("student_t({df}, {loc}, {scale})"),
        "triang": _Row("triangular({loc}, {loc} + {c} * {scale}, {loc} + {scale})"),
        "uniform": _Row("uniform({loc}, {loc} + {scale})"),
        "weibull_min": _Row("weibull({c}, {scale})", _AT_ZERO),
    }
)


def with_laws(checked: Checked, priors: Mapping[str, Prior]) -> str:
    """Return the text of a program in which some variables are drawn from other laws.

    Args:
        checked: the program.
        priors: laws by the names of variables, each of which one statement draws, outside of loops and branches.

    Raises:
        ValueError: if a variable is not drawn so, or a law has no form in the language.
    """
    edits: list[tuple[Span, str]] = []
    for name, law in priors.items():
        places = [
            item.node.distribution.span.shift(item.start)
            for item in checked.tree.items
            if isinstance(item, Placed)
            and isinstance(item.node, Sample)
            and isinstance(item.node.target, Name)
            and item.node.target.id == name
        ]
        if len(places) != 1:
            once = ", ".join(dict.fromkeys(_drawn(checked))) or "none"
            raise ValueError(
                f"found {len(places)} draws of '{name}' outside of loops and branches, expected one, to give it another law; "
                f"drawn there: {once}"
            )
        try:
            edits.append((places[0], law_text(law)))
        except ValueError as error:
            raise ValueError(f"{error} (for '{name}')") from None
    text = checked.source.text
    for span, written in sorted(edits, reverse=True):
        text = text[: span.start] + written + text[span.end :]
    return text


def _drawn(checked: Checked) -> Iterator[str]:
    for item in checked.tree.items:
        if isinstance(item, Placed) and isinstance(item.node, Sample) and isinstance(item.node.target, Name):
            yield item.node.target.id


def normalised(given: Iterable[Value], what: str, tolerance: float) -> tuple[tuple[Fraction, ...], float]:
    """Return a law as fractions that sum to 1, and by how much they did not.

    Args:
        given: the probabilities; a float means the decimal that it prints as.
        what: it is, for messages.
        tolerance: by how much the sum may differ from 1; then it is divided by it.

    Raises:
        ValueError: if a probability is negative, irrational or no number, or the sum differs by more.
    """
    found: list[Fraction] = []
    for cell in given:
        try:
            value = exact.to_fraction(read_number(cell, {}))
        except ValueError as error:
            raise ValueError(f"{error}, in {what}") from None
        if value is None or value < 0:
            raise ValueError(f"found {cell} in {what}, expected rational probabilities, 0 or more")
        found.append(value)
    total = sum(found, Fraction(0))
    if abs(total - 1) > tolerance:
        raise ValueError(f"found {what} with the sum {float(total):.12g}, expected 1")
    return (tuple(found) if total == 1 else tuple(each / total for each in found)), float(abs(total - 1))


def row_chances(law: FrozenLaw | Mapping[Value, Value], rows: int) -> list[Value]:
    """Return the probabilities that a law gives to the numbers of rows, 0, 1, …

    Raises:
        ValueError: if it gives some to another value, or is no law of whole numbers.
    """
    masses = law if isinstance(law, Mapping) else _masses(law)
    found: list[Value] = [0] * rows
    for value, chance in masses.items():
        place = value if isinstance(value, str) else read_number(value, {})
        if isinstance(place, int) and 0 <= place < rows:
            found[place] = chance
        elif chance != 0:
            raise ValueError(f"found {value!r} in the prior, expected the numbers of the rows, from 0 to {rows - 1}")
    return found


def law_text(law: Prior) -> str:
    """Return a law as the language writes it.

    Raises:
        ValueError: if probabilities do not sum to 1, or the law has no form in the language.
    """
    if isinstance(law, str):
        return law.strip()
    if isinstance(law, Mapping):
        return _table(law)
    if isinstance(law, FrozenLaw) and hasattr(law, "freeze") and not hasattr(law, "xk"):
        raise ValueError(
            f"found the law '{getattr(law, 'name', '')}' of scipy without parameters, expected one such as stats.bernoulli(0.3)"
        )
    if not isinstance(law, FrozenLaw):
        items = getattr(law, "items", None)  # of a column of a data frame: its index has the values
        if callable(items):
            return _table(dict(cast("Iterable[tuple[Value, Value]]", items())))
        if isinstance(law, Iterable):
            return _table(dict(enumerate(law)))
        expected = "a frozen law of scipy.stats, a mapping of values to probabilities, the probabilities of 0, 1, … or a law as text"
        raise ValueError(f"found {law!r}, expected {expected}")
    family = getattr(law, "dist", None)
    row = _LAWS.get(getattr(family, "name", ""))
    if row is not None:
        values = _parameters(law)
        wrong = next((name for name, value in row.fixed.items() if values[name] != value), None)
        if wrong is None:
            return row.text.format(**{name: _written(value) for name, value in values.items()})
    return _table(_masses(law))


def _parameters(law: FrozenLaw) -> dict[str, exact.Number]:
    """Return the parameters of a frozen law by scipy's names, with those that it was not given."""
    family = cast("Any", law).dist
    shapes = [each.strip() for each in (family.shapes or "").split(",") if each.strip()]
    given = dict(zip((*shapes, "loc", "scale"), cast("Any", law).args, strict=False))
    return {
        name: read_number(value, {}) for name, value in {"loc": 0, "scale": 1, **given, **cast("Any", law).kwds}.items()
    }


def _written(value: exact.Number) -> str:
    text = exact.spelled(value)
    return text if text.isdecimal() else f"({text})"


def _masses(law: FrozenLaw) -> dict[Value, Value]:
    """Return the values of a discrete law with finitely many, and their probabilities.

    Raises:
        ValueError: if the law is continuous, or has too many values, and the language has no law like it.
    """
    name = getattr(getattr(law, "dist", None), "name", type(law).__name__)
    low, high = (float(end) for end in law.support())
    mass = getattr(law, "pmf", None)
    if mass is None or not high - low < _MOST_VALUES:
        known = ", ".join(sorted(_LAWS))
        raise ValueError(
            f"found the law '{name}' of scipy with these parameters, which the language does not have: laws with at most "
            f"{_MOST_VALUES:,} whole values can be given, and of others {known}, moved and stretched where theirs can be"
        )
    values = getattr(law, "xk", None)
    points = range(int(low), int(high) + 1) if values is None else values
    return {point: mass(point) for point in points}


def _table(masses: Mapping[Value, Value]) -> str:
    if not masses:
        raise ValueError("found no value, expected probabilities with the sum 1")
    shares, _ = normalised(masses.values(), "the probabilities", TOLERANCE)
    chances: dict[str, Fraction] = {}
    for value, share in zip(masses, shares, strict=True):
        if share:
            key = _value_text(value)
            chances[key] = chances.get(key, Fraction(0)) + share
    entries = (f"{value}: {exact.spelled(chance)}" for value, chance in chances.items())
    return f"{{{', '.join(entries)}}}"


def _value_text(value: Value) -> str:
    """Return a value as the language writes it: a text that is no number is a symbol, with or without its quotes.

    Raises:
        ValueError: if it is neither.
    """
    if not isinstance(value, str):
        return _written(read_number(bool(value) + 0 if isinstance(value, bool) else value, {}))
    try:
        return _written(read_number(value, {}))
    except ValueError:
        symbol = value.strip()
        symbol = symbol[1:-1] if len(symbol) > 1 and symbol[0] == symbol[-1] == '"' else symbol
        if not symbol or any(sign in symbol for sign in '"\r\n'):
            raise ValueError(
                f"found the value {value!r}, expected a number, or a symbol in one line without quotes inside"
            ) from None
        return f'"{symbol}"'


def scipy_law(chances: Sequence[tuple[exact.Number, float]], name: str) -> Any:  # SciPy tells no types
    """Return a law of numbers as a ``scipy.stats.rv_discrete``.

    Args:
        chances: values in ascending order, and their probabilities.
        name: of the variable.

    Raises:
        ValueError: if a value is a symbol.
        ImportError: if SciPy is not installed; the message says what to install.
    """
    rv_discrete = needed("scipy", "scipy").stats.rv_discrete
    symbols = [word for value, _ in chances if isinstance(value, Fraction) and (word := symbol_of(value)) is not None]
    if symbols:
        raise ValueError(
            f"found the symbol '{symbols[0]}' among the values of '{name}', expected numbers, as scipy has no others"
        )
    values, weights = zip(*((exact.nearest_float(value), chance) for value, chance in chances), strict=True)
    total = math.fsum(weights)
    return rv_discrete(name=re.sub(r"\W", "_", name), values=(values, [each / total for each in weights]))
