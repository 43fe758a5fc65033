r"""Which guess is best, and for which values of the parameters it stays so: what formulas of an attacker who guesses rest on.

A greatest expected gain :math:`\sum_y \max_w \sum_x m(x, y) g(w, x)` is, where one guess w is best for each y, a sum of masses. That
is so where :math:`d = \sum_x m(x, y) (g(w, x) - g(w', x)) \ge 0` for every other guess w′. A factor of d whose sign is not the same
on the whole domain gives a condition: that it has the sign that it has at the asked values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, Letter, NoAlgebra, Quotient, composed, minus, plus, times
from seepage.data_classes import dataclass
from seepage.engines.signs import EVERYWHERE, Signs
from seepage.exact import Number, add, compare, div, log_, mul, number, sub, to_fraction
from seepage.measures.formulas.condition import Condition, relating
from seepage.measures.formulas.conditions import Elsewhere, conditions_for
from seepage.measures.formulas.ends import narrowing
from seepage.measures.formulas.notation import value_of
from seepage.measures.formulas.question import Choice, Question, Region, letters_at
from seepage.measures.formulas.tree import ZERO, Symbol, ratio_of
from seepage.measures.formulas.writing import Writing
from seepage.measures.guessing.gains import Distance, Gain, Table, Tries
from seepage.semantics.checked import Domain
from seepage.syntax import tree

Values = tuple[Number, ...]
Gains = Mapping[Values, Fraction]

_CONDITIONS = 4
_LENGTH = 60  # characters of a condition
_STEP = Fraction(1, 10**6)


def chosen(
    question: Question, writing: Writing, gain: Gain, inside: Mapping[str, Number]
) -> tuple[Question, tuple[Condition, ...]]:
    """Return a question with the guesses that are best at its values, its domains narrowed to where they stay so, and further conditions.

    Args:
        question: about the variables x when y are seen.
        writing: in the parameters alone, its sample at the asked values.
        gain: of the attacker.
        inside: values at which every mass is positive; of guesses that are equally good, that one is taken which is best towards these.

    Raises:
        NoAlgebra: if where they stay so cannot be said shortly.
        Elsewhere: if the secret has a smaller range of values at the asked values than around them, and gains are distances.
    """
    alphabet, sample = writing.alphabet, writing.notation.sample
    samples = (
        sample,
        letters_at(alphabet, {name: _towards(question.at.get(name, end), end) for name, end in inside.items()}),
    )
    generators = writing.generators(question.joint)
    of, given = (question.joint.positions(names) for names in (question.x, question.y))
    groups: dict[Values, dict[Values, Quotient]] = {}
    alone: dict[Values, Quotient] = {}
    for values, polynomial in question.joint.masses.items():
        question.check_clock()
        mass = composed(polynomial, generators, alphabet)
        x, y = (tuple(values[place] for place in places) for places in (of, given))
        for masses in (groups.setdefault(y, {}), alone):
            masses[x] = plus(masses[x], mass) if x in masses else mass
    secrets = tuple(alone)
    gaps: list[Quotient] = []
    # The guess before anything is seen matters only to a comparison with it.
    ignored: list[Quotient] = []
    before = _best(alone, secrets, gain, alphabet, samples, gaps if question.measure.is_leakage else ignored)
    after = {y: _best(group, secrets, gain, alphabet, samples, gaps) for y, group in groups.items()}
    prior = _of_a_guess(before, alone, alphabet)
    if isinstance(gain, Table) and any(
        gained < 0 for row in gain.gains.values() for gained in map(_rational, row.values())
    ):
        gaps.append(prior)
    regions = _Regions(alphabet, sample, dict(question.domains))
    regions.keep(gaps)
    found = replace(
        question, domains=regions.domains, choice=Choice(before, after), region=Region(alphabet, tuple(regions.left))
    )
    stated = regions.conditions(writing, question.domains)
    if isinstance(gain, Table):
        stated += conditions_for([prior.numerator], (), writing.notation, regions.domains)
    if isinstance(gain, Distance):
        # Distances are relative to the least and the greatest value, if these are possible.
        ordered = sorted((x for x, mass in alone.items() if not mass.is_zero), key=cmp_to_key(_by_number))
        least, greatest = ordered[0], ordered[-1]
        if compare(sub(greatest[0], least[0]), gain.extent) != 0:
            raise Elsewhere("the least or the greatest value is impossible")
        ends = [alone[least].numerator, alone[greatest].numerator]
        stated += conditions_for(ends, (), writing.notation, regions.domains)
    return found, stated


def _by_number(a: Values, b: Values) -> int:
    return compare(a[0], b[0])


def _best(
    masses: Mapping[Values, Quotient],
    secrets: Sequence[Values],
    gain: Gain,
    alphabet: Alphabet,
    samples: Sequence[Sequence[arb]],
    gaps: list[Quotient],
) -> Gains:
    """Return what each value of the secret gains with the best guess, and add what must not be negative for it to be best."""
    if isinstance(gain, Tries):
        ordered = sorted(masses, key=lambda x: _ranked(masses[x], samples), reverse=True)
        kept, others = ordered[: gain.count], ordered[gain.count :]
        gaps += [minus(masses[x], masses[other]) for x in kept for other in others]
        return dict.fromkeys(kept, Fraction(1))
    rows = list(_rows(gain, secrets))
    expected: list[Quotient] = []
    for row in rows:
        expected.append(_of_a_guess(row, masses, alphabet))
    place = max(range(len(rows)), key=lambda each: _ranked(expected[each], samples))
    gaps += [minus(expected[place], other) for at, other in enumerate(expected) if at != place]
    return rows[place]


def _of_a_guess(row: Gains, masses: Mapping[Values, Quotient], alphabet: Alphabet) -> Quotient:
    """Return what a guess gains on average, times the chance of all the masses."""
    total = alphabet.number(0)
    for x, gained in row.items():
        if x in masses and gained:
            total = plus(total, times(alphabet.number(gained), masses[x]))
    return total


def _rows(gain: Distance | Table, secrets: Sequence[Values]) -> Iterator[Gains]:
    """Yield what each value of the secret gains, for each guess."""
    if isinstance(gain, Table):
        for row in gain.gains.values():
            yield {x: _rational(gained) for x, gained in row.items()}
        return
    for (guess,) in secrets:
        if gain.extent == 0:
            yield dict.fromkeys(secrets, Fraction(1))
        else:
            extent = _rational(gain.extent)
            yield {(x,): 1 - abs(_rational(sub(x, guess))) / extent for (x,) in secrets}


def _rational(value: Number) -> Fraction:
    found = to_fraction(value)
    if found is None:
        raise NoAlgebra("an irrational value")
    return found


def _towards(value: Number, end: Number) -> Number:
    return add(value, mul(_STEP, sub(end, value)))


def _ranked(value: Quotient, samples: Sequence[Sequence[arb]]) -> _Ranked:
    return _Ranked(tuple(value_of(value.numerator, sample) / value_of(value.denominator, sample) for sample in samples))


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Values at sample points, of which a later one matters only where the earlier ones are equal."""

    values: tuple[arb, ...]

    def __lt__(self, other: _Ranked) -> bool:
        for ours, theirs in zip(self.values, other.values, strict=True):
            if ours < theirs or ours > theirs:
                return bool(ours < theirs)
        return False


