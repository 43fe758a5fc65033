"""J of a tuple over all strata of its law, from the paths of a program."""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from seepage.engines.pivot.merging import merged
from seepage.engines.pivot.path import Path
from seepage.laws.forms import Beyond
from seepage.measures.pivot.joint_entropy import path_entropy
from seepage.measures.pivot.pairs import pair_entropy
from seepage.measures.pivot.singular import are_singular
from seepage.measures.pivot.strata import atom, density_entropy, strata_of, total_of


def entropy_sum(paths: Sequence[Path], names: Sequence[str], total: arb) -> arb:
    """Enclose J of a tuple in nats, under the law in which the paths have probability 1; −∞ where values are singular together on some path.

    Raises:
        Beyond: if some stratum has three continuous variables or more, or a density that is not known.
    """
    found = arb(0)
    strata = strata_of(merged(paths, names), names)
    if len(strata) == 1 and None not in next(iter(strata)):
        return found  # one value on all paths
    for key, group in strata.items():
        continuous = [name for name, value in zip(names, key, strict=True) if value is None]
        if any(are_singular(path, continuous) for path in group):
            return arb.neg_inf()
        match continuous:
            case []:
                found += atom(total_of(group) / total)
            case [name]:
                found += density_entropy(group, name, total)
            case [first, second]:
                found += _of_pair(group, (first, second), total)
            case _ if len(group) == 1:
                found += path_entropy(group[0], continuous, total)
            case _:
                raise Beyond("several continuous variables together")
    return found


def _of_pair(paths: Sequence[Path], names: tuple[str, str], total: arb) -> arb:
    try:
        return pair_entropy(paths, names, total)
    except Beyond:
        if len(paths) > 1:
            raise
        return path_entropy(paths[0], names, total)
