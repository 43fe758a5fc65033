"""``C`` and ``Cmin``: from the call as written to a quantity, with the optimal prior."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage import exact, rules
from seepage.engines.outcome import MixtureJoint
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.channels import capacity as formulas
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.capacity_search import MOST_ENTRIES
from seepage.measures.channels.channel import Channel, in_balls, is_exact
from seepage.measures.channels.closed_weights import logarithm
from seepage.measures.channels.power import capacity_under_power
from seepage.measures.channels.words import Words
from seepage.measures.discrete.classes import guessed_in_one_try, number_of_values
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.privacy_questions import told_at_most
from seepage.measures.joints import classes_of, joint_of
from seepage.measures.quantity import Quantity, Witness
from seepage.measures.result import Certainty
from seepage.measures.rounding import in_bits
from seepage.measures.scope import fail
from seepage.measures.units import in_unit
from seepage.semantics.slice import determines, slice_program
from seepage.semantics.statements import walk

_MOST_SHARES = 6  # of a prior that is written out
_LONGEST_PRIOR = 160  # characters of it


def capacity(asked: AskedChannel) -> Quantity:
    """Evaluate ``C``: the greatest mutual information over all priors of x.

    Raises:
        Fault: of the program, or of the measure at its place.
        OutOfTime: past the budget's deadline.
    """
    if asked.is_useless():
        return Quantity(Enclosure.of_number(0), 1, "dependence")
    if (power := asked.argument("power")) is not None:
        found_nats, bits = capacity_under_power(asked, power)
        return replace(in_unit(asked.evaluation.unit, found_nats, None, bits), engine="noise")
    if samples_continuous(walk(slice_program(asked.evaluation.scope.core, asked.x).statements)):
        message = "'C' of continuous inputs, any of which may be as large as they like"
        fail(rules.NOT_SUPPORTED, asked.place, message, "say how large they may be: C(x -> y, power=1)")
    if (count := _values_of_a_function(asked)) is not None:
        return _of_logarithm(asked, count)
    channel = asked.channel()
    entries = len(channel.rows) * len({to for row in channel.rows.values() for to in row})
    if entries > MOST_ENTRIES:
        message = f"a channel of {entries:,} pairs of an input and an output, more than {MOST_ENTRIES:,}"
        fail(rules.BUDGET_EXCEEDED, asked.place, message, "name an input or an output with fewer values")
    found = formulas.capacity(channel, in_balls(channel), _all_inputs(asked, channel), asked.evaluation.inquiry.budget)
    nats = found.nats
    if found.bits is not None and (asked.evaluation.unit == "bits" or found.bits == 0):
        nats = Enclosure.of_rational(found.bits)
    elif asked.evaluation.unit == "bits":
        nats = in_bits(nats)
    return Quantity(nats, 1, "discrete", witness=Witness(_prior(asked, found.prior)))


def min_capacity(asked: AskedChannel) -> Quantity:
    """Evaluate ``Cmin``: the greatest min-entropy leakage over all priors of x.

    Raises:
        Fault: of the program, or of the measure at its place.
        OutOfTime: past the budget's deadline.
    """
    if asked.is_useless():
        return Quantity(Enclosure.of_number(0), 1, "dependence")
    if (count := _values_of_a_function(asked)) is not None:
        return _of_logarithm(asked, count)
    if (huge := asked.classes()) is not None and (chance := guessed_in_one_try(huge, asked.x, asked.y)) is not None:
        return _of_logarithm(asked, exact.number(chance))
    if (joint := asked.mixture()) is not None:
        return in_unit(asked.evaluation.unit, told_at_most(asked, joint), joint)
    channel, budget = asked.channel(), asked.evaluation.inquiry.budget
    if is_exact(channel):
        try:
            return _of_logarithm(asked, formulas.min_capacity(channel, budget))
        except ArithmeticFault:
            pass  # balls do not need to decide
    balls = in_balls(channel)
    with precision(BITS):
        guessed = formulas.min_capacity_bounds(balls, budget)
        if _all_inputs(asked, channel):
            nats = non_negative(guessed.max(arb(1)).log(), arb(len(channel.rows)).log())
        else:
            lower = guessed.lower().max(arb(1)).log().lower()
            notes = (formulas.INFINITE_INPUTS,)
            nats = Enclosure.bounded(lower, lower, arb.pos_inf(), Certainty.CERTIFIED, notes=notes)
        if balls.missing and nats.exact is None:
            nats = replace(nats, certainty=Certainty.CERTIFIED)
    return Quantity(in_bits(nats) if asked.evaluation.unit == "bits" else nats, 1, "discrete")


def _values_of_a_function(asked: AskedChannel) -> int | None:
    """Return how many values y has, where it is discrete and a function of x: so many inputs can be told apart."""
    core = asked.evaluation.scope.core
    if not determines(core, asked.x, asked.y):
        return None
    if (huge := classes_of(asked.evaluation.inquiry, core, asked.y)) is not None:
        return number_of_values(huge, asked.y)
    joint = joint_of(asked.evaluation.inquiry, core, asked.y)
    if isinstance(joint, MixtureJoint) or joint.cut is not None:
        return None
    if any(isinstance(mass, arb) and not mass > 0 for mass in joint.masses.values()):
        return None
    return len(joint.masses)


def _all_inputs(asked: AskedChannel, channel: Channel[Number] | Channel[arb]) -> bool:
    """Tell whether the rows of a channel are all that there are, which an infinite support that was cut leaves open."""
    if not channel.missing:
        return True
    joint = joint_of(asked.evaluation.inquiry, asked.evaluation.scope.core, asked.x)
    return not isinstance(joint, MixtureJoint) and joint.cut is None and set(joint.masses) <= set(channel.rows)


def _of_logarithm(asked: AskedChannel, value: Number) -> Quantity:
    """Return the logarithm of a number that is known exactly, in the unit asked for."""
    nats = logarithm(value)
    return Quantity(
        Enclosure.of_number(exact.div(nats, exact.log_(2)) if asked.evaluation.unit == "bits" else nats), 1, "discrete"
    )


def _prior(asked: AskedChannel, prior: Mapping[Values, Fraction]) -> str:
    """Spell the prior of the lower bound, if it is short; one input alone tells nothing, and any other does as well."""
    if len(prior) == 1:
        return ""
    if len(prior) > _MOST_SHARES:
        return "" if len(set(prior.values())) > 1 else f"prior uniform over {len(prior)} values"
    words = Words(asked.evaluation.scope)
    shares = (f"P({words.assignment(asked.call.left, one)}) = {_share(share)}" for one, share in prior.items())
    text = "prior " + ", ".join(shares)
    return text if len(text) <= _LONGEST_PRIOR else ""


def _share(share: Fraction) -> str:
    return str(share) if share.denominator <= 100 else f"{float(share):.6g}"
