"""The terms of a measure over a range of parameters: each call, added to a sum of logarithms, and what infinite supports leave out of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from seepage import exact
from seepage.algebra import Alphabet, NoAlgebra, Quotient, composed, minus, over, plus, times
from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, to_fraction
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.formulas.symbolic_table import Table, add_divergence, marginal
from seepage.measures.planning.table import Measure
from seepage.measures.ranges.runs import is_whole
from seepage.measures.ranges.slack import slack_of


@dataclass(frozen=True, slots=True)
class Part:
    """One call in the measure, with a rational factor.

    Attributes:
        factor: of the call's value.
        measure: what is known of it.
        joint: of all its variables, in the parameters that are left free.
        other: the second distribution of ``KL``.
        x: variables.
        y: variables.
        z: variables.
    """

    factor: Fraction
    measure: Measure
    joint: DiscreteJoint[Polynomial]
    other: DiscreteJoint[Polynomial]
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]


def _count(part: Part, names: Sequence[str]) -> int:
    return max(1, len(part.joint.support(names)))


def limits(part: Part) -> tuple[Number | None, Number | None]:
    """Return numbers between which a measure lies whatever the parameters are."""
    match part.measure.functional:
        case "entropy" if part.joint.cut is None:
            sides = (part.x, part.y) if part.measure.is_information else (part.x,)
            return 0, exact.log_(min(_count(part, side) for side in sides))
        case "entropy" | "divergence" | "variance":
            return 0, None
        case "chance":
            return 0, 1
        case _:
            return None, None


def add_part(total: LogarithmSum, part: Part, sign: int, generators: Mapping[int, Sequence[Quotient]]) -> None:
    """Add a call, as far as its infinite supports were kept.

    Args:
        total: what it is added to.
        part: the call, with its factor.
        sign: a further factor, 1 or −1.
        generators: what the generators of each ring (by its identity) are in the letters of the sum.

    Raises:
        NoAlgebra: if it is no function that can be written, or infinite.
    """
    alphabet = total.alphabet
    p = table_of(part.joint, generators, alphabet)
    places = part.joint.variables.index
    factor = sign * part.factor
    match part.measure.functional:
        case "entropy":
            x, y, z = (tuple(places(name) for name in names) for names in (part.x, part.y, part.z))
            _add_entropies(total, p, factor, part.measure.entropies(x, y, z))
        case "divergence":
            q = table_of(part.other, generators, alphabet)
            ours = marginal(p, part.joint.positions(part.x))
            theirs = marginal(q, [part.other.variables.index(name) for name in part.y])
            if not add_divergence(total, ours, theirs, factor):
                raise NoAlgebra("the divergence is infinite")
        case _:
            mean, square = alphabet.number(0), alphabet.number(0)
            for (value,), mass in p.items():
                number = to_fraction(value)
                if number is None:
                    raise NoAlgebra("an irrational value")
                mean = plus(mean, times(alphabet.number(number), mass))
                square = plus(square, times(alphabet.number(number * number), mass))
            result = minus(square, times(mean, mean)) if part.measure.functional == "variance" else mean
            total.linear = plus(total.linear, times(alphabet.number(factor), result))


def add_slack(total: LogarithmSum, part: Part, sign: int, generators: Mapping[int, Sequence[Quotient]]) -> None:
    """Add what makes the sum an upper bound where values were left out."""
    factor = sign * part.factor
    if (part.joint.cut is None and part.other.cut is None) or not factor:
        return
    whole = is_whole(part.joint)
    sides = [part.x, part.y] if part.measure.is_information else [part.x]
    amount = slack_of(part.measure, part.joint, sides, above=factor > 0, whole=whole)
    if amount is None:
        raise NoAlgebra(f"what infinite supports leave out of '{part.measure.name}' is not bounded")
    alphabet = total.alphabet
    change = alphabet.number(abs(factor) * amount)
    if not whole:
        change = over(change, composed(part.joint.mass, generators[id(part.joint.ring)], alphabet))
    total.linear = plus(total.linear, change)


def table_of(
    joint: DiscreteJoint[Polynomial], generators: Mapping[int, Sequence[Quotient]], alphabet: Alphabet
) -> Table:
    """Return the masses, normalised if they are not but for what was left out; those that vanish identically are left out."""
    own = generators[id(joint.ring)]
    masses = {values: composed(mass, own, alphabet) for values, mass in joint.masses.items()}
    if is_whole(joint):
        return {values: mass for values, mass in masses.items() if not mass.is_zero}
    whole = composed(joint.mass, own, alphabet)
    if whole.is_zero:
        raise NoAlgebra("the observations cannot all pass")
    return {values: over(mass, whole) for values, mass in masses.items() if not mass.is_zero}


def _add_entropies(
    total: LogarithmSum, table: Table, factor: Fraction, signed: Iterable[tuple[Sequence[int], int]]
) -> None:
    for places, sign in signed:
        if places:
            for mass in marginal(table, tuple(dict.fromkeys(places))).values():
                total.add(times(total.alphabet.number(-sign * factor), mass), mass)