# --- where the guesses stay best --------------------------------------------------------------------------------------


class _Regions:
    """Factors that keep the sign that they have at a sample point: as narrower domains where they have one root, else as they are."""

    def __init__(self, alphabet: Alphabet, sample: Sequence[arb], domains: dict[str, Domain]) -> None:
        self.alphabet, self.sample, self.domains = alphabet, sample, domains
        self.left: list[fmpq_mpoly] = []

    def keep(self, gaps: Sequence[Quotient]) -> None:
        """Keep differences from being negative, those with one root first."""
        factors: list[fmpq_mpoly] = []
        for gap in gaps:
            for factor in self._oriented(gap):
                if factor not in factors:
                    factors.append(factor)
        others = [factor for factor in factors if not self._narrowed(factor)]
        signs = Signs(self.alphabet, self.domains)
        self.left = [factor for factor in others if not signs.at_least_zero(factor)]

    def _oriented(self, gap: Quotient) -> Iterator[fmpq_mpoly]:
        """Yield the factors of unknown sign, times their signs at the point; where one vanishes, so that the product is not negative."""
        if gap.is_zero:
            return
        signs, sign, open_ones = Signs(self.alphabet, self.domains), 1, list[fmpq_mpoly]()
        for polynomial in (gap.numerator, gap.denominator):
            constant, factors = polynomial.factor()
            sign *= -1 if constant < 0 else 1
            for factor, power in factors:
                if int(power) % 2 == 0:
                    continue
                known = signs.constant(factor)
                if known:
                    sign *= known
                else:
                    open_ones.append(factor)
        vanishing = [factor for factor in open_ones if not self._sign(factor)]
        for factor in open_ones:
            here = self._sign(factor)
            sign *= here or 1
            if here:
                yield factor * here
        if sign < 0 and not vanishing:
            raise NoAlgebra("which guess is best cannot be told")
        for place, factor in enumerate(vanishing):
            yield factor * (sign if place == 0 else 1)

    def _sign(self, polynomial: fmpq_mpoly) -> int:
        value = value_of(polynomial, self.sample)
        return int(bool(value > 0)) - int(bool(value < 0))

    def _narrowed(self, factor: fmpq_mpoly) -> bool:
        """Narrow the domain of a parameter to where a factor is not negative; tell whether it is of one parameter and has one root."""
        used = [place for place, degree in enumerate(factor.degrees()) if degree]
        if len(used) != 1 or factor.degrees()[used[0]] != 1:
            return False
        letter = self.alphabet.letters[used[0]]
        slope, offset = (Fraction(0), Fraction(0))
        for exponents, coefficient in factor.terms():
            value = Fraction(int(coefficient.p), int(coefficient.q))
            slope, offset = (value, offset) if exponents[used[0]] else (slope, value)
        root: Number = number(-offset / slope)
        match letter:
            case Letter(kind="parameter", meaning=tree.Name(id=name)):
                pass
            case Letter(is_exponential=True, monomial=((name, 1),)) if -offset / slope > 0:
                root = div(log_(root), number(letter.rate))
                slope *= letter.rate
            case _:
                return False
        self._cut(name, root, upward=slope > 0)
        return True

    def _cut(self, name: str, root: Number, *, upward: bool) -> None:
        domain = self.domains.get(name, EVERYWHERE)
        if upward and (domain.low is None or compare(domain.low, root) < 0):
            domain = replace(domain, low=root, low_closed=True)
        if not upward and (domain.high is None or compare(domain.high, root) > 0):
            domain = replace(domain, high=root, high_closed=True)
        self.domains[name] = domain

    def conditions(self, writing: Writing, whole: Mapping[str, Domain]) -> tuple[Condition, ...]:
        """Return what was narrowed, and what is left, in words.

        Raises:
            NoAlgebra: if that is too long to read.
        """
        found = [text for name, domain in self.domains.items() for text in narrowing(name, whole.get(name), domain)]
        found += [self._spelled(factor, writing) for factor in self.left]
        if len(found) > _CONDITIONS or any(len(text) > _LENGTH for text in found):
            raise NoAlgebra("which guess is best depends on too much")
        return tuple(dict.fromkeys(found))

    def _spelled(self, factor: fmpq_mpoly, writing: Writing) -> Condition:
        """Write ``p ≥ 1/(e^eps + 1)`` for a factor of degree 1 in a parameter, times something of one sign, else ``… ≥ 0``."""
        notation, signs = writing.notation, Signs(self.alphabet, self.domains)
        for place, letter in enumerate(self.alphabet.letters):
            if not isinstance(letter.meaning, tree.Name) or factor.degrees()[place] != 1:
                continue
            slope = factor.derivative(place)
            sign = signs.constant(slope)
            if sign and signs.at_least_zero(slope * sign, strict=True):
                rest = factor - slope * self.alphabet.context.gen(place)
                end = ratio_of(notation.polynomial(-rest * sign), notation.polynomial(slope * sign))
                return relating(Symbol(letter.meaning.id), "≥" if sign > 0 else "≤", end)
        return relating(notation.polynomial(factor), "≥", ZERO)
