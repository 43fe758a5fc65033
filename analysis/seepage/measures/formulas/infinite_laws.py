r"""Closed forms for one draw from an infinite law, and affine images of it, where nothing is observed.

With :math:`r = e^{-1/s}` for the scale s of the discrete Laplace law (Johnson, Kemp, Kotz 2005, "Univariate discrete distributions", chapters 4 and 5;
Inusah, Kozubowski 2006, "A discrete analogue of the Laplace distribution"):

================  ====================  ============================  =====================================================
law               mean                  variance                      entropy
================  ====================  ============================  =====================================================
geometric(p)      :math:`(1 - p) / p`   :math:`(1 - p) / p^2`         :math:`h(p) / p`
poisson(λ)        λ                     λ                             none
discrete Laplace  centre                :math:`2 r / (1 - r)^2`       :math:`\log \frac{1 + r}{1 - r} + \frac{2 r}{(1 - r^2) s}`
discrete Gauss    centre                none                          none
================  ====================  ============================  =====================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, minus, over, plus, quotient, times
from seepage.data_classes import dataclass
from seepage.distributions.arguments import bind
from seepage.exact import ArithmeticFault, Number, enclose, precision, to_fraction
from seepage.laws.discrete import UnboundedLaw
from seepage.laws.infinite import Counting
from seepage.laws.table import DISCRETE_LAWS, SPREADS
from seepage.laws.windows import complement, logarithm
from seepage.measures.discrete.weights import BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.condition import Condition
from seepage.measures.formulas.conditions import conditions_for
from seepage.measures.formulas.definedness import Demands, strongest
from seepage.measures.formulas.exponential_means import mean, variance
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.form import NO_FORMULA, ClosedForm
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.mathml import mathml_of
from seepage.measures.formulas.notation import Notation, value_of
from seepage.measures.formulas.question import letters_at
from seepage.measures.formulas.symbolic import BinarySum, LogarithmSum, Unit
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.wording import Wording, worded
from seepage.measures.formulas.writing import Writing
from seepage.measures.planning.table import MEASURES
from seepage.measures.result import Formula
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram, CoreSample
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.semantics.slice import sunk_slice
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Known:
    """A measure in closed form: its value in nats, or without a unit; in bits where that is rational; its formula."""

    value: Enclosure
    bits: Fraction | None = None
    closed: ClosedForm = NO_FORMULA


@dataclass(frozen=True, slots=True)
class _Draw:
    """``slope · draw + offset`` of a draw from a law; ``given`` has the law's parameters, ``size`` is the one that decides how far it spreads."""

    family: str
    given: Mapping[str, Expression]
    size: Expression
    affine: Expression  # in the name of the drawn variable
    name: str


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a measure is asked in: as the arguments of :func:`closed_measure`."""

    core: CoreProgram
    at: Mapping[str, Number]
    domains: Mapping[str, Domain]
    unit: Unit
    formulas: bool
    taken: Sequence[str]


def closed_measure(
    name: str,
    core: CoreProgram,
    variable: str,
    at: Mapping[str, Number],
    domains: Mapping[str, Domain],
    unit: Unit,
    formulas: bool,
    taken: Sequence[str] = (),
) -> Known | None:
    """Return ``H``, ``E`` or ``Var`` of a variable in closed form, None where it is no affine image of one such draw, or there is no such form.

    Args:
        name: of the measure.
        core: the program, which has been run at ``at`` without a fault.
        variable: asked for.
        at: the values of all parameters.
        domains: of the parameters.
        unit: of the formula of an entropy.
        formulas: whether to write one.
        taken: names that it may not give to what it defines, beside those of ``core``.
    """
    draw = _draw(core, variable)
    if draw is None:
        return None
    asked = _Asked(core, at, domains, unit, formulas and bool(core.parameters), taken)
    measure = MEASURES[name]
    try:
        with precision(BITS):
            return _entropy(draw, asked) if measure.is_entropy else _moment(measure.functional == "mean", draw, asked)
    except NoAlgebra:
        return None if measure.is_entropy else _exponential(measure.functional == "mean", draw, at)


def _exponential(is_mean: bool, draw: _Draw, at: Mapping[str, Number]) -> Known | None:
    """Return the moment of an exponential polynomial of the draw: exact, or infinite."""
    row = DISCRETE_LAWS[draw.family]
    if (
        not isinstance(row, UnboundedLaw)
        or row.sized is None
        or not isinstance(law := row.sized(evaluate(draw.size, at)), Counting)
    ):
        return None
    found = (mean if is_mean else variance)(law, draw.affine, draw.name, at)
    return None if found is None else Known(found)


def _draw(core: CoreProgram, variable: str) -> _Draw | None:
    if any(isinstance(statement, CoreObserve) for statement in walk(core.statements)):
        return None
    names: dict[str, Expression] = {}
    drawn: tuple[str, str, dict[str, Expression]] | None = None
    for statement in sunk_slice(core, (variable,)).statements:
        match statement:
            case CoreSample(target=tree.Name(id=name), distribution=tree.Family() as family) if (
                drawn is None and family.name in _ROWS and name not in names
            ):
                drawn = name, family.name, _given(family, names)
                names[name] = tree.Name(name, _NOWHERE)
            case CoreAssign(target=tree.Name(id=name), value=value):
                names[name] = tree.Parenthesized(fixed(value, names), _NOWHERE)
            case _:
                return None
    if drawn is None or variable not in names:
        return None
    name, kind, given = drawn
    size = next(given[each] for each in SPREADS[kind].names if each in given)
    return _Draw(kind, given, size, names[variable], name)


def _given(family: tree.Family, names: Mapping[str, Expression]) -> dict[str, Expression]:
    """Return the parameters of a law; for the discrete Laplace law also ``rate``, one over the scale."""
    given = {key: fixed(value, names) for key, value in bind(family).named.items()}
    given.setdefault("centre", tree.Number(Fraction(0), _NOWHERE))
    one = tree.Number(Fraction(1), _NOWHERE)
    match given.get("scale"):
        case None:
            pass
        case tree.Binary(operator="/", left=left, right=right) if left == one:
            given["rate"] = right
        case tree.Binary(operator="/", left=tree.Number(value=top) as left, right=right) if top:
            given["rate"] = tree.Binary("/", _set_off(right), left, _NOWHERE)
        case scale:
            given["rate"] = tree.Binary("/", one, _set_off(scale), _NOWHERE)
    return given


def _affine(draw: _Draw, core: CoreProgram) -> tuple[Alphabet, Quotient, Quotient]:
    """Return the slope and the offset of the draw in the asked variable.

    Raises:
        NoAlgebra: if that is no affine function of it.
    """
    alphabet = alphabet_of((*core.parameters, draw.name), [draw.affine])
    value = alphabet.translate(draw.affine)
    place = next(at for at, each in enumerate(alphabet.letters) if each.meaning == tree.Name(draw.name, _NOWHERE))
    if value.denominator.degrees()[place] or value.numerator.degrees()[place] > 1:
        raise NoAlgebra("no affine function")
    if any(draw.name in plain_names(each.meaning) for at, each in enumerate(alphabet.letters) if at != place):
        raise NoAlgebra("a function of the draw that is no arithmetic")
    top = value.numerator.derivative(place)
    rest = value.numerator - top * alphabet.context.gen(place)
    return alphabet, quotient(top, value.denominator), quotient(rest, value.denominator)


def _moment(is_mean: bool, draw: _Draw, asked: _Asked) -> Known | None:
    """The mean is that of the affine function at the mean; the variance is the slope's square times the law's."""
    row = _ROWS[draw.family]
    text = row.mean if is_mean else row.variance
    if text is None:
        return None
    _affine(draw, asked.core)  # tells whether it is one
    law = tree.Parenthesized(_written(text, draw), _NOWHERE)
    if is_mean:
        moment = fixed(draw.affine, {draw.name: law})
    else:
        one, zero = (fixed(draw.affine, {draw.name: tree.Number(Fraction(value), _NOWHERE)}) for value in (1, 0))
        slope = tree.Parenthesized(tree.Binary("-", _set_off(one), _set_off(zero), _NOWHERE), _NOWHERE)
        square = tree.Binary("*", slope, slope, _NOWHERE)
        moment = tree.Binary("*", tree.Parenthesized(square, _NOWHERE), law, _NOWHERE)
    number = evaluate(moment, asked.at)
    fraction = to_fraction(number)
    value = Enclosure.of_rational(fraction) if fraction is not None else Enclosure.of_number(number)
    if not asked.formulas:
        return Known(value)
    alphabet = alphabet_of(asked.core.parameters, [moment])
    return Known(value, None, _spelled(draw, alphabet.translate(moment), alphabet, replace(asked, unit="bits")))


def _entropy(draw: _Draw, asked: _Asked) -> Known | None:
    entropy = _ROWS[draw.family].entropy
    _, slope, _ = _affine(draw, asked.core)
    if entropy is None or slope.constant() in (None, 0):
        return None  # the values are one to one with the draw for any other slope
    return entropy(draw, asked)


def _geometric_entropy(draw: _Draw, asked: _Asked) -> Known:
    number = evaluate(draw.size, asked.at)
    ball, rest = enclose(number, 2 * BITS), complement(number, 2 * BITS)
    value = -logarithm(ball, rest) - (rest * logarithm(rest, ball) / ball if number != 1 else 0)
    bits = Fraction(2) if number == Fraction(1, 2) else None
    closed = NO_FORMULA
    if asked.formulas:
        alphabet = alphabet_of(asked.core.parameters, [draw.size])
        closed = _spelled(draw, alphabet.translate(draw.size), alphabet, asked, entropy=True)
    return Known(Enclosure.of_ball(value), bits, closed)


def _laplace_entropy(draw: _Draw, asked: _Asked) -> Known:
    ball = enclose(evaluate(draw.size, asked.at), 2 * BITS)
    r, gap = (-1 / ball).exp(), -(-1 / ball).expm1()
    value = Enclosure.of_ball(((1 + r) / gap).log() + 2 * r / (gap * (1 + r) * ball))
    return Known(value, None, _laplace_formula(draw, asked) if asked.formulas else NO_FORMULA)


@dataclass(frozen=True, slots=True)
class _AtPoint:
    """The signs of polynomials that vanish nowhere where the law exists, as they are at one point."""

    letters: Sequence[arb]

    def constant(self, polynomial: fmpq_mpoly) -> int:
        value = value_of(polynomial, self.letters)
        return 1 if value > 0 else -1 if value < 0 else 0


def _laplace_formula(draw: _Draw, asked: _Asked) -> ClosedForm:
    """Write the entropy of the discrete Laplace law; r lies between 0 and 1, so that 1 ± r and r are positive."""
    try:
        falling, rate = _written("exp(-rate)", draw), _written("rate", draw)
        alphabet = alphabet_of(asked.core.parameters, [falling, rate])
        r, speed = alphabet.translate(falling), alphabet.translate(rate)
        letters = letters_at(alphabet, asked.at)
        notation, one = Notation(alphabet, letters), alphabet.number(1)
        total = LogarithmSum(alphabet, letters, _AtPoint(letters))
        total.add(one, plus(one, r))
        total.add(alphabet.number(-1), minus(one, r))
        total.linear = plus(total.linear, over(times(alphabet.number(2), times(r, speed)), minus(one, times(r, r))))
        node = total.written(notation, asked.unit)
        conditions = _conditions(draw, asked, total.divisors(), total.arguments(), notation)
    except (NoAlgebra, ArithmeticFault):
        return NO_FORMULA
    return ClosedForm(Formula(text_of(node), latex_of(node), conditions, mathml_of(node), tree=node))


def _conditions(
    draw: _Draw,
    asked: _Asked,
    divisors: Sequence[fmpq_mpoly],
    arguments: Sequence[fmpq_mpoly],
    notation: Notation,
) -> tuple[Condition, ...]:
    """Return what must hold for the law to exist, for the affine function to have values, and for a formula to be read.

    Raises:
        NoAlgebra: if that cannot be said.
    """
    demands = Demands(asked.core.parameters, dict(asked.domains), asked.at)
    demands.law(draw.family, draw.size)
    demands.has_value(draw.given["centre"])
    demands.has_value(fixed(draw.affine, {draw.name: tree.Number(Fraction(1), _NOWHERE)}))
    return strongest((*demands.stated, *conditions_for(divisors, arguments, notation, demands.domains)))


def _written(text: str, draw: _Draw) -> Expression:
    """Return the expression that a text of this file means, with the law's parameters in their places."""
    expression, _ = parse_expression(text)
    if expression is None:
        raise AssertionError(f"{text!r} is no expression")
    return fixed(expression, {name: _set_off(value) for name, value in draw.given.items()})


