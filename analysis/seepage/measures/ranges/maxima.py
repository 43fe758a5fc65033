"""Sums of maxima of functions of the parameters over boxes: the form that what is guessed has, with its slopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from flint import arb

from seepage.algebra import minus
from seepage.data_classes import dataclass
from seepage.engines import intervals
from seepage.engines.intervals import Box, Interval
from seepage.measures.planning.table import Measure
from seepage.measures.ranges.form import Form

_COMPARED = 6  # functions that are compared with each other

_ZERO: Interval = (arb(0), arb(0))


@dataclass(frozen=True, slots=True)
class Maxima:
    """A sum of maxima of rational functions; no group is empty. Differences are kept by the identities of what they are of."""

    groups: tuple[tuple[Form, ...], ...]
    differences: dict[tuple[int, int], Form] = field(default_factory=dict, compare=False, repr=False)

    def value(self, letters: Mapping[int, Interval]) -> Interval:
        """Enclose the sum."""
        total = _ZERO
        for group in self.groups:
            values = [form.value(letters) for form in group]
            total = intervals.plus(
                total, (_greatest([low for low, _ in values]), _greatest([high for _, high in values]))
            )
        return total

    def slopes(self, names: Sequence[str], box: Box, letters: Mapping[int, Interval]) -> dict[str, Interval]:
        """Enclose the gradient, of those functions only that may be the greatest somewhere in the box."""
        found = dict.fromkeys(names, _ZERO)
        for group in self.groups:
            slopes = [form.slopes(names, box, letters) for form in self._candidates(group, letters)]
            for name in names:
                ends = [end for slope in slopes for end in slope[name]]
                found[name] = intervals.plus(found[name], intervals.hull(ends))
        return found

    def constant(self) -> Fraction | None:
        """Return the sum if no function has a letter."""
        total = Fraction(0)
        for group in self.groups:
            known = [value for form in group if (value := form.rest.constant()) is not None]
            if len(known) < len(group):
                return None
            total += max(known)
        return total

    def _candidates(self, group: Sequence[Form], letters: Mapping[int, Interval]) -> list[Form]:
        """Return functions one of which is the greatest wherever in the box; one that another is nowhere below is left out."""
        values = [form.value(letters) for form in group]
        least = _greatest([low for low, _ in values])
        left = [form for form, (_, high) in zip(group, values, strict=True) if not high < least]
        if len(left) > _COMPARED:
            return left
        for form in tuple(left):
            if any(other is not form and self._is_below(form, other, letters) for other in left):
                left = [each for each in left if each is not form]
        return left

    def _is_below(self, form: Form, other: Form, letters: Mapping[int, Interval]) -> bool:
        key = (id(form), id(other))
        if key not in self.differences:
            difference = minus(form.rest, other.rest)
            self.differences[key] = Form(form.alphabet, form.parameters, difference, (), form.enclosing)
        return bool(self.differences[key].value(letters)[1] <= 0)


def _greatest(ends: Sequence[arb]) -> arb:
    found = ends[0]
    for end in ends[1:]:
        found = found.max(end)
    return found


@dataclass(frozen=True, slots=True)
class Guessing:
    """``sign · (M − e)`` for one measure M of guessing.

    Attributes:
        measure: what is known of it.
        after: what is expected after something is seen.
        before: what is expected before, of leakages.
        bound: e, in nats where M has a unit.
        sign: 1 for budgets from above, −1 for budgets from below.
    """

    measure: Measure
    after: Maxima
    before: Maxima | None
    bound: Form | Interval
    sign: int

    def letters(self, box: Box) -> dict[int, Interval]:
        """Enclose the letters on a box."""
        return self.after.groups[0][0].letters(box)

    def value(self, letters: Mapping[int, Interval]) -> Interval:
        """Enclose the values."""
        value = self.after.value(letters)
        if self.measure.dimension:
            value = _logarithm(value)
        if self.before is not None:
            prior = self.before.value(letters)
            if not prior[0] > 0:
                return intervals.WHOLE  # where nothing is gained before, the measure has no meaning
            value = intervals.plus(value, intervals.negative(_logarithm(prior)))
        if self.measure.attacker == "least":
            value = intervals.negative(value)
        if self.measure.functional == "tries":
            value = value[0] + 1, value[1] + 1
        bound = self.bound.value(letters) if isinstance(self.bound, Form) else self.bound
        return self._signed(intervals.plus(value, intervals.negative(bound)))

    def slopes(self, names: Sequence[str], box: Box, letters: Mapping[int, Interval]) -> dict[str, Interval]:
        """Enclose the gradient on a box."""
        found = self._outer(self.after, names, box, letters)
        if self.before is not None:
            prior = self._outer(self.before, names, box, letters)
            found = {name: intervals.plus(slope, intervals.negative(prior[name])) for name, slope in found.items()}
        if self.measure.attacker == "least":
            found = {name: intervals.negative(slope) for name, slope in found.items()}
        if isinstance(self.bound, Form):
            bound = self.bound.slopes(names, box, letters)
            found = {name: intervals.plus(slope, intervals.negative(bound[name])) for name, slope in found.items()}
        return {name: self._signed(slope) for name, slope in found.items()}

    def _outer(
        self, of: Maxima, names: Sequence[str], box: Box, letters: Mapping[int, Interval]
    ) -> dict[str, Interval]:
        slopes = of.slopes(names, box, letters)
        if not self.measure.dimension:
            return slopes
        share = intervals.inverse(of.value(letters))
        return {name: intervals.times(slope, share) for name, slope in slopes.items()}

    def _signed(self, value: Interval) -> Interval:
        return value if self.sign == 1 else intervals.negative(value)


def _logarithm(value: Interval) -> Interval:
    low, high = value
    return (
        low.log() if low > 0 else arb.neg_inf(),
        high.log() if high > 0 and high.is_finite() else arb.pos_inf(),
    )
