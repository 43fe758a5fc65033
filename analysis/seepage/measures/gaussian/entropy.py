"""How uncertain variables of a Gaussian mixture are: entropies relative to counting on atoms and Lebesgue measure elsewhere, in nats.

For an unnormalised density m on one stratum (see :mod:`gaussian_strata`) let J(m) = −∫ m log m; then H(x) = Σ_strata J and
H(x | y) = H(x, y) − H(y). J is a closed form for atoms (−p log p) and for single Gaussians (w (½ log((2πe)^n |Σ|) − log w)), an integral
with certified error in one and two dimensions, and bounded by pairs of components beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from seepage.engines.outcome import MixtureJoint
from seepage.exact import precision
from seepage.measures.arithmetic import subtract
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.cut import cut_entropy
from seepage.measures.gaussian.densities import density_entropies
from seepage.measures.gaussian.information import mutual_information
from seepage.measures.gaussian.strata import (
    PRECISION,
    Strata,
    all_pieces,
    full_rank,
    is_discrete,
    piece_of,
    rank,
    separates,
    strata,
)
from seepage.measures.gaussian.sum import clip, honest, infinite, note
from seepage.measures.notes import Note

MIXED = Note("relative to counting on the atoms and Lebesgue measure elsewhere")
SINGULAR = Note(
    "one of the variables is a linear function of the others in some run, so that they have no joint density"
)


def entropy(joint: MixtureJoint, x: Sequence[str]) -> Enclosure:
    """Return H(x): discrete, differential or mixed as x is; −inf if x has no density on its strata."""
    with precision(PRECISION):
        parts = strata(joint, x)
        return honest(cut_entropy(_entropy(parts), joint, x), joint, lower=arb(0) if is_discrete(parts) else None)


def conditional_entropy(joint: MixtureJoint, x: Sequence[str], y: Sequence[str]) -> Enclosure:
    """Return H(x | y) = H(x, y) − H(y), at most H(x), and at least 0 for a discrete x.

    −inf if x, given y, has no density. Where y itself has none (one of its variables is a function of the others) but x given y has,
    it is H(x) − I(x; y).
    """
    with precision(PRECISION):
        parts = strata(joint, x)
        discrete = is_discrete(parts)
        found = cut_entropy(_conditional(joint, tuple(x), tuple(y), parts), joint, x, y)
        return honest(found, joint, lower=arb(0) if discrete else None)


def _conditional(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...], parts: Strata) -> Enclosure:
    if is_discrete(parts) and separates(joint, y, x):
        return Enclosure.of_rational(Fraction(0))
    both, given = strata(joint, (*x, *y)), strata(joint, y)
    if not full_rank(all_pieces(both)):
        if _determined(joint, x, y):
            return infinite(-1, SINGULAR)
        own_entropy = _entropy(parts)
        found = clip(subtract(own_entropy, mutual_information(joint, x, y)), upper=own_entropy.upper)
        return clip(found, lower=arb(0)) if is_discrete(parts) else found
    joint_entropy, given_entropy, own = density_entropies([both, given, parts])
    found = clip(subtract(joint_entropy, given_entropy), upper=own.upper)
    if is_discrete(parts):
        found = clip(found, lower=arb(0))
    return note(found, MIXED) if _is_mixed(parts) else found


def _determined(joint: MixtureJoint, x: tuple[str, ...], y: tuple[str, ...]) -> bool:
    """Tell whether x has no density given y in some component: rank(x, y) < (continuous variables of x) + rank(y)."""
    seen = set()
    for component in joint.components:
        own, given, both = (piece_of(joint, component, names, component.weight)[1] for names in (x, y, (*x, *y)))
        key = (own.rows, given.rows, both.rows)
        if key not in seen:
            seen.add(key)
            if rank(both.rows) < len(own.rows) + rank(given.rows):
                return True
    return False


def _entropy(parts: Strata) -> Enclosure:
    if not full_rank(all_pieces(parts)):
        return infinite(-1, SINGULAR)
    found = density_entropies([parts])[0]
    if is_discrete(parts):
        found = clip(found, lower=arb(0))
    return note(found, MIXED) if _is_mixed(parts) else found


def _is_mixed(parts: Strata) -> bool:
    kinds = {tuple(value is None for value in key) for key in parts}
    return len(kinds) > 1
