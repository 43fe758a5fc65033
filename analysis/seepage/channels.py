"""Channels as arrays: a prior and a matrix from numpy, scipy or pandas, asked with the same measures as programs.

Small ones are core programs, made as trees, so that every measure and every engine is there. For large ones, :mod:`seepage.measures.channels.bounds_by_floats`
bounds the measures that people ask most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import product as pairs
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from seepage import exact
from seepage.channel_arrays import array_of, float_law, need_same_labels, row_law, rows_of
from seepage.data_classes import dataclass
from seepage.deadline import Deadline, processor_seconds
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget
from seepage.measures.asking import Asking, InformationUnit
from seepage.measures.channels import bounds_by_floats as floats
from seepage.measures.channels.channel import Channel as Rows
from seepage.measures.channels.refinement import Refinement, refinement
from seepage.measures.evaluate import evaluate
from seepage.measures.joints import Memory
from seepage.measures.result import Certainty, Json, Result, Unit
from seepage.notebook import MOST_ROWS, table_html
from seepage.pipeline import check, need_meaning, read_measure
from seepage.priors import TOLERANCE, FrozenLaw, Prior, normalised, row_chances, scipy_law
from seepage.program import MeasureError
from seepage.rules import UNKNOWN_IN_MEASURE
from seepage.semantics.core import CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.source import SourceFile, Span
from seepage.syntax import tree
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureExpression
from seepage.wishes import Wished

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float64]

MOST_ENTRIES = 10_000
"""Of a channel that all measures are asked of; larger ones are bounded by floats."""

_NOWHERE = Span(0, 0)
_MOST_COLUMNS = 20  # of a matrix that notebooks show
_STUB = (
    "secret {0}\noutput {1}\n{0} ~ uniform_int(0, 1)\n{1} := {0}\n"  # declares the names; its statements are never run
)
_DIVISION = 2.0**-50  # of a division by log 2, relative


@dataclass(frozen=True, slots=True, eq=False)
class Channel(Wished):
    """A channel with a prior: the input ``x``, by default, is the number of a row, the output ``y`` that of a column, both from 0.

    Made by :func:`channel`. ``a @ b`` is b after a, on the outputs of a.

    Attributes:
        names: of input and output.
        prior: the law of the input, of shape (n,).
        matrix: the law of the output for each input, of shape (n, m).
        normalised: the largest amount by which a sum of what was given differed from 1; 0 if none did.
    """

    names: tuple[str, str]
    prior: Floats
    matrix: Floats
    normalised: float = 0.0
    _exact: tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]] | None = field(default=None, repr=False)
    # An array of numpy on the left asks us what `array @ channel` is, and does not look for numbers in us.
    __array_ufunc__: ClassVar[None] = None

    def __post_init__(self) -> None:
        for array in (self.prior, self.matrix):
            array.setflags(write=False)  # its numbers are those of the fractions

    def __reduce__(self) -> tuple[object, ...]:
        """Return how a copy is made, whose arrays are not written to either."""
        return Channel, (self.names, self.prior, self.matrix, self.normalised, self._exact)

    def __eq__(self, other: object) -> bool:
        """Tell whether names, prior and matrix are the same."""
        if not isinstance(other, Channel):
            return NotImplemented
        same = self.names == other.names and self._exact == other._exact
        return same and np.array_equal(self.prior, other.prior) and np.array_equal(self.matrix, other.matrix)

    def __hash__(self) -> int:
        return hash((self.names, self.matrix.shape, self.prior.tobytes()))

    @property
    def shape(self) -> tuple[int, int]:
        """How many inputs and outputs there are."""
        return len(self.prior), self.matrix.shape[1]

    def __len__(self) -> int:
        """Return the number of inputs."""
        return len(self.prior)

    def __iter__(self) -> Iterator[Floats]:
        """Yield the law of the output for each input."""
        return iter(self.matrix)

    def __repr__(self) -> str:
        """Return its size; the entries may be many."""
        size = f"{self.matrix.shape[0]} inputs {self.names[0]}, {self.matrix.shape[1]} outputs {self.names[1]}"
        return f"<Channel of {size}{', normalised' if self.normalised else ''}>"

    @property
    def is_exact(self) -> bool:
        """Whether its probabilities are known as fractions; those of large channels of floats are floats."""
        return self._exact is not None

    def fractions(self) -> tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...]]:
        """Return prior and matrix as fractions.

        Raises:
            ValueError: if they are not known so.
        """
        if self._exact is None:
            raise ValueError(
                f"found a channel of {self.matrix.size} floats, expected fractions, or at most {MOST_ENTRIES} entries"
            )
        return self._exact

    def measure(self, text: str, *, unit: InformationUnit = "bits", seconds: float = 30.0) -> Result:
        """Evaluate a measure, such as ``"I(x; y)"``, ``"V(x | y)"`` or ``"C(x -> y)"``, with certified bounds.

        Args:
            text: the measure, in the words of programs; of large channels, those of :data:`OF_LARGE`.
            unit: of entropies, information and divergences.
            seconds: time limit.

        Raises:
            MeasureError: if the measure has a fault, or a limit was reached.
            ValueError: if the unit is none, or the channel is too large for the measure.
        """
        started = processor_seconds()
        budget = Budget(deadline=Deadline.after(seconds))
        checked = check(SourceFile("<channel>", _STUB.format(*self.names)))
        if unit not in ("bits", "nats"):
            raise ValueError(f"found unit {unit!r}, expected 'bits' or 'nats'")
        try:
            asked, offset = read_measure(checked, text)
            if self._exact is None or self.matrix.size > MOST_ENTRIES:
                return replace(self._bounded(asked, text, unit, budget), seconds=processor_seconds() - started)
            asking = Asking(checked, self._core(), {}, unit, budget, Memory())
            need_meaning(asking, asked, seconds)
            return evaluate(asking, asked, offset)
        except Fault as fault:
            diagnostic = fault.diagnostic
            span = Span(
                *(
                    min(max(end - len(checked.source.text) - 1, 0), len(text))
                    for end in (diagnostic.span.start, diagnostic.span.end)
                )
            )
            told = replace(diagnostic, span=span, labels=())
            if diagnostic.rule is UNKNOWN_IN_MEASURE:
                known = " and ".join(f"'{name}'" for name in self.names)
                told = replace(told, message=f"unknown name '{text[span.start : span.end]}': the channel has {known}")
            raise MeasureError(told, SourceFile("<measure>", text)) from fault

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        """Return the matrix, for ``np.asarray``."""
        return self.matrix.astype(dtype or float, copy=bool(copy))

    def _repr_html_(self) -> str:
        """Return it for notebooks: a row for each input, with its prior."""
        outputs = [f"{self.names[1]} = {place}" for place in range(self.matrix.shape[1])][:_MOST_COLUMNS]
        left_out = self.matrix.shape[1] - len(outputs)
        heads = [self.names[0], "prior", *outputs, *(["…"] if left_out else [])]
        shown = zip(self.prior[: MOST_ROWS + 1], self.matrix[: MOST_ROWS + 1], strict=True)
        rows = [
            [str(place), f"{p:.6g}", *(f"{cell:.6g}" for cell in row[:_MOST_COLUMNS]), *(["…"] if left_out else [])]
            for place, (p, row) in enumerate(shown)
        ]
        return table_html(heads, rows + [[]] * (len(self.prior) - len(rows)), repr(self)[1:-1])

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds; fractions as texts, where they are known."""
        prior, rows = self._exact if self._exact is not None else (self.prior.tolist(), self.matrix.tolist())
        cells = str if self._exact is not None else float
        return {
            "names": list(self.names),
            "prior": [cells(each) for each in prior],
            "matrix": [[cells(each) for each in row] for row in rows],
            "normalised": self.normalised,
        }

    def marginal(self, name: str) -> Any:  # SciPy tells no types
        """Return the law of the input or the output as a ``scipy.stats.rv_discrete``.

        Args:
            name: of the input or of the output, as in ``names``.

        Raises:
            ValueError: if the name is neither of them.
        """
        if name not in self.names:
            raise ValueError(f"found {name!r}, expected {self.names[0]!r} or {self.names[1]!r}")
        law = self.prior if name == self.names[0] else self.outputs()
        return scipy_law([(place, float(chance)) for place, chance in enumerate(law) if chance > 0], name)

    def joint(self) -> Floats:
        """Return the chance of each input with each output, of shape (n, m)."""
        return self.prior[:, None] * self.matrix

    def outputs(self) -> Floats:
        """Return the law of the output, of shape (m,)."""
        return self.prior @ self.matrix

    def posteriors(self) -> Floats:
        """Return the law of the input after each output, of shape (m, n), a row for each output; NaN for an output that is impossible."""
        seen = self.outputs()
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Floats = (self.joint() / np.where(seen > 0, seen, np.nan)).T
        return found

    def with_prior(self, prior: Prior | None) -> Channel:
        """Return the same channel with another prior.

        Args:
            prior: as for :func:`channel`, with a probability for each of the n inputs; None for equally likely ones.

        Raises:
            ValueError: as :func:`channel`.
        """
        return channel(prior, self.matrix if self._exact is None else self._exact[1], names=self.names)

    def __matmul__(self, other: Channel | npt.ArrayLike) -> Channel:
        """Return the cascade: what comes out of this channel goes into the other one, whose prior does not matter, or into a matrix.

        Raises:
            ValueError: if the other has not as many inputs as this one has outputs.
        """
        other = self._beside(other)
        if self.matrix.shape[1] != other.matrix.shape[0]:
            raise ValueError(
                f"found {self.matrix.shape[1]} outputs before {other.matrix.shape[0]} inputs, expected as many"
            )
        if self._exact is None or other._exact is None:
            return channel(self.prior, self.matrix @ other.matrix, names=(self.names[0], other.names[1]))
        prior, rows = self._exact
        columns = list(zip(*other._exact[1], strict=True))
        after = [[sum(map(_times, row, column), Fraction(0)) for column in columns] for row in rows]
        return channel(prior, after, names=(self.names[0], other.names[1]))

    def __rmatmul__(self, other: npt.ArrayLike) -> Channel:
        """Refuse: a matrix on the left has no prior for its inputs.

        Raises:
            TypeError: always.
        """
        raise TypeError(
            "found a matrix before a channel, expected its prior, too: seepage.channel(prior, matrix) @ other"
        )

    def _beside(self, other: Channel | npt.ArrayLike) -> Channel:
        return other if isinstance(other, Channel) else channel(None, other, names=self.names)

    def parallel(self, other: Channel | npt.ArrayLike) -> Channel:
        """Return both channels on one input, drawn independently: the output is the pair, as ``first · columns of other + second``.

        Args:
            other: a channel, whose prior does not matter, or a matrix with as many rows as this one has.

        Returns:
            A channel of shape (n, m · columns of other), with the prior of this one.

        Raises:
            ValueError: if the other has not as many inputs.
        """
        other = self._beside(other)
        if self.matrix.shape[0] != other.matrix.shape[0]:
            raise ValueError(f"found {self.matrix.shape[0]} inputs beside {other.matrix.shape[0]}, expected as many")
        if self._exact is None or other._exact is None:
            both = (self.matrix[:, :, None] * other.matrix[:, None, :]).reshape(len(self.prior), -1)
            return channel(self.prior, both, names=self.names)
        prior, rows = self._exact
        return channel(prior, [_products(*each) for each in zip(rows, other._exact[1], strict=True)], names=self.names)

    def product(self, other: Channel | npt.ArrayLike) -> Channel:
        """Return both channels side by side, each on an input of its own, independent: input and output are pairs, as in :meth:`parallel`.

        Args:
            other: a channel, or a matrix, the inputs of which are equally likely.

        Returns:
            A channel with the product of both priors.
        """
        other = self._beside(other)
        if self._exact is None or other._exact is None:
            return channel(np.kron(self.prior, other.prior), np.kron(self.matrix, other.matrix), names=self.names)
        (prior, rows), (other_prior, other_rows) = self._exact, other._exact
        return channel(
            _products(prior, other_prior), [_products(*each) for each in pairs(rows, other_rows)], names=self.names
        )

    def refinement(self, other: Channel | npt.ArrayLike, *, seconds: float = 30.0) -> Refinement:
        """Return whether the other channel is at most as leaky as this one whatever the prior and the gain, with a certificate.

        Args:
            other: a channel, whose prior does not matter, or a matrix, on the same inputs.
            seconds: of processor time.

        Returns:
            Whether it is, is not, or is not known to be, and the post-processing or the attacker that shows it.

        Raises:
            ValueError: if the probabilities of one are not known as fractions.
        """
        budget = Budget(deadline=Deadline.after(seconds))
        first, second = (
            Rows(
                {
                    (exact.number(Fraction(place)),): {
                        (exact.number(Fraction(to)),): exact.number(p) for to, p in enumerate(row) if p
                    }
                    for place, row in enumerate(each.fractions()[1])
                }
            )
            for each in (self, self._beside(other))
        )
        return refinement(first, second, budget)

    def _core(self) -> CoreProgram:
        """Return the channel as a program, which finds the row of an input by halves."""
        prior, rows = self.fractions()
        x, y = (tree.Name(name, _NOWHERE) for name in self.names)

        def among(first: int, end: int) -> tuple[CoreStatement, ...]:
            if end - first == 1:
                return (CoreSample(y, _table(rows[first]), _NOWHERE),)
            middle = (first + end) // 2
            condition = tree.Binary("<", x, _number(middle), _NOWHERE)
            return (CoreIf(condition, among(first, middle), among(middle, end), _NOWHERE),)

        statements = (CoreSample(x, _table(prior), _NOWHERE), *among(0, len(rows)))
        return CoreProgram(statements, self.names, {}, (), {}, {})

    def _bounded(self, asked: MeasureExpression, text: str, unit: InformationUnit, budget: Budget) -> Result:
        possible = self.prior > 0
        rounded = 2 * max(self.matrix.shape) + 8  # units: of each float, the sum of its law, and the division by it
        arrays = floats.Arrays(self.prior[possible], self.matrix[possible], rounded)
        positive = arrays.matrix[arrays.matrix > 0]
        if min(positive.min(), arrays.prior.min()) < floats.LEAST:
            raise ValueError(
                f"found a probability below {floats.LEAST:g}, expected larger ones in a channel of more than {MOST_ENTRIES} entries"
            )
        shape = next((each for each in _BOUNDED if _named(each, self.names) == spell(asked)), None)
        if shape is None:
            known = ", ".join(_named(each, self.names) for each in OF_LARGE)
            size = f"a channel of {self.matrix.size} entries"
            raise ValueError(
                f"found '{text}' of {size}, expected one of: {known}; others are for at most {MOST_ENTRIES}"
            )
        rule, is_information = _BOUNDED[shape]
        found = rule(arrays, budget)
        lower, value, upper = max(found.lower, 0.0), found.value, found.upper
        if is_information and unit == "bits":
            lower, value, upper = (each / math.log(2) for each in (lower, value, upper))
            lower, upper = lower * (1 - _DIVISION), upper * (1 + _DIVISION)
        own: Unit = unit if is_information else ""
        symbol = shape.partition("(")[0]
        ends = lower, min(max(value, lower), upper), upper
        return Result(spell(asked), own, ends[1], ends[0], ends[2], Certainty.CERTIFIED, "discrete", symbol=symbol)


