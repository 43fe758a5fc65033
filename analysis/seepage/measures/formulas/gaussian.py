r"""Closed forms of linear Gaussian programs in the parameters: the formulas that readers know, from determinants of covariances.

.. math:: H(x) = \tfrac12 \log (2 \pi e)^n |\Sigma_x|, \quad H(x|y) = H(x, y) - H(y), \quad
          I(x; y|z) = \tfrac12 \log \frac{|\Sigma_{xz}|\,|\Sigma_{yz}|}{|\Sigma_z|\,|\Sigma_{xyz}|},

.. math:: KL = \tfrac12 \left( \log \frac{|\Sigma_y|}{|\Sigma_x|} + \operatorname{tr} \Sigma_y^{-1} \Sigma_x - n + d^\top \Sigma_y^{-1} d \right)

(paper, "Entropy" and "Kullback–Leibler divergence" of Gaussian random vectors; d is the difference of the means). A formula is returned only if the numeric engine
agrees with it at several points of the domains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from flint import arb, fmpq_mpoly

from seepage import exact
from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, minus, over, plus, times
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.engines.select import solve
from seepage.engines.signs import EVERYWHERE, Signs
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.condition import Condition, relating
from seepage.measures.formulas.conditions import conditions_for
from seepage.measures.formulas.definedness import demands_of, strongest
from seepage.measures.formulas.gaussian_ways import Way, ways_of
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.linear_gaussian import LinearGaussian, determinant, inverse, letters_of, static_parts
from seepage.measures.formulas.mathml import mathml_of
from seepage.measures.formulas.notation import Notation, value_of_quotient
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import (
    ONE,
    ZERO,
    Euler,
    Logarithm,
    Node,
    Numeral,
    Pi,
    Product,
    Ratio,
    Sum,
    numeral,
    power_of,
    product_of,
    ratio_of,
    size,
    sum_of,
)
from seepage.measures.gaussian import divergence as gaussian_divergence
from seepage.measures.gaussian import entropy as gaussian_entropy
from seepage.measures.gaussian import information as gaussian_information
from seepage.measures.gaussian import moments as gaussian_moments
from seepage.measures.planning.table import MEASURES, Measure
from seepage.measures.result import Formula
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.evaluate import evaluate
from seepage.semantics.slice import sunk_slice

Names: TypeAlias = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]

_LARGEST = 60  # names and numbers in a formula
_MOST_VARIABLES = 4  # of a determinant
_POINTS = 3
_STEPS = (Fraction(1), Fraction(3, 2), Fraction(2, 3), Fraction(7, 3), Fraction(2, 7), Fraction(5))
_BITS = 256
_HALF = Numeral(Fraction(1, 2))


@dataclass(frozen=True, slots=True)
class _Written:
    """A formula ready to be checked: its tree, its value, the determinants in it."""

    node: Callable[[Notation], Node]
    value: Callable[[Sequence[arb]], arb]
    determinants: tuple[Quotient, ...] = ()
    plain: tuple[Quotient, ...] = ()


def gaussian_formula(
    name: str,
    core: CoreProgram,
    names: Names,
    unit: Literal["bits", "nats"],
    domains: Mapping[str, Domain],
    at: Mapping[str, Number],
    budget: Budget,
    other: CoreProgram | None = None,
) -> Formula | None:
    """Return a measure of a linear Gaussian program as a formula in its parameters, None if it is no such program or nothing short.

    Args:
        name: ``H``, ``I``, ``KL``, ``E`` or ``Var``, of the variables as :func:`seepage.measures.formulas.closed_form.closed_form` has them.
        core: the program, events and ghosts appended.
        names: x, y and z.
        unit: of ``H``, ``I`` and ``KL``.
        domains: of the parameters.
        at: values of all parameters.
        budget: of the runs that check.
        other: the program of the second side of ``KL``.
    """
    measure, asked = MEASURES[name], tuple(dict.fromkeys(one for part in names for one in part))
    if any(each not in at for each in core.parameters) or not core.parameters or len(asked) > _MOST_VARIABLES:
        return None
    first, second = (names[0], names[1]) if measure.functional == "divergence" else (asked, asked)
    programs = [sunk_slice(core, first), sunk_slice(core if other is None else other, second)]
    try:
        alphabet = letters_of(*programs)
        ways = [ways_of(program, alphabet) for program in programs]
        if all(len(each) == 1 for each in ways):
            runs = [each[0].run for each in ways]
            written = _written(measure, runs, names, unit)
        else:
            runs = [way.run for way in ways[0]]
            written = _by_value(measure, ways[0], names, unit)
        points = _different([{**at}, *_points(core, at, domains)])
        notation = Notation(alphabet, _letters(alphabet, points[0]))
        with precision(_BITS):
            agreed = sum(
                _agrees(written, measure, (core, other or core), names, unit, (alphabet, point), budget)
                for point in points
            )
        node = written.node(notation)
        if agreed < _POINTS or size(node) > _LARGEST:
            return None
        conditions = strongest(
            (
                *_defined(programs, points[0], domains),
                *_conditions(runs, written, notation, domains),
                *_chances(ways, notation, domains),
            )
        )
        return Formula(text_of(node), latex_of(node), conditions, mathml_of(node), tree=node)
    except (NoAlgebra, Fault, ArithmeticFault, _Differs, KeyError):
        return None


class _Differs(Exception):
    """The formula and the engine disagree."""


# --- the measures -----------------------------------------------------------------------------------------------------


def _written(measure: Measure, runs: Sequence[LinearGaussian], names: Names, unit: Literal["bits", "nats"]) -> _Written:
    run, (x, y, z) = runs[0], names
    alphabet = run.alphabet
    scale = arb(2).log() if unit == "bits" else arb(1)

    def det(*variables: str) -> Quotient:
        found = determinant(run.covariances(tuple(dict.fromkeys(variables))), alphabet)
        if found.is_zero:
            raise NoAlgebra("variables that depend on each other")
        return found

    match measure.functional:
        case "mean":
            mean = run.mean(x[0])
            return _Written(
                lambda notation: notation.quotient(mean), lambda at: value_of_quotient(mean, at), (), (mean,)
            )
        case "variance":
            ((variance,),) = run.covariances(x)
            return _Written(
                lambda notation: notation.quotient(variance),
                lambda at: value_of_quotient(variance, at),
                (),
                (variance,),
            )
        case "entropy" if measure.is_entropy:
            dets = (det(*x, *y), det(*y))
            inside, n = over(*dets), len(set(x) - set(y))
            return _Written(
                lambda notation: product_of(_HALF, Logarithm(_with_constants(notation.quotient(inside), n), unit)),
                lambda at: ((2 * arb.pi() * arb(1).exp()) ** n * value_of_quotient(inside, at)).log() / 2 / scale,
                dets,
            )
        case "entropy" if measure.is_information:
            four = (det(*x, *z), det(*y, *z), det(*z), det(*x, *y, *z))
            ratio = over(times(four[0], four[1]), times(four[2], four[3]))
            return _Written(
                lambda notation: product_of(_HALF, Logarithm(_above_one(ratio, notation), unit)),
                lambda at: value_of_quotient(ratio, at).log() / 2 / scale,
                four,
            )
        case "divergence":
            return _divergence(runs, x, y, unit)
        case _:
            raise NoAlgebra("no formula of this measure")


def _by_value(measure: Measure, ways: Sequence[Way], names: Names, unit: Literal["bits", "nats"]) -> _Written:
    """Write a measure of a program with several ways: means of those of the ways, where each discrete value that is given has one."""
    (x, y, z), alphabet = names, ways[0].run.alphabet
    total = alphabet.number(0)
    for way in ways:
        total = plus(total, way.weight)
    shares = [over(way.weight, total) for way in ways]
    if measure.is_of_value:
        return _mixed_moment(measure, ways, shares, x[0])
    told = measure.is_information
    given, continuous = (z, (*x, *y)) if told else (y, x)
    if not measure.is_of_entropies or not given:
        raise NoAlgebra("no formula of this measure")
    if any(variable not in way.discrete for way in ways for variable in given):
        raise NoAlgebra("a condition that is continuous")
    if any(variable in way.discrete for way in ways for variable in continuous):
        raise NoAlgebra("a discrete variable beside continuous ones")
    if len({tuple(way.discrete[variable] for variable in given) for way in ways}) < len(ways):
        raise NoAlgebra("several ways with one value")
    scale, n = (arb(2).log() if unit == "bits" else arb(1)), len(x)
    terms: list[tuple[Quotient, Quotient]] = []  # what the logarithm is of, and the probability of that
    dets: list[Quotient] = []
    for way, share in zip(ways, shares, strict=True):
        parts = [determinant(way.run.covariances(side), alphabet) for side in ((x, y, (*x, *y)) if told else (x,))]
        if any(part.is_zero for part in parts):
            raise NoAlgebra("variables that depend on each other")
        inside = over(times(parts[0], parts[1]), parts[2]) if told else parts[0]
        same = next((at for at, (other, _) in enumerate(terms) if minus(other, inside).is_zero), None)
        if same is None:
            terms.append((inside, share))
        else:
            terms[same] = inside, plus(terms[same][1], share)
        dets += parts

    def node(notation: Notation) -> Node:
        logs = []
        for inside, share in terms:
            within = _above_one(inside, notation) if told else _with_constants(notation.quotient(inside), n)
            logs.append((False, product_of(notation.quotient(share), Logarithm(within, unit))))
        return product_of(_HALF, sum_of(logs))

    def value(at: Sequence[arb]) -> arb:
        front = arb(1) if told else (2 * arb.pi() * arb(1).exp()) ** n
        logs = (value_of_quotient(share, at) * (front * value_of_quotient(inside, at)).log() for inside, share in terms)
        return sum(logs, arb(0)) / 2 / scale

    return _Written(node, value, tuple(dets), tuple(share for _, share in terms))


def _mixed_moment(measure: Measure, ways: Sequence[Way], shares: Sequence[Quotient], variable: str) -> _Written:
    """Write mean or variance of a mixture."""
    alphabet = ways[0].run.alphabet
    mean, square = alphabet.number(0), alphabet.number(0)
    for way, share in zip(ways, shares, strict=True):
        own = way.run.mean(variable)
        ((variance,),) = way.run.covariances((variable,))
        mean = plus(mean, times(share, own))
        square = plus(square, times(share, plus(variance, times(own, own))))
    found = mean if measure.functional == "mean" else minus(square, times(mean, mean))
    return _Written(lambda notation: notation.quotient(found), lambda at: value_of_quotient(found, at), (), (found,))


def _divergence(
    runs: Sequence[LinearGaussian], x: Sequence[str], y: Sequence[str], unit: Literal["bits", "nats"]
) -> _Written:
    alphabet, n = runs[0].alphabet, range(len(x))
    ours, theirs = runs[0].covariances(x), runs[1].covariances(y)
    dets = determinant(ours, alphabet), determinant(theirs, alphabet)
    if any(each.is_zero for each in dets):
        raise NoAlgebra("variables that depend on each other")
    precision_matrix = inverse(theirs, alphabet)
    gaps = [minus(runs[0].mean(a), runs[1].mean(b)) for a, b in zip(x, y, strict=True)]
    spread, shift = alphabet.number(-len(x)), alphabet.number(0)
    for i in n:
        for j in n:
            spread = plus(spread, times(precision_matrix[i][j], ours[j][i]))
            shift = plus(shift, times(times(gaps[i], precision_matrix[i][j]), gaps[j]))
    ratio, rest = over(dets[1], dets[0]), plus(spread, shift)
    scale = arb(2).log() if unit == "bits" else arb(1)

    def node(notation: Notation) -> Node:
        parts = [notation.quotient(each) for each in (spread, shift) if not each.is_zero]
        added = min([sum_of((False, part) for part in parts), notation.quotient(rest)], key=size)
        lowered, added = _without_sign(added)
        if unit == "bits" and not rest.is_zero:
            added = product_of(added, Logarithm(Euler(), unit))
        if ratio.constant() == 1:
            return sum_of([(lowered, product_of(_HALF, added))])
        logarithm = Logarithm(notation.quotient(ratio), unit)
        return product_of(_HALF, sum_of([(False, logarithm), (lowered, added)]))

    def value(at: Sequence[arb]) -> arb:
        return (value_of_quotient(ratio, at).log() + value_of_quotient(rest, at)) / 2 / scale

    return _Written(node, value, dets)


def _without_sign(node: Node) -> tuple[bool, Node]:
    """Take a sign off a node, and tell whether there was one."""
    match node:
        case Sum(terms=((True, term),)):
            return True, term
        case _:
            return False, node


def _with_constants(node: Node, n: int) -> Node:
    """Return (2πe)^n times a node, numbers first."""
    if n == 0:
        return node
    match node:
        case Ratio(top=top, bottom=bottom):
            return ratio_of(_with_constants(top, n), bottom)
        case Numeral(value=value):
            factors: tuple[Node, ...] = ()
            number = value
        case Product(factors=(Numeral(value=number), *rest)):
            factors = tuple(rest)
        case _:
            number, factors = Fraction(1), (node,)
    powers = [power_of(each, numeral(n)) for each in (Pi(), Euler())]
    return product_of(numeral(number * 2**n), *powers, *factors)


def _above_one(inside: Quotient, notation: Notation) -> Node:
    """Write 1 + q where that is as short: the ratio of signal to noise."""
    more = sum_of([(False, ONE), (False, notation.quotient(minus(inside, notation.alphabet.number(1))))])
    return min([more, notation.quotient(inside)], key=size)


# --- the check --------------------------------------------------------------------------------------------------------


def _letters(alphabet: Alphabet, point: Mapping[str, Number]) -> tuple[arb, ...]:
    return tuple(exact.enclose(evaluate(letter.meaning, point), _BITS) for letter in alphabet.letters)


def _different(points: Sequence[Mapping[str, Number]]) -> list[Mapping[str, Number]]:
    return [point for place, point in enumerate(points) if point not in points[:place]]


def _points(
    core: CoreProgram, at: Mapping[str, Number], domains: Mapping[str, Domain]
) -> Iterator[Mapping[str, Number]]:
    """Yield points of the domains around the one that is shown."""
    for turn in range(1, len(_STEPS)):
        point: dict[str, Number] = dict(at)
        for place, name in enumerate(core.parameters):
            step = _STEPS[(turn + place) % len(_STEPS)]
            start = at[name] if exact.sign(at[name]) != 0 else 1
            moved = exact.mul(start, exact.number(step))
            if domains.get(name, EVERYWHERE).contains(moved):
                point[name] = moved
            elif (inner := _between(domains.get(name, EVERYWHERE), step / 8)) is not None:
                point[name] = inner
        yield point


def _between(domain: Domain, share: Fraction) -> Number | None:
    """Return the number between the ends of a domain at a share of their distance, if both are there."""
    if domain.low is None or domain.high is None:
        return None
    return exact.add(domain.low, exact.mul(exact.sub(domain.high, domain.low), exact.number(share)))


def _agrees(
    written: _Written,
    measure: Measure,
    programs: tuple[CoreProgram, CoreProgram],
    names: Names,
    unit: Literal["bits", "nats"],
    where: tuple[Alphabet, Mapping[str, Number]],
    budget: Budget,
) -> bool:
    """Tell whether a formula has the engine's value at a point; False if there is none.

    Raises:
        _Differs: if it has another.
    """
    alphabet, point = where
    try:
        truth = _measured(measure, programs, names, point, budget)
        value = written.value(_letters(alphabet, point))
    except (Fault, ArithmeticFault):
        return False
    scale = arb(2).log() if unit == "bits" and measure.dimension else arb(1)
    if not value.is_finite() or not truth.lower.is_finite():
        return False
    slack = arb("1e-9") * (1 + abs(value))
    if not (value >= truth.lower / scale - slack and value <= truth.upper / scale + slack):
        raise _Differs
    return bool(truth.upper - truth.lower < slack)


def _measured(
    measure: Measure,
    programs: tuple[CoreProgram, CoreProgram],
    names: Names,
    point: Mapping[str, Number],
    budget: Budget,
) -> Enclosure:
    x, y, z = names
    asked = tuple(dict.fromkeys((*x, *y, *z)))
    joint = solve(programs[0], x if measure.functional == "divergence" else asked, point, budget)
    if not isinstance(joint, MixtureJoint) or joint.approximations:
        raise _Differs
    match measure.functional:
        case "mean":
            return gaussian_moments.expectation(joint, x[0])
        case "variance":
            return gaussian_moments.variance(joint, x[0])
        case "entropy" if measure.is_entropy:
            return gaussian_entropy.conditional_entropy(joint, x, y) if y else gaussian_entropy.entropy(joint, x)
        case "entropy":
            return gaussian_information.mutual_information(joint, x, y, z)
        case _:
            second = solve(programs[1], y, point, budget)
            if not isinstance(second, MixtureJoint) or second.approximations:
                raise _Differs
            return gaussian_divergence.divergence(joint, x, second, y)


# --- side conditions --------------------------------------------------------------------------------------------------


def _defined(
    programs: Sequence[CoreProgram], point: Mapping[str, Number], domains: Mapping[str, Domain]
) -> Iterator[Condition]:
    """Yield what must hold for the program to compute numbers from its parameters.

    Raises:
        NoAlgebra: if that cannot be said.
    """
    for part in (one for core in programs for one in static_parts(core)):
        for relation, inner in demands_of(part):
            alphabet = alphabet_of(programs[0].parameters, [inner])
            value, notation = alphabet.translate(inner), Notation(alphabet, _letters(alphabet, point))
            both = value.numerator * value.denominator
            signs = Signs(alphabet, domains)
            if relation == "≠" or (relation == ">" and signs.at_least_zero(both)):
                yield from conditions_for([value.numerator], [], notation, domains)
            elif not signs.at_least_zero(both):
                yield relating(notation.quotient(value), relation, ZERO)


def _conditions(
    runs: Sequence[LinearGaussian], written: _Written, notation: Notation, domains: Mapping[str, Domain]
) -> tuple[Condition, ...]:
    """Return what the parameters must satisfy: noise has a positive variance, nothing divided by is 0.

    Raises:
        NoAlgebra: if a variance is a number that is none: no run gets there at some values of the parameters.
    """
    alphabet, stated = notation.alphabet, dict[Condition, None]()
    positive = {place for place, letter in enumerate(alphabet.letters) if letter.is_exponential}
    signs = Signs(alphabet, domains)
    for variance in (each for run in runs for each in run.spreads):
        if (known := variance.constant()) is not None and known <= 0:
            raise NoAlgebra("noise without a law")
        both = variance.numerator * variance.denominator
        alone = [place for place in range(len(alphabet.letters)) if both == alphabet.context.gen(place)]
        if not _surely_positive(both, positive) and not signs.at_least_zero(both, strict=True):
            if signs.at_least_zero(both):
                stated.update(dict.fromkeys(conditions_for([both], [], notation, domains)))
            else:
                stated[relating(notation.quotient(variance), ">", ZERO)] = None
        positive.update(alone)
    quotients = [*written.determinants, *(each for run in runs for each in run.observed)]
    parts = [part for each in quotients for part in (each.numerator, each.denominator)]
    parts += [each.denominator for each in (*written.plain, *(m for run in runs for m in run.means))]
    factors = [factor for part in parts for factor, _ in part.factor()[1]]
    left = [factor for factor in factors if not _surely_positive(factor, positive)]
    stated.update(dict.fromkeys(conditions_for(left, [], notation, domains)))
    return tuple(stated)


def _chances(ways: Sequence[Sequence[Way]], notation: Notation, domains: Mapping[str, Domain]) -> Iterator[Condition]:
    """Yield which probabilities must be at least 0, and that of all ways together above it; raise ``NoAlgebra`` for a number below."""
    signs = Signs(notation.alphabet, domains)
    for each in ways:
        total = notation.alphabet.number(0)
        for way in each:
            total = plus(total, way.weight)
        if total.constant() is None:
            yield from conditions_for([total.numerator], [], notation, domains)
    for chance in (one for each in ways for way in each for one in way.chances):
        if (known := chance.constant()) is not None and known < 0:
            raise NoAlgebra("a negative probability")
        if known is None and not signs.at_least_zero(chance.numerator * chance.denominator):
            yield relating(notation.quotient(chance), "≥", ZERO)


def _surely_positive(polynomial: fmpq_mpoly, positive: set[int]) -> bool:
    """Tell whether a polynomial has positive coefficients, even powers but of positive letters, and a term of those alone."""
    alone = False
    for exponents, coefficient in polynomial.terms():
        odd = {place for place, power in enumerate(exponents) if int(power) % 2} - positive
        if odd or coefficient < 0:
            return False
        alone = alone or all(place in positive for place, power in enumerate(exponents) if int(power))
    return alone
