r"""What each value of the outputs tells about a secret: prior, outputs and posteriors as tables of enclosed probabilities.

With joint masses :math:`m_{xy}`, their sum :math:`M` and :math:`m_y = \sum_x m_{xy}`: the prior is :math:`m_x / M`, the outputs have
:math:`m_y / M`, the posterior given y is :math:`m_{xy} / m_y`. Where an infinite support was cut, each mass may be larger by excesses
that are at most c together, so that a share of m in M lies between :math:`m / (M + c)` and :math:`(m + c) / (M + c)`: the quotient
:math:`(m + a) / (M + a + b)` with :math:`a, b \ge 0`, :math:`a + b \le c`, grows in a and falls in b.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cmp_to_key
from typing import TYPE_CHECKING, TypeAlias

from flint import arb, fmpq

from seepage import rules
from seepage.data_classes import dataclass
from seepage.engines.outcome import Joint, MixtureJoint
from seepage.exact import Number, compare, precision, show
from seepage.frames import Cell, Tabular
from seepage.measures.asking import Asking
from seepage.measures.call_parts import need_shape
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.guessing import as_discrete
from seepage.measures.guessing.vulnerability import Discrete
from seepage.measures.joints import joint_of
from seepage.measures.leakage_parts import telling_outputs
from seepage.measures.planning.table import row_of
from seepage.measures.result import Certainty
from seepage.measures.scope import fail, variables
from seepage.notebook import Rendered
from seepage.source import Span
from seepage.syntax.tree import MeasureCall, MeasureExpression
from seepage.wishes import Wished

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Weight: TypeAlias = fmpq | arb

MOST_SECRETS = 64
MOST_OUTPUTS = 256
MANY = 20_000  # values of the secret, of the outputs, and possible pairs of both, for those who page through them


@dataclass(frozen=True, slots=True)
class Chance:
    """A value as text (several separated by commas) and its probability."""

    value: str
    probability: Enclosure


@dataclass(frozen=True, slots=True)
class Seen:
    """A value of the outputs, its probability, and the probabilities of all values of the secret given it, in the order of the prior.

    Where many values were asked for and found, those are left out that are not possible given it.
    """

    output: Chance
    posterior: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Posterior(Wished, Tabular, Rendered):
    """What is believed of a secret before and after the outputs are seen; values in ascending order, those of no run left out.

    Attributes:
        prior: of the secret.
        outputs: what may be seen, and what follows from it.
        note: what a reader must know; empty if nothing.
    """

    prior: tuple[Chance, ...]
    outputs: tuple[Seen, ...]
    note: str = ""

    def __repr__(self) -> str:
        """Return how many values there are; their probabilities are many."""
        return f"<Posterior of {len(self.prior)} values after {len(self.outputs)} outputs>"

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values of the secret, as texts: the columns of :meth:`to_numpy`."""
        return tuple(each.value for each in self.prior)

    @property
    def seen(self) -> tuple[str, ...]:
        """The values of the outputs, as texts: its rows."""
        return tuple(each.output.value for each in self.outputs)

    def columns(self) -> dict[str, tuple[Cell, ...]]:
        """Return the table by columns: ``seen``, its ``probability``, and the probability of each value of the secret after it.

        A value of the secret that is called like one of the first two has ``secret.`` in front.
        """
        heads = ("seen", "probability")
        names = [f"secret.{name}" if name in heads else name for name in self.secrets]
        after = zip(*([_middle(chance) for chance in each.posterior] for each in self.outputs), strict=True)
        chances = tuple(_middle(each.output) for each in self.outputs)
        return {"seen": self.seen, "probability": chances, **dict(zip(names, after, strict=True))}

    def to_numpy(self) -> npt.NDArray[np.float64]:
        """Return the probability of each value of the secret after each output: a row for each output."""
        import numpy as np

        return np.array([[_middle(chance) for chance in each.posterior] for each in self.outputs])


def _middle(chance: Chance) -> float:
    return float(chance.probability.value.mid())


def posterior(asking: Asking, information: MeasureExpression, offset: int = 0, *, many: bool = False) -> Posterior:
    """Return the tables of a secret x and outputs y, given as the measure ``I(x; y)``.

    Args:
        asking: the program, the values of its parameters, the limits.
        information: names x and y; its spans are relative to ``offset``.
        offset: absolute place of the measure's text.
        many: whether to list thousands of values, too: then the secret's that are not possible after an output are left out there.

    Raises:
        Fault: of the program; a continuous or approximate joint distribution; more than ``MOST_SECRETS`` or ``MOST_OUTPUTS`` values, or
            ``MANY`` where many are asked for.
    """
    scope = asking.scope(offset)
    place = information.span.shift(offset)
    if not isinstance(information, MeasureCall) or not row_of(information).is_information or information.given:
        fail(rules.UNFIT_MEASURE, place, "found another measure, expected I(secret; output)")
    need_shape(scope, information, ";", "I(secret; output)")
    x, y = variables(scope, information.left), variables(scope, information.right)
    telling = telling_outputs(asking, information, offset)
    without = "" if telling is None else ", ".join(name for name in y if name not in telling)
    y = y if telling is None else telling
    joint = _discrete(joint_of(asking.inquiry(place, offset), asking.core, (*x, *y)), place)
    with precision(BITS):
        xs, ys, both = (_sums(joint, names) for names in (x, y, (*x, *y)))
    is_long = many and (len(xs) > MOST_SECRETS or len(ys) > MOST_OUTPUTS)
    _need_few(place, "the secret has", len(xs), MANY if is_long else MOST_SECRETS)
    _need_few(place, "the outputs have", len(ys), MANY if is_long else MOST_OUTPUTS)
    if is_long:
        _need_few(place, "secret and outputs have together", len(both), MANY)
    cut = arb(0) if joint.cut is None else joint.cut.mass
    secrets = sorted(xs, key=_ORDER)
    with precision(BITS):
        prior = tuple(Chance(_shown(value), _share(xs[value], joint.mass, cut)) for value in secrets)
        possible = _by_output(both, secrets, len(x)) if is_long else dict.fromkeys(ys, secrets)
        outputs = tuple(
            Seen(
                Chance(_shown(seen), _share(ys[seen], joint.mass, cut)),
                tuple(
                    Chance(_shown(value), _share(both.get((*value, *seen)), ys[seen], cut)) for value in possible[seen]
                ),
            )
            for seen in sorted(ys, key=_ORDER)
        )
    left_out = f"independent of the secret, and left out: {without}" if without else ""
    return Posterior(prior, outputs, "; ".join(note for note in (_note(joint), left_out) if note))