def channel(
    prior: Prior | None = None,
    matrix: Any = None,
    *,
    names: tuple[str, str] = ("x", "y"),
    tolerance: float = TOLERANCE,
) -> Channel:
    """Return a channel from arrays.

    A float means the decimal that it prints as. Laws whose sums differ from 1 by at most ``tolerance`` are divided by their sums, and
    :attr:`Channel.normalised` says by how much they differed. Channels of at most :data:`MOST_ENTRIES` entries, and those of fractions, are kept as fractions.

    Args:
        prior: the law of the input: n numbers, a frozen law of ``scipy.stats`` or a mapping, of the numbers of rows; None for a uniform one.
        matrix: a row for each input: lists, an array of numpy, a sparse matrix of scipy, a data frame; n rows of the same length.
            Truth values are 0 and 1. Labels of a data frame are not kept; where the prior has some, too, they have to be the same ones.
        names: of input and output in measures.
        tolerance: by how much sums may differ from 1, 0 or more.

    Raises:
        ValueError: if that is no channel; the message says which row is wrong.
        TypeError: if the matrix or the prior is no array.
    """
    if matrix is None:
        raise TypeError(
            "found no matrix, expected a prior and a matrix: seepage.channel(None, matrix) has a uniform prior"
        )
    if isinstance(prior, str):
        raise TypeError(f"found {prior!r}, expected the probabilities of the inputs, or None for a uniform prior")
    if not tolerance >= 0:
        raise ValueError(f"found the tolerance {tolerance}, expected 0 or more")
    _need_names(names)
    rows = rows_of(prior, matrix)
    need_same_labels(prior, matrix)
    if prior is None:
        prior = [Fraction(1, len(rows))] * len(rows)
    given = array_of(row_chances(prior, len(rows)) if isinstance(prior, Mapping | FrozenLaw) else prior)
    if given.shape != (len(rows),):
        raise ValueError(f"found a prior of shape {given.shape} for {len(rows)} inputs")
    if rows.size > MOST_ENTRIES and rows.dtype.kind in "fiu":
        law, changed = float_law(np.asarray(given, float)[None, :], "the prior", tolerance)
        laws, also = float_law(rows.astype(float), "row {}", tolerance)
        return Channel(names, law[0], laws, max(changed, also))
    whole = [
        normalised(given, "the prior", tolerance),
        *(row_law(rows, place, tolerance) for place in range(len(rows))),
    ]
    laws_exact = [law for law, _ in whole]
    in_floats = [np.array([float(p) for p in law]) for law in laws_exact]
    fractions = laws_exact[0], tuple(laws_exact[1:])
    return Channel(names, in_floats[0], np.array(in_floats[1:]), max(off for _, off in whole), fractions)


