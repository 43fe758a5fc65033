r"""What the components that were cut off a mixture, where a discrete support is infinite, can change in a measure of it; in nats.

As in :mod:`seepage.measures.discrete.cutting`, of which these are the extensions to densities: M is the known mass, :math:`t \le \tau` that of the components cut off, B tells
whether a run was cut off, D its component, and :math:`s = \eta + \tau (1 + \log^+ (M + \tau))`, with :math:`(M + t)\, H(B) + t\, H(D \mid B) \le s`. Index m is for the known
runs and e for those cut off; h is relative to counting on atoms and Lebesgue measure elsewhere (Cover and Thomas 2006, chapters 2 and 8, for the inequalities).

* Entropy is concave, :math:`(M + t)\, h(x \mid y) \ge M h_m + t h_e`, and :math:`\le M h_m + t h_e + (M + t) H(B)`; and
  :math:`h_e(x \mid y, D) \le h_e(x \mid y) \le h_e(x \mid y, D) + H(D \mid B)`, where :math:`h_e(x \mid y, D)` is an average of closed forms, which are those of known
  components if the components cut off are alike (:class:`seepage.engines.outcome.Cut`). It is 0 for a discrete x.
* If they are not alike, :math:`-\int e \log e \le \eta + \sum_i \tfrac12 t_i \log (2 \pi \mathrm e\, S_i / t_i)` with the second moments :math:`S_i` of the coordinates,
  as the normal law has the greatest entropy for its second moment.
* :math:`|I(x; y \mid z) - I(x; y \mid z, B)| \le H(B)`, and :math:`I_e(x; y \mid z) \le I_e(x; y \mid z, D) + H(D \mid B)`, likewise; the first term is 0 where x or y is discrete.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from flint import arb

from seepage.engines.outcome import Cut, MixtureComponent, MixtureJoint
from seepage.measures.discrete.cutting import information_bounds, slack
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import bounds as gaussian_bounds
from seepage.measures.gaussian.quadrature_frame import NotResolved
from seepage.measures.gaussian.strata import Piece, ball, basis, not_supported, piece_of, total
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.guessing.gains import Gain, Tries, amount, extremes
from seepage.measures.notes import Note, NoteKind
from seepage.measures.result import Certainty

UNKNOWN_SIZE = Note("no bound: the tail of an infinite support may hold values of any size")
UNKNOWN_SHAPE = Note("no bound: the tail of an infinite support may hold densities of any shape")
UNKNOWN_GUESSES = Note(
    "no upper bound: an infinite support was cut, and what was cut off may take any number of guesses",
    NoteKind.NO_UPPER_BOUND,
)

_INFINITE = arb("inf")


def mass_of(joint: MixtureJoint) -> arb:
    """Return the known mass."""
    return ball(total(component.weight for component in joint.components))


def cut_entropy(found: Enclosure, joint: MixtureJoint, x: Sequence[str], y: Sequence[str] = ()) -> Enclosure:
    """Return an enclosure of H(x | y) from that of the known components."""
    cut = joint.cut
    if cut is None or _is_minus_infinity(found):
        return found
    if cut.discrete >= set(x):
        inside = arb(0), arb(0)
    elif cut.alike:
        inside = _extremes(joint, lambda component: _entropy_given(joint, component, x, y))
    else:
        inside = arb("-inf"), _INFINITE
    return entropy_beside(found, mass_of(joint), cut, x, inside)


def entropy_beside(found: Enclosure, mass: arb, cut: Cut, x: Sequence[str], inside: tuple[arb, arb]) -> Enclosure:
    """Return an enclosure of an entropy of x from that of runs of known mass, and bounds of :math:`h_e(x \\mid y, D)`."""
    least, most = inside
    more = slack(mass, cut)
    lower, upper = _mixed(found.lower, mass, cut, least, arb(0), min), _mixed(found.upper, mass, cut, most, more, max)
    by_moments = more + sum((_by_moment(cut, name) for name in x if name not in cut.discrete), arb(0))
    other = _mixed(found.upper, mass, cut, arb(0), by_moments, max)
    return _within(found, lower, other if other < upper else upper, UNKNOWN_SHAPE)


def cut_information(
    found: Enclosure, joint: MixtureJoint, x: Sequence[str], y: Sequence[str], z: Sequence[str] = ()
) -> Enclosure:
    """Return an enclosure of I(x; y | z) from that of the known components; infinity stays."""
    cut = joint.cut
    if cut is None:
        return found
    if cut.discrete >= set(x) or cut.discrete >= set(y):
        most = arb(0)
    elif cut.alike:
        _, most = _extremes(
            joint,
            lambda component: _entropy_given(joint, component, x, z) - _entropy_given(joint, component, x, (*y, *z)),
        )
    else:
        most = _INFINITE
    return information_beside(found, mass_of(joint), cut, most)


def information_beside(found: Enclosure, mass: arb, cut: Cut, most: arb) -> Enclosure:
    """Return an enclosure of an information from that of runs of known mass, and a bound of :math:`I_e(x; y \\mid z, D)`; infinity stays."""
    if found.lower > 0 and not found.lower.is_finite():
        return found
    lower = information_bounds(found.lower.max(arb(0)), mass, cut)[0]
    return _within(found, lower, _mixed(found.upper, mass, cut, most, slack(mass, cut), max), UNKNOWN_SHAPE)


def cut_chance(found: Enclosure, joint: MixtureJoint) -> Enclosure:
    """Return an enclosure of a probability: of the runs cut off, all or none may make the event true."""
    return cut_gain(found, joint, Tries(1))


def cut_mean(found: Enclosure, joint: MixtureJoint, variable: str) -> Enclosure:
    """Return an enclosure of a mean."""
    return found if joint.cut is None else mean_beside(found, mass_of(joint), joint.cut, variable)


def mean_beside(found: Enclosure, mass: arb, cut: Cut, variable: str) -> Enclosure:
    """Return an enclosure of a mean from that of runs of known mass."""
    first, _ = cut.moments.get(variable, (_INFINITE, _INFINITE))
    whole = mass.union(mass + cut.mass)
    lower, upper = ((found.lower * mass - first) / whole).lower(), ((found.upper * mass + first) / whole).upper()
    return _within(found, lower, upper, UNKNOWN_SIZE)


def cut_variance(found: Enclosure, mean: arb, joint: MixtureJoint, variable: str) -> Enclosure:
    """Return an enclosure of a variance, from that of the known components and their mean."""
    return found if joint.cut is None else variance_beside(found, mean, mass_of(joint), joint.cut, variable)


def variance_beside(found: Enclosure, mean: arb, mass: arb, cut: Cut, variable: str) -> Enclosure:
    """Return an enclosure of a variance, from that of runs of known mass and their mean.

    With distances from an origin a, :math:`|v - a| \\le |v| + |a|` bounds what the runs cut off add to the two sums.
    """
    first, second = cut.moments.get(variable, (_INFINITE, _INFINITE))
    if not (first.is_finite() and second.is_finite()):
        lower = (found.lower * mass / (mass + cut.mass)).lower()
        return _within(found, lower.max(arb(0)), _INFINITE, UNKNOWN_SIZE)
    origin = mean.mid()
    size, off = abs(origin), mass * (mean - origin)
    more = arb(0).union(second + 2 * size * first + size * size * cut.mass)
    shift = first + size * cut.mass
    whole = mass.union(mass + cut.mass)
    centre = (off + shift.union(-shift)) / whole
    ends = [(mass * end + off * off / mass + more) / whole - centre * centre for end in (found.lower, found.upper)]
    return _within(found, ends[0].lower().max(arb(0)), ends[1].upper(), UNKNOWN_SIZE)


def cut_gain(found: Enclosure, joint: MixtureJoint, gain: Gain) -> Enclosure:
    """Return an enclosure of an expected gain: the runs cut off gain between the least and the greatest gain there is."""
    return found if joint.cut is None else gain_beside(found, mass_of(joint), joint.cut, gain)


def gain_beside(found: Enclosure, mass: arb, cut: Cut, gain: Gain) -> Enclosure:
    """Return an enclosure of an expected gain from that of runs of known mass."""
    lost = (cut.mass / mass).upper()
    least, most = (arb(amount(end)) for end in extremes(gain))
    lower, upper = found.lower, found.upper
    lower, upper = lower.min((lower + lost * least) / (1 + lost)), upper.max((upper + lost * most) / (1 + lost))
    if isinstance(gain, Tries):
        lower, upper = lower.max(arb(0)), upper.min(arb(1))
    return _within(found, lower.lower(), upper.upper(), UNKNOWN_SIZE)


def cut_guesses(found: Enclosure, joint: MixtureJoint) -> Enclosure:
    """Return an enclosure of an expected number of guesses: more values never need fewer of them."""
    cut = joint.cut
    if cut is None:
        return found
    mass = mass_of(joint)
    lower = (mass * found.lower / (mass + cut.mass)).lower().max(arb(1))
    if found.upper - found.lower > COARSE:
        found = replace(
            found, value=lower
        )  # the middle of bounds of which the upper one is about what was kept is no estimate
    return _within(found, lower, _INFINITE, UNKNOWN_GUESSES)


def cut_divergence(
    found: Enclosure, joint_p: MixtureJoint, joint_q: MixtureJoint, y: Sequence[str], dense: bool
) -> Enclosure:
    """Return an enclosure of a divergence: between 0 and infinity, unless it is infinite whatever was cut off; ``dense``: whether the first law has a density."""
    if joint_p.cut is None and joint_q.cut is None:
        return found
    infinite = bool(found.lower > 0) and not found.lower.is_finite()
    if infinite and (joint_q.cut is None or (joint_q.cut.discrete >= set(y) and dense)):
        return found  # what was cut off a discrete second law holds no density
    value = found.value if found.value.is_finite() else arb(0)
    return _within(replace(found, value=value), arb(0), _INFINITE, UNKNOWN_SHAPE)


def need_discrete(joint: MixtureJoint, x: Sequence[str]) -> None:
    """Refuse a secret that may be continuous in the runs that were cut off.

    Raises:
        Fault: not supported; the caller knows the place.
    """
    if joint.cut is not None and not joint.cut.discrete >= set(x):
        raise not_supported("guessing a value that may be continuous where an infinite support was cut")


# --- bounds -----------------------------------------------------------------------------------------------------------


def _mixed(known: arb, mass: arb, cut: Cut, outside: arb, more: arb, choose: Callable[[arb, arb], arb]) -> arb:
    """Return the extreme over t of (M known + t outside + more) / (M + t): it is at t = 0 or t = τ, the fraction being monotone."""
    if not (known.is_finite() and outside.is_finite() and more.is_finite()):
        return _INFINITE if choose is max else arb("-inf")
    ends = ((mass * known + t * outside + more) / (mass + t) for t in (arb(0), cut.mass))
    first, last = ends
    return first.max(last).upper() if choose is max else first.min(last).lower()


def _by_moment(cut: Cut, name: str) -> arb:
    """Bound ½ t log(2πe S / t) over all t up to τ."""
    _, second = cut.moments.get(name, (_INFINITE, _INFINITE))
    if not second.is_finite():
        return _INFINITE
    scale = 2 * arb.pi() * arb(1).exp() * second
    peak = scale * arb(-1).exp()  # where the bound is greatest
    if cut.mass < peak and cut.mass > 0:
        return (cut.mass * (scale / cut.mass).log() / 2).upper().max(arb(0))
    return (peak / 2).upper()


def _extremes(joint: MixtureJoint, value: Callable[[MixtureComponent], arb]) -> tuple[arb, arb]:
    least, most = _INFINITE, arb("-inf")
    seen: set[object] = set()
    for component in joint.components:
        entries = (entry for row in component.covariance for entry in row)
        bits = tuple((entry.mid().man_exp(), entry.rad().man_exp()) for entry in entries)
        shape = (component.coefficients, bits, tuple(each is None for each in component.values))
        if shape in seen:
            continue
        seen.add(shape)
        try:
            found = value(component)
        except NotResolved as reason:
            raise not_supported(str(reason)) from reason
        least, most = least.min(found.lower()), most.max(found.upper())
    return least, most


def _entropy_given(joint: MixtureJoint, component: MixtureComponent, x: Sequence[str], y: Sequence[str]) -> arb:
    """Return h(x | y) inside of a component; −∞ where y determines a continuous variable of x."""
    whole = piece_of(joint, component, (*y, *x), ball(component.weight))[1]
    given = piece_of(joint, component, y, ball(component.weight))[1] if y else None
    known = 0 if given is None else len(given.rows)
    chosen = basis(whole.rows) if whole.rows else ()
    if len([at for at in chosen if at >= known]) < len(whole.rows) - known:
        return arb("-inf")
    own = [at for at in chosen if at < known]
    return _entropy(whole, chosen) - _entropy(whole, own)


def _entropy(piece: Piece, chosen: Sequence[int]) -> arb:
    if not chosen:
        return arb(0)
    return gaussian_bounds.gaussian_entropy(tuple(tuple(piece.covariance[i][j] for j in chosen) for i in chosen))


def _is_minus_infinity(found: Enclosure) -> bool:
    return not found.upper.is_finite() and found.upper < 0


def _within(found: Enclosure, lower: arb, upper: arb, unknown: Note) -> Enclosure:
    """Return the enclosure with other bounds, with a note where there is none."""
    certainty = Certainty.APPROXIMATE if found.certainty is Certainty.APPROXIMATE else Certainty.CERTIFIED
    notes = found.notes if lower.is_finite() and upper.is_finite() else (*found.notes, unknown)
    return Enclosure.bounded(found.value, lower, upper, certainty, notes=tuple(dict.fromkeys(notes)))
