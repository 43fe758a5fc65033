r"""Whether a channel is at most as leaky as another, whatever the prior and whatever an attacker gains: refinement, decided with a certificate.

For channels A and B with the same inputs these are the same (the Coriaceous theorem: McIver, Morgan, Smith, Espinoza, Meinicke 2014; Blackwell 1951
for experiments): B is A followed by some channel R on the outputs, :math:`A R = B`; and for every prior and every gain function B leaves an attacker
at most what A does. R is a solution of linear equations, :math:`\sum_k A_{xk} R_{ky} = B_{xy}` and :math:`\sum_y R_{ky} = 1`. If there is none, the
multipliers G and h of these equations (:mod:`seepage.measures.channels.feasibility`) have :math:`\sum_x A_{xk} G_{xy} \le -h_k` for all k and y, and
:math:`\sum_{xy} B_{xy} G_{xy} > -\sum_k h_k`: with the uniform prior and G as the gain of guessing y where x is the secret, B gives more than A,

.. math:: \sum_y \max_w \sum_x B_{xy} G_{xw} \ge \sum_{xy} B_{xy} G_{xy} > -\sum_k h_k \ge \sum_k \max_w \sum_x A_{xk} G_{xw}.

A number added to the gains of one x changes both sides alike, so that gains are brought to [0, 1]. Columns that are multiples of each other, and inputs
with the same rows in both channels, are taken together first.

Of irrational probabilities a gain is looked for with rational ones near them, and then enclosed. If A has as many inputs as outputs and an inverse, R is
:math:`A^{-1} B` if it is anything: its rows have the sum 1, since A and B have, so that B refines A exactly if no entry is negative. Enclosures of the
entries that are above 0, or exactly 0, prove that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget
from seepage.exact import Number, precision
from seepage.measures.channels.channel import Channel, in_balls, is_exact
from seepage.measures.channels.feasibility import Column, Infeasible, TooLargeSystem, solve
from seepage.measures.clock import UNLIMITED
from seepage.measures.discrete.weights import BITS, Values

Rational: TypeAlias = Mapping[Values, Mapping[Values, fmpq]]  # by input, then by output; no entry is 0


@dataclass(frozen=True, slots=True)
class Refined:
    """B is at most as leaky as A.

    Attributes:
        after: what to do with an output of A so that it becomes one of B, with probabilities.
        is_rounded: whether the probabilities are irrational, and those in ``after`` close to them; that they are such is proved of themselves.
    """

    after: Mapping[Values, Mapping[Values, Fraction]]
    is_rounded: bool = False


@dataclass(frozen=True, slots=True)
class NotRefined:
    """B is leakier than A for the uniform prior and a gain: what guessing ``w`` gains where ``x`` is the secret, in [0, 1].

    Attributes:
        gain: by guess, then by input; a guess that is not listed gains nothing. Guesses are named by outputs of B.
        of_first: what an attacker gains on average who sees the output of A; a bound from above where it is no rational number.
        of_second: the same of B, a bound from below; greater.
    """

    gain: Mapping[Values, Mapping[Values, Fraction]]
    of_first: Fraction
    of_second: Fraction


@dataclass(frozen=True, slots=True)
class Undecided:
    """Nothing is proved; ``reason`` says why."""

    reason: str


Refinement: TypeAlias = Refined | NotRefined | Undecided
AnyChannel: TypeAlias = Channel[Number] | Channel[arb]


def refinement(first: AnyChannel, second: AnyChannel, budget: Budget = UNLIMITED) -> Refinement:
    """Return whether the second channel is at most as leaky as the first, with the certificate, which has been checked exactly.

    Args:
        first: the channel that is to tell more.
        second: one of the same secrets.
        budget: its deadline.

    Raises:
        OutOfTime: past the deadline.
    """
    if set(first.rows) != set(second.rows):
        return Undecided("the secrets do not have the same values")
    if first.missing or second.missing:
        return Undecided("an infinite support was cut")
    if first.rows == second.rows and is_exact(first):
        return Refined({value: {value: Fraction(1)} for row in first.rows.values() for value in row})
    a, b = _rational(first), _rational(second)
    whole = a is not None and b is not None
    try:
        found = _decided(a or _nearby(first), b or _nearby(second), budget)
    except TooLargeSystem as error:
        return Undecided(f"the channels are too large: {error}")
    if whole:
        return found
    told = _surely(found, first, second) if isinstance(found, NotRefined) else None
    return (
        told
        or _by_inverse(first, second)
        or Undecided("probabilities are irrational, and nothing was found that shows it")
    )


def _decided(a: Rational, b: Rational, budget: Budget) -> Refined | NotRefined:
    """Decide it for rational channels."""
    inputs = list({(_key(a[x]), _key(b[x])): x for x in a}.values())
    merged_a, parts_a = _merged(a, inputs)
    merged_b, parts_b = _merged(b, inputs)
    outs_a, outs_b = list(merged_a), list(merged_b)
    rows = len(inputs) * len(outs_b)
    columns: list[Column] = []
    for k, seen in enumerate(outs_a):
        for y in range(len(outs_b)):
            column = {x * len(outs_b) + y: entry for x, entry in enumerate(merged_a[seen]) if entry}
            columns.append({**column, rows + k: fmpq(1)})
    right = [merged_b[seen][x] for x in range(len(inputs)) for seen in outs_b] + [fmpq(1)] * len(outs_a)
    found = solve(columns, right, budget)
    if isinstance(found, Infeasible):
        gain = {
            seen: {x: found.multipliers[place * len(outs_b) + y] for place, x in enumerate(inputs)}
            for y, seen in enumerate(outs_b)
        }
        return _not_refined(_scaled(gain), a, b)
    after: dict[Values, dict[Values, fmpq]] = {}
    for k, seen in enumerate(outs_a):
        row = found.values[k * len(outs_b) : (k + 1) * len(outs_b)]
        split = {
            one: share * part
            for share, other in zip(row, outs_b, strict=True)
            if share
            for one, part in parts_b[other].items()
        }
        after |= dict.fromkeys(parts_a[seen], split)
    _check(after, a, b)
    return Refined({one: {to: _fraction(share) for to, share in row.items()} for one, row in after.items()})


def _merged(
    rows: Rational, inputs: Sequence[Values]
) -> tuple[dict[Values, list[fmpq]], dict[Values, dict[Values, fmpq]]]:
    """Return the columns of a channel, those together that are multiples of each other, and the share that each output has in its column."""
    columns: dict[Values, list[fmpq]] = {}
    for place, x in enumerate(inputs):
        for seen, share in rows[x].items():
            columns.setdefault(seen, [fmpq(0)] * len(inputs))[place] = share
    known: dict[tuple[fmpq, ...], Values] = {}
    merged: dict[Values, list[fmpq]] = {}
    weights: dict[Values, dict[Values, fmpq]] = {}
    for seen, column in columns.items():
        whole = sum(column, fmpq(0))
        name = known.setdefault(tuple(entry / whole for entry in column), seen)
        merged[name] = [a + b for a, b in zip(merged[name], column, strict=True)] if name in merged else column
        weights.setdefault(name, {})[seen] = whole
    totals = {name: sum(parts.values(), fmpq(0)) for name, parts in weights.items()}
    return merged, {name: {one: w / totals[name] for one, w in parts.items()} for name, parts in weights.items()}


def _scaled(gain: Mapping[Values, Mapping[Values, fmpq]]) -> dict[Values, dict[Values, fmpq]]:
    """Return gains brought to [0, 1]: each input's least is 0, the greatest of all is 1; guesses that gain the same are one."""
    inputs = list(next(iter(gain.values())))
    least = {x: min(row[x] for row in gain.values()) for x in inputs}
    greatest = max(row[x] - least[x] for row in gain.values() for x in inputs)
    found: dict[tuple[fmpq, ...], tuple[Values, dict[Values, fmpq]]] = {}
    for guess, row in gain.items():
        scaled = {x: (row[x] - least[x]) / greatest for x in inputs}
        found.setdefault(tuple(scaled.values()), (guess, scaled))
    return {guess: {x: g for x, g in row.items() if g} for guess, row in found.values() if any(row.values())}