def _need_names(names: tuple[str, str]) -> None:
    if (
        isinstance(names, str)
        or len(set(names)) != 2
        or check(SourceFile("<channel>", _STUB.format(*names))).has_errors
    ):
        raise ValueError(f"found the names {names!r}, expected two different ones that programs may give")


def _times(a: Fraction, b: Fraction) -> Fraction:
    return a * b


def _products(first: Sequence[Fraction], second: Sequence[Fraction]) -> list[Fraction]:
    return [a * b for a in first for b in second]


def _number(value: Fraction | int) -> tree.Number:
    return tree.Number(Fraction(value), _NOWHERE)


def _table(law: Sequence[Fraction]) -> tree.Table:
    return tree.Table(tuple((_number(place), _number(p)) for place, p in enumerate(law) if p), _NOWHERE)


# --- large channels ---------------------------------------------------------------------------------------------------


def _named(measure: str, names: tuple[str, str]) -> str:
    return re.sub(r"\b[xy]\b", lambda found: names["xy".index(found[0])], measure)


def _minus(one: floats.Bounds, other: floats.Bounds) -> floats.Bounds:
    lower = float(np.nextafter(one.lower - other.upper, -np.inf))
    return floats.Bounds(lower, one.value - other.value, float(np.nextafter(one.upper - other.lower, np.inf)))


