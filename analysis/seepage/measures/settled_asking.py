"""From an unrolled program to what measures are asked of: loops of unknown length settled, equalities that never hold decided, choices of attackers known as a game."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from seepage.deadline import sooner
from seepage.engines.never_equal import without_equalities
from seepage.engines.outcome import Budget
from seepage.engines.settling import needed_part, settled, settled_for
from seepage.exact import Number
from seepage.measures.asking import Asking, InformationUnit, Unsettled
from seepage.measures.games.game import game_of, has_choices, random_choices
from seepage.measures.joints import Memory
from seepage.measures.parameters import domains_of
from seepage.semantics.checked import Checked
from seepage.semantics.core import CoreProgram


def part_for(core: CoreProgram, names: Iterable[str], values: Mapping[str, Number]) -> CoreProgram:
    """Return what is to be settled for some names: no loop on which they do not depend; all where an attacker chooses.

    Args:
        core: the unrolled program.
        names: plain variables.
        values: of the parameters.
    """
    return core if has_choices(core) else needed_part(core, names, values)


def asking_at(
    checked: Checked,
    core: CoreProgram,
    names: Iterable[str],
    values: Mapping[str, Number],
    unit: InformationUnit,
    budget: Budget,
    settling: float = math.inf,
    only: bool = False,
) -> Asking:
    """Return a program at values of its parameters.

    Args:
        checked: the program.
        core: the same, unrolled, or what is asked for needs of it.
        names: what is asked of, where not all variables have laws that are known.
        values: of the parameters that have one.
        unit: of entropies, information and divergences.
        budget: of each run of an engine.
        only: whether nothing but the names is asked of.
        settling: seconds of a processor for the laws of loops, where that is less than the budget has.

    Raises:
        Fault: of what comes before a loop of unknown length, or stands in it.
    """
    if not has_choices(core):
        asked, domains = tuple(names), domains_of(checked)
        hurried = budget if math.isinf(settling) else replace(budget, deadline=sooner(budget.deadline, settling))
        part = settled_for(core, asked, values, domains, hurried, only=only)
        return Asking(
            checked,
            without_equalities(part, values, domains),
            values,
            unit,
            budget,
            Memory(),
            unsettled=Unsettled(core, asked, domains, only),
        )
    random = settled(random_choices(core), values, domains_of(checked), budget)
    outputs = [each for one in checked.symbols.outputs for each in random.written(one.name)]
    game = game_of(core, outputs, random)
    return Asking(checked, game.unplayed, values, unit, budget, Memory(), game=game)
