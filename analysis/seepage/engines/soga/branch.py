r"""Branching in a component: the row *if b* of the paper's Table 2,
:math:`P_G(b)\,\langle S_1 \rangle(T_{gm}(G_{|b})) + P_G(\neg b)\,\langle S_2 \rangle(T_{gm}(G_{|\neg b}))`.

On discrete conditions a component takes one branch whole, which is exact. On an inequality of continuous values it is cut in two.
"""

from __future__ import annotations

from seepage import rules
from seepage.engines.soga.assign import truth_in
from seepage.engines.soga.component import Component, Cut, splitting
from seepage.engines.soga.weights import Weight
from seepage.syntax.tree import Expression

MESSAGE = "a branch cuts a continuous variable, whose parts are not Gaussian"


def decide(component: Component, condition: Expression) -> list[tuple[bool, Component, Weight, tuple[Cut, ...]]]:
    """Return the parts of a component by the truth of a condition; see :func:`seepage.engines.soga.component.splitting`."""
    return splitting(component, lambda part: truth_in(part, condition), rules.BRANCH_ON_CONTINUOUS, MESSAGE)