def _set_off(expression: Expression) -> Expression:
    return tree.Parenthesized(expression, _NOWHERE)


def _spelled(
    draw: _Draw,
    value: Quotient,
    alphabet: Alphabet,
    asked: _Asked,
    *,
    entropy: bool = False,
) -> ClosedForm:
    """Return a rational function as a formula, or h(value)/value."""
    notation, core = Notation(alphabet, letters_at(alphabet, asked.at)), asked.core
    form: BinarySum | Quotient = value
    divisors, arguments = [value.denominator], []
    if entropy:
        form = BinarySum(alphabet, notation)
        form.add(over(alphabet.number(1), value), value)
        divisors, arguments = form.divisors(), form.arguments()
    writing = Writing(alphabet, notation, notation, None, asked.domains, {})
    spelled = worded(
        form, writing, Wording(asked.unit, (*asked.taken, *core.variables, *core.arrays, *core.parameters))
    )
    if spelled is None:
        return NO_FORMULA
    try:
        return ClosedForm(spelled.formula(_conditions(draw, asked, divisors, arguments, notation)))
    except NoAlgebra:
        return NO_FORMULA


@dataclass(frozen=True, slots=True)
class _Row:
    """The closed forms of a law: the mean and the variance as texts in its parameters, and how its entropy is found; None where there is none."""

    mean: str
    variance: str | None = None
    entropy: Callable[[_Draw, _Asked], Known] | None = None


_ROWS: Mapping[str, _Row] = {
    "geometric": _Row("(1 - p) / p", "(1 - p) / p^2", _geometric_entropy),
    "poisson": _Row("rate", "rate"),
    "discrete_laplace": _Row("centre", "2 * exp(-rate) / (1 - exp(-rate))^2", _laplace_entropy),
    "discrete_gaussian": _Row("centre"),
}