def _negated(one: floats.Bounds) -> floats.Bounds:
    return floats.Bounds(-one.upper, -one.value, -one.lower)


_BEFORE, _AFTER, _LOG = floats.vulnerability_before, floats.vulnerability_after, floats.logarithm

_BOUNDED: Mapping[str, tuple[Callable[[floats.Arrays, Budget], floats.Bounds], bool]] = {
    "H(x)": (lambda c, _: floats.entropy(c.prior, c.units), True),
    "H(y)": (lambda c, _: floats.entropy(c.outputs, c.sums), True),
    "I(x; y)": (lambda c, _: floats.information(c), True),
    "H(x | y)": (lambda c, _: _minus(floats.entropy(c.prior, c.units), floats.information(c)), True),
    "H(y | x)": (lambda c, _: _minus(floats.entropy(c.outputs, c.sums), floats.information(c)), True),
    "V(x)": (lambda c, _: _BEFORE(c), False),
    "V(x | y)": (lambda c, _: _AFTER(c), False),
    "Hmin(x)": (lambda c, _: _negated(_LOG(_BEFORE(c))), True),
    "Hmin(x | y)": (lambda c, _: _negated(_LOG(_AFTER(c))), True),
    "Lmin(x -> y)": (lambda c, _: _minus(_LOG(_AFTER(c)), _LOG(_BEFORE(c))), True),
    "C(x -> y)": (floats.capacity, True),
    "Cmin(x -> y)": (lambda c, _: _LOG(floats.greatest_sum(c)), True),
    "DP(x -> y)": (lambda c, _: _LOG(floats.greatest_ratio(c)), False),
}

OF_LARGE = tuple(_BOUNDED)
"""The measures of channels with more than :data:`MOST_ENTRIES` entries."""
