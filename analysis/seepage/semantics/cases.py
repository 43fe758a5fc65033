"""Branches that only set one variable: tables of chances given other variables, as they are written.

What looks at dependence, order or size takes such a branch as one statement, however many arms it has, and what is found of it is found once.
"""

from __future__ import annotations

from seepage.data_classes import dataclass
from seepage.semantics.core import CoreAssign, CoreIf, CoreSample, CoreStatement
from seepage.semantics.expressions import nodes
from seepage.semantics.memo import Memo
from seepage.semantics.statements import expressions_of
from seepage.syntax.tree import Expression, Index, Name, Number


@dataclass(frozen=True, slots=True)
class Cases:
    """A branch each way through which sets the same plain variable once, or leaves it as it was.

    Attributes:
        target: the variable.
        leaves: what sets it.
        conditions: of the branch and all in its arms.
        keeps: whether some way leaves the variable as it was.
        reads: the variables and parameters that are read, each once, the target among them where it is kept.
    """

    target: str
    leaves: tuple[CoreAssign | CoreSample, ...]
    conditions: tuple[Expression, ...]
    keeps: bool
    reads: tuple[str, ...]

    @property
    def draws(self) -> bool:
        """Tell whether some way draws the variable."""
        return any(isinstance(leaf, CoreSample) for leaf in self.leaves)


_KNOWN: Memo[Cases | bool] = Memo()


def cases_of(branch: CoreIf) -> Cases | None:
    """Return what a branch does to its one variable; None if it does more, or picks elements at random."""
    known = _KNOWN.of(branch)
    if known is None:
        known = _KNOWN.keep(branch, _found(branch) or False)
    return known if isinstance(known, Cases) else None


def _found(branch: CoreIf) -> Cases | None:
    leaves: list[CoreAssign | CoreSample] = []
    conditions: list[Expression] = []
    reads: dict[str, None] = {}
    target: str | None = None
    keeps = False
    stack: list[CoreStatement] = [branch]
    while stack:
        statement = stack.pop()
        match statement:
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                conditions.append(condition)
                for arm in (alternative, consequent):
                    if len(arm) > 1:
                        return None
                    keeps = keeps or not arm
                    stack += arm
            case CoreAssign(target=Name(id=name)) | CoreSample(target=Name(id=name)):
                if target not in (None, name):
                    return None
                target = name
                leaves.append(statement)
            case _:
                return None
        for expression in expressions_of(statement):
            if isinstance(expression, Number):
                continue
            for node in nodes(expression):
                if isinstance(node, Index):
                    return None
                if isinstance(node, Name):
                    reads[node.id] = None
    if target is None:
        return None
    if keeps:
        reads[target] = None
    return Cases(target, tuple(leaves), tuple(conditions), keeps, tuple(reads))
