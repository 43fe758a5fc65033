r"""``C(x -> y, power=P)``: the largest information over all laws of real inputs with :math:`\sum_i E x_i^2 \le P`.

Of outputs :math:`y_i = a_i x_i + b_i + n_i` whose noises are independent, in nats:

* normal noise of variance N: :math:`\tfrac12 \log(1 + a^2 P / N)` (Cover and Thomas 2006, theorem 9.1.1);
* several: the power is shared by water-filling, :math:`p_i = \max(0, \nu - N_i/a_i^2)` (section 9.4), so that
  :math:`C = \tfrac12 \sum_{\nu > N_i/a_i^2} \log(\nu a_i^2 / N_i)`. The level ν is rational where these are;
* other noise, with an entropy h(n): normal noise of the same variance is the worst, and no output of some variance has more entropy than a normal one,
  :math:`\tfrac12 \log(1 + a^2 P / \mathrm{Var}\, n) \le C \le \tfrac12 \log(2 \pi e (a^2 P + \mathrm{Var}\, n)) - h(n)`
  (Ihara 1978, "On the capacity of channels with additive non-Gaussian noise"). Of a sum of noises h is at least that of the entropy power inequality.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key, reduce

from flint import arb

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault, Number, precision
from seepage.laws.law import Law
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import need_no_fault
from seepage.measures.privacy.noise_reading import NotRead, Reading, resized
from seepage.measures.result import Certainty
from seepage.measures.scope import fail
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk, written_variables

_BITS = 192


@dataclass(frozen=True, slots=True)
class _Line:
    """One output: ``gain`` is :math:`a^2`, ``parts`` are the laws of independent noises."""

    gain: Number
    parts: tuple[Law, ...]

    @property
    def variance(self) -> Number:
        """Of the noise."""
        zero: Number = 0
        return reduce(exact.add, (law.variance for law in self.parts), zero)

    @property
    def level(self) -> Number:
        """Noise for each unit of power."""
        return exact.div(self.variance, self.gain)

    @property
    def is_normal(self) -> bool:
        """Whether all of the noise is normal."""
        return all(law.is_normal for law in self.parts)


def capacity_under_power(asked: AskedChannel, power: Number) -> tuple[Enclosure, Fraction | None]:
    """Return the capacity in nats, and the number of bits where that is rational.

    Args:
        asked: inputs and outputs, as many of each.
        power: at least 0.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    if exact.sign(power) < 0:
        asked.unfit("power", exact.show(power), "a number that is at least 0")
    try:
        lines = _lines(asked)
    except (NotRead, ArithmeticFault):
        message = "not supported yet: 'C' under a power constraint of other outputs than a multiple of one continuous input each, behind independent normal or Laplace noise"
        fail(rules.NOT_SUPPORTED, asked.place, message)
    inquiry = asked.evaluation.inquiry
    need_no_fault(inquiry, inquiry.scope.core, (*asked.x, *asked.y))
    heard = [line for line in lines if line.gain != 0]
    if exact.sign(power) == 0 or not heard:
        return Enclosure.of_number(0), Fraction(0)
    if any(exact.sign(line.variance) == 0 for line in heard):
        infinite = arb.pos_inf()
        return Enclosure(infinite, infinite, infinite, Certainty.EXACT), None
    with precision(_BITS):
        quotient = _filled(heard, power)
        if all(line.is_normal for line in heard):
            return _half_logarithm(quotient), _half_bits(quotient)
        least = exact.enclose(quotient, _BITS).log() / 2
        most = sum((_at_most(line, power) for line in heard), arb(0))
        return Enclosure.bounded((least + most) / 2, least.lower(), most.upper(), Certainty.CERTIFIED), None


def _lines(asked: AskedChannel) -> list[_Line]:
    """Read each output.

    Raises:
        NotRead: if one is not of this kind, or noise is shared.
    """
    if len(asked.x) != len(asked.y) or asked.z:
        raise NotRead
    parameters, core = asked.evaluation.scope.parameters, asked.evaluation.scope.core
    found: list[_Line] = []
    seen: set[str] = set()
    for name, output in zip(asked.x, asked.y, strict=True):
        sliced = slice_program(core, (name, output))
        written = set(written_variables(walk(sliced.statements)))
        if written & seen or (written & set(asked.x)) != {name}:
            raise NotRead
        seen |= written
        reading = Reading(parameters, name)
        try:
            reading.read(sliced)
        except Fault as fault:
            raise NotRead from fault
        tracked = reading.values.get(output)
        if tracked is None or reading.law is None or not tracked.fixed or tracked.clamped:
            raise NotRead
        found.append(_line(reading, dict(tracked.terms), name))
    return found


def _line(reading: Reading, terms: dict[str, Number], name: str) -> _Line:
    factor = terms.pop(name, 0)
    parts = [resized(reading.noises[source], each) for source, each in terms.items()]
    return _Line(exact.mul(factor, factor), tuple(parts))


def _filled(lines: Sequence[_Line], power: Number) -> Number:
    """Return :math:`e^{2C}` behind normal noise of the same variances."""
    levels = sorted((line.level for line in lines), key=cmp_to_key(exact.compare))
    total: Number = 0
    water: Number = 0
    count = 0
    for number, level in enumerate(levels, 1):
        if number > 1 and exact.compare(level, water) >= 0:
            break
        total, count = exact.add(total, level), number
        water = exact.div(exact.add(power, total), number)
    return reduce(exact.mul, (exact.div(water, level) for level in levels[:count]))


def _half_logarithm(quotient: Number) -> Enclosure:
    try:
        return Enclosure.of_number(exact.div(exact.log_(quotient), 2))
    except ArithmeticFault:
        return Enclosure.of_ball(exact.enclose(quotient, _BITS).log() / 2)


def _half_bits(quotient: Number) -> Fraction | None:
    """Return half the logarithm, base 2, of a power of 2."""
    fraction = exact.to_fraction(quotient)
    if (
        fraction is None
        or fraction.denominator & (fraction.denominator - 1)
        or fraction.numerator & (fraction.numerator - 1)
    ):
        return None
    return Fraction(fraction.numerator.bit_length() - fraction.denominator.bit_length(), 2)


def _at_most(line: _Line, power: Number) -> arb:
    """Bound the information of one output that gets all of the power."""
    received = exact.enclose(exact.add(exact.mul(line.gain, power), line.variance), _BITS)
    around = 2 * arb.pi() * arb(1).exp()
    noise = sum(((2 * law.entropy()).exp() for law in line.parts), arb(0))
    return ((around * received).log() - noise.log()) / 2