def _by_output(both: Mapping[Values, Weight], secrets: Sequence[Values], width: int) -> dict[Values, list[Values]]:
    """Return for each value of the outputs the possible ones of the secret, whose values come first in a pair, in their order."""
    places = {value: place for place, value in enumerate(secrets)}
    found: dict[Values, list[Values]] = {}
    for pair in sorted(both, key=lambda pair: places[pair[:width]]):
        found.setdefault(pair[width:], []).append(pair[:width])
    return found


def law(
    asking: Asking, entropy: MeasureExpression, offset: int = 0
) -> tuple[tuple[tuple[Number, ...], Enclosure], ...]:
    """Return the values of variables in ascending order, and their probabilities; the variables x are given as the measure ``H(x)``.

    Args:
        asking: of the program.
        entropy: ``H(x)``, as parsed.
        offset: of its text in the source.

    Raises:
        Fault: of the program; a continuous or approximate law, or one that goes on for ever.
    """
    scope, place = asking.scope(offset), entropy.span.shift(offset)
    if not isinstance(entropy, MeasureCall) or entropy.given:
        fail(rules.UNFIT_MEASURE, place, "found another measure, expected H(variable)")
    names = variables(scope, entropy.left)
    joint = _discrete(joint_of(asking.inquiry(place, offset), asking.core, names), place)
    if joint.cut is not None:
        fail(rules.NOT_SUPPORTED, place, "found a law that goes on for ever, expected finitely many values")
    with precision(BITS):
        masses = _sums(joint, names)
        return tuple((value, _share(masses[value], joint.mass, arb(0))) for value in sorted(masses, key=_ORDER))


def _discrete(joint: Joint, place: Span) -> Discrete:
    if not isinstance(joint, MixtureJoint):
        return joint
    discrete = as_discrete(joint)
    if discrete is None:
        # Normal laws stand for other continuous ones, whose measures may be certified in another way: the reason is that they are continuous.
        is_continuous = any(value is None for component in joint.components for value in component.values)
        if joint.approximations and not is_continuous:
            fail(rules.NOT_SUPPORTED, place, "found a distribution that is only approximate, expected an exact one")
        fail(rules.NOT_SUPPORTED, place, "found a continuous variable, expected a discrete secret and discrete outputs")
    return discrete


def _need_few(place: Span, which: str, found: int, most: int) -> None:
    if found > most:
        fail(rules.BUDGET_EXCEEDED, place, f"{which} {found:,} values, expected at most {most} to list")


def _sums(joint: Discrete, names: Sequence[str]) -> Mapping[Values, Weight]:
    places = joint.positions(names)
    sums: dict[Values, Weight] = {}
    for values, mass in joint.masses.items():
        key = tuple(values[at] for at in places)
        sums[key] = sums[key] + mass if key in sums else mass
    return sums


def _share(part: Weight | None, of: Weight, cut: arb) -> Enclosure:
    """Enclose ``part / of``, no part being 0; ``cut`` bounds what is missing from both together."""
    if not cut > 0:
        if part is None:
            return Enclosure.of_rational(Fraction(0))
        if isinstance(part, fmpq) and isinstance(of, fmpq):
            share = part / of
            return Enclosure.of_rational(Fraction(int(share.p), int(share.q)))
    weight, whole = arb(0) if part is None else arb(part), arb(of)
    low, high = weight / (whole + cut), (weight + cut) / (whole + cut)
    certainty = Certainty.CERTIFIED if cut > 0 else Certainty.EXACT
    return Enclosure.bounded(weight / whole, _at_least_0(low.lower()), _at_most_1(high.upper()), certainty)


def _at_least_0(number: arb) -> arb:
    return number if number > 0 else arb(0)


def _at_most_1(number: arb) -> arb:
    return number if number < 1 else arb(1)


def _note(joint: Discrete) -> str:
    if joint.cut is None:
        return ""
    bound = float((joint.cut.mass / arb(joint.mass)).upper())
    return f"an infinite support was cut: values that are not listed have a probability of at most {bound:.1e} together"


def _compared(a: Values, b: Values) -> int:
    return next((order for left, right in zip(a, b, strict=True) if (order := compare(left, right))), 0)


_ORDER = cmp_to_key(_compared)


def _shown(values: Sequence[Number]) -> str:
    return ", ".join(show(value) for value in values)