def _not_refined(gain: Mapping[Values, Mapping[Values, fmpq]], a: Rational, b: Rational) -> NotRefined:
    of_first, of_second = _gained(gain, a), _gained(gain, b)
    assert of_first < of_second
    return NotRefined(
        {guess: {x: _fraction(g) for x, g in row.items()} for guess, row in gain.items()},
        _fraction(of_first),
        _fraction(of_second),
    )


def _gained(gain: Mapping[Values, Mapping[Values, fmpq]], rows: Rational) -> fmpq:
    """Return what the best guess after each output gains on average, all inputs being equally likely."""
    outputs = dict.fromkeys(seen for row in rows.values() for seen in row)
    best = (max((_worth(row, rows, seen) for row in gain.values()), default=fmpq(0)) for seen in outputs)
    return sum((max(each, fmpq(0)) for each in best), fmpq(0)) / len(rows)


def _worth(gain: Mapping[Values, fmpq], rows: Rational, seen: Values) -> fmpq:
    return sum((g * rows[x].get(seen, fmpq(0)) for x, g in gain.items()), fmpq(0))


def _check(after: Mapping[Values, Mapping[Values, fmpq]], a: Rational, b: Rational) -> None:
    """Make sure that a post-processing makes the second channel of the first."""
    assert all(sum(row.values(), fmpq(0)) == 1 and all(share > 0 for share in row.values()) for row in after.values())
    for x, row in a.items():
        made: dict[Values, fmpq] = {}
        for seen, share in row.items():
            for to, part in after[seen].items():
                made[to] = made.get(to, fmpq(0)) + share * part
        assert made == dict(b[x])


def _surely(found: NotRefined, first: AnyChannel, second: AnyChannel) -> NotRefined | None:
    """Return what a gain that was found for channels near by comes to for the channels themselves; None if it does not surely tell them apart."""
    with precision(BITS):
        high = _gained_in_balls(found.gain, in_balls(first)).upper()
        low = _gained_in_balls(found.gain, in_balls(second)).lower()
        if not high < low:
            return None
        return NotRefined(found.gain, exact.dyadic(high), exact.dyadic(low))


def _gained_in_balls(gain: Mapping[Values, Mapping[Values, Fraction]], channel: Channel[arb]) -> arb:
    outputs = dict.fromkeys(seen for row in channel.rows.values() for seen in row)
    total = arb(0)
    for seen in outputs:
        best = arb(0)
        for row in gain.values():
            worth = arb(0)
            for x, g in row.items():
                if seen in channel.rows[x]:
                    worth += arb(fmpq(g.numerator, g.denominator)) * channel.rows[x][seen]
            best = best.max(worth)
        total += best
    return total / len(channel.rows)


def _by_inverse(first: AnyChannel, second: AnyChannel) -> Refined | None:
    """Return the only post-processing that there can be after a channel with an inverse; None without one, or if it is not surely a channel."""
    kept = _different(first, second)
    outs_a, outs_b = (list(dict.fromkeys(y for x in kept for y in channel.rows[x])) for channel in (first, second))
    if len(outs_a) != len(kept):
        return None
    with precision(BITS):
        a, b = in_balls(first).rows, in_balls(second).rows
        system = [[*(a[x].get(k, arb(0)) for k in outs_a), *(b[x].get(y, arb(0)) for y in outs_b)] for x in kept]
        if not _eliminate(system, len(outs_a)):
            return None
        shares = [row[len(outs_a) :] for row in system]
        if not all(share > 0 or share == 0 for row in shares for share in row):
            return None
    return Refined(
        {
            seen: {y: Fraction(float(share.mid())) for y, share in zip(outs_b, row, strict=True) if share > 0}
            for seen, row in zip(outs_a, shares, strict=True)
        },
        is_rounded=True,
    )


def _different(first: AnyChannel, second: AnyChannel) -> list[Values]:
    """Return inputs, of those with the same rows in both channels one; of balls nobody knows."""
    if not (is_exact(first) and is_exact(second)):
        return list(first.rows)
    try:
        return list(
            {(frozenset(first.rows[x].items()), frozenset(second.rows[x].items())): x for x in first.rows}.values()
        )
    except exact.CannotDecide:
        return list(first.rows)


def _eliminate(rows: list[list[arb]], width: int) -> bool:
    """Bring the first ``width`` columns of a square system, with its right sides behind them, to those of the identity; False without an inverse."""
    for column in range(width):
        pivot = max(range(column, width), key=lambda row: rows[row][column].abs_lower())
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        if head.contains(0):
            return False
        rows[column] = [entry / head for entry in rows[column]]
        for other in range(width):
            factor = rows[other][column]
            if other != column:
                rows[other] = [one - factor * two for one, two in zip(rows[other], rows[column], strict=True)]
    return True


# --- numbers ----------------------------------------------------------------------------------------------------------


def _rational(channel: AnyChannel) -> Rational | None:
    """Return the rows of a channel as rationals; None if one is irrational."""
    found: dict[Values, dict[Values, fmpq]] = {}
    for x, row in channel.rows.items():
        shares = {seen: None if isinstance(p, arb) else exact.to_fraction(p) for seen, p in row.items()}
        if any(share is None for share in shares.values()):
            return None
        found[x] = {seen: fmpq(s.numerator, s.denominator) for seen, s in shares.items() if s is not None}
    return found


def _nearby(channel: AnyChannel) -> Rational:
    """Return rational rows near those of a channel."""
    found: dict[Values, dict[Values, fmpq]] = {}
    for x, row in in_balls(channel).rows.items():
        near = {seen: fmpq(*float(p.mid()).as_integer_ratio()) for seen, p in row.items()}
        whole = sum(near.values(), fmpq(0))
        found[x] = {seen: share / whole for seen, share in near.items() if share}
    return found


def _key(row: Mapping[Values, fmpq]) -> frozenset[tuple[Values, fmpq]]:
    return frozenset(row.items())


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
